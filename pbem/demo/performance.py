"""Plays the scenes of the script: each player writes when his cue has come by mail."""

import asyncio
from collections.abc import Awaitable, Callable

from pbem.demo.mails import Arrived
from pbem.demo.players import Player
from pbem.demo.script import Line, Scene

Pause = Callable[[], Awaitable[None]]
"""What passes between reading a mail and answering it."""


async def perform(scene: Scene, match: int, players: dict[str, Player], pause: Pause) -> None:
    """Play ``scene`` as the match of that number, to its end; raises WaitedInVain when it goes another way."""
    read = dict.fromkeys(scene.seats, 0)
    for line in scene.lines:
        player = players[line.who]
        cue = line.cue or "a mail that asks for a move"
        place = await player.expect(match, read[line.who], cue, lambda mail, line=line: _is_cue(mail, line))
        read[line.who] = place + 1
        await pause()
        mails = player.mails(match)
        notice = next(mail for mail in mails if mail.asks) if line.older else mails[place]
        await player.answer(notice, line.words)
        if line.answered is not None:
            wanted = line.answered
            await player.expect(
                match, len(mails), wanted or "an answer", lambda mail, wanted=wanted: wanted in mail.subject
            )
    # Where a script ends before its match, everybody does as his mails suggest.
    await asyncio.gather(*(follow_examples(players[seat], match, pause, read[seat]) for seat in scene.seats))


async def follow_examples(player: Player, match: int, pause: Pause, after: int = 0) -> None:
    """Answer each mail that asks for a move with the example in it, until the match is over."""
    while True:
        after = 1 + await player.expect(match, after, "the end of the match", lambda mail: mail.asks or mail.ends)
        mail = player.mails(match)[after - 1]
        if mail.ends:
            return
        assert mail.example is not None
        await pause()
        await player.answer(mail, mail.example)


def _is_cue(mail: Arrived, line: Line) -> bool:
    """Tell whether ``mail`` is what the writer of ``line`` answers."""
    return line.cue in mail.subject if line.cue else mail.asks
