"""Finds an address in whatever an email may be: as it is written, encoded, tagged, or between tags of HTML; pure."""

import re
from binascii import Error as BadEncoding
from binascii import a2b_base64, a2b_qp
from collections.abc import Collection, Iterator
from html import unescape

from pbem.mail.headers import mailbox_of

STRUCK = "…"
"""What stands where an address stood."""

_AT = r"(?:@|%40|=40|&#0*64;|&#x0*40;|&commat;)"
_BASE64 = re.compile(rb"(?:^[ \t>]*[A-Za-z0-9+/]{2,}={0,2}[ \t]*\r?(?:\n|\Z))+", re.MULTILINE)
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
_WORD = re.compile(rb"=\?[^?\s]{1,40}\?([bq])\?([^?]*)\?=", re.IGNORECASE)  # RFC 2047
_BETWEEN_WORDS = re.compile(rb"(?<=\?=)\s+(?==\?)")
_TAG = re.compile(r"<[^<>]*>")
_DEEPEST = 3  # encodings within encodings


class AddressTraces:
    """The addresses of one person, with whatever stands behind a plus sign in them; none of those of ``others``."""

    def __init__(self, emails: Collection[str], others: Collection[str] = ()) -> None:
        self._others = frozenset(others)
        self.mailboxes = frozenset(mailbox_of(email) for email in emails)
        parts = [mailbox.rpartition("@") for mailbox in sorted(self.mailboxes)]
        ends = r"(?![\w-]|\.\w)"
        called = "|".join(
            rf"{re.escape(local)}(?:(?:\+|%2B)[^\s@<>\"',;%]*)?{_AT}{re.escape(domain)}" for local, _, domain in parts
        )
        self._address = re.compile(rf"(?<![\w.+-])(?:{called}){ends}", re.IGNORECASE | re.ASCII)
        between = r"(?:[\W_]+\w+)?[\W_]+(?:40|64)?"
        words = "|".join(f"{_in_words(local)}{between}{_in_words(domain)}" for local, _, domain in parts)
        self._words = re.compile(rf"(?<![A-Za-z0-9])(?:{words})(?![A-Za-z0-9])", re.IGNORECASE | re.ASCII)
        self._hints = [(_longest_word(local), _longest_word(domain)) for local, _, domain in parts]
        self.hints = frozenset(local for local, _ in self._hints)

    def strike(self, text: str) -> str:
        """Return a text with a sign in the place of each address."""
        return self._address.sub(lambda found: found[0] if found[0].lower() in self._others else STRUCK, text)

    def strike_words(self, words: str) -> str:
        """Return words without signs, as replies are compared with them, without those of each address."""
        return self._words.sub("|", words)

    def are_in_words(self, words: bytes) -> bool:
        """Return whether any of the addresses stands in words without signs."""
        text = words.decode("utf-8", "replace")
        return any(domain in text.lower() for _, domain in self._hints) and self._words.search(text) is not None

    def are_in(self, raw: bytes) -> bool:
        """Return whether any of the addresses stands in an email, or a part of one, in whatever encoding."""
        return any(self._stand_in(content) for content in _decoded(raw, _DEEPEST))

    def _stand_in(self, content: bytes) -> bool:
        """Return whether any of them stands in a text, in UTF-8, or with zeros between the letters (UTF-16)."""
        text = content.replace(b"\0", b"").decode("utf-8", "replace")
        lowered = text.lower()
        if not any(local in lowered and domain in lowered for local, domain in self._hints):
            return False
        return any(self.strike(one) != one for one in (text, unescape(_TAG.sub("", text))))


def _longest_word(part: str) -> str:
    """Return the longest row of letters and digits of a part of an address, which stands in it however it is written.

    It does not have the last label of a domain, which stands everywhere.
    """
    return max(re.split(r"[\W_]", part.rpartition(".")[0] or part, flags=re.ASCII), key=len)


def _in_words(part: str) -> str:
    """Return the pattern of a part of an address whose signs may be any, or left out."""
    return r"[\W_]+".join(re.escape(word) for word in re.split(r"[\W_]+", part, flags=re.ASCII) if word)


def _decoded(raw: bytes, depth: int) -> Iterator[bytes]:
    """Yield an email as it is, and decoded in every way that it may be encoded in, as far as it says so."""
    yield raw
    if not depth:
        return
    if b"=" in raw:
        if (plain := a2b_qp(raw)) != raw:
            yield plain
        if b"=?" in raw:
            yield _WORD.sub(_decode_word, _BETWEEN_WORDS.sub(b"", raw))
    for found in _BASE64.finditer(raw) if b"base64" in raw.lower() else ():
        packed = _NOT_BASE64.sub(b"", found[0])
        end = len(packed) - (len(packed) % 4 == 1)  # such a letter says nothing, and stops the decoding
        yield from _decoded(a2b_base64(packed[:end] + b"=="), depth - 1)


def _decode_word(found: re.Match[bytes]) -> bytes:
    """Return what an encoded word of a field says; the word itself where it is damaged."""
    try:
        return a2b_base64(found[2] + b"==") if found[1].lower() == b"b" else a2b_qp(found[2], header=True)
    except BadEncoding:
        return found[0]
