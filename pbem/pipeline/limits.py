"""How much mail one address, and all of them together, may cause: more than people need, less than machines send."""

from datetime import datetime, timedelta

from pbem.storage import Transaction

UNSOLICITED = frozenset({"opened", "your_turn", "partner_turn", "move_made", "match_over", "remark"})
"""The kinds of notices that come without their reader having written."""

SILENT = "not answered: the address had all its answers of this kind for a day"
CROWDED = "not answered: more mail than in an ordinary hour has been sent already"

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
# More messages in an hour that lead to nothing than anybody writes: a machine that does not say that it is one.
_VAIN_HOURLY = 60
# How many answers of a kind an address gets in a day: enough for a player's typos, and few enough to end a conversation
# with a machine that does not say that it is one; and not too many for all strangers together.
_DAILY = {"unknown_sender": 1, "too_often": 1}
_USUALLY_DAILY, _ALL_STRANGERS_DAILY = 10, 50
# Emails that tell of nothing on a board, answers to mistakes and to strangers included: what one address may cause in a
# day, and all of them in an hour.
_IDLE_DAILY, _ALL_IDLE_HOURLY = 100, 500
_OF_THE_BOARD = tuple(sorted(UNSOLICITED - {"remark"}))


def is_flooding(tx: Transaction, sender: str, now: datetime, *, in_matches: bool) -> bool:
    """Return whether ``sender`` has written so much lately that led to nothing that no more of it is looked at.

    ``in_matches``: he answers an email of a match of his. Then only other such messages count, so that nobody keeps his moves
    out who merely knows his address.
    """
    return tx.inbound.count_fruitless(sender, now - _HOUR, in_matches=in_matches) >= _VAIN_HOURLY


def suppression_reason(tx: Transaction, kind: str, email: str, now: datetime) -> str:
    """Return why nobody writes an answer of ``kind`` to ``email`` now, or an empty text if that can be done."""
    if tx.outbound.count(email, kind, now - _DAY) >= _DAILY.get(kind, _USUALLY_DAILY):
        return SILENT
    if kind == "unknown_sender" and tx.outbound.count(None, kind, now - _DAY) >= _ALL_STRANGERS_DAILY:
        return SILENT
    return CROWDED if _is_crowded(tx, now) else ""


def may_cause_more(tx: Transaction, sender: str, now: datetime) -> bool:
    """Return whether messages from ``sender`` may lead to emails that tell of nothing on a board: boards, help, words."""
    return tx.outbound.count_caused(sender, _OF_THE_BOARD, now - _DAY) < _IDLE_DAILY and not _is_crowded(tx, now)


def _is_crowded(tx: Transaction, now: datetime) -> bool:
    """Return whether everybody together has caused so many of these emails lately that something must be wrong."""
    return tx.outbound.count_caused(None, _OF_THE_BOARD, now - _HOUR) >= _ALL_IDLE_HOURLY
