"""Comments of others: each player of a match is asked whether somebody else's words may stand under its moves.

They do once all have said yes. One no is enough to keep them off, also after a yes.
"""

from datetime import timedelta

from pbem.asking.afterthoughts import people_of, plies_of, thoughts_of
from pbem.asking.granting import grant
from pbem.asking.may_ask import marks_of
from pbem.asking.starting import carried_out, is_proof, list_wishes, settle_unproven, unsettled
from pbem.commands.asking_effects import RefuseInvitations, Settle
from pbem.commands.decision import Decision, Step
from pbem.commands.effects import Effect, KeepThought, Reply, TakeOffThoughts
from pbem.commands.families.starting import read_answer
from pbem.due.gate import is_too_late
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin
from pbem.pipeline.interpret import Reading
from pbem.reading.reason import because

_MOMENT = timedelta(seconds=1)


def settle_comment(act: Act, origin: Origin, question: Question, reading: Reading) -> Decision | None:
    """Return the decision that follows from a player's answer; None for none. Raise NotStarted for one too late."""
    player, said = origin.player, read_answer(reading.lines)
    if player is None:
        return None
    wishes = list_wishes(origin, reading)
    if wishes:
        if not is_proof(act, player, question):
            return settle_unproven(act, player, wishes)
        return carried_out(player, wishes, grant(act, player, wishes))
    if said is None:
        return None
    match = act.tx.matches.get(question.match or 0)
    writer = act.tx.players.get(question.asker or 0)
    asked = _asked_together(act, question)
    if match is None or writer is None or all(one.id != player.id for one in match.players):
        raise unsettled(act, question, "late")
    if said.word != "accept":
        return _decline(act, question, match, player, writer, asked, refused=said.word in ("block", "never"))
    is_closed = match.outcome is None or match.private or bool(act.tx.thoughts.closed_by([match.id]))
    if question.state != "open" or is_closed or is_too_late(act.tx, question.asked_at, act.now):
        raise unsettled(act, question, "answered" if question.state == "yes" else "late")
    effects: list[Effect] = [Settle((question.id,), "yes")]
    agreed = {one.player for one in asked if one.state == "yes"} | {player.id}
    if all(one.id in agreed for one in people_of(match)):
        effects += [KeepThought(match.id, writer, thought) for thought in thoughts_of(question)]
        told = because("after_agreed", number=match.id)
    else:
        told = because("after_agreed_first", number=match.id)
    return Decision((Step("yes", (*effects, Reply("answer", (told,)))),))


def _decline(
    act: Act, question: Question, match: Match, player: Player, writer: Player, asked: list[Question], *, refused: bool
) -> Decision:
    """Return the decision by which words don't stand under the moves of a match, or no longer."""
    others = tuple(one.id for one in asked if one.state == "open" and one.id != question.id)
    effects: list[Effect] = [Settle((question.id,), "no"), Settle(others, "withdrawn")]
    effects += [TakeOffThoughts(match.id, ply, writer) for ply in sorted({*plies_of(question)})]
    if refused:
        effects.append(RefuseInvitations(player, tuple(marks_of(writer, act.site.secret)), refused=True))
    return Decision((Step("no", (*effects, Reply("answer", (because("after_declined", number=match.id),)))),))


def _asked_together(act: Act, question: Question) -> list[Question]:
    """Return what the players of a match were asked by one message, ``question`` among it."""
    since = question.asked_at - _MOMENT
    found = act.tx.questions.find(question.kind, since, match=question.match, asker=question.asker)
    return [one for one in found if (one.asked_at, one.inbound) == (question.asked_at, question.inbound)]
