"""SnipSnip: both colours together close cells and capture, and mostly the smaller largest group wins."""

from rules.game import ORDER, Game, Option
from rules.games.snipsnip.boards import KEYS
from rules.games.snipsnip.help import DESIGNERS, HELP
from rules.games.snipsnip.position import start_snipsnip
from rules.phrase import phrase
from rules.text import spoken, verbatim_paragraphs, visual

SNIPSNIP = Game(
    key="snipsnip",
    title="SnipSnip",
    seats=range(2, 3),
    options=(
        Option("board", "equi-2-4", KEYS, "form and size; equi-3-5, hex-4-5 and equi-5-7 are larger"),
        Option("capture", "diagonal", ("diagonal", "between"), "how two stones have others in the middle"),
        Option("scoring", "groups", ("groups", "linked"), "linked: stones diagonal to each other count as connected"),
        Option("misere", True, (False, True), "the smaller largest group wins, and captures earn another turn"),
        Option("capture_sites", "new", ("new", "all"), "all: what stands beside your stone on any capture site can go"),
        ORDER,
    ),
    start=start_snipsnip,
    help=verbatim_paragraphs(visual(HELP)),
    help_spoken=verbatim_paragraphs(spoken(HELP)),
    example="d4",
    roles={"White": phrase("white, O"), "Black": phrase("black, X")},
    roles_spoken={"White": None, "Black": None},
    short={"board": "equi-2-4"},
    designers=DESIGNERS,
)
