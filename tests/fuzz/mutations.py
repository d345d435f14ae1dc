"""Spoils messages: what transport, gateways and clumsy programs do to them, and what nobody does. Pure, by a chance."""

import base64
import quopri
import re
from collections.abc import Callable, Sequence
from random import Random

_NOISE = (
    *("\u200b", "\u202e", "\u2066", "\ufeff", "\u00ad", "\u0301", "\u2028", "\u0085", "\x00", "\x0b", "\x1b[2J", "\r"),
    *("\ud800", "🀄", "ａ", "４", "а", "٣", "²", "ﬁ", "İ", "ß", "\u3000", "\u00a0", "＞", "│", "：", "»", "“", "„"),
    *(
        ">",
        "> ",
        "|",
        "-- \n",
        "--\n",
        "<",
        "</p>",
        "<!--",
        "&#0;",
        "&#x110000;",
        "&nbsp;",
        "<s>",
        "<pre>",
        "<blockquote>",
    ),
    *(
        "=",
        "=\n",
        "=?",
        "?=",
        "=?utf-8?q?=0D=0A?=",
        "=?x?b?",
        "%s",
        "{{",
        "'",
        '"',
        "\\",
        ";",
        ":",
        ",",
        "(",
        "((",
        "@",
    ),
    *("____________", "-----Original Message-----\n", "On 1:00 pbem wrote:\n", "From: pbem\n", "Sent from my x\n"),
    *(
        "-----BEGIN PGP SIGNED MESSAGE-----\n",
        "-----BEGIN PGP MESSAGE-----\n",
        "begin 644 a\n",
        "team:",
        "say:",
        "salt ",
    ),
)
_TYPES = (
    *("text/plain", "text/html", "text/plain; format=flowed; delsp=yes", "multipart/mixed", "multipart/alternative"),
    *("message/rfc822", "multipart/digest; boundary=x", "text/plain; charset=utf-16", "text/plain; charset=utf-7"),
    *("text/plain; charset=iso-2022-jp", "text/plain; charset=idna", "text/plain; charset=hz", "text/plain; name*"),
    *("text/plain; charset*0*=u; charset*1=8", "application/pkcs7-mime", "text/enriched", "x", "", "text/", "/", ";"),
)
_ENCODINGS = ("base64", "quoted-printable", "7bit", "8bit", "x-uuencode", "binary", "", "base64 base64", "x-nothing")
_VALUES = ("", "<>", "a@b", "<a@b>", "=?utf-8?q?a=0D=0Ab?=", "(((", '"', "a" * 2000, "\t", "<" * 50, "é", "no")

Mutation = Callable[[bytes, Random], bytes]


def mutated(raw: bytes, chance: Random, others: Sequence[bytes]) -> tuple[bytes, bool]:
    """Return ``raw`` spoiled a few times, and whether words of ``others``, or made up ones, may have come in."""
    foreign = False
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        if chance.random() < 0.1 and others:
            raw, foreign = _crossed(raw, chance.choice(others), chance), True
        else:
            mutation = chance.choice(_MUTATIONS)
            raw, foreign = mutation(raw, chance), foreign or mutation is _flipped
    return raw, foreign


def _flipped(raw: bytes, chance: Random) -> bytes:
    """Change a few bytes."""
    content = bytearray(raw)
    for _ in range(chance.choice((1, 1, 3, 10, 50))):
        if content:
            content[chance.randrange(len(content))] = chance.randrange(256)
    return bytes(content)


def _cut(raw: bytes, chance: Random) -> bytes:
    """Leave a piece out."""
    start, length = _piece(raw, chance)
    return raw[:start] + raw[start + length :]


def _repeated(raw: bytes, chance: Random) -> bytes:
    """Send a piece twice, or many times."""
    start, length = _piece(raw, chance)
    return raw[:start] + raw[start : start + length] * chance.choice((2, 2, 3, 30)) + raw[start + length :]


def _moved(raw: bytes, chance: Random) -> bytes:
    """Put a piece somewhere else."""
    start, length = _piece(raw, chance)
    piece, rest = raw[start : start + length], raw[:start] + raw[start + length :]
    place = chance.randrange(len(rest) + 1)
    return rest[:place] + piece + rest[place:]


def _ended(raw: bytes, chance: Random) -> bytes:
    """Break off."""
    return raw[: chance.randrange(len(raw) + 1)]


def _noisy(raw: bytes, chance: Random) -> bytes:
    """Put odd characters in, in some charset."""
    for _ in range(chance.choice((1, 2, 10))):
        noise = chance.choice(_NOISE).encode(chance.choice(("utf-8", "utf-8", "utf-16-le", "cp1252")), "ignore")
        place = chance.randrange(len(raw) + 1)
        raw = raw[:place] + noise + raw[place:]
    return raw


def _lines_shuffled(raw: bytes, chance: Random) -> bytes:
    """Exchange lines of the body."""
    head, body = _halves(raw)
    lines = body.split(b"\n")
    for _ in range(chance.choice((1, 3, 20))):
        one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[one], lines[two] = lines[two], lines[one]
    return head + b"\n".join(lines)


def _rewrapped(raw: bytes, chance: Random) -> bytes:
    """Break the lines of the body anew: narrow ones between words, wide ones anywhere."""
    head, body = _halves(raw)
    width = chance.choice((1, 5, 20, 40, 60, 72, 78))
    shape = rb"[^\n]{1,%d}(?:[ \n]|$)|[^ \n]+" if width < 60 else rb"[^\n]{1,%d}"
    return head + b"\n".join(piece.strip() for piece in re.findall(shape.replace(b"%d", b"%d" % width), body))


def _unmarked(raw: bytes, chance: Random) -> bytes:
    """Take away the marks of quoted lines, all or some."""
    if chance.random() < 0.5:
        return re.sub(rb"(?m)^(> ?)+", b"", raw)
    return re.sub(rb"(?m)^(> ?)+", lambda found: found[0] if chance.random() < 0.7 else b"", raw)


def _joined(raw: bytes, chance: Random) -> bytes:
    """Take line breaks out of the body."""
    head, body = _halves(raw)
    return head + re.sub(rb"\r?\n", lambda found: found[0] if chance.random() < 0.7 else b" ", body)


def _line_ends(raw: bytes, chance: Random) -> bytes:
    """Change all line ends."""
    return raw.replace(b"\r\n", b"\n").replace(b"\n", chance.choice((b"\n", b"\r", b"\r\n", b"\r\r\n", b"\n\n")))


def _headers_shuffled(raw: bytes, chance: Random) -> bytes:
    """Put the headers into another order, leave one out, or write one twice."""
    head, body = _halves(raw)
    lines = re.split(rb"\n(?![ \t])", head.rstrip(b"\r\n"))
    kind = chance.randrange(3)
    if kind == 0:
        chance.shuffle(lines)
    elif kind == 1:
        del lines[chance.randrange(len(lines))]
    else:
        lines.append(chance.choice(lines))
    return b"\n".join(lines) + b"\n\n" + body


def _header_spoiled(raw: bytes, chance: Random) -> bytes:
    """Give a header another value, in the head or in a part."""
    found = list(re.finditer(rb"(?m)^([A-Za-z-]{2,30}):[^\n]*", raw))
    if not found:
        return raw
    header = chance.choice(found)
    name = header[1].lower()
    values = _TYPES if name == b"content-type" else _ENCODINGS if name.endswith(b"encoding") else _VALUES
    value = chance.choice(values).encode()
    return raw[: header.start()] + header[1] + b": " + value + raw[header.end() :]


def _boundary_spoiled(raw: bytes, chance: Random) -> bytes:
    """Spoil a line that parts two parts, or what is said about them."""
    found = list(re.finditer(rb"(?m)^--[^\n]*|boundary=[^\n]*", raw))
    if not found:
        return raw
    line = chance.choice(found)
    instead = chance.choice(
        (b"", line[0] + b" ", line[0].strip() + b"--", b"--", line[0].upper(), line[0] + b"\n" + line[0])
    )
    return raw[: line.start()] + instead + raw[line.end() :]


def _enclosed(raw: bytes, chance: Random) -> bytes:
    """Put the body into further parts, encoded or not."""
    head, body = _halves(raw)
    kind = chance.choice(("mixed", "alternative", "related", "signed", "digest", "report-like"))
    inner = re.search(rb"(?im)^content-type:[^\n]*(\n[ \t][^\n]*)*", head)
    if inner is None:
        return raw
    head = head[: inner.start()] + f"Content-Type: multipart/{kind}; boundary=fz".encode() + head[inner.end() :]
    part = inner[0] + b"\n\n" + body
    if chance.random() < 0.3:
        encoded = base64.encodebytes(body) if chance.random() < 0.5 else quopri.encodestring(body)
        part = inner[0] + b"\nContent-Transfer-Encoding: " + chance.choice(_ENCODINGS).encode() + b"\n\n" + encoded
    return head + b"--fz\n" + part * chance.choice((1, 1, 2)) + b"\n--fz--\n"


def _crossed(raw: bytes, other: bytes, chance: Random) -> bytes:
    """Join the head of one message and the body of another, or put a piece of one into the other."""
    if chance.random() < 0.3:
        return _halves(raw)[0] + _halves(other)[1]
    start, length = _piece(other, chance)
    place = chance.randrange(len(raw) + 1)
    return raw[:place] + other[start : start + length] + raw[place:]


def _halves(raw: bytes) -> tuple[bytes, bytes]:
    """Return head, with the empty line below it, and body."""
    found = re.search(rb"\r?\n\r?\n", raw)
    return (raw[: found.end()], raw[found.end() :]) if found else (raw, b"")


def _piece(raw: bytes, chance: Random) -> tuple[int, int]:
    """Return where a piece of ``raw`` begins, and how long it is."""
    start = chance.randrange(len(raw) + 1)
    return start, min(len(raw) - start, chance.choice((1, 2, 8, 40, 200, 2000)))


_MUTATIONS: tuple[Mutation, ...] = (
    *(_flipped, _cut, _repeated, _moved, _ended, _noisy, _noisy, _lines_shuffled, _rewrapped, _unmarked, _joined),
    *(_line_ends, _headers_shuffled, _header_spoiled, _header_spoiled, _boundary_spoiled, _enclosed),
)
