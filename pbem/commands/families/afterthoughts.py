"""The family of afterthoughts: words and lines under a move of a match that is over, on its page. Pure.

Others may have to agree, so that the pipeline grants these wishes.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.commands.asking_effects import Wish
from pbem.commands.decision import Command, Family, HelpRow, Keyword, MatchSituation, Situation
from pbem.commands.families.talk import join_comment
from pbem.match.thought import ThoughtKind
from pbem.reading.move_phrases import BEFORE

_MATCH = r"(?:(?:match\s|game\s)?#?(?P<match>\d{1,9}))"
_WHERE = rf"{_MATCH}?\s?#\s?(?P<ply>\d{{1,6}})(?!\d)"
_WRITES = re.compile(
    rf"{BEFORE}(?P<word>comments?|lines?)\s{{1,9}}(?:(?:on|under|to|at|after)\s)?{_WHERE}"
    r"[\s*_]{0,9}[:：,–—-]{0,2}\s*(?P<text>.*)",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
_TAKES_OFF = re.compile(
    rf"{BEFORE}comments?\s{{1,9}}off(?:\s{{1,9}}(?:in\s|from\s|under\s)?(?:{_WHERE}|match\s?#?(?P<all>\d{{1,9}})"
    r"|(?P<number>\d{1,9})))?[\s.!*_]{0,9}",
    re.IGNORECASE | re.ASCII,
)
_ALLOWS = re.compile(rf"{BEFORE}comments?\s{{1,9}}on(?:\s{{1,9}}(?:in\s)?{_MATCH})?[\s.!*_]{{0,9}}", re.I | re.ASCII)


@dataclass(frozen=True, slots=True)
class Afterthought:
    """Words, or a line of moves, under the move with which the record has ``ply`` entries.

    ``match`` is the number of the match, None for the one that the message is about.
    """

    match: int | None
    ply: int
    kind: ThoughtKind
    text: str

    def __str__(self) -> str:
        where = f"{self.match or ''}#{self.ply}"
        return f"line {where}: {self.text}" if self.kind == "line" else f"comment {where} {self.text}".rstrip()


@dataclass(frozen=True, slots=True)
class TakeOff:
    """The sender wants nothing more to stand under a move; ``ply`` None: under any, now and later."""

    match: int | None = None
    ply: int | None = None

    def __str__(self) -> str:
        where = f"{self.match or ''}{'' if self.ply is None else f'#{self.ply}'}"
        return f"comment off {where}".rstrip()


@dataclass(frozen=True, slots=True)
class Allow:
    """The sender lets words stand under the moves of a match again."""

    match: int | None = None

    def __str__(self) -> str:
        return f"comment on {self.match or ''}".rstrip()


def read_afterthought(line: str) -> Afterthought | None:
    """Return the words or the line under a move that ``line`` holds, or None: much talk begins with such a word."""
    if (found := _WRITES.match(line)) is None:
        return None
    kind: ThoughtKind = "line" if found["word"][0] in "lL" else "note"
    return Afterthought(_number(found["match"]), int(found["ply"]), kind, _plain(found["text"]))


def goes_below_line(one: Afterthought, line: str, *, broken: bool) -> bool:
    """Return whether the moves of a line go on in the ``line`` below; ``broken``: a program may have parted the two."""
    return one.kind == "line" and (broken or one.text.endswith(",")) and parse_afterthought(line) is None


def joined_afterthought(one: Afterthought, line: str) -> Afterthought:
    """Return ``one`` with a further ``line``."""
    return replace(one, text=_plain(f"{one.text} {line}"))


def parse_afterthought(piece: str) -> Command | None:
    """Return what ``piece`` asks for about words under moves, or None."""
    if found := _TAKES_OFF.fullmatch(piece):
        ply = None if found["ply"] is None else int(found["ply"])
        return TakeOff(_number(found["match"] or found["all"] or found["number"]), ply)
    if found := _ALLOWS.fullmatch(piece):
        return Allow(_number(found["match"]))
    return read_afterthought(piece)


def _number(written: str | None) -> int | None:
    """Return the number of a match as it was written, None for none."""
    return int(written) if written and int(written) else None


def _plain(text: str) -> str:
    """Return words as one paragraph, without tokens of ours."""
    return " ".join(join_comment([text]).split())


def _wish(situation: Situation, command: Afterthought | TakeOff | Allow, now: datetime) -> Situation:
    """Hand the wish on to the pipeline, about the match that the message answers unless it names one."""
    placed = command
    if isinstance(situation, MatchSituation) and command.match is None:
        placed = replace(command, match=situation.match.id)
    return situation.carried(str(placed), Wish(placed))


FAMILY = Family(
    name="afterthoughts",
    topic="matches",
    types=(Afterthought, TakeOff, Allow),
    parse=parse_afterthought,
    apply=_wish,
    keywords=(
        Keyword("comment off", TakeOff(), consequential=True),
        Keyword("comment on", Allow(), consequential=True),
    ),
    help=(
        HelpRow("comment 17#12 I saw e5 too late", archived=True),
        HelpRow("comment off 17#12", archived=True),
    ),
    scope="player",
)
