"""The rules of Pipelines in plain words."""

from collections.abc import Mapping

from rules.game import VERSION, Condition
from rules.phrase import Phrase, phrase
from rules.text import ORDER_ROLLED, designed_by

DESIGNERS = ("Ian Wyman",)

_BOARD = (
    phrase(
        "The board is a hexagon of hexagonal cells, each next to up to six others. A cell has a letter and a number: a1"
        " is at the bottom left, and the numbers count the rows upwards. Red goes first, then Blue, then Yellow."
        " The board shows their homes as 1, 2 and 3, their cubes as r, b and y and their glass as R, B and Y; free"
        " glass is shown as *."
    ),
    phrase(
        "The board is a hexagon of hexagonal cells, each next to up to six others. A cell has a letter and a number: a1"
        " is at the bottom left, and the numbers count the rows upwards. Red goes first, then Blue, then Yellow."
    ),
)
"""How to read the board, for those who see it and for those who listen."""

_FIRST = (
    phrase(
        "You build pipelines of cubes from your home to the pieces of glass on the board. Whoever holds the most glass"
        " at the end wins."
    ),
    phrase(
        "A roll lays out the glass: spread evenly, with no two pieces closer than three steps wherever that’s"
        " possible. Then each player, Red first, names a cell for their home: empty, and at least two steps"
        " from any glass, but it may be right next to another home. For example, {example!q} as your first"
        " move puts your home there.",
        example="d4",
    ),
    phrase(
        "Each turn a die is rolled for you. Reply with as many cells as it shows, or fewer: one of your cubes goes on"
        " each of them, in the order you name them. Every cell has to be empty, and next to your home, to one of your"
        " cubes or to glass you hold. Cubes never move. You may also reply {word!q}; if no cell is open to you, your"
        " turn is passed for you.",
        word="pass",
    ),
    phrase(
        "A cube next to free glass takes it at once. The cells you name after that may go on from the glass as well."
    ),
    phrase(
        "A cube next to another player’s glass attacks it at once, and there’s a battle. In each round a"
        " spinner shows a number from 1 to 6, and attacker and defender each roll a die. Whoever is nearer to"
        " the spinner wins the round, with 6 and 1 as neighbours; a tie is rolled again. The first to win"
        " three rounds wins the battle. All of this is rolled for you. Homes can’t be attacked."
    ),
    phrase(
        "If the attacker wins, the glass is theirs. The loser removes every cube of theirs that’s linked to"
        " that glass through their own cubes alone: whole chains, up to a home or another piece of glass."
    ),
    phrase(
        "After every change, each player keeps only the cubes and the glass that are linked to their home through their"
        " own cubes and glass. Other cubes are removed, and other glass is free again."
    ),
)

_VERSION_1 = phrase(
    "In matches begun under version 1 of these rules (their records have no line “rules”), you can’t"
    " build next to glass you’ve fought for even if you hold it."
)

_LAST = (
    phrase(
        "A battle doesn’t use up your turn. If you named more cells after the one that started it, they’re"
        " built when it’s over, up to the first that’s no longer open. If you can still build then, it’s your"
        " turn again, and you may pass. A reply that starts no battle ends your turn, even if you could have"
        " named more cells."
    ),
    phrase(
        "There’s no second battle for the same glass in one turn: until your turn ends, you can’t build next"
        " to glass you’ve fought for, unless you hold it. From glass you’ve won you can build on."
    ),
    _VERSION_1,
    phrase(
        "A cube next to several pieces of other players’ glass attacks one after the other for as long as it"
        " stands, by letter, then by number. A piece that’s free by then is taken without a battle."
    ),
    phrase(
        "The match ends at once when all the glass is taken, even if a battle would come next. It also ends"
        " after three full rounds in which nobody built, and after 100 rounds. A round is one turn for each"
        " player, counted from the first who’s still there, and a cube counts as built even if it’s removed"
        " again. Whoever has the most glass wins; players who have the same share the win."
    ),
    phrase(
        "If somebody leaves the match, their home and cubes are removed, their glass is free, and their turns"
        " are skipped. A battle against them ends: the attacking cube takes the glass, without having fought"
        " for it. A battle they started just ends. The last player left wins."
    ),
    phrase(
        "The original rules leave some things open, which we’ve settled as you’ve just read: homes next to"
        " each other, ties in a battle, several attacks by one cube, cells named after a battle, the end as"
        " soon as all the glass is taken or after 100 rounds, how rounds are counted, and players who leave."
        " A reply can’t name the same cell twice."
    ),
    ORDER_ROLLED,
    designed_by("Pipelines", DESIGNERS),
)

HELP: tuple[Phrase, ...] = (*_FIRST, _BOARD[0], *_LAST)
"""The rules for players, a paragraph each, what one needs first at the top."""

HELP_SPOKEN: tuple[Phrase, ...] = (*_FIRST, _BOARD[1], *_LAST)
"""The same for those who listen."""

CONDITIONS: Mapping[Phrase, Condition] = {_VERSION_1: lambda seats, options: options[VERSION] == 1}
"""Which matches some paragraphs are about."""
