"""The family of looking: an earlier board, where moves would lead, and the record to take along. Pure."""

import re
from dataclasses import dataclass, field, replace
from datetime import datetime

from pbem.commands import variations
from pbem.commands.decision import HIDDEN, Family, HelpRow, Keyword, MatchSituation, Spelled
from pbem.commands.effects import Reply, Sketch
from pbem.reading.reason import because
from rules.position import Chance

EARLIER, PREVIEW, RECORD = "earlier", "preview", "record"
"""The kinds of the emails that these commands bring."""

MOST_SKETCHES = 6
"""Boards of one email."""

_SHOW = re.compile(
    r"[^\w;>]{0,9}show\s{1,9}(?:me\s{1,9})?(?:(?:the\s{1,9})?board\s{1,9})?(?:(?:at|after)\s{1,9})?(?:entry\s{0,9})?"
    r"#?\s{0,9}(\d{1,6})(?:\s{1,9}please)?[\s.!]{0,9}",
    re.IGNORECASE,
)
_WHAT = re.compile(
    r"[^\w;>]{0,9}what(?:\s{1,9}about|\s{1,9}if)?[\s:]{1,9}(.{1,300}?)[\s?.!]{0,9}", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class ShowEntry(Spelled):
    """The sender asks for the board as it was after so many entries; ``marked``: the number can be no match's."""

    ply: int
    marked: bool = field(default=True, compare=False)

    says = "show #{it.ply}"


@dataclass(frozen=True, slots=True)
class Preview(Spelled):
    """The sender asks what would happen if a ``line`` of moves were played; nobody else hears of it."""

    line: variations.Written

    says = f"what {HIDDEN}"


@dataclass(frozen=True, slots=True)
class AskRecord(Spelled):
    """The sender asks for the record as a file."""

    says = "record"


def read_look(line: str) -> ShowEntry | Preview | None:
    """Return what ``line`` asks to be shown, or None: ``show #12``, ``what d4 e5``; never ``what a move``."""
    if shown := _SHOW.fullmatch(line):
        return ShowEntry(int(shown[1]), marked="#" in line or "entry" in line.lower())
    asked = _WHAT.fullmatch(line)
    written = variations.read_written(asked[1]) if asked else None
    return Preview(written) if written else None


def _apply(situation: MatchSituation, command: ShowEntry | Preview | AskRecord, now: datetime) -> MatchSituation:
    """Show what was asked for, or say why there is nothing to show."""
    if isinstance(command, AskRecord):
        return situation.carried("record", Reply(RECORD))
    shown = sum(len(effect.sketches) for effect in situation.effects if isinstance(effect, Reply))
    if shown >= MOST_SKETCHES:
        return situation.told("too_many_boards", most=MOST_SKETCHES)
    if isinstance(command, ShowEntry):
        return _show(situation, command)
    try:
        before = variations.begin_line(situation.match, command.line.ply)
        after = variations.play_forced(variations.play_line(before, command.line.parts, situation.seat, now), now)
    except variations.LineRefused as refused:
        return situation.carried(str(command), Reply(PREVIEW, (refused.reason,)))
    details, line = [], variations.written_entries(before, after)
    awaited = after.to_act
    if isinstance(awaited, Chance):
        details.append(because("preview_rolls", faces=awaited.faces, line=line))
    if before.ply == situation.match.ply and after.record[before.ply].seat == situation.seat:
        details.append(because("preview_play", move=after.record[before.ply].text))
    title = because("after_line", line=line)
    reply = Reply(PREVIEW, tuple(details), (Sketch(title, after, before, suggests=True),))
    return situation.carried(str(command), reply)


def _show(situation: MatchSituation, command: ShowEntry) -> MatchSituation:
    """Show the board as it was after so many entries."""
    match = situation.match
    told = () if command.marked else (because("meant_entry", number=command.ply),)
    if command.ply > match.ply:
        none = because("no_such_entry", number=command.ply, count=match.ply)
        return situation.carried(str(command), Reply(EARLIER, (none, *told)))
    title = because("board_at", number=command.ply, count=match.ply)
    then, before = (replace(match.at(ply), secret="") for ply in (command.ply, max(0, command.ply - 1)))
    sketch = Sketch(title, then, before, past=command.ply < match.ply)
    return situation.carried(str(command), Reply(EARLIER, told, (sketch,)))


FAMILY = Family(
    name="looking",
    topic="ahead",
    types=(ShowEntry, Preview, AskRecord),
    parse=read_look,
    apply=_apply,
    keywords=(Keyword("record", AskRecord()),),
    help=(HelpRow("show #12"), HelpRow("what d4 e5")),
)
