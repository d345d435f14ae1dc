"""The page of a match: its board at every move, its moves and what was said, its record to take along."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pbem.archive.icons import Side, side_of
from pbem.archive.match.embeds import write_embed
from pbem.archive.match.formats import game_record, match_json
from pbem.archive.match.frames import Film
from pbem.archive.match.published_thoughts import list_under_moves
from pbem.archive.match.reel import wind
from pbem.archive.match.rematches import Neighbours
from pbem.archive.match.rolls import rolls_section, unfold
from pbem.archive.match.rows import record_rows
from pbem.archive.match.script_data import LONG, put_aside
from pbem.archive.match.sgf import has_sgf, write_sgf
from pbem.archive.match.tries import possible_looks, try_data, try_scripts
from pbem.archive.pages import (
    Provider,
    address_links,
    as_json,
    deadline_scripts,
    template,
    without_addresses,
    write_if_changed,
)
from pbem.archive.standing import format_moment, shown_status
from pbem.archive.way_in import NO_WAY_IN, WayIn
from pbem.boards.signs import lettered
from pbem.boards.small import small_boards
from pbem.boards.svg import sprite_key, svg_board
from pbem.mail.archive_paths import player_page
from pbem.match.endings import is_draw
from pbem.match.log import LogEntry
from pbem.match.match import Match, is_move
from pbem.match.records import fingerprint, record_text
from pbem.match.signature import sign_record
from pbem.match.summary import summarise
from pbem.match.thinking import thinking_times
from pbem.match.thought import Shown
from pbem.match.time.calendar import Span
from pbem.notices.board_block import explained_board
from pbem.notices.sentences.boards import explain_picture, picture_words
from pbem.notices.sentences.match import describe_options, describe_result
from pbem.notices.sentences.moments import say_length
from pbem.notices.sentences.public import describe_control
from rules.phrase import Phrase, mark, phrase, phrases, verbatim
from rules.position import Seat
from rules.text import listed
from rules.view import BoardView

_SMALL = 12
"""Small boards on a page, if there are as many moves."""

_SENTENCES = {
    "at": mark("Move {number} – {name}: {move}"),
    "alone": mark("{name}: {move}"),
    "opening": mark("The opening position"),
    "to_move": mark("{name} to move"),
    "to_roll": mark("Waiting for the dice"),
    "no_role": mark("(no role yet)"),
    "play": mark("Play"),
    "pause": mark("Pause"),
    "copied": mark("Copied."),
    "to_copy": mark("Press Ctrl+C or ⌘C to copy what is selected."),
    "cell": mark("{cell}: {piece}"),
    "die": mark("{cell}: die of {piece}, top {top}, north {north}, east {east}, south {south}, west {west}"),
    "on": mark("{piece}: {cells}."),
    "none": mark("{piece}: none."),
    "last": mark("The last move: {cells}."),
    "line": mark("The winning line: {cells}."),
    "closed": mark("Closed: {cells}."),
}
"""What a browser says that shows a position; it fills in the fields."""


_ALONE = Neighbours()


def write_match(
    match: Match,
    directory: Path,
    secret: str,
    now: datetime,
    log: Sequence[LogEntry] = (),
    neighbours: Neighbours = _ALONE,
    head: str = "",
    address: str = "",
    outages: Sequence[Span] = (),
    host: str = "",
    thoughts: Sequence[Shown] = (),
    way_in: WayIn = NO_WAY_IN,
    provider: Provider | None = None,
    contest: tuple[str, str] = ("", ""),
) -> int:
    """Write the page of ``match`` and its record in all formats; return how many of them are new. Raises OSError.

    Of a long match, what scripts need to know is in a file beside the page, written before the page that asks for it.

    ``log`` is what happened to it beside its entries, ``outages`` are those since it was opened. The record is signed
    with the key of the host, which follows from the setting ``secret``. ``head`` is HTML that the head of the page says
    of it to programs; ``address`` is where the page can be read, which stands on paper. ``host`` is the address that
    one writes to, empty for a page without it. ``thoughts`` is what was published under the moves since the end.
    What makes up the page counts as one. A page that anybody can find has the ``way_in``, and with a ``provider`` one
    for frames beside it. ``contest`` is what the ladder or season is called that it is of, and where that is.
    """
    match, positions, rolls = unfold(match)
    film = Film(positions)
    view, took = film.views[-1], thinking_times(match, log, outages)
    thoughts = () if match.outcome is None else thoughts
    under = list_under_moves(match, positions, thoughts)
    verdict, rows = _verdict(match, now), record_rows(match, rolls, log, took, under)
    turn = str(verdict) if match.outcome else _turn(match)
    tries = try_data(match, view, host)
    looks = {sprite_key(cell): cell for cell in possible_looks(view)} if tries else {}
    record = sign_record(without_addresses(record_text(match)), secret)
    rolled = rolls_section(match, rolls) if match.possible_rolls else None
    told = {
        "replay": _replay_data(match, film, view, turn),
        **({"tries": tries} if tries else {}),
        **({"rolls-drawn": rolled.drawn} if rolled and rolled.drawn else {}),
    }
    aside = put_aside(told) if match.ply > LONG else None
    # It escapes names itself.
    picture = Markup(svg_board(view, picture_words(view), (looks | film.sprites).values()))
    data = {} if aside else {name: as_json(found) for name, found in told.items()}
    page = template("match.html").render(
        match=match,
        page=Path(match.page(secret)),
        version=aside.version if aside else "",
        told=data,
        head=head,
        names=listed([player.name for player in match.players]),
        status=verdict,
        turn=turn,
        address=address,
        way_in=NO_WAY_IN if match.private else way_in,
        follow=bool(host) and match.outcome is None and not match.private,
        setting=_tell_setting(match),
        seats=_seats(match, took),
        neighbours=neighbours,
        contest=("", "") if match.private else contest,
        view=view,
        signs=explain_picture(view),
        lettered=lettered(view),
        picture=picture,
        text=explained_board(view),
        small=_small_boards(match, film.views),
        rows=rows,
        record=record,
        fingerprint=fingerprint(match),
        rolls=rolled,
        tries=bool(tries),
        sgf=has_sgf(view),
        scripts=[
            *deadline_scripts(verdict, rows),
            "replay.js",
            *try_scripts(match.game.key),
            *(["rolls.js"] if match.outcome and match.possible_rolls else []),
        ],
    )
    kinds = {
        "txt": record,
        "json": match_json(match, thoughts),
        "sgf": write_sgf(match, film.frames, film.views, under) if has_sgf(view) else "",
        "record.json": game_record(match, provider.title if provider else "pbem") if match.outcome else "",
        "js": aside.script if aside else "",
        "html": address_links(without_addresses(page), host),
    }
    files = {directory / match.page(secret, kind): text.encode() for kind, text in kinds.items()}
    changed = sum(write_if_changed(path, text) for path, text in files.items() if text) > 0
    frames = 0
    if provider and not match.private:
        version = aside.version if aside else ""
        frames = write_embed(match, verdict, picture, data.get("replay", Markup("")), version, directory, provider)
    for path in (path for path, text in files.items() if not text):  # there may have been one, before a rewind
        path.unlink(missing_ok=True)
    return changed + frames


def _verdict(match: Match, now: datetime) -> str:
    """Return whose turn it is, or who won and how, in the words of the last email: sentences without the last stop."""
    if match.outcome is None:
        return shown_status(summarise(match), now)
    told = describe_result(match).removesuffix(".")
    winners = list(map(match.name, match.outcome.winners))
    drawn = is_draw(match.outcome.winners, match.outcome.reason, len(match.players))
    if not winners or drawn or any(told.startswith(f"{name} w") for name in winners):
        return told
    return str(phrase("Won by {names}. {told}", names=listed(winners), told=verbatim(told)))


def _tell_setting(match: Match) -> list[str]:
    """Return what was agreed before the first move: options and time control; and the first and the last day."""
    opened, ended = (format_moment(at)[:10] for at in (match.opened_at, match.changed_at))
    control = str(describe_control(match.clock.control)) if match.clock else ""
    days = phrase("opened on {opened}, ended on {ended}", opened=opened, ended=ended)
    told = [describe_options(match), control, str(days if match.outcome else phrase("opened on {date}", date=opened))]
    return [words for words in told if words]


def _turn(match: Match) -> str:
    """Return whose turn it is in a match that goes on."""
    if isinstance(seat := match.to_act, Seat):
        return str(phrase("{name} to move", name=match.name(seat)))
    return str(phrase("Waiting for the dice"))


@dataclass(frozen=True, slots=True)
class _Seated:
    """A player of the match: their ``page``, ``side`` and ``time`` are empty where there is nothing to tell."""

    name: str
    page: str
    side: Side | None
    won: bool
    time: str


def _seats(match: Match, took: Sequence[int]) -> list[_Seated]:
    """Return who has which seat; ``took`` are the seconds that each entry was thought about."""
    times, moves = [0] * len(match.players), [0] * len(match.players)
    for entry, seconds in zip(match.record, took, strict=True):
        if entry.seat is not None and is_move(entry):
            times[entry.seat] += seconds
            moves[entry.seat] += 1
    won = match.outcome.winners if match.outcome else frozenset[Seat]()
    return [
        _Seated(
            player.name,
            f"../{player_page(player.id)}" if player.has_page and not match.private else "",
            side_of(match.game, role) if role else None,
            seat in won,
            " · ".join(map(str, _times(match, seat, times[seat], moves[seat]))),
        )
        for seat, (player, role) in enumerate(zip(match.players, match.position.roles(), strict=True))
    ]


def _times(match: Match, seat: Seat, seconds: int, moves: int) -> Iterator[Phrase]:
    """Yield how long a player thought about their moves, and what their bank has left while the match goes on.

    What whoever is to act has left is in the status of the match, as the end of their time.
    """
    if moves and seconds:
        yield phrases("{time} for {count} move", "{time} for {count} moves", moves, time=say_length(seconds))
    clock = match.clock
    if clock and not match.outcome and clock.control.cap > clock.control.increment and clock.seat != seat:
        yield phrase("{time} left", time=say_length(clock.banks[seat]))


def _small_boards(match: Match, views: Sequence[BoardView]) -> list[tuple[int, int, Markup]]:
    """Return boards evenly spread over the moves, the last one included: their plies, moves made, and pictures."""
    plies = [ply + 1 for ply, entry in enumerate(match.record) if entry.seat is not None]
    moves = {ply: sum(map(is_move, match.record[:ply])) for ply in plies}
    count = min(_SMALL, len(plies))
    chosen = [plies[len(plies) * (number + 1) // count - 1] for number in range(count)]
    if chosen:
        moves[match.ply] = moves[chosen[-1]]
        chosen[-1] = match.ply  # rolls that came of the last move are part of it
    drawn = small_boards([views[ply] for ply in chosen])
    return [(ply, moves[ply], Markup(picture)) for ply, picture in zip(chosen, drawn, strict=True)]


def _replay_data(match: Match, film: Film, view: BoardView, turn: str) -> Mapping[str, Any]:
    """Return what the script needs that steps through a match."""
    frames = list(film.frames)
    if match.ruling:  # which the positions know nothing of
        frames[-1] = {**frames[-1], "to_act": None}
    roles = {role for frame in frames for role in frame.get("roles", ()) if role}
    return {
        "name": f"{match.game.key}-{match.id}",
        "players": [player.name for player in match.players],
        "roles": {role: side_of(match.game, role) for role in sorted(roles)},
        "cells": " ".join(cell.name for cell in view.cells),
        "pieces": {piece.key: str(piece.name) for piece in view.pieces},
        "over": turn,
        "reel": wind(frames),
        "sentences": {key: told for key, told in _SENTENCES.items() if key != "die" or view.looks == "dice"},
    }
