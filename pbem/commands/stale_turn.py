"""Whether a reply still counts: what it answers may have been played, taken back, or decided since. Pure."""

from collections.abc import Sequence

from pbem.commands.decision import Command
from pbem.commands.families.play import FreeText
from pbem.commands.rejections import (
    AlreadyOver,
    Discard,
    NotYourTurn,
    Rejection,
    StaleTurn,
)
from pbem.match.match import Match
from rules.errors import RulesError
from rules.position import EXIT_WORDS, Seat


def why_closed(match: Match, seat: Seat, seen_ply: int) -> Rejection | None:
    """Return the Rejection that a move of ``seat`` would earn whatever it is, or None when it is its turn."""
    if match.outcome is not None:
        return AlreadyOver()
    if seat in match.position.departed():
        return NotYourTurn("departed")
    if seen_ply != match.ply and not _still_asks(match, seat, seen_ply):
        return StaleTurn("taken_back" if seen_ply < 0 else "")
    if match.awaits_seeds:
        return NotYourTurn("roll_first")
    return None if match.to_act == seat else NotYourTurn()


def _still_asks(match: Match, seat: Seat, seen_ply: int) -> bool:
    """Return whether the notice of ``seen_ply`` asked for what is still to be played: others have merely left since."""
    since = match.record[seen_ply:] if seen_ply >= 0 else ()
    gone = bool(since) and all(entry.text in EXIT_WORDS and entry.seat != seat for entry in since)
    return gone and match.to_act == seat == match.at(seen_ply).to_act


def knows(match: Match, seat: Seat, seen_ply: int) -> bool:
    """Return whether who answers the notice of ``seen_ply`` knows the position: they alone have moved since."""
    return 0 <= seen_ply <= match.ply and all(entry.seat == seat for entry in match.record[seen_ply:])


def repeated(
    match: Match, seat: Seat, seen_ply: int, rest: Sequence[Command], *, says_more: bool
) -> Discard | Rejection | None:
    """Return how a message ends whose move, the first of ``rest``, was played before in answer to the same notice.

    None when it was not. Email programs send twice: that needs no answer, unless something more was said, in ``rest``
    or above it (``says_more``).
    """
    if match.record[seen_ply : seen_ply + 1] == ():
        return None
    played, move = match.record[seen_ply], rest[0]
    try:
        again = isinstance(move, FreeText) and str(match.at(seen_ply).position.parse(move.text)) == played.text
    except RulesError:
        again = False
    if played.seat != seat or not again:
        return None
    following = [entry.text for entry in match.record[seen_ply + 1 :] if entry.seat == seat]
    more = [command for command in rest[1:] if not isinstance(command, FreeText) or command.text]
    steps = [" ".join(command.text.lower().split()) for command in more if isinstance(command, FreeText)]
    if not says_more and len(steps) == len(more) and steps == following[: len(steps)]:
        return Discard("a move sent again")
    return StaleTurn("already_played", move=played.text) if match.outcome is None else None
