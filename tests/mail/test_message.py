"""Raw emails taken apart, however broken they are."""

from contextlib import suppress
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.body import Unreadable
from pbem.mail.html_text import html_to_text
from pbem.mail.message import InboundMessage, parse
from pbem.mail.reply_token import ReplyToken, find_token, sign_token
from tests.support.each import each
from tests.support.hostile import HOSTILE
from tests.support.mails import without_nonce

PLAIN = "Content-Type: text/plain; charset=utf-8"


def text(head: str, body: bytes) -> str:
    """Return the text of a message with these headers and this body."""
    return parse(b"From: ann@a.example\n" + head.encode() + b"\n\n" + body).text


@each(
    "charset",
    [
        "rot13",
        "idna",
        "punycode",
        "",
        '""',
        "hex",
        "undefined",
        "unicode_escape",
        "no-such",
        "utf-7",
        "cp037x",
        "a b",
        "*",
        "ascii",
    ],
)
def test_an_odd_charset_does_not_hide_the_move(charset: str) -> None:
    """What is no charset, or none of mail, is read as UTF-8."""
    assert "d4" in text(f"Content-Type: text/plain; charset={charset}", b"d4\n")
    assert "d4" in text(
        f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit", b"d4 \xc3\xa9\xff\n"
    )


@each(
    "head, body, found",
    [
        ("Content-Type: text/plain; name*", b"d4", "d4"),
        ("Content-Type: nonsense", b"d4", "d4"),
        ("Content-Type: text/plain; charset=iso-8859-1", b"d4 \xe9", "d4 é"),
        ("Content-Type: text/plain", b"d4 \x93hi\x94", "d4 “hi”"),
        (f"{PLAIN}\nContent-Transfer-Encoding: base64", b"ZDQgZTU=", "d4 e5"),
        (f"{PLAIN}\nContent-Transfer-Encoding: quoted-printable", b"d4 =C3=A9=\n!", "d4 é!"),
        (f"{PLAIN}; format=flowed", b"team: a long \nline\nd4\n-- \nAnn", "team: a long line\nd4\n-- \nAnn"),
        (f"{PLAIN}; format=flowed; DelSp=yes", b"team: an un \nbroken word\n d4", "team: an unbroken word\nd4"),
        (PLAIN, b"\xff\xfed\x004\x00", "d4"),
        ("Content-Type: text/plain; charset=utf-16be", b"\x00d\x004", "d4"),
        (PLAIN, "d4 „ja“ cut \u20ac".encode()[:-1], "d4 „ja“ cut \ufffd"),
        ("Content-Type: multipart/mixed", b"d4", "d4"),
        (PLAIN, b"<!DOCTYPE html>\n<html><title>e5</title><p>d4</html>", "d4"),
        ("Content-Type: text/plain; charset=utf-7", b"d4 +2AA-", "d4 ?"),
    ],
)
def test_the_text_is_decoded(head: str, body: bytes, found: str) -> None:
    """Encodings, charsets and flowed paragraphs are undone."""
    assert text(head, body).strip() == found


def test_html_is_read_where_the_plain_text_says_nothing() -> None:
    """Some programs send an empty text part and the answer in HTML alone."""
    body = b"--x\nContent-Type: text/plain\n\n \n--x\nContent-Type: text/html\n\n<p>d4</p>\n--x--\n"
    assert text('Content-Type: multipart/alternative; boundary="x"', body) == "d4"


@each(
    "kind, parts, lines",
    [
        ("mixed", ["text/html\n\n<p>d4", "text/plain\n\nfooter"], ["d4", "footer"]),
        ("alternative", ["text/plain\n\nd4", "text/html\n\n<p>e5"], ["d4"]),
        ("alternative", ["text/plain\n\nPlease see the HTML part.", "text/html\n\n<p>e5"], ["e5"]),
        ("alternative", ["text/plain\n\nI like HTML more", "text/html\n\n<img>"], ["I like HTML more"]),
        ("alternative", ["text/calendar\n\ne5", "text/plain\n\nd4"], ["d4"]),
        ("mixed", ["application/ms-tnef\n\ne5", "message/partial\n\nf6", "text/plain\n\nd4"], ["d4"]),
    ],
)
def test_parts_are_read_in_their_order(kind: str, parts: list[str], lines: list[str]) -> None:
    """Of the same text in several kinds the plainest that says something is read, of different texts all."""
    body = "".join(f"--x\nContent-Type: {part}\n" for part in parts) + "--x--\n"
    assert text(f'Content-Type: multipart/{kind}; boundary="x"', body.encode()).split("\n") == lines


@pytest.mark.parametrize(
    "body",
    ["a\n" * 150_000, ">" * 300_000, "\u200b" * 250_000],
    ids=["lines", "marks", "unseen"],
)
def test_more_text_than_anybody_writes_is_unreadable(body: str) -> None:
    """A message that is mostly noise is refused as a whole, rather than read in part."""
    with pytest.raises(Unreadable):
        text(PLAIN, b"d4\n" + body.encode())
    with pytest.raises(Unreadable):
        text("Content-Type: text/html", b"d4" + b"<b>" * 100_001)


def test_a_picture_within_the_html_hides_nothing() -> None:
    """Pictures written into the HTML make it long; what stands below them is read all the same."""
    picture = b'<img src="data:image/png;base64,' + b"iVBORw0KGgo" * 200_000 + b'">'
    assert text("Content-Type: text/html", b"<p>hi</p>" + picture + b"<p>d4</p>") == "hi\nd4"


def test_attachments_are_not_read() -> None:
    """A text file and an email that are attached were not written by whoever attached them."""
    parts = [
        b"Content-Type: text/plain\n\nd4\n",
        b"Content-Type: text/plain\nContent-Disposition: attachment\n\nd5\n",
        b"Content-Type: text/plain\nContent-Disposition: inline; filename=a.txt\n\nd6\n",
        b"Content-Type: text/plain; charset=utf-8; name=a.txt\n\nd8\n",
        b"Content-Type: message/rfc822\n\nSubject: x\n\nd7\n",
    ]
    body = b"".join(b"--x\n" + part for part in parts) + b"--x--\n"
    assert text('Content-Type: multipart/mixed; boundary="x"', body).split() == ["d4"]


@each(
    "html, lines",
    [
        (
            "<div>d4</div><br><blockquote>On x wrote:<p>e5<blockquote>f6</blockquote></blockquote>g7",
            "d4\n> On x wrote:\n> e5\n> > f6\ng7",
        ),
        ("<head><title>no</title><style>p{}</style></head><p>d4<script>x<p>y</script> e5", "d4 e5"),
        ('<div style="display: none"><div>no</div><p>no</div>d4<span hidden>no</span>', "d4"),
        ("a &lt;b&gt; &amp; c&nbsp;d", "a <b> & c d"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>", "a b\nc"),
        ("<!-- <p>no --> <![if !mso]>d4<![endif]> <?php no ?>", "d4"),
        ("1 < 2 <b title='>'>d4</b>", "1 < 2 d4"),
        ("<p style='font-size:0px'>no</p><p style='VISIBILITY : hidden'>no</p><i style='mso-hide:all'>no</i>d4", "d4"),
        ("<div style='max-height:0;overflow:hidden'>no</div><div style=opacity:0>no</div>d4", "d4"),
        ("<p style='font-size:10px;line-height:0;opacity:0.8'>d4</p><td style='width:0'>e5", "d4\ne5"),
        ("<s>no</s><del>no</del><strike>no</strike>d4", "d4"),
        ('<i style="text-decoration: underline line-through">no</i><i style="text-decoration: underline">d4</i>', "d4"),
        ("<pre>d4\n-- \nAnn</pre>", "d4\n--\nAnn"),
        ("d4 <![foo[ e5", "d4"),
        ("<!-->d4<td>e5<!-- no > <td>no", "d4 e5"),
        ('<p>d4</p><a b=\'><p>e5</p><a title=">">f6', 'd4\ne5\n">f6'),
        ("<td>d4</td><td hidden>no<td>no</td></td>e5</td><td>f6", "d4 e5 f6"),
        ("<style>no</p><td></STYLE >d4<textarea>no<br></textarea>", "d4"),
        ("<PRE>d4\n&lt;e5</Pre> f6\ng7", "d4\n<e5\nf6 g7"),
    ],
)
def test_html_becomes_what_a_reader_sees(html: str, lines: str) -> None:
    """Blocks are lines, quotations are marked, and what is not shown is not read."""
    assert html_to_text(html) == lines


@each(
    "piece",
    [
        "<!",
        "<a ",
        '<a b="',
        "</",
        "<!--",
        "<?",
        "&#x",
        "<script>",
        "<blockquote>",
        "<td>",
        "<p hidden>",
        "<a b='\">",
        "<style",
        "&" * 40,
    ],
)
def test_hostile_html_costs_no_time(piece: str) -> None:
    """The longest HTML that is read takes a fraction of a second, whatever it is made of."""
    started = process_time()
    html_to_text(piece * (200_000 // len(piece)) + "'d4>")
    assert process_time() - started < 1


def everything(message: InboundMessage) -> list[object]:
    """Read all there is of a message."""
    return [message.identity, message.senders, message.subject, message.token_places, message.text, message.texts]


@each("raw", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_mail_is_read_or_refused_at_once(raw: bytes) -> None:
    """Reading ends within a second, with what can be read or with a ValueError."""
    started = process_time()
    with suppress(ValueError):
        everything(parse(b"From: ann@a.example\n" + raw + b"\n\nd4\n"))
    assert process_time() - started < 1


@given(st.binary(max_size=2000))
def test_any_bytes_are_a_message_or_no_mail(raw: bytes) -> None:
    """Nothing but ValueError comes out of arbitrary bytes."""
    try:
        everything(parse(raw))
    except ValueError:
        return


HEADERS = [
    "From",
    "To",
    "Subject",
    "Message-ID",
    "References",
    "Content-Type",
    "Content-Transfer-Encoding",
    "MIME-Version",
]
VALUES = [
    "<>",
    "=?utf-8?q?a=0D=0Ab?= <ann@a.example>",
    "ann@a.example",
    "text/plain; name*",
    "text/plain; charset=idna",
    "multipart/mixed; boundary=x",
    "base64",
    "quoted-printable",
    "text/html",
    "=?x?q?",
    "message/rfc822",
    "\t",
    '"',
    "((",
]


@given(
    st.lists(st.tuples(st.sampled_from(HEADERS), st.sampled_from(VALUES) | st.text(max_size=30)), max_size=8),
    st.binary(),
)
def test_any_headers_can_be_read(headers: list[tuple[str, str]], body: bytes) -> None:
    """Header texts come out on one line and printable, addresses in lower case."""
    head = "".join(f"{name}: {value}\n" for name, value in headers).encode("utf-8", "replace")
    try:
        message = parse(b"X: y\n" + head + b"\n" + body)
        everything(message)
    except ValueError:
        return
    for line in (message.subject, message.identity, *message.answered):
        assert line.isprintable()
    assert all(sender == sender.lower() for sender in message.senders)


def test_an_encoded_line_break_does_not_reach_anybody() -> None:
    """A sender's name may hold an encoded line break: the address is read all the same."""
    message = parse(b"From: =?utf-8?q?a=0D=0ABcc:_b?= <ann@a.example>\nSubject: =?utf-8?q?a=0D=0Ab?=\n\nd4")
    assert message.senders == ("ann@a.example",)
    assert message.subject == "a  b"


def test_an_encoded_name_is_no_address() -> None:
    """An address in the encoded name of another is not the sender's."""
    assert parse(b"From: =?utf-8?q?bob=40b.example?= <ann@a.example>\n\nd4").senders == ("ann@a.example",)


@each("above", ["Message-ID: <1@x>\n", "Message-ID: <>\n", ""])
def test_a_message_is_known_by_its_message_id_and_its_words(above: str) -> None:
    """Another delivery has other traces, line ends and spaces at its end; other words are another message."""
    head = f"From: ann@a.example\n{above}Subject: Re: your turn\n\n"
    traces = "Received: from a by b\nDelivered-To: games@b.example\nX-Spam-Score: 1\n"
    texts = (f"{head}d4", f"{traces}{head}d4\n\n".replace("\n", "\r\n"), f"{head}d5", head.replace("your", "a") + "d4")
    parsed = [parse(text.encode()) for text in texts]
    one, again, *others = ((message.identity, message.words) for message in parsed)
    assert one == again
    assert len({one, *others}) == 3
    assert parsed[0].identity == "<1@x> ann@a.example" or "<1@x>" not in above


def test_the_same_words_are_another_message_at_another_time() -> None:
    """Without a Message-ID it is told by the header Date, and with one by the email that is answered."""
    for head in ("Date: Fri, {} Nov 2026 18:30:00 +0000", "Message-ID: <1@x>\nIn-Reply-To: <{}@x>"):
        one, two = (parse(f"From: ann@a.example\n{head.format(day)}\n\ntake".encode()) for day in (20, 21))
        assert (one.identity, one.words) != (two.identity, two.words)


@each(
    "value",
    [
        "games+{}@play.example",
        "games: games+{}@play.example;",
        "<<games+{}@play.example>>",
        '"games+{}@play.example" <games@play.example>',
        "games%2B{}@play.example",
        "games%2b{}@play.example",
        '"games+{}"@play.example',
        "mailto:games+{}@play.example",
    ],
)
def test_a_token_is_found_however_the_address_is_written(value: str) -> None:
    """Where it stands does not matter: it is signed."""
    token = ReplyToken(17, 12, 1)
    places = parse(f"To: {value.format(sign_token(token, 'secret'))}\n\nd4".encode()).token_places
    assert find_token(places, "secret", without_nonce) == token


@pytest.mark.parametrize(
    "above", [b"\xef\xbb\xbf", b">From ann@a.example Fri Nov 20\n", b"From ann@a.example Fri Nov 20\r\n"]
)
def test_what_mail_stores_leave_above_the_header_is_passed_over(above: bytes) -> None:
    """A message begins with its header all the same."""
    assert parse(above + b"From: ann@a.example\n\nd4").senders == ("ann@a.example",)


def test_the_headers_are_read_without_the_parts() -> None:
    """A message is known by its headers even where its parts are more than anybody writes."""
    raw = b"Message-ID: <1@x>\nFrom: ann@a.example\n" + b"Content-Type: message/rfc822\n\n" * 3000
    message = parse(raw)
    assert message.identity == "<1@x> ann@a.example"
    with pytest.raises(Unreadable):
        _ = message.text
