"""Addresses the notices of a match, each into its reader's thread, and puts them into the outbox."""

from collections.abc import Iterable
from datetime import datetime

from pbem.envelope import Desk, Recipient, seal
from pbem.match import Match
from pbem.notices import Notice
from pbem.store import Work
from pbem.tag import Tag
from rules import Seat

UNASKED = frozenset({"opened", "your_turn", "partner_turn", "move_made", "match_over", "remark"})
"""The kinds of notices that come without their reader having written."""


def queue_notices(
    work: Work,
    match: Match,
    notices: Iterable[tuple[Seat, Notice]],
    desk: Desk,
    cause: str,
    now: datetime,
    inbound: int | None = None,
) -> None:
    """Address notices to the seats they are for, each into its thread, and queue them.

    A player who wants no mails gets only those that answer a letter of his own.
    """
    threads = work.threads(match.id)
    mails = []
    for seat, notice in notices:
        player = match.players[seat]
        if player.quiet and notice.kind in UNASKED:
            continue
        recipient = Recipient(player.name, player.email, Tag(match.id, match.ply, seat), threads.get(seat))
        mail = seal(notice, recipient, desk, cause, now, inbound)
        threads[seat] = (threads.get(seat, (mail.message_id,))[0], mail.message_id)
        mails.append(mail)
    work.queue(mails, now)
