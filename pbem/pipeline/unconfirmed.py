"""Unconfirmed addresses: a message with a player's reply token is held until the player confirms its sender."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem.commands import (
    AddAddress,
    Discard,
    Disown,
    DropAddress,
    Effect,
    MatchDecision,
    Reply,
    Requeue,
    Step,
    UnknownAddress,
    looks_like_a_move,
)
from pbem.inbound import answer_in
from pbem.match import Player
from pbem.notices import LONGEST_QUESTION
from pbem.pipeline.identify import Place
from pbem.pipeline.interpret import Reading
from pbem.pipeline.limits import suppression_reason
from pbem.storage import InboundRecord, Transaction

HELD = UnknownAddress.kind
"""The reason of a message that is held until its player confirms that they wrote it."""

DISOWNED = "not_his"
"""The reason of a message that its player says they did not write, and of later ones from that address."""

ASKING = "was_this_you"
"""The kind of the notice that asks the player."""

ANSWERABLE = timedelta(days=14)
"""The time in which a question can be answered, and is not asked again."""

_QUESTIONS_DAILY = 3
_LONGEST_ADDRESS = 60  # characters: a longer one could not be shown on one line


def hold(tx: Transaction, sender: str, place: Place, reading: Reading, now: datetime) -> Discard | UnknownAddress:
    """Return the end of a message with a valid reply token from an unknown address: held, or discarded.

    The player is asked about an address once in the time in which they can answer.
    """
    player = place.player
    if tx.inbound.has_ended_for(DISOWNED, sender, player):
        return Discard(DISOWNED, f"{player.name} has said that this address is not his")
    unasked = _why_unasked(tx, player, sender, reading.lines, now)
    then = f"who was not asked: {unasked}" if unasked else "who is asked"
    return UnknownAddress(f"held: {sender} is no address of {player.name}, {then}", asks=not unasked)


def settle_confirmation(tx: Transaction, place: Place, reading: Reading, now: datetime) -> MatchDecision | None:
    """Return the decision that follows from the answer to such a question; None for any other message.

    After yes the address becomes the player's, and the message that the question showed waits to be processed.
    Other messages from there stay held, since the player has not seen them. After no the address is not theirs.
    """
    written = [line for line in reading.lines if line.strip()]
    if not written or len(written) > 3 or any(map(looks_like_a_move, written)) or not reading.answered:
        return None
    answer = answer_in(written[0])
    # The message must reply to the question itself: replies to later notices only refer to it.
    held = tx.inbound.find_cause(place.match.id, place.seat, ASKING, reading.answered[:1]) if answer else None
    if held is None or held.sender is None or now - held.received_at > ANSWERABLE:
        return None
    settle = _confirm_address if answer == "yes" else _disown_address
    effects, result = settle(tx, place.player, held, held.sender)
    if not suppression_reason(tx, "address_settled", place.player.email, now):
        effects.append(Reply("address_settled", result))
    return MatchDecision(
        (Step(answer, tuple(effects)),),
        before=place.match,
        after=place.match,
        seat=place.seat,
        noted=f"asked about letter {held.id}",
    )


def _why_unasked(tx: Transaction, player: Player, sender: str, lines: Sequence[str], now: datetime) -> str:
    """Return why ``player`` is not asked about a message with these ``lines``; an empty text if they are."""
    written = sum(1 for line in lines for part in line.split(";") if part.strip())  # each is shown as a line
    if not written:
        return "there is nothing in it"
    # A message too long for the question is not asked about: nobody should confirm lines that they cannot see.
    if written > LONGEST_QUESTION or len(sender) > _LONGEST_ADDRESS:
        return "it is too long to be shown"
    if player.preferences.muted:
        return "that player wants no mails"
    if tx.outbound.has_caused(sender, ASKING, player, now - ANSWERABLE):
        return "that question was asked before"
    if tx.outbound.count(player.email, ASKING, now - timedelta(days=1), _QUESTIONS_DAILY) >= _QUESTIONS_DAILY:
        return "there were enough such questions today"
    return ""


def _confirm_address(tx: Transaction, player: Player, held: InboundRecord, sender: str) -> tuple[list[Effect], str]:
    """Return the effects that give ``sender`` to ``player`` and requeue the held message, and the answer to them."""
    owner = tx.players.find(sender)
    if owner is not None and owner.id != player.id:
        return [], f"but {sender} belongs to another player by now, so nothing was done."
    waits = held.reason in (HELD, DISOWNED) and held.status not in ("accepted", "received")
    effects: list[Effect] = [AddAddress(player, sender)] if owner is None else []
    effects += [Requeue(held.id)] if waits else []
    if owner is not None and not waits:
        return effects, f"that was settled before. You can write from {sender} as well."
    result = [f"you can write from {sender} as well from now on."]
    result += ["The mail I asked about counts as yours; what comes of it, another mail tells you."] if waits else []
    if tx.inbound.has_ended_for(HELD, sender, player, held.id):
        result.append("What else came from there was not read: please send again what still matters.")
    return effects, " ".join(result)


def _disown_address(tx: Transaction, player: Player, held: InboundRecord, sender: str) -> tuple[list[Effect], str]:
    """Return the effects that take ``sender`` from ``player``, even after an earlier yes, and the answer to them."""
    effects: list[Effect] = [DropAddress(player, sender)]
    if held.status == "accepted":
        result = f"nothing more counts that comes from {sender}. But the mail I asked about was carried out before."
        return effects, result
    effects.append(Disown(held.id))
    return effects, f"that mail does not count, nor does anything else that comes from {sender}."
