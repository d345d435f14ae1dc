"""The digest: all boards that wait for a player in one email, when they want it; and single ones again without it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pbem.due.listed_matches import key_of_listing
from pbem.errors import DamagedRow
from pbem.inbound.reply import quotable_words
from pbem.mail.compose import Notice, Recipient, Site, compose
from pbem.mail.digest_token import sign_digest_token
from pbem.match.digest_times import next_digest
from pbem.match.match import Comment, Match
from pbem.match.player import Player
from pbem.notices.audience import since_last_turn
from pbem.notices.digest_email import MOST_BOARDS, digest_notice
from pbem.notices.sentences.status import urgency
from pbem.pipeline.announce import announce_present
from pbem.pipeline.interpret import DIGEST
from pbem.pipeline.record import Cause, cause_at
from pbem.storage.database import Transaction
from pbem.storage.due import DIGEST_DUE
from rules.position import Seat

_SHOWING = ("opened", "your_turn", "show", "board", "resume", "new_address", "reminder", "time_up", DIGEST)
"""The kinds of emails with a board, after which a turn need not be told again."""


def send_digest(tx: Transaction, number: int, site: Site, now: datetime) -> None:
    """Send a player the boards that wait for them, and schedule the next digest.

    Whoever has none any more gets those boards one by one of which nothing else has told them, each once.
    """
    player = tx.players.get(number)
    if player is None:
        raise DamagedRow(f"player {number} is to be sent a digest, and is not there")
    if not player.has_mail:
        return
    if due_at := next_digest(player.preferences.digest, player.calendar, now):
        tx.due.schedule(DIGEST_DUE, number, due_at)
    if player.preferences.muted:
        return
    waiting = [match for match in tx.matches.all(player=number, running=True) if match.to_act == match.seat_of(player)]
    away = tx.put_away.among([match.id for match in waiting])
    waiting = [match for match in waiting if match.id not in away]
    if not player.preferences.digest:
        for match in waiting:
            seat = match.seat_of(player)
            if not tx.outbound.has_been_told(match.id, seat, player.email, _SHOWING, match.changed_at):
                announce_present(tx, match, seat, site, cause_at(f"digest off {match.id}", now), now)
        return
    if waiting:
        _send(tx, player, sorted(waiting, key=urgency), site, now)


def _send(tx: Transaction, player: Player, waiting: list[Match], site: Site, now: datetime) -> None:
    """Queue the digest, the most urgent match first."""
    contents = []
    for match in waiting[:MOST_BOARDS]:
        seat = match.seat_of(player)

        def recall(ply: int, after: datetime, seat: Seat, number: int = match.id) -> Sequence[Comment]:
            return tx.matches.comments_since(number, ply, after, seat)

        contents.append((match, since_last_turn(match, seat, recall, site.language)))
    notice, shown = digest_notice(contents, player, len(waiting), now, site.archive, site.language)
    enqueue_listing(tx, notice, player, shown, site, cause_at(DIGEST, now), now)


def enqueue_listing(
    tx: Transaction, notice: Notice, player: Player, listed: list[Match], site: Site, cause: Cause, now: datetime
) -> None:
    """Queue an email about several matches, whose reply counts at the seats of its reader in those."""
    number = cause.inbound or int(now.timestamp())  # a second after 1970 is a larger number than any message has
    token = sign_digest_token(number, player.id, player.generation, site.secret)
    recipient = Recipient(player.name, player.email, digest_token=token)
    message = compose(notice, recipient, site, cause.text, now, cause.inbound)
    key = key_of_listing(number, [(match.id, match.turn, match.seat_of(player)) for match in listed])
    tx.outbound.enqueue([replace(message, quotable=quotable_words(message.quotable))], now, key=key)
