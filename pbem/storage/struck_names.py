"""Strikes a forgotten player out of what others wrote or were sent."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement

from pbem.mail.address_traces import AddressTraces
from pbem.match.player import FORMER
from pbem.storage.followers import TOLD
from pbem.storage.tables import MATCH_LOG

Strike = Callable[[str, Sequence[str]], str]
"""Returns words that a reply may quote without the player's name, and without these comments of theirs."""

_OF_SEVERAL = ("digest", "digest_done", "letter")
"""Kinds of emails that belong to no match, and quote what was said in several."""


class StruckNames:
    """Takes a player out of values in rows of others: names, also ``former`` ones, addresses and ``comments`` by match.

    Without a name the addresses alone are taken out. Each method gets a value, and the row that it stands in, and
    returns what is to stand there.
    """

    def __init__(
        self,
        traces: AddressTraces,
        name: str = "",
        former: Iterable[str] = (),
        strike: Strike = lambda words, comments: words,
        comments: Mapping[int, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        self._traces = traces
        self._called = name
        self._strike = strike
        self._comments = comments
        names = "|".join(re.escape(name) for name in sorted({name, *former} - {""}, key=len, reverse=True))
        self._name = re.compile(rf"(?<!\w)(?:{names})(?!\w)" if names else r"(?!)", re.IGNORECASE)

    def line(self, line: str, row: Any) -> str:
        """Return a line with other words in the places of names and addresses."""
        return self._name.sub(FORMER, self._traces.strike(line))

    def lines(self, lines: Sequence[str], row: Any) -> list[str]:
        """Return several such lines."""
        return [self.line(line, row) for line in lines]

    def key(self, key: str, row: Any) -> str:
        """Return the key of an email, which may name them."""
        return key if row.kind == TOLD else self.line(key, row)

    def about(self, about: Any, row: Any) -> dict[str, Any]:
        """Return what a question is about, with other words in the places of names and addresses."""
        return _changed(about, lambda line: self.line(line, row)) if isinstance(about, dict) else {}

    def quotable(self, words: bytes, row: Any) -> bytes:
        """Return the words of an email, which may quote them."""
        told = self._comments.values() if row.kind in _OF_SEVERAL else [self._comments.get(row.match_id, ())]
        left = self._strike(words.decode(), [said for comments in told for said in comments])
        return self._traces.strike_words(left).encode()

    def seated(self, told: Mapping[str, Any], row: Any) -> dict[str, Any]:
        """Return what the log tells, as of a seat that passed from one player to another."""
        passed = ("before", "after") if self._called and row.kind == "replaced" else ()
        return {**_changed(told, self._traces.strike), **{key: FORMER for key in passed if told[key] == self._called}}


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value of JSON with each text in it changed."""
    if isinstance(value, list):
        return [_changed(one, change) for one in value]
    if isinstance(value, dict):
        return {key: _changed(one, change) for key, one in value.items()}
    return change(value) if isinstance(value, str) else value


def was_named(name: str) -> ColumnElement[bool]:
    """Return the condition that somebody of this name had a seat before another player got it."""
    named: ColumnElement[bool] = MATCH_LOG.c.arguments["before"].as_string() == name
    return named
