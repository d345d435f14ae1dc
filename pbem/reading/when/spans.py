"""Reads the days that players name behind a command: ``3-17 aug``, ``until 17 aug``, ``10 days``. Pure."""

import re
from datetime import date, timedelta

from pbem.reading.reason import Misread, misread
from pbem.reading.typos import similar_word
from pbem.reading.when.days import (
    BETWEEN,
    DAY_WORDS,
    ENGLISH_MONTHS,
    FROM,
    MONTHS,
    UNTIL,
    WEEKDAYS,
    DateSpan,
    following,
    one_of,
    read_day,
    read_range,
    settle_span,
    spaced,
    tokens_of,
    word_set,
    write_day,
)
from pbem.reading.when.lengths import DAY, HOUR, NUMBERS, UNITS, quoted, read_duration

LONGEST_SPAN = 400
"""The most days of one span, and how many days ahead one may begin."""

_LONGEST = 200  # characters of a text that are looked at: nobody writes a longer one
_MOST_TOKENS = 24
_POLITE = word_set("please pls thanks thank you thx bitte danke")
_SIGNS = "*_\"'“”„«».,!:=：()"
_BY_NAME = {
    **dict.fromkeys(("today", "now", "heute", "vandaag", "hoy", "oggi", "hoje"), 0),
    **dict.fromkeys(("tomorrow", "morgen", "demain", "manana", "domani", "amanha"), 1),
}
_UNITS = {unit for unit, seconds in UNITS.items() if seconds >= HOUR}
_LONG_WORDS = ("until", "tomorrow", "through", "days", "weeks", "hours")
_NAMING = {*_BY_NAME, *_UNITS, *(day for day in WEEKDAYS if len(day) > 3), "weekend"} - {"now", "d", "w", "h"}
_DATE_WORDS = (DAY_WORDS - {"am"}) | {*_BY_NAME, *NUMBERS, *_UNITS, "weekend", "for", "next", "this", "all", "rest"}
"""All words of a text that names days; "am" is an hour more often than German."""

_WEEKS = {
    "next week": (7, 13),
    "this week": (0, 6),
    "rest of week": (0, 6),
    "rest of this week": (0, 6),
    "this weekend": (5, 6),
    "weekend": (5, 6),
}
"""The first and the last day of each, from this Monday on."""

_OPENING = re.compile(
    rf"(?P<first>{one_of(FROM)})|(?P<between>{one_of(BETWEEN)})"
    rf"|(?P<last>{one_of(UNTIL)}(?:{one_of({*UNTIL, chr(39), 'and', 'including'})})*+)"
)
_COUNTED = re.compile(rf"(?:(?:for|the|next) )*+(.*?)(?:(?<!\S){one_of(FROM)}(.*))?")


def read_days(text: str, today: date) -> DateSpan | Misread:
    """Return the days that ``text`` names, none of them before ``today``: ``3-17 aug``, ``until 17 aug``, ``10 days``.

    Without a year they are the next such days; what has begun already begins today.
    """
    tokens = _bare_tokens(text)
    if not tokens:
        return misread("dates_missing")
    span = _span(tokens, today) if len(text) <= _LONGEST and len(tokens) <= _MOST_TOKENS else misread("dates_unread")
    if isinstance(span, Misread):
        return Misread(span.code, (("text", quoted(text)), *span.arguments))
    if span.days > LONGEST_SPAN:
        return misread("dates_too_long", text=quoted(text), days=span.days, most=LONGEST_SPAN)
    if (span.first - today).days > LONGEST_SPAN:
        return misread("dates_too_far", text=quoted(text), first=write_day(span.first), most=LONGEST_SPAN)
    return span


def names_days(text: str) -> bool:
    """Return whether ``text`` holds dates and nothing else, a typo perhaps, so that it is worth an answer."""
    tokens = _bare_tokens(text)
    if len(text) > _LONGEST or len(tokens) > _MOST_TOKENS:
        return False
    if _NAMING.isdisjoint(tokens) and not any(token[0].isdigit() for token in tokens):
        return False
    odd = [token for token in tokens if token.isalpha() and token not in _DATE_WORDS]
    return len(odd) <= 1 and all(_similar_month(token) or similar_word(token, _LONG_WORDS) for token in odd)


def _bare_tokens(text: str) -> list[str]:
    """Return the first tokens of a text without politeness and signs around them."""
    return spaced(token for token in tokens_of(text[:_LONGEST]) if token not in _POLITE).strip(f"{_SIGNS} ").split()


def _span(tokens: list[str], today: date) -> DateSpan | Misread:
    """Return the span that all the tokens are, however long."""
    text = spaced(tokens)
    return _week(tokens, today) or _counted_days(text, today) or _named_span(text, today) or _unread(tokens)


def _week(tokens: list[str], today: date) -> DateSpan | None:
    """Return the days of a week that is named: from Monday to Sunday, none before today."""
    week = _WEEKS.get(" ".join(token for token in tokens if token not in ("all", "the", "for")))
    if week is None:
        return None
    first, last = (following(today - timedelta(today.weekday()), days) for days in week)
    return DateSpan(max(first, today), last)


def _counted_days(text: str, today: date) -> DateSpan | Misread | None:
    """Return so many days from today, or from a day that is named; None for anything else."""
    counted = _COUNTED.fullmatch(text)
    if counted is None or (seconds := read_duration(counted[1], None)) is None:
        return None
    days, rest = divmod(seconds, DAY)
    if rest or not days:
        return misread("dates_not_whole")
    begins = DateSpan(today, today) if counted[2] is None else _named_span(counted[2], today)
    if not isinstance(begins, DateSpan):
        return begins
    if days > LONGEST_SPAN:
        return misread("dates_too_long", days=min(days, 99999), most=LONGEST_SPAN)
    return DateSpan(begins.first, following(begins.first, days - 1))


def _named_span(text: str, today: date) -> DateSpan | Misread | None:
    """Return the span that a spaced text is, with ``today``, ``tomorrow`` and weekdays alone as dates, or None."""
    dates: list[str] = []
    base, place = today, 0
    for token in text.split():
        named = token in _BY_NAME
        if named:
            base = following(today, _BY_NAME[token])
        elif token in WEEKDAYS and len(token) > 2 and read_day(text, place) is None:
            if WEEKDAYS[token] == base.weekday():
                return misread("dates_weekday_unclear", day=token, first=write_day(base))
            base, named = following(base, (WEEKDAYS[token] - base.weekday()) % 7), True
        dates.append(base.isoformat() if named else token)
        place += len(token) + 1
    return _written_span(spaced(dates), today)


def _written_span(text: str, today: date) -> DateSpan | Misread | None:
    """Return the span that the whole of a spaced text is; None if it is none."""
    opening = _OPENING.match(text)
    place, kind = (opening.end(), opening.lastgroup) if opening else (0, None)
    found = read_range(text, place, between=kind == "between")
    if found is None or found[2] != len(text) or (kind == "last" and found[1]):
        return None
    first, last, _ = found
    if kind == "last":
        return settle_span(None, first, today)
    if kind and last is None:
        return misread("dates_without_end", first=write_day(first))
    return settle_span(first, last or first, today)


def _unread(tokens: list[str]) -> Misread:
    """Return what was not understood, and the month that was nearly written."""
    for token in tokens:
        if len(token) > 2 and token.isalpha() and token not in MONTHS and (month := _similar_month(token)):
            return misread("dates_month_unread", word=token, month=ENGLISH_MONTHS[MONTHS[month] - 1])
    return misread("dates_unread")


def _similar_month(word: str) -> str:
    """Return the name of a month that ``word`` misses by a typo or two, folded, or an empty text."""
    return similar_word(word, (name for name in MONTHS if len(name) > 3 or len(word) == 4)) if len(word) > 3 else ""
