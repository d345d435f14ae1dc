"""How names, addresses and exports are asked for, and what only looks like it."""

import pytest

from pbem.commands.families.play import FreeText
from pbem.commands.families.profile import LeaveAddress, SendExport, TakeAddress, TakeName
from pbem.commands.grammar import read_commands
from tests.support.each import each


@each(
    "line, name",
    [
        ("name Ann Lee", "Ann Lee"),
        ("Name: Ann Lee", "Ann Lee"),
        ("my name = Ann", "Ann"),
        ("name ann", "ann"),
        ("name “Ann  Lee”", "Ann Lee"),
        ("name Ann Lee.", "Ann Lee"),
        ("*name* 李", "李"),
    ],
)
def test_a_name_is_read(line: str, name: str) -> None:
    """With a colon, in quotation marks, in any letter case."""
    (command,) = read_commands([line])
    assert isinstance(command, TakeName)
    assert command.name == name


@each(
    "line",
    [
        "name",
        "name of customer: Meier",
        "name is Bond",
        "my name is Bob",
        "name ist Meier",
        "name: is Bond",
        "name your price",
        "name the day",
        "Name / Vorname: Bob",
        "name: Meier, Firma: XY",
        "name: Bob Meier Kundennummer 4711",
        "name in full: Bob",
        "name your price, please tell me!",
        "name one?",
        "names Ann",
        "name the game that we should play next",
    ],
)
def test_a_sentence_is_no_name(line: str) -> None:
    """A question, or more words than names have."""
    assert all(isinstance(command, FreeText) for command in read_commands([line]))


@each(
    "line, command",
    [
        ("address ann@work.example", TakeAddress("ann@work.example")),
        ("Address Ann@Work.example.", TakeAddress("ann@work.example")),
        ("address add <ann@work.example>", TakeAddress("ann@work.example")),
        ("address ann@work.example<mailto:ann@work.example>", TakeAddress("ann@work.example")),
        ("address remove ann@work.example", LeaveAddress("ann@work.example")),
        ("please address drop ann@work.example", LeaveAddress("ann@work.example")),
        ("export", SendExport()),
        ("Export, please", SendExport()),
    ],
)
def test_addresses_and_exports_are_read(line: str, command: object) -> None:
    """As programs write addresses, too."""
    assert read_commands([line]) == [command]


@pytest.mark.parametrize(
    "line", ["address 12 Main Street", "Address: ann@work.example", "address me at home", "export?"]
)
def test_a_signature_is_no_wish(line: str) -> None:
    """Addresses stand below many emails, with a colon."""
    assert all(isinstance(command, FreeText) for command in read_commands([line]))
