"""Emails about several matches: the digest with all boards that wait, and what became of a reply to it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Literal, TypeAlias

from markupsafe import Markup, escape

from pbem.advice.advice import advice
from pbem.commands.decision import Command, MatchDecision
from pbem.commands.rejections import Held, Rejection
from pbem.mail.archive_paths import Archive
from pbem.mail.compose import Notice
from pbem.mail.digest_token import MOST_LISTED
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.preferences import Display
from pbem.match.timing import time_left
from pbem.notices.board_block import NO_BOARD, RenderedBoard, renderings_of
from pbem.notices.render import plain_notice
from pbem.notices.scene import NoticeContent, page_of
from pbem.notices.sentences.log.players import describe_renaming
from pbem.notices.sentences.match import (
    describe_result,
    describe_roles,
    describe_turn,
    name_holders,
)
from pbem.notices.sentences.reasons import explain_briefly, explain_rejection, say, shorten, tie_quotations
from pbem.notices.sentences.status import MatchRow, list_match, title_match
from pbem.notices.sentences.story import QuotedComment, comments_for, describe_events
from pbem.notices.sentences.time import describe_time
from pbem.reading.match_names import holds_move
from pbem.reading.reason import Reason, because, name_lines
from rules.phrase import ENGLISH, Language, phrase, phrases

MOST_BOARDS = MOST_LISTED
"""Matches in one digest: the most urgent ones, so that it can be read, and a reply to it be carried out."""

Ended: TypeAlias = Literal["all", "some", "none", "held"]
"""How much of a reply was done; ``held``: moves of it wait."""

_URGENT = 2 * 86400
"""Seconds: who has less left reads so in red."""

_UNSEEN = ("stale_turn", "set_back")
"""Why a line counts no more that was for another position than the present one."""

_MOST_BYTES = 70_000
"""Of boards as HTML, and of what stands above them, but for a first match that is longer by itself."""


@dataclass(frozen=True, slots=True)
class DigestRow:
    """A match in a digest: what happened since its reader last moved, its board, and what to reply.

    ``listed`` is how a list shows it, ``begins`` is how a line for the match begins. ``legend`` is empty where a match
    above has the same. ``decision`` is an answer that settles more than a turn, if there is one.
    """

    listed: MatchRow
    urgent: bool
    events: tuple[str, ...]
    comments: list[QuotedComment]
    board: RenderedBoard
    legend: tuple[str, str]
    instruction: str
    decision: str
    decision_label: str
    time: str
    page: str

    @property
    def bytes(self) -> int:
        """How long it is in HTML."""
        said = chain(self.events, *(lines for _, lines in self.comments))
        return count_bytes(self.board.html or self.board.text) + sum(count_bytes(escape(part)) for part in said)


class Gallery:
    """Boards on one page: each has the class of its style sheet, which all boards of its kind and size share."""

    def __init__(self) -> None:
        self._classes: dict[str, str] = {}

    def hang(self, board: RenderedBoard) -> Markup:
        """Return a board in HTML as it stands on the page."""
        name = self._classes.setdefault(board.style, f"g{len(self._classes)}") if board.style else ""
        return Markup(board.html.replace(' id="board"', f' class="{name}"' if name else "", 1))

    @property
    def style(self) -> Markup:
        """The style sheets of all boards, none of them so long that an email program drops it."""
        sheets = (sheet.replace("#board", f".{name}") for sheet, name in self._classes.items())
        return Markup("</style>\n<style>".join(["", *sheets]))


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What became of the lines of a reply that were for one match; its ``board``, if it is not as they knew it."""

    title: str
    sentences: tuple[str, ...]
    board: RenderedBoard = NO_BOARD


def digest_notice(
    contents: Sequence[tuple[Match, NoticeContent]],
    player: Player,
    waiting: int,
    now: datetime,
    archive: Archive,
    language: Language = ENGLISH,
) -> tuple[Notice, list[Match]]:
    """Return the digest of a player, and the matches that are in it: those of ``contents`` that there is room for.

    ``waiting`` is how many matches wait for them.
    """
    rows, others, left, legends = list[DigestRow](), list[Match](), _MOST_BYTES, set[str]()
    for match, content in contents[:MOST_BOARDS]:
        row = None if others else _describe(match, content, player, now, archive, language)
        if row is None or (rows and row.bytes > left):
            others.append(match)
            continue
        left -= row.bytes
        rows.append(row if row.legend[0] not in legends else replace(row, legend=("", "")))
        legends.add(row.legend[0])
    shown = [match for match, _ in contents[: len(rows)]] + others
    turns = phrases("It’s your turn in {count} match", "It’s your turn in {count} matches", waiting)
    more = phrases(
        "There was no room for {count} more match, in which it’s your turn: it comes when you’ve moved in these.",
        "There was no room for {count} more matches, in which it’s your turn: they come when you’ve moved in these.",
        waiting - len(shown),
    )
    gallery = Gallery()
    notice = plain_notice(
        "digest",
        language,
        you=player.name,
        turns=turns.said(language),
        matches=[(row, gallery.hang(row.board), Markup(row.legend[1])) for row in rows],
        board_style=gallery.style,
        rows=[list_match(match, match.seat_of(player), now, language) for match in others],
        pages={match.id: page_of(match, archive) for match in others},
        links={match.id: f"reply:{match.id}%20show" for match in others},
        more=more.said(language) if waiting > len(shown) else "",
        example=rows[0].instruction if rows else "",
    )
    return replace(notice, turn=True, html="" if player.preferences.display == "plain" else notice.html), shown


def _describe(
    match: Match, content: NoticeContent, player: Player, now: datetime, archive: Archive, language: Language
) -> DigestRow:
    """Return how a match stands that waits for a player."""
    seat, display = match.seat_of(player), fit_phone(player.preferences.display)
    renderings = renderings_of(match.position, language)
    board, decision = renderings.render(display, acting=False), renderings.prompt.decision
    holders = name_holders(match, seat, language) if board.legend_text else {}
    legend = renderings.explain(display, holders) if holders else (board.legend_text, board.legend_html)
    renamed = describe_renaming(match, seat, now, language)
    events = describe_events(content.before, match, seat, language)
    return DigestRow(
        list_match(match, seat, now, language),
        match.clock is not None and time_left(match, now) < _URGENT,
        (*renamed, *events, *describe_roles(match, seat, language)),
        comments_for(match, seat, content.comments, language),
        board,
        legend,
        f"{match.id} {renderings.prompt.example}",
        f"{match.id} {decision.move}" if decision else "",
        decision.effect.said(language) if decision and decision.effect else "",
        " ".join(describe_time(match, seat, now, language)),
        page_of(match, archive),
    )


def count_bytes(html: str) -> int:
    """Return how long a part of a page is in an email."""
    return len(html.encode("ascii", "xmlcharrefreplace"))


def fit_phone(display: Display) -> Display:
    """Return how boards are drawn for somebody: among others, none is wider than a phone."""
    return "html" if display == "large" else display


def results_notice(
    rows: Sequence[ResultRow],
    player: Player,
    language: Language = ENGLISH,
    *,
    ended: Ended,
    failed: bool,
) -> Notice:
    """Return the answer to a reply to a digest: line by line what was done, and what was not.

    ``ended`` says how much was; ``held``: moves of it wait, which their player can still take back. ``failed``: there
    is a line to try again.
    """
    gallery, left, shown = Gallery(), _MOST_BYTES, list[tuple[ResultRow, Markup]]()
    for row in rows:
        left -= count_bytes(row.board.html)
        if left < 0 and row.board.html:
            told = phrase("To see its board, reply `show` with the number in front.").said(language)
            row = replace(row, sentences=(*row.sentences, told), board=NO_BOARD)
        shown.append((row, gallery.hang(row.board)))
    values = {"you": player.name, "rows": shown, "ended": ended, "failed": failed}
    notice = plain_notice("digest_done", language, **values, board_style=gallery.style)
    return replace(notice, html="" if player.preferences.display == "plain" else notice.html)


def tell_done(lines: Sequence[str], decision: MatchDecision, now: datetime, language: Language = ENGLISH) -> ResultRow:
    """Return what became of lines that were carried out in a match."""
    match, seat = decision.addressed, decision.seat
    assert seat is not None
    calendar = match.players[seat].calendar
    said = [phrase("{line!q} is done.", line=_shorten(lines)).said(language)] if decision.done else []
    said += [say(aside, language, calendar, now) for aside in decision.asides]
    turn = describe_result(match, seat, language) if match.outcome is not None else describe_turn(match, seat, language)
    return ResultRow(title_match(match, seat, language), (*said, turn))


def tell_held(match: Match, player: Player, why: Held, now: datetime, language: Language = ENGLISH) -> ResultRow:
    """Return what became of lines with a move that waits for some minutes."""
    seat = match.seat_of(player)
    told = because("held_part", move=why.move, until=why.until.isoformat(), number=match.id)
    return ResultRow(title_match(match, seat, language), (say(told, language, player.calendar, now),))


def tell_refused(
    lines: Sequence[str],
    why: Rejection,
    match: Match,
    player: Player,
    commands: Sequence[Command],
    now: datetime,
    language: Language = ENGLISH,
) -> ResultRow:
    """Return what became of lines that were not carried out in a match, and why."""
    seat = match.seat_of(player)
    advised = advice(match, seat, why, commands)
    told = explain_rejection(why, advised, player.calendar, now)
    said = [phrase("{line!q} isn’t done.", line=_shorten(lines)).said(language)]
    said.append(tie_quotations(told.said(language)) if told else explain_briefly(why, language))
    if advised.meant:
        said.append(say(advised.meant, language))
    board = NO_BOARD
    if why.kind in ("not_your_turn", *_UNSEEN) and match.outcome is None:
        said.append(describe_turn(match, seat, language))
        renderings = renderings_of(match.position, language) if why.kind in _UNSEEN else None
        board = renderings.render(fit_phone(player.preferences.display), acting=False) if renderings else NO_BOARD
    return ResultRow(title_match(match, seat, language), tuple(said), board)


def tell_beside(lines: Sequence[str], why: Reason, language: Language = ENGLISH, title: str = "") -> ResultRow:
    """Return what became of lines that were for no match of the digest."""
    is_told = not lines or why.code == "digest_played"
    said = [] if is_told else [phrase("{line!q} isn’t done.", line=_shorten(lines)).said(language)]
    return ResultRow(title, (*said, say(why, language)))


def tell_words(lines: Sequence[str], why: Reason | None, language: Language = ENGLISH) -> ResultRow:
    """Return that words were for no match, so that nobody gets them; they are named."""
    said = [because("digest_words", lines=name_lines([line for line in lines if line]))] if lines else []
    return ResultRow("", tuple(say(one, language) for one in (*said, why) if one))


def _shorten(lines: Sequence[str]) -> str:
    """Return the line that matters of some: that with a move, or the first."""
    return shorten([*filter(holds_move, lines), *lines])
