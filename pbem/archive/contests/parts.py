"""What the pages of ladders and leagues have in common: who is shown how, and what has happened, as text."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from markupsafe import Markup

from pbem.archive.lists.listing import link_players
from pbem.archive.news import MOST_NEWS, News
from pbem.archive.standing import clean
from pbem.mail.archive_paths import contest_page

People: TypeAlias = Mapping[int, tuple[str, int | None]]
"""The names of players by their numbers; with each the number of the page about them, None where there is none."""

LATEST = 20
"""The latest of what happened in a contest, on its page."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened in a contest at a time (UTC); ``key`` tells it from all others, ``told`` is a sentence.

    ``match`` is the number of the match that it was, if it was one that anybody may see.
    """

    key: str
    at: datetime
    told: str
    match: int | None = None

    @property
    def day(self) -> str:
        """The day (UTC)."""
        return f"{self.at:%Y-%m-%d}"


def link_player(player: int, people: People) -> Markup:
    """Return the name of a player on a page of a contest, with a link to their page."""
    return link_players([people.get(player, ("", None))], "../")


def name_player(player: int | None, people: People) -> str:
    """Return the name of a player in a sentence."""
    return people.get(player, ("", None))[0] if player is not None else ""


def take_latest(moments: list[Moment]) -> tuple[Moment, ...]:
    """Return the latest of what happened, as many as a feed has, the last first."""
    return tuple(sorted(moments, key=lambda one: (one.at, one.key), reverse=True)[:MOST_NEWS])


def as_news(contest: int, title: str, moments: tuple[Moment, ...]) -> list[News]:
    """Return what happened in a contest as its feed tells it."""
    page = contest_page(contest)
    return [
        News(f"{page}/{one.key}", one.match or 0, place, one.at, clean(one.told), clean(title))
        for place, one in enumerate(reversed(moments))
    ]
