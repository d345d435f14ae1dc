"""One ``record`` for every decision: what a message, an opening, or a roll that came due leads to is written alike."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbem.commands.decision import Decision, MatchDecision, Step
from pbem.commands.effects import AddAddress, AddComment, Append, DropAddress, Effect, Reply, SetPreference, SetSeed
from pbem.commands.judge import automatic_decision
from pbem.errors import Busy
from pbem.match.match import Comment, Match
from pbem.match.player import Player
from pbem.pipeline.act import OPENING, ROLLS_DUE, Act, Cause
from pbem.pipeline.record import record
from pbem.reading.reason import because
from pbem.storage.due import FIRST_ROLLS, DueThing
from rules.position import Entry
from tests.support.club import PLAYERS, Club

MESSAGE = Cause("<c@a.example>")


def write(club: Club, decision: Decision, cause: Cause = MESSAGE) -> None:
    """Record a decision in a transaction of its own."""
    with club.service.database.transaction() as tx:
        record(Act(tx, club.service.site, club.clock.now(), cause), decision)


def deciding(match: Match, *effects: Effect, after: Match | None = None, **changes: Any) -> MatchDecision:
    """Return a decision of the first seat with these effects."""
    return MatchDecision((Step("done", effects),), before=match, after=after or match, seat=0, **changes)


def due(club: Club) -> list[DueThing]:
    """Return everything that is due within a week."""
    with club.service.database.reading() as tx:
        return tx.due.by(club.clock.now() + timedelta(days=7))


def player(club: Club) -> Player:
    """Return Ann as she is stored."""
    return club.match().players[0]


def test_entries_comments_and_seeds_are_written(club: Club) -> None:
    """The match is stored as the decision leaves it, dated, and the message that caused it stands with the entry."""
    match = club.open()
    entry, now = Entry(0, "c3"), club.clock.now()
    effects = (Append(entry, now), AddComment(Comment(0, 1, "hello")), AddComment(Comment(0, 1, "psst", to_side=True)))
    write(club, deciding(match, *effects, after=match.after(entry, now)))
    stored = club.match()
    assert (stored.record, stored.times) == ((entry,), (now,))
    assert stored.comments == (Comment(0, 1, "hello"), Comment(0, 1, "psst", to_side=True))


def test_a_seed_is_written_and_the_first_rolls_stay_due(club: Club) -> None:
    """The others are still waited for."""
    match = club.service.open("pippip", PLAYERS[:2], {})
    write(club, deciding(match, SetSeed(1, "pepper"), after=match.with_seed(1, "pepper")))
    assert club.match().seeds == (None, "pepper")
    assert due(club) == [DueThing(FIRST_ROLLS, match.id)]


@pytest.mark.parametrize("cause", [OPENING, ROLLS_DUE])
def test_rolls_that_are_made_are_due_no_more(club: Club, cause: Cause) -> None:
    """Whatever caused them: an opening without waiting, or their time."""
    match = club.service.open("pippip", PLAYERS[:2], {})
    decision = automatic_decision(match, club.clock.now(), seeds_over=True)
    assert decision.appended
    write(club, decision, cause)
    assert club.match().record == decision.after.record
    assert due(club) == []


def test_rolls_of_a_match_that_is_over_are_due_no_more(club: Club) -> None:
    """Whoever resigns before the first roll ends a match of two."""
    match = club.service.open("pippip", PLAYERS[:2], {})
    entry, now = Entry(0, "resign"), club.clock.now()
    write(club, deciding(match, Append(entry, now), after=match.after(entry, now)))
    assert due(club) == []
    with club.service.database.reading() as tx:
        assert tx.matches.all(running=True) == []


def test_preferences_and_addresses_are_written_without_touching_the_match(club: Club) -> None:
    """They belong to the player, in all matches."""
    match = club.open()
    ann = match.players[0]
    effects = (
        SetPreference(ann, "display", "large"),
        SetPreference(ann, "muted", True),
        AddAddress(ann, "a@b.example"),
    )
    club.clock.advance(timedelta(hours=1))
    write(club, deciding(match, *effects))
    assert (player(club).preferences.display, player(club).preferences.muted) == ("large", True)
    assert player(club).emails == {"ann@a.example", "a@b.example"}
    with club.service.database.reading() as tx:
        assert tx.matches.numbers(club.clock.now(), changed_since=club.clock.now()) == []
    write(club, deciding(match, DropAddress(ann, "a@b.example")))
    assert player(club).emails == {"ann@a.example"}


def test_a_decision_outside_every_match_is_written(club: Club) -> None:
    """Effects on players need no match."""
    ann = club.open().players[0]
    write(
        club,
        Decision(
            (
                Step(
                    "board large",
                    (SetPreference(ann, "display", "large"), Reply("answer", (because("more_left_out"),))),
                ),
            )
        ),
    )
    assert player(club).preferences.display == "large"


def test_replies_and_sentences_write_nothing(club: Club) -> None:
    """They are announced, not recorded."""
    match = club.open()
    before, mails = club.match(), len(club.queued())
    club.clock.advance(timedelta(hours=1))
    write(club, deciding(match, Reply("help"), asides=(because("words_kept"),)))
    assert club.match() == before
    assert len(club.queued()) == mails
    with club.service.database.reading() as tx:
        assert tx.matches.numbers(club.clock.now(), changed_since=club.clock.now()) == []


def test_a_decision_about_an_older_state_is_not_written(club: Club) -> None:
    """Of two workers that decide at the same time, the second is told to try again, and nothing of it is kept."""
    match = club.open()
    entry, now = Entry(0, "c3"), club.clock.now()
    write(club, deciding(match, Append(entry, now), after=match.after(entry, now)))
    other = Entry(0, "d4")
    late = deciding(match, Append(other, now), AddComment(Comment(0, 1, "late")), after=match.after(other, now))
    with pytest.raises(Busy):
        write(club, replace(late))
    assert (club.moves(), club.match().comments) == (["c3"], ())
