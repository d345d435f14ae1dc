"""Rendering of notices: each kind has three templates, filled with the values and sentences of a scene. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from html import unescape
from typing import Any

from pbem.commands import TIE
from pbem.mail import Notice
from pbem.match import Match, Player
from pbem.notices import sentences
from pbem.notices.board_block import NO_BOARD, RenderedBoard
from pbem.notices.scene import BOARD_PLACE, NoticeContent, Scene, choose_values, page_of
from pbem.notices.templates import Templates, load_templates
from pbem.notices.wrapping import wrap_safely
from pbem.paths import NO_ARCHIVE, Archive
from rules import ENGLISH, Language, Position, Seat

_UNSAID = re.compile(r"<head>(?:[^<]++|<(?!/head>))*+</head>|<blockquote.*?</blockquote>|<[^>]*>", re.DOTALL)
"""What is no word of ours in HTML that escapes everything else: tags, and quotations, which come back marked."""


def match_notice(
    kind: str,
    match: Match,
    viewer: Seat,
    content: NoticeContent,
    archive: Archive = NO_ARCHIVE,
    language: Language = ENGLISH,
    named: str = "",
) -> Notice:
    """Return the notice of ``kind`` for ``viewer``, with the board in the display that they prefer.

    Its templates are those ``named``, if they are not those of its kind.
    """
    scene = Scene(match, viewer, content, archive, language)
    templates = load_templates(named or kind, language)
    drawn = "board_html" in templates.names
    values = {name: make(scene) for name, make in choose_values(templates.names)}
    position = match.position if isinstance(match.to_act, int) else None
    board, known = (scene.board, scene.renderings.lines) if drawn else (NO_BOARD, None)
    notice = _fill_templates(templates, values, position, board, known, plain=scene.display == "plain")
    begins = drawn and scene.acting and bool(scene.renderings.first_cells)
    begun = sentences.describe_adding(language) if begins else ""
    notice = replace(notice, kind=kind, game=match.game.key, turn=scene.acting, begun=begun, offered=content.offered)
    return replace(notice, quotable=f"{notice.quotable}\n{begun}") if begun else notice


def plain_notice(kind: str, language: Language = ENGLISH, **scene: object) -> Notice:
    """Return a notice that belongs to no match."""
    return _fill_templates(load_templates(kind, language), scene, None)


def status_notice(
    matches: Sequence[Match],
    player: Player,
    now: datetime,
    vacation_days: int,
    archive: Archive = NO_ARCHIVE,
    feed_url: str = "",
    asides: tuple[str, ...] = (),
    language: Language = ENGLISH,
) -> Notice:
    """Return the notice about all running ``matches`` of ``player``, and what they have set about time.

    ``vacation_days`` are those of a year, ``feed_url`` is the address of the player's calendar feed, if there is one.
    """
    settings = sentences.describe_settings(player, now, vacation_days, feed_url, language)
    groups = sentences.group_matches(matches, player, now, language)
    notice = plain_notice(
        "status",
        language,
        you=player.name,
        groups=groups,
        more=sentences.count_more(matches, language, listed_elsewhere=bool(archive.url)),
        archive=archive.url,
        settings=settings,
        feed_url=feed_url,
        asides=asides,
        pages={match.id: page_of(match, archive) for match in matches},
    )
    return replace(notice, html="") if player.preferences.display == "plain" else notice


def kind_for(match: Match, viewer: Seat) -> str:
    """Return the kind of notice that tells ``viewer`` about a new entry of somebody else."""
    if match.outcome is not None:
        return "match_over"
    if match.to_act == viewer:
        return "your_turn"
    return "partner_turn" if match.to_act in match.partners(viewer) else "move_made"


def _fill_templates(
    templates: Templates,
    values: Mapping[str, Any],
    position: Position[Any] | None,
    board: RenderedBoard = NO_BOARD,
    known: dict[str, str] | None = None,
    *,
    plain: bool = False,
) -> Notice:
    """Return the notice that templates make of ``values``, with the ``board`` in HTML where they name it.

    ``plain``: the reader wants no HTML.
    """
    subject = " ".join(_remove_unprintable(templates.subject.render(values)).split())
    text = wrap_safely(_remove_unprintable(templates.text.render(values)), position, known)
    page = "" if plain else _remove_unprintable(templates.html.render(values, subject=subject))
    above, marker, below = page.partition(BOARD_PLACE)
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
