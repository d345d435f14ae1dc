"""What all pages of the archive have in common: how they are made and written, their style and their scripts."""

import json
import os
from base64 import b64encode
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote
from uuid import uuid4

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from pbem.archive.standing import MARKED, format_moment, say
from pbem.log.redaction import without_domains
from pbem.settings.places import TEMPLATES
from rules.text import listed

_STYLE = "style.css"
_SHARED = (
    *(_STYLE, "icon.svg", "replay.js", "rolls.js", "deadlines.js", "search.js", "films.js", "grid.js", "explore.js"),
    *(f"twins/{path.name}" for path in sorted((TEMPLATES / "archive" / "twins").glob("*.js"))),
)
"""The files that pages share, among the templates; they lie beside the index."""


class Provider(NamedTuple):
    """The archive as frames name it: its title, and its address."""

    title: str
    address: str


def write_shared(directory: Path) -> int:
    """Write the style sheet and the scripts of all pages; return how many are new. Raises OSError."""
    return sum(write_if_changed(directory / name, _read_shared(name)) for name in _SHARED)


def write_style(directory: Path) -> bool:
    """Write the style sheet alone, for a page without scripts outside an archive; return whether it is new."""
    return write_if_changed(directory / _STYLE, _read_shared(_STYLE))


def write_if_changed(path: Path, content: bytes) -> bool:
    """Replace a file whose content differs, in one step, so that nobody sees half of it; return whether it did.

    Directories are made as needed. A web server can read both, whatever umask the service has. Raises OSError; then the
    old file is whole, and no temporary one is left.
    """
    with suppress(FileNotFoundError, IsADirectoryError):
        if path.read_bytes() == content:
            return False
    fresh = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        try:
            fresh.write_bytes(content)
        except FileNotFoundError:
            make_directory(path.parent)
            fresh.write_bytes(content)
        fresh.chmod(0o644)
        os.replace(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    return True


def make_directory(directory: Path) -> None:
    """Make a directory, and those above it, that everybody can read and only the owner can write to."""
    for missing in reversed([place for place in (directory, *directory.parents) if not place.exists()]):
        missing.mkdir(exist_ok=True)
        missing.chmod(0o755)


def close_listing(directory: Path) -> None:
    """Let nobody but the owner list a directory: neither another user of the machine, nor a web server for its readers.

    The file without content is for a web server that runs as the owner. Raises OSError.
    """
    write_if_changed(directory / "index.html", b"")
    if directory.stat().st_mode & 0o777 != 0o711:
        directory.chmod(0o711)


def without_addresses(text: str) -> str:
    """Return ``text`` with the domain cut off every address: a name can be one, and a comment can quote one."""
    return without_domains(text)


def address_links(page: str, address: str) -> str:
    """Return a page whose links that open an email to nobody open one to ``address``: it alone stays whole.

    No text of a player makes such a link, since quotation marks are escaped.
    """
    return page.replace('href="mailto:?', f'href="mailto:{quote(address, safe="@+")}?')


def as_json(data: object) -> Markup:
    """Return data to stand in a page between script tags: nothing in it ends them, and addresses can be cut in it."""
    return Markup(json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))


def deadline_scripts(*parts: str) -> list[str]:
    """Return the scripts of a page of these parts: one if there are moments in them that it says better."""
    return ["deadlines.js"] if any(MARKED in part for part in parts) else []


@cache
def _read_shared(name: str) -> bytes:
    """Return a file that pages share."""
    return (TEMPLATES / "archive" / name).read_bytes()


@cache
def _versioned(name: str) -> str:
    """Return the name of a shared file as pages ask for it: another one for another version, which no browser keeps."""
    return f"{name}?{sha256(_read_shared(name)).hexdigest()[:8]}"


def _hash_for_policy(text: str) -> str:
    """Return the hash by which the policy of a page allows a style within it."""
    return b64encode(sha256(text.encode()).digest()).decode()


@cache
def template(name: str) -> Template:
    """Return one of the templates of the archive, by its name."""
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    """Return what all templates share: what one of them includes is compiled once."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES / "archive"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # a template does not change while the program runs
    )
    environment.filters |= {
        "moment": format_moment,
        "listed": listed,
        "versioned": _versioned,
        "hash_for_policy": _hash_for_policy,
    }
    environment.globals |= {"_": say, "scripts": (), "root": "../", "head": "", "alone": False}
    return environment
