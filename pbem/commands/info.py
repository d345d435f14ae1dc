"""The family of asking: the board again, and the rules. Pure."""

from dataclasses import dataclass
from datetime import datetime

from pbem.commands.command import Family, HelpRow, Keyword, MatchSituation, Reply


@dataclass(frozen=True, slots=True)
class Ask:
    """A wish for an email of that kind."""

    kind: str

    def __str__(self) -> str:
        return self.kind


def _apply(situation: MatchSituation, command: Ask, now: datetime) -> MatchSituation:
    """Send what was asked for."""
    return situation.carried(command.kind, Reply(command.kind))


FAMILY = Family(
    name="info",
    types=(Ask,),
    apply=_apply,
    keywords=(Keyword("help", Ask("help")), Keyword("show", Ask("show")), Keyword("history", Ask("history"))),
    help=(
        HelpRow("show"),
        HelpRow("history"),
        HelpRow("help"),
    ),
)
