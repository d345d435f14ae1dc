"""All that is kept of a player, as a file that goes to their main address: what they are, play, wrote and got.

It holds nothing of others that the player has not read on pages: no address, no seed of a match that goes on.
"""

import json
import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from pbem.asking.afterthoughts import ASKING as COMMENT
from pbem.asking.afterthoughts import thoughts_of
from pbem.asking.forgetting import EXPORTING
from pbem.clubs.contest import Contest, ContestEvent
from pbem.clubs.ratings import name_month
from pbem.errors import DamagedRow
from pbem.log.logbook import event
from pbem.mail.compose import Attachment, Recipient, compose
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.records import record_text
from pbem.notices.render import plain_notice
from pbem.pipeline.act import Act, cause_at
from pbem.storage.messages.records import InboundRecord, OutboundRecord
from pbem.storage.transaction import Transaction

log = logging.getLogger("pbem")

FILE = "pbem-export.zip"
_MOST_ROWS = 20_000
_MOST_BYTES = 3_000_000
"""Bytes of the player's own emails in the file, which are mostly pictures and quotations."""


def send_export(act: Act, number: int) -> None:
    """Queue the email with all that is kept of a player, to their main address; nothing for whoever was forgotten."""
    player = act.tx.players.get(number)
    if player is None:
        raise DamagedRow(f"player {number} is to be sent what is kept of them, and is not there")
    if not player.has_mail:
        return
    files, whole, count = _collect(act, player)
    attached = Attachment(FILE, "application/zip", _pack(files, act.now))
    notice = plain_notice(EXPORTING, act.site.language, you=player.name, file=FILE, more=not whole, count=count)
    recipient, cause = Recipient(player.name, player.email), cause_at("export", act.now)
    notice = replace(notice, attached=(attached,))
    act.tx.outbound.enqueue([compose(notice, recipient, act.site, cause.text, act.now, None)], act.now)
    log.info("player %d was sent what is kept of them", number, extra=event("exported", player=number))


def _collect(act: Act, player: Player) -> tuple[dict[str, bytes], bool, int]:
    """Return the files by name, whether all of the player's own emails are among them, and how many of them are."""
    matches = act.tx.matches.all(player=player.id)
    received = [
        one
        for one in act.tx.inbound.latest(addresses=player.emails, limit=_MOST_ROWS)
        if isinstance(one, InboundRecord)
    ]
    sent = [
        one
        for one in act.tx.outbound.listed(addresses=player.emails, limit=_MOST_ROWS)
        if isinstance(one, OutboundRecord)
    ]
    own = {(match.id, match.seat_of(player)) for match in matches} | act.tx.forgetting.seats_held(player)
    letters, whole = _read_letters(act.tx, received, own)
    told = {
        "written_at": act.now.isoformat(),
        "host": act.site.address,
        "player": _tell_player(act.tx, player),
        "follows": sorted({match for email in player.emails for match in act.tx.followers.of_address(email)}),
        "matches": [_tell_match(match, player) for match in matches],
        "seconds": [{"match": match, "seat": seat + 1} for match, seat in act.tx.seconds.seats_of(player.id)],
        "votes": [
            {"match": match, "moves": moves, "at": at.isoformat()}
            for match, moves, at in act.tx.seconds.votes_of(player.id)
        ],
        "comments": [
            {"match": match, "after_entries": ply, "at": at.isoformat(), "for_own_side": to_side, "text": text}
            for match, ply, at, to_side, text in act.tx.forgetting.comments_of(player)
        ],
        "results": [
            {"match": match, "rated": rated, "score": part.score, "turns": part.turns, "late": part.late}
            | {"timed_out": part.timed_out, "gave_away": part.gave_away}
            for match, rated, part in act.tx.results.told_of(player.id)
        ],
        "ratings": [
            {"game": game, "month": name_month(mark.month), "points": mark.rating.points}
            | {"deviation": mark.rating.deviation}
            for game, mark in act.tx.results.all_marks(player.id)
        ],
        "lines_and_notes": [
            {"match": match, "after_entries": one.ply, "at": at.isoformat(), "kind": one.kind, "text": one.text}
            | {"on_page": one.published}
            for match, at, one in act.tx.thoughts.kept_by(player.id)
        ],
        "asked_about": [
            {"match": one.match, "after_entries": thought.ply, "at": one.asked_at.isoformat(), "text": thought.text}
            for one in act.tx.questions.find(COMMENT, asker=player.id)
            for thought in thoughts_of(one)
        ],
        "contests": [_tell_contest(act.tx, contest, player) for contest in act.tx.contests.of_player(player.id)],
        "emails_from_you": [_tell_received(one, f"emails/{one.id}.eml" in letters) for one in received],
        "emails_to_you": [
            {"at": one.created_at.isoformat(), "to": one.recipient, "kind": one.kind, "subject": one.subject}
            for one in sent
        ],
    }
    files = {"export.json": json.dumps(told, ensure_ascii=False, indent=1).encode()}
    files |= {_record_name(match): record_text(_without_others_seeds(match, player)).encode() for match in matches}
    return files | letters, whole, len(letters)


def _tell_player(tx: Transaction, player: Player) -> dict[str, Any]:
    """Return who the player is, and what they have set."""
    preferences, calendar = player.preferences, player.calendar
    return {
        "number": player.id,
        "name": player.name,
        "names_before": tx.forgetting.former_names(player),
        "addresses": [{"address": email, "main": email == player.email} for email in sorted(player.emails)],
        "reply_addresses_revoked": player.generation,
        "settings": {
            "boards": preferences.display,
            "mails": preferences.mails,
            "unsubscribed": preferences.muted,
            "page": preferences.page,
            "letter": preferences.letter,
        },
        "time_zone": calendar.zone or "UTC",
        "absences": [
            {"from": one.start.isoformat(), "until": one.end.isoformat(), "kind": one.kind} for one in calendar.absences
        ],
        "reminders_seconds_before": None if calendar.remind is None else list(calendar.remind),
        "quiet_hours": list(calendar.quiet or ()),
        "vacation_used_by_itself": calendar.automatic,
    }


def _tell_match(match: Match, player: Player) -> dict[str, Any]:
    """Return a match as the player knows it; its record is a file of its own."""
    seat, outcome = match.seat_of(player), match.outcome
    return {
        "number": match.id,
        "game": match.game.key,
        "opened_at": match.opened_at.isoformat(),
        "seat": seat + 1,
        "players": [one.name for one in match.players],
        "private": match.private,
        "rated": match.rated,
        "words_for_the_dice": match.seeds[seat] if match.seeds else None,
        "result": None
        if outcome is None
        else {"winners": sorted(one + 1 for one in outcome.winners), "reason": outcome.reason},
        "record": _record_name(match),
    }


def _tell_contest(tx: Transaction, contest: Contest, player: Player) -> dict[str, Any]:
    """Return what the player did in a ladder or league, or what happened to them there; nothing if it is damaged."""
    events: list[ContestEvent] = []
    with suppress(DamagedRow):
        events = [event for event in tx.contests.events(contest.id) if player.id in (event.player, event.other)]
    return {
        "kind": contest.kind,
        "name": contest.name,
        "events": [
            {"at": event.at.isoformat(), "kind": event.kind, "taken_back": event.undone_at is not None}
            for event in events
        ],
    }


def _tell_received(one: InboundRecord, is_there: bool) -> dict[str, Any]:
    """Return what is known of an email from an address of the player; ``is_there``: it is a file of its own."""
    return {
        "at": one.received_at.isoformat(),
        "from": one.sender,
        "subject": one.subject,
        "ended": one.status,
        "reason": one.reason,
        "match": one.match,
        "done": list(one.commands),
        "file": f"emails/{one.id}.eml" if is_there else None,
    }


def _read_letters(
    tx: Transaction, received: Iterable[InboundRecord], own: set[tuple[int, int]]
) -> tuple[dict[str, bytes], bool]:
    """Return the player's own emails as they came in, the newest first, and whether there was room for all.

    Only those that were carried out at a seat of theirs: anybody can write a name, and put into an email what is none
    of the player's business.
    """
    found, left = dict[str, bytes](), _MOST_BYTES
    for one in received:
        if one.status != "accepted" or not one.kept or one.match is None or (one.match, one.seat) not in own:
            continue
        try:
            raw = tx.inbound.raw(one.id)
        except DamagedRow:
            continue
        left -= len(raw)
        if left < 0:
            return found, False
        found[f"emails/{one.id}.eml"] = raw
    return found, True


def _without_others_seeds(match: Match, player: Player) -> Match:
    """Return a match that goes on without the words of others for its dice, and without its secret."""
    if match.outcome is not None:
        return match
    own = match.seat_of(player)
    seeds = tuple(seed if seat == own else (None if seed is None else "") for seat, seed in enumerate(match.seeds))
    return replace(match, seeds=seeds, folded=match.position)


def _record_name(match: Match) -> str:
    """Return the name of the file with the record of a match."""
    return f"records/match-{match.id}.txt"


def _pack(files: Mapping[str, bytes], now: datetime) -> bytes:
    """Return the files in an archive."""
    content, at = BytesIO(), (max(now.year, 1980), now.month, now.day, now.hour, now.minute, 0)
    with ZipFile(content, "w", ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(ZipInfo(name, at), data, ZIP_DEFLATED)
    return content.getvalue()
