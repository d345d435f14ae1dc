"""Invitations: everybody who is invited is asked by an email, and their yes takes their place in the match to be."""

from dataclasses import replace

from pbem.asking import starting
from pbem.asking.granting import grant
from pbem.asking.invitees import INVITATION
from pbem.asking.words_beside import find_words
from pbem.commands.asking_effects import SetInvitation, Settle
from pbem.commands.decision import Decision, Step
from pbem.commands.effects import Effect
from pbem.commands.families.starting import CallOff, Join, RefuseFrom, read_answer
from pbem.match.invitation import Invitation
from pbem.match.question import Question
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin
from pbem.pipeline.interpret import Reading


def settle_invited(act: Act, origin: Origin, question: Question, reading: Reading) -> Decision | None:
    """Return what follows from an answer to an invitation, or to news of one. Raise NotStarted for one of neither."""
    invitation, answer = act.tx.invitations.get(question.number(INVITATION)), read_answer(reading.lines)
    if invitation is None:  # rows are never deleted
        raise question.damage
    if origin.player is None:
        return _settle_stranger(act, origin, question, invitation, reading)
    wishes = starting.list_wishes(origin, reading)
    if not starting.is_proof(act, origin.player, question):
        return starting.settle_unproven(act, origin.player, wishes)
    words, left_out = find_words(reading, origin.player.name)
    told = (*starting.tell_left_out(reading), *left_out)
    if answer is None and not wishes and not told:
        raise starting.unsettled(act, question, "unclear")
    inviter = act.tx.players.get(invitation.inviter)
    given: list[object] = []
    if answer is not None:
        given.append(Join(invitation.id) if answer.word == "accept" else CallOff(invitation.id))
    if answer is not None and answer.word in ("block", "never") and inviter and inviter.id != origin.player.id:
        given.append(RefuseFrom(inviter.name, refused=True))
    given += wishes
    return starting.carried_out(origin.player, given, grant(act, origin.player, given, told, words))


def _settle_stranger(
    act: Act, origin: Origin, question: Question, invitation: Invitation, reading: Reading
) -> Decision:
    """Return what follows from the answer of a stranger: they are a player by their yes."""
    answer = read_answer(reading.lines)
    if answer is None:
        raise starting.unsettled(act, question, "unclear")
    seat = invitation.seat_for(None, frozenset([origin.sender]))
    if answer.word != "accept":
        effects: list[Effect] = [starting.keep_off(origin.sender, act.site), Settle((question.id,), "no")]
        if invitation.is_open and seat is not None:
            guest = replace(invitation.guests[seat], state="declined")
            effects.append(SetInvitation(invitation, invitation.after(seat, guest).closed("declined")))
        return Decision((Step("decline", tuple(effects)),))
    if not invitation.is_open or seat is None:
        raise starting.unsettled(act, question, "closed")
    return starting.enrol(act, origin, answer.name, (str(Join(invitation.id)),), question, reading)
