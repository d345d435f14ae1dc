"""The lists for programs, as docs/formats.md has them: all matches, all players who have a page, all open offers.

A line that was encoded once is kept, so that a pass costs what is new in it, and not what there is.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pbem.archive.lists.ledger import Ledger
from pbem.archive.match.formats import VERSION
from pbem.archive.pages import without_addresses, write_if_changed
from pbem.mail.archive_paths import MATCH_LIST, OFFER_LIST, PLAYER_LIST, match_page, player_page
from pbem.match.invitation import Invitation, read_opening
from pbem.match.time.time_control import write_time_control


class ListsForPrograms:
    """The lists of matches and players; what becomes new is read from the changes of a ledger."""

    def __init__(self) -> None:
        # What lies there may be of an earlier process, and tell of what is private by now.
        self._matches = _Lines(is_new=True)
        self._players = _Lines(is_new=True)

    def write(self, ledger: Ledger, directory: Path) -> Iterator[int]:
        """Write the lists, as far as the changes of ``ledger`` make them others; yield how many are new, if any is.

        Players are encoded before the changes are cleared by whoever writes their pages. Raises OSError.
        """
        changes, matches, players = ledger.changes, self._matches, self._players
        for number in changes.lines:
            matches.note(number, _encode_match(number, ledger))
        for number in changes.players:
            has_page = number not in ledger.without_page and ledger.of_player(number)
            players.note(number, _encode_player(number, ledger) if has_page else b"")
        written = 0
        if matches.is_new:
            written += write_if_changed(directory / MATCH_LIST, b"".join(matches.in_order()))
        if players.is_new:
            told = VERSION, b",".join(players.in_order())
            written += write_if_changed(directory / PLAYER_LIST, b'{"version":%d,"players":[\n%b]}\n' % told)
        changes.lines.clear()
        matches.is_new = players.is_new = False
        if written:  # else a short pass would do nothing but look
            yield written


@dataclass(slots=True)
class _Lines:
    """Lines by the numbers of what they tell; whether they are others than those that were written."""

    is_new: bool
    _lines: dict[int, bytes] = field(default_factory=dict)

    def note(self, number: int, line: bytes) -> None:
        """Keep a line; none is left where it is empty."""
        if line != self._lines.get(number, b""):
            self._lines[number] = line
            self.is_new = True

    def in_order(self) -> Iterator[bytes]:
        """Yield all lines in the order of their numbers."""
        return (line for _, line in sorted(self._lines.items()) if line)


def write_offers(offers: Iterable[Invitation], names: Mapping[int, str], host: str, directory: Path) -> bool:
    """Write what anybody may join by an email to ``host``; return whether it is new. ``names``: of who offers it."""
    told = [_tell_offer(one, without_addresses(names[one.inviter])) for one in offers]
    text = json.dumps({"version": VERSION, "address": host or None, "offers": told}, indent=1) + "\n"
    return write_if_changed(directory / OFFER_LIST, text.encode())


def _tell_offer(offer: Invitation, name: str) -> Mapping[str, object]:
    """Return an offer, ready for JSON."""
    control, options = read_opening(offer.game, len(offer.guests), offer.options)
    return {
        "id": offer.id,
        "game": offer.game.key,
        "options": options,
        "time_control": write_time_control(control),
        "player": name,
        "seats": len(offer.guests),
        "free": len(offer.awaited),
        "robots": list(offer.robots),
        "rated": offer.rated,
        "reliable": offer.reliable or None,
        "expires_at": offer.expires_at.isoformat(),
        "join": f"join {offer.id}",
    }


def _encode_match(number: int, ledger: Ledger) -> bytes:
    """Return the line of a match; only players who have a page have a number, by which their matches are found.

    A move changes nothing in it: a list of ten thousand matches would be written for each.
    """
    match = ledger.matches[number]
    seats = [
        {"player": None if player in ledger.without_page else player, "name": ledger.names[player], "role": role}
        for player, role in zip(match.players, match.roles, strict=True)
    ]
    return _encode(
        {
            "version": VERSION,
            "id": number,
            "game": match.game,
            "seats": seats,
            "rated": match.rated,
            "opened_at": match.opened_at.isoformat(),
            "over_at": match.changed_at.isoformat() if match.is_over else None,
            "moves": match.moves if match.is_over else None,
            "winners": None if match.winners is None else sorted(match.winners),
            "page": match_page(number),
        }
    )


def _encode_player(number: int, ledger: Ledger) -> bytes:
    """Return the line of a player, with their ratings."""
    ratings = {game: one for game, all_of in ledger.ratings.items() if (one := all_of.of(number))}
    return _encode(
        {
            "id": number,
            "name": ledger.names[number],
            "page": player_page(number),
            "matches": len(ledger.of_player(number)),
            "ratings": {game: round(one.points) for game, one in ratings.items()},
            "deviations": {game: round(one.deviation) for game, one in ratings.items()},
            "reliability": ledger.reliability_of(number).percent,
        }
    )


def _encode(data: Mapping[str, object]) -> bytes:
    """Return data as a line, in ASCII: no letter of a name ends it."""
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"
