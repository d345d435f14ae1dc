"""Positions that an email shows beside that of its match: earlier ones, and what moves would lead to. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from markupsafe import Markup

from pbem.commands.effects import Sketch
from pbem.match.match import Match
from pbem.match.preferences import Display
from pbem.notices.board_block import RenderedBoard, renderings_of
from pbem.notices.sentences.match import describe_result, describe_turn, describe_winners
from pbem.notices.sentences.reasons import say
from pbem.notices.sentences.story import describe_events
from rules.phrase import Language, phrase
from rules.position import Seat

_MOST_COLOURED = 2
"""So many boards are drawn in HTML; more of them stand there as text, since email programs cut what is long."""

_QUOTED = 58  # columns of a title that is the reader's own

_AS_TEXT = 'tabindex="0" style="font:12px/1.2 Consolas,Menlo,monospace;margin:0 0 10px;overflow-x:auto"'


@dataclass(frozen=True, slots=True)
class DrawnSketch:
    """A sketch as one reader sees it: ``told`` is what happened, and whose turn it is then; with the board below.

    ``options`` are whole answers that could be given then, each with its effect, below their ``heading``. ``lines`` are
    those of the board, none of which reads as a command, as they are wrapped. ``style`` is for the board in HTML.
    """

    title: str
    told: str
    text: str
    html: Markup
    legend_text: str
    legend_html: Markup
    heading: str
    options: tuple[tuple[str, str], ...]
    lines: Mapping[str, str]
    style: str

    @property
    def quoted(self) -> list[str]:
        """The title in rows with quote marks: it is the reader's own, and may be written again."""
        return [f"> {row}" for row in wrap(self.title, _QUOTED)]


def draw_sketches(sketches: Sequence[Sketch], viewer: Seat, display: Display, language: Language) -> list[DrawnSketch]:
    """Return ``sketches`` as ``viewer`` sees them; the last one explains the board."""
    coloured = len(sketches) <= _MOST_COLOURED
    return [
        _draw(sketch, viewer, display, language, coloured=coloured, explained=sketch is sketches[-1])
        for sketch in sketches
    ]


def _draw(
    sketch: Sketch, viewer: Seat, display: Display, language: Language, *, coloured: bool, explained: bool
) -> DrawnSketch:
    """Return one sketch as ``viewer`` sees it."""
    match = sketch.match
    renderings = renderings_of(match.position, language)
    board = renderings.render(display, acting=False)
    told = describe_events(sketch.before, match, viewer, language)
    told = [*told, *([] if sketch.past else _tell_turn(match, viewer, language))]
    heading, options = _list_options(match, viewer, language) if sketch.suggests else ("", ())
    return DrawnSketch(
        say(sketch.title, language),
        " ".join([*told, *board.standing]),
        board.text,
        Markup(_html_of(board, coloured=coloured or display == "speech")),
        board.legend_text if explained else "",
        Markup(_legend_of(board, coloured=coloured) if explained else ""),
        heading,
        options,
        dict(renderings.lines),
        board.style,
    )


def _html_of(board: RenderedBoard, *, coloured: bool) -> str:
    """Return a board in HTML: the table, or its text as it is; one page may hold several."""
    if coloured and board.html:
        return board.html.replace(' id="board"', "", 1)
    return f"<pre {_AS_TEXT}>{escape(board.text)}</pre>\n"


def _legend_of(board: RenderedBoard, *, coloured: bool) -> str:
    """Return what explains a board in HTML, which shows its text unless it is ``coloured``."""
    if coloured or not board.legend_text:
        return board.legend_html
    return f'<p style="font-size:13px;margin:6px 0">{escape(board.legend_text.strip())}</p>\n'


def _tell_turn(match: Match, viewer: Seat, language: Language) -> list[str]:
    """Return whose turn it is, or who has won and how."""
    if match.outcome is None:
        return [describe_turn(match, viewer, language)]
    return [
        describe_winners(match, viewer, language),
        describe_result(match, viewer, language),
    ]


def _list_options(match: Match, viewer: Seat, language: Language) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return some answers that whoever is to act could give, with their effects, and what stands above them."""
    seat = match.to_act
    if not isinstance(seat, int):
        return "", ()
    choices = match.position.suggestions()
    found = tuple((choice.move, choice.effect.said(language) if choice.effect else "") for choice in choices)
    if not found:
        return "", ()
    own = phrase("Then you could play, for example:")
    other = phrase("Then {name} could play, for example:", name=match.name(seat))
    return (own if seat == viewer else other).said(language), found
