"""Whose an address is: a message with a player's reply token from an unknown one is held until both sides confirm.

First the player is asked, then the address itself: nobody gives away an address that is not theirs. For one that the
player has named themselves, they have the last word.
"""

from collections.abc import Sequence
from datetime import datetime

from pbem.asking.limit_table import ANSWERABLE, REMEMBERED
from pbem.asking.limits import allowance, had_enough
from pbem.asking.may_ask import why_unasked
from pbem.asking.posting import pose, post
from pbem.asking.proposals import LAST_WORD, SENDER
from pbem.commands.asking_effects import Ask, Settle
from pbem.commands.decision import MatchDecision, Step
from pbem.commands.effects import AddAddress, ClaimAddress, Disown, DropAddress, Effect, Reply, Requeue
from pbem.commands.rejections import Discard, OfferOpen, UnknownAddress
from pbem.due.gate import is_too_late
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.notices.audience import LONGEST_QUESTION
from pbem.notices.render import plain_notice
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin, Place
from pbem.pipeline.interpret import Reading
from pbem.reading.reason import Reason, because
from pbem.storage.messages.records import InboundRecord
from pbem.storage.transaction import Transaction

HELD = UnknownAddress.kind
"""The reason of a message that is held until its player confirms that they wrote it."""

DISOWNED = "not_his"
"""The reason of a message that its player says they did not write, and of later ones from that address."""

DECLINED = "declined"
"""The reason of messages from an address that has said no."""

ADDRESS = "confirm_address"
"""The kind of the question to an address whether it is that of a player."""

MOST_ADDRESSES = 10
"""Addresses that a player may have."""

_LONGEST_ADDRESS = 60  # characters: a longer one could not be shown on one line


def hold(tx: Transaction, sender: str, place: Place, reading: Reading, now: datetime) -> Discard | UnknownAddress:
    """Return the end of a message with a valid reply token from an unknown address: held, or discarded.

    The player is asked about an address once in the time in which they can answer.
    """
    player = place.player
    if tx.inbound.has_ended_for(DISOWNED, sender, player):
        return Discard(DISOWNED, f"{player.name} has said that this address is not theirs")
    if _has_declined(tx, player, sender, now):
        return Discard(DECLINED, f"this address has said that it is not that of {player.name}")
    unasked = _why_player_unasked(tx, player, sender, reading.lines, now)
    then = f"who was not asked: {unasked}" if unasked else "who is asked"
    return UnknownAddress(f"held: {sender} is no address of {player.name}, {then}", asks=not unasked)


def settle_player(act: Act, place: Place, question: Question, reading: Reading) -> MatchDecision | None:
    """Return the decision that follows from what a player answers about the address that a message came from.

    None for no answer; raise OfferOpen for one that comes too late. Only whoever reads the question itself can give it,
    so it is found by its Message-ID.
    """
    answer = reading.answer.means
    held = act.tx.inbound.get(question.inbound) if question.inbound is not None else None
    if not answer:
        return None
    if held is None or held.sender is None or is_too_late(act.tx, question.asked_at, act.now):
        raise OfferOpen("closed")
    address, player = held.sender, place.player
    if answer == "no" and address == player.email:
        return _decide(act, answer, [], _told("address_main", address), held, place.match, place.seat)
    if question.kind == LAST_WORD:
        effects, result = _take_last_word(act.tx, player, address, answer, act.now)
    elif answer == "yes":
        effects, result = _claim(act, player, held, address)
    else:
        effects, result = _disown(act.tx, player, held, address)
    effects = [*effects, Settle((question.id,), answer)]
    return _decide(act, answer, effects, result, held, place.match, place.seat)


def settle_address(act: Act, origin: Origin, question: Question, reading: Reading) -> MatchDecision | None:
    """Return the decision that follows from what an address answers to the question whose it is; None for none.

    After yes it becomes the player's, and the held message waits to be processed. Other messages from there stay held,
    since the player has not seen them. After no it is not the player's, even after an earlier yes.
    """
    tx, sender, answer = act.tx, origin.sender, reading.answer.means
    held = tx.inbound.get(question.inbound) if question.inbound is not None else None
    match = tx.matches.get(held.match) if answer and held and held.match is not None else None
    if held is None or match is None or held.seat is None or match.players[held.seat].id != question.asker:
        return None  # or it was asked about the player who had the seat before
    player = match.players[held.seat]
    owner = tx.players.find(sender)
    if answer == "no" and sender == player.email:
        effects, result = list[Effect](), _told("address_main", sender)
    elif answer == "no":
        was_theirs = owner is not None and owner.id == player.id
        effects, result = _decline(tx, player, held, sender, was_theirs=was_theirs)
    elif not _may_say_yes(act, question, player, owner):
        return None
    elif owner is None and held.sender != sender:  # the player named it: what is their own last word?
        closed, asked_back = Settle((question.id,), "withdrawn"), Reply(LAST_WORD, _told("address_says_yes", sender))
        return _decide(act, answer, [closed, asked_back], (), held, match, held.seat)
    else:
        effects, result = _add(tx, player, held, sender) if owner is None else ([], ())
        effects = [Settle((question.id,), "yes"), *effects]
    result = () if player.preferences.muted else result
    return _decide(act, answer, effects, result, held, match, held.seat)


def _may_say_yes(act: Act, question: Question, player: Player, owner: Player | None) -> bool:
    """Return whether an address whose ``owner`` that is, if it has any, may still become that of a player."""
    if is_too_late(act.tx, question.asked_at, act.now) or act.tx.blocked.among(player.emails):
        return False
    return question.state == "open" if owner is None else owner.id == player.id


def ask_address(act: Act, question: Question) -> None:
    """Queue the question to an address whether it is a player's; it shows nothing of what came from there.

    An email from there may wait for a yes; else the player named it, and is asked after that.
    """
    player = act.tx.players.get(question.asker) if question.asker is not None else None
    assert player is not None  # in this transaction they were read
    waits = bool(question.about.get("waits"))
    post(act, plain_notice(ADDRESS, act.site.language, name=player.name, address=question.email, waits=waits), question)


def ask_claimed(act: Act, _: object, effect: ClaimAddress) -> None:
    """Ask an address that a player has named whether it is theirs; of its owner nothing shows."""
    question = _question(effect.player, effect.email, act.cause.inbound, waits=False)
    if question.inbound is None or act.tx.players.find(effect.email) is not None:
        return
    if not why_unasked(act, question):
        ask_address(act, pose(act, question))


def _question(player: Player, address: str, inbound: int | None, *, waits: bool) -> Question:
    """Return the question to an address whether it is that of a player."""
    return Question(ADDRESS, address, {"waits": waits}, asker=player.id, inbound=inbound)


def _has_declined(tx: Transaction, player: Player, address: str, now: datetime) -> bool:
    """Return whether an address has said that it is not that of a player."""
    return bool(tx.questions.find(ADDRESS, now - REMEMBERED, email=address, asker=player.id, state="no"))


def _take_last_word(
    tx: Transaction, player: Player, address: str, answer: str, now: datetime
) -> tuple[list[Effect], tuple[Reason, ...]]:
    """Return the effects of a player's last word about an address that they named, and what they are told."""
    owner = tx.players.find(address)
    if answer == "no":  # even after a yes
        dropped: list[Effect] = [DropAddress(player, address)] if owner and owner.id == player.id else []
        return dropped, _told("address_not_added", address)
    if owner is not None:
        return [], _told("address_known" if owner.id == player.id else "address_taken", address)
    if _has_declined(tx, player, address, now):
        return [], _told("address_refused", address)
    if tx.blocked.has(address):
        return [], _told("address_not_askable", address)
    if len(player.emails) >= MOST_ADDRESSES:
        return [], (because("address_enough", most=MOST_ADDRESSES),)
    return [AddAddress(player, address)], _told("address_added", address)


def _told(code: str, sender: str) -> tuple[Reason, ...]:
    """Return what a player is told about an address, ``sender``."""
    return (because(code, address=sender),)


def _decide(
    act: Act,
    answer: str,
    effects: list[Effect],
    result: tuple[Reason, ...],
    held: InboundRecord,
    match: Match,
    seat: int,
) -> MatchDecision:
    """Return the decision with these effects, of which the player at ``seat`` is told ``result``, if anything."""
    if result and not allowance(act, "address_settled", match.players[seat].email).suppressed:
        effects = [*effects, Reply("address_settled", result)]
    noted = f"asked about letter {held.id}"
    return MatchDecision((Step(answer, tuple(effects)),), before=match, after=match, seat=seat, noted=noted)


def _why_player_unasked(tx: Transaction, player: Player, sender: str, lines: Sequence[str], now: datetime) -> str:
    """Return why ``player`` is not asked about a message with these ``lines``; an empty text if they are."""
    written = sum(1 for line in lines for part in line.split(";") if part.strip())  # each is shown as a line
    if not written:
        return "there is nothing in it"
    # A message too long for the question is not asked about: nobody should confirm lines that they cannot see.
    if written > LONGEST_QUESTION or len(sender) > _LONGEST_ADDRESS:
        return "it is too long to be shown"
    if player.preferences.muted:
        return "that player wants no mails"
    asked = tx.questions.find(SENDER, now - ANSWERABLE, player=player.id)
    if any(held.sender == sender for one in asked if one.inbound and (held := tx.inbound.get(one.inbound))):
        return "that question was asked before"
    if had_enough(tx, SENDER, player.email, now):
        return "there were enough such questions today"
    return ""


def _claim(act: Act, player: Player, held: InboundRecord, sender: str) -> tuple[list[Effect], tuple[Reason, ...]]:
    """Return the effects of the yes of ``player``, who wrote ``held`` from ``sender``, and the answer to it."""
    owner = act.tx.players.find(sender)
    if owner is not None and owner.id != player.id:
        return [], _told("address_taken", sender)
    waits = held.reason in (HELD, DISOWNED) and held.status not in ("accepted", "received")
    if owner is not None:
        return ([Requeue(held.id)] if waits else []), _told("address_known", sender)
    if held.reason == DECLINED:
        return [], _told("address_refused", sender)
    then = (because("yes_completes_message" if waits else "yes_completes"),)
    question = _question(player, sender, held.id, waits=True)
    if act.tx.questions.find(
        ADDRESS, act.now - ANSWERABLE, email=sender, asker=player.id, inbound=held.id, state="open"
    ):
        return [], (*_told("address_asked_before", sender), *then)
    if why_unasked(act, question):
        return [], _told("address_not_askable", sender)
    return [Ask(question)], (*_told("address_asked", sender), *then)


def _add(tx: Transaction, player: Player, held: InboundRecord, sender: str) -> tuple[list[Effect], tuple[Reason, ...]]:
    """Return the effects of the yes of ``sender`` to being that of ``player``, and what the player is told of it."""
    if len(player.emails) >= MOST_ADDRESSES:
        return [], (because("address_enough", most=MOST_ADDRESSES),)
    waits = held.reason in (HELD, DISOWNED) and held.status not in ("accepted", "received")
    effects: list[Effect] = [AddAddress(player, sender)]
    effects += [Requeue(held.id)] if waits else []
    result = _told("address_added", sender)
    if waits:
        result = (*result, because("message_counts"))
    if tx.inbound.has_ended_for(HELD, sender, player, held.id):
        result = (*result, because("others_unread"))
    return effects, result


def _decline(
    tx: Transaction, player: Player, held: InboundRecord, sender: str, *, was_theirs: bool
) -> tuple[list[Effect], tuple[Reason, ...]]:
    """Return the effects of the no of ``sender``, even after an earlier yes, and what the player is told of it."""
    if held.reason == DECLINED:
        return [], ()
    asked = tx.questions.find(ADDRESS, email=sender, asker=player.id)
    effects: list[Effect] = [DropAddress(player, sender), Settle(tuple(one.id for one in asked), "no")]
    if held.status == "accepted":
        return effects, _told("address_left", sender) if was_theirs else ()
    return [*effects, Disown(held.id, DECLINED)], _told("address_declined", sender)


def _disown(
    tx: Transaction, player: Player, held: InboundRecord, sender: str
) -> tuple[list[Effect], tuple[Reason, ...]]:
    """Return the effects that take ``sender`` from ``player``, even after an earlier yes, and the answer to them."""
    effects: list[Effect] = [DropAddress(player, sender)]
    if held.reason == DECLINED:
        return effects, _told("address_never_counts", sender)
    asked = tx.questions.find(ADDRESS, email=sender, asker=player.id)
    effects.append(Settle(tuple(one.id for one in asked if one.state in ("open", "yes")), "withdrawn"))
    if held.status == "accepted":
        return effects, _told("address_dropped_late", sender)
    effects.append(Disown(held.id, DISOWNED))
    return effects, _told("address_dropped", sender)
