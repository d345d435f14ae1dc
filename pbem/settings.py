"""The settings, from ``pbem.toml`` and the environment (``PBEM_ADDRESS`` …), which takes precedence."""

import difflib
import re
import secrets
import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from pbem.errors import BadInput, ConfigError
from pbem.mail import normal_address

FILE = "pbem.toml"
_BOUNDS = {
    "poll_seconds": (1, 3600),
    "salt_hours": (0, 720),
    "token_days": (7, 3650),
    "keep_inbound_days": (1, 3650),
    "keep_outbound_days": (0, 3650),
}

Authentication = Literal["required", "if-present", "off"]
"""How much the findings of our own mail server about a sender (RFC 8601) decide."""


class Settings(BaseSettings):
    """The settings of the service, as the operator chose them; an empty text means "not set"."""

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
    authentication: Authentication = "if-present"
    token_days: int = 90
    keep_inbound_days: int = 90
    keep_outbound_days: int = 14

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

    @field_validator("unsubscribe_url")
    @classmethod
    def _is_url(cls, value: str) -> str:
        if (value and not re.fullmatch(r"https://[A-Za-z0-9][!$-;=?-Z_a-z~%&+-]*", value)) or "," in value:
            raise ValueError("it must be an address that begins with https://, in plain ASCII, without , < > or #")
        return value

    @field_validator(*_BOUNDS)
    @classmethod
    def _is_within_bounds(cls, value: int, info: ValidationInfo) -> int:
        least, most = _BOUNDS[info.field_name or ""]
        if not least <= value <= most:
            raise ValueError(f"it must lie between {least} and {most}")
        return value

    def require(self, *names: str) -> None:
        """Raise ConfigError, which says where to put it, for the first of the settings ``names`` that is missing."""
        for name in names:
            if not getattr(self, name):
                raise ConfigError(f"The setting “{name}” is missing: put it into {FILE}, or set PBEM_{name.upper()}.")


def load(path: Path | None = None) -> Settings:
    """Read the settings from ``path``, or from ``pbem.toml`` in the working directory. Raise ConfigError.

    A relative path of the SQLite file or of the archive directory starts at the directory of the settings file.
    """
    file = path or Path(FILE)
    if path is not None and not path.is_file():
        raise ConfigError(f"There is no settings file {path}.")
    try:
        known = _known_names(file)
        settings = _FileSettings(**known)
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


def initial_text(address: str) -> str:
    """Return the text of a new settings file for the service at ``address``."""
    return f"""# Settings of pbem. Every line can also come from the environment: PBEM_ADDRESS, PBEM_IMAP_URL …

# The address that players write to. Its mailbox must accept subaddresses (RFC 5233): name+anything@…
address = "{address}"

# The mailbox to read and the server to send through.
# Write special characters in passwords as %40 (@), %2F (/), %3A (:), %25 (%).
# Up to four emails are sent at once; "?connections=1" at the end of smtp_url makes it one after the other.
# "?envelope=plain" there is for a server that takes no envelope sender but the address above; "pbem doctor" tells.
imap_url = ""  # "imaps://user:password@imap.example.org/INBOX"
smtp_url = ""  # "smtps://user:password@smtp.example.org"

# The address of the operator, who gets an email when something needs a person.
operator = ""

# Signs the reply tokens. Keep it: with another secret, replies to older emails are not recognised.
secret = "{secrets.token_urlsafe(32)}"

database_url = "sqlite:///pbem.db"
archive_dir = "archive"

# The URL under which the archive is served, if it is: then every notice links to its match.
archive_url = ""

# The name (authserv-id) in the Authentication-Results of your mail server (RFC 8601), if it writes them. “pbem doctor”
# tells it from the messages that have arrived.
authserv_id = ""

# What these results decide about a message that would change something:
# "required"    only a message that the mail server found authentic counts: by DMARC, or DKIM or SPF of its domain;
# "if-present"  a message that it found forged is discarded, and one without a finding counts;
# "off"         they are not looked at.
authentication = "if-present"

# The days for which a reply to an older email of a match still counts, once the match has gone on.
token_days = 90

# The days for which the bytes of messages are kept: of inbound ones after they are settled, of outbound ones after they
# are sent. What became of every message is kept for ever.
keep_inbound_days = 90
keep_outbound_days = 14

# The page for one-click unsubscribing (RFC 8058), if you serve one. Email programs post to it, with the reply token of
# the email as ?tag=… The page must send this service an email with the word unsubscribe, in the name of the player.
# Without such a page, email programs send this email themselves.
unsubscribe_url = ""

# The seconds between two polls of the mailbox. A server that supports IMAP IDLE announces new messages at once.
poll_seconds = 60

# In games with dice: the hours that players have to send a seed of their own (salt …) before the first roll.
# The rolls begin as soon as all players have answered; 0 begins them at once.
salt_hours = 24
"""


class _FileSettings(Settings):
    """Settings that are made from the values in a file; the environment takes precedence over them."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        *others: Any,
        **named: Any,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return env_settings, init_settings


def _known_names(file: Path) -> dict[str, Any]:
    """Return the values in ``file``. Raise ConfigError for an unknown name, with the most similar setting."""
    if not file.is_file():
        return {}
    given = tomllib.loads(file.read_text(encoding="utf-8"))
    for name in sorted(set(given) - set(Settings.model_fields)):
        near = difflib.get_close_matches(name, Settings.model_fields, 1)
        hint = f"; did you mean “{near[0]}”?" if near else "."
        raise ConfigError(f"{file} has a line “{name}”, but there is no such setting{hint}")
    return given


def _first_fault(error: ValidationError) -> str:
    """Return a sentence about the first invalid setting."""
    fault = error.errors()[0]
    name = str(fault["loc"][0]) if fault["loc"] else "?"
    cause = fault.get("ctx", {}).get("error", fault["msg"])
    text = f"{str(cause)[:1].lower()}{str(cause)[1:]}"
    shown = "" if name == "secret" or str(fault["input"]) in text else f" “{fault['input']}”"
    return f"The setting “{name}”{shown} will not do: {text}."
