"""A seat for somebody at the terminal: his mail is shown as it comes, and what he types goes out as a reply."""

import asyncio
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from pbem.demo.keyboard import Keyboard
from pbem.demo.mails import Arrived, Habits
from pbem.demo.performance import answer_before_the_lots, at_once, bold_words, follow_examples
from pbem.demo.players import Player, WaitedInVain
from pbem.demo.script import CAST
from pbem.demo.stage import stage
from rules import GAMES
from rules.text import listed

_WELCOME = (
    "You are Ann, and play {title} by mail against {others}, on mail servers of this machine.",
    "Your mail appears below. Type your reply to it: an empty line sends it.",
    "To stop, type quit or press Ctrl-D.",
)
_LOTS = "Everybody is asked for words of his own to mix into the lots; you have answered: {ready}."
_SILENCE = 5.0


async def take_a_seat(console: Console, directory: Path, game: str) -> int:
    """Let somebody play ``game`` from the terminal until the match or the input ends; returns the exit code."""
    keyboard, rules = Keyboard(), GAMES[game]
    seats = tuple(CAST)[: rules.seats[0]]
    # Whoever plays the first seat greets and signs as he likes.
    cast = {seat: replace(CAST[seat], habits=Habits()) if seat == seats[0] else CAST[seat] for seat in seats}
    async with stage(directory, cast) as here:
        others = listed(cast[seat].name for seat in seats[1:])
        for line in _WELCOME:
            console.print(Text(line.format(title=rules.title, others=others), "bold"))
        match = here.open(rules.key, seats, dict(rules.short))
        person, *opponents = (here.players[seat] for seat in seats)
        if rules.rolls:
            console.print(Text(_LOTS.format(ready=cast[seats[0]].ready), "bold"))
            for seat in seats:
                await answer_before_the_lots(here.players[seat], match.id, cast[seat].ready, at_once)
        playing = [
            asyncio.create_task(
                follow_examples(player, match.id, lambda: asyncio.sleep(0.8), words=bold_words, patience=None)
            )
            for player in opponents
        ]
        try:
            await _correspond(console, keyboard, person, match.id)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
    return 0


async def _correspond(console: Console, keyboard: Keyboard, player: Player, match: int) -> None:
    """Show mails and send replies in turn."""
    shown = 0
    patience: float | None = None
    notice: Arrived | None = None
    while True:
        try:
            await player.expect(match, shown, "an answer", lambda mail: True, patience)
        except WaitedInVain:
            console.print(Text("No mail came back, as nobody answers words alone. It is still your turn.", "bold"))
        fresh = player.mails(match)[shown:]
        shown += len(fresh)
        for mail in fresh:
            _print_mail(console, mail)
        if any(mail.ends for mail in fresh):
            console.print(Text("\nThe match is over. Thank you for playing!", "bold"))
            return
        if fresh and not fresh[-1].asks:
            patience = None  # the opponent thinks, and then it is one's turn again
            continue
        notice = fresh[-1] if fresh else notice
        assert notice is not None
        words = await _typed(console, keyboard)
        if words is None:
            console.print(Text("Goodbye! The match ends here, as the servers stop with the demonstration.", "bold"))
            return
        await player.answer(notice, words)
        patience = _SILENCE


async def _typed(console: Console, keyboard: Keyboard) -> str | None:
    """Return a letter as it was typed; None when there will be none."""
    console.print()
    console.print(Text("Your answer (an empty line sends it; quit ends):", "bold"))
    lines: list[str] = []
    while True:
        if keyboard.echoes:
            console.print("> ", end="")
        line = await keyboard.line()
        if line is not None and not keyboard.echoes:
            console.print(Text(f"> {line}"), soft_wrap=True)
        if line is None and not lines:
            console.print()
            return None
        if line is None or (not line.strip() and lines):
            return "\n".join(lines)
        if line.strip().lower() == "quit" and not lines:
            return None
        if line.strip():
            lines.append(line)


def _print_mail(console: Console, mail: Arrived) -> None:
    """Print a mail; of one that only tells how the match goes on, what stands above the board."""
    text = mail.text.rstrip("\n")
    if not mail.asks and not mail.ends:
        above = takewhile(lambda paragraph: not paragraph.startswith(" "), text.split("\n\n"))
        text = "\n\n".join([*above, "(… and the board, which the next mail shows as well)"])
    console.print()
    console.print(Rule(style="dim"))
    console.print(Text(f"From: {mail.sender}\nSubject: {mail.subject}", "bold"), soft_wrap=True)
    console.print()
    console.print(Text(text), soft_wrap=True)
