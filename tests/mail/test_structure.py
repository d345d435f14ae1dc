"""Headers and parts come out as the standard library parses them, however regular an email is."""

import email
from email.message import Message

from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.structure import Mime, find_body, parse_body, parse_header
from tests.support.each import each
from tests.support.examples import examples

TYPES = (
    *("text/plain", "text/html; charset=utf-8", "multipart/mixed; boundary=b", 'multipart/alternative; boundary="b c"'),
    *(
        "multipart/related;\n boundary=bb",
        "multipart/digest; boundary=b",
        "multipart/mixed",
        "multipart/mixed; boundary=",
    ),
    *("message/rfc822", "message/delivery-status", "multipart/mixed; boundary*=utf-8''%C3%A9", "nonsense", "\xe9"),
)
LINES = (
    *("", "d4", "--b", "--b--", "--b  ", "--b--  ", "--b c", "--b c--", "--bb", "--bb--", "--", "--b-", " --b", "--bx"),
    *("--\xc3\xa9", "From ann", ": no name", " continued", "\t", "X: y", "Content-Transfer-Encoding: base64", "é"),
    *(f"Content-Type: {kind}" for kind in TYPES),
)
ENDS = ("\n", "\r\n", "\r\n", "\n", "\r", "")


def shape(mime: Mime) -> object:
    """Return all that is read of an email or a part: the headers as they were sent, and what is in it."""
    payload = mime.get_payload() if mime.is_multipart() else mime.__dict__["_payload"]
    parts = [shape(part) for part in payload if isinstance(part, Message)] if isinstance(payload, list) else payload
    return list(mime.raw_items()), mime.get_unixfrom(), mime.get_default_type(), parts


def same(raw: bytes) -> bool:
    """Compare both ways of parsing; return whether the library was not needed for the headers."""
    start = find_body(raw)
    header = parse_header(raw[:start], regular=start is not None)
    whole = email.message_from_bytes(raw)
    assert list(header.raw_items()) == list(whole.raw_items())
    assert shape(parse_body(raw, header, start)) == shape(whole)
    return start is not None


@examples(3000)
@given(st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(ENDS)), max_size=14), st.sampled_from(TYPES))
def test_odd_lines_are_parsed_as_the_library_does(lines: list[tuple[str, str]], kind: str) -> None:
    """Boundaries with spaces, without parts, at the wrong depth; fields without names; line ends of any kind."""
    body = "".join(line + end for line, end in lines)
    same(f"From: ann@a.example\nContent-Type: {kind}\n\n{body}".encode())
    same(f"Content-Type: {kind}\n{body}".encode())


def multipart(depth: int) -> st.SearchStrategy[str]:
    """Return emails that programs write: parts within parts, each with its headers."""
    text = st.tuples(st.sampled_from(TYPES[:2]), st.sampled_from(("", "d4\n", "d4\n\n", "a\n--\nb", "--bb\n")))
    leaf = text.map(lambda one: f"Content-Type: {one[0]}\n\n{one[1]}")
    parts = st.lists(multipart(depth - 1) if depth else leaf, min_size=1, max_size=3)
    end = st.sampled_from(("--\n", "--", "--\nepilogue\n", "\n", ""))
    return leaf | st.tuples(parts, end, st.sampled_from(("", "preamble\n"))).map(
        lambda made: (
            f"Content-Type: multipart/mixed; boundary=b{depth}\n\n{made[2]}"
            + "".join(f"--b{depth}\n{part}\n" for part in made[0])
            + f"--b{depth}{made[1]}"
        )
    )


@examples(1000)
@given(multipart(2), st.sampled_from(("\n", "\r\n")))
def test_parts_in_parts_are_parsed_as_the_library_does(text: str, newline: str) -> None:
    """What stands around the parts makes no difference, nor whether the last boundary is there."""
    assert same(text.replace("\n", newline).encode())


@each(
    "raw",
    [
        b"From ann@a.example Fri\nX: y\n\nd4",
        b" continued\nX: y\n\nd4",
        b"X: y\nno header\n\nd4",
        b"X: y\r\rd4",
        b"X: y",
        b"",
    ],
)
def test_odd_headers_are_left_to_the_library(raw: bytes) -> None:
    """Where a line of the header is none, nothing is guessed."""
    assert not same(raw)
