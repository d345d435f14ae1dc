"""Strikes a forgotten player out of what others wrote or were sent."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement

from pbem.match.player import FORMER, Player
from pbem.storage.followers import TOLD
from pbem.storage.tables import MATCH_LOG

Strike = Callable[[str, Sequence[str]], str]
"""Returns words that a reply may quote without the player's name, and without these comments of theirs."""

_OF_SEVERAL = ("digest", "digest_done")
"""Kinds of emails that belong to no match, and quote what was said in several."""

_KEYED_BY_NUMBERS = (TOLD, *_OF_SEVERAL)
"""Kinds of emails whose keys hold numbers and words of ours, which may be the name of a player as well."""


class StruckNames:
    """Takes a player out of values in rows of others: names, also ``former`` ones, addresses and ``comments`` by match.

    Each method gets a value, and the row that it stands in, and returns what is to stand there.
    """

    def __init__(
        self, player: Player, former: Iterable[str], strike: Strike, comments: Mapping[int, Sequence[str]]
    ) -> None:
        self._player = player
        self._strike = strike
        self._comments = comments
        called = "|".join(re.escape(email) for email in sorted(player.emails, key=len, reverse=True))
        self._addresses = re.compile(called, re.IGNORECASE)
        names = "|".join(re.escape(name) for name in sorted({player.name, *former}, key=len, reverse=True))
        self._name = re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE)

    def line(self, line: str, row: Any) -> str:
        """Return a line with other words in the places of names and addresses."""
        return self._name.sub(FORMER, self._addresses.sub("…", line))

    def lines(self, lines: Sequence[str], row: Any) -> list[str]:
        """Return several such lines."""
        return [self.line(line, row) for line in lines]

    def key(self, key: str, row: Any) -> str:
        """Return the key of an email, which may name them."""
        return key if row.kind in _KEYED_BY_NUMBERS else self.line(key, row)

    def about(self, about: Mapping[str, Any], row: Any) -> dict[str, Any]:
        """Return what a question is about, with other words in the places of names and addresses."""
        return {key: self._strike_in(value, row) for key, value in (about if isinstance(about, dict) else {}).items()}

    def _strike_in(self, value: Any, row: Any) -> Any:
        """Return a value of JSON without them."""
        if isinstance(value, list):
            return [self._strike_in(one, row) for one in value]
        return self.line(value, row) if isinstance(value, str) else value

    def quotable(self, words: bytes, row: Any) -> bytes:
        """Return the words of an email, which may quote them."""
        told = self._comments.values() if row.kind in _OF_SEVERAL else [self._comments.get(row.match_id, ())]
        return self._strike(words.decode(), [said for comments in told for said in comments]).encode()

    def seated(self, told: Mapping[str, Any], row: Any) -> dict[str, Any]:
        """Return what the log tells of a seat that passed from one player to another."""
        return {**told, **{key: FORMER for key in ("before", "after") if told[key] == self._player.name}}


def was_named(name: str) -> ColumnElement[bool]:
    """Return the condition that somebody of this name had a seat before another player got it."""
    named: ColumnElement[bool] = MATCH_LOG.c.arguments["before"].as_string() == name
    return named
