"""The eight stages of processing one inbound message, in their order."""

import logging
from dataclasses import replace
from datetime import datetime

from pbem.commands.rejections import Declined, Discard, Rejection, UnknownMatch, Unread
from pbem.due.needs import OVER_BUDGET, UNREADABLE
from pbem.due.schedule import note_need
from pbem.due.unsending import hold_back
from pbem.errors import DamagedRow
from pbem.inbound.conversation import find_conversation
from pbem.log.redaction import redacted, redacted_trace
from pbem.mail.body import Unreadable
from pbem.mail.message import InboundMessage, parse
from pbem.notices.sentences.reasons import explain
from pbem.pipeline.act import Act, Cause
from pbem.pipeline.admit import admit, may_break_silence
from pbem.pipeline.announce import answer
from pbem.pipeline.carry_out import carry_out
from pbem.pipeline.decide import decide
from pbem.pipeline.digest_reply import carry_out_reply
from pbem.pipeline.identify import NOBODY, Origin, identify
from pbem.pipeline.interpret import NOTHING, interpret
from pbem.pipeline.screen import screen, screen_headers
from pbem.storage.messages.records import UNPROVEN, Disposition, Locked
from pbem.storage.transaction import Transaction

log = logging.getLogger("pbem")

DAMAGED = "damaged"
"""The code of a failed message that met a damaged row of the database; when that is restored, it can be retried."""


def process(act: Act, locked: Locked, message: InboundMessage | None) -> Disposition:
    """Process one inbound message in one transaction: carry it out, or answer why not; return its disposition.

    ``message`` is its content, if it has been parsed already.

    1 parse  2 screen  3 identify  4 admit  5 interpret  6 decide, and in ``carry_out`` 7 record  8 announce. Every
    exception except Busy is a bug: the caller then rolls the transaction back, and calls ``note_failure`` in another.
    """
    act = act.because(Cause(locked.identity, locked.number))
    origin, reading = NOBODY, NOTHING
    try:
        message = message or parse(act.tx.inbound.raw(locked.number))
        by_token = screen(act, message, locked.number)
        origin = identify(act.tx, message, act.site)
        origin = admit(act, message, origin)
        thread = None if origin.place else find_conversation(message, named=origin.share != UNPROVEN)
        act = act.because(replace(act.cause, share=origin.share, sender=origin.sender, thread=thread))
        reading = replace(interpret(act.tx, message, origin, act.site, whole=locked.whole), by_token=by_token)
        if may_break_silence(origin, reading.commands):
            raise Discard("unsubscribed")
        if origin.digest is not None:
            return carry_out_reply(act, origin, reading)
        decision = hold_back(act, decide(act, origin, reading), locked.number)
        carry_out(act, decision, origin.sender)
    except Discard as why:
        ended = origin.disposed("discarded", why.reason, why.detail, code=why.code)
        return ended if why.match is None else replace(ended, match=why.match, seat=why.seat)
    except Rejection as why:
        return answer(act, why, origin, reading)
    except Unreadable as error:  # no bug of the service
        return _end_unread(act, UNREADABLE, str(error), origin)
    detail = decision.noted or " ".join(str(explain(aside)) for aside in decision.asides)
    return origin.disposed("accepted", "", detail, commands=decision.shown)


def note_overrun(act: Act, number: int) -> Disposition | None:
    """End a message that took more CPU time than any message may; return its disposition, None if it has one already.

    Its player is told, if its headers name one.
    """
    locked = act.tx.inbound.lock(number)
    if locked is None:  # another worker has processed it
        return None
    try:
        message = parse(act.tx.inbound.raw(number))
        screen_headers(act.tx, message, act.site)
        origin = identify(act.tx, message, act.site)
        admit(act, message, origin)
    except (Declined, Unreadable):
        origin = NOBODY
    cause = Cause(locked.identity, number)
    ended = _end_unread(act.because(cause), OVER_BUDGET, "It takes too long to read.", origin)
    act.tx.inbound.finish(number, ended, act.now)
    return ended


def give_up(tx: Transaction, number: int, code: str, now: datetime) -> None:
    """End a message as failed without looking at it, since even to tell of its failure has failed."""
    if tx.inbound.lock(number) is not None:
        tx.inbound.finish(number, Disposition("failed", code, code=code), now)


def _end_unread(act: Act, code: str, detail: str, origin: Origin) -> Disposition:
    """Return the end of a message whose text is not read: a player whom we know is told, and nobody else."""
    if origin.seated:
        return answer(act, Unread(code=code), origin, NOTHING)
    if origin.player and origin.place is None and not may_break_silence(origin):
        return answer(act, UnknownMatch(code=code), origin, NOTHING)
    return origin.disposed("failed", code, detail, code=code)


def note_failure(act: Act, number: int, bug: Exception) -> None:
    """End a message as failed, store the redacted traceback, and let the operator be told."""
    if act.tx.inbound.lock(number) is None:  # another worker has processed it
        return
    secrets = (act.site.secret, *_read_lines(act.tx, number))
    cause = redacted(f"{type(bug).__name__}: {bug}", secrets)[:300]
    code = DAMAGED if isinstance(bug, DamagedRow) else "bug"
    act.tx.inbound.finish(
        number, Disposition("failed", cause, redacted_trace(bug, secrets)[-4000:], code=code), act.now
    )
    note_need(act.tx, act.now, urgent=True)


def _read_lines(tx: Transaction, number: int) -> list[str]:
    """Return the lines of a message, so that a report about its failure can leave them out; none if unreadable."""
    try:
        return [line.strip() for line in parse(tx.inbound.raw(number)).text.splitlines()[:1000]]
    except Exception:  # it may be the same bug that is being reported
        return []
