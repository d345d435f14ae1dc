"""The settings: from the environment (``PBEM_ADDRESS`` …) and, below it, from ``pbem.toml``."""

import difflib
import re
import secrets
import tomllib
from pathlib import Path

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from pbem.errors import BadInput, ConfigError
from pbem.mail import normal_address

FILE = "pbem.toml"


class Settings(BaseSettings):
    """What the operator has chosen; an empty text means "not set"."""

    model_config = SettingsConfigDict(env_prefix="PBEM_", extra="forbid", env_ignore_empty=True)

    address: str = ""
    database_url: str = "sqlite:///pbem.db"
    imap_url: str = Field(default="", repr=False)
    smtp_url: str = Field(default="", repr=False)
    secret: str = Field(default="", repr=False)
    operator: str = ""
    archive_dir: str = ""
    archive_url: str = ""
    authserv_id: str = ""
    unsubscribe_url: str = ""
    poll_seconds: int = 60
    salt_hours: int = 24

    @field_validator("address", "operator")
    @classmethod
    def _is_address(cls, value: str) -> str:
        try:
            return normal_address(value) if value else value
        except BadInput as error:
            raise ValueError(str(error).rstrip(".")) from error

    @field_validator("secret")
    @classmethod
    def _is_long(cls, value: str) -> str:
        if value and len(value) < 16:
            raise ValueError("it must have at least 16 characters (pbem init makes one)")
        return value

    @field_validator("poll_seconds")
    @classmethod
    def _is_positive(cls, value: int) -> int:
        if not 1 <= value <= 3600:
            raise ValueError("it must lie between 1 and 3600")
        return value

    @field_validator("unsubscribe_url")
    @classmethod
    def _is_url(cls, value: str) -> str:
        if (value and not re.fullmatch(r"https://[A-Za-z0-9][!$-;=?-Z_a-z~%&+-]*", value)) or "," in value:
            raise ValueError("it must be an address that begins with https://, in plain ASCII, without , < > or #")
        return value

    @field_validator("salt_hours")
    @classmethod
    def _is_a_time(cls, value: int) -> int:
        if not 0 <= value <= 720:
            raise ValueError("it must lie between 0 and 720")
        return value

    def need(self, *names: str) -> None:
        """Make sure that the settings ``names`` are there; ConfigError says which is missing and where it goes."""
        for name in names:
            if not getattr(self, name):
                raise ConfigError(f"The setting “{name}” is missing: put it into {FILE}, or set PBEM_{name.upper()}.")


def load(path: Path | None = None) -> Settings:
    """Read the settings, from ``path`` or ``pbem.toml`` in the working directory; raises ConfigError.

    A relative SQLite file or archive directory in a settings file is meant from where that file lies.
    """
    file = path or Path(FILE)
    if path is not None and not path.is_file():
        raise ConfigError(f"There is no settings file {path}.")
    try:
        known = _known_names(file)
        settings = _reading(file)()
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is no valid TOML: {error}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is not text in UTF-8.") from error
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        raise ConfigError(_first_fault(error)) from error
    home = file.resolve().parent
    if settings.database_url == known.get("database_url") and settings.database_url.startswith("sqlite:///"):
        settings.database_url = f"sqlite:///{home / settings.database_url.removeprefix('sqlite:///')}"
    if settings.archive_dir and settings.archive_dir == known.get("archive_dir"):
        settings.archive_dir = str(home / settings.archive_dir)
    return settings


def initial(address: str) -> str:
    """Return the text of a first settings file for the service at ``address``."""
    return f"""# Settings of pbem. Every line can also come from the environment: PBEM_ADDRESS, PBEM_IMAP_URL …

# Where players write to. The mailbox must accept additions behind a plus sign: name+anything@…
address = "{address}"

# The mailbox to read and the server to send through.
# Write special characters in passwords as %40 (@), %2F (/), %3A (:), %25 (%).
imap_url = ""  # "imaps://user:password@imap.example.org/INBOX"
smtp_url = ""  # "smtps://user:password@smtp.example.org"

# Who is told when something needs a person.
operator = ""

# Proves that a reply answers a mail of ours. Keep it: with another one, replies to older mails are not recognised.
secret = "{secrets.token_urlsafe(32)}"

database_url = "sqlite:///pbem.db"
archive_dir = "archive"

# Where the archive is served, if it is: then every notice links to its match.
archive_url = ""

# The name under which your mail server writes Authentication-Results, if it does: forged mail is then passed over.
authserv_id = ""

# Where mail programs may post that a player wants no more mails, if you serve such a page: the tag of the mail is put
# behind it as ?tag=… The page has to mail the word unsubscribe to this service, as that player. Without it they write
# such a mail themselves.
unsubscribe_url = ""

# How often the mailbox is looked at, in seconds; a server that can announce mail is heard at once anyway.
poll_seconds = 60

# In games with dice: how many hours the players have, before the first lot, to mix in words of their own.
# The lots are drawn as soon as all have answered; 0 draws them at once.
salt_hours = 24
"""


def _reading(file: Path) -> type[Settings]:
    """Return Settings that also look into ``file``."""

    class FromFile(Settings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, file)

    return FromFile


def _known_names(file: Path) -> dict[str, object]:
    """Return what ``file`` sets; ConfigError for a name that is no setting, with the nearest that is."""
    if not file.is_file():
        return {}
    given = tomllib.loads(file.read_text(encoding="utf-8"))
    for name in sorted(set(given) - set(Settings.model_fields)):
        near = difflib.get_close_matches(name, Settings.model_fields, 1)
        hint = f"; did you mean “{near[0]}”?" if near else "."
        raise ConfigError(f"{file} has a line “{name}”, but there is no such setting{hint}")
    return given


def _first_fault(error: ValidationError) -> str:
    """Return one sentence for the first setting that will not do."""
    fault = error.errors()[0]
    name = str(fault["loc"][0]) if fault["loc"] else "?"
    cause = fault.get("ctx", {}).get("error", fault["msg"])
    text = f"{str(cause)[:1].lower()}{str(cause)[1:]}"
    shown = "" if name == "secret" or str(fault["input"]) in text else f" “{fault['input']}”"
    return f"The setting “{name}”{shown} will not do: {text}."
