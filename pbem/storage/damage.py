"""Finding damage in a database before anybody meets it: the file, the references between rows, and every match."""

from pathlib import Path

from pbem.errors import DamagedRow
from pbem.storage.database import Database
from pbem.storage.tables import CONTEST_MATCH, RATING, RESULT, SECOND, THOUGHT, VOTE

_READ_WHOLE = (CONTEST_MATCH, SECOND, VOTE, RESULT, RATING, THOUGHT)  # several rows of which are one thing
_AT_A_TIME = 500  # matches that are looked at in one transaction
_FIRST = -(2**31)


def list_damage(database: Database) -> list[str]:
    """Return a sentence for everything that is damaged; all matches are replayed, and their rolls recomputed.

    Ten thousand take some seconds. Raise ConfigError for a file that cannot be read at all.
    """
    if faults := database.find_faults():
        return [f"The file of the database is damaged ({fault}). Restore it from a backup." for fault in faults]
    return _list_damaged_rows(database)


def list_damaged_rows_in(copy: Path) -> list[str]:
    """Return what ``list_damage`` finds in a copy of an SQLite database whose file is sound."""
    database = Database(f"sqlite:///{copy}")
    try:
        return _list_damaged_rows(database)
    finally:
        database.close()


def _list_damaged_rows(database: Database) -> list[str]:
    """Return a sentence for every damaged row."""
    found = [f"A row is missing: {what}. Restore it from a backup." for what in database.find_broken_references()]
    after: int | None = _FIRST
    while after is not None:
        with database.reading() as tx:
            damaged, after = tx.matches.find_damaged(after, _AT_A_TIME)
        found += map(str, damaged)
    with database.reading() as tx:
        found += [
            f"The row of message {one} is damaged: restore it from a backup." for one in tx.inbound.find_damaged()
        ]
        found += [f"The row of email {one} is damaged: restore it from a backup." for one in tx.outbound.find_damaged()]
        found += [
            f"The row of question {one} is damaged: restore it from a backup." for one in tx.questions.find_damaged()
        ]
        found += [
            f"The contest {one} is damaged: restore its rows from a backup." for one in tx.contests.find_damaged()
        ]
        found += [
            f"The table “{table.name}” has a row that cannot be read: restore it from a backup."
            for table in _READ_WHOLE
            if not tx.contests.can_read(table)
        ]
        try:
            tx.blocked.all()
            if many := tx.due.count_damaged():
                found.append(f"The table “due” has {many} rows that this pbem can make nothing of.")
            tx.players.all()
        except DamagedRow as error:
            found.append(str(error))
    return found
