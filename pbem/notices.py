"""Writes the mails that players get: a scene of sentences, put into the three templates of a kind of notice."""

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, select_autoescape
from markupsafe import Markup

from pbem import wording
from pbem.boards import html_board, text_board
from pbem.commands import Line, read_commands
from pbem.lots import commitment
from pbem.match import Match, Remark, fingerprint
from pbem.paths import TEMPLATES, match_page
from rules import LEAVING, BoardView, RulesError, Seat
from rules.core import Position
from rules.prose import listed

WIDTH = 64
"""Columns of running text: what is longer, mail programs wrap and then quote without a mark."""

TIE = "\N{NO-BREAK SPACE}"
"""Written in templates where a line must not break; a plain space in the finished text."""


@dataclass(frozen=True)
class Notice:
    """A finished mail, not yet addressed: ``subject`` on one line, ``text`` and ``html`` with the same content."""

    kind: str
    subject: str
    text: str
    html: str


@dataclass(frozen=True)
class Told:
    """What a notice tells besides the position: what came after ``before``, and the words of a letter.

    ``asides`` and ``detail`` are sentences for the reader; ``quoted`` are lines of his own to show him again, as
    ``introduced``.
    """

    before: Match
    remarks: tuple[Remark, ...] = ()
    asides: tuple[str, ...] = ()
    detail: str = ""
    quoted: tuple[str, ...] = ()
    introduced: str = "You wrote:"


def about_match(kind: str, match: Match, viewer: Seat, told: Told, archive_url: str = "") -> Notice:
    """Return the notice ``kind`` for ``viewer``, about the match as it stands."""
    position = match.position
    view = position.view()
    acting = match.to_act == viewer
    brief = position.brief(viewer) if match.outcome is None else ""
    before = told.before.position
    happened, said = _story(wording.happened(told.before, match, viewer), _said(match, viewer, told.remarks))
    scene = {
        "you": match.name(viewer),
        "match": match,
        "number": match.moves_made + 1,
        "acting": acting,
        "happened": happened,
        "moved": any(entry.seat == viewer and entry.text not in LEAVING for entry in match.record[told.before.ply :]),
        "said_by": listed(dict.fromkeys(match.name(remark.seat) for remark in told.remarks)),
        "said": said,
        "actor": match.name(match.to_act) if isinstance(match.to_act, int) else "",
        "roles": wording.who_is_what(match, viewer),
        "task_changed": brief and (position.roles() != before.roles() or brief != before.brief(viewer)),
        "turn": wording.whose_turn(match, viewer),
        "lots": wording.lots_in_words(match),
        "seal": commitment(match.secret) if match.game.lots else "",
        "secret": match.secret if match.game.lots and match.outcome else "",
        "waiting": wording.when_lots_fall(match, viewer),
        "salt": match.salts[viewer] if match.salts else "",
        "unsalted": match.awaits_salts and viewer in match.unsalted,
        "order": wording.order_of_turns(match, viewer),
        "options": wording.options_in_words(match),
        "brief": brief,
        "result": wording.result(match, viewer),
        "board_text": _board_text(view),
        "drawing": text_board(replace(view, captions=(), standing=())),
        "board_html": Markup(html_board(view)),
        "prompt": position.prompt() if acting else None,
        "partners": listed(match.name(seat) for seat in sorted(match.partners(viewer))),
        "fingerprint": fingerprint(match),
        "asides": told.asides,
        "detail": told.detail,
        "quoted": told.quoted,
        "introduced": told.introduced,
        "archive": f"{archive_url.rstrip('/')}/{match_page(match.id)}" if archive_url else "",
    }
    return _render(kind, scene, position if isinstance(match.to_act, int) else None)


def about_nothing(kind: str, **scene: object) -> Notice:
    """Return a notice that belongs to no match."""
    return _render(kind, scene, None)


def kind_for(match: Match, viewer: Seat) -> str | None:
    """Return the kind of notice that tells ``viewer`` of an entry just made; None for one who has left."""
    if match.outcome is not None:
        return "match_over"
    if viewer in match.position.left():
        return None
    if match.to_act == viewer:
        return "your_turn"
    mine = match.position.side(viewer)
    return "partner_turn" if len(mine) > 1 and match.to_act in mine else "move_made"


def safe_lines(text: str, position: Position[Any] | None, board: frozenset[str] = frozenset()) -> str:
    """Wrap running text, leave lines that begin with a space alone, and mark any line that reads as a command.

    A reply may carry our own lines without any mark, so none of them may be something we would carry out. The
    lines of ``board`` are known not to.
    """
    lines: list[str] = []
    for line in text.split("\n"):
        lines += [line.rstrip()] if line.startswith((" ", TIE)) or not line else _wrapped(line)
    marked = (
        "· " + line.lstrip() if line not in board and reads_as_command(line, position) else line for line in lines
    )
    finished = "\n".join(marked).replace(TIE, " ").strip("\n") + "\n"
    return re.sub(r"\n{3,}", "\n\n", finished)


def reads_as_command(line: str, position: Position[Any] | None) -> bool:
    """Tell whether a letter that consists of ``line`` alone would be carried out, or be taken for a move."""
    plain = line.replace(TIE, " ").strip()
    for command in read_commands([plain] if plain else []):
        if not isinstance(command, Line):
            return True
        if position is None:
            continue
        try:
            position.parse(command.text)
        except RulesError:
            continue
        return True
    return False


def _board_text(view: BoardView) -> str:
    """Return the text board, and below it what its signs mean, as the page has it too, and the captions."""
    signs = [f"{piece.symbol}{TIE}{piece.name}" for piece in view.pieces]
    if set[str]().union(*(cell.marks for cell in view.cells)) == {"last"}:
        signs.append(f"({TIE}){TIE}the last move")  # a board with a winning line says this itself
    return "\n".join([text_board(replace(view, captions=())), " ".join([", ".join(signs) + ".", *view.captions]), ""])


def _wrapped(paragraph: str) -> list[str]:
    """Return ``paragraph`` in lines of at most WIDTH columns."""
    return textwrap.wrap(paragraph, WIDTH, break_long_words=False, break_on_hyphens=False) or [""]


def _said(match: Match, viewer: Seat, remarks: Iterable[Remark]) -> list[tuple[str, list[str]]]:
    """Return an introduction and the lines of each remark that ``viewer`` may read."""
    return [
        (
            wording.introduction(match, remark, viewer),
            # His own words are marked as what they are, so that he can write them again.
            [f"> {line}" for line in _folded(remark.text)] if remark.seat == viewer else _quotation(remark.text),
        )
        for remark in remarks
        if wording.may_read(match, viewer, remark)
    ]


def _story(happened: list[str], said: list[tuple[str, list[str]]]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Join the last thing that happened with the first words, where both are the same person's."""
    name, wrote, nothing = said[0][0].partition(" wrote:") if said else ("", "", "")
    if wrote and not nothing and happened and happened[-1].startswith(f"{name} "):
        happened = [*happened[:-1], f"{happened[-1].removesuffix('.')} and wrote:"]
        said = [("", said[0][1]), *said[1:]]
    return happened, said


def _quotation(words: str) -> list[str]:
    """Return somebody's words as lines to be indented, in quotation marks."""
    lines = _folded(words)
    lines[0] = "“" + lines[0]
    lines[-1] += "”"
    return lines


def _folded(words: str) -> list[str]:
    """Return somebody's words in short lines."""
    return [part for line in words.split("\n") for part in textwrap.wrap(line, WIDTH - 6) or [""]]


def _render(kind: str, scene: dict[str, Any], position: Position[Any] | None) -> Notice:
    """Fill the three templates of ``kind``."""
    subject, text, html = _templates(kind)
    return Notice(
        kind,
        " ".join(_printable(subject.render(scene)).split()),
        safe_lines(_printable(text.render(scene)), position, frozenset(scene.get("drawing", "").splitlines())),
        _printable(html.render(scene)),
    )


def _printable(text: str) -> str:
    """Return ``text`` without characters that only steer how others are shown."""
    if odd := {char for char in set(text) if not char.isprintable()} - {"\n", TIE}:
        text = text.translate({ord(char): " " if char.isspace() else None for char in odd})
    return text


@cache
def _templates(kind: str) -> tuple[Template, Template, Template]:
    """Return subject, text and HTML templates of ``kind``."""
    environment = _environment()
    names = ("subject.txt", "body.txt", "body.html")
    subject, text, html = (environment.get_template(f"{kind}/{name}") for name in names)
    return subject, text, html


@cache
def _environment() -> Environment:
    """Return the templates' environment: strict about names, escaping in HTML."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES / "mail"),
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
