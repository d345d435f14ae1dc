"""Taking a move back before anybody was told: a host may hold moves for some minutes. Pure."""

from dataclasses import dataclass, replace

from pbem.commands.decision import MatchSituation, Spelled
from pbem.commands.effects import Reply, Withdraw


@dataclass(frozen=True, slots=True)
class Oops(Spelled):
    """The sender takes the move back that is still held."""

    says = "oops"


def take_back_held(situation: MatchSituation, command: Oops) -> MatchSituation:
    """Take back what is held; beside a move the word is talk where nothing is."""
    if situation.held is None:
        if situation.moves:
            return replace(situation, words=(*situation.words, str(command)))
        return situation.told("nothing_held")
    return situation.carried("oops", Withdraw(situation.held), Reply("taken_back"), held=None)
