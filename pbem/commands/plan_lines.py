"""Reads plans as people write them: ``if d4 then e5, if f6 then g7``. Pure.

A line says what the player answers to what others may do, and then to what they may do next. Each begins at the present
position; ``;`` parts lines like a line end. A line that may be a plan, and cannot be read, is asked about: a plan must
not go to everybody by a slip.
"""

import re
from dataclasses import dataclass
from typing import TypeAlias

from pbem.commands.decision import HIDDEN, Spelled
from pbem.commands.variations import read_parts
from pbem.reading.move_phrases import BEFORE, WORD_MOVES, is_doubtful
from pbem.reading.typos import similar_word

ASK, RESIGN = "ask", "resign"
"""The answers that are no move: the player wants to be asked, which is what happens anyway, or gives the match up."""

LONGEST_PLAN = 3000
"""Characters of a plan."""

_MOST_UNKNOWN = 2  # words beside moves in a line that may be a plan; with more it is talk
_LONGEST_SLIP = 20  # words of a line that may be a plan with a slip
_BEGINS = re.compile(rf"{BEFORE}(?:if|else|otherwise)\b", re.IGNORECASE)
_SIGNS = re.compile(rf"^{BEFORE}(?=if\b|else\b|otherwise\b)", re.IGNORECASE)
_BEFORE_ELSE = re.compile(r"[\s,]*\b(?=(?:else|otherwise)\b)")
_ELSE = re.compile(r"(?:else|otherwise)[\s,:]*(?:just\s+)?(?:then\s+)?(.*)", re.DOTALL)
_IF = re.compile(r"[\s,]*\b(?:(?:and|then)[\s,]+)?if\b[\s:]*")
_THEN = re.compile(r"[\s,]*(?:\bthen\b|[-–=]>|→)[\s:,]*")
_BETWEEN = re.compile(r"[\s,]*(?:,|\band\b)[\s,]*")
_PLAYS = re.compile(
    r"^(?:[^\W\d_]{1,20}\s+){0,2}(?:plays?|moves?|places?|goes|go|answers?|repl(?:y|ies))(?:\s+(?:with|at|on|to))?\s+"
)
_CELL = re.compile(r"\b[a-z]\d{1,2}\b")
_TOKEN = re.compile(r"[\w']+")
_KNOWN = WORD_MOVES.union(
    ["if", "then", "else", "otherwise", "and", ASK, RESIGN],
    ["i", "he", "she", "they", "you", "me", "with", "on", "at", "to"],
    ["play", "plays", "move", "moves", "place", "places", "go", "goes", "answer", "answers", "reply", "replies"],
)


@dataclass(frozen=True, slots=True)
class PlanStep:
    """What others do, part by part, and what the player answers: moves, ``ask`` or ``resign``."""

    condition: tuple[str, ...]
    answer: tuple[str, ...]


PlanLine: TypeAlias = tuple[PlanStep, ...]
"""One way that the match may take, from the present position on."""


@dataclass(frozen=True, slots=True)
class MakePlan(Spelled):
    """A plan, or a part of one; ``text`` is the lines as they stand."""

    lines: tuple[PlanLine, ...]
    text: str

    says = f"if {HIDDEN}"


@dataclass(frozen=True, slots=True)
class UnclearPlan(Spelled):
    """A line that may be a plan, but cannot be read as one."""

    text: str

    says = f"if {HIDDEN}"


def read_plan(line: str) -> MakePlan | UnclearPlan | None:
    """Return the plan that ``line`` is, or that it may be one; None for talk: ``if you take, I am lost``."""
    if not _BEGINS.match(line):
        return None
    text = " ".join(_SIGNS.sub("", line[: 2 * LONGEST_PLAN]).strip(" \t*_\"'“”").lower().split())
    if len(text) > LONGEST_PLAN:
        return UnclearPlan(line)
    if is_doubtful(text):
        return UnclearPlan(line) if _may_be_meant(text) else None
    found: list[PlanLine] = []
    for piece in _BEFORE_ELSE.sub(";", text).split(";"):
        bare = piece.strip(" \t.!")
        if not bare:
            continue
        if otherwise := _ELSE.fullmatch(bare):
            if otherwise[1].strip() in (ASK, "ask me"):
                continue
            return UnclearPlan(line) if found or _may_be_meant(text) else None
        path = _read_path(bare)
        if path is None:
            return UnclearPlan(line) if found or _may_be_meant(text) else None
        found.append(path)
    return MakePlan(tuple(found), line) if found or text.startswith(("else", "otherwise")) else None


def joined_plan(plan: MakePlan | UnclearPlan, line: str) -> MakePlan | UnclearPlan:
    """Return ``plan`` with a further ``line`` that the email program broke off."""
    text = f"{plan.text} {line}"
    return read_plan(text) or UnclearPlan(text)


def goes_below(plan: MakePlan | UnclearPlan, line: str, *, broken: bool) -> bool:
    """Return whether a plan goes on in the ``line`` below it; ``broken``: an email program may have parted the two.

    A line that begins like a plan is one of its own, unless the one above visibly does not end there.
    """
    words = plan.text.lower().rstrip(" *_").split()
    if not line or not words:
        return False
    is_open = words[-1].endswith((",", "->", "→")) or words[-1] in ("if", "then", "and", "else")
    return is_open or (broken and not _BEGINS.match(line))


def _read_path(text: str) -> PlanLine | None:
    """Return the steps of ``if d4 then e5, if f6 then g7``, or None for anything else."""
    before, *chunks = _IF.split(text)
    steps = [_read_step(chunk) for chunk in chunks]
    if before.strip() or not steps:
        return None
    found = tuple(step for step in steps if step is not None)
    return found if len(found) == len(steps) else None


def _read_step(text: str) -> PlanStep | None:
    """Return a condition and its answer, ``d4 then e5``, or None."""
    sides = _THEN.split(text)
    if len(sides) != 2:
        return None
    condition, answer = map(_read_side, sides)
    word = _PLAYS.sub("", sides[1].strip(" ,.!"), count=1)
    if word in (ASK, "ask me", RESIGN, "i resign"):
        answer = (ASK if word.startswith(ASK) else RESIGN,)
    return PlanStep(condition, answer) if condition and answer else None


def _read_side(text: str) -> tuple[str, ...] | None:
    """Return the moves of one side of a step, part by part; None where anything else stands there."""
    found: list[str] = []
    for part in _BETWEEN.split(text.strip(" ,.!")):
        moves = read_parts(_PLAYS.sub("", part, count=1))
        if moves is None:
            return None
        found += moves
    return tuple(found)


def _may_be_meant(text: str) -> bool:
    """Return whether a line that begins like a plan may be meant as one, though it cannot be read."""
    words = _TOKEN.findall(text)
    if not _CELL.search(text) or len(words) > _LONGEST_SLIP:
        return False
    strange = [word for word in words if word not in _KNOWN and not any(map(str.isdigit, word))]
    return sum(not similar_word(word, ("then", "else", "take", RESIGN)) for word in strange) <= _MOST_UNKNOWN
