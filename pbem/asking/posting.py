"""Queues emails with what an answer to them is found by: to a seat, or outside of all with the token of a question."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from pbem.asking.invitees import INVITATION
from pbem.asking.limits import UNSOLICITED
from pbem.asking.proposals import YES_OR_NO
from pbem.commands.families.looking import EARLIER
from pbem.commands.rejections import NotStarted, VoteRefused
from pbem.inbound.reply import quotable_words
from pbem.mail.compose import Notice, OutboundMessage, Recipient, Thread, compose
from pbem.mail.question_token import sign_question_token
from pbem.mail.reply_token import NO_MOVE, ReplyToken
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.notices.render import plain_notice
from pbem.notices.sentences.reasons import say
from pbem.notices.starting import name_to_strangers
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin
from pbem.reading.reason import because
from rules.position import Seat

_OF_THE_PAST = frozenset({EARLIER})
"""The kinds of emails that show another position than the present one: no move in answer to them counts."""


def pose(act: Act, question: Question) -> Question:
    """Store a question; return it with its number. It is in no email yet."""
    return replace(question, id=act.tx.questions.add(question, act.now), asked_at=act.now)


def post(
    act: Act,
    notice: Notice,
    question: Question,
    player: Player | None = None,
    *,
    key: str = "",
    shown: int | None = None,
) -> None:
    """Queue an email to the reader of a question, whose answer is one to that; ``player`` is who they are.

    It is about the match ``shown``, if it shows one.

    All emails of a question are in one conversation, that about its match where there is one. A question that begins
    one has a subject of its own, even in answer to an email of theirs, so that nobody overlooks it.
    """
    begun = act.cause.thread_with(question.email)
    thread = act.tx.outbound.thread_of(question.id) or (begun and begun._replace(subject=""))
    if question.match is not None:
        thread = act.tx.outbound.thread_with(question.match, question.email) or thread
    proof = sign_question_token(question.id, question.stamp, act.site.secret)
    name, shown = player.name if player else "", question.match if question.player is None else shown
    recipient = Recipient(name, question.email, proof=proof, shown=shown, thread=thread)
    enqueue(act, notice, recipient, question=question.id, key=key)


def answer_unsettled(act: Act, why: NotStarted, origin: Origin) -> None:
    """Queue the answer to a message that settles nothing; it can be answered like the first."""
    assert origin.question is not None  # what else would be settled
    player = origin.player if origin.question.player is not None else None
    question = origin.question
    is_asked = why.code in ("unclear", "too_large", "sealed") and question.state == "open"
    asked = act.tx.outbound.subject_of(question.id, question.kind) if is_asked else ""
    inviter, game = _who_invites(act, question) if asked and player is None else ("", "")
    detail = say(because(why.code, **why.arguments), act.site.language) if isinstance(why, VoteRefused) else ""
    shown = {"asked": asked.partition("] ")[2], "inviter": inviter, "game": game, "detail": detail}
    post(act, plain_notice(why.kind, act.site.language, code=why.code, **shown), question, player)


def _who_invites(act: Act, question: Question) -> tuple[str, str]:
    """Return who has a stranger asked by a question, as strangers are shown them, and the game; "" for nobody."""
    invitation = act.tx.invitations.get(question.number(INVITATION)) if question.kind == INVITATION else None
    inviter = act.tx.players.get(invitation.inviter) if invitation else None
    if invitation is None or inviter is None:
        return "", ""
    return name_to_strangers(inviter, act.site.language), invitation.game.title


def enqueue(act: Act, notice: Notice, recipient: Recipient, *, question: int | None = None, key: str = "") -> None:
    """Queue an email outside the seats of a match, with what a reply may quote of it.

    To whoever has caused it, it is the answer to their email.
    """
    recipient = replace(recipient, thread=recipient.thread or act.cause.thread_with(recipient.email))
    act.tx.outbound.enqueue([_compose(act, notice, recipient, question)], act.now, key=key)


def enqueue_notices(
    act: Act,
    match: Match,
    notices: Iterable[tuple[Seat, Notice]],
    *,
    proposed: tuple[str, ...] = (),
    to: str = "",
    again: int | None = None,
    about: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Address each notice to its seat, in the thread of that seat, and queue it.

    What is ``proposed`` to all, and by a notice to its reader, is a question, or one that is asked ``again``; ``about``
    is what else is kept with it. A muted player gets only answers to their own messages.
    """
    readers = {seat: to or player.email for seat, player in enumerate(match.players)}
    threads = act.tx.outbound.threads(match.id, readers)
    messages: list[OutboundMessage] = []
    for seat, notice in notices:
        player, thread = match.players[seat], threads.get(seat)
        if not player.has_mail or (player.preferences.muted and notice.kind in UNSOLICITED):
            continue
        turn = NO_MOVE + match.turn if notice.kind in _OF_THE_PAST else match.turn
        token = ReplyToken(match.id, turn, seat, player.generation, match.nonce)
        opponents = match.name_opponents(seat)
        recipient = Recipient(player.name, readers[seat], token, thread, opponents=opponents)
        question = again or _pose_at_seat(act, match, seat, notice, proposed, about)
        message = _compose(act, notice, recipient, question)
        first, subject = (thread.first, thread.subject) if thread else (message.message_id, message.subject)
        threads[seat] = Thread(first, message.message_id, subject)
        messages.append(message)
    act.tx.outbound.enqueue(messages, act.now)


def _compose(act: Act, notice: Notice, recipient: Recipient, question: int | None) -> OutboundMessage:
    """Return the finished email, with what a reply may quote of it and the number of what it asks."""
    cause, quotable = act.cause, quotable_words(*notice.quotable)
    return compose(
        notice, recipient, act.site, cause.text, act.now, cause.inbound, quotable=quotable, question=question
    )


def _pose_at_seat(
    act: Act, match: Match, seat: Seat, notice: Notice, proposed: tuple[str, ...], about: Mapping[str, Any]
) -> int | None:
    """Store what a notice asks of its reader; return the number of the question, None where it asks nothing."""
    offered = [*proposed, *notice.offered]
    if not offered and notice.kind not in YES_OR_NO:
        return None
    player, about = match.players[seat], {**about, "turn": match.turn, "offered": offered, "proposed": list(proposed)}
    asked = Question(notice.kind, player.email, about, player.id, match=match.id, seat=seat, inbound=act.cause.inbound)
    return pose(act, asked).id
