"""Seconds: who is asked to vote on the moves of a seat, who joins and leaves, and the emails that they get.

A second reads what whoever has the seat reads in the match: its board, and words to its side since they joined. Of
their other matches, plans and addresses they learn nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pbem.asking.invitees import count_invited
from pbem.asking.limit_table import INVITED, REMEMBERED
from pbem.asking.limits import allowance, may_be_told, may_cause_more
from pbem.asking.may_ask import why_unasked
from pbem.asking.posting import enqueue, enqueue_notices, pose, post
from pbem.commands.asking_effects import AnswerSecond, AskSecond, CastVote, JoinSecond, LeaveSecond, StopAsking
from pbem.commands.decision import MatchDecision
from pbem.due.gate import is_too_late
from pbem.due.schedule import find_vote_end, schedule_vote
from pbem.mail.archive_paths import rules_page
from pbem.mail.compose import Recipient
from pbem.mail.headers import is_address, mailbox_of, normal_address
from pbem.mail.marks import mailbox_mark
from pbem.match.match import Comment, Match
from pbem.match.player import Player
from pbem.match.privacy import is_private, may_read
from pbem.match.question import Question
from pbem.match.stints import read_robot
from pbem.match.voting import MOST_SECONDS, list_votes, say_votes
from pbem.notices.audience import since_last_turn
from pbem.notices.render import answer_notice, match_notice, plain_notice
from pbem.notices.scene import LONGEST_STORY, NoticeContent
from pbem.notices.sentences.reasons import say, say_all
from pbem.notices.starting import name_to_strangers
from pbem.pipeline.act import Act
from pbem.reading.reason import Reason, because
from pbem.storage.due import VOTE_DUE
from pbem.storage.transaction import Transaction
from rules.phrase import listed
from rules.position import Seat

OFFERED = "second_offered"
"""The kind of the question to somebody whether they want to vote on the moves of a seat."""

TURN, WORDS = "second_turn", "second_words"
"""The kinds of the emails to a second: the board of a turn, or of the end; and what is said or proposed meanwhile."""


def check_asking(act: Act, match: Match, effect: AskSecond) -> Reason | None:
    """Return why nobody is asked; None where somebody may be, whether or not they are: that shows in nothing."""
    player, captain = act.tx.players.find(effect.who), match.players[effect.seat]
    if read_robot(effect.who) is not None or (player and player.robot):
        return because("second_robot")
    if player is None and "@" not in effect.who:
        return because("seat_nobody", who=effect.who)
    if "@" in effect.who and (not is_address(effect.who) or mailbox_of(effect.who) == mailbox_of(act.site.address)):
        return because("no_address", address=effect.who[:80])
    if match.rated:
        return because("second_rated")
    if player and player.id == captain.id:
        return because("yourself")
    if player and any(one.id == player.id for one in match.players):
        return because("seat_plays", name=player.name)
    if player and player in match.seconds_of(effect.seat):
        return because("second_already", name=player.name)
    if len(match.seconds_of(effect.seat)) >= MOST_SECONDS:
        return because("second_enough", most=MOST_SECONDS)
    asked = act.tx.questions.find(OFFERED, act.now - INVITED.within, asker=captain.id)
    if len(asked) + count_invited(act.tx, captain, act.now) >= INVITED.most:
        return because("seats_enough", most=INVITED.most)
    return None


def ask_second(act: Act, decision: MatchDecision, effect: AskSecond) -> None:
    """Ask somebody, if they may be asked, and note that they were to be, whether they are or not."""
    match = decision.after
    player, captain = act.tx.players.find(effect.who), match.players[effect.seat]
    email = player.email if player else normal_address(effect.who)
    # The email that asks begins a conversation of its own, so the question belongs to no match.
    about, number = {"match": match.id}, player.id if player else None
    question = Question(OFFERED, email, about, number, captain.id, None, effect.seat, act.cause.inbound)
    may_be_asked = player is not None or act.site.new_matches != "members"
    if not may_be_asked or (player and not _may_join(act, match, effect.seat, player)) or why_unasked(act, question):
        act.tx.questions.add(replace(question, email="", player=None, state="withdrawn"), act.now)
        return
    if player is None:
        mark = mailbox_mark(mailbox_of(email), act.site.secret)
        act.tx.invitations.note_approach(mark, "", act.now, share=act.cause.share)
    notice = plain_notice(
        OFFERED,
        act.site.language,
        you=player.name if player else "",
        captain=captain.name if player else name_to_strangers(captain, act.site.language),
        number=match.id,
        game=match.game.title,
        published=_publishes(act, match),
        rules="" if player else act.site.archive.address(rules_page(match.game.key)),
    )
    post(act, notice, pose(act, question), player)


def stop_asking(act: Act, decision: MatchDecision, effect: StopAsking) -> None:
    """Let nobody answer any more who was asked to vote on the moves of a seat, or whom its player names so."""
    captain, wanted = decision.after.players[effect.seat], effect.who.casefold()
    withdrawn = []
    for one in act.tx.questions.find(OFFERED, asker=captain.id, state="open"):
        player = act.tx.players.get(one.player) if one.player is not None else None
        names = (
            (one.email, player.name.casefold(), player.name.casefold().partition(" ")[0]) if player else (one.email,)
        )
        if one.number("match") == effect.match and (not wanted or wanted in names):
            withdrawn.append(one.id)
    act.tx.questions.settle(withdrawn, "withdrawn")


def _publishes(act: Act, match: Match) -> bool:
    """Return whether the page of a match will show votes and words to a side, as everybody who joins is told."""
    return bool(act.site.archive.url) and match.team_told and not match.private


def _may_join(act: Act, match: Match, seat: Seat, player: Player) -> bool:
    """Return whether a player may be asked: they haven't said no, wait to answer, nor know another side's words."""
    asked = act.tx.questions.find(OFFERED, act.now - REMEMBERED, player=player.id)
    before = [one for one in asked if one.number("match") == match.id]
    waits = any(one.state == "open" and not is_too_late(act.tx, one.asked_at, act.now) for one in before)
    return not waits and all(one.state != "no" for one in before) and may_vote(act.tx, match, seat, player)


def may_vote(tx: Transaction, match: Match, seat: Seat, player: Player) -> bool:
    """Return whether a player may be a second of a seat: they have none there, and never knew what another plans."""
    is_free = len(match.seconds_of(seat)) < MOST_SECONDS and match.outcome is None and not match.rated
    plays = any(one.id == player.id for one in match.players)
    held = any(each == seat for each in match.present) and not match.players[seat].robot
    return is_free and held and not plays and not tx.seconds.knows_other(match, seat, player)


def join_second(act: Act, decision: MatchDecision, effect: JoinSecond) -> None:
    """Let somebody be a second from now on. Their votes count, and no plan plays."""
    player = act.tx.players.find(effect.email)
    assert player is not None  # they have said yes, and play here by now
    match, seat = decision.after, effect.seat
    is_first = not match.seconds_of(seat)
    act.tx.seconds.join(match.id, seat, player, act.now)
    if match.team_told and not act.site.archive.url:  # whoever joins now isn't told that anything will be shown
        act.tx.matches.keep_team_untold(match.id)
    if match.plan_of(seat):
        act.tx.matches.set_plan(match.id, seat, None)
    if is_first and match.to_act == seat and act.now < find_vote_end(act.tx, match):
        joined = act.tx.matches.get(match.id)
        assert joined is not None  # in this transaction it was read
        schedule_vote(act.tx, joined, act.now)


def welcome_second(act: Act, _: MatchDecision, effect: JoinSecond) -> None:
    """Send a new second the board, and tell whoever has the seat."""
    match, player = act.tx.matches.get(effect.match), act.tx.players.find(effect.email)
    assert match is not None  # in this transaction it was read
    assert player is not None
    captain = match.name(effect.seat)
    shown = (because("second_shown"),) if _publishes(act, match) else ()
    welcome = tuple(_say(act, one) for one in (because("second_welcome", name=captain), *shown))
    content = NoticeContent(match.at(max(0, match.ply - LONGEST_STORY)), asides=welcome, at=act.now)
    _send(act, match, effect.seat, player, TURN, content)
    others = len(match.seconds_of(effect.seat)) > 1  # so how votes are counted has been said
    joined = because("second_joined_too" if others else "second_joined", name=player.name)
    _tell_captain(act, match, effect.seat, joined, *(() if others else shown))


def leave_second(act: Act, _: MatchDecision, effect: LeaveSecond) -> None:
    """Let somebody be a second no longer. Where nobody else votes, whoever has the seat decides alone."""
    act.tx.seconds.leave(effect.match, effect.player.id, act.now)
    match = act.tx.matches.get(effect.match)
    if match and match.to_act == effect.seat and not match.seconds_of(effect.seat):
        act.tx.due.cancel(VOTE_DUE, match.id)


def tell_left(act: Act, decision: MatchDecision, effect: LeaveSecond) -> None:
    """Tell whoever didn't ask for it that somebody is a second no longer."""
    match, player = decision.after, effect.player
    if not effect.dismissed:
        _tell_captain(act, match, effect.seat, because("second_left", name=player.name))
    elif player.has_mail and not player.preferences.muted:
        detail = _say(act, because("second_dismissed", name=match.name(effect.seat), number=match.id))
        thread = act.tx.outbound.thread_with(match.id, player.email)
        notice = plain_notice("answer", act.site.language, you=player.name, detail=detail)
        enqueue(act, notice, Recipient(player.name, player.email, thread=thread))


def tell_seconds(act: Act, decision: MatchDecision) -> None:
    """Queue an email to each second whom a decision concerns.

    They get the board when votes count on a move, and at the end; beside that, words to their side, and the first
    that proposes a move, while they have room for it.
    """
    match = decision.addressed
    for seat in sorted({one.seat for one in match.seconds}):
        for player in match.seconds_of(seat):
            if player.has_mail and not player.preferences.muted:
                _tell_second(act, decision, match, seat, player)


def _tell_second(act: Act, decision: MatchDecision, match: Match, seat: Seat, player: Player) -> None:
    """Queue the email to one second about a decision, if it concerns them."""
    voted = any(isinstance(effect, CastVote) and effect.player.id == player.id for effect in decision.effects)
    private = [one for one in decision.comments if is_private(one) and may_read(match, seat, one)]
    others = (one for one in private if one.second != player.id)
    words = tuple(replace(one, by=one.by or match.name(seat)) if one.seat == seat else one for one in others)
    begins = match.turn != decision.before.turn and match.to_act == seat
    if begins or decision.ends_match:

        def recall(ply: int, after: datetime, seat: Seat) -> Sequence[Comment]:
            return act.tx.matches.comments_since(match.id, ply, after, seat)

        content = since_last_turn(match, seat, recall, act.site.language)
        last = act.tx.seconds.last_votes(match.id, match.turn, seat)
        asides = (_say(act, because("votes_were", votes=say_votes(list_votes(last)))),) if last else ()
        said = (*(one for one in content.comments if not is_private(one)), *words)
        content = replace(content, comments=said, log=decision.log, at=act.now, asides=asides)
        _send(act, match, seat, player, TURN, content)
        return
    proposal = decision.proposed if decision.proposed and seat == decision.proposed.seat and not voted else None
    words = words if proposal is None else tuple(one for one in words if one.text != f"propose {proposal.move}")
    if (proposal or words) and may_be_told(act.tx, player.email, act.now):
        content = NoticeContent(match, words, at=act.now, proposed=proposal)
        _send(act, match, seat, player, WORDS, content, (proposal.move,) if proposal else ())


def _send(
    act: Act,
    match: Match,
    seat: Seat,
    player: Player,
    kind: str,
    content: NoticeContent,
    offered: tuple[str, ...] = (),
    *,
    named: str = "",
) -> None:
    """Queue an email to a second, drawn as they want boards; a move in answer to it is their vote.

    Its templates are those ``named``, if they are not those of its kind.
    """
    if match.to_act == seat and act.tx.due.is_scheduled(VOTE_DUE, match.id):
        until = find_vote_end(act.tx, match).isoformat()
        told = say(because("vote_until", until=until), act.site.language, player.calendar, act.now)
        content = replace(content, asides=(*content.asides, told))
    elif TURN in (kind, named) and match.to_act == seat:
        content = replace(content, asking=True)  # a move would come too late
    captain = match.players[seat]
    seen = replace(captain, preferences=player.preferences, calendar=player.calendar)
    shown = replace(
        match, players=tuple(seen if one is captain else one for one in match.players), folded=match.position
    )
    content = replace(content, detail=player.name)
    notice = match_notice(kind, shown, seat, content, act.site.archive, act.site.language, named)
    about = {"turn": match.turn, "offered": list(offered)}
    question = Question(kind, player.email, about, player.id, None, match.id, seat, act.cause.inbound)
    post(act, notice, pose(act, question), player, shown=match.id)


def answer_second(act: Act, _: object, effect: AnswerSecond) -> None:
    """Tell a second what came of their answer, unless they had enough of that today: then it counts all the same."""
    question = act.tx.questions.get(effect.number)
    assert question is not None  # in this transaction it was read
    if not may_cause_more(act, effect.player.email) or allowance(act, "answer", effect.player.email).suppressed:
        return
    match = act.tx.matches.get(question.match or 0)
    if not effect.told and match and question.seat is not None:
        content = NoticeContent(match.at(max(0, match.ply - LONGEST_STORY)), reminding=True, at=act.now)
        _send(act, match, question.seat, effect.player, WORDS, content, named=TURN)
        return
    detail = "\n\n".join(say(one, act.site.language, effect.player.calendar, act.now) for one in effect.told)
    notice = plain_notice("answer", act.site.language, you=effect.player.name, detail=detail)
    post(act, notice, question, effect.player, shown=question.match)


def _tell_captain(act: Act, match: Match, seat: Seat, *told: Reason) -> None:
    """Queue an email to whoever has a seat that says nothing else."""
    notice = answer_notice(match, seat, say_all(told, act.site.language, "\n\n"), act.site.language)
    enqueue_notices(act.because(replace(act.cause, inbound=None)), match, [(seat, notice)])


def _say(act: Act, why: Reason) -> str:
    """Return a sentence."""
    return say(why, act.site.language)


def tell_second_of(tx: Transaction, player: Player) -> list[Reason]:
    """Return a sentence for each running match in which a player is a second."""
    told = []
    for match in tx.matches.all(tx.seconds.matches_of(player.id), running=True):
        found = (one.seat for one in match.seconds if one.player.id == player.id)
        told += [because("second_of", name=match.name(seat), number=match.id, game=match.game.title) for seat in found]
    return told[:_MOST_TOLD]


def tell_own_seconds(match: Match, seat: Seat) -> list[Reason]:
    """Return who votes on the moves of a seat, for whoever has it."""
    names = [one.name for one in match.seconds_of(seat)]
    return [because("own_seconds", number=match.id, names=listed(names), count=len(names))] if names else []


_MOST_TOLD = 20
"""Matches that one status tells of."""
