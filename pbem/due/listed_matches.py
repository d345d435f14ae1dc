"""Which matches an email about several lists, each with its turn and the seat of the reader; kept as its key."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.asking.posting import enqueue
from pbem.mail.compose import Notice, Recipient, reply_link
from pbem.mail.digest_token import sign_digest_token
from pbem.mail.reply_token import ReplyToken, sign_token
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.pipeline.act import Act
from pbem.pipeline.interpret import LISTINGS
from pbem.storage.database import Transaction
from rules.position import Seat

_LISTED = re.compile(r"(\d{1,9})\.(\d{1,6})\.(\d{1,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Listed:
    """A match that an email listed, in which turn, and at which seat its reader was to act."""

    match: int
    turn: int
    seat: Seat


def enqueue_listing(act: Act, notice: Notice, player: Player, listed: Sequence[Match]) -> None:
    """Queue an email about several matches, whose reply counts at the seats of its reader in those."""
    # A second after 1970 is a larger number than any message has.
    number = act.cause.inbound or int(act.now.timestamp())
    token = sign_digest_token(number, player.id, player.generation, act.site.secret)
    key = _key_of_listing(number, [(match.id, match.turn, match.seat_of(player)) for match in listed])
    enqueue(act, notice, Recipient(player.name, player.email, proof=token), key=key)


def link_boards(act: Act, player: Player, listed: Iterable[Match]) -> dict[int, str]:
    """Return, by the number of each match, the link by which a player asks for its board, as a reply to it would."""
    links = {}
    for match in listed:
        token = ReplyToken(match.id, match.turn, match.seat_of(player), player.generation, match.nonce)
        links[match.id] = reply_link(act.site, sign_token(token, act.site.secret), f"pbem {match.id}", "show")
    return links


def find_listing(tx: Transaction, number: int, player: Player) -> list[Listed] | None:
    """Return what the email with that number to a player listed; None if there is none, as after a restored backup."""
    for kind in LISTINGS:
        if key := tx.outbound.find_key(sorted(player.emails), kind, _beginning(number)):
            listed = _LISTED.finditer(key.removeprefix(_beginning(number)))
            return [Listed(*map(int, found.groups())) for found in listed]
    return None


def _key_of_listing(number: int, listed: Iterable[tuple[int, int, Seat]]) -> str:
    """Return the key of the email with that number that lists these matches."""
    return f"{_beginning(number)}{' '.join(f'{match}.{turn}.{seat}' for match, turn, seat in listed)}"


def _beginning(number: int) -> str:
    """Return how the key of the email with that number begins."""
    return f"digest {number} "
