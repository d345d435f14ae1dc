"""Ladders as emails show them: a line for each place, with who challenges whom. Pure."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from pbem.clubs.contest import Contest
from pbem.clubs.ladder import LadderRow, Rung
from pbem.log.redaction import without_domains
from pbem.match.player import Player
from pbem.match.stints import robot_name
from pbem.notices.sentences.moments import say_day
from rules.phrase import Language, Phrase, phrase


class LadderTold(NamedTuple):
    """A ladder in an email: what it is called, and its places; ``own`` ones are the reader's.

    ``page`` is the address of its page, "" where there is none.
    """

    title: str
    rows: list["PlaceTold"]
    page: str = ""


class Defended(NamedTuple):
    """A place that a challenge is for, in a ladder with that name in commands, and that title."""

    ladder: str
    title: str
    place: int


class PlaceTold(NamedTuple):
    """A place of a ladder in an email: who stands there, and what goes on about it, "" for nothing."""

    place: int
    name: str
    note: str
    own: bool


def describe_ladder(
    contest: Contest,
    rows: Iterable[LadderRow],
    names: Mapping[int, str],
    reader: Player,
    now: datetime,
    language: Language,
) -> LadderTold:
    """Return a ladder for whoever reads it; ``names`` are those of its players, by their numbers."""
    told = []
    for row in rows:
        note = _note(row, names, now)
        name = _name(row.rung, names)
        told.append(PlaceTold(row.place, name, note.said(language) if note else "", row.rung.player == reader.id))
    return LadderTold(title_of(contest), told)


def title_of(contest: Contest) -> str:
    """Return what a contest is called: by its game, or by what its host has named it."""
    return contest.game.title if contest.name == contest.game.key else contest.name


def _note(row: LadderRow, names: Mapping[int, str], now: datetime) -> Phrase | None:
    """Return what goes on about a place."""
    if row.defends is None:
        return None
    rival, match, until = _name(Rung(row.defends.player), names), row.defends.match, row.defends.until
    if match is not None:
        return phrase("playing {rival} for it in match {match}", rival=rival, match=match)
    if until is None:
        return phrase("challenged by {rival}", rival=rival)
    return phrase("challenged by {rival}, to answer by {until}", rival=rival, until=say_day(until.date(), now))


def _name(rung: Rung, names: Mapping[int, str]) -> str:
    """Return the name of whoever stands at a place."""
    return without_domains(names.get(rung.player, "")) if rung.player is not None else robot_name(rung.robot)
