"""Two ways to take part in the demo: type replies at the terminal, or use any mail program."""

import asyncio
import signal
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console
from rich.rule import Rule

from pbem.demo.players import Email, Player, WaitedInVain
from pbem.demo.script import PEOPLE
from pbem.demo.terminal import EmailLog, Keyboard, say
from pbem.demo.world import ADDRESS, open_world
from rules import GAMES
from rules.text import listed

_WELCOME = """\
You are Ann, and play {title} by email against {others}, on mail servers of this machine.
Your emails appear below. Type your reply: a move, or help for the rules; an empty line sends it.
To stop, type quit or press Ctrl-D."""
_ROLLS = "Before the first roll, everybody may mix words of their own into the dice; you’ve answered: {ready}."
_NO_ANSWER = "No email came back, as nobody answers words alone. It is still your turn."
_ANSWER_SECONDS = 5.0


async def play_at_terminal(console: Console, directory: Path, game: str) -> int:
    """Let somebody play ``game`` from the terminal until the match or the input ends; return the exit code."""
    rules = GAMES[game]
    first, *others = seats = tuple(PEOPLE)[: rules.seats[0]]
    # Whoever plays the first seat greets and signs as they like.
    people = {seat: PEOPLE[seat] for seat in seats} | {first: replace(PEOPLE[first], greeting="", closing="")}
    async with open_world(directory, people) as world:
        say(console, _WELCOME.format(title=rules.title, others=listed(people[seat].name for seat in others)), "bold")
        match = world.open_match(rules.key, seats, rules.short)
        if rules.rolls:
            say(console, _ROLLS.format(ready=people[first].ready), "bold")
            for player in world.players.values():
                await player.answer_before_rolls(match.id)
        opponents = [_let_play(world.players[seat], match.id) for seat in others]
        try:
            await _correspond(console, world.players[first], match.id)
        finally:
            for task in opponents:
                task.cancel()
            await asyncio.gather(*opponents, return_exceptions=True)
    return 0


async def stay_open(console: Console, directory: Path) -> int:
    """Open two matches, print the accounts, and serve until a signal says stop; return the exit code."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with open_world(directory, PEOPLE, EmailLog(console, ADDRESS).add) as world:
        imap, smtp = urlsplit(world.servers.imap_url(ADDRESS)), urlsplit(world.servers.smtp_url)
        accounts = listed(player.person.address for player in world.players.values())
        say(console, f"Accounts: {accounts}; the password of each is “{world.servers.password}”.")
        say(console, f"Incoming: IMAP  {imap.hostname}, port {imap.port}, no encryption, plain password")
        say(console, f"Outgoing: SMTP  {smtp.hostname}, port {smtp.port}, no encryption, no login\n")
        three = world.open_match("zipline", ("ann", "bob", "carl"), {"size": 7})
        two = world.open_match("pipline", ("dora", "ann"), {"size": 7})
        say(console, f"Match {three.id}, Zipline for three: Ann begins, then Bob, then Carl.")
        say(console, f"Match {two.id}, Pipline for two: Dora begins; Ann answers there by herself.")
        say(console, "Read and reply with any mail program, for instance as Dora. Ctrl-C stops it all.\n")
        opponent = _let_play(world.players["ann"], two.id)
        await stop.wait()
        opponent.cancel()
        with suppress(asyncio.CancelledError):
            await opponent
    say(console, "Stopped; the servers are down and nothing runs on.")
    return 0


def _let_play(player: Player, match: int) -> asyncio.Task[None]:
    """Let a player follow the examples in their emails, at the pace of somebody who thinks for a moment."""
    return asyncio.create_task(player.follow_examples(match, pause=0.8, patience=None))


async def _correspond(console: Console, player: Player, match: int) -> None:
    """Show emails and send replies in turn."""
    keyboard, shown = Keyboard(), 0
    patience: float | None = None
    notice: Email | None = None
    while True:
        try:
            await player.expect(match, shown, lambda mail: True, patience)
        except WaitedInVain:
            say(console, _NO_ANSWER, "bold")
        fresh = player.emails(match)[shown:]
        shown += len(fresh)
        for mail in fresh:
            _print_email(console, mail)
        if any(mail.ends for mail in fresh):
            say(console, "\nThe match is over. Thank you for playing!", "bold")
            return
        if fresh and not fresh[-1].turn:
            patience = None  # the opponent thinks, and then it is one's turn again
            continue
        notice = fresh[-1] if fresh else notice
        assert notice is not None
        words = await _type_reply(console, keyboard)
        if words is None:
            say(console, "Goodbye! The match ends here, as the servers stop with the demonstration.", "bold")
            return
        await player.reply(notice, words)
        patience = _ANSWER_SECONDS


async def _type_reply(console: Console, keyboard: Keyboard) -> str | None:
    """Return an email as it was typed; None when there will be none."""
    say(console, "\nYour answer (an empty line sends it; quit ends):", "bold")
    lines: list[str] = []
    while True:
        if keyboard.echoes:
            console.print("> ", end="")
        line = await keyboard.line()
        if not keyboard.echoes or line is None:
            say(console, f"> {line}" if line is not None else "")
        words = (line or "").strip()
        if not lines and (line is None or words.lower() == "quit"):
            return None
        if words:
            lines.append(words)
        elif lines:
            return "\n".join(lines)


def _print_email(console: Console, mail: Email) -> None:
    """Print an email; of one that only tells how the match goes on, what stands above the board."""
    text = mail.text.rstrip("\n")
    if not mail.asks and not mail.ends:
        above = takewhile(lambda paragraph: not paragraph.startswith(" "), text.split("\n\n"))
        text = "\n\n".join([*above, "(… the rest is left out here)"])
    say(console)
    console.print(Rule(style="dim"))
    say(console, f"From: {mail.sender}\nSubject: {mail.subject}\n", "bold")
    say(console, text)
