"""Pip•Pip: sixteen dice on a 4×4 chessboard, where a die just placed may take over its neighbours."""

from dataclasses import replace

from rules.game import ORDER, Game, Option
from rules.games.pippip.dice import DARK, LIGHT
from rules.games.pippip.help import DESIGNERS, HELP
from rules.games.pippip.position import COLOURS, DIE, STARTER, start_pippip
from rules.phrase import mark, phrase

PIPPIP = Game(
    key="pippip",
    title="Pip•Pip",
    seats=range(2, 3),
    options=(Option(ORDER.key, "lot", ("lot",), mark("a roll always decides who is Light and who goes first")),),
    start=start_pippip,
    help=HELP,
    help_spoken=HELP,
    example="b3 n6",
    roles={"Light": replace(LIGHT, form="cube"), "Dark": replace(DARK, form="cube")},
    roles_spoken={"Light": None, "Dark": None},
    rolls=(COLOURS.what, STARTER.what, DIE.what),
    words={"roll": ("würfeln", "würfle", "throw"), "store": ("keep", "save")},
    designers=DESIGNERS,
    summary=phrase("Place dice on a small board, and tip your neighbours over; the cells of your colour score."),
)
