"""A ladder is the fold of what happened in it: nobody is overtaken without a reason, and what is undone never was."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.clubs.contest import ContestEvent
from pbem.clubs.ladder import (
    ENOUGH,
    Ladder,
    LadderMatch,
    Rung,
    fold_ladder,
    list_reachable,
    show_ladder,
    why_no_challenge,
)

START = datetime(2026, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
ANN, BOB, CARL, DORA, EVE, FAY, GUS = range(1, 8)


def made(*told: tuple[object, ...]) -> list[ContestEvent]:
    """Return events an hour apart: a kind, a player, and another one or a robot's strength below 0."""
    found = []
    for number, (kind, player, *rest) in enumerate(told, 1):
        other = rest[0] if rest and isinstance(rest[0], int) and rest[0] > 0 else None
        arguments = rest[0] if rest and isinstance(rest[0], dict) else {}
        arguments = {"robot": -rest[0]} if rest and isinstance(rest[0], int) and rest[0] < 0 else arguments
        found.append(ContestEvent(START + number * HOUR, str(kind), player, other, arguments, number))  # type: ignore[arg-type]
    return found


def people(*numbers: int) -> list[tuple[object, ...]]:
    """Return what lets players enter, in this order."""
    return [("entered", number) for number in numbers]


def ended(event: int, *, wins: bool, after: int = 100) -> LadderMatch:
    """Return a match that is over."""
    return LadderMatch(event, event, START + after * HOUR, wins)


def refused(ladder: Ladder, player: int, rung: Rung, *absent: int, now: datetime = START + 50 * HOUR) -> str:
    """Return the code of why a challenge can't be, "" if it can."""
    why = why_no_challenge(ladder, player, rung, absent, now)
    return why.code if why else ""


def test_who_enters_stands_last_and_who_wins_takes_the_place() -> None:
    """All in between move down by one; the loser of a challenge keeps their place."""
    events = made(*people(ANN, BOB, CARL, DORA), ("challenged", DORA, BOB), ("challenged", CARL, ANN))
    assert fold_ladder(events, []).people == (ANN, BOB, CARL, DORA)
    assert fold_ladder(events, [ended(5, wins=True)]).people == (ANN, DORA, BOB, CARL)
    assert fold_ladder(events, [ended(5, wins=True), ended(6, wins=False)]).people == (ANN, DORA, BOB, CARL)


def test_a_place_that_nobody_defends_is_taken() -> None:
    """And a challenge that comes to nothing changes nothing."""
    asked = [*people(ANN, BOB, CARL), ("challenged", CARL, ANN)]
    taken = fold_ladder(made(*asked, ("taken", CARL, {"challenge": 4})), [])
    assert taken.people == (CARL, ANN, BOB)
    assert not taken.challenges[4].is_open
    assert fold_ladder(made(*asked, ("ended", CARL, {"challenge": 4})), []).people == (ANN, BOB, CARL)


def test_a_result_counts_at_the_time_of_its_match() -> None:
    """Whoever stands above by then takes nothing; whoever has left by then neither."""
    events = made(*people(ANN, BOB, CARL), ("challenged", CARL, BOB), ("challenged", BOB, ANN))
    first = fold_ladder(events, [ended(4, wins=True, after=10), ended(5, wins=True, after=20)])
    assert first.people == (BOB, ANN, CARL)  # Carl stood second, and Bob third, when Bob took Ann's place
    left = made(*people(ANN, BOB), ("challenged", BOB, ANN), ("left", ANN), ("entered", ANN))
    assert fold_ladder(left, [ended(3, wins=True)]).people == (BOB, ANN)
    again = made(*people(ANN, BOB), ("challenged", BOB, ANN), ("left", BOB), ("entered", BOB))
    assert fold_ladder(again, [ended(3, wins=True)]).people == (ANN, BOB)


def test_a_match_that_goes_on_again_changes_nothing_any_more() -> None:
    """A ruling, or moves taken back, need no correction: the fold is made anew."""
    events = made(*people(ANN, BOB), ("challenged", BOB, ANN))
    over = ended(3, wins=True)
    assert fold_ladder(events, [over]).people == (BOB, ANN)
    assert fold_ladder(events, [replace(over, over_at=None, wins=False)]).people == (ANN, BOB)


def test_who_can_be_challenged() -> None:
    """Up to three places up, those who are away not counted."""
    ladder = fold_ladder(made(*people(ANN, BOB, CARL, DORA, EVE, FAY)), [])
    assert list_reachable(ladder, FAY, ()) == (Rung(CARL), Rung(DORA), Rung(EVE))
    assert list_reachable(ladder, FAY, (DORA,)) == (Rung(BOB), Rung(CARL), Rung(EVE))
    assert refused(ladder, FAY, Rung(CARL)) == ""
    assert refused(ladder, FAY, Rung(BOB)) == "challenge_too_high"
    assert refused(ladder, FAY, Rung(BOB), DORA) == ""
    assert refused(ladder, FAY, Rung(DORA), DORA) == "challenge_absent"
    assert refused(ladder, ANN, Rung(BOB)) == refused(ladder, ANN, Rung(ANN)) == "challenge_below"


def test_one_challenge_at_a_time_each_way_but_for_paused_matches() -> None:
    """Whoever is challenged can challenge somebody else."""
    asked = made(*people(ANN, BOB, CARL, DORA), ("challenged", DORA, BOB))
    ladder = fold_ladder(asked, [])
    assert refused(ladder, DORA, Rung(CARL)) == "challenge_running"
    assert refused(ladder, CARL, Rung(BOB)) == "challenge_taken"
    assert refused(ladder, BOB, Rung(ANN)) == ""
    paused = fold_ladder(asked, [LadderMatch(5, 1, paused=True)])
    assert refused(paused, DORA, Rung(CARL)) == refused(paused, CARL, Rung(BOB)) == ""


def test_whoever_has_waited_longer_goes_first_for_a_week() -> None:
    """Whatever became of the challenge before, one that was taken back too; nobody waits for whoever is away."""
    lost = made(*people(ANN, BOB, CARL, DORA, EVE), ("challenged", CARL, ANN), ("ended", CARL, {"challenge": 6}))
    ladder, week = fold_ladder(lost, []), timedelta(days=7)
    assert refused(ladder, CARL, Rung(ANN)) == "challenge_waits"
    assert refused(ladder, BOB, Rung(ANN)) == refused(ladder, DORA, Rung(ANN)) == ""
    assert refused(ladder, CARL, Rung(BOB)) == ""
    assert refused(ladder, CARL, Rung(ANN), now=START + 7 * HOUR + week) == ""
    two = fold_ladder(made(*people(ANN, BOB), ("challenged", BOB, ANN), ("ended", BOB, {"challenge": 3})), [])
    assert refused(two, BOB, Rung(ANN)) == ""


def test_a_match_without_end_binds_four_weeks() -> None:
    """Whoever plays it, and those who would like to challenge the same player."""
    ladder = fold_ladder(made(*people(ANN, BOB, CARL, DORA), ("challenged", DORA, BOB)), [])
    month = START + 5 * HOUR + timedelta(days=28)
    assert refused(ladder, DORA, Rung(CARL), now=month) == refused(ladder, CARL, Rung(BOB), now=month) == ""
    assert refused(ladder, DORA, Rung(BOB), now=month) == "challenge_waits"


def test_challenges_of_a_day_are_counted() -> None:
    """Taken back or not: each has sent somebody an email."""
    told = people(ANN, BOB, CARL)
    for place, rival in enumerate((ANN, BOB, ANN)):
        told += [("challenged", CARL, rival), ("ended", CARL, {"challenge": 4 + 2 * place})]
    ladder = fold_ladder(made(*told), [])
    assert refused(ladder, CARL, Rung(BOB), now=START + 10 * HOUR) == "challenge_often"
    assert refused(ladder, CARL, Rung(BOB), now=START + 40 * HOUR) == ""


def test_ten_accounts_challenge_one_player_three_times_a_day() -> None:
    """However many take turns, and take their challenges back or leave; robots mind nothing."""
    asked: list[tuple[object, ...]] = [*people(BOB, CARL, DORA, EVE)]
    for number, player in enumerate((CARL, DORA, EVE)):
        asked += [("challenged", player, BOB), ("ended", player, {"challenge": 5 + 2 * number})]
    ladder = fold_ladder(made(*asked[:-2]), [])
    assert refused(ladder, EVE, Rung(BOB), now=START + 12 * HOUR) == ""
    ladder = fold_ladder(made(*asked, ("entered", FAY), ("left", CARL)), [])
    assert refused(ladder, FAY, Rung(BOB), now=START + 14 * HOUR) == "challenge_taken"
    assert refused(ladder, FAY, Rung(BOB), now=START + 30 * HOUR) == ""


def test_robots_hold_their_places_while_there_are_few_people() -> None:
    """Whoever beats one stands above it; with six people none is shown, and the order of people stays."""
    told: list[tuple[object, ...]] = [("opened", None, {"robots": [2, 1]}), ("entered", ANN), ("challenged", ANN, -1)]
    ladder = fold_ladder(made(*told), [ended(3, wins=True)])
    assert ladder.shown == (Rung(robot=2), Rung(ANN), Rung(robot=1))
    assert refused(ladder, ANN, Rung(robot=2)) == ""
    told += people(*range(BOB, ANN + ENOUGH))
    many = fold_ladder(made(*told), [ended(3, wins=True)])
    assert many.shown == tuple(map(Rung, range(ANN, ANN + ENOUGH)))
    fewer = fold_ladder(made(*told, ("left", BOB)), [ended(3, wins=True)])
    assert fewer.shown[0] == Rung(robot=2)


def test_who_plays_does_not_sink() -> None:
    """Time counts since they came, or since their last match; nobody sinks below those who play as little."""
    events = made(*people(ANN, BOB, CARL), ("challenged", BOB, ANN))
    assert fold_ladder(events[:3], []).idle_since(ANN) == START + HOUR
    assert fold_ladder(events, [LadderMatch(4, 1)]).idle_since(ANN) is None
    assert fold_ladder(events, [ended(4, wins=False)]).idle_since(ANN) == START + 100 * HOUR
    assert fold_ladder(events, []).idle_since(CARL) is None
    assert fold_ladder(made(*people(BOB, ANN), ("sank", BOB)), []).idle_since(ANN) is None
    again = fold_ladder(made(*people(BOB, ANN), ("sank", BOB), ("entered", CARL)), [])
    assert again.idle_since(BOB) == START + 3 * HOUR
    both = made(*people(ANN, BOB), ("challenged", BOB, ANN), ("taken", BOB, {"challenge": 3}))
    assert fold_ladder(both, []).idle_since(BOB) is None  # Ann, below, has not done anything since
    sunk = fold_ladder(made(*people(ANN, BOB), ("sank", ANN)), [])
    assert sunk.people == (BOB, ANN)


def test_whom_the_operator_removes_cannot_come_back_until_that_is_taken_back() -> None:
    """Then they stand where they stood; a paused ladder lets nobody be challenged."""
    events = made(*people(ANN, BOB), ("removed", ANN), ("entered", ANN), ("paused", None))
    ladder = fold_ladder(events, [])
    assert ladder.people == (BOB,)
    assert ladder.removed == {ANN}
    assert ladder.is_paused
    undone = fold_ladder([replace(one, undone_at=START) if one.kind == "removed" else one for one in events], [])
    assert undone.people == (ANN, BOB)
    assert refused(undone, BOB, Rung(ANN)) == "ladder_paused"


def test_rows_say_who_challenges_whom_and_who_has_moved() -> None:
    """Who was not there before has no places won or lost."""
    before = made(*people(ANN, BOB, CARL), ("challenged", CARL, ANN))
    after = fold_ladder([*before, *made(*[("", None)] * 4, ("entered", DORA))], [ended(4, wins=True)])
    rows = show_ladder(after, (), fold_ladder(before, []))
    assert [(row.place, row.rung.player, row.moved) for row in rows] == [
        (1, CARL, 2),
        (2, ANN, -1),
        (3, BOB, -1),
        (4, DORA, None),
    ]
    running = show_ladder(fold_ladder(before, [LadderMatch(4, 17)]), ())
    assert running[0].defends == running[2].attacks
    assert running[0].defends
    assert running[0].defends.match == 17


PLAYER = st.integers(ANN, GUS)
STEP = st.one_of(
    st.tuples(st.just("entered"), PLAYER),
    st.tuples(st.just("left"), PLAYER),
    st.tuples(st.just("sank"), PLAYER),
    st.tuples(st.just("challenged"), PLAYER, st.one_of(PLAYER, st.integers(-3, -1))),
    st.tuples(st.sampled_from(["taken", "ended"]), PLAYER, st.fixed_dictionaries({"challenge": st.integers(2, 30)})),
)
RESULT = st.builds(
    lambda event, hours, wins: LadderMatch(event, event, START + hours * HOUR, wins),
    st.integers(2, 30),
    st.integers(2, 60),
    st.booleans(),
)


@st.composite
def seasons(draw: st.DrawFn) -> tuple[list[ContestEvent], list[LadderMatch]]:
    """What may happen in a ladder, much of it nonsense, and how its matches ended."""
    told = draw(st.lists(STEP, max_size=30))
    events = made(("opened", None, {"robots": [3, 2, 1]}), *told)
    found = {one.event: one for one in draw(st.lists(RESULT, max_size=15))}
    return events, [one for one in found.values() if one.event <= len(events)]


@given(seasons())
def test_places_are_a_permutation_and_robots_keep_their_order(
    season: tuple[list[ContestEvent], list[LadderMatch]],
) -> None:
    """Nobody stands twice, nobody is lost, and stronger robots stay above weaker ones."""
    ladder = fold_ladder(*season)
    assert len(set(ladder.order)) == len(ladder.order)
    assert [rung.robot for rung in ladder.order if rung.robot] == [3, 2, 1]
    entered: set[int] = set()
    for event in season[0]:
        if event.player is not None and event.kind in ("entered", "left"):
            (entered.add if event.kind == "entered" else entered.discard)(event.player)
    assert set(ladder.people) == entered
    assert [row.place for row in show_ladder(ladder, ())] == list(range(1, len(ladder.shown) + 1))


@given(seasons())
def test_nobody_is_overtaken_without_a_result(season: tuple[list[ContestEvent], list[LadderMatch]]) -> None:
    """Between two moments only who wins, is not answered, or stood above and sank, changes sides with anybody."""
    events, matches = season
    ends = {one.event: max(one.over_at, events[one.event - 1].at) for one in matches if one.over_at}
    moments = sorted({*(event.at for event in events), *ends.values()})
    before = Ladder()
    for now in moments:
        after = until(events, matches, now)
        moved = {event.player for event in events if event.at == now and event.kind in ("taken", "sank")}
        moved |= {events[one.event - 1].player for one in matches if one.wins and ends[one.event] == now}
        rising = {event.arguments["challenge"] for event in events if event.at == now and event.kind == "taken"}
        moved |= {events[number - 1].player for number in rising if number <= len(events)}
        moved |= {event.player for event in events if event.kind in ("entered", "left") and event.at == now}
        still = [rung for rung in before.order if rung in after.order and rung.player not in moved]
        assert still == [rung for rung in after.order if rung in still]
        before = after


def until(events: Sequence[ContestEvent], matches: Sequence[LadderMatch], now: datetime) -> Ladder:
    """Return a ladder as it stood at a moment."""
    known = [replace(one, over_at=None) if one.over_at and one.over_at > now else one for one in matches]
    return fold_ladder([event for event in events if event.at <= now], known)


@given(seasons(), st.data())
def test_what_is_undone_never_was_and_counts_again_if_it_is_put_back(
    season: tuple[list[ContestEvent], list[LadderMatch]], data: st.DataObject
) -> None:
    """A ladder without an event is the ladder in which it is taken back; putting it back restores all."""
    events, matches = season
    number = data.draw(st.integers(0, len(events) - 1))
    undone = [replace(one, undone_at=START) if place == number else one for place, one in enumerate(events)]
    without = [one for place, one in enumerate(events) if place != number]
    assert fold_ladder(undone, matches).order == fold_ladder(without, matches).order
    restored = [replace(one, undone_at=None) for one in undone]
    assert fold_ladder(restored, matches) == fold_ladder(events, matches)


@given(seasons())
def test_the_order_in_which_matches_are_read_changes_nothing(
    season: tuple[list[ContestEvent], list[LadderMatch]],
) -> None:
    """Only their times count."""
    events, matches = season
    assert fold_ladder(events, matches[::-1]) == fold_ladder(events, matches)


@pytest.mark.parametrize("times", [1, 100])
def test_entering_a_hundred_times_is_entering_once(times: int) -> None:
    """And whoever leaves and comes back stands last."""
    told = [*people(ANN, BOB), *[("left", ANN), ("entered", ANN)] * times]
    assert fold_ladder(made(*told), []).people == (BOB, ANN)
