"""The settings, from the environment and from a file."""

import tomllib
from pathlib import Path

import pytest

from pbem.errors import ConfigError
from pbem.settings import Settings, initial_text, load

SECRET = "a secret that is long enough"


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting comes from the machine that the tests run on."""
    for name in Settings.model_fields:
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


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("adress = 'x@y.example'", "did you mean “address”"),
        ("nonsense = 1", "no such setting"),
        ("address = 'games'", "“games” is no mail address"),
        ("secret = 'short'", "at least 16 characters"),
        ("poll_seconds = 0", "between 1 and 3600"),
        ("poll_seconds = 'often'", "“poll_seconds” “often” will not do"),
        ("address =", "no valid TOML"),
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
    with pytest.raises(ConfigError, match="not text"):
        load(path)


def test_the_example_and_the_first_file_name_every_setting() -> None:
    """An operator finds all there is to set in either."""
    example = Path(__file__).resolve().parents[1] / "deploy" / "pbem.toml.example"
    for text in (example.read_text(encoding="utf-8"), initial_text("games@example.org")):
        assert set(tomllib.loads(text)) == set(Settings.model_fields)
