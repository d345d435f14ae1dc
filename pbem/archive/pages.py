"""The archive: static pages of every match for anybody, without addresses, and without a server behind them."""

import json
import os
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from pbem.archive.standing import MARKED, format_moment, say, show_told, shown_status
from pbem.boards import lettered, svg_board
from pbem.match import (
    LogEntry,
    Match,
    commitment,
    fingerprint,
    is_move,
    left_along,
    record_text,
    sign_record,
    summarise,
)
from pbem.notices import (
    describe_control,
    describe_result,
    explain_picture,
    explained_board,
    flow_lines,
    picture_words,
    tell_log,
)
from pbem.paths import TEMPLATES, match_page
from rules import Chance, Entry, Event, Position, Seat, advance, mark, phrase, phrases, verbatim
from rules.text import listed

# The look behind stands after the @, so that the search jumps from one @ to the next.
_DOMAIN = re.compile(r"@(?<=\S@)[\w.\[\]:-]+")
_VERDICTS = {
    "right": mark(
        "Your browser has just checked the dice: the secret has that hash, and all {count} rolls follow from it."
    ),
    "wrong_secret": mark("Something’s wrong: the secret doesn’t have the hash that was published."),
    "wrong_roll": mark("Something’s wrong: entry {number} of the record ({what}) should be {found}, but it’s {value}."),
}
"""What a browser says that has checked the rolls; it fills in the fields."""
_MOST_TOLD = 2
"""Sentences about rolls that a row shows; more are folded up."""
_LEFT = {"resign": mark("resigned"), "timeout": mark("ran out of time")}
_LEFT_ALONG = mark("out with their partner")


def _verdict(match: Match, now: datetime) -> str:
    """Return whose turn it is, or who won and how, in the words of the last email: sentences without the last stop."""
    if match.outcome is None:
        return shown_status(summarise(match), now)
    told = describe_result(match).removesuffix(".")
    winners = list(map(match.name, match.outcome.winners))
    if not winners or len(winners) == len(match.players) or any(told.startswith(f"{name} w") for name in winners):
        return told
    return str(phrase("Won by {names}. {told}", names=listed(winners), told=verbatim(told)))


def write_match(
    match: Match, directory: Path, secret: str, now: datetime, log: Sequence[LogEntry] = (), head: str = ""
) -> bool:
    """Write the page of ``match`` and its record as text; return whether either is new. Raises OSError.

    ``log`` is what happened to it beside its entries. The record is signed with the key of the host, which follows from
    the setting ``secret``. ``head`` is HTML that the head of the page says of it to programs.
    """
    match, rolls = _replay(match)
    position = match.position
    view = position.view()
    verdict, rows = _verdict(match, now), _record_rows(match, rolls, log)
    page = template("match.html").render(
        match=match,
        head=head,
        names=listed([player.name for player in match.players]),
        status=verdict,
        control=str(describe_control(match.clock.control)) if match.clock else "",
        seats=[
            (player.name, role, match.game.roles.get(role, "") if role else "")
            for player, role in zip(match.players, position.roles(), strict=True)
        ],
        view=view,
        signs=explain_picture(view),
        lettered=lettered(view),
        picture=Markup(svg_board(view, picture_words(view))),  # which escapes names and symbols itself
        text=explained_board(view),
        rows=rows,
        # Team messages stay private, even after the match.
        comments=[
            (match.name(comment.seat), "\n".join(flow_lines(comment.text)), match.at(comment.ply).moves_made)
            for comment in match.comments
            if not comment.to_side
        ],
        fingerprint=fingerprint(match),
        rolls=_rolls_section(match, rolls) if match.possible_rolls else None,
        script=deadline_script(verdict, rows) if match.outcome is None else _roll_script(match),
    )
    record = sign_record(without_addresses(record_text(match)), secret)
    record_is_new = write_if_changed(directory / match_page(match.id, "txt"), record.encode())
    page_is_new = write_if_changed(directory / match_page(match.id), without_addresses(page).encode())
    return record_is_new or page_is_new


def write_if_changed(path: Path, content: bytes) -> bool:
    """Replace a file whose content differs, in one step, so that nobody sees half of it; return whether it did.

    Directories are made as needed. A web server can read both, whatever umask the service has. Raises OSError; then the
    old file is whole, and no temporary one is left.
    """
    with suppress(FileNotFoundError, IsADirectoryError):
        if path.read_bytes() == content:
            return False
    fresh = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        try:
            fresh.write_bytes(content)
        except FileNotFoundError:
            _make_directory(path.parent)
            fresh.write_bytes(content)
        fresh.chmod(0o644)
        os.replace(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    return True


def _make_directory(directory: Path) -> None:
    """Make a directory, and those above it, that everybody can read and only the owner can write to."""
    for missing in reversed([place for place in (directory, *directory.parents) if not place.exists()]):
        missing.mkdir(exist_ok=True)
        missing.chmod(0o755)


def describe_entry(entry: Entry, *, along: bool = False) -> str:
    """Return what a player did, as the record has it; how somebody left in words, ``along`` with their partner."""
    return _LEFT_ALONG if along else _LEFT.get(entry.text, entry.text)


@dataclass(frozen=True, slots=True)
class _Roll:
    """A roll of a record: what was rolled, and the sentences about it; none where a later roll tells it."""

    chance: Chance
    told: tuple[str, ...]


@dataclass(slots=True)
class _Row:
    """A row of the table: the entry of a player, None where one is awaited, and the rolls that belong to it.

    ``before`` are those that it answers, ``after`` those that it caused: a battle, for instance.
    """

    ply: int | None
    before: list[int]
    after: list[int]


def _replay(match: Match) -> tuple[Match, dict[int, _Roll]]:
    """Return the match with its position known, and its rolls by ply, from one replay of its record.

    Raise RulesError for a damaged record.
    """
    if not match.possible_rolls:
        return match, {}
    position: Position[Any] = match.game.restore(len(match.players), match.options)
    rolls = {}
    for ply, entry in enumerate(match.record):
        if isinstance(awaited := position.to_act, Chance) and entry.seat is None:
            told = (_tell(event, match) for event in position.describe_roll(int(entry.text)))
            rolls[ply] = _Roll(awaited, tuple(filter(None, told)))
        position = advance(position, entry)
    return replace(match, folded=position), rolls


def _tell(event: Event, match: Match) -> str:
    """Return what happened, as anybody reads it."""
    return str(event.others if event.seat is None else event.others.about(name=match.name(event.seat)))


def _rows_of(match: Match, rolls: Mapping[int, _Roll]) -> list[_Row]:
    """Return the rows of the table of all entries.

    Where the turn passes to somebody else, the last rolls of one kind are theirs to play with, and belong to their
    entry. All others came of the entry before them.
    """
    rows: list[_Row] = []
    waiting: list[int] = []
    last: Seat | None = None
    for ply, entry in enumerate((*match.record, None)):
        if entry and entry.seat is None:
            waiting.append(ply)
            continue
        seat = entry.seat if entry else match.to_act
        caused = 0
        if rows:
            caused = len(waiting) if seat in (last, None) else _count_caused(waiting, rolls)
            rows[-1].after = waiting[:caused]
        if entry or waiting[caused:]:
            rows.append(_Row(ply if entry else None, waiting[caused:], []))
        last, waiting = entry.seat if entry else None, []
    return rows


def _count_caused(plies: Sequence[int], rolls: Mapping[int, _Roll]) -> int:
    """Return how many of the rolls between two players are not of the same kind as the last of them."""
    count = len(plies)
    while count and rolls[plies[count - 1]].chance.what == rolls[plies[-1]].chance.what:
        count -= 1
    return count


def _record_rows(match: Match, rolls: Mapping[int, _Roll], log: Sequence[LogEntry]) -> Markup:
    """Return the table of the record in rows. A page has hundreds of cells: they are not left to the template.

    What happened beside the entries stands between them.
    """
    names = [escape(player.name) for player in match.players]
    news = _place_news(match, log)
    parts = []
    moves = 0
    for row in _rows_of(match, rolls):
        while news and news[0][0] <= (row.before[-1] if row.ply is None else row.ply):
            parts.append(news.pop(0)[1])
        entry = None if row.ply is None else match.record[row.ply]
        seat = entry.seat if entry else match.to_act
        number = ""
        if entry and is_move(entry):
            moves += 1
            number = str(moves)
        words = ""
        if entry and row.ply is not None:
            words = escape(describe_entry(entry, along=left_along(match, row.ply)))
        at = match.times[row.before[-1] if row.ply is None else row.ply]
        parts.append(
            f'<tr><td class="number">{number}</td><td>{names[seat] if isinstance(seat, int) else ""}</td>'
            f"<td>{_tell_rolls(match, row.before, rolls)}{words}{_tell_rolls(match, row.after, rolls)}</td>"
            f"{_date_cell(at)}</tr>\n"
        )
    parts += [row for _, row in news]
    return Markup("".join(parts))


def _place_news(match: Match, log: Sequence[LogEntry]) -> list[tuple[int, str]]:
    """Return a row for each thing that happened beside the entries, with the ply that it comes before.

    Of what happened before entries were taken back the ply may be one that has been played anew: nothing stands after
    what happened later.
    """
    placed: list[tuple[int, str]] = []
    ply = match.ply
    for entry, told in reversed(tell_log(log, match)):
        ply = min(ply, entry.ply)
        date = _date_cell(entry.at or match.opened_at)
        placed.append((ply, f'<tr class="news"><td></td><td colspan="2">{show_told(told)}</td>{date}</tr>\n'))
    return placed[::-1]


def _date_cell(at: datetime) -> str:
    """Return the cell of a table that has a date."""
    moment = format_moment(at)
    day, time = moment[:10], moment[11:]
    return f'<td class="date"><time datetime="{day}T{time}Z"><span>{day}</span> <span>{time}</span></time></td>'


def _tell_rolls(match: Match, plies: Sequence[int], rolls: Mapping[int, _Roll]) -> str:
    """Return rolls as HTML; of many the last sentence tells what came of them, and the others are folded up."""
    told = [escape(sentence) for ply in plies for sentence in rolls[ply].told]
    if plies and not told:
        told = [escape(f"{rolls[ply].chance.what}: {match.record[ply].text}") for ply in plies]
    lines = [f'<span class="roll">{line}</span>' for line in told]
    if len(lines) > _MOST_TOLD:
        count = phrases("{count} roll", "{count} rolls", len(plies))
        lines = [f"<details><summary>{count}</summary>{''.join(lines[:-1])}</details>", lines[-1]]
    return "".join(lines)


def _rolls_section(match: Match, rolls: Mapping[int, _Roll]) -> dict[str, object]:
    """Return what the page says about rolls; after the end, also the data with which a reader checks them."""
    shown: dict[str, object] = {
        "names": listed(match.possible_rolls),
        "commitment": commitment(match.secret),
        "seeds": [(match.name(seat), words) for seat, words in sorted(match.public_seeds.items())],
        "begun": not match.awaits_seeds,
        "secret": "",
    }
    if not match.outcome:
        return shown
    drawn = {
        "match": match.id,
        "secret": match.secret,
        "commitment": commitment(match.secret),
        "seeds": [(seat + 1, words) for seat, words in sorted(match.fair_rolls.seeds.items())],
        "rolls": [
            {"ply": ply, "what": roll.chance.what, "faces": roll.chance.faces, "value": match.record[ply].text}
            for ply, roll in rolls.items()
        ],
        "sentences": _VERDICTS,
    }
    return shown | {
        "secret": match.secret,
        "drawn": Markup(json.dumps(drawn).replace("<", "\\u003c")),
    }


@dataclass(frozen=True, slots=True)
class Script:
    """A script within a page, and the hash by which the page's policy allows it."""

    text: Markup
    hash: str


def _roll_script(match: Match) -> Script | None:
    """Return the script of a match that is over: it checks the rolls, if there are any."""
    return _read_script("rolls.js") if match.possible_rolls else None


def deadline_script(*parts: str) -> Script | None:
    """Return the script of a page of these parts, if there are moments in them that it says better."""
    return _read_script("deadlines.js") if any(MARKED in part for part in parts) else None


@cache
def _read_script(name: str) -> Script:
    """Return a script among the templates of the archive."""
    text = (TEMPLATES / "archive" / name).read_text(encoding="utf-8")
    return Script(Markup(text), b64encode(sha256(text.encode()).digest()).decode())


def without_addresses(text: str) -> str:
    """Return ``text`` with the domain cut off every address: a name can be one, and a comment can quote one."""
    return _DOMAIN.sub("@…", text)


@cache
def template(name: str) -> Template:
    """Return one of the templates of the archive, by its name."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES / "archive"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # a template does not change while the program runs
    )
    environment.filters |= {"moment": format_moment, "listed": listed}
    environment.globals |= {"_": say, "script": None, "head": ""}
    return environment.get_template(name)
