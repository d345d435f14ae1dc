"""Measures where the board and the instruction stand in the email that asks for a move, on a phone of 360×640 pixels:

    python -m tests.e2e.measure_notices

prints a table for every game.
"""

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.browser import Browser, open_browser
from tests.support.club import PLAYERS, Club, make_club, settings_in, write_blank_database
from tests.support.mails import html_of

WIDTH, HEIGHT = 360, 640
_MOVES = 30
_REMARK = "Now it gets tight on the left."

_SCRIPT = """(() => {
  const board = document.getElementById("board")?.getBoundingClientRect();
  const box = document.getElementById("your-move"), choices = box?.querySelector("div");
  const move = box && {bottom: choices ? choices.getBoundingClientRect().top : box.getBoundingClientRect().bottom};
  return [board ? board.top + scrollY : null, move ? move.bottom + scrollY : null,
    document.documentElement.scrollWidth];
})()"""


@dataclass(frozen=True)
class Case:
    """A way to open a game."""

    game: str
    seats: int
    options: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.game, str(self.seats), *(f"{key}={value}" for key, value in self.options.items())])

    def play(self, club: Club, moves: int) -> int:
        """Open a match and play so many moves by the examples of its emails, with remarks; return its number."""
        number = club.service.open(self.game, PLAYERS[: self.seats], dict(self.options)).id
        for seat in range(self.seats):
            if club.match(number).awaits_seeds:
                club.reply(seat, "ready", match=number)
        for _ in range(moves):
            match = club.match(number)
            if not isinstance(match.to_act, int):
                break
            club.reply(match.to_act, f"{match.position.prompt().example}\n\n{_REMARK}", match=number)
        return number


CASES = (
    Case("pipline", 2, {"size": 7}),
    Case("pipline", 2, {"size": 9}),
    Case("zipline", 2, {"size": 9}),
    Case("zipline", 3, {"size": 9}),
    Case("pippip", 2),
    Case("snipsnip", 2),
    Case("snipsnip", 2, {"board": "hex-7"}),
    Case("snipsnip", 2, {"board": "square-8"}),
    Case("snipsnip", 2, {"board": "diamond-5"}),
    Case("pipelines", 2, {"size": 7}),
    Case("pipelines", 3, {"size": 7}),
    Case("pipline", 2),
    Case("zipline", 3, {"size": 19}),
    Case("snipsnip", 2, {"board": "hex-7-8"}),
    Case("snipsnip", 2, {"board": "equi-6-8"}),
    Case("pipelines", 2),
)


@dataclass(frozen=True)
class Measure:
    """An email that asks for a move: where its board begins and its instruction ends, None where it has none; pixels.

    ``turn`` counts the emails of the match that asked; ``width`` is how far the email reaches to the right.
    """

    turn: int
    board: float | None
    instruction: float | None
    width: int


def measure_case(case: Case, club: Club, browser: Browser, directory: Path) -> list[Measure]:
    """Return the measures of the first, the middle and the last email of a match that asked for a move."""
    number = case.play(club, _MOVES)
    asking = [mail for mail in club.queued(kind="your_turn") if mail.match == number]
    measures = []
    for turn in sorted({0, len(asking) // 2, len(asking) - 1} if asking else ()):
        page = directory / f"{case}-{turn}.html"
        page.write_text(html_of(club.mail(asking[turn])), encoding="utf-8")
        browser.show(page, width=WIDTH, height=HEIGHT)
        board, instruction, width = browser.evaluate(_SCRIPT)
        measures.append(Measure(turn + 1, board, instruction, width))
    return measures


def main() -> int:
    """Print the table; return 0."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name,
        open_browser(Path(name) / "profile") as browser,
    ):
        place = Path(name)
        blank = write_blank_database(place / "blank.db")
        sys.stdout.write(f"{'match':32}{'email':>7}{'board from':>12}{'move until':>12}{'width':>7}\n")
        for case in CASES:
            club = make_club(settings_in(place, blank))
            for one in measure_case(case, club, browser, place):
                board, move = ("–" if at is None else f"{at:.0f}" for at in (one.board, one.instruction))
                sys.stdout.write(f"{case!s:32}{one.turn:>7}{board:>12}{move:>12}{one.width:>7}\n")
            club.service.database.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
