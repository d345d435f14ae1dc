"""What the first page shows large: a match with its board and its latest comment; and what is offered to anybody."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from pbem.archive.icons import icons
from pbem.archive.lists.listing import link_players
from pbem.archive.lists.rules_pages import position_under_way
from pbem.archive.match.rolls import unfold
from pbem.boards.small import small_board
from pbem.boards.svg import svg_board
from pbem.mail.archive_paths import match_page, rules_page
from pbem.match.invitation import Invitation
from pbem.match.match import Match
from pbem.match.privacy import is_private, may_publish
from pbem.notices.sentences.boards import picture_words
from pbem.notices.starting import describe_setting
from rules.games import GAMES
from rules.phrase import ENGLISH, phrases

_LONGEST_WORDS = 120
"""Characters of a comment."""

_OFFERS = 12
"""Offers that the page lists, the newest first."""


@dataclass(frozen=True, slots=True)
class Window:
    """The match with this number as it is shown large; ``words`` are the latest said in it, ``writer`` is who did.

    The number is 0 where it is only an example.
    """

    match: int
    page: str
    title: str
    players: Markup
    picture: Markup
    words: str = ""
    writer: str = ""


@dataclass(frozen=True, slots=True)
class OfferRow:
    """A match that anybody may join with the line ``command``."""

    game: str
    setting: str
    name: str
    places: str
    command: str


def draw_window(match: Match) -> Window:
    """Return a match that is not private as the first page shows it large."""
    shown = unfold(match)[0]
    view = shown.position.view()
    said = [one for one in match.comments if may_publish(match, one) and not is_private(one)]
    words = " ".join(said[-1].text.split()) if said else ""
    return Window(
        match.id,
        match_page(match.id),
        f"{match.game.title} {match.id}",
        link_players(
            ((player.name, player.id if player.has_page else None) for player in match.players),
            icons=icons(match.game, shown.position.roles()),
        ),
        Markup(svg_board(view, picture_words(view))),  # which escapes names itself
        words if len(words) <= _LONGEST_WORDS else f"{words[:_LONGEST_WORDS]}…",
        str(match.writer(said[-1])) if said else "",
    )


def draw_example() -> Window:
    """Return a match that people might play as the first page shows it large, where there is none yet."""
    game = next(iter(GAMES.values()))
    view = position_under_way(game).view()
    picture = Markup(svg_board(view, picture_words(view)))
    return Window(0, rules_page(game.key), game.title, Markup(""), picture)


@cache
def draw_phone() -> Window:
    """Return a match that people might play as the picture of a phone shows it: small, and with a move as words."""
    game = next(iter(GAMES.values()))
    place = 'x="25" y="72" width="150" height="156"'
    position = position_under_way(game)
    board = small_board(position.view()).replace('class="small"', place, 1)
    return Window(0, "", game.title, Markup(""), Markup(board), position.prompt().example)


def list_offers(invitations: Iterable[Invitation], names: Mapping[int, str]) -> list[OfferRow]:
    """Return what anybody may join of open ``invitations``; ``names`` are those of who offers them."""
    return [_row(one, names[one.inviter]) for one in open_offers(invitations, names)[: -_OFFERS - 1 : -1]]


def open_offers(invitations: Iterable[Invitation], names: Mapping[int, str]) -> list[Invitation]:
    """Return those ``invitations`` that anybody may join; ``names`` are those of who offers them."""
    return [
        one
        for one in invitations
        if one.kind == "open" and one.inviter in names and any(guest.state == "free" for guest in one.guests)
    ]


def _row(one: Invitation, name: str) -> OfferRow:
    """Return an offer as the page lists it."""
    places = [phrases("one place is free", "{count} places are free", len(one.awaited))]
    places += [phrases("with a robot", "with {count} robots", len(one.robots))] if one.robots else []
    setting = describe_setting(one, ENGLISH)
    return OfferRow(one.game.title, setting, name, ", ".join(map(str, places)), f"join {one.id}")
