"""Emails about words and lines under the moves of a match that is over: to be agreed on, or news. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from pbem.log.redaction import without_domains
from pbem.mail.archive_paths import Archive
from pbem.mail.compose import Notice
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.thought import Shown, Thought
from pbem.notices.render import plain_notice
from pbem.notices.scene import page_of
from pbem.notices.wrapping import quote_words
from rules.phrase import Language
from rules.position import Seat

_MOST_ROWS = 10


class Row(NamedTuple):
    """What stands under a move: its number, who wrote it, and the lines of it."""

    ply: int
    name: str
    lines: list[str]


def afterthoughts_question(
    kind: str, player: Player, writer: Player, number: int | None, thoughts: Iterable[Thought], language: Language
) -> Notice:
    """Return the question to a player of a match whether thoughts of a ``writer`` may stand under its moves."""
    rows = _list_rows(("", one) for one in thoughts)
    name = without_domains(writer.name)
    return plain_notice(kind, language, you=player.name, name=name, number=number, rows=rows)


def afterthoughts_notice(
    kind: str, match: Match, seat: Seat, shown: list[Shown], archive: Archive, language: Language
) -> Notice:
    """Return what others wrote under the moves of a match, for the player at ``seat``."""
    return plain_notice(
        kind,
        language,
        match=match,
        you=match.name(seat),
        opponents=match.name_opponents(seat),
        number=match.id,
        rows=_list_rows((one.name, one.thought) for one in shown[:_MOST_ROWS]),
        more=len(shown) - _MOST_ROWS,
        page=page_of(match, archive),
        example=f"comment off #{shown[0].thought.ply}",
    )


def _list_rows(thoughts: Iterable[tuple[str, Thought]]) -> list[Row]:
    """Return thoughts, each with who has it, as an email shows them: one row for what somebody has under a move."""
    grouped = dict[tuple[int, str], list[str]]()
    for name, thought in thoughts:
        grouped.setdefault((thought.ply, name), []).extend(quote_words(thought.text))
    return [Row(ply, name, lines) for (ply, name), lines in grouped.items()]
