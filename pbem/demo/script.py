"""What the matches of the demonstration are made of: who writes what, in which order, slips and all."""

import hashlib
from dataclasses import dataclass, field
from itertools import count

from pbem.demo.mails import Habits
from rules import GAMES


@dataclass(frozen=True, slots=True)
class Person:
    """A player of the demonstration; ``ready`` is what he answers before the first lot."""

    name: str
    address: str
    habits: Habits
    ready: str = "ready"


@dataclass(frozen=True, slots=True)
class Line:
    """One letter: ``who`` writes ``words``.

    He writes when a mail has come that asks him for a move or, with ``cue``, one with that in its subject.
    ``answered`` must stand in the subject of the mail that answers him.
    ``older``: he replies to the first mail that ever asked him, not to the latest.
    """

    who: str
    words: str
    cue: str = ""
    answered: str = ""
    older: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """One match: the game, the players in seat order, and their letters; where these end, examples are followed.

    ``private`` are words for a partner alone, and who he and their writer are.
    """

    game: str
    seats: tuple[str, ...]
    options: dict[str, object]
    lines: tuple[Line, ...]
    private: dict[str, frozenset[str]] = field(default_factory=dict)


class SameDice:
    """The same secrets every time, so that what is written below fits the lots."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def secret(self) -> str:
        """Return the next secret."""
        return hashlib.sha256(f"demonstration {next(self._numbers)}".encode()).hexdigest()


CAST = {
    person.name.lower(): person
    for person in (
        Person(
            "Ann", "ann@players.example", Habits(greeting="Hello,", closing="-- \nAnn"), "salt seven blue elephants"
        ),
        Person(
            "Bob",
            "bob@players.example",
            Habits(closing="Sent from my phone", attribution="{when} pbem <{sender}>:"),
        ),
        Person(
            "Carl",
            "carl@players.example",
            Habits("Hallo,", "-- \nCarl\nStuttgart", "Am {when} schrieb pbem <{sender}>:"),
        ),
        Person(
            "Dora",
            "dora@players.example",
            Habits("Bonjour,", "-- \nDora", "Le {when}, pbem <{sender}> a écrit :", below=True),
            "salt: une pincée de sel",
        ),
    )
}

_UP_THE_C_FILE = "Let us go up the c file; you hold d3 for me."
_PASSED_ON = "your words were passed on"
_GOOD = "Good. If she blocks at e3, I go round by d2."

_WRITTEN = (
    Scene(
        "pipline",
        ("ann", "bob"),
        {"size": 7},
        (
            Line("ann", "d4\n\nHave a good match, Bob! The middle is yours if you want it."),
            Line("bob", "take\n\nI do :-)"),
            Line("ann", "e4"),
            Line("bob", "d4", answered="that move is not possible"),
            Line("bob", "d3\n\nd4 was taken, of course, by myself. Coffee first, moves later."),
            Line("ann", "E3"),
            Line("bob", "d2"),
            Line("ann", "d5"),
            Line("bob", "c4"),
            Line("ann", "c6\n\nOne step back, and yet it holds: diagonals count for me."),
            Line("bob", "e2"),
            Line("ann", "f2"),
            Line("bob", "e1"),
            Line("ann", "g1"),
            Line("bob", "b5"),
            Line("ann", "b6"),
            Line("bob", "a6\n\nI fear the corner is open now."),
            Line("ann", "a7\n\nIt was. Thank you, that was close!"),
        ),
    ),
    Scene(
        "zipline",
        ("carl", "dora"),
        {"size": 7},
        (
            Line("carl", "c5, e3"),
            Line("dora", "help", answered="the rules of Zipline"),
            Line("dora", "d4 g2\n\nNow I know what I am doing. Nearly."),
            Line("carl", "c3"),
            Line("dora", "take\n\nThat is too good to leave it to you."),
            Line("carl", "f3 h9", answered="that move is not possible"),
            Line("carl", "f3 b7"),
            Line("dora", "f2"),
            Line("carl", "b6 d6"),
            Line("dora", "c6"),
            Line("carl", "d7 b5", answered="that was an older mail", older=True),
            Line("carl", "d7 b5\n\nThe first time I had opened the wrong mail."),
            Line("dora", "c7"),
            Line("carl", "a2 b4"),
            Line("dora", "a3"),
            Line("carl", "b2 c1"),
            Line("dora", "b3"),
            Line("carl", "f1 d1"),
            Line("dora", "e1\n\nAll four sides. Another one?"),
        ),
    ),
    Scene(
        "zipline",
        ("dora", "bob"),
        {"size": 7, "freestyle": True},
        (
            Line("dora", "b2 d4 f6\n\nA whole diagonal to begin with."),
            Line("bob", "take"),
            Line("bob", "c3", cue="turn, move", answered="not your turn yet"),
            Line("dora", "a5 c3"),
            Line("bob", "b3"),
            Line("dora", "c2 c4"),
            Line("bob", "f3"),
            Line("dora", "c5 c6\n\nSide by side, as freestyle allows."),
            Line("bob", "c1"),
            Line("dora", "d2 d1"),
            Line("bob", "c7"),
            Line("dora", "b6 b7\n\nRound the corner and home."),
        ),
    ),
    Scene(
        "zipline",
        ("ann", "bob", "carl"),
        {"size": 7},
        (
            Line("ann", "d4"),
            Line("bob", "b2 e5\n\nWho dares to take it?"),
            Line("carl", "f6"),
            Line("ann", "take\n\nI do. Two against one, come on!"),
            Line("bob", f"c3\nteam: {_UP_THE_C_FILE}"),
            Line("carl", "d3"),
            Line("carl", f"team: {_GOOD}", cue="turn, move", answered=_PASSED_ON),
            Line(
                "bob",
                "say: Thinking aloud is allowed, I hope?",
                cue="words from Carl",
                answered=_PASSED_ON,
            ),
            Line("ann", "e3", cue="words from Bob"),
            Line("bob", "c4"),
            Line("carl", "d2"),
            Line("ann", "e2"),
            Line("bob", "d1"),
            Line("carl", "c5"),
            Line("ann", "b5"),
            Line("bob", "c6\n\nYou cannot be everywhere, Ann."),
            Line("carl", "c7\n\nThank you both."),
        ),
        private=dict.fromkeys((_UP_THE_C_FILE, _GOOD), frozenset({"bob", "carl"})),
    ),
)


def scenes() -> tuple[Scene, ...]:
    """Return every scene there is: what is written above, and a match of each other game, by the examples alone."""
    written = {scene.game for scene in _WRITTEN}
    cast = tuple(CAST)
    others = (game for game in GAMES.values() if game.key not in written)
    return (*_WRITTEN, *(Scene(game.key, cast[: game.seats[-1]], dict(game.short), ()) for game in others))
