"""The record of a match as rows of a table: moves with their rolls, what was said, and what happened beside them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup, escape

from pbem.archive.match.published_thoughts import UnderMove
from pbem.archive.match.rolls import Roll
from pbem.archive.standing import format_moment, show_told
from pbem.match.log import LogEntry
from pbem.match.match import Comment, Match, is_move, left_along
from pbem.match.privacy import is_private, may_publish
from pbem.notices.sentences.public import tell_log
from pbem.notices.wrapping import flow_lines
from rules.phrase import Phrase, mark, phrase, phrases
from rules.position import Entry, Seat

_MOST_TOLD = 2
"""Sentences about rolls that a row shows; more are folded up."""
_LEFT = {"resign": mark("resigned"), "timeout": mark("ran out of time")}
_LEFT_ALONG = mark("out with their partner")


def describe_entry(entry: Entry, *, along: bool = False) -> str:
    """Return what a player did, as the record has it; how somebody left in words, ``along`` with their partner."""
    return _LEFT_ALONG if along else _LEFT.get(entry.text, entry.text)


@dataclass(slots=True)
class _Row:
    """A row of the table: the entry of a player, None where one is awaited, and the rolls that belong to it.

    ``before`` are those that it answers, ``after`` those that it caused: a battle, for instance.
    """

    ply: int | None
    before: list[int]
    after: list[int]


def record_rows(
    match: Match,
    rolls: Mapping[int, Roll],
    log: Sequence[LogEntry],
    took: Sequence[int],
    under: Sequence[UnderMove] = (),
) -> Markup:
    """Return the table of the record in rows. A page has hundreds of cells: they are not left to the template.

    HTML lets cells do without end tags, and numbers without quotation marks: a long record is a third lighter so.
    ``took`` are the seconds that each entry was thought about.
    The name of a row is the number of entries after its move; a link shows the position then. Comments stand below the
    move that they belong to, and what happened beside the entries between them. Words to a side are shown after the
    end, marked, where their writers know that; so are lines and notes ``under`` moves.
    """
    later, news = [*under], _place_news(match, log)
    comments = [comment for comment in match.comments if may_publish(match, comment)]
    parts: list[str] = []
    moves = 0
    for row in _rows_of(match, rolls):
        here = row.before[-1] if row.ply is None else row.ply
        parts += _take_comments(match, comments, here)
        parts += _take_later(later, here)
        while news and news[0][0] <= here:
            parts.append(news.pop(0)[1])
        entry = None if row.ply is None else match.record[row.ply]
        seat = entry.seat if entry else match.to_act
        number = ""
        if entry and is_move(entry):
            moves += 1
            number = str(moves)
        place, words = "", ""
        if entry:
            told = escape(describe_entry(entry, along=left_along(match, here)))
            place, words = f" id={here + 1}", f"<a href=#{here + 1}>{told}</a>"
        parts.append(
            f"<tr{place}><td>{number}<td>{escape(match.name_at(seat, here)) if isinstance(seat, int) else ''}"
            f"<td>{_tell_rolls(match, row.before, rolls)}{words}{_tell_rolls(match, row.after, rolls)}"
            f"<td>{_say_took(took[here]) if entry else ''}{_date_cell(match.times[here])}</tr>\n"
        )
    parts += [*_take_comments(match, comments, match.ply), *_take_later(later, match.ply), *(row for _, row in news)]
    return Markup("".join(parts))


def _say_took(seconds: int) -> Phrase | str:
    """Return a length of time in a few letters; nothing for what was played at once, by the service."""
    if seconds < 1:
        return ""
    if seconds < 5400:
        return phrase("{count} min", count=max(1, round(seconds / 60)))
    if seconds < 172800:
        return phrase("{count} h", count=round(seconds / 3600))
    return phrase("{count} d", count=round(seconds / 86400))


def _take_comments(match: Match, comments: list[Comment], ply: int) -> Iterator[str]:
    """Yield a row for each of the first comments that were written after ``ply`` entries at most, and drop them."""
    while comments and comments[0].ply <= ply:
        comment = comments.pop(0)
        words = escape("\n".join(flow_lines(comment.text)))
        name: str | Phrase = match.writer(comment)
        if is_private(comment):
            name = phrase("{name}, to their side only", name=name)
        yield _say_row(words, name)


def _take_later(under: list[UnderMove], ply: int) -> Iterator[str]:
    """Yield a row for each of the first lines and notes under ``ply`` entries at most, and drop them."""
    while under and under[0].ply <= ply:
        one = under.pop(0)
        words = escape(one.text)
        if one.address:
            words = Markup('<a href="{}">{}</a>').format(one.address, words)
        yield _say_row(words, phrase("{name}, after the match", name=one.name))


def _say_row(words: Markup, name: str | Phrase) -> str:
    """Return the row of what somebody wrote."""
    return (
        f'<tr class="said"><td><td colspan="4"><figure><blockquote><p>{words}</p></blockquote>'
        f"<figcaption>{escape(str(name))}</figcaption></figure></tr>\n"
    )


def _rows_of(match: Match, rolls: Mapping[int, Roll]) -> list[_Row]:
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


def _count_caused(plies: Sequence[int], rolls: Mapping[int, Roll]) -> int:
    """Return how many of the rolls between two players are not of the same kind as the last of them."""
    count = len(plies)
    while count and rolls[plies[count - 1]].chance.what == rolls[plies[-1]].chance.what:
        count -= 1
    return count


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
        placed.append((ply, f'<tr class="news"><td><td colspan="3">{show_told(told)}{date}</tr>\n'))
    return placed[::-1]


def _date_cell(at: datetime) -> str:
    """Return the cell of a table that has a date; the heading of its column says that it is in UTC."""
    return f"<td>{format_moment(at)}"


def _tell_rolls(match: Match, plies: Sequence[int], rolls: Mapping[int, Roll]) -> str:
    """Return rolls as HTML, each a link to its position; of many the last sentence tells what came of them.

    The others are folded up. A roll that a later one tells has a place without words. The link of a roll has a name,
    which that of a move has not; only a further sentence about the same roll needs a class to be told from one.
    """
    told = [(ply, sentence) for ply in plies for sentence in rolls[ply].told]
    told = told or [(ply, f"{rolls[ply].chance.what}: {match.record[ply].text}") for ply in plies]
    named = {ply: f"<i id={ply + 1}></i>" for ply in plies}
    lines = []
    for ply, sentence in told:
        name = f"id={ply + 1}" if named.pop(ply, "") else "class=roll"
        lines.append(f"<a {name} href=#{ply + 1}>{escape(sentence)}</a>")
    if len(lines) > _MOST_TOLD:
        count = phrases("{count} roll", "{count} rolls", len(plies))
        lines = [f"<details><summary>{count}</summary>{''.join(lines[:-1])}</details>", lines[-1]]
    return "".join([*named.values(), *lines])
