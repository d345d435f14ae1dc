"""The digest: all boards that wait for a player in one email, when they want it; and single ones again without it."""

from collections.abc import Sequence
from datetime import datetime

from pbem.asking.asked_again import announce_present
from pbem.due.listed_matches import enqueue_listing
from pbem.errors import DamagedRow
from pbem.match.match import Comment, Match
from pbem.match.player import Player
from pbem.match.time.digest_times import next_digest
from pbem.notices.audience import since_last_turn
from pbem.notices.digest_email import MOST_BOARDS, digest_notice
from pbem.notices.sentences.status import urgency
from pbem.notices.whole_boards import SHOWING
from pbem.pipeline.act import Act, cause_at
from pbem.pipeline.interpret import DIGEST
from pbem.storage.due import DIGEST_DUE
from rules.position import Seat


def send_digest(act: Act, number: int) -> None:
    """Send a player the boards that wait for them, and schedule the next digest.

    Whoever has none any more gets those boards one by one of which nothing else has told them, each once.
    """
    player = act.tx.players.get(number)
    if player is None:
        raise DamagedRow(f"player {number} is to be sent a digest, and is not there")
    if not player.has_mail:
        return
    if due_at := next_digest(player.preferences.digest, player.calendar, act.now):
        act.tx.due.schedule(DIGEST_DUE, number, due_at)
    if player.preferences.muted:
        return
    waiting = [
        match for match in act.tx.matches.all(player=number, running=True) if match.to_act == match.seat_of(player)
    ]
    away = act.tx.put_away.among([match.id for match in waiting])
    waiting = [match for match in waiting if match.id not in away]
    if not player.preferences.digest:
        for match in waiting:
            seat = match.seat_of(player)
            if not act.tx.outbound.has_been_told(match.id, seat, player.email, SHOWING, match.changed_at):
                announce_present(act.because(cause_at(f"digest off {match.id}", act.now)), match, seat)
        return
    if waiting:
        _send(act, player, sorted(waiting, key=urgency))


def _send(act: Act, player: Player, waiting: list[Match]) -> None:
    """Queue the digest, the most urgent match first."""
    contents = []
    for match in waiting[:MOST_BOARDS]:
        seat = match.seat_of(player)

        def recall(ply: int, after: datetime, seat: Seat, number: int = match.id) -> Sequence[Comment]:
            return act.tx.matches.comments_since(number, ply, after, seat)

        contents.append((match, since_last_turn(match, seat, recall, act.site.language)))
    notice, shown = digest_notice(contents, player, len(waiting), act.now, act.site.archive, act.site.language)
    enqueue_listing(act.because(cause_at(DIGEST, act.now)), notice, player, shown)
