"""The settings, from ``pbem.toml`` and the environment (``PBEM_ADDRESS`` …), which takes precedence."""

import difflib
import json
import re
import secrets
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, PrivateAttr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from pbem.budgets import WANTED, read_budget
from pbem.errors import BadInput, ConfigError
from pbem.mail import NewMatches, normal_address

FILE = "pbem.toml"
_LONGEST_LOCAL_PART = 30  # characters: with a plus sign and a token behind it, 64 are allowed (RFC 5321, 4.5.3.1.1)
_BOUNDS = {
    "poll_seconds": (1, 3600),
    "salt_hours": (0, 720),
    "token_days": (7, 3650),
    "keep_inbound_days": (1, 3650),
    "keep_outbound_days": (0, 3650),
    "vacation_days": (0, 366),
    "unsend_minutes": (0, 60),
    "robot_matches": (1, 1000),
    "robot_seconds": (5, 3600),
}

# What stood as the secret in an example that was published: whoever has read it can sign.
_PUBLISHED = frozenset({"putsomethinglongandrandomhere"})
_SHORTEST_SECRET, _FEWEST_CHARACTERS = 16, 6
_IN_ORDER = ("qwertyuiopasdfghjklzxcvbnm", "qwertzuiopasdfghjklyxcvbnm", "azertyuiopqsdfghjklmwxcvbn")
_RUNS = (*_IN_ORDER, "abcdefghijklmnopqrstuvwxyz", "01234567890", "09876543210")
_SHORTEST_RUN, _FEWEST_OF_ITS_OWN = 4, 7
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "admin change default example games hello key letmein login master me my pass passwd password pbem please"
        " private secret secure server test token user welcome your",
    )
)
_MAKE_A_SECRET = (
    "python3 -c 'import secrets; print(secrets.token_urlsafe(32))' prints a new one (“pbem init” writes one by itself)"
)
_WITH_PASSWORDS = ("database_url", "imap_url", "smtp_url")
_TOKEN_OF = {"imap_token": "imap_url", "smtp_token": "smtp_url"}
_HIDDEN = frozenset({"secret", *_WITH_PASSWORDS, *_TOKEN_OF})
_HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?"
_PATH = r"(?:/[A-Za-z0-9._~!$&()*+;=:@%/-]*)?"
_ARCHIVE = re.compile(rf"https?://{_HOST}{_PATH}")
_LAST_PORT = 65_535
_LMTP_SOCKET = re.compile(r"(/[^\s\0]+)(?: +0?([0-7]{3}))?")
_UNSUBSCRIBE = re.compile(rf"https://{_HOST}{_PATH}(?:\?[A-Za-z0-9._~!$&()*+;=:@%/?-]*)?")

Authentication = Literal["required", "if-present", "off"]
"""How much the findings of our own mail server about a sender (RFC 8601) decide."""


class Settings(BaseSettings):
    """The settings of the service, as the operator chose them; an empty text means "not set"."""

    model_config = SettingsConfigDict(
        env_prefix="PBEM_", extra="forbid", env_ignore_empty=True, hide_input_in_errors=True
    )

    address: str = ""
    database_url: str = Field(default="sqlite:///pbem.db", repr=False)
    imap_url: str = Field(default="", repr=False)
    imap_token: str = Field(default="", repr=False)
    smtp_url: str = Field(default="", repr=False)
    smtp_token: str = Field(default="", repr=False)
    secret: str = Field(default="", repr=False)
    smtp_budget: str = ""
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
    vacation_days: int = 30
    new_matches: NewMatches = "invited"
    unsend_minutes: int = 0
    robots: Literal["off", "1", "2", "3"] = "2"
    robot_matches: int = 3
    robot_seconds: int = 120
    log_format: Literal["text", "json"] = "text"
    metrics_listen: str = ""
    lmtp_listen: str = ""

    _private_file: Path | None = PrivateAttr(default=None)

    @field_validator("address")
    @classmethod
    def _leaves_room(cls, value: str) -> str:
        if len(value.partition("@")[0].strip()) > _LONGEST_LOCAL_PART:
            raise ValueError(f"before the @ it may have {_LONGEST_LOCAL_PART} characters, since reply tokens are added")
        return value

    @field_validator("address", "operator")
    @classmethod
    def _is_address(cls, value: str) -> str:
        if ":" in value:  # a login or a URL in the wrong line, which is not shown
            raise ValueError("it is not an email address; one looks like ann@example.org")
        try:
            return normal_address(value) if value else value
        except BadInput as error:
            raise ValueError(str(error).rstrip(".")) from error

    @field_validator(*_TOKEN_OF)
    @classmethod
    def _is_command(cls, value: str, info: ValidationInfo) -> str:
        try:
            readable = not value or bool(shlex.split(value))
        except ValueError:
            readable = False
        if not readable:
            raise ValueError("it must be a command that prints an access token, and its quotation marks must match")
        server = _TOKEN_OF[info.field_name or ""]
        try:
            url = urlsplit(info.data.get(server) or "")
        except ValueError:  # which is told when it is used
            return value
        if value and url.password is not None:
            raise ValueError(f"there is a password in {server} too: leave one of them out")
        if value and url.hostname and not url.username:
            raise ValueError(f"{server} must name the user: write games%40example.org@ before its host")
        return value

    @field_validator("smtp_budget")
    @classmethod
    def _is_budget(cls, value: str) -> str:
        try:
            read_budget(value)
        except BadInput:
            raise ValueError(WANTED) from None  # without the value, which may be a login in the wrong line
        return value

    @field_validator("secret")
    @classmethod
    def _is_hard_to_guess(cls, value: str, info: ValidationInfo) -> str:
        if value and len(value) < _SHORTEST_SECRET:
            raise ValueError(f"it must have at least {_SHORTEST_SECRET} characters; {_MAKE_A_SECRET}")
        if _plain(value) in _PUBLISHED:
            raise ValueError(f"it comes from an example that everyone can read; {_MAKE_A_SECRET}")
        if value and (_is_guessable(value) or _is_of_common_words(value, info.data.get("address") or "")):
            raise ValueError(f"it is easy to guess; {_MAKE_A_SECRET}")
        return value

    @field_validator("archive_dir")
    @classmethod
    def _is_directory(cls, value: str) -> str:
        if "://" in value:
            raise ValueError("it must be a directory on this machine, not a URL")
        return value

    @field_validator("archive_url")
    @classmethod
    def _is_page(cls, value: str) -> str:
        if value and not _ARCHIVE.fullmatch(value):
            raise ValueError(
                "it must begin with https:// or http:// and the name of a host, in plain ASCII, without a password,"
                " quotation marks, spaces, ? or #"
            )
        return value

    @field_validator("unsubscribe_url")
    @classmethod
    def _is_secure_page(cls, value: str) -> str:
        if value and not _UNSUBSCRIBE.fullmatch(value):
            raise ValueError(
                "it must begin with https:// and the name of a host, in plain ASCII, without a password, quotation"
                " marks, spaces, commas or #"
            )
        return value

    @field_validator("authserv_id")
    @classmethod
    def _is_server_name(cls, value: str) -> str:
        if not value.isascii() or re.search(r"[;\"()<>\x00-\x20\x7f]", value):
            raise ValueError("it must be one word in plain ASCII, such as mx.example.org")
        return value

    @field_validator("metrics_listen")
    @classmethod
    def _is_place_to_listen(cls, value: str) -> str:
        host, _, port = value.rpartition(":")
        try:
            is_place = not value or bool(ip_address(host.strip("[]")) and 1 <= int(port) <= _LAST_PORT)
        except ValueError:
            is_place = False
        if not is_place:
            raise ValueError("it must be a numeric address and a port, such as 127.0.0.1:9464")
        return value

    @field_validator("lmtp_listen")
    @classmethod
    def _is_place_for_lmtp(cls, value: str) -> str:
        read_lmtp_place(value)
        return value

    @field_validator("robots", mode="before")
    @classmethod
    def _may_be_a_number(cls, value: object) -> object:
        return str(value) if type(value) is int else value

    @field_validator("authentication")
    @classmethod
    def _knows_whose_findings(cls, value: str, info: ValidationInfo) -> str:
        if value == "required" and not info.data.get("authserv_id"):
            raise ValueError("without authserv_id every message would be refused: set authserv_id too")
        return value

    @field_validator(*_BOUNDS)
    @classmethod
    def _is_within_bounds(cls, value: int, info: ValidationInfo) -> int:
        least, most = _BOUNDS[info.field_name or ""]
        if not least <= value <= most:
            raise ValueError(f"it must be between {least} and {most}")
        return value

    @property
    def private_file(self) -> Path | None:
        """The file that these settings were read from, if the secret or a password stands in it."""
        return self._private_file

    @property
    def strongest_robot(self) -> int:
        """The strength that a robot may have; 0 for no robots."""
        return 0 if self.robots == "off" else int(self.robots)

    def require(self, *names: str) -> None:
        """Raise ConfigError, which says where to put it, for the first of the settings ``names`` that is missing."""
        for name in names:
            if not getattr(self, name):
                raise ConfigError(f"The setting “{name}” is missing: add it to {FILE}, or set PBEM_{name.upper()}.")


@dataclass(frozen=True, slots=True)
class LmtpPlace:
    """Where a mail server hands over emails by LMTP: a socket at ``path`` with a ``mode``, or a port of loopback."""

    path: str = ""
    mode: int = 0o600
    host: str = ""
    port: int = 0

    @property
    def is_open(self) -> bool:
        """Return whether every user of this machine can connect."""
        return not self.path or bool(self.mode & 0o002)

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


def read_lmtp_place(value: str) -> LmtpPlace | None:
    """Return the place that ``lmtp_listen`` names; None for an empty text. Raise ValueError."""
    if not value:
        return None
    if found := _LMTP_SOCKET.fullmatch(value):
        return LmtpPlace(found[1], int(found[2] or "600", 8))
    host, _, port = value.rpartition(":")
    try:
        if ip_address(host.strip("[]")).is_loopback and port.isascii() and 1 <= int(port) <= _LAST_PORT:
            return LmtpPlace(host=host.strip("[]"), port=int(port))
    except ValueError:
        pass
    raise ValueError("it must be a path and its mode, such as /run/pbem/lmtp 660, or a port such as 127.0.0.1:2424")


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
        raise ConfigError(f"{file} is not valid TOML: {error}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is not UTF-8 text.") from error
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        raise ConfigError(_first_fault(error)) from None  # which would show the values
    if known.get("secret") or any(map(_has_password, map(known.get, _WITH_PASSWORDS))):
        settings._private_file = file
    home = file.resolve().parent
    if settings.database_url == known.get("database_url") and settings.database_url.startswith("sqlite:///"):
        settings.database_url = f"sqlite:///{home / settings.database_url.removeprefix('sqlite:///')}"
    if settings.archive_dir and settings.archive_dir == known.get("archive_dir"):
        settings.archive_dir = str(home / settings.archive_dir)
    return settings


def make_secret() -> str:
    """Return a new secret that nobody can guess."""
    return secrets.token_urlsafe(32)


def settings_of(values: Mapping[str, str]) -> Settings:
    """Return settings of which only these ``values`` are said. Raise ConfigError for the first that is wrong."""
    try:
        return Settings(**values)  # type: ignore[arg-type]  # texts alone, and a validator for each
    except ValidationError as error:
        raise ConfigError(_first_fault(error)) from None  # which would show the values


def initial_text(address: str, **known: str) -> str:
    """Return the text of a new settings file for the service at ``address``, with the values that are ``known``."""
    lines = _INITIAL.format(address=address, secret=known.pop("secret", "") or make_secret()).splitlines()
    empty = {line.partition(" =")[0]: number for number, line in enumerate(lines) if ' = ""' in line}
    for name, value in known.items():
        lines[empty[name]] = f"{name} = {json.dumps(value)}"
    return "\n".join(lines) + "\n"


_INITIAL = """# Settings of pbem. Every line can also come from the environment: PBEM_ADDRESS, PBEM_IMAP_URL …

# The address that players write to. Its mailbox must accept subaddresses (RFC 5233): name+anything@…
address = "{address}"

# The mailbox to read and the server to send through.
# Write special characters in passwords as %40 (@), %2F (/), %3A (:), %25 (%).
# Four emails are sent at once, two with a PostgreSQL server; "?connections=1" at the end of smtp_url makes it one.
# "?envelope=plain" there is for a server that takes no envelope sender but the address above; "pbem doctor" tells.
imap_url = ""  # "imaps://user:password@imap.example.org/INBOX"
smtp_url = ""  # "smtps://user:password@smtp.example.org"

# Instead of a password in imap_url or smtp_url: a command that prints an access token (OAuth 2.0, XOAUTH2). It is run
# without a shell when a connection is made, and no more often than every 45 minutes unless a server refuses the token.
# For Microsoft: "/opt/pbem/bin/pbem login microsoft --token" after “pbem login microsoft”.
imap_token = ""
smtp_token = ""

# How many emails the server takes from you: one of "gmail" (500 a day), "workspace" (Google Workspace, 2,000 a day),
# "exchange" (Exchange Online, 30 a minute and 10,000 a day), "outlook" (Outlook.com with a subscription, 5,000 a day),
# "ionos" (the first week there, 50 an hour), or such as "30/minute 500/day"; empty for no limit. When it is short,
# emails that tell somebody to move go first.
smtp_budget = ""

# The address of the operator, who gets an email when something needs a person.
operator = ""

# Signs the reply tokens. Keep it, and show it to nobody: who knows it can write in the name of every player. With
# another secret, replies to older emails are not recognised.
secret = "{secret}"

database_url = "sqlite:///pbem.db"
archive_dir = "archive"

# The URL under which the archive is served, if it is: then every notice links to its match. A web server must be able
# to read archive_dir, and nothing else here.
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

# Days of vacation that each player has in a year: their time stands still meanwhile.
vacation_days = 30

# Who may start matches by email:
# "members"  everybody who plays here already, with others who do;
# "invited"  they may invite others by their addresses, too: each gets one email, and plays here after saying yes;
# "anybody"  and whoever writes “sign up” plays here, once their address has said yes.
new_matches = "invited"

# For so many minutes a move is held before the others are told, so that its player can take it back with “oops”. 0: not
# at all.
unsend_minutes = 0

# How strong robots may be: "1", "2" or "3"; "off": none can be asked for, and those that have a seat already wait. One
# robot thinks at a time, at the lowest priority, while “pbem run” runs.
robots = "2"

# In so many matches with robots a player can be at once.
robot_matches = 3

# The seconds that a robot may think about a move, before a weaker one takes its place for that move.
robot_seconds = 120

# The page for one-click unsubscribing (RFC 8058), if you serve one. Email programs post to it, with the reply token of
# the email as ?tag=… The page must send this service an email with the word unsubscribe, in the name of the player.
# Without such a page, email programs send this email themselves.
unsubscribe_url = ""

# The seconds between two polls of the mailbox. A server that supports IMAP IDLE announces new messages at once.
poll_seconds = 60

# In games with dice: the hours that players have to send a seed of their own (salt …) before the first roll.
# The rolls begin as soon as all players have answered; 0 begins them at once.
salt_hours = 24

# How the log is written: "text" for people, or "json", an object a line, for programs. docs/log.md tells what it says.
log_format = "text"

# Where Prometheus fetches figures, such as "127.0.0.1:9464"; empty for nowhere. They hold no addresses or names, but
# leave them to this machine. It needs the extra "metrics". deploy/prometheus has rules for alarms.
metrics_listen = ""

# Where a mail server of your own hands over emails by LMTP (RFC 2033), while “pbem run” runs: the path of a socket and
# its mode, such as "/var/spool/postfix/pbem/lmtp 660", or a port of this machine, such as "127.0.0.1:2424"; empty for
# nowhere. Whoever can connect can hand in anything.
lmtp_listen = ""
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
    """Return a sentence about the first invalid setting; a value that may hold a password is not shown."""
    fault = error.errors()[0]
    name = str(fault["loc"][0]) if fault["loc"] else "?"
    cause = str(fault.get("ctx", {}).get("error", fault["msg"]))
    text = f"{cause[:1].lower()}{cause[1:]}"
    value = fault["input"]
    hidden = name in _HIDDEN or not isinstance(value, str | int | float) or re.search("://|:.*@", str(value))
    shown = "" if hidden or str(value) in text else f" (“{value}”)"
    return f"The setting “{name}”{shown} is wrong: {text}."


def _is_guessable(secret: str) -> bool:
    """Return whether ``secret`` has few different characters, repeats itself, or runs along an alphabet or keyboard."""
    plain = re.sub(r"[\s._-]", "", secret.lower())
    steps = [ord(after) - ord(before) for before, after in pairwise(plain)]
    return (
        len(set(plain)) < _FEWEST_CHARACTERS
        or any(plain == (plain[:length] * len(plain))[: len(plain)] for length in range(1, len(plain) // 2 + 1))
        or sum(abs(step) <= 1 for step in steps) > len(steps) * 2 / 3
        or any(plain[:_SHORTEST_SECRET] in keys for keys in _IN_ORDER)
    )


def _is_of_common_words(secret: str, address: str) -> bool:
    """Return whether little is left of ``secret`` without common words, keyboard runs, years and our own address."""
    left = _find_common(address).sub("", _plain(secret))
    return len(left) < _FEWEST_OF_ITS_OWN


@cache
def _find_common(address: str) -> re.Pattern[str]:
    """Return what matches common words, those of ``address``, keyboard runs and years, the longest first."""
    words = _COMMON | set(re.findall(r"[a-z0-9]{3,}", address))
    runs = {
        run[start : start + length]
        for run in _RUNS
        for length in range(_SHORTEST_RUN, len(run) + 1)
        for start in range(len(run) - length + 1)
    }
    known = "|".join(sorted(words | runs, key=len, reverse=True))
    return re.compile(rf"{known}|(?:19|20)[0-9]{{2}}")


def _plain(secret: str) -> str:
    """Return the letters and digits of ``secret``, in lower case."""
    return re.sub(r"[\W_]", "", secret.lower())


def _has_password(url: object) -> bool:
    """Return whether there is a password in the value of a setting; True where that cannot be told."""
    try:
        return (isinstance(url, str) and "password" in url) or urlsplit(str(url or "")).password is not None
    except ValueError:
        return True
