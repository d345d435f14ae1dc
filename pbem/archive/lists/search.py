"""The search of the archive: a page that a script makes of compact lists of matches, files beside it; no server.

The lists are parts by the numbers of matches, so that a part whose matches are over never changes. A part is a script
that hands its columns to the page, since pages opened from a disk may load scripts, and nothing else. Names stand in
parts of their own, by the numbers of players.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem.archive.lists.ledger import Ledger, ListedMatch
from pbem.archive.lists.listing import PAGE
from pbem.archive.pages import as_json, template, write_if_changed
from pbem.mail.archive_paths import SEARCH_PAGE, search_part
from rules.games import GAMES
from rules.phrase import mark

SHOWN = 50
"""Matches that a search shows at a time."""

_SENTENCES = {
    "none": mark("No match is like that."),
    "one": mark("1 match."),
    "many": mark("{count} matches."),
    "running": mark("running"),
    "won": mark("won by {names}"),
    "drawn": mark("drawn"),
    "nobody": mark("no winner"),
    "moves": mark("{count} moves"),
    "move": mark("1 move"),
    "and": mark("{first} and {last}"),
}
"""What the script says; it fills in the fields."""


def write_search(ledger: Ledger, directory: Path) -> Iterator[int]:
    """Write the parts of the search that have changed, and its page with the last; yield how many files are new.

    What was written is a change no more. Raises OSError.
    """
    changes = ledger.changes
    for parts, write in ((changes.parts, _write_matches), (changes.name_parts, _write_names)):
        for part in sorted(parts):
            written = int(write(part, ledger, directory))
            if len(changes.parts) + len(changes.name_parts) == 1:
                written += _write_page(ledger, directory)
            parts.discard(part)
            yield written
    if not ledger.parts and _write_page(ledger, directory):
        yield 1


def _write_page(ledger: Ledger, directory: Path) -> bool:
    """Write the page, which names all parts; return whether it is new."""
    told = {"shown": SHOWN, "titles": {key: game.title for key, game in GAMES.items()}, "sentences": _SENTENCES}
    names = [search_part("names", part) for part in sorted(ledger.name_parts)]
    text = template("search.html").render(
        parts=[*names, *(search_part("matches", part) for part in sorted(ledger.parts))],
        games=[(key, game.title) for key, game in GAMES.items()],
        years=[(year, year) for year in sorted(ledger.years, reverse=True)],
        told=as_json(told),
        scripts=["search.js"],
    )
    return write_if_changed(directory / SEARCH_PAGE, text.encode())


def _write_names(part: int, ledger: Ledger, directory: Path) -> bool:
    """Write a part with names; return whether it is new."""
    return _write(search_part("names", part), "names", ledger.name_part(part), directory)


def _write_matches(part: int, ledger: Ledger, directory: Path) -> bool:
    """Write a part with its matches, in the order of their numbers; return whether it is new."""
    listed = ledger.part(part)
    games = sorted({match.game for match in listed})
    columns = {
        "first": (part - 1) * PAGE + 1,
        "number": _steps([match.id - (part - 1) * PAGE - 1 for match in listed]),
        "games": games,
        "game": [games.index(match.game) for match in listed],
        "players": [match.players for match in listed],
        "year": [match.opened_at.year for match in listed],
        "won": [_winners(match) for match in listed],
        "moves": [match.moves for match in listed],
    }
    return _write(search_part("matches", part), "matches", columns, directory)


def _write(path: str, kind: str, content: Mapping[Any, object], directory: Path) -> bool:
    """Write a script that hands ``content`` to the page."""
    data = json.dumps(content, separators=(",", ":"))  # in ASCII: no letter of a name ends a line of the script
    script = f"((globalThis.pbemFound||={{}}).{kind}||=[]).push({data});\n"
    return write_if_changed(directory / path, script.encode())


def _steps(numbers: Sequence[int]) -> list[int]:
    """Return how far each number is from the one before it: most often 1, which is compressed to nothing."""
    return [number - before for before, number in zip([-1, *numbers], numbers, strict=False)]


def _winners(match: ListedMatch) -> int:
    """Return who has won as a number with a bit for each seat; -1 while the match goes on."""
    return -1 if match.winners is None else sum(1 << seat for seat in match.winners)
