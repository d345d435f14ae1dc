"""Emails from the operator to all players: who gets one, and that a text goes to nobody twice in a day."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from pbem.mail.compose import Recipient, compose
from pbem.mail.reply_token import NO_MOVE, ReplyToken
from pbem.match.player import Player
from pbem.notices.render import plain_notice
from pbem.pipeline.act import Act, cause_at
from pbem.storage.transaction import Transaction

BROADCAST = "broadcast"
"""The kind of these emails."""

MINUTELY = 30
"""So many are due each minute: turns that come meanwhile are told first, and providers don’t take fright."""

_ONCE = timedelta(days=1)

Reason = Literal["unsubscribed", "blocked", "unreachable", "had it"]
"""Why a player gets none: they want no email, are blocked, email to them comes back, or they had the text."""


@dataclass(frozen=True)
class Readers:
    """Whom a text goes to: the ``players``, and how many get none, by their reason."""

    players: Sequence[Player]
    without: Mapping[Reason, int]


def choose_readers(
    tx: Transaction, subject: str, text: str, now: datetime, *, match: int | None, everybody: bool, again: bool
) -> Readers:
    """Return the players of running matches to whom a text goes, or those of one match, or ``everybody``.

    ``again``: also those who had the same within a day.
    """
    seats = tx.players.newest_seats(match)
    key = _key(subject, text)
    had = set() if again else {to for to, known, _ in tx.outbound.keys(BROADCAST, now - _ONCE) if known == key}
    lost = {address.email for address in tx.players.bouncing() if address.unreachable}
    players, without = [], Counter[Reason]()
    everyone = [player for player in tx.players.all() if player.has_mail]
    blocked = tx.blocked.among(email for player in everyone for email in player.emails)
    for player in everyone:
        seat = seats.get(player.id)
        if not everybody and (seat is None or (match is None and not seat.runs)):
            continue
        if player.email in blocked:
            without["blocked"] += 1
        elif player.preferences.muted:
            without["unsubscribed"] += 1
        elif player.email in lost:
            without["unreachable"] += 1
        elif player.emails & had:
            without["had it"] += 1
        else:
            players.append(player)
    return Readers(players, without)


def broadcast(act: Act, readers: Sequence[Player], subject: str, text: str) -> datetime:
    """Queue a text to each of ``readers``, an email of their own; return when the last one is due.

    It has no reply token, so that no answer is taken for a move, or told to others. Answers go to the operator, if the
    host has named one. The button for unsubscribing works as in any other email.
    """
    seats = act.tx.players.newest_seats()
    paragraphs = [part.splitlines() for part in text.split("\n\n")]
    notice = plain_notice(
        BROADCAST, act.site.language, subject=subject, text=text, paragraphs=paragraphs, operator=act.site.operator
    )
    key, due_at = _key(subject, text), act.now
    cause = cause_at(key, act.now).text
    for count, player in enumerate(readers):
        leaving = None
        if player.id in seats:
            newest = seats[player.id]
            turn = NO_MOVE + newest.turn
            leaving = ReplyToken(newest.match, turn, newest.seat, player.generation, newest.nonce)
        recipient = Recipient(player.name, player.email, leaving=leaving, answers_to=act.site.operator)
        due_at = act.now + timedelta(seconds=count * 60 // MINUTELY)
        own = replace(notice, html="") if player.preferences.display == "plain" else notice
        act.tx.outbound.enqueue(
            [compose(own, recipient, act.site, cause, act.now, None)], act.now, key=key, due_at=due_at
        )
    return due_at


def _key(subject: str, text: str) -> str:
    """Return the key of a text."""
    return f"{BROADCAST} {hashlib.sha256(subject.encode() + b' : ' + text.encode()).hexdigest()[:16]}"
