"""Writes the mails that players get: a scene of sentences, put into the three templates of a kind of notice."""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template, select_autoescape
from markupsafe import Markup

from pbem import wording
from pbem.lines import safe_lines
from pbem.lots import commitment
from pbem.match import Match, Remark, fingerprint
from pbem.paths import TEMPLATES, match_page
from pbem.saying import said_to, story
from pbem.showing import TIE, sight
from pbem.wishes import MEANINGS, display_of
from rules import EXIT_WORDS, Position, Seat
from rules.text import listed

_BOARD = Markup("<!--board-->")
"""Where the board goes in HTML: it is long, and drawn from nothing that players write, so nobody need look it over."""

_INCLUDE = re.compile(r'{% include "([^"]+)" %}\n?')


@dataclass(frozen=True)
class Notice:
    """A finished mail, not yet addressed: ``subject`` on one line, ``text`` and ``html`` with the same content.

    ``html`` is empty for a reader who wants plain text alone; the links in it that begin with ``reply:`` are for
    whoever addresses the mail to complete. ``part`` tells several of a kind apart that answer the same letter.
    """

    kind: str
    subject: str
    text: str
    html: str
    part: str = ""


@dataclass(frozen=True)
class Told:
    """What a notice tells besides the position: what came after ``before``, and the words of a letter.

    ``asides`` and ``detail`` are sentences for the reader; ``quoted`` are lines of his own to show him again, as
    ``introduced``. ``meant`` and ``undone`` tell, of a letter that was refused, what to write and what did not happen.
    ``asking``: the notice is a question, to which no move is the answer, so that no cell opens one.
    """

    before: Match
    remarks: tuple[Remark, ...] = ()
    asides: tuple[str, ...] = ()
    detail: str = ""
    quoted: tuple[str, ...] = ()
    introduced: str = "You wrote:"
    meant: str = ""
    undone: str = ""
    asking: bool = False


def about_match(kind: str, match: Match, viewer: Seat, told: Told, archive_url: str = "") -> Notice:
    """Return the notice ``kind`` for ``viewer``, about the match as it stands, with the board as he wants it."""
    position, display = match.position, display_of(match, viewer)
    acting = match.to_act == viewer
    seen = sight(position)
    shown = seen.shown(display, acting and not told.asking)
    brief = position.objective(viewer) if match.outcome is None else ""
    before = told.before.position
    happened, said = story(wording.happened(told.before, match, viewer), said_to(match, viewer, told.remarks))
    scene = {
        "you": match.name(viewer),
        "match": match,
        "number": match.moves_made + 1,
        "acting": acting,
        "happened": happened,
        "moved": any(
            entry.seat == viewer and entry.text not in EXIT_WORDS for entry in match.record[told.before.ply :]
        ),
        "said_by": listed(dict.fromkeys(match.name(remark.seat) for remark in told.remarks)),
        "said": said,
        "actor": match.name(match.to_act) if isinstance(match.to_act, int) else "",
        "roles": wording.who_is_what(match, viewer),
        "task_changed": brief and (position.roles() != before.roles() or brief != before.objective(viewer)),
        "turn": wording.whose_turn(match, viewer),
        "lots": wording.lots_in_words(match),
        "seal": commitment(match.secret) if match.rolls else "",
        "secret": match.secret if match.rolls and match.outcome else "",
        "waiting": wording.when_lots_fall(match, viewer),
        "salt": match.salts[viewer] if match.salts else "",
        "drawn": any(entry.seat is None for entry in match.record),
        "mixed_in": wording.mixed_in(match, viewer),
        "unsalted": match.awaits_salts and viewer in match.unsalted,
        "order": wording.order_of_turns(match, viewer),
        "options": wording.options_in_words(match),
        "brief": brief,
        "result": wording.result(match, viewer),
        "board_text": shown.text,
        "board_html": _BOARD,
        "clickable": shown.links,
        "display": display,
        "displays": MEANINGS,
        "prompt": position.prompt() if acting else None,
        "partners": listed(match.name(seat) for seat in sorted(match.partners(viewer))),
        "fingerprint": fingerprint(match),
        "asides": told.asides,
        "detail": told.detail,
        "quoted": told.quoted,
        "introduced": told.introduced,
        "meant": told.meant,
        "undone": told.undone,
        "archive": f"{archive_url.rstrip('/')}/{match_page(match.id)}" if archive_url else "",
    }
    made = _render(kind, scene, position if isinstance(match.to_act, int) else None, seen.lines)
    return replace(made, html=made.html.replace(_BOARD, shown.html, 1))


def about_nothing(kind: str, **scene: object) -> Notice:
    """Return a notice that belongs to no match."""
    return _render(kind, scene, None)


def kind_for(match: Match, viewer: Seat) -> str | None:
    """Return the kind of notice that tells ``viewer`` of an entry just made; None for one who has left."""
    if match.outcome is not None:
        return "match_over"
    if viewer in match.position.departed():
        return None
    if match.to_act == viewer:
        return "your_turn"
    mine = match.position.side(viewer)
    return "partner_turn" if len(mine) > 1 and match.to_act in mine else "move_made"


def _render(
    kind: str,
    scene: dict[str, Any],
    position: Position[Any] | None,
    known: dict[str, str] | None = None,
) -> Notice:
    """Fill the three templates of ``kind``."""
    subject, text, html = _templates(kind)
    return Notice(
        kind,
        " ".join(_printable(subject.render(scene)).split()),
        safe_lines(_printable(text.render(scene)), position, known),
        "" if scene.get("display") == "plain" else _printable(html.render(scene)),
    )


def _printable(text: str) -> str:
    """Return ``text`` without characters that only steer how others are shown."""
    if text.replace("\n", "").replace(TIE, "").isprintable():
        return text
    odd = {char for char in set(text) if not char.isprintable()} - {"\n", TIE}
    return text.translate({ord(char): " " if char.isspace() else None for char in odd})


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
    environment = Environment(
        loader=FunctionLoader(_source),
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.globals.clear()  # not used, but copied for every mail
    return environment


def _source(name: str) -> str:
    """Return a template with all that it includes in place: to look for that in every mail takes long."""
    text = (TEMPLATES / "mail" / name).read_text("utf-8")
    return _INCLUDE.sub(lambda found: _source(found[1]), text)
