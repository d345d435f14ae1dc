"""Tests of the tables and their migrations."""
