"""The settings: their names, what each is unless the operator chooses, and which values are wrong."""

import re
import shlex
from ipaddress import ip_address
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, PrivateAttr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from pbem.errors import BadInput, ConfigError
from pbem.mail.compose import UNNAMED, NewMatches
from pbem.mail.headers import normal_address
from pbem.mail.names import may_be_service
from pbem.settings.budgets import WANTED, read_budget
from pbem.settings.lmtp_place import LAST_PORT, read_lmtp_place
from pbem.settings.secret import find_weakness

FILE = "pbem.toml"
TOKEN_OF = {"imap_token": "imap_url", "smtp_token": "smtp_url"}
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


def _page_beneath(archive: str) -> str:
    """Return the address of the page for unsubscribing that the archive's web server passes on."""
    return f"{archive.rstrip('/')}/unsubscribe"


class Settings(BaseSettings):
    """The settings of the service, as the operator chose them; an empty text means "not set"."""

    model_config = SettingsConfigDict(
        env_prefix="PBEM_", extra="forbid", env_ignore_empty=True, hide_input_in_errors=True
    )

    address: str = ""
    name: str = UNNAMED
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
    robots: Literal["off", "1", "2", "3"] = "2"
    robot_matches: int = 3
    robot_seconds: int = 120
    log_format: Literal["text", "json"] = "text"
    metrics_listen: str = ""
    lmtp_listen: str = ""
    unsubscribe_listen: str = ""

    _private_file: Path | None = PrivateAttr(default=None)

    @field_validator("address")
    @classmethod
    def _leaves_room(cls, value: str) -> str:
        if len(value.partition("@")[0].strip()) > _LONGEST_LOCAL_PART:
            raise ValueError(f"before the @ it may have {_LONGEST_LOCAL_PART} characters, since reply tokens are added")
        return value

    @field_validator("name")
    @classmethod
    def _may_be_name(cls, value: str) -> str:
        if not may_be_service(value):
            raise ValueError("it must be a name of at most 30 characters, with a letter, and no brackets, @ or : in it")
        return value

    @field_validator("address", "operator")
    @classmethod
    def _is_address(cls, value: str, info: ValidationInfo) -> str:
        if ":" in value:  # a login or a URL in the wrong line, which is not shown
            raise ValueError("it is not an email address; one looks like ann@example.org")
        try:
            address = normal_address(value) if value else value
        except BadInput as error:
            raise ValueError(str(error).rstrip(".")) from error
        if address.startswith('"') and info.field_name == "address":  # many programs spoil it, and replies with it
            raise ValueError("it must not need quotation marks before the @, since replies are to find their way to it")
        return address

    @field_validator(*TOKEN_OF)
    @classmethod
    def _is_command(cls, value: str, info: ValidationInfo) -> str:
        try:
            readable = not value or bool(shlex.split(value))
        except ValueError:
            readable = False
        if not readable:
            raise ValueError("it must be a command that prints an access token, and its quotation marks must match")
        server = TOKEN_OF[info.field_name or ""]
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
        weakness = find_weakness(value, info.data.get("address") or "") if value else ""
        if weakness:
            raise ValueError(weakness)
        return value

    @field_validator("archive_dir")
    @classmethod
    def _is_directory(cls, value: str) -> str:
        if "://" in value:
            raise ValueError("it must be a directory on this machine, not a URL")
        return value

    @field_validator("about_file")
    @classmethod
    def _may_be_published(cls, value: str) -> str:
        if value and not value.endswith((".md", ".txt")):
            raise ValueError("it must be a text file of its own, ending in .md or .txt, since everybody may read it")
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

    @field_validator("metrics_listen", "unsubscribe_listen")
    @classmethod
    def _is_place_to_listen(cls, value: str) -> str:
        host, _, port = value.rpartition(":")
        try:
            is_place = not value or bool(ip_address(host.strip("[]")) and 1 <= int(port) <= LAST_PORT)
        except ValueError:
            is_place = False
        if not is_place:
            raise ValueError("it must be a numeric address and a port, such as 127.0.0.1:9464")
        return value

    @field_validator("unsubscribe_listen")
    @classmethod
    def _has_secure_page(cls, value: str, info: ValidationInfo) -> str:
        urls = info.data.get("unsubscribe_url") or _page_beneath(info.data.get("archive_url") or "")
        if value and not _UNSUBSCRIBE.fullmatch(urls):
            raise ValueError("email programs reach it by https alone: let archive_url begin with https://")
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
