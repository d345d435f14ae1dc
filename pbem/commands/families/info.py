"""The family of asking: the board again, the rules, and how rolls can be checked. Pure."""

from dataclasses import dataclass
from datetime import datetime

from pbem.commands.decision import Family, HelpRow, Keyword, MatchSituation
from pbem.commands.effects import Reply


@dataclass(frozen=True, slots=True)
class Ask:
    """A wish for an email of that kind."""

    kind: str

    def __str__(self) -> str:
        return self.kind.replace("_", " ")


def _apply(situation: MatchSituation, command: Ask, now: datetime) -> MatchSituation:
    """Send what was asked for."""
    return situation.carried(str(command), Reply(command.kind))


FAMILY = Family(
    name="info",
    types=(Ask,),
    apply=_apply,
    keywords=(
        *(Keyword(words, Ask("help")) for words in ("help", "help rules", "help moves", "help game")),
        Keyword("help commands", Ask("help_commands")),
        Keyword("show", Ask("show")),
        Keyword("history", Ask("history")),
        *(Keyword(words, Ask("help_dice")) for words in ("help dice", "help rolls", "help lots")),
    ),
    help=(
        HelpRow("show", basic=True),
        HelpRow("history"),
        HelpRow("help"),
        HelpRow("help dice", lambda match, seat: bool(match.possible_rolls), basic=True),
        HelpRow("help commands", basic=True),
    ),
)
