"""Reckons what matches say about their players anew, for the operator: after an upgrade, or in doubt."""

from datetime import UTC, datetime

from pbem.clubs.ratings import Ratings
from pbem.clubs.results import read_result
from pbem.due.clubs.ratings import begin_again
from pbem.storage.database import Database
from pbem.storage.transaction import Transaction

_AT_ONCE = 100  # matches in one transaction: others wait for it


def reckon_again(database: Database, now: datetime) -> int:
    """Store what all matches say about their players; return how many said something else so far. Raise Busy.

    Ratings follow from that, and are reckoned by the service. Damaged matches are passed over.
    """
    with database.reading() as tx:
        numbers = sorted(tx.matches.numbers(now))
    changed = 0
    for start in range(0, len(numbers), _AT_ONCE):
        with database.transaction() as tx:
            changed += sum(_note(tx, numbers[start : start + _AT_ONCE]))
    with database.transaction() as tx:
        begin_again(tx, now)
    return changed


def _note(tx: Transaction, numbers: list[int]) -> list[bool]:
    """Store what some matches say about their players; return of each whether it said something else."""
    logs, known = tx.clocks.logs(numbers), tx.results.of_matches(numbers)
    changed = []
    for match in tx.matches.all(numbers):
        result = read_result(match, logs.get(match.id, ()))
        changed.append(result != known.get(match.id))
        if changed[-1]:
            tx.results.note(match.id, result)
    return changed


def all_ratings(tx: Transaction, game: str, now: datetime) -> Ratings:
    """Return the ratings of a game from all its results, without what is stored of closed months."""
    ratings = Ratings()
    for one in tx.results.rated_between(game, datetime.min.replace(tzinfo=UTC), now):
        ratings.note(one.match, one)
    ratings.refresh()
    return ratings
