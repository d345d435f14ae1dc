"""Renders the Sunday letter: what happened in the contests of a player, two boards, and what waits for them. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.clubs.week import Saying
from pbem.mail.archive_paths import Archive
from pbem.mail.compose import Notice
from pbem.match.match import Comment, Match, is_move
from pbem.match.player import Player
from pbem.notices.board_block import RenderedBoard, renderings_of
from pbem.notices.digest_email import Gallery, count_bytes, fit_phone
from pbem.notices.letter.sentences import Table
from pbem.notices.render import plain_notice
from pbem.notices.scene import page_of
from pbem.notices.sentences.match import describe_result, describe_roles
from pbem.notices.sentences.status import list_match, say_zone, urgency
from pbem.notices.sentences.story import QuotedComment, comments_for
from rules.phrase import ENGLISH, Language, listed, phrase, phrases
from rules.position import Seat

MOST_SHOWN = 2
"""Boards in a letter."""

MOST_TOLD = 12
"""Results, and turns that others are waited for, of one contest."""

_MOST_WAITING = 10
_MOST_BYTES = 40_000
"""Of boards as HTML: all else is short."""

_NOBODY: Seat = -1
"""Stands for whoever plays in no seat of a match."""


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened in a match, with the address of its page where there is one."""

    text: str
    page: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """What a letter tells of one contest: where its reader stands, and what is new; ``more`` are those without room.

    ``page`` is the address of the page of the contest, or of its season, "" without one.
    """

    title: str
    standing: str
    table: Table
    results: tuple[News, ...] = ()
    more_results: int = 0
    turns: tuple[News, ...] = ()
    more_turns: int = 0
    swing: str = ""
    page: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """A match that a letter shows: with what somebody said in it, as it stood then, else as it has ended."""

    match: Match
    saying: Saying | None = None

    @property
    def at(self) -> Match:
        """The match as it is shown."""
        return self.match.at(min(self.saying.ply, self.match.ply)) if self.saying else self.match


@dataclass(frozen=True, slots=True)
class _Picture:
    """A board in a letter with what stands above it."""

    title: str
    caption: str
    comments: list[QuotedComment]
    board: RenderedBoard
    page: str


def letter_notice(
    player: Player,
    parts: Sequence[Part],
    shown: Sequence[Shown],
    own: Sequence[Match],
    now: datetime,
    archive: Archive,
    language: Language = ENGLISH,
) -> Notice:
    """Return the letter to a player; ``own`` are their running matches in these contests."""
    waiting = sorted((match for match in own if match.to_act == match.seat_of(player)), key=urgency)
    pictures, left = list[_Picture](), _MOST_BYTES
    for one in shown[:MOST_SHOWN]:
        picture = _draw(one, player, archive, language)
        left -= count_bytes(picture.board.html or picture.board.text)
        if left >= 0:
            pictures.append(picture)
    gallery = Gallery()
    rows = [list_match(match, match.seat_of(player), now, language) for match in waiting[:_MOST_WAITING]]
    example = ""
    if waiting:
        example = f"{waiting[0].id} {renderings_of(waiting[0].position, language).prompt.example}"
    more = phrases("And in {count} more match.", "And in {count} more matches.", len(waiting) - len(rows))
    notice = plain_notice(
        "letter",
        language,
        you=player.name,
        titles=str(listed(part.title for part in parts)),
        parts=[
            (part, _tell_more(part.more_results, language), _tell_more(part.more_turns, language)) for part in parts
        ],
        pictures=[(one, gallery.hang(one.board)) for one in pictures],
        board_style=gallery.style,
        rows=rows,
        pages={match.id: page_of(match, archive) for match in waiting},
        links={match.id: f"reply:{match.id}%20show" for match in waiting},
        more_waiting=more.said(language) if len(waiting) > len(rows) else "",
        example=example,
        times=say_zone(player, language) if rows or any(part.turns for part in parts) else "",
    )
    return replace(notice, turn=bool(waiting), html="" if player.preferences.display == "plain" else notice.html)


def _tell_more(count: int, language: Language) -> str:
    """Return that there is more of something."""
    return phrases("And {count} more.", "And {count} more.", count).said(language) if count else ""


def _draw(shown: Shown, player: Player, archive: Archive, language: Language) -> _Picture:
    """Return the board of a match as somebody sees it, with what was said then."""
    match, then = shown.match, shown.at
    seat = next((seat for seat, one in enumerate(match.players) if one.id == player.id), _NOBODY)
    names = listed(one.name for one in match.players)
    title = phrase("Match {number}, {names}", number=match.id, names=names).said(language)
    comments = list[QuotedComment]()
    if shown.saying:
        said = Comment(shown.saying.seat, shown.saying.ply, shown.saying.text)
        comments = comments_for(match, seat, [said], language)
        count = sum(map(is_move, then.record))
        caption = phrases("After {count} move:", "After {count} moves:", count).said(language)
    else:
        caption = describe_result(match, None, language)  # who won stands among the results
    caption = " ".join([*describe_roles(then, _NOBODY, language), caption])
    board = renderings_of(then.position, language).render(fit_phone(player.preferences.display), acting=False)
    return _Picture(title, caption, comments, board, page_of(match, archive))
