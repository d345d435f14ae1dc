"""Runs the demo in one of three ways: by script, with a seat at the terminal, or for any mail program."""

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console
from rich.rule import Rule

from pbem.demo.patience import SILENCE_SECONDS, WaitedInVain, being_patient
from pbem.demo.play import play_at_terminal, stay_open
from pbem.demo.players import play_match
from pbem.demo.review import Review, review
from pbem.demo.script import PEOPLE, FixedSecrets, ScriptedMatch, list_matches
from pbem.demo.terminal import EmailLog, print_boards, say, tell
from pbem.demo.world import ADDRESS, open_world
from pbem.errors import PbemError
from pbem.notices.sentences.match import describe_result
from rules.games import GAMES
from rules.text import listed

_WELCOME = """\
{count} matches are played by email at the same time. A real SMTP server and a real IMAP server carry it
between the service, “games”, and four players who know only what is in their mailboxes.
Each line is an email, “like this” if a player wrote it. Nothing leaves this machine; it takes seconds, or
minutes where the machine has other things to do.
"""


def run(
    *,
    play: bool = False,
    game: str = "zipline",
    stay: bool = False,
    directory: Path | None = None,
    console: Console | None = None,
) -> int:
    """Play matches of every game by email and check them; return the exit code, 0 when all is as it should be.

    ``play``: instead, somebody at the terminal takes a seat in a match of ``game``, a key of GAMES. ``stay``: instead,
    the servers stay up for any mail program. ``directory``: where to keep files, a temporary one if not given.
    """
    out = console or Console(highlight=False)
    try:
        if not (play or stay):
            place = directory or Path(tempfile.mkdtemp(prefix="pbem-demo-"))
            return asyncio.run(play_script(out, place, list_matches()))
        with ExitStack() as leaving:
            place = directory or Path(tempfile.mkdtemp(prefix="pbem-demo-"))
            if directory is None:
                leaving.callback(shutil.rmtree, place, ignore_errors=True)
            if stay:
                asyncio.run(stay_open(out, place))
            elif asyncio.run(play_at_terminal(out, place, game)):
                leaving.pop_all()  # the match is there to be looked at
                _print_afterwards(out, place, game)
        return 0
    except PbemError as error:
        say(out, str(error), "bold red")
        return 1
    except KeyboardInterrupt:
        say(out, "\nEverything is stopped.")
        return 0 if play or stay else 1


async def play_script(
    console: Console, directory: Path, scripts: Sequence[ScriptedMatch], silence: float = SILENCE_SECONDS
) -> int:
    """Play all matches at once, print them in turn, check everything; return the exit code.

    After so many seconds of ``silence`` it is stopped.
    """
    log = EmailLog(console, ADDRESS)
    log.show(0)  # none yet: they begin all at once, and are shown one after the other
    tell(console, _WELCOME.format(count=len(scripts)))
    try:
        async with (
            being_patient(silence) as patience,
            open_world(directory, PEOPLE, patience, log.add, FixedSecrets()) as world,
        ):
            played = {world.open_match(script.game, script.seats, script.options).id: script for script in scripts}
            playing = {
                number: asyncio.create_task(play_match(script, number, world.players))
                for number, script in played.items()
            }
            try:
                for number, script in played.items():
                    names = listed(PEOPLE[seat].name for seat in script.seats)
                    say(console, f"Match {number}: {GAMES[script.game].title}, {names}", "bold cyan")
                    say(console, script.about, "cyan")
                    log.show(number)
                    await playing[number]
                    say(console)
            finally:
                for task in playing.values():
                    task.cancel()
                await asyncio.gather(*playing.values(), return_exceptions=True)
            await world.write_archive()
            found = await review(world, played)
    except WaitedInVain as error:
        say(console, str(error), "bold red")
        say(console, f"What there is lies in {directory}.")
        return 1
    _print_findings(console, found, log)
    say(console, f"\nRead the matches:   {(world.archive / 'index.html').resolve().as_uri()}")
    program = _find_program()
    say(console, f"Play yourself:      {program} demo --play    (another game: --game pippip)")
    say(console, f"In a mail program:  {program} demo --stay")
    say(console, f"All files are in {directory}; delete it when you have seen enough.")
    return 1 if found.faults else 0


def _find_program() -> str:
    """Return how the commands are called here: the program beside the Python that runs, unless the shell finds it."""
    return "pbem" if shutil.which("pbem") else os.path.relpath(Path(sys.executable).with_name("pbem"))


def _print_afterwards(console: Console, directory: Path, played: str) -> None:
    """Print where a match that was played at the terminal can be read, and what else can be played."""
    others = [key for key in GAMES if key != played]
    say(console, f"\nLook at the match:  {(directory / 'archive' / 'index.html').resolve().as_uri()}")
    say(console, f"Play another game:  {_find_program()} demo --play --game {others[0]}")
    tell(console, f"There are also {listed(others[1:])}.")
    tell(console, f"All files are in {directory}; delete it when you have seen enough.")


def _print_findings(console: Console, found: Review, log: EmailLog) -> None:
    """Print the final boards, an email in full, the results, and what was checked."""
    if found.sample:
        name, mail = found.sample
        console.print(Rule(f"one of the emails in full, as {name} got it", style="dim"))
        say(console, f"From: {mail.sender}\nReply-To: {mail.reply_to}\nSubject: {mail.subject}\n\n{mail.text}")
    console.print(Rule("the boards at the end", style="dim"))
    print_boards(console, found.matches)
    console.print(Rule("what came of it", style="dim"))
    for match in found.matches:
        title = f"{match.id} {match.game.title}, {match.moves_made} moves in {found.emails[match.id]} emails. "
        say(console, f"{title}{describe_result(match) or 'Not over.'}")
    say(console)
    if found.faults:
        for fault in found.faults:
            say(console, f"✗ {fault}", "bold red")
        return
    for sentence in (
        f"{log.from_players} emails of players, {log.from_service} of the service, by SMTP and IMAP; none lost.",
        f"{len(found.matches)} records, read back and replayed, lead to the results that were announced.",
        f"{found.rolls} rolls, recomputed from secrets that the service was committed to before the first of them.",
        "Every player has every email that was written to them, once.",
        "Words for a partner alone reached the partner, and nobody else while the match went on.",
    ):
        say(console, f"✓ {sentence}", "green")
