"""The family of agreeing: a draw, and taking moves back, by the consent of everybody who plays. Pure.

One offer stands at a time, in one turn: whoever moves has declined it. What it is about can't change under a yes. Only
a line that is nothing else counts: ``a draw would be fair, I think`` is talk. A host may hold moves for some minutes:
then one is taken back alone, before anybody was told.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.commands.decision import Command, Family, HelpRow, Keyword, MatchSituation, Spelled
from pbem.commands.effects import AddLog, Reply, Withdraw
from pbem.commands.rejections import AlreadyOver, NoCommand, NotYourTurn
from pbem.commands.ruling import rewind
from pbem.match.agreements import Agreement, AgreementKind, AgreementState, all_agree
from pbem.match.endings import Ruling
from pbem.match.log import LogEntry, LogKind
from pbem.match.match import Match, is_move
from pbem.reading.reason import Reason, because
from rules.position import EXIT_WORDS, Seat

MOST_REFUSED = 5
"""How often in a match a player may offer one kind of thing to which the others don't agree."""

APART = timedelta(days=1)
"""After so long a player may offer the same once more."""

MOST_UNDONE = 20
"""How often a day moves may be taken back in a match to which a robot agrees: it thinks anew each time."""

_OFFERED: dict[AgreementKind, LogKind] = {"draw": "draw_offered", "undo": "undo_asked"}
_DECLINED: dict[AgreementKind, LogKind] = {"draw": "draw_declined", "undo": "undo_declined"}
_WITHDRAWN: dict[AgreementKind, LogKind] = {"draw": "draw_withdrawn", "undo": "undo_withdrawn"}

_LONGEST = 80  # characters of a line
_EDGES = " \t*_\"'“”.!,)]>(["
_I = (
    r"(?:(?:please|ok|okay)\s)?"
    r"(?:(?:i(?:'d\slike\sto|\swould\slike\sto|\swant\sto)?|(?:may|can)\si|let's|(?:can|shall)\swe)\s)?"
)
_AFTER = r"(?:\s(?:please|now|then|thanks|thank\syou))?"
_THE = r"(?:\s(?:the|a|your|my|that))?"
_OFFERING = r"(?:offer|propose|suggest|ask\sfor|have|call\sit|agree\son|take)(?:\s(?:you|everyone))?(?:\sa)?\s"
_OFFER = re.compile(rf"{_I}(?:{_OFFERING})?draw{_AFTER}|draw\s(?:offer|offered|by\sagreement){_AFTER}")
_UNDO = re.compile(rf"{_I}(?:undo|take\sback)(?:\smy)?(?:\slast)?\smove{_AFTER}|{_I}undo(?:\s(?:it|that))?{_AFTER}")
_WHAT = r"(?P<what>draw(?:\soffer)?|undo|undoing|taking\sback)"
_AGREE = re.compile(rf"{_I}(?:agree(?:\s(?:to|with|on))?|accept){_THE}\s{_WHAT}{_AFTER}")
_IS_AGREED = re.compile(rf"{_WHAT}\s(?:accepted|agreed)")
_DECLINE = re.compile(rf"{_I}(?:no|decline|refuse|reject|withdraw){_THE}\s{_WHAT}{_AFTER}")
_IS_DECLINED = re.compile(rf"{_WHAT}\s(?:off|declined|refused|rejected|withdrawn)")


@dataclass(frozen=True, slots=True)
class Draw(Spelled):
    """The sender offers a draw, or agrees to one that is offered; ``asks``: the line has a question mark."""

    asks: bool = False

    says = "draw"


@dataclass(frozen=True, slots=True)
class Undo(Spelled):
    """The sender would like to take their last move back."""

    says = "undo"


@dataclass(frozen=True, slots=True)
class Agree(Spelled):
    """The sender agrees to what is offered: to that kind of offer, and to nothing else."""

    kind: AgreementKind

    says = "agree to {it.kind}"


@dataclass(frozen=True, slots=True)
class Decline(Spelled):
    """The sender declines what is offered, or takes back what they have offered themselves."""

    kind: AgreementKind

    says = "no {it.kind}"


AGREEMENT_WORDS = ("draw", "undo", "take back", "taking back")
"""Every such line holds one of them, in small letters."""

AGREEMENT_TYPES = (Draw, Undo, Agree, Decline)


def parse_agreement(piece: str) -> Command | None:
    """Return what a piece of a line offers or answers; None where it is something else."""
    if len(piece) > _LONGEST:
        return None
    asks = "?" in piece
    text = " ".join(piece.lower().replace("’", "'").replace("?", " ").replace(",", " ").split()).strip(_EDGES)
    if _UNDO.fullmatch(text):
        return Undo()
    if _OFFER.fullmatch(text):
        return Draw(asks)
    if asks:
        return None
    if found := _AGREE.fullmatch(text) or _IS_AGREED.fullmatch(text):
        return Agree(_kind_of(found["what"]))
    if found := _DECLINE.fullmatch(text) or _IS_DECLINED.fullmatch(text):
        return Decline(_kind_of(found["what"]))
    return None


def meant_by_no(offered: Sequence[str]) -> str:
    """Return what a no to an email that proposed ``offered`` declines; "" where its sender has just meant nothing."""
    found = parse_agreement(offered[0]) if len(offered) == 1 else None
    return str(Decline(found.kind)) if isinstance(found, Agree) else ""


def _kind_of(what: str) -> AgreementKind:
    """Return the kind of offer that a word names."""
    return "draw" if what.startswith("draw") else "undo"


@dataclass(frozen=True, slots=True)
class Oops(Spelled):
    """The sender takes the move back that is still held."""

    says = "oops"


def take_back_held(situation: MatchSituation, command: Oops) -> MatchSituation:
    """Take back what is held; beside a move the word is talk where nothing is."""
    if situation.held is None:
        if situation.moves:
            return replace(situation, words=(*situation.words, str(command)))
        return situation.told("nothing_held")
    return situation.carried("oops", Withdraw(situation.held), Reply("taken_back"), held=None)


def _apply(situation: MatchSituation, command: Draw | Undo | Agree | Decline | Oops, now: datetime) -> MatchSituation:
    """Make an offer, or answer one; what the message plays has been played by now. Or take a move back alone."""
    if isinstance(command, Oops):
        return take_back_held(situation, command)
    match, seat = situation.match, situation.seat
    if isinstance(command, Undo) and situation.moves:
        raise NoCommand("retracted", done=situation.moves[-1], line=str(command))
    if match.outcome and situation.moves:  # by one of these
        return situation.told("over_by_then")
    if match.outcome:
        raise AlreadyOver()
    if seat not in match.present:
        raise NotYourTurn("departed")
    offer = match.open_agreement
    if isinstance(command, Agree):
        return _agree(situation, offer, command, now) if offer and offer.kind == command.kind else _none_open(situation)
    if isinstance(command, Decline):
        return _decline(situation, offer, command) if offer and offer.kind == command.kind else _none_open(situation)
    kind: AgreementKind = "draw" if isinstance(command, Draw) else "undo"
    if offer is None or (seat == offer.seat and kind != offer.kind):
        return _offer(situation, kind, now)
    if seat in offer.agreed and kind == offer.kind:
        return situation.told("offered_already")
    if isinstance(command, Undo) or offer.kind == "undo":
        return situation.told("other_offer_stands", name=match.name(offer.seat), word=str(Decline(offer.kind)))
    if command.asks:
        return situation.told("draw_is_offered", name=match.name(offer.seat), word=str(Agree("draw")))
    return _agree(situation, offer, command, now)


def _none_open(situation: MatchSituation) -> MatchSituation:
    """Say that there is nothing to agree to, or to decline."""
    return situation.told("nothing_offered")


def _offer(situation: MatchSituation, kind: AgreementKind, now: datetime) -> MatchSituation:
    """Make an offer to everybody, in place of one of the sender’s own."""
    match, seat = situation.match, situation.seat
    if not match.has_begun:
        return situation.told("nothing_moved_yet")
    refused = [one for one in match.agreements if (one.kind, one.seat) == (kind, seat) and one.state != "agreed"]
    if len(refused) >= MOST_REFUSED:
        return situation.told("offered_enough", most=MOST_REFUSED)
    if refused and now < refused[-1].at + APART:
        return situation.told("offered_today", again=(refused[-1].at + APART).isoformat())
    if kind == "undo":
        ply = _last_move_of(match, seat)
        if ply is None:
            return situation.told("no_move_to_undo")
        if any(entry.text in EXIT_WORDS for entry in match.record[ply:]):
            return situation.told("left_since")
    if why := _why_robots_refuse(situation, kind, now):
        return situation.told(why.code, **dict(why.arguments))
    robots = match.robot_seats & match.present if kind == "undo" else frozenset[Seat]()
    offer = Agreement(kind, seat, match.turn, now.replace(microsecond=0), tuple(sorted({seat, *robots})))
    if all_agree(match.present, offer.agreed):
        before = match.with_agreements(_closed(match.agreements, "withdrawn"))
        return _settle(replace(situation, match=before), offer, str(kind), now)
    entry = LogEntry(_OFFERED[kind], seat, _tell(match, offer))
    offered = match.with_agreements((*_closed(match.agreements, "withdrawn"), offer))
    return situation.carried(kind, AddLog(entry), match=offered)


def _tell(match: Match, offer: Agreement) -> dict[str, object]:
    """Return what is told of an offer: which move would be taken back, how many in all, and whether any is a roll."""
    ply = _last_move_of(match, offer.seat) if offer.kind == "undo" else None
    if ply is None:
        return {}
    since = match.record[ply:]
    rolled = any(entry.seat is None for entry in since)
    return {"move": since[0].text, "moves": sum(map(is_move, since)), "rolled": rolled}


def _last_move_of(match: Match, seat: Seat) -> int | None:
    """Return the number of entries before the last move that a seat chose; None where it has made none."""
    for ply in range(match.ply - 1, -1, -1):
        entry = match.record[ply]
        if entry.seat == seat and is_move(entry) and match.at(ply).automatic_entry() != entry:
            return ply
    return None


def _agree(situation: MatchSituation, offer: Agreement, command: Draw | Agree, now: datetime) -> MatchSituation:
    """Agree to the offer that stands; it is done when everybody has who plays."""
    match, seat = situation.match, situation.seat
    if seat in offer.agreed:
        return situation.told("offered_already")
    agreed = replace(offer, agreed=tuple(sorted((*offer.agreed, seat))))
    if not all_agree(match.present, agreed.agreed):
        asked = LogEntry(_OFFERED[offer.kind], seat, _tell(match, offer) | {"by": offer.seat})
        waiting = match.with_agreements((*match.agreements[:-1], agreed))
        return situation.carried(str(command), AddLog(asked), match=waiting)
    return _settle(replace(situation, match=match.with_agreements(match.agreements[:-1])), agreed, str(command), now)


def _why_robots_refuse(situation: MatchSituation, kind: AgreementKind, now: datetime) -> Reason | None:
    """Return why a robot in the match doesn't hear of such an offer; None where none has anything against it.

    A draw it weighs when it thinks, which it does on its turn alone, if everybody else agrees. It lets moves be taken
    back, since nothing is at stake, but no roll: that would fall again, and be known. One that only stands in agrees to
    neither: something is at stake for whose seat it is.
    """
    match, seat = situation.match, situation.seat
    robots = match.robot_seats & match.present
    if not robots:
        return None
    if lent := robots & situation.lent:
        return because("robot_stands_in_alone", name=match.name(min(lent)))
    name = match.name(min(robots))
    if kind == "draw":
        return None if match.to_act in robots and len(robots) == 1 else because("robot_no_draw", name=name)
    ply = _last_move_of(match, seat)
    if any(entry.seat is None for entry in match.record[ply:]):
        return because("robot_no_roll_back", name=name)
    today = [one for one in match.agreements if one.kind == "undo" and now < one.at + APART]
    return because("undone_enough", most=MOST_UNDONE) if len(today) >= MOST_UNDONE else None


def _settle(situation: MatchSituation, agreed: Agreement, done: str, now: datetime) -> MatchSituation:
    """Do what everybody has agreed on; it stands behind the other offers of the match then."""
    match, seat = situation.match, situation.seat
    settled = match.with_agreements((*match.agreements, replace(agreed, state="agreed")))
    if agreed.kind == "draw":
        winners = frozenset(member for one in match.present for member in match.position.side(one))
        drawn = replace(settled, ruling=Ruling("agreed", winners, "agreement", now), folded=match.position)
        return situation.carried(done, AddLog(LogEntry("draw_agreed", seat)), match=drawn, known=drawn)
    ply = _last_move_of(match, agreed.seat)
    assert ply is not None  # nothing was played since it was offered
    taken = rewind(settled, ply, now)
    (entry,) = taken.log
    told = replace(entry, seat=agreed.seat)
    return situation.carried(done, AddLog(told), match=taken.after, known=taken.after)


def _decline(situation: MatchSituation, offer: Agreement, command: Decline) -> MatchSituation:
    """Decline the offer that stands, or take one’s own back."""
    match, seat = situation.match, situation.seat
    own = seat == offer.seat
    kind = (_WITHDRAWN if own else _DECLINED)[offer.kind]
    closed = match.with_agreements(_closed(match.agreements, "withdrawn" if own else "declined"))
    return situation.carried(str(command), AddLog(LogEntry(kind, seat)), match=closed)


def _closed(offers: Sequence[Agreement], state: AgreementState) -> tuple[Agreement, ...]:
    """Return offers of which none stands any more, the last one for that reason."""
    if offers and offers[-1].state == "open":
        return (*offers[:-1], replace(offers[-1], state=state))
    return tuple(offers)


def lapsed_by(before: Match, seat: Seat, beside: Sequence[Command]) -> LogEntry | None:
    """Return what is told of the offer that stood in ``before``, since ``seat`` has moved.

    None where none stood, and where a draw is offered anew by the commands ``beside`` the move.
    """
    offer = before.open_agreement
    if offer is None or (offer.kind == "draw" and any(isinstance(one, Draw) for one in beside)):
        return None
    kind = (_WITHDRAWN if seat == offer.seat else _DECLINED)[offer.kind]
    return LogEntry(kind, seat, {"moved": True})


def in_turn(match: Match, before: int) -> Match:
    """Return the match in which an offer made in turn ``before`` stands in the present one: rolls have come since."""
    if match.turn == before or not match.agreements or match.agreements[-1].turn != before:
        return match
    return match.with_agreements((*match.agreements[:-1], replace(match.agreements[-1], turn=match.turn)))


def proposed_by(log: Iterable[LogEntry]) -> tuple[str, ...]:
    """Return what a yes says to an email that tells such news of offers."""
    answers: dict[LogKind, str] = {told: str(Agree(kind)) for kind, told in _OFFERED.items()}
    return tuple(answers[entry.kind] for entry in log if entry.kind in answers)


def _has_begun(match: Match, seat: Seat) -> bool:
    """Return whether anything can be offered."""
    return match.has_begun and match.outcome is None


FAMILY = Family(
    name="agreement",
    topic="agreeing",
    types=(*AGREEMENT_TYPES, Oops),
    parse=parse_agreement,
    apply=_apply,
    keywords=(Keyword("oops", Oops(), consequential=True),),
    help=(HelpRow("draw", _has_begun), HelpRow("undo", _has_begun)),
)
