"""Static HTML pages of matches and rules, written only where they changed."""

from pbem.archive.pages import IndexRow, index_row, status, write_index, write_match
from pbem.archive.rules_pages import write_rules

__all__ = ["IndexRow", "index_row", "status", "write_index", "write_match", "write_rules"]
