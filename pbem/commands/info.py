"""The family of asking: the board again, and the rules. Pure."""

from dataclasses import dataclass
from datetime import datetime

from pbem.commands.command import Command, Family, HelpRow, Keyword, MatchSituation, Reply


@dataclass(frozen=True, slots=True)
class Ask:
    """A wish for an email of that kind."""

    kind: str


def _parse(piece: str) -> Command | None:
    """Return None: every command of this family is a keyword."""
    return None


def _apply(situation: MatchSituation, command: Ask, now: datetime) -> MatchSituation:
    """Send what was asked for."""
    return situation.carried(command.kind, Reply(command.kind))


def _describe(command: Ask) -> str:
    """Return the command as the operator reads it."""
    return command.kind


FAMILY = Family(
    name="info",
    types=(Ask,),
    parse=_parse,
    apply=_apply,
    describe=_describe,
    keywords=(Keyword("help", Ask("help")), Keyword("show", Ask("show"))),
    help=(
        HelpRow("show", "the word `show`: it sends you the board again"),
        HelpRow("help", "the word `help`: it sends you this mail"),
    ),
)
