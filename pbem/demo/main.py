"""Runs the demo in one of three ways: by script, with a seat at the terminal, or for any mail program.

With a seat one types replies; for a mail program the servers stay up.
"""

import asyncio
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console
from rich.rule import Rule

from pbem.demo.patience import SILENCE_SECONDS, WaitedInVain, being_patient
from pbem.demo.players import ADDRESS, Email, Player, World, open_world, play_match
from pbem.demo.review import Review, review
from pbem.demo.script import PEOPLE, FixedSecrets, ScriptedMatch, list_matches
from pbem.demo.terminal import EmailLog, Keyboard, Typing, print_boards, say, tell
from pbem.errors import PbemError
from pbem.notices.sentences.match import describe_result
from pbem.running.staying_thinker import MindProcess
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


_SEATED = """\
You are Ann, and you play {title} by email against {others}, a
program. The mail servers run on this machine. Your emails appear
below; a robot may take some seconds to think.
Type your reply: a move, or help for the rules; an empty line sends it.
To stop, type quit or press Ctrl-D: what you have not sent is then dropped."""
_ROLLS = "Before the first roll, everybody may mix words of their own into the dice; you’ve answered: {ready}."
_GOODBYE = "Goodbye! The match ends here, as the servers stop with the demonstration."
_UNSENT = "What you had typed wasn’t sent."
_LEFT_OUT = "(… the rest is left out here)"
_NO_ANSWER = {
    "rejected": (
        "Your email wasn’t carried out, and no answer came: each address gets only so many answers to mistakes a day,"
        " so that no two machines answer each other for ever. Moves that are right still count."
    ),
    "discarded": "No answer came, because there was nothing new in your email.",
    "failed": "No answer came, because your email couldn’t be read.",
    "accepted": "Your email was carried out; there’s no answer to it.",
}
"""Why no email came back, by what became of the one that was sent; the keys are those of its disposition."""

_LOOK_SECONDS = 0.2
_REVIEW = "\nTo hear by email which of your moves cost most, type review.\nAn empty line ends the demonstration."


async def play_at_terminal(console: Console, directory: Path, game: str) -> bool:
    """Let somebody play ``game`` from the terminal; return whether they played it to its end, rather than stopped.

    Then the match is in the archive.
    """
    rules = GAMES[game]
    first, robots = next(iter(PEOPLE)), rules.seats[0] - 1
    # Whoever plays the first seat greets and signs as they like.
    people = {first: replace(PEOPLE[first], greeting="", closing="")}
    with MindProcess(rules.key, rules.seats[0], rules.normalise(rules.short)) as mind:
        async with being_patient() as patience, open_world(directory, people, patience, thinker=mind) as world:
            match = world.open_match(rules.key, [first], rules.short, robots)
            opponents = listed(match.name(seat) for seat in range(1, robots + 1))
            tell(console, _SEATED.format(title=rules.title, others=opponents), "bold")
            player = world.players[first]
            if match.awaits_seeds:
                tell(console, _ROLLS.format(ready=people[first].ready), "bold")
                await player.answer_before_rolls(match.id)
            ended = await _correspond(console, world, player, match.id)
            if ended:
                await world.write_archive()
    return ended


async def stay_open(console: Console, directory: Path) -> None:
    """Open two matches, print the accounts, and serve until a signal says stop."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    log = EmailLog(console, ADDRESS)
    async with being_patient() as patience, open_world(directory, PEOPLE, patience, log.add) as world:
        imap, smtp = urlsplit(world.servers.imap_url(ADDRESS)), urlsplit(world.servers.smtp_url)
        accounts = listed(player.person.address for player in world.players.values())
        tell(console, f"Accounts: {accounts}; the password of each is “{world.servers.password}”.")
        say(console, f"Incoming: IMAP  {imap.hostname}, port {imap.port}, no encryption, plain password")
        say(console, f"Outgoing: SMTP  {smtp.hostname}, port {smtp.port}, no encryption, no login\n")
        three = world.open_match("zipline", ("ann", "bob", "carl"), {"size": 7})
        two = world.open_match("pipline", ("dora", "ann"), {"size": 7})
        tell(console, f"Match {three.id}, Zipline for three: Ann begins, then Bob, then Carl.")
        tell(console, f"Match {two.id}, Pipline for two: Dora begins; Ann answers there by herself.")
        tell(console, "Read and reply with any mail program, for instance as Dora. Ctrl-C stops it all.\n")
        opponent = _let_play(world.players["ann"], two.id)
        with patience.busy():  # it stays, whether anything happens or not
            await stop.wait()
        opponent.cancel()
        with suppress(asyncio.CancelledError):
            await opponent
    say(console, "Everything is stopped.")


def _let_play(player: Player, match: int) -> asyncio.Task[None]:
    """Let a player follow the examples in their emails, at the pace of somebody who thinks for a moment."""
    return asyncio.create_task(player.follow_examples(match, pause=0.8))


async def _correspond(console: Console, world: World, player: Player, match: int) -> bool:
    """Show emails and send replies in turn; return whether the match has ended."""
    keyboard, shown, waits = Keyboard(), 0, False
    notice: Email | None = None
    while True:
        if why := await _await_email(world, player, match, shown):
            tell(console, why, "bold")
        fresh = player.emails(match, outside=True)[shown:]
        shown += len(fresh)
        told = [mail for mail in fresh if mail.match == match]
        for mail in fresh:
            _print_email(console, mail)
        if any(mail.ends for mail in told):
            await _look_back(console, keyboard, world, player, told[-1])
            return True
        waits = not told[-1].turn if told else waits
        if waits:  # the opponent thinks, and then it is one's turn again
            continue
        notice = told[-1] if told else notice
        assert notice is not None
        with world.patience.busy():
            words = await type_reply(console, keyboard)
        if words is None:
            tell(console, _GOODBYE, "bold")
            return False
        await player.reply(notice, words)


async def _await_email(world: World, player: Player, match: int, shown: int) -> str:
    """Wait for an email after those ``shown``, or until it's certain that none comes; return why then."""
    with player.awaiting_email(match):
        while len(player.emails(match, outside=True)) == shown:
            if why := _explain_silence(world, player, match):
                return why
            await asyncio.sleep(_LOOK_SECONDS)
    return ""


async def _look_back(console: Console, keyboard: Keyboard, world: World, player: Player, notice: Email) -> None:
    """Let somebody ask for a review of their moves, by email as well, and show what comes of it."""
    tell(console, _REVIEW, "bold")
    if keyboard.echoes:
        console.print("> ", end="")
    with world.patience.busy():
        line = await keyboard.line()
    if not keyboard.echoes:
        say(console, f"> {line or ''}")
    if (line or "").strip().lower() != "review" or notice.match is None:
        return
    shown = len(player.emails(notice.match))
    await player.reply(notice, "review")
    await player.expect(notice.match, shown, lambda mail: mail.kind == "review")
    for mail in player.emails(notice.match)[shown:]:
        _print_email(console, mail)


def _explain_silence(world: World, player: Player, match: int) -> str:
    """Return why no email comes back; empty where one may: not all is carried out and read, or a robot is to move."""
    with world.service.database.reading() as tx:
        received = tx.inbound.latest(limit=player.sent)
        written = [mail for mail in tx.outbound.latest(limit=10_000) if mail.recipient == player.person.address]
        found = tx.matches.get(match)
    settled = len(received) == player.sent > 0 and all(message.status in _NO_ANSWER for message in received)
    if not settled or len(written) > len(player.arrived) or (found and found.to_act not in (0, None)):
        return ""
    return _NO_ANSWER[received[0].status]


async def type_reply(console: Console, keyboard: Typing) -> str | None:
    """Return an email as it was typed; None when there will be none.

    The end of the input sends what a pipe holds; at a terminal somebody pressed Ctrl-D to stop.
    """
    say(console, "\nYour answer (an empty line sends it; quit ends):", "bold")
    lines: list[str] = []
    while True:
        if keyboard.echoes:
            console.print("> ", end="")
        line = await keyboard.line()
        if not keyboard.echoes or line is None:
            say(console, f"> {line}" if line is not None else "")
        words = (line or "").strip()
        if words.lower() == "quit" or (line is None and (keyboard.echoes or not lines)):
            if lines:
                tell(console, _UNSENT, "bold")
            return None
        if words:
            lines.append(words)
        elif lines:
            return "\n".join(lines)


def _print_email(console: Console, mail: Email) -> None:
    """Print an email; of one that only tells how the match goes on, what stands above the board."""
    text = mail.text.rstrip("\n")
    if not mail.asks and not mail.ends and mail.kind != "review":
        text = above_board(text)
    say(console)
    console.print(Rule(style="dim"))
    say(console, f"From: {mail.sender}\nSubject: {mail.subject}\n", "bold")
    say(console, text)


def above_board(text: str) -> str:
    """Return what stands above the board in the text of an email: all of it, if it has none.

    Boards are indented, and so are quotations, which begin with a quotation mark or a “>”.
    """
    paragraphs = text.split("\n\n")
    above = list(takewhile(lambda paragraph: paragraph[:1] != " " or paragraph.lstrip()[:1] in "“>", paragraphs))
    return text if above == paragraphs else "\n\n".join([*above, _LEFT_OUT])
