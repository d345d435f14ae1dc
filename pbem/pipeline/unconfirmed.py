"""A known player at an unknown address: their message is held, and their known address is asked whose it was."""

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
from pbem.pipeline.identify import Place
from pbem.pipeline.interpret import Reading
from pbem.pipeline.limits import suppression_reason
from pbem.storage import InboundRecord, Transaction

HELD = UnknownAddress.kind
"""The reason of a message that is held until its player has said that they wrote it."""

DISOWNED = "not_his"
"""The reason of a message that its player says they did not write, and of later ones from there."""

ASKING = "was_this_you"
"""The kind of the email that asks them."""

ANSWERABLE = timedelta(days=14)
"""How long a question can be answered, and is not asked again."""

LONGEST_QUESTION = 40
"""Lines that a question about a message shows of it."""

_DAILY = 3
_LONGEST_ADDRESS = 60  # characters: a longer one could not be shown on one line


def hold(tx: Transaction, sender: str, place: Place, reading: Reading, now: datetime) -> Discard | UnknownAddress:
    """Return how a message ends that bears a right reply token but comes from an address of nobody.

    About one address its player is asked once in the time in which they can answer.
    """
    player = place.player
    if tx.inbound.has_ended_for(DISOWNED, sender, player):
        return Discard(DISOWNED, f"{player.name} has said that this address is not his")
    unasked = _why_unasked(tx, player, sender, reading.lines, now)
    then = f"who was not asked: {unasked}" if unasked else "who is asked"
    return UnknownAddress(f"held: {sender} is no address of {player.name}, {then}", asks=not unasked)


def settle_confirmation(tx: Transaction, place: Place, reading: Reading, now: datetime) -> MatchDecision | None:
    """Return what follows from the answer to such a question; None for a message that is no such answer.

    With yes the address becomes the player's, and the message they were shown waits again, to be processed like any.
    What else came from there stays held: they have not seen it. With no the address is not, or no longer, theirs.
    """
    said = [line for line in reading.lines if line.strip()]
    if not said or len(said) > 3 or any(map(looks_like_a_move, said)) or not reading.answered:
        return None
    answer = answer_in(said[0])
    # The email answered must be the question itself: later ones of the thread only refer to it.
    held = tx.inbound.find_cause(place.match.id, place.seat, ASKING, reading.answered[:1]) if answer else None
    if held is None or held.sender is None or now - held.received_at > ANSWERABLE:
        return None
    effects, told = (_adopt if answer == "yes" else _disown)(tx, place.player, held, held.sender)
    if not suppression_reason(tx, "address_settled", place.player.email, now):
        effects.append(Reply("address_settled", told))
    return MatchDecision(
        (Step(answer, tuple(effects)),),
        before=place.match,
        after=place.match,
        seat=place.seat,
        noted=f"asked about letter {held.id}",
    )


def _why_unasked(tx: Transaction, player: Player, sender: str, lines: Sequence[str], now: datetime) -> str:
    """Return why ``player`` is not asked about a message of these ``lines``, or an empty text if they are."""
    written = sum(1 for line in lines if line.strip())
    if not written:
        return "there is nothing in it"
    # What cannot be shown whole is not asked about: nobody should agree to what they do not see.
    if written > LONGEST_QUESTION or len(sender) > _LONGEST_ADDRESS:
        return "it is too long to be shown"
    if player.preferences.muted:
        return "that player wants no mails"
    if tx.outbound.has_caused(sender, ASKING, player, now - ANSWERABLE):
        return "that question was asked before"
    if tx.outbound.count(player.email, ASKING, now - timedelta(days=1)) >= _DAILY:
        return "there were enough such questions today"
    return ""


def _adopt(tx: Transaction, player: Player, held: InboundRecord, sender: str) -> tuple[list[Effect], str]:
    """Return what makes ``sender`` an address of ``player`` and processes the held message, and what to tell them."""
    owner = tx.players.find(sender)
    if owner is not None and owner.id != player.id:
        return [], f"but {sender} belongs to another player by now, so nothing was done."
    waits = held.reason in (HELD, DISOWNED) and held.status not in ("accepted", "received")
    effects: list[Effect] = [AddAddress(player, sender)] if owner is None else []
    effects += [Requeue(held.id)] if waits else []
    if owner is not None and not waits:
        return effects, f"that was settled before. You can write from {sender} as well."
    told = [f"you can write from {sender} as well from now on."]
    told += ["The mail I asked about counts as yours; what comes of it, another mail tells you."] if waits else []
    if tx.inbound.has_ended_for(HELD, sender, player, held.id):
        told.append("What else came from there was not read: please send again what still matters.")
    return effects, " ".join(told)


def _disown(tx: Transaction, player: Player, held: InboundRecord, sender: str) -> tuple[list[Effect], str]:
    """Return what makes ``sender`` no address of ``player``, whatever was said before, and what to tell them."""
    effects: list[Effect] = [DropAddress(player, sender)]
    if held.status == "accepted":
        told = f"nothing more counts that comes from {sender}. But the mail I asked about was carried out before."
        return effects, told
    effects.append(Disown(held.id))
    return effects, f"that mail does not count, nor does anything else that comes from {sender}."
