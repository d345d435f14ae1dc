"""Lengths of time as people type them: "3d", "2d 12h", "a week", and how they are written. Pure."""

import re

HOUR = 3600
"""Seconds of an hour."""

DAY = 24 * HOUR
"""Seconds of a day."""

LONGEST_TIME = 400 * DAY
"""Seconds of the longest time that anything about a match may last."""

_UNITS = (
    (7 * DAY, "w", "wk", "wks", "week", "weeks"),
    (DAY, "d", "day", "days"),
    (HOUR, "h", "hr", "hrs", "hour", "hours"),
    (60, "m", "min", "mins", "minute", "minutes"),
    (1, "s", "sec", "secs", "second", "seconds"),
)
_SECONDS = {word: seconds for seconds, *words in _UNITS for word in words}
_NAMED = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_NUMBERS = {"a": 1, "an": 1} | {word: number for number, word in enumerate(_NAMED, 1)}
_PART = rf"(?:([0-9]{{1,6}}) ?|({'|'.join(_NUMBERS)}) )({'|'.join(_SECONDS)})(?![a-z])"
_PARTS = re.compile(_PART)
_JOINED = r"(?:, and |, | and | |,)?"
_UNNAMED = re.sub(r"\((?!\?)", "(?:", _PART)
_WHOLE = re.compile(rf"{_UNNAMED}(?:{_JOINED}{_UNNAMED})*")


def read_duration(text: str, longest: int | None = LONGEST_TIME) -> int | None:
    """Return the seconds that ``text`` means, such as "3d", "2d12h", "90m", "3 days" or "a week".

    None if it is no length of time, names a unit twice, or means more than ``longest``. "m" are minutes.
    """
    words = " ".join(text.lower().split())
    if not _WHOLE.fullmatch(words):
        return None
    total, named = 0, set[int]()
    for digits, number, unit in _PARTS.findall(words):
        seconds = _SECONDS[unit]
        if seconds in named:
            return None
        named.add(seconds)
        total += seconds * (int(digits) if digits else _NUMBERS[number])
    return None if longest is not None and total > longest else total


def write_duration(seconds: int, between: str = " ") -> str:
    """Return a length of time in units that `read_duration` reads: "2d 12h", without weeks; "0h" for none."""
    parts = []
    for size, unit in ((DAY, "d"), (HOUR, "h"), (60, "m"), (1, "s")):
        number, seconds = divmod(seconds, size)
        if number:
            parts.append(f"{number}{unit}")
    return between.join(parts) or "0h"
