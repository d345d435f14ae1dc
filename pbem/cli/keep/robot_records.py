"""What “pbem verify --robots” does: thinks again what robots thought in a record, and compares their moves."""

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from rules.record import Record


@dataclass(frozen=True, slots=True)
class Rethought:
    """How many moves of robots are what robots think: ``weaker`` ones of a lower strength, ``former`` ones before.

    ``wrong`` are the numbers, from 1, of entries that no robot thinks.
    """

    same: int
    weaker: int
    former: int
    wrong: tuple[int, ...]


def think_again(record: "Record", on_thought: "Callable[[int, int], None]") -> Rethought | None:
    """Return what comes of thinking again; None for a record without the secret that thoughts follow from.

    ``on_thought`` is called with how many moves have been thought about, and of how many. Raise InvalidRecord for notes
    that no pbem writes.
    """
    from pbem.match.fair_rolls import fair_rolls_of
    from pbem.match.stints import stints_of
    from pbem.robots.thinking import choose, versions_of
    from rules.game import VERSION
    from rules.games import GAMES
    from rules.position import EXIT_WORDS

    stints, rolls = stints_of(record), fair_rolls_of(record)
    if rolls is None:
        return None
    moves = [
        (ply, entry, stint.strength)
        for ply, entry in enumerate(record.entries)
        for stint in stints
        if entry.seat is not None and stint.covers(entry.seat, ply) and entry.text not in EXIT_WORDS
    ]
    options = GAMES[record.game].normalise({VERSION: 1, **record.options})  # a record has them as they are written
    versions, same, weaker, former, wrong = versions_of(record.game), 0, 0, 0, list[int]()
    for count, (ply, entry, full) in enumerate(moves, 1):
        assert entry.seat is not None
        seed, before = rolls.thought_seed(ply, entry.seat), record.entries[:ply]
        # One that was not done in time was replaced by a weaker one; and matches outlive the robots that began them.
        for strength, version in product(range(full, 0, -1), versions):
            thought = choose(record.game, record.seats, options, before, strength, seed, version)
            if thought.move == entry.text:
                same, weaker, former = same + 1, weaker + (strength < full), former + (version < versions[0])
                break
        else:
            wrong.append(ply + 1)
        on_thought(count, len(moves))
    return Rethought(same, weaker, former, tuple(wrong))
