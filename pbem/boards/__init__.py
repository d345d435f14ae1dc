"""Draws a board view as text, as an HTML table for mail and as an SVG picture for the archive."""

from pbem.boards.html import html_board
from pbem.boards.signs import lettered, marks_legend, picture_signs
from pbem.boards.svg import svg_board
from pbem.boards.text import WIDTH, text_board

__all__ = ["WIDTH", "html_board", "lettered", "marks_legend", "picture_signs", "svg_board", "text_board"]
