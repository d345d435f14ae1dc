"""Each column that can hold something of a person has a fate when that person is forgotten, or a reason to stay."""

from sqlalchemy import Boolean, Integer

from db.tables import METADATA
from pbem.storage.fates import FATES
from pbem.storage.tables import PLAYER

_SILENT = (Boolean, Integer, type(PLAYER.c.changed_at.type))
_OURS = "has words, numbers and moments of ours alone"
_MOVES = "says what was played, and stays"
_STAYING = {
    "player": {"id": "never comes back", "created_at": "tells no name", "robot": "is no person's"},
    "match": dict.fromkeys(("game", "options", "standing", "ruling", "agreements", "robots"), _MOVES)
    | dict.fromkeys(("secret", "nonce"), _OURS),
    "result": {"game": _MOVES},
    "rating": dict.fromkeys(
        ("game", "points", "deviation", "volatility"), "follows from results, and has a number only"
    ),
    "invitation": dict.fromkeys(("kind", "game", "options", "state"), _OURS),
    "approached": dict.fromkeys(("mark", "share"), "is a hash, and keeps who said no from being asked again")
    | {"answer": _OURS},
    "guest": {"state": _OURS},
    "seat_offer": {"agreed": _OURS},
    "contest": dict.fromkeys(("kind", "game", "name", "options"), _OURS),
    "contest_event": dict.fromkeys(("kind", "arguments"), _OURS),
    "question": dict.fromkeys(("kind", "state"), _OURS),
    "match_log": {"kind": _OURS},
    "matchentry": {"text": _MOVES},
    "retracted": {"text": _MOVES},
    "clock": dict.fromkeys(("control", "banks", "halted", "proposal"), _OURS),
    "heartbeat": {"name": _OURS},
    "outbound": dict.fromkeys(("message_id", "kind", "envelope", "bounce_status"), _OURS),
    "thought": {"kind": _OURS},
    "vote": {"moves": _MOVES},
    "due": {"kind": _OURS, "error": "is redacted, and gone when the thing is done"},
    "blocked": dict.fromkeys(("email", "note"), "is the operator's, who is told how to erase it"),
    "worker": {"name": _OURS},
    "webhook": {"name": _OURS, "host": "is the operator's", "error": _OURS},
    "webhook_told": {"webhook": _OURS},
    "mailboxcursor": dict.fromkeys(("mailbox", "mark"), _OURS),
    "unread_message": {"mailbox": _OURS, "why": "has a mail server's words, without addresses"},
}
"""Columns that stay as they are, by their tables, and why."""


def test_no_column_is_forgotten() -> None:
    """A new column fails here until somebody has decided about it.

    Numbers and moments say nothing of anybody, but in the row of a player itself. Of a table whose rows go only in
    part, those that stay have their names struck out.
    """
    telling = {
        table.name: {column.name for column in table.c if table is PLAYER or not isinstance(column.type, _SILENT)}
        for table in METADATA.tables.values()
    }
    decided: dict[str, set[str]] = {name: {*columns} for name, columns in _STAYING.items()}
    for table, fate in FATES.items():
        gone = {*(fate.own or fate.others)} or telling[table.name]
        assert gone | {*fate.others} <= {*table.c.keys()}
        decided[table.name] = decided.get(table.name, set()) | gone
    undecided = {name: columns - decided.get(name, set()) for name, columns in telling.items()}
    assert {name: columns for name, columns in undecided.items() if columns} == {}
    assert {name: {*stays} - telling[name] for name, stays in _STAYING.items() if {*stays} - telling[name]} == {}
