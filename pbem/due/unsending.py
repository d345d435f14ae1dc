"""Moves that are held for some minutes, so that their player can take them back before anybody was told.

The message itself waits, and is processed when its time has come: until then nothing is recorded, so that no page, no
feed and no answer can show the move to anybody.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from pbem.commands.asking_effects import CastVote
from pbem.commands.decision import Decision, MatchDecision
from pbem.commands.effects import Withdraw
from pbem.commands.rejections import Held
from pbem.mail.compose import Site
from pbem.mail.message import InboundMessage, parse
from pbem.mail.reply_token import ReplyToken, sign_token
from pbem.match.match import Match
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Place
from pbem.storage.due import UNSEND_DUE
from pbem.storage.messages.records import Disposition
from pbem.storage.transaction import Transaction
from rules.position import Seat


def find_held(tx: Transaction, place: Place, site: Site) -> int | None:
    """Return the number of the message of a seat that is held; None where none is."""
    return held_at(tx, place.match, place.seat) if site.unsend_minutes else None


def held_at(tx: Transaction, match: Match, seat: Seat) -> int | None:
    """Return the number of the message of whoever has a seat now that is held; one who had it before moves nothing."""
    return tx.inbound.find_held(match.id, seat, match.players[seat].emails, Held.kind)


def hold_back(
    act: Act, decision: Decision, number: int, *, keep: Callable[[MatchDecision], int] | None = None
) -> Decision:
    """Return a decision that is carried out now. Raise Held for one with a move that its player can still take back.

    After a move by which its player goes on nothing is held: they wait for what it leads to, and may see a roll.
    Nor is a vote, which others have a part in.
    It is the message ``number`` that waits; or, of one about several matches, the part that ``keep`` stores by itself.
    """
    if not act.site.unsend_minutes or not isinstance(decision, MatchDecision) or decision.seat is None:
        return decision
    seat, match = decision.seat, decision.before
    own = [effect.entry.text for effect in decision.appended if effect.entry.seat == seat]
    if not own or any(isinstance(effect, Withdraw | CastVote) for effect in decision.effects):
        return decision
    waits = held_at(act.tx, match, seat)
    row = act.tx.inbound.get(number if waits is None else waits)
    assert row is not None  # it is being processed, or was found
    until = row.received_at + timedelta(minutes=act.site.unsend_minutes)
    if waits is not None:
        raise Held("", until)
    if row.code == Held.kind:
        return replace(decision, receipted=True)
    if act.now >= until or decision.after.to_act == seat:
        return decision
    act.tx.due.schedule(UNSEND_DUE, keep(decision) if keep else number, until, since=row.received_at)
    raise Held(own[0], until)


def keep_part(act: Act, place: Place, lines: Sequence[str], number: int, sender: str) -> int:
    """Store the lines of message ``number`` that are for one match as a message of their own, which is held.

    It answers the email of that turn, from the same sender, with what our mail server found out about them. Return its
    number.
    """
    match, seat = place.match, place.seat
    token = ReplyToken(match.id, match.turn, seat, place.player.generation, match.nonce)
    local, _, domain = act.site.address.partition("@")
    whole = act.tx.inbound.get(number)
    assert whole is not None  # it is being processed
    findings = parse(act.tx.inbound.raw(number)).undecoded("Authentication-Results")
    head = [
        *(f"Authentication-Results: {' '.join(field.split())}" for field in findings),
        f"From: {sender}",
        f"To: {local}+{sign_token(token, act.site.secret)}@{domain}",
        f"Subject: #{number}, {match.id}",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
    ]
    raw = "\r\n".join([*head, "", *lines, ""]).encode("utf-8", "replace")
    part = act.tx.inbound.add(
        f"{InboundMessage.identity_of(raw)} {number}", raw, True, sender, "", whole.received_at, named=match.id
    )
    assert part is not None  # of one message each match has one part, once
    act.tx.inbound.finish(
        part, Disposition("rejected", Held.kind, "", match.id, seat, (), Held.kind, match.turn), act.now
    )
    return part


def release(act: Act, number: int) -> None:
    """Let a held message be processed now, unless it was taken back."""
    row = act.tx.inbound.get(number)
    if row and row.status == "rejected" and row.code == Held.kind:
        act.tx.inbound.requeue(number)
