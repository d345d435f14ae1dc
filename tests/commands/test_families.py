"""Every family of commands, whatever is in it: what it lists is read, described and explained."""

import json

import pytest

from pbem.commands import COMMANDS, Family, describe, read_commands
from pbem.commands.families import family_of

FAMILIES = pytest.mark.parametrize("family", COMMANDS, ids=lambda family: family.name)


@FAMILIES
def test_each_example_of_the_help_email_is_a_command_of_its_family(family: Family) -> None:
    """A family explains itself, and what it shows can be written as it stands."""
    assert family.help
    for row in family.help:
        if row.example:
            (command,) = read_commands([row.example])
            assert family_of(command) == family


@FAMILIES
def test_each_keyword_is_read_and_described(family: Family) -> None:
    """The operator and programs see a word for each command, and the word is read as that command."""
    for keyword in family.keywords:
        assert read_commands([keyword.word]) == [keyword.command]
        assert describe(keyword.command)
        assert json.loads(json.dumps(describe(keyword.command))) == describe(keyword.command)


def test_no_two_families_share_a_command_or_a_word() -> None:
    """One list decides who carries a command out."""
    types = [kind for family in COMMANDS for kind in family.types]
    words = [keyword.word for family in COMMANDS for keyword in family.keywords]
    assert len(set(types)) == len(types)
    assert len(set(words)) == len(words)


def test_private_words_are_not_described() -> None:
    """A host may play too."""
    for line in ("team: attack at dawn", "team attack at dawn"):
        assert "dawn" not in "".join(map(describe, read_commands([line])))
