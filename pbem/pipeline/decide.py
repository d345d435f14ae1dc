"""Stage 5: decide what a message changes; this stage writes nothing."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from pbem.advice.advice import advice
from pbem.asking.asked_again import find_asked_again
from pbem.asking.contests.challenges import NEWS
from pbem.asking.forgetting import check_export
from pbem.asking.invitees import People
from pbem.asking.kinds.address import hold, settle_player
from pbem.asking.kinds.follow import settle_following
from pbem.asking.kinds.lent import LENT
from pbem.asking.limits import allowance, may_be_told, may_cause_more
from pbem.asking.proposals import LAST_WORD, SENDER, find_answered, find_unclear, find_unproven, take_up_offer
from pbem.asking.question import refuse_unclear, settle
from pbem.asking.starting import settle_unasked, settle_wishes
from pbem.asking.votes import as_vote
from pbem.commands.asking_effects import Settle
from pbem.commands.decision import (
    SIGNED,
    Command,
    Decision,
    MatchDecision,
    Situation,
    Step,
    is_unsubscribing,
    needs_present_mail,
)
from pbem.commands.effects import (
    AddComment,
    AddLog,
    Export,
    PublishThoughts,
    Reply,
    RevokeTokens,
    SetCalendar,
    SetPreference,
    TellOperator,
)
from pbem.commands.families.account import Unsubscribe
from pbem.commands.families.digest import ChooseLetter
from pbem.commands.families.forgetting import FORGET_ME
from pbem.commands.families.play import FreeText, Resign
from pbem.commands.families.profile import SendExport
from pbem.commands.families.reporting import tells_operator_alone
from pbem.commands.families.starting import RefuseFrom
from pbem.commands.families.thoughts import OF_THOUGHTS
from pbem.commands.families.time_words import OF_CLOCKS
from pbem.commands.grammar import read_commands
from pbem.commands.judge import judge, judge_outside
from pbem.commands.rejections import (
    Discard,
    NoCommand,
    OldMail,
    Opaque,
    Resigning,
    SetBack,
    StaleTurn,
    TooLarge,
    TooOften,
    Unconfirmed,
    UnknownMatch,
)
from pbem.due.gate import is_too_late
from pbem.due.putting_away import taken_up
from pbem.due.reports import check_report
from pbem.due.unsending import find_held
from pbem.match.player import Player
from pbem.match.question import TOLD
from pbem.match.thought import Thought
from pbem.pipeline.act import Act
from pbem.pipeline.checks import check
from pbem.pipeline.identify import Origin, Place, newest_place
from pbem.pipeline.interpret import Reading
from pbem.reading.reason import because, name_lines
from pbem.storage.transaction import Transaction
from rules.position import Entry

_SOON = timedelta(days=30)
"""So long after a match the email of its end proves that its reader wants to publish what they keep."""


def decide(act: Act, origin: Origin, reading: Reading) -> Decision:
    """Return the decision to record and announce. Raise Rejection or Discard for a message that changes nothing."""
    place = origin.place
    if place is None:
        if origin.player and tells_operator_alone(reading.commands) and not reading.answer.means:
            return _decide_outside(act, origin, reading)
        for settled in (settle_following, _find_leaving, settle, settle_unasked):
            if decision := settled(act, origin, reading):
                return decision
        refuse_unclear(act, origin, reading)
        if unproven := find_unproven(act, origin, reading):
            raise unproven
        return _decide_outside(act, origin, reading)
    if origin.player is None:
        raise hold(act.tx, origin.sender, place, reading, act.now)
    if reading.whole and (confirmation := _settle_at_seat(act, place, reading)):
        return confirmation
    if not reading.whole:
        raise TooLarge()
    if reading.is_closed:
        raise Opaque(reading.opaque)
    alone = sum(bool(line.strip()) for line in reading.lines) == 1  # beside a move it is talk
    if alone and (following := settle_following(act, origin, reading)):
        return following
    decision = decide_at(act, place, reading, origin.sender)
    return settle_wishes(act, decision, place, reading)


def _find_leaving(act: Act, origin: Origin, reading: Reading) -> Decision | None:
    """Return the decision by which a player unsubscribes in answer to an email that asks nothing, or by its button.

    None for any other message: the word refuses what is asked. Whoever never had a match wants no Sunday letter then.
    """
    player, question = origin.player, origin.question
    asked = [one for one in reading.commands if not isinstance(one, FreeText)]
    if player is None or question is None or question.kind not in (TOLD, NEWS, LENT) or not reading.whole:
        return None
    if not asked or not all(isinstance(one, ChooseLetter | Unsubscribe) for one in asked):
        return None
    place = newest_place(act.tx, player) if Unsubscribe() in asked else None
    if place:
        return decide_at(act, place, Reading(["unsubscribe"], [Unsubscribe()]), origin.sender)
    wished = [one if isinstance(one, ChooseLetter) else ChooseLetter(wanted=False) for one in asked]
    return judge_outside(player, wished, now=act.now)


def _decide_outside(act: Act, origin: Origin, reading: Reading) -> Decision:
    """Return the decision about a message that answers no email of ours, and asks nobody anything."""
    if origin.player and origin.fault == "revoked_token" and SendExport() in reading.commands:
        return limit_outside(act, _export_outside(act, origin.player), origin.sender)
    commands = [one for one in reading.commands if not (origin.is_unsure and isinstance(one, ChooseLetter))]
    try:
        decision = judge_outside(origin.player, commands, now=act.now)
    except UnknownMatch:
        if again := find_asked_again(act, origin, reading):
            return again
        raise
    for effect in decision.effects:
        if isinstance(effect, TellOperator) and (why := check_report(act, None, effect)):
            decision = Situation((Step("", (Reply("answer", (why,)),)),), player=origin.player)
    return limit_outside(act, decision, origin.sender)


def _export_outside(act: Act, player: Player) -> Situation:
    """Return the decision about a player's wish for their data, in answer to an email of a seat that has passed on."""
    wish = Export(player)
    why = check_export(act, None, wish)
    told = Reply("answer", (why or because("export_coming", address=player.email),))
    return Situation((Step(str(SendExport()), (told,) if why else (wish, told)),), player=player)


def _settle_at_seat(act: Act, place: Place, reading: Reading) -> MatchDecision | None:
    """Return the decision that follows from what a player answers about an address; None for any other message."""
    if not reading.answer.means:
        return None
    _, question = find_answered(act.tx, place, reading)
    if question is None or question.kind not in (SENDER, LAST_WORD):
        return None
    return settle_player(act, place, question, reading)


def decide_at(act: Act, place: Place, reading: Reading, sender: str) -> MatchDecision:
    """Return the decision about what the player at ``place`` asks for there. Raise Rejection or Discard for nothing."""
    commands, seen_ply, proposed = take_up_offer(act, place, reading)
    decision = _judge(act, place, reading, commands, seen_ply)
    decision = as_vote(act, check(act, decision))
    if reading.signature:
        signed = because(SIGNED, lines=name_lines(reading.signature, most=1))
        decision = replace(decision, asides=(*decision.asides, signed))
    if place.has_expired(act.site, act.now):
        decision = _only_leaving(decision)
    decision = _apply_limits(act, decision, sender)
    if proposed:
        answered = Settle((proposed.id,), "no" if reading.answer.means == "no" else "yes")
        decision = replace(decision, steps=(*decision.steps, Step("", (answered,))))
    return taken_up(act.tx, decision, act.now)


def _judge(act: Act, place: Place, reading: Reading, commands: Sequence[Command], seen_ply: int) -> MatchDecision:
    """Return the decision of the rules. Raise Unconfirmed for one that the player is to be asked about first.

    What cannot be taken back must not follow from any email that the player ever had, since others may have got one.
    """
    clocked = not any(isinstance(command, OF_CLOCKS) for command in commands) or _has_clock(act.tx, place)
    asked_of = partial(
        judge,
        place.match,
        place.seat,
        seen_ply,
        commands,
        now=act.now,
        allowance=act.site.vacation_days,
        clocked=clocked,
        thoughts=_thoughts(act.tx, place, commands),
        lent=act.tx.seat_offers.lent_in(place.match.id) if place.match.robot_seats else frozenset(),
        held=find_held(act.tx, place, act.site),
        archived=bool(act.site.archive.url),
        acquainted=_find_acquainted(act, place, commands),
    )
    try:
        decision = asked_of()
    except NoCommand as nothing:
        if unclear := find_unclear(act, place, reading, nothing):
            raise unclear from None
        if not _talks(place, reading, nothing):
            raise
        decision = asked_of(talks=True)
    except StaleTurn as stale:
        raise (SetBack() if place.is_ahead else stale) from None
    if place.is_present and commands is reading.commands and _resigns_below(decision, reading):
        raise Resigning()
    of_status = place.is_of_status and place.match.outcome is None
    asked = next((step.done for step in decision.steps if needs_present_mail(step, of_status=of_status)), "")
    if not asked or (place.is_present and (place.match.outcome is None or _publishes_soon(decision, act.now))):
        return decision
    _, question = find_answered(act.tx, place, reading)
    if question and question.kind == Unconfirmed.kind and not is_too_late(act.tx, question.asked_at, act.now):
        return decision
    raise Unconfirmed(command=asked)


def _talks(place: Place, reading: Reading, nothing: NoCommand) -> bool:
    """Return whether words in which nothing else was found are for the others: their match is over.

    Not so from whoever wants no more email, or nearly asks for something, and not from what may be a machine.
    """
    match, seat = place.match, place.seat
    if match.outcome is None or nothing.code != nothing.kind or nothing.asides or reading.by_token:
        return False
    return advice(match, seat, nothing, reading.commands).meant is None


def _publishes_soon(decision: MatchDecision, now: datetime) -> bool:
    """Return whether all that cannot be taken back is to publish what was private, soon after the end of the match."""
    lasting = [step for step in decision.steps if needs_present_mail(step)]
    publishes = all(any(isinstance(effect, PublishThoughts) for effect in step.effects) for step in lasting)
    return publishes and now - decision.before.changed_at < _SOON


def _thoughts(tx: Transaction, place: Place, commands: Sequence[Command]) -> tuple[Thought, ...]:
    """Return what the player keeps for themselves in the match, if a command is about that."""
    if not any(isinstance(command, OF_THOUGHTS) for command in commands):
        return ()
    return tx.thoughts.of_player(place.match.id, place.player.id)


def _find_acquainted(act: Act, place: Place, commands: Sequence[Command]) -> frozenset[str]:
    """Return the names in commands that keep somebody off who has no seat here, but is known to the player."""
    named = [one.who for one in commands if isinstance(one, RefuseFrom) and "@" not in one.who]
    return frozenset(who for who in named if People(act, place.player).find_known(who))


def _resigns_below(decision: MatchDecision, reading: Reading) -> bool:
    """Return whether a decision gives the match up by a line below others, which may be part of what they say."""
    first = next((line for line in reading.lines if line.strip()), "")
    resigns = any(effect.entry == Entry(decision.seat, "resign") for effect in decision.appended)
    return resigns and not any(isinstance(one, Resign) for one in read_commands([first]))


def _has_clock(tx: Transaction, place: Place) -> bool:
    """Return whether the match has a clock that is answered, or another one that its player still plays."""
    if place.match.clock is not None:
        return True
    return any(match.clock for match in tx.matches.all(player=place.player.id, running=True))


def _apply_limits(act: Act, decision: MatchDecision, sender: str) -> MatchDecision:
    """Return the part of ``decision`` within the limits: a sender who caused too much email may only move.

    Raise TooOften for a message without a move. The command ``unsubscribe`` is always accepted, and what players set
    about their time: nobody who uses up their share of email keeps them from going away.
    """
    seat, before = decision.seat, decision.before
    assert seat is not None
    answers_first = decision.seeded and before.seeds[seat] is None
    idle = decision.after.ply == before.ply and not answers_first
    if not (idle or decision.replies):
        return decision
    revokes = any(isinstance(effect, RevokeTokens) for effect in decision.effects)
    if revokes or may_cause_more(act, sender):  # whoever has used up a player's share must not disable the remedy
        if not idle or not (decision.comments or decision.log) or _may_be_told(act.tx, decision, act.now):
            return decision
        silent = replace(decision, steps=tuple(map(_drop_news, decision.steps)))
        if silent.comments or silent.log:
            raise TooOften("told_enough")
        return silent
    if decision.unsubscribes and not before.players[seat].preferences.muted:
        quiet = (step if is_unsubscribing(step) else _drop_email(step) for step in decision.steps)
        return replace(decision, steps=tuple(step for step in quiet if step.effects))
    if idle:
        return _only_settings(decision)
    steps = tuple(step for step in (_drop_replies(_drop_news(step)) for step in decision.steps) if step.effects)
    if steps == decision.steps:
        return decision
    waits = (because("asked_enough"),) if _list_done(steps) != decision.done else ()
    return replace(decision, steps=steps, asides=(*decision.asides, *waits))


def _only_settings(decision: MatchDecision) -> MatchDecision:
    """Return what a decision sets of its sender's time, which nobody is told of today. Raise TooOften for nothing."""
    steps = tuple(
        Step(step.done, tuple(effect for effect in step.effects if isinstance(effect, SetCalendar)))
        for step in decision.steps
        if any(isinstance(effect, SetCalendar) for effect in step.effects)
    )
    if not steps:
        raise TooOften()
    return replace(decision, steps=steps, asides=(), after=decision.before, noted="not told")


def limit_outside(act: Act, decision: Decision, sender: str) -> Decision:
    """Return a decision outside every match. Raise Discard for a sender who has caused too much email already.

    Anybody may have written it who knows the player's address.
    """
    player = decision.player if isinstance(decision, Situation) else None
    reader = player.email if player else sender
    for reply in decision.replies:
        if not may_cause_more(act, sender) or allowance(act, reply.kind, reader).suppressed:
            raise Discard("too many letters")
    return decision


def _only_leaving(decision: MatchDecision) -> MatchDecision:
    """Return what counts of a decision in answer to an email that is too old. Raise OldMail if nothing does."""
    steps = tuple(step for step in decision.steps if is_unsubscribing(step) or step.done == FORGET_ME)
    if not steps:
        raise OldMail()
    return replace(decision, steps=steps, asides=(), after=decision.before)


def _may_be_told(tx: Transaction, decision: MatchDecision, now: datetime) -> bool:
    """Return whether nobody else in the match has had so much email today that words and news have to wait."""
    others = (player for seat, player in enumerate(decision.before.players) if seat != decision.seat)
    return all(player.preferences.muted or may_be_told(tx, player.email, now) for player in others)


def _drop_email(step: Step) -> Step:
    """Return a step without all that causes email besides the notices of a move."""
    return replace(step, effects=tuple(one for one in step.effects if not isinstance(one, AddComment | Reply)))


def _drop_news(step: Step) -> Step:
    """Return a step without the news of what its sender has set: they are away, though nobody hears of it today."""
    if not any(isinstance(effect, SetCalendar | SetPreference) for effect in step.effects):
        return step
    return replace(step, effects=tuple(effect for effect in step.effects if not isinstance(effect, AddLog)))


def _drop_replies(step: Step) -> Step:
    """Return a step without its replies."""
    return replace(step, effects=tuple(effect for effect in step.effects if not isinstance(effect, Reply)))


def _list_done(steps: tuple[Step, ...]) -> tuple[str, ...]:
    """Return the canonical commands of ``steps``."""
    return tuple(step.done for step in steps if step.done)
