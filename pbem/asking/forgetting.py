"""Forgets players: erases who they are; their moves stay.

Also what else a player asks for of themselves and only the database can tell: whether a name is free, an address, an
export. Each check returns why something can't be had; None where it can.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta

from pbem.asking.contests.ladders import leave_ladders
from pbem.asking.invitations import leave_invitations
from pbem.asking.kinds.address import MOST_ADDRESSES
from pbem.asking.limit_table import RENAMED
from pbem.asking.limits import had_enough
from pbem.asking.player_names import examine_name
from pbem.asking.seat_passing import give_seats_back
from pbem.commands.decision import Decision, Step
from pbem.commands.effects import ClaimAddress, Export, Rename
from pbem.commands.families.forgetting import resign_for_good
from pbem.commands.families.planning import follow_plans
from pbem.due.league.entering import leave_leagues
from pbem.errors import DamagedRow
from pbem.inbound.struck import strike_out
from pbem.log.logbook import event
from pbem.mail.headers import LONGEST_NAME, is_address, mailbox_of
from pbem.mail.marks import mailbox_mark
from pbem.match.match import Match
from pbem.pipeline.act import Act, cause_at
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
from pbem.reading.reason import Reason, because
from pbem.storage.database import Database
from pbem.storage.due import EXPORT_DUE, LEFTOVERS_DUE, REMINDER_DUE
from pbem.storage.messages.records import PLAYERS

log = logging.getLogger("pbem")

_LEFTOVERS = timedelta(hours=1)
"""After this time emails to others are looked at that were still to be sent."""


def search_for(database: Database, number: int) -> None:
    """Search all emails for whoever is about to be forgotten, while others write: ``forget`` is short then."""
    with database.reading() as tx:
        player = tx.players.get(number)
        if player is not None and player.has_mail:
            tx.forgetting.search(player)


def forget(act: Act, number: int) -> list[Match]:
    """Erase who the player with this number is; return the matches that they leave by it, as they were before.

    One who is forgotten already stays so.
    """
    player = act.tx.players.get(number)
    if player is None:
        raise DamagedRow(f"player {number} is to be forgotten, and is not there")
    if not player.has_mail:
        return []

    give_seats_back(act, number)
    act.tx.seconds.leave_all(number, act.now)
    act.tx.questions.withdraw_from(number)
    names = [player.name, *act.tx.forgetting.former_names(player)]

    def strike(words: str, comments: Sequence[str]) -> str:
        return strike_out(words, names, comments)

    ladders, cause = Decision((Step("", tuple(leave_ladders(act, player))),)), cause_at("forgotten", act.now)
    record(act.because(cause), ladders)
    leave_leagues(act, number)
    invitations = leave_invitations(act.tx, player, act.now)
    record(act.because(cause), invitations)
    for email in player.emails:  # who writes to them now would write to a stranger
        mark = mailbox_mark(mailbox_of(email), act.site.secret)
        act.tx.invitations.note_approach(mark, "no", act.now, share=PLAYERS)
    act.tx.forgetting.erase(player, act.site.operator, strike, act.now)
    for decided in (ladders, invitations):
        announce(act.because(cause), decided, "")
    act.tx.due.cancel(REMINDER_DUE, number)
    look_for_leftovers(act)
    left = []
    for match in act.tx.matches.all(player=number, running=True):
        if decision := resign_for_good(match, match.seat_of(player), act.now):
            decision = follow_plans(decision, act.now)
            act = act.because(cause)
            record(act, decision)
            announce(act, decision, "")
            left.append(match)
    log.info("player %d was forgotten, and left %d matches", number, len(left), extra=event("forgotten", player=number))
    return left


def drop_leftovers(act: Act, number: int) -> None:
    """Drop the bytes of emails that named somebody forgotten and had yet to be sent; look again while any has."""
    if act.tx.forgetting.drop_sent():
        look_for_leftovers(act)


def look_for_leftovers(act: Act) -> None:
    """Have emails looked at within the hour that are still to be sent, and name somebody who is forgotten."""
    act.tx.due.schedule(LEFTOVERS_DUE, 0, act.now + _LEFTOVERS)


EXPORTING = "export"
"""The kind of the email with all that is kept of a player."""


def check_name(act: Act, _: Match, wish: Rename) -> Reason | None:
    """Return why a player can't be called so; None if they can."""
    name, fault = examine_name(act, wish.player, wish.name)
    shown = name[:LONGEST_NAME]
    if fault:
        code = "name_taken" if fault.other else fault.code  # whose it is, or was, is nobody else's business
        return because(code, name=shown, sign=fault.sign, most=LONGEST_NAME)
    if name == wish.player.name:
        return because("name_same", name=shown)
    if act.tx.accounts.count_renamings(wish.player, act.now - RENAMED.within) >= RENAMED.most:
        return because("name_too_often", most=RENAMED.most)
    return None


def check_address(act: Act, _: Match, wish: ClaimAddress) -> Reason | None:
    """Return why an address is not to be asked; None where the reason would tell something of anybody else."""
    if not is_address(wish.email) or mailbox_of(wish.email) == act.site.address:
        return because("address_unread", text=wish.email)
    if len(wish.player.emails) >= MOST_ADDRESSES:
        return because("address_enough", most=MOST_ADDRESSES)
    return None


def check_export(act: Act, _: Match | None, wish: Export) -> Reason | None:
    """Return why no copy is sent: one a day is enough."""
    email = wish.player.email
    if act.tx.due.is_scheduled(EXPORT_DUE, wish.player.id) or had_enough(act.tx, EXPORTING, email, act.now):
        return because("export_today", address=email)
    return None
