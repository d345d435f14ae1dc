"""Strikes the names of a forgotten player out of lines that others wrote or were sent."""

import re
from collections.abc import Iterable

from sqlalchemy import (
    ColumnElement,
)

from pbem.match.player import FORMER, Player
from pbem.storage.tables import (
    MATCH_LOG,
)


class StruckNames:
    """The names of a player, also ``former`` ones, and the addresses, to be taken out of a line about them."""

    def __init__(self, player: Player, former: Iterable[str]) -> None:
        self.name = player.name
        called = "|".join(re.escape(email) for email in sorted(player.emails, key=len, reverse=True))
        self._addresses = re.compile(called, re.IGNORECASE)
        names = "|".join(re.escape(name) for name in sorted({player.name, *former}, key=len, reverse=True))
        self._name = re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE)

    def out_of(self, line: str) -> str:
        """Return ``line`` with other words in their places."""
        return self._name.sub(FORMER, self._addresses.sub("…", line))


def was_named(name: str) -> ColumnElement[bool]:
    """Return the condition that somebody of this name had a seat before another player got it."""
    named: ColumnElement[bool] = MATCH_LOG.c.arguments["before"].as_string() == name
    return named
