"""Stage 5: decides what follows from a message; nothing is written here."""

from dataclasses import replace
from datetime import datetime

from pbem.commands import (
    AddComment,
    Decision,
    MatchDecision,
    Opaque,
    Reply,
    Step,
    TooLarge,
    TooOften,
    is_unsubscribing,
    judge,
    judge_outside,
)
from pbem.pipeline.identify import Origin
from pbem.pipeline.interpret import Reading
from pbem.pipeline.limits import may_cause_more
from pbem.pipeline.unconfirmed import hold, settle_confirmation
from pbem.storage import Transaction

_OPAQUE = {
    "encrypted": "it is encrypted",
    "signed": "all of it lies inside a digital signature",
    "winmail": "all of it lies in a file winmail.dat, which only Outlook opens",
    "attachment": "there is nothing in it but attached files",
}


def decide(tx: Transaction, origin: Origin, reading: Reading, now: datetime) -> Decision:
    """Return what is to be recorded and announced; raises a Rejection or Discard where nothing is."""
    place = origin.place
    if place is None:
        return judge_outside(origin.player, reading.commands, now=now)
    if origin.player is None:
        raise hold(tx, origin.sender, place, reading, now)
    if reading.whole and (confirmation := settle_confirmation(tx, place, reading, now)):
        return confirmation
    if not reading.whole:
        raise TooLarge()
    if reading.opaque == "encrypted" or (reading.opaque and not reading.lines):
        raise Opaque(_OPAQUE[reading.opaque], code=reading.opaque)
    decision = judge(place.match, place.seat, place.ply, reading.commands, now=now)
    return _within_limits(tx, decision, origin.sender, now)


def _within_limits(tx: Transaction, decision: MatchDecision, sender: str, now: datetime) -> MatchDecision:
    """Return what may be carried out: nothing besides a move for a sender who has caused too much email.

    Raises TooOften for a message without one. Whoever wants no more email is heard at any time.
    """
    seat, before = decision.seat, decision.before
    assert seat is not None
    answers = decision.seeded and before.seeds[seat] is None
    idle = decision.after.ply == before.ply and not answers
    if not (idle or decision.replies) or may_cause_more(tx, sender, now):
        return decision
    if decision.unsubscribes and not before.players[seat].preferences.muted:
        kept = tuple(step for step in decision.steps if not _causes_email(step) or is_unsubscribing(step))
        return replace(decision, steps=kept)
    if idle:
        raise TooOften()
    steps = tuple(step for step in map(_without_reply, decision.steps) if step.effects)
    if steps == decision.steps:
        return decision
    aside = "What you asked for besides has to wait for tomorrow: today you had more of that than I send in a day."
    asides = (*decision.asides, aside) if _done(steps) != decision.done else decision.asides
    return replace(decision, steps=steps, asides=asides)


def _causes_email(step: Step) -> bool:
    """Return whether a step leads to email besides the notices of a move."""
    return any(isinstance(effect, AddComment | Reply) for effect in step.effects)


def _without_reply(step: Step) -> Step:
    """Return a step without the email that it asks for."""
    return replace(step, effects=tuple(effect for effect in step.effects if not isinstance(effect, Reply)))


def _done(steps: tuple[Step, ...]) -> tuple[str, ...]:
    """Return the canonical commands of ``steps``."""
    return tuple(step.done for step in steps if step.done)
