"""The script of the demo: its people and matches, read from script.toml, and the fixed secrets its rolls fit."""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from rules.game import Game
from rules.games import GAMES

AN_OLDER_EMAIL = "an older email"
"""The cue of somebody who replies to the first email that ever asked them for a move."""

_SCRIPT = tomllib.loads(Path(__file__).with_name("script.toml").read_text(encoding="utf-8"))
_EMAIL = re.compile(r"(?P<writer>\w+)(?: \((?P<cue>.+?)\))?: (?P<words>.+?)(?: => (?P<answered>.+))?")
_NO_SCRIPT = "No script: everybody plays the example that stands in their emails."


@dataclass(frozen=True, slots=True)
class Person:
    """A player of the demo, and how they answer email; script.toml explains the fields."""

    name: str
    greeting: str = ""
    closing: str = ""
    attribution: str = "On {when}, pbem <{sender}> wrote:"
    below: bool = False
    ready: str = "ready"

    @property
    def address(self) -> str:
        """Where they read their email."""
        return f"{self.name.lower()}@players.example"


@dataclass(frozen=True, slots=True)
class ScriptedEmail:
    """What ``writer`` writes when their ``cue`` has come; ``answered`` is the kind of the answer."""

    writer: str
    words: str
    cue: str = ""
    answered: str = ""

    @property
    def private(self) -> str:
        """The words in it for partners alone."""
        return self.words.partition("team: ")[2]


@dataclass(frozen=True, slots=True)
class ScriptedMatch:
    """A match: the game, the players in seat order, and their emails."""

    game: str
    seats: tuple[str, ...]
    options: dict[str, Any]
    emails: tuple[ScriptedEmail, ...] = ()
    about: str = _NO_SCRIPT


class FixedSecrets:
    """The same secrets every time, so that the script fits the rolls."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._nonces = count(1)

    def secret(self) -> str:
        """Return the next secret."""
        return hashlib.sha256(f"demonstration {next(self._numbers)}".encode()).hexdigest()

    def nonce(self) -> str:
        """Return the next number, as a nonce."""
        return f"{next(self._nonces):016x}"


PEOPLE = {key: Person(**person) for key, person in _SCRIPT["people"].items()}


def list_matches(games: Mapping[str, Game] = GAMES) -> list[ScriptedMatch]:
    """Return the matches of the script, and one without emails of every game the script does not know."""
    scripted = [
        ScriptedMatch(
            match["game"], tuple(match["seats"]), match.get("options", {}), _emails(match["emails"]), match["about"]
        )
        for match in _SCRIPT["matches"]
    ]
    known = {match.game for match in scripted}
    others = (game for key, game in games.items() if key not in known)
    return scripted + [ScriptedMatch(game.key, tuple(PEOPLE)[: game.seats[-1]], dict(game.short)) for game in others]


def _emails(text: str) -> tuple[ScriptedEmail, ...]:
    """Read the emails of a match."""
    emails = []
    for written in text.strip().replace("\n", " | ").split(" | "):
        found = _EMAIL.fullmatch(written)
        assert found is not None, written
        writer, cue, words, answered = found.groups(default="")
        emails.append(ScriptedEmail(writer, words.replace(" // ", "\n\n").replace(" / ", "\n"), cue, answered))
    return tuple(emails)
