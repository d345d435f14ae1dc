"""The rules of Pipline and Zipline in plain words; where the authors leave something open, it is "our reading"."""

from rules.text import ORDER_BY_LOT, credit, paragraphs

DESIGNERS = ("Craig Duncan", "João Pedro Neto", "Bill Taylor")

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
