"""Answers as people write them, each with what a careful referee would do with it; README.md tells how."""
