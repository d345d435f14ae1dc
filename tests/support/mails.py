"""Emails as tests write and read them."""

import email
import email.policy
import re
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from functools import lru_cache

_POLICY = email.policy.default.clone(header_factory=lru_cache(4096)(HeaderRegistry()))
"""Python's strictest; it would parse a header anew each time that somebody looks at it."""


def read(raw: bytes) -> EmailMessage:
    """Return an email as Python's strictest reader sees it."""
    return email.message_from_bytes(raw, policy=_POLICY)


def text_of(mail: EmailMessage) -> str:
    """Return the plain text of an email."""
    return _content(mail, "plain")


def html_of(mail: EmailMessage) -> str:
    """Return the HTML of an email, with its characters instead of references to those that are not ASCII."""
    return refer_to_none(_content(mail, "html"))


def refer_to_none(html: str) -> str:
    """Return HTML with its characters instead of references to those that are not ASCII."""
    return re.sub(r"&#(\d{3,});", lambda found: chr(int(found[1])), html)


def _content(mail: EmailMessage, kind: str) -> str:
    """Return what the text part of this kind holds, lines ended by a line feed."""
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def message(text: str = "", **headers: str) -> bytes:
    """Return a raw email; ``_`` in the name of a header stands for ``-``."""
    head = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in headers.items())
    return f"{head}\n{text}\n".encode()


def without_nonce(match: int) -> str:
    """Return the nonce of tokens that were signed without one, whichever match they name."""
    return ""
