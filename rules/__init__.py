"""The rules of the games: pure, without randomness, time or I/O.

What stands here is the contract. Besides, `rules.text`, `rules.errors`, `rules.view`, `rules.notation` and
`rules.board` may be imported from outside; `rules.games.<game>` is private to its folder and its tests.
"""
