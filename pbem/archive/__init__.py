"""Static HTML pages of matches and rules, and feeds, written only where they changed.

A pass asks which matches changed since the last one. Lists and statistics are written from the ledger, which remembers
every match, so that a move costs the same with many matches as with few. What each page was made of is kept as a hash:
a process that starts makes only the pages that something has changed for.
"""
