"""What needs a person: one list, made of what is stored, for ``pbem doctor`` and for the one email that tells of it.

The email comes once a day, with everything that waits by then; at once, but not twice in an hour, where something
stands still, or somebody may be trying to play for others. What is over is in neither, and each says which command ends
it.
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from pbem.asking.limit_table import DAY, HOUR, STRANGERS
from pbem.asking.limits import find_used_up, full_shares, part_of
from pbem.due.gate import ENDINGS
from pbem.due.outages import DOUBTED, LONGEST_HELD, LONGEST_PAUSE, RECEIVES, find_unreceived, latest_noted
from pbem.due.schedule import TELLING, note_need
from pbem.errors import DamagedMatch, DamagedRow
from pbem.log.redaction import redacted
from pbem.mail.compose import Recipient, compose
from pbem.match.player import FORMER
from pbem.match.question import FOUND_IN, REPORT
from pbem.notices.render import plain_notice
from pbem.notices.sentences.needs import WHOSE, name_matches, name_put_off, say_need
from pbem.pipeline.act import Act, cause_at
from pbem.storage.due import FORGETTING_DUE, NEEDS_DUE, ROBOT_DUE
from pbem.storage.messages.outbound import UNKNOWN
from pbem.storage.transaction import Transaction

UNREADABLE, OVER_BUDGET = "unreadable", "over_budget"
"""Codes of messages that are no email or hold more than anybody types, and of those that take too long to read.

Without a player to tell they end as failed, with the same word as their reason; that is no bug.
"""

FINDING = "finding"
"""The code of what “pbem doctor” has found, which it tells by itself whenever it is asked."""

ALARMING = ("forged_sender", "not_authentic", "flooding")
"""Codes of messages in the name of a seated player, which they may not have written, or which they miss."""

TURNED_AWAY = 5
"""So many such messages to a seat within a day need a person."""

_MOST = 1000  # rows that are counted: an operator who has more of them knows it
_MOST_REPORTS = 50
_LONGEST_REPORT = 600  # characters
_LONGEST_ERROR = 150
_MOST_EACH = 20
_AGAIN = timedelta(hours=1)  # what failed is tried again, but not in every pass
_MOST_UIDS = 10


Told: TypeAlias = Mapping[str, str | int]
"""What a sentence about a need is made of."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something that waits for the operator; ``since`` (UTC) is when the latest of it began.

    ``code`` and ``arguments`` are what its sentence is made of.
    """

    code: str
    since: datetime
    arguments: Told

    @property
    def sentence(self) -> str:
        """What it is, and the commands that look at it and end it."""
        return say_need(self.code, self.arguments)


def list_needs(tx: Transaction) -> list[Need]:
    """Return everything that needs a person now."""
    finders = (
        *(_find_doubt, _find_unreceived, _find_unread, _find_undone, _find_reports, _find_failed, _find_refused),
        *(_find_unknown, _find_unreachable, _find_uncalled),
    )
    return _collect(tx, finders)


def list_passing(tx: Transaction, now: datetime) -> list[Need]:
    """Return what needs a person who wants to end it, and else ends by itself."""
    return _collect(tx, (lambda tx: _find_turned_away(tx, now), lambda tx: _find_limits(tx, now)))


def note_undone(tx: Transaction, kind: str, subject: int, why: str, now: datetime) -> None:
    """Put a due thing that failed off for an hour, and let the operator be told: at once, and then once a day."""
    error = _shorten(" ".join(redacted(why).split()).rstrip("."), _LONGEST_ERROR)
    is_new = tx.due.note_failure(kind, subject, error, now, now + _AGAIN)
    if kind != NEEDS_DUE:
        note_need(tx, now, urgent=is_new)


def tell_needs(act: Act, _: int, happened: Sequence[Need] = ()) -> None:
    """Queue the email about all that needs the operator, and what has ``happened``, if anything is new since the last.

    What has happened is over: it is in no list, and the email bears its code.
    """
    operator = act.site.operator
    if not operator or any(one.email == operator and one.unreachable for one in act.tx.players.bouncing()):
        return  # who wouldn’t get it either, and it would come back, too
    last = act.tx.outbound.last_queued(TELLING)
    needs = [*happened, *list_passing(act.tx, act.now), *list_needs(act.tx)]
    if not any(last is None or need.since > last for need in needs):
        return
    own = [need for need in needs if last is None or need.since > last]
    notice = plain_notice(
        TELLING,
        new=[redacted(one.sentence) for one in own],
        waiting=[redacted(one.sentence) for one in needs if one not in own],
    )
    cause = cause_at(TELLING, act.now)
    message = compose(notice, Recipient("", operator), act.site, cause.text, act.now, None)
    act.tx.outbound.enqueue([message], act.now, key=happened[0].code if happened else "")


def _find_unreceived(tx: Transaction) -> Iterator[Need]:
    """Yield a need if nothing is received, and that is an outage, though emails were sent meanwhile."""
    if last := find_unreceived(tx.heartbeats.last()):
        yield Need("unreceived", last + LONGEST_PAUSE, {"since": f"{last:%Y-%m-%d %H:%M}"})


def _find_unread(tx: Transaction) -> Iterator[Need]:
    """Yield a need for messages that clocks wait for since the server doesn't hand them out, and one for older ones."""
    last = tx.heartbeats.last().get(RECEIVES)
    found = sorted(tx.unread.all(), key=lambda one: one.noted_at)
    held = [one for one in found if last is None or one.noted_at > last - LONGEST_HELD]
    for code, some, later in (
        ("unread", held, timedelta()),
        ("unread_long", found[: len(found) - len(held)], LONGEST_HELD),
    ):
        if some:
            uids = ", ".join(str(one.uid) for one in some[:_MOST_UIDS]) + ("…" if len(some) > _MOST_UIDS else "")
            told: Told = {"count": len(some), "uids": uids, "why": some[-1].why.rstrip("."), "uid": some[-1].uid}
            yield Need(code, some[-1].noted_at + later, told)


def _collect(tx: Transaction, finders: Iterable[Callable[[Transaction], Iterator[Need]]]) -> list[Need]:
    """Return the needs that are found; a damaged row hides no more than those of its kind."""
    found: list[Need] = []
    for find in finders:
        with contextlib.suppress(DamagedRow):  # “pbem doctor” lists such rows
            found += find(tx)
    return found


def _find_undone(tx: Transaction) -> Iterator[Need]:
    """Yield a need for each due thing that failed when it was last tried."""
    for thing in tx.due.failed(_MOST_EACH):
        code = thing.kind if thing.kind in (FORGETTING_DUE, ROBOT_DUE) else "undone"
        yield Need(code, thing.failed_at, {"kind": thing.kind, "number": thing.subject, "error": thing.error})


def _find_turned_away(tx: Transaction, now: datetime) -> Iterator[Need]:
    """Yield a need for each seat in whose player’s name many messages were turned away within a day."""
    for one in tx.inbound.often_ended(ALARMING, now - DAY, TURNED_AWAY, _MOST_EACH):
        match = tx.matches.get(one.match)
        if match is not None:
            told: Told = {"count": one.count, "name": match.players[one.seat].name, "match": match.id}
            yield Need(one.code, one.last, {**told, "number": one.latest})


def _find_doubt(tx: Transaction) -> Iterator[Need]:
    """Yield a need while the clock of this machine is doubted, with what waits for it to prove right."""
    beats = tx.heartbeats.last()
    if since := beats.get(DOUBTED):
        due = (thing.kind for thing in tx.due.by(latest_noted(beats, since)))
        kinds = Counter(kind for kind in due if kind in ENDINGS and ENDINGS[kind].final)
        yield Need("clock_doubted", since, {"since": f"{since:%Y-%m-%d %H:%M}", "what": name_put_off(kinds)})


def _find_reports(tx: Transaction) -> Iterator[Need]:
    """Yield what was told and isn't settled: of players what proves a seat first, since the rest may be forged."""
    found = sorted(tx.questions.find(REPORT, state="open"), key=lambda one: one.match is None)
    for one in found[:_MOST_REPORTS]:
        player = tx.players.get(one.asker or 0)
        told: Told = {
            "who": f"{player.name} ({player.email})" if player else FORMER,
            "text": _shorten(" ".join(str(one.about.get("text", "")).split()), _LONGEST_REPORT),
            "inbound": one.inbound or 0,
            "number": one.id,
        }
        if line := one.about.get(FOUND_IN):
            yield Need(FINDING, one.asked_at, {**told, "line": str(line)})
        elif one.match is None:
            yield Need("unproven_report", one.asked_at, told)
        else:
            yield Need("report", one.asked_at, {**told, "match": one.match})


def _find_failed(tx: Transaction) -> Iterator[Need]:
    """Yield one need if messages met a bug, and can still be carried out: their bytes are kept."""
    no_bugs = (UNREADABLE, OVER_BUDGET)
    latest = tx.inbound.latest(status="failed", limit=_MOST)
    if failed := [message for message in latest if message.kept and message.reason not in no_bugs]:
        first = failed[0]
        told: Told = {
            "count": len(failed),
            "number": first.id,
            "error": _shorten(first.reason.rstrip("."), _LONGEST_ERROR),
        }
        yield Need("failed", first.settled_at or first.received_at, told)


def _find_refused(tx: Transaction) -> Iterator[Need]:
    """Return one need if emails were refused for good."""
    return _find_unsent(tx, "refused")


def _find_unknown(tx: Transaction) -> Iterator[Need]:
    """Return one need if it stays unknown whether emails were taken."""
    return _find_unsent(tx, "unknown")


def _find_unsent(tx: Transaction, status: str) -> Iterator[Need]:
    """Yield one need if emails ended so, and can still be sent: their bytes are kept.

    Answers to strangers, whose address may be false, are left out, and what was for somebody who was forgotten.
    """
    latest, left_out = tx.outbound.latest(status=status, limit=_MOST), ("unknown_sender", TELLING)
    if unsent := [one for one in latest if one.kind not in left_out and one.recipient and one.kept]:
        first = unsent[0]
        error = _shorten(first.error.removeprefix(UNKNOWN).rstrip("."), _LONGEST_ERROR)
        told: Told = {"count": len(unsent), "number": first.id, "error": error}
        yield Need(status, max(one.due_at for one in unsent), told)


def _find_unreachable(tx: Transaction) -> Iterator[Need]:
    """Yield a need for every player of a running match whose email comes back, or is refused."""
    unreachable = [one for one in tx.players.bouncing() if one.unreachable]
    matches: dict[str, list[int]] = {}
    for listed in tx.matches.summaries(running=True) if unreachable else ():
        if not isinstance(listed, DamagedMatch):
            for player in listed.players:
                matches.setdefault(player.email, []).append(listed.id)
    for one in unreachable:
        if numbers := matches.get(one.email):
            told: Told = {
                "address": one.email,
                "times": one.times,
                "last": f"{one.last:%Y-%m-%d}",
                "number": one.player,
            }
            yield Need("unreachable", one.last, {**told, "matches": name_matches(numbers)})


def _find_uncalled(tx: Transaction) -> Iterator[Need]:
    """Yield a need for each webhook that is called no more."""
    for one in tx.webhooks.disabled():
        if one.disabled_at:
            yield Need("webhook", one.disabled_at, {"host": one.host, "error": one.error})


def _find_limits(tx: Transaction, now: datetime) -> Iterator[Need]:
    """Yield a need for each share of what all together may cause that is used up now; it ends by itself."""
    for share in full_shares(tx.invitations.count_approached(now - STRANGERS.within), STRANGERS):
        yield Need("strangers", now, {"count": part_of(STRANGERS, share), "whose": WHOSE[share]})
    for share, kind, rate in find_used_up(tx, now):
        told: Told = {"kind": kind, "count": part_of(rate, share), "hours": rate.within // HOUR}
        yield Need("share" if kind else "overload", now, {**told, "whose": WHOSE[share]})


def _shorten(text: str, most: int) -> str:
    """Return a text no longer than a sentence can bear."""
    return text if len(text) <= most else f"{text[:most].rstrip()}…"
