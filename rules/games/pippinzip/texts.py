"""The sentences of a turn of Pipline and Zipline."""

from rules.text import left_last

_BLACK_GOAL = "two opposite sides, straight steps only"
_WHITE_GOAL = "all four sides, diagonal steps included"

ALONE = " Your partner has left, so you have two turns in a row."
"""Follows the goal of a Pip when the other Pip has left."""


def bid(black: bool, points: int) -> str:
    """Return what a turn of the auction consists of, at most ``points`` stones, to complete "Reply with …"."""
    number = ("one point for a", "one or two points for", "one, two or three points for")[points - 1]
    stones = f"{'black' if black else 'white'} stone{'' if points == 1 else 's'}"
    return f"{number} {stones}, or with the word take"


def caption(auction: bool | None) -> str:
    """Return the goals, to stand below the board; ``auction`` says whether it is for black, None after it."""
    if auction is None:
        return f"Black connects {_BLACK_GOAL}; white connects {_WHITE_GOAL}."
    colour, goal = ("black", _BLACK_GOAL) if auction else ("white", _WHITE_GOAL)
    return f"In the auction only a {colour} line counts: {goal}."


def line(black: bool, across: bool, word: str) -> str:
    """Return how a stone on ``word`` won; ``across``: from the left to the right, as black may."""
    sides = "the left and the right side" if across else "the bottom and the top side"
    return f"black connects {sides} at {word}" if black else f"white connects all four sides at {word}"


def one_side_left(seats: int, role: str | None, word: str) -> str:
    """Return why a match ended when only one side stayed; ``role`` of the seat that left with ``word``."""
    if seats == 2:
        return left_last(word)
    if role is None:
        return "the other seats have left the match"
    return left_last(word, "Zip") if role == "Zip" else "both Pip partners have left the match"


def auction(black: bool, seats: int) -> str:
    """Return how an auction for one colour goes, for a seat that has no role yet."""
    colour, taken, rest = ("black", "Pip", "Zip, white") if black else ("white", "Zip", "Pip, black")
    others = "The other side is" if seats == 2 else "The others are"
    return (
        f"Pip, black, connects {_BLACK_GOAL}; Zip, white, connects {_WHITE_GOAL}. Who is who is settled by an"
        f" auction first: on your turn you place one, two or three {colour} stones, or you write take"
        f" and are {taken}, {colour}, from then on. {others} then {rest}, and next to move. So make {colour}"
        " strong, but not so strong that somebody takes it before you do. Whoever completes a winning"
        f" {colour} line during the auction wins at once."
    )


def zip_turn(seats: int) -> str:
    """Return the goal of Zip."""
    against = "" if seats == 2 else ", alone against the two others"
    return f"You are Zip, white{against}: connect {_WHITE_GOAL}. Each of your turns is one white stone."


def pip_turn(company: str, stones: int, apart: bool) -> str:
    """Return the goal of a Pip in ``company``, with ``stones`` a turn; ``apart``: not side by side."""
    turn = "one black stone"
    if stones == 2:
        side_by_side = " that are not side by side (diagonally is fine)" if apart else ", side by side or not"
        turn = f"two black stones{side_by_side}"
    text = f"You are Pip, black{company}: connect {_BLACK_GOAL}. Each of your turns is {turn}."
    if stones == 1 and apart:
        text += " The second black stone after each turn of Zip may not stand right beside the first."
    return text
