"""The command that prints an access token: run when one is needed, and what it prints is seen nowhere."""

import asyncio
import logging
import shlex
import sys
import time
from pathlib import Path

import pytest

from pbem.errors import ConfigError, LoginRefused, NoToken
from pbem.transport.token import TokenCommand

TOKEN = "EwAYA8l6BAAUkj1NuJYtTVha"


def _counted(tmp_path: Path) -> str:
    """Return a command that prints another token each time: the token, and how often it has been called."""
    script = f"echo >> calls; echo {TOKEN}.$(wc -l < calls)"
    return shlex.join(["sh", "-c", f"cd {shlex.quote(str(tmp_path))}; {script}"])


async def _failure(command: str, *, seconds: float = 5) -> str:
    """Return why a command gives no token: one sentence, which holds no token."""
    with pytest.raises(NoToken) as caught:
        await TokenCommand(command, "imap_token", timeout=seconds).token()
    text = str(caught.value)
    assert text.startswith("The command in imap_token ")
    assert text.endswith(".")
    assert "\n" not in text
    assert TOKEN not in text
    assert isinstance(caught.value, LoginRefused)  # so that an email waits for it, and is not at fault
    return text


async def test_a_token_is_asked_for_once_until_it_is_refused(tmp_path: Path) -> None:
    """What is kept is returned; after a refusal the command is asked once more, and only for a token that was old."""
    command = TokenCommand(_counted(tmp_path), "imap_token")
    assert [await command.token() for _ in range(3)] == [f"{TOKEN}.1"] * 3
    assert command.drop_refused()
    assert await command.token() == f"{TOKEN}.2"
    assert not command.drop_refused()  # it is a new one, and another new one would do no better
    assert await command.token() == f"{TOKEN}.3"


async def test_an_old_token_is_replaced_before_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After three quarters of an hour, since the shortest lives of tokens are an hour."""
    command = TokenCommand(_counted(tmp_path), "imap_token")
    began = time.monotonic()
    assert await command.token() == f"{TOKEN}.1"
    for minutes, number in ((44, 1), (46, 2)):
        monkeypatch.setattr(time, "monotonic", lambda minutes=minutes: began + 60 * minutes)
        assert await command.token() == f"{TOKEN}.{number}"


async def test_a_command_is_no_shell_line() -> None:
    """Its words are parted as a shell does, and mean nothing else."""
    assert await TokenCommand("echo '$HOME;`id`|x'", "imap_token").token() == "$HOME;`id`|x"
    with pytest.raises(ConfigError, match="its quotation marks don't match"):
        TokenCommand("echo 'x", "imap_token")


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("echo one >&2; echo ann@example.org was refused. >&2; exit 3", "exit code 3: a…@example.org was refused."),
        (f"echo {TOKEN}; echo bad token {TOKEN} >&2; exit 1", "exit code 1: bad token …."),
        ("exit 7", "ended with exit code 7."),
        ("kill -9 $$", "was killed."),
        ("true", "printed no access token"),
        (f"echo {TOKEN} and more", "printed no access token"),
        (f"printf '{TOKEN}\\001x'", "printed no access token"),
    ],
)
async def test_a_command_that_fails_is_told_in_one_sentence(script: str, says: str) -> None:
    """With its exit code and the last line that it complained with, redacted."""
    assert says in await _failure(shlex.join(["sh", "-c", script]))


async def test_a_command_that_cannot_be_started_is_told() -> None:
    """As a file that is not there."""
    assert "can't be started: No such file or directory." in await _failure("/no/such/program")


async def test_a_command_that_does_not_end_is_ended(tmp_path: Path) -> None:
    """With everything that it has started, so that nothing of it piles up."""
    pid = tmp_path / "pid"
    script = f"sleep 60 & echo $! > {shlex.quote(str(pid))}; wait"
    assert "didn't end within 0.3 seconds." in await _failure(shlex.join(["sh", "-c", script]), seconds=0.3)
    async with asyncio.timeout(5):
        while _runs(int(pid.read_text())):  # noqa: ASYNC110 - it is another process that ends
            await asyncio.sleep(0.01)


def _runs(pid: int) -> bool:
    """Return whether a process does something; one that has ended may wait for its parent to notice."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_a_token_stands_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    """Not even where everything is logged."""
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, "asyncio")
    asyncio.get_running_loop().set_debug(True)
    script = f"import sys; print({TOKEN[:8]!r} + {TOKEN[8:]!r}); sys.exit(int(sys.argv[1]))"
    for code in (0, 1):
        command = TokenCommand(shlex.join([sys.executable, "-c", script, str(code)]), "imap_token")
        if code:
            with pytest.raises(NoToken):
                await command.token()
        else:
            assert await command.token() == TOKEN
    assert caplog.records
    assert TOKEN not in caplog.text


async def test_a_command_reads_nothing_from_us() -> None:
    """One that asks for a password finds that nobody answers, instead of waiting for a terminal."""
    assert await TokenCommand("sh -c 'read line || echo nobody'", "imap_token").token() == "nobody"
