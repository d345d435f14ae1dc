"""The sentences of a turn of Pip•Pip, and of what the rules say no to."""

from collections.abc import Mapping, Sequence
from functools import partial

from rules.errors import refusal
from rules.text import listed

LIGHT, DARK = "Light", "Dark"

PLACING = "a cell and the number that faces north"

CAPTIONS = (
    "A die just placed takes over each neighbour of the other colour whose side facing it shows a smaller number"
    " than its own side there.",
    "Light scores the tops of light dice on light cells, Dark those of dark dice on dark cells; a1 is dark.",
)
"""Explains what is converted and what scores; how to read a die is said where it is drawn."""


def side_name(light: bool) -> str:
    """Return the role that owns dice of a colour."""
    return LIGHT if light else DARK


def stores(light: Sequence[int], dark: Sequence[int]) -> str:
    """Return what the two stores hold, as one sentence."""
    return f"{_store(LIGHT, light)}; {_store(DARK, dark)}." if light or dark else "Both stores are empty."


def _store(role: str, store: Sequence[int]) -> str:
    return f"{role}’s store holds {listed(f'a {top}' for top in store)}" if store else f"{role}’s store is empty"


def rolled(role: str, hand: int) -> str:
    """Return what the seat to act has in hand, as a sentence."""
    return f"{role} has rolled a {hand}."


def sides(rings: Mapping[int, Sequence[int]]) -> str:
    """Return how the sides of some dice run, by the number on top, as a sentence."""
    runs = listed(f"{' '.join(map(str, ring))} around a {top}" for top, ring in rings.items())
    return f"Seen from above, the sides run clockwise: {runs}."


def scores(light: int, dark: int, over: bool) -> str:
    """Return the score, as a sentence."""
    return f"The score {'at the end' if over else 'so far'} is {light} for Light and {dark} for Dark."


def ending(light: int, dark: int) -> str:
    """Return how the score decided the match, to follow the winner or "It is a draw:"."""
    if light == dark:
        return f"Light and Dark both score {light}"
    return f"Light scores {light} and Dark {dark}" if light > dark else f"Dark scores {dark} and Light {light}"


def wanted(hand: int, may_roll: bool) -> str:
    """Return what completes "Reply with …": with a die in ``hand``, or with dice in the store."""
    if hand:
        return f"{PLACING}, or with the word store"
    use = f"use, a die of your store, {PLACING}"
    return f"the word roll, or with {use.replace('use,', 'the word use,', 1)}" if may_roll else f"the word {use}"


def placed(top: int, cell: str, north: int, stored: bool, taken: Sequence[str], role: str) -> str:
    """Return what a placement led to; the dice on ``taken`` went over to ``role``."""
    source = " from the store" if stored else ""
    turned = f", and turned {listed(taken)} over to {role}" if taken else ""
    return f"placed a {top}{source} on {cell} with the {north} facing north{turned}"


def objective(role: str | None) -> str:
    """Return the goal of a seat and what its turns consist of; ``role`` is None until the colours are rolled."""
    turn = (
        "A turn places one die: the one rolled for you, or one that you have set aside in your store before."
        " It takes over weaker neighbours of the other colour."
    )
    if role is None:
        return f"The lot makes you Light or Dark: your dice score on cells of your own colour. {turn}"
    colour = role.lower()
    goal = f"at the end the numbers on top of your {colour} dice count where they stand on {colour} cells"
    return f"You are {role}: {goal}, and the higher sum wins. {turn}"


def empty_cells(free: Sequence[str]) -> str:
    """Return which cells are still empty."""
    return f"the empty cells are {listed(free)}" if len(free) > 1 else f"the only empty cell is {free[0]}"


def full(store: Sequence[int], left: int) -> str:
    """Return why no die can be rolled; ``left`` dice are still to be placed, this turn's included."""
    if left == 1:
        return "the one die that you have still to place is in your store: place it"
    if len(store) == left:
        return f"the {left} dice that you have still to place are in your store: place one of them"
    return f"your store is full with {listed(store)}: place one of them"


REFUSALS = {
    "cell_occupied": "{text!q} cannot be played, since there is a die on {cell} already; {empty}.",
    "cell_off_board": "{cell!q}{where} is not on this board, whose cells run from a1 to d4.",
    "die_not_named": "{text!q} leaves open which die you use: write for example {write}.",
    "die_not_stored": "{text!q} cannot be played, since your store holds no {top}, only {store}: write for example"
    " “{example}”.",
    "no_die_rolled": "{text!q} is not possible now, since no die is rolled: {roll}place a die of your store, for"
    " example “{example}”.",
    "north_impossible": "{text!q} cannot be played, since with {top} on top only {fitting} can face north: write"
    " {write}.",
    "north_missing": "{text!q} leaves open which number faces north: write {write}.",
    "not_a_move": "{text!q} is no move here; reply with {what}, for example “{example}”.",
    "other_die_rolled": "{text!q} names a {top}, but the die that you rolled shows {rolled}: write {write}.",
    "placement_disordered": "{text!q} is no move here: the cell comes first, then an n and the number that faces north",
    "rolled_already": "{text!q} is not possible now, since a die is rolled and shows {rolled}: place it, for example"
    " “{example}”, or set it aside with “store”.",
    "rolled_die_first": "{text!q} has to wait, since a rolled {rolled} comes first: place it without the word use, for"
    " example “{example}”, or set it aside with “store”.",
    "step_not_alone": "{text!q} says too much at once: write “{word}” alone, and your next step on a line below it.",
    "store_full": "{text!q} is not possible now, since {why}, for example “{example}”.",
}
"""The sentence for each code; ``text`` is what the player wrote, ``write`` are moves that may be written."""

refuse = partial(refusal, REFUSALS)
"""Returns why the rules say no: the sentence for a code, filled in."""
