"""Writes the emails that players get: a scene of sentences, put into the three templates of a kind of notice."""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template, select_autoescape
from markupsafe import Markup

from pbem.commands import TIE, help_rows
from pbem.mail import Notice
from pbem.match import DISPLAY_MEANINGS, Comment, Match, commitment, fingerprint
from pbem.notices import sentences
from pbem.notices.board_block import renderings_of
from pbem.notices.comments import comments_for, join_story
from pbem.notices.wrapping import wrap_safely
from pbem.paths import TEMPLATES, match_page
from rules import EXIT_WORDS, Position, Seat
from rules.text import listed

_BOARD = Markup("<!--board-->")
"""Where the board goes in HTML: it is long, and drawn from nothing that players write, so nobody need look it over."""

_INCLUDE = re.compile(r'{% include "([^"]+)" %}\n?')


@dataclass(frozen=True)
class NoticeContent:
    """What a notice tells besides the position: what came after ``before``, and the words of a message.

    ``asides`` and ``detail`` are sentences for the reader; ``quoted`` are lines of their own to show him again, as
    ``introduced``. ``meant`` and ``undone`` tell, of a message that was refused, what to write and what did not happen.
    ``asking``: the notice is a question, to which no move is the answer, so that no cell opens one.
    """

    before: Match
    comments: tuple[Comment, ...] = ()
    asides: tuple[str, ...] = ()
    detail: str = ""
    quoted: tuple[str, ...] = ()
    introduced: str = "You wrote:"
    meant: str = ""
    undone: str = ""
    asking: bool = False


def match_notice(kind: str, match: Match, viewer: Seat, told: NoticeContent, archive_url: str = "") -> Notice:
    """Return the notice ``kind`` for ``viewer``, about the match as it stands, with the board as he wants it."""
    position, display = match.position, match.players[viewer].preferences.display
    acting = match.to_act == viewer
    seen = renderings_of(position)
    shown = seen.shown(display, acting and not told.asking)
    brief = position.objective(viewer) if match.outcome is None else ""
    before = told.before.position
    happened, said = join_story(
        sentences.describe_events(told.before, match, viewer), comments_for(match, viewer, told.comments)
    )
    scene = {
        "you": match.name(viewer),
        "match": match,
        "number": match.moves_made + 1,
        "acting": acting,
        "happened": happened,
        "moved": any(
            entry.seat == viewer and entry.text not in EXIT_WORDS for entry in match.record[told.before.ply :]
        ),
        "said_by": listed(dict.fromkeys(match.name(comment.seat) for comment in told.comments)),
        "said": said,
        "actor": match.name(match.to_act) if isinstance(match.to_act, int) else "",
        "roles": sentences.describe_roles(match, viewer),
        "task_changed": brief and (position.roles() != before.roles() or brief != before.objective(viewer)),
        "turn": sentences.describe_turn(match, viewer),
        "lots": sentences.describe_rolls(match),
        "seal": commitment(match.secret) if match.possible_rolls else "",
        "secret": match.secret if match.possible_rolls and match.outcome else "",
        "waiting": sentences.describe_wait(match, viewer),
        "salt": match.seeds[viewer] if match.seeds else "",
        "drawn": any(entry.seat is None for entry in match.record),
        "mixed_in": sentences.describe_seeds(match, viewer),
        "unsalted": match.awaits_seeds and viewer in match.unseeded,
        "order": sentences.describe_order(match, viewer),
        "options": sentences.describe_options(match),
        "brief": brief,
        "result": sentences.describe_result(match, viewer),
        "board_text": shown.text,
        "board_html": _BOARD,
        "clickable": shown.links,
        "display": display,
        "displays": DISPLAY_MEANINGS,
        "help_rows": [row.clause for row in help_rows() if row.applies(match, viewer)] if kind == "help" else [],
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


def plain_notice(kind: str, **scene: object) -> Notice:
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
        wrap_safely(_printable(text.render(scene)), position, known),
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
    environment.globals.clear()  # not used, but copied for every email
    return environment


def _source(name: str) -> str:
    """Return a template with all that it includes in place: to look for that in every email takes long."""
    text = (TEMPLATES / "mail" / name).read_text("utf-8")
    return _INCLUDE.sub(lambda found: _source(found[1]), text)
