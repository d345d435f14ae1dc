"""Addresses, as people type them and as header fields hold them (RFC 5322)."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from pbem.errors import BadInput
from pbem.mail.names import clean_name

LONGEST_NAME = 40
_LONGEST_FIELD = 20_000
_LONGEST_ADDRESS, _LONGEST_LOCAL = 254, 64  # characters (RFC 5321)
_ATEXT = r"a-z0-9!#$%&'*+/=?^_`{|}~-"
_DOT_ATOM = rf"[{_ATEXT}]+(?:\.[{_ATEXT}]+)*"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_ADDRESS = re.compile(rf'(?:{_DOT_ATOM}|"(?:[ !#-;=?A-\[\]-~]|\\["\\])+")@(?:{_LABEL}\.)*{_LABEL}')
_UNQUOTED = re.compile(rf"[.{_ATEXT}]+")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"')
_ENCODED = "=?"  # begins an encoded word (RFC 2047), which email programs turn into whatever it holds
_NAME_AND_ADDRESS = re.compile(r"\s*+\"?(?P<name>[^<>\"]*+)\"?\s*+<(?P<address>[^<>]*+)>\s*+")
_IN_COMMENT = re.compile(r"[^\\()]++|\\.|.", re.DOTALL)
_OUTSIDE = re.compile(r'[^\\"()]++|\\.|"(?:[^"\\]|\\.)*+"|.', re.DOTALL)
MAILBOX = r'(?:"(?:[^"\\<>\r\n]|\\.)++"|[^\s<>()\[\]@,;:\"\\]++)@[^\s<>()\[\]@,;:\"\\]+'
"""A pattern for what may be an address in a text: whether it is one is for ``normal_address`` to say."""

_ALONE = re.compile(rf"\s*({MAILBOX})\s*", re.ASCII)
_NAMED = re.compile(rf"([^<>]*)<\s*({MAILBOX})\s*>\s*", re.ASCII)
_REGISTRIES = frozenset(
    [
        "ac",
        "co",
        "com",
        "edu",
        "go",
        "gob",
        "gov",
        "gub",
        "ltd",
        "me",
        "mil",
        "net",
        "ne",
        "nom",
        "or",
        "org",
        "plc",
        "sch",
    ]
)


def normal_address(text: str) -> str:
    """Return the form of an address in which it is stored, compared, and written to servers (RFC 5321).

    That is in small letters, the local part in quotation marks only where it needs them, the domain in ASCII (RFC
    5890). Raise BadInput for one that no email can be sent to: before the @ stand ASCII characters alone, and none of
    ``@<>``, with which one address would look like another. No character is folded into another: U+212A, for one, would
    become k, and with it somebody else's address.
    """
    typed = text.strip()
    if address := to_address(typed):
        return address
    if "@" in typed and not typed.rpartition("@")[0].isascii():
        raise BadInput(f"“{typed[:80]}” can’t be written to: before the @ of an address only ASCII letters may stand.")
    raise BadInput(f"“{typed[:80]}” is not an email address; one looks like ann@example.org.")


@lru_cache(maxsize=1024)  # players get many emails, and write some
def to_address(text: str) -> str:
    """Return ``text`` as ``normal_address`` does, or an empty text where it is no address."""
    typed = text.strip()
    if len(typed) > _LONGEST_ADDRESS or _ENCODED in typed:
        return ""
    local, _, domain = typed.rpartition("@")
    plain = _unquote(local) if _QUOTED.fullmatch(local) else local
    if plain == local and not _UNQUOTED.fullmatch(local.lower()):
        return ""
    local = _quote(plain.lower() if plain.isascii() else "")
    address = f"{local}@{'.'.join(map(_write_label, domain.split('.')))}"
    too_long = len(address) > _LONGEST_ADDRESS or len(local) > _LONGEST_LOCAL
    return "" if too_long or _ENCODED in address or not _ADDRESS.fullmatch(address) else address


def is_address(text: str) -> bool:
    """Return whether email can be sent to ``text``."""
    return to_address(text) != ""


def show_address(address: str) -> str:
    """Return an address as a person reads it: of a domain in other letters these, with what it is in ASCII behind."""
    local, _, domain = address.rpartition("@")
    shown = show_domain(domain)
    return address if shown == domain else f"{local}@{shown} ({domain})"


def show_domain(domain: str) -> str:
    """Return a domain in its own letters."""
    return ".".join(map(_read_label, domain.split(".")))


def split_named(text: str) -> tuple[str, str]:
    """Return name and address of ``Ann <ann@example.org>`` or of a bare address (then the name is empty).

    Raise BadInput for a bad address, for a name that is too long, and for one that email programs would decode.
    """
    if found := _NAME_AND_ADDRESS.fullmatch(text):
        name = clean_name(found["name"])
        if _ENCODED in name:
            raise BadInput(f"“{name[:LONGEST_NAME]}” is encoded, as names are inside mails; write it as it is read.")
        if len(name) > LONGEST_NAME:
            raise BadInput(f"“{name[:LONGEST_NAME]}…” is too long a name: it may have {LONGEST_NAME} characters.")
        return name, normal_address(found["address"])
    return "", normal_address(text)


def add_plus(address: str, addition: str) -> str:
    """Return ``address`` with ``addition`` behind a plus sign in its local part (RFC 5233)."""
    return f"{_quote(f'{local_of(address)}+{addition}')}@{domain_of(address)}"


def mailbox_of(address: str) -> str:
    """Return ``address`` without what stands behind a plus sign in its local part (RFC 5233): the same mailbox."""
    local = local_of(address)
    return f"{_quote(local.partition('+')[0] or local)}@{domain_of(address)}"


def local_of(address: str) -> str:
    """Return the local part of an address, without quotation marks around it."""
    return _unquote(address.rpartition("@")[0])


def domain_of(address: str) -> str:
    """Return the domain of an address."""
    return address.rpartition("@")[2]


def organization_of(address: str) -> str:
    """Return the domain of an address that somebody has registered: whoever has one makes names below it at will.

    Where the registry itself has names below its own, ``co.uk``, the usual ones are known; of others too much is one.
    """
    labels = domain_of(address).split(".")
    is_below = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _REGISTRIES
    return ".".join(labels[-3 if is_below else -2 :])


def strip_comments(value: str, *, keeps_local: bool = False) -> str:
    """Return a field without its comments, which may be nested, and with nothing in its quotation marks.

    A mark that opens and never closes stands for itself. ``keeps_local``: quotation marks before an @ keep their text.
    """
    value = value[:_LONGEST_FIELD]
    kept: list[str] = []
    opened: list[int] = []  # how much was kept when each comment began that is still open
    place = 0
    while found := (_IN_COMMENT if opened else _OUTSIDE).match(value, place):
        piece, place = found[0], found.end()
        if piece == ")" and opened:
            del kept[opened.pop() :]
            kept.append(" ")
            continue
        if piece == "(":
            opened.append(len(kept))
        is_quoted = len(piece) > 1 and piece.startswith('"') and not opened
        kept.append('""' if is_quoted and not (keeps_local and value[place : place + 1] == "@") else piece)
    return "".join(kept)


def single_address(fields: Sequence[str]) -> str:
    """Return the address, in its normal form, if the undecoded ``fields`` of From plainly name one; else an empty text.

    Groups, routes, and names that hold another address do not count.
    """
    if len(fields) != 1 or len(fields[0]) > _LONGEST_FIELD:
        return ""
    value = strip_comments(fields[0], keeps_local=True)
    found = _NAMED.fullmatch(value)
    name, typed = found.groups() if found else ("", alone[1] if (alone := _ALONE.fullmatch(value)) else "")
    address = to_address(typed)
    if ("@" in name and to_address(name.strip(" '\t\r\n")) != address) or (":" in name and ";" in name):
        return ""
    return address


def _unquote(local: str) -> str:
    """Return a local part without quotation marks around it, and without what they make necessary inside."""
    found = _QUOTED.fullmatch(local)
    return re.sub(r"\\(.)", r"\1", found[1]) if found else local


def _quote(local: str) -> str:
    """Return a local part as servers take it: one with dots where no atom stands between needs quotation marks."""
    return local if re.fullmatch(_DOT_ATOM, local) else '"' + re.sub(r'(["\\])', r"\\\1", local) + '"'


def _write_label(label: str) -> str:
    """Return a part of a domain in ASCII (RFC 5891), or an empty text where it holds no letters of a name.

    Not the library's codec: it knows the letters of 2003 alone, and takes ß for ss, which is another domain.
    """
    if label.isascii():
        return label.lower()
    if not label[0].isalnum() or not all(map(_is_of_name, label)):
        return ""
    name = unicodedata.normalize("NFC", "".join(map(str.lower, label)))  # each alone: no Σ is at the end of a word
    return f"xn--{name.encode('punycode').decode('ascii')}"


def _read_label(label: str) -> str:
    """Return the part of a domain that ``_write_label`` writes so; others as they are."""
    try:
        shown = label.removeprefix("xn--").encode("ascii").decode("punycode")
    except (UnicodeError, OverflowError):
        return label
    return shown if _write_label(shown) == label else label


def _is_of_name(char: str) -> bool:
    """Return whether names of domains may hold a character: a letter, a mark on it, a digit, a hyphen.

    A character that only stands for others, such as ｅ, is none.
    """
    is_part = char.isalnum() or char == "-" or unicodedata.category(char).startswith("M")
    return is_part and unicodedata.normalize("NFKC", char) == char
