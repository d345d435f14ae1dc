"""The lists for programs, as docs/formats.md has them: all matches, all players who have a page, all open offers.

A line that was encoded once is kept, so that a pass costs what is new in it, and not what there is.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
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
        self._matches: dict[int, str] = {}
        self._players: dict[int, str] = {}
        self._is_new = True  # what lies there may be of an earlier process, and tell of what is private by now

    def write(self, ledger: Ledger, directory: Path) -> int:
        """Write the lists, as far as the changes of ``ledger`` make them others; return how many are new.

        Players are encoded before the changes are cleared by whoever writes their pages. Raises OSError.
        """
        changes = ledger.changes
        for number in changes.lines:
            self._matches[number] = _encode_match(number, ledger)
        for number in changes.players:
            self._players.pop(number, None)
            if number not in ledger.without_page and ledger.of_player(number):
                self._players[number] = _encode_player(number, ledger)
        written = 0
        if changes.lines or self._is_new:
            lines = "".join(f"{line}\n" for line in _in_order(self._matches))
            written += write_if_changed(directory / MATCH_LIST, lines.encode())
        if changes.players or self._is_new:
            players = ",\n".join(_in_order(self._players))
            text = f'{{"version":{VERSION},"players":[\n{players}\n]}}\n'
            written += write_if_changed(directory / PLAYER_LIST, text.encode())
        changes.lines.clear()
        self._is_new = False
        return written


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
        "expires_at": offer.expires_at.isoformat(),
        "join": f"join {offer.id}",
    }


def _encode_match(number: int, ledger: Ledger) -> str:
    """Return the line of a match; only players who have a page have a number, by which their matches are found."""
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
            "opened_at": match.opened_at.isoformat(),
            "changed_at": match.changed_at.isoformat(),
            "moves": match.moves,
            "winners": None if match.winners is None else sorted(match.winners),
            "page": match_page(number),
        }
    )


def _encode_player(number: int, ledger: Ledger) -> str:
    """Return the line of a player, with the ratings that are shown."""
    ratings = {game: points for game, all_of in ledger.ratings.items() if (points := all_of.of(number).shown)}
    return _encode(
        {
            "id": number,
            "name": ledger.names[number],
            "page": player_page(number),
            "matches": len(ledger.of_player(number)),
            "ratings": ratings,
        }
    )


def _encode(data: Mapping[str, object]) -> str:
    """Return data on one line, in ASCII: no letter of a name ends it."""
    return json.dumps(data, separators=(",", ":"))


def _in_order(lines: Mapping[int, str]) -> Sequence[str]:
    """Return lines in the order of their numbers."""
    return [lines[number] for number in sorted(lines)]
