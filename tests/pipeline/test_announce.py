"""One ``announce`` for every decision: who is written to, in which thread, and who is spared."""

from dataclasses import replace
from typing import Any

from pbem.commands.decision import Decision, MatchDecision, Step
from pbem.commands.effects import AddComment, Append, Effect, Reply, SetPreference
from pbem.commands.judge import automatic_decision
from pbem.mail.compose import Site
from pbem.match.match import Comment, Match
from pbem.match.player import Player
from pbem.notices.sentences.reasons import say
from pbem.pipeline.act import OPENING, ROLLS_DUE, Act, Cause
from pbem.pipeline.announce import announce
from pbem.reading.reason import because
from rules.position import Entry
from tests.support.club import ADDRESS, PLAYERS, SECRET, Club
from tests.support.mails import text_of

SITE = Site(ADDRESS, SECRET)
MESSAGE = Cause("<c@a.example>")


def announced(club: Club, decision: Decision, cause: Cause = MESSAGE) -> list[tuple[str, int | None]]:
    """Announce a decision; return the kind and the seat of each email that is queued."""
    before = len(club.queued())
    with club.service.database.transaction() as tx:
        announce(Act(tx, SITE, club.clock.now(), cause), decision, "ann@a.example")
    return [(mail.kind, mail.seat) for mail in club.queued()[before:]]


def deciding(match: Match, *effects: Effect, after: Match | None = None, **changes: Any) -> MatchDecision:
    """Return a decision of the first seat with these effects."""
    return MatchDecision((Step("done", effects),), before=match, after=after or match, seat=0, **changes)


def moving(match: Match, text: str, *more: Effect) -> MatchDecision:
    """Return the decision that a move of the first seat leads to."""
    entry = Entry(0, text)
    return deciding(match, Append(entry, match.opened_at), *more, after=match.after(entry, match.opened_at))


def muted(match: Match, seat: int) -> Match:
    """Return the match with a player who wants no email."""
    one: Player = match.players[seat]
    return match.with_player(one.preferring(replace(one.preferences, muted=True)))


def test_a_move_is_announced_to_everybody(club: Club) -> None:
    """One email each, whoever is to act."""
    match = club.open("zipline", PLAYERS)
    assert announced(club, moving(match, "c3")) == [("move_made", 0), ("your_turn", 1), ("move_made", 2)]


def test_an_opening_is_announced_to_everybody(club: Club) -> None:
    """By the cause alone its emails differ from those of a message: the Message-IDs are made from it."""
    match = club.open("zipline", PLAYERS)
    ids = [mail.message_id for mail in club.queued()]
    decision = automatic_decision(match, club.clock.now(), opening=True)
    with club.service.database.transaction() as tx:
        announce(Act(tx, SITE, club.clock.now(), Cause("another opening")), decision, "")
    assert [mail.kind for mail in club.queued()] == ["opened"] * 6
    assert not set(ids) & {mail.message_id for mail in club.queued()[3:]}
    assert (OPENING.text, ROLLS_DUE.text) == ("opening", "first lots")


def test_rolls_that_came_due_are_announced_to_everybody(club: Club) -> None:
    """Nobody has written, so nobody gets a receipt."""
    match = club.service.open("pippip", PLAYERS[:2], {})
    decision = automatic_decision(match, club.clock.now(), seeds_over=True)
    told = announced(club, decision, ROLLS_DUE)
    assert sorted(seat for _, seat in told if seat is not None) == [0, 1]
    assert {kind for kind, _ in told} == {"move_made", "your_turn"}


def test_a_comment_alone_is_announced_as_one(club: Club) -> None:
    """Its sender gets a receipt; words for a partner reach the partner alone."""
    match = club.open("zipline", PLAYERS)
    match = match.after(Entry(0, "take"), match.opened_at)
    to_all = deciding(match, AddComment(Comment(1, match.ply, "hello")))
    to_side = deciding(match, AddComment(Comment(1, match.ply, "psst", to_side=True)))
    assert announced(club, replace(to_all, seat=1)) == [("remark", 0), ("passed_on", 1), ("remark", 2)]
    assert announced(club, replace(to_side, seat=1), Cause("<d@a.example>")) == [("passed_on", 1), ("remark", 2)]


def test_a_muted_player_gets_answers_alone(club: Club) -> None:
    """What comes without their having written is not sent; what they asked for is."""
    match = muted(club.open(), 1)
    assert announced(club, moving(match, "c3")) == [("move_made", 0)]
    asking = replace(deciding(match, Reply("help")), seat=1)
    assert announced(club, asking, Cause("<d@a.example>")) == [("help", 1)]


def test_a_player_who_is_muted_by_this_decision_hears_of_it(club: Club) -> None:
    """The preference holds from this very announcement on, for all but the answer to it."""
    match = club.open()
    effects = (SetPreference(match.players[0], "muted", True), Reply("unsubscribe"))
    assert announced(club, deciding(match, *effects)) == [("unsubscribe", 0)]


def test_emails_of_a_match_form_one_thread_for_each_player(club: Club) -> None:
    """Each refers to the first, and answers the one before."""
    match = club.open()
    announced(club, moving(match, "c3"))
    first, second = (mail for mail in club.queued() if mail.seat == 1)
    newest = club.newest(1)
    assert (newest["In-Reply-To"], newest["References"].split()[0]) == (first.message_id, first.message_id)
    assert newest["Message-ID"] == second.message_id


def test_an_announcement_repeated_for_the_same_cause_has_the_same_message_ids(club: Club) -> None:
    """Nobody reads an email twice that was queued twice."""
    match = club.open()
    announced(club, moving(match, "c3"))
    ids = {mail.message_id for mail in club.queued()}
    with club.service.database.rehearsal() as rehearsed, rehearsed.transaction() as tx:
        announce(Act(tx, SITE, club.clock.now(), MESSAGE), moving(match, "c3"), "")
        again = {mail.message_id for mail in tx.outbound.latest()}
    assert again == ids


def test_a_decision_outside_every_match_is_answered_to_its_sender(club: Club) -> None:
    """The reply bears no match, and shows the sentences that were asked for."""
    decision = Decision((Step("ping", (Reply("answer", (because("more_left_out"),)),)),))
    assert announced(club, decision) == [("answer", None)]
    (mail,) = club.queued()
    assert (mail.recipient, mail.match) == ("ann@a.example", None)
    assert say(because("more_left_out")) in " ".join(text_of(club.mail(mail)).split())
