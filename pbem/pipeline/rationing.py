"""Rationing: what a mail server lets us send is spent first on emails without which no match goes on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.settings.budgets import Window
from pbem.storage.transaction import Transaction

URGENT = frozenset(
    {
        *("opened", "your_turn", "reminder", "time_up", "replaced", "passed_on", "set_back", "backup_restored"),
        *("move_rejected", "several_moves", "no_command", "partly_done", "stale_turn", "unread", "unproven", "confirm"),
        *("was_this_you", "needs"),
    }
)
"""The kinds of emails after which somebody is to do something. All others are put off first when a budget is short."""

OUR_BUDGET = "our budget: "
"""How the errors of emails begin that wait for the budget."""

_MARGIN = timedelta(seconds=5)  # the server counts an email a little later than we do
_ASK_AGAIN = timedelta(minutes=15)  # a budget may be changed, so nothing is put off for longer


@dataclass
class Room:
    """How many emails may be sent now: ``total``, and ``spare`` of any kind, the rest being urgent ones."""

    total: int
    spare: int

    def take(self, emails: int) -> None:
        """Take room for emails, or give it back."""
        self.total -= emails
        self.spare -= emails


@dataclass(frozen=True)
class PutOff:
    """How many emails wait for a budget, whose ``window`` is used up, until when at least."""

    emails: int
    window: Window
    until: datetime


def measure_room(tx: Transaction, windows: Sequence[Window], now: datetime) -> Room:
    """Return what the windows leave, by what was sent: also before a restart."""
    left = [(window.emails - count_used(tx, window, now), window.reserve) for window in windows]
    return Room(min(room for room, _ in left), min(room - reserve for room, reserve in left))


def count_used(tx: Transaction, window: Window, now: datetime) -> int:
    """Return how many of the emails of a window are used up now."""
    return tx.outbound.count_sent(*_bounds(window, now), window.emails)


def find_opening(
    tx: Transaction, windows: Sequence[Window], now: datetime, *, urgent: bool
) -> tuple[Window, datetime] | None:
    """Return the window that keeps emails back, and when the next may go; None while none does."""
    found: list[tuple[datetime, Window]] = []
    for window in windows:
        usable = window.emails - (0 if urgent else window.reserve)
        last = tx.outbound.nth_sent(usable, *_bounds(window, now))
        if last is not None:
            found.append((last + window.span + _MARGIN, window))
    if not found:
        return None
    at, window = max(found, key=lambda one: one[0])
    return window, at


def put_off(tx: Transaction, windows: Sequence[Window], now: datetime) -> PutOff | None:
    """Put off the due emails that find no room now, and return how many they are; None if there are none."""
    held: list[PutOff] = []
    for urgent in (True, False):
        opening = find_opening(tx, windows, now, urgent=urgent)
        if opening is None:
            continue
        window, at = opening
        error = f"{OUR_BUDGET}{window} are sent, so it waits its turn"
        if count := tx.outbound.put_off(sorted(URGENT), urgent, now, min(at, now + _ASK_AGAIN), error):
            held.append(PutOff(count, window, at))
    if not held:
        return None
    return PutOff(sum(one.emails for one in held), held[0].window, held[0].until)


def _bounds(window: Window, now: datetime) -> tuple[datetime, datetime]:
    """Return the moments between which emails count that were sent.

    What was sent in the future was sent before the clock of the machine was set back: that counts if it is near, else
    nothing would be sent until then.
    """
    return now - window.span - _MARGIN, now + window.span
