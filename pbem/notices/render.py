"""Rendering of notices: each kind has three templates, filled with the values and sentences of a scene. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from html import unescape
from typing import Any, NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template, select_autoescape
from jinja2.meta import find_referenced_templates, find_undeclared_variables
from markupsafe import Markup

from pbem.commands import TIE, help_rows
from pbem.mail import ANSWER_LINK, Notice
from pbem.match import DISPLAY_MEANINGS, Comment, Display, Match, commitment, fingerprint
from pbem.notices import sentences
from pbem.notices.board_block import NO_BOARD, BoardRenderings, RenderedBoard, renderings_of
from pbem.notices.wrapping import wrap_safely
from pbem.paths import TEMPLATES, match_page
from rules import EXIT_WORDS, Objective, Position, Seat
from rules.text import listed

_BOARD = Markup("<!--board-->")
"""Stands for the board in HTML, which is inserted last: it is long and holds nothing that players write."""

_INCLUDE = re.compile(r'{% include "([^"]+)" %}\n?')


_UNSAID = re.compile(r"<head>.*?</head>|<blockquote.*?</blockquote>|<[^>]*>", re.DOTALL)
"""What is no word of ours in HTML that escapes everything else: tags, and quotations, which come back marked."""


class _Templates(NamedTuple):
    """The templates of a kind, and the ``names`` of the values about a match that they ask for."""

    kind: str
    subject: Template
    text: Template
    html: Template
    names: frozenset[str]


@dataclass(frozen=True)
class NoticeContent:
    """What a notice says besides the position: the entries after ``before``, comments, and sentences for the reader.

    ``quoted`` are lines of a message, below the words ``introduced``. For a rejected message ``meant`` says what to
    write, and ``undone`` what did not happen. ``asking``: a move is no answer to the notice, so the board has no links.
    ``key`` is the public key of the host.
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
    key: str = ""


@dataclass(frozen=True, eq=False)
class _Scene:
    """What templates may name in a notice about ``match`` for ``viewer``: a value is made when one names it."""

    match: Match
    viewer: Seat
    content: NoticeContent
    archive_url: str

    @cached_property
    def board(self) -> RenderedBoard:
        """The board as the reader wants it; where a move is no answer to the notice, it has no links."""
        return self.renderings.render(self.display, acting=self.acting and not self.content.asking)

    @cached_property
    def renderings(self) -> BoardRenderings:
        """The position as it is drawn for all its readers."""
        return renderings_of(self.match.position)

    @cached_property
    def story(self) -> tuple[list[str], sentences.QuotedComments]:
        """What happened, and what was said."""
        return sentences.join_story(
            sentences.describe_events(self.content.before, self.match, self.viewer),
            sentences.comments_for(self.match, self.viewer, self.content.comments),
        )

    @cached_property
    def objective(self) -> Objective:
        """What the reader has to do."""
        return self.match.position.objective(self.viewer)

    @cached_property
    def brief(self) -> str:
        """The reader's goal, while the match goes on."""
        return str(self.objective.goal) if self.match.outcome is None else ""

    @property
    def task_changed(self) -> bool:
        """Whether the reader's goal, or anybody's role, is another one than before."""
        position, before = self.match.position, self.content.before.position
        return bool(self.brief) and (
            position.roles() != before.roles() or self.objective != before.objective(self.viewer)
        )

    @property
    def moved(self) -> bool:
        """Whether the reader has just made a move."""
        new_entries = self.match.record[self.content.before.ply :]
        return any(entry.seat == self.viewer and entry.text not in EXIT_WORDS for entry in new_entries)

    @property
    def acting(self) -> bool:
        """Whether it is the reader's turn."""
        return self.match.to_act == self.viewer

    @property
    def display(self) -> Display:
        """How the reader wants boards drawn."""
        return self.match.players[self.viewer].preferences.display


def _name_commenters(scene: _Scene) -> str:
    """Return who said something."""
    return listed(dict.fromkeys(scene.match.name(comment.seat) for comment in scene.content.comments))


def _name_actor(scene: _Scene) -> str:
    """Return whose turn it is, if it is anybody's."""
    return scene.match.name(scene.match.to_act) if isinstance(scene.match.to_act, int) else ""


def _name_partners(scene: _Scene) -> str:
    """Return who is on the reader's side."""
    return listed(scene.match.name(seat) for seat in sorted(scene.match.partners(scene.viewer)))


def _list_help(scene: _Scene) -> list[str]:
    """Return what the reader can write."""
    return [str(sentences.explain_row(row)) for row in help_rows() if row.applies(scene.match, scene.viewer)]


def _locate_page(scene: _Scene) -> str:
    """Return the address of the match in the archive, if there is one."""
    return f"{scene.archive_url.rstrip('/')}/{match_page(scene.match.id)}" if scene.archive_url else ""


_VALUES: dict[str, Callable[[_Scene], object]] = {
    "you": lambda scene: scene.match.name(scene.viewer),
    "match": lambda scene: scene.match,
    "number": lambda scene: scene.match.moves_made + 1,
    "acting": lambda scene: scene.acting,
    "events": lambda scene: scene.story[0],
    "moved": lambda scene: scene.moved,
    "commenters": _name_commenters,
    "comments": lambda scene: scene.story[1],
    "actor": _name_actor,
    "roles": lambda scene: sentences.describe_roles(scene.match, scene.viewer),
    "task_changed": lambda scene: scene.task_changed,
    "turn": lambda scene: sentences.describe_turn(scene.match, scene.viewer),
    "rolls": lambda scene: listed(scene.match.possible_rolls),
    "commitment": lambda scene: commitment(scene.match.secret) if scene.match.possible_rolls else "",
    "secret": lambda scene: scene.match.secret if scene.match.possible_rolls and scene.match.outcome else "",
    "waiting": lambda scene: sentences.describe_wait(scene.match, scene.viewer),
    "seed": lambda scene: scene.match.seeds[scene.viewer] if scene.match.seeds else "",
    "rolled": lambda scene: any(entry.seat is None for entry in scene.match.record),
    "seeds": lambda scene: sentences.describe_seeds(scene.match, scene.viewer),
    "unseeded": lambda scene: scene.match.awaits_seeds and scene.viewer in scene.match.unseeded,
    "order": lambda scene: sentences.describe_order(scene.match, scene.viewer),
    "options": lambda scene: sentences.describe_options(scene.match),
    "brief": lambda scene: scene.brief,
    "result": lambda scene: sentences.describe_result(scene.match, scene.viewer),
    "board_text": lambda scene: scene.board.text,
    "board_html": lambda scene: _BOARD,
    "board_style": lambda scene: Markup(scene.board.style),
    "board_links": lambda scene: ANSWER_LINK in scene.board.html,
    "legend_text": lambda scene: scene.board.legend_text,
    "legend_html": lambda scene: Markup(scene.board.legend_html),  # which escapes what it holds
    "standing": lambda scene: scene.board.standing,
    "display": lambda scene: scene.display,
    "displays": lambda scene: DISPLAY_MEANINGS,
    "help_rows": _list_help,
    "prompt": lambda scene: scene.renderings.prompt if scene.acting else None,
    "partners": _name_partners,
    "fingerprint": lambda scene: fingerprint(scene.match),
    "asides": lambda scene: scene.content.asides,
    "detail": lambda scene: scene.content.detail,
    "quoted": lambda scene: scene.content.quoted,
    "introduced": lambda scene: scene.content.introduced,
    "meant": lambda scene: scene.content.meant,
    "undone": lambda scene: scene.content.undone,
    "key": lambda scene: scene.content.key,
    "archive": _locate_page,
}
"""The values that templates about a match name."""


def match_notice(kind: str, match: Match, viewer: Seat, content: NoticeContent, archive_url: str = "") -> Notice:
    """Return the notice of ``kind`` for ``viewer``, with the board in the display that they prefer."""
    scene = _Scene(match, viewer, content, archive_url)
    templates = _load_templates(kind)
    values = {name: _VALUES[name](scene) for name in templates.names}
    position = match.position if isinstance(match.to_act, int) else None
    return _fill_templates(templates, values, position, scene.board, scene.renderings.lines)


def plain_notice(kind: str, **scene: object) -> Notice:
    """Return a notice that belongs to no match."""
    return _fill_templates(_load_templates(kind), scene, None)


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
    templates: _Templates,
    values: Mapping[str, Any],
    position: Position[Any] | None,
    board: RenderedBoard = NO_BOARD,
    known: dict[str, str] | None = None,
) -> Notice:
    """Return the notice that templates make of ``values``, with the ``board`` in HTML where they name it."""
    text = wrap_safely(_remove_unprintable(templates.text.render(values)), position, known)
    page = "" if values.get("display") == "plain" else _remove_unprintable(templates.html.render(values))
    above, marker, below = page.partition(_BOARD)
    subject = " ".join(_remove_unprintable(templates.subject.render(values)).split())
    quotable = [_without_quotation(text), _words_in(above), board.words if marker else "", _words_in(below)]
    html = above + board.html + below if marker else page
    return Notice(templates.kind, subject, text, html, quotable="\n".join(filter(None, quotable)))


def _without_quotation(text: str) -> str:
    """Return ``text`` without the lines that quote its reader, who may write the same again."""
    if ">" not in text:
        return text
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(">"))


def _words_in(html: str) -> str:
    """Return HTML of ours without its tags, its head, and what it quotes."""
    return unescape(_UNSAID.sub(" ", html)).strip()


def _remove_unprintable(text: str) -> str:
    """Return ``text`` without unprintable characters, such as controls; of them only line feeds and ties stay."""
    if text.replace("\n", "").replace(TIE, "").isprintable():
        return text
    unprintable = {char for char in set(text) if not char.isprintable()} - {"\n", TIE}
    return text.translate({ord(char): " " if char.isspace() else None for char in unprintable})


@cache
def _load_templates(kind: str) -> _Templates:
    """Return the templates of ``kind``."""
    environment = _make_environment()
    paths = [f"{kind}/{name}" for name in ("subject.txt", "body.txt", "body.html")]
    subject, text, html = map(environment.get_template, paths)
    names = frozenset(name for path in paths for name in _find_names(path))
    return _Templates(kind, subject, text, html, names & _VALUES.keys())


def _find_names(path: str) -> Iterator[str]:
    """Yield the names of the values that a template, or one that it extends, may ask for."""
    tree = _make_environment().parse(_read_template(path))
    yield from find_undeclared_variables(tree)
    for extended in find_referenced_templates(tree):
        assert extended is not None  # no template chooses another by a value
        yield from _find_names(extended)


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
