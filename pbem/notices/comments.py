"""Lays out, for one reader of a notice, what players have written to each other. Pure."""

from collections.abc import Iterable

from pbem.match import Comment, Match
from pbem.notices import sentences
from pbem.notices.wrapping import wrap_line
from rules import Seat

QuotedComments = list[tuple[str, list[str]]]
"""An introduction, and the lines below it, for each comment."""

_WIDTH = 58  # columns: they are indented, and may be quoted


def comments_for(match: Match, viewer: Seat, comments: Iterable[Comment]) -> QuotedComments:
    """Return an introduction and the lines of each comment that ``viewer`` may read."""
    found = []
    for comment in comments:
        if sentences.may_read(match, viewer, comment):
            lines = _lines(comment.text, match)
            # His own words are marked as what they are, so that he can write them again.
            lines = [f"> {line}" for line in lines] if comment.seat == viewer else _quotation(lines)
            found.append((sentences.introduce_comment(match, comment, viewer), lines))
    return found


def join_story(happened: list[str], said: QuotedComments) -> tuple[list[str], QuotedComments]:
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
    return [part for line in words.split("\n") for part in wrap_line(line, _WIDTH, position)]
