"""Tests of leagues where they act."""
