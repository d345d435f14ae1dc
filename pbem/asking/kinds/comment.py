"""Comments of others: each player of a match is asked whether somebody else's words may stand under its moves.

They do once all have said yes. One no is enough to keep them off, also after a yes.
"""

from dataclasses import replace
from datetime import timedelta

from pbem.asking.afterthoughts import people_of, plies_of, thoughts_of
from pbem.asking.granting import grant
from pbem.asking.may_ask import marks_of
from pbem.asking.starting import carried_out, is_proof, list_wishes, settle_unproven, unsettled
from pbem.commands.asking_effects import RefuseInvitations, Settle
from pbem.commands.decision import Decision, Step
from pbem.commands.effects import Effect, KeepThought, Reply, TakeOffThoughts
from pbem.commands.families.afterthoughts import parse_afterthought
from pbem.commands.families.starting import Answer, read_answer
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
    """Return the decision that follows from a player's answer; None for none. Raise NotStarted for one too late.

    What they write under moves themselves may stand beside it.
    """
    player, wishes = origin.player, list_wishes(origin, reading)
    said = read_answer(line for line in reading.lines if parse_afterthought(line) is None)
    if player is None or (said is None and not wishes):
        return None
    if wishes and not is_proof(act, player, question):
        return settle_unproven(act, player, wishes)
    effects = _answer(act, player, question, said) if said else ()
    steps = (Step("yes" if said.word == "accept" else "no", effects),) if said else ()
    if not wishes:
        return Decision(steps)
    granted = carried_out(player, wishes, grant(act, player, wishes))
    return replace(granted, steps=(*steps, *granted.steps))


def _answer(act: Act, player: Player, question: Question, said: Answer) -> tuple[Effect, ...]:
    """Return the effects of an answer, and of telling its sender. Raise NotStarted for one that comes too late."""
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
    agreed = {one.player for one in asked if one.state == "yes"} | {player.id}
    if any(one.id not in agreed for one in people_of(match)):
        told = Reply("answer", (because("after_agreed_first", number=match.id),))
        return Settle((question.id,), "yes"), told
    shown = (KeepThought(match.id, writer, thought) for thought in thoughts_of(question))
    return Settle((question.id,), "yes"), *shown, Reply("answer", (because("after_agreed", number=match.id),))


def _decline(
    act: Act, question: Question, match: Match, player: Player, writer: Player, asked: list[Question], *, refused: bool
) -> tuple[Effect, ...]:
    """Return the effects by which words don't stand under the moves of a match, or no longer."""
    others = tuple(one.id for one in asked if one.state == "open" and one.id != question.id)
    effects: list[Effect] = [Settle((question.id,), "no"), Settle(others, "withdrawn")]
    effects += [TakeOffThoughts(match.id, ply, writer) for ply in sorted({*plies_of(question)})]
    if refused:
        effects.append(RefuseInvitations(player, tuple(marks_of(writer, act.site.secret)), refused=True))
    return *effects, Reply("answer", (because("after_declined", number=match.id),))


def _asked_together(act: Act, question: Question) -> list[Question]:
    """Return what the players of a match were asked by one message, ``question`` among it."""
    since = question.asked_at - _MOMENT
    found = act.tx.questions.find(question.kind, since, match=question.match, asker=question.asker)
    return [one for one in found if (one.asked_at, one.inbound) == (question.asked_at, question.inbound)]
