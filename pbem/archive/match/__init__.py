"""The page of one match: its board at every move, its record, what was said."""
