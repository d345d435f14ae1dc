"""What the operator changes of players: their names, their addresses, and two of them who are one person.

Each is told to the addresses that it concerns, so that a mistake or a theft is noticed by whom it befalls.
"""

import logging
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.asking.asked_again import announce_present
from pbem.asking.kinds.address import MOST_ADDRESSES
from pbem.asking.limit_table import REMEMBERED
from pbem.asking.player_names import examine_name
from pbem.asking.posting import enqueue_notices
from pbem.commands.asking_effects import SetInvitation
from pbem.commands.decision import Decision, Step
from pbem.due.clock import tell
from pbem.due.clubs.ratings import merge_results
from pbem.due.schedule import check_soon
from pbem.errors import BadInput
from pbem.log.logbook import event
from pbem.mail.compose import Notice, Recipient, Site, compose
from pbem.mail.headers import LONGEST_NAME, mailbox_of
from pbem.match.invitation import InvitationState
from pbem.match.log import LogEntry
from pbem.match.player import Player
from pbem.match.time.calendar import Absence, Calendar, absent
from pbem.match.timing import settle_clock
from pbem.notices.render import plain_notice
from pbem.notices.whole_boards import SHOWING, opened_notice
from pbem.pipeline.act import Act, cause_at
from pbem.pipeline.effects import tell_effects
from pbem.pipeline.record import record
from pbem.storage.due import FORGETTING_DUE, REMINDER_DUE
from pbem.storage.transaction import Transaction
from rules.phrase import listed

log = logging.getLogger("pbem")

TELLING = "account_changed"
"""The kind of the emails that tell of it."""


@dataclass(frozen=True)
class AddressChange:
    """What became of a player's addresses: the ``player`` as they are now, and what is new about that.

    ``redirected`` counts emails that waited for an address of before, ``shown`` the matches of which the new main
    address gets the board. ``added`` and ``removed`` are empty where everything was so already.
    """

    player: Player
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: bool = False
    redirected: int = 0
    shown: int = 0


@dataclass(frozen=True)
class Merging:
    """Two players who are one now: the ``player``, the ``matches`` that they got, and emails as in AddressChange."""

    player: Player
    matches: tuple[int, ...] = ()
    redirected: int = 0
    shown: int = 0


def check_name(act: Act, player: Player, text: str) -> str:
    """Return a name as it will stand everywhere. Raise BadInput for one that is none, or another player's."""
    name, fault = examine_name(act, player, text)
    if fault is None:
        return name
    shown, other = name[:LONGEST_NAME], fault.other
    email, like = (other.email, other.name) if other else ("", "")
    match fault.code:
        case "name_none":
            raise BadInput(f"“{shown}” is no name: a name has a letter in it, such as Ann or Anna Lee.")
        case "name_long":
            raise BadInput(f"“{shown}…” is too long a name: it may have {LONGEST_NAME} characters.")
        case "name_sign":
            raise BadInput(f"“{shown}” can’t be a name, since {fault.sign} stands in it: write it without.")
        case "name_leads_away":
            raise BadInput(f"“{shown}” can’t be a name: it looks like an address on the web, or a telephone number.")
        case "name_word":
            raise BadInput(f"“{shown}” can’t be a name: in an email it would be read as a command or a move.")
        case "name_forgotten":
            raise BadInput(f"“{shown}” can’t be a name: players who were forgotten are called so.")
        case "name_was_taken":
            raise BadInput(f"“{shown}” was the name of {email} not long ago, or is too much like it: take another one.")
        case "name_taken":
            raise BadInput(f"“{shown}” is the name of {email}: nobody else can be called so.")
    raise BadInput(f"“{shown}” is too much like {like}, the name of {email}: take another one.")


def rename(act: Act, player: Player, text: str) -> Player:
    """Give a player another name, and tell them. Raise BadInput for a name that they can’t have."""
    _refuse_gone(player)
    name = check_name(act, player, text)
    if name == player.name:
        return player
    act.tx.accounts.rename(player, name, act.now)
    renamed = replace(player, name=name)
    notice = _notice(act.site, "renamed", you=name, before=player.name)
    _tell(act.because(cause_at("renamed", act.now)), renamed, {player.email: notice})
    log.info("player %d was renamed by the operator", player.id, extra=event("renamed", player=player.id))
    return renamed


def change_addresses(
    act: Act, player: Player, add: Collection[str], remove: Collection[str], main: str
) -> AddressChange:
    """Add and remove addresses of a player, in lower case, and choose the one that notices go to ("" for as it is).

    Each of them is told of itself, but not a removed one from which email came back; those that the player had and
    keeps are told everything. Raise BadInput for what can’t be, and change nothing.
    """
    _refuse_gone(player)
    wanted = (player.emails | set(add) | ({main} if main else set())) - set(remove)
    _check_addresses(act.tx, player, wanted, add, remove, main, act.site)
    primary = main or (player.email if player.email in wanted else min(wanted))
    added, removed = tuple(sorted(wanted - player.emails)), tuple(sorted(player.emails - wanted))
    moved = primary != player.email
    if not (added or removed or moved):
        return AddressChange(player)
    changed = replace(player, email=primary, emails=frozenset(wanted))
    act.tx.accounts.set_addresses(player, primary, wanted)
    for email in added:
        act.tx.questions.assign(email, player.id)
    redirected = act.tx.accounts.redirect([*removed, *([player.email] if moved else ())], changed, act.now)
    act.tx.accounts.stop_sending(removed)
    act.tx.outbound.drop_refused_to([*removed, *([player.email] if moved else ())])
    if moved:
        act.tx.players.clear_bounces(player.id)
    shown = _reach_again(act, changed, None) if moved else 0
    others = listed(sorted(wanted - {primary})).said(act.site.language)
    alive = [email for email in removed if not act.tx.outbound.has_bounced(email, act.now - REMEMBERED)]
    notices = {email: _notice(act.site, "removed", you=player.name, address=email) for email in alive}
    notices |= {
        email: _notice(act.site, "added", you=player.name, address=email, main=email == primary) for email in added
    }
    told = {"main": primary, "others": others, "gone": listed(removed).said(act.site.language)}
    kept = [email for email in sorted(wanted & player.emails) if email in (player.email, primary)]
    notices |= {email: _notice(act.site, "kept", you=player.name, **told) for email in kept}
    _tell(act.because(cause_at("addresses", act.now)), changed, notices, always=True)
    log.info(
        "the addresses of player %d were changed by the operator",
        player.id,
        extra=event("readdressed", player=player.id),
    )
    return AddressChange(changed, added, removed, moved, redirected, shown)


def merge(act: Act, old: Player, into: Player) -> Merging:
    """Let a player have all that another one has, since they are one person; tell both.

    Raise BadInput where they can’t be one person, or something has to be settled first, and change nothing.
    """
    if into.id in (old.id, old.merged_into):
        return Merging(into)
    _check_merging(act.tx, old, into)
    for player in (old, into):
        _settle_clocks(act.tx, player, act.now)
    numbers = act.tx.accounts.merge(old, into, act.now)
    merge_results(act.tx, old.id, into.id, act.now)
    act.tx.invitations.renumber(old.id, into.id)
    called_off = Decision((Step("", tuple(_call_off(act.tx, into))),))
    act.tx.seat_offers.renumber(old.id, into.id)
    act.tx.seconds.renumber(old.id, into.id, act.now)
    act.tx.questions.renumber(old.id, into.id)
    act.tx.contests.renumber(old.id, into.id)
    act.tx.players.set_preference(into, "page", into.preferences.page and old.preferences.page)
    act.tx.players.set_preference(into, "letter", into.preferences.letter and old.preferences.letter)
    act.tx.players.set_calendar(into, _join_calendars(into.calendar, old.calendar, act.now), act.now)
    act.tx.due.cancel(REMINDER_DUE, old.id)
    joined = act.tx.players.get(into.id)
    assert joined is not None  # in this transaction it was read
    redirected = act.tx.accounts.redirect(old.emails, joined, act.now)
    shown = _reach_again(act, joined, numbers)
    check_soon(act.tx, into.id, act.now)
    act = act.because(cause_at(f"merged {old.id}", act.now))
    record(act, called_off)
    tell_effects(act, called_off)
    told = {"you": into.name, "before": old.name}
    notices = {old.email: _notice(act.site, "merged", **told), into.email: _notice(act.site, "joined", **told)}
    _tell(act, joined, notices, always=True)
    log.info(
        "player %d was merged into player %d by the operator",
        old.id,
        into.id,
        extra=event("merged", player=old.id, into=into.id),
    )
    return Merging(joined, tuple(numbers), redirected, shown)


def _call_off(tx: Transaction, player: Player) -> Iterator[SetInvitation]:
    """Yield the end of each open invitation in which a player has two places: nobody plays against themselves."""
    for invitation in tx.invitations.open_of(player.id):
        if sum(guest.player == player.id for guest in invitation.guests) > 1:
            state: InvitationState = "cancelled" if invitation.inviter == player.id else "failed"
            yield SetInvitation(invitation, invitation.closed(state), player.id)


def _refuse_gone(player: Player) -> None:
    """Raise BadInput for a player who was forgotten, or is another one now."""
    if player.merged_into is not None:
        raise BadInput(f"Player {player.id} is player {player.merged_into} now.")
    if player.forgotten:
        raise BadInput(f"Player {player.id} was forgotten: nobody knows who that was.")
    if player.robot:
        raise BadInput(f"{player.name} is a robot: it keeps its name, and has no address.")


def _check_addresses(
    tx: Transaction,
    player: Player,
    wanted: Collection[str],
    add: Collection[str],
    remove: Collection[str],
    main: str,
    site: Site,
) -> None:
    """Raise BadInput for addresses that a player can’t have, or can’t be without."""
    if both := min({*add, main} & {*remove}, default=""):
        raise BadInput(f"{both} can’t be both theirs and removed: say one of the two.")
    if not wanted:
        raise BadInput(
            f"{player.name} has no other address: add one with --main in the same command, or “pbem forget” them."
        )
    if len(wanted) > MOST_ADDRESSES:
        raise BadInput(f"{player.name} would have {len(wanted)} addresses; {MOST_ADDRESSES} are the most.")
    if player.email in remove and not main and len(wanted) > 1:
        raise BadInput(
            f"{player.email} is where the emails to {player.name} go: say with --main which address gets them from now"
            f" on, {' or '.join(sorted(wanted))}."
        )
    for email in sorted({*add, *remove, *([main] if main else ())}):
        owner = tx.players.find(email)
        if owner and owner.id != player.id:
            if email in remove:
                raise BadInput(f"{email} is the address of {owner.name}, player {owner.id}.")
            raise BadInput(
                f"{email} is the address of {owner.name}, player {owner.id}. If they are one person, “pbem player merge"
                f" {owner.id} {player.id}”."
            )
        if email in remove or email in player.emails:
            continue
        if mailbox_of(email) == site.address:
            raise BadInput(f"{email} is the address of this service itself, which cannot play.")
        if tx.blocked.has(email):
            raise BadInput(f"{email} is blocked: “pbem unblock {email}” first, if you mean it.")


def _check_merging(tx: Transaction, old: Player, into: Player) -> None:
    """Raise BadInput where two players can’t become one."""
    for player in (old, into):
        _refuse_gone(player)
        if blocked := min(tx.blocked.among(player.emails), default=""):
            raise BadInput(f"{player.name} ({blocked}) is blocked: “pbem unblock {blocked}” first, if you mean it.")
        if tx.due.is_scheduled(FORGETTING_DUE, player.id):
            raise BadInput(f"{player.name} has asked to be forgotten, and is within minutes: nothing is left to merge.")
    if shared := tx.accounts.shared(old, into):
        numbers = f"match{'es' if len(shared) > 1 else ''} {', '.join(map(str, shared[:5]))}"
        raise BadInput(
            f"{old.name} and {into.name} have both had a seat in {numbers}, so they can’t be one player: neither may"
            " read what the other was told there."
        )
    if into.preferences.muted and not old.preferences.muted and tx.matches.all(player=old.id, running=True):
        raise BadInput(
            f"{into.name} has unsubscribed, so the matches of {old.name} would wait for them in vain: merge the other"
            f" way round, or ask them to reply “resume” first."
        )


def _join_calendars(kept: Calendar, other: Calendar, now: datetime) -> Calendar:
    """Return a calendar with the other one’s absences to come, and with what it says where the first says nothing."""
    joined = kept
    for one in other.absences:
        if one.end > now:
            joined = absent(joined, Absence(max(one.start, now.replace(microsecond=0)), one.end, one.kind))
    return replace(
        joined,
        zone=kept.zone or other.zone,
        remind=other.remind if kept.remind is None else kept.remind,
        quiet=other.quiet if kept.quiet is None else kept.quiet,
    )


def _settle_clocks(tx: Transaction, player: Player, now: datetime) -> None:
    """Take what a player has used so far off their banks: their calendar is another one from now on."""
    numbers = [number for number, clock in tx.clocks.of_player(player.id) if clock.since]
    for match in tx.matches.all(numbers) if numbers else ():
        if match.clock:
            tx.clocks.save(match.id, settle_clock(match, now), now)


def _reach_again(act: Act, player: Player, matches: Sequence[int] | None) -> int:
    """Let a player’s address, which is a new one for ``matches`` (None: for all), have what it takes to play on.

    Clocks that bounces stopped wait for a new email. The board comes of every match in which it is their turn, unless
    an email of it waits already, and the first email of every match of which none has reached them. Return how many.
    """
    act.tx.clocks.revive(player.id, act.now)
    check_soon(act.tx, player.id, act.now)
    if player.preferences.muted:
        return 0
    shown = 0
    for match in act.tx.matches.all(player=player.id, running=True):
        seat, moved = match.seat_of(player), act.because(cause_at(f"moved {match.id}", act.now))
        if matches is not None and match.id not in matches:
            continue
        told = [one for one in act.tx.clocks.log(match.id) if one.kind == "bounced" and one.seat == seat]
        if told and not {"again", "other"} & told[-1].arguments.keys():
            tell(moved, match, LogEntry("bounced", seat, {"again": True}))
        if not act.tx.outbound.has_been_told(match.id, seat, player.email, SHOWING, match.opened_at):
            enqueue_notices(
                moved, match, [(seat, opened_notice(match, seat, act.site.archive, act.site.language, now=act.now))]
            )
            shown += 1
        elif match.to_act == seat and not act.tx.outbound.is_waiting(match.id, seat, match.changed_at):
            announce_present(moved, match, seat)
            shown += 1
    return shown


def _notice(site: Site, what: str, **told: object) -> Notice:
    """Return the notice of what was changed; ``part`` keeps two of them apart that go to one address."""
    values = {"before": "", "address": "", "main": "", "others": "", "gone": "", **told}
    notice = plain_notice(TELLING, site.language, what=what, operator=site.operator, **values)
    return replace(notice, part=what)


def _tell(act: Act, player: Player, notices: dict[str, Notice], *, always: bool = False) -> None:
    """Queue a notice to each address, none to blocked ones; ``always``: though the player has unsubscribed."""
    if player.preferences.muted and not always:
        return
    blocked = act.tx.blocked.among(notices)
    for email, notice in notices.items():
        if email not in blocked:
            recipient = Recipient("" if email not in player.emails else player.name, email)
            act.tx.outbound.enqueue([compose(notice, recipient, act.site, act.cause.text, act.now, None)], act.now)
