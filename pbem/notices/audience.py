"""The audience of a decision: which players get a notice, and of which kind. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.advice import advice, quote_lines
from pbem.commands import Command, MatchDecision, Rejection, Reply
from pbem.mail import Notice
from pbem.match import DISPLAYS, Match
from pbem.notices.render import NoticeContent, kind_for, match_notice
from pbem.notices.sentences import explain_rejection, may_read, say, say_all, tie_quotations
from rules import Seat

LONGEST_QUESTION = 40
"""Lines of a message that the question about it may show; a part between two ``;`` counts as one."""

_LONGEST_STORY = 6  # entries


def notices_for(
    decision: MatchDecision, match: Match, archive_url: str, key: str = ""
) -> Iterator[tuple[Seat, Notice]]:
    """Yield a notice for every seat that ``decision`` concerns.

    ``match`` is the match after the decision, with the current preferences of its players; ``key`` is the
    public key of the host, for the first notices of a match.
    """
    for seat in range(len(match.players)):
        is_sender = seat == decision.seat
        asides = tuple(say(aside) for aside in decision.asides) if is_sender else ()
        kind = _choose_kind(decision, match, seat)
        if kind:
            content = NoticeContent(decision.before, decision.comments, asides, key=key)
            yield seat, match_notice(kind, match, seat, content, archive_url)
        for reply in decision.replies if is_sender else ():
            for notice in _render_reply(reply, match, seat, () if kind else asides, archive_url):
                yield seat, notice


def _render_reply(
    reply: Reply, match: Match, seat: Seat, asides: tuple[str, ...], archive_url: str
) -> Iterator[Notice]:
    """Yield the notices that ``seat`` has requested."""
    if reply.kind == "display":
        yield from _render_displays(match, seat, archive_url)
    elif reply.kind in ("resume", "new_address"):
        yield present_notice(reply.kind, match, seat, archive_url, asides)
    else:
        content = NoticeContent(match, asides=asides, detail=say_all(reply.details))
        yield match_notice(reply.kind, match, seat, content, archive_url)


def present_notice(kind: str, match: Match, seat: Seat, archive_url: str, asides: tuple[str, ...] = ()) -> Notice:
    """Return the notice of ``kind`` for a player who needs the position and the latest entries anew."""
    content = NoticeContent(match.at(max(0, match.ply - _LONGEST_STORY)), asides=asides)
    return match_notice(kind, match, seat, content, archive_url)


def show_notice(match: Match, seat: Seat, archive_url: str) -> Notice:
    """Return the notice that shows a player the match as it stands, whatever happened before."""
    return match_notice("show", match, seat, NoticeContent(match), archive_url)


def _render_displays(match: Match, seat: Seat, archive_url: str) -> Iterator[Notice]:
    """Yield one notice for every display, each with its board drawn in that display."""
    for display in DISPLAYS:
        player = match.players[seat]
        preferring = match.with_player(player.preferring(player.preferences.changed("display", display)))
        notice = match_notice("display", preferring, seat, NoticeContent(preferring), archive_url)
        yield replace(notice, part=display)


def address_question(match: Match, seat: Seat, sender: str, lines: Sequence[str], archive_url: str) -> Notice:
    """Return the question to ``seat`` whether they wrote a message; its ``sender`` is an unknown address."""
    content = NoticeContent(
        match, detail=sender, quoted=quote_lines(lines, LONGEST_QUESTION), introduced="It says:", asking=True
    )
    return match_notice("was_this_you", match, seat, content, archive_url)


def _choose_kind(decision: MatchDecision, match: Match, seat: Seat) -> str | None:
    """Return the kind of notice that tells ``seat`` about ``decision``; None for a seat that gets none."""
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
        return None  # the requested notice is answer enough
    return "partly_done" if decision.asides else "passed_on"


def rejection_notice(
    match: Match,
    seat: Seat,
    seen_ply: int,
    rejection: Rejection,
    lines: Sequence[str],
    commands: Sequence[Command],
    archive_url: str,
) -> Notice:
    """Return the answer to a rejected message; ``lines`` are the sender's own, read as ``commands``.

    ``seen_ply`` is the ply of the notice that the message replies to.
    """
    since = match.at(max(seen_ply, match.ply - _LONGEST_STORY)) if rejection.kind == "stale_turn" else match
    advised = advice(match, seat, rejection, commands)
    why = explain_rejection(rejection, advised)
    content = NoticeContent(
        since,
        detail=tie_quotations(str(why)) if why else str(rejection.arguments.get("command", "")),
        quoted=quote_lines(lines),
        meant=say(advised.meant) if advised.meant else "",
        undone=say_all(advised.undone),
        offered=advised.offered,
    )
    return match_notice(rejection.kind, match, seat, content, archive_url)
