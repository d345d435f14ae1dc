"""Stage 6: record a decision; all that it changes of matches, players and addresses is written here."""

from dataclasses import replace
from datetime import datetime

from pbem.asking.following import ALL_KEYS, REFUSED_KEY, answered_key, open_key
from pbem.asking.wish_questions import ASKING, SETTLED
from pbem.commands.decision import Decision, MatchDecision
from pbem.commands.effects import (
    AddAddress,
    AddComment,
    AddLog,
    AgreeSeat,
    AnswerSeat,
    Append,
    AskAddress,
    AskFollower,
    AskReview,
    AskWish,
    ClaimAddress,
    CloseQuestion,
    CloseWish,
    Disown,
    DropAddress,
    EndOffer,
    EndStandIn,
    Enrol,
    Export,
    Follow,
    Forget,
    KeepOff,
    KeepThought,
    OfferSeat,
    OfferSeats,
    ProposeMove,
    PublishThoughts,
    RefuseInvitations,
    Rename,
    Reply,
    Requeue,
    RevokeTokens,
    SeatPlayer,
    SetCalendar,
    SetInvitation,
    SetPlan,
    SetPreference,
    SetSeed,
    Tell,
    TellStarting,
    TellUnfollowed,
    Unfollow,
    Wish,
    Withdraw,
)
from pbem.due.schedule import check_soon, schedule_clock, schedule_robot
from pbem.match.digest_times import next_digest
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.timing import settle_clock
from pbem.pipeline.act import Act
from pbem.storage.database import Transaction
from pbem.storage.due import (
    DIGEST_DUE,
    EXPORT_DUE,
    FIRST_ROLLS,
    FORGETTING_DUE,
    INVITATION_DUE,
    OPENING_DUE,
    REVIEW_DUE,
    UNSEND_DUE,
)
from pbem.storage.messages.inbound import TAKEN_BACK


def record(act: Act, decision: Decision) -> None:
    """Write the effects of ``decision``. Raise Busy at the commit if another worker was faster.

    Replies and questions are not written here: they are announced, like all email.
    """
    if isinstance(decision, MatchDecision) and decision.seat is not None:
        writer = decision.before.players[decision.seat]
        if writer.calendar.away:  # they are back, or set it themselves
            act.tx.players.set_calendar(writer, replace(writer.calendar, away=None), act.now)
    for effect in decision.effects:
        match effect:
            case SetPreference(player, name, value):
                act.tx.players.set_preference(player, name, value)
                if name == "muted":
                    check_soon(act.tx, player.id, act.now)
                if name == "digest":  # without one the boards that wait come at once
                    due_at = next_digest(str(value), player.calendar, act.now) or act.now
                    act.tx.due.schedule(DIGEST_DUE, player.id, due_at)
                if name == "page":  # so that the next pass of the archive finds them
                    act.tx.players.touch(player.id, act.now)
            case SetCalendar(player, calendar):
                if calendar.zone != player.calendar.zone:
                    _settle_clocks(act.tx, player, act.now)
                    if due := next_digest(player.preferences.digest, calendar, act.now):
                        act.tx.due.schedule(DIGEST_DUE, player.id, due)
                act.tx.players.set_calendar(player, calendar, act.now)
                check_soon(act.tx, player.id, act.now)
            case SeatPlayer(seat, player):
                assert isinstance(decision, MatchDecision)
                act.tx.matches.seat_player(decision.after.id, seat, player)
                act.tx.players.touch(decision.before.players[seat].id, act.now)
            case SetPlan(seat, plan):
                assert isinstance(decision, MatchDecision)
                act.tx.matches.set_plan(decision.after.id, seat, plan)
            case KeepThought(player, thought):
                assert isinstance(decision, MatchDecision)
                act.tx.thoughts.add(decision.after.id, player.id, thought, act.now)
            case PublishThoughts(player, published):
                assert isinstance(decision, MatchDecision)
                act.tx.thoughts.publish(decision.after.id, player.id, published=published)
                act.tx.matches.mark_changed(decision.after.id, act.now)  # so that the next pass of the archive finds it
            case AddAddress(player, email):
                act.tx.players.add_address(player, email)
            case DropAddress(player, email):
                act.tx.players.drop_address(player, email)
            case Rename(player, name):
                act.tx.accounts.rename(player, name, act.now)
                act.tx.accounts.note_former_name(player, act.now)
            case Export(player):  # on its own: to collect many matches takes longer than any message may
                act.tx.due.schedule(EXPORT_DUE, player.id, act.now)
            case RevokeTokens(player):
                act.tx.players.revoke_tokens(player, act.now)
            case Forget(player):  # on its own: to leave many matches takes longer than any message may
                act.tx.due.schedule(FORGETTING_DUE, player.id, act.now)
            case Requeue(number):
                act.tx.inbound.requeue(number)
            case Disown(number, reason):
                act.tx.inbound.disown(number, reason, act.now)
            case Withdraw(number):
                act.tx.inbound.disown(number, TAKEN_BACK, act.now)
                act.tx.due.cancel(UNSEND_DUE, number)
            case CloseQuestion(_, email):
                act.tx.outbound.replace_key(email, effect.closes, effect.key)
            case Follow(match, email):
                act.tx.followers.add(match, email, act.now)
                act.tx.outbound.replace_key(email, open_key(match), answered_key(match))
            case Unfollow(match, email, refused):
                act.tx.followers.remove(match, email)
                if refused:
                    act.tx.outbound.replace_key(email, ALL_KEYS, REFUSED_KEY)
            case AskWish(_, _, name, mark):
                if name is not None:
                    act.tx.invitations.note_approach(mark, "", act.now)
            case CloseWish(number):
                act.tx.outbound.close_question(ASKING, number, SETTLED)
            case Enrol(email, name, _, mark):
                if act.tx.players.find(email) is None:
                    act.tx.players.add(name, email, act.now)
                act.tx.invitations.note_approach(mark, "yes", act.now)
            case KeepOff(mark):
                act.tx.invitations.note_approach(mark, "no", act.now)
            case RefuseInvitations(player, marks, refused):
                act.tx.invitations.set_refused(player.id, marks, refused=refused)
            case SetInvitation():
                _record_invitation(act.tx, effect, act.now)
            case AskReview():  # on its own: it takes longer than any message may
                if act.cause.inbound is not None:
                    act.tx.due.schedule(REVIEW_DUE, act.cause.inbound, act.now)
            case AskFollower() | TellUnfollowed() | TellStarting() | Wish() | Tell():
                pass
            case (
                ProposeMove() | Append() | AddComment() | AddLog() | SetSeed() | Reply() | AskAddress() | ClaimAddress()
            ):
                pass
            case OfferSeat() | OfferSeats() | AgreeSeat() | AnswerSeat() | EndStandIn() | EndOffer():
                pass  # as they cause questions, elsewhere
    if isinstance(decision, MatchDecision) and decision.changes_match:
        _record_match(act, decision)


def _record_match(act: Act, decision: MatchDecision) -> None:
    """Write the changes of a match. Its first rolls are due while they are awaited."""
    before, after = decision.before, decision.after
    log = [replace(entry, ply=after.ply, at=act.now) for entry in decision.log]
    act.tx.clocks.add_log(after.id, log, act.cause.inbound)
    if after.ruling != before.ruling:
        act.tx.matches.set_ruling(after)
    if after.agreements != before.agreements:
        act.tx.matches.set_agreements(after)
    if after.clock is not before.clock:
        _record_clock(act.tx, before, after, act.now)
    if after.robots != before.robots:
        act.tx.matches.set_robots(after)
    if after.rewound != before.rewound:
        act.tx.matches.outdate(before, after)
    if after.ply < before.ply:
        act.tx.matches.retract(before, after)
    elif any(entry.kind == "restored" for entry in log):
        act.tx.matches.restore(after.id)
    else:
        act.tx.matches.append(before, after.record[before.ply :], after.times[before.ply :], act.cause.inbound)
    act.tx.matches.add_comments(after, decision.comments, act.now, act.cause.inbound)
    if decision.seeded:
        act.tx.matches.set_seeds(after)
    act.tx.matches.touch(after, act.now)
    if after.turn != before.turn or after.ruling != before.ruling:
        schedule_robot(act.tx, after, act.now)
    if before.awaits_seeds and (after.outcome or not after.awaits_seeds):
        act.tx.due.cancel(FIRST_ROLLS, after.id)
    elif after.awaits_seeds and not before.awaits_seeds and after.rolls_due:
        act.tx.due.schedule(FIRST_ROLLS, after.id, after.rolls_due)


def _record_invitation(tx: Transaction, effect: SetInvitation, now: datetime) -> None:
    """Store an invitation, and schedule what is due of it: its end, or the match that everybody has agreed on."""
    after = effect.after
    tx.invitations.store(after)
    for mark in effect.marks:
        tx.invitations.note_approach(mark, "", now)
    if effect.before is None and after.is_open:
        tx.due.schedule(INVITATION_DUE, after.id, after.expires_at)
    elif not after.is_open:
        tx.due.cancel(INVITATION_DUE, after.id)
    if after.state == "agreed":
        tx.due.schedule(OPENING_DUE, after.id, now)


def _settle_clocks(tx: Transaction, player: Player, now: datetime) -> None:
    """Take what a player has used so far off their banks: another zone has other weekends, from now on alone.

    Where weekends count, no zone makes a difference.
    """
    clocks = tx.clocks.of_player(player.id)
    numbers = [number for number, clock in clocks if clock.control.weekends_free and clock.since]
    for match in tx.matches.all(numbers) if numbers else ():
        if match.clock:
            tx.clocks.save(match.id, settle_clock(match, now), now)


def _record_clock(tx: Transaction, before: Match, after: Match, now: datetime) -> None:
    """Store another clock of a match, and schedule what is due of it next."""
    if after.clock and before.clock and after.clock.control == before.clock.control:
        tx.clocks.save(after.id, after.clock, now)
    else:
        tx.clocks.remove(after.id)
        if after.clock:
            tx.clocks.add(after.id, after.clock, now)
    schedule_clock(tx, after, now)
