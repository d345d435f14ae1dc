"""The questions of ``pbem init``, asked of somebody who mistypes."""

import asyncio
import tomllib
from collections.abc import Mapping
from io import StringIO

import pytest

from pbem.cli.finding import Finding
from pbem.cli.start.init_questions import Trial, _Login, _urls, ask
from pbem.demo.servers import DemoServers
from pbem.errors import LoginRefused
from pbem.settings.initial import initial_text
from tests.support.command_line import GAMES, Pbem
from tests.support.each import each


def typed(*answers: str) -> bytes:
    """Return what somebody types, a line for each answer."""
    return "".join(f"{answer}\n" for answer in answers).encode()


async def test_init_asks_tries_the_answers_and_writes_settings_that_work(bare: Pbem) -> None:
    """A wrong address and a wrong password are asked for again; the file is what the doctor then finds well."""
    async with DemoServers([GAMES]) as servers:
        right = servers.imap_url(GAMES)
        answers = typed("games", GAMES, right.replace("demo@", "swordfish@"), right, servers.smtp_url, "op@example.org")
        run = await asyncio.to_thread(bare, "init", "--ask", stdin=answers)
        assert (run.code, run.err) == (0, "")
        assert "swordfish" not in run.out
        assert [mark for mark in run.out if mark in "✓✗"] == ["✗", "✗", "✓", "✓"]
        assert run.out.endswith(
            "Next: “pbem doctor --mail” sends the service an email of its own, and sees how it arrives.\n"
        )
        settings = tomllib.loads((bare.directory / "pbem.toml").read_text("utf-8"))
        assert [settings[name] for name in ("address", "imap_url", "smtp_url", "operator")] == [
            *(GAMES, right, servers.smtp_url, "op@example.org")
        ]
        found = await asyncio.to_thread(bare, "doctor", "--json")
        sound = {check["check"]: check["sound"] for check in found.json}
        assert sound["mailbox"]
        assert sound["sending"]


def test_what_is_left_for_later_is_named(bare: Pbem) -> None:
    """The settings file is written without servers, and says at the end which lines are to be filled in."""
    run = bare.done("init", GAMES, "--ask", stdin=typed("later", "Later", ""))
    assert run.out.endswith("Next: fill in imap_url and smtp_url in pbem.toml, then run “pbem doctor”.\n")
    settings = tomllib.loads((bare.directory / "pbem.toml").read_text("utf-8"))
    assert (settings["imap_url"], settings["smtp_url"], settings["operator"]) == ("", "", "")


def test_a_server_whose_limits_are_known_brings_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """It's said, and stands in the settings; for any other server nothing is."""
    for place, budget in (("smtp.gmail.com", "gmail"), ("mail.example.org", None)):
        answers = typed("later", place, "", "secret", "")
        monkeypatch.setattr("sys.stdin", StringIO(answers.decode()))
        found = ask(GAMES, "a secret", Trial(lambda values: "read", lambda values: Finding("it lets us in")))
        assert found.get("smtp_budget") == budget
        assert "smtp_budget" in initial_text(**found)


def test_questions_that_are_broken_off_leave_nothing_behind(bare: Pbem) -> None:
    """With the end of the input, as with Ctrl-C, there is neither a settings file nor a database."""
    run = bare("init", GAMES, "--ask", stdin=typed("later"))
    assert run.code != 0
    assert list(bare.directory.iterdir()) == []


@each(
    "read, sent, urls",
    [
        ("localhost", "localhost:25", ["imap://u:p@localhost", "smtp://u:p@localhost:25", "smtp://localhost:25"]),
        ("127.0.0.1:143", "localhost", ["imap://u:p@127.0.0.1:143", "smtp://u:p@localhost", "smtp://localhost"]),
        ("localhost:993", "localhost:465", ["imaps://u:p@localhost:993", "smtps://u:p@localhost:465"]),
    ],
)
def test_a_server_on_this_machine_needs_no_tls(read: str, sent: str, urls: list[str]) -> None:
    """And one that sends no login; at the ports of TLS it's tried with that."""
    login = _Login("u", "p")
    assert [*_urls("imap_url", read, login), *_urls("smtp_url", sent, login)] == urls
    assert _urls("smtp_url", "localhost", _Login("u")) == ["smtp://localhost"]


def test_servers_follow_from_the_address_and_passwords_are_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name of a server is enough; the login goes into the URL whatever is in it, and is asked for once."""
    tried: list[str] = []

    def mailbox(values: Mapping[str, str]) -> str:
        tried.append(values["imap_url"])
        return "it can be read"

    def sending(values: Mapping[str, str]) -> Finding:
        tried.append(values["smtp_url"])
        if values["smtp_url"].startswith("smtps:"):
            raise LoginRefused("Nothing listens there.")
        return Finding("it lets us in")

    answers = typed("", "", "p@ss/w:rd%", "mail.example.org", "", "", "")
    monkeypatch.setattr("sys.stdin", StringIO(answers.decode()))
    found = ask(GAMES, "a secret", Trial(mailbox, sending))
    login = "games%40example.org:p%40ss%2Fw%3Ard%25"
    assert tried == [
        f"imaps://{login}@imap.example.org",
        f"smtps://{login}@mail.example.org",
        f"smtp://{login}@mail.example.org",
    ]
    assert (found["imap_url"], found["smtp_url"], found["operator"]) == (tried[0], tried[2], "")
