"""Brings one letter to its end within a transaction: what it asks for is done, or it is answered why not."""

import logging
from datetime import datetime, timedelta
from functools import lru_cache

from pbem import post
from pbem.addresses import is_address
from pbem.bounces import settle_bounce
from pbem.commands import as_word, read_commands
from pbem.dispatch import queue_notices
from pbem.envelope import Desk, Recipient, seal
from pbem.kept import Ending, Received
from pbem.letter import Letter, Unreadable, open_letter
from pbem.match import Match, Player
from pbem.newcomers import confirmed, hold
from pbem.notices import about_nothing
from pbem.phrases import own_subject
from pbem.ports import Fetched
from pbem.quoting import may_quote, written_lines
from pbem.redaction import redacted, redacted_trace
from pbem.referee import judge
from pbem.rulings import Discard, Rejection, TooLarge, UnknownMatch, UnknownSender
from pbem.sorting import BOUNCE, automatic, forged
from pbem.store import Work
from pbem.tag import find
from pbem.wording import whose_turn
from rules import Seat

log = logging.getLogger("pbem")

UNREADABLE = "unreadable"
"""The reason of a failed letter whose bytes are no mail: no bug, and nothing for the operator to do."""

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
# More letters in an hour that lead to nothing than anybody writes: a machine that does not say that it is one.
_VAIN_HOURLY = 60
# How many answers of a kind an address gets in a day: one for strangers, and not too many for all of them together;
# enough for a player's slips, and few enough to end a conversation with a machine that does not say that it is one.
_STRANGERS_DAILY, _PLAYERS_DAILY, _ALL_STRANGERS_DAILY = 1, 10, 50
_SILENT = "not answered: the address had all its answers of this kind for a day"


def keep(work: Work, letter: Fetched, now: datetime) -> tuple[int, bool]:
    """Keep one letter's bytes, with as much about it as can be read; returns its number and whether it is new."""
    try:
        opened = open_letter(letter.raw)
        identity, subject = opened.identity, opened.subject
        sender = next(iter(opened.senders), None)
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
        if work.count_vain_letters(letter.senders[0], now - _HOUR) >= _VAIN_HOURLY:
            raise Discard("too many letters")
        work.forget_bounces(letter.senders[0])
        return _answered(work, letter, row, whole, desk, now)
    except Discard as ruling:
        return Ending("discarded", ruling.reason)
    except Unreadable as error:  # no bug of ours, and nobody to answer
        return Ending("failed", UNREADABLE, str(error))


def _answered(work: Work, letter: Letter, row: Received, whole: bool, desk: Desk, now: datetime) -> Ending:
    """Carry out a letter that a person wrote, or answer why not."""
    tag = find(letter.tag_places, desk.secret)
    match = work.match(tag.match) if tag else None
    if tag is None or match is None or not _sits(letter.senders[0], match, tag.seat):
        if tag and match and tag.seat < len(match.players) and not work.player(letter.senders[0]):
            return hold(work, match, tag, letter, row, _written(work, letter, match, tag.seat, desk.address), desk, now)
        return _answer_outside(work, letter, row, desk, now)
    lines = _written(work, letter, match, tag.seat, desk.address) if whole else []
    if as_word(letter.subject) == "unsubscribe":  # mail programs write this by themselves, with a text of their own
        lines = [letter.subject]
    if whole and (held := confirmed(work, match, tag.seat, letter, lines, now)):
        return held
    try:
        if not whole:
            raise TooLarge()
        verdict = judge(match, tag.seat, tag.ply, read_commands(lines), now=now)
    except Discard as ruling:
        return Ending("discarded", ruling.reason, "", match.id, tag.seat)
    except Rejection as ruling:
        email = match.players[tag.seat].email
        if work.count_mails(email, ruling.kind, now - _DAY) >= _PLAYERS_DAILY:
            return Ending("rejected", ruling.kind, _SILENT, match.id, tag.seat)
        notice = post.after_rejection(match, tag.seat, tag.ply, ruling, lines, desk.archive_url)
        queue_notices(work, match, [(tag.seat, notice)], desk, row.identity, now, row.id)
        return Ending("rejected", ruling.kind, ruling.detail, match.id, tag.seat)
    work.append(match, verdict.match.record[match.ply :], verdict.match.times[match.ply :], row.id)
    work.add_remarks(match, verdict.remarks, now, row.id)
    if verdict.match.salts != match.salts:
        work.keep_salts(verdict.match)
    if (player := verdict.match.players[tag.seat]) != match.players[tag.seat]:
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
    return Ending("accepted", "", " ".join(verdict.asides), match.id, tag.seat, verdict.commands)


def _written(work: Work, letter: Letter, match: Match, seat: Seat, address: str) -> list[str]:
    """Return what a player wrote himself: in the letter, or, if that is nothing, in its subject.

    The mails he may have quoted are looked up if there is room for one.
    """
    sent = work.mails_answered(match.id, seat, letter.answered) if may_quote(letter.text, address) else []
    quotable = [text for raw in sent for text in _our_words(raw)]
    lines = written_lines(letter.text, address, quotable)
    return lines or list(filter(None, [own_subject(letter.subject)]))


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
    of_all = 0 if writer else work.count_mails(None, ruling.kind, now - _DAY)
    of_his = work.count_mails(email, ruling.kind, now - _DAY)
    if of_his >= (_PLAYERS_DAILY if writer else _STRANGERS_DAILY) or of_all >= _ALL_STRANGERS_DAILY:
        return Ending("rejected", ruling.kind, _SILENT)
    work.queue([seal(notice, Recipient(name, email), desk, row.identity, now, row.id)], now)
    return Ending("rejected", ruling.kind)


def note_failure(work: Work, number: int, bug: Exception, desk: Desk, now: datetime) -> None:
    """End a letter as failed, keep the traceback with it, and tell the operator, once an hour at most."""
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
