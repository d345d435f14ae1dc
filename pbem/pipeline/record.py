"""Stage 6: record a decision; all that it changes of matches, players and addresses is written here."""

from dataclasses import dataclass, replace
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


@dataclass(frozen=True)
class Cause:
    """The cause of a decision: the identity of an inbound message, or a fixed word where no message caused it.

    Message-IDs are made from ``text``, so the words must never change. ``inbound`` is the number of the message.
    """

    text: str
    inbound: int | None = None


OPENING = Cause("opening")
ROLLS_DUE = Cause("first lots")


def cause_at(word: str, now: datetime) -> Cause:
    """Return the cause of what happens to a match more than once without a message, such as a flag."""
    return Cause(f"{word} {now.isoformat()}")


def record(tx: Transaction, decision: Decision, cause: Cause, now: datetime) -> None:
    """Write the effects of ``decision``. Raise Busy at the commit if another worker was faster.

    Replies and questions are not written here: they are announced, like all email.
    """
    if isinstance(decision, MatchDecision) and decision.seat is not None:
        writer = decision.before.players[decision.seat]
        if writer.calendar.away:  # they are back, or set it themselves
            tx.players.set_calendar(writer, replace(writer.calendar, away=None), now)
    for effect in decision.effects:
        match effect:
            case SetPreference(player, name, value):
                tx.players.set_preference(player, name, value)
                if name == "muted":
                    check_soon(tx, player.id, now)
                if name == "digest":  # without one the boards that wait come at once
                    due_at = next_digest(str(value), player.calendar, now) or now
                    tx.due.schedule(DIGEST_DUE, player.id, due_at)
                if name == "page":  # so that the next pass of the archive finds them
                    tx.players.touch(player.id, now)
            case SetCalendar(player, calendar):
                if calendar.zone != player.calendar.zone:
                    _settle_clocks(tx, player, now)
                    if due := next_digest(player.preferences.digest, calendar, now):
                        tx.due.schedule(DIGEST_DUE, player.id, due)
                tx.players.set_calendar(player, calendar, now)
                check_soon(tx, player.id, now)
            case SeatPlayer(seat, player):
                assert isinstance(decision, MatchDecision)
                tx.matches.seat_player(decision.after.id, seat, player)
                tx.players.touch(decision.before.players[seat].id, now)
            case SetPlan(seat, plan):
                assert isinstance(decision, MatchDecision)
                tx.matches.set_plan(decision.after.id, seat, plan)
            case KeepThought(player, thought):
                assert isinstance(decision, MatchDecision)
                tx.thoughts.add(decision.after.id, player.id, thought, now)
            case PublishThoughts(player, published):
                assert isinstance(decision, MatchDecision)
                tx.thoughts.publish(decision.after.id, player.id, published=published)
                tx.matches.mark_changed(decision.after.id, now)  # so that the next pass of the archive finds it
            case AddAddress(player, email):
                tx.players.add_address(player, email)
            case DropAddress(player, email):
                tx.players.drop_address(player, email)
            case Rename(player, name):
                tx.accounts.rename(player, name, now)
                tx.accounts.note_former_name(player, now)
            case Export(player):  # on its own: to collect many matches takes longer than any message may
                tx.due.schedule(EXPORT_DUE, player.id, now)
            case RevokeTokens(player):
                tx.players.revoke_tokens(player, now)
            case Forget(player):  # on its own: to leave many matches takes longer than any message may
                tx.due.schedule(FORGETTING_DUE, player.id, now)
            case Requeue(number):
                tx.inbound.requeue(number)
            case Disown(number, reason):
                tx.inbound.disown(number, reason, now)
            case Withdraw(number):
                tx.inbound.disown(number, TAKEN_BACK, now)
                tx.due.cancel(UNSEND_DUE, number)
            case CloseQuestion(_, email):
                tx.outbound.replace_key(email, effect.closes, effect.key)
            case Follow(match, email):
                tx.followers.add(match, email, now)
                tx.outbound.replace_key(email, open_key(match), answered_key(match))
            case Unfollow(match, email, refused):
                tx.followers.remove(match, email)
                if refused:
                    tx.outbound.replace_key(email, ALL_KEYS, REFUSED_KEY)
            case AskWish(_, _, name, mark):
                if name is not None:
                    tx.invitations.note_approach(mark, "", now)
            case CloseWish(number):
                tx.outbound.close_question(ASKING, number, SETTLED)
            case Enrol(email, name, _, mark):
                if tx.players.find(email) is None:
                    tx.players.add(name, email, now)
                tx.invitations.note_approach(mark, "yes", now)
            case KeepOff(mark):
                tx.invitations.note_approach(mark, "no", now)
            case RefuseInvitations(player, marks, refused):
                tx.invitations.set_refused(player.id, marks, refused=refused)
            case SetInvitation():
                _record_invitation(tx, effect, now)
            case AskReview():  # on its own: it takes longer than any message may
                if cause.inbound is not None:
                    tx.due.schedule(REVIEW_DUE, cause.inbound, now)
            case AskFollower() | TellUnfollowed() | TellStarting() | Wish() | Tell():
                pass
            case (
                ProposeMove() | Append() | AddComment() | AddLog() | SetSeed() | Reply() | AskAddress() | ClaimAddress()
            ):
                pass
            case OfferSeat() | OfferSeats() | AgreeSeat() | AnswerSeat() | EndStandIn() | EndOffer():
                pass  # as they cause questions, elsewhere
    if isinstance(decision, MatchDecision) and decision.changes_match:
        _record_match(tx, decision, cause, now)


def _record_match(tx: Transaction, decision: MatchDecision, cause: Cause, now: datetime) -> None:
    """Write the changes of a match. Its first rolls are due while they are awaited."""
    before, after = decision.before, decision.after
    log = [replace(entry, ply=after.ply, at=now) for entry in decision.log]
    tx.clocks.add_log(after.id, log, cause.inbound)
    if after.ruling != before.ruling:
        tx.matches.set_ruling(after)
    if after.agreements != before.agreements:
        tx.matches.set_agreements(after)
    if after.clock is not before.clock:
        _record_clock(tx, before, after, now)
    if after.robots != before.robots:
        tx.matches.set_robots(after)
    if after.rewound != before.rewound:
        tx.matches.outdate(before, after)
    if after.ply < before.ply:
        tx.matches.retract(before, after)
    elif any(entry.kind == "restored" for entry in log):
        tx.matches.restore(after.id)
    else:
        tx.matches.append(before, after.record[before.ply :], after.times[before.ply :], cause.inbound)
    tx.matches.add_comments(after, decision.comments, now, cause.inbound)
    if decision.seeded:
        tx.matches.set_seeds(after)
    tx.matches.touch(after, now)
    if after.turn != before.turn or after.ruling != before.ruling:
        schedule_robot(tx, after, now)
    if before.awaits_seeds and (after.outcome or not after.awaits_seeds):
        tx.due.cancel(FIRST_ROLLS, after.id)
    elif after.awaits_seeds and not before.awaits_seeds and after.rolls_due:
        tx.due.schedule(FIRST_ROLLS, after.id, after.rolls_due)


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
