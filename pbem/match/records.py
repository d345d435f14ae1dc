"""The record of a match as text, with its notes, and the digits by which two people compare theirs."""

import hashlib
from collections.abc import Iterable

from pbem.match.endings import winners_note
from pbem.match.fair_rolls import commitment, number_of
from pbem.match.match import Match
from pbem.match.stints import write_stints
from rules.position import Entry
from rules.record import Record, write_record


def fingerprint(match: Match) -> str:
    """Return six hexadecimal digits, by which two people notice that they have not the same record.

    They are few: a forger finds another record with the same ones.
    """
    return _check_code(match.id, match.record)


def fingerprint_of(record: Record) -> str:
    """Return the ``fingerprint`` of the match that ``record`` tells. Raise InvalidRecord if it has no number."""
    return _check_code(number_of(record), record.entries)


def _check_code(number: int, entries: Iterable[Entry]) -> str:
    """Return the check code of the match with this number, after these entries."""
    lines = "\n".join(f"{entry.seat} {entry.text}" for entry in entries)
    return hashlib.sha256(f"{number}\n{lines}".encode()).hexdigest()[:6]


def record_of(match: Match) -> Record:
    """Return the record of ``match`` with its notes, for storing, exchange and verification."""
    notes = {"match": str(match.id)}
    notes |= {f"player {seat + 1}": player.name for seat, player in enumerate(match.players)}
    notes["opened"] = match.opened_at.strftime("%Y-%m-%d")
    if match.robots:
        notes["robots"] = write_stints(match.robots)
    if (match.possible_rolls or match.robots) and match.secret:
        notes["commitment"] = commitment(match.secret)
        notes |= {f"salt {seat + 1}": seed for seat, seed in sorted(match.public_seeds.items())}
    if outcome := match.outcome:
        if (match.possible_rolls or match.robots) and match.secret:
            notes["secret"] = match.secret
        notes["over"] = match.changed_at.strftime("%Y-%m-%d")
        if match.ruling:
            notes["ruling"] = match.ruling.kind
        notes["winners"] = winners_note(outcome) or ""
        notes["reason"] = outcome.reason
    return Record(match.game.key, len(match.players), match.options, match.record, notes)


def record_text(match: Match) -> str:
    """Return the record of ``match`` as text."""
    return write_record(record_of(match))
