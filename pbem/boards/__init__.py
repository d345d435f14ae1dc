"""A board view as text, as an HTML table for email, as sentences to listen to, and as a picture; pure."""

from pbem.boards.html import html_board, html_legend, html_words, link_style
from pbem.boards.legend import ASCII, Signs, lettered, marks_legend, picture_signs, pictured
from pbem.boards.speech import Spoken, spoken_board
from pbem.boards.svg import svg_board
from pbem.boards.text import WIDTH, text_board

__all__ = [
    "ASCII",
    "WIDTH",
    "Signs",
    "Spoken",
    "html_board",
    "html_legend",
    "html_words",
    "lettered",
    "link_style",
    "marks_legend",
    "picture_signs",
    "pictured",
    "spoken_board",
    "svg_board",
    "text_board",
]
