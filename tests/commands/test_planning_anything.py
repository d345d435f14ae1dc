"""Plans of any game, made of random matches: they play what their player would have mailed, and nothing else."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.decision import MatchDecision
from pbem.commands.effects import Append
from pbem.commands.families.planning import MOST_STEPS, follow_plans
from pbem.commands.grammar import read_commands
from pbem.commands.judge import judge
from pbem.match.match import Match, advance_automatically
from rules.games import GAMES
from rules.position import EXIT_WORDS, Chance, Entry, Position, Seat
from tests.support.examples import examples
from tests.support.judging import NOW
from tests.support.matches import random_match
from tests.support.walks import Case

CASES = [Case(key, seats, ()) for key, game in GAMES.items() for seats in game.seats]
SMALL = {"pipline": (("size", 7),), "zipline": (("size", 7),)}


def begun(case: Case, random: Random) -> Match:
    """Return a match at some turn of a player, from which a plan can be made."""
    small = Case(case.key, case.seats, SMALL.get(case.key, ()))
    whole = random_match(small, seed=random.randrange(5))
    match = random_match(small, random.randrange(whole.ply), seed=random.randrange(5))
    return advance_automatically(replace(match, seeds=("",) * case.seats), NOW)


def write(match: Match, seat: Seat, text: str) -> MatchDecision:
    """Return what a message leads to, planned answers included."""
    return follow_plans(judge(match, seat, match.ply, read_commands(text.splitlines()), now=NOW), NOW)


def any_entry(position: Position[Any], random: Random) -> Entry:
    """Return a random move or roll."""
    acting = position.to_act
    if isinstance(acting, Chance):
        return Entry(None, str(1 + random.randrange(acting.faces)))
    assert acting is not None
    return Entry(acting, str(position.any_move(random.randrange)))


def imagine(match: Match, seat: Seat, random: Random) -> str:
    """Return a line of a plan of ``seat``, made of random moves and rolls from here on; empty where the match ends."""
    steps: list[tuple[list[str], list[str]]] = [([], [])]
    there = replace(match, secret="")
    while there.outcome is None and len(steps) < random.choice((2, 3, 4)):
        own = there.to_act == seat
        if own and (forced := there.position.forced()) is not None:
            there = there.after(Entry(seat, str(forced)), NOW)
            continue
        if not own and steps[-1][1]:
            steps.append(([], []))
        entry = any_entry(there.position, random)
        steps[-1][1 if own else 0].append(entry.text)
        there = there.after(entry, NOW)
    whole = [f"if {', '.join(others)} then {', '.join(own)}" for others, own in steps if others and own]
    return ", ".join(whole[:MOST_STEPS])


def others_of(match: Match) -> Seat | None:
    """Return a seat that is not to act, if there is one in a match that goes on."""
    acting = match.to_act
    seats = [one for one in range(len(match.players)) if one != acting and one not in match.position.departed()]
    return seats[0] if isinstance(acting, int) and seats else None


@pytest.mark.parametrize("case", CASES, ids=str)
@given(seed=st.integers(0, 10**6))
@examples(60, quickly=6)
def test_a_plan_plays_what_its_player_would_have_mailed(case: Case, seed: int) -> None:
    """Whatever others do: with the plan and by hand the record is the same, as long as the plan foresees it.

    Every planned answer stands behind just what it was to answer, and is legal, or the record could not be replayed.
    """
    random = Random(seed)
    match = begun(case, random)
    seat = others_of(match)
    if seat is None:
        return
    lines = [line for line in (imagine(match, seat, random) for _ in range(3)) if line]
    if not lines:
        return
    made = write(match, seat, lines[0])
    planned = made.after
    shown = [str(dict(one.title.arguments)["line"]) for reply in made.replies for one in reply.sketches]
    assert write(match, seat, "\n".join(shown)).after.plan_of(seat) == planned.plan_of(seat), "as it is shown"
    by_hand = planned.with_plan(seat, None)
    while planned.outcome is None and planned.plan_of(seat) is not None:
        acting = planned.to_act
        assert isinstance(acting, int)
        assert acting != seat, "an answer that is planned is played at once"
        path = planned.paths_left(seat)[0]
        foreseen = random.random() < 0.8 and path[0].seat == acting
        entry = path[0] if foreseen else any_entry(planned.position, random)
        decision = write(planned, acting, entry.text)
        new = [effect.entry for effect in decision.effects if isinstance(effect, Append)]
        by_hand = _mail_all(by_hand, seat, new)
        planned = decision.after
        assert planned.record == by_hand.record
    assert all(entry.text not in EXIT_WORDS for entry in planned.record)


@given(text=st.text(st.sampled_from("if then else, ;:d4e5c3 take ask resign note try what show #12\n"), max_size=80))
@examples(500, quickly=60)
def test_any_text_is_read(text: str) -> None:
    """Whatever stands there, reading it ends, and what it asks for has a form for the operator."""
    assert all(isinstance(str(command), str) for command in read_commands(text.splitlines()))


def _mail_all(match: Match, seat: Seat, new: list[Entry]) -> Match:
    """Return the match after its players mailed those of these entries that are moves, each for itself."""
    for entry in new:
        if match.ply and match.record[match.ply - 1 :] == (entry,) and entry.seat is None:
            continue
        if entry.seat is None or match.to_act != entry.seat:
            continue  # it came by itself
        match = judge(match, entry.seat, match.ply, read_commands([entry.text]), now=NOW).after
    return match
