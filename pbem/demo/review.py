"""Looks the demonstration over when it has ended: the records, the archive, and what lies in the mailboxes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pbem.demo.mails import Arrived, flat, read_mail
from pbem.demo.script import Scene
from pbem.demo.stage import Stage
from pbem.match import Match, verify_rolls, winners_note
from pbem.storage import InboundRecord, OutboundRecord
from pbem.transport import ImapMailbox
from rules import GAMES, RulesError, read_record, replay


@dataclass(frozen=True)
class Review:
    """What was found.

    ``mails`` counts letters and notices of each match, ``lots`` those that were recomputed; ``faults`` are sentences.
    """

    matches: list[Match]
    mails: dict[int, int]
    lots: int
    faults: list[str]
    sample: Arrived | None


async def review(stage: Stage, scenes: dict[int, Scene]) -> Review:
    """Check the matches that were played as ``scenes``, by number."""
    matches = [match for match in stage.matches() if match.id in scenes]
    with stage.service.database.reading() as tx:
        messages, sent = tx.inbound.latest(limit=10_000), tx.outbound.latest(limit=10_000)
    boxes = {key: await _mailbox(stage, player.address) for key, player in stage.players.items()}
    faults, lots = [], 0
    for match in matches:
        found, checked = _of_record(stage, match)
        faults += found
        lots += checked
    faults += _of_letters(messages)
    faults += [fault for key, box in boxes.items() for fault in _of_mailbox(stage.players[key].address, box, sent)]
    for match in matches:
        faults += _of_result(match, scenes[match.id], boxes)
        faults += _of_private_words(stage, match, scenes[match.id], boxes)
    about = [message.match for message in messages] + [mail.match for mail in sent]
    words = [text for scene in scenes.values() for text in scene.private]
    sample = next(
        (
            mail
            for box in boxes.values()
            for mail in box
            if mail.asks and any(text in flat(mail.text) for text in words)
        ),
        None,
    )
    return Review(matches, {match.id: about.count(match.id) for match in matches}, lots, faults, sample)


async def _mailbox(stage: Stage, address: str) -> list[Arrived]:
    """Read a mailbox afresh, oldest mail first."""
    mailbox = ImapMailbox(stage.servers.imap_url(address))
    since = (datetime.now(UTC) - timedelta(days=1)).date()
    try:
        return [read_mail(message.raw) async for batch in mailbox.batches(None, since) for message in batch.messages]
    finally:
        await mailbox.close()


def _of_record(stage: Stage, match: Match) -> tuple[list[str], int]:
    """Read the record that the archive keeps, replay it, and compare; return the faults and how many lots are right."""
    if (outcome := match.outcome) is None:
        return [f"Match {match.id} is not over."], 0
    try:
        record = read_record((stage.archive / "matches" / f"{match.id}.txt").read_text(encoding="utf-8"))
        position = replay(GAMES[record.game], seats=record.seats, options=record.options, record=record.entries)
        checked = verify_rolls(record) or 0
    except (OSError, RulesError) as error:
        return [f"The record of match {match.id} cannot be verified: {error}"], 0
    if checked != match.ply - match.moves_made:
        return [f"Not all lots of match {match.id} can be checked."], checked
    noted = record.notes.get("winners"), record.notes.get("reason")
    expected = winners_note(outcome), outcome.reason
    if position.outcome() != outcome or noted != expected:
        return [f"The record of match {match.id} does not lead to the result that was announced."], checked
    return [], checked


def _of_letters(messages: Sequence[InboundRecord]) -> list[str]:
    """Make sure that every letter of a player was carried out or answered."""
    lost = [message for message in messages if message.status not in ("accepted", "rejected")]
    return [f"Letter {message.id} of {message.sender} ended as {message.status} {message.reason}." for message in lost]


def _of_mailbox(address: str, box: Sequence[Arrived], sent: Sequence[OutboundRecord]) -> list[str]:
    """Make sure that ``address`` has every mail the service wrote to it, once, and no other."""
    expected = sorted(mail.message_id for mail in sent if mail.recipient == address)
    if sorted(mail.message_id for mail in box) == expected:
        return []
    return [f"{address} has {len(box)} mails, and not the {len(expected)} that were written to it."]


def _of_result(match: Match, scene: Scene, boxes: dict[str, list[Arrived]]) -> list[str]:
    """Make sure that everybody was told how the match ended."""
    reason = match.outcome.reason if match.outcome else ""
    return [
        f"{seat.capitalize()} was not told how match {match.id} ended."
        for seat in scene.seats
        if not any(mail.match == match.id and mail.ends and reason in flat(mail.text) for mail in boxes[seat])
    ]


def _of_private_words(stage: Stage, match: Match, scene: Scene, boxes: dict[str, list[Arrived]]) -> list[str]:
    """Make sure that what was for a partner alone reached him and came back to its writer, and nobody else."""
    page = flat((stage.archive / "matches" / f"{match.id}.html").read_text(encoding="utf-8"))
    faults = []
    for words, allowed in scene.private.items():
        readers = [key for key, box in boxes.items() if any(words in flat(mail.text) for mail in box)]
        if set(readers) != allowed or words in page:
            found = ", ".join([*readers, *(["the archive"] if words in page else [])]) or "nobody"
            meant = " and ".join(sorted(allowed))
            faults.append(f"Private words in match {match.id} were meant for {meant}, and reached: {found}.")
    return faults
