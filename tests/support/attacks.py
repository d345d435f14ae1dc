"""Writes hostile messages, by a chance: what somebody may send to cost us time, space or emails. Pure."""

import base64
import quopri
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from random import Random

LARGEST_TEXT = 199_000
"""Characters that most kinds of text grow to: longer ones are not read at all."""

_VAST = 10_200_000  # bytes: a little more than we read
_LARGE = 0.03  # the part of messages that are as long as they may be
_USUAL = 0.6  # the part of messages in which a thing is as people have it


@dataclass(frozen=True)
class Target:
    """What an attacker knows of a seat: an address, emails from us, a legal ``move`` and some other words for one.

    ``reply_to`` is where the newest email wants its reply; ``older`` and ``others`` are those of earlier emails, and of
    emails to other players.
    """

    reader: str
    reply_to: str
    message_id: str
    text: str
    html: str
    move: str
    older: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Attack:
    """A message, and the ``kind`` that says what is odd about it."""

    kind: str
    raw: bytes


Text = Callable[[Random, int, Target], str]
Form = Callable[[Random, str, Target], bytes]


def attack(chance: Random, number: int, target: Target, largest: int = LARGEST_TEXT) -> Attack:
    """Return the hostile message with that ``number``; what is written in it has ``largest`` characters at most."""
    kind, write = chance.choice(list(TEXTS.items()))
    size = min(largest, LARGEST_TEXT if chance.random() < _LARGE else int(10 ** chance.uniform(0, 5)))
    form_kind, form = ("plain", _plain) if chance.random() < _USUAL else chance.choice(list(_FORMS.items()))
    place_kind, to = ("", target.reply_to) if chance.random() < _USUAL else _places(chance, target)
    head_kind, head = ("", "") if chance.random() < _USUAL else _odd_head(chance, target)
    sender = target.reader
    if chance.random() < 0.1:
        sender, place_kind = _odd_sender(chance, target), f"{place_kind}, another sender".strip(", ")
    answered = target.message_id if chance.random() < _USUAL else ""
    subject = "Re: [pbem 1] a turn" if chance.random() < _USUAL else write(chance, min(size, 2000), target)
    top = (
        f"From: {sender}\r\nTo: {to}\r\nSubject: {' '.join(subject.split())}\r\n"
        f"Message-ID: <attack-{number}@a.example>\r\nIn-Reply-To: {answered}\r\nMIME-Version: 1.0\r\n{head}"
    )
    body = form(chance, write(chance, size, target)[:largest], target)
    named = " + ".join(filter(None, (kind, form_kind if form is not _plain else "", place_kind, head_kind)))
    return Attack(named, top.encode("utf-8", "replace") + body)


# What is written. Each kind is about as long as it is told.


def _repeat(*pieces: str, end: str = "\n") -> Text:
    """Return what writes these pieces over and over, in a chosen order, each with ``end`` behind it."""
    return lambda chance, size, target: "".join(
        chance.choice(pieces).replace("MOVE", target.move) + end for _ in range(1 + size // (len(pieces[0]) + len(end)))
    )


def _one_line(piece: str) -> Text:
    """Return what writes one long line."""
    return lambda chance, size, target: piece.replace("MOVE", target.move) * (1 + size // len(piece)) + "\n"


def _below_a_move(write: Text) -> Text:
    """Return what writes a move, and something below it."""
    return lambda chance, size, target: f"{target.move}\n{write(chance, size, target)}"


def _numbered(text: str) -> Text:
    """Return what writes lines that all differ."""
    return lambda chance, size, target: "".join(f"{text} {n}\n" for n in range(1 + size // (len(text) + 6)))


def _notice(chance: Random, size: int, target: Target) -> str:
    """Quote an email of ours without a mark, whole or spoiled, many times."""
    words = target.text.split(" ")
    spoiled = [word for word in words if chance.random() < chance.choice((0.5, 0.9, 1))]
    times = 1 + min(20, size // (len(target.text) + 1))
    return f"{target.move if chance.random() < 0.3 else ''}\n{' '.join(spoiled) * times}"


def _deep_quote(chance: Random, size: int, target: Target) -> str:
    """Quote deeper and deeper."""
    depth = max(2, int(size**0.5))
    return "".join(f"{'> ' * number}{chance.choice((target.move, 'a', ''))}\n" for number in range(depth))


def _words(chance: Random, size: int, target: Target) -> str:
    """Write words, cells and numbers in any order, with signs between them."""
    pool = (
        *"abcdehx0129 ;;:.,-–>()[]“”\n\n",
        "a1",
        "d4",
        "z99",
        "take",
        "pass",
        "roll",
        "not ",
        "say:",
        "team:",
        "salt ",
    )
    return "".join(chance.choice(pool) + chance.choice(("", " ")) for _ in range(1 + size // 3))


TEXTS: Mapping[str, Text] = {
    "one semicolon after another": _one_line(";"),
    "pieces between semicolons": _one_line("z99;"),
    "moves between semicolons": _one_line("MOVE; "),
    "words between semicolons": _one_line("a b; "),
    "lines of semicolons": _repeat("a1;b2;c3;z99;x;4d", "take;pass;roll;ok 7"),
    "many remarks": _repeat("say: hello there", "say: and again", "say:"),
    "many remarks below a move": _below_a_move(_numbered("say: remark")),
    "many private words": _repeat("team: hello there", "partner: psst"),
    "remarks in one line": _one_line("say: hello;"),
    "a remark of wrapped lines": _repeat("say: " + "hello " * 12, "and so it goes on " * 4),
    "many boards": _numbered("board plain\nboard foo\nboard bar"),
    "all that can be asked for": _repeat("help", "show", "display test", "board plain", "resume", "board x"),
    "seeds": _numbered("salt blue elephants"),
    "seeds between semicolons": _one_line("salt a;"),
    "words that end it": _repeat("resign", "unsubscribe", "resume", "ready", "ok", "yes", "no"),
    "failed moves": _repeat("z99", "d4d", "4d", "a1 a1", "x7 y8", "n e4 w", "a1xz9", "a1-b2", "roll 7"),
    "failed moves that all differ": lambda chance, size, target: "".join(
        f"{chr(97 + chance.randrange(26))}{chance.randrange(40)} {chance.randrange(99)}\n" for _ in range(1 + size // 7)
    ),
    "a move again and again": _repeat("MOVE"),
    "other moves below": _below_a_move(
        _repeat("sorry, a1 b2 c3 instead", "no, d4", "or rather e5 take it", "ignore that")
    ),
    "a line of cells": _one_line("a1 "),
    "a line of taken cells": _one_line("a1xb2 "),
    "cells without spaces": _one_line("a1"),
    "cells turned round": _one_line("4a "),
    "digits": lambda chance, size, target: "a" + "9" * size + "\n" + "1" * size,
    "numbers": _repeat("a99999999999999999999 n9999999999999", "roll " + "9" * 50),
    "brackets": lambda chance, size, target: "(" * (size // 2) + target.move + ")" * (size // 2),
    "prose": _repeat("This is only a long letter about the weather, and about d4.", "Yours, Ann", ""),
    "prose below a move": _below_a_move(_repeat("a word or two for you & all <others>", '"', "…")),
    "words in any order": _words,
    "long words": _one_line("abcdefgh" * 50 + " "),
    "dashes": _one_line("-"),
    "spaces": lambda chance, size, target: " " * size + target.move,
    "addresses": _repeat("games@pbem.example: ", "<games+1.2.3.aaaaaaaaaa@pbem.example> wrote:"),
    "tokens": _below_a_move(_repeat("12.3.0.abcdefghij", "1.1.1.aaaaaaaaaa.")),
    "introductions": _repeat("On 1:30 pbem wrote:", "Am 1.1.2026 um 12:00 schrieb", "Ann <a@b.example> 2026:"),
    "heads of emails": _repeat(
        "From: pbem <games@pbem.example>", "Sent: 2026", "-----Original Message-----", "Subject: [pbem 1]"
    ),
    "signatures": _repeat("Sent from my phone", "--x", "This message is confidential", "-----BEGIN PGP MESSAGE-----"),
    "links": _repeat("<https://a.example/x>", "<mailto:games@pbem.example?subject=d4>", "<<<<http://a"),
    "odd letters": _repeat("ﷺ４ａ\u0301\u200b\u202e", "ｄ４", "İı²٣", "😀", "K\u212a"),
    "combining marks": lambda chance, size, target: target.move + "\u0301" * size,
    "entities": _repeat("&amp;&#100;&#52;", "&#x110000;", "&#99999;", "&lt;b&gt;"),
    "names of partners": _repeat("Ann: only for you", "hi Bob", "@carl psst", "(my partner) take d4", "teem: x"),
    "our own words": _notice,
    "quotes in quotes": _deep_quote,
    "quoted lines": _repeat("> a", ">", "| b", "c"),
}
"""What is written, by the name of the kind."""


# The form that it comes in.


def _plain(chance: Random, text: str, target: Target) -> bytes:
    """One part of plain text."""
    return b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + text.encode("utf-8", "replace")


def _part(kind: str, content: bytes, encoding: str = "8bit") -> bytes:
    return f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n".encode() + content


def _base64(chance: Random, text: str, target: Target) -> bytes:
    """Base64, right or spoiled."""
    content = base64.encodebytes(text.encode("utf-8", "replace"))
    if chance.random() < 0.5:
        content = content.replace(b"A", chance.choice((b"=", b"\n", b"*", b"A")))
    return _part("text/plain; charset=utf-8", content, "base64")


def _quoted_printable(chance: Random, text: str, target: Target) -> bytes:
    """Quoted-printable, right, or nothing but escapes."""
    content = quopri.encodestring(text.encode("utf-8", "replace"))
    if chance.random() < 0.5:
        content = chance.choice((b"=", b"=\n", b"=3D=0A", b"==", b"=C3")) * (1 + len(content) // 3)
    return _part("text/plain; charset=utf-8", content, "quoted-printable")


def _charset(chance: Random, text: str, target: Target) -> bytes:
    """Bytes of one charset, with the name of another."""
    names = (
        "utf-16",
        "utf-7",
        "iso-2022-jp",
        "hz",
        "punycode",
        "idna",
        "utf-32",
        "cp037",
        "x-nothing",
        "unicode-escape",
    )
    written = text.encode(chance.choice(("utf-8", "utf-16", "utf-7", "cp1252")), "replace")
    return _part(f"text/{chance.choice(('plain', 'html'))}; charset={chance.choice(names)}", written)


def _flowed(chance: Random, text: str, target: Target) -> bytes:
    """Lines that all go on."""
    return _part(
        "text/plain; charset=utf-8; format=flowed; delsp=yes", text.replace("\n", " \n").encode("utf-8", "replace")
    )


def _html(chance: Random, text: str, target: Target) -> bytes:
    """HTML that means what the text says."""
    return _part(
        "text/html; charset=utf-8", f"<p>{escape(text).replace(chr(10), '<br>')}</p>".encode("utf-8", "replace")
    )


def _html_bomb(chance: Random, text: str, target: Target) -> bytes:
    """HTML of many tags, nested or unfinished."""
    opened = chance.choice(
        (
            *("<table><tr><td>", "<blockquote>", "<div style='display:none'>", "<pre>", "<!--", "<b ", "<a b='\">"),
            *("&#x", "&lt;", "<style>", "<td hidden>", "</p>", "<svg><title>", "<s>", "<"),
            "<p style='font-size:0;" + "a" * 900 + "'>",
        )
    )
    times = min(_VAST // len(opened), 1 + len(text) // chance.choice((1, 3, 20)))
    content = f"<p>{target.move}</p>{opened * times}{escape(text[:2000])}"
    return _part("text/html; charset=utf-8", content.encode("utf-8", "replace"))


def _our_html(chance: Random, text: str, target: Target) -> bytes:
    """Our own HTML many times, below something."""
    times = 1 + min(30, len(text) // 2000)
    content = f"<div>{escape(text[:2000])}</div>" + f"<blockquote>{target.html}</blockquote>" * times
    return _part("text/html; charset=utf-8", content.encode("utf-8", "replace"))


def _nested(chance: Random, text: str, target: Target) -> bytes:
    """Parts in parts."""
    depth = chance.choice((2, 9, 29, 31, 90, 290))
    kinds = ("mixed", "alternative", "related", "digest", "signed")
    heads = (
        b"Content-Type: multipart/%s; boundary=b%d\r\n\r\n--b%d\r\n" % (chance.choice(kinds).encode(), number, number)
        for number in range(depth)
    )
    return b"".join(heads) + _plain(chance, text, target)


def _parts(chance: Random, text: str, target: Target) -> bytes:
    """Many parts side by side."""
    kind = chance.choice(("mixed", "alternative", "related"))
    part = b"--b\r\n" + chance.choice((_plain, _html, _flowed, _base64))(chance, text[:2000], target) + b"\r\n"
    return f"Content-Type: multipart/{kind}; boundary=b\r\n\r\n".encode() + part * chance.choice(
        (2, 40, 450, 600, 3000)
    )


def _attached(chance: Random, text: str, target: Target) -> bytes:
    """Emails attached to each other."""
    return b"Content-Type: message/rfc822\r\n\r\n" * chance.choice((1, 20, 600)) + _plain(chance, text, target)


def _bounce(chance: Random, text: str, target: Target) -> bytes:
    """A report that an email of ours was not delivered."""
    returned = f"\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {target.message_id}\r\n\r\n--b--"
    block = f"Final-Recipient: rfc822; {target.reader}\r\nAction: {chance.choice(('failed', 'delayed', ''))}\r\n"
    blocks = f"{block}Status: {chance.choice(('5.1.1', '4.2.2', '5.0.0'))}\r\n\r\n" * chance.choice((1, 90, 3000))
    return (
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n"
        + _plain(chance, text, target)
        + f"\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n{blocks}".encode("utf-8", "replace")
        + returned.encode()
    )


def _vast(chance: Random, text: str, target: Target) -> bytes:
    """As large as it may be, or a little larger: text, lines, HTML, or an attached file."""
    size = chance.choice((1_000_000, _VAST - 300_000, _VAST))
    kind = chance.randrange(5)
    if kind == 0:
        return _plain(chance, text, target) + chance.choice((b"\r\n", b"d4 ", b"a", b"> \r\n", b";")) * (size // 4)
    if kind == 1:
        return _part("text/html", b"<p>d4</p>" + chance.choice((b"<b>", b"x ", b"&amp;", b"<!--")) * (size // 5))
    if kind == 2:
        return _part("text/plain", base64.encodebytes(b"d4\n" + b"a1 \n" * (size // 6)), "base64")
    picture = b"\r\n--b\r\nContent-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    rows = b"iVBORw0KGgo" * 6 + b"\r\n" if kind == 3 else b"A" * 900
    content = picture + rows * (size // len(rows))
    return b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + _plain(chance, text, target) + content


_FORMS: Mapping[str, Form] = {
    "base64": _base64,
    "quoted-printable": _quoted_printable,
    "a charset": _charset,
    "flowed": _flowed,
    "HTML": _html,
    "HTML bomb": _html_bomb,
    "our HTML": _our_html,
    "nested parts": _nested,
    "many parts": _parts,
    "attached emails": _attached,
    "a bounce": _bounce,
}


def vast(chance: Random, number: int, target: Target) -> Attack:
    """Return a message as large as it may be, or larger."""
    head = f"From: {target.reader}\r\nTo: {target.reply_to}\r\nMessage-ID: <vast-{number}@a.example>\r\n".encode()
    return Attack("vast", head + _vast(chance, target.move, target))


# Its head.


def _places(chance: Random, target: Target) -> tuple[str, str]:
    """Return a kind of reply token, and an address with it."""
    local, _, domain = target.reply_to.partition("@")
    name, _, token = local.partition("+")
    numbers, _, mac = token.rpartition(".")
    wrong = "".join(chance.choice("abcdefgh234567") for _ in mac)
    kinds = {
        "stale token": chance.choice(target.older or (target.reply_to,)),
        "token of another": chance.choice(target.others or (target.reply_to,)),
        "wrong token": f"{name}+{numbers}.{wrong}@{domain}",
        "huge token": f"{name}+{'9' * chance.choice((9, 10, 5000))}.999999.999.{mac}@{domain}",
        "no token": f"{name}@{domain}",
        "many tokens": ", ".join(f"{name}+{number}.{numbers}.{wrong}@{domain}" for number in range(400)),
    }
    return chance.choice(list(kinds.items()))


def _odd_sender(chance: Random, target: Target) -> str:
    """Return another value of From."""
    return chance.choice(
        (
            *(target.readers or (target.reader,)),
            *("stranger@nowhere.example", "MAILER-DAEMON@a.example", "", "<>", "((((" * 500, "a@b, c@d"),
            f"{target.reader}\r\nFrom: other@a.example",
            f"=?utf-8?q?{target.reader}?= <x@y.example>",
            '"' + "\\" * 3000 + f'" <{target.reader}>',
            f"{target.reader} <x@y.example>",
            "a" * 300 + "@a.example",
        )
    )


def _odd_head(chance: Random, target: Target) -> tuple[str, str]:
    """Return a kind of further headers, and these."""
    many = chance.choice((10, 1000, 8000))
    kinds = {
        "many headers": "".join(f"X-{number}: y\r\n" for number in range(many)),
        "a long header": f"X-Odd: {'a' * min(149_000, 18 * many)}\r\n",
        "folded headers": f"X-Odd: a{chr(13)}{chr(10)}{' b' * 3}" + "\r\n b" * many + "\r\n",
        "8-bit headers": f"X-Odd: {'é' * many}\r\nTo: {'ü' * 200} <x@y.example>\r\n",
        "encoded words": f"Comments: {'=?utf-8?q?a?= ' * many}\r\nSubject: {'=?utf-8?b?4pi6?= ' * (many // 8)}\r\n",
        "references": f"References: {'<a@b.example> ' * many}\r\n",
        "our references": f"References: {(target.message_id + ' ') * min(many, 1500)}\r\n",
        "comments": f"Cc: {'(' * many}\r\nPrecedence: {'(a' * many}\r\n",
        "two senders": f"From: {target.reader}\r\nReply-To: {target.reader}\r\n",
        "automatic": f"Auto-Submitted: {chance.choice(('no', 'auto-replied', '(' * 99))}\r\nX-Loop: x\r\n",
        "dates": f"Date: {chance.choice(('', 'Thu, 99 Foo 99999 99:99:99 +9999', '1' * 500))}\r\n",
        "findings": f"Authentication-Results: {'mx.example; dmarc=fail ' * min(many, 800)}\r\n",
        "two types": "Content-Type: multipart/mixed; boundary=zz\r\nContent-Transfer-Encoding: base64\r\n",
        "an empty envelope": "Return-Path: <>\r\n",
        "parameters": f"Content-Type: text/plain; {''.join(f'a*{number}=b; ' for number in range(min(many, 400)))}\r\n",
    }
    return chance.choice(list(kinds.items()))
