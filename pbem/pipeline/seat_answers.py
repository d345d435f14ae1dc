"""What somebody answers who was offered seats: a yes or a no for all of them, or for the matches that they number."""

import re
from collections.abc import Iterable
from datetime import datetime

from pbem.commands import AnswerSeat, Decision, Reason, Reply, Step, because
from pbem.pipeline.identify import Origin
from pbem.pipeline.interpret import Reading
from pbem.pipeline.seat_asking import find_asked
from pbem.pipeline.unconfirmed import ANSWERABLE, answer_of
from pbem.storage import SeatOffer, Transaction

_SOME = re.compile(
    r"[\s*_\"'“”>-]{0,9}(?P<word>yes|no)\b[\s,:–-]{0,5}(?:(?:to|for|in)\s)?(?:only\s)?(?:match(?:es)?\s)?"
    r"(?P<numbers>#?\d{1,9}(?:(?:\s*[,&]\s*|\s+and\s+|\s+)#?\d{1,9}){0,60})[\s.!*_]{0,9}",
    re.IGNORECASE | re.ASCII,
)
_MOST_LINES = 10


def settle_seat_offer(tx: Transaction, origin: Origin, reading: Reading, now: datetime) -> Decision | None:
    """Return the decision that follows from what somebody answered who was offered seats; None for anything else."""
    offer = tx.seat_offers.get(origin.offered) if origin.offered is not None else None
    player = origin.player
    if offer is None or player is None or player.id != offer.player or not reading.whole:
        return None
    asked = [one for one in find_asked(tx, offer, sorted(player.emails)) if _is_open(one, now)]
    answers = _read_answers(reading, asked)
    if not answers:
        return None
    words = [("yes" if taken else "no") + (f" {one.match}" if len(asked) > 1 else "") for one, taken in answers]
    effects = tuple(AnswerSeat(one.id, taken) for one, taken in answers)
    told = Reply("answer", tuple(_tell(taken for _, taken in answers)))
    noted = f"seat offer {listed(answers)}"
    return Decision((*(Step(word) for word in words), Step("", (*effects, told))), noted=noted)


def listed(answers: Iterable[tuple[SeatOffer, bool]]) -> str:
    """Return the numbers of answered offers, for the operator."""
    return " ".join(str(one.id) for one, _ in answers)


def _is_open(offer: SeatOffer, now: datetime) -> bool:
    """Return whether an offer still waits for its answer."""
    return offer.state == "asked" and now - offer.asked_at <= ANSWERABLE


def _read_answers(reading: Reading, asked: list[SeatOffer]) -> list[tuple[SeatOffer, bool]]:
    """Return what is answered to which offers: to all, or line by line to those whose matches are named."""
    if answer := answer_of(reading):
        return [(one, answer == "yes") for one in asked]
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
