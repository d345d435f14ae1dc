"""How much time the players of a match have, as its operator chose: read, stored, written. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Literal, get_args

from pbem.reading.when.lengths import DAY, HOUR, LONGEST_TIME, read_duration, write_duration
from rules.errors import InvalidOption, quote

Policy = Literal["claim", "forfeit", "remind-only", "partner"]
"""What happens when time is up: the others are asked, the match is lost, nothing, or the partner plays on."""

_POLICIES: tuple[Policy, ...] = get_args(Policy)
_KEYS = ("days", "bank", "max", "weekends", "flag")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of each side in seconds: what it starts with, gets for a move, and can save up to; ``cap >= start``.

    ``policy`` says what happens when time is up; with ``weekends_free`` Saturdays and Sundays do not count.
    """

    start: int
    increment: int
    cap: int
    weekends_free: bool = False
    policy: Policy = "claim"

    def after_move(self, left: int) -> int:
        """Return the time left after a move made with ``left`` seconds left; what was given beyond the cap stays."""
        return max(left, min(self.cap, left + self.increment))

    def default_steps(self) -> tuple[int, ...]:
        """Return when a player is reminded who has chosen nothing, in seconds left, largest first.

        They go with the cap, which is all that anybody has for a move at most, in refilling controls and in others:
        a step above it would never come, and one far below what a bank has left comes when it gets low. The first
        leaves an evening or two for the move, the second is for those who read their email late. A day or so has
        room for one; within two hours a reminder could not be told from the notice itself.
        """
        if self.cap >= 5 * DAY:
            return 2 * DAY, 12 * HOUR
        if self.cap >= 2 * DAY:
            return DAY, 6 * HOUR
        return (max(HOUR, self.cap // 4),) if self.cap >= 2 * HOUR else ()


_STORED = tuple(field.name for field in fields(TimeControl))
DEFAULT_CONTROL = TimeControl(7 * DAY, 7 * DAY, 7 * DAY)
"""The time of matches that are opened without a word about it: a week for every move, and nobody loses unasked."""


def read_time_control(chosen: Mapping[str, object]) -> tuple[TimeControl | None, dict[str, object]]:
    """Return the time control that was chosen when a match was opened, None for no clock, and all other options.

    Its options are ``days`` (for every move), or ``bank`` (start+increment) and ``max``; ``weekends`` and ``flag``.
    Raises InvalidOption with a sentence for the operator.
    """
    given = {key: str(chosen[key]).strip() for key in _KEYS if key in chosen}
    rest = {key: value for key, value in chosen.items() if key not in _KEYS}
    days, bank = given.get("days"), given.get("bank")
    if days is not None and bank is not None:
        sentence = (
            f"The options days ({quote(days)}) and bank ({quote(bank)}) don’t go together: leave one of them out."
            " days is the time for every move, and bank the time for the whole match."
        )
        raise InvalidOption("days_and_bank", sentence, {"days": days, "bank": bank})
    if days is not None and days.lower() == "none":
        _refuse_without_clock(given)
        return None, rest
    if bank is None and "max" in given:
        sentence = (
            f"The option max ({quote(given['max'])}) is the most that a bank can hold, and there is no bank:"
            " add one, as in bank=20d+1d, or leave max out."
        )
        raise InvalidOption("max_without_bank", sentence, {"option": "max", "value": given["max"]})
    if bank is not None:
        start, increment, cap = _read_bank(bank, given.get("max"))
    elif days is not None:
        start = increment = cap = _read_days(days)
    else:
        start, increment, cap = DEFAULT_CONTROL.start, DEFAULT_CONTROL.increment, DEFAULT_CONTROL.cap
    return TimeControl(start, increment, cap, _read_weekends(given), _read_policy(given)), rest


def without_claims(control: TimeControl | None) -> TimeControl | None:
    """Return the time control of a match in which nobody is left who could claim: there the time is final."""
    return replace(control, policy="forfeit") if control and control.policy == "claim" else control


def store_control(control: TimeControl | None) -> dict[str, int | str] | None:
    """Return a time control as it is stored, in JSON; None for a match without a clock."""
    return None if control is None else {name: getattr(control, name) for name in _STORED}


def read_stored_control(value: object) -> TimeControl | None:
    """Return the time control that was stored like that. Raise ValueError if nothing is stored like that."""
    if value is None:
        return None
    if not isinstance(value, dict) or value.keys() != set(_STORED):
        raise ValueError(f"a time control is {quote(value)}, and not an object with {', '.join(sorted(_STORED))}")
    start, increment, cap = value["start"], value["increment"], value["cap"]
    whole = type(start) is int and type(increment) is int and type(cap) is int
    if not whole or not 0 < start <= cap <= LONGEST_TIME or not 0 <= increment <= LONGEST_TIME:
        raise ValueError(f"a time control has the times {quote(f'{start!r}, {increment!r}, {cap!r}')}")
    if type(value["weekends_free"]) is not bool or value["policy"] not in _POLICIES:
        raise ValueError(f"a time control says {quote(value['weekends_free'])} and {quote(value['policy'])}")
    return TimeControl(**value)


def write_time_control(control: TimeControl | None) -> str:
    """Return a time control as an operator would choose it: "bank=20d+1d max=20d weekends=free flag=forfeit".

    What is as by default is left out, but for the time itself.
    """
    if control is None:
        return "days=none"
    start, increment, cap = (write_duration(time, "") for time in (control.start, control.increment, control.cap))
    if control.start == control.increment == control.cap:
        words = [f"days={control.start // DAY if control.start % DAY == 0 else start}"]
    else:
        words = [f"bank={start}+{increment}" if control.increment else f"bank={start}", f"max={cap}"]
    if control.weekends_free:
        words.append("weekends=free")
    if control.policy != DEFAULT_CONTROL.policy:
        words.append(f"flag={control.policy}")
    return " ".join(words)


def _refuse_without_clock(given: Mapping[str, str]) -> None:
    """Raise InvalidOption if ``given`` says more than that there is no clock."""
    for key, value in given.items():
        if key != "days":
            sentence = (
                f"With days=none there is no clock, so the option {key} ({quote(value)}) changes nothing:"
                " leave one of the two out."
            )
            raise InvalidOption("idle_option", sentence, {"option": key, "value": value})


def _read_days(value: str) -> int:
    """Return the time for every move, in seconds; raises InvalidOption."""
    number = re.fullmatch("-?[0-9]{1,6}", value)
    return _read_time("days", value, f"{value}d" if number else value, "a number of days, a time such as 36h, or none")


def _read_bank(bank: str, most: str | None) -> tuple[int, int, int]:
    """Return start, increment and cap of a bank in seconds; raises InvalidOption."""
    first, plus, more = bank.partition("+")
    example = "a time such as 20d, or two such as 20d+1d"
    start = _read_time("bank", bank, first, example)
    increment = _read_time("bank", bank, more, example, shortest=0) if plus else 0
    if most is None:
        return start, increment, start
    cap = _read_time("max", most, most, "a time such as 20d")
    if cap < start:
        sentence = f"The option max is the most that the bank can hold, so at least {quote(first)}, not {quote(most)}."
        raise InvalidOption("max_below_bank", sentence, {"option": "max", "value": most})
    return start, increment, cap


def _read_time(option: str, value: str, text: str, example: str, shortest: int = HOUR) -> int:
    """Return the seconds that ``text`` means, which is ``value`` or a part of it; raises InvalidOption."""
    about = {"option": option, "value": value}
    negative = text.lstrip().startswith("-")
    seconds = read_duration(text.replace("-", "", 1) if negative else text, longest=None)
    if seconds is None:
        sentence = f"The option {option} is {example}, with w, d, h and m for weeks to minutes, not {quote(value)}."
        raise InvalidOption("unknown_time", sentence, about)
    if seconds < shortest or negative:
        sentence = f"The option {option} is at least 1 hour, not {quote(value)}."
        if not shortest:
            sentence = f"The option {option} can’t take time away for a move, as {quote(value)} does."
        raise InvalidOption("time_too_short", sentence, about)
    if seconds > LONGEST_TIME:
        sentence = f"The option {option} is at most {LONGEST_TIME // DAY} days, not {quote(value)}."
        raise InvalidOption("time_too_long", sentence, about)
    return seconds


def _read_weekends(given: Mapping[str, str]) -> bool:
    """Return whether weekends are free; raises InvalidOption."""
    value = given.get("weekends", "count")
    if value.lower() not in ("free", "count"):
        sentence = f"The option weekends is free or count, not {quote(value)}."
        raise InvalidOption("unknown_value", sentence, {"option": "weekends", "value": value})
    return value.lower() == "free"


def _read_policy(given: Mapping[str, str]) -> Policy:
    """Return what happens when time is up; raises InvalidOption."""
    value = given.get("flag", DEFAULT_CONTROL.policy)
    for policy in _POLICIES:
        if value.lower() == policy:
            return policy
    near = get_close_matches(value.lower()[:20], _POLICIES, 1)
    hint = f" Did you mean flag={near[0]}?" if near else ""
    sentence = f"The option flag is {', '.join(_POLICIES[:-1])} or {_POLICIES[-1]}, not {quote(value)}.{hint}"
    raise InvalidOption("unknown_value", sentence, {"option": "flag", "value": value})
