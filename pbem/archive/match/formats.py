"""A match in the formats of programs: as JSON of our own, and as a game record of Abstract Play.

Game records are specified at https://github.com/AbstractPlay/recranks.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.archive.pages import without_addresses
from pbem.match.match import Match
from pbem.match.privacy import is_private
from pbem.match.thought import Shown
from pbem.match.time.time_control import write_time_control
from rules.position import Entry

VERSION = 1
"""That of all formats for programs: it rises when a field goes, or means something else."""


def match_json(match: Match, shown: Sequence[Shown] = ()) -> str:
    """Return a match as JSON, without addresses; seats and plies count from 0, times are in UTC.

    ``shown`` is what was published under its moves since the end. Words to one side are only on the page, even after
    the end: that is what their writers were told.
    """
    outcome = match.outcome
    return _write(
        {
            "version": VERSION,
            "id": match.id,
            "game": match.game.key,
            "options": dict(match.options),
            "seats": [
                {"seat": seat, "player": player.name, "role": role, "robot": player.robot or None}
                for seat, (player, role) in enumerate(zip(match.players, match.position.roles(), strict=True))
            ],
            "rated": match.rated,
            "opened_at": match.opened_at.isoformat(),
            "time_control": write_time_control(match.clock.control if match.clock else None),
            "winners": sorted(outcome.winners) if outcome else None,
            "reason": outcome.reason if outcome else None,
            "record": [
                {"ply": ply, "seat": entry.seat, "text": entry.text, "at": at.isoformat()}
                for ply, (entry, at) in enumerate(zip(match.record, match.times, strict=True))
            ],
            "comments": [
                {"ply": one.ply, "seat": one.seat, "player": match.writer(one), "text": one.text}
                for one in match.comments
                if not is_private(one)
            ],
            "notes": [
                {"ply": one.thought.ply, "player": one.name, "kind": one.thought.kind, "text": one.thought.text}
                for one in shown
            ],
        }
    )


def write_options(match: Match) -> list[str]:
    """Return the options of a match as they are typed."""
    return [f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in match.options.items()]


def game_record(match: Match, site: str) -> str:
    """Return a match that is over as a game record, without addresses; ``site`` is what the host is called.

    The format knows no rolls: those before the first move are the starting position, others the result of the move that
    they follow. It follows from the match alone, so it says that it was written when the match ended.
    """
    assert match.outcome
    opening, moves = _add_rolls(match.record)
    ended = match.changed_at.isoformat()
    header: dict[str, Any] = {
        "game": {"name": match.game.title, "variants": write_options(match)},
        "site": {"name": site, "gameid": match.id},
        "date-start": match.opened_at.isoformat(),
        "date-end": ended,
        "date-generated": ended,
        "unrated": not match.rated or (match.ruling is not None and match.ruling.kind == "void"),
        "players": [
            {
                "name": player.name,
                **({"userid": str(player.id)} if player.has_page and not match.private else {}),
                "is_ai": bool(player.robot),
                "result": int(seat in match.outcome.winners),
                "seat": seat + 1,
            }
            for seat, player in enumerate(match.players)
        ],
        "reason": match.outcome.reason,
    }
    if opening:
        header["startingPosition"] = f"rolls {' '.join(opening)}"
    return _write({"header": header, "moves": list(_rounds(moves, len(match.players)))})


def _add_rolls(record: Sequence[Entry]) -> tuple[list[str], list[tuple[int, dict[str, Any]]]]:
    """Return the rolls before the first move, and all moves by their seats, each with the rolls that follow it."""
    opening: list[str] = []
    moves: list[tuple[int, dict[str, Any]]] = []
    for entry in record:
        if entry.seat is not None:
            moves.append((entry.seat, {"move": entry.text}))
        elif moves:
            moves[-1][1].setdefault("result", []).append({"type": "roll", "values": [int(entry.text)]})
        else:
            opening.append(entry.text)
    return opening, moves


def _rounds(moves: Sequence[tuple[int, Mapping[str, Any]]], seats: int) -> Iterator[list[Mapping[str, Any] | None]]:
    """Yield rounds of moves, one for each seat at most: read round by round, seat by seat, they are in their order."""
    told: list[Mapping[str, Any] | None] = [None] * seats
    last = -1
    for seat, move in moves:
        if seat <= last:
            yield told
            told = [None] * seats
        told[seat], last = move, seat
    if last >= 0:
        yield told


def _write(data: Mapping[str, Any]) -> str:
    """Return data as a file has it."""
    return without_addresses(json.dumps(data, ensure_ascii=False, indent=1)) + "\n"
