"""Plays the whole demonstration, from the opening of the matches to the summary that says whether all held."""

import asyncio
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from pbem.demo.performance import Pause, perform, together
from pbem.demo.players import WaitedInVain
from pbem.demo.review import Review, review
from pbem.demo.scenes import scenes
from pbem.demo.screen import Screen
from pbem.demo.script import CAST, SameDice
from pbem.demo.show import Show
from pbem.demo.stage import ADDRESS, stage
from pbem.wording import result
from rules.text import listed

_LIMIT = 85
_LETTERS = 20  # about as many as a match has
# Seconds a scene takes on a terminal, and how much longer each is than the one before, so that they end in turn.
_SCENE, _STEP, _LAST_LOOK = 18.0, 1.5, 3.0


async def demonstrate(console: Console, directory: Path, *, quick: bool) -> int:
    """Play the matches, check everything, and print a summary; returns the exit code."""
    live = console.is_terminal and not console.is_dumb_terminal
    show = (Screen if live else Show)(console, ADDRESS)
    try:
        async with asyncio.timeout(_LIMIT), stage(directory, CAST, show.mail, SameDice()) as here:
            async with show.on(here.matches):
                played = {here.open(scene.game, scene.seats, scene.options).id: scene for scene in scenes()}
                seconds = [0.0 if quick or not live else _SCENE + _STEP * number for number in range(len(played))]
                await together(
                    perform(scene, match, here.players, _pause(length / max(len(scene.lines), _LETTERS)))
                    for (match, scene), length in zip(played.items(), seconds, strict=True)
                )
                await asyncio.sleep(0 if quick or not live else _LAST_LOOK)
            here.service.write_archive()
            found = await review(here, played)
    except (TimeoutError, WaitedInVain) as error:
        why = str(error) or f"The demonstration was not done after {_LIMIT} seconds, so it was stopped."
        console.print(Text(why, "bold red"))
        console.print(Text(f"What there is lies in {directory}."), soft_wrap=True)
        return 1
    _print_sample(console, found)
    _print_summary(console, found, show)
    console.print(Text(f"The archive: {(here.archive / 'index.html').resolve().as_uri()}"), soft_wrap=True)
    console.print(Text(f"Everything lies in {directory}; delete it when you have seen enough."), soft_wrap=True)
    return 1 if found.faults else 0


def _pause(seconds: float) -> Pause:
    """Return a pause of so many seconds."""
    return lambda: asyncio.sleep(seconds)


def _print_sample(console: Console, found: Review) -> None:
    """Print one of the notices in full, as its reader got it."""
    if (mail := found.sample) is None:
        return
    console.print(Rule("one of the mails, in full", style="dim"))
    head = f"From: {mail.sender}\nReply-To: {mail.reply_to}\nSubject: {mail.subject}\n"
    console.print(Text(f"{head}\n{mail.text}"), soft_wrap=True)
    console.print(Rule(style="dim"))


def _print_summary(console: Console, found: Review, show: Show) -> None:
    """Print how the matches ended, and what was checked."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("Match", "Players", "Result"):
        table.add_column(title, overflow="fold")
    for title in ("Moves", "Mails"):
        table.add_column(title, justify="right")
    for match in found.matches:
        table.add_row(
            f"{match.id} {match.game.title}",
            listed(player.name for player in match.players),
            Text(result(match) or "not over"),
            str(match.moves_made),
            str(found.mails[match.id]),
        )
    console.print()
    console.print(table)
    console.print()
    if found.faults:
        for fault in found.faults:
            console.print(Text(f"✗ {fault}", "bold red"))
        return
    checked = (
        f"{show.letters} letters to the service, {show.notices} mails from it, by SMTP and IMAP; none lost.",
        f"{len(found.matches)} records, read back and replayed, lead to the results that were announced.",
        f"{found.lots} lots, recomputed from secrets that were sealed before any was drawn.",
        "Everybody has every mail that was written to him, once.",
        "Words for a partner alone reached him, and neither the others nor the archive.",
    )
    for sentence in checked:
        console.print(Text("✓ ", "bold green").append(sentence, "default"))
