"""The family of seats: who stands in for a player until a day, and who plays on for one for good. Pure.

What is about other matches, too, the pipeline grants.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from pbem.commands.asking_effects import EndStandIn, OfferSeat, Wish
from pbem.commands.decision import Command, Family, HelpRow, Keyword, MatchSituation, Spelled
from pbem.match.match import Match
from pbem.match.time.calendar import Calendar
from pbem.reading.move_phrases import BEFORE
from pbem.reading.reason import Misread, Reason, because
from pbem.reading.when.spans import names_days, read_days
from rules.position import Seat

LONGEST_STANDING_IN = 60
"""The most days for which a player can name a stand-in."""

_STAND_IN = re.compile(
    rf"{BEFORE}stand[- ]?in[\s:]{{1,9}}(?P<who>\S.{{0,90}}?)"
    r"(?:\s{1,9}(?P<until>(?:(?:un)?till?|to|for)\s.{1,60}))?",
    re.IGNORECASE,
)
_IN_ALL = re.compile(
    rf"{BEFORE}stand[- ]?in\s{{1,9}}(?:for\sme\s)?(?:in\s)?all(?:\s(?:my\s|the\s)?(?:matches|games))?"
    r"(?:[\s:,]{1,9}(?:with\s|by\s)?(?P<who>(?!(?:until|till?|untill|to|for)\b)[^\s|][^|]{0,59}?))?"
    r"(?:\s{1,9}(?P<until>(?:(?:un)?till?|to|for)\s.{1,60}))?",
    re.IGNORECASE,
)
_OFF = re.compile(
    rf"{BEFORE}stand[- ]?in\s{{1,9}}off\s{{1,9}}(?:in\s)?(?:match\s|game\s|#){{0,2}}(\d{{1,9}})", re.I | re.ASCII
)
_UNTIL = re.compile(r"(?:(?:un)?till?|to)\b", re.IGNORECASE)
_REPLACE = re.compile(rf"{BEFORE}replace[\s:]{{1,9}}(?P<rest>\S.{{0,160}})", re.IGNORECASE)
_MOST_WORDS = 9  # of two names
_MOST_NAMES = 4  # words of one
_ROBOT = re.compile(r"\brobot:(?=\d)", re.IGNORECASE)
_BY = re.compile(r"(?:with|by|->|→)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StandIn(Spelled):
    """The sender wants ``who`` to have their seat; ``until`` is the day as it was written, "" where it is missing."""

    who: str
    until: str

    says = "standin {it.who} {it.until}"


@dataclass(frozen=True, slots=True)
class StandInOff:
    """The stand-in gives the seat back, or the player no longer wants one.

    ``match`` is the number of the match that is meant, None for the one that the message is about.
    """

    match: int | None = None

    def __str__(self) -> str:
        return "standin off" if self.match is None else f"standin off {self.match}"


@dataclass(frozen=True, slots=True)
class StandInAll:
    """The sender wants ``who`` to have their seats in all their matches; ``who`` and ``until`` are "" where missing."""

    who: str
    until: str

    def __str__(self) -> str:
        return " ".join(filter(None, ("standin all", self.who, self.until)))


@dataclass(frozen=True, slots=True)
class ReplacePlayer(Spelled):
    """The sender wants somebody to play on for another player: ``names``, the first of them in the match."""

    names: str

    says = "replace {it.names}"


def parse_seats(piece: str) -> Command | None:
    """Return what ``piece`` asks for about a seat, or None."""
    if found := _OFF.fullmatch(piece.rstrip(" .!*_")):
        return StandInOff(int(found[1]))
    if (found := _IN_ALL.fullmatch(piece.rstrip(" .!*_"))) and "?" not in piece:
        who = (found["who"] or "").strip(" *_\"'“”<>")
        until = found["until"] or ""
        if len(who.split()) <= _MOST_NAMES and (not until or names_days(until)):
            return StandInAll(who, _UNTIL.sub("until", until, count=1))
    if found := _STAND_IN.fullmatch(piece.rstrip(" .!*_")):
        return StandIn(found["who"].strip(" *_\"'“”<>"), _UNTIL.sub("until", found["until"] or "", count=1))
    if found := _REPLACE.fullmatch(piece.rstrip(" .!*_")):
        names = found["rest"].strip(" *_\"'“”")
        plain = _ROBOT.sub("robot", names)
        is_sentence = not 1 < len(names.split()) <= _MOST_WORDS or any(sign in plain for sign in ":,;?!")
        return None if is_sentence else ReplacePlayer(names)
    return None


def _apply(
    situation: MatchSituation, command: StandIn | StandInAll | StandInOff | ReplacePlayer, now: datetime
) -> MatchSituation:
    """Ask for what only the pipeline can see: who is meant, and whether they may be asked."""
    match, seat = situation.match, situation.seat
    elsewhere = isinstance(command, StandInOff) and command.match not in (None, match.id)
    if isinstance(command, StandInAll) or elsewhere:
        return situation.carried(str(command), Wish(command))
    if match.outcome is not None or seat in match.position.departed():
        return situation.told("seat_left")
    if isinstance(command, StandInOff):
        return situation.answered("standin off", "standin_ended", EndStandIn(match.id, seat))
    if isinstance(command, StandIn):
        return _stand_in(situation, command, now)
    found = _seat_named(match, command.names)
    if found is None:
        return situation.told("replace_unread", line=str(command))
    target, who = found
    done = f"replace {match.name(target)} with {who}"
    return situation.answered(done, "seat_asked", OfferSeat(match.id, target, seat, who, None), who=who)


def _stand_in(situation: MatchSituation, command: StandIn, now: datetime) -> MatchSituation:
    """Offer the sender's seat until the end of a day."""
    match, seat = situation.match, situation.seat
    if why := why_no_stand_in(match, seat):
        return situation.told(why.code)
    if not command.until:
        return situation.told("standin_until", who=command.who)
    until = read_until(command, match.players[seat].calendar, now)
    if isinstance(until, Reason):
        return situation.told(until.code, **dict(until.arguments))
    offer = OfferSeat(match.id, seat, seat, command.who, until)
    return situation.answered(str(command), "seat_asked", offer, who=command.who)


def why_no_stand_in(match: Match, seat: Seat) -> Reason | None:
    """Return why a player can't hand their seat on just now, whoever is to have it; None if they can."""
    if not match.has_begun:
        return because("standin_too_early")
    flagged = match.clock and match.clock.halted == "flagged" and match.clock.seat == seat
    return because("standin_flagged") if flagged else None


def read_until(wish: StandIn | StandInAll, calendar: Calendar, now: datetime) -> datetime | Reason:
    """Return the end (UTC) of the last day that a wish names, or why nobody can stand in until then."""
    days = read_days(wish.until, now.astimezone(calendar.tzinfo).date())
    if isinstance(days, Misread):
        return because(days.code, example=str(replace(wish, until="until 17 aug")), **dict(days.arguments))
    until = datetime.combine(days.last + timedelta(days=1), time(), calendar.tzinfo).astimezone(UTC)
    if until > now + timedelta(days=LONGEST_STANDING_IN + 1):
        return because("standin_too_long", most=LONGEST_STANDING_IN)
    return until


def _seat_named(match: Match, text: str) -> tuple[Seat, str] | None:
    """Return the seat whose player ``text`` names first, and whom it names behind that; None for anything else."""
    folded = text.casefold()
    names = sorted(
        (
            (name, seat)
            for seat in range(len(match.players))
            for name in (match.name(seat), match.name(seat).partition(" ")[0])
        ),
        key=lambda pair: -len(pair[0]),
    )
    for name, seat in names:
        if folded.startswith(f"{name.casefold()} "):
            who = text[len(name) :].strip()
            who = _BY.sub("", who, count=1) if _BY.match(who) else who
            return (seat, who.strip(" <>")) if who else None
    return None


FAMILY = Family(
    name="seats",
    topic="agreeing",
    types=(StandIn, StandInAll, StandInOff, ReplacePlayer),
    parse=parse_seats,
    apply=_apply,
    keywords=(
        Keyword("standin off", StandInOff(), consequential=True),
        Keyword("stand-in off", StandInOff(), consequential=True),
    ),
    help=(
        HelpRow("standin Ann until 14 aug"),
        HelpRow("standin all Ann until 14 aug"),
        HelpRow("replace Bob with Carl", lambda match, seat: match.clock is not None),
    ),
)
