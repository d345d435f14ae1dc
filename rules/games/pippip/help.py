"""The rules of Pip•Pip in plain words; where they were left open, it is "our reading"."""

from rules.text import credit, paragraphs

DESIGNERS = ("Daniel Solis",)

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
