"""Takes out of logs and reports what is for nobody's eyes: reply tokens, addresses, passwords, secrets, what people wrote.

Of an address its first character and its domain stay: ``a…@example.org``.
"""

import logging
import re
import traceback
from collections.abc import Callable, Iterable
from functools import cached_property

GONE = "…"
"""Stands for what was taken out."""

_SHORTEST_SECRET = 6  # what is shorter would be taken out of the middle of other words

_WORD = re.compile(r"\S+")
_LOGIN_WITHOUT_HOST = re.compile(r"(?<=://)(?!\[)[^/:@…]*+:(?!\d{1,5}(?:\W|$)).*", re.DOTALL)
# The line of a traceback that says what the error is; what it quotes may be a player's words.
_ERROR = re.compile(r"^((?: *\| )?(?:\w+\.)*[A-Z]\w*: )([^\n]+)", re.MULTILINE)
_QUOTE = re.compile(r"""(?<!\w)['"]|[“‘]""")
_LOCAL = r"[\w.!#$%&*+=?^~-]"
_CHANGES = tuple(
    (re.compile(pattern, flags), rf"\1{GONE}\2")
    for pattern, flags in (
        # What SQLAlchemy adds to an error: whole rows, comments and secrets among them.
        (r"(\[parameters: )(?!…\])[^\n]*()", 0),
        # How Python shows what somebody said.
        (r"(\b(?:Comment|Step|Say|FreeText|UnclearRecipient)\([^\n'\"]{0,40}['\"])(?!…)[^\n]*()", 0),
        # What is called a secret, and what is said to a server to log in.
        (
            r"""(\b\w{0,30}(?:password|passwd|secret|salt)\w{0,30}["']?[ \t]{0,3}[=:][ \t]{0,3}b?)"""
            r"""(?:'[^'\n]*+'|"[^"\n]*+"|[^\s"',;)\]}…][^\s,;)\]}…]*+)()""",
            re.IGNORECASE,
        ),
        (r"(\b(?:LOGIN|AUTH(?:ENTICATE)? [A-Z0-9-]{3,20}) )[ \t]*+(?!…)[^\n]++()", 0),
        (rf"(?<!{_LOCAL})({_LOCAL}){_LOCAL}*+(@)", 0),
        (r"""()"[^"\n@]{1,64}+"(@)""", 0),
        (r"()\d{1,9}\.\d{1,6}\.\d{1,3}\.[a-z2-7]{10}()", re.IGNORECASE | re.ASCII),
        # What looks like a secret that the service has made.
        (r"()[0-9A-Fa-f]{32,}+()", 0),
        (r"()(?<![\w-])(?=[a-z0-9_-]*+[A-Z])(?=[A-Z0-9_-]*+[a-z])(?=[A-Za-z_-]*+\d)[A-Za-z0-9_-]{40,}+()", re.ASCII),
    )
)


def redacted(text: str, secrets: Iterable[str] = ()) -> str:
    """Return ``text`` as it may be logged, or sent to the operator; ``secrets`` are left out wherever they stand."""
    for secret in sorted(set(secrets), key=len, reverse=True):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, GONE)
    text = _ERROR.sub(_without_quotations, text)
    text = _WORD.sub(_without_login, text) if "://" in text else text
    for pattern, replacement in _CHANGES:
        text = pattern.sub(replacement, text)
    return text


def redacted_trace(error: BaseException, secrets: Iterable[str] = ()) -> str:
    """Return the traceback of ``error`` as it may be logged or kept."""
    return redacted("".join(traceback.format_exception(error)), secrets)


class Redacting(logging.Filter):
    """Lets every line of a log through, redacted; put on a handler, it sees those of all libraries too.

    ``secrets`` is asked when the first line is written: what they are may not be known before.
    """

    def __init__(self, secrets: Callable[[], Iterable[str]] = tuple) -> None:
        super().__init__()
        self._ask = secrets

    @cached_property
    def _secrets(self) -> tuple[str, ...]:
        return tuple(self._ask())

    def filter(self, record: logging.LogRecord) -> bool:
        """Redact what the record says, and the traceback that goes with it."""
        try:
            message = record.getMessage()
        except Exception:  # placeholders that do not fit: logging itself would only print a complaint, with all it has
            message = str(record.msg)
        record.msg, record.args = redacted(message, self._secrets), ()
        if record.exc_info and record.exc_info[1] and not record.exc_text:
            record.exc_text = redacted_trace(record.exc_info[1], self._secrets).rstrip("\n")
        elif record.exc_text:
            record.exc_text = redacted(record.exc_text, self._secrets)
        if record.stack_info:
            record.stack_info = redacted(record.stack_info, self._secrets)
        return True


def _without_quotations(found: re.Match[str]) -> str:
    """Return the line of an error without what it quotes, from the first quotation mark to the last."""
    kind, words = found.groups()
    if start := _QUOTE.search(words):
        end = max(words.rfind(mark) for mark in "'\"”’")
        words = words[: start.end()] + GONE + (words[end:] if end >= start.end() else "")
    return kind + words


def _without_login(found: re.Match[str]) -> str:
    """Return a word without the user name and password of the URL in it, if there is one, whatever is in them."""
    word = found[0]
    if "://" not in word:
        return word
    start, end = word.find("://") + 3, word.rfind("@")
    if end >= start:
        return word[:start] + GONE + word[end:]
    return _LOGIN_WITHOUT_HOST.sub(GONE, word)
