"""What happened to a match beside its entries, told: one table with a row for each kind of the log. Pure.

A row says what who did it reads, what the others read, and what anybody reads on a page; ``players`` and
``notices/sentences/public`` fill its sentences in, each with what its readers may know. A new kind is a new row.
"""
