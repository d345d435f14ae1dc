"""How much mail one address, and all of them together, may cause: more than people need, less than machines send."""

from datetime import datetime, timedelta

from pbem.dispatch import UNASKED
from pbem.store import Work

SILENT = "not answered: the address had all its answers of this kind for a day"
CROWDED = "not answered: more mail than in an ordinary hour has been sent already"

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
# More letters in an hour that lead to nothing than anybody writes: a machine that does not say that it is one.
_VAIN_HOURLY = 60
# How many answers of a kind an address gets in a day: enough for a player's slips, and few enough to end a conversation
# with a machine that does not say that it is one; and not too many for all strangers together.
_DAILY = {"unknown_sender": 1, "too_often": 1}
_USUALLY_DAILY, _ALL_STRANGERS_DAILY = 10, 50
# Mails that tell of nothing on a board, answers to mistakes and to strangers included: what one address may cause in a
# day, and all of them in an hour.
_IDLE_DAILY, _ALL_IDLE_HOURLY = 100, 500
_OF_THE_BOARD = tuple(sorted(UNASKED - {"remark"}))


def writes_in_vain(work: Work, sender: str, now: datetime, *, tagged: bool) -> bool:
    """Tell whether ``sender`` has written so much lately that led to nothing that no more of it is looked at.

    ``tagged``: he answers a mail of a match of his. Then only other such letters count, so that nobody keeps his moves
    out who merely knows his address.
    """
    return work.count_vain_letters(sender, now - _HOUR, tagged=tagged) >= _VAIN_HOURLY


def why_silent(work: Work, kind: str, email: str, now: datetime) -> str:
    """Return why nobody writes an answer of ``kind`` to ``email`` now, or an empty text if that can be done."""
    if work.count_mails(email, kind, now - _DAY) >= _DAILY.get(kind, _USUALLY_DAILY):
        return SILENT
    if kind == "unknown_sender" and work.count_mails(None, kind, now - _DAY) >= _ALL_STRANGERS_DAILY:
        return SILENT
    return CROWDED if _is_crowded(work, now) else ""


def may_cause_more(work: Work, sender: str, now: datetime) -> bool:
    """Tell whether letters from ``sender`` may lead to mails that tell of nothing on a board: boards, help, words."""
    return work.count_caused(sender, _OF_THE_BOARD, now - _DAY) < _IDLE_DAILY and not _is_crowded(work, now)


def _is_crowded(work: Work, now: datetime) -> bool:
    """Tell whether everybody together has caused so many of these mails lately that something must be wrong."""
    return work.count_caused(None, _OF_THE_BOARD, now - _HOUR) >= _ALL_IDLE_HOURLY
