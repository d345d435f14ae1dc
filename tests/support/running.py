"""What tests of a running service share: all that it keeps, and how its process ends."""

from collections.abc import Callable, Iterator
from random import Random

from pbem.running.service import Arrival
from pbem.storage.messages.records import InboundRecord
from tests.support.club import Club

MakeClub = Callable[..., Club]
ENDINGS = frozenset({"accepted", "rejected", "discarded", "failed"})


class Kill(BaseException):
    """The end of the process."""


def inbound_messages(club: Club) -> list[InboundRecord]:
    """Return all inbound messages, the oldest first."""
    with club.service.database.reading() as tx:
        return list(reversed(tx.inbound.latest(limit=1000)))


def state(club: Club) -> dict[str, object]:
    """Return all that is kept, but for when it was."""
    with club.service.database.reading() as tx:
        matches = [(match.id, match.record, match.comments) for match in tx.matches.all(comments=True)]
        outbound = [(mail.message_id, mail.kind, mail.recipient, mail.status) for mail in club.queued()]
        inbound = [(row.identity, row.status, row.reason, row.commands) for row in inbound_messages(club)]
        return {"matches": matches, "inbound": inbound, "outbound": sorted(outbound)}


def play(club: Club, seed: int) -> Iterator[tuple[int, Arrival]]:
    """Play match 1 at random to its end, each player answering the newest email to them."""
    random = Random(seed)
    while (match := club.match()).outcome is None:
        assert isinstance(match.to_act, int)
        yield match.to_act, club.reply(match.to_act, str(match.position.any_move(random.randrange)))
