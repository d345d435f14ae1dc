"""The family of leagues: entering, leaving, and looking at the tables. Pure.

What comes of it depends on who else has entered, so that the pipeline grants these wishes.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from pbem.commands.asking_effects import Wish
from pbem.commands.decision import Family, HelpRow, Keyword, Situation, Spelled
from pbem.match.game_names import find_game
from pbem.reading.move_phrases import THANKING, WISHING

LEAGUE_WORDS = ("league", "leave")
"""Words that stand in every line of this."""

_NAMED = re.compile(
    rf"[\s*_\"'“”•>-]{{0,9}}{WISHING}(?P<verb>leave\s{{1,9}}|enter\s{{1,9}}|join\s{{1,9}})?(?:the\s{{1,9}})?"
    r"(?:(?P<before>[a-z][\w•-]{1,30}(?<!\bthe))\s{1,9})?league"
    r"(?:[\s:]{1,9}(?P<name>[a-z][\w•-]{1,30}?)"
    r"(?P<three>-3|\s{1,9}(?:players\s?=\s?3|(?:for\s{1,9}|of\s{1,9})?(?:3|three)(?:\s{1,9}players)?))?)?"
    rf"{THANKING}[\s.!*_]{{0,9}}",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class EnterLeague(Spelled):
    """The sender wants to play the next season of the league that is called ``name``."""

    name: str

    says = "league {it.name}"


@dataclass(frozen=True, slots=True)
class LeaveLeague(Spelled):
    """The sender wants to play no more season; ``name`` is "" where they say of no league that they mean it."""

    name: str = ""

    says = "leave league {it.name}"


@dataclass(frozen=True, slots=True)
class ShowLeagues(Spelled):
    """The sender asks how the leagues stand."""

    says = "league"


LeagueWish: TypeAlias = EnterLeague | LeaveLeague | ShowLeagues
"""What the pipeline can grant to a player."""


def parse_leagues(piece: str) -> LeagueWish | None:
    """Return what a piece of a line asks for about leagues, None for anything else.

    A league of three is called after its game, and the number: ``zipline-3``.
    """
    found = _NAMED.fullmatch(piece) if len(piece) <= 120 else None
    if found is None:
        return None
    verb, named = (found["verb"] or "").strip().lower(), found["name"] or found["before"] or ""
    if found["before"] and (found["name"] or not verb):
        return None
    name = league_name(named, three=bool(found["three"]))
    if verb == "leave":
        return LeaveLeague(name)
    if not name:
        return ShowLeagues()
    return EnterLeague(name)


def league_name(named: str, *, three: bool = False) -> str:
    """Return the name of a league as it is stored: that of a game by its key."""
    game = find_game(named) if named else None
    return (game.key if game else named.lower()) + ("-3" if three else "")


def parse_league_name(text: str) -> str:
    """Return the name that a text is, as it is stored; "" for what can be none."""
    found = parse_leagues(f"league {text}")
    return found.name if isinstance(found, EnterLeague) else ""


def _wish(situation: Situation, command: LeagueWish, now: datetime) -> Situation:
    """Hand the wish on to the pipeline."""
    return situation.carried(str(command), Wish(command))


FAMILY = Family(
    name="leagues",
    topic="matches",
    types=(EnterLeague, LeaveLeague, ShowLeagues),
    apply=_wish,
    keywords=(Keyword("league", ShowLeagues()), Keyword("leagues", ShowLeagues())),
    help=(HelpRow("league pipline"), HelpRow("leave league pipline")),
    parse=parse_leagues,
    scope="player",
)
