"""Signing up, and wishes without a token: whoever is named as their sender is asked whether they are theirs.

Emails that say what came of a wish, and that somebody has one's seat, have nothing to say yes to: they prove who reads
them, so what is asked for in answer is granted.
"""

from datetime import timedelta

from pbem.asking.granting import grant
from pbem.asking.kinds.lent import LENT
from pbem.asking.limit_table import ANSWERABLE
from pbem.asking.posting import post
from pbem.asking.starting import (
    ASKING,
    carried_out,
    enrol,
    is_proof,
    keep_off,
    list_wishes,
    read_wishes,
    settle_unproven,
    tell_left_out,
    unsettled,
)
from pbem.asking.words_beside import find_words
from pbem.commands.asking_effects import Settle, TellStarting
from pbem.commands.decision import Decision, Step
from pbem.commands.families.starting import ListOffers, read_answer
from pbem.due.gate import is_too_late
from pbem.match.question import Question
from pbem.notices.starting import start_question
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin
from pbem.pipeline.interpret import Reading
from pbem.reading.reason import because

_EVER = timedelta(days=3650)
"""A stranger may say yes to the question so long: nobody else has it, and they are not asked again."""


def ask_whose_wish(act: Act, question: Question) -> None:
    """Queue the question whether wishes are those of the reader."""
    player = act.tx.players.get(question.player) if question.player is not None else None
    name, wishes = str(question.about.get("name", "")), question.texts("wishes")
    post(act, start_question(ASKING, player, name, wishes, act.site.archive, act.site.language), question, player)


def settle_start(act: Act, origin: Origin, question: Question, reading: Reading) -> Decision | None:
    """Return what follows from an answer to that question, or to what came of a wish. Raise NotStarted for neither."""
    player, answer = origin.player, read_answer(reading.lines)
    words, left_out = find_words(reading, player.name if player else "")
    told, wishes = (*tell_left_out(reading), *left_out), list_wishes(origin, reading)
    if player and not is_proof(act, player, question):
        return settle_unproven(act, player, wishes)
    if player and question.kind == LENT and not wishes:
        return None
    if player and (wishes or told):
        return carried_out(player, wishes, grant(act, player, wishes, told, words))
    too_late = is_too_late(act.tx, question.asked_at, act.now, ANSWERABLE if player else _EVER)
    if answer is None or question.kind != ASKING or question.state != "open" or too_late:
        is_over = question.kind == ASKING and (question.state != "open" or too_late)
        raise unsettled(act, question, "unclear" if not is_over else "late" if question.state == "open" else "answered")
    written = tuple(question.texts("wishes"))
    if player is None and answer.word != "accept":
        return Decision((Step("no", (keep_off(origin.sender, act.site),)),))
    if player is None:
        return enrol(act, origin, answer.name or str(question.about.get("name", "")), written, question, reading)
    if answer.word != "accept":
        dropped = TellStarting(player, (because("not_wished"),))
        return Decision((Step("no", (Settle((question.id,), "no"), dropped)),))
    granted = grant(act, player, read_wishes(written) or [ListOffers()], left_out, words)
    return carried_out(player, ["yes"], (Settle((question.id,), "yes"), *granted))
