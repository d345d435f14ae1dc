"""Days as people write them in seven languages: ``17 August``, ``17.8.``, ``August 3-17``, ``du 3 au 17 août``."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from pbem.patterns import compile_later
from pbem.reading.reason import Misread, misread

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

_TOKEN = compile_later(
    r"[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}(?![0-9])"
    r"|[0-9]{1,2}\. ?[0-9]{1,2}\.(?: ?20[0-9]{2}(?![0-9])|[0-9]{2}(?![0-9:]))?"
    r"|[0-9]{1,2}\.[0-9]{1,2}(?![0-9:])"
    r"|[0-9]{1,2}/[0-9]{1,2}(?:/(?:20[0-9]{2}|[0-9]{2}))?(?![0-9])"
    r"|[0-9]{1,2}-[0-9]{1,2}-20[0-9]{2}(?![0-9])"
    r"|[0-9]+|[^\W\d_]+|[^\w\s]"
)
_NUMBERS = compile_later("[0-9]+")


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(words.split())


def one_of(phrases: Iterable[str]) -> str:
    """Return the pattern of the longest of some phrases, in the writing of `spaced`, that stands there."""
    return f"(?>{'|'.join(re.escape(f'{phrase} ') for phrase in sorted(phrases, key=len, reverse=True))})"


FROM = word_set(
    "from starting beginning since de vom von ab seit du depuis del dal dall desde van vanaf partir partire"
)
"""Words before the first day, folded."""

UNTIL = word_set("up until till til through thru to bis jusqu au hasta fino tot ate")
"""Words before the last day, folded."""

BETWEEN = word_set("between zwischen entre tra fra tussen")
"""Words before two days that an "and" joins, folded."""

_JOINS = (
    *("-", "–", "—", "‐", "‑", "~", ". .", ". . .", "/", "t / m", "- >", "to", "until", "till", "til", "thru"),
    *("through", "up to", "bis", "bis zum", "until the", "au", "jusqu ' au", "al", "a", "hasta", "fino al", "tot"),
    *("ate", "tot en met", "up to and including", "bis einschliesslich", "tm", "ao"),
)
_ANDS = word_set("and und et y e en")
_ORDINALS = word_set("st nd rd th er o e de ste")
_OF = word_set("of de d di del ' ’ ´")
BEFORE_DAY = word_set(
    "the le el il l den dem zum zur al au a op on am incl including inclusive inkl einschliesslich inklusive ' ’ , ("
)
"""Words and signs that say nothing before a day, folded."""

DAY_WORDS = (
    BEFORE_DAY | FROM | UNTIL | BETWEEN | _ANDS | _ORDINALS | _OF | word_set(" ".join((*_JOINS, *MONTHS, *WEEKDAYS)))
)
"""All words and signs that dates are written with, folded."""

_BEFORE = one_of((*BEFORE_DAY, "."))
_LEAD = rf"(?:{_BEFORE}){{0,3}}(?:(?P<weekday>{one_of(WEEKDAYS)})(?:{_BEFORE}){{0,2}})?"
_NUMBER = rf"(?:0?[1-9]|[12][0-9]|3[01]) (?:\. (?!\. )|{one_of(_ORDINALS)})?+"
_MONTH = one_of(MONTHS)
_YEAR = "(?:(?:(?:,|de|del|of) )?20[0-9]{2} )?"
_DAY = compile_later(
    rf"{_LEAD}(?:(?P<figures>[0-9]+[-/.][0-9./-]+) "
    rf"|(?P<words>(?:{_NUMBER}(?:{one_of(_OF)}){{0,4}}{_MONTH}(?:\. )?|{_MONTH}(?:\. )?(?:the )?{_NUMBER}){_YEAR}))"
)
_BARE_DAY = compile_later(f"{_LEAD}(?P<day>{_NUMBER})")
_YEAR_BEHIND = compile_later(_YEAR)
_TO = compile_later(f"(?:, )?{one_of(_JOINS)}")
_TO_OR_AND = compile_later(f"(?:, )?{one_of((*_JOINS, *_ANDS))}")
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


def fold_accents(text: str) -> str:
    """Return ``text`` in small letters, without accents and other decoration."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(char for char in plain if not unicodedata.combining(char)).casefold()


def tokens_of(text: str) -> list[str]:
    """Return the words, numbers, numeric dates and signs of a text, folded; none of them has a space in it."""
    return [found[0].replace(" ", "") for found in _TOKEN.finditer(fold_accents(text))]


def spaced(tokens: Iterable[str]) -> str:
    """Return tokens as the text that days are read in: a space behind each."""
    return "".join(f"{token} " for token in tokens)


def read_day(text: str, at: int = 0) -> tuple[WrittenDay, int] | None:
    """Return the day that is written at a place in a spaced text, and where it ends; None for anything else."""
    if (found := _DAY.match(text, at)) is None:
        return None
    weekday = WEEKDAYS[found["weekday"].strip()] if found["weekday"] else None
    if figures := found["figures"]:
        numeric = _numeric(figures)
        return (replace(numeric, weekday=weekday), found.end()) if numeric else None
    day, *year = map(int, _NUMBERS.findall(found["words"]))
    month = next(MONTHS[word] for word in found["words"].split() if word in MONTHS)
    return WrittenDay(day, month, year[0] if year else None, weekday), found.end()


def read_range(text: str, at: int, *, between: bool = False) -> tuple[WrittenDay, WrittenDay | None, int] | None:
    """Return the day, or the first and last day, written at a place in a spaced text, and where they end.

    One month may do for both: ``3 to 17 August``. ``between``: an "and" joins them.
    """
    opening = read_day(text, at) or _bare_day(text, at)
    if opening is None:
        return None
    first, end = opening
    if join := (_TO_OR_AND if between else _TO).match(text, end):
        second = read_day(text, join.end())
        if isinstance(first, int):
            return second and (WrittenDay(first, second[0].month, second[0].year), *second)
        if second or (second := None if first.order else _same_month(text, join.end(), first)):
            return first, *second
    return None if isinstance(first, int) else (first, None, end)


def settle_span(first: WrittenDay | None, last: WrittenDay, today: date) -> DateSpan | Misread:
    """Return the next span from ``today`` that the written days can mean; without ``first`` it begins today.

    What has begun already begins today.
    """
    orders = {day.order for day in (first, last) if day}
    if "either" in orders:
        if orders not in ({"either", "day"}, {"either", "month"}):
            unclear = last if first is None or first.order != "either" else first
            return misread("dates_ambiguous", first=write_day(unclear), second=write_day(unclear.swapped))
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
        return misread("dates_no_such_day", day=write_day(last if first is None or (start and not end) else first))
    for written, day in ((first, start), (last, end)):
        if written and written.weekday is not None and written.weekday != day.weekday():
            return misread("dates_wrong_weekday", day=write_day(written))
    if first and not (first.year and last.year) and start.year < end.year and (end - start).days > _WRAPPED:
        return misread("dates_backwards", last=write_day(last))
    if end < today:
        return misread("dates_past", last=write_day(last))
    if end < start:
        return misread("dates_backwards", last=write_day(last))
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


def _numeric(figures: str) -> WrittenDay | None:
    """Return the day that numbers with signs between them are."""
    day, month, *rest = map(int, _NUMBERS.findall(figures))
    if day > 99:
        return WrittenDay(rest[0], month, day) if _may_be(rest[0], month) else None
    year = rest[0] + (2000 if rest[0] < 100 else 0) if rest else None
    if _may_be(day, month):
        order: Literal["", "day", "either"] = "either" if _may_be(month, day) else "day"
        return WrittenDay(day, month, year, order="" if "." in figures or day == month else order)
    return WrittenDay(month, day, year, order="month") if "." not in figures and _may_be(month, day) else None


def _bare_day(text: str, at: int) -> tuple[int, int] | None:
    """Return the number of a day whose month stands elsewhere, ``the 3rd``, and where it ends."""
    found = _BARE_DAY.match(text, at)
    return (int(found["day"].split()[0]), found.end()) if found else None


def _same_month(text: str, at: int, first: WrittenDay) -> tuple[WrittenDay, int] | None:
    """Return the last day of a span that names its month, or its year, only with the first."""
    if (bare := _bare_day(text, at)) is None:
        return None
    day, end = bare
    if first.year is None:
        year = _YEAR_BEHIND.match(text, end)
        return WrittenDay(
            day, first.month, int(year[0][-5:]) if year and year[0] else None
        ), year.end() if year else end
    if text.startswith("- ", end) and (rest := _bare_day(text, end + 2)):  # 2026-08-03..08-17
        return (WrittenDay(rest[0], day, first.year), rest[1]) if day <= 12 else None
    return WrittenDay(day, first.month, first.year), end


def _may_be(day: int, month: int) -> bool:
    """Return whether some month has such a number, and so many days perhaps."""
    return 1 <= month <= 12 and 1 <= day <= 31
