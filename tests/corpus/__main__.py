"""Writes the corpus, filled in, with settings and a database to try it on: ``python -m tests.corpus DIRECTORY``."""

import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from pbem.storage.database import Database
from tests.corpus.huge import huge_case, huge_names
from tests.corpus.tables import Table, lay, settings
from tests.corpus.templates import Case, all_cases


def write(directory: Path, cases: Iterable[Case]) -> None:
    """Write messages into ``messages`` and ``pbem.toml`` beside it; the database lies there already."""
    messages = directory / "letters"
    messages.mkdir()
    for one in cases:
        (messages / f"{one.group}-{one.name}.eml").write_bytes(one.raw)
    given = settings(directory)
    (directory / "pbem.toml").write_text(
        f'address = "{given.address}"\nsecret = "{given.secret}"\noperator = "{given.operator}"\n'
        f'database_url = "{given.database_url}"\n'
    )


def prepare(directory: Path) -> dict[str, Table]:
    """Make the database of the corpus in ``directory``, and return its matches."""
    blank = directory / "blank.db"
    database = Database(f"sqlite:///{blank}")
    database.upgrade()
    database.close()
    tables = lay(blank, directory)
    blank.unlink()
    return tables


def main() -> None:
    """Write the messages that lie in files; with ``--huge`` those too that are made when they are asked for."""
    *flags, name = sys.argv[1:]
    directory = Path(name)
    directory.mkdir(exist_ok=True)
    tables = prepare(directory)
    huge = (huge_case(one, tables) for _, one in huge_names())
    write(directory, chain(all_cases(tables), huge if "--huge" in flags else ()))


if __name__ == "__main__":
    main()
