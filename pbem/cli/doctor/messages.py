"""What the doctor finds among the messages and the emails: what waits for a person, and what a person should know."""

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.cli.finding import Finding
from pbem.cli.output import format_time_utc

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.storage.transaction import Transaction

_MOST = 1000  # rows that are counted: an operator who has more of them knows it
_MANY_ATTEMPTS = 5  # which take about a quarter of an hour; greylisting ends sooner
_LATE = timedelta(minutes=5)  # a running service looks every minute for what is due
_LONGEST_ERROR = 150  # characters
_MANY_DISCARDS = 5  # of one player in a week: a robot of theirs, or a forger
_UNREAD_CODES = ("unreadable", "too_long", "over_budget")
_UNREAD_DAYS, _DISCARD_DAYS = timedelta(days=14), timedelta(days=7)


def check_messages(tx: "Transaction", now: "datetime") -> Finding:
    """Check that neither a message nor an email waits for a person."""
    from pbem.due.needs import FINDING, list_needs, list_passing

    faults = (*(need.sentence for need in list_needs(tx) if need.code != FINDING), *find_behind(tx), *find_stuck(tx))
    notes = (
        *(need.sentence for need in list_passing(tx, now)),
        *find_in_doubt(tx, now),
        *find_put_off(tx, now),
        *find_held(tx, now),
        *find_unread(tx, now),
        *find_discarded(tx, now),
        *count_blocked(tx),
    )
    return Finding("nothing waits for you", faults, notes)


def find_stuck(tx: "Transaction") -> Iterator[str]:
    """Yield a sentence if emails have been tried often, and wait for the next attempt."""
    stuck = [email for email in tx.outbound.stuck(_MANY_ATTEMPTS, _MOST) if email.kind != "unknown_sender"]
    if stuck:
        latest = max(stuck, key=lambda email: email.due_at)
        error = _shorten(latest.error)
        yield (
            f"Emails tried {_MANY_ATTEMPTS} times or more and still not sent: {len(stuck)}."
            f" “pbem outbound list --status queued” shows them. The latest, to {latest.recipient}: {error}."
            f" They are tried for five days; once the cause is fixed,"
            f" “pbem outbound retry {latest.id}” and “pbem deliver” send it at once."
        )


def find_put_off(tx: "Transaction", now: "datetime") -> Iterator[str]:
    """Yield a sentence if emails wait for another attempt, even one: why, and until when. That is no fault yet.

    What waits for the budget is told there; while sending is behind, or after many attempts, a fault tells of it.
    """
    from pbem.due.outages import BEHIND
    from pbem.pipeline.rationing import OUR_BUDGET

    if BEHIND in tx.heartbeats.last():
        return
    waiting = [one for one in tx.outbound.postponed(_MANY_ATTEMPTS, _MOST) if not one.error.startswith(OUR_BUDGET)]
    if not waiting:
        return
    first = min(waiting, key=lambda one: one.id)
    at = format_time_utc(first.due_at)
    late = first.due_at < now - _LATE
    when = f"should have been tried again at {at}, and wasn’t" if late else f"is tried again at {at}"
    told = (
        f"An email to {first.recipient} was put off, and {when}"
        if len(waiting) == 1
        else f"{len(waiting)} emails were put off. The oldest, to {first.recipient}, {when}"
    )
    do = "“pbem run” should do that; “pbem deliver” does it now." if late else "You don’t have to do anything."
    yield f"{told}: {_shorten(first.error)}. {do}"


def find_in_doubt(tx: "Transaction", now: "datetime") -> Iterator[str]:
    """Yield a sentence if nobody knows whether emails have arrived, and they are sent once more: that is no fault."""
    from pbem.storage.messages.outbound import UNKNOWN

    if not (waiting := tx.outbound.in_doubt(now, _MOST)):
        return
    first, others = waiting[0], len(waiting) - 1
    why = _shorten(first.error.removeprefix(UNKNOWN)) or "pbem ended while it was sent"
    told = f"An email to {first.recipient} may or may not have arrived: {why}. It is sent again"
    more = f" So it is with {others} more." if others else ""
    drop = f"; if its reader has it, “pbem outbound drop {first.id}” ends that" if first.error else ""
    yield f"{told} at {format_time_utc(first.due_at)}{drop}.{more}"


def find_behind(tx: "Transaction") -> Iterator[str]:
    """Yield a sentence if sending is behind: since when, and why."""
    from pbem.due.outages import BEHIND
    from pbem.pipeline.deliver import OUR_SERVER

    if since := tx.heartbeats.last().get(BEHIND):
        error = _shorten(tx.outbound.latest_error(OUR_SERVER).removeprefix(OUR_SERVER))
        yield (
            f"Sending is behind since {format_time_utc(since)}{error and ': '}{error}. What waits goes out when the"
            " server works again; the time until then is given back to all clocks if it is more than an hour."
        )


def find_held(tx: "Transaction", now: "datetime") -> Iterator[str]:
    """Yield a sentence if messages are held until their players answer a question: that is no fault."""
    from pbem.asking.kinds.address import HELD
    from pbem.asking.limit_table import ANSWERABLE
    from pbem.asking.proposals import SENDER

    held = [
        message
        for message in tx.inbound.latest(status="rejected", limit=_MOST)
        if message.reason == HELD
        and message.received_at > now - ANSWERABLE
        and any(email.kind == SENDER for email in tx.outbound.caused_by(message.id))
    ]
    if held:
        yield (
            f"{len(held)} held, from an address that is no player's, until the player whose reply it seems to be,"
            f" and then the address, say that it is; “pbem inbound show {held[0].id}” shows the latest."
            " You don't have to do anything."
        )


def find_unread(tx: "Transaction", now: "datetime") -> Iterator[str]:
    """Yield a sentence if messages of seated players could not be read lately: they are told, and may need help."""
    unread = tx.inbound.unread_of_players(_UNREAD_CODES, now - _UNREAD_DAYS, _MOST)
    if unread:
        latest = unread[0]
        yield (
            f"{len(unread)} of players could not be read in the last two weeks; the latest, of {latest.sender} in match"
            f" {latest.match}, shows “pbem inbound show {latest.id}” ({latest.code})."
        )


def find_discarded(tx: "Transaction", now: "datetime") -> Iterator[str]:
    """Yield a sentence for every player of a running match of whose messages many were discarded lately."""
    for sender, many, latest in tx.inbound.often_discarded(now - _DISCARD_DAYS, _MANY_DISCARDS):
        reason = getattr(tx.inbound.get(latest), "reason", "")
        yield (
            f"{many} from {sender}, who plays, were discarded within a week, the latest because of “{reason}”:"
            f" “pbem inbound show {latest}”. Somebody may be writing in their name, or a program answers for them."
        )


def count_blocked(tx: "Transaction") -> Iterator[str]:
    """Yield a sentence if addresses are blocked."""
    if blocked := tx.players.count_blocked():
        yield f"{blocked} address{'' if blocked == 1 else 'es'} blocked by you."


def _shorten(error: str) -> str:
    """Return an error without its full stop, and no longer than a doctor's sentence can bear."""
    error = error.rstrip(".")
    return error if len(error) <= _LONGEST_ERROR else f"{error[:_LONGEST_ERROR].rstrip()}…"
