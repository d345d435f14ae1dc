"""Messages of the corpus that are too large to lie in files: each is made when it is asked for."""

import base64
from collections.abc import Callable, Mapping

from tests.corpus.tables import Table
from tests.corpus.templates import Case

_PLAIN, _HTML = b"Content-Type: text/plain; charset=utf-8\n", b"Content-Type: text/html; charset=utf-8\n"
_MIXED = b"Content-Type: multipart/mixed; boundary=b\n"
_HIDDEN = b'<p style="display:none">'
_ADDRESS = b"games@play.example: "


def _nested(depth: int) -> bytes:
    """Return so many parts, each within another, and a move in the innermost."""
    return (
        b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (number, number) for number in range(depth)
        )
        + b"Content-Type: text/plain\n\nc8\n"
    )


def _base64(content: bytes) -> bytes:
    """Return a part in base64."""
    return _PLAIN + b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(content)


# What comes below the sender's headers. All of it is well addressed, and has a move in it somewhere.
_HOSTILE: dict[str, Callable[[], bytes]] = {
    "nested-1000-deep": lambda: _nested(1000),
    "nested-40-deep": lambda: _nested(40),
    "attached-in-attached": lambda: b"Content-Type: message/rfc822\n\n" * 3000 + b"c8\n",
    "parts-20000": lambda: _MIXED + b"\n" + b"--b\n\nc8\n" * 20_000,
    "parts-1900": lambda: _MIXED + b"\n" + b"--b\n\nc8\n" * 1900,
    "boundaries-and-lines": lambda: _nested(90) + b"c8\n" * 900_000,
    "endless-header": lambda: b"X-Odd: " + b"a" * 9_000_000 + b"\n\nc8\n",
    "endless-folded-header": lambda: b"X-Odd: a" + b"\n b" * 3_000_000 + b"\n\nc8\n",
    "header-without-end": lambda: b"X-Odd: y\n" * 1_000_000,
    "subject-of-prefixes": lambda: b"Subject: " + b"Re: " * 100_000 + b"\n\nc8\n",
    "encoded-words": lambda: b"Subject: " + b"=?utf-8?q?a?= " * 30_000 + b"\n\nc8\n",
    "references-without-end": lambda: b"References: " + b"<a@b> " * 100_000 + b"\n\nc8\n",
    "parameters": lambda: (
        b"Content-Type: text/plain; " + b"".join(b"a*%d=b; " % n for n in range(20_000)) + b"\n\nc8\n"
    ),
    "lines-two-million": lambda: b"\n" + b"c8\n" * 2_000_000,
    "quotation-marks-two-million": lambda: _PLAIN + b"\n" + b">" * 2_000_000 + b"\nc8\n",
    "quoted-lines-900000": lambda: _PLAIN + b"\n" + b">\n" * 900_000 + b"c8\n",
    "quoted-and-not-300000": lambda: _PLAIN + b"\n" + b"> a\nc8\n" * 150_000,
    "spaces": lambda: _PLAIN + b"\n" + b" " * 5_000_000 + b"c8\n",
    "dashes": lambda: _PLAIN + b"\n" + b"-" * 300_000 + b"\nc8\n",
    "colons": lambda: _PLAIN + b"\n" + b"a: " * 100_000 + b"\nc8\n",
    "our-address-over-and-over": lambda: _PLAIN + b"\n" + _ADDRESS * 20_000 + b"\nc8\n",
    "introductions": lambda: _PLAIN + b"\n" + b"On 1:30 pbem wrote:\n" * 20_000 + b"c8\n",
    "words-of-a-disclaimer": lambda: _PLAIN + b"\n" + b"this message " * 30_000 + b"\nc8\n",
    "sent-from": lambda: _PLAIN + b"\n" + b"sent from " * 30_000 + b"\nc8\n",
    "base64-of-one-line": lambda: _base64(b"c8 " * 1_000_000),
    "soft-line-breaks": lambda: _PLAIN + b"Content-Transfer-Encoding: quoted-printable\n\n" + b"c8=\n" * 900_000,
    "uuencoded": lambda: _PLAIN + b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n" + b"#8S@*\n" * 300_000,
    "charset-punycode": lambda: b"Content-Type: text/plain; charset=punycode\n\n\xff" + b"a9" * 1_000_000,
    "charset-utf-7": lambda: b"Content-Type: text/plain; charset=utf-7\n\n" + b"+AGE-" * 300_000,
    "tags": lambda: _HTML + b"\n<p>c8</p>" + b"<b>" * 500_000,
    "comments-unfinished": lambda: _HTML + b"\n<p>c8</p>" + b"<!--" * 1_000_000 + b"&#x" * 100_000,
    "hidden-in-hidden": lambda: _HTML + b"\n<p>c8</p>" + _HIDDEN * 120_000,
    "references-to-characters": lambda: _HTML + b"\n<p>c8</p>" + b"&#x" * 900_000,
    "numbers-of-characters": lambda: _HTML + b"\n<p>c8</p>" + b"&#" + b"9" * 3_900_000 + b";" + b"x" * 200_001,
    "blockquotes": lambda: _HTML + b"\n<p>c8</p>" + b"<blockquote>" * 120_000,
    "combining-marks": lambda: _PLAIN + b"\nc8" + "\u0301".encode() * 250_000,
    "zero-width-characters": lambda: _PLAIN + b"\nc8" + "\u200b".encode() * 250_000,
    "emoji": lambda: _PLAIN + b"\nc8\n" + "😀".encode() * 250_000,
    "flowed-lines": lambda: _PLAIN.replace(b"\n", b"; format=flowed\n") + b"\n" + b"c8 \n" * 300_000,
    "nul-bytes-nine-million": lambda: _PLAIN + b"\nc8\n" + b"\0" * 9_000_000,
    "thirty-megabytes-of-header": lambda: b"X-Odd: " + b"a" * 30_000_000 + b"\n\nc8\n",
}
# Those that only large programs or clumsy people write: what they ask for is done, or they are told why not.
_LARGE: dict[str, tuple[Callable[[], bytes], str, str, tuple[str, ...]]] = {
    "a-photo-of-six-megabytes": (
        lambda: (
            _MIXED
            + b"\n--b\n"
            + _PLAIN
            + b"\nc8\n--b\nContent-Type: image/jpeg; name=a.jpg\nContent-Transfer-Encoding: base64\n\n"
            + base64.encodebytes(b"\xff\xd8" * 3_000_000)
            + b"--b--\n"
        ),
        "accepted",
        "",
        ("c8",),
    ),
    "photos-of-thirty-megabytes": (
        lambda: _MIXED + b"\n--b\n" + _PLAIN + b"\nc8\n--b\nContent-Type: image/jpeg\n\n" + b"A" * 30_000_000,
        "rejected",
        "too_large",
        (),
    ),
    "a-picture-inside-the-html": (
        lambda: _HTML + b'\n<p>c8</p><img src="data:image/png;base64,' + b"iVBORw0KGgo" * 250_000 + b'"><p></p>',
        "accepted",
        "",
        ("c8",),
    ),
    "base64-that-is-none": (
        lambda: _PLAIN + b"Content-Transfer-Encoding: base64\n\n" + b"=A" * 2_000_000,
        "rejected",
        "no_command",
        (),
    ),
    "tags-unfinished": (lambda: _HTML + b"\n" + b"<a " * 1_000_000 + b"c8", "rejected", "no_command", ()),
    "quotation-marks-in-tags": (lambda: _HTML + b"\n<p>c8</p>" + b"<a b='\">" * 200_000, "accepted", "", ("c8",)),
    "a-signature-of-dashes": (lambda: _PLAIN + b"\nc8\n-- \n" + (b"-" * 70 + b"\n") * 2700, "accepted", "", ("c8",)),
    "a-thousand-blank-lines": (lambda: _PLAIN + b"\n" + b"\n" * 1000 + b"c8\n", "accepted", "", ("c8",)),
    "a-long-thread": (
        lambda: _PLAIN + b"\nc8\n\n" + b"".join(b"> " * depth + b"d5 was nice\n" for depth in range(1, 200)),
        "accepted",
        "",
        ("c8",),
    ),
}


_IN_HEADER = {
    *("endless-header", "parameters", "endless-folded-header", "header-without-end", "subject-of-prefixes"),
    *("encoded-words", "references-without-end", "thirty-megabytes-of-header"),
}
"""Those that are hostile in their header."""


def huge_names() -> list[tuple[str, str]]:
    """Return the group and the name of each of these messages."""
    return [("hostile", name) for name in _HOSTILE] + [("malformed", name) for name in _LARGE]


def huge_case(name: str, tables: Mapping[str, Table]) -> Case:
    """Return one of these messages."""
    table = tables["zipline"]
    notice = table.mails[table.writer][-1]
    head = (
        f"From: Bob <bob@b.example>\nTo: {notice.header('Reply-To')}\nSubject: Re: [pbem 1] zipline\n"
        f"Message-ID: <{name}@players.example>\nIn-Reply-To: {notice.message_id}\nMIME-Version: 1.0\n"
    ).encode()
    hostile = name in _HOSTILE
    unread = ("failed", "unreadable") if name in _IN_HEADER else ("rejected", "unread")  # who wrote it is known, or not
    body, status, reason, commands = (_HOSTILE[name], *unread, ()) if hostile else _LARGE[name]
    raw = head + body()
    group = "hostile" if hostile else "malformed"
    return Case(name, group, raw, "zipline", table.writer, "", "", status, (reason,), commands, commands, "")
