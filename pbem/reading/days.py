"""Days as people write them in seven languages: ``17 August``, ``17.8.``, ``August 3-17``, ``du 3 au 17 août``."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

# English, German, French, Spanish, Italian, Dutch and Portuguese, without accents. The Portuguese "out" for October is
# left out: it is "out of office" far more often.
_MONTHS = (
    "january jan januar janner janvier janv enero ene gennaio genn gen januari janeiro",
    "february feb februar feber fevrier fevr fev febrero febbraio febbr februari fevereiro",
    "march mar marz maerz mrz mars marzo maart mrt marco",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio magg mag mei maio",
    "june jun juni juin junio giugno giu junho",
    "july jul juli juillet juil julio luglio lug julho",
    "august aug aout agosto ago augustus",
    "september sep sept septembre septiembre settembre sett set setembro",
    "october oct oktober okt octobre octubre ottobre ott outubro",
    "november nov novembre noviembre novembro",
    "december dec dezember dez decembre diciembre dic dicembre dezembro",
)
MONTHS: Mapping[str, int] = {word: number for number, words in enumerate(_MONTHS, 1) for word in words.split()}
"""The number of each month's names, folded."""

_WEEKDAYS = (
    "monday mon montag mo lundi lunes lunedi maandag",
    "tuesday tue tues dienstag di mardi martes martedi dinsdag",
    "wednesday wed mittwoch mi mercredi miercoles mercoledi woensdag",
    "thursday thu thur thurs donnerstag do jeudi jueves giovedi donderdag",
    "friday fri freitag fr vendredi viernes venerdi vrijdag",
    "saturday sat samstag sonnabend sa samedi sabado sabato zaterdag",
    "sunday sun sonntag so dimanche domingo domenica zondag",
)
WEEKDAYS: Mapping[str, int] = {word: number for number, words in enumerate(_WEEKDAYS) for word in words.split()}
"""The number of each weekday's names, folded; Monday is 0."""

ENGLISH_MONTHS = tuple(words.split()[0].capitalize() for words in _MONTHS)
"""The twelve months by their English names."""

_TOKEN = re.compile(
    r"[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}(?![0-9])"
    r"|[0-9]{1,2}\. ?[0-9]{1,2}\.(?: ?20[0-9]{2}(?![0-9])|[0-9]{2}(?![0-9:]))?"
    r"|[0-9]{1,2}\.[0-9]{1,2}(?![0-9:])"
    r"|[0-9]{1,2}/[0-9]{1,2}(?:/(?:20[0-9]{2}|[0-9]{2}))?(?![0-9])"
    r"|[0-9]{1,2}-[0-9]{1,2}-20[0-9]{2}(?![0-9])"
    r"|[0-9]+|[^\W\d_]+|[^\w\s]"
)
_NUMBERS = re.compile("[0-9]+")
_YEAR = re.compile("20[0-9]{2}")


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(words.split())


_ORDINALS = frozenset({".", "st", "nd", "rd", "th", "er", "o", "e", "de", "ste"})
_OF = frozenset({"of", "de", "d", "di", "del", "'", "’", "´"})
_BEFORE_DAYS = word_set(
    "the le el il l den dem zum zur al au a op on am incl including inclusive inkl einschliesslich inklusive"
) | {"'", "’", ",", ".", "("}
_JOINS = (
    *(("-",), ("–",), ("—",), ("‐",), ("‑",), ("~",), (".", "."), (".", ".", "."), ("/",), ("t", "/", "m"), ("-", ">")),
    *(("to",), ("until",), ("till",), ("til",), ("thru",), ("through",), ("up", "to"), ("bis",), ("bis", "zum")),
    *(("until", "the"), ("au",), ("jusqu", "'", "au"), ("al",), ("a",), ("hasta",), ("fino", "al"), ("tot",), ("ate",)),
    *(("tot", "en", "met"), ("up", "to", "and", "including"), ("bis", "einschliesslich"), ("tm",), ("ao",)),
)
_ANDS = (("and",), ("und",), ("et",), ("y",), ("e",), ("en",))
_MOST_BETWEEN = 4  # words and signs between "from" and the day: "the", a weekday, its comma
_WRAPPED = 183  # days: who writes no year and means more, over new year, has the two days the wrong way round


@dataclass(frozen=True, slots=True)
class DateSpan:
    """Days from the ``first`` to the ``last``, both of them included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        """How many days these are."""
        return (self.last - self.first).days + 1


@dataclass(frozen=True, slots=True)
class WrittenDay:
    """A day as it was written: perhaps without a year, perhaps with a ``weekday`` (Monday is 0).

    ``order`` says which number stood first where a slash or a hyphen was between them: with ``either`` the day may be
    the month.
    """

    day: int
    month: int
    year: int | None = None
    weekday: int | None = None
    order: Literal["", "day", "month", "either"] = ""

    @property
    def swapped(self) -> "WrittenDay":
        """The other reading of a day of which nobody knows what its first number is."""
        return replace(self, day=self.month, month=self.day, order="month")


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why written days are no span, and the one of them that is to blame."""

    kind: Literal["ambiguous", "no_such_day", "backwards", "past", "weekday"]
    day: WrittenDay


def fold_accents(text: str) -> str:
    """Return ``text`` in small letters, without accents and other decoration."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(char for char in plain if not unicodedata.combining(char)).casefold()


def tokens_of(text: str) -> list[str]:
    """Return the words, numbers, numeric dates and signs of a text, folded."""
    return [found[0] for found in _TOKEN.finditer(fold_accents(text))]


def read_day(tokens: list[str], at: int) -> tuple[WrittenDay, int] | None:
    """Return the day that is written at a token, and where it ends; None for anything else."""
    weekday: int | None = None
    for start in range(at, min(at + _MOST_BETWEEN, len(tokens))):
        found = _numeric(tokens, start) or _day_first(tokens, start) or _month_first(tokens, start)
        if found:
            return replace(found[0], weekday=weekday), found[1]
        word = tokens[start]
        if word in WEEKDAYS and weekday is None:
            weekday = WEEKDAYS[word]
        elif word not in _BEFORE_DAYS:
            return None
    return None


def read_range(
    tokens: list[str], at: int, *, between: bool = False
) -> tuple[WrittenDay, WrittenDay | None, int] | None:
    """Return the day, or the first and last day, written at a token, and where they end.

    One month may do for both: ``3 to 17 August``. ``between``: an "and" joins them.
    """
    if found := read_day(tokens, at):
        first, end = found
        if (start := _joined(tokens, end, between)) is None:
            return first, None, end
        if second := read_day(tokens, start):
            return first, *second
        if first.order == "" and (last := _same_month(tokens, start, first)):
            return first, *last
        return first, None, end
    if (bare := _bare_day(tokens, at)) is None or (start := _joined(tokens, bare[1], between)) is None:
        return None
    if (second := read_day(tokens, start)) is None:
        return None
    last_day, end = second
    return replace(last_day, day=bare[0], weekday=None), last_day, end


def settle_span(first: WrittenDay | None, last: WrittenDay, today: date) -> DateSpan | Flaw:
    """Return the next span from ``today`` that the written days can mean; without ``first`` it begins today.

    What has begun already begins today.
    """
    orders = {day.order for day in (first, last) if day}
    if "either" in orders:
        if orders not in ({"either", "day"}, {"either", "month"}):
            return Flaw("ambiguous", last if first is None or first.order != "either" else first)
        if "month" in orders:
            first = first.swapped if first and first.order == "either" else first
            last = last.swapped if last.order == "either" else last
    if first and last.year is None and first.year is not None:
        start = _on(first, first.year)
        end = start and _on(last, start.year + ((last.month, last.day) < (start.month, start.day)))
    else:
        passed = (last.month, last.day) < (today.month, today.day)
        end = _on(last, last.year or today.year + passed)
        start = today
        if first and end:
            wraps = (first.month, first.day) > (last.month, last.day)
            start = _on(first, first.year or end.year - wraps)
    if not start or not end:
        return Flaw("no_such_day", last if first is None or (start and not end) else first)
    for written, day in ((first, start), (last, end)):
        if written and written.weekday is not None and written.weekday != day.weekday():
            return Flaw("weekday", written)
    if first and not (first.year and last.year) and start.year < end.year and (end - start).days > _WRAPPED:
        return Flaw("backwards", last)
    if end < today:
        return Flaw("past", last)
    if end < start:
        return Flaw("backwards", last)
    return DateSpan(max(start, today), end)


def write_day(day: date | WrittenDay) -> str:
    """Return a day as a player would write it: ``3 Aug``, with the year where it is known."""
    text = f"{day.day} {ENGLISH_MONTHS[day.month - 1][:3]}"
    return f"{text} {day.year}" if day.year else text


def following(day: date, days: int) -> date:
    """Return the day so many ``days`` later, or the last one there is."""
    return day + timedelta(days=min(days, (date.max - day).days))


def _on(written: WrittenDay, year: int) -> date | None:
    """Return the day in a year, or None if that year has no such day."""
    try:
        return date(year, written.month, written.day)
    except ValueError:
        return None


def _numeric(tokens: list[str], at: int) -> tuple[WrittenDay, int] | None:
    """Return a day that is one token of numbers."""
    token = tokens[at]
    numbers = [int(number) for number in _NUMBERS.findall(token)]
    if len(numbers) < 2 or len(numbers) > 3:
        return None
    if numbers[0] > 99:
        return (WrittenDay(numbers[2], numbers[1], numbers[0]), at + 1) if _may_be(numbers[2], numbers[1]) else None
    day, month, *rest = numbers
    year = rest[0] + (2000 if rest[0] < 100 else 0) if rest else None
    if "." in token:
        return (WrittenDay(day, month, year), at + 1) if _may_be(day, month) else None
    if _may_be(day, month):
        order: Literal["", "day", "either"] = "" if day == month else "either" if _may_be(month, day) else "day"
        return WrittenDay(day, month, year, order=order), at + 1
    return (WrittenDay(month, day, year, order="month"), at + 1) if _may_be(month, day) else None


def _day_first(tokens: list[str], at: int) -> tuple[WrittenDay, int] | None:
    """Return ``17 August 2026``, ``17th of August``, ``17 de agosto de 2026``, ``1er août``."""
    if (bare := _number(tokens, at)) is None:
        return None
    day, end = bare
    while end < min(at + 5, len(tokens)) and tokens[end] in _OF:
        end += 1
    if end >= len(tokens) or (month := MONTHS.get(tokens[end])) is None:
        return None
    end = _past(tokens, end + 1, ".")
    return _with_year(day, month, tokens, end)


def _month_first(tokens: list[str], at: int) -> tuple[WrittenDay, int] | None:
    """Return ``August 17, 2026``, ``Aug. 17th``."""
    if (month := MONTHS.get(tokens[at])) is None:
        return None
    start = _past(tokens, _past(tokens, at + 1, "."), "the")
    if (bare := _number(tokens, start)) is None:
        return None
    return _with_year(bare[0], month, tokens, bare[1])


def _with_year(day: int, month: int, tokens: list[str], at: int) -> tuple[WrittenDay, int]:
    """Return a day with the year behind it, if there is one."""
    start = at
    if start < len(tokens) and tokens[start] in (",", "de", "del", "of"):
        start += 1
    if start < len(tokens) and _YEAR.fullmatch(tokens[start]):
        return WrittenDay(day, month, int(tokens[start])), start + 1
    return WrittenDay(day, month), at


def _bare_day(tokens: list[str], at: int) -> tuple[int, int] | None:
    """Return the number of a day whose month stands elsewhere, behind a few other words: ``the 3rd``."""
    for start in range(at, min(at + _MOST_BETWEEN, len(tokens))):
        if found := _number(tokens, start):
            return found
        if tokens[start] not in _BEFORE_DAYS and tokens[start] not in WEEKDAYS:
            return None
    return None


def _number(tokens: list[str], at: int) -> tuple[int, int] | None:
    """Return the number of a day at a token: ``3``, ``3.``, ``3rd``."""
    token = tokens[at] if at < len(tokens) else ""
    if not token.isascii() or not token.isdigit() or len(token) > 2 or not 1 <= int(token) <= 31:
        return None
    end = at + 1
    ordinal = tokens[end : end + 1] != [] and tokens[end] in _ORDINALS and tokens[end : end + 2] != [".", "."]
    return int(token), end + ordinal


def _same_month(tokens: list[str], at: int, first: WrittenDay) -> tuple[WrittenDay, int] | None:
    """Return the last day of a span that names its month, or its year, only with the first."""
    if (bare := _bare_day(tokens, at)) is None:
        return None
    day, end = bare
    if tokens[end : end + 1] == ["-"] and end + 1 < len(tokens) and first.year:  # 2026-08-03..08-17
        month, rest = day, _bare_day(tokens, end + 1)
        return (WrittenDay(rest[0], month, first.year), rest[1]) if rest and _may_be(rest[0], month) else None
    return _with_year(day, first.month, tokens, end) if first.year is None else (replace(first, day=day), end)


def _joined(tokens: list[str], at: int, between: bool) -> int | None:
    """Return where the last day begins behind a "to", or None."""
    at = _past(tokens, at, ",")
    joins = [len(join) for join in (*_JOINS, *(_ANDS if between else ())) if tuple(tokens[at : at + len(join)]) == join]
    return at + max(joins) if joins else None


def _past(tokens: list[str], at: int, token: str) -> int:
    """Return the place behind a token that may stand there."""
    return at + 1 if at < len(tokens) and tokens[at] == token else at


def _may_be(day: int, month: int) -> bool:
    """Return whether some month has such a number, and so many days perhaps."""
    return 1 <= month <= 12 and 1 <= day <= 31
