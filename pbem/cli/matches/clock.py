"""Commands about the clock of a match: it is shown, set, paused, and its time extended."""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli import output
from pbem.cli.output import Json, format_time_utc, open_database, open_service, print_fields, require_row
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.commands.decision import MatchDecision
    from pbem.match.log import LogEntry
    from pbem.match.match import Match
    from pbem.running.operator_rulings import Deciding

MatchNumber = Annotated[int, typer.Argument(metavar="ID", help="The match.", min=1)]
QUEUED = "The emails are queued: “pbem run” (or “pbem deliver”) sends them."
_HALTS = {
    "": "yes",
    "unsent": "no, it begins when the email of the turn has been sent",
    "bounced": "no, the email of the turn came back",
    "flagged": "no, the time is up",
}


def show_clock(
    context: typer.Context,
    number: MatchNumber,
    control: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME=VALUE]…", help="A new time control, as for “pbem open”: days=3 flag=forfeit."),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="The same, as an option.")
    ] = None,
    json: Json = False,
) -> None:
    """Show the clock of a match and what happened to it, or set a new time control, with which everybody begins anew.

    Time controls: days=3 for every move, bank=20d+1d max=20d, days=none for no clock; weekends=free,
    flag=claim|forfeit|remind-only|partner.
    """
    from pbem.match.privacy import may_tell

    given = output.read_options([*(control or []), *(option or [])])
    if given:
        _set_control(context, number, given, json=json)
        return
    now = output.now()
    with open_database(context) as database, database.reading() as tx:
        match = require_row(tx.matches.get(number), "match", number, "matches")
        log = [one for one in tx.clocks.log(number) if may_tell(match, one)]
    if json:
        output.print_json(clock_object(match, now) | {"log": [_log_object(entry) for entry in log]})
        return
    output.print_text(f"Match {match.id}, {match.game.title}")
    print_fields(_describe_clock(match, now))
    for entry in log:
        after = f"after {_count(entry.ply, 'entry', 'entries')}"
        output.print_text(f"{format_time_utc(entry.at)}, {after}: {describe_entry(entry, match)}")


def _set_control(context: typer.Context, number: int, given: dict[str, str], *, json: bool) -> None:
    """Give a match another time control, or none."""
    from pbem.commands.ruling import set_control
    from pbem.match.time.time_control import read_time_control, write_time_control
    from rules.errors import InvalidOption

    if given.keys().isdisjoint({"days", "bank"}):  # what is not named stays as it is
        with open_database(context) as database, database.reading() as tx:
            match = require_row(tx.matches.get(number), "match", number, "matches")
        if match.clock:
            given = output.read_options(write_time_control(match.clock.control).split()) | given
    try:
        control, others = read_time_control(given)
    except InvalidOption as error:
        raise BadInput(str(error)) from error
    if others:
        name = next(iter(others))
        raise BadInput(f"“{name}” is nothing about time; there are days, bank, max, weekends and flag.")
    decision = rule_on(context, number, lambda match, now: set_control(match, control, now))
    what = "no clock any more" if control is None else f"a new clock: {write_time_control(control)}"
    _tell(decision, f"Match {number} has {what}.", json=json)


def extend(
    context: typer.Context,
    number: MatchNumber,
    duration: Annotated[str, typer.Argument(metavar="TIME", help="How much, such as 3d, 12h or 2d12h.")],
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="N|NAME", help="Who gets it; else whoever is to act.")
    ] = None,
    back: Annotated[bool, typer.Option("--back", help="Take it away instead.")] = False,
    json: Json = False,
) -> None:
    """Give a player of a match more time, or take it back.

    Example: `pbem extend 17 3d --seat bob`
    """
    from pbem.commands.ruling import extend_time, seat_called
    from pbem.reading.when.lengths import write_duration

    seconds = read_time(duration)

    def decide(match: "Match", now: datetime) -> "MatchDecision":
        who = None if seat is None else seat_called(match, output.decode_argument(seat))
        return extend_time(match, who, -seconds if back else seconds, now)

    decision = rule_on(context, number, decide)
    name = decision.after.name(decision.log[0].arguments["seat"])
    more = f"{write_duration(seconds)} {'less' if back else 'more'}"
    _tell(decision, f"{name} has {more} in match {number}.", json=json)


def pause(
    context: typer.Context,
    number: MatchNumber,
    until: Annotated[
        str | None, typer.Argument(metavar="TIME|DATE", help="How long, such as 10d; or the last day, as 2026-12-24.")
    ] = None,
    end: Annotated[bool, typer.Option("--end", help="End the pause now.")] = False,
    json: Json = False,
) -> None:
    """Stop the clock of a match for some time, or end such a pause; moves can be made meanwhile.

    Example: `pbem pause 17 10d`
    """
    from pbem.commands.ruling import end_pause, pause_match

    if end == (until is not None):
        raise BadInput("Say either how long the pause is, such as 10d or 2026-12-24, or --end.")
    moment = None if until is None else read_end(until, output.now())
    decision = rule_on(
        context,
        number,
        lambda match, now: end_pause(match, now) if moment is None else pause_match(match, moment, now),
    )
    paused = f"is paused until {format_time_utc(moment)}" if moment else "is not paused any more"
    _tell(decision, f"Match {number} {paused}.", json=json)


def rule_on(context: typer.Context, number: int, decide: "Deciding") -> "MatchDecision":
    """Carry out what is decided about a match, and return it. Raise BadInput for no match, or what can't be decided."""
    from pbem.running.operator_rulings import rule

    with open_service(context) as service:
        return rule(service, number, decide)


def _tell(decision: "MatchDecision", sentence: str, *, json: bool) -> None:
    """Print what was done to a clock."""
    from pbem.match.timing import deadline_of

    match, runs = decision.after, ""
    if match.clock and match.clock.seat is not None:
        name, until = match.name(match.clock.seat), deadline_of(match)
        begins = "when email reaches them again" if match.clock.halted == "bounced" else "once the email is sent"
        runs = f"{name} has until {format_time_utc(until)}." if until else f"The clock of {name} runs {begins}."
    output.print_outcome(clock_object(match, output.now()), sentence, runs, QUEUED, json=json)


def read_time(text: str) -> int:
    """Return the seconds that a text means; raises BadInput."""
    from pbem.reading.when.lengths import LONGEST_TIME, read_duration

    seconds = read_duration(text)
    if not seconds:
        most = LONGEST_TIME // 86_400
        raise BadInput(f"“{text}” is no time: write 3d, 12h or 2d12h (w, d, h and m), up to {most}d.")
    return seconds


def read_end(text: str, now: datetime) -> datetime:
    """Return when a pause ends, of which that is the length or the last day (UTC); raises BadInput."""
    from pbem.reading.when.lengths import LONGEST_TIME

    if re.fullmatch(r"\d{4}-\d\d-\d\d", text.strip(), re.ASCII):
        try:
            end = datetime.combine(date.fromisoformat(text.strip()), time(), UTC) + timedelta(days=1)
        except (ValueError, OverflowError) as error:
            raise BadInput(f"“{text}” is no day; write one such as {now:%Y-%m-%d}.") from error
    else:
        end = now.replace(microsecond=0) + timedelta(seconds=read_time(text))
    if end <= now:
        raise BadInput(f"“{text}” is over already: today is {now:%Y-%m-%d}.")
    if end > now + timedelta(seconds=LONGEST_TIME):
        raise BadInput(f"“{text}” is too far away: a pause lasts {LONGEST_TIME // 86_400} days at most.")
    return end


def clock_object(match: "Match", now: datetime) -> dict[str, Any]:
    """Return the JSON object of a clock; seats count from 0, times left are seconds."""
    from pbem.match.time.time_control import write_time_control
    from pbem.match.timing import deadline_of, settle_clock

    found: dict[str, Any] = {"id": match.id, "control": None}
    if (clock := match.clock) is None:
        return found
    return found | {
        "control": write_time_control(clock.control),
        "to_act": clock.seat,
        "turn_began_at": clock.turned_at,
        "runs": clock.seat is not None and not clock.halted,
        "halted": clock.halted or None,
        "left": list(settle_clock(match, now).banks),
        "deadline": deadline_of(match),
        "paused_until": clock.pause[1] if clock.pause and clock.pause[1] > now else None,
        "flagged_at": clock.flagged_at,
    }


def _describe_clock(match: "Match", now: datetime) -> list[tuple[str, object]]:
    """Return what there is to say about a clock: names, and what they have."""
    from pbem.match.time.time_control import write_time_control
    from pbem.match.timing import deadline_of, settle_clock
    from pbem.reading.when.lengths import write_duration

    if (clock := match.clock) is None:
        return [("control", f"none; “pbem clock {match.id} days=7” gives the match a clock")]
    left = zip(match.players, settle_clock(match, now).banks, strict=True)
    paused = clock.pause if clock.pause and clock.pause[1] > now else None
    turn = None if clock.seat is None else f"{match.name(clock.seat)}, since {format_time_utc(clock.turned_at)}"
    return [
        ("control", write_time_control(clock.control)),
        ("to act", turn or "nobody"),
        ("runs", "no, the match is paused" if paused and not clock.halted else _HALTS[clock.halted] if turn else None),
        ("until", format_time_utc(deadline_of(match))),
        ("time was up", format_time_utc(clock.flagged_at)),
        ("paused", f"until {format_time_utc(paused[1])}" if paused else None),
        ("left", ", ".join(f"{player.name} {write_duration(bank)}" for player, bank in left)),
    ]


def _log_object(entry: "LogEntry") -> dict[str, Any]:
    """Return the JSON object of a row of the log."""
    arguments = dict(entry.arguments)
    return {"kind": entry.kind, "seat": entry.seat, "ply": entry.ply, "at": entry.at, "arguments": arguments}


def describe_entry(entry: "LogEntry", match: "Match") -> str:
    """Return what happened, for an operator: its kind, whose act it was, and what else is known of it."""
    who, kind, told = (
        "" if entry.seat is None else f" by {match.name_then(entry.seat, entry.at)}",
        entry.kind,
        entry.arguments,
    )
    if kind == "replaced" and {"before", "after"} <= set(told):
        return f"replaced: {told['before']} by {told['after']}"
    if kind in ("renamed", "merged") and {"before", "after"} <= set(told):
        return f"{told['before']} {'is called' if kind == 'renamed' else 'turned out to be'} {told['after']}"
    if kind == "rewound":
        back = "".join(f"; {name} is in the match again" for name in _name_returned(told.get("left"), match))
        return f"rewound to {_count(told.get('to'), 'entry', 'entries')}; moves taken back: {told.get('moves')}{back}"
    about = [words for name, value in told.items() if (words := _describe_argument(name, value, match))]
    return f"{kind.replace('_', ' ')}{who}{': ' if about else ''}{', '.join(about)}"


def _name_returned(left: object, match: "Match") -> list[str]:
    """Return the players whose leaving was taken back; nobody for what no pbem has written."""
    seats = [pair[0] for pair in left if isinstance(pair, list) and pair] if isinstance(left, list) else []
    return [match.name(seat) for seat in seats if type(seat) is int and 0 <= seat < len(match.players)]


def _count(number: object, one: str, many: str) -> str:
    """Return a number with the noun that it counts."""
    return f"{number} {one if number == 1 else many}"


def _describe_argument(name: str, value: object, match: "Match") -> str:
    """Return one thing that is known of what happened; nothing for what only the program needs."""
    from pbem.reading.when.lengths import write_duration

    if name in ("turn", "turns") or value is None:
        return ""
    try:
        if name == "seconds" and isinstance(value, int):
            return write_duration(value) if value >= 0 else f"{write_duration(-value)} less"
        if name == "seat" and isinstance(value, int):
            return match.name(value)
        if name == "winners" and isinstance(value, list):
            return f"won by {', '.join(match.name(seat) for seat in value)}"
        if name == "control":
            return str(value)
        if name in ("until", "start", "end") and isinstance(value, str):
            return f"{name} {format_time_utc(datetime.fromisoformat(value))}"
    except (ValueError, IndexError):  # what no pbem has written is shown as it is
        pass
    return f"{name} {value}"
