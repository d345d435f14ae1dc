"""Pages about many matches: the index, players, games, ratings, the search, and the ledger that they are made of."""
