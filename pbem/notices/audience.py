"""Decides who is written to, and what, after something has happened. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.advice import advice, quote_lines
from pbem.commands import Command, MatchDecision, Rejection, Reply
from pbem.mail import Notice
from pbem.match import DISPLAYS, Match
from pbem.notices.render import NoticeContent, kind_for, match_notice
from pbem.notices.sentences import may_read
from rules import Seat

_MOST_NEWS = 6  # entries


def notices_for(decision: MatchDecision, match: Match, archive_url: str) -> Iterator[tuple[Seat, Notice]]:
    """Yield a notice for everybody who has something to learn from ``decision``.

    ``match`` is as the decision leaves it, with the preferences of its players.
    """
    for seat in range(len(match.players)):
        mine = seat == decision.seat
        asides = decision.asides if mine else ()
        kind = _kind(decision, match, seat)
        if kind:
            told = NoticeContent(decision.before, decision.comments, asides)
            yield seat, match_notice(kind, match, seat, told, archive_url)
        for reply in decision.replies if mine else ():
            for notice in _replies(reply, match, seat, () if kind else asides, archive_url):
                yield seat, notice


def _replies(reply: Reply, match: Match, seat: Seat, asides: tuple[str, ...], archive_url: str) -> Iterator[Notice]:
    """Yield what ``seat`` has asked for."""
    if reply.kind == "display":
        yield from _every_display(match, seat, archive_url)
    elif reply.kind == "resume":
        yield after_return(match, seat, archive_url)
    else:
        told = NoticeContent(match, asides=asides, detail=reply.detail)
        yield match_notice(reply.kind, match, seat, told, archive_url)


def after_return(match: Match, seat: Seat, archive_url: str) -> Notice:
    """Return the newest notice of a match for a player who got no emails for a time: what happened of late."""
    return match_notice("resume", match, seat, NoticeContent(match.at(max(0, match.ply - _MOST_NEWS))), archive_url)


def _every_display(match: Match, seat: Seat, archive_url: str) -> Iterator[Notice]:
    """Yield a notice for every way to get boards, each drawn in that way."""
    for display in DISPLAYS:
        player = match.players[seat]
        drawn = match.with_player(player.preferring(player.preferences.changed("display", display)))
        yield replace(match_notice("display", drawn, seat, NoticeContent(drawn), archive_url), part=display)


def address_question(match: Match, seat: Seat, sender: str, lines: Sequence[str], archive_url: str) -> Notice:
    """Return the question to ``seat`` whether a message with these ``lines`` from an unknown ``sender`` was his."""
    told = NoticeContent(
        match, detail=sender, quoted=quote_lines(lines, len(lines)), introduced="It says:", asking=True
    )
    return match_notice("was_this_you", match, seat, told, archive_url)


def _kind(decision: MatchDecision, match: Match, seat: Seat) -> str | None:
    """Return the kind of notice that tells ``seat`` what was decided; None if there is nothing to tell."""
    before = decision.before
    if decision.opening:
        return "opened"
    if match.ply > before.ply:
        return kind_for(match, seat) or ("move_made" if seat not in before.position.departed() else None)
    if seat != decision.seat:
        return "remark" if any(may_read(match, seat, comment) for comment in decision.comments) else None
    if decision.seeded:
        return "waiting"
    if decision.replies or decision.noted:
        return None  # what was asked for is answer enough
    return "partly_done" if decision.asides else "passed_on"


def after_rejection(
    match: Match,
    seat: Seat,
    seen_ply: int,
    rejection: Rejection,
    lines: Sequence[str],
    commands: Sequence[Command],
    archive_url: str,
) -> Notice:
    """Return the answer to a message that was not carried out; ``lines`` are the sender's, read as ``commands``."""
    since = match.at(max(seen_ply, match.ply - _MOST_NEWS)) if rejection.kind == "stale_turn" else match
    said = advice(match, seat, rejection, commands)
    told = NoticeContent(since, detail=said.reason, quoted=quote_lines(lines), meant=said.meant, undone=said.undone)
    return match_notice(rejection.kind, match, seat, told, archive_url)
