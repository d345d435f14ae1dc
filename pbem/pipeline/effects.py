"""The table of effects: what each writes, and what it tells besides the notices of its match.

A new effect is a class in ``commands/effects.py``, or beside it in ``asking_effects.py``, and a row here. Whoever asks
somebody, or for them, does it when all is told. What appends to a match, or is part of its notices, has an empty row.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.asking.afterthoughts import GATHERED
from pbem.asking.asked_again import show_again
from pbem.asking.contests.challenges import note_challenge, write_contest
from pbem.asking.invitations import tell_invitation, tell_starting
from pbem.asking.kinds.address import ask_claimed
from pbem.asking.kinds.lent import tell_former_player
from pbem.asking.kinds.whose_words import ask_for_whom
from pbem.asking.question import ask
from pbem.asking.seat_offers import agree_to_seat, answer_seats, end_offer, end_stand_in, offer_seats
from pbem.asking.seconds import (
    answer_second,
    ask_second,
    join_second,
    leave_second,
    stop_asking,
    tell_left,
    welcome_second,
)
from pbem.asking.votes import ask_captain, close_vote
from pbem.commands.asking_effects import (
    AgreeSeat,
    AnswerSeats,
    AnswerSecond,
    Ask,
    AskForWhom,
    AskSecond,
    CastVote,
    ChangeLeague,
    EndOffer,
    EndStandIn,
    EndVote,
    Enrol,
    Follow,
    JoinSecond,
    LeaveSecond,
    NoteApproach,
    NoteContest,
    OfferSeat,
    OfferSeats,
    RefuseInvitations,
    SetInvitation,
    Settle,
    ShowAgain,
    StopAsking,
    TellLeagues,
    TellStarting,
    TellUnfollowed,
    Unfollow,
    Wish,
)
from pbem.commands.decision import Decision, MatchDecision
from pbem.commands.effects import (
    AddAddress,
    AddComment,
    AddLog,
    Append,
    AskReview,
    ClaimAddress,
    CloseThoughts,
    Disown,
    DropAddress,
    Export,
    Forget,
    KeepThought,
    ProposeMove,
    PublishThoughts,
    Rename,
    Reply,
    Requeue,
    RevokeTokens,
    SeatPlayer,
    SetCalendar,
    SetPlan,
    SetPreference,
    SetSeed,
    TakeOffThoughts,
    Tell,
    TellOperator,
    Withdraw,
)
from pbem.due.league.entering import change_league
from pbem.due.league.telling import tell_leagues
from pbem.due.reports import keep_report
from pbem.due.schedule import check_soon
from pbem.match.player import Player
from pbem.match.time.digest_times import next_digest
from pbem.match.timing import settle_clock
from pbem.pipeline.act import Act
from pbem.pipeline.followers import begin_following, tell_unfollowed
from pbem.storage.due import (
    AFTERTHOUGHTS_DUE,
    DIGEST_DUE,
    EXPORT_DUE,
    FORGETTING_DUE,
    INVITATION_DUE,
    OPENING_DUE,
    REVIEW_DUE,
    UNSEND_DUE,
)
from pbem.storage.messages.inbound import TAKEN_BACK
from pbem.storage.transaction import Transaction

Handle = Callable[[Act, Any, Any], object]
"""What is done for an effect of a decision."""


@dataclass(frozen=True, slots=True)
class Row:
    """What an effect writes, and what it tells; nothing where that is left to others."""

    write: Handle | None = None
    tell: Handle | None = None


def tell_effects(act: Act, decision: Decision) -> None:
    """Queue what the effects of a decision tell besides the notices of its match, in their order."""
    for effect in decision.effects:
        if tell := EFFECTS[type(effect)].tell:
            tell(act, decision, effect)


def _write_preference(act: Act, _: Decision, effect: SetPreference) -> None:
    """Set a preference, and let what depends on it be looked at soon."""
    player = effect.player
    act.tx.players.set_preference(player, effect.name, effect.value)
    if effect.name == "muted":
        check_soon(act.tx, player.id, act.now)
    if effect.name == "digest":  # without one the boards that wait come at once
        due_at = next_digest(str(effect.value), player.calendar, act.now) or act.now
        act.tx.due.schedule(DIGEST_DUE, player.id, due_at)
    if effect.name == "page":  # so that the next pass of the archive finds them
        act.tx.players.touch(player.id, act.now)


def _write_calendar(act: Act, _: Decision, effect: SetCalendar) -> None:
    """Set a calendar; in another zone clocks and digests go by other days."""
    player, calendar = effect.player, effect.calendar
    if calendar.zone != player.calendar.zone:
        _settle_clocks(act.tx, player, act.now)
        if due := next_digest(player.preferences.digest, calendar, act.now):
            act.tx.due.schedule(DIGEST_DUE, player.id, due)
    act.tx.players.set_calendar(player, calendar, act.now)
    check_soon(act.tx, player.id, act.now)


def _settle_clocks(tx: Transaction, player: Player, now: datetime) -> None:
    """Take what a player has used so far off their banks: another zone has other weekends, from now on alone.

    Where weekends count, no zone makes a difference.
    """
    clocks = tx.clocks.of_player(player.id)
    numbers = [number for number, clock in clocks if clock.control.weekends_free and clock.since]
    for match in tx.matches.all(numbers) if numbers else ():
        if match.clock:
            tx.clocks.save(match.id, settle_clock(match, now), now)


def _write_seat(act: Act, decision: MatchDecision, effect: SeatPlayer) -> None:
    """Give a seat to another player; what its former one has asked for others' seats binds nobody any more."""
    told = bool(act.site.archive.url) and decision.after.team_told
    act.tx.matches.seat_player(decision.after.id, effect.seat, effect.player, team_told=told)
    if decision.after.seconds:  # who votes on the moves of a seat may get it
        act.tx.seconds.leave(decision.after.id, effect.player.id, act.now)
    for one in act.tx.seat_offers.open_in(decision.after.id):
        if one.by == effect.seat:
            act.tx.seat_offers.change(one.id, "over")
    act.tx.players.touch(decision.before.players[effect.seat].id, act.now)


def _write_published(act: Act, decision: MatchDecision, effect: PublishThoughts) -> None:
    """Publish what a player keeps, or no longer."""
    act.tx.thoughts.publish(decision.after.id, effect.player.id, published=effect.published)
    act.tx.matches.mark_changed(decision.after.id, act.now)  # so that the next pass of the archive finds it


def _write_thought(act: Act, _: Decision, effect: KeepThought) -> None:
    """Keep a thought; of one under a move the others who play are told, a day later at the earliest."""
    act.tx.thoughts.add(effect.match, effect.player.id, effect.thought, act.now)
    if effect.thought.published:
        act.tx.matches.mark_changed(effect.match, act.now)
        act.tx.due.hasten(AFTERTHOUGHTS_DUE, effect.match, act.now + GATHERED)


def _write_taken_off(act: Act, _: Decision, effect: TakeOffThoughts) -> None:
    """Take words and lines off the page of a match."""
    act.tx.thoughts.take_off(effect.match, effect.ply, effect.player.id if effect.player else None)
    act.tx.matches.mark_changed(effect.match, act.now)


def _write_closed(act: Act, _: Decision, effect: CloseThoughts) -> None:
    """Let nothing stand under the moves of a match, or let it again."""
    if effect.closed:
        act.tx.thoughts.close(effect.match, effect.player.id, act.now)
    else:
        act.tx.thoughts.reopen(effect.match, effect.player.id)
    act.tx.matches.mark_changed(effect.match, act.now)


def _write_name(act: Act, _: Decision, effect: Rename) -> None:
    """Give a player another name."""
    act.tx.accounts.rename(effect.player, effect.name, act.now)
    act.tx.accounts.note_former_name(effect.player, act.now)


def _write_withdrawn(act: Act, _: Decision, effect: Withdraw) -> None:
    """Take a held message back."""
    act.tx.inbound.disown(effect.number, TAKEN_BACK, act.now)
    act.tx.due.cancel(UNSEND_DUE, effect.number)


def _write_address(act: Act, _: Decision, effect: AddAddress) -> None:
    """Give a player one more address; what its reader was asked as a stranger is revoked like all that is theirs."""
    act.tx.players.add_address(effect.player, effect.email)
    act.tx.questions.assign(effect.email, effect.player.id)


def _write_enrolled(act: Act, _: Decision, effect: Enrol) -> None:
    """Make a player of whoever has agreed to be one; what they were asked before is asked of that player."""
    if act.tx.players.find(effect.email) is None:
        act.tx.players.add(effect.name, effect.email, act.now)
    if player := act.tx.players.find(effect.email):
        act.tx.questions.assign(effect.email, player.id)


def _write_review(act: Act, _: Decision, effect: AskReview) -> None:
    """Have a review made on its own: it takes longer than any message may."""
    if act.cause.inbound is not None:
        act.tx.due.schedule(REVIEW_DUE, act.cause.inbound, act.now)


def _write_invitation(act: Act, _: Decision, effect: SetInvitation) -> None:
    """Store an invitation, and schedule what is due of it: its end, or the match that everybody has agreed on."""
    after = effect.after
    act.tx.invitations.store(after)
    note_challenge(act, effect.before, after)
    for mark in effect.marks:
        act.tx.invitations.note_approach(mark, "", act.now, share=act.cause.share)
    if effect.before is None and after.is_open:
        act.tx.due.schedule(INVITATION_DUE, after.id, after.expires_at, since=after.created_at)
    elif not after.is_open:
        act.tx.due.cancel(INVITATION_DUE, after.id)
    if after.state == "agreed":
        act.tx.due.schedule(OPENING_DUE, after.id, act.now)


def _revoke_tokens(act: Act, _: object, effect: RevokeTokens) -> None:
    """Let none of the tokens count that a player has had so far, of seats and of questions."""
    act.tx.players.revoke_tokens(effect.player, act.now)
    act.tx.questions.revoke(effect.player.id)


EFFECTS: Mapping[type, Row] = {
    SetPreference: Row(_write_preference),
    SetCalendar: Row(_write_calendar),
    SeatPlayer: Row(_write_seat, tell_former_player),
    SetPlan: Row(lambda act, decision, one: act.tx.matches.set_plan(decision.after.id, one.seat, one.plan)),
    KeepThought: Row(_write_thought),
    TakeOffThoughts: Row(_write_taken_off),
    CloseThoughts: Row(_write_closed),
    PublishThoughts: Row(_write_published),
    AddAddress: Row(_write_address),
    DropAddress: Row(lambda act, _, one: act.tx.players.drop_address(one.player, one.email)),
    Rename: Row(_write_name),
    # To collect, or to leave, many matches takes longer than any message may.
    Export: Row(lambda act, _, one: act.tx.due.schedule(EXPORT_DUE, one.player.id, act.now)),
    Forget: Row(lambda act, _, one: act.tx.due.schedule(FORGETTING_DUE, one.player.id, act.now)),
    RevokeTokens: Row(_revoke_tokens),
    Requeue: Row(lambda act, _, one: act.tx.inbound.requeue(one.number)),
    Disown: Row(lambda act, _, one: act.tx.inbound.disown(one.number, one.reason, act.now)),
    Withdraw: Row(_write_withdrawn),
    ClaimAddress: Row(tell=ask_claimed),
    AskForWhom: Row(tell=ask_for_whom),
    Ask: Row(tell=ask),
    Settle: Row(lambda act, _, one: act.tx.questions.settle(one.numbers, one.state)),
    ShowAgain: Row(tell=lambda act, _, one: show_again(act, one)),
    Follow: Row(lambda act, _, one: act.tx.followers.add(one.match, one.email, act.now), begin_following),
    Unfollow: Row(lambda act, _, one: act.tx.followers.remove(one.match, one.email)),
    TellUnfollowed: Row(tell=tell_unfollowed),
    Enrol: Row(_write_enrolled),
    NoteApproach: Row(
        lambda act, _, one: act.tx.invitations.note_approach(one.mark, one.answer, act.now, share=act.cause.share)
    ),
    NoteContest: Row(lambda act, _, one: write_contest(act, one)),
    RefuseInvitations: Row(
        lambda act, _, one: act.tx.invitations.set_refused(one.player.id, one.marks, refused=one.refused)
    ),
    SetInvitation: Row(_write_invitation, tell_invitation),
    TellStarting: Row(tell=tell_starting),
    ChangeLeague: Row(change_league),
    TellLeagues: Row(tell=tell_leagues),
    AskReview: Row(_write_review),
    TellOperator: Row(keep_report),
    OfferSeat: Row(tell=lambda act, _, one: offer_seats(act, [one])),
    OfferSeats: Row(tell=lambda act, _, one: offer_seats(act, one.offers)),
    AgreeSeat: Row(tell=agree_to_seat),
    AnswerSeats: Row(tell=answer_seats),
    EndStandIn: Row(tell=end_stand_in),
    EndOffer: Row(tell=end_offer),
    AskSecond: Row(tell=ask_second),
    StopAsking: Row(stop_asking),
    JoinSecond: Row(join_second, welcome_second),
    LeaveSecond: Row(leave_second, tell_left),
    CastVote: Row(
        lambda act, _, one: act.tx.seconds.cast(one.match, one.turn, one.seat, one.player.id, one.moves, act.now)
    ),
    EndVote: Row(close_vote, ask_captain),
    AnswerSecond: Row(tell=answer_second),
    **dict.fromkeys((Append, AddComment, AddLog, SetSeed, ProposeMove, Reply, Tell, Wish), Row()),
}
"""What is done for each kind of effect."""
