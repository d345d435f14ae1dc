"""A season played through real servers that are killed and cut off meanwhile, and the ledger of its messages."""
