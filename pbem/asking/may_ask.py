"""Whether somebody may be asked something: one answer for all kinds of questions, from what was asked before.

How much of each kind anybody may be sent stands in ``limit_table``.
"""

from pbem.asking.limit_table import REMEMBERED, STRANGERS, is_full, limit_of
from pbem.asking.limits import had_enough, has_used_up, is_used_up
from pbem.due.schedule import note_need
from pbem.mail.headers import mailbox_of
from pbem.mail.marks import mailbox_mark
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.pipeline.act import Act
from pbem.storage.invitations import player_mark

REFUSES = "they refuse what this player asks"
"""Why a player is not asked who has said so; whoever asks is not to notice it."""


FULL = "as many strangers as may be were written to today"
"""Why a stranger is not asked, or let in, who may be tomorrow."""


def why_unasked(act: Act, question: Question, *, pending: int = 0, proven: bool = False) -> str:
    """Return why a question is not asked, for the operator; an empty text if it is.

    ``pending`` strangers are written to by the same message; ``proven``: our mail server found that a stranger asks
    for it themselves, so that they need not be asked.
    """
    if question.player is not None:
        player = act.tx.players.get(question.player)
        return "nobody reads it" if player is None else _why_player_unasked(act, question, player)
    if act.tx.blocked.has(question.email):
        return "it is blocked"
    if act.tx.outbound.has_bounced(question.email, act.now - REMEMBERED):
        return "email to it came back"
    if limit_of(question.kind).invites:
        return _why_stranger_unasked(act, question, pending, proven=proven)
    return _why_mailbox_unasked(act, question)


def _why_player_unasked(act: Act, question: Question, player: Player) -> str:
    """Return why a player is not asked."""
    asker = act.tx.players.get(question.asker) if question.asker is not None else None
    if asker and act.tx.invitations.refuses(player.id, marks_of(asker, act.site.secret)):
        return REFUSES
    if player.forgotten or player.preferences.muted:
        return "that player wants no mails"
    if act.tx.blocked.among(player.emails):
        return "it is blocked"
    return "there were enough such questions today" if had_enough(act.tx, question.kind, player.email, act.now) else ""


def _why_stranger_unasked(act: Act, question: Question, pending: int, *, proven: bool) -> str:
    """Return why somebody is not asked who does not play here: they are once ever, unless they ask for it again."""
    approached = act.tx.invitations.approach_of(mailbox_mark(mailbox_of(question.email), act.site.secret))
    if approached and not proven:
        return "it was written to before, and nothing proves that its reader wrote this"
    approaches = act.tx.invitations.count_approached(act.now - STRANGERS.within)
    if has_used_up(approaches, STRANGERS, act.cause.share, pending):
        note_need(act.tx, act.now)
        return FULL
    return ""


def _why_mailbox_unasked(act: Act, question: Question) -> str:
    """Return why whoever reads a mailbox is not asked: variants of an address reach the same one.

    A no counts for a year, whatever such a question was about.
    """
    limit, kind, now = limit_of(question.kind), question.kind, act.now
    same = act.tx.questions.to_mailbox(kind, mailbox_of(question.email), now - REMEMBERED)
    if any(one.state == "no" for one in same):
        return "it has said no to such a question"
    waiting = (one for one in same if one.asker == question.asker and one.state != "yes")
    if any(one.asked_at > now - limit.again for one in waiting):
        return "it was asked that before"
    lately = act.tx.questions.find(kind, now - limit.about.within) if limit.about else []
    about = [one for one in lately if one.asker == question.asker]
    used_up = limit.everybody is not None and is_used_up(act, (kind,), limit.everybody)
    rates = ((limit.to, same), (limit.about, about))
    if used_up or any(is_full(rate, (one.asked_at for one in counted), now) for rate, counted in rates):
        return "there were enough such questions lately"
    return ""


def marks_of(player: Player, secret: str) -> list[str]:
    """Return all that a player may be refused by."""
    return [player_mark(player.id), *(mailbox_mark(mailbox_of(email), secret) for email in sorted(player.emails))]
