"""What every command family has: help whose examples are commands, a form for the operator, and a scope."""

import json
from dataclasses import dataclass
from datetime import datetime

import pytest

from pbem.commands.catalogue import COMMANDS, as_keyword, family_of, help_rows
from pbem.commands.decision import HIDDEN, Command, Family, HelpRow, Keyword, Scope, Situation
from pbem.commands.effects import Reply
from pbem.commands.families.play import FreeText
from pbem.commands.grammar import read_commands
from pbem.commands.judge import judge_outside
from pbem.commands.rejections import UnknownMatch, UnknownSender
from pbem.match.player import Player
from pbem.reading.reason import because
from tests.support.each import each
from tests.support.judging import NOW

ANN = Player(1, "Ann", "ann@a.example", frozenset({"ann@a.example"}))
EXAMPLES = [(family, row.example) for family in COMMANDS for row in family.help if row.example]


def named(value: object) -> str:
    """Return what a parameter is called in the name of its test."""
    return value.name if isinstance(value, Family) else str(value)


@each("family", COMMANDS, ids=named)
def test_a_family_has_help_and_commands(family: Family) -> None:
    """No two families share a name or a type of command, and each explains itself."""
    assert family.help
    assert family.types
    others = [other for other in COMMANDS if other is not family]
    assert not any(set(family.types) & set(other.types) or family.name == other.name for other in others)


@each("family, example", EXAMPLES, ids=named)
def test_a_help_example_is_a_command_of_its_family(family: Family, example: str) -> None:
    """What the help email tells people to write is carried out by the family that says so."""
    (command,) = read_commands([example])
    assert family_of(command) is family


@each("keyword", [keyword for family in COMMANDS for keyword in family.keywords], ids=str)
def test_a_keyword_is_a_command_of_its_family(keyword: Keyword) -> None:
    """Alone on its line it is read as its command, and nobody else has the word."""
    assert as_keyword(keyword.word) == keyword
    assert read_commands([keyword.word]) == [keyword.command]
    (family,) = [family for family in COMMANDS if keyword in family.keywords]
    assert family_of(keyword.command) is family


@each("example", [example for _, example in EXAMPLES] + ["salt a b", "resume", "display test", "d4"])
def test_a_command_has_a_form_for_the_operator(example: str) -> None:
    """One line of JSON; words for a partner, and what players think or plan, are hidden in it."""
    (command,) = read_commands([example])
    shown = str(command)
    assert json.loads(json.dumps(shown)) == shown
    first = example.split()[0]
    assert shown == (f"{first} {HIDDEN}" if first in ("team:", "what", "try", "note:", "if", "operator:") else example)


def test_the_help_email_has_the_rows_of_all_families() -> None:
    """A new family appears there by itself."""
    assert help_rows() == tuple(row for family in COMMANDS for row in family.help)


@dataclass(frozen=True, slots=True)
class Ping:
    """A made-up command."""

    def __str__(self) -> str:
        return "ping"


def _ping(situation: Situation, command: Ping, now: datetime) -> Situation:
    return situation.carried(
        "ping", Reply("answer", (because("pong", name=situation.player.name if situation.player else ""),))
    )


def pinging(scope: Scope) -> tuple[Family, ...]:
    """Return all families and a made-up one."""
    ping = Family("ping", (Ping,), _ping, (HelpRow("ping"),), scope=scope)
    return (*COMMANDS, ping)


@pytest.mark.parametrize(
    ("scope", "player", "name"),
    [("player", ANN, "Ann"), ("anybody", ANN, "Ann"), ("anybody", None, "")],
)
def test_a_command_of_wide_scope_counts_without_a_match(scope: Scope, player: Player | None, name: str) -> None:
    """No reply token is needed, and words around it do no harm."""
    commands: list[Command] = [FreeText("Hello"), Ping()]
    decision = judge_outside(player, commands, now=NOW, families=pinging(scope))
    assert decision.done == ("ping",)
    assert decision.replies == (Reply("answer", (because("pong", name=name),)),)


@pytest.mark.parametrize(
    ("scope", "player", "rejection"),
    [
        ("match", ANN, UnknownMatch),
        ("match", None, UnknownSender),
        ("player", None, UnknownSender),
    ],
)
def test_a_command_of_narrow_scope_does_not_count_without_a_match(
    scope: Scope, player: Player | None, rejection: type[Exception]
) -> None:
    """A stranger learns that nobody knows them, a player that no match is meant."""
    with pytest.raises(rejection):
        judge_outside(player, [Ping()], now=NOW, families=pinging(scope))


@each("line", ["resign", "say: hello", "unsubscribe", "show", "salt a", "d4"])
def test_no_present_command_counts_without_a_match(line: str) -> None:
    """All of them are about the match that is answered."""
    with pytest.raises(UnknownMatch):
        judge_outside(ANN, read_commands([line]), now=NOW)


def test_a_command_outside_beside_one_of_a_match_is_carried_out() -> None:
    """What needs a match is passed over."""
    decision = judge_outside(ANN, [*read_commands(["resign"]), Ping()], now=NOW, families=pinging("player"))
    assert decision.done == ("ping",)


def test_private_words_are_not_described() -> None:
    """A host may play too."""
    for line in ("team: attack at dawn", "team attack at dawn"):
        assert "dawn" not in "".join(map(str, read_commands([line])))
