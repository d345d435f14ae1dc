"""The settings, from the environment and from a file."""

import base64
import re
import secrets
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli.app import main
from pbem.errors import ConfigError
from pbem.settings.initial import initial_text
from pbem.settings.loading import load, setting_names
from pbem.settings.model import Settings, WrongSetting
from pbem.settings.webhooks import read_webhooks
from tests.support.each import each

SECRET = "a secret that is long enough"
PASSWORD = "hunter2swordfish"
EXAMPLE = Path(__file__).resolve().parents[2] / "deploy" / "pbem.toml.example"


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting comes from the machine that the tests run on."""
    for name in setting_names():
        monkeypatch.delenv(f"PBEM_{name.upper()}", raising=False)
    monkeypatch.chdir(tmp_path)


def written(text: str) -> Path:
    """Write a settings file into the working directory."""
    path = Path("pbem.toml")
    path.write_text(text, encoding="utf-8")
    return path


def test_nothing_needs_to_be_set() -> None:
    """Without any setting the database lies in the working directory, and what is needed is named when it is."""
    settings = load()
    assert settings.database_url == "sqlite:///pbem.db"
    with pytest.raises(ConfigError, match=r"“imap_url” is missing.*PBEM_IMAP_URL"):
        settings.require("database_url", "imap_url")


def test_a_first_settings_file_can_be_read() -> None:
    """What ``pbem init`` writes is complete, and its secret is new each time."""
    settings = load(written(initial_text("games@play.example")))
    settings.require("address", "secret", "database_url")
    assert settings.address == "games@play.example"
    assert initial_text("games@play.example") != initial_text("games@play.example")


def test_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable overrules the file; an empty one does not."""
    written(f'address = "a@a.example"\nsecret = "{SECRET}"\n')
    monkeypatch.setenv("PBEM_ADDRESS", "Games@Play.example")
    monkeypatch.setenv("PBEM_SECRET", "")
    assert load().address == "games@play.example"
    assert load().secret == SECRET


def test_files_are_meant_from_where_the_settings_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path in a settings file does not depend on the working directory; one in the environment does."""
    home = tmp_path / "home"
    home.mkdir()
    path = home / "pbem.toml"
    path.write_text('database_url = "sqlite:///a.db"\narchive_dir = "pages"\n')
    settings = load(path)
    assert settings.database_url == f"sqlite:///{home / 'a.db'}"
    assert settings.archive_dir == str(home / "pages")
    monkeypatch.setenv("PBEM_DATABASE_URL", "sqlite:///b.db")
    assert load(path).database_url == "sqlite:///b.db"


@each(
    "text, sentence",
    [
        ("adress = 'x@y.example'", "did you mean “address”"),
        ("nonsense = 1", "no such setting"),
        ("address = 'games'", "“games” is not an email address"),
        ("secret = 'short'", "at least 16 characters"),
        ("poll_seconds = 0", "between 1 and 3600"),
        ("metrics_listen = 'localhost:9464'", "“localhost:9464”"),
        ("metrics_listen = '127.0.0.1:65536'", "a numeric address and a port"),
        ("lmtp_listen = '0.0.0.0:2424'", "“0.0.0.0:2424”.* a path and its mode"),
        ("lmtp_listen = 'lmtp.sock'", "a path and its mode"),
        ("lmtp_listen = '/run/lmtp 888'", "a path and its mode"),
        ("lmtp_listen = '127.0.0.1:0'", "a path and its mode"),
        ("metrics_listen = '9464'", "a numeric address and a port"),
        ("unsubscribe_listen = '9465'", "a numeric address and a port"),
        ("archive_url = 'http://x.example'\nunsubscribe_listen = '127.0.0.1:9465'", "“unsubscribe_listen” .* by https"),
        ("poll_seconds = 'often'", "“often”"),
        ("imap_url = 'imaps://a:x@h.example'\nimap_token = 'print'", "“imap_token” .* password in imap_url too"),
        ("smtp_url = 'smtps://a:x@h.example'\nsmtp_token = 'print'", "“smtp_token” .* password in smtp_url too"),
        ("smtp_url = 'smtps://h.example'\nsmtp_token = 'print'", "smtp_url must name the user"),
        ("smtp_budget = 'often'", "“smtp_budget” .“often”. is wrong: name a provider"),
        ("imap_token = 'print \"'", "quotation marks must match"),
        ("address =", "not valid TOML"),
    ],
)
def test_a_mistake_is_named(text: str, sentence: str) -> None:
    """What is wrong is said in one sentence, and no secret is in it."""
    with pytest.raises(ConfigError, match=sentence) as raised:
        load(written(text))
    assert "short" not in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


def test_a_file_that_was_named_must_be_there() -> None:
    """Only the usual file may be missing."""
    with pytest.raises(ConfigError, match=r"no settings file other\.toml"):
        load(Path("other.toml"))


def test_a_file_must_be_text() -> None:
    """Bytes that are no UTF-8 are refused, and so is a directory."""
    path = Path("pbem.toml")
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not UTF-8 text"):
        load(path)


def test_the_example_and_the_first_file_name_every_setting() -> None:
    """An operator finds all there is to set in either."""
    for text in (EXAMPLE.read_text(encoding="utf-8"), initial_text("games@example.org")):
        assert set(tomllib.loads(text)) == set(setting_names())


def test_the_published_example_holds_no_secret_that_works() -> None:
    """Whoever copies the example must make a secret of their own: without one, nothing is signed."""
    path = written(EXAMPLE.read_text(encoding="utf-8"))
    with pytest.raises(ConfigError, match="“secret” is missing"):
        load(path).require("secret")


def test_nothing_of_the_published_example_is_in_force_unnoticed() -> None:
    """Another server's findings, pages that are not there, a stranger who gets the operator's emails: all are empty."""
    settings = load(written(EXAMPLE.read_text(encoding="utf-8")))
    for name in ("authserv_id", "archive_url", "operator", "imap_url", "smtp_url", "unsubscribe_url"):
        assert not getattr(settings, name), name
    assert settings.archive_dir == str(Path("archive").resolve())


@pytest.mark.parametrize(
    "secret",
    [
        "put something long and random here",
        "Put something long  and random here",
        "fifteen letters",
        " " * 20,
        "aaaaaaaaaaaaaaaaaaaa",
        "abababababababababab",
        "passwordpassword",
        "change-me change-me change-me",
        "changemechangemechang",
        "secret, secret, secret, ",
        "0123456789abcdef",
        "abcdefghijklmnopqrstuvwxyz",
        "12345678901234567890",
        "qwertyuiopasdfgh",
        "games@play.example",
        "games@play.example1",
        "Put-something-long-and-random-here",
        "mysecretpassword",
        "My secret password 2026",
        "changemechangeme1",
        "qwertyuiop123456",
        "asdfghjkl-password",
        "password12345678!",
    ],
)
def test_a_published_short_or_guessable_secret_is_refused(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says how to make a secret, and does not show the one that was tried."""
    monkeypatch.setenv("PBEM_ADDRESS", "games@play.example")
    for source in ("file", "environment"):
        if source == "file":
            written(f'secret = "{secret}"\n')
        else:
            written("")
            monkeypatch.setenv("PBEM_SECRET", secret)
        with pytest.raises(ConfigError, match="token_urlsafe") as raised:
            load()
        assert secret.strip() not in str(raised.value) or not secret.strip()


def test_the_command_that_a_refused_secret_shows_makes_one_that_is_taken() -> None:
    """It works wherever Python does, as it stands in the sentence and in the example."""
    with pytest.raises(ConfigError) as raised:
        load(written('secret = "short"'))
    (shown,) = re.findall(r"python3 (-c '[^']+')", str(raised.value))
    assert shown in EXAMPLE.read_text(encoding="utf-8")
    made = subprocess.run([sys.executable, *shlex.split(shown)], capture_output=True, text=True, check=True).stdout
    assert load(written(f'secret = "{made.strip()}"')).secret == made.strip()


@pytest.mark.parametrize(
    "make",
    [
        lambda: secrets.token_urlsafe(32),
        lambda: secrets.token_hex(16),
        lambda: base64.b64encode(secrets.token_bytes(12)).decode(),
        lambda: "correct horse battery staple",
        lambda: SECRET,
        lambda: secrets.token_urlsafe(12),
        lambda: secrets.token_hex(8),
        lambda: "a secret for this test",
    ],
)
def test_a_secret_made_by_chance_is_taken(make: Callable[[], str]) -> None:
    """What is refused has few characters or a pattern; random ones practically never have."""
    for _ in range(50):
        assert Settings(secret=make()).secret


FAULTY = {
    "database_url": ["postgresql://games:{}@host:port/pbem", "oracle://games:{}@host/pbem", "games:{}@host/pbem"],
    "imap_url": [
        "imaps://games:{}@host:port/",
        "imap://games:{}@mail.example.org/",
        "games:{}@host",
        "imaps://games:{}",
    ],
    "imap_token": ['print-token "{}', "print-token '{}"],
    "smtp_token": ['print-token "{}'],
    "smtp_url": ["smtps://games:{}@host:port", "smtp://games:{}@mail.example.org?tls=none", "smtps://games:{}"],
    "secret": ["{:.10}"],
    "address": ["imaps://games:{}@host", "games:{}@host"],
    "name": ["imaps://games:{}@host", "games:{}@host"],
    "smtp_budget": ["games:{}@host"],
    "operator": ["smtps://games:{}@host", "games:{}@host"],
    "archive_dir": ["https://games:{}@host/"],
    "archive_url": ["https://games:{}@host/"],
    "about_file": ["https://games:{}@host/", "pbem.toml"],
    "authserv_id": ["imaps://games:{}@host;"],
    "unsubscribe_url": ["https://games:{}@host/"],
    "poll_seconds": ["imaps://games:{}@host"],
    "salt_hours": ["smtp://games:{}@host"],
    "authentication": ["imaps://games:{}@host"],
    "token_days": ["games:{}@host"],
    "keep_inbound_days": ["games:{}@host"],
    "keep_outbound_days": ["games:{}@host"],
    "vacation_days": ["games:{}@host"],
    "unsend_minutes": ["games:{}@host"],
    "robots": ["games:{}@host"],
    "robot_matches": ["games:{}@host"],
    "robot_seconds": ["games:{}@host"],
    "log_format": ["games:{}@host"],
    "lmtp_listen": ["games:{}@host"],
    "new_matches": ["games:{}@host"],
    "metrics_listen": ["games:{}@host"],
    "unsubscribe_listen": ["games:{}@host"],
    "webhooks": ["https://games:{}@host/", "whsec_{}"],
}
"""For every setting, values with a password in them that is wrong."""


@pytest.mark.parametrize("secret", ["whsec_…", "whsec_abc", "whsec_" + "ü" * 40, "mysecret", 5])
def test_every_wrong_secret_of_a_webhook_gets_the_command_that_makes_one(secret: object) -> None:
    """The example of the documents too, as it stands there."""
    with pytest.raises(ValueError, match=r"number 1 must have whsec_ .*; python3 -c .* prints a new one"):
        read_webhooks([{"url": "https://example.org/", "secret": secret}])


def test_there_is_a_faulty_value_for_every_setting() -> None:
    """A new setting gets its row."""
    assert set(FAULTY) == set(setting_names())


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in FAULTY.items() for value in values])
def test_no_settings_error_shows_a_password(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From a file, as a table or list, as broken TOML, from the environment: the sentence names the setting alone."""
    shown, others = value.format(PASSWORD), "" if name == "address" else 'address = "games@play.example"\n'
    hidden = shown if name == "secret" else PASSWORD
    for text, variable in [
        (f'{name} = "{shown}"\n', ""),
        (f'{name} = ["{shown}"]\n', ""),
        (f'{name} = "{shown}\n', ""),
        (f'[{name}]\npassword = "{shown}"\n', ""),
        (f'{name}s = "{shown}"\n', ""),
        ("", shown),
    ]:
        written(others + text)
        monkeypatch.setenv(f"PBEM_{name.upper()}", variable)
        for arguments in (["-v", "db", "upgrade"], ["-v", "doctor"]):
            with pytest.raises(SystemExit) as ended:
                main(arguments)
            printed = capsys.readouterr()
            assert hidden not in printed.out + printed.err
            assert "Traceback" not in printed.err
        assert ended.value.code  # the doctor tries everything


def test_settings_are_printed_without_passwords() -> None:
    """The repr of settings, which a traceback may hold, has none of the values that log in or sign."""
    settings = Settings(
        secret=SECRET,
        database_url=f"postgresql://games:{PASSWORD}@host/pbem",
        imap_url=f"imaps://games:{PASSWORD}@host",
        smtp_url=f"smtps://games:{PASSWORD}@host",
    )
    assert PASSWORD not in repr(settings) + str(settings)
    assert SECRET not in repr(settings) + str(settings)


@pytest.mark.parametrize("name", ["archive_url", "unsubscribe_url"])
@pytest.mark.parametrize(
    "value",
    [
        "javascript:alert(1)",
        "JavaScript://example.org/%0aalert(1)",
        "data:text/html,x",
        "ftp://example.org/",
        "//example.org/",
        "https:example.org",
        "https://",
        "https:///path",
        "https://user:password@example.org/",
        "https://example.org@evil.example/",
        "https://example.org\\\\@evil.example/",
        'https://example.org/"onclick=',
        "https://example.org/'x",
        "https://example.org/<b>",
        "https://example.org/a b",
        "https://example.org/\u0007",
        "https://example.org/\u00e9",
        "https://example.org/\u2028",
        "https://e\u212aample.org/",
        "https://example.org/#top",
        "https://example.org/x\n",
        " https://example.org/",
    ],
)
def test_a_link_that_is_no_plain_web_page_is_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in every email is an address of http or https, and nothing that a program could run or misread."""
    monkeypatch.setenv(f"PBEM_{name.upper()}", value)
    with pytest.raises(ConfigError, match="must begin with https://"):
        load()


@pytest.mark.parametrize(
    "value",
    ["https://example.org", "http://localhost:8080/a/", "https://[::1]:8443/~pbem/x-1.0/", "https://x.org/%7Ea"],
)
def test_a_web_page_is_taken_as_the_archive(value: str) -> None:
    """Ports, numeric hosts and paths may stand in it."""
    assert Settings(archive_url=value).archive_url == value


def test_findings_can_only_be_required_of_a_named_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the name of our mail server every finding is somebody else's, and would refuse every message."""
    path = written('authentication = "required"\n')
    with pytest.raises(ConfigError, match="set authserv_id too"):
        load(path)
    monkeypatch.setenv("PBEM_AUTHSERV_ID", "mx.example.org")
    assert load(path).authentication == "required"
    for name in ("mx.example.org; dmarc=pass", "m\u212a.example.org", "two words"):
        monkeypatch.setenv("PBEM_AUTHSERV_ID", name)
        with pytest.raises(ConfigError, match="one word in plain ASCII"):
            load(path)


def test_a_token_takes_the_place_of_a_password() -> None:
    """A user without a password, and a command, are right; the command shows nowhere, since it may hold a secret."""
    path = written(
        "imap_url = 'imaps://games%40example.org@imap.example.org'\n"
        f"imap_token = 'curl --data secret={PASSWORD} https://login.example.org'\nsmtp_token = 'print-token'"
    )
    settings = load(path)
    assert settings.imap_token.startswith("curl ")
    assert PASSWORD not in repr(settings)


def test_an_address_without_room_for_tokens_is_refused() -> None:
    """Else every email would be refused by servers that keep to the longest local part."""
    assert Settings(address=f"{'g' * 30}@play.example").address
    with pytest.raises(WrongSetting):
        Settings(address=f"{'g' * 31}@play.example")
