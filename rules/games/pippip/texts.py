"""The sentences of a turn of Pip•Pip, and of what the rules say no to."""

from collections.abc import Mapping, Sequence

from rules.errors import Refusal, quote
from rules.text import LETTER_FIRST, choice, listed, within

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


# Refusals. ``text`` is what the player wrote, ``example`` a move that may be written.


def no_move(text: str, what: str, example: str) -> Refusal:
    """Refuse a text that is no move."""
    sentence = f"{quote(text)} is no move here; reply with {what}, for example “{example}”."
    return Refusal("not_a_move", sentence, {"text": text})


def letter_first(text: str, word: str) -> Refusal:
    """Begin to refuse ``word``, the name of a cell turned round."""
    sentence = f"{quote(word)}{within(word, text)} is not how a cell is named: {LETTER_FIRST}"
    return Refusal("letter_first", sentence, {"cell": word})


def disordered(text: str) -> Refusal:
    """Begin to refuse a placement written in another order."""
    sentence = f"{quote(text)} is no move here: the cell comes first, then an n and the number that faces north"
    return Refusal("placement_disordered", sentence, {"text": text})


def other_rolled(text: str, top: int, hand: int, moves: Sequence[str]) -> Refusal:
    """Refuse a number that is not that of the rolled die; ``moves`` are all that place it on the same cell."""
    sentence = f"{quote(text)} names a {top}, but the die that you rolled shows {hand}: write {choice(moves)}."
    return Refusal("other_die_rolled", sentence, {"text": text, "top": top, "rolled": hand})


def too_much(text: str, word: str) -> Refusal:
    """Refuse anything beside the word roll or store."""
    sentence = f"{quote(text)} says too much at once: write “{word}” alone, and your next step on a line below it."
    return Refusal("step_not_alone", sentence, {"text": text, "word": word})


def off_board(text: str, cell: str) -> Refusal:
    """Refuse a cell that is not on the board."""
    sentence = f"{quote(cell)}{within(cell, text)} is not on this board, whose cells run from a1 to d4."
    return Refusal("cell_off_board", sentence, {"cell": cell})


def open_north(text: str, moves: Sequence[str]) -> Refusal:
    """Refuse a placement without the number that faces north; ``moves`` are all that can be meant."""
    sentence = f"{quote(text)} leaves open which number faces north: write {choice(moves)}."
    return Refusal("north_missing", sentence, {"text": text})


def wrong_north(text: str, top: int, fitting: Sequence[int], moves: Sequence[str]) -> Refusal:
    """Refuse a number that cannot face north with ``top`` on top."""
    why = f"since with {top} on top only {listed(fitting, 'or')} can face north"
    sentence = f"{quote(text)} cannot be played, {why}: write {choice(moves)}."
    return Refusal("north_impossible", sentence, {"text": text, "top": top})


def occupied(text: str, cell: str, free: Sequence[str]) -> Refusal:
    """Refuse a cell with a die on it."""
    cells = f"the empty cells are {listed(free)}" if len(free) > 1 else f"the only empty cell is {free[0]}"
    sentence = f"{quote(text)} cannot be played, since there is a die on {cell} already; {cells}."
    return Refusal("cell_occupied", sentence, {"text": text, "cell": cell})


def in_hand(text: str, hand: int, example: str) -> Refusal:
    """Refuse a die of the store while there is a rolled one."""
    place = f"place it without the word use, for example “{example}”"
    sentence = f"{quote(text)} has to wait, since a rolled {hand} comes first: {place}, or set it aside with “store”."
    return Refusal("rolled_die_first", sentence, {"text": text, "rolled": hand})


def rolled_already(text: str, hand: int, example: str) -> Refusal:
    """Refuse a second roll."""
    place = f"place it, for example “{example}”, or set it aside with “store”"
    sentence = f"{quote(text)} is not possible now, since a die is rolled and shows {hand}: {place}."
    return Refusal("rolled_already", sentence, {"text": text, "rolled": hand})


def full(text: str, store: Sequence[int], left: int, example: str) -> Refusal:
    """Refuse a roll with a full store; ``left`` dice are still to be placed, this turn's included."""
    if left == 1:
        why = "the one die that you have still to place is in your store: place it"
    elif len(store) == left:
        why = f"the {left} dice that you have still to place are in your store: place one of them"
    else:
        why = f"your store is full with {listed(store)}: place one of them"
    sentence = f"{quote(text)} is not possible now, since {why}, for example “{example}”."
    return Refusal("store_full", sentence, {"text": text, "left": left})


def not_stored(text: str, top: int, store: Sequence[int], example: str) -> Refusal:
    """Refuse a die that is not in the store."""
    dice = f"your store holds no {top}, only {listed(store)}"
    sentence = f"{quote(text)} cannot be played, since {dice}: write for example “{example}”."
    return Refusal("die_not_stored", sentence, {"text": text, "top": top})


def none_rolled(text: str, may_roll: bool, example: str) -> Refusal:
    """Refuse the placing or storing of a rolled die, where there is none."""
    roll = "write “roll” first, or " if may_roll else ""
    use = f"{roll}place a die of your store, for example “{example}”"
    sentence = f"{quote(text)} is not possible now, since no die is rolled: {use}."
    return Refusal("no_die_rolled", sentence, {"text": text})


def which_die(text: str, moves: Sequence[str]) -> Refusal:
    """Refuse a stored die without its number, which stands in ``moves``."""
    sentence = f"{quote(text)} leaves open which die you use: write for example {choice(moves)}."
    return Refusal("die_not_named", sentence, {"text": text})
