"""A reply to an email about several matches: what is written for each is carried out by itself, or not.

One wrong line stops no other; one answer tells line by line what was done.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pbem.asking.lent_seats import list_lent
from pbem.asking.limits import allowance
from pbem.asking.starting import settle_unproven, settle_wishes
from pbem.commands.asking_effects import Wish
from pbem.commands.decision import Command, MatchDecision
from pbem.commands.families.account import Unsubscribe
from pbem.commands.families.digest import ChooseLetter
from pbem.commands.families.seats import StandInOff
from pbem.commands.families.talk import UnclearRecipient
from pbem.commands.grammar import read_commands
from pbem.commands.judge import counts_without_match, judge_outside
from pbem.commands.parting import TALK, is_for_all, part_reply
from pbem.commands.rejections import Discard, Held, Rejection, Unconfirmed, UnknownMatch
from pbem.commands.words_above import greets
from pbem.due.listed_matches import enqueue_listing, find_listing
from pbem.due.unsending import hold_back, keep_part
from pbem.mail.reply_token import NO_MOVE, ReplyToken
from pbem.match.player import Player
from pbem.notices.digest_email import (
    Ended,
    ResultRow,
    results_notice,
    tell_beside,
    tell_done,
    tell_held,
    tell_refused,
    tell_words,
)
from pbem.notices.sentences.reasons import note_rejection
from pbem.notices.sentences.status import title_match
from pbem.pipeline.act import Act
from pbem.pipeline.announce import answer
from pbem.pipeline.carry_out import carry_out
from pbem.pipeline.decide import decide_at
from pbem.pipeline.identify import Origin, Place, newest_place, place_of
from pbem.pipeline.interpret import DIGEST_DONE, Reading, read_in_match
from pbem.reading.match_names import holds_move
from pbem.reading.reason import Reason, because
from pbem.storage.messages.records import Disposition
from pbem.storage.transaction import Transaction

_MOST_ROWS = 20  # lines that are told one by one
_MOST_LINES = 400


@dataclass
class _Results:
    """What became of a reply so far: rows to tell, commands that were carried out, and why others were not.

    ``held`` is how many parts of it wait, since their moves can still be taken back.
    """

    rows: list[ResultRow] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    held: int = 0


def carry_out_reply(act: Act, origin: Origin, reading: Reading) -> Disposition:
    """Carry out what a player replied to an email about several matches; return how the message ended."""
    player = origin.player
    assert player is not None
    assert origin.digest is not None
    listed = find_listing(act.tx, act.site, origin.digest, player, reading.answered)
    results = _Results()
    if not reading.whole or len(reading.lines) > _MOST_LINES or reading.opaque == "encrypted":
        results.codes.append("digest_unread")
        results.rows.append(tell_beside((), because("digest_too_much"), act.site.language))
    else:
        _carry_out(act, origin, player, reading, listed, results)
    _answer(act, player, results, listed)
    detail = " ".join(filter(None, results.notes))
    if results.done or results.held:
        return origin.disposed("accepted", "", detail, commands=tuple(results.done))
    return origin.disposed("rejected", "digest", detail, code=next(iter(results.codes), "no_command"))


def _carry_out(
    act: Act, origin: Origin, player: Player, reading: Reading, listed: Sequence[ReplyToken], results: _Results
) -> None:
    """Carry out what is for each match, and what is for none; whatever is left is told."""
    parted = part_reply(reading.lines, [one.match for one in listed])
    beside = _name_lent_seats(act.tx, player, [line for line in parted.beside if line.strip()], act.now)
    commands = read_commands(beside)
    asked = [one for one in commands if is_for_all(one)]
    fresh = bool(asked) and any(place.is_present for place in _places_of(act.tx, player, listed))
    for token in listed:
        if token.match in parted.by_match:
            lines = parted.by_match[token.match]
            _play(act, origin, player, token, lines if any(map(str.strip, lines)) else ["show"], results)
    example = because("digest_no_number", number=listed[0].match if listed else 1)
    undone = [(line, _why_unlisted(act.tx, number)) for number, line in parted.unlisted]
    undone += [(line, example) for line in parted.unclear]
    if asked:
        place = next(_places_of(act.tx, player, listed), None) or newest_place(act.tx, player)
        undone += [(line, example) for line in _set(act, origin, player, place, asked, results, fresh=fresh)]
    left = [(one, _quote(one)) for one in commands if not is_for_all(one)]
    words = [text for one, text in left if text and isinstance(one, TALK) and not holds_move(text)]
    undone += [(text, example) for _, text in left if text and text not in words]
    _tell_left(act, undone, words, example, results)


def _quote(command: Command) -> str:
    """Return a command as its sender reads it."""
    return command.text if isinstance(command, UnclearRecipient) else str(command)


def _why_unlisted(tx: Transaction, number: int) -> Reason:
    """Return why a line for a match that was not listed isn't done."""
    lost = tx.restorations.find_lost([number])
    return because("digest_lost", number=number) if lost else because("digest_not_listed")


def _tell_left(
    act: Act, undone: Sequence[tuple[str, Reason]], words: Sequence[str], example: Reason, results: _Results
) -> None:
    """Tell which lines are for no match that is known, and which words for nobody; a greeting leaves nothing undone."""
    for line, why in undone[:_MOST_ROWS]:
        results.codes.append("not_listed" if why.code == "digest_not_listed" else "no_number")
        results.rows.append(tell_beside([line], why, act.site.language))
    words = [*(line for line, _ in undone[_MOST_ROWS:]), *words]
    is_more = bool(results.rows or results.done or results.codes)
    fails = not (is_more and all(map(greets, words)))
    if fails:
        results.codes.append("no_number")
    if words or not is_more:
        results.rows.append(tell_words(words, example if fails else None, act.site.language))


def _name_lent_seats(tx: Transaction, player: Player, lines: Sequence[str], now: datetime) -> list[str]:
    """Return ``lines`` for no match with numbers behind ``standin off``: it means all seats that others have."""
    asks = [read_commands([line]) == [StandInOff()] for line in lines]
    numbers = list_lent(tx, player, now) if any(asks) else []
    if not numbers:
        return list(lines)
    named = [f"standin off {number}" for number in numbers]
    return [one for line, asked in zip(lines, asks, strict=True) for one in (named if asked else [line])]


def _play(
    act: Act, origin: Origin, player: Player, listed: ReplyToken, lines: Sequence[str], results: _Results
) -> None:
    """Carry out the lines for one match, as a reply to an email of that turn to that seat."""
    place = place_of(act.tx, player, listed)
    if place is None:
        match = act.tx.matches.get(listed.match)
        again = match is not None and any(one.id == player.id for one in match.players)
        results.codes.append("seat_passed" if again else "no_seat")
        why = because("digest_seat_passed" if again else "digest_no_seat", number=listed.match)
        results.rows.append(tell_beside(lines, why, act.site.language))
        return
    reading = read_in_match(lines, place.match)

    def keep(decision: MatchDecision) -> int:
        assert act.cause.inbound is not None  # a message
        part = keep_part(act, place, reading.lines, act.cause.inbound, origin.sender)
        results.notes.append(f"{listed.match}: held #{part}")
        return part

    try:
        decision = decide_at(act, place, reading, origin.sender)
        hold_back(act, decision, act.cause.inbound or 0, keep=keep)
    except Rejection as why:
        if isinstance(why, Held) and why.move:
            results.held += 1
            results.rows.append(tell_held(place.match, player, why, act.now, act.site.language))
            return
        results.codes.append(why.code)
        results.notes.append(f"{listed.match}: {note_rejection(why) or why.code}")
        results.rows.append(tell_refused(lines, why, place.match, player, reading.commands, act.now, act.site.language))
    except Discard as why:
        results.codes.append(why.code)
        title = title_match(place.match, place.seat, act.site.language)
        results.rows.append(tell_beside(lines, because("digest_played"), act.site.language, title))
    else:
        settled = settle_wishes(act, decision, place, reading)
        carry_out(act, settled, origin.sender, silent=True)
        results.done += [f"{listed.match} {done}" for done in decision.shown]
        results.rows.append(tell_done(lines, decision, act.now, act.site.language))


def _set(
    act: Act,
    origin: Origin,
    player: Player,
    place: Place | None,
    commands: Sequence[Command],
    results: _Results,
    *,
    fresh: bool,
) -> list[str]:
    """Carry out what needs no match, such as a vacation, and plays nothing. Return what was not carried out.

    ``fresh``: the email that is answered is no older than the present one of a match.
    """
    lines = [str(one) for one in commands]
    if place is None:
        return _set_outside(act, origin, player, commands, results)
    place = replace(place, ply=NO_MOVE + (place.match.ply if fresh else max(0, place.ply)))
    reading = Reading(lines, commands)
    try:
        decision = decide_at(act, place, reading, origin.sender)
    except Discard as why:
        results.codes.append(why.code)
        return []
    except Rejection as why:
        results.codes.append(why.code)
        if not isinstance(why, Unconfirmed):
            return lines
        answer(act, why, replace(origin, place=place, digest=None), reading)
        return []
    settled = settle_wishes(act, decision, place, reading)
    carry_out(act, settled, origin.sender)
    results.done += decision.shown
    return []


def _set_outside(act: Act, origin: Origin, player: Player, commands: Sequence[Command], results: _Results) -> list[str]:
    """Carry out what needs no match, for somebody who has never had one. Return what was not carried out.

    What they ask for about ladders and the like is asked about first: no present email of a match proves it theirs.
    To whoever plays nothing, no other email comes unasked than the Sunday letter: who unsubscribes wants that no more.
    """
    wished = [ChooseLetter(wanted=False) if isinstance(one, Unsubscribe) else one for one in commands]
    try:
        decision = judge_outside(player, wished, now=act.now)
    except UnknownMatch:
        return [str(one) for one in commands]
    carry_out(act, decision, origin.sender)
    results.done += decision.shown
    wishes = [one.command for one in decision.effects if isinstance(one, Wish)]
    try:
        if asked := settle_unproven(act, player, wishes):
            carry_out(act, asked, origin.sender)
    except Discard as why:
        results.codes.append(why.code)
    return [str(one) for one in commands if not counts_without_match(one) and not isinstance(one, Unsubscribe)]


def _places_of(tx: Transaction, player: Player, listed: Iterable[ReplyToken]) -> Iterator[Place]:
    """Yield the places that an email proves which listed these."""
    return (place for one in listed if (place := place_of(tx, player, one)))


def _answer(act: Act, player: Player, results: _Results, listed: Sequence[ReplyToken]) -> None:
    """Queue the one answer, unless nothing was done and the player had enough of such answers today.

    It lists what they play, so that a line can be mended in reply to it.
    """
    if not results.rows or (
        not (results.done or results.held) and allowance(act, DIGEST_DONE, player.email).suppressed
    ):
        return
    current = act.tx.players.get(player.id) or player
    failed = bool(results.codes)
    ended: Ended = "held" if results.held else "all" if not failed else "some" if results.done else "none"
    notice = results_notice(results.rows, current, act.site.language, ended=ended, failed=failed)
    running = act.tx.matches.all(player=player.id, running=True)
    known = running or act.tx.matches.all([one.match for one in listed], player=player.id)
    enqueue_listing(act, notice, current, known)
