"""What the operator decides about matches and players: each decision in one transaction.

Those about a match are recorded and announced like any other.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from pbem.asking.accounts import AddressChange, Merging, change_addresses, merge, rename
from pbem.asking.asked_again import announce_present
from pbem.asking.forgetting import forget, look_for_leftovers, search_for
from pbem.commands.decision import MatchDecision
from pbem.commands.families.planning import follow_plans
from pbem.commands.ruling import ply_before, replace_player, restore, rewind, seat_called
from pbem.due.clubs.ratings import note_result
from pbem.errors import BadInput
from pbem.mail.headers import normal_address, split_named
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.question import REPORT
from pbem.pipeline.act import Act, cause_at
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
from pbem.running.named_players import find_to_seat, refuse_blocked
from pbem.running.service import Service
from pbem.storage.erasing import stranger
from pbem.storage.transaction import Transaction
from rules.position import Seat

Deciding: TypeAlias = Callable[[Match, datetime], MatchDecision]
"""What makes a decision about a match, now; it raises BadInput, which says why not."""


def rule(service: Service, number: int, decide: Deciding) -> MatchDecision:
    """Carry out what the operator decides about a match. Raise BadInput or Busy, and change nothing."""
    return _rule(service, number, lambda tx, match, now: decide(match, now))


def seat_another(service: Service, number: int, who: str, newcomer: str) -> MatchDecision:
    """Let another player, found by name or address or new, have the seat of ``who``. Raise BadInput or Busy."""

    def decide(tx: Transaction, match: Match, now: datetime) -> MatchDecision:
        seat = seat_called(match, who)
        player = find_to_seat(tx, newcomer, service.site, match.players, now)
        refuse_blocked(tx, player)
        if tx.seconds.knows_other(match, seat, player):
            raise BadInput(f"{player.name} is, or was, on another side in match {number}: seat somebody else.")
        return service.seal_thoughts(replace_player(match, seat, player, now))

    return _rule(service, number, decide)


def take_back(service: Service, number: int, ply: int | None, moves: int | None) -> MatchDecision:
    """Take entries back: all but the first ``ply``, or the last so many ``moves``. Raise BadInput or Busy."""

    def decide(match: Match, now: datetime) -> MatchDecision:
        return rewind(match, ply_before(match, moves or 0) if ply is None else ply, now)

    return rule(service, number, decide)


def put_back(service: Service, number: int) -> MatchDecision:
    """Put the entries back that were taken back last. Raise BadInput or Busy."""

    def decide(tx: Transaction, match: Match, now: datetime) -> MatchDecision:
        taken = tx.matches.retracted(number)
        if taken is None:
            raise BadInput(f"Nothing was taken back in match {number}, or it was put back.")
        return restore(match, *taken, now, tx.clocks.log(number))

    return _rule(service, number, decide)


def find_to_forget(service: Service, who: str) -> Player:
    """Return the player with a name, an address, or a number. Raise BadInput for nobody."""
    with service.database.reading() as tx:
        found = find_player(tx, who)
    if found.robot:
        raise BadInput(f"{found.name} is a robot: nothing is kept of it that could be forgotten.")
    return found


def find_stranger(service: Service, who: str) -> str:
    """Return the address of no player that follows a match, wrote, or was named; "" where nothing is kept of one."""
    email = split_named(who.strip())[1] if "@" in who else ""
    with service.database.reading() as tx:
        return email if email and tx.players.find(email) is None and tx.forgetting.knows(email) else ""


def forget_stranger(service: Service, email: str) -> None:
    """Erase an address of no player, and all emails from it and to it. Raise Busy."""
    with service.database.reading() as tx:
        tx.forgetting.search(stranger(email))
    with service.database.transaction() as tx:
        act = Act(tx, service.site, service.clock.now())
        tx.forgetting.erase_stranger(email, act.now)
        look_for_leftovers(act)
    service.database.drop_traces()


def forget_player(service: Service, player: Player) -> list[Match]:
    """Erase who a player is; return the matches that they leave by it, as they were before. Raise Busy."""
    search_for(service.database, player.id)
    with service.database.transaction() as tx:
        left = forget(Act(tx, service.site, service.clock.now()), player.id)
    service.database.drop_traces()
    return left


def find_player(tx: Transaction, who: str) -> Player:
    """Return the player with a name, an address, or a number, as “pbem players” shows it. Raise BadInput for nobody."""
    text = who.strip()
    found = tx.players.find(split_named(text)[1] if "@" in text else text)
    number = text.removeprefix("#")
    if number.isascii() and number.isdigit() and len(number) < 10:
        numbered = tx.players.get(int(number))
        if found and numbered and found.id != numbered.id:
            raise BadInput(f"“{who}” is the name of {found.email}, and the number of {numbered.name}: give an address.")
        found = found or numbered
    if found is None:
        raise BadInput(
            f"Nobody here is “{who}”: give a name, an address such as ann@example.org, or a number as “pbem players”"
            " lists them."
        )
    return found


def rename_player(service: Service, who: str, name: str) -> tuple[Player, Player]:
    """Give a player another name; return them as before, and as they are now. Raise BadInput or Busy."""
    with service.database.transaction() as tx:
        player = find_player(tx, who)
        return player, rename(Act(tx, service.site, service.clock.now()), player, name)


def change_player_addresses(
    service: Service, who: str, *, add: Sequence[str] = (), remove: Sequence[str] = (), main: str = ""
) -> AddressChange:
    """Add and remove addresses of a player, and choose the main one. Raise BadInput or Busy, and change nothing."""
    added, removed = ([normal_address(one) for one in typed] for typed in (add, remove))
    chosen = normal_address(main) if main else ""
    with service.database.transaction() as tx:
        player = find_player(tx, who)
        return change_addresses(Act(tx, service.site, service.clock.now()), player, added, removed, chosen)


def merge_players(service: Service, old: str, into: str) -> Merging:
    """Let one player have all that another one has. Raise BadInput or Busy, and change nothing."""
    with service.database.transaction() as tx:
        return merge(Act(tx, service.site, service.clock.now()), find_player(tx, old), find_player(tx, into))


def set_private(service: Service, number: int, private: bool) -> Match:
    """Make a match private, or public; return it. Raise BadInput where there is none.

    Nobody is told: nothing about the match itself has changed.
    """
    with service.database.transaction() as tx:
        match = tx.matches.get(number)
        if match is None:
            raise _no_match(number)
        if match.private != private:
            tx.matches.set_private(number, private, service.clock.now())
            note_result(tx, match, replace(match, private=private), service.clock.now())
    return replace(match, private=private)


def send_present(service: Service, number: int, who: Seat | str | None) -> Player:
    """Send a player the match as it stands: one by seat, name or address, None for whoever is to act; return them.

    Raise BadInput where that would reach nobody, or where an email about the match is on its way to them already.
    Nobody else hears of it, and nothing has happened to the match.
    """
    now = service.clock.now()
    with service.database.transaction() as tx:
        match = tx.matches.get(number)
        if match is None:
            raise _no_match(number)
        seat = match.to_act if who is None else seat_called(match, who) if isinstance(who, str) else who
        if not isinstance(seat, int):
            raise BadInput(f"Match {number} waits for no move: say who gets it, such as {match.players[0].name}.")
        player = match.players[seat]
        if not player.has_mail:
            raise BadInput(f"{player.name} gets no email: that is a robot, or somebody who was forgotten.")
        if player.preferences.muted:
            raise BadInput(
                f"{player.name} has unsubscribed, and gets no email until they move, or reply with “resume”."
            )
        for waiting in tx.outbound.listed(status="queued", addresses=(player.email,), match=number, limit=1):
            raise BadInput(
                f"Email {waiting.id} about match {number} waits to be sent to {player.email}: “pbem outbound show"
                f" {waiting.id}” tells why."
            )
        announce_present(Act(tx, service.site, now, cause_at("resent", now)), match, seat)
    return player


def settle_report(service: Service, number: int) -> None:
    """Note that what a player has told is settled. Raise BadInput where nothing of that number was, or it is."""
    with service.database.transaction() as tx:
        report = tx.questions.get(number)
        if report is None or report.kind != REPORT or report.state != "open":
            raise BadInput(f"Nothing of the number {number} waits; “pbem doctor” names what does.")
        tx.questions.settle([number], "yes")


def _no_match(number: int) -> BadInput:
    """Return the error about a number that no match has."""
    return BadInput(f"There is no match {number}; “pbem matches” lists them.")


def _rule(
    service: Service, number: int, decide: Callable[[Transaction, Match, datetime], MatchDecision]
) -> MatchDecision:
    """Make a decision about a match, record and announce it."""
    now = service.clock.now()
    with service.database.transaction() as tx:
        match = tx.matches.get(number, checked=True)
        if match is None:
            raise _no_match(number)
        decision = follow_plans(decide(tx, match, now), now)
        act = Act(tx, service.site, now, cause_at(decision.log[0].kind, now))
        record(act, decision)
        announce(act, decision, "")
    return decision
