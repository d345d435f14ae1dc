"""A reply to an email about several matches: what is written for each is carried out by itself, or not.

One wrong line stops no other; one answer tells line by line what was done.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pbem.asking.lent_seats import list_lent
from pbem.asking.limits import allowance
from pbem.asking.starting import settle_wishes
from pbem.commands.catalogue import asks_for_something
from pbem.commands.decision import MatchDecision
from pbem.commands.families.digest import part_reply
from pbem.commands.families.play import FreeText
from pbem.commands.families.seats import StandInOff
from pbem.commands.grammar import read_commands
from pbem.commands.rejections import Discard, Held, Rejection, UnknownMatch
from pbem.due.listed_matches import Listed, enqueue_listing, find_listing
from pbem.due.unsending import hold_back, keep_part
from pbem.mail.reply_token import NO_MOVE, ReplyToken
from pbem.match.player import Player
from pbem.notices.digest_email import (
    MOST_BOARDS,
    Ended,
    ResultRow,
    results_notice,
    tell_beside,
    tell_done,
    tell_held,
    tell_refused,
)
from pbem.notices.sentences.reasons import note_rejection
from pbem.notices.sentences.status import title_match
from pbem.pipeline.act import Act
from pbem.pipeline.carry_out import carry_out
from pbem.pipeline.decide import decide_at
from pbem.pipeline.identify import Origin, Place, locate
from pbem.pipeline.interpret import DIGEST_DONE, Reading, read_in_match
from pbem.reading.move_phrases import looks_like_a_move
from pbem.reading.reason import because
from pbem.storage.database import Transaction
from pbem.storage.messages.records import Disposition

_MOST_UNLISTED = 5  # lines for other matches that are told
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
    """Carry out what a player replied to an email about several matches; return how the message ended.

    Raise UnknownMatch for an email that is not known here, as after a restored backup.
    """
    player = origin.player
    assert player is not None
    assert origin.digest is not None
    listed = find_listing(act.tx, origin.digest, player)
    if listed is None:
        raise UnknownMatch()
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
    act: Act, origin: Origin, player: Player, reading: Reading, listed: Sequence[Listed], results: _Results
) -> None:
    """Carry out what is for each match, and what is for none."""
    parted = part_reply(reading.lines, {one.match for one in listed}, asks_for_something)
    for one in listed:
        if lines := parted.by_match.get(one.match):
            _play(act, origin, player, one, lines, results)
    for line in parted.unlisted[:_MOST_UNLISTED]:
        results.codes.append("not_listed")
        results.rows.append(tell_beside([line], because("digest_not_listed"), act.site.language))
    beside = _name_lent_seats(act.tx, player, [line for line in parted.beside if line.strip()], act.now)
    commands = read_commands(beside)
    if any(not isinstance(one, FreeText) for one in commands):
        _set(act, origin, player, beside, listed, results)
    elif not results.rows or any(isinstance(one, FreeText) and looks_like_a_move(one.text) for one in commands):
        number = listed[0].match if listed else 1
        results.codes.append("no_number")
        results.rows.append(tell_beside(beside[:1], because("digest_no_number", number=number), act.site.language))


def _name_lent_seats(tx: Transaction, player: Player, lines: Sequence[str], now: datetime) -> list[str]:
    """Return ``lines`` for no match with numbers behind ``standin off``: it means all seats that others have."""
    asks = [read_commands([line]) == [StandInOff()] for line in lines]
    numbers = list_lent(tx, player, now) if any(asks) else []
    if not numbers:
        return list(lines)
    named = [f"standin off {number}" for number in numbers]
    return [one for line, asked in zip(lines, asks, strict=True) for one in (named if asked else [line])]


def _play(act: Act, origin: Origin, player: Player, listed: Listed, lines: Sequence[str], results: _Results) -> None:
    """Carry out the lines for one match, as a reply to an email of that turn to that seat."""
    place = _place_of(act.tx, player, listed)
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
        settled = settle_wishes(act, decision, place)
        carry_out(act, settled, origin.sender, silent=True)
        results.done += [f"{listed.match} {done}" for done in decision.shown]
        results.rows.append(tell_done(lines, decision, act.now, act.site.language))


def _set(
    act: Act, origin: Origin, player: Player, lines: Sequence[str], listed: Sequence[Listed], results: _Results
) -> None:
    """Carry out what is for no match, such as a vacation: like a reply to the status, which plays nothing."""
    places = (_place_of(act.tx, player, one) for one in listed)
    place = next((one for one in places if one), None)
    if place is None:
        return
    place = replace(place, ply=NO_MOVE + place.match.ply)
    commands = read_commands(lines)
    try:
        decision = decide_at(act, place, Reading(lines, commands), origin.sender)
    except Rejection as why:
        results.codes.append(why.code)
        results.rows.append(
            tell_beside(lines[:1], because("digest_no_number", number=place.match.id), act.site.language)
        )
    except Discard as why:
        results.codes.append(why.code)
    else:
        settled = settle_wishes(act, decision, place)
        carry_out(act, settled, origin.sender)
        results.done += decision.shown


def _place_of(tx: Transaction, player: Player, listed: Listed) -> Place | None:
    """Return the place that an email proves which listed a match; None where its reader has that seat no longer."""
    match = tx.matches.get(listed.match)
    if match is None or listed.seat >= len(match.players) or match.players[listed.seat].id != player.id:
        return None
    present = match.players[listed.seat].generation
    token = ReplyToken(match.id, listed.turn, listed.seat, present, match.nonce)
    place, _ = locate(tx, match, token)
    return place


def _answer(act: Act, player: Player, results: _Results, listed: Sequence[Listed]) -> None:
    """Queue the one answer, unless nothing was done and the player had enough of such answers today.

    It lists what they play, so that a line can be mended in reply to it.
    """
    if not results.rows or (
        not (results.done or results.held) and allowance(act.tx, DIGEST_DONE, player.email, act.now).suppressed
    ):
        return
    current = act.tx.players.get(player.id) or player
    failed = bool(results.codes)
    ended: Ended = "held" if results.held else "all" if not failed else "some" if results.done else "none"
    notice = results_notice(results.rows, current, act.site.language, ended=ended, failed=failed)
    running = act.tx.matches.all(player=player.id, running=True)
    known = running or act.tx.matches.all([one.match for one in listed], player=player.id)
    known.sort(key=lambda match: match.to_act != match.seat_of(current))
    enqueue_listing(act, notice, current, known[:MOST_BOARDS])
