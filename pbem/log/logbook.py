"""The lines of the log: each tells one fact under the name of its event, with the numbers it is about, and no words."""

import json
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from pbem.log.redaction import GONE, without_domains

_CODE = re.compile(r"[A-Za-z0-9_.-]{1,40}")
_LIBRARY = "library"
"""The event of every line that a library writes."""


def event(
    name: str,
    *,
    inbound: int | None = None,
    outbound: int | None = None,
    match: int | None = None,
    seat: int | None = None,
    ply: int | None = None,
    player: int | None = None,
    **codes: str | int,
) -> dict[str, Any]:
    """Return the ``extra`` of a line of the log: the ``name`` of its event, and what it is about, as far as known.

    ``seat`` counts from 0 here, and from 1 in the log, as for players. ``codes`` are words of our own such as a status.
    """
    places = {"inbound": inbound, "outbound": outbound, "match": match}
    places |= {"seat": None if seat is None else seat + 1, "ply": ply, "player": player}
    return {"event": name, "facts": {key: value for key, value in (places | codes).items() if value not in (None, "")}}


class Line(logging.Formatter):
    """Writes a record as text, or as one JSON object; ``load_form`` says which, and is asked for the first record.

    Neither shows more of an address than its first character, whatever the sentence quotes; a ``Redacting`` filter has
    to stand before. A fact that is neither a number nor a plain word is left out: nothing from outside can be one.
    """

    def __init__(self, load_form: Callable[[], str]) -> None:
        super().__init__()
        self._load_form = load_form

    @cached_property
    def _form(self) -> str:
        return self._load_form()

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of ``record``; only in the form of text do those of a traceback follow, indented."""
        name = getattr(record, "event", _LIBRARY)
        facts = getattr(record, "facts", {"logger": record.name})
        facts = {key: value if type(value) is int else _as_code(str(value)) for key, value in facts.items()}
        sentence = without_domains(record.getMessage())
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        trace = without_domains("\n".join(filter(None, (record.exc_text, record.stack_info))))
        if self._form == "json":
            at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
            told = facts | {"ts": at, "level": record.levelname.lower(), "event": name, "text": sentence}
            first = ("ts", "level", "event")
            told = {key: told[key] for key in first} | told | ({"trace": trace} if trace else {})
            return json.dumps(told)  # with everything beyond ASCII escaped, and so every end of a line
        heading = "" if sentence.startswith(f"{name} ") else " ".join((name, *(f"{k}={v}" for k, v in facts.items())))
        line = f"{self.formatTime(record)} {record.levelname} {heading}{heading and ': '}{sentence}"
        return f"{line}\n{trace}" if trace else line


def _as_code(value: str) -> str:
    """Return a plain word as it is, and a sign for anything else."""
    return value if _CODE.fullmatch(value) else GONE
