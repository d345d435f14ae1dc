"""Stage 4: admit a message, or turn it away before its body is read: its sender is in doubt, or floods the service."""

from collections.abc import Sequence
from dataclasses import replace

from pbem.asking.limits import is_flooding
from pbem.commands.decision import Command
from pbem.commands.families.forgetting import ForgetMe
from pbem.commands.rejections import Discard, Flooding, NotAuthentic
from pbem.due.schedule import check_soon, note_arrived
from pbem.inbound.authentic import judge_sender
from pbem.mail.message import InboundMessage
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin


def may_break_silence(origin: Origin, commands: Sequence[Command] = ()) -> bool:
    """Return whether anybody may have written a message in the name of somebody who has unsubscribed.

    Whatever came of it would be an email to them. Only whether they want to be forgotten they are asked.
    """
    muted = origin.player is not None and origin.player.preferences.muted
    return muted and origin.is_unsure and list(commands) != [ForgetMe()]


def admit(act: Act, message: InboundMessage, origin: Origin) -> Origin:
    """Return the origin of an admitted message. Raise Discard for any other, or a Rejection, which tells its player so.

    What anybody can send in the name of an address never keeps out its reply to the present email of a match, nor its
    answer to what it was asked.
    """
    seated = origin.seated
    if act.site.authentication == "required" and judge_sender(message, act.site.authserv_id) != "authentic":
        raise NotAuthentic() if seated else Discard("not authentic")
    expected = (seated and seated.is_present) or origin.question is not None or origin.digest is not None
    if not expected and is_flooding(act.tx, origin.sender, seated, act.now):
        raise Flooding() if seated else Discard("too many letters")
    if not (_note_reached(act, message, origin) and seated):
        return origin
    match = act.tx.matches.get(seated.match.id) or seated.match  # its clock may have changed just now
    return replace(origin, place=replace(seated, match=match))


def _note_reached(act: Act, message: InboundMessage, origin: Origin) -> bool:
    """Note what an answer to an email of ours proves: it arrived, its reader gets email; return whether that is news.

    Only the email that was answered is meant: those above it in the thread may never have arrived.
    """
    if not (origin.seated or origin.question or origin.digest is not None):
        return False
    tx, player = act.tx, origin.player
    answered = next(iter(message.answered), "")
    was_in_doubt, came_back = tx.outbound.find_doubts(answered, player.id if player else 0)
    if was_in_doubt:
        was_in_doubt = note_arrived(tx, answered, player.emails if player else {origin.sender}, act.now)
    if player and came_back and not origin.question:
        tx.players.clear_bounces(player.id)
        tx.clocks.revive(player.id, act.now)
        check_soon(tx, player.id, act.now)
    return was_in_doubt or came_back
