"""Reading the settings from ``pbem.toml`` and the environment (``PBEM_ADDRESS`` …), which takes precedence."""

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pbem.errors import ConfigError
from pbem.settings.model import FILE, TOKENS, Settings, WrongSetting

_WITH_PASSWORDS = ("database_url", "imap_url", "smtp_url")
_HIDDEN = frozenset({"secret", "webhooks", *_WITH_PASSWORDS, *TOKENS})


def load(path: Path | None = None) -> Settings:
    """Read the settings from ``path``, or from ``pbem.toml`` in the working directory. Raise ConfigError.

    A relative path of the SQLite file, the archive directory or the file about the host starts at the directory of the
    settings file.
    """
    file = path or Path(FILE)
    if path is not None and not path.is_file():
        raise ConfigError(f"There is no settings file {path}.")
    try:
        known = _known_names(file)
        settings = Settings(**known | _read_environment())
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is not valid TOML: {error}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is not UTF-8 text.") from error
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}.") from error
    except WrongSetting as error:
        raise ConfigError(_describe(error)) from None  # which would show the values
    if known.get("secret") or known.get("webhooks") or any(map(_has_password, map(known.get, _WITH_PASSWORDS))):
        settings._private_file = file
    home = file.resolve().parent
    if settings.database_url == known.get("database_url") and settings.database_url.startswith("sqlite:///"):
        settings.database_url = f"sqlite:///{home / settings.database_url.removeprefix('sqlite:///')}"
    for name in ("archive_dir", "about_file"):
        if (path_there := getattr(settings, name)) and path_there == known.get(name):
            setattr(settings, name, str(home / path_there))
    return settings


def settings_of(values: Mapping[str, str]) -> Settings:
    """Return settings of which only these ``values`` are said. Raise ConfigError for the first that is wrong."""
    try:
        return Settings(**values)  # type: ignore[arg-type]  # texts alone, and a validator for each
    except WrongSetting as error:
        raise ConfigError(_describe(error)) from None  # which would show the values


def setting_names() -> list[str]:
    """Return the names of all settings."""
    return [one.name for one in fields(Settings) if one.init]


def _read_environment() -> dict[str, Any]:
    """Return the values in the environment; an empty one says nothing."""
    given = {name.lower(): value for name, value in os.environ.items() if value}
    return {name: given[f"pbem_{name}"] for name in setting_names() if f"pbem_{name}" in given}


def _known_names(file: Path) -> dict[str, Any]:
    """Return the values in ``file``. Raise ConfigError for an unknown name, with the most similar setting."""
    if not file.is_file():
        return {}
    given = tomllib.loads(file.read_text(encoding="utf-8"))
    for name in sorted(set(given) - set(known := setting_names())):
        near = difflib.get_close_matches(name, known, 1)
        hint = f"; did you mean “{near[0]}”?" if near else "."
        raise ConfigError(f"{file} has a line “{name}”, but there is no such setting{hint}")
    return given


def _describe(error: WrongSetting) -> str:
    """Return a sentence about an invalid setting; a value that may hold a password is not shown."""
    text, value = str(error), error.value
    text = f"{text[:1].lower()}{text[1:]}"
    hidden = error.name in _HIDDEN or not isinstance(value, str | int | float) or re.search("://|:.*@", str(value))
    shown = "" if hidden or str(value) in text else f" (“{value}”)"
    return f"The setting “{error.name}”{shown} is wrong: {text}."


def _has_password(url: object) -> bool:
    """Return whether there is a password in the value of a setting; True where that cannot be told."""
    try:
        return (isinstance(url, str) and "password" in url) or urlsplit(str(url or "")).password is not None
    except ValueError:
        return True
