"""SnipSnip: both colours together close cells and capture, and mostly the smaller largest group wins."""

from rules.game import ORDER, Game, Option
from rules.games.snipsnip.boards import KEYS
from rules.games.snipsnip.help import CONDITIONS, DESIGNERS, HELP
from rules.games.snipsnip.position import BLACK, WHITE, start_snipsnip
from rules.phrase import mark, phrase

SNIPSNIP = Game(
    key="snipsnip",
    title="SnipSnip",
    seats=range(2, 3),
    options=(
        Option("board", "equi-2-4", KEYS, mark("form and size; equi-3-5, hex-4-5 and equi-5-7 are larger")),
        Option(
            "capture",
            "diagonal",
            ("diagonal", "between"),
            mark("which two stones capture what is in the middle of them"),
        ),
        Option(
            "scoring", "groups", ("groups", "linked"), mark("linked: stones diagonal to each other count as connected")
        ),
        Option(
            "misere", True, (False, True), mark("the smaller largest group wins, and a capture brings another turn")
        ),
        Option(
            "capture_sites", "new", ("new", "all"), mark("all: your stone captures next to it on every capture site")
        ),
        ORDER,
    ),
    start=start_snipsnip,
    help=HELP,
    help_spoken=HELP,
    conditions=CONDITIONS,
    example="d4",
    roles={"White": WHITE, "Black": BLACK},
    roles_spoken={"White": None, "Black": None},
    short={"board": "equi-2-4"},
    designers=DESIGNERS,
    summary=phrase("Place stones and cut others off: in the end the smaller largest group wins."),
)
