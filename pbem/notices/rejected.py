"""What a sender reads whose message was not carried out: why, what they may have meant, and what to answer. Pure."""

from collections.abc import Sequence
from datetime import datetime

from pbem.advice.advice import advice, quote_lines
from pbem.commands.decision import Command
from pbem.commands.rejections import MoveRejected, NoCommand, Rejection
from pbem.mail.archive_paths import Archive
from pbem.mail.compose import Notice
from pbem.match.match import Match
from pbem.notices.render import match_notice
from pbem.notices.scene import LONGEST_STORY, NoticeContent
from pbem.notices.sentences.reasons import explain_rejection, say, say_all, tie_quotations
from pbem.reading.reason import because
from rules.phrase import ENGLISH, Language
from rules.position import Choice, Seat


def rejection_notice(
    match: Match,
    seat: Seat,
    seen_ply: int,
    rejection: Rejection,
    lines: Sequence[str],
    commands: Sequence[Command],
    archive: Archive,
    language: Language = ENGLISH,
    *,
    last: bool = False,
    now: datetime | None = None,
) -> Notice:
    """Return the answer to a rejected message; ``lines`` are the sender's own, read as ``commands``.

    ``seen_ply`` is the ply of the notice that the message replies to. ``last``: more like this one get no answer today.
    """
    content = rejection_content(match, seat, seen_ply, rejection, lines, commands, language, last=last, now=now)
    return match_notice(rejection.kind, match, seat, content, archive, language)


def rejection_content(
    match: Match,
    seat: Seat,
    seen_ply: int,
    rejection: Rejection,
    lines: Sequence[str],
    commands: Sequence[Command],
    language: Language = ENGLISH,
    *,
    last: bool = False,
    now: datetime | None = None,
) -> NoticeContent:
    """Return what the answer to a rejected message says, as in ``rejection_notice``."""
    told = rejection.kind == "stale_turn" and seen_ply >= 0  # of before moves were taken back there is nothing to tell
    since = match.at(max(seen_ply, match.ply - LONGEST_STORY)) if told else match
    advised = advice(match, seat, rejection, commands)
    why = explain_rejection(rejection, advised, match.players[seat].calendar, now)
    return NoticeContent(
        since,
        asides=(say(because("last_answer"), language),) if last else (),
        detail=tie_quotations(why.said(language)) if why else str(rejection.arguments.get("command", "")),
        quoted=quote_lines(lines),
        code="refused" if isinstance(rejection, NoCommand) and rejection.asides else rejection.code,
        offered=advised.offered,
        meant=say(advised.meant, language) if advised.meant else "",
        answers=list_answers(match, seat, rejection),
        undone=say_all(advised.undone, language),
        no_move=advised.no_move,
        reminding=match.to_act == seat,
        at=now,
    )


def list_answers(match: Match, seat: Seat, rejection: Rejection) -> tuple[Choice, ...]:
    """Return the legal answers that begin like the move that the rules refused, where these are few."""
    if not isinstance(rejection, MoveRejected) or match.to_act != seat or rejection.above:
        return ()
    return match.position.answers_like(rejection.text)
