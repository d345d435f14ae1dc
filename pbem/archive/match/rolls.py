"""The rolls of a match on its page: what came of each, and with what a reader checks them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.match.fair_rolls import commitment
from pbem.match.match import Match
from rules.game import advance
from rules.phrase import Event, mark
from rules.position import Chance, Position
from rules.text import listed

_VERDICTS = {
    "right": mark(
        "Your browser has just checked the dice: the secret has that hash, and all {count} rolls follow from it."
    ),
    "wrong_secret": mark("Something’s wrong: the secret doesn’t have the hash that was published."),
    "wrong_roll": mark("Something’s wrong: entry {number} of the record ({what}) should be {found}, but it’s {value}."),
}
"""What a browser says that has checked the rolls; it fills in the fields."""


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll of a record: what was rolled, and the sentences about it; none where a later roll tells it."""

    chance: Chance
    told: tuple[str, ...]


def unfold(match: Match) -> tuple[Match, list[Position[Any]], dict[int, Roll]]:
    """Return the match with its position known, all its positions, and its rolls by ply, from one replay of its record.

    The first position is the opening. Raise RulesError for a damaged record.
    """
    positions: list[Position[Any]] = [match.game.restore(len(match.players), match.options)]
    rolls = {}
    for ply, entry in enumerate(match.record):
        position = positions[-1]
        if isinstance(awaited := position.to_act, Chance) and entry.seat is None:
            told = (_tell(event, match, ply) for event in position.describe_roll(int(entry.text)))
            rolls[ply] = Roll(awaited, tuple(filter(None, told)))
        positions.append(advance(position, entry))
    return replace(match, folded=positions[-1]), positions, rolls


def _tell(event: Event, match: Match, ply: int) -> str:
    """Return what happened, as anybody reads it."""
    return str(event.others if event.seat is None else event.others.about(name=match.name_at(event.seat, ply)))


@dataclass(frozen=True, slots=True)
class RollsSection:
    """What the page says about rolls: ``names`` of what is rolled, whose words are mixed in, and what is published.

    ``drawn`` is the data with which a reader checks them; it is empty, like the ``secret``, until the end.
    """

    names: str
    commitment: str
    seeds: Sequence[tuple[str, str]]
    begun: bool
    secret: str
    drawn: Mapping[str, object]


def rolls_section(match: Match, rolls: Mapping[int, Roll]) -> RollsSection:
    """Return what the page says about rolls."""
    seeds = [(match.name(seat), words) for seat, words in sorted(match.public_seeds.items())]
    names, published = listed(match.possible_rolls), commitment(match.secret)
    if not match.outcome:
        return RollsSection(names, published, seeds, not match.awaits_seeds, "", {})
    kinds = list(dict.fromkeys(roll.chance for roll in rolls.values()))
    drawn = {
        "match": match.id,
        "secret": match.secret,
        "commitment": published,
        "seeds": [(seat + 1, words) for seat, words in sorted(match.fair_rolls.seeds.items())],
        "kinds": [{"what": kind.what, "faces": kind.faces} for kind in kinds],
        "drawn": [kinds.index(roll.chance) for roll in rolls.values()],  # the rest is in the record on the page
        "sentences": _VERDICTS,
    }
    return RollsSection(names, published, seeds, not match.awaits_seeds, match.secret, drawn)
