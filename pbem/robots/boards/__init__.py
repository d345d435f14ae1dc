"""The one list of fast boards: a game without one is played by robots too, over its rules."""

from pbem.robots.board import Board
from pbem.robots.boards import pippinzip
from pbem.robots.boards.pipelines import PIPELINES
from pbem.robots.boards.pippip import PIPPIP
from pbem.robots.boards.snipsnip import SNIPSNIP

BOARDS: dict[str, Board] = {
    "pipline": pippinzip.PIPLINE,
    "zipline": pippinzip.ZIPLINE,
    "pippip": PIPPIP,
    "snipsnip": SNIPSNIP,
    "pipelines": PIPELINES,
}
