"""The rules of Pipline and Zipline in plain words, a message for each paragraph."""

from collections.abc import Mapping

from rules.game import Condition
from rules.phrase import Phrase, phrase
from rules.text import ORDER_ROLLED, designed_by

DESIGNERS = ("Craig Duncan", "João Pedro Neto", "Bill Taylor")

_GOALS = (
    phrase(
        "Two sides race on one square board. Black, called Pip, wins with a chain of black stones that joins two"
        " opposite sides of the board: left and right, or bottom and top. Black stones connect straight only: left,"
        " right, up and down."
    ),
    phrase(
        "White, called Zip, wins with a chain of white stones that touches all four sides. White stones connect"
        " diagonally too. A stone in a corner touches both sides that meet there."
    ),
    phrase(
        "Stones never move, and nothing is captured. There are no draws: on a full board exactly one side has its"
        " chain. A point is named by a letter and a number; a1 is at the bottom left."
    ),
)

PIPLINE: tuple[Phrase, ...] = (
    *_GOALS,
    phrase(
        "The match opens with an auction that decides who plays black. You take turns. On your turn"
        " you either place one, two or three black stones on empty points, or write “take”. Whoever takes plays black"
        " from then on, and the other player is white. You can take on any turn, even the very first, but not in a turn"
        " in which you place stones. Whoever completes a winning black chain during the auction wins at once."
    ),
    phrase(
        "Taking is a whole turn, so white moves next. From then on each of you places one stone of your own colour a"
        " turn, until one side has its chain."
    ),
    phrase(
        "For example, the first turn “c3 d4” puts black stones on c3 and d4. If your opponent answers with “take”, they"
        " play black, and you place the next stone, a white one."
    ),
    ORDER_ROLLED,
    designed_by("Pippinzip", DESIGNERS),
)

_TWO = phrase(
    "With two players, taking is a whole turn, so black moves next. From then on white places one stone a turn, and"
    " black places two. If black’s first stone wins, the second isn’t placed."
)
_TWO_APART = phrase(
    "Black’s two stones may not be right next to each other: left, right, above or below. Diagonally is"
    " fine. If every empty point is right next to the first stone, that stone is the whole turn."
)
_FREESTYLE = phrase("With the option freestyle, black’s two stones may be next to each other.")
_THREE = phrase(
    "With three players, whoever takes plays white alone against the two others, who win and lose together, even"
    " if one of them has left. The order of turns stays the same: the player after white places one black stone,"
    " the next player places one black stone, then white places one."
)
_PARTNER_GAP = phrase(
    "With the option partner_gap, the second of the two black stones between turns of white may not be right next to"
    " the first, unless no other point is empty."
)
_THREE_LEAVE = phrase(
    "If somebody leaves a match of three during the auction, their turns are skipped, and they’re on"
    " black’s side if somebody takes later; the last player left wins. If a black partner leaves, the"
    " other plays both black stones, in two turns in a row. If both leave, white wins; if white leaves,"
    " black wins."
)
_LEFT_OPEN = phrase(
    "The designers leave open how exactly three play, and what happens when somebody leaves; these rules are our"
    " choice."
)

ZIPLINE: tuple[Phrase, ...] = (
    *_GOALS,
    phrase(
        "The match opens with an auction that decides who plays white. You take turns. On your turn"
        " you either place one, two or three white stones on empty points, or write “take”. Whoever takes plays white"
        " from then on, and everybody else is black. You can take on any turn, even the very first, but not in a turn"
        " in which you place stones. Whoever completes a winning white chain during the auction wins at once, alone."
    ),
    _TWO,
    _TWO_APART,
    _FREESTYLE,
    _THREE,
    _PARTNER_GAP,
    _THREE_LEAVE,
    _LEFT_OPEN,
    phrase(
        "For example, the first turn “c3 d4” puts white stones on c3 and d4. If the next player answers with “take”,"
        " they play white from then on, and the player after them places the next stones, black ones."
    ),
    ORDER_ROLLED,
    designed_by("Pippinzip", DESIGNERS),
)

ZIPLINE_CONDITIONS: Mapping[Phrase, Condition] = {
    _TWO: lambda seats, options: seats == 2,
    _TWO_APART: lambda seats, options: seats == 2 and not options["freestyle"],
    _FREESTYLE: lambda seats, options: seats == 2 and bool(options["freestyle"]),
    _THREE: lambda seats, options: seats == 3,
    _PARTNER_GAP: lambda seats, options: seats == 3 and bool(options["partner_gap"]),
    _THREE_LEAVE: lambda seats, options: seats == 3,
    _LEFT_OPEN: lambda seats, options: seats == 3,
}
"""Which matches some paragraphs are about."""
