"""Pipline and Zipline, two games of Pippinzip: an unequal race on one board, sides settled by an auction."""

from dataclasses import replace

from rules.game import ORDER, Game, Option
from rules.games.pippinzip.help import DESIGNERS, ZIPLINE_CONDITIONS
from rules.games.pippinzip.help import PIPLINE as PIPLINE_HELP
from rules.games.pippinzip.help import ZIPLINE as ZIPLINE_HELP
from rules.games.pippinzip.position import BLACK, TAKE, WHITE, start_pipline, start_zipline
from rules.phrase import mark, phrase

_SIZE = Option(
    "size",
    13,
    tuple(range(5, 20)),
    mark("points along each side of the board"),
    words=mark("{value} × {value}"),
)
_DRAW = Option("draw", "points", ("points", "cells"), mark("looks only: stones on crossings, or in squares"))
_FREESTYLE = Option(
    "freestyle", False, (False, True), mark("two players: black’s two stones may be next to each other"), seats=(2,)
)
_GAP = Option(
    "partner_gap", False, (False, True), mark("three players: black’s second stone not next to the first"), seats=(3,)
)

PIPLINE = Game(
    key="pipline",
    title="Pipline",
    seats=range(2, 3),
    options=(_SIZE, _DRAW, ORDER),
    start=start_pipline,
    help=PIPLINE_HELP,
    help_spoken=PIPLINE_HELP,
    example="c3 d4",
    roles={"Pip": BLACK, "Zip": WHITE},
    roles_spoken={"Pip": phrase("black"), "Zip": phrase("white")},
    short={"size": 7},
    words={TAKE: ("nehmen", "nehme", "prends", "prendre", "tomo", "prendo")},
    auction=TAKE,
    summary=phrase("Join two opposite sides of the board, or touch all four; an auction decides who plays which."),
    designers=DESIGNERS,
)

ZIPLINE = replace(
    PIPLINE,
    key="zipline",
    title="Zipline",
    seats=range(2, 4),
    options=(_SIZE, _DRAW, _FREESTYLE, _GAP, ORDER),
    start=start_zipline,
    help=ZIPLINE_HELP,
    help_spoken=ZIPLINE_HELP,
    conditions=ZIPLINE_CONDITIONS,
    summary=phrase(
        "Join two opposite sides of the board with more stones, or touch all four with fewer; an auction decides who"
        " plays which."
    ),
)
