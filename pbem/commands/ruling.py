"""What the operator decides about a match: its clock, its result, who plays, what is taken back. Pure.

Each function returns a decision to be recorded and announced like any other, or raises BadInput, which says why not.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from datetime import datetime
from typing import Any, Literal

from pbem.commands.decision import MatchDecision, Step
from pbem.commands.effects import AddLog, Append, Effect, SeatPlayer
from pbem.errors import BadInput
from pbem.mail.headers import to_address
from pbem.match.endings import Ruling
from pbem.match.holders import find_passed
from pbem.match.log import LogEntry
from pbem.match.match import Match, advance_automatically, is_move, left_along
from pbem.match.player import Player
from pbem.match.stints import Stint, passed_on, rewound_to
from pbem.match.time.clock import Clock
from pbem.match.time.time_control import TimeControl, without_claims, write_time_control
from pbem.match.timing import begin_turn, pass_clock, restart_clock, settle_clock, side_of, start_clock
from pbem.reading.when.lengths import LONGEST_TIME, write_duration
from rules.errors import quote
from rules.position import EXIT_WORDS, Entry, Seat
from rules.text import listed

_UNDONE_BY: dict[str, str] = {"adjudicated": "adjudicate", "agreed": "adjudicate", "void": "void"}
_CALLED = {"adjudicated": "adjudicated", "agreed": "a draw by agreement", "void": "called off"}


def set_control(match: Match, control: TimeControl | None, now: datetime) -> MatchDecision:
    """Return the decision that gives a match a new clock, on which everybody has their first time; None: no clock."""
    _refuse_over(match)
    if control is None and match.clock is None:
        raise BadInput(f"Match {match.id} has no clock already.")
    after = start_clock(match, control, now)
    known = match.clock
    if control and known and replace(control, policy=known.control.policy) == known.control:
        after = _timed(match, replace(known, control=control))  # what happens at the end alone is another
    elif after.clock and match.clock:
        after = _timed(after, replace(after.clock, pause=match.clock.pause))
    return _decide(match, after, LogEntry("time_control", None, {"control": write_time_control(control)}))


def extend_time(match: Match, seat: Seat | None, seconds: int, now: datetime) -> MatchDecision:
    """Return the decision that gives a seat more time, or less: so many seconds; None: whoever is to act."""
    clock = _clock_of(match)
    seat = clock.seat if seat is None else seat
    if seat is None:
        raise BadInput(f"Nobody is to act in match {match.id} now: say with --seat who is to have the time.")
    _refuse_departed(match, seat)
    settled, side = settle_clock(match, now), side_of(match, seat)
    left = settled.banks[seat] + seconds
    if left <= 0:
        has, less = write_duration(settled.banks[seat]), write_duration(-seconds)
        raise BadInput(f"{match.name(seat)} has {has} left, so {less} can’t be taken away.")
    if left > LONGEST_TIME:
        raise BadInput(
            f"{match.name(seat)} would have {write_duration(left)}; nobody can have more than"
            f" {write_duration(LONGEST_TIME)}."
        )
    changed = settled.with_bank(left, side)
    if clock.seat in side:
        changed = replace(changed, flagged_at=None, reminded=None)
        if clock.halted == "flagged":  # it runs from the email that tells of it
            changed = replace(changed, halted="unsent", halted_at=None)
    return _decide(match, _timed(match, changed), LogEntry("extended", None, {"seconds": seconds, "seat": seat}))


def pause_match(match: Match, until: datetime, now: datetime) -> MatchDecision:
    """Return the decision by which nobody's clock runs until a moment, which is yet to come."""
    _clock_of(match)
    changed = replace(settle_clock(match, now), pause=(now, until), proposal=None)
    return _decide(match, _timed(match, changed), LogEntry("paused", None, {"until": until.isoformat()}))


def end_pause(match: Match, now: datetime) -> MatchDecision:
    """Return the decision that ends a pause before its time."""
    pause = _clock_of(match).pause
    if pause is None or pause[1] <= now:
        raise BadInput(f"Match {match.id} is not paused.")
    settled = settle_clock(match, now)
    proposal = None if settled.proposal and settled.proposal.ends else settled.proposal
    changed = replace(settled, pause=(pause[0], now), proposal=proposal)
    return _decide(match, _timed(match, changed), LogEntry("pause_ended", None))


def adjudicate(match: Match, winners: Collection[Seat], now: datetime) -> MatchDecision:
    """Return the decision that ends a match: seats that win, each with its side; all of them: a draw."""
    won = frozenset(member for seat in winners for member in match.position.side(seat))
    return _end(match, Ruling("adjudicated", won, at=now), LogEntry("adjudicated", None, {"winners": sorted(won)}), now)


def call_off(match: Match, now: datetime) -> MatchDecision:
    """Return the decision that ends a match so that it counts for nobody."""
    return _end(match, Ruling("void", at=now), LogEntry("voided", None, {"by": "operator"}), now)


def reinstate(match: Match, kind: Literal["adjudicated", "void"], now: datetime) -> MatchDecision:
    """Return the decision that takes a ruling of that kind back: the match goes on as if it had not been."""
    ruling = match.ruling
    if ruling is None:
        raise BadInput(f"Match {match.id} is not {_CALLED[kind]}.")
    if _UNDONE_BY[ruling.kind] != _UNDONE_BY[kind]:
        raise BadInput(f"Match {match.id} is {_CALLED[ruling.kind]}: {_how_to_undo(match, ruling)}.")
    after = advance_automatically(replace(match, ruling=None, folded=match.position), now)
    return _decide(match, restart_clock(after, now), LogEntry("reinstated", None))


def replace_player(
    match: Match,
    seat: Seat,
    newcomer: Player,
    now: datetime,
    *,
    until: datetime | None = None,
    back: bool = False,
    agreed: bool = False,
    owner: int | None = None,
) -> MatchDecision:
    """Return the decision by which ``newcomer`` has a seat instead of its player.

    No reply token that the seat has had counts any more. An answer before the first roll was the former player's alone.
    ``until``: they stand in until then, as the player wants it; ``back``: the player has the seat again; neither gives
    any time. ``agreed``: the players want it, not the operator. ``owner`` is the number of its player, if they let it
    pass, and so answer for how it goes on.
    """
    _refuse_over(match)
    _refuse_departed(match, seat)
    former = match.players[seat]
    if newcomer.id == former.id:
        raise BadInput(f"{former.name} has that seat of match {match.id} already.")
    if any(newcomer.id == player.id for player in match.players):
        raise BadInput(f"{newcomer.name} has another seat in match {match.id}; a player has one seat in a match.")
    if newcomer.robot and match.present - {seat} <= match.robot_seats:
        raise BadInput(f"Robots would play match {match.id} among themselves: somebody has to be in it.")
    if newcomer.preferences.muted and not back:  # whose seat it is has it, whether or not they want email
        raise BadInput(
            f"{newcomer.name} has unsubscribed, and gets no email until they reply with “resume”: so they can’t be"
            " told that it’s their turn."
        )
    seeds = match.seeds
    if match.awaits_seeds and seeds:
        seeds = tuple(None if number == seat else seed for number, seed in enumerate(seeds))
    players = tuple(newcomer if number == seat else player for number, player in enumerate(match.players))
    stints = passed_on(match.robots, seat, newcomer.robot, match.ply)
    names = {"before": former.name, "after": newcomer.name}
    told: dict[str, Any] = {"until": until.isoformat()} if until else {"back": True} if back else {}
    told |= {"agreed": True} if agreed else {}
    told |= {} if owner is None else {"owner": owner}
    noted = LogEntry("replaced", None, {"seat": seat} | names | told, match.ply, now)
    passed = (*match.passed, *find_passed([noted]))
    after = replace(match, players=players, seeds=seeds, robots=stints, passed=passed, folded=match.position).outdated()
    if match.clock and match.clock.seat == seat:
        settled = settle_clock(match, now)
        after = restart_clock(_timed(after, settled), now)
        if (until or back) and after.clock:  # whoever plays, it is the same time
            after = _timed(after, replace(after.clock, banks=settled.banks))
    if (
        after.clock and after.clock.proposal and seat in after.clock.proposal.seats
    ):  # what they wanted binds nobody else
        after = _timed(after, replace(after.clock, proposal=None))
    if not until and after.clock and sum(not player.robot for player in players) == 1:
        after = _timed(after, replace(after.clock, control=without_claims(after.clock.control) or after.clock.control))
    turns = {"turn": after.rewound, "turns": after.rewound - match.rewound}
    entry = LogEntry("replaced", None, {"seat": seat} | names | turns | told)
    return _decide(match, after, entry, SeatPlayer(seat, newcomer))


def keep_seat(match: Match, seat: Seat) -> MatchDecision:
    """Return the decision by which a stand-in has a seat for good, since its player can't have it back."""
    return MatchDecision((Step("", (AddLog(LogEntry("stayed", seat)),)),), before=match, after=match)


def revive_seat(match: Match, seat: Seat, newcomer: Player, now: datetime) -> MatchDecision | None:
    """Return the decision by which ``newcomer`` plays on for somebody who has left; None once others have moved since.

    That the player left is taken back, which can be done only while nobody else has left.
    """
    ply = next((ply for ply, entry in enumerate(match.record) if entry.seat == seat and entry.text in EXIT_WORDS), None)
    if ply is None or any(map(is_move, match.record[ply:])):
        return None
    left = {entry.seat for entry in match.record[ply:] if entry.text in EXIT_WORDS}
    if left != {seat}:
        return None
    taken = rewind(match, ply, now, by_players=True)
    passed = replace_player(taken.after, seat, newcomer, now, agreed=True)
    return MatchDecision((*taken.steps, *passed.steps), before=match, after=passed.after)


def rewind(match: Match, ply: int, now: datetime, *, by_players: bool = False) -> MatchDecision:
    """Return the decision that takes back all entries but the first ``ply``, and those that follow them by themselves.

    Rolls come out as they did, since they follow from the same secret: so they stay. ``by_players``: they have agreed
    on it, and no operator decides.
    """
    _refuse_ruled(match)
    if not 0 <= ply < match.ply:
        raise BadInput(f"Match {match.id} has {match.ply} entries, so it can’t go back to {ply}.")
    while ply < match.ply and match.at(ply).automatic_entry() == match.record[ply]:
        ply += 1
    if ply == match.ply:
        raise BadInput(f"What follows in match {match.id} is rolled, or played by itself, and would come out the same.")
    stints = rewound_to(match.robots, ply)
    after = replace(match.at(ply), rewound=match.outdated().rewound, robots=stints)
    taken = list(enumerate(match.record[ply:], ply))
    left = [[entry.seat, entry.text] for at, entry in taken if entry.text in EXIT_WORDS and not left_along(match, at)]
    told: dict[str, Any] = {"to": ply, "moves": sum(is_move(entry) for _, entry in taken), "left": left}
    told |= {"by": "players"} if by_players else {}
    told |= {"robots": [astuple(one) for one in match.robots]} if stints != match.robots else {}
    if match.clock:
        told["clock"] = _note_clock(settle_clock(match, now))
    return _decide(match, restart_clock(after, now), LogEntry("rewound", None, told))


def ply_before(match: Match, moves: int) -> int:
    """Return the number of entries before the last so many that players chose; raises BadInput."""
    chosen, match_then = list[int](), match.at(0)
    for ply, (entry, at) in enumerate(zip(match.record, match.times, strict=True)):
        if match_then.automatic_entry() != entry:
            chosen.append(ply)
        match_then = match_then.after(entry, at)
    if not 0 < moves <= len(chosen):
        raise BadInput(f"Match {match.id} has {len(chosen)} moves, so {moves} can’t be taken back.")
    return chosen[-moves]


def restore(
    match: Match,
    ply: int,
    entries: Sequence[Entry],
    times: Sequence[datetime],
    now: datetime,
    log: Sequence[LogEntry] = (),
) -> MatchDecision:
    """Return the decision that puts entries back that were taken back when ``ply`` were left.

    By the ``log`` of the match everybody has the time that they had then, and what they were given since.
    """
    _refuse_ruled(match)
    if match.ply != ply:
        raise BadInput(
            f"Match {match.id} has gone on since entries were taken back, so that they can’t be put back:"
            f" “pbem rewind {match.id} {ply}” takes back what was played since."
        )
    robots = _noted_last(log).get("robots")
    stints = match.robots if robots is None else tuple(Stint(*one) for one in robots)
    after = replace(match, record=(*match.record, *entries), times=(*match.times, *times), robots=stints, folded=None)
    if match.clock and (changes := _noted_clock(match, match.clock, log)):
        begun = begin_turn(after, match.clock, now)
        assert begun.clock
        return _decide(match, _timed(begun, replace(begun.clock, **changes)), LogEntry("restored", None))
    if after.clock and match.moves_made == 0:  # the first turn has twice the time
        banks = tuple(min(bank, after.clock.control.cap) for bank in after.clock.banks)
        after = replace(after, clock=replace(after.clock, banks=banks))
    return _decide(match, restart_clock(after, now), LogEntry("restored", None))


def _note_clock(clock: Clock) -> dict[str, Any]:
    """Return what is noted of a clock when entries are taken back, in JSON."""
    flagged = (clock.flagged_at, clock.halted_at) if clock.halted == "flagged" else ()
    times = [moment.isoformat() for moment in flagged if moment]
    return {"banks": list(clock.banks), "reminded": clock.reminded, "flagged": times}


def _place_of_last(log: Sequence[LogEntry]) -> int | None:
    """Return where in the log entries were taken back last that were not put back; None where there are none."""
    taken = list[int]()
    for place, entry in enumerate(log):
        if entry.kind == "rewound":
            taken.append(place)
        elif entry.kind == "restored" and taken:
            taken.pop()
    return taken[-1] if taken else None


def _noted_last(log: Sequence[LogEntry]) -> Mapping[str, Any]:
    """Return what was noted when those entries were taken back."""
    place = _place_of_last(log)
    return {} if place is None else log[place].arguments


def _noted_clock(match: Match, clock: Clock, log: Sequence[LogEntry]) -> dict[str, Any]:
    """Return what was noted of the clock when the entries were taken back that are put back now, as its fields.

    What was given since is added. Nothing where nothing was noted, or everybody has had new time since.
    """
    place = _place_of_last(log)
    since = () if place is None else log[place + 1 :]
    noted = _noted_last(log).get("clock")
    if not noted or any(entry.kind == "time_control" for entry in since):
        return {}
    banks = list(noted["banks"])
    for entry in since:
        if entry.kind in ("given", "extended"):
            receiver = entry.arguments.get("seat", clock.seat)
            for seat in () if receiver is None else side_of(match, receiver):
                banks[seat] = max(0, banks[seat] + entry.arguments["seconds"])
    changes: dict[str, Any] = {"banks": tuple(banks), "reminded": noted["reminded"]}
    if len(noted["flagged"]) == 2 and tuple(banks) == tuple(noted["banks"]):
        flagged_at, halted_at = map(datetime.fromisoformat, noted["flagged"])
        changes |= {"since": None, "halted": "flagged", "flagged_at": flagged_at, "halted_at": halted_at}
    return changes


def seat_called(match: Match, text: str) -> Seat:
    """Return the seat that an operator means by the name of its player, or its number from 1; raises BadInput."""
    words = " ".join(text.split()).casefold()
    for seat, player in enumerate(match.players):
        if words and (words == player.name.casefold() or (player.email and to_address(text) == player.email)):
            return seat
    if words.isascii() and words.isdigit() and 1 <= int(words[:9]) <= len(match.players):
        return int(words[:9]) - 1
    seats = listed([f"{seat} ({player.name})" for seat, player in enumerate(match.players, 1)], "or")
    raise BadInput(f"{quote(text)} is no seat of match {match.id}; choose {seats}.")


def _decide(before: Match, after: Match, entry: LogEntry, *effects: Effect) -> MatchDecision:
    """Return the decision that brings ``before`` to ``after``, with what is told of it."""
    _refuse_forgotten(after)
    added = () if entry.kind == "restored" else _added(before, after)
    return MatchDecision((Step("", (*added, *effects, AddLog(entry))),), before=before, after=after)


def _added(before: Match, after: Match) -> Iterable[Append]:
    """Return the new entries of a match."""
    entries = zip(after.record[before.ply :], after.times[before.ply :], strict=True)
    return [Append(entry, at) for entry, at in entries]


def _end(match: Match, ruling: Ruling, entry: LogEntry, now: datetime) -> MatchDecision:
    """Return the decision that ends a match with a ruling."""
    _refuse_over(match)
    after = replace(match, ruling=ruling, folded=match.position)
    return _decide(match, pass_clock(match, after, now), entry)


def _timed(match: Match, clock: Clock) -> Match:
    """Return the match with another clock."""
    return replace(match, clock=clock, folded=match.position)


def _clock_of(match: Match) -> Clock:
    """Return the clock of a running match; raises BadInput where there is none."""
    _refuse_over(match)
    if match.clock is None:
        raise BadInput(f"Match {match.id} has no clock: “pbem clock {match.id} days=7” gives it one.")
    return match.clock


def _refuse_over(match: Match) -> None:
    """Raise BadInput for a match that is over."""
    _refuse_ruled(match)
    if match.outcome:
        raise BadInput(f"Match {match.id} is over: “pbem rewind {match.id} --moves 1” takes its last move back.")


def _refuse_ruled(match: Match) -> None:
    """Raise BadInput for a match that a ruling has ended."""
    if ruling := match.ruling:
        raise BadInput(f"Match {match.id} is over, since it is {_CALLED[ruling.kind]}: {_how_to_undo(match, ruling)}.")


def _how_to_undo(match: Match, ruling: Ruling) -> str:
    """Return what takes a ruling back, worded to follow a colon."""
    return f"“pbem {_UNDONE_BY[ruling.kind]} {match.id} --undo” takes that back"


def _refuse_forgotten(after: Match) -> None:
    """Raise BadInput for a match that would wait for a player who was forgotten, and gets no email."""
    if after.outcome is None and (
        waited_for := {seat for seat, player in enumerate(after.players) if player.forgotten}
        - after.position.departed()
    ):
        raise BadInput(
            f"Match {after.id} can’t go on like that: {after.name(min(waited_for))} in seat {min(waited_for) + 1} was"
            " forgotten, and gets no email."
        )


def _refuse_departed(match: Match, seat: Seat) -> None:
    """Raise BadInput for a seat that has left."""
    if seat in match.position.departed():
        raise BadInput(f"{match.name(seat)} has left match {match.id}.")
