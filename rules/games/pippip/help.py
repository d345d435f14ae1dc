"""The rules of Pip•Pip in plain words."""

from rules.games.pippip.dice import RINGS
from rules.phrase import listed, phrase
from rules.text import designed_by

DESIGNERS = ("Daniel Solis",)

HELP = (
    phrase(
        "Two players, Light and Dark, place dice on a board of four by four light and dark cells. When it’s"
        " full, each of your dice on a cell of your own colour scores the number on top, and the higher total"
        " wins. Until then, every new die can take over its neighbours."
    ),
    phrase(
        "Each turn you place one die on an empty cell. A die is rolled for you: place it with that number on"
        " top, and choose which side faces north, towards the higher rows. For example, {example!q} places it"
        " on b3 with the 6 facing north. The corner a1 is at the bottom left, and it’s dark.",
        example="b3 n6",
    ),
    phrase(
        "Your new die then attacks every die of the other colour right next to it, to the north, east, south"
        " and west. Compare the two sides that face each other: if the new die’s number is greater, its"
        " neighbour changes to your colour, keeping its top and the way it faces. Otherwise nothing happens."
        " Only the new die attacks, and only once: a die that’s taken over attacks nobody."
    ),
    phrase(
        "Instead of placing the die you rolled, you can set it aside: write {store!q}. Your turn goes on, and you can"
        " either write {roll!q} for another die, or place one you’ve set aside. For example, {use!q} places a stored 4"
        " on b3 with the 1 facing north. A stored die attacks like any other. If you have stored dice when your turn"
        " begins, nothing is rolled until you write {roll!q}.",
        store="store",
        roll="roll",
        use="use 4 b3 n1",
    ),
    phrase(
        "Stored dice keep their number, and both players see them. You can store three at most, and never"
        " more than you still have to place; once you have that many, you place one of them instead of"
        " rolling. So both stores are empty at the end."
    ),
    phrase(
        "All dice are alike, and opposite sides add up to seven. Seen from above, the sides run clockwise like this:"
        " {runs}. So if the 1 of a 4 faces north, its 2 faces east, its 6 south and its 5 west.",
        runs=listed(
            phrase("{sides} around a {die}", sides=" ".join(map(str, ring)), die=die) for die, ring in RINGS.items()
        ),
    ),
    phrase(
        "One roll decides who is Light and who is Dark, another who goes first. Then you take turns, and each"
        " of you places eight dice. The original rules leave two things open; here, equal totals are a draw,"
        " and if one player leaves the match, the other wins at once."
    ),
    designed_by("Pip•Pip", DESIGNERS),
)
"""The rules for players, a paragraph each, what one needs first at the top."""
