"""Pipelines: cubes grow from the homes of two or three players to the glass on a hexagonal board."""

from rules.game import ORDER, Game, Option
from rules.games.pipelines.course import ATTACK, DEFENCE, DIE, GLASS, LAYOUT, SPINNER
from rules.games.pipelines.help import DESIGNERS, HELP
from rules.games.pipelines.position import start_pipelines
from rules.games.pipelines.texts import PASS, ROLES
from rules.phrase import verbatim
from rules.text import spoken, verbatim_paragraphs, visual

PIPELINES = Game(
    key="pipelines",
    title="Pipelines",
    seats=range(2, 4),
    options=(
        Option("size", 10, tuple(GLASS), "cells along each side: 7 with 9 glass pieces, 8 with 15, 10 with 27"),
        ORDER,
    ),
    start=start_pipelines,
    help=verbatim_paragraphs(visual(HELP)),
    help_spoken=verbatim_paragraphs(spoken(HELP)),
    example="d4",
    roles={
        role: verbatim(f"home {seat}, cubes {role[0].lower()}, glass {role[0]}") for seat, role in enumerate(ROLES, 1)
    },
    roles_spoken=dict.fromkeys(ROLES),
    rolls=tuple(roll.what for roll in (LAYOUT, DIE, SPINNER, ATTACK, DEFENCE)),
    short={"size": 7},
    words={PASS: ("passe", "passen", "passer", "passo", "paso", "skip", "nothing")},
    designers=DESIGNERS,
    version=2,
)
