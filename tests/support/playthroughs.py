"""Whole matches as text, with the board after every entry: tests/rules/games/*/playthroughs/*.txt.

A playthrough is a record, a line of dashes, and what the rules tell after each entry. After a change that is
meant, or to add a match (write its record into a new file), draw them all again:

    python -m tests.support.playthroughs --write
"""

import sys
from pathlib import Path

from rules.game import advance
from rules.games import GAMES
from rules.position import EXIT_WORDS, Entry, Position
from rules.record import read_record, write_record
from tests.support.diagrams import event_text, position_text

FOLDER = Path(__file__).parent.parent / "rules" / "games"
DASHES = "-" * 60


def drawn(text: str) -> str:
    """Return a playthrough drawn anew from the record at its head."""
    record = read_record(text.partition(DASHES)[0])
    game = GAMES[record.game]
    position: Position[object] = game.restore(record.seats, record.options)
    parts = [write_record(record), DASHES, position_text(position)]
    for number, entry in enumerate(record.entries, 1):
        before, position = position, advance(position, entry)
        parts.append(f"\n{number}. {_told(before, entry)}\n\n{position_text(position, before)}")
    return "\n".join(parts) + "\n"


def _told(before: Position[object], entry: Entry) -> str:
    """Return an entry and what it is called afterwards."""
    if entry.seat is None:
        return " ".join([f"lot: {entry.text}.", *map(event_text, before.describe_roll(int(entry.text)))])
    told = "" if entry.text in EXIT_WORDS else f" ({event_text(before.describe(before.parse(entry.text)))})"
    return f"seat {entry.seat + 1}: {entry.text}{told}"


def files() -> list[Path]:
    """Return all playthroughs, by name."""
    return sorted(FOLDER.glob("*/playthroughs/*.txt"))


def main(arguments: list[str]) -> int:
    """Compare every file with the rules, or write it; returns the number of files that differed."""
    differing = 0
    for path in files():
        old = path.read_text(encoding="utf-8")
        new = drawn(old)
        if new != old:
            differing += 1
            if "--write" in arguments:
                path.write_text(new, encoding="utf-8")
            sys.stdout.write(f"{path.name} {'written' if '--write' in arguments else 'differs'}\n")
    return 0 if "--write" in arguments else differing


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
