"""Emails of the service as players read them: by their text and subject alone, never by headers for programs."""

import re
from dataclasses import dataclass, field
from functools import cached_property

from tests.support.replies import Answered, read_notice

_NUMBER = re.compile(r"\[pbem (\d+)\]")
_EXAMPLE = re.compile(r"\bsuch as (.{1,80}?)(?=[.,;:]? [–—]|[.,;:]\s|[.,;:]$| or )")
_ASKS = re.compile(r"\b[Rr]eply with\b.*\bsuch as\b")
_IN_DIGEST = re.compile(r"\bReply (\d+) ([^.]{1,60}?), for example")
_OFFERED = re.compile(r"- (\w+)[^:]*? – ([^,]+), until [^:]*: join (\d+)")
_CELL_ROW = re.compile(r"^ *(\d+) ((?: *[.XO]| *\([XO]\))+) +\d+$")


def flatten(text: str) -> str:
    """Return ``text`` on one line, so that it can be searched wherever it was wrapped."""
    return " ".join(text.split())


@dataclass
class Letter:
    """An email in a player's mailbox."""

    raw: bytes
    notice: Answered = field(init=False)

    def __post_init__(self) -> None:
        self.notice = read_notice(self.raw)

    @property
    def subject(self) -> str:
        """The subject."""
        return self.notice.subject

    @property
    def text(self) -> str:
        """The text part."""
        return self.notice.text

    @cached_property
    def flat(self) -> str:
        """The text on one line."""
        return flatten(self.text)

    @cached_property
    def paragraphs(self) -> list[str]:
        """The paragraphs of the text, each on one line; what people said is indented, and no paragraph of ours."""
        return [flatten(part) for part in self.text.split("\n\n") if not part.startswith("  ")]

    @property
    def match(self) -> int | None:
        """The number of the match that the email is about, as the subject gives it."""
        found = _NUMBER.search(self.subject)
        return int(found[1]) if found else None

    @cached_property
    def example(self) -> str:
        """The move that the email gives as an example below the board; empty if it asks for none."""
        asking = [one for one in self.paragraphs if _ASKS.search(one)]
        found = _EXAMPLE.findall(asking[-1]) if asking else []
        return found[-1] if found and not found[-1].startswith(("if ", "try ")) else ""

    @property
    def offers_side(self) -> bool:
        """Whether one may write “take” instead of a move."""
        return any(one.startswith("Reply with") and "take" in one for one in self.paragraphs)

    @property
    def complains(self) -> bool:
        """Whether something that the reader wrote was not understood or not allowed."""
        return "\nYou wrote:\n" in self.text

    @property
    def ends(self) -> bool:
        """Whether the match is over."""
        return any(one.startswith("Thanks for playing!") for one in self.paragraphs)

    @property
    def is_receipt(self) -> bool:
        """Whether it says no more than that the reader's move was made."""
        return self.text.startswith("Got it, ")

    @property
    def word_to_confirm(self) -> str:
        """The word that the reader is asked to write once more, since they answered an older email with it."""
        found = re.search(r"If you did, reply (\w+(?: \w+)?)\.", self.flat)
        return found[1] if found else ""

    def asks_for(self, words: str) -> bool:
        """Return whether a paragraph of ours holds these words."""
        return any(words in one for one in self.paragraphs)

    def turns(self) -> list[tuple[int, str]]:
        """Return the number and the example of each match that a digest shows."""
        return [(int(number), move) for number, move in _IN_DIGEST.findall(self.flat)]

    def offered(self) -> list[tuple[str, str, int]]:
        """Return the game, the name and the number of each offer that a list of them shows."""
        return [(game, name, int(number)) for game, name, number in _OFFERED.findall(self.flat)]

    def free_cells(self) -> list[str]:
        """Return the free cells that the boards of the text show, as a1; of squares with dice none."""
        rows = [found for line in self.text.split("\n") if (found := _CELL_ROW.match(line))]
        cells: dict[str, str] = {}
        for row in rows:
            for column, mark in enumerate(row[2].replace("(", " ").replace(")", " ").split()):
                cells["abcdefghijklmnopqrs"[column] + row[1]] = mark
        hexagons = re.findall(r"^ *[/|\\] (.*) [\\|/]$", self.text, re.MULTILINE)
        named = [cell for row in hexagons for cell in row.split() if re.fullmatch(r"[a-m]\d{1,2}", cell)]
        return named or [cell for cell, mark in cells.items() if mark == "."]
