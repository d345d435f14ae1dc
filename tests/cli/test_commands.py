"""Every command is there, has help, and says in one sentence what it was given that will not do."""

import re
from typing import Any

import pytest

from pbem.cli.app import build_command
from pbem.notices.sentences.match import as_typed, describe_seats
from rules.games import GAMES as GAMES_OF_ALL
from tests.support.command_line import GAMES, Pbem
from tests.support.each import each

COMMANDS = (
    *(
        "play",
        "demo",
        "init",
        "run",
        "take-over",
        "trust-clock",
        "worker",
        "open",
        "matches",
        "show",
        "private",
        "ratings",
        "players",
        "receive",
        "poll",
    ),
    *("deliver", "export", "verify", "block", "unblock", "blocked", "forget", "offers"),
    *("clock", "extend", "pause", "adjudicate", "void", "replace", "resend", "rewind", "settle"),
    *(
        "inbound list",
        "inbound show",
        "inbound retry",
        "inbound skip",
        "outbound list",
        "outbound show",
        "outbound retry",
        "outbound drop",
    ),
    *("archive", "report", "doctor", "login", "backup", "db move", "db upgrade"),
    *("player rename", "player address", "player merge", "broadcast"),
    *(f"ladder {one}" for one in ("list", "show", "open", "remove", "pause", "undo")),
    *(f"league {one}" for one in ("list", "show", "open", "enter", "pause", "extend", "replace", "disqualify", "undo")),
)


def _commands(group: Any, above: str = "") -> dict[str, Any]:
    """Return every command, by its words."""
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        found |= _commands(command, f"{above}{name} ") if hasattr(command, "commands") else {f"{above}{name}": command}
    return found


def test_there_is_every_command_and_no_other() -> None:
    """The commands are those that are promised, each with a sentence that says what it does."""
    found = _commands(build_command())
    assert set(found) == set(COMMANDS)
    assert all(command.help and command.help.partition("\n")[0].rstrip().endswith(".") for command in found.values())


def test_the_list_of_commands_says_of_each_what_its_own_help_says() -> None:
    """``pbem --help`` imports no command: the sentences in its list are those of the commands."""
    listed = build_command().commands
    said = {name: sentence for section in listed.sections.values() for name, sentence in section.items()}
    assert said == {name: command.get_short_help_str(limit=1000) for name, command in listed.items()}


@pytest.mark.parametrize("command", ["", *COMMANDS, "inbound", "outbound", "db", "player", "ladder", "league"])
def test_every_command_has_help(bare: Pbem, command: str) -> None:
    """``--help`` behind any command explains it, and needs no settings."""
    run = bare.done(*command.split(), "--help")
    assert f"Usage: pbem {command}".strip() in run.out
    assert bare.state() == {}


@pytest.mark.parametrize("named", [(), ("Zipline",), ("pipelines", "ann@example.org")], ids=str)
def test_the_help_of_open_tells_the_defaults(bare: Pbem, named: tuple[str, ...]) -> None:
    """Each option of the games that are named, or of all, as it is unless it is chosen, and what it means."""
    told = " ".join(bare.done("open", *named, "--help").out.split())
    for game in GAMES_OF_ALL.values():
        is_told = not named or game.key == named[0].lower()
        assert (f"Options of {game.key} ({describe_seats(game)}), and" in told) == is_told
        for option in game.options if is_told else ():
            assert f" {option.key}={as_typed(option.default)} {option.help}" in told
    assert " flag=claim " in told
    assert " size=7 points along" in " ".join(bare.done("play", "pipline", "--help").out.split())


def test_the_version_can_be_asked_for(bare: Pbem) -> None:
    """``pbem --version`` prints the version of the package."""
    assert re.fullmatch(r"pbem \d+\.\d+\.\d+(\.post\d+)?\n", bare.done("--version").out)


@pytest.mark.parametrize(
    "arguments",
    [
        ["opne"],
        ["open", "zipline"],
        ["matches", "--jsno"],
        ["export", "one"],
        ["inbound", "show", "1.5"],
        ["inbound", "list", "--limit", "0"],
        ["outbound", "list", "--limit", "99999999999999999999"],
        ["inbound", "frobnicate"],
    ],
    ids=" ".join,
)
def test_a_mistyped_command_is_explained(pbem: Pbem, arguments: list[str]) -> None:
    """A command, option or number that does not exist is told on standard error, and nothing is done."""
    before = pbem.state()
    run = pbem(*arguments)
    assert (run.code, run.out) == (64, "")
    assert "Error" in run.err
    assert "Traceback" not in run.err
    assert "Input should be" not in run.err  # a library’s words
    assert pbem.state() == before


@each(
    "arguments, code, says",
    [
        (["show", "99"], 64, "There is no match 99"),
        (["show", "1#1"], 64, "Match 1 has 0 moves so far, not 1"),
        (["show", "first"], 64, "“first” is not a match"),
        (["show", "1#"], 64, "“1#” is not a match"),
        (["show", "99999999999999999999"], 64, "is not a match"),
        (["export", "99"], 64, "There is no match 99"),
        (["export", "99999999999999999999"], 64, "There is no match 99999999999999999999"),
        (["export", "--", "-1"], 64, "There is no match -1"),
        (["export", "1", "--output", "missing/file"], 74, "No such file or directory: missing/file"),
        (["verify", "missing"], 66, "missing cannot be read: No such file or directory"),
        (["verify", "."], 66, ". cannot be read: Is a directory"),
        (["verify", "pbem.toml"], 65, "Line 1 is not “pbem record 1”, so this is no record"),
        (["verify", "pbem.db"], 65, "pbem.db is not a record"),
        (["inbound", "show", "99"], 64, "There is no message 99"),
        (["inbound", "show", "99999999999999999999"], 64, "There is no message 99999999999999999999"),
        (["inbound", "retry", "99"], 64, "There is no message 99"),
        (["inbound", "list", "--status", "sent"], 64, "“sent” is not a status; choose one of received, accepted"),
        (["outbound", "show", "99"], 64, "There is no email 99"),
        (["outbound", "show", "99999999999999999999"], 64, "There is no email 99999999999999999999"),
        (["outbound", "retry", "99"], 64, "There is no email 99"),
        (["outbound", "list", "--status", "accepted"], 64, "“accepted” is not a status; choose one of queued, sent"),
        (["receive", "missing"], 66, "missing cannot be read: No such file or directory"),
        (["init", GAMES], 64, "pbem.toml already exists; nothing was changed"),
        (["backup", "pbem.db"], 64, "pbem.db already exists; nothing was changed"),
        (["backup", "missing/copy.db"], 66, "The copy cannot be written to missing/copy.db"),
        (["poll"], 78, "The setting “imap_url” is missing: add it to pbem.toml, or set PBEM_IMAP_URL"),
        (["deliver"], 78, "The setting “smtp_url” is missing: add it to pbem.toml, or set PBEM_SMTP_URL"),
        (["run"], 78, "The setting “imap_url” is missing"),
        (["run", "--no-mailbox"], 78, "The setting “smtp_url” is missing"),
        (["--config", "missing.toml", "matches"], 78, "There is no settings file missing.toml"),
        (["--config", ".", "matches"], 78, "There is no settings file ."),
        (["demo", "--play", "--stay"], 64, "Use either --play or --stay"),
        (["demo", "--game", "zipline"], 64, "--game goes with --play"),
        (["demo", "--play", "--game", "chess"], 64, "There is no game “chess”; choose one of pipline, zipline"),
    ],
)
def test_what_does_not_exist_is_told_in_one_sentence(pbem: Pbem, arguments: list[str], code: int, says: str) -> None:
    """A number, file or setting that is not there ends a command at once, with an exit code after sysexits.h."""
    pbem.refuses(*arguments, code=code, says=says)


def test_every_list_is_an_array_of_objects_with_an_id(over: Pbem) -> None:
    """Programs find the same shape everywhere."""
    for arguments, count in [(["matches"], 1), (["players"], 3), (["inbound", "list"], 3), (["outbound", "list"], 12)]:
        found = over.done(*arguments, "--json").json
        assert isinstance(found, list)
        assert len(found) == count
        assert len({one["id"] for one in found}) == count
        assert all(isinstance(one["id"], int) for one in found)
        assert over.done(*arguments).out
    for group in ("inbound", "outbound"):
        shown = over.done(group, "show", "1", "--json").json
        listed = next(one for one in over.done(group, "list", "--json").json if one["id"] == 1)
        assert listed.items() <= shown.items()
        assert len(over.done(group, "list", "--json", "-n", "2").json) == 2
