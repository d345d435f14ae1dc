"""The rules of SnipSnip in plain words, a message for each paragraph."""

from collections.abc import Mapping

from rules.game import Condition
from rules.phrase import Phrase, phrase
from rules.text import ORDER_ROLLED, designed_by

DESIGNERS = ("Dale W. Walton",)

_DIAGONAL = phrase(
    "What’s “in the middle” depends on the option capture. With diagonal, the usual way, the two stones"
    " must be diagonal to each other: two steps apart, but not in a straight line. In the middle are all"
    " the cells that touch both, as a rule two. On a square board these are the other two corners of a"
    " block of four cells; on a diamond the two stones are a knight’s move apart."
)
_EXAMPLE = phrase(
    "Here’s an example on the board equi-2-4 with diagonal captures. Black has stones on c2 and c3, and"
    " White places a stone on d4. The stones on d4 and c2 are diagonal to each other, and the cells that"
    " touch both are c3 and d3. So the black stone on c3 is captured and has to go. White writes d4xc3:"
    " the stone placed, an x, the stone removed. Now c3 and d3 are capture sites, closed to both sides"
    " while d4 and c2 stay."
)
_BETWEEN = phrase(
    "With the option capture set to between, the two stones must be two steps apart in a straight line, and in the"
    " middle is only the cell between them. Every straight line counts, on a diamond the diagonal ones too. For"
    " example, on the board equi-2-4 Black has stones on c2 and c3, and White removes the one on c3 by playing c4,"
    " since c4, c3 and c2 lie in a straight line."
)
_MISERE = phrase(
    "In misère, whoever removes a stone plays on: they place another, which may capture again, until one"
    " captures nothing. So a capture makes your opponent’s groups smaller and yours larger, which often"
    " isn’t what you want. You can send such a turn piece by piece, or all of it on one line, like b2xc3"
    " d4xe4 f1."
)
_REPEATED = phrase(
    "Without misère, a turn is one stone, with or without a removal, and captures can go round in"
    " circles. So the third time the same position comes up with the same player to move, the match ends"
    " and the groups are compared as usual. That rule is our choice; the designer leaves it open."
)
_EVERY_SITE = phrase(
    "The designer’s text can also be read in a wider way: that your new stone captures every enemy stone next to it"
    " that is on a capture site, whichever two stones make that site. The designer’s own program captures as we do."
    " With the option capture_sites set to all, you play the wider way."
)
_LARGER_BOARDS = phrase(
    "For more than the usual board offers, try equi-3-5, hex-4-5 or equi-5-7. The numbers in a board’s"
    " name are the lengths of its sides; on a diamond, the cells from its middle to a corner."
)

HELP: tuple[Phrase, ...] = (
    phrase(
        "SnipSnip is about the size of groups. A group is a set of stones of one colour that are connected from"
        " neighbour to neighbour. When the match ends, only each side’s largest group counts, and as a rule the smaller"
        " one wins: that is called misère. With the option misere off, the larger one wins."
    ),
    phrase(
        "White begins on an empty board. On your turn you place one stone of your colour on a free cell: an"
        " empty cell that isn’t a capture site. If your stone captures anything, you remove exactly one of"
        " the captured stones, whichever you like. Stones never move, and nobody ever passes."
    ),
    phrase(
        "What is a capture site? Two stones of opposite colour make capture sites of the cells in the middle of them,"
        " whether those are empty or not. As long as both stones stay, nobody may place a stone there, neither White"
        " nor Black. And what is captured? The enemy stones in the middle of your new stone and another enemy stone."
    ),
    _DIAGONAL,
    _EXAMPLE,
    _BETWEEN,
    phrase(
        "If only one stone can be removed, the cell alone will do. If there are several, you choose, and"
        " you’re told which ones there are."
    ),
    _MISERE,
    phrase(
        "The match ends when the player to move finds no free cell. Then the largest groups are compared: in"
        " misère the smaller one wins, otherwise the larger one. If they’re equal, the player to move loses."
        " A side without stones counts as 0. When somebody leaves the match, the other side wins. With the"
        " option scoring set to groups, only neighbours are connected; with linked, stones diagonal to each"
        " other (as explained above, whatever is between them) are connected too."
    ),
    _REPEATED,
    _EVERY_SITE,
    phrase(
        "A cell has a letter for its column and a number for its row. Columns count from the left and rows"
        " from the bottom; on a board of hexagons a column climbs to the upper left. A cell has up to six"
        " neighbours on a hexagonal board, four on a square one, and eight on a diamond, diagonals included."
        " For example, “d4” as the first turn puts a white stone on d4, a cell that every board has."
    ),
    _LARGER_BOARDS,
    ORDER_ROLLED,
    designed_by("SnipSnip", DESIGNERS),
)

CONDITIONS: Mapping[Phrase, Condition] = {
    _DIAGONAL: lambda seats, options: options["capture"] == "diagonal",
    _EXAMPLE: lambda seats, options: options["capture"] == "diagonal",
    _BETWEEN: lambda seats, options: options["capture"] == "between",
    _MISERE: lambda seats, options: bool(options["misere"]),
    _REPEATED: lambda seats, options: not options["misere"],
    _EVERY_SITE: lambda seats, options: options["capture_sites"] == "all",
    _LARGER_BOARDS: lambda seats, options: False,
}
"""Which matches some paragraphs are about; what one might choose next time is about none."""
