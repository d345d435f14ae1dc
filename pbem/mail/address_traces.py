"""Finds an address in whatever an email may be: as it is written, encoded, tagged, or between tags of HTML; pure."""

import json
import re
import unicodedata
from binascii import Error as BadEncoding
from binascii import a2b_base64, a2b_qp
from collections.abc import Collection, Iterator
from html import unescape
from urllib.parse import quote

from pbem.mail.headers import domain_of, local_of, mailbox_of, show_domain, to_address

STRUCK = "…"
"""What stands where an address stood."""

_AT = r"(?:@|＠|%40|=40|&#0*64;|&#x0*40;|&commat;)"
_BASE64 = re.compile(rb"(?:^[ \t>]*[A-Za-z0-9+/]{2,}={0,2}[ \t]*\r?(?:\n|\Z))+", re.MULTILINE)
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
_WORD = re.compile(rb"=\?[^?\s]{1,40}\?([bq])\?([^?]*)\?=", re.IGNORECASE)  # RFC 2047
_BETWEEN_WORDS = re.compile(rb"(?<=\?=)\s+(?==\?)")
_TAG = re.compile(r"<[^<>]*>")
_ENTITY = re.compile(r"&(?:#0*(\d{1,7})(?!\d)|#x0*([\da-f]{1,6})(?![\da-f])|[a-z]\w{1,31});?", re.ASCII | re.IGNORECASE)
"""A character as HTML may write it; of more digits the library makes no number, but an error."""

_ASCII = bytes(range(0x80))
_AS_READ = {0xDC00 + byte: byte for byte in range(0x80, 0x100)} | dict.fromkeys(map(ord, "…\xa0\udca0"))
"""Reads what is no UTF-8 as Latin-1, and deletes signs that stand in most emails, and for no letter or digit."""

_WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
_DEEPEST = 3  # encodings within encodings
_MOST_SIGNS = 8  # between two words of an address
_LONGEST_PLUS = 64  # characters
_SIGNS = rf"[\W_]{{1,{_MOST_SIGNS}}}"


class AddressTraces:
    """The addresses of one person, with whatever stands behind a plus sign in them; none of those of ``others``."""

    def __init__(self, emails: Collection[str], others: Collection[str] = ()) -> None:
        self._others = frozenset(others)
        self.of = frozenset(emails), self._others
        self.mailboxes = frozenset(mailbox_of(email) for email in emails)
        parts = [(local_of(one), domain) for one in sorted(self.mailboxes) for domain in _spellings(domain_of(one))]
        ends = r"(?![\w-]|\.\w)"
        called = "|".join(f"{_written_local(local)}{_AT}{_in_any_case(domain)}" for local, domain in parts)
        self._address = re.compile(rf"(?<![\w.+-])(?:{called}){ends}", re.IGNORECASE | re.ASCII)
        between = rf"(?:{_SIGNS}\w{{1,{_LONGEST_PLUS}}})?{_SIGNS}(?:40|64)?"
        words = "|".join(f"{_in_words(local)}{between}{_in_words(domain)}" for local, domain in parts)
        self._words = re.compile(rf"(?<![A-Za-z0-9])(?:{words})(?![A-Za-z0-9])", re.IGNORECASE | re.ASCII)
        self._hints = [
            (_longest_word(local), _longest_word(domain.rpartition(".")[0] or domain)) for local, domain in parts
        ]
        self._byte_hints = [(local.encode(), domain.encode()) for local, domain in self._hints]
        wide = {local.translate(_WIDE) for local, _ in self._hints}
        self.hints = frozenset({*(local for local, _ in self._hints), *wide, *(json.dumps(one)[1:-1] for one in wide)})

    def strike(self, text: str) -> str:
        """Return a text with a sign in the place of each address."""
        struck = self._address.sub(self._struck, text)
        if (plain := unicodedata.normalize("NFKC", struck)) != struck:  # as of ａｎｎ, which reads like ann
            found = self._address.sub(self._struck, plain)
            return struck if found == plain else found
        return struck

    def _struck(self, found: re.Match[str]) -> str:
        """Return what is to stand in the place of an address."""
        return found[0] if to_address(found[0]) in self._others else STRUCK

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
        """Return whether any of them stands in a text: in UTF-8, Latin-1, or with zeros between letters (UTF-16)."""
        content = content.replace(b"\0", b"")
        lowered = content.lower()
        if _is_plain(content) and not any(local in lowered and domain in lowered for local, domain in self._byte_hints):
            return False
        text = content.decode("utf-8", "replace")
        texts = [text, content.decode("latin-1")] if "\ufffd" in text else [text]
        return any(self._stand_in_text(one) for one in texts)

    def _stand_in_text(self, text: str) -> bool:
        """Return whether any of them stands in a text, which may be HTML."""
        lowered = (text if text.isascii() else unicodedata.normalize("NFKC", text)).lower()
        if not any(local in lowered and domain in lowered for local, domain in self._hints):
            return False
        return any(self.strike(one) != one for one in (text, _ENTITY.sub(_unescape, _TAG.sub("", text))))


def _is_plain(content: bytes) -> bool:
    """Return whether nothing in a text stands for letters or digits of ASCII but these themselves."""
    rest = content.translate(None, _ASCII).decode("utf-8", "surrogateescape").translate(_AS_READ)
    return unicodedata.is_normalized("NFKC", rest)


def _spellings(domain: str) -> list[str]:
    """Return a domain in ASCII, and in its own letters."""
    return sorted({domain, show_domain(domain)})


def _written_local(local: str) -> str:
    """Return the pattern of a local part, with or without quotation marks, and whatever stands behind a plus sign."""
    plus = rf"(?:(?:\+|%2B)[^\s@<>\"',;%]{{0,{_LONGEST_PLUS}}})?"
    quoted = re.sub(r'(["\\])', r"\\\1", local)
    return rf'(?:"{re.escape(quoted)}{plus}"|{re.escape(local)}{plus})'


def _in_any_case(domain: str) -> str:
    """Return the pattern of a domain, whose letters may be of any language, and composed or not."""
    return "".join(re.escape(char) if char.isascii() else _any_form(char) for char in domain)


def _any_form(char: str) -> str:
    """Return the pattern of a letter beyond ASCII; the flag of the expression knows the case of others alone."""
    forms = {char, char.upper()}
    forms |= {unicodedata.normalize("NFD", form) for form in forms}
    forms |= {quote(form) for form in forms}
    return f"(?:{'|'.join(map(re.escape, sorted(forms)))})"


def _longest_word(part: str) -> str:
    """Return the longest row of letters and digits in a part of an address, which stands in it however it is written.

    It has ASCII characters alone; where there is none, it is empty, which stands in everything.
    """
    return max(re.split(r"[\W_]", part, flags=re.ASCII), key=len)


def _in_words(part: str) -> str:
    """Return the pattern of a part of an address whose signs may be any, or left out."""
    return _SIGNS.join(_in_any_case(word) for word in re.split(r"[\W_]+", part) if word)


def _unescape(found: re.Match[str]) -> str:
    """Return the character that HTML writes so, without zeros that say nothing."""
    decimal, hexadecimal = found.groups()
    return unescape(f"&#{decimal};" if decimal else f"&#x{hexadecimal};" if hexadecimal else found[0])


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
