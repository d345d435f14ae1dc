"""A board view as text, as an HTML table for email and as a picture, in words that it is given; pure."""

from pbem.boards.geometry import find_chains
from pbem.boards.html import (
    NAME,
    HtmlWords,
    board_style,
    html_board,
    html_piece,
    html_words,
    is_cramped,
    without_links,
)
from pbem.boards.signs import (
    ASCII,
    BOTH,
    BRACKETS,
    DIAMOND,
    LAST,
    LINE,
    Signs,
    bracketed,
    is_closed,
    is_proposed,
    lettered,
    pictured,
    shaped,
)
from pbem.boards.small import SmallFilm, heat_board, small_board, small_boards, small_film
from pbem.boards.svg import PictureWords, sprite_key, svg_board
from pbem.boards.text import WIDTH, text_board

__all__ = [
    "ASCII",
    "BOTH",
    "BRACKETS",
    "DIAMOND",
    "LAST",
    "LINE",
    "NAME",
    "WIDTH",
    "HtmlWords",
    "PictureWords",
    "Signs",
    "SmallFilm",
    "board_style",
    "bracketed",
    "find_chains",
    "heat_board",
    "html_board",
    "html_piece",
    "html_words",
    "is_closed",
    "is_cramped",
    "is_proposed",
    "lettered",
    "pictured",
    "shaped",
    "small_board",
    "small_boards",
    "small_film",
    "sprite_key",
    "svg_board",
    "text_board",
    "without_links",
]
