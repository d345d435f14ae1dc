"""Starting matches, outside of any: invitations are answered, strangers sign up, and wishes are confirmed.

Anybody can write in the name of an address. So what comes without a token of ours is asked about first, and an address
of no player is written to once, unless its reader has answered. A stranger of whom our mail server finds that they
wrote themselves is not asked: they play here at once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import get_args

from pbem.asking.afterthoughts import why_unfit
from pbem.asking.granting import MOST_WISHES, grant
from pbem.asking.limit_table import COME_BACK
from pbem.asking.limits import allowance, may_cause_more
from pbem.asking.may_ask import FULL, why_unasked
from pbem.asking.player_names import examine_name
from pbem.asking.words_beside import find_words
from pbem.commands.asking_effects import AnswerSeats, Ask, Enrol, NoteApproach, SetInvitation, Settle, Wish
from pbem.commands.decision import Decision, MatchDecision, Situation, Step
from pbem.commands.effects import Effect, Reply
from pbem.commands.families import starting as wishing
from pbem.commands.families.afterthoughts import Afterthought, Allow, TakeOff, parse_afterthought
from pbem.commands.families.contests.ladders import LadderWish, ShowLadders, parse_ladder
from pbem.commands.families.contests.leagues import LeagueWish, ShowLeagues, parse_leagues
from pbem.commands.families.play import FreeText
from pbem.commands.families.seats import StandInAll, StandInOff, parse_seats
from pbem.commands.rejections import Discard, NotStarted, TooOften
from pbem.mail.compose import Site
from pbem.mail.headers import mailbox_of
from pbem.mail.marks import mailbox_mark
from pbem.match.player import Player
from pbem.match.question import TOLD, Question
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin, Place
from pbem.pipeline.interpret import Reading
from pbem.reading.reason import Reason, because
from rules.phrase import listed

ASKING = "confirm_start"
"""The kind of the question to an address whether it was its reader who asked for something about starting matches."""

_OF_SEATS = (StandInOff, StandInAll)
_HARMLESS = (
    *(wishing.ListOffers, wishing.HelpStarting, wishing.HelpGames, wishing.HelpRobots),
    *(ShowLadders, ShowLeagues),
)
_AFTER = (Afterthought, TakeOff, Allow)
_WISHES = (*get_args(wishing.Wished), *_OF_SEATS, *_AFTER, *get_args(LadderWish), *get_args(LeagueWish))
_UNNAMED = "Guest"
_PROVING = timedelta(days=31)
"""So long an email about starting a match proves its reader, who is a player: an offer is open no longer."""


def settle_unasked(act: Act, origin: Origin, reading: Reading) -> Decision | None:
    """Return what follows from a message outside of any match that answers no email of ours about starting one.

    None for any other message. Raise Discard for one that is not answered.
    """
    if not reading.whole:
        return None
    wishes = list_wishes(origin, reading)
    if origin.player is None:
        return _settle_stranger(act, origin, reading, wishes)
    return settle_unproven(act, origin.player, wishes)


def list_wishes(origin: Origin, reading: Reading) -> list[object]:
    """Return what a message asks for about starting matches, and seats."""
    return [_placed(one, origin, reading) for one in reading.commands if isinstance(one, _WISHES)]


def is_proof(act: Act, player: Player, question: Question) -> bool:
    """Return whether a player's answer proves them: others may have got hold of an email that is old.

    Raise Discard where they have caused enough email.
    """
    if act.now - question.asked_at > _PROVING:
        return False
    if not may_cause_more(act, player.email):
        raise Discard("asked enough")
    return True


def settle_wishes(act: Act, decision: MatchDecision, place: Place, reading: Reading) -> Decision:
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
    if not may_cause_more(act, player.email):
        if alone:
            raise TooOften()
        return replace(decision, steps=steps, asides=(*decision.asides, because("asked_enough")))
    if place.is_present or place.is_of_status:
        words, left_out = find_words(reading, player.name) if alone else ("", ())
        asides = (one for one in decision.asides if one.code not in ("words_kept", "address_withheld"))
        effects = grant(act, player, wishes, (*asides, *left_out) if alone else (), words)
    else:
        effects = (_ask_player(act, player, wishes),)
    granted = (*steps, Step("", effects))
    return Situation(granted, player=player) if alone else replace(decision, steps=granted)


def decisions_after(act: Act, decision: Decision) -> Iterable[Decision]:
    """Yield the decision about what somebody asked for who is a player since just now."""
    for effect in decision.effects:
        if isinstance(effect, Enrol) and (player := act.tx.players.find(effect.email)):
            wishes = read_wishes(effect.wishes)
            told = [because("welcome")]
            if is_unnamed := player.name.startswith(_UNNAMED):
                told.append(because("unnamed", name=player.name))
            answered = (one.answers for one in decision.effects if isinstance(one, AnswerSeats))
            if seats := sum(taken for answers in answered for _, taken in answers):
                told.append(because("seats_taken", count=seats))
            effects = grant(act, player, wishes, words=effect.words)
            if is_unnamed or not _all_begins(effects):
                wishes = wishes or ([] if seats else [wishing.ListOffers()])
                effects = grant(act, player, wishes, told, effect.words)
            yield Situation((Step("", effects),), player=player)


def _all_begins(effects: Sequence[Effect]) -> bool:
    """Return whether all that comes of wishes is matches that open: the first email of a match is welcome enough."""
    return bool(effects) and all(isinstance(one, SetInvitation) and one.after.state == "agreed" for one in effects)


def settle_unproven(act: Act, player: Player, wishes: Sequence[object]) -> Decision | None:
    """Return the decision to answer what changes nothing, and to ask a player whether the rest is theirs.

    None without a wish. Raise Discard where they had enough of this today.
    """
    if not wishes:
        return None
    changing = [wish for wish in wishes if not isinstance(wish, _HARMLESS) and why_unfit(wish) is None]
    kind = ASKING if changing else TOLD
    if allowance(act, kind, player.email).suppressed or not may_cause_more(act, player.email):
        raise Discard("asked enough")
    if not changing:
        return carried_out(player, wishes, grant(act, player, wishes))
    return Situation((Step("", (_ask_player(act, player, changing),)),), player=player, noted="asked first")


def _ask_player(act: Act, player: Player, wishes: Sequence[object]) -> Ask:
    """Return the effect by which a player is asked whether wishes are theirs."""
    about = {"wishes": _write(wishes)}
    return Ask(Question(ASKING, player.email, about, player.id, inbound=act.cause.inbound))


def _settle_stranger(act: Act, origin: Origin, reading: Reading, wishes: Sequence[object]) -> Decision | None:
    """Return the decision to ask an address of no player whether its reader wants to play; None where nobody may.

    Whoever is found to have written it themselves is a player at once. Raise Discard where nobody is asked.
    """
    signing = wishing.read_sign_up(reading.lines)
    wishes = [wish for wish in wishes if not isinstance(wish, (*_OF_SEATS, *_AFTER, wishing.HelpGames))]
    if signing is None and not wishes:
        return None
    invited = [
        wish
        for wish in wishes
        if isinstance(wish, wishing.Join)
        and (one := act.tx.invitations.get(wish.number))
        and one.is_open
        and one.seat_for(None, frozenset([origin.sender])) is not None
    ]
    if act.site.new_matches != "anybody" and not (act.site.new_matches == "invited" and invited):
        return None
    name = (signing.name if signing else "") or wishing.plain_name(origin.called)
    wanted = wishes if act.site.new_matches == "anybody" else invited
    about = {"wishes": _write(wanted), "name": _free_name(act, name)}
    question = Question(ASKING, origin.sender, about, inbound=act.cause.inbound)
    why = why_unasked(act, question, proven=origin.authentic)
    if why == FULL and origin.authentic and not allowance(act, COME_BACK, origin.sender).suppressed:
        return Decision((Step("", (Reply(COME_BACK),)),), noted="asked to come back tomorrow")
    if why or not may_cause_more(act, origin.sender):
        raise Discard("not asked to play", why or "it had enough email today")
    if origin.authentic:
        words, _ = find_words(reading, name)
        words = "\n".join(line for line in words.split("\n") if wishing.read_sign_up([line]) is None).strip()
        said = [Step(str(one)) for one in (*filter(None, [signing]), *wanted)][:MOST_WISHES]
        return Decision((*said, Step("", enrolment(act, origin, name, tuple(_write(wanted)), words))))
    approached = NoteApproach(_mark(origin.sender, act.site))
    return Decision((Step("", (approached, Ask(question))),), noted="asked first")


def enrol(
    act: Act, origin: Origin, name: str, wishes: tuple[str, ...], question: Question, reading: Reading
) -> Decision:
    """Return the decision by which a stranger who said yes is a player; then their wishes are looked at."""
    words, _ = find_words(reading, name)
    return Decision((Step("yes", (Settle((question.id,), "yes"), *enrolment(act, origin, name, wishes, words))),))


def enrolment(act: Act, origin: Origin, name: str, wishes: tuple[str, ...] = (), words: str = "") -> tuple[Effect, ...]:
    """Return the effects by which a stranger is a player, called ``name`` if they can be."""
    chosen = _free_name(act, name or wishing.plain_name(origin.called))
    return Enrol(origin.sender, chosen, wishes, words), NoteApproach(_mark(origin.sender, act.site), "yes")


def keep_off(address: str, site: Site) -> NoteApproach:
    """Return the effect of the no of a stranger: nobody has them written to any more."""
    return NoteApproach(_mark(address, site), "no")


def _free_name(act: Act, wanted: str) -> str:
    """Return the name that a new player gets: what they want, with a number behind it where it may be another's."""
    nobody, wanted = Player(0, "", "", frozenset()), wanted or _UNNAMED
    for number in range(1, 100):
        name, fault = examine_name(act, nobody, wanted if number == 1 else f"{wanted} {number}")
        if fault is None:
            return name
    return _UNNAMED  # to which a number is added


def _placed(wish: object, origin: Origin, reading: Reading) -> object:
    """Return a wish as it is meant: who wants their seat back means that of the match that they answer, or name."""
    if not isinstance(wish, StandInOff | Afterthought | TakeOff | Allow) or wish.match is not None:
        return wish
    return replace(wish, match=origin.question.match if origin.question else reading.named)


def tell_left_out(reading: Reading) -> tuple[Reason, ...]:
    """Return what a player is told of commands that count in answer to an email of a match alone, if they wrote any."""
    others = [str(one) for one in reading.commands if not isinstance(one, (FreeText, *_WISHES))][:MOST_WISHES]
    return (because("not_about_starting", lines=listed(others, "and")),) if others else ()


def unsettled(act: Act, question: Question, code: str) -> NotStarted | Discard:
    """Return the rejection of an answer to a question, or its discard where whoever was asked had enough of them."""
    return within_limits(act, question, NotStarted(code))


def within_limits(act: Act, question: Question, why: NotStarted) -> NotStarted | Discard:
    """Return a rejection of an answer to a question, or its discard, as ``unsettled`` has it."""
    reader, code = question.email, why.code
    if allowance(act, why.kind, reader).suppressed or not may_cause_more(act, reader):
        return Discard("told enough", code)
    return why


def carried_out(player: Player, wishes: Iterable[object], effects: Iterable[Effect]) -> Situation:
    """Return the decision of a player with these effects, and what was asked for, for the operator."""
    done = [Step(str(wish)) for wish in wishes][:MOST_WISHES]
    return Situation((*done, Step("", tuple(effects))), player=player)


def _write(wishes: Sequence[object]) -> list[str]:
    """Return wishes as they are kept with a question."""
    return [str(wish) for wish in wishes[:MOST_WISHES]]


def read_wishes(written: Iterable[str]) -> list[object]:
    """Return the wishes that are kept so."""
    known: dict[str, object] = {str(one): one for one in (*(kind() for kind in _HARMLESS), StandInOff())}
    parsers = wishing.parse_starting, parse_leagues, parse_seats, parse_afterthought, parse_ladder
    found = (known.get(one) or next(filter(None, (parse(one) for parse in parsers)), None) for one in written)
    return [wish for wish in found if wish is not None]


def _mark(address: str, site: Site) -> str:
    """Return what stands for the mailbox of an address."""
    return mailbox_mark(mailbox_of(address), site.secret)
