"""Pipelines: cubes grow from the homes of two or three players to the glass on a hexagonal board."""

from rules.game import ORDER, Game, Option
from rules.games.pipelines.course import ATTACK, DEFENCE, DIE, GLASS, LAYOUT, SPINNER
from rules.games.pipelines.help import CONDITIONS, DESIGNERS, HELP, HELP_SPOKEN
from rules.games.pipelines.position import start_pipelines
from rules.games.pipelines.texts import PASS, ROLES
from rules.games.pipelines.view import CUBES
from rules.phrase import mark, phrase

PIPELINES = Game(
    key="pipelines",
    title="Pipelines",
    seats=range(2, 4),
    options=(
        Option(
            "size",
            10,
            tuple(GLASS),
            mark("cells along each side: 7 with 9 pieces of glass, 8 with 15, 10 with 27"),
            words=mark("{value} cells along each side"),
        ),
        ORDER,
    ),
    start=start_pipelines,
    help=HELP,
    help_spoken=HELP_SPOKEN,
    conditions=CONDITIONS,
    example="d4",
    roles=dict(zip(ROLES, CUBES, strict=True)),
    roles_spoken=dict.fromkeys(ROLES),
    rolls=tuple(roll.what for roll in (LAYOUT, DIE, SPINNER, ATTACK, DEFENCE)),
    short={"size": 7},
    words={PASS: ("passe", "passen", "passer", "passo", "paso", "skip", "nothing")},
    designers=DESIGNERS,
    summary=phrase("Roll, build pipelines to pieces of glass, and fight for them."),
    version=2,
)
