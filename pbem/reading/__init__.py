"""A line that a person wrote, and what it may mean: words, clauses, moves, days and lengths of time; pure.

``tokens`` reads its pieces, ``clauses`` splits it, ``sentences`` finds the one move that is meant, ``objections``
and ``remarks`` say what speaks against that. The words of each language lie in ``data``.
"""
