"""Reads what players write about time behind a command: days, steps of reminders, quiet hours. Pure.

Each reader returns the value, or a Misread that says which part was not understood.
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from pbem.reading.days import (
    ENGLISH_MONTHS,
    MONTHS,
    WEEKDAYS,
    DateSpan,
    WrittenDay,
    fold_accents,
    following,
    read_day,
    read_range,
    settle_span,
    tokens_of,
    word_set,
    write_day,
)
from pbem.reading.lengths import read_duration
from pbem.reading.reason import Reason
from pbem.reading.typos import similar_word
from rules.phrase import Argument

LONGEST_SPAN = 400
"""The most days of one span, and how many days ahead one may begin."""

MOST_STEPS, SHORTEST_STEP, LONGEST_STEP = 5, 3600, 60 * 86400
"""How many reminders a player may choose, and how long before the deadline one may come, in seconds."""

MOST_QUIET = 20
"""The most quiet hours of a day: reminders need some of it."""

_LONGEST = 200  # characters of a text that are looked at: nobody writes a longer one
_MOST_TOKENS = 24
_DAY = 86400
_QUOTED = 40  # characters of a text that an answer quotes
_POLITE = word_set("please pls thanks thank you thx bitte danke")
_SIGNS = frozenset("*_\"'“”„«».,!:=：()")
_FROM = word_set("from starting since de vom von ab du depuis del dal dall desde van vanaf")
_BETWEEN = word_set("between zwischen entre tra fra tussen")
_UNTIL = word_set("up until till til through thru to bis jusqu au hasta fino tot ate")
_BY_NAME = {
    **dict.fromkeys(("today", "now", "heute", "vandaag", "hoy", "oggi", "hoje"), 0),
    **dict.fromkeys(("tomorrow", "morgen", "demain", "manana", "domani", "amanha"), 1),
}
_UNITS = word_set("d day days w wk wks week weeks h hr hrs hour hours")
_NUMBERS = word_set("a an one two three four five six seven eight nine ten eleven twelve")
_LONG_WORDS = ("until", "tomorrow", "through", "days", "weeks", "hours")
_NAMING = frozenset({*_BY_NAME, *_UNITS, *(day for day in WEEKDAYS if len(day) > 3), "weekend"}) - {
    "now",
    "d",
    "w",
    "h",
}
_DATE_WORDS = (
    _FROM
    | _BETWEEN
    | _UNTIL
    | _NAMING
    | _NUMBERS
    | _UNITS
    | MONTHS.keys()
    | WEEKDAYS.keys()
    | word_set("the le el il l den dem zum zur al au op on incl including inclusive of st nd rd th er o e de di ste")
    | word_set("and und et y en for next this all rest up t m")
)
_STEP = re.compile(r"(?:[0-9]{1,6}(?:[.,][0-9]{1,3})?|[a-z]{1,12})\s{0,3}(?:[a-z]{1,8})|[0-9]{1,6}")
_BETWEEN_STEPS = re.compile(r"(?:\s|,|;|\+|&|/|and\b|then\b|before\b|left\b)*")
_STANDARD = frozenset({"default", "defaults", "normal", "standard", "usual", "reset"})
_NONE = frozenset({"none", "off", "never", "no", "nothing", "no reminders", "without"})
_HOUR = r"([0-9]{1,2})(?:[:.h]([0-9]{2}))?\s?(?:h|hrs?|hours?|uhr|o'?clock)?\s?([ap])?\.?m?\.?"
_HOURS = re.compile(
    rf"(?:from\s|between\s|hours?\s){{0,2}}{_HOUR}\s{{0,3}}(?:-|–|—|to|until|till|bis|and|\.\.)\s{{0,3}}{_HOUR}"
)


@dataclass(frozen=True, slots=True)
class Misread(Reason):
    """Why a text could not be read: a ``code``, and what it is about."""


def misread(code: str, **arguments: Argument) -> Misread:
    """Return why a text could not be read."""
    return Misread(code, tuple(arguments.items()))


def read_days(text: str, today: date) -> DateSpan | Misread:
    """Return the days that ``text`` names, none of them before ``today``: ``3-17 aug``, ``until 17 aug``, ``10 days``.

    Without a year they are the next such days; what has begun already begins today.
    """
    quoted = _quoted(text)
    if len(text) > _LONGEST:
        return misread("dates_unread", text=quoted)
    tokens = _bare_tokens(text)
    if not tokens:
        return misread("dates_missing")
    if len(tokens) > _MOST_TOKENS:
        return misread("dates_unread", text=quoted)
    span = _week(tokens, today) or _counted_days(tokens, today)
    if span is None:
        named = _named_days(tokens, today)
        span = _written_days(named, today) if isinstance(named, list) else named
    if span is None:
        return _unread(tokens, quoted)
    if isinstance(span, Misread):
        return Misread(span.code, (("text", quoted), *span.arguments))
    if span.days > LONGEST_SPAN:
        return misread("dates_too_long", text=quoted, days=span.days, most=LONGEST_SPAN)
    if (span.first - today).days > LONGEST_SPAN:
        return misread("dates_too_far", text=quoted, first=write_day(span.first), most=LONGEST_SPAN)
    return span


def names_days(text: str) -> bool:
    """Return whether ``text`` holds dates and nothing else, a typo perhaps, so that it is worth an answer."""
    tokens = _bare_tokens(text[:_LONGEST])
    if len(text) > _LONGEST or len(tokens) > _MOST_TOKENS:
        return False
    if _NAMING.isdisjoint(tokens) and not any(token[0].isdigit() for token in tokens):
        return False
    odd = [token for token in tokens if token.isalpha() and token not in _DATE_WORDS]
    return len(odd) <= 1 and all(_similar_month(token) or similar_word(token, _LONG_WORDS) for token in odd)


def read_steps(text: str) -> tuple[int, ...] | Literal["default"] | Misread:
    """Return how many seconds before a deadline reminders are wanted, the earliest first; none for ``off``."""
    bare = fold_accents(text[:_LONGEST]).strip(" \t.,!:=*_\"'“”")
    if bare in _NONE:
        return ()
    if bare in _STANDARD:
        return "default"
    if not bare:
        return misread("steps_missing")
    steps: set[int] = set()
    place = 0
    while place < len(bare):
        found = _STEP.match(bare, place)
        seconds = read_duration(found[0], None) if found else None
        if found is None or seconds is None or len(text) > _LONGEST:
            return misread("steps_unread", text=_quoted(text))
        if not SHORTEST_STEP <= seconds <= LONGEST_STEP:
            return misread("step_out_of_range", text=_quoted(text), step=found[0])
        steps.add(seconds)
        between = _BETWEEN_STEPS.match(bare, found.end())
        place = between.end() if between else found.end()
    if len(steps) > MOST_STEPS:
        return misread("too_many_steps", text=_quoted(text), count=len(steps), most=MOST_STEPS)
    return tuple(sorted(steps, reverse=True))


def read_quiet(text: str) -> tuple[int, int] | Literal["off"] | Misread:
    """Return the hours of the day between which no reminder is wanted: ``22-7``, ``10pm-7am``; or ``off``."""
    bare = fold_accents(text[:_LONGEST]).strip(" \t,!:=*_\"'“”").replace("midnight", "0").replace("noon", "12")
    if bare.strip(".") in _NONE:
        return "off"
    if not bare:
        return misread("hours_missing")
    found = _HOURS.fullmatch(bare) if len(text) <= _LONGEST else None
    if found is None:
        return misread("hours_unread", text=_quoted(text))
    start, end = _hour(found[1], found[3]), _hour(found[4], found[6])
    if start is None or end is None:
        return misread("hours_unread", text=_quoted(text))
    if int(found[2] or 0) or int(found[5] or 0):
        return misread("hours_not_whole", text=_quoted(text), hours=f"{start}-{end}")
    if start == end:
        return misread("hours_equal", text=_quoted(text))
    if (end - start) % 24 > MOST_QUIET:
        return misread("hours_too_many", text=_quoted(text), hours=(end - start) % 24, most=MOST_QUIET)
    return start, end


def _hour(number: str, half: str | None) -> int | None:
    """Return the hour of the day, from 0 to 23, or None for another number; ``half`` is a or p."""
    hour = int(number)
    if half:
        return hour % 12 + (12 if half == "p" else 0) if 1 <= hour <= 12 else None
    return hour % 24 if hour <= 24 else None


def _bare_tokens(text: str) -> list[str]:
    """Return the tokens of a text without politeness and signs around them."""
    tokens = [token for token in tokens_of(text) if token not in _POLITE]
    start, end = 0, len(tokens)
    while start < end and tokens[start] in _SIGNS:
        start += 1
    while end > start and tokens[end - 1] in _SIGNS:
        end -= 1
    return tokens[start:end]


def _week(tokens: list[str], today: date) -> DateSpan | None:
    """Return the days of a week that is named: from Monday to Sunday, none before today."""
    monday = following(today, 7 - today.weekday())
    match [token for token in tokens if token not in ("all", "the", "for")]:
        case ["next", "week"]:
            return DateSpan(monday, following(monday, 6))
        case ["this", "week"] | ["rest", "of", "week"] | ["rest", "of", "this", "week"]:
            return DateSpan(today, following(today, 6 - today.weekday()))
        case ["this", "weekend"] | ["weekend"]:
            return DateSpan(following(today, max(0, 5 - today.weekday())), following(today, 6 - today.weekday()))
    return None


def _counted_days(tokens: list[str], today: date) -> DateSpan | Misread | None:
    """Return so many days from today, or from a day that is named; None for anything else."""
    opening = next((place for place, token in enumerate(tokens) if token not in ("for", "the", "next")), 0)
    words = tokens[opening:]
    cut = next((place for place, token in enumerate(words) if token in _FROM), len(words))
    if (seconds := read_duration(" ".join(words[:cut]), None)) is None:
        return None
    if seconds % _DAY or not seconds:
        return misread("dates_not_whole")
    days, start = seconds // _DAY, today
    if cut < len(words):
        named = _named_days(words[cut + 1 :], today)
        begins = _written_days(named, today) if isinstance(named, list) else named
        if not isinstance(begins, DateSpan):
            return begins
        start = begins.first
    if days > LONGEST_SPAN:
        return misread("dates_too_long", days=min(days, 99999), most=LONGEST_SPAN)
    return DateSpan(start, following(start, days - 1))


def _named_days(tokens: list[str], today: date) -> list[str] | Misread:
    """Return the tokens with ``today``, ``tomorrow`` and weekdays alone as dates."""
    found: list[str] = []
    base = today
    for place, token in enumerate(tokens):
        if token in _BY_NAME:
            base = following(today, _BY_NAME[token])
            token = base.isoformat()
        elif token in WEEKDAYS and len(token) > 2 and read_day(tokens, place) is None:
            if WEEKDAYS[token] == base.weekday():
                return misread("dates_weekday_unclear", day=token, first=write_day(base))
            base = following(base, (WEEKDAYS[token] - base.weekday()) % 7)
            token = base.isoformat()
        found.append(token)
    return found


def _written_days(tokens: list[str], today: date) -> DateSpan | Misread | None:
    """Return the span that all the tokens are; None if they are none."""
    place = 0
    opened = between = False
    if not tokens:
        return None
    if tokens[0] in _FROM or tokens[0] in _BETWEEN:
        place, opened, between = 1, True, tokens[0] in _BETWEEN
    elif tokens[0] in _UNTIL:
        while place < len(tokens) and (tokens[place] in _UNTIL or tokens[place] in ("'", "and", "including")):
            place += 1
        if place == len(tokens) or (last := read_day(tokens, place)) is None or last[1] != len(tokens):
            return None
        return _settled(None, last[0], today)
    if place == len(tokens) or (found := read_range(tokens, place, between=between)) is None or found[2] != len(tokens):
        return None
    first, last_day, _ = found
    if last_day is None and opened:
        return misread("dates_without_end", first=write_day(first))
    return _settled(first, last_day or first, today)


def _settled(first: WrittenDay | None, last: WrittenDay, today: date) -> DateSpan | Misread:
    """Return the span between two days as they were written, or why there is none."""
    settled = settle_span(first, last, today)
    if isinstance(settled, DateSpan):
        return settled
    day = write_day(settled.day)
    match settled.kind:
        case "ambiguous":
            return misread("dates_ambiguous", first=day, second=write_day(settled.day.swapped))
        case "backwards":
            return misread("dates_backwards", last=day)
        case "past":
            return misread("dates_past", last=day)
        case "no_such_day":
            return misread("dates_no_such_day", day=day)
        case "weekday":
            return misread("dates_wrong_weekday", day=day)


def _unread(tokens: list[str], quoted: str) -> Misread:
    """Return what was not understood, and the month that was nearly written."""
    for token in tokens:
        if len(token) > 2 and token.isalpha() and token not in MONTHS and (month := _similar_month(token)):
            return misread("dates_month_unread", text=quoted, word=token, month=ENGLISH_MONTHS[MONTHS[month] - 1])
    return misread("dates_unread", text=quoted)


def _similar_month(word: str) -> str:
    """Return the name of a month that ``word`` misses by a typo or two, folded, or an empty text."""
    return similar_word(word, (name for name in MONTHS if len(name) > 3 or len(word) == 4)) if len(word) > 3 else ""


def _quoted(text: str) -> str:
    """Return as much of a text as an answer quotes."""
    bare = " ".join(text[:_LONGEST].split())
    return bare if len(bare) <= _QUOTED else f"{bare[:_QUOTED].rstrip()}…"
