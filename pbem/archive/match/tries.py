"""What readers need to try moves on the page of a match: the rules as a script, and what the page says."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pbem.match.match import Match
from pbem.settings.places import TEMPLATES
from rules.phrase import mark
from rules.view import BoardView, Cell, Mark

_TWINS = TEMPLATES / "archive" / "twins"
_COMMON = "twins/common.js"
_REGISTERED = re.compile(r"pbemRules\.(\w+) =")

_SENTENCES = {
    "begun": mark("Press a marked cell, or type a move."),
    "begun_by_button": mark("Press a button, or type a move."),
    "line": mark("Tried: {moves}"),
    "chosen": mark("Chosen so far: {move}."),
    "from": mark("Trying moves after entry {ply} of the record. {next}"),
    "tried": mark("{name}: {move}."),
    "rolled": mark("{what}: {move}."),
    "now": mark("Now {piece}: {cells}."),
    "emptied": mark("Now empty: {cells}."),
    "back": mark("Taken back: {move}."),
    "more": mark("The move isn’t complete yet."),
    "nothing_back": mark("Nothing was tried yet."),
    "roll": mark("Choose what is rolled ({what}), or let your browser roll."),
    "random": mark("Roll"),
    "play": mark("Try {move}"),
    "north": mark("{word}: {number} to the north"),
    "to_move": mark("{name} to move"),
    "won": mark("Won by {names}"),
    "shared": mark("Nobody wins alone: {names}"),
    "and": mark("{first} and {last}"),
    "over": mark("The match is over here. Step back to try other moves."),
    "empty": mark("{cell}: empty"),
    "open": mark("{cell}, can be chosen"),
    "picked": mark("{cell}, chosen"),
    "board": mark("Board to try moves on; arrow keys go from cell to cell"),
    "score": mark("Light {light}, Dark {dark}."),
    "stores": mark("Set aside: Light {light}; Dark {dark}."),
    "nothing": mark("none"),
    "hand": mark("Rolled: {hand}."),
    "largest": mark("Largest groups: White {white}, Black {black}."),
    "again": mark("The turn goes on."),
    "twice": mark("This position has come up twice."),
    "glass": mark("Glass: {shares}; free: {free}."),
    "allowance": mark("{allowance} of {rolled} cubes may still be placed."),
    "battle": mark("Battle for {glass}: {won} rounds won, {lost} lost."),
    "unknown": mark("This match has no position {text}. Here is the last one."),
    "impossible": mark("The address goes on with {text}, which can’t be played here: {reason}"),
    "copied": mark("Copied."),
    "to_copy": mark("Press Ctrl+C or ⌘C to copy what is selected."),
    "send": mark("Is it your turn, {name}? {link}"),
    "mail": mark("Email {move} to the host"),
}
"""What a browser says while moves are tried; it fills in the fields."""

_OF_SOME = ("score", "stores", "hand", "north", "largest", "again", "twice", "glass", "allowance", "battle")
"""Of these, those about what only some games have: the scripts of these games speak of it by the same name."""

_REFUSALS = {
    "battle_already_fought": mark("That’s next to glass that was fought for this turn."),
    "beside_first_stone": mark("That’s right next to the stone before."),
    "capture_site": mark("That’s a capture site; nobody places a stone there."),
    "cell_just_emptied": mark("A stone was just removed there; choose another cell."),
    "cell_named_twice": mark("A cell is named twice."),
    "cell_occupied": mark("That cell isn’t empty."),
    "cell_off_board": mark("That cell isn’t on this board."),
    "cell_out_of_reach": mark("That cell isn’t next to what the player has."),
    "die_not_stored": mark("No die with that number was set aside."),
    "entry_after_the_end": mark("The match is over here."),
    "home_beside_glass": mark("A home can’t be next to glass."),
    "match_over": mark("The match is over here."),
    "no_die_rolled": mark("No die was rolled; write `roll`, or `use` and a number set aside."),
    "no_roll_awaited": mark("Nothing is rolled here."),
    "nobody_passes": mark("Nobody passes in this game."),
    "north_impossible": mark("That number can’t be to the north of this die."),
    "north_missing": mark("Say which number is to the north, such as `n3`."),
    "not_a_cell": mark("That’s no cell; one looks like d4."),
    "not_a_move": mark("That isn’t a move in this game."),
    "not_one_home": mark("Choose one cell for a home."),
    "not_to_be_removed": mark("That stone can’t be removed by this move."),
    "not_your_turn": mark("It’s somebody else’s turn."),
    "nothing_to_remove": mark("A stone there removes nothing."),
    "pass_not_alone": mark("`pass` stands alone."),
    "place_and_take": mark("Either place stones, or write `take` alone."),
    "removal_missing": mark("A stone there removes one: choose which."),
    "roll_out_of_range": mark("A number like that isn’t rolled here."),
    "rolled_already": mark("There’s a rolled die already; place it, or write `store`."),
    "rolled_die_first": mark("Place the rolled die first, or write `store`."),
    "seat_not_present": mark("That player has left."),
    "second_stone_lost": mark("After that, no cell would be open to the second stone."),
    "stone_missing": mark("A stone is missing; choose one more cell."),
    "store_full": mark("No more dice can be set aside; write `use` and a number."),
    "take_after_auction": mark("The auction is over; nobody can take any more."),
    "too_many_cells": mark("That’s more cubes than you may place."),
    "too_many_stones": mark("That’s more stones than you may place."),
    "turn_ends_before": mark("The turn ends before that stone."),
}
"""What a browser says to a move that isn't legal, by the code of the rules."""


@cache
def twin_of(game: str) -> str:
    """Return the script that has the rules of a game, among those that pages share; "" if none has."""
    found = (path for path in sorted(_TWINS.glob("*.js")) if game in _REGISTERED.findall(path.read_text("utf-8")))
    return next((f"twins/{path.name}" for path in found), "")


def try_scripts(game: str) -> list[str]:
    """Return the scripts with which moves of a game are tried, in the order in which they run."""
    return [_COMMON, twin, "grid.js", "explore.js"] if (twin := twin_of(game)) else []


@cache
def refusals(game: str) -> Mapping[str, str]:
    """Return by code what is said to moves that the scripts of a game refuse."""
    scripts = "".join((_TWINS.parent / name).read_text("utf-8") for name in try_scripts(game))
    return {code: sentence for code, sentence in _REFUSALS.items() if f'"{code}"' in scripts}


@cache
def _sentences(game: str) -> Mapping[str, str]:
    """Return what a browser says while moves of a game are tried."""
    script = (_TWINS.parent / twin_of(game)).read_text("utf-8")
    return {key: told for key, told in _SENTENCES.items() if key not in _OF_SOME or re.search(rf"\b{key}\b", script)}


def try_data(match: Match, view: BoardView, host: str) -> Mapping[str, Any] | None:
    """Return what the script needs that tries moves; None for a game that has no twin.

    ``host`` is the address to which moves are sent, "" if it isn't known. It is given in two parts, since pages have no
    addresses in them; only for a match that goes on.
    """
    if not twin_of(match.game.key):
        return None
    return {
        "key": match.game.key,
        "seats": len(match.players),
        "options": dict(match.options),
        "named": view.shape == "hex",
        "host": host.rsplit("@", 1) if host and not match.outcome else None,
        "subject": f"[pbem {match.id}] {match.game.title}",
        "sentences": _sentences(match.game.key),
        "refusals": refusals(match.game.key),
    }


def possible_looks(view: BoardView) -> Iterator[Cell]:
    """Yield a cell for everything that can come to be seen on the board of ``view`` while moves are tried."""
    marks: list[tuple[Mark, ...]] = [(), ("last",)]
    bare: list[tuple[Mark, ...]] = [("last",)]
    if view.chains and view.chains.sides:  # a game that a line wins
        marks += [("line",), ("last", "line")]
    elif view.chains:  # one of groups, whose moves go on when they take something, and close cells
        marks += [("last", "earlier")]
        bare += [("closed",), ("last", "closed")]
    for piece in view.pieces:
        yield from (Cell("", 0, 0, piece, frozenset(of)) for of in marks)
    yield from (Cell("", 0, 0, marks=frozenset(of)) for of in bare)
