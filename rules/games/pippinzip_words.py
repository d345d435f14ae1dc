"""What Pipline and Zipline say to players: the rules in plain words, and the sentences of a turn."""

from rules.prose import ORDER_BY_LOT, credit, paragraphs

DESIGNERS = ("Craig Duncan", "João Pedro Neto", "Bill Taylor")

_BLACK_GOAL = "two opposite sides, straight steps only"
_WHITE_GOAL = "all four sides, diagonal steps included"

ALONE = " Your partner has left, so you have two turns in a row."
"""Follows what a Pip plays for when the other Pip has left."""


LETTER_FIRST = "is not how a point is named: the letter comes first"
"""Follows a word such as "4d"."""


def bid(black: bool, points: int) -> str:
    """Return what a turn of the auction is, with at most ``points`` stones, to complete "Reply with …"."""
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


def left_last(seats: int, role: str | None, word: str) -> str:
    """Return why a match ended when only one side stayed; ``role`` of the seat that left with ``word``."""
    how = "resigned" if word == "resign" else "ran out of time"
    if seats == 2:
        return f"the other side {how}"
    if role is None:
        return "the other seats have left the match"
    return f"Zip {how}" if role == "Zip" else "both Pip partners have left the match"


def auction(black: bool, seats: int) -> str:
    """Return what an auction for one colour is, for a seat that has no role yet."""
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
    """Return what Zip plays for."""
    against = "" if seats == 2 else ", alone against the two others"
    return f"You are Zip, white{against}: connect {_WHITE_GOAL}. Each of your turns is one white stone."


def pip_turn(company: str, stones: int, apart: bool) -> str:
    """Return what a Pip in ``company`` plays for, with ``stones`` a turn; ``apart``: not side by side."""
    turn = "one black stone"
    if stones == 2:
        side_by_side = " that are not side by side (diagonally is fine)" if apart else ", side by side or not"
        turn = f"two black stones{side_by_side}"
    text = f"You are Pip, black{company}: connect {_BLACK_GOAL}. Each of your turns is {turn}."
    if stones == 1 and apart:
        text += " The second black stone after each turn of Zip may not stand right beside the first."
    return text


_GOALS = """
    The board is a square of points. A point has a letter and a number: a1 is at the bottom left.
    There are two roles. Pip plays the black stones⟦, shown as X⟧. Zip plays the white stones⟦, shown
    as O⟧.

    Pip wins with one chain of black stones that touches two opposite sides of the board, left and
    right or bottom and top. Black stones hang together in straight steps only: left, right, up and
    down.

    Zip wins with one chain of white stones that touches all four sides. White stones hang together
    in straight steps and diagonally. A stone in a corner touches both sides that meet there.

    Stones never move, and nothing is captured. There are no draws: on a full board exactly one of
    the two has a winning chain.
"""

PIPLINE = paragraphs(f"""{_GOALS}
    At first nobody has a role: the match opens with an auction. The seats take turns, and seat 1
    begins. A turn is one, two or three black stones on empty points, or the word take. Whoever
    takes is Pip from then on, and the other side is Zip. You may take on any turn, even on the very
    first, but not in a turn in which you place stones. Whoever completes a winning black chain
    during the auction wins at once.

    Taking is a whole turn, so Zip moves next. From then on each turn is one stone of your own
    colour on an empty point, until one side has its chain.

    For example, the first turn “c3 d4” puts black stones on c3 and on d4. If the other side then
    answers with “take”, it plays black, and you place the next stone, a white one.
{ORDER_BY_LOT}
    {credit("Pippinzip", DESIGNERS)}
""")

ZIPLINE = paragraphs(f"""{_GOALS}
    At first nobody has a role: the match opens with an auction. The seats take turns, and seat 1
    begins. A turn is one, two or three white stones on empty points, or the word take. Whoever
    takes is Zip from then on, and everybody else is Pip. You may take on any turn, even on the very
    first, but not in a turn in which you place stones. Whoever completes a winning white chain
    during the auction wins at once, alone.

    With two seats: taking is a whole turn, so Pip moves next. From then on a turn of Zip is one
    white stone, and a turn of Pip is two black stones. Pip’s second stone may not stand right
    beside his first one, to the left, to the right, above or below; diagonally is fine. If the
    first stone wins, the second is not placed. If every empty point is right beside the first
    stone, the second is lost and one point is the whole turn. With the option freestyle the two
    stones may stand side by side.

    With three seats: whoever takes is Zip alone, and the two others are Pip together (our reading).
    Seats keep their order: the seat after Zip places one black stone, the next seat one black
    stone, then Zip one white stone (our reading). Partners win and lose together, even if one of
    them has left (our reading). With the option partner_gap the second of these two black stones
    may not stand right beside the first, unless no other point is empty (our reading).

    When somebody leaves a match of three: during the auction he is passed over, and a seat that
    stays alone wins. If somebody takes later, whoever has left counts as Pip. A Pip partner who
    stays alone plays both black stones, one turn after the other. If both partners have left, Zip
    wins; if Zip leaves, Pip wins. (All of this is our reading.)

    For example, the first turn “c3 d4” puts white stones on c3 and on d4. If the next seat answers
    with “take”, it plays white from then on, and the seat after it places the next stones, black
    ones.
{ORDER_BY_LOT}
    {credit("Pippinzip", DESIGNERS)}
""")
