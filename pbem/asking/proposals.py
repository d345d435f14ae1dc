"""What an email to a seat proposed, kept as a question, and the yes or no that answers it.

What was proposed is never read from a quotation: the email that is answered is found by its Message-ID, or, where a
provider has given it another one, by the turn that its reply token names.

Unproven moves are proposed, too: who mails a move from a page, without a reply token, is asked by an email.
"""

from collections.abc import Sequence
from itertools import takewhile

from pbem.advice.advice import advice
from pbem.asking.limit_table import LIMITS
from pbem.asking.limits import allowance
from pbem.commands.catalogue import meant_by_yes
from pbem.commands.decision import Command
from pbem.commands.families.agreement import meant_by_no
from pbem.commands.families.play import FreeText
from pbem.commands.families.reporting import Report
from pbem.commands.families.talk import Say
from pbem.commands.families.time import proposed_pause
from pbem.commands.for_partners import list_recipients, read_recipient
from pbem.commands.grammar import read_commands
from pbem.commands.rejections import Discard, NoCommand, OfferOpen, Resigning, Unproven
from pbem.due.gate import is_too_late
from pbem.match.match import Match
from pbem.match.question import Question
from pbem.notices.audience import WHOSE_WORDS
from pbem.notices.sentences.reasons import shorten
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin, Place
from pbem.pipeline.interpret import Reading
from pbem.reading.answers import read_answer
from pbem.reading.sentences import legal
from pbem.storage.transaction import Transaction
from rules.phrase import listed

SENDER = "was_this_you"
"""The kind of the question to a player whether they wrote what came from an unknown address."""

LAST_WORD = "own_address"
"""The kind of the question to a player whether an address is theirs that they named, and that has said yes."""

SEAT_QUESTION = "seat_question"
"""The kind of the question to a player whether a seat may pass on."""

YES_OR_NO = (SENDER, LAST_WORD, SEAT_QUESTION)
"""Kinds of emails to seats that ask for a yes or a no, and nothing else."""

_BY_ID_ALONE = (Unproven.kind, Resigning.kind)


def find_answered(tx: Transaction, place: Place, reading: Reading) -> tuple[bool, Question | None]:
    """Return whether the email is one to that seat that a message answers by its Message-ID, and what it asked."""
    if not reading.answered:
        return False, None
    known, number = tx.outbound.question_of(place.match.id, place.seat, reading.answered[0])
    return known, None if number is None else tx.questions.get(number)


def take_up_offer(act: Act, place: Place, reading: Reading) -> tuple[Sequence[Command], int, Question | None]:
    """Return what a message asks for, the ply of the email that it answers, and what that proposed, if it's taken up.

    For a yes to an email that proposed one thing that is this thing, as if it had been written in answer to that email,
    and so it counts only while the match is as it was then. Raise OfferOpen for a no, and for a yes that is not enough;
    Discard for one that comes twice.
    """
    unchanged = reading.commands, place.ply, None
    if passed_on := _pass_words_on(act, place, reading):
        return passed_on
    if not reading.answered or not all(isinstance(one, FreeText | Say) for one in reading.commands):
        return unchanged
    lines, words = _part_words(reading)
    said = reading.read_answer(lines, [player.name for player in place.match.players])
    answer = said.means
    is_doubted = reading.by_token and said.is_unclear
    if not (answer or is_doubted):
        return unchanged
    known, question = find_answered(act.tx, place, reading)
    question = question if known else _find_newest(act.tx, place)
    offered = _offered_seat(act, place.match, question) or offered_by(question)
    if question is None or not offered:
        if known and said.is_bare and place.match.outcome is None and not _may_be_more(reading.lines, place.match):
            raise OfferOpen("nothing_to_accept" if answer == "yes" else "nothing_to_decline")
        return unchanged
    if is_doubted:
        raise _unclear(question)
    seen_ply = min(place.match.ply_of(question.number("turn")), place.ply)
    if answer == "no" and (declined := meant_by_no(offered)):
        return (*read_commands([declined]), *words), seen_ply, question
    if answer == "no" and question.state == "yes":
        raise OfferOpen("said_yes")
    if answer == "no":
        raise OfferOpen("not_meant_to_act" if place.match.to_act == place.seat else "not_meant")
    if question.state == "yes":
        raise Discard("said yes before")
    if _is_withdrawn(place.match, question):
        raise OfferOpen("closed")
    if offered == Resigning.offered and not said.is_bare:  # “OK, thanks” ends no match
        raise _unclear(question)
    is_old = is_too_late(act.tx, question.asked_at, act.now)
    if (meant := meant_by_yes(offered)) and not is_old:
        return (*read_commands([meant]), *words), seen_ply, question
    if len(offered) == 1:
        raise OfferOpen("write_it", offered=offered, again=question.id, word=offered[0])
    if seen_ply != place.match.ply or place.match.outcome is not None:
        return unchanged
    raise OfferOpen("which_one", offered=offered, again=question.id, choices=listed(offered, "or"))


def _pass_words_on(act: Act, place: Place, reading: Reading) -> tuple[Sequence[Command], int, Question] | None:
    """Return what a message asks for whose first line says who may read words that wait; None for any other.

    Raise OfferOpen where nobody may, and Discard where somebody has.
    """
    lines = [line for line in reading.lines if line.strip()]
    whom = read_recipient(place.match, place.seat, lines[0]) if lines and reading.answered else ""
    known, question = find_answered(act.tx, place, reading) if whom else (False, None)
    question = question if known else _find_newest(act.tx, place) if whom else None
    if question is None or question.kind != WHOSE_WORDS or question.player != place.player.id:
        return None
    if question.state == "yes":
        raise Discard("said yes before")
    if is_too_late(act.tx, question.asked_at, act.now):
        raise OfferOpen("closed")
    more = read_answer(lines[1:])
    if more.means or more.is_unclear:
        return None  # “everyone”, and below it “no, wait”
    if whom == "nobody":
        raise OfferOpen("kept_back", again=question.id)
    text = "\n".join(question.texts("words"))
    words = Report(text) if whom == "operator" else Say(text, to_side=whom == "side")
    return [words, *read_commands(lines[1:])], place.ply, question


def _is_withdrawn(match: Match, question: Question) -> bool:
    """Return whether a pause that somebody proposed stands no longer: its words alone would propose it anew."""
    pauses = {one for one in question.texts("proposed") if one.startswith("pause")}
    return bool(pauses) and pauses.isdisjoint(proposed_pause(match))


def _offered_seat(act: Act, match: Match, question: Question | None) -> tuple[str, ...]:
    """Return the words by which a player agrees to a seat's passing on, by the names of today; none for no such thing.

    Raise OfferOpen where that is offered no longer: the words alone would offer it anew.
    """
    if question is None or question.kind != SEAT_QUESTION:
        return ()
    offer = act.tx.seat_offers.get(question.number("offer"))
    newcomer = act.tx.players.get(offer.player) if offer and offer.player is not None else None
    if offer is None or newcomer is None or not offer.awaits_others(act.now):
        raise OfferOpen("closed")
    return (f"replace {match.name(offer.seat)} with {newcomer.name}",)


def find_unclear(act: Act, place: Place, reading: Reading, nothing: NoCommand) -> OfferOpen | None:
    """Return what is said to whoever answers an email that asks for a yes or a no, and says neither; else None.

    What was asked, or proposed, is once more: the answer to this email is one to that question. ``nothing`` is why
    nothing else of the message counts; whoever nearly wrote something is advised about that.
    """
    if nothing.code != nothing.kind or nothing.asides or not any(line.strip() for line in reading.lines):
        return None
    _, question = find_answered(act.tx, place, reading)
    if question is None:
        return None
    if question.kind in (*YES_OR_NO, WHOSE_WORDS) and is_too_late(act.tx, question.asked_at, act.now):
        return OfferOpen("closed")
    if question.kind in YES_OR_NO:
        return OfferOpen(f"unclear_{question.kind}", again=question.id)
    if question.kind == WHOSE_WORDS:
        readers = list_recipients(place.match, place.seat, operator=bool(question.number("operator")))
        words, choices = shorten(question.texts("words")), listed(readers, "or")
        return OfferOpen("for_whom", again=question.id, private=True, line=words, choices=choices)
    if not offered_by(question) or question.number("turn") != place.match.turn:
        return None
    nearly = advice(place.match, place.seat, nothing, reading.commands).meant
    return None if nearly and not reading.answer.is_unclear else _unclear(question)


def _unclear(question: Question) -> OfferOpen:
    """Return what is said to whoever answers a proposal, and says neither yes nor no."""
    offered = offered_by(question)
    return OfferOpen("unclear", offered=offered, again=question.id, choices=listed(offered, "or"))


def offered_by(question: Question | None) -> tuple[str, ...]:
    """Return what a question proposed to a seat; nothing for one that has nothing to take up."""
    return tuple(question.texts("offered")) if question else ()


def _find_newest(tx: Transaction, place: Place) -> Question | None:
    """Return what the newest email of the turn proposed, if anything: its Message-ID is another by now.

    Some email providers give our emails other Message-IDs; that the turn is meant, the reply token says. Where another
    email came after the proposal, that may be the one that is answered. What others can cause, or what ends the match,
    needs the Message-ID.
    """
    number = tx.outbound.newest_to(place.match.id, place.seat) if place.is_present else None
    question = None if number is None else tx.questions.get(number)
    if question is None or question.kind in _BY_ID_ALONE or question.number("turn") != place.match.turn:
        return None
    return question


def _part_words(reading: Reading) -> tuple[Sequence[str], Sequence[Command]]:
    """Return the lines of a message above words to others, and the commands that are these words."""
    first = next((place for place, one in enumerate(reading.commands) if isinstance(one, Say)), None)
    if first is None:
        return reading.lines, ()
    above = takewhile(lambda line: not any(isinstance(one, Say) for one in read_commands([line])), reading.lines)
    return list(above), reading.commands[first:]


def _may_be_more(lines: Sequence[str], match: Match) -> bool:
    """Return whether a yes or a no is something else in this match: an answer before the first roll, or a move."""
    return match.awaits_seeds or any(legal(match.position, line) for line in lines if line.strip())


def find_unproven(act: Act, origin: Origin, reading: Reading) -> Unproven | None:
    """Return the rejection of a message that names a match, is one legal move in it, and comes from whoever is to act.

    None for any other message, and where the player has been asked just now.
    """
    player = origin.player
    lines = [line for line in reading.lines if line.strip()]
    if player is None or origin.fault or reading.named is None or len(lines) != 1:
        return None
    match = act.tx.matches.get(reading.named)
    if match is None or match.outcome is not None or not isinstance(match.to_act, int):
        return None
    move = legal(match.position, lines[0]) if match.players[match.to_act].id == player.id else ""
    lately = act.now - LIMITS[Unproven.kind].again
    if not move or act.tx.questions.find(Unproven.kind, lately, match=match.id, seat=match.to_act):
        return None
    if allowance(act, Unproven.kind, player.email).suppressed:
        return None
    return Unproven(match.id, match.to_act, move)
