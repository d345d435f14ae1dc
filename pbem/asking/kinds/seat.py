"""What somebody answers who was offered seats: a yes or a no for all of them, or for the matches that they number.

A stranger becomes a player by their yes; by their no nobody has them written to any more.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from pbem.asking.starting import enrolment, keep_off, unsettled
from pbem.commands.asking_effects import AnswerSeats, Settle
from pbem.commands.decision import Decision, Step
from pbem.commands.effects import Effect, Reply
from pbem.commands.families.starting import read_answer
from pbem.due.gate import is_too_late
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin
from pbem.pipeline.interpret import Reading
from pbem.reading.reason import Reason, because
from pbem.storage.seat_offers import SeatOffer
from pbem.storage.transaction import Transaction

_SOME = re.compile(
    r"[\s*_\"'“”>-]{0,9}(?P<word>yes|no)\b[\s,:–-]{0,5}(?:(?:to|for|in)\s)?(?:only\s)?(?:match(?:es)?\s)?"
    r"(?P<numbers>#?\d{1,9}(?:(?:\s*[,&]\s*|\s+and\s+|\s+)#?\d{1,9}){0,60})[\s.!*_]{0,9}",
    re.IGNORECASE | re.ASCII,
)
_MOST_LINES = 10


def settle_seat_offer(act: Act, origin: Origin, question: Question, reading: Reading) -> Decision | None:
    """Return the decision that follows from what somebody answered who was offered seats; None for anything else.

    Raise NotStarted for an answer of a stranger that settles nothing, and for one of anybody that comes too late.
    """
    asked = [one for number in question.numbers("offers") if (one := act.tx.seat_offers.get(number))]
    player = origin.player
    if player is None:
        return _settle_stranger(act, origin, question, asked, reading)
    asked = [one for one in asked if one.player == player.id or (one.player is None and one.email in player.emails)]
    waiting = [one for one in asked if _is_open(act.tx, one, act.now, player)]
    answers = _read_answers(reading, waiting)
    if not answers and _read_answers(reading, asked):
        raise unsettled(act, question, "seat_closed")
    if not answers:
        return None
    words = [("yes" if taken else "no") + (f" {one.match}" if len(waiting) > 1 else "") for one, taken in answers]
    effects = (*_answer(question, answers), Reply("answer", tuple(_tell(taken for _, taken in answers))))
    noted = f"seat offer {_number(answers)}"
    return Decision((*(Step(word) for word in words), Step("", effects)), noted=noted)


def _answer(question: Question, answers: Sequence[tuple[SeatOffer, bool]]) -> tuple[Effect, ...]:
    """Return the effects of what somebody answers: their question is, with yes where they take any of the seats."""
    taken = tuple((one.id, accepted) for one, accepted in answers)
    return AnswerSeats(taken), Settle((question.id,), "yes" if any(accepted for _, accepted in taken) else "no")


def _number(answers: Iterable[tuple[SeatOffer, bool]]) -> str:
    """Return the numbers of answered offers, for the operator."""
    return " ".join(str(one.id) for one, _ in answers)


def _settle_stranger(
    act: Act, origin: Origin, question: Question, asked: Sequence[SeatOffer], reading: Reading
) -> Decision:
    """Return the decision that follows from the answer of somebody who plays nowhere here yet."""
    waiting = [one for one in asked if one.email == origin.sender and _is_open(act.tx, one, act.now)]
    said, some = read_answer(reading.lines), _read_answers(reading, waiting)
    numbered = _is_numbered(reading)
    unclear = len(waiting) > 1 and _has_number(reading) and not numbered
    if unclear or (not some if numbered else said is None):
        raise unsettled(act, question, "unclear")
    accepts = said is not None and said.word == "accept"
    answers = some if numbered else [(one, accepts) for one in waiting]
    effects = _answer(question, answers)
    noted = f"seat offer {_number(answers)}" if answers else ""
    if not accepts and not numbered:
        return Decision((Step("no", (keep_off(origin.sender, act.site), *effects)),), noted=noted)
    if not answers:
        raise unsettled(act, question, "seat_closed")
    if any(taken for _, taken in answers):
        effects = (*enrolment(act, origin, said.name if said else ""), *effects)
    words = (f"{'yes' if taken else 'no'} {one.match}" for one, taken in answers)
    return Decision((*(Step(word) for word in words), Step("", effects)), noted=noted)


def _is_numbered(reading: Reading) -> bool:
    """Return whether an answer says to which matches it is one."""
    return any(_SOME.fullmatch(line) for line in reading.lines)


def _has_number(reading: Reading) -> bool:
    """Return whether there is a digit in the first line of an answer: the number of a match, and perhaps a name."""
    first = next((line for line in reading.lines if line.strip()), "")
    return any(map(str.isdigit, first))


def _is_open(tx: Transaction, offer: SeatOffer, now: datetime, player: Player | None = None) -> bool:
    """Return whether an offer still waits for its answer, and its seat can still be had, by a player in particular."""
    if offer.state != "asked" or is_too_late(tx, offer.asked_at, now):
        return False
    match = tx.matches.get(offer.match)
    if match is None or match.outcome is not None or match.players[offer.seat].id != offer.owner:
        return False
    if player is not None and any(seated.id == player.id for seated in match.players):
        return False
    return offer.until is None or (offer.until > now and offer.seat not in match.position.departed())


def _read_answers(reading: Reading, asked: list[SeatOffer]) -> list[tuple[SeatOffer, bool]]:
    """Return what is answered to which offers: to all, or line by line to those whose matches are named."""
    if not _is_numbered(reading):
        answer = reading.answer.means
        return [(one, answer == "yes") for one in asked] if answer else []
    answers: dict[int, tuple[SeatOffer, bool]] = {}
    for line in [line for line in reading.lines if line.strip()][:_MOST_LINES]:
        found = _SOME.fullmatch(line)
        if found is None:
            break
        named = set(map(int, re.findall(r"\d+", found["numbers"])))
        if not named <= {one.match for one in asked}:
            return []
        answers |= {one.id: (one, found["word"].lower() == "yes") for one in asked if one.match in named}
    return list(answers.values())


def _tell(taken: Iterable[bool]) -> Iterable[Reason]:
    """Yield what is said to who answered so."""
    answers = list(taken)
    if yes := sum(answers):
        yield because("seat_taken") if len(answers) == 1 else because("seats_taken", count=yes)
    if no := len(answers) - sum(answers):
        yield because("seat_declined") if len(answers) == 1 else because("seats_declined", count=no)
