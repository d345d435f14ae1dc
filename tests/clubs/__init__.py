"""Tests of what follows from many matches."""
