"""Which matches show what has changed: those beside others of the same players, and those of players who changed."""

from collections.abc import Collection, Iterator, Sequence

from pbem.archive.lists.ledger import Ledger
from pbem.archive.match.rematches import Rematches
from pbem.storage.database import Database
from pbem.storage.transaction import Transaction

AT_A_TIME = 50
"""Matches that are read in one transaction, so that a few megabytes hold them."""

PLAYERS_AT_A_TIME = 200


def note_circles(
    tx: Transaction, rematches: Rematches, unlisted: Collection[int], matches: Sequence[int] | None = None
) -> set[int]:
    """Note who plays ``matches``, or all, that aren't ``unlisted``; return those that lead to other matches now."""
    parts = [None] if matches is None else in_parts(matches, AT_A_TIME)
    return {
        found
        for part in parts
        for match, players in tx.players.seated(part).items()
        if match not in unlisted
        for found in rematches.note(match, players)
    }


def find_shown(database: Database, ledger: Ledger, players: Sequence[int], unlisted: Collection[int]) -> set[int]:
    """Note what is new about players; return the matches that may show it, ``unlisted`` ones among them."""
    found = set[int]()
    for part in in_parts(players, PLAYERS_AT_A_TIME):
        with database.reading() as tx:
            ledger.note_players(player for player, _ in tx.players.some(part))
    for part in in_parts(sorted(unlisted), PLAYERS_AT_A_TIME) if players else ():
        with database.reading() as tx:  # the ledger knows nothing of private matches
            seated = tx.players.seated(part)
        found |= {match for match, own in seated.items() if not {*players}.isdisjoint(own)}
    found |= ledger.changes.matches
    ledger.changes.matches.clear()
    return found


def in_parts(numbers: Sequence[int], length: int) -> Iterator[Sequence[int]]:
    """Yield numbers, so many at a time."""
    for start in range(0, len(numbers), length):
        yield numbers[start : start + length]
