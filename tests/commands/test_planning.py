"""Plans: how they are read, what is refused before anything is kept, and how they are followed."""

import time
from dataclasses import replace

import pytest

from pbem.commands.decision import HIDDEN, MatchDecision
from pbem.commands.effects import SetPlan, Tell
from pbem.commands.families.planning import MOST_PATHS, MOST_STEPS, PLAN, follow_plans
from pbem.commands.families.play import FreeText
from pbem.commands.grammar import conceal_private, read_commands
from pbem.commands.judge import judge
from pbem.commands.plan_lines import MakePlan, PlanStep, UnclearPlan
from pbem.commands.rejections import PlanRefused, StaleTurn
from pbem.commands.ruling import replace_player, rewind
from pbem.match.match import Match, advance_automatically
from pbem.match.plan import Plan, read_plan, write_plan
from pbem.match.player import Player
from pbem.match.time.time_control import DEFAULT_CONTROL
from pbem.match.timing import start_clock
from rules.position import Chance, Entry, Seat
from tests.support.climb import FACES
from tests.support.each import each
from tests.support.judging import NOW, climbing, moves, put, refusal, said, start, waiting

PIPLINE = (Entry(0, "c3"), Entry(1, "take"), Entry(0, "a1"))
"""Of a match of two: Bob is to act; both place one stone a turn."""


def played(match: Match, seat: Seat, text: str) -> MatchDecision:
    """Return what a message leads to, planned answers included."""
    return follow_plans(put(match, seat, text), NOW)


def planned(text: str, match: Match | None = None, seat: Seat = 0) -> Match:
    """Return a match in which a player has made this plan."""
    return played(match or start("pipline", 2, *PIPLINE), seat, text).after


def texts(decision: MatchDecision) -> list[str]:
    """Return the new entries."""
    return [new.entry.text for new in decision.appended]


def told(decision: MatchDecision, seat: Seat) -> list[str]:
    """Return what a seat alone is told, as codes."""
    return [reason.code for reason in decision.told_to(seat)]


@each(
    "line, steps",
    [
        ("if d4 then e5", [(("d4",), ("e5",))]),
        ("If D4, then E5.", [(("d4",), ("e5",))]),
        ("- if d4 -> e5", [(("d4",), ("e5",))]),
        ("if he plays d4 then I play e5!", [(("d4",), ("e5",))]),
        ("if Bob plays d4 and Carl plays c3 then I answer with e5", [(("d4", "c3"), ("e5",))]),
        ("if d4, c3 then e5", [(("d4", "c3"), ("e5",))]),
        ("if take then f6 g7", [(("take",), ("f6 g7",))]),
        ("if d4 then resign", [(("d4",), ("resign",))]),
        ("if d4 then ask me", [(("d4",), ("ask",))]),
        ("if d4 then e5, if f6 then g7", [(("d4",), ("e5",)), (("f6",), ("g7",))]),
        ("if d4 then e5 and if f6 then g7", [(("d4",), ("e5",)), (("f6",), ("g7",))]),
        ("if d4 then e5 if f6 then g7", [(("d4",), ("e5",)), (("f6",), ("g7",))]),
        ("if d4 then e5, else ask", [(("d4",), ("e5",))]),
    ],
)
def test_a_line_of_a_plan(line: str, steps: list[tuple[tuple[str, ...], tuple[str, ...]]]) -> None:
    """As people write it: conditions and answers in turn."""
    (command,) = read_commands([line])
    assert isinstance(command, MakePlan)
    assert command.lines == (tuple(PlanStep(*step) for step in steps),)


@pytest.mark.parametrize(
    "lines",
    [
        ["if d4 then e5; if take then f6 g7; else ask"],
        ["if d4 then e5", "if take then f6 g7", "else ask"],
        ["if d4 then e5", "", "1) if take then f6 g7;", "otherwise ask"],
        ["if d4 then", "e5", "if take then f6 g7"],
    ],
)
def test_lines_of_one_message_are_one_plan(lines: list[str]) -> None:
    """On one line or several, broken or not."""
    (plan,) = [command for command in read_commands(lines) if isinstance(command, MakePlan)]
    assert [line[0].answer for line in plan.lines] == [("e5",), ("f6 g7",)]


@each(
    "line",
    ["if you take, I'm lost", "If only!", "if", "if you see what I mean, d4 was a mistake of mine", "iffy", "if so"],
)
def test_talk_is_no_plan(line: str) -> None:
    """Words that begin with if are words."""
    assert all(isinstance(command, FreeText) for command in read_commands([line]))


@each(
    "line",
    [
        "if d4 thn e5",
        "if d4 then e5 wins",
        "if d4 e5",
        "if d4 then",
        "if d4 then e5 then f6",
        "if d4 then e5, else f6",
        "if d4 then e5; say: got you",
        "if d4 then e5; resign",
        "if bob d4 then e5",
        "if d4 bob plays c3 then e5",
        "if d4 then e5!!!?",
    ],
)
def test_a_plan_with_a_slip_is_asked_about_and_never_published(line: str) -> None:
    """Alone, and below a move, where other words go to everyone: the message is not carried out."""
    (command,) = read_commands([line])
    assert isinstance(command, UnclearPlan)
    match = start("pipline", 2, *PIPLINE)
    for text, seat in ((line, 0), (f"b2\n\nHello Ann\n{line}", 1)):
        refused = refusal(match, seat, text)
        assert isinstance(refused, PlanRefused)
        assert refused.code == "plan_unclear"


@each("subject", ["if d4 then e5", "if d4 thn e5", "note: weak", "try d4 e5", "what d4", "team: hi"])
def test_a_subject_that_is_private_is_hidden_from_the_operator(subject: str) -> None:
    """It may hold what the body does not."""
    assert conceal_private(f"Re: {subject}", subject) == HIDDEN
    assert conceal_private("Re: show #3", "show #3") == "Re: show #3"


def test_nothing_of_a_plan_is_among_words_for_others() -> None:
    """Nor is it behind a line without a full stop, and the operator does not see it."""
    long = "Good luck, I think this is going to be a very interesting match for us"
    decision = put(start("pipline", 2, *PIPLINE), 1, f"b2\n\n{long}\nif b3 then b4\nif c4 then c5")
    assert (moves(decision), said(decision)) == (("b2",), [(long, False)])
    assert decision.shown == ("b2", "if …")
    (plan,) = [effect.plan for effect in decision.effects if isinstance(effect, SetPlan)]
    assert plan is not None
    assert len(plan.paths) == 2


@each(
    "text, code",
    [
        ("if a1 then b1", "line_refused_for"),
        ("if b1 then b1", "line_refused"),
        ("if b1 then z9", "line_refused"),
        ("if take then b1", "line_refused_for"),
        ("if b1 then b2 b3", "plan_not_yours"),
        ("if b1, b2 then b3", "plan_your_turn"),
        ("if b1 then b2, if b3 then b3", "line_refused"),
        ("if b1 then b2\nif b1 then b3", "plan_contradicts"),
        ("if b1 then b2, if c1 then c2\nif b1 then b2, if c1 then c4", "plan_contradicts"),
        ("if b1 then ask", "plan_empty"),
        ("else ask", "plan_empty"),
        ("if b1 then resign, if b2 then b3", "plan_ends"),
        ("if b1 then ask, if b2 then b3", "plan_ends"),
        ("\n".join(f"if {column}{row} then e5" for column in "bc" for row in range(1, 9)), "plan_too_long"),
        (", ".join(["if b1 then b2"] * (MOST_STEPS + 1)), "plan_too_long"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_before_it_is_kept(text: str, code: str) -> None:
    """With the rules' own reason; the operator is told nothing of it."""
    refused = refusal(start("pipline", 2, *PIPLINE), 0, text)
    assert isinstance(refused, PlanRefused)
    assert (refused.why.code, refused.private) == (code, True)


def test_a_plan_on_ones_own_turn_or_after_the_end_is_refused() -> None:
    """Below the move it counts: it follows it."""
    match = start("pipline", 2, *PIPLINE)
    assert refusal(match, 1, "if b1 then b2").code == "plan_on_turn"
    assert refusal(match, 1, "if b1 then b2\n\nb3").code == "plan_on_turn"
    assert moves(put(match, 1, "b3\nif b1 then b2")) == ("b3",)
    assert refusal(match.after(Entry(1, "resign"), NOW), 0, "if b1 then b2").code == "plan_too_late"


def test_a_refused_plan_takes_its_move_along() -> None:
    """A message is carried out as a whole or not at all."""
    assert refusal(start("pipline", 2, *PIPLINE), 1, "b3\nif b3 then b2").code == "line_refused_for"


def test_a_plan_counts_only_in_answer_to_the_present_email() -> None:
    """Or to the one before, if nobody but its sender has played since: they know the position."""
    match = start("pipline", 2, *PIPLINE)
    assert isinstance(refusal(match, 0, "if b1 then b2", ply=1), StaleTurn)
    assert put(match, 0, "if b1 then b2", ply=2).done
    assert isinstance(refusal(match, 0, "if b1 then resign", ply=2), StaleTurn)
    assert put(match, 0, "if b1 then resign").done
    with pytest.raises(StaleTurn):
        judge(match, 0, -1, read_commands(["if b1 then b2"]), now=NOW)


def test_an_answer_is_played_at_once() -> None:
    """In the same decision as what it answers; its player is told that it was, nobody else."""
    match = planned("if b1 then b2, if c1 then c2\nif e5 then d5")
    decision = played(match, 1, "b1\nThat is it for today, Ann")
    assert texts(decision) == ["b1", "b2"]
    assert (told(decision, 0), told(decision, 1)) == (["plan_played", "plan_goes_on"], [])
    assert decision.done == ("b1",)
    last = played(decision.after, 1, "c1")
    assert texts(last) == ["c1", "c2"]
    assert (told(last, 0), last.after.plans) == (["plan_played", "plan_done"], ())


def test_what_was_not_foreseen_ends_a_plan() -> None:
    """It plays nothing more, and its player is told; nobody else."""
    match = planned("if b1 then b2, if c1 then c2")
    other = played(match, 1, "e5")
    assert (texts(other), told(other, 0), told(other, 1)) == (["e5"], ["plan_unforeseen"], [])
    assert other.after.plans == ()
    later = played(played(match, 1, "b1").after, 1, "e5")
    assert (texts(later), told(later, 0)) == (["e5"], ["plan_unforeseen"])


def test_two_plans_answer_each_other() -> None:
    """As far as both foresee; each player is told of their own."""
    match = start("pipline", 2, *PIPLINE)
    match = planned("if b1 then b2, if b4 then b5, if e1 then e2", match)
    decision = played(match, 1, "b1\nif b2 then b4, if b5 then d1")
    assert texts(decision) == ["b1", "b2", "b4", "b5", "d1"]
    assert told(decision, 0) == ["plan_played", "plan_unforeseen"]
    assert told(decision, 1) == ["plan_played", "plan_done"]


def test_three_players() -> None:
    """All moves of the others have to be named, and all have to come so."""
    match = start("zipline", 3, Entry(0, "c3"))
    assert refusal(match, 0, "if take then b1").code == "plan_waits"
    match = planned("if take, a1 then b1, if c1, d1 then e1\nif take, a2 then resign", match)
    first = played(match, 1, "take")
    assert (texts(first), told(first, 0)) == (["take"], [])
    second = played(first.after, 2, "a1")
    assert texts(second) == ["a1", "b1"]
    assert told(played(second.after, 1, "c2"), 0) == ["plan_unforeseen"]
    gone = played(first.after, 2, "a2")
    assert texts(gone) == ["a2", "resign"]
    assert 0 in gone.after.position.departed()
    away = played(first.after, 2, "resign")
    assert (texts(away), told(away, 0)) == (["resign"], ["plan_unforeseen"])


def test_rolls_have_to_be_named() -> None:
    """An answer to one result is given for no other; without a result there is none."""
    match = advance_automatically(replace(climbing((3,)), seeds=("", "")), NOW)
    assert refusal(match, 1, "if 1 then 1").code == "plan_rolls"
    actual = match.fair_rolls.value(match.ply + 1, Chance("die", FACES))
    hit = played(planned(f"if 1, {actual} then 1", match, 1), 0, "1")
    assert texts(hit)[:3] == ["1", str(actual), "1"]
    assert told(hit, 1) == ["plan_played", "plan_done"]
    missed = played(planned(f"if 1, {actual % FACES + 1} then 1", match, 1), 0, "1")
    assert (texts(missed), told(missed, 1)) == (["1", str(actual)], ["plan_unforeseen"])
    assert refusal(waiting(), 0, "if 3, 1 then 1").code == "line_before_rolls"


def test_a_new_plan_replaces_the_one_before() -> None:
    """And is said to; `plan` shows what is left, `cancel plan` drops it."""
    match = planned("if b1 then b2, if c1 then c2")
    again = put(match, 0, "if e1 then e2")
    (reply,) = again.replies
    assert (reply.kind, [one.code for one in reply.details]) == (PLAN, ["plan_kept", "plan_replaced"])
    assert texts(played(again.after, 1, "b1")) == ["b1"]
    (shown,) = put(played(match, 1, "b1").after, 0, "plan").replies
    assert [sketch.match.record[-2:] for sketch in shown.sketches] == [(Entry(1, "c1"), Entry(0, "c2"))]
    dropped = put(match, 0, "cancel plan")
    assert ([one.code for one in dropped.replies[0].details], dropped.after.plans) == (["plan_cancelled"], ())
    assert [one.code for one in put(dropped.after, 0, "plan").replies[0].details] == ["plan_none"]


def test_a_receipt_has_the_board_at_the_end_of_each_line() -> None:
    """Without the secret of the match; lines that another goes on with are none of their own."""
    match = replace(start("pipline", 2, *PIPLINE), secret="a secret")
    decision = put(match, 0, "if b1 then b2\nif b1 then b2, if c1 then c2\nif e1 then resign")
    (reply,) = decision.replies
    assert [sketch.match.ply - match.ply for sketch in reply.sketches] == [4, 2]
    assert {sketch.match.secret for sketch in reply.sketches} == {""}
    assert "secret" not in repr(decision.after.plans)


def test_taking_moves_back_ends_a_plan_and_another_player_gets_none() -> None:
    """Whose seat passes on takes the plan along; those of the others go on."""
    match = planned("if b1 then b2, if c1 then c2")
    back = follow_plans(rewind(match, 1, NOW), NOW)
    assert (told(back, 0), back.after.plans) == (["plan_gone"], ())
    dora = Player(7, "Dora", "dora@d.example", frozenset())
    passed = follow_plans(replace_player(match, 0, dora, NOW), NOW)
    assert (passed.after.plans, passed.told_to(0)) == ((), ())
    other = follow_plans(replace_player(match, 1, dora, NOW), NOW)
    assert texts(played(other.after, 1, "b1")) == ["b1", "b2"]
    assert [effect.plan.turn for effect in other.effects if isinstance(effect, SetPlan) and effect.plan] == [
        other.after.turn
    ]


def test_leaving_ends_a_plan() -> None:
    """So does the end of the match: nobody is told anything."""
    match = planned("if b1 then b2")
    decision = played(match, 0, "resign")
    assert (decision.after.plans, [effect for effect in decision.effects if isinstance(effect, Tell)]) == ((), [])


def test_a_planned_move_spends_no_time() -> None:
    """The clock goes on as if it had been mailed at once."""
    match = start_clock(start("pipline", 2, *PIPLINE), DEFAULT_CONTROL, NOW)
    decision = played(planned("if b1 then b2", match), 1, "b1")
    by_hand = put(put(match, 1, "b1").after, 0, "b2").after
    assert decision.after.clock == by_hand.clock
    assert decision.after.clock is not None
    assert decision.after.clock.seat == 1


def test_a_stored_plan_is_read_as_it_was_and_damage_plays_nothing() -> None:
    """What no pbem has written is no plan."""
    plan = planned("if b1 then b2, if c1 then c2\nif e5 then resign").plan_of(0)
    assert read_plan(write_plan(plan)) == plan
    assert write_plan(None) is None
    wrong: list[object] = [7, [], {}, {"turn": "3", "paths": []}, {"turn": 3, "paths": [[]]}]
    wrong += [{"turn": 3, "paths": [[[0]]]}, {"turn": 3, "paths": [[["0", "b1"]]]}, {"turn": 3, "paths": [7]}]
    assert [read_plan(one) for one in wrong] == [None] * len(wrong)
    match = replace(start("pipline", 2, *PIPLINE), plans=(Plan(3, ((Entry(1, "b1"), Entry(0, "c3")),)), None))
    illegal = played(match, 1, "b1")
    assert (texts(illegal), told(illegal, 0)) == (["b1"], ["plan_unforeseen"])


def test_the_largest_plan_is_tried_within_the_budget() -> None:
    """On a large board, all lines as long as they may be, and each answer the last word of a long one."""
    game = start("pipline", 2).game
    match = replace(start("pipline", 2, *PIPLINE), options=game.normalise({"size": 19}))
    cells = [f"{column}{row}" for column in "bdefghjklmnop" for row in range(1, 20)]
    lines = []
    for number in range(MOST_PATHS):
        own = cells[number * 20 : number * 20 + 12]
        lines.append(", ".join(f"if {own[at]} then {own[at + 1]}" for at in range(0, 12, 2)))
    started = time.process_time()
    decision = put(match, 0, "\n".join(lines))
    assert len(decision.replies[0].sketches) == MOST_PATHS
    assert time.process_time() - started < 2


def test_a_plan_waits_while_a_draw_is_offered_beside_the_move_that_it_answers() -> None:
    """Its answer would decline what its player has not read; they are told, and a no goes on with the plan."""
    match = planned("if b1 then b2, if b3 then b4")
    offered = played(match, 1, "b1\ndraw")
    assert (texts(offered), told(offered, 0), told(offered, 1)) == (["b1"], ["plan_held"], [])
    assert offered.after.open_agreement
    assert put(offered.after, 0, "plan").replies[0].details[0].code == "plan_held"
    assert texts(played(offered.after, 0, "say: Let me think")) == []
    agreed = played(offered.after, 0, "agree to draw")
    assert (agreed.after.outcome is not None, texts(agreed)) == (True, [])
    for seat, answer in ((0, "no draw"), (1, "draw off")):
        declined = played(offered.after, seat, answer)
        assert (texts(declined), told(declined, 0)) == (["b2"], ["plan_played", "plan_goes_on"])
        assert texts(played(declined.after, 1, "b3")) == ["b3", "b4"]
    by_hand = played(offered.after, 0, "b2")
    assert (texts(by_hand), told(by_hand, 0)) == (["b2"], [])
    assert texts(played(by_hand.after, 1, "b3")) == ["b3", "b4"]


def test_a_plan_answers_a_move_that_declines_an_offer_of_its_own_player() -> None:
    """The offer ended with the move; nothing waits for an answer."""
    match = played(planned("if b1 then b2"), 0, "draw").after
    decision = played(match, 1, "b1")
    assert texts(decision) == ["b1", "b2"]
    assert decision.after.open_agreement is None


def test_undoing_past_two_plans_that_answered_each_other_ends_both() -> None:
    """Whoever asks gets their last move back, by a plan or by hand, and what was played since."""
    match = planned("if b1 then b2, if b3 then b4")
    match = played(match, 0, "say: hello").after
    match = played(played(match, 1, "b1").after, 0, "draw").after
    assert [entry.text for entry in match.record[3:]] == ["b1", "b2"]
    match = played(match, 1, "b3").after
    asked = played(match, 1, "undo")
    assert asked.log[0].arguments["move"] == "b3"
    undone = played(asked.after, 0, "agree to undo")
    assert ([entry.text for entry in undone.after.record[3:]], undone.after.plans) == (["b1", "b2"], ())
    assert undone.after.open_agreement is None
    assert texts(played(undone.after, 1, "b3")) == ["b3"]
