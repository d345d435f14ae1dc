"""Emails that show a player a match as it stands, whatever happened before. Pure."""

from datetime import datetime

from pbem.mail.archive_paths import Archive
from pbem.mail.compose import Notice
from pbem.match.match import Match
from pbem.notices.render import match_notice
from pbem.notices.scene import NoticeContent
from rules.phrase import ENGLISH, Language
from rules.position import Seat

SHOWING = ("opened", "your_turn", "show", "board", "resume", "new_address", "reminder", "time_up", "digest")
"""The kinds of emails with a board, after which a turn need not be told again."""


def opened_notice(
    match: Match, seat: Seat, archive: Archive, language: Language = ENGLISH, *, now: datetime | None = None
) -> Notice:
    """Return the first notice of a match for a player whom none of it has reached so far."""
    return match_notice("opened", match, seat, NoticeContent(match, reminding=True, at=now), archive, language)


def show_notice(
    match: Match,
    seat: Seat,
    archive: Archive,
    asides: tuple[str, ...] = (),
    language: Language = ENGLISH,
    *,
    now: datetime | None = None,
) -> Notice:
    """Return the notice that shows a player the match as it stands, whatever happened before."""
    return match_notice("show", match, seat, NoticeContent(match, asides=asides, at=now), archive, language)
