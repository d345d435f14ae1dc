"""Judges what a reply asks for: the one place where commands meet the rules. Pure."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.commands import rejections
from pbem.commands.ambiguity import refuse_correction, refuse_left_out, refuse_retraction
from pbem.commands.asking_effects import AskForWhom
from pbem.commands.catalogue import COMMANDS, as_keyword, family_of, is_consequential, is_personal, parse_piece
from pbem.commands.decision import Command, Decision, Family, MatchDecision, MatchSituation, Situation, Step
from pbem.commands.effects import AddComment, AddLog, Append, SetSeed
from pbem.commands.families import talk
from pbem.commands.families.account import Unsubscribe, resubscribed, settle_unsubscribing
from pbem.commands.families.agreement import AGREEMENT_TYPES, in_turn, lapsed_by
from pbem.commands.families.play import FreeText, Seed, play_move, too_early, too_late
from pbem.commands.families.starting import HelpGames, is_talk
from pbem.commands.families.time import may_claim
from pbem.commands.families.time_words import Claim
from pbem.commands.for_partners import may_be_private, possible_partners
from pbem.commands.grammar import MOST_COMMANDS
from pbem.commands.move_lines import changed_on, find_move, join_steps, names_moves, read_line
from pbem.commands.private_lines import is_own_command, withhold_addresses
from pbem.commands.stale_turn import knows, repeated, why_closed
from pbem.commands.words_above import greets, with_words_above
from pbem.match.match import Comment, Match, advance_automatically
from pbem.match.player import Player
from pbem.match.privacy import is_private
from pbem.match.thought import Thought
from pbem.match.timing import pass_clock
from pbem.reading.beside import is_courtesy
from pbem.reading.headings import heads_other
from pbem.reading.move_phrases import looks_like_a_move, unfinished
from pbem.reading.reason import because, name_lines
from pbem.reading.wording import is_secret
from rules.errors import InvalidMove, RulesError
from rules.position import Seat

_GREETING = 3  # words: what stands above a command and is no sentence
_MOST_CHANGED = 10  # lines that are looked through for a change of mind
_MOST_ASKED = 20  # commands of a message besides moves and words: boards, help, seeds


@dataclass(frozen=True)
class _Doubts:
    """What was not understood first: a failed attempt at a ``move``, and a line, ``tail``, that may end a sentence.

    ``own`` is such a line, too, which is about its sender or other matches.
    """

    move: rejections.MoveRejected | None = None
    tail: str = ""
    own: str = ""


def judge(
    match: Match,
    seat: Seat,
    seen_ply: int,
    commands: Iterable[Command],
    *,
    now: datetime,
    allowance: int = 30,
    clocked: bool = True,
    thoughts: tuple[Thought, ...] = (),
    lent: frozenset[Seat] = frozenset(),
    held: int | None = None,
    archived: bool = True,
    acquainted: frozenset[str] = frozenset(),
    talks: bool = False,
) -> MatchDecision:
    """Decide what follows from what ``seat`` wrote in answer to the notice of ``seen_ply``.

    ``allowance`` are the days of vacation that a player has in a year; ``clocked``: a match of theirs has a clock;
    ``thoughts`` are what they keep for themselves. Somebody only stands in in the seats ``lent``. ``held`` is the
    number of a message of theirs whose move waits. ``archived``: the host has an archive. ``acquainted`` are names in
    the message of people whom they know from elsewhere. ``talks``: words alone are for the others, and are passed on.

    Everything in the message is carried out, or nothing: then it raises a Rejection, or Discard for a move that
    was merely sent again.
    """
    closed = why_closed(match, seat, seen_ply)
    situation = MatchSituation(
        player=match.players[seat],
        match=match,
        seat=seat,
        known=match,
        allowance=allowance,
        clocked=clocked,
        stale=not knows(match, seat, seen_ply),
        is_present=seen_ply == match.ply,
        thoughts=thoughts,
        lent=lent,
        first_agreements=match.agreements,
        held=held,
        archived=archived,
        acquainted=acquainted,
        talks=talks,
    )
    asked_for = list(commands)
    _refuse_too_much(asked_for)
    if Unsubscribe() in asked_for:
        lines = (command.text for command in asked_for if isinstance(command, FreeText))
        has_move = any(read_line(match, line) != "words" for line in lines)
        situation, asked_for = settle_unsubscribing(situation, asked_for, has_move=has_move)
    doubts, above = _Doubts(), ""
    read, tried = list[FreeText](), list[str]()
    rest, answers = deque(asked_for), list[Command]()
    while rest:
        command = rest.popleft()
        if isinstance(command, AGREEMENT_TYPES):  # an offer is of the position after all moves beside it
            answers.append(command)
            above = ""
            continue
        if isinstance(command, Seed) and not situation.match.awaits_seeds:
            situation, command = too_late(situation, command), FreeText(command.line)
        if isinstance(command, Claim) and command.line:
            command = _as_claim(situation, command, [one for one in asked_for if one is not command], rest)
        if is_talk(situation, command) or not _is_meant(command, asked_for):
            command = FreeText(getattr(command, "line", ""))
        if not isinstance(command, FreeText):
            situation, above = family_of(command).apply(situation, command, now), ""
            continue
        reading = read_line(situation.known, command.text)
        if reading != "move" and (found := find_move(situation, command, above, rest, closed=closed is not None)):
            command, reading = found, "move"
        read.append(command)
        heading, above = above, unfinished(above, command.said) if rest else ""
        if reading != "move" and command.wrapped:
            situation = talk.continue_comment(situation, command.said) if situation.speaking else situation
        elif command.tail and is_own_command(situation, command.text):
            situation = situation.told("command_in_sentence", line=command.text)
            doubts = replace(doubts, own=doubts.own or command.text)
        elif (command.tail and (reading == "move" or is_consequential(command.text))) or (
            reading == "move" and heads_other(heading)
        ):
            situation = replace(situation, words=(*situation.words, command.said))
            doubts = replace(doubts, tail=doubts.tail or command.text)
        elif reading == "words":
            situation = replace(situation, words=(*situation.words, command.said))
        elif match.awaits_seeds and situation.seeded:
            situation = too_early(situation, command.text)
        elif isinstance(reading, InvalidMove):
            situation = replace(situation, words=(*situation.words, command.said))
            if doubts.move is None:  # the first one is answered
                doubts = replace(doubts, move=rejections.MoveRejected(reading, command.text))
        elif closed:
            more = bool(with_words_above(situation).above)
            raise repeated(match, seat, seen_ply, [command, *rest], says_more=more) or closed
        else:
            text = join_steps(situation, command, rest)
            words = (command.beside,) if command.beside else ()
            tried.append(text)
            played = play_move(withhold_addresses(situation), text, now)
            situation = replace(with_words_above(played), words=words, beside=bool(words))
    situation = _with_offers(match, situation, answers, now)
    if doubts.tail and not situation.moves:
        unsure = _unsure(doubts.tail, private=any(isinstance(command, talk.Say) for command in asked_for))
        raise unsure if closed is None or isinstance(parse_piece(doubts.tail), Claim) else closed
    situation = talk.without_silence(situation)
    asks = _is_private(match, situation)
    if talks and not (doubts.move or doubts.own or asks):
        situation = _talking(situation)
    if not situation.done and not asks:
        own = doubts.own and not doubts.move
        raise _unsure(doubts.own) if own else _nothing_done(match, closed, situation, doubts)
    if doubts.move and not closed and not (situation.moves or situation.resigned or situation.replies):
        raise doubts.move
    _refuse_doubtful_words(situation, read, tried)
    situation = _ask_for_whom(situation) if asks else situation
    # Rolls are made only now: nothing that they decide may decide how the rest of the message is taken.
    situation = resubscribed(situation)
    after = in_turn(advance_automatically(situation.match, now), situation.match.turn)
    steps = (*situation.steps, *_automatic_steps(situation.match, after))
    after = pass_clock(match.with_clock(situation.match.clock), after, now)
    return _with_words(MatchDecision(steps, situation.asides, before=match, after=after, seat=seat), situation)


def _with_offers(
    before: Match, situation: MatchSituation, commands: Sequence[Command], now: datetime
) -> MatchSituation:
    """Carry out what a message offers, or answers to an offer; a move declines that which stood before it."""
    if situation.moves and (lapsed := lapsed_by(before, situation.seat, commands)):
        situation = situation.carried("", AddLog(lapsed))
    for command in commands:
        situation = family_of(command).apply(situation, command, now)
    return situation


def judge_outside(
    player: Player | None, commands: Iterable[Command], *, now: datetime, families: Sequence[Family] = COMMANDS
) -> Decision:
    """Decide what follows from a message that belongs to no match, from ``player`` or from a stranger.

    Only those of ``families`` with a wide enough scope count. Raises UnknownMatch or UnknownSender if none was asked.
    """
    situation = Situation(player=player)
    for command in commands:
        if not isinstance(command, FreeText) and _counts_outside(family := family_of(command, families), player):
            situation = family.apply(situation, command, now)
    if not situation.done:
        raise rejections.UnknownMatch() if player else rejections.UnknownSender()
    return situation


def counts_outside(player: Player | None) -> bool:
    """Return whether any command of such a sender counts without a match, so that their message is worth reading."""
    return any(_counts_outside(family, player) for family in COMMANDS)


def counts_without_match(command: Command) -> bool:
    """Return whether a command of a player counts without a match."""
    return not isinstance(command, FreeText) and family_of(command).scope != "match"


def _counts_outside(family: Family, player: Player | None) -> bool:
    """Return whether the commands of ``family`` count without a match; ``player`` is None for a stranger."""
    return family.scope == "anybody" or (family.scope == "player" and player is not None)


def automatic_decision(
    match: Match, now: datetime, *, opening: bool = False, seeds_over: bool = False
) -> MatchDecision:
    """Return the decision that nobody's message causes: what happens by itself in ``match`` now.

    ``seeds_over``: the time for player seeds is over.
    """
    after = advance_automatically(match, now, seeds_over=seeds_over)
    steps = _automatic_steps(match, after)
    return MatchDecision(steps, before=match, after=pass_clock(match, after, now), opening=opening)


def _automatic_steps(before: Match, after: Match) -> tuple[Step, ...]:
    """Return the step that brings ``before`` to ``after``: entries that nobody chose."""
    entries = zip(after.record[before.ply :], after.times[before.ply :], strict=True)
    effects = tuple(Append(entry, at) for entry, at in entries)
    return (Step("", effects),) if effects else ()


def _refuse_too_much(commands: Sequence[Command]) -> None:
    """Raise TooMuch for a message of more lines, or more commands, than anybody writes: no part of it counts."""
    asked = sum(not isinstance(command, FreeText | talk.Say | talk.UnclearRecipient) for command in commands)
    if len(commands) > MOST_COMMANDS or asked > _MOST_ASKED:
        raise rejections.TooMuch()


def _is_private(match: Match, situation: MatchSituation) -> bool:
    """Return whether lines that are no command may be for the sender's side alone, or for the operator.

    Raise NoCommand where that is so of words on the line of the move, which may be part of what they say: ``Ann, d5!
    He's wide open there``.
    """
    if situation.unclear:
        return "operator" in situation.unclear or bool(possible_partners(match, situation.seat))
    if not situation.tells:
        return False
    beside = situation.words[: situation.beside]
    if not match.partners(situation.seat):  # nobody is told a move so, unless it is a secret
        beside = tuple(line for line in beside if is_secret(line.casefold(), among_partners=False))
    if may_be_private(match, situation.seat, beside, situation.moves):
        raise rejections.NoCommand("unclear_recipient", private=True, line=situation.words[0])
    among_private = any(map(is_private, situation.comments))  # nobody may see where these end
    return may_be_private(match, situation.seat, situation.said, situation.moves, among_private=among_private)


def _talking(situation: MatchSituation) -> MatchSituation:
    """Return the situation in which words alone are said to everybody, as behind ``say:``."""
    said = talk.without_name(withhold_addresses(situation).said, situation.player.name if situation.player else "")
    if not (text := talk.join_comment(said)):
        return situation
    comment = AddComment(Comment(situation.seat, situation.match.ply, text))
    return situation.carried(f"say: {text}", comment, words=(), above=(), beside=False)


def _ask_for_whom(situation: MatchSituation) -> MatchSituation:
    """Return the situation without its words: their sender is asked for whom they are."""
    situation = withhold_addresses(situation)
    text = talk.join_comment(talk.without_name(situation.said, situation.player.name if situation.player else ""))
    if not text:
        return situation
    asking = AskForWhom(tuple(text.split("\n")), operator="operator" in situation.unclear)
    return situation.carried("", asking, words=(), above=(), beside=False)


def _refuse_doubtful_words(situation: MatchSituation, lines: Iterable[FreeText], tried: Iterable[str]) -> None:
    """Raise NoCommand or SeveralMoves where words below a move may take it back, or cells are left out.

    ``lines`` are those that were read, ``tried`` the texts that the rules have read as moves.
    """
    if situation.moves or situation.resigned:
        refuse_correction(situation.match, situation.moves, situation.words)
    if situation.moves:
        refuse_left_out(situation.moves[-1], ((line.said, line.mentions) for line in lines if names_moves(line)), tried)
    final = [step.done for step in situation.steps if any(map(_is_final, step.effects))]
    if final:
        refuse_retraction(final[-1], situation.words, above=situation.above, beside=situation.beside)


def _is_final(effect: object) -> bool:
    """Return whether an effect is one that words below it could take back: an entry, or the word ready."""
    return isinstance(effect, Append) or (isinstance(effect, SetSeed) and not effect.words)


def _is_meant(command: Command, asked_for: Sequence[Command]) -> bool:
    """Return whether a line is no talk, though it may be: nothing else is asked for in its message."""
    unsure = isinstance(command, HelpGames) and command.unsure
    return not unsure or _stand_alone(one for one in asked_for if one is not command)


def _stand_alone(others: Iterable[Command]) -> bool:
    """Return whether nothing but words stands beside a line: neither a command nor a move."""
    return all(isinstance(one, FreeText) and not looks_like_a_move(one.text) for one in others)


def _as_claim(
    situation: MatchSituation, claim: Claim, others: Sequence[Command], below: Iterable[Command]
) -> Claim | FreeText:
    """Return words such as ``I win`` as a claim, if they are one or are to be answered as one; else as talk.

    Where nothing can be claimed they are talk beside anything that is carried out, and after the end; where something
    can, they may be the end of a story. Raise NoCommand where words ``below`` them may make a jest of it.
    """
    match, seat = situation.match, situation.seat
    if not may_claim(match, seat):
        return claim if _stand_alone(others) and match.outcome is None else FreeText(claim.line)
    if situation.moves or any(len(line.split()) > _GREETING for line in situation.words):
        return FreeText(claim.line, tail=not situation.moves)
    said = [one.said for one in below if isinstance(one, FreeText) and one.said]
    if said := list(talk.without_name(said, match.name(seat))):
        raise rejections.NoCommand("retracted", done=str(claim), line=said[0])
    return claim


def _unsure(tail: str, *, private: bool = False) -> rejections.NoCommand:
    """Return the question about a line that may end the one above it; ``private``: that may be for a partner alone."""
    return rejections.NoCommand(
        "word_in_sentence"
        if as_keyword(tail) or is_consequential(tail) or is_personal(parse_piece(tail))
        else "end_of_sentence",
        private=private,
        line=tail,
    )


def _nothing_done(
    match: Match, closed: rejections.Rejection | None, situation: MatchSituation, doubts: _Doubts
) -> rejections.Rejection:
    """Return the Rejection for a message in which nothing could be carried out."""
    lines = [line for line in talk.without_name(situation.words, match.name(situation.seat)) if line]
    refused = doubts.move
    if closed is None and match.to_act == situation.seat:
        for line in lines[:_MOST_CHANGED]:
            if changed := changed_on(match.position, line):
                return rejections.SeveralMoves(move=changed[0], other=changed[1])
    is_brief = match.outcome is None and len(lines) == 1 and len(lines[0].split()) <= 2 and not is_courtesy(lines[0])
    if is_brief and not refused and not closed:
        try:
            match.position.parse(lines[0])
        except RulesError as error:
            refused = rejections.MoveRejected(error, lines[0])
    if refused:
        return closed or refused
    return rejections.NoCommand(asides=situation.asides)


def _with_words(decision: MatchDecision, situation: MatchSituation) -> MatchDecision:
    """Return the decision with the words around the move as a comment, and all comments dated to the record of now."""
    situation = withhold_addresses(situation)
    steps, asides = decision.steps, situation.asides
    text = talk.join_comment(talk.without_name(situation.said, situation.player.name if situation.player else ""))
    if text and situation.tells:
        steps = (*steps, Step("", (AddComment(Comment(situation.seat, decision.after.ply, text)),)))
    elif lines := [line for line in text.split("\n") if not (greets(line) or is_courtesy(line))]:
        asides = (*asides, because("words_kept", lines=name_lines(lines)))
    steps, beyond = talk.limit_talk(steps)
    asides = (*asides, *beyond)
    return replace(decision, steps=tuple(_dated(step, decision.after.ply) for step in steps), asides=asides)


def _dated(step: Step, ply: int) -> Step:
    """Return a step whose comments belong to the record of ``ply`` entries."""
    effects = tuple(
        AddComment(replace(effect.comment, ply=ply)) if isinstance(effect, AddComment) else effect
        for effect in step.effects
    )
    return replace(step, effects=effects)
