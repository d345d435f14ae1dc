"""Examples of lines and plans, which are of the game and of the position."""

from dataclasses import replace
from datetime import UTC, datetime

from pbem.commands.examples import example_line, example_move, example_plan
from pbem.commands.families.planning import make_plan
from pbem.commands.families.thoughts import Try
from pbem.commands.grammar import read_commands
from pbem.commands.plan_lines import MakePlan
from pbem.commands.variations import LineRefused, begin_line, play_line, read_written
from pbem.match.match import Match, advance_automatically
from pbem.match.player import Player
from rules.position import Chance, Entry, Seat
from tests.support.each import each
from tests.support.walks import Case, every_case, walk

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def matches(case: Case) -> list[Match]:
    """Return a match of a case at several points of its record, at each of which somebody is to act."""
    players = tuple(Player(seat, f"p{seat}", f"p{seat}@x.example", frozenset()) for seat in range(case.seats))
    entries = walk(case, 3).entries
    found = []
    for ply in {0, 4, 9, len(entries) // 2, len(entries) - 3}:
        options = case.game.normalise(case.options)
        match = Match(1, case.game, options, players, NOW, record=entries[:ply], times=(NOW,) * ply, secret="ab" * 32)
        found.append(advance_automatically(match, NOW))
    return [match for match in found if isinstance(match.to_act, int)]


def begun(match: Match) -> Match:
    """Return a match like it, as it begins when the dice fall as in examples."""
    match = match.at(0)
    while isinstance(match.to_act, Chance):
        match = match.after(Entry(None, str(min(3, match.to_act.faces))), NOW)
    return match


def can_be_played(match: Match, line: str) -> bool:
    """Return whether a line can be played in a match as it stands."""
    written = read_written(line)
    assert written is not None
    try:
        play_line(begin_line(match, None), written.parts, 0, NOW)
    except LineRefused:
        return False
    return True


def can_be_kept(match: Match, seat: Seat, text: str) -> bool:
    """Return whether ``text`` is a plan that ``seat`` may have now, or after the move beside which it stands."""
    [command] = read_commands([text])
    assert isinstance(command, MakePlan)
    if match.to_act == seat:
        match = play_line(begin_line(match, None), (example_move(match),), 0, NOW)
    try:
        return bool(make_plan(match, seat, command.lines, NOW).paths)
    except LineRefused:
        return False


@each("case", every_case(), ids=str)
def test_what_an_example_says_can_be_done_as_it_stands(case: Case) -> None:
    """In every game, with every option: the line can be kept, and each seat may have its plan."""
    for match in matches(case):
        line, early = example_line(match), match.ply < 9
        assert isinstance(read_commands([f"try {line}"])[0], Try)
        assert can_be_played(match, line) or (not early and can_be_played(begun(match), line))
        for seat in range(case.seats):
            plan = example_plan(match, seat)
            assert can_be_kept(match, seat, plan) or (not early and "if" in plan)


def test_an_example_is_of_the_game_after_the_end() -> None:
    """Nothing can be played there, and whoever asks how plans are written is to read moves of that board."""
    case = Case("pippip", 2, ())
    over = replace(matches(case)[0], record=walk(case, 3).entries, times=(NOW,) * len(walk(case, 3).entries))
    over = replace(over, folded=None)
    assert over.outcome
    assert can_be_played(begun(over), example_line(over))
