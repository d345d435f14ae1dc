"""The lines by which players ask for time, say when they are away, and choose reminders, as they are read. Pure.

Only a line that is nothing but a command counts: ``wait, I think d7 is better`` and ``give me 3 days`` are talk. One
that nearly is (``vacation 3-17 augst``, ``give 3``) is that command with a text that its reader does not understand, so
that its sender is told what would be right.
"""

import re
from dataclasses import dataclass

from pbem.commands.decision import Command, Keyword, Spelled
from pbem.reading.move_phrases import is_doubtful
from pbem.reading.reason import Misread
from pbem.reading.typos import similar_word
from pbem.reading.when.days import word_set
from pbem.reading.when.lengths import HOUR, NUMBERS, UNITS, read_duration, read_quiet, read_steps, write_duration
from pbem.reading.when.spans import names_days
from pbem.reading.zones import read_zone

_LONGEST = 120  # characters of a line
_MOST_ZONE_WORDS = 4
_LINE = re.compile(
    r"[\s*_\"'“”•(\[<@#-]{0,9}(?:\d{1,2}[.)]\s{0,9})?(?:please,?\s{1,9})?"
    r"(give|pause|wait|vacations?|holidays?|auto(?:matic)?(?:[\s-]vacations?)?|tz|time[\s-]?zone|remind(?:ers?)?"
    r"|quiet(?:\shours)?|\w{7,10}(?=\s.{0,60}\d))(?:[\s*_]{0,9}[:：=][\s*_]{0,9}|[\s*_]{1,9}|$)(.*)",
    re.IGNORECASE,
)
_CLAIM = re.compile(
    r"\W{0,9}(?:(?:i(?:['’]ll| will| want to| would like to)?|please|i['’]d like to)\s{1,9})?claim"
    r"(?:\s{1,9}(?:it|the\s{1,9}(?:win|match|game|victory)|victory))?(?:\s{1,9}(?:now|please|then))?[\s.!*_]{0,9}",
    re.IGNORECASE,
)
_WIN = re.compile(
    r"\W{0,9}(?:(?:i\s{1,9})?win|(?:(?:i(?:['’]ll| will| want to| would like to)?|please|i['’]d like to)\s{1,9})?"
    r"take\s{1,9}the\s{1,9}(?:win|victory))(?:,?\s{1,9}(?:now|please|then))?[\s.!*_]{0,9}",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"\b(?:back|away|vacation|holidays?|give|wait|pause|extension|extend|remind(?:er)?|time|emergency|more|need|late|gone)\b",
    re.IGNORECASE,
)
_SPAN_WORD = re.compile(r"(?<![\w.])\d{1,3}\s?[dhw](?![\w.])", re.IGNORECASE)
_CELL_WORD = re.compile(r"\b[a-z]{1,2}\d{1,2}\b", re.IGNORECASE)
_ENDS = " \t*_\"'“”.!,)]>"
_THANKS = re.compile(r"[\s,]{1,9}(?:please|pls|thanks|thank you)$", re.IGNORECASE)
_GIVEN_TO = re.compile(
    r"(?!(?:me|us|it|up|in|out|back|away|my|our|your|no|not|nobody|none|myself|ourselves) )([^\W\d_]{2,20}) (?=\S)"
)
_GIVEN_MORE = frozenset({"another", "an", "some", "extra", "further"})
_NUMBER = re.compile(r"[0-9]{1,4}(?:\s{0,3}([a-z]{2,8}))?")
_NEAR_UNITS = ("days", "day", "hours", "hour", "weeks", "week", "months", "month", "minutes")
_STEP_WORDS = {*UNITS, *NUMBERS, "and", "before"}
_HOUR_WORDS = word_set("am pm a p m h hours hour uhr to until till bis and from between noon midnight")
_WORDS = re.compile(r"[^\W\d_]+")
_OFF = frozenset({"off", "over", "cancel", "cancelled", "canceled", "ended", "end"})


@dataclass(frozen=True, slots=True)
class Give:
    """Time for whoever is to move, in ``seconds``; None where ``line`` does not say how much.

    ``to`` is the word for who is to have it, in small letters: a name perhaps.
    """

    seconds: int | None
    line: str
    to: str = ""

    def __str__(self) -> str:
        return f"give {write_duration(self.seconds)}" if self.seconds else self.line


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of the match for ``seconds``; None where ``line`` does not say how long."""

    seconds: int | None
    line: str

    def __str__(self) -> str:
        return f"pause {write_duration(self.seconds)}" if self.seconds else self.line


@dataclass(frozen=True, slots=True)
class PauseUntil(Spelled):
    """A pause of the match until a day; ``text`` begins with "until", for ``read_days``."""

    text: str

    says = "pause {it.text}"


@dataclass(frozen=True, slots=True)
class PauseOff(Spelled):
    """The pause of the match is to end, or not to begin."""

    says = "pause off"


@dataclass(frozen=True, slots=True)
class Claim(Spelled):
    """The sender claims the win, as somebody's time is up; ``line`` says so in words that may also be a remark."""

    line: str = ""

    says = "claim"


@dataclass(frozen=True, slots=True)
class Wait:
    """The sender goes on waiting for somebody whose time is up: so many ``seconds``, or None."""

    seconds: int | None

    def __str__(self) -> str:
        return f"wait {write_duration(self.seconds)}" if self.seconds else "wait"


@dataclass(frozen=True, slots=True)
class Vacation(Spelled):
    """The sender is away on the days in ``text``, for ``read_days``."""

    text: str

    says = "vacation {it.text}"


@dataclass(frozen=True, slots=True)
class Back(Spelled):
    """The sender's absence ends now."""

    says = "back"


@dataclass(frozen=True, slots=True)
class AutoVacation:
    """Whether a day of vacation is to be used by itself when the sender's time is up."""

    on: bool

    def __str__(self) -> str:
        return f"auto {'on' if self.on else 'off'}"


@dataclass(frozen=True, slots=True)
class Emergency(Spelled):
    """The sender cannot play for reasons that nobody asks for."""

    says = "emergency"


@dataclass(frozen=True, slots=True)
class Zone(Spelled):
    """The zone of the sender, in their own words, for ``read_zone``."""

    text: str

    says = "tz {it.text}"


@dataclass(frozen=True, slots=True)
class Remind(Spelled):
    """When the sender wants reminders, for ``read_steps``."""

    text: str

    says = "remind {it.text}"


@dataclass(frozen=True, slots=True)
class Quiet(Spelled):
    """When the sender wants no reminders, for ``read_quiet``."""

    text: str

    says = "quiet {it.text}"


@dataclass(frozen=True, slots=True)
class Status(Spelled):
    """A wish for one email about all matches of the sender."""

    says = "status"


@dataclass(frozen=True, slots=True)
class Settings(Spelled):
    """A wish for one email about all that the sender has set."""

    says = "help settings"


TIME_KEYWORDS = (
    Keyword("claim", Claim(), consequential=True),
    Keyword("back", Back(), consequential=True),
    Keyword("emergency", Emergency(), consequential=True),
)
"""The words about time that are a command by themselves. ``wait`` is none: "please wait" is said to others."""

TIME_WORDS = (
    *("give", "pause", "wait", "vac", "holiday", "auto", "tz", "time zone", "timezone", "time-zone", "remind", "quiet"),
    *("win", "the victory"),
)
"""What stands, in small letters, in every line that is a command about time and none of its keywords."""

TIME_TYPES = (
    *(Give, Pause, PauseUntil, PauseOff, Claim, Wait, Vacation, Back),
    *(AutoVacation, Emergency, Zone, Remind, Quiet),
)
"""Every command about time."""

OF_CLOCKS = (AutoVacation, Emergency, Remind, Quiet)
"""Those that mean nothing to a player none of whose matches has a clock."""


def parse_time(piece: str) -> Command | None:
    """Return the command about time that the whole of ``piece`` is, or None."""
    if _CLAIM.fullmatch(piece[: _LONGEST + 1]):
        return Claim()
    if _WIN.fullmatch(piece[: _LONGEST + 1]):
        return Claim(piece)
    if len(piece) > _LONGEST or (found := _LINE.fullmatch(piece)) is None or is_doubtful(piece):
        return None
    word = re.sub(r"[\s-]+", "", found[1].lower())
    text = _THANKS.sub("", found[2].strip(_ENDS)).strip(_ENDS)
    bare = " ".join(text.lower().split())
    match word:
        case "give":
            return _give(bare, piece)
        case "pause":
            return _pause(bare, text, piece)
        case "wait":
            return _wait(bare, piece)
        case "auto" | "automatic" | "autovacation" | "autovacations" | "automaticvacation" | "automaticvacations":
            return AutoVacation(bare == "on") if bare in ("on", "off") else None
        case "tz":
            return Zone(text) if len(text.split()) <= _MOST_ZONE_WORDS else None
        case "timezone":
            return Zone(text) if _names_zone(text) else None
        case "remind" | "reminder" | "reminders":
            return _remind(bare.removeprefix("me ") if word == "remind" else bare, alone=word == "remind")
        case "quiet" | "quiethours":
            return _quiet(bare)
    if bare in _OFF and word == "vacation":
        return Back()
    known = word in ("vacation", "vacations", "holiday", "holidays") or similar_word(word, ("vacation",))
    if known and (names_days(text) or (not text and word == "vacation")):
        return Vacation(text)
    return None


def speaks_of_time(line: str) -> bool:
    """Return whether the only thing in ``line`` that could be a cell is a time, such as 3d: "back in 3d", "2d 12h"."""
    if len(line) > _LONGEST or _SPAN_WORD.search(line) is None or _CELL_WORD.search(line):
        return False
    rest = _SPAN_WORD.sub(" ", line)
    return _TALK.search(rest) is not None or (len(_SPAN_WORD.findall(line)) > 1 and not rest.strip(" ,.+&"))


def _give(bare: str, line: str) -> Give | None:
    """Return how much time is given, or that it is not said how much; None for other words."""
    if not bare or _NUMBER.fullmatch(bare) is not None:
        seconds = read_duration(bare)
        return Give(seconds, line) if seconds or _is_nearly_time(bare) else None
    named = _GIVEN_TO.match(bare) if read_duration(bare) is None else None
    amount = re.sub(r"^another |^an extra | more$| extra$", "", bare[named.end() :] if named else bare)
    seconds = _read_amount(amount)
    return Give(seconds, line, named[1] if named and named[1] not in _GIVEN_MORE else "") if seconds else None


def _pause(bare: str, text: str, line: str) -> Pause | PauseUntil | PauseOff | None:
    """Return for how long, or until when, a pause is asked for; None for other words."""
    if bare in _OFF:
        return PauseOff()
    if bare.startswith(("until ", "till ", "til ")) and names_days(bare):
        return PauseUntil(f"until {text.partition(' ')[2].strip()}")
    seconds = _read_amount(bare.removeprefix("for "))
    if seconds or _is_nearly_time(bare) or names_days(bare):
        return Pause(seconds, line)
    return None


def _wait(bare: str, line: str) -> Wait | None:
    """Return for how long the sender waits; None for other words, ``Wait!`` among them."""
    if not bare:
        return None if "!" in line or "," in line else Wait(None)
    seconds = _read_amount(re.sub(r"^for |^another | more$", "", bare))
    return Wait(seconds) if seconds else None


def _read_amount(text: str) -> int | None:
    """Return the seconds that somebody gives, or None: ``a minute`` is what people say, and nobody plays by it."""
    seconds = read_duration(text)
    return None if seconds is None or (seconds < HOUR and not text[0].isdigit()) else seconds


def _remind(bare: str, *, alone: bool) -> Remind | None:
    """Return what is said of reminders, if that is steps or a word for them; ``alone``: nothing may be said."""
    if not bare:
        return Remind("") if alone else None
    if not isinstance(read_steps(bare), Misread):
        return Remind(bare)
    odd = [word for word in _WORDS.findall(bare) if word not in _STEP_WORDS]
    near = len(odd) <= 1 and all(similar_word(word, _NEAR_UNITS) for word in odd)
    return Remind(bare) if near and bare[0].isdigit() else None


def _quiet(bare: str) -> Quiet | None:
    """Return what is said of quiet hours; None for other words."""
    if not isinstance(read_quiet(bare or "-"), Misread):
        return Quiet(bare)
    hours = any(map(str.isdigit, bare)) and all(word in _HOUR_WORDS for word in _WORDS.findall(bare))
    return Quiet(bare) if hours else None


def _is_nearly_time(bare: str) -> bool:
    """Return whether ``bare`` is a number with a typo behind it, or with nothing, or is nothing at all."""
    found = _NUMBER.fullmatch(bare)
    return not bare or (found is not None and (found[1] is None or similar_word(found[1], _NEAR_UNITS) != ""))


def _names_zone(text: str) -> bool:
    """Return whether ``text`` is a zone, or so nearly one that it is asked about."""
    zone = read_zone(text)
    return not isinstance(zone, Misread) or zone.code not in ("zone_unread", "zone_missing")
