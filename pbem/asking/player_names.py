"""Which names a player can have: none that is, was or looks like another’s, advertises, or reads as something else."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.asking.words_beside import lead_away
from pbem.commands.catalogue import COMMANDS
from pbem.commands.families.play import FreeText
from pbem.commands.grammar import read_commands
from pbem.mail.headers import LONGEST_NAME
from pbem.mail.names import clean_name, skeleton_of
from pbem.match.player import FORMER, Player
from pbem.match.stints import STRENGTHS, read_robot, robot_name
from pbem.pipeline.act import Act
from pbem.storage.transaction import Transaction

_RESERVED = frozenset(
    {
        *(keyword.word for family in COMMANDS for keyword in family.keywords),
        *("all", "draw", "everybody", "everyone", "nobody", "no", "operator"),
        *("pass", "pbem", "take", "team", "yes", "you"),
    }
)
"""Words that would be taken for something else where a name stands."""

_ROBOTS = frozenset(skeleton_of(robot_name(strength, number)) for strength in STRENGTHS for number in range(26))
"""What the names of robots look like: nobody plays one of those by mistake."""

_CELL = re.compile(r"[a-z]\d{1,2}", re.ASCII)
_KEPT_FREE = timedelta(days=180)
"""So long nobody else gets a name that a player has given up: others still know them by it."""


@dataclass(frozen=True, slots=True)
class NameFault:
    """Why a name can’t be had, as the code of a sentence; ``sign`` is what must not stand in it.

    ``other`` is the player who has it, or one too much like it, or had it until lately.
    """

    code: str
    sign: str = ""
    other: Player | None = None


def examine_name(act: Act, player: Player, text: str) -> tuple[str, NameFault | None]:
    """Return a name as it would stand everywhere, and why ``player`` can’t have it, if they can’t."""
    name = clean_name(text)
    return name, _find_fault(name, act.site.name) or _find_owner(act.tx, player, name, act.now)


def _find_fault(name: str, service: str) -> NameFault | None:
    """Return what is wrong with a name, whoever takes it; ``service`` is what the service is called."""
    if not name or not any(char.isalpha() for char in name):
        return NameFault("name_none")
    if len(name) > LONGEST_NAME:
        return NameFault("name_long")
    if bad := next((sign for sign in ("@", "<", ">", '"', "=?", "`") if sign in name), ""):
        return NameFault("name_sign", sign=bad)
    if lead_away(name):  # it stands on pages, and in the letters of a whole ladder
        return NameFault("name_leads_away")
    words = name.casefold()
    is_command = any(not isinstance(one, FreeText) for one in read_commands([name]))
    if words in _RESERVED or _CELL.fullmatch(words) or read_robot(words) is not None or is_command:
        return NameFault("name_word")
    if skeleton_of(service) in map(skeleton_of, (name, *name.split())) or skeleton_of(name) in _ROBOTS:
        return NameFault("name_word")
    return NameFault("name_forgotten") if skeleton_of(name) == skeleton_of(FORMER) else None


def _find_owner(tx: Transaction, player: Player, name: str, now: datetime) -> NameFault | None:
    """Return whose name it is, or looks like; a forgotten player has none."""
    words, looks = name.casefold(), skeleton_of(name)
    former = tx.accounts.given_up(now - _KEPT_FREE)
    for number, taken, is_past in (*((*one, False) for one in tx.players.named()), *((*one, True) for one in former)):
        if number == player.id or not taken:
            continue
        if taken.casefold() == words or (looks and skeleton_of(taken) == looks):
            other = tx.players.get(number)
            if other and not other.forgotten:
                same = "name_was_taken" if is_past else "name_taken"
                return NameFault(same if is_past or taken.casefold() == words else "name_like", other=other)
    return None
