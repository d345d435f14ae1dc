"""Redaction of logs and reports: no reply tokens, addresses, passwords, secrets, or words of players stay in them.

An address keeps its first character and its domain: ``a…@example.org``. Nor does a log hold characters that a terminal
obeys, or a line that looks like another record.
"""

import logging
import re
import traceback
from collections.abc import Callable, Iterable
from functools import cached_property

GONE = "…"
"""Replaces every redacted text."""

OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""A character that a terminal obeys instead of showing: a control, an escape, a change of the direction of writing.

And surrogates, which stand for the bytes of a file name that is not UTF-8, and cannot be printed at all.
"""

# The look behind stands after the @, so that the search jumps from one @ to the next. What ends a sentence stays.
_DOMAIN = re.compile(r"@(?<=\S@)[\w.\[\]:-]*[\w\]]")

_SHORTEST_SECRET = 6  # a shorter secret could be a part of ordinary words

_WORD = re.compile(r"\S+")
_LOGIN_WITHOUT_HOST = re.compile(r"(?<=://)(?!\[)[^/:@…]*+:(?!\d{1,5}(?:\W|$)).*", re.DOTALL)
# The line of a traceback with the error itself; its quotations may be a player's words.
_ERROR = re.compile(r"^((?: *\| )?(?:\w+\.)*[A-Z]\w*: )([^\n]+)", re.MULTILINE)
_QUOTE = re.compile(r"""(?<!\w)['"]|[“‘]""")
_LOCAL = r"[\w.!#$%&*+=?^~-]"
# Classes whose repr holds words of a player. A class that only contains one of these is covered by it.
_WORDED = (
    r"(?:Reason|Refusal|Phrase|Listed|Token|_Line|Comment|Say|FreeText|UnclearRecipient|Seed|ChooseDisplay|Reply|Step"
    r"|Decision|MatchDecision|Situation|MatchSituation|Reading|Advice|Origin|_Doubts|Notice|NoticeContent|Disposition"
    r"|InboundRecord|OutboundRecord|InboundMessage|OutboundMessage|Fetched)"
)
_CHANGES = tuple(
    (re.compile(pattern, flags), rf"\1{GONE}\2")
    for pattern, flags in (
        # SQLAlchemy adds whole rows to an error, with comments and secrets in them.
        (r"(\[parameters: )(?!…\])[^\n]*()", 0),
        # The repr of a player's words, and of fields with player seeds: from the first quotation mark on.
        (rf"(\b(?:{_WORDED}\(|(?:words|seeds?)(?:=|[\"'][ \t]{{0,3}}:))[^\n'\"]{{0,120}}['\"])(?!…)[^\n]*()", 0),
        # Values with the name of a secret, and the login commands of IMAP and SMTP.
        (
            r"""(\b\w{0,30}(?:password|passwd|secret|salt)\w{0,30}["']?[ \t]{0,3}[=:][ \t]{0,3}b?)"""
            r"""(?:'[^'\n]*+'|"[^"\n]*+"|[^\s"',;)\]}…][^\s,;)\]}…]*+)()""",
            re.IGNORECASE,
        ),
        (r"(\b(?:LOGIN|AUTH(?:ENTICATE)? [A-Z0-9-]{3,20}) )[ \t]*+(?!…)[^\n]++()", 0),
        (rf"(?<!{_LOCAL})({_LOCAL}){_LOCAL}*+(@)", 0),
        (r"""()"[^"\n@]{1,64}+"(@)""", 0),
        (
            r"()(?:\d{1,9}\.\d{1,6}\.\d{1,3}\.[a-z2-7]{10}|(?:q|dig)\.\d{1,10}\.[a-z2-7]{16})()",
            re.IGNORECASE | re.ASCII,
        ),
        # The keys of calendar feeds and of private matches.
        (r"((?:calendar|private)/\.?)[a-z2-7]{26}(?![a-z0-9])()", re.IGNORECASE | re.ASCII),
        # Texts in the form of the secrets that the service makes.
        (r"()[0-9A-Fa-f]{32,}+()", 0),
        (r"()(?<![\w-])(?=[a-z0-9_-]*+[A-Z])(?=[A-Z0-9_-]*+[a-z])(?=[A-Za-z_-]*+\d)[A-Za-z0-9_-]{40,}+()", re.ASCII),
    )
)


def redacted(text: str, secrets: Iterable[str] = ()) -> str:
    """Return ``text`` redacted, for a log or an email to the operator; every one of ``secrets`` is taken out, too."""
    for secret in sorted(set(secrets), key=len, reverse=True):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, GONE)
    text = _ERROR.sub(_remove_quotations, text)
    text = _WORD.sub(_remove_login, text) if "://" in text else text
    for pattern, replacement in _CHANGES:
        text = pattern.sub(replacement, text)
    return text


def redacted_trace(error: BaseException, secrets: Iterable[str] = ()) -> str:
    """Return the redacted traceback of ``error``."""
    return redacted("".join(traceback.format_exception(error)), secrets)


class Redacting(logging.Filter):
    """A logging filter that redacts every record; on a handler it also redacts the records of libraries.

    ``secrets`` is called for the first record, since the settings may not be read before.
    """

    def __init__(self, secrets: Callable[[], Iterable[str]] = tuple) -> None:
        super().__init__()
        self._load_secrets = secrets

    @cached_property
    def _secrets(self) -> tuple[str, ...]:
        return tuple(self._load_secrets())

    def filter(self, record: logging.LogRecord) -> bool:
        """Redact the message, the traceback and the stack of ``record``; return True, so that it is logged."""
        try:
            message = record.getMessage()
        except Exception:  # for a wrong placeholder, logging itself would print the unredacted arguments
            message = str(record.msg)
        record.msg, record.args = _on_one_line(redacted(message, self._secrets)), ()
        if record.exc_info and record.exc_info[1] and not record.exc_text:
            record.exc_text = _indented(redacted_trace(record.exc_info[1], self._secrets).rstrip("\n"))
        elif record.exc_text:
            record.exc_text = _indented(redacted(record.exc_text, self._secrets))
        if record.stack_info:
            record.stack_info = _indented(redacted(record.stack_info, self._secrets))
        return True


def without_domains(text: str) -> str:
    """Return ``text`` for outsiders: the domain is cut off every address."""
    return _DOMAIN.sub(f"@{GONE}", text)


def _on_one_line(text: str) -> str:
    """Return ``text`` without line ends, and without characters that a terminal obeys."""
    return text if text.isprintable() else OBEYED.sub("\ufffd", " ".join(text.splitlines()))


def _indented(trace: str) -> str:
    """Return the lines of a traceback, none of which can be taken for a record of its own: an error may hold any."""
    return "  " + OBEYED.sub("\ufffd", trace).replace("\n", "\n  ")


def _remove_quotations(found: re.Match[str]) -> str:
    """Return the line of an error without its quotations, from the first quotation mark to the last."""
    kind, text = found.groups()
    if start := _QUOTE.search(text):
        end = max(text.rfind(mark) for mark in "'\"”’")
        text = text[: start.end()] + GONE + (text[end:] if end >= start.end() else "")
    return kind + text


def _remove_login(found: re.Match[str]) -> str:
    """Return a word without the user name and password of a URL in it, whatever characters they have."""
    word = found[0]
    if "://" not in word:
        return word
    start, end = word.find("://") + 3, word.rfind("@")
    if end >= start:
        return word[:start] + GONE + word[end:]
    return _LOGIN_WITHOUT_HOST.sub(GONE, word)
