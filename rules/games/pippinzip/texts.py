"""The sentences of a turn of Pipline and Zipline."""

from collections.abc import Iterable
from functools import partial

from rules.errors import refusal
from rules.phrase import Event, Phrase, happened, listed, mark, phrase, phrases
from rules.position import Objective
from rules.text import left_last, left_story

ROLES = (mark("Pip"), mark("Zip"))

# Prompts: whole sentences, by the colour of the auction and the number of points that are left, at most three.
_BID_BLACK = (
    mark("Reply with a point for a black stone, such as {example}, or with “take” to play black."),
    mark("Reply with one or two points for black stones, such as {example}, or with “take” to play black."),
    mark("Reply with one, two or three points for black stones, such as {example}, or with “take” to play black."),
)
_BID_WHITE = (
    mark("Reply with a point for a white stone, such as {example}, or with “take” to play white."),
    mark("Reply with one or two points for white stones, such as {example}, or with “take” to play white."),
    mark("Reply with one, two or three points for white stones, such as {example}, or with “take” to play white."),
)

POINT = mark("Reply with a point, such as {example}.")
"""Asks for a turn of one stone."""

FIRST_OF_TWO = mark("Reply with the first of your two points, such as {example}.")
"""Asks a Pip without a partner for the first of two turns of one stone."""

SECOND_OF_TWO = mark("It’s your turn again: reply with your second point, such as {example}.")
"""Asks for the second of these turns."""

APART = mark("Reply with a point that isn’t right next to {first}, such as {example}.")
"""Asks for a turn of one stone that has to stand apart from the partner's."""

SECOND_APART = mark("It’s your turn again: reply with a point that isn’t right next to {first}, such as {example}.")
"""Asks for the second of two turns in a row, a stone that has to stand apart from the first."""

PAIR = mark("Reply with two points, such as {example}.")
"""Asks for two stones anywhere."""

PAIR_APART = mark("Reply with two points that aren’t right next to each other, such as {example}.")
"""Asks for two stones that have to stand apart."""

OVER = mark("The match is over, so there’s nothing to reply with.")
"""Answers whoever asks for a prompt after the end."""

AUCTION_BLACK = phrase("In the auction, only a black chain wins.")
AUCTION_WHITE = phrase("In the auction, only a white chain wins.")

_BOTH_GOALS = {
    True: phrase(
        "Black (Pip) needs a chain between two opposite sides, straight steps only; white (Zip) needs one that touches"
        " all four, and diagonals count. An auction for black comes first."
    ),
    False: phrase(
        "Black (Pip) needs a chain between two opposite sides, straight steps only; white (Zip) needs one that touches"
        " all four, and diagonals count. An auction for white comes first."
    ),
}
_ZIP_GOAL = phrase(
    "You’re Zip (white): touch all four sides of the board with one chain of white stones; diagonal steps count."
)
_PIP_GOAL = phrase(
    "You’re Pip (black): join two opposite sides of the board with one chain of black stones; diagonal steps don’t"
    " count."
)
_ALONE_GOAL = phrase("Join two opposite sides of the board with one chain of black stones; diagonal steps don’t count.")
_TEAM_GOAL = phrase(
    "With your partner, join two opposite sides of the board with one chain of black stones; diagonal steps don’t"
    " count."
)
_BID_BLACK_TURN = phrase(
    "Place one, two or three black stones, or write “take” to play black for the rest of the match."
)
_BID_WHITE_TURN = phrase(
    "Place one, two or three white stones, or write “take” to play white for the rest of the match."
)
_BID_REMINDER = phrase("Whoever takes plays that colour to the end.")
_PIPLINE_AUCTION = phrase(
    "The stones of the auction are black’s head start; then each places one stone a turn, white first. So make black"
    " strong, but not so strong that your opponent takes it."
)
_ZIPLINE_AUCTION = phrase(
    "White then plays one stone a turn; black places two, and goes first. So make white strong, but not so strong that"
    " your opponent takes it."
)
_TEAM_AUCTION = phrase(
    "White plays alone against the two others. Each of the three places one stone a turn, the two black ones before"
    " white. So make white strong, but not so strong that somebody takes it first."
)
_ZIP_TURN = phrase("Place one white stone.")
_PIP_TURNS = {
    (1, False): phrase("Place one black stone."),
    (1, True): phrase(
        "Place one black stone; the second black stone after a turn of white may not stand right next to the first."
    ),
    (2, False): phrase("Place two black stones, anywhere you like."),
    (2, True): phrase("Place two black stones that aren’t right next to each other; diagonally is fine."),
}
_PIP_REMINDERS = {
    (1, True): _PIP_TURNS[1, True],
    (2, False): phrase("Place them anywhere you like."),
    (2, True): phrase("Diagonally next to each other is fine."),
}
_ALONE_TURN = phrase("Your partner has left: you play two turns in a row, one black stone each.")
_ALONE_APART = phrase(
    "Your partner has left: you play two turns in a row, one black stone each, and the second stone may not stand right"
    " next to the first."
)
_AGAINST_TWO = phrase("Black places two stones for each of yours.")


def taking(black: bool) -> Phrase:
    """Return the words of a button that takes the colour of the auction."""
    return phrase("Take black") if black else phrase("Take white")


def asked_bid(black: bool, points: int) -> str:
    """Return the message that asks for a turn of the auction, where at most ``points`` stones can be placed."""
    return (_BID_BLACK if black else _BID_WHITE)[points - 1]


def auction(black: bool, seats: int) -> Objective:
    """Return what a seat without a role has to do."""
    if black:
        return Objective(_BOTH_GOALS[black], _BID_BLACK_TURN, _PIPLINE_AUCTION, _BID_REMINDER)
    decisive = _ZIPLINE_AUCTION if seats == 2 else _TEAM_AUCTION
    return Objective(_BOTH_GOALS[black], _BID_WHITE_TURN, decisive, _BID_REMINDER)


def zip_objective(outnumbered: bool) -> Objective:
    """Return what Zip has to do; ``outnumbered``: black places two stones for each of white."""
    return Objective(_ZIP_GOAL, _ZIP_TURN, _AGAINST_TWO if outnumbered else None)


def pip_objective(stones: int, apart: bool) -> Objective:
    """Return what Pip has to do without a partner in the match, with ``stones`` a turn; ``apart``: not side by side."""
    return Objective(_PIP_GOAL, _PIP_TURNS[stones, apart], reminder=_PIP_REMINDERS.get((stones, apart)))


def team_objective(alone: bool, apart: bool) -> Objective:
    """Return what one of two Pips has to do; ``alone``: the other has left."""
    if alone:
        turn = _ALONE_APART if apart else _ALONE_TURN
        return Objective(_ALONE_GOAL, turn, reminder=turn)
    return Objective(_TEAM_GOAL, _PIP_TURNS[1, apart], reminder=_PIP_REMINDERS.get((1, apart)))


def took(seat: int, black: bool) -> Event:
    """Return that ``seat`` took the colour of the auction."""
    if black:
        return Event(seat, phrase("You took black."), phrase("{name} took black."))
    return Event(seat, phrase("You took white."), phrase("{name} took white."))


def bid(seat: int, black: bool, words: tuple[str, ...]) -> Event:
    """Return that ``seat`` placed stones of the auction colour on ``words``."""
    cells, count = listed(words), len(words)
    if black:
        return Event(
            seat,
            phrases("You placed a black stone on {cells}.", "You placed black stones on {cells}.", count, cells=cells),
            phrases(
                "{name} placed a black stone on {cells}.", "{name} placed black stones on {cells}.", count, cells=cells
            ),
        )
    return Event(
        seat,
        phrases("You placed a white stone on {cells}.", "You placed white stones on {cells}.", count, cells=cells),
        phrases(
            "{name} placed a white stone on {cells}.", "{name} placed white stones on {cells}.", count, cells=cells
        ),
    )


def played(seat: int, words: tuple[str, ...]) -> Event:
    """Return that ``seat`` placed stones of its own colour on ``words``."""
    cells = listed(words)
    return Event(seat, phrase("You played {cells}.", cells=cells), phrase("{name} played {cells}.", cells=cells))


def won_before_last(seat: int, words: tuple[str, ...]) -> Event:
    """Return that ``seat`` won with fewer stones than the turn allows, on ``words``: no more are placed."""
    cells = listed(words)
    return Event(
        seat,
        phrase("You played {cells}, which won at once: no further stone was placed.", cells=cells),
        phrase("{name} played {cells}, which won at once: no further stone was placed.", cells=cells),
    )


def chained(seat: int, black: bool, ends: tuple[str, str]) -> Event:
    """Return how ``seat`` won; ``ends`` are the first and the last point of a winning chain of black."""
    if not black:
        return Event(
            seat,
            phrase("Your white chain touches all four sides."),
            phrase("{name}’s white chain touches all four sides."),
        )
    first, last = ends
    return Event(
        seat,
        phrase("Your black chain runs from {first} to {last}.", first=first, last=last),
        phrase("{name}’s black chain runs from {first} to {last}.", first=first, last=last),
    )


def left_alone(winners: Iterable[int], seats: int, role: str | None, word: str) -> Event:
    """Return how ``winners`` won when only they stayed; ``role`` of the seat that left last, with ``word``."""
    winner = min(winners)
    if seats == 2:
        return left_story(winner, word)
    if role is None:
        return Event(
            winner,
            phrase("Everybody else has left the match."),
            phrase("Everybody else had left the match."),
        )
    if role == "Pip":
        return Event(winner, phrase("Both your opponents have left."), phrase("Both black players have left."))
    if word == "resign":
        return happened(phrase("White resigned."))
    return happened(phrase("White ran out of time."))


def line(black: bool, across: bool, word: str) -> str:
    """Return how a stone on ``word`` won, for the record; ``across``: from the left to the right, as black may."""
    sides = "the left and the right side" if across else "the bottom and the top side"
    return f"black connects {sides} at {word}" if black else f"white connects all four sides at {word}"


def one_side_left(seats: int, role: str | None, word: str) -> str:
    """Return, for the record, why a match ended when only one side stayed; ``role`` left last, with ``word``."""
    if seats == 2:
        return left_last(word)
    if role is None:
        return "the other seats have left the match"
    return left_last(word, "Zip") if role == "Zip" else "both Pip partners have left the match"


REFUSALS = {
    "beside_first_stone": mark(
        "{cell} is right next to {first}; the second black stone has to stand apart from the first. Diagonally is fine."
    ),
    "cell_named_twice": mark("{text!q} says {cell} twice."),
    "cell_occupied": mark("There’s already a stone on {cell}."),
    "cell_off_board": mark("{cell!q} isn’t on this board: its points run from a1 to {last}."),
    "not_a_cell": mark("{word!q} isn’t a point on this board."),
    "not_a_move": mark("{text!q} names no point."),
    "place_and_take": mark("{text!q} both places and takes; a turn is one or the other."),
    "second_stone_lost": mark(
        "{text!q} is one stone too many: every empty point is right next to {first}, so {first} is your whole turn."
    ),
    "stone_missing": mark("{text!q} is only one stone: you place two this turn."),
    "take_after_auction": mark("It’s too late for {text!q}: the auction is over, and nobody can take any more."),
    "too_many_stones": mark("{text!q} is too many stones: you place only one this turn."),
    "too_many_stones:two": mark("{text!q} is too many stones: you place only two this turn."),
    "too_many_stones:auction": mark("{text!q} is too many stones: in the auction you place three at most."),
}
"""The sentence for each code, or for a case of it; ``text`` is what the player wrote."""

refuse = partial(refusal, REFUSALS)
"""Returns why the rules say no: the sentence for a code, filled in."""


def instruct(message: str, example: str, first: str = "") -> Phrase:
    """Return what is asked for, by one of the messages above; ``first`` is the stone to stand apart from."""
    return phrase(message, example=example, first=first) if first else phrase(message, example=example)
