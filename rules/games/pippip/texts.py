"""The sentences of a match of Pip•Pip, and of what the rules say no to."""

from collections.abc import Mapping, Sequence
from functools import partial

from rules.errors import Refusal, refusal
from rules.phrase import Argument, Event, Phrase, happened, listed, mark, phrase, phrases
from rules.position import Choice, Objective, Prompt, Seat

LIGHT, DARK = "Light", "Dark"

CAPTIONS = (
    phrase("A die scores the number on top on a cell of its own colour; {cell} is dark.", cell="a1"),
    phrase("A new die takes over each neighbour of the other colour that faces it with a smaller number."),
)
"""Explains what scores and what fights; how to read a die is said where it is drawn."""


def side_name(light: bool) -> str:
    """Return the role that owns dice of a colour."""
    return LIGHT if light else DARK


def begins(seat: Seat) -> Event:
    """Return who has the first turn; with which colour is said beside it, where the roles are."""
    return Event(seat, phrase("You go first."), phrase("{name} goes first."))


def rolled(seat: Seat, die: int) -> Event:
    """Return what a seat has rolled."""
    return Event(seat, phrase("You rolled a {die}.", die=die), phrase("{name} rolled a {die}.", die=die))


def chose_to_roll(seat: Seat) -> Event:
    """Return that a seat with dice in its store wants another."""
    return Event(seat, phrase("You chose to roll."), phrase("{name} chose to roll."))


def stored(seat: Seat, die: int) -> Event:
    """Return what a seat has set aside."""
    return Event(seat, phrase("You set the {die} aside.", die=die), phrase("{name} set the {die} aside.", die=die))


_PLACED = {
    (False, False): (mark("You placed a {die} on {cell}."), mark("{name} placed a {die} on {cell}.")),
    (False, True): (
        mark("You placed a {die} on {cell} and took over {taken}."),
        mark("{name} placed a {die} on {cell} and took over {taken}."),
    ),
    (True, False): (
        mark("You placed a {die} from your store on {cell}."),
        mark("{name} placed a {die} from the store on {cell}."),
    ),
    (True, True): (
        mark("You placed a {die} from your store on {cell} and took over {taken}."),
        mark("{name} placed a {die} from the store on {cell} and took over {taken}."),
    ),
}
"""What is said of a die from the store or not, that took something over or not."""


def placed(seat: Seat, top: int, cell: str, taken: Sequence[str], *, from_store: bool) -> Event:
    """Return what a placement led to: the dice on ``taken`` went over to the seat."""
    you, others = _PLACED[from_store, bool(taken)]
    arguments: tuple[tuple[str, Argument], ...] = (("die", top), ("cell", cell), ("taken", listed(taken)))
    return Event(seat, Phrase(you, arguments), Phrase(others, arguments))


def hand_line(light: bool, die: int, ring: Sequence[int]) -> Phrase:
    """Return what the seat to act has in hand, and how the sides of that die run."""
    sides = " ".join(map(str, ring))
    if light:
        return phrase("Light’s die is a {die}; its sides run {sides} clockwise.", die=die, sides=sides)
    return phrase("Dark’s die is a {die}; its sides run {sides} clockwise.", die=die, sides=sides)


def score_line(light: int, dark: int, *, over: bool) -> Phrase:
    """Return the score."""
    if over:
        return phrase("Final score: Light {light}, Dark {dark}.", light=light, dark=dark)
    return phrase("Score: Light {light}, Dark {dark}.", light=light, dark=dark)


def store_line(light: Sequence[int], dark: Sequence[int]) -> Phrase:
    """Return what is set aside, of which there is something."""
    if light and dark:
        return phrase("Set aside: Light {light}; Dark {dark}.", light=listed(light), dark=listed(dark))
    if light:
        return phrase("Set aside: Light {light}.", light=listed(light))
    return phrase("Set aside: Dark {dark}.", dark=listed(dark))


def sides_line(rings: Mapping[int, Sequence[int]]) -> Phrase:
    """Return how the sides of some dice run, by the number on top."""
    runs = [phrase("{sides} around a {die}", sides=" ".join(map(str, ring)), die=die) for die, ring in rings.items()]
    return phrase("The sides run clockwise: {runs}.", runs=listed(runs))


def reason(light: int, dark: int) -> str:
    """Return how the score decided the match, as it stands in records: never reworded."""
    if light == dark:
        return f"Light and Dark both score {light}"
    return f"Light scores {light} and Dark {dark}" if light > dark else f"Dark scores {dark} and Light {light}"


def story(winner: Seat | None, more: int, fewer: int) -> Event:
    """Return how the score decided the match; nobody is the winner of a draw."""
    if winner is None:
        return happened(
            phrases(
                "It’s a draw: Light and Dark both have {count} point.",
                "It’s a draw: Light and Dark both have {count} points.",
                more,
            )
        )
    you = phrases("You win by {count} point to {fewer}.", "You win by {count} points to {fewer}.", more, fewer=fewer)
    others = phrases(
        "{name} wins by {count} point to {fewer}.", "{name} wins by {count} points to {fewer}.", more, fewer=fewer
    )
    return Event(winner, you, others)


def hand_prompt(example: str) -> Prompt:
    """Return what may be written with a die in hand."""
    instruction = phrase(
        "Reply with a cell and the number facing north, such as {example}, or set the die aside with {store}.",
        example=example,
        store="store",
    )
    return Prompt(instruction, example)


def store_prompt(example: str, use: str, *, may_roll: bool) -> Prompt:
    """Return what may be written with dice in store, of which ``use`` places one; the example may be to roll."""
    if example == "roll":
        instruction = phrase(
            "Reply with {example} for a new die, or place a stored one, such as {use}.", example=example, use=use
        )
    elif may_roll:
        instruction = phrase(
            "Reply with a stored die to place, such as {example}, or with {roll} for a new one.",
            example=example,
            roll="roll",
        )
    else:
        instruction = phrase("Reply with a stored die to place, such as {example}.", example=example)
    return Prompt(instruction, example)


def objective(role: str | None) -> Objective:
    """Return the goal of a seat and what its turns consist of; ``role`` is None until the colours are rolled."""
    if role == LIGHT:
        goal = phrase("You’re Light: your dice score on light cells, Dark’s on dark ones, and the higher total wins.")
    elif role == DARK:
        goal = phrase("You’re Dark: your dice score on dark cells, Light’s on light ones, and the higher total wins.")
    else:
        goal = phrase("A roll makes you Light or Dark: score more with your dice on cells of your own colour.")
    turn = phrase(
        "Each turn you place one die and choose which way it faces: the die you rolled, or one you set aside."
    )
    return Objective(
        goal,
        turn,
        reminder=turn,
    )


STORE = Choice("store", phrase("keeps the die for later"))
ROLL = Choice("roll", phrase("rolls a new die"))


def effect(taken: Sequence[str], scored: int) -> Phrase:
    """Return what a placement does: what it takes over, else what it scores."""
    if taken:
        return phrase("takes {taken}", taken=listed(taken))
    return phrase("scores {points}", points=scored) if scored else phrase("scores nothing")


REFUSALS = {
    "cell_occupied": mark(
        "You can’t play {text!q}, because there’s already a die on {cell}: choose an empty cell, such as {free}."
    ),
    "cell_off_board": mark("{cell!q} isn’t on this board: the cells run from a1 to d4."),
    "die_not_named": mark("{text!q} doesn’t say which stored die you mean: write {moves!q}."),
    "die_not_stored": mark("You can’t play {text!q}, because your store has no {top}, only {store}."),
    "north_impossible": mark("You can’t play {text!q}: with a {top} on top, only {fitting} can face north."),
    "north_missing": mark(
        "{text!q} doesn’t say which number faces north: with a {top} on top it can be {fitting}, as in {write!q}."
    ),
    "not_a_move": mark("{text!q} isn’t a move here: a move looks like {example!q}."),
    "other_die_rolled": mark("{text!q} is for a {top}, but you rolled a {rolled}: try {write!q}."),
    "placement_disordered": mark(
        "{text!q} is nearly a move: write the cell, then n and the number facing north, as in {write!q}."
    ),
    "rolled_already": mark(
        "{text!q} has to wait: first place the {rolled} you rolled, or set it aside with {store!q}."
    ),
    "rolled_die_first": mark(
        "{text!q} has to wait: first place the {rolled} you rolled, or set it aside with {store!q}."
    ),
    "step_not_alone": mark(
        "{text!q} is more than one step: write {word!q} on a line of its own, and the next step below."
    ),
}
"""The sentence for each code that has just one; ``text`` is what the player wrote."""

refuse = partial(refusal, REFUSALS)
"""Returns why the rules say no: the sentence for a code, filled in."""


def no_die_rolled(text: str, example: str, *, may_roll: bool) -> Refusal:
    """Return why nothing is placed without "use" or stored, while no die is rolled."""
    if may_roll:
        sentence = phrase(
            "{text!q} needs a rolled die: write {roll!q} first, or use one you stored, as in {example!q}."
        )
    else:
        sentence = phrase("{text!q} needs a rolled die, but now it’s one from your store, as in {example!q}.")
    arguments = {"text": text, "roll": "roll", "example": example}
    return Refusal("no_die_rolled", sentence.about(**arguments), arguments)


def store_full(text: str, store: Sequence[int], turns: int, example: str) -> Refusal:
    """Return why no die can be rolled; ``turns`` dice are still to be placed, this turn's included."""
    if len(store) == turns:
        sentence = phrases(
            "{text!q} isn’t possible: your last die is in your store. Place it, as in {example!q}.",
            "{text!q} isn’t possible: your last {count} dice are all in your store. Place one, as in {example!q}.",
            turns,
        )
    else:
        sentence = phrase(
            "{text!q} isn’t possible, because your store is full: place one of its dice, as in {example!q}."
        )
    arguments = {"text": text, "example": example}
    return Refusal("store_full", sentence.about(**arguments), arguments)
