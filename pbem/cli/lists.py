"""Lists of things of one kind: which page of it is wanted, and how it is printed; all lists are alike."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from pbem.cli.output import format_time, make_printable, print_json_list
from pbem.cli.table import print_table
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.storage.messages.records import DamagedRecord

T = TypeVar("T")

_AT_ONCE = 500  # rows

Limit = Annotated[
    int | None,
    typer.Option("--limit", "-n", min=1, max=1_000_000, help="How many; else 50 as a table, and all of them as JSON."),
]
Before = Annotated[
    int | None, typer.Option("--before", metavar="ID", min=1, max=2**31 - 1, help="Only those with lower numbers.")
]
All = Annotated[bool, typer.Option("--all", help="All of them, whatever --limit says.")]


@dataclass(frozen=True)
class Page:
    """Which part of a list is wanted: so many of the newest, with lower numbers than ``before``, or ``everything``."""

    limit: int | None
    before: int | None
    everything: bool
    json: bool

    @property
    def most(self) -> int | None:
        """How many rows, None for all: a person reads a screen, and a program must not miss any unawares."""
        return None if self.everything or (self.json and self.limit is None) else self.limit or 50

    def read(self, listed: Callable[..., Iterable[T]], **which: Any) -> tuple[list[T], bool]:
        """Return the rows, the newest first, and whether there are older ones; ``which`` narrows the choice."""
        rows = listed(before=self.before, limit=self.most and self.most + 1, **which)
        found = sorted(rows, key=attrgetter("id"), reverse=True)
        return found[: self.most], len(found) > (self.most or len(found))

    def read_on(self, listed: Callable[..., Iterable[T]], **which: Any) -> tuple[Iterable[T], bool]:
        """Return the same; where all rows are wanted, each few are read when they are asked for."""
        return self.read(listed, **which) if self.most else (self._read_each(listed, which), False)

    def _read_each(self, listed: Callable[..., Iterable[T]], which: dict[str, Any]) -> Iterator[T]:
        """Yield all rows, the newest first."""
        page, more = replace(self, limit=_AT_ONCE, everything=False), True
        while more:
            found, more = page.read(listed, **which)
            yield from found
            page = replace(page, before=found[-1].id) if more else page  # type: ignore[attr-defined]  # as all rows have


def by_status(known: tuple[str, ...]) -> Any:
    """Return the option that asks for one of the ``known`` statuses."""
    return typer.Option("--status", metavar="STATUS", help=f"Only those that are {', '.join(known)}.")


def check_status(status: str | None, known: tuple[str, ...]) -> None:
    """Raise BadInput for a status that is not among those ``known``."""
    if status is not None and status not in known:
        raise BadInput(f"“{status}” is not a status; choose one of {', '.join(known)}.")


def print_list(
    found: Iterable["T | DamagedRecord"],
    title: str,
    as_object: Callable[[T], dict[str, Any]],
    columns: Sequence["str | tuple[str, str | Callable[[T], object]]"],
    *,
    json: bool,
    has_older: bool = False,
    command: str = "",
) -> None:
    """Print things of one kind as JSON objects, or as a table; say so where there are none.

    A column shows the value that the object has for its heading, or for another key, or what a function makes of the
    thing; of a damaged record little is known, and no function is called with it. If the list ``has_older`` ones, the
    last line says how ``command`` lists them.
    """
    from pbem.storage.messages.records import DamagedRecord

    named = [(column, column) if isinstance(column, str) else column for column in columns]
    told = ((one, _tell(one, as_object)) for one in found)
    if json:
        print_json_list(values for _, values in told)
        return
    objects: list[dict[str, Any]] = []
    rows: list[list[object]] = []
    for one, values in told:
        if isinstance(one, DamagedRecord):
            rows.append([values.get(key) if isinstance(key, str) else None for _, key in named])
        else:
            rows.append([values[key] if isinstance(key, str) else key(one) for _, key in named])
        objects.append(values)
    if not objects:
        typer.echo(f"No {title}.")
        return
    print_table([[heading for heading, _ in named], *(list(map(_show_cell, row)) for row in rows)])
    if has_older:
        least = min(one["id"] for one in objects if one["id"])
        typer.echo(f"There are older ones: “pbem {command} --before {least}” lists the next, --all all of them.")


def _tell(one: "T | DamagedRecord", as_object: Callable[[T], dict[str, Any]]) -> dict[str, Any]:
    """Return the JSON object of a thing."""
    from pbem.storage.messages.records import DamagedRecord

    return {"id": one.id, "status": "damaged"} if isinstance(one, DamagedRecord) else as_object(one)


def _show_cell(value: object) -> str:
    """Return a value on one line for people: a time in UTC, options as they are typed, nothing for None."""
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, dict):
        value = " ".join(f"{key}={one}" for key, one in value.items())
    text = ", ".join(value) if isinstance(value, list) else "" if value is None else str(value)
    return make_printable(text).replace("\n", " ")
