"""The way in: links by which a stranger's own program opens an email that, sent as it stands, begins a match.

Where the host lets nobody in who is not invited, no page has any of it.
"""

from dataclasses import dataclass

from markupsafe import Markup, escape

from pbem.mail.compose import Site
from pbem.match.stints import write_robot
from rules.game import Game
from rules.games import GAMES


@dataclass(frozen=True, slots=True)
class WayIn:
    """How a stranger may begin: ``host`` is the address to write to, empty where nobody may; ``robots``: with one.

    ``title`` is what they begin at.
    """

    host: str = ""
    robots: bool = False
    title: str = Site("", "").title

    def __bool__(self) -> bool:
        return bool(self.host)

    @property
    def address(self) -> Markup:
        """The address as pages show it: written so that it alone is not cut like those of players."""
        return escape(self.host).replace("@", Markup("&#64;"))

    def robot(self, key: str = "") -> str:
        """Return the line that begins a match of a game against the weakest robot, or of the first game; or ""."""
        return f"new {_write(GAMES[key or next(iter(GAMES))], write_robot(1))}" if self and self.robots else ""

    def seek(self, key: str = "") -> str:
        """Return the line that offers a match of a game, or of the first game, to whoever comes first; or ""."""
        return f"seek {_write(GAMES[key or next(iter(GAMES))])}" if self else ""


NO_WAY_IN = WayIn()
"""That of a host who lets nobody in."""


def find_way_in(site: Site) -> WayIn:
    """Return the way in that a host has."""
    is_open = site.new_matches == "anybody"
    return WayIn(site.address if is_open else "", is_open and site.robots > 0, site.title)


def _write(game: Game, *people: str) -> str:
    """Return a short match of a game, as it is typed behind the word for it."""
    return " ".join([game.key, *people, *(f"{key}={value}" for key, value in game.short.items())])
