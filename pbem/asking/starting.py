"""Starting matches, outside of any: invitations are answered, strangers sign up, and wishes are confirmed.

Anybody can write in the name of an address. So what comes without a token of ours is asked about first, and an address
of no player is written to once, unless its reader has answered, or our mail server finds that it was they who wrote.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.asking.accounts import check_name
from pbem.asking.granting import MOST_WISHES, grant
from pbem.asking.invitees import strangers_had_enough
from pbem.asking.limit_table import ANSWERABLE, LIMITS
from pbem.asking.limits import allowance, may_cause_more
from pbem.asking.wish_questions import ASKING, BETWEEN, SETTLED, TOLD, read_question
from pbem.commands.asking_effects import AnswerSeat, AskWish, CloseWish, Enrol, KeepOff, SetInvitation, Wish
from pbem.commands.decision import Decision, MatchDecision, Situation, Step
from pbem.commands.effects import Effect
from pbem.commands.families.play import FreeText
from pbem.commands.families.seats import StandInAll, StandInOff, parse_seats
from pbem.commands.families.starting import (
    AgainIn,
    CallOff,
    HelpRobots,
    HelpStarting,
    Invite,
    Join,
    ListOffers,
    RefuseFrom,
    Seek,
    parse_starting,
    plain_name,
    read_answer,
    read_sign_up,
)
from pbem.commands.rejections import Discard, NotStarted, TooOften
from pbem.errors import BadInput
from pbem.mail.address_token import mailbox_mark
from pbem.mail.compose import Site
from pbem.mail.headers import mailbox_of
from pbem.match.invitation import Invitation
from pbem.match.player import Player
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin, Place
from pbem.pipeline.interpret import Reading
from pbem.reading.reason import Reason, because
from pbem.storage.database import Transaction
from rules.phrase import listed

_OF_SEATS = (StandInOff, StandInAll)
_WISHES = (Invite, Seek, ListOffers, HelpStarting, HelpRobots, Join, CallOff, RefuseFrom, AgainIn, *_OF_SEATS)
_HARMLESS = (ListOffers, HelpStarting, HelpRobots)
_UNNAMED = "Guest"
_PROVING = timedelta(days=31)
"""So long an email about starting a match proves its reader, who is a player: an offer is open no longer."""

_EVER = timedelta(days=3650)
"""A stranger may say yes to the question so long: nobody else has it, and they are not asked again."""


def settle_starting(act: Act, origin: Origin, reading: Reading) -> Decision | None:
    """Return what follows from a message outside of any match about starting one; None for any other message.

    Raise NotStarted for an answer that settles nothing, and Discard for a message that is not answered.
    """
    if not reading.whole:
        return None
    wishes = [_placed(act.tx, one, origin, reading) for one in reading.commands if isinstance(one, _WISHES)]
    if origin.player and origin.is_about_starting:
        if _is_old(act.tx, origin, act.now):  # others may have got hold of it
            return _settle_unproven(act, origin.player, wishes) if wishes else None
        if not may_cause_more(act.tx, origin.sender, act.now):
            raise Discard("asked enough")
    if origin.invited is not None:
        return _settle_invited(act, origin, origin.invited, reading, wishes)
    if origin.wished is not None:
        return _settle_wished(act, origin, origin.wished, reading, wishes)
    if origin.player is not None:
        if not wishes:
            return None
        if origin.lent is not None:
            return _decide(origin.player, wishes, grant(act, origin.player, wishes))
        return _settle_unproven(act, origin.player, wishes)
    return _settle_stranger(act, origin, reading, wishes)


def settle_wishes(act: Act, decision: MatchDecision, place: Place) -> Decision:
    """Return a decision in a match with the wishes in it granted, or refused, or asked about where the email is old.

    Where the message asks for nothing else, it concerns nobody in the match.
    """
    wishes = [effect.command for effect in decision.effects if isinstance(effect, Wish)]
    if not wishes:
        return decision
    player = decision.before.players[place.seat]
    steps = tuple(
        Step(step.done, tuple(effect for effect in step.effects if not isinstance(effect, Wish)))
        for step in decision.steps
    )
    alone = not any(step.effects for step in steps)
    if not may_cause_more(act.tx, player.email, act.now):
        if alone:
            raise TooOften()
        return replace(decision, steps=steps, asides=(*decision.asides, because("asked_enough")))
    if place.is_present or place.is_of_status:
        effects = grant(act, player, wishes, told=decision.asides if alone else ())
    else:
        effects = (AskWish(player.email, _write(wishes)),)
    granted = (*steps, Step("", effects))
    return Situation(granted, player=player) if alone else replace(decision, steps=granted)


def decisions_after(act: Act, decision: Decision) -> Iterable[Decision]:
    """Yield the decision about what somebody asked for who is a player since just now."""
    for effect in decision.effects:
        if isinstance(effect, Enrol) and (player := act.tx.players.find(effect.email)):
            wishes = [wish for wish in _read(effect.wish) if wish is not None]
            told = [because("welcome", name=player.name)]
            if seats := sum(isinstance(one, AnswerSeat) and one.accepted for one in decision.effects):
                told.append(because("seats_taken", count=seats))
            effects = grant(act, player, wishes or ([] if seats else [ListOffers()]), told=told)
            yield Situation((Step("", effects),), player=player)


def _settle_invited(act: Act, origin: Origin, number: int, reading: Reading, wishes: Sequence[object]) -> Decision:
    """Return what follows from an answer to an invitation, or to news of one."""
    invitation, answer = act.tx.invitations.get(number), read_answer(reading.lines)
    assert invitation is not None  # its token was signed for it
    player = origin.player
    if player is None:
        if answer is None:
            raise within_limits(act.tx, NotStarted("unclear"), origin.sender, act.now)
        if answer.word != "accept":
            return _keep_off(act.tx, origin.sender, invitation, act.site)
        seat = invitation.seat_for(None, frozenset([origin.sender]))
        if not invitation.is_open or seat is None:
            raise within_limits(act.tx, NotStarted("closed"), origin.sender, act.now)
        return _enrol(act, origin, answer.name, str(Join(number)))
    told = _left_out(reading)
    if answer is None and not wishes and not told:
        raise within_limits(act.tx, NotStarted("unclear"), player.email, act.now)
    inviter = act.tx.players.get(invitation.inviter)
    given: list[object] = []
    if answer is not None:
        given.append(Join(number) if answer.word == "accept" else CallOff(number))
    if answer is not None and answer.word in ("block", "never") and inviter and inviter.id != player.id:
        given.append(RefuseFrom(inviter.name, refused=True))
    given += wishes
    return _decide(player, given, grant(act, player, given, told))


def _keep_off(tx: Transaction, sender: str, invitation: Invitation, site: Site) -> Decision:
    """Return the decision that follows from the no of a stranger: nobody has them written to any more."""
    effects: list[Effect] = [KeepOff(_mark(sender, site))]
    seat = invitation.seat_for(None, frozenset([sender]))
    if invitation.is_open and seat is not None:
        guest = replace(invitation.guests[seat], state="declined")
        effects.append(SetInvitation(invitation, invitation.after(seat, guest).closed("declined")))
    return Decision((Step("decline", tuple(effects)),))


def _settle_wished(act: Act, origin: Origin, number: int, reading: Reading, wishes: Sequence[object]) -> Decision:
    """Return what follows from an answer to the question whether a wish is its reader's, or to what came of one."""
    player, answer = origin.player, read_answer(reading.lines)
    since = act.now - (_EVER if player is None else ANSWERABLE)
    readers = sorted(player.emails) if player else [origin.sender]
    key = act.tx.outbound.key_caused_by(readers, ASKING, number, since)
    told = _left_out(reading)
    if player and (wishes or told):
        return _decide(player, wishes, grant(act, player, wishes, told))
    question = read_question(key)
    if answer is None or question is None:
        code = "answered" if answer and key == SETTLED else "unclear"
        raise within_limits(act.tx, NotStarted(code), player.email if player else origin.sender, act.now)
    asked, (name, wish) = CloseWish(number), question
    if answer.word != "accept":
        return Decision((Step("no", (asked if player else KeepOff(_mark(origin.sender, act.site)),)),))
    if player is None:
        return _enrol(act, origin, answer.name or name, wish, asked)
    confirmed = [one for one in _read(wish) if one is not None]
    return _decide(player, ["yes"], (asked, *grant(act, player, confirmed)))


def _settle_unproven(act: Act, player: Player, wishes: Sequence[object]) -> Decision:
    """Return the decision to answer what changes nothing, and to ask a player whether the rest is theirs.

    Raise Discard where they had enough of this today.
    """
    changing = [wish for wish in wishes if not isinstance(wish, _HARMLESS)]
    kind = ASKING if changing else TOLD
    if allowance(act.tx, kind, player.email, act.now).suppressed or not may_cause_more(act.tx, player.email, act.now):
        raise Discard("asked enough")
    if not changing:
        return _decide(player, wishes, grant(act, player, wishes))
    return Situation((Step("", (AskWish(player.email, _write(changing)),)),), player=player, noted="asked first")


def _settle_stranger(act: Act, origin: Origin, reading: Reading, wishes: Sequence[object]) -> Decision | None:
    """Return the decision to ask an address of no player whether its reader wants to play; None where nobody may.

    Raise Discard where it is not asked.
    """
    signing = read_sign_up(reading.lines)
    wishes = [wish for wish in wishes if not isinstance(wish, _OF_SEATS)]
    if signing is None and not wishes:
        return None
    invited = [
        wish
        for wish in wishes
        if isinstance(wish, Join)
        and (one := act.tx.invitations.get(wish.number))
        and one.is_open
        and one.seat_for(None, frozenset([origin.sender])) is not None
    ]
    if act.site.new_matches != "anybody" and not (act.site.new_matches == "invited" and invited):
        return None
    if why := _why_unasked(act, origin):
        raise Discard("not asked to play", why)
    name = (signing.name if signing else "") or plain_name(origin.called)
    wanted = wishes if act.site.new_matches == "anybody" else invited
    asked = AskWish(origin.sender, _write(wanted), _free_name(act.tx, name, act.now), _mark(origin.sender, act.site))
    return Decision((Step("", (asked,)),), noted="asked first")


def _why_unasked(act: Act, origin: Origin) -> str:
    """Return why an address of no player is not asked, for the operator; an empty text if it is."""
    asked = act.tx.invitations.approach_of(_mark(origin.sender, act.site))
    if asked and not origin.authentic:
        return "it was written to before, and nothing proves that its reader wrote this"
    if asked and asked.at > act.now - LIMITS[ASKING].again:
        return "it was written to today"
    if act.tx.outbound.has_bounced(origin.sender, act.now - _EVER):
        return "email to it came back"
    if strangers_had_enough(act.tx, act.now):
        return "as many strangers as may be were written to today"
    return "" if may_cause_more(act.tx, origin.sender, act.now) else "it had enough email today"


def _enrol(act: Act, origin: Origin, name: str, wish: str, asked: CloseWish | None = None) -> Decision:
    """Return the decision by which a stranger who said yes is a player."""
    enrolled = enrolment(act, origin, name, wish)
    return Decision((Step("yes", (*([asked] if asked else []), enrolled)),))


def enrolment(act: Act, origin: Origin, name: str, wish: str) -> Enrol:
    """Return the effect by which a stranger is a player, called ``name`` if they can be, and then has their wish."""
    chosen = _free_name(act.tx, name or plain_name(origin.called), act.now)
    return Enrol(origin.sender, chosen, wish, _mark(origin.sender, act.site))


def _free_name(tx: Transaction, wanted: str, now: datetime) -> str:
    """Return the name that a new player gets: what they want, with a number behind it where it may be another's."""
    nobody, name = Player(0, "", "", frozenset()), wanted or _UNNAMED
    for number in range(1, 100):
        try:
            return check_name(tx, nobody, name if number == 1 else f"{name} {number}", now)
        except BadInput:
            continue
    return _UNNAMED  # to which a number is added


def _placed(tx: Transaction, wish: object, origin: Origin, reading: Reading) -> object:
    """Return a wish as it is meant: who wants their seat back means that of the match that they answer, or name."""
    if wish != StandInOff():
        return wish
    lent = tx.seat_offers.get(origin.lent) if origin.lent is not None else None
    return StandInOff(lent.match if lent else reading.named)


def _left_out(reading: Reading) -> tuple[Reason, ...]:
    """Return what a player is told of commands that count in answer to an email of a match alone, if they wrote any."""
    others = [str(one) for one in reading.commands if not isinstance(one, (FreeText, *_WISHES))][:MOST_WISHES]
    return (because("not_about_starting", lines=listed(others, "and")),) if others else ()


def _is_old(tx: Transaction, origin: Origin, now: datetime) -> bool:
    """Return whether the email about starting a match that is answered is so old that it proves nobody any more."""
    if origin.lent is not None:
        at = tx.seat_offers.asked_at(origin.lent)
    elif origin.invited is not None:
        at = tx.invitations.created_at(origin.invited)
    else:
        at = tx.inbound.received_at(origin.wished or 0)
    return at is None or now - at > _PROVING


def ask_again(tx: Transaction, origin: Origin, reading: Reading, now: datetime) -> NotStarted | Discard:
    """Return what is said to whoever answered a question about their address, where the answer settles nothing.

    Somebody whom we have asked is no stranger, and is told what to write.
    """
    about = "address" if origin.question is not None else "follow"
    return within_limits(tx, NotStarted("late" if reading.answer.means else f"unclear_{about}"), origin.sender, now)


def within_limits(tx: Transaction, why: NotStarted, reader: str, now: datetime) -> NotStarted | Discard:
    """Return the rejection of an answer, or its discard where its sender had enough of them."""
    if allowance(tx, why.kind, reader, now).suppressed or not may_cause_more(tx, reader, now):
        return Discard("told enough", why.code)
    return why


def _decide(player: Player, wishes: Iterable[object], effects: Iterable[Effect]) -> Situation:
    """Return the decision of a player with these effects, and what was asked for, for the operator."""
    done = [Step(str(wish)) for wish in wishes][:MOST_WISHES]
    return Situation((*done, Step("", tuple(effects))), player=player)


def _write(wishes: Sequence[object]) -> str:
    """Return wishes in one line."""
    return BETWEEN.join(str(wish) for wish in wishes[:MOST_WISHES])


def _read(line: str) -> list[object]:
    """Return the wishes that such a line holds."""
    read: dict[str, object] = {str(one): one for one in (ListOffers(), HelpStarting(), HelpRobots(), StandInOff())}
    return [read.get(part) or parse_starting(part) or parse_seats(part) for part in line.split(BETWEEN) if part]


def _mark(address: str, site: Site) -> str:
    """Return what stands for the mailbox of an address."""
    return mailbox_mark(mailbox_of(address), site.secret)
