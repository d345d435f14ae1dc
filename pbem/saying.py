"""Lays out, for one reader of a notice, what players have written to each other. Pure."""

from collections.abc import Iterable

from pbem import wording
from pbem.lines import folded
from pbem.match import Match, Remark
from rules import Seat

Said = list[tuple[str, list[str]]]
"""An introduction, and the lines below it, for each remark."""

_WIDTH = 58  # columns: they are indented, and may be quoted


def said_to(match: Match, viewer: Seat, remarks: Iterable[Remark]) -> Said:
    """Return an introduction and the lines of each remark that ``viewer`` may read."""
    found = []
    for remark in remarks:
        if wording.may_read(match, viewer, remark):
            lines = _lines(remark.text, match)
            # His own words are marked as what they are, so that he can write them again.
            lines = [f"> {line}" for line in lines] if remark.seat == viewer else _quotation(lines)
            found.append((wording.introduction(match, remark, viewer), lines))
    return found


def story(happened: list[str], said: Said) -> tuple[list[str], Said]:
    """Join the last thing that happened with the first words, where both are the same person's."""
    name, wrote, nothing = said[0][0].partition(" wrote:") if said else ("", "", "")
    if wrote and not nothing and happened and happened[-1].startswith(f"{name} "):
        happened = [*happened[:-1], f"{happened[-1].removesuffix('.')} and wrote:"]
        said = [("", said[0][1]), *said[1:]]
    return happened, said


def _quotation(lines: list[str]) -> list[str]:
    """Return somebody's words as lines to be indented, in quotation marks."""
    lines = ["“" + lines[0], *lines[1:]]
    return [*lines[:-1], lines[-1] + "”"]


def _lines(words: str, match: Match) -> list[str]:
    """Return somebody's words in short lines."""
    position = match.position if isinstance(match.to_act, int) else None
    return [part for line in words.split("\n") for part in folded(line, _WIDTH, position)]
