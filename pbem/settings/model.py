"""The settings: their names, what each is unless the operator chooses, and which values are wrong."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from pbem.errors import BadInput, ConfigError
from pbem.mail.headers import normal_address
from pbem.mail.names import UNNAMED, NewMatches, may_be_service
from pbem.settings.budgets import WANTED, read_budget
from pbem.settings.lmtp_place import LAST_PORT, read_lmtp_place
from pbem.settings.secret import find_weakness
from pbem.settings.webhooks import Webhook, read_webhooks

FILE = "pbem.toml"
TOKENS = ("imap_token", "smtp_token")
_LONGEST_ABOUT = 50_000  # characters of a page
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
_HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?"
_PATH = r"(?:/[A-Za-z0-9._~!$&()*+;=:@%/-]*)?"
_ARCHIVE = re.compile(rf"https?://{_HOST}{_PATH}")
_UNSUBSCRIBE = re.compile(rf"https://{_HOST}{_PATH}(?:\?[A-Za-z0-9._~!$&()*+;=:@%/?-]*)?")

Authentication = Literal["required", "if-present", "off"]
"""How much the findings of our own mail server about a sender (RFC 8601) decide."""

Robots = Literal["off", "1", "2", "3"]
LogFormat = Literal["text", "json"]


class WrongSetting(ValueError):
    """The ``value`` of the setting ``name`` is wrong; the text says why, and may not be shown with it."""

    def __init__(self, name: str, value: object, why: str) -> None:
        super().__init__(why)
        self.name = name
        self.value = value


@dataclass
class Settings:
    """The settings of the service, as the operator chose them; an empty text means "not set". Raise WrongSetting."""

    address: str = ""
    name: str = UNNAMED
    database_url: str = field(default="sqlite:///pbem.db", repr=False)
    imap_url: str = field(default="", repr=False)
    imap_token: str = field(default="", repr=False)
    smtp_url: str = field(default="", repr=False)
    smtp_token: str = field(default="", repr=False)
    secret: str = field(default="", repr=False)
    smtp_budget: str = ""
    operator: str = ""
    archive_dir: str = ""
    archive_url: str = ""
    about_file: str = ""
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
    robots: Robots = "2"
    robot_matches: int = 3
    robot_seconds: int = 120
    log_format: LogFormat = "text"
    metrics_listen: str = ""
    lmtp_listen: str = ""
    unsubscribe_listen: str = ""
    webhooks: tuple[Webhook, ...] = field(default=(), repr=False)

    _private_file: Path | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for one in fields(self):
            if (value := getattr(self, one.name)) != one.default:
                try:
                    setattr(self, one.name, _read(one.name, one.default, value, self))
                except ValueError as error:
                    raise WrongSetting(one.name, value, str(error)) from None  # which may show the value

    @property
    def private_file(self) -> Path | None:
        """The file that these settings were read from, if the secret or a password stands in it."""
        return self._private_file

    def read_about(self) -> str:
        """Return what the host has written about themselves, in Markdown; "" where no file is named. Raise OSError."""
        if not self.about_file:
            return ""
        return Path(self.about_file).read_text("utf-8", "replace").strip()[:_LONGEST_ABOUT]

    @property
    def unsubscribe_page(self) -> str:
        """The address of the page for one-click unsubscribing, which email programs post to; empty without one."""
        return self.unsubscribe_url or (_page_beneath(self.archive_url) if self.unsubscribe_listen else "")

    @property
    def strongest_robot(self) -> int:
        """The strength that a robot may have; 0 for no robots."""
        return 0 if self.robots == "off" else int(self.robots)

    def require(self, *names: str) -> None:
        """Raise ConfigError, which says where to put it, for the first of the settings ``names`` that is missing."""
        for name in names:
            if not getattr(self, name):
                raise ConfigError(f"The setting “{name}” is missing: add it to {FILE}, or set PBEM_{name.upper()}.")


def _leaves_room(value: str, settings: "Settings") -> None:
    """Check that a reply token fits behind the local part."""
    if len(value.partition("@")[0].strip()) > _LONGEST_LOCAL_PART:
        raise ValueError(f"before the @ it may have {_LONGEST_LOCAL_PART} characters, since reply tokens are added")


def _may_be_name(value: str, settings: "Settings") -> None:
    """Check that it is a name that emails can bear."""
    if not may_be_service(value):
        raise ValueError("it must be a name of at most 30 characters, with a letter, and no brackets, @ or : in it")


def _is_address(value: str, settings: "Settings") -> str:
    """Return an email address in its usual form."""
    if ":" in value:  # a login or a URL in the wrong line, which is not shown
        raise ValueError("it is not an email address; one looks like ann@example.org")
    try:
        return normal_address(value) if value else value
    except BadInput as error:
        raise ValueError(str(error).rstrip(".")) from error


def _needs_no_quotes(value: str, settings: "Settings") -> None:
    """Check that the local part is plain."""
    if value.startswith('"'):  # many programs spoil it, and replies with it
        raise ValueError("it must not need quotation marks before the @, since replies are to find their way to it")


def _is_command(server: str, value: str, settings: "Settings") -> None:
    """Check that a token can be asked for, and that its server has a user and no password."""
    try:
        readable = not value or bool(shlex.split(value))
    except ValueError:
        readable = False
    if not readable:
        raise ValueError("it must be a command that prints an access token, and its quotation marks must match")
    try:
        url = urlsplit(getattr(settings, server))
    except ValueError:  # which is told when it is used
        return
    if value and url.password is not None:
        raise ValueError(f"there is a password in {server} too: leave one of them out")
    if value and url.hostname and not url.username:
        raise ValueError(f"{server} must name the user: write games%40example.org@ before its host")


def _is_budget(value: str, settings: "Settings") -> None:
    """Check that it is a budget."""
    try:
        read_budget(value)
    except BadInput:
        raise ValueError(WANTED) from None  # without the value, which may be a login in the wrong line


def _is_hard_to_guess(value: str, settings: "Settings") -> None:
    """Check that nobody guesses the secret."""
    weakness = find_weakness(value, settings.address) if value else ""
    if weakness:
        raise ValueError(weakness)


def _is_directory(value: str, settings: "Settings") -> None:
    """Check that it is a path."""
    if "://" in value:
        raise ValueError("it must be a directory on this machine, not a URL")


def _may_be_published(value: str, settings: "Settings") -> None:
    """Check that the file is a text for everybody."""
    if value and not value.endswith((".md", ".txt")):
        raise ValueError("it must be a text file of its own, ending in .md or .txt, since everybody may read it")


def _is_page(value: str, settings: "Settings") -> None:
    """Check that it is a page of the Web."""
    if value and not _ARCHIVE.fullmatch(value):
        raise ValueError(
            "it must begin with https:// or http:// and the name of a host, in plain ASCII, without a password,"
            " quotation marks, spaces, ? or #"
        )


def _is_secure_page(value: str, settings: "Settings") -> None:
    """Check that it is a page of the Web that nobody changes on its way."""
    if value and not _UNSUBSCRIBE.fullmatch(value):
        raise ValueError(
            "it must begin with https:// and the name of a host, in plain ASCII, without a password, quotation"
            " marks, spaces, commas or #"
        )


def _page_beneath(archive: str) -> str:
    """Return the address of the page for unsubscribing that the archive's web server passes on."""
    return f"{archive.rstrip('/')}/unsubscribe"


def _has_secure_page(value: str, settings: "Settings") -> None:
    """Check that email programs can reach what listens there."""
    if value and not _UNSUBSCRIBE.fullmatch(settings.unsubscribe_url or _page_beneath(settings.archive_url)):
        raise ValueError("email programs reach it by https alone: let archive_url begin with https://")


def _is_server_name(value: str, settings: "Settings") -> None:
    """Check that it may be the name of a server."""
    if not value.isascii() or re.search(r"[;\"()<>\x00-\x20\x7f]", value):
        raise ValueError("it must be one word in plain ASCII, such as mx.example.org")


def _is_place_to_listen(value: str, settings: "Settings") -> None:
    """Check that it is an address of this machine and a port."""
    host, _, port = value.rpartition(":")
    try:
        is_place = not value or bool(ip_address(host.strip("[]")) and 1 <= int(port) <= LAST_PORT)
    except ValueError:
        is_place = False
    if not is_place:
        raise ValueError("it must be a numeric address and a port, such as 127.0.0.1:9464")


def _is_place_for_lmtp(value: str, settings: "Settings") -> None:
    """Check that LMTP can be spoken there."""
    read_lmtp_place(value)


def _knows_whose_findings(value: str, settings: "Settings") -> None:
    """Check that findings are required of nobody unnamed."""
    if value == "required" and not settings.authserv_id:
        raise ValueError("without authserv_id every message would be refused: set authserv_id too")


def _is_within_bounds(least: int, most: int, value: int, settings: "Settings") -> None:
    """Check a number."""
    if not least <= value <= most:
        raise ValueError(f"it must be between {least} and {most}")


def _read(name: str, default: object, value: object, settings: "Settings") -> object:
    """Return a value as a setting has it, read from a text where it is a number. Raise ValueError."""
    if name == "webhooks":
        return read_webhooks(value)
    if isinstance(default, int):
        try:
            value = int(value) if isinstance(value, int | str) else None
        except ValueError:
            value = None
        if value is None:
            raise ValueError("it must be a whole number")
    elif name == "robots" and type(value) is int:
        value = str(value)
    elif not isinstance(value, str):
        raise ValueError("it must be a text, in quotation marks")
    if name in _CHOICES and value not in _CHOICES[name]:
        *others, last = _CHOICES[name]
        raise ValueError(f"it must be {', '.join(others)} or {last}")
    for check in _CHECKS.get(name, ()):
        found = check(value, settings)
        value = value if found is None else found
    return value


_CHOICES: Mapping[str, tuple[str, ...]] = {
    "authentication": get_args(Authentication),
    "new_matches": get_args(NewMatches),
    "robots": get_args(Robots),
    "log_format": get_args(LogFormat),
}

_CHECKS: Mapping[str, Sequence[Callable[[Any, "Settings"], str | None]]] = {
    "address": (_leaves_room, _is_address, _needs_no_quotes),
    "name": (_may_be_name,),
    "imap_token": (partial(_is_command, "imap_url"),),
    "smtp_token": (partial(_is_command, "smtp_url"),),
    "secret": (_is_hard_to_guess,),
    "smtp_budget": (_is_budget,),
    "operator": (_is_address,),
    "archive_dir": (_is_directory,),
    "archive_url": (_is_page,),
    "about_file": (_may_be_published,),
    "authserv_id": (_is_server_name,),
    "unsubscribe_url": (_is_secure_page,),
    "authentication": (_knows_whose_findings,),
    "metrics_listen": (_is_place_to_listen,),
    "lmtp_listen": (_is_place_for_lmtp,),
    "unsubscribe_listen": (_is_place_to_listen, _has_secure_page),
    **{name: (partial(_is_within_bounds, *bounds),) for name, bounds in _BOUNDS.items()},
}
"""What is checked of the values of settings, in this order; settings that stand before them are checked by then."""
