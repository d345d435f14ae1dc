"""Counts what a piece of work costs in things rather than in time: statements, commits, parses, renders."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from importlib import import_module
from typing import Any

from sqlalchemy import Connection, Engine, event

COUNTED: dict[str, tuple[str, ...]] = {
    "parses": ("pbem.mail.message:parse_header", "pbem.mail.message:parse_body"),
    "templates": ("jinja2:Template.render",),
    "boards": tuple(f"pbem.notices.board_block:{name}_board" for name in ("text", "html", "spoken")),
}
"""The functions whose calls are counted, by what they do, where they are looked up: the header of an email
parsed, or its body, a template filled, a board drawn in one form."""
_VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "REPLACE")


@contextmanager
def counting() -> Iterator[Counter[str]]:
    """Yield the counts of everything below: statements, commits that write anything, and what ``COUNTED`` names."""
    counts = Counter[str](dict.fromkeys(("statements", "commits", *COUNTED), 0))
    with ExitStack() as stack:
        stack.enter_context(_listening("before_cursor_execute", _statement_counter(counts)))
        stack.enter_context(_listening("commit", _commit_counter(counts)))
        for word, places in COUNTED.items():
            for place in places:
                stack.enter_context(replaced(place, _counter_of(word, counts)))
        yield counts


@contextmanager
def counting_commits() -> Iterator[Counter[str]]:
    """Yield the count of commits alone, which costs next to nothing."""
    counts = Counter[str](commits=0)
    with _listening("commit", _commit_counter(counts)):
        yield counts


@contextmanager
def replaced(place: str, wrapping: Callable[[Any], Any]) -> Iterator[None]:
    """Let ``wrapping`` stand round the function at ``place``: ``module:function`` or ``module:Class.function``.

    Raise LookupError if there is none.
    """
    module, _, path = place.partition(":")
    *owners, name = path.split(".")
    owner: Any = import_module(module)
    for part in owners:
        owner = getattr(owner, part, None)
    function = getattr(owner, name, None)
    if not callable(function):
        raise LookupError(f"there is no {place} any more")
    setattr(owner, name, wrapping(function))
    try:
        yield
    finally:
        setattr(owner, name, function)


@contextmanager
def _listening(what: str, listener: Callable[..., None]) -> Iterator[None]:
    """Tell ``listener`` about an event of every engine."""
    event.listen(Engine, what, listener)
    try:
        yield
    finally:
        event.remove(Engine, what, listener)


def _statement_counter(counts: Counter[str]) -> Callable[..., None]:
    """Return a listener that counts statements, without those that begin and end transactions."""

    def note(connection: Connection, cursor: Any, statement: str, *others: Any) -> None:
        counts["statements"] += statement.lstrip().upper().startswith(_VERBS)

    return note


def _commit_counter(counts: Counter[str]) -> Callable[[Connection], None]:
    """Return a listener that counts commits: without anything written there is nothing to wait for."""
    changes: dict[int, int] = {}

    def note(connection: Connection) -> None:
        driver = connection.connection.driver_connection
        assert driver is not None
        if driver.total_changes != changes.get(id(driver)):
            changes[id(driver)] = driver.total_changes
            counts["commits"] += 1

    return note


def _counter_of(word: str, counts: Counter[str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what makes a function count its calls."""

    def wrapping(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def counted(*arguments: Any, **named: Any) -> Any:
            counts[word] += 1
            return function(*arguments, **named)

        return counted

    return wrapping
