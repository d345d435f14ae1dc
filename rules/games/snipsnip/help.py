"""The rules of SnipSnip in plain words; where they were left open, it is "our reading"."""

from rules.text import ORDER_BY_LOT, credit, paragraphs

DESIGNERS = ("Dale W. Walton",)

HELP = paragraphs(f"""
    SnipSnip is a game of growing groups and of cutting them to size. White places white stones⟦, shown
    as O⟧, Black black ones⟦, shown as X⟧. A group is a set of stones of one colour that hang together from
    neighbour to neighbour, and what counts at the end is the size of each side’s largest group. As a
    rule the smaller one wins: this is called misère. With misère off the larger one wins.

    The board is empty at first, and White begins. A cell has a letter and a number, for its column and
    its row. Columns are counted from the left and rows from the bottom; on a board of hexagons a column
    climbs to the upper left. A cell of a hexagonal board has up to six neighbours, one of a square board
    up to four, one of a diamond up to eight, the diagonal ones included.

    On your turn you place one stone of your colour on a free cell. Free are the empty cells that are not
    capture sites. Then, if your stone captures anything, you remove one of the captured stones: you choose
    which, but exactly one has to go. Stones never move, and nobody ever passes.

    What is a capture site? Two stones of opposite colour, one white and one black, can make capture sites
    of the cells in the middle of them, whether there are stones on these cells or not. As long as both
    stones stay, nobody may place a stone there, neither White nor Black. And what is captured? The
    stones of the other side that stand in the middle of your new stone and another stone of the other side.
    (The designer’s text can also be read in a wider way: that your new stone captures every stone of the
    other side beside it that stands on a capture site, whichever two stones make that site. The
    designer’s own program captures as we do. With the option capture_sites at all you play the wider way.)

    There are two ways to be in the middle; the option capture says which one counts. With diagonal, as
    is usual, the two stones must be diagonal to each other: two steps apart, but not in a straight line.
    In the middle are then all the cells that touch both of them, two as a rule. On a square board these
    are the other two corners of a block of four cells, on a diamond the two stones are a knight’s move
    apart. With between, the two stones must be two steps apart in a straight line, and in the middle is
    only the cell between them. Every straight line counts, on a diamond the diagonal ones too.

    An example on the board equi-2-4, with diagonal captures: Black has stones on c2 and c3, and White
    places a stone on d4. The stones on d4 and c2 are diagonal to each other, and the cells that touch
    both are c3 and d3. So the black stone on c3 is captured and has to go. White writes d4xc3: the
    stone placed, an x, the stone removed. Now c3 and d3 are capture sites, closed to both sides while d4
    and c2 stand. With between captures White would remove the same stone by playing c4, since
    c4, c3 and c2 lie in a straight line.

    If exactly one stone can be removed you need not name it, and the cell alone will do. If there are
    several you have to choose, and are told which ones there are.

    In misère whoever removed a stone takes another full turn: he places one more stone, which may capture
    again, and so on until one captures nothing. So a capture makes the other side’s groups smaller
    and yours larger, often not what you want. You may send such a turn piece by piece, or all of
    it in one line, like b2xc3 d4xe4 f1. Without misère a turn is one stone, with or without a removal.

    The match ends when the player who is to place a stone has no free cell. Then the largest groups are
    compared: in misère the smaller one wins, else the larger one. If they are equal, the player who was to
    place a stone loses. A side without stones has a largest group of 0. With the option scoring at groups
    only neighbours hang together; with linked, stones that are diagonal to each other
    (as explained above, whatever stands between them) hang together too.

    Without misère captures can go round in circles. So when the same position, with the same player to
    move, comes up for the third time, the match ends there and the groups are compared as usual (our
    reading). When somebody leaves the match, the other side wins.

    For example, “d4” as the first turn puts a white stone on d4, a cell that every board has.

    If you want more than the usual board gives, try the board equi-3-5, hex-4-5 or equi-5-7. In the name
    of a board of hexagons the numbers are the lengths of its sides, in that of a square the length of a
    side, in that of a diamond the cells from its middle to a corner.
{ORDER_BY_LOT}
    {credit("SnipSnip", DESIGNERS)}
""")
