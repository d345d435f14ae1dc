"""Which matches an email about several lists, each with its turn and the seat of the reader."""

import hashlib
from collections.abc import Iterable, Sequence

from pbem.asking.posting import enqueue
from pbem.mail.compose import Notice, Recipient, Site, reply_link
from pbem.mail.digest_token import (
    MOST_LISTED,
    beginning_of,
    read_listing,
    sign_digest_token,
    write_listing,
)
from pbem.mail.reply_token import NO_MOVE, ReplyToken, find_token, sign_token
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.pipeline.act import Act
from pbem.storage.transaction import Transaction

_UNKNOWN = NO_MOVE - 1
"""A turn that no match comes to: what was shown of it, nobody knows any more."""


def enqueue_listing(act: Act, notice: Notice, player: Player, listed: Sequence[Match], *, key: str = "") -> None:
    """Queue an email about several matches, whose reply counts at the seats of its reader in those.

    Where they are too many, it does in those that wait for them.
    """
    named = hashlib.sha256(f"{act.cause.text} {act.now.isoformat()}".encode()).digest()
    proof = sign_digest_token(int.from_bytes(named[:4], "big"), player.id, player.generation, act.site.secret)
    first = sorted(listed, key=lambda match: match.to_act != match.seat_of(player))[:MOST_LISTED]
    tokens = [_token_of(player, match) for match in first]
    listing = write_listing(sign_token(token, act.site.secret) for token in tokens)
    leaving = next(iter(tokens), None)
    reader = Recipient(player.name, player.email, proof=proof, listing=listing, leaving=leaving)
    enqueue(act, notice, reader, key=key)


def link_boards(act: Act, player: Player, listed: Iterable[Match]) -> dict[int, str]:
    """Return, by the number of each match, the link by which a player asks for its board, as a reply to it would."""
    links = {}
    for match in listed:
        token = sign_token(_token_of(player, match), act.site.secret)
        links[match.id] = reply_link(act.site, token, f"pbem {match.id}", "show")
    return links


def find_listing(tx: Transaction, site: Site, number: int, player: Player, answered: Sequence[str]) -> list[ReplyToken]:
    """Return what the email with that number to a player listed, as reply tokens whose generations are to be checked.

    ``answered`` are the Message-IDs that the reply names. Where a provider gave the email another one, ours is kept;
    where that is lost, too, since a backup was restored, they are all matches of the player, each in no known turn.
    """
    for message_ids in (answered, tx.outbound.message_ids(sorted(player.emails), beginning_of(number))):
        found = (find_token([one], site.secret, tx.matches.nonce) for one in read_listing(message_ids, number))
        if listed := [token for token in found if token]:
            return listed
    running = tx.matches.all(player=player.id, running=True)
    return [_token_of(player, match, _UNKNOWN) for match in running[:MOST_LISTED]]


def _token_of(player: Player, match: Match, turn: int | None = None) -> ReplyToken:
    """Return the reply token of a player in a match: of the present turn, or of another."""
    named = match.turn if turn is None else turn
    return ReplyToken(match.id, named, match.seat_of(player), player.generation, match.nonce)
