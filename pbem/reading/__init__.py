"""A line that a person wrote, and what it may mean: words, clauses, moves, days and lengths of time; pure."""
