"""Twins: the rules of a game once more, in JavaScript, for pages; compared with the rules themselves in Chromium."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from pbem.settings.places import TEMPLATES
from rules.errors import AmbiguousMove, InvalidMove, RulesError
from rules.game import VERSION, Value, advance
from rules.games import GAMES
from rules.games.snipsnip import texts as snipsnip
from rules.position import EXIT_WORDS, Chance, Entry, Position
from rules.record import read_record
from rules.view import BoardView
from tests.support.browser import Browser
from tests.support.playthroughs import DASHES, files
from tests.support.walks import LONGEST, Case, Walk, every_case, long_walk, walk

FOLDER = TEMPLATES / "archive" / "twins"
COMMON = "common"
"""The script that comes before those of the families."""

_COMPARE = Path(__file__).with_suffix(".js")
_LISTED = 150
"""Up to so many legal moves are compared one by one; of more only as many as `_DRAWN`, chosen at random."""
_DRAWN = 6
_STRANGE = (
    *(
        "",
        " ",
        "pass",
        "take take",
        "take black",
        "d4 ",
        " d4",
        "d4  e5",
        "D4",
        "d04",
        "4d",
        "d4xe5x",
        "xd4",
        "d4x",
        "xx",
    ),
    *("null", "__proto__", "constructor", "toString", "hasOwnProperty", "a0", "a1 __proto__", "0", "-1", "1.5", "1e3"),
    *("Resign", "resign now", "n6", "use", "use 7 a1 n1", "use 3", "<b>a1</b>", "а1", "a١", "🎲", "é\u0301", "\0"),
    *("a1\ta2", "a1,a2", "a1\na2", "a" * 3000, "a1 " * 900 + "a1", "9" * 400),
)
"""What nobody should write; some of it means a move to `Position.parse`, which reads more than what it writes."""


_Shown: TypeAlias = dict[str, Any]


@dataclass
class Compared:
    """What a comparison has found; ``differences`` say where twin and rules part."""

    matches: int = 0
    plies: int = 0
    moves: int = 0
    refusals: int = 0
    differences: list[str] = field(default_factory=list)


def families() -> list[str]:
    """Return the names of the scripts, each that of a package of games."""
    return sorted(path.stem for path in FOLDER.glob("*.js") if path.stem != COMMON)


def games_of(family: str) -> list[str]:
    """Return the games that a package has."""
    return [key for key, game in GAMES.items() if game.start.__module__.split(".")[2] == family]


def cases_of(family: str) -> list[Case]:
    """Return the ways to open the games of a family, earlier versions of the rules among them."""
    keys = games_of(family)
    cases = [case for case in every_case() if case.key in keys]
    for game in (GAMES[key] for key in keys):
        cases += [Case(game.key, seats, ((VERSION, old),)) for seats in game.seats for old in range(1, game.version)]
    return cases


def mixed_cases(family: str, count: int, *, small: bool = False, seed: int = 0) -> list[Case]:
    """Return ways to open the games of a family with all options drawn at random; ``small``: numbers at the lowest."""
    random, cases = Random(seed), list[Case]()
    for _ in range(count):
        game = GAMES[random.choice(games_of(family))]
        seats = random.choice(list(game.seats))
        usable = [option for option in game.options if seats in (option.seats or game.seats)]
        lowest = {option.key: option.values[:1] for option in usable if small and type(option.default) is int}
        chosen = [(option.key, random.choice(lowest.get(option.key, option.values))) for option in usable]
        cases.append(Case(game.key, seats, tuple(chosen)))
    return cases


@dataclass(frozen=True)
class Played:
    """A match to compare: ``options`` are all of them, as `Game.restore` reads them."""

    name: str
    key: str
    seats: int
    options: Mapping[str, Value]
    walk: Walk


def played_at_random(case: Case, seed: int, leaving: float = 0.0) -> Played:
    """Return a random match; before a turn some seat leaves with the probability ``leaving``."""
    options = case.game.normalise(case.options)
    return Played(f"{case} seed {seed}", case.key, case.seats, options, walk(case, seed, leaving))


def played_long(case: Case, seed: int) -> Played:
    """Return a random match in which nobody ends it soon: late positions are rare in the others."""
    options = case.game.normalise(case.options)
    return Played(f"{case} long {seed}", case.key, case.seats, options, long_walk(case, seed))


def played_tersely(case: Case, seed: int) -> Played:
    """Return a random match of short moves: mostly words that are no cells, such as "pass", and beginnings of lines."""
    random, positions, entries = Random(seed), [case.begin()], list[Entry]()
    while (awaited := (position := positions[-1]).to_act) is not None and len(entries) < LONGEST:
        if isinstance(awaited, Chance):
            entry = Entry(None, str(1 + random.randrange(awaited.faces)))
        else:
            text = str(position.any_move(random.randrange))
            words = [*case.game.words] if random.randrange(2) else []
            legal = (short for short in [*words, text.split()[0], text] if _is_canonical(position, short))
            entry = Entry(awaited, next(legal))
        entries.append(entry)
        positions.append(advance(position, entry))
    options = case.game.normalise(case.options)
    return Played(f"{case} terse {seed}", case.key, case.seats, options, Walk(tuple(positions), tuple(entries)))


def playthroughs_of(family: str) -> list[Played]:
    """Return the approved matches of a family, in which rare things happen."""
    return [_read(path) for path in files() if path.parent.parent.name == family]


def _read(path: Path) -> Played:
    """Return an approved match."""
    record = read_record(path.read_text("utf-8").partition(DASHES)[0])
    game, positions = GAMES[record.game], [GAMES[record.game].restore(record.seats, record.options)]
    for entry in record.entries:
        positions.append(advance(positions[-1], entry))
    options = game.normalise({VERSION: 1, **record.options})
    return Played(path.stem, record.game, record.seats, options, Walk(tuple(positions), record.entries))


def compare(browser: Browser, family: str, matches: list[Played], folder: Path, twins: Path = FOLDER) -> Compared:
    """Play matches of a family, and compare its twin, of those in ``twins``, at every ply with the rules.

    It is done by one page, which is written to ``folder``.
    """
    told = [_tell(family, match) for match in matches]
    page = folder / f"{family}.html"
    scripts = (FOLDER / f"{COMMON}.js", twins / f"{family}.js", _COMPARE)
    tags = "".join(f'<script src="{path.as_uri()}"></script>' for path in scripts)
    asked = {"games": games_of(family), "matches": told, "codes": sorted(known_codes())}
    data = json.dumps(asked).replace("<", "\\u003c")
    page.write_text(f'<!doctype html><meta charset="utf-8">{tags}<script>const asked = {data};</script>', "utf-8")
    browser.show(page, width=800, height=600)
    answer = browser.evaluate("compareTwins(asked)")
    found = Compared(len(told), answer["plies"], answer["moves"], answer["refusals"], answer["differences"])
    for number, ply, text in answer["offered"]:
        if not _is_canonical(matches[number].walk.positions[ply], text):
            found.differences.append(f"{matches[number].name} ply {ply}: {text!r} is offered, and is no legal move")
    return found


def _tell(family: str, match: Played) -> dict[str, Any]:
    """Return a match as the page needs it: the record, and what the rules say at each ply."""
    entries, random = match.walk.entries, Random(match.name)
    texts = [entry.text for entry in entries if entry.seat is not None] or ["a1"]
    plies, before = list[dict[str, Any]](), _Shown()
    for ply, position in enumerate(match.walk.positions):
        entry, snapshot = entries[ply - 1] if ply else None, _snapshot(position, family)
        moves = _legal(position, random)
        probes = _probes(position, texts, moves["legal"] or texts, random)
        asked: dict[str, Any] = {"entry": entry and {"seat": entry.seat, "text": entry.text}}
        asked["probes"] = [_answer(position, probe, family, snapshot["cells"]) for probe in probes]
        plies.append(asked | _changed(snapshot, before) | moves)
        before = snapshot["cells"]
    return {"name": match.name, "key": match.key, "seats": match.seats, "options": match.options, "plies": plies}


def _cells(view: BoardView) -> _Shown:
    """Return what stands on each cell, as twins say it: the key of the piece and the marks; nothing for plain cells."""
    shown: _Shown = {}
    for cell in view.cells:
        marks = [mark for mark in ("last", "earlier", "line", "closed") if mark in cell.marks]
        key = " ".join([*([cell.piece.key] if cell.piece else []), *marks])
        if key:
            shown[cell.name] = {"key": key, "die": [cell.die.top, *cell.die.sides]} if cell.die else key
    return shown


def _snapshot(position: Position[Any], family: str) -> dict[str, Any]:
    """Return what there is to see of a position."""
    awaited, outcome, view = position.to_act, position.outcome(), position.view()
    said = {phrase.message: dict(phrase.arguments) for phrase in view.standing}
    return {
        "cells": _cells(view),
        "to_act": {"faces": awaited.faces, "what": awaited.what} if isinstance(awaited, Chance) else awaited,
        "outcome": outcome and {"winners": sorted(outcome.winners)},
        "standing": {"roles": position.roles(), **_told(family, said)},
    }


def _changed(snapshot: dict[str, Any], before: _Shown) -> dict[str, Any]:
    """Return a snapshot with those of its cells that differ from ``before``; None where nothing is any more."""
    shown: _Shown = snapshot["cells"]
    return snapshot | {
        "cells": {name: shown.get(name) for name in before | shown if shown.get(name) != before.get(name)}
    }


def _told(family: str, said: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return what `standing` of a twin has beside roles; ``said`` are the sentences of a view and their arguments."""
    if family == "snipsnip":
        sizes = next([size["white"], size["black"]] for size in said.values() if size)
        again, twice = any(phrase.message in said for phrase in snipsnip.AGAIN), snipsnip.TWICE.message in said
        return {"largest": sizes, "again": again, "twice": twice}
    if family == "pippip":
        score = next((sums for sums in said.values() if isinstance(sums.get("light"), int)), None)
        aside = next((aside for sentence, aside in said.items() if sentence.startswith("Set aside")), None)
        stores = aside and {colour: aside[colour].items if colour in aside else () for colour in ("light", "dark")}
        return {key: value for key, value in (("score", score), ("stores", stores)) if value}
    if family == "pipelines":
        told: dict[str, Any] = {}
        for line in said.values():
            if "held" in line:
                shares = [dict(share.arguments) for share in line["held"].items]
                told["glass"] = {str(share["role"]): share["count"] for share in shares}
                told["free"] = line.get("free", 0)
            elif "cells" in line:
                told["rest"] = line["cells"].split()
            elif "die" in line:
                told["rolled"] = line["die"]
            elif line.keys() >= {"count", "most"}:
                told["quiet"] = line["count"]
        return told
    return {}


def _legal(position: Position[Any], random: Random) -> dict[str, Any]:
    """Return legal moves as texts, and whether they are all; some of several words also in other orders."""
    moves = [str(move) for move in islice(position.legal_moves(), _LISTED + 1)]
    whole = len(moves) <= _LISTED
    if not whole:
        drawn = {str(position.any_move(random.randrange)) for _ in range(_DRAWN)}
        moves = [*random.sample(moves, _DRAWN), *sorted(drawn)]
    several = [move for move in moves if " " in move]
    turned = {" ".join(random.sample(words := move.split(), len(words))) for move in several[:_DRAWN]}
    return {"legal": [*moves, *sorted(text for text in turned if _is_canonical(position, text))], "whole": whole}


def _is_canonical(position: Position[Any], text: str) -> bool:
    """Return whether ``text`` is a legal move, written as records write it."""
    try:
        move = position.parse(text)
        position.play(move)
    except RulesError:
        return False
    return str(move) == text


def _probes(position: Position[Any], texts: list[str], legal: list[str], random: Random) -> Iterator[Entry]:
    """Yield a few entries that may not be legal here: moves of other plies, altered ones, strange ones."""
    awaited, seats = position.to_act, len(position.roles())
    seat = awaited if isinstance(awaited, int) else random.randrange(seats)
    text = random.choice(texts)
    yield Entry(seat, text)
    yield Entry(seat, random.choice(_ALTERATIONS)(text, random.choice(texts), random))
    yield Entry(seat, random.choice(_ALTERATIONS)(random.choice(legal), random.choice(legal), random))
    yield Entry(seat, random.choice(_STRANGE))
    yield Entry(random.choice([-1, *range(seats), seats]), random.choice((text, *EXIT_WORDS)))
    faces = awaited.faces if isinstance(awaited, Chance) else 2
    yield Entry(None, random.choice(["0", str(faces), str(faces + 1), "1", "01", "x", "", "9" * 25, text]))
    if isinstance(awaited, Chance):
        yield Entry(None, str(faces))


_ALTERATIONS: list[Callable[[str, str, Random], str]] = [
    lambda text, other, random: f"{text} {other}",
    lambda text, other, random: f"{text} {text}",
    lambda text, other, random: " ".join(text.split()[1:]) or other,
    lambda text, other, random: " ".join(text.split()[:-1]) or other,
    lambda text, other, random: " ".join(reversed(text.split())),
    lambda text, other, random: " ".join(random.sample(words := (text + " " + other).split(), len(words) - 1)),
    lambda text, other, random: text[:-1] + chr(ord(text[-1]) + 1),
    lambda text, other, random: chr(ord("a") + random.randrange(26)) + text[1:],
    lambda text, other, random: f"{text} z9",
    lambda text, other, random: f"take {text}",
    lambda text, other, random: f"{text}x{other}",
    lambda text, other, random: text.partition("x")[0],
    lambda text, other, random: " ".join((text, *text.split("x")[1:])),
]
"""Ways to spoil a move, with another one at hand."""


def _answer(position: Position[Any], probe: Entry, family: str, shown: _Shown) -> Mapping[str, Any]:
    """Return an entry with what the rules say to it: a ``code``, or what it leads to.

    ``written``: it is written as records write it. How else people write is no matter of the twin: it may refuse that
    with a code of its own, or refuse what the rules understand.
    """
    told = {"seat": probe.seat, "text": probe.text, "written": _is_written(position, probe)}
    try:
        return told | {"then": _changed(_snapshot(advance(position, probe), family), shown)}
    except RulesError as error:
        return told | {"code": error.code}


def _is_written(position: Position[Any], probe: Entry) -> bool:
    """Return whether `Position.parse` has nothing to do with an entry, or finds it written as records write it."""
    if probe.seat is None or probe.seat != position.to_act or probe.text in EXIT_WORDS:
        return probe.seat is not None or not probe.text.startswith("0")
    try:
        return str(position.parse(probe.text)) == probe.text
    except (InvalidMove, AmbiguousMove):
        return False


@cache
def known_codes() -> frozenset[str]:
    """Return the codes of all errors of the rules, as they are approved."""
    lines = (Path(__file__).parents[1] / "rules" / "codes.txt").read_text("utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line.startswith(" "))
