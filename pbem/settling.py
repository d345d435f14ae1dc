"""Brings one letter to its end within a transaction: what it asks for is done, or it is answered why not."""

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache

from pbem import post
from pbem.addresses import is_address
from pbem.bounces import settle_bounce
from pbem.commands import as_word, looks_like_a_move, read_commands
from pbem.dispatch import queue_notices
from pbem.envelope import Desk, Recipient, seal
from pbem.kept import Ending, Received
from pbem.letter import Letter, Unreadable, open_letter
from pbem.limits import may_cause_more, why_silent, writes_in_vain
from pbem.lines import reads_as_command
from pbem.match import Match, Player
from pbem.newcomers import confirmed, hold
from pbem.notices import about_nothing
from pbem.phrases import own_subject
from pbem.ports import Fetched
from pbem.quoting import may_quote, written_lines
from pbem.redaction import redacted, redacted_trace
from pbem.referee import Verdict, judge
from pbem.rulings import Discard, Rejection, Sealed, TooLarge, TooOften, UnknownMatch, UnknownSender
from pbem.sorting import BOUNCE, automatic, forged
from pbem.store import Work
from pbem.tag import find
from pbem.wording import whose_turn
from rules import Seat

log = logging.getLogger("pbem")

UNREADABLE = "unreadable"
"""The reason of a failed letter whose bytes are no mail: no bug, and nothing for the operator to do."""

_SEALED = {
    "encrypted": "it is encrypted",
    "signed": "all of it lies inside a digital signature",
    "winmail": "all of it lies in a file winmail.dat, which only Outlook opens",
    "attachment": "there is nothing in it but attached files",
}


def keep(work: Work, letter: Fetched, desk: Desk, now: datetime) -> tuple[int, bool]:
    """Keep one letter's bytes, with as much about it as can be read; returns its number and whether it is new."""
    try:
        opened = open_letter(letter.raw)
        # A forged letter must not keep the one out that it imitates.
        identity = Letter.identity_of(letter.raw) if forged(opened, desk.authserv_id) else opened.identity
        subject, sender = opened.subject, next(iter(opened.senders), None)
    except Exception:  # a letter that cannot be read is kept all the same; settling it says what is wrong
        log.warning("a letter could not be read on arrival")
        identity, subject, sender = Letter.identity_of(letter.raw), "", None
    number = work.receive(identity, letter.raw, letter.whole, sender, subject, now)
    if number is not None:
        return number, True
    known = work.letter_by_identity(identity)
    assert known is not None
    return known.id, False


def ending(work: Work, number: int, desk: Desk, now: datetime) -> Ending:
    """Do what a letter asks for, and return how it ends.

    An exception out of here is a bug: the transaction is then to be undone, and ``note_failure`` called in another.
    """
    raw, whole = work.letter_bytes(number)
    row = work.letter(number)
    assert row is not None
    try:
        letter = open_letter(raw)
        if reason := automatic(letter, desk.address):
            if reason == BOUNCE:
                return settle_bounce(work, letter, number, desk, now)
            raise Discard(reason)
        if forged(letter, desk.authserv_id):
            raise Discard("forged sender")
        if len(letter.senders) != 1 or not is_address(letter.senders[0]):
            raise Discard("no single sender")
        return _answered(work, letter, row, whole, desk, now)
    except Discard as ruling:
        return Ending("discarded", ruling.reason)
    except Unreadable as error:  # no bug of ours, and nobody to answer
        return Ending("failed", UNREADABLE, str(error))


def _answered(work: Work, letter: Letter, row: Received, whole: bool, desk: Desk, now: datetime) -> Ending:
    """Carry out a letter that a person wrote, or answer why not."""
    tag = find(letter.tag_places, desk.secret)
    match = work.match(tag.match) if tag else None
    seated = tag is not None and match is not None and _sits(letter.senders[0], match, tag.seat)
    if writes_in_vain(work, letter.senders[0], now, tagged=seated):
        raise Discard("too many letters")
    work.forget_bounces(letter.senders[0])
    if tag is None or match is None or not seated:
        if tag and match and tag.seat < len(match.players) and not work.player(letter.senders[0]):
            return hold(work, match, tag, letter, row, written(work, letter, match, tag.seat, desk.address), desk, now)
        return _answer_outside(work, letter, row, desk, now)
    lines = written(work, letter, match, tag.seat, desk.address) if whole else []
    if as_word(letter.subject) == "unsubscribe":  # mail programs write this by themselves, with a text of their own
        lines = [letter.subject]
    if whole and (settled := confirmed(work, match, tag, letter, row, lines, desk, now)):
        return settled
    try:
        if not whole:
            raise TooLarge()
        if letter.sealed == "encrypted" or (letter.sealed and not lines):
            raise Sealed(_SEALED[letter.sealed])
        verdict = judge(match, tag.seat, tag.ply, read_commands(lines), now=now)
        verdict = _within_limits(work, match, verdict, letter.senders[0], now)
    except Discard as ruling:
        return Ending("discarded", ruling.reason, "", match.id, tag.seat)
    except Rejection as ruling:
        if silent := why_silent(work, ruling.kind, match.players[tag.seat].email, now):
            return Ending("rejected", ruling.kind, silent, match.id, tag.seat)
        notice = post.after_rejection(match, tag.seat, tag.ply, ruling, lines, desk.archive_url)
        queue_notices(work, match, [(tag.seat, notice)], desk, row.identity, now, row.id)
        return Ending("rejected", ruling.kind, ruling.noted, match.id, tag.seat)
    return _carried_out(work, match, verdict, row, desk, now)


def _within_limits(work: Work, match: Match, verdict: Verdict, sender: str, now: datetime) -> Verdict:
    """Return what may be carried out of a letter: nothing besides its move for one who has caused too much mail.

    Raises TooOften for a letter without one. Whoever wants no more mails is heard at any time.
    """
    seat = verdict.seat
    answers = verdict.match.salts != match.salts and match.salts[seat] is None
    idle = verdict.match.ply == match.ply and not answers
    if not (idle or verdict.asked) or may_cause_more(work, sender, now):
        return verdict
    if "unsubscribe" in verdict.asked and not match.players[seat].quiet:
        return replace(verdict, asked=frozenset({"unsubscribe"}), remarks=(), commands=("unsubscribe",))
    if idle:
        raise TooOften()
    left_out = {str(word) for word in verdict.asked} | {"display test"}
    commands = tuple(command for command in verdict.commands if command not in left_out)
    aside = "What you asked for besides has to wait for tomorrow: today you had more of that than I send in a day."
    asides = (*verdict.asides, aside) if commands != verdict.commands else verdict.asides
    return replace(verdict, asked=frozenset(), asides=asides, commands=commands)


def _carried_out(work: Work, match: Match, verdict: Verdict, row: Received, desk: Desk, now: datetime) -> Ending:
    """Keep what a letter led to, and write to everybody about it."""
    player = verdict.match.players[verdict.seat]
    work.append(match, verdict.match.record[match.ply :], verdict.match.times[match.ply :], row.id)
    work.add_remarks(match, verdict.remarks, now, row.id)
    if verdict.match.salts != match.salts:
        work.keep_salts(verdict.match)
    if player != match.players[verdict.seat]:
        work.keep_wishes(player)
    if verdict.match.ply > match.ply or verdict.remarks or verdict.match.salts != match.salts:
        work.note_change(verdict.match, now)
    notices = post.after_verdict(match, verdict, desk.archive_url)
    queue_notices(work, verdict.match, notices, desk, row.identity, now, row.id)
    for other in work.matches(player=player.id, running=True) if "resume" in verdict.asked else ():
        if other.id != match.id:
            seat = _seat_of(other, player)
            newest = [(seat, post.after_return(other, seat, desk.archive_url))]
            queue_notices(work, other, newest, desk, row.identity, now, row.id)
    # The host may play himself, and a pipe may write this into a log: what partners say is not for him.
    commands = tuple("team: …" if command.startswith("team:") else command for command in verdict.commands)
    return Ending("accepted", "", " ".join(verdict.asides), match.id, verdict.seat, commands)


def written(work: Work, letter: Letter, match: Match, seat: Seat, address: str) -> list[str]:
    """Return what a player wrote himself: in the letter, or, if that is nothing, in its subject.

    The mails he may have quoted are looked up if there is room for one.
    """
    sent = work.mails_answered(match.id, seat, letter.answered) if may_quote(letter.text, address) else []
    quotable = [text for raw in sent for text in _our_words(raw)]
    lines = written_lines(letter.text, address, quotable)
    subject = "" if lines else own_subject(letter.subject)
    return [subject] if looks_like_a_move(subject) or reads_as_command(subject, match.position) else lines


@lru_cache(maxsize=500)  # each is looked up for every one of the next letters from its reader
def _our_words(raw: bytes) -> tuple[str, ...]:
    """Return the texts of a mail of ours without what they quote of its reader, who may well write that again."""
    return tuple(
        "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(">"))
        for text in open_letter(raw).texts
    )


def _answer_outside(work: Work, letter: Letter, row: Received, desk: Desk, now: datetime) -> Ending:
    """Answer a letter that belongs to no match of its writer, but not so often that a machine is fed."""
    writer = work.player(letter.senders[0])
    if writer is None:
        ruling: Rejection = UnknownSender()
        name, email = "", letter.senders[0]
        notice = about_nothing(ruling.kind, sender=email)
    else:
        ruling = UnknownMatch()
        name, email = writer.name, writer.email
        running = work.matches(player=writer.id, running=True)
        lines = [f"{match.id}, {match.game.title}: {whose_turn(match, _seat_of(match, writer))}" for match in running]
        notice = about_nothing(ruling.kind, you=name, subject=letter.subject[:60], matches=lines)
    if silent := why_silent(work, ruling.kind, email, now):
        return Ending("rejected", ruling.kind, silent)
    work.queue([seal(notice, Recipient(name, email), desk, row.identity, now, row.id)], now)
    return Ending("rejected", ruling.kind)


def note_failure(work: Work, number: int, bug: Exception, desk: Desk, now: datetime) -> None:
    """End a letter as failed, keep the traceback with it, and tell the operator, once an hour at most."""
    if not work.take(number):  # another worker has brought it to its end
        return
    secrets = (desk.secret, *_lines_of(work.letter_bytes(number)[0]))
    cause = redacted(f"{type(bug).__name__}: {bug}", secrets)[:300]
    row = work.letter(number)
    work.settle(number, Ending("failed", cause, redacted_trace(bug, secrets)[-4000:]), now)
    if desk.operator and not work.count_mails(desk.operator, "letter_failed", now - timedelta(hours=1)):
        sender = redacted(row.sender) if row and row.sender else None
        notice = about_nothing("letter_failed", letter=number, sender=sender, cause=cause)
        work.queue([seal(notice, Recipient("", desk.operator), desk, f"letter {number}", now, number)], now)


def _lines_of(raw: bytes) -> list[str]:
    """Return the lines of a letter, as far as it can be read: no report of what went wrong with it shows them."""
    try:
        return [line.strip() for line in open_letter(raw).text.splitlines()[:1000]]
    except Exception:  # perhaps the very one that is reported
        return []


def _sits(sender: str, match: Match, seat: Seat) -> bool:
    """Tell whether ``sender`` is an address of the player who has the seat."""
    return seat < len(match.players) and sender in match.players[seat].emails


def _seat_of(match: Match, player: Player) -> Seat:
    """Return where ``player`` sits."""
    return next(seat for seat, seated in enumerate(match.players) if seated.id == player.id)
