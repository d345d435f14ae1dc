"""The family of planning: answers that are played by themselves, at once, when what they answer has been played. Pure.

A plan is tried against the rules before it is kept, along each of its lines. It names what players do, and what is
rolled: whatever else comes between ends it, and its player is asked as if there had been none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby, pairwise

from pbem.commands.decision import Family, HelpRow, Keyword, MatchDecision, MatchSituation, Spelled, Step
from pbem.commands.effects import Append, Effect, Reply, SeatPlayer, SetPlan, Sketch, Tell
from pbem.commands.examples import example_plan
from pbem.commands.plan_lines import ASK, RESIGN, MakePlan, PlanLine, PlanStep, UnclearPlan, read_plan
from pbem.commands.rejections import PlanRefused, StaleTurn
from pbem.commands.variations import Check, LineRefused, begin_line, play_forced, play_line
from pbem.match.match import Match, advance_automatically
from pbem.match.plan import Path, Plan
from pbem.match.timing import pass_clock
from pbem.reading.reason import Reason, because
from rules.errors import RulesError
from rules.phrase import listed
from rules.position import Chance, Entry, Seat

PLAN = "plan"
"""The kind of the email that shows a plan."""

MOST_PATHS, MOST_STEPS, MOST_PLANNED = 12, 10, 150
"""Lines of a plan, answers of one of them, and entries of all."""


@dataclass(frozen=True, slots=True)
class ShowPlan(Spelled):
    """The sender asks for their plan."""

    says = "plan"


@dataclass(frozen=True, slots=True)
class CancelPlan(Spelled):
    """The sender wants nothing to be played by itself any more."""

    says = "cancel plan"


def _apply(
    situation: MatchSituation, command: MakePlan | UnclearPlan | ShowPlan | CancelPlan, now: datetime
) -> MatchSituation:
    """Keep a plan, show it, or drop it. Raise PlanRefused, or StaleTurn where the sender has seen another position."""
    match, seat = situation.match, situation.seat
    if isinstance(command, UnclearPlan):
        raise PlanRefused(because("plan_unclear", line=command.text, example=example_plan(match, seat)))
    if isinstance(command, MakePlan):
        return _keep(situation, command, now)
    if match.plan_of(seat) is None:
        return situation.carried(str(command), Reply(PLAN, (because("plan_none", example=example_plan(match, seat)),)))
    if isinstance(command, ShowPlan):
        sketches = _draw_paths(match, match.paths_left(seat), seat, now)
        what = match.planned(seat)
        stands = because("plan_held", move=what.text) if isinstance(what, Entry) else because("plan_kept")
        return situation.carried(str(command), Reply(PLAN, (stands,), sketches))
    effects = SetPlan(seat, None), Reply(PLAN, (because("plan_cancelled"),))
    return situation.carried(str(command), *effects, match=match.with_plan(seat, None))


def _keep(situation: MatchSituation, command: MakePlan, now: datetime) -> MatchSituation:
    """Keep a plan instead of the one that there was, and show it."""
    match, seat = situation.match, situation.seat
    if match.outcome is not None or seat in match.position.departed():
        raise PlanRefused(because("plan_too_late"))
    if situation.stale or (not situation.is_present and _gives_up(command)):
        raise StaleTurn()
    if match.to_act == seat:
        raise PlanRefused(because("plan_on_turn"))
    if match.seconds_of(seat):
        raise PlanRefused(because("plan_voted"))
    try:
        plan = make_plan(match, seat, command.lines, now)
    except LineRefused as refused:
        raise PlanRefused(refused.reason) from refused
    details = [because("plan_kept")] + ([because("plan_replaced")] if match.plan_of(seat) else [])
    reply = Reply(PLAN, tuple(details), _draw_paths(match, plan.paths, seat, now))
    return situation.carried(str(command), SetPlan(seat, plan), reply, match=match.with_plan(seat, plan))


def _gives_up(command: MakePlan) -> bool:
    """Return whether an answer of a plan gives the match up: that, too, has to be a reply to the newest email."""
    return any(step.answer == (RESIGN,) for line in command.lines for step in line)


def make_plan(match: Match, seat: Seat, lines: Sequence[PlanLine], now: datetime) -> Plan:
    """Return the plan of ``seat`` for ``match`` as it stands. Raise LineRefused for one that cannot be played."""
    if len(lines) > MOST_PATHS or any(len(line) > MOST_STEPS for line in lines):
        raise LineRefused("plan_too_long", lines=MOST_PATHS, steps=MOST_STEPS)
    begun = begin_line(match, None)
    paths = [path for line in lines if (path := _play_steps(begun, seat, line, now))]
    if not paths:
        raise LineRefused("plan_empty", example=example_plan(match, seat))
    if sum(map(len, paths)) > MOST_PLANNED:
        raise LineRefused("plan_too_long", lines=MOST_PATHS, steps=MOST_STEPS)
    paths.sort(key=_in_order)
    for shorter, longer in pairwise(paths):  # what they have in common is longest between neighbours
        _refuse_contradiction(shorter, longer, seat)
    kept = [path for path, after in pairwise([*paths, ()]) if after[: len(path)] != path]
    return Plan(match.turn, tuple(kept))


def follow_plans(decision: MatchDecision, now: datetime) -> MatchDecision:
    """Return ``decision`` with the answers that players have planned, each made as if they had just mailed it.

    What a plan did not foresee ends it; its player alone is told. A planned move spends no time. While something is
    offered to everybody no plan goes on, as its move would decline that.
    """
    match = _moved_plans(decision)
    if not any(match.plans):
        return decision if match is decision.after else replace(decision, after=match)
    effects: list[Effect] = []
    played: dict[Seat, list[str]] = {}
    ended: dict[Seat, Reason | None] = {}
    seats = [seat for seat, plan in enumerate(match.plans) if plan]
    while (planned := _find_planned(match, seats)) is not None:
        seat, what = planned
        if isinstance(what, Entry) and (following := _play(match, what, now)) is not None:
            effects += [Append(new, now) for new in following.record[match.ply :]]
            match = following
            played.setdefault(seat, []).append(what.text)
            continue
        match = match.with_plan(seat, None)
        effects.append(SetPlan(seat, None))
        code = what if isinstance(what, str) else "unforeseen"
        ended[seat] = None if code == "over" else because(f"plan_{code}")
        seats.remove(seat)
    if decision.appended:
        held = ((seat, match.planned(seat)) for seat in seats)
        effects += [Tell(seat, because("plan_held", move=what.text)) for seat, what in held if isinstance(what, Entry)]
    for seat, moves in played.items():
        effects.append(Tell(seat, because("plan_played", moves=listed(moves))))
        effects += [] if seat in ended else [Tell(seat, because("plan_goes_on"))]
    effects += [Tell(seat, why) for seat, why in ended.items() if why]
    changed = [SetPlan(seat, plan) for seat, plan in _renumbered(decision, match)]
    if not effects and not changed:
        return decision
    return replace(decision, steps=(*decision.steps, Step("", (*effects, *changed))), after=match)


def _find_planned(match: Match, seats: Sequence[Seat]) -> tuple[Seat, Entry | str] | None:
    """Return the first of ``seats`` whose plan does not wait: with its answer, or where the plan has come to."""
    for seat in seats:
        if match.outcome is not None or seat in match.position.departed():
            return seat, "over"
        what = match.planned(seat)
        if what != "waits" and not (isinstance(what, Entry) and match.open_agreement):
            return seat, what
    return None


def _play(match: Match, entry: Entry, now: datetime) -> Match | None:
    """Return the match after a planned entry, and what follows by itself; None where the rules refuse it."""
    if entry.text != RESIGN and match.to_act != entry.seat:
        return None
    try:
        following = match.after(entry, now)
    except RulesError:
        return None
    return pass_clock(match, advance_automatically(following, now), now)


def _moved_plans(decision: MatchDecision) -> Match:
    """Return the match after ``decision``, with the plans that still follow it.

    Where a seat passed to another player, the plan of the former one is gone, and those of all others go on: the
    position is the same, though its turn has another number.
    """
    before, after = decision.before, decision.after
    passed = [effect.seat for effect in decision.effects if isinstance(effect, SeatPlayer)]
    if not passed or not any(after.plans):
        return after
    moved = after.turn - before.turn
    plans = tuple(
        None if plan is None or seat in passed else replace(plan, turn=plan.turn + moved)
        for seat, plan in enumerate(after.plans)
    )
    return replace(after, plans=plans if any(plans) else (), folded=after.position)


def _renumbered(decision: MatchDecision, match: Match) -> Iterator[tuple[Seat, Plan]]:
    """Yield the plans that are stored with the number of another turn."""
    for seat, plan in enumerate(match.plans):
        before = decision.after.plan_of(seat)
        if plan and before and before.turn != plan.turn:
            yield seat, plan


def _play_steps(match: Match, seat: Seat, line: PlanLine, now: datetime) -> Path:
    """Return the entries of one line up to the last answer in it. Raise LineRefused."""
    begun, path = match.ply, Path()
    for step in line:
        match = _play_condition(match, seat, step, now)
        if step.answer == (ASK,):
            break
        if step.answer == (RESIGN,):
            match = match.after(Entry(seat, RESIGN), now)
        else:
            match = play_line(match, step.answer, seat, now, _only(seat))
        path = match.record[begun:]
        if step.answer == (RESIGN,) or match.outcome is not None:
            break
    if len(line) > 1 and step is not line[-1]:
        raise LineRefused("plan_ends", move=" ".join(step.answer))
    return path


def _play_condition(match: Match, seat: Seat, step: PlanStep, now: datetime) -> Match:
    """Return the match after what a step answers, in which it is the turn of ``seat``. Raise LineRefused."""
    said = ", ".join(step.condition)
    match = play_forced(play_line(match, step.condition, seat, now, _never(seat)), now)
    acting = match.to_act
    if acting is None:
        raise LineRefused("plan_over", move=said)
    if isinstance(acting, Chance):
        raise LineRefused("plan_rolls", move=said, faces=acting.faces)
    if acting != seat:
        raise LineRefused("plan_waits", move=said, name=match.name(acting))
    return match


def _never(seat: Seat) -> Check:
    """Return what refuses a condition that ``seat`` itself would have to fulfil."""

    def check(match: Match, move: str) -> None:
        if match.to_act == seat:
            raise LineRefused("plan_your_turn", move=move)

    return check


def _only(seat: Seat) -> Check:
    """Return what refuses an answer that is not for ``seat`` to give."""

    def check(match: Match, move: str) -> None:
        acting = match.to_act
        if isinstance(acting, Chance):
            raise LineRefused("plan_answer_rolls", move=move, faces=acting.faces)
        if isinstance(acting, int) and acting != seat:
            raise LineRefused("plan_not_yours", move=move, name=match.name(acting))

    return check


def _in_order(path: Path) -> list[tuple[int, str]]:
    """Return what paths are sorted by, so that those are neighbours that have most in common."""
    return [(-1 if entry.seat is None else entry.seat, entry.text) for entry in path]


def _refuse_contradiction(one: Path, other: Path, seat: Seat) -> None:
    """Raise LineRefused for two paths with different answers to the same."""
    for first, second in zip(one, other, strict=False):
        if first != second:
            if first.seat == seat:
                raise LineRefused("plan_contradicts", first=first.text, second=second.text)
            return


def _draw_paths(match: Match, paths: Sequence[Path], seat: Seat, now: datetime) -> tuple[Sketch, ...]:
    """Return the board at the end of each path."""
    found = []
    for path in paths:
        last = replace(match, secret="", seeds=(), folded=match.position)
        for entry in path:
            last = last.after(entry, now)
        found.append(Sketch(because("plan_path", line=_write_path(path, seat)), last, last))
    return tuple(found)


def _write_path(path: Path, seat: Seat) -> str:
    """Return a path as its player can write it."""
    parts: list[str] = []
    for own, entries in groupby(path, key=lambda entry: entry.seat == seat):
        moves = ", ".join(entry.text for entry in entries)
        parts.append(f" then {moves}" if own else f"{', ' if parts else ''}if {moves}")
    return "".join(parts).strip()


FAMILY = Family(
    name="planning",
    topic="ahead",
    types=(MakePlan, UnclearPlan, ShowPlan, CancelPlan),
    parse=read_plan,
    apply=_apply,
    keywords=(
        Keyword("plan", ShowPlan()),
        Keyword("cancel plan", CancelPlan()),
    ),
    help=(HelpRow("if d4 then e5"),),
)
