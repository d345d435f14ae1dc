"""Rate limits on the email that one address, and all together, may cause: enough for people, too low for mail loops."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pbem.asking.limit_table import DAY, HOUR, LIMITS, OTHER_ANSWERS, PROVEN, Rate, limit_of
from pbem.due.schedule import note_need
from pbem.mail.headers import mailbox_of
from pbem.notices.notice_kinds import notice_kinds
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Place
from pbem.storage.messages.records import PLAYERS, UNPROVEN
from pbem.storage.transaction import Transaction

UNSOLICITED = frozenset(
    {
        *("opened", "your_turn", "partner_turn", "move_made", "match_over", "remark", "reminder", "time_up"),
        *("time_news", "replaced", "followed", "account_changed", "broadcast", "backup_restored", "unsent", "proposal"),
        *("invitation", "invitation_news", "digest", "letter", "commented", "contest_news"),
        *("second_turn", "second_words", "league_begins", "league_ends", "league_news"),
    }
)
"""The kinds of notices that tell of what happens in a match: no request of their reader causes them."""

Share = Literal["players", "strangers", "domain", "unproven"]
"""Whose share of what all together may cause; ``domain`` is the part of the strangers' that one domain has."""

SILENT = "not answered: the address had all its answers of this kind for a day"
OVERLOADED = "not answered: more mail than in an ordinary hour has been sent already"

# No person writes so many messages an hour that are not accepted; only a machine that does not mark its email does.
_FRUITLESS_HOURLY = 60
# What others are told without a move.
_TOLD = ("remark", "time_news", "proposal", "second_words")
# Messages of these kinds, answers to mistakes and strangers included, but not what tells of moves: the limit of one
# address a day, and of all addresses together an hour.
_LIMITED_KINDS = tuple(sorted(notice_kinds() - UNSOLICITED | set(_TOLD)))
_CAUSED_DAILY, _ALL_CAUSED = 100, Rate(500, HOUR)
# However much others cause, an address may cause so many emails a day.
_NEVER_TOO_MANY = 5
# What one address may get of answers a day, and of comments, whoever causes them: comments leave room for answers.
_ANSWERS = tuple(sorted(notice_kinds() - UNSOLICITED))
_RECEIVED_DAILY, _BYTES_DAILY = 150, 3_000_000


def is_flooding(tx: Transaction, sender: str, seated: Place | None, now: datetime) -> bool:
    """Return whether ``sender`` wrote so many fruitless messages within an hour that the next one is turned away.

    ``seated``: the message answers a notice to that seat, and comes from its player. Then only messages to that seat
    count that were answered, or would have been: nothing that somebody sends who knows only the player's address.
    """
    most = _FRUITLESS_HOURLY
    seat = (seated.match.id, seated.seat) if seated else None
    return tx.inbound.count_fruitless(sender, now - HOUR, most, seat=seat) >= most


@dataclass(frozen=True, slots=True)
class Allowance:
    """Whether an answer may go out: ``suppressed`` says why not; ``last``: it is the last of its kind for a day."""

    suppressed: str = ""
    last: bool = False


def allowance(act: Act, kind: str, email: str, *, present: bool = False) -> Allowance:
    """Return whether an answer of ``kind`` may go to ``email`` now.

    ``present``: it answers a reply to the present email of a match, which nobody else can keep from being answered.
    """
    tx, now, limit = act.tx, act.now, limit_of(kind)
    rate = limit.to or OTHER_ANSWERS
    if limit.everybody:  # whoever invents addresses must not reach one mailbox by many
        if is_used_up(act, (kind,), limit.everybody):
            return Allowance(SILENT)
        sent = [mailbox_of(to) for to, _, _ in tx.outbound.keys(kind, now - rate.within)].count(mailbox_of(email))
    else:
        sent = tx.outbound.count(email, kind, now - rate.within, rate.most)
    if sent >= rate.most:
        return Allowance(SILENT)
    if not _has_room(tx, email, _ANSWERS, now):
        return Allowance(SILENT)
    # Answers of the other kinds are so few that the sender cannot get used to them.
    last = sent + 1 == OTHER_ANSWERS.most and rate == OTHER_ANSWERS
    return Allowance(OVERLOADED) if not present and _is_overloaded(act) else Allowance(last=last)


def had_enough(tx: Transaction, kind: str, email: str, now: datetime) -> bool:
    """Return whether no more email of ``kind`` goes to an address for now, by the limit of that kind alone."""
    rate = limit_of(kind).to
    return rate is not None and tx.outbound.count(email, kind, now - rate.within, rate.most) >= rate.most


def may_cause_more(act: Act, sender: str) -> bool:
    """Return whether ``sender`` may cause email besides the notices of moves: boards, help, comments."""
    caused = act.tx.outbound.count_caused(sender, _LIMITED_KINDS, act.now - DAY, _CAUSED_DAILY)
    return caused < (_NEVER_TOO_MANY if _is_overloaded(act) else _CAUSED_DAILY)


def may_be_told(tx: Transaction, recipient: str, now: datetime) -> bool:
    """Return whether ``recipient`` may get more comments, and news of time, without a move today, whoever causes it."""
    return _has_room(tx, recipient, _TOLD, now)


def _has_room(tx: Transaction, recipient: str, kinds: Sequence[str], now: datetime) -> bool:
    """Return whether ``recipient`` may get more email of these ``kinds`` today, whoever causes it."""
    count, size = tx.outbound.measure(recipient, kinds, now - DAY, _RECEIVED_DAILY)
    return count < _RECEIVED_DAILY and size < _BYTES_DAILY


def find_used_up(tx: Transaction, now: datetime) -> Iterator[tuple[Share, str, Rate]]:
    """Yield the shares of all together that are used up, with the kind of email; no kind is all that are limited.

    Nobody's takes anything from another's: players have one, strangers who are proven to have written have one, of
    which no domain has more than a part, and whoever is not proven has one.
    """
    rates = [((kind,), limit.everybody) for kind, limit in LIMITS.items() if limit.everybody]
    for kinds, rate in (*rates, (_LIMITED_KINDS, _ALL_CAUSED)):
        for share in full_shares(tx.outbound.count_shares(kinds, now - rate.within), rate):
            yield share, kinds[0] if len(kinds) == 1 else "", rate


def part_of(rate: Rate, share: Share) -> int:
    """Return how much of a rate is a share."""
    return rate.most * PROVEN if share == "strangers" else rate.most


def full_shares(counts: Mapping[str, int], rate: Rate) -> list[Share]:
    """Return whose share of a rate is used up, by the ``counts`` of what happened."""
    strangers = {share: count for share, count in counts.items() if share not in (PLAYERS, UNPROVEN)}
    used: dict[Share, int] = {
        "players": counts.get(PLAYERS, 0),
        "unproven": counts.get(UNPROVEN, 0),
        "strangers": sum(strangers.values()),
        "domain": max(strangers.values(), default=0),
    }
    return [share for share, count in used.items() if count >= part_of(rate, share)]


def has_used_up(counts: Mapping[str, int], rate: Rate, share: str, pending: int = 0) -> bool:
    """Return whether a ``share`` of a rate is used up, by the ``counts`` of what happened, and as many ``pending``."""
    own = counts.get(share, 0) + pending
    if share in (PLAYERS, UNPROVEN):
        return own >= rate.most
    others = sum(count for other, count in counts.items() if other not in (PLAYERS, UNPROVEN, share))
    return own >= part_of(rate, "domain") or own + others >= part_of(rate, "strangers")


def _is_overloaded(act: Act) -> bool:
    """Return whether all together caused so much of this email in an hour that something must be wrong."""
    return is_used_up(act, _LIMITED_KINDS, _ALL_CAUSED)


def is_used_up(act: Act, kinds: Sequence[str], rate: Rate) -> bool:
    """Return whether the share of whoever causes this is used up. The operator is told of it."""
    if not has_used_up(act.tx.outbound.count_shares(kinds, act.now - rate.within), rate, act.cause.share):
        return False
    note_need(act.tx, act.now)
    return True
