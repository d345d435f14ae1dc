"""Opens all matches of a table: all of it is tried first, told, and asked about; then it is done, or nothing is."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import typer

from pbem.cli import output
from pbem.cli.email.texts import read_text
from pbem.cli.lists import print_list
from pbem.cli.matches.sheet import Line, describe_problem, find_repeated, read_sheet
from pbem.cli.output import counted, make_service, open_service, warn
from pbem.errors import BadFile, BadInput, DamagedMatch

if TYPE_CHECKING:
    from pbem.match.match import Match
    from pbem.running.service import Service
    from pbem.storage.transaction import Transaction

_LARGEST = 1_000_000  # bytes
_CLOCK = ("days", "bank", "max", "weekends", "flag")
_ONCE = timedelta(days=1)
_PATIENCE = 10.0  # seconds
NOTICES_QUEUED = "The first notices are queued: “pbem run” (or “pbem deliver”) sends them."


@dataclass(frozen=True)
class _Trial:
    """What would come of a table: its matches by their lines, emails by the names of their readers, and doubts."""

    matches: dict[int, "Match"]
    emails: Counter[str]
    doubts: list[str]
    problems: list[tuple[int, str]]


def open_sheet(context: typer.Context, file: str, *, dry_run: bool, again: bool, yes: bool, json: bool) -> None:
    """Open the matches of a table; raises BadInput, BadFile or NoFile, and opens none, where anything is wrong."""
    name = "Standard input" if file == "-" else file
    text, encoding = read_text(output.read_bytes(file, _LARGEST), name)
    lines, problems = read_sheet(text, name, _list_options())
    with open_service(context) as service:
        trial = _try(service, lines, again=again)
        told = [*problems, *(sentence for _, sentence in sorted(trial.problems))]
        if told:
            warn(*told)
            wrong = "1 line is" if len(told) == 1 else f"{len(told)} lines are"
            raise BadFile(f"{wrong} wrong in {name}: nothing was opened.")
        warn(*trial.doubts)
        if encoding == "windows-1252" and not text.isascii():
            warn(f"{name} isn’t UTF-8 and was read as Windows-1252: look at the names.")
        if dry_run or not json:
            _print_trial(lines, trial, json=json)
        if dry_run:
            return
        count = counted(len(lines), "match", "matches")
        if not yes:
            output.confirm(f"Open {count}?", f"Nothing is opened yet: say --yes to open {count}.", file=file)
        with service.database.together() as database:
            opened = [_open(make_service(service.settings, database), line) for line in lines]
    first, last = opened[0].id, opened[-1].id
    output.print_outcome(
        [output.match_object(match) for match in opened],
        f"{count} opened, with the numbers {first} to {last}." if len(opened) > 1 else f"Match {first} is open.",
        NOTICES_QUEUED,
        json=json,
    )


def _list_options() -> list[str]:
    """Return the keys of all options that games and clocks have."""
    from rules.games import GAMES

    return list(dict.fromkeys([*(option.key for game in GAMES.values() for option in game.options), *_CLOCK]))


def _open(service: "Service", line: Line) -> "Match":
    """Open the match of a line."""
    return service.open(line.game, line.players, line.options, private=line.private, rated=line.rated)


def _try(service: "Service", lines: Sequence[Line], *, again: bool) -> _Trial:
    """Open all matches on a database that forgets it, and return what came of it."""

    trial = _Trial({}, Counter(), [], [])
    since = service.clock.now() - _ONCE
    with service.database.rehearsal() as database:
        rehearsed = make_service(service.settings, database)
        with database.reading() as tx:
            recent = {
                _key(match): match.id for match in tx.matches.opened_since(since) if not isinstance(match, DamagedMatch)
            }
            last = max((email.id for email in tx.outbound.latest(limit=1)), default=0)
        for line in lines:
            with database.reading() as tx:
                newest = max((player.id for player in tx.players.newest(limit=1)), default=0)
            try:
                match = _open(rehearsed, line)
            except BadInput as wrong:
                trial.problems.append((line.line, _describe(line, str(wrong))))
                continue
            trial.matches[line.line] = match
            if not again and (known := recent.get(_key(match))):
                sentence = f"match {known} is the same, opened within a day; say --again if you mean another one."
                trial.problems.append((line.line, _describe(line, sentence)))
            with database.reading() as tx:
                trial.doubts.extend(doubt_players(tx, list(line.players), match, newest))
        if not again:
            opened = [line for line in lines if line.line in trial.matches]
            for first, second in find_repeated(opened, lambda line: _key(trial.matches[line.line])):
                sentence = f"line {first.line} is the same; say --again if both are meant."
                trial.problems.append((second.line, _describe(second, sentence)))
        with database.reading() as tx:
            names = {player.email: player.name for match in trial.matches.values() for player in match.players}
            emails = [email for email in tx.outbound.latest(limit=100 * (len(lines) + 1)) if email.id > last]
            trial.emails.update(names.get(email.recipient, email.recipient) for email in emails)
    return trial


def _describe(line: Line, wrong: str) -> str:
    """Return the sentence about a line that is wrong."""
    return describe_problem(line.line, [line.game, *line.players], wrong)


def _key(match: Any) -> tuple[object, ...]:
    """Return what two matches share that were opened by the same line."""
    return match.game.key, tuple(player.id for player in match.players), tuple(sorted(match.options.items()))


def _print_trial(lines: Sequence[Line], trial: _Trial, *, json: bool) -> None:
    """Print the matches that would be opened, and how much email that is."""
    print_list(
        [(line, trial.matches[line.line]) for line in lines],
        "matches",
        lambda one: {
            "line": one[0].line,
            "game": one[1].game.key,
            "players": [player.name for player in one[1].players],
            "addresses": [player.email for player in one[1].players],
            "options": dict(one[1].options),
            "private": one[1].private,
            "rated": one[1].rated,
        },
        ["line", "game", "players", ("options", lambda one: _tell_options(one[0]))],
        json=json,
    )
    if json:
        return
    (name, most), *_ = trial.emails.most_common(1) or [("", 0)]
    players = counted(len(trial.emails), "player", "players")
    told = f"{counted(len(lines), 'match', 'matches')}, {counted(trial.emails.total(), 'email', 'emails')} to {players}"
    each = f"; {name} gets {most} of them, one for each match to answer" if most > 1 else ""
    output.print_text(f"{told}{each}.")


def _tell_options(line: Line) -> str:
    """Return the options of a line as they are typed."""
    chosen = [f"{key}={value}" for key, value in line.options.items()]
    return " ".join([*chosen, *(["private"] if line.private else []), *(["rated"] if line.rated else [])])


def doubt_players(tx: "Transaction", typed: list[str], match: "Match", last: int) -> list[str]:
    """Return a sentence for each player of a new match who may be another one than was ``typed``.

    Players with higher numbers than ``last`` are new with the match.
    """
    from pbem.mail.headers import split_named
    from pbem.mail.names import skeleton_of

    doubts = []
    for text, player in zip(typed, match.players, strict=True):
        name, email = split_named(text) if "@" in text else ("", "")
        if player.robot:
            continue
        if player.id > last:
            wanted = name or re.sub(r" \d+$", "", player.name)  # a name that is taken gets a number behind it
            looks = {skeleton_of(wanted), skeleton_of(player.name)} - {""}
            alike = [other for number, other in tx.players.named() if number <= last and skeleton_of(other) in looks]
            for other in filter(None, map(tx.players.find, alike[:3])):
                doubts.append(f"{other.name} is {other.email}; the new player {email} is called “{player.name}”.")
        elif name and name.casefold() != player.name.casefold():
            doubts.append(f"{email} is {player.name} here, so the match says {player.name}, not “{name}”.")
    return doubts


def doubt_robots(match: "Match") -> list[str]:
    """Return a sentence if a robot of the match thinks so long here that everybody waits: nothing is compiled."""
    strongest = max((player.robot for player in match.players), default=0)
    if not strongest:
        return []
    from pbem.robots import compiled, thinking
    from pbem.version import describe_extra

    if compiled.FAST:
        return []
    seconds = thinking.measure_pace(match.game.key, len(match.players), match.options).of(strongest)
    if seconds < _PATIENCE:
        return []
    return [
        f"A robot of strength {strongest} needs about {seconds:.0f} seconds for its first move here, in plain Python;"
        f" with {describe_extra('robots')} it thinks thirty times as fast."
    ]
