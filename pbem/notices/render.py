"""Rendering of notices: each kind has three templates, filled with the values and sentences of a scene. Pure."""

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
from pbem.notices.wrapping import wrap_safely
from pbem.paths import TEMPLATES, match_page
from rules import EXIT_WORDS, Position, Seat
from rules.text import listed

_BOARD = Markup("<!--board-->")
"""Stands for the board in HTML, which is inserted last: it is long and holds nothing that players write."""

_INCLUDE = re.compile(r'{% include "([^"]+)" %}\n?')


@dataclass(frozen=True)
class NoticeContent:
    """What a notice says besides the position: the entries after ``before``, comments, and sentences for the reader.

    ``quoted`` are lines of a message, below the words ``introduced``. For a rejected message ``meant`` says what to
    write, and ``undone`` what did not happen. ``asking``: a move is no answer to the notice, so the board has no links.
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


def match_notice(kind: str, match: Match, viewer: Seat, content: NoticeContent, archive_url: str = "") -> Notice:
    """Return the notice of ``kind`` for ``viewer``, with the board in the display that they prefer."""
    position, display = match.position, match.players[viewer].preferences.display
    acting = match.to_act == viewer
    renderings = renderings_of(position)
    board = renderings.render(display, acting=acting and not content.asking)
    brief = position.objective(viewer) if match.outcome is None else ""
    before = content.before.position
    events, comments = sentences.join_story(
        sentences.describe_events(content.before, match, viewer),
        sentences.comments_for(match, viewer, content.comments),
    )
    new_entries = match.record[content.before.ply :]
    scene = {
        "you": match.name(viewer),
        "match": match,
        "number": match.moves_made + 1,
        "acting": acting,
        "events": events,
        "moved": any(entry.seat == viewer and entry.text not in EXIT_WORDS for entry in new_entries),
        "commenters": listed(dict.fromkeys(match.name(comment.seat) for comment in content.comments)),
        "comments": comments,
        "actor": match.name(match.to_act) if isinstance(match.to_act, int) else "",
        "roles": sentences.describe_roles(match, viewer),
        "task_changed": brief and (position.roles() != before.roles() or brief != before.objective(viewer)),
        "turn": sentences.describe_turn(match, viewer),
        "rolls": sentences.describe_rolls(match),
        "commitment": commitment(match.secret) if match.possible_rolls else "",
        "secret": match.secret if match.possible_rolls and match.outcome else "",
        "waiting": sentences.describe_wait(match, viewer),
        "seed": match.seeds[viewer] if match.seeds else "",
        "rolled": any(entry.seat is None for entry in match.record),
        "seeds": sentences.describe_seeds(match, viewer),
        "unseeded": match.awaits_seeds and viewer in match.unseeded,
        "order": sentences.describe_order(match, viewer),
        "options": sentences.describe_options(match),
        "brief": brief,
        "result": sentences.describe_result(match, viewer),
        "board_text": board.text,
        "board_html": _BOARD,
        "clickable": board.links,
        "display": display,
        "displays": DISPLAY_MEANINGS,
        "help_rows": [row.clause for row in help_rows() if row.applies(match, viewer)] if kind == "help" else [],
        "prompt": position.prompt() if acting else None,
        "partners": listed(match.name(seat) for seat in sorted(match.partners(viewer))),
        "fingerprint": fingerprint(match),
        "asides": content.asides,
        "detail": content.detail,
        "quoted": content.quoted,
        "introduced": content.introduced,
        "meant": content.meant,
        "undone": content.undone,
        "archive": f"{archive_url.rstrip('/')}/{match_page(match.id)}" if archive_url else "",
    }
    notice = _fill_templates(kind, scene, position if isinstance(match.to_act, int) else None, renderings.lines)
    return replace(notice, html=notice.html.replace(_BOARD, board.html, 1))


def plain_notice(kind: str, **scene: object) -> Notice:
    """Return a notice that belongs to no match."""
    return _fill_templates(kind, scene, None)


def kind_for(match: Match, viewer: Seat) -> str | None:
    """Return the kind of notice that tells ``viewer`` about a new entry; None for a player who has left."""
    if match.outcome is not None:
        return "match_over"
    if viewer in match.position.departed():
        return None
    if match.to_act == viewer:
        return "your_turn"
    side = match.position.side(viewer)
    return "partner_turn" if len(side) > 1 and match.to_act in side else "move_made"


def _fill_templates(
    kind: str,
    scene: dict[str, Any],
    position: Position[Any] | None,
    known: dict[str, str] | None = None,
) -> Notice:
    """Return the notice that the three templates of ``kind`` make of ``scene``."""
    subject, text, html = _load_templates(kind)
    return Notice(
        kind,
        " ".join(_remove_unprintable(subject.render(scene)).split()),
        wrap_safely(_remove_unprintable(text.render(scene)), position, known),
        "" if scene.get("display") == "plain" else _remove_unprintable(html.render(scene)),
    )


def _remove_unprintable(text: str) -> str:
    """Return ``text`` without unprintable characters, such as controls; of them only line feeds and ties stay."""
    if text.replace("\n", "").replace(TIE, "").isprintable():
        return text
    unprintable = {char for char in set(text) if not char.isprintable()} - {"\n", TIE}
    return text.translate({ord(char): " " if char.isspace() else None for char in unprintable})


@cache
def _load_templates(kind: str) -> tuple[Template, Template, Template]:
    """Return the templates of ``kind``: subject, text and HTML."""
    environment = _make_environment()
    names = ("subject.txt", "body.txt", "body.html")
    subject, text, html = (environment.get_template(f"{kind}/{name}") for name in names)
    return subject, text, html


@cache
def _make_environment() -> Environment:
    """Return the environment of the templates: strict about names, with escaping in HTML."""
    environment = Environment(
        loader=FunctionLoader(_read_template),
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.globals.clear()  # templates use none, but jinja copies them for every email
    return environment


def _read_template(name: str) -> str:
    """Return the text of a template with its includes inlined: jinja would look them up for every email."""
    text = (TEMPLATES / "mail" / name).read_text("utf-8")
    return _INCLUDE.sub(lambda found: _read_template(found[1]), text)
