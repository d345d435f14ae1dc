"""Plays the scenes of the script: each player writes when his cue has come by mail."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any

from pbem.demo.mails import Arrived, flat
from pbem.demo.players import PATIENCE, Player
from pbem.demo.script import CAST, Line, Scene
from rules import GAMES

Pause = Callable[[], Awaitable[None]]
"""What passes between reading a mail and answering it."""


async def at_once() -> None:
    """Let no time pass between reading a mail and answering it."""


async def perform(scene: Scene, match: int, players: dict[str, Player], pause: Pause) -> None:
    """Play ``scene`` as the match of that number, to its end; raises WaitedInVain when it goes another way."""
    read = dict.fromkeys(scene.seats, 0)
    if GAMES[scene.game].rolls:
        for seat in scene.seats:
            read[seat] = await answer_before_the_lots(players[seat], match, CAST[seat].ready, pause)
    for line in scene.lines:
        player = players[line.who]
        place = await player.expect(match, read[line.who], *_cue(line))
        read[line.who] = place + 1
        await pause()
        mails = player.mails(match)
        notice = next(mail for mail in mails if mail.asks) if line.older else mails[place]
        await player.answer(notice, line.words)
        await player.expect(match, len(mails), *_answer(line.answered))
    # Where a script ends before its match, everybody does as his mails suggest.
    await together(follow_examples(players[seat], match, pause, after=read[seat]) for seat in scene.seats)


async def answer_before_the_lots(player: Player, match: int, words: str, pause: Pause) -> int:
    """Answer the mail that asks whether to mix in words; return how many mails he has read when he is answered."""
    place = await player.expect(match, 0, "the question before the lots", lambda mail: "are you ready?" in mail.subject)
    await pause()
    seen = len(player.mails(match))
    await player.answer(player.mails(match)[place], words)
    await player.expect(match, seen, "an answer", lambda mail: True)
    return place + 1


async def follow_examples(
    player: Player,
    match: int,
    pause: Pause,
    *,
    after: int = 0,
    words: Callable[[Arrived], str] = lambda mail: mail.example or "",
    patience: float | None = PATIENCE,
) -> None:
    """Answer each mail that asks for a move with the example in it, or other ``words``, until the match is over."""
    while True:
        place = await player.expect(match, after, "the end of the match", lambda mail: mail.asks or mail.ends, patience)
        after = place + 1
        mail = player.mails(match)[place]
        if mail.ends:
            return
        await pause()
        await player.answer(mail, words(mail))


def bold_words(mail: Arrived) -> str:
    """Return the example in ``mail``, but take the better side as soon as it is offered."""
    return "take" if "with the word take" in flat(mail.text) else mail.example or ""


async def together(plays: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Do all of this at the same time; the first error ends the rest."""
    tasks = [asyncio.ensure_future(play) for play in plays]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _cue(line: Line) -> tuple[str, Callable[[Arrived], bool]]:
    """Return what the writer of ``line`` waits for, in words and as a test."""
    if line.cue:
        return f"“{line.cue}”", lambda mail: line.cue in mail.subject
    return "a mail that asks for a move", lambda mail: mail.asks


def _answer(subject: str) -> tuple[str, Callable[[Arrived], bool]]:
    """Return what somebody who has written waits for, in words and as a test."""
    return f"“{subject}”" if subject else "an answer", lambda mail: subject in mail.subject
