"""Rendering of notices: each kind has three templates, filled with the values and sentences of a scene. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from html import unescape
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from pbem.clubs.ratings import Change
from pbem.log.redaction import without_domains
from pbem.mail.archive_paths import NO_ARCHIVE, Archive
from pbem.mail.compose import Notice
from pbem.match.match import Comment, Match
from pbem.match.player import Player
from pbem.notices.board_block import NO_BOARD, RenderedBoard, renderings_of
from pbem.notices.scene import BOARD_PLACE, STORY_ROOM, NoticeContent, Scene, page_of, tells_end
from pbem.notices.scene_values import choose_values
from pbem.notices.sentences import match as sentences
from pbem.notices.sentences.ratings import describe_change
from pbem.notices.sentences.status import count_more, describe_settings, list_matches, say_zone
from pbem.notices.sentences.story import tell_story
from pbem.notices.templates import Templates, load_templates
from pbem.notices.wrapping import wrap_safely
from pbem.reading.move_phrases import TIE
from rules.phrase import ENGLISH, Language, listed
from rules.position import Position, Seat

_UNSAID = re.compile(r"<head>(?:[^<]++|<(?!/head>))*+</head>|<blockquote.*?</blockquote>|<[^>]*>", re.DOTALL)
"""What is no word of ours in HTML that escapes everything else: tags, and quotations, which come back marked."""


_NO_SEAT: Seat = -1
"""Stands for somebody who plays in no seat of a match."""


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
    scene = Scene(match, viewer, content, archive, language, kind)
    templates = load_templates(named or kind, language)
    drawn = "board_html" in templates.names
    values = {name: make(scene) for name, make in choose_values(templates.names)}
    position = match.position if isinstance(match.to_act, int) else None
    board, known = (scene.board, scene.renderings.lines) if drawn else (NO_BOARD, None)
    if content.sketches:
        known = {line: lines for sketch in scene.sketches for line, lines in sketch.lines.items()}
    notice = _fill_templates(templates, values, position, board, known, plain=scene.display == "plain")
    begins = drawn and scene.acting and bool(scene.renderings.first_cells)
    begun = sentences.describe_adding(language) if begins else ""
    return replace(
        notice,
        kind=kind,
        game=match.game.key,
        turn=scene.acting,
        begun=begun,
        offered=content.offered,
        quotable=(*notice.quotable, begun) if begun else notice.quotable,
    )


def plain_notice(kind: str, language: Language = ENGLISH, **scene: object) -> Notice:
    """Return a notice that belongs to no match."""
    return _fill_templates(load_templates(kind, language), scene, None)


def answer_notice(match: Match, seat: Seat, detail: str, language: Language = ENGLISH) -> Notice:
    """Return the notice that tells the player at ``seat`` nothing but ``detail``."""
    told = {"match": match, "you": match.name(seat), "opponents": match.name_opponents(seat), "detail": detail}
    return plain_notice("answer", language, **told)


def status_notice(
    matches: Sequence[Match],
    player: Player,
    now: datetime,
    archive: Archive = NO_ARCHIVE,
    asides: tuple[str, ...] = (),
    language: Language = ENGLISH,
    *,
    away: Collection[int] = (),
    links: Mapping[int, str] = MappingProxyType({}),
) -> Notice:
    """Return the notice about all running ``matches`` of ``player``."""
    listed = matches_values(matches, player, now, archive, language, away=away, links=links)
    notice = plain_notice("status", language, you=player.name, asides=asides, **listed)
    return replace(notice, html="") if player.preferences.display == "plain" else notice


def matches_values(
    matches: Sequence[Match],
    player: Player,
    now: datetime,
    archive: Archive,
    language: Language,
    *,
    away: Collection[int],
    links: Mapping[int, str],
) -> dict[str, object]:
    """Return what templates name in a list of the running matches of a player.

    ``away`` are the numbers of matches that are put away, ``links`` open a reply to each that asks for its board.
    """
    return {
        "rows": list_matches(matches, player, now, language, away=away),
        "more": count_more(matches, language, listed_elsewhere=bool(archive.url)),
        "archive": archive.url,
        "pages": {match.id: page_of(match, archive) for match in matches},
        "links": {match.id: links.get(match.id, "") for match in matches},
        "put_away": bool(away),
        "zone": say_zone(player, language),
    }


def settings_notice(
    player: Player, now: datetime, vacation_days: int, feed_url: str = "", language: Language = ENGLISH
) -> Notice:
    """Return the notice about what a player has set for all their matches, each with the words that change it.

    ``vacation_days`` are those of a year, ``feed_url`` is the address of their calendar feed, if there is one.
    """
    settings = describe_settings(player, now, vacation_days, feed_url, language)
    notice = plain_notice("settings", language, you=player.name, settings=settings, feed_url=feed_url)
    return replace(notice, html="") if player.preferences.display == "plain" else notice


def lent_seat_notice(
    match: Match, seat: Seat, owner: str, rating: Change | None = None, language: Language = ENGLISH
) -> Notice:
    """Return the notice about the end of ``match`` for the ``owner`` of a seat in which somebody stood in.

    ``rating`` is what it did to theirs.
    """
    return plain_notice(
        "replaced",
        language,
        you=owner,
        name=match.name(seat),
        number=match.id,
        game=match.game.title,
        winners=sentences.describe_winners(match, _NO_SEAT, language),
        over=sentences.describe_result(match, None, language),
        rating=describe_change(rating, match, language),
        until="",
        by="",
        back=False,
        answers=False,
    )


def follower_notice(
    match: Match,
    before: Match,
    comments: Sequence[Comment],
    archive: Archive = NO_ARCHIVE,
    language: Language = ENGLISH,
    *,
    begins: bool = False,
    changed: bool = False,
) -> Notice:
    """Return the notice about ``match`` for somebody who follows it: what happened after ``before``, and the board.

    ``comments`` are for everybody. As on pages, no address is whole in it, though names and words may hold some.
    ``begins``: it is the first one; ``changed``: what the one before told of no longer holds.
    """
    shown, earlier = _without_addresses(match), _without_addresses(before)
    said = [replace(one, text=without_domains(one.text), by=without_domains(one.by)) for one in comments]
    renderings = renderings_of(match.position, language)
    board = renderings.render("html", acting=False)
    holders = sentences.name_holders(shown, _NO_SEAT, language) if board.legend_text else {}
    legends = renderings.explain("html", holders) if holders else (board.legend_text, board.legend_html)
    story, later = tell_story(earlier, shown, _NO_SEAT, said, language, room=STORY_ROOM)
    values = {
        "match": shown,
        "names": listed(player.name for player in shown.players).said(language),
        "begins": begins,
        "changed": changed,
        "turn": sentences.describe_turn(shown, _NO_SEAT, language),
        "winners": sentences.describe_winners(shown, _NO_SEAT, language),
        "result": "" if tells_end(before, match) else sentences.describe_result(shown, None, language),
        "story": story,
        "later": later,
        "roles": sentences.describe_roles(shown, _NO_SEAT, language) if match.outcome is None else [],
        "goal": "",
        "standing": board.standing,
        "asides": (),
        "board_text": board.text,
        "board_html": BOARD_PLACE,
        "board_style": Markup(board.style),
        "legend_text": legends[0],
        "legend_html": Markup(legends[1]),  # which escapes what it holds
        "archive": page_of(match, archive),
    }
    notice = _fill_templates(load_templates("followed", language), values, None, board, renderings.lines)
    return replace(notice, game=match.game.key)


def follower_question(kind: str, match: Match, language: Language = ENGLISH) -> Notice:
    """Return the question to an address whether it wants to follow ``match``, with the names that pages show."""
    shown = _without_addresses(match)
    names = listed(player.name for player in shown.players).said(language)
    notice = plain_notice(kind, language, number=match.id, game=match.game.title, names=names)
    return replace(notice, game=match.game.key)


def _without_addresses(match: Match) -> Match:
    """Return a match in whose names, and words for the dice, no address is whole."""
    players = tuple(replace(player, name=without_domains(player.name)) for player in match.players)
    seeds = tuple(without_domains(seed) if seed else seed for seed in match.seeds)
    return replace(match, players=players, seeds=seeds)


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
    shown = "\n".join(filter(None, (_words_in(above), board.words if marker else "", _words_in(below))))
    html = above + board.html + below if marker else page
    return Notice(templates.kind, subject, text, html, quotable=(_without_quotation(text), shown))


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
