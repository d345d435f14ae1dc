"""Checks the demo when it has been played: the records, the archive, and what lies in the mailboxes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.demo.players import Email, Player, World, flatten, read_mailbox
from pbem.demo.script import ScriptedMatch
from pbem.match.endings import winners_note
from pbem.match.fair_rolls import verify_rolls
from pbem.match.match import Match
from pbem.notices.sentences.match import describe_result
from pbem.storage.messages.records import InboundRecord, OutboundRecord
from rules.errors import RulesError
from rules.game import replay
from rules.games import GAMES
from rules.record import read_record
from rules.text import listed


@dataclass(frozen=True)
class Review:
    """What was found: emails by match, how many rolls were recomputed, an email to show, and faults as sentences."""

    matches: list[Match]
    emails: Counter[int | None]
    rolls: int
    faults: list[str]
    sample: tuple[str, Email] | None


async def review(world: World, scripts: dict[int, ScriptedMatch]) -> Review:
    """Check the matches that were played by ``scripts``, by number."""
    with world.service.database.reading() as tx:
        matches = [match for match in tx.matches.all() if match.id in scripts]
        received, sent = tx.inbound.latest(limit=10_000), tx.outbound.latest(limit=10_000)
    boxes = {key: await _read_all(world, player) for key, player in world.players.items()}
    records = [_check_record(world, match) for match in matches]
    faults = [fault for found, _ in records for fault in found] + _check_received(received)
    for key, box in boxes.items():
        faults += _check_mailbox(world.players[key].person.address, box, sent)
    for match in matches:
        faults += _check_result(match, scripts[match.id], boxes)
        faults += _check_private_words(world, match, scripts[match.id], boxes)
    emails = Counter([*(message.match for message in received), *(mail.match for mail in sent)])
    words = [email.private for script in scripts.values() for email in script.emails if email.private]
    sample = next(
        (
            (world.players[key].person.name, mail)
            for key, box in boxes.items()
            for mail in box
            if mail.asks and any(text in flatten(mail.text) for text in words)
        ),
        None,
    )
    return Review(matches, emails, sum(rolls for _, rolls in records), faults, sample)


async def _read_all(world: World, player: Player) -> list[Email]:
    """Return all emails in the mailbox of a player."""
    with world.patience.awaiting(f"the emails in the mailbox of {player.person.name}"):
        box = await read_mailbox(player.imap_url)
    world.patience.mark()
    return box


def _check_record(world: World, match: Match) -> tuple[list[str], int]:
    """Replay the record that the archive keeps, and compare; return the faults and how many rolls are right."""
    if (outcome := match.outcome) is None:
        return [f"Match {match.id} is not over."], 0
    try:
        record = read_record((world.archive / "matches" / f"{match.id}.txt").read_text(encoding="utf-8"))
        position = replay(GAMES[record.game], seats=record.seats, options=record.options, record=record.entries)
        rolls = verify_rolls(record) or 0
    except (OSError, RulesError) as error:
        return [f"The record of match {match.id} cannot be verified: {error}"], 0
    if rolls != sum(entry.seat is None for entry in match.record):
        return [f"Not all rolls of match {match.id} can be checked."], rolls
    noted = record.notes.get("winners"), record.notes.get("reason")
    if position.outcome() != outcome or noted != (winners_note(outcome), outcome.reason):
        return [f"The record of match {match.id} does not lead to the result that was announced."], rolls
    return [], rolls


def _check_received(received: Sequence[InboundRecord]) -> list[str]:
    """Make sure that every email of a player was carried out or answered."""
    lost = [message for message in received if message.status not in ("accepted", "rejected")]
    return [f"Email {message.id} of {message.sender} ended as {message.status} {message.reason}." for message in lost]


def _check_mailbox(address: str, box: Sequence[Email], sent: Sequence[OutboundRecord]) -> list[str]:
    """Make sure that ``address`` has every email the service wrote to it, once, and no other."""
    expected = sorted(mail.message_id for mail in sent if mail.recipient == address)
    if sorted(mail.message_id for mail in box) == expected:
        return []
    return [f"{address} has {len(box)} emails, and not the {len(expected)} that were written to it."]


def _check_result(match: Match, script: ScriptedMatch, boxes: dict[str, list[Email]]) -> list[str]:
    """Make sure that everybody was told how the match ended."""
    return [
        f"{name.capitalize()} was not told how match {match.id} ended."
        for seat, name in enumerate(script.seats)
        if not any(
            mail.match == match.id and mail.ends and describe_result(match, seat) in flatten(mail.text)
            for mail in boxes[name]
        )
    ]


def _check_private_words(world: World, match: Match, script: ScriptedMatch, boxes: dict[str, list[Email]]) -> list[str]:
    """Make sure that words for a partner alone reached the partner and their writer, and nobody else.

    The page of the match hasn't got them: the archive has no address, so nobody was told that it would.
    """
    page = flatten((world.archive / "matches" / f"{match.id}.html").read_text(encoding="utf-8"))
    faults = []
    for email in script.emails:
        if words := email.private:
            writer = script.seats.index(email.writer)
            meant = {script.seats[seat] for seat in (writer, *match.partners(writer))}
            readers = {key for key, box in boxes.items() if any(words in flatten(mail.text) for mail in box)}
            if words in page:
                faults.append(f"Private words in match {match.id} are on its page, of which nobody was told.")
            if readers != meant:
                who = f"were meant for {listed(sorted(meant))}, and reached: {listed(sorted(readers)) or 'nobody'}."
                faults.append(f"Private words in match {match.id} {who}")
    return faults
