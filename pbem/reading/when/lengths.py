"""Lengths of time and hours of the day as people type them: "3d", "2d 12h", "a week", "22-7". Pure.

What is behind a command is read as a value, or as a Misread that says which part was not understood.
"""

import re
from typing import Literal

from pbem.reading.reason import Misread, misread
from pbem.reading.when.days import fold_accents

HOUR = 3600
"""Seconds of an hour."""

DAY = 24 * HOUR
"""Seconds of a day."""

LONGEST_TIME = 400 * DAY
"""Seconds of the longest time that anything about a match may last."""

MOST_STEPS, SHORTEST_STEP, LONGEST_STEP = 5, HOUR, 60 * DAY
"""How many reminders a player may choose, and how long before the deadline one may come, in seconds."""

MOST_QUIET = 20
"""The most quiet hours of a day: reminders need some of it."""

_UNITS = (
    (7 * DAY, "w wk wks week weeks"),
    (DAY, "d day days"),
    (HOUR, "h hr hrs hour hours"),
    (60, "m min mins minute minutes"),
    (1, "s sec secs second seconds"),
)
UNITS = {word: seconds for seconds, words in _UNITS for word in words.split()}
"""The seconds of each unit, by its words."""

_NAMED = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
NUMBERS = {"a": 1, "an": 1} | {word: number for number, word in enumerate(_NAMED, 1)}
"""The numbers that may be words."""

_PARTS = re.compile(rf"(?:([0-9]{{1,6}}) ?|({'|'.join(NUMBERS)}) )({'|'.join(UNITS)})(?![a-z])")
_PART = "\n"  # which stands for each part, and in no text that is on one line
_WHOLE = re.compile(f"{_PART}(?:(?:, and |, | and | |,)?{_PART})*")
_STEPS = re.compile(rf"{_PART}(?:[\s,;+&/]|and\b|then\b|before\b|left\b)*")
_LONGEST = 200  # characters of a text that are looked at: nobody writes a longer one
_QUOTED = 40  # characters of a text that an answer quotes
_AROUND = " \t.,!:=*_\"'“”"
_STANDARD = frozenset({"default", "defaults", "normal", "standard", "usual", "reset"})
_NONE = frozenset({"none", "off", "never", "no", "nothing", "no reminders", "without"})
_HOUR = r"([0-9]{1,2})(?:[:.h]([0-9]{2}))?\s?(?:h|hrs?|hours?|uhr|o'?clock)?\s?([ap])?\.?m?\.?"
_HOURS = re.compile(
    rf"(?:from\s|between\s|hours?\s){{0,2}}{_HOUR}\s{{0,3}}(?:-|–|—|to|until|till|bis|and|\.\.)\s{{0,3}}{_HOUR}"
)


def read_duration(text: str, longest: int | None = LONGEST_TIME) -> int | None:
    """Return the seconds that ``text`` means, such as "3d", "2d12h", "90m", "3 days" or "a week".

    None if it is no length of time, names a unit twice, or means more than ``longest``. "m" are minutes.
    """
    words = " ".join(text.lower().split())
    if not _WHOLE.fullmatch(_PARTS.sub(_PART, words)):
        return None
    total, named = 0, set[int]()
    for digits, number, unit in _PARTS.findall(words):
        seconds = UNITS[unit]
        if seconds in named:
            return None
        named.add(seconds)
        total += seconds * (int(digits) if digits else NUMBERS[number])
    return None if longest is not None and total > longest else total


def write_duration(seconds: int, between: str = " ") -> str:
    """Return a length of time in units that `read_duration` reads: "2d 12h", without weeks; "0h" for none."""
    parts = []
    for size, unit in ((DAY, "d"), (HOUR, "h"), (60, "m"), (1, "s")):
        number, seconds = divmod(seconds, size)
        if number:
            parts.append(f"{number}{unit}")
    return between.join(parts) or "0h"


def read_steps(text: str) -> tuple[int, ...] | Literal["default"] | Misread:
    """Return how many seconds before a deadline reminders are wanted, the earliest first; none for ``off``."""
    bare = " ".join(fold_accents(text[:_LONGEST]).strip(_AROUND).split())
    if bare in _NONE:
        return ()
    if bare in _STANDARD:
        return "default"
    if not bare:
        return misread("steps_missing")
    if len(text) > _LONGEST or not _STEPS.fullmatch(_PARTS.sub(_PART, bare)):
        return misread("steps_unread", text=quoted(text))
    steps = {found[0]: read_duration(found[0], None) or 0 for found in _PARTS.finditer(bare)}
    for step, seconds in steps.items():
        if not SHORTEST_STEP <= seconds <= LONGEST_STEP:
            return misread("step_out_of_range", text=quoted(text), step=step)
    chosen = sorted(set(steps.values()), reverse=True)
    if len(chosen) > MOST_STEPS:
        return misread("too_many_steps", text=quoted(text), count=len(chosen), most=MOST_STEPS)
    return tuple(chosen)


def read_quiet(text: str) -> tuple[int, int] | Literal["off"] | Misread:
    """Return the hours of the day between which no reminder is wanted: ``22-7``, ``10pm-7am``; or ``off``."""
    bare = fold_accents(text[:_LONGEST]).strip(_AROUND).replace("midnight", "0").replace("noon", "12")
    if bare in _NONE:
        return "off"
    if not bare:
        return misread("hours_missing")
    found = _HOURS.fullmatch(bare) if len(text) <= _LONGEST else None
    if found is None:
        return misread("hours_unread", text=quoted(text))
    start, end = _hour(found[1], found[3]), _hour(found[4], found[6])
    if start is None or end is None:
        return misread("hours_unread", text=quoted(text))
    if int(found[2] or 0) or int(found[5] or 0):
        return misread("hours_not_whole", text=quoted(text), hours=f"{start}-{end}")
    if start == end:
        return misread("hours_equal", text=quoted(text))
    if (end - start) % 24 > MOST_QUIET:
        return misread("hours_too_many", text=quoted(text), hours=(end - start) % 24, most=MOST_QUIET)
    return start, end


def quoted(text: str) -> str:
    """Return as much of a text as an answer quotes."""
    bare = " ".join(text[:_LONGEST].split())
    return bare if len(bare) <= _QUOTED else f"{bare[:_QUOTED].rstrip()}…"


def _hour(number: str, half: str | None) -> int | None:
    """Return the hour of the day, from 0 to 23, or None for another number; ``half`` is a or p."""
    hour = int(number)
    if half:
        return hour % 12 + (12 if half == "p" else 0) if 1 <= hour <= 12 else None
    return hour % 24 if hour <= 24 else None
