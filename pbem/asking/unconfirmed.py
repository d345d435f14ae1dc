"""Unconfirmed addresses: a message with a player's reply token is held until the player and its sender confirm.

First the player is asked, then the address itself: nobody gives away an address that is not theirs.
"""

from collections.abc import Sequence
from datetime import datetime

from pbem.asking.limit_table import ANSWERABLE, LIMITS, REMEMBERED, is_full
from pbem.asking.limits import allowance, had_enough
from pbem.commands.asking_effects import DECLINED, AskAddress, CloseQuestion, questions_about
from pbem.commands.decision import MatchDecision, Step
from pbem.commands.effects import AddAddress, Disown, DropAddress, Effect, Reply, Requeue
from pbem.commands.rejections import Discard, UnknownAddress
from pbem.mail.headers import mailbox_of
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.notices.audience import LONGEST_QUESTION
from pbem.pipeline.identify import Origin, Place
from pbem.pipeline.interpret import Reading
from pbem.reading.reason import Reason, because
from pbem.storage.database import Transaction
from pbem.storage.messages.records import InboundRecord
from rules.position import Seat

HELD = UnknownAddress.kind
"""The reason of a message that is held until its player confirms that they wrote it."""

DISOWNED = "not_his"
"""The reason of a message that its player says they did not write, and of later ones from that address."""

ASKING = "was_this_you"
"""The kind of the notice that asks the player."""

OWN_ADDRESS = "own_address"
"""The kind of the question to a player whether an address is theirs that they named, and that has said yes."""

_ASKING_ADDRESS = "confirm_address"
_LONGEST_ADDRESS = 60  # characters: a longer one could not be shown on one line


def hold(tx: Transaction, sender: str, place: Place, reading: Reading, now: datetime) -> Discard | UnknownAddress:
    """Return the end of a message with a valid reply token from an unknown address: held, or discarded.

    The player is asked about an address once in the time in which they can answer.
    """
    player = place.player
    if tx.inbound.has_ended_for(DISOWNED, sender, player):
        return Discard(DISOWNED, f"{player.name} has said that this address is not theirs")
    if tx.outbound.has_key(sender, CloseQuestion(player, sender, declined=True).key, now - REMEMBERED):
        return Discard(DECLINED, f"this address has said that it is not that of {player.name}")
    unasked = _why_unasked(tx, player, sender, reading.lines, now)
    then = f"who was not asked: {unasked}" if unasked else "who is asked"
    return UnknownAddress(f"held: {sender} is no address of {player.name}, {then}", asks=not unasked)


def settle_confirmation(tx: Transaction, place: Place, reading: Reading, now: datetime) -> MatchDecision | None:
    """Return the decision that follows from the answer to such a question; None for any other message.

    After yes the address itself is asked, and after no it is not the player's.
    """
    answer = reading.answer.means if reading.answered else ""
    # The message must reply to the question itself: replies to later notices only refer to it.
    held = tx.inbound.find_cause(place.match.id, place.seat, ASKING, reading.answered[:1]) if answer else None
    if answer and held is None:
        return _settle_own_address(tx, place, answer, reading, now)
    if held is None or held.sender is None or now - held.received_at > ANSWERABLE:
        return None
    if answer == "yes":
        effects, result = _claim_address(tx, place.player, held, held.sender, now)
    else:
        effects, result = _disown_address(place.player, held, held.sender)
    return _decide(tx, answer, effects, result, held, place.match, place.seat, now)


def _settle_own_address(
    tx: Transaction, place: Place, answer: str, reading: Reading, now: datetime
) -> MatchDecision | None:
    """Return the decision that follows from a player's last word about an address that they named; None for none.

    Only who reads their main address can give it: the question is found by its Message-ID.
    """
    said = tx.inbound.find_cause(place.match.id, place.seat, OWN_ADDRESS, reading.answered[:1])
    if said is None or said.sender is None or now - said.received_at > ANSWERABLE:
        return None
    player, email = place.player, said.sender
    owner, effects = tx.players.find(email), list[Effect]()
    if answer == "no":
        result = _told("address_not_added", email)
    elif owner is not None:
        result = _told("address_known" if owner.id == player.id else "address_taken", email)
    elif tx.outbound.has_key(email, CloseQuestion(player, email, declined=True).key, now - REMEMBERED):
        result = _told("address_refused", email)
    elif tx.blocked.has(email):
        result = _told("address_not_askable", email)
    else:
        effects, result = [AddAddress(player, email)], _told("address_added", email)
    return _decide(tx, answer, effects, result, said, place.match, place.seat, now)


def may_be_asked(tx: Transaction, player: Player, email: str, now: datetime) -> bool:
    """Return whether an address that ``player`` names may be asked whether it is theirs; of its owner nothing shows."""
    return tx.players.find(email) is None and not _why_address_unasked(tx, player, email, now)


def settle_question(tx: Transaction, origin: Origin, reading: Reading, now: datetime) -> MatchDecision | None:
    """Return the decision that follows from what an address answers to the question whose it is; None for none.

    After yes it becomes the player's, and the held message waits to be processed. Other messages from there stay held,
    since the player has not seen them. After no it is not the player's, even after an earlier yes.
    """
    held = tx.inbound.get(origin.question) if origin.question is not None else None
    answer = reading.answer.means if held and reading.whole else ""
    match = tx.matches.get(held.match) if answer and held and held.match is not None else None
    if held is None or match is None or held.seat is None:
        return None
    player, sender = match.players[held.seat], origin.sender
    asked = tx.outbound.keys(_ASKING_ADDRESS, now - REMEMBERED)
    if not any(to == sender and key.startswith(questions_about(player)) for to, key, _ in asked):
        return None  # it was asked about the player who had the seat before
    if player.forgotten:
        return None
    owner = tx.players.find(sender)
    if answer == "no":
        effects, result = _decline_address(player, held, sender, was_theirs=owner is not None and owner.id == player.id)
    elif (owner is not None and owner.id != player.id) or tx.blocked.among(player.emails):
        return None
    elif tx.outbound.has_key(sender, AskAddress(player, sender, held.id).key, now - ANSWERABLE):
        if owner is None and held.sender != sender:  # the player named it: what is their own last word?
            closed = CloseQuestion(player, sender, declined=False)
            asked_back = Reply(OWN_ADDRESS, _told("address_says_yes", sender))
            return _decide(tx, answer, [closed, asked_back], (), held, match, held.seat, now)
        effects, result = _add_address(tx, player, held, sender) if owner is None else ([], ())
    else:
        return None
    result = () if player.preferences.muted else result
    return _decide(tx, answer, effects, result, held, match, held.seat, now)


def _told(code: str, sender: str) -> tuple[Reason, ...]:
    """Return what a player is told about an address, ``sender``."""
    return (because(code, address=sender),)


def _decide(
    tx: Transaction,
    answer: str,
    effects: list[Effect],
    result: tuple[Reason, ...],
    held: InboundRecord,
    match: Match,
    seat: Seat,
    now: datetime,
) -> MatchDecision:
    """Return the decision with these effects, of which the player at ``seat`` is told ``result``, if anything."""
    if result and not allowance(tx, "address_settled", match.players[seat].email, now).suppressed:
        effects = [*effects, Reply("address_settled", result)]
    noted = f"asked about letter {held.id}"
    return MatchDecision((Step(answer, tuple(effects)),), before=match, after=match, seat=seat, noted=noted)


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
    if had_enough(tx, ASKING, player.email, now):
        return "there were enough such questions today"
    return ""


def _claim_address(
    tx: Transaction, player: Player, held: InboundRecord, sender: str, now: datetime
) -> tuple[list[Effect], tuple[Reason, ...]]:
    """Return the effects of the yes of ``player``, who wrote ``held`` from ``sender``, and the answer to it."""
    owner = tx.players.find(sender)
    if owner is not None and owner.id != player.id:
        return [], _told("address_taken", sender)
    waits = held.reason in (HELD, DISOWNED) and held.status not in ("accepted", "received")
    if owner is not None:
        return ([Requeue(held.id)] if waits else []), _told("address_known", sender)
    if held.reason == DECLINED:
        return [], _told("address_refused", sender)
    then = (because("yes_completes_message" if waits else "yes_completes"),)
    if tx.outbound.has_key(sender, AskAddress(player, sender, held.id).key, now - ANSWERABLE):
        return [], (*_told("address_asked_before", sender), *then)
    if _why_address_unasked(tx, player, sender, now):
        return [], _told("address_not_askable", sender)
    return [AskAddress(player, sender, held.id)], (*_told("address_asked", sender), *then)


def _why_address_unasked(tx: Transaction, player: Player, email: str, now: datetime) -> str:
    """Return why ``email`` is not asked whether it is that of ``player``; an empty text if it is."""
    if tx.blocked.has(email):
        return "it is blocked"
    if tx.outbound.has_bounced(email, now - REMEMBERED):
        return "email to it came back"
    asked = tx.outbound.keys(_ASKING_ADDRESS, now - REMEMBERED)
    about = questions_about(player)
    # Variants of an address reach the same mailbox.
    same = [(key, at) for to, key, at in asked if mailbox_of(to) == mailbox_of(email)]
    if any(key.endswith(DECLINED) for key, _ in same):
        return "it has said no to such a question"
    if any(key.startswith(about) and at > now - ANSWERABLE for key, at in same):
        return "it was asked that before"
    limit = LIMITS[_ASKING_ADDRESS]
    theirs = [at for _, key, at in asked if key.startswith(about)]
    if is_full(limit.to, (at for _, at in same), now) or is_full(limit.everybody, (at for *_, at in asked), now):
        return "there were enough such questions this week"
    if is_full(limit.about, theirs, now):
        return "there were enough such questions about that player this week"
    return ""


def _add_address(
    tx: Transaction, player: Player, held: InboundRecord, sender: str
) -> tuple[list[Effect], tuple[Reason, ...]]:
    """Return the effects of the yes of ``sender`` to being that of ``player``, and what the player is told of it."""
    waits = held.reason in (HELD, DISOWNED) and held.status not in ("accepted", "received")
    effects: list[Effect] = [AddAddress(player, sender)]
    effects += [Requeue(held.id)] if waits else []
    result = _told("address_added", sender)
    if waits:
        result = (*result, because("message_counts"))
    if tx.inbound.has_ended_for(HELD, sender, player, held.id):
        result = (*result, because("others_unread"))
    return effects, result


def _decline_address(
    player: Player, held: InboundRecord, sender: str, *, was_theirs: bool
) -> tuple[list[Effect], tuple[Reason, ...]]:
    """Return the effects of the no of ``sender``, even after an earlier yes, and what the player is told of it."""
    if held.reason == DECLINED:
        return [], ()
    effects: list[Effect] = [DropAddress(player, sender), CloseQuestion(player, sender, declined=True)]
    if held.status == "accepted":
        return effects, _told("address_left", sender) if was_theirs else ()
    return [*effects, Disown(held.id, DECLINED)], _told("address_declined", sender)


def _disown_address(player: Player, held: InboundRecord, sender: str) -> tuple[list[Effect], tuple[Reason, ...]]:
    """Return the effects that take ``sender`` from ``player``, even after an earlier yes, and the answer to them."""
    effects: list[Effect] = [DropAddress(player, sender)]
    if held.reason == DECLINED:
        return effects, _told("address_never_counts", sender)
    effects.append(CloseQuestion(player, sender, declined=False))
    if held.status == "accepted":
        return effects, _told("address_dropped_late", sender)
    effects.append(Disown(held.id, DISOWNED))
    return effects, _told("address_dropped", sender)
