"""What Pip•Pip says to players: the rules in plain words, and the sentences of a turn."""

from collections.abc import Mapping, Sequence

from rules.errors import quote
from rules.prose import credit, listed, paragraphs

DESIGNERS = ("Daniel Solis",)

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
    """Return what a placement is called afterwards; the dice on ``taken`` went over to ``role``."""
    source = " from the store" if stored else ""
    turned = f", and turned {listed(taken)} over to {role}" if taken else ""
    return f"placed a {top}{source} on {cell} with the {north} facing north{turned}"


def brief(role: str | None) -> str:
    """Return what a seat plays for and does; ``role`` is None until the colours are drawn."""
    turn = (
        "A turn places one die: the one rolled for you, or one that you have set aside in your store before."
        " It takes over weaker neighbours of the other colour."
    )
    if role is None:
        return f"The lot makes you Light or Dark: your dice score on cells of your own colour. {turn}"
    colour = role.lower()
    goal = f"at the end the numbers on top of your {colour} dice count where they stand on {colour} cells"
    return f"You are {role}: {goal}, and the higher sum wins. {turn}"


# Refusals. ``text`` is what the player wrote, ``example`` a move that he may write.


def no_move(text: str, what: str, example: str) -> str:
    """Say that a text is no move at all."""
    return f"{quote(text)} is no move here; reply with {what}, for example “{example}”."


def letter_first(text: str, word: str) -> str:
    """Begin to say that ``word`` is the name of a cell turned round."""
    where = "" if word == text.strip().lower() else f", in {quote(text)},"
    return f"{quote(word)}{where} is not how a cell is named: the letter comes first"


def disordered(text: str) -> str:
    """Begin to say how a placement is written."""
    return f"{quote(text)} is no move here: the cell comes first, then an n and the number that faces north"


def other_rolled(text: str, top: int, hand: int, moves: Sequence[str]) -> str:
    """Say that another die was rolled; ``moves`` are all that place it on the same cell."""
    return f"{quote(text)} names a {top}, but the die that you rolled shows {hand}: write {_choice(moves)}."


def over(text: str) -> str:
    """Say that the match is over."""
    return f"The match is over, so {quote(text)} cannot be played any more."


def lot_first(text: str) -> str:
    """Say that a lot comes before anything else."""
    return f"{quote(text)} comes too early: a lot is to be drawn first."


def too_much(text: str, word: str) -> str:
    """Say that roll and store are written alone."""
    return f"{quote(text)} says too much at once: write “{word}” alone, and your next step on a line below it."


def off_board(text: str, cell: str) -> str:
    """Say that a cell is not on the board."""
    what = "" if cell == text.strip().lower() else f", in {quote(text)},"
    return f"{quote(cell)}{what} is not on this board, whose cells run from a1 to d4."


def open_north(text: str, moves: Sequence[str]) -> str:
    """Say that the number facing north is missing; ``moves`` are all that can be meant."""
    return f"{quote(text)} leaves open which number faces north: write {_choice(moves)}."


def wrong_north(text: str, top: int, fitting: Sequence[int], moves: Sequence[str]) -> str:
    """Say that a number cannot face north with ``top`` on top."""
    why = f"since with {top} on top only {listed(fitting, 'or')} can face north"
    return f"{quote(text)} cannot be played, {why}: write {_choice(moves)}."


def occupied(text: str, cell: str, free: Sequence[str]) -> str:
    """Say that there is a die on the cell."""
    cells = f"the empty cells are {listed(free)}" if len(free) > 1 else f"the only empty cell is {free[0]}"
    return f"{quote(text)} cannot be played, since there is a die on {cell} already; {cells}."


def in_hand(text: str, hand: int, example: str) -> str:
    """Say that a rolled die comes first, to one who wants a die of the store."""
    place = f"place it without the word use, for example “{example}”"
    return f"{quote(text)} has to wait, since a rolled {hand} comes first: {place}, or set it aside with “store”."


def rolled_already(text: str, hand: int, example: str) -> str:
    """Say that there is a rolled die, to one who wants to roll."""
    place = f"place it, for example “{example}”, or set it aside with “store”"
    return f"{quote(text)} is not possible now, since a die is rolled and shows {hand}: {place}."


def full(text: str, store: Sequence[int], left: int, example: str) -> str:
    """Say that one may not roll; ``left`` dice are still to be placed, this turn's included."""
    if left == 1:
        why = "the one die that you have still to place is in your store: place it"
    elif len(store) == left:
        why = f"the {left} dice that you have still to place are in your store: place one of them"
    else:
        why = f"your store is full with {listed(store)}: place one of them"
    return f"{quote(text)} is not possible now, since {why}, for example “{example}”."


def not_stored(text: str, top: int, store: Sequence[int], example: str) -> str:
    """Say that the store has no such die."""
    dice = f"your store holds no {top}, only {listed(store)}"
    return f"{quote(text)} cannot be played, since {dice}: write for example “{example}”."


def none_rolled(text: str, may_roll: bool, example: str) -> str:
    """Say that there is no rolled die, to one who wants to place it or to set it aside."""
    roll = "write “roll” first, or " if may_roll else ""
    use = f"{roll}place a die of your store, for example “{example}”"
    return f"{quote(text)} is not possible now, since no die is rolled: {use}."


def which_die(text: str, moves: Sequence[str]) -> str:
    """Say that the number of the stored die is missing, as it stands in ``moves``."""
    return f"{quote(text)} leaves open which die you use: write for example {_choice(moves)}."


def _choice(moves: Sequence[str]) -> str:
    return listed([f"“{move}”" for move in moves], "or")


HELP = paragraphs(f"""
    Two players, Light and Dark, place dice on a chessboard of four by four cells. In the end your
    dice on cells of your own colour count with the number on top, and the higher sum wins. But a
    die that is placed can turn its neighbours over to its own side.

    A cell has a letter and a number: a1 is at the bottom left, and it is dark. The row above a1 is
    to the north. A lot decides who is Light and who is Dark, and who begins. Then turns alternate,
    and each turn places exactly one die on an empty cell, so that each player places eight.

    A die is rolled for you when your turn begins. Place it, with the number up that was rolled, and
    choose which of its four sides faces north. For example “b3 n6” places it on b3, the 6 facing
    north. Or set it aside in your store: write “store”. Your turn then goes on, and you write
    “roll” for another die, or use one of your store: “use 4 b3 n1” places a stored 4 on b3, the 1
    facing north. If your store holds a die when your turn begins, nothing is rolled until you write
    “roll”.

    Dice in a store keep their number, and both players see them. A store holds three dice at most,
    and never more than its owner has still to place. When it is as full as that you cannot roll and
    have to use a die of it. So both stores are empty at the end.

    All dice are alike. Opposite sides add up to seven, and seen from above the sides run clockwise
    like this: 5 3 2 4 around a 1, 1 3 6 4 around a 2, 1 5 6 2 around a 3, 1 2 6 5 around a 4,
    1 4 6 3 around a 5, 2 3 5 4 around a 6. If the 1 of a 4 faces north, its 2 faces east, its 6
    south and its 5 west.

    The die just placed attacks each neighbour of the other colour to the north, east, south and
    west, each on its own. Compare the two sides that face each other: if the number of the new die
    is greater, the neighbour changes to your colour. It keeps its number on top and does not turn.
    If the numbers are equal, or the new die has the smaller one, nothing happens. Only the new die
    attacks, and only once: a die that changed its colour attacks nobody. A die from the store
    attacks like any other.

    The match ends when the board is full. Light adds up the numbers on top of light dice on light
    cells, Dark those of dark dice on dark cells; all other dice count nothing. The higher sum wins,
    and equal sums are a draw (our reading). If somebody leaves the match, the other side wins at
    once (our reading).

    {credit("Pip•Pip", DESIGNERS)}
""")
