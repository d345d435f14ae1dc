"""Questions outside the seats of a match: how each kind is asked, and what an answer to it does.

A new kind is a module in ``pbem/asking/kinds`` and a row here. Whoever wants somebody asked hands over the effect
``Ask``; the email that asks carries the token of the question, which leads its answer back here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pbem.asking.afterthoughts import ASKING as COMMENT
from pbem.asking.afterthoughts import ask_players
from pbem.asking.contests.challenges import NEWS as CONTEST_NEWS
from pbem.asking.invitees import INVITATION
from pbem.asking.kinds.address import ADDRESS, ask_address, settle_address
from pbem.asking.kinds.comment import settle_comment
from pbem.asking.kinds.follow import ASKING as FOLLOW
from pbem.asking.kinds.follow import ask_follower
from pbem.asking.kinds.forget import settle_forgetting
from pbem.asking.kinds.invitation import settle_invited
from pbem.asking.kinds.lent import LENT
from pbem.asking.kinds.seat import settle_seat_offer
from pbem.asking.kinds.second import settle_second, settle_second_offer
from pbem.asking.kinds.start import ask_whose_wish, settle_start
from pbem.asking.posting import pose
from pbem.asking.seat_offers import SEAT_OFFERED
from pbem.asking.seconds import OFFERED as SECOND_OFFERED
from pbem.asking.seconds import TURN, WORDS
from pbem.asking.starting import ASKING as START
from pbem.asking.starting import unsettled
from pbem.commands.asking_effects import Ask
from pbem.commands.decision import Decision
from pbem.commands.families.forgetting import ASKING_TO_FORGET
from pbem.due.gate import is_too_late
from pbem.match.question import TOLD, Question
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin
from pbem.pipeline.interpret import Reading


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question: what an answer does, None where other stages see to it, and the email that asks.

    ``waits``: whoever settles nothing, and asks for nothing else, is asked once more.
    """

    settle: Callable[[Act, Origin, Question, Reading], Decision | None] | None
    ask: Callable[[Act, Question], None] | None = None
    waits: bool = True


KINDS: Mapping[str, Kind] = {
    ADDRESS: Kind(settle_address, ask_address),
    FOLLOW: Kind(None, ask_follower),  # what comes without a token ends it, too
    COMMENT: Kind(settle_comment, ask_players),
    START: Kind(settle_start, ask_whose_wish),
    TOLD: Kind(settle_start, waits=False),
    LENT: Kind(settle_start, waits=False),
    CONTEST_NEWS: Kind(settle_start, waits=False),
    INVITATION: Kind(settle_invited),
    SEAT_OFFERED: Kind(settle_seat_offer),
    SECOND_OFFERED: Kind(settle_second_offer),
    TURN: Kind(settle_second, waits=False),
    WORDS: Kind(settle_second, waits=False),
    ASKING_TO_FORGET: Kind(settle_forgetting, waits=False),
}
"""All kinds of questions, by the kind of the email that asks, or tells what can be answered alike."""


def ask(act: Act, _: Decision, effect: Ask) -> None:
    """Store a question, and queue the email that asks it."""
    email = KINDS[effect.question.kind].ask
    assert email is not None  # it is asked by what it is about
    email(act, pose(act, effect.question))


def settle(act: Act, origin: Origin, reading: Reading) -> Decision | None:
    """Return the decision that follows from an answer to a question; None where it settles nothing.

    Raise a Rejection that says what to write, or Discard for what is not answered.
    """
    question = origin.question
    if question is None:
        return None
    if reading.is_closed:
        raise unsettled(act, question, "sealed" if reading.whole else "too_large")
    answered = _kind_of(question).settle
    return answered(act, origin, question, reading) if answered else None


def _kind_of(question: Question) -> Kind:
    """Return the kind of a stored question. Raise DamagedRow for one that there isn't."""
    if question.kind not in KINDS:
        raise question.damage
    return KINDS[question.kind]


def refuse_unclear(act: Act, origin: Origin, reading: Reading) -> None:
    """Raise what is said to whoever was asked, and has said nothing that settles it.

    Where they said yes before, a yes or a no comes too late, and other words are no answer.
    """
    question, answered = origin.question, reading.answer.means
    if question is None or not _kind_of(question).waits or (question.state == "yes" and not answered):
        return
    is_over = question.state != "open" or is_too_late(act.tx, question.asked_at, act.now)
    raise unsettled(act, question, "late" if answered or is_over else "unclear")
