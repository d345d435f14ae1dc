"""Decides who is written to, and what, after something has happened. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.hints import advice, again
from pbem.match import Match
from pbem.notices import Notice, Told, about_match, kind_for
from pbem.referee import Verdict
from pbem.rulings import Rejection
from pbem.wishes import DISPLAYS, wishing
from pbem.wording import may_read
from rules import Seat

LONGEST_QUESTION = 40
"""Lines that a question about a letter shows of it."""

_MOST_NEWS = 6  # entries


def after_opening(match: Match, archive_url: str) -> Iterator[tuple[Seat, Notice]]:
    """Yield the first notice for every seat."""
    for seat in range(len(match.players)):
        yield seat, about_match("opened", match, seat, Told(match.at(0)), archive_url)


def after_verdict(before: Match, verdict: Verdict, archive_url: str) -> Iterator[tuple[Seat, Notice]]:
    """Yield a notice for everybody who has something to learn from a letter that was carried out."""
    match, writer = verdict.match, verdict.seat
    for seat in range(len(match.players)):
        asides = verdict.asides if seat == writer else ()
        kind = _kind(before, verdict, seat)
        if kind:
            yield seat, about_match(kind, match, seat, Told(before, verdict.remarks, asides), archive_url)
        for word in sorted(verdict.asked) if seat == writer else ():
            if word == "display":
                yield from ((seat, notice) for notice in _every_display(match, seat, archive_url))
            elif word == "resume":
                yield seat, after_return(match, seat, archive_url)
            else:
                told = Told(match, asides=() if kind else asides)
                yield seat, about_match(word, match, seat, told, archive_url)


def after_return(match: Match, seat: Seat, archive_url: str) -> Notice:
    """Return the newest notice of a match for a player who got no mails for a time: what happened of late."""
    return about_match("resume", match, seat, Told(match.at(max(0, match.ply - _MOST_NEWS))), archive_url)


def after_lots(before: Match, match: Match, archive_url: str) -> Iterator[tuple[Seat, Notice]]:
    """Yield a notice for everybody once the first lots have fallen because their time had come."""
    for seat in range(len(match.players)):
        if kind := kind_for(match, seat):
            yield seat, about_match(kind, match, seat, Told(before), archive_url)


def _every_display(match: Match, seat: Seat, archive_url: str) -> Iterator[Notice]:
    """Yield a notice for every way to get boards, each drawn in that way."""
    for display in DISPLAYS:
        drawn = wishing(match, seat, display=display)
        yield replace(about_match("display", drawn, seat, Told(drawn), archive_url), part=display)


def about_newcomer(match: Match, seat: Seat, sender: str, lines: Sequence[str], archive_url: str) -> Notice:
    """Return the question to ``seat`` whether a letter with these ``lines`` from an unknown ``sender`` was his."""
    told = Told(match, detail=sender, quoted=again(lines, LONGEST_QUESTION), introduced="It says:", asking=True)
    return about_match("was_this_you", match, seat, told, archive_url)


def after_answer(match: Match, seat: Seat, settled: str, archive_url: str) -> Notice:
    """Return the thanks for the answer of ``seat`` to such a question; ``settled`` says what follows from it."""
    return about_match("address_settled", match, seat, Told(match, detail=settled), archive_url)


def _kind(before: Match, verdict: Verdict, seat: Seat) -> str | None:
    """Return the kind of notice that tells ``seat`` what a letter led to; None if there is nothing to tell."""
    match = verdict.match
    if match.ply > before.ply:
        return kind_for(match, seat) or ("move_made" if seat not in before.position.departed() else None)
    if seat != verdict.seat:
        return "remark" if any(may_read(match, seat, remark) for remark in verdict.remarks) else None
    if match.salts != before.salts:
        return "waiting"
    if verdict.asked:
        return None  # what was asked for is answer enough
    return "partly_done" if verdict.asides else "passed_on"


def after_rejection(
    match: Match, seat: Seat, seen_ply: int, rejection: Rejection, lines: list[str], archive_url: str
) -> Notice:
    """Return the answer to a letter about ``match`` that was not carried out; ``lines`` are what he wrote."""
    since = match.at(max(seen_ply, match.ply - _MOST_NEWS)) if rejection.kind == "stale_turn" else match
    said = advice(match, seat, rejection, lines)
    told = Told(since, detail=said.reason, quoted=again(lines), meant=said.meant, undone=said.undone)
    return about_match(rejection.kind, match, seat, told, archive_url)
