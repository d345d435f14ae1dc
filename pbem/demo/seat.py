"""A seat for somebody at the terminal: his mail is shown as it comes, and what he types goes out as a reply."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from pbem.demo.keyboard import Keyboard
from pbem.demo.mails import Arrived, Habits
from pbem.demo.performance import bold_words, follow_examples
from pbem.demo.players import Player, WaitedInVain
from pbem.demo.script import CAST
from pbem.demo.stage import stage

_WELCOME = (
    "You are Ann, and play by mail against Bob, on mail servers of this machine.",
    "Your mail appears below. Type your reply to it: an empty line sends it.",
    "To stop, type quit or press Ctrl-D.",
)
_SILENCE = 5.0


async def take_a_seat(console: Console, directory: Path) -> int:
    """Let somebody play Zipline from the terminal until the match or the input ends; returns the exit code."""
    keyboard = Keyboard()
    ann_herself = replace(CAST["ann"], habits=Habits())  # whoever plays her greets and signs as he likes
    async with stage(directory, {"ann": ann_herself, "bob": CAST["bob"]}) as here:
        for line in _WELCOME:
            console.print(Text(line, "bold"))
        match = here.open("zipline", ("ann", "bob"), {"size": 7})
        ann, bob = here.players["ann"], here.players["bob"]
        opponent = asyncio.create_task(
            follow_examples(bob, match.id, lambda: asyncio.sleep(0.8), words=bold_words, patience=None)
        )
        try:
            await _correspond(console, keyboard, ann, match.id)
        finally:
            opponent.cancel()
            with suppress(asyncio.CancelledError):
                await opponent
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
    """Print a mail; of one that only tells how the match goes on, the beginning."""
    text = mail.text.rstrip("\n")
    if not mail.asks and not mail.ends:
        text = "\n\n".join([*text.split("\n\n")[:3], "(… and the board, which the next mail shows as well)"])
    console.print()
    console.print(Rule(style="dim"))
    console.print(Text(f"From: {mail.sender}\nSubject: {mail.subject}", "bold"), soft_wrap=True)
    console.print()
    console.print(Text(text), soft_wrap=True)
