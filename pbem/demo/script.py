"""What the matches of the demonstration are made of: people, letters, scenes, and the secrets of the lots."""

import hashlib
from dataclasses import dataclass, field
from itertools import count

from pbem.demo.mails import Habits


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
