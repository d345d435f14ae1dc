"""Reads in an automatic reply on which days its sender is away; what may mean two things is not understood. Pure."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from pbem.reading.when.days import (
    BEFORE_DAY,
    BETWEEN,
    FROM,
    UNTIL,
    DateSpan,
    WrittenDay,
    one_of,
    read_range,
    settle_span,
    spaced,
    tokens_of,
    word_set,
)

LONGEST_ABSENCE = 100
"""The most days that an automatic reply is believed."""

_LONGEST = 4000  # characters that are looked at: what such a reply says comes first
_NEAR = 12  # words and signs around a day in which "back" is about it
_WEEKEND = 4  # days at most between the last day away and the first day back
_MOST_FORMS = 4  # ways in which one reply writes the same day: two languages, with the weekday and without
_SENTENCE_END = re.compile(r"(?<!\S)[.!?;¶] ")
_SOON = 60  # days: such replies come while somebody is away; what begins later was meant of last year
_HOTLINE = "24/7"

# English, German, French, Spanish, Italian and Dutch, folded.
_AWAY_WORDS = word_set(
    "away absent absence unavailable vacation holiday holidays leave ooo oof travelling traveling sabbatical"
    " abwesend abwesenheit urlaub ferien verreist elternzeit dienstreise"
    " absente conge conges vacances deplacement ausente ausencia vacaciones permiso"
    " assente assenza ferie vacanza afwezig afwezigheid vakantie verlof"
)
_AWAY_PHRASES = (
    *("out of office", "out of the office", "out until", "not in the office", "not be in the office"),
    *("not be available", "not available", "ausser haus", "nicht im buro", "nicht im buero", "nicht erreichbar"),
    *("nicht da", "fuori sede", "fuera de la oficina", "fuera de oficina", "fuori ufficio", "niet aanwezig"),
    *("niet bereikbaar", "niet op kantoor", "no estare", "non saro", "ne serai pas"),
)
_BACK_WORDS = word_set(
    "back return returning returns returned resume again zuruck zurueck wieder retour reviens reviendrai rentrerai"
    " rentre nouveau vuelvo volvere vuelta regreso regresare reincorporo reincorporare nuevo rientro rientrero torno"
    " tornero ritorno ritornero nuovo terug weer"
)
# but not back to somebody with an answer
_BACK = re.compile(rf"(?<!\S){one_of(_BACK_WORDS)}(?!to (?:you|your|everyone|everybody|all) )")
_OF_ABSENCE = re.compile(rf"(?<!\S){one_of((*_AWAY_WORDS, *_AWAY_PHRASES))}|{_BACK.pattern}")
_UNTIL = UNTIL - word_set("up to au ate")  # which say more than that, alone
_AFTER = word_set("after nach apres despues dopo na")
_OR = word_set("or oder ou o oppure of bzw resp")
_FILLERS = BEFORE_DAY | word_set("de d and und et : ) *")


@dataclass(frozen=True, slots=True)
class _Mention:
    """Days in a text: a whole span, or one day, and what it says about that day."""

    kind: Literal["span", "from", "until", "back"]
    first: WrittenDay
    last: WrittenDay


def absence_in(text: str, today: date) -> DateSpan | None:
    """Return the days from ``today`` on that an automatic reply says its sender is away; None if it is not clear.

    Every date in it has to fit: another date, one that may be read in two ways, or a second span make it unclear.
    """
    words = spaced(tokens_of(" ".join(line.strip() or "¶" for line in text[:_LONGEST].splitlines())))
    if not _OF_ABSENCE.search(words) or not (mentions := _mentions(words)):
        return None
    starts = {mention.first for mention in mentions if mention.kind in ("span", "from")}
    lasts = {mention.last for mention in mentions if mention.kind in ("span", "until")}
    returns = {mention.last for mention in mentions if mention.kind == "back"}
    if max(map(len, (starts, lasts, returns))) > _MOST_FORMS:
        return None
    firsts: set[WrittenDay | None] = {*starts} or {None}
    said = {_settled(first, last, today) for first in firsts for last in lasts}
    implied = {_settled(first, last, today, 1) for first in firsts for last in returns}
    if max(len(said), len(implied)) != 1 or None in said | implied:
        return None
    spans = [span for span in (*said, *implied) if span]
    if not 0 <= (spans[-1].last - spans[0].last).days <= _WEEKEND:
        return None
    soon = (spans[0].first - today).days <= _SOON
    return spans[0] if soon and spans[0].days <= LONGEST_ABSENCE else None


def _settled(first: WrittenDay | None, last: WrittenDay, today: date, back: int = 0) -> DateSpan | None:
    """Return the span between two days, or so many days earlier where the last is that of coming ``back``."""
    span = settle_span(first, last, today)
    if not isinstance(span, DateSpan) or span.last - timedelta(back) < span.first:
        return None
    return DateSpan(span.first, span.last - timedelta(back))


def _mentions(text: str) -> list[_Mention]:
    """Return what a spaced text says about every day in it; nothing if one of them is unclear."""
    found: list[tuple[WrittenDay, WrittenDay | None, int, int]] = []
    place, token = 0, ""
    while place < len(text):
        before, token = token, text[place : text.index(" ", place)]
        days = None if token in (_HOTLINE, ".") else read_range(text, place, between=before in BETWEEN)
        if days:
            found.append((days[0], days[1], place, days[2]))
        place = days[2] if days else place + len(token) + 1
    mentions: list[_Mention] = []
    for number, (first, last, start, end) in enumerate(found):
        above = found[number - 1][3] if number else 0
        below = found[number + 1][2] if number + 1 < len(found) else len(text)
        before = _SENTENCE_END.split(spaced(text[above:start].split()[-_NEAR:]))[-1]
        after = _SENTENCE_END.split(spaced(text[end:below].split()[:_NEAR]))[0]
        if number and _is_choice(text[above:start].split()):
            return []
        if last is not None:
            mentions.append(_Mention("span", first, last))
            continue
        if end + len(after) == below < len(text):
            after = ""  # these words are about the day behind them
        if (kind := _kind(before, after)) is None:
            return []
        mentions.append(_Mention(kind, first, first))
    return mentions


def _kind(before: str, after: str) -> Literal["from", "until", "back"] | None:
    """Return what the words around a day say about it, or None where that is not clear."""
    left = before.split()
    while left and left[-1] in _FILLERS:
        left.pop()
    last = left[-1] if left else ""
    if last in _OR:
        return None
    if last in _AFTER:
        return "until"
    until = last in _UNTIL or left[-2:] == ["up", "to"] or left[-3:] in (["tot", "en", "met"], ["t", "/", "m"])
    if _BACK.search(before):
        return "back"
    if until:
        return "until"
    if _BACK.search(after):
        return "back"
    return "from" if last in FROM or left[-2:] == ["as", "of"] else None


def _is_choice(between: list[str]) -> bool:
    """Return whether nothing but an "or" stands between two days."""
    words = [token for token in between if token not in _FILLERS]
    return len(words) == 1 and words[0] in _OR
