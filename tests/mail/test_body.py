"""What hides the content of a message without text."""

import base64

import pytest

from pbem.mail.body import DEEPEST, MOST_PARTS, Unreadable
from pbem.mail.message import parse
from tests.support.each import each

SIGNED_DATA = base64.b64encode(bytes.fromhex("3080 0609 2a864886f70d010702 a080 3080 0201 01")).decode()
ENVELOPED = base64.b64encode(bytes.fromhex("3080 0609 2a864886f70d010703 a080 3080 0201 00")).decode()
EMPTY = "text/plain\n\n\n"


def hidden_in(head: str, body: str = "") -> str:
    """Return what a message with these headers and this body holds in place of text."""
    return parse(f"From: ann@a.example\n{head}\n\n{body}\n".encode()).opaque_kind


def mixed(*parts: str, kind: str = "mixed") -> tuple[str, str]:
    """Return the head and the body of a message made of parts, each with its headers."""
    body = "".join(f"--x\nContent-Type: {part}\n" for part in parts) + "--x--"
    return f'Content-Type: multipart/{kind}; boundary="x"', body


@each(
    "kind, found",
    [
        ("application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", "encrypted"),
        ("application/x-pkcs7-mime; smime-type=authEnveloped-data", "encrypted"),
        ('application/pkcs7-mime; name="smime.p7m"; smime-type="signed-data"', "signed"),
        ("Application/X-PKCS7-MIME; name=smime.p7m;\n smime-type=Signed-Data", "signed"),
        (f"application/x-pkcs7-mime\nContent-Transfer-Encoding: base64\n\n{SIGNED_DATA}", "signed"),
        (f"application/x-pkcs7-mime\nContent-Transfer-Encoding: base64\n\n{ENVELOPED}", "encrypted"),
        ("application/octet-stream; name=smime.p7m\n\nwhatever this is", "encrypted"),
        ("application/pkcs7-mime; smime-type=certs-only; name=smime.p7c", ""),
        ("application/pkcs7-mime; name=smime.p7s", ""),
        ("application/ms-tnef; name=winmail.dat", "winmail"),
        ("application/octet-stream\nContent-Disposition: attachment; filename=WINMAIL.DAT", "winmail"),
        ("image/jpeg", "attachment"),
        ("text/plain\nContent-Disposition: attachment; filename=move.txt\n\nd4", "attachment"),
        ("message/rfc822\n\nSubject: x\n\nd4", "attachment"),
        ("multipart/mixed; boundary=y", ""),
        ("text/plain; name*\n\nd4", ""),
        ("text/html\n\n<img src=x>", ""),
    ],
)
def test_a_single_part_says_what_it_is(kind: str, found: str) -> None:
    """The type tells it, the name of the file where the type is vague, and the first bytes where both are."""
    assert hidden_in(f"Content-Type: {kind}") == found


@each(
    "parts, found",
    [
        ((EMPTY, "application/pdf\n\n%PDF"), "attachment"),
        ((EMPTY, "application/ms-tnef\n\nx"), "winmail"),
        (("text/html\n\n<p>&nbsp;</p>", "image/png\nContent-Disposition: inline; filename=a.png\n\nx"), "attachment"),
        ((EMPTY, "application/pdf\n\n%PDF", "application/ms-tnef\n\nx"), "winmail"),
        (("text/plain\n\nd4", "application/ms-tnef\n\nx"), ""),
        (("text/plain\n\nd4", "application/pdf\n\n%PDF"), ""),
        (("text/plain\n\n> d4", "application/pdf\nContent-Disposition: attachment\n\n%PDF"), "attachment"),
        (("text/plain\n\n> d4", "image/png\nContent-Disposition: attachment\nContent-ID: <1>\n\nx"), ""),
        (("text/plain\n\n> d4", "text/vcard\nContent-Disposition: attachment\n\nx"), ""),
        ((EMPTY, "application/pkcs7-signature; name=smime.p7s\n\nx"), ""),
        ((EMPTY, "text/vcard; name=ann.vcf\nContent-Disposition: attachment; filename=ann.vcf\n\nx"), ""),
        ((EMPTY, "multipart/encrypted; boundary=z\n\n--z--"), "encrypted"),
        (("text/plain\n\nScanned for you.", "application/pkcs7-mime; smime-type=enveloped-data\n\nx"), "encrypted"),
        ((EMPTY, "application/pgp-encrypted\n\nVersion: 1", "application/octet-stream\n\nx"), "encrypted"),
        ((EMPTY, "application/x-microsoft-rpmsg-message; name=message_v2.rpmsg\n\nx"), "encrypted"),
        ((EMPTY, "message/rfc822\n\nContent-Type: application/pkcs7-mime\n\nx"), "attachment"),
    ],
)
def test_of_several_parts_the_one_that_hides_the_content_counts(parts: tuple[str, ...], found: str) -> None:
    """Text that can be read is no riddle; what a program adds by itself is no content."""
    assert hidden_in(*mixed(*parts)) == found


def test_a_text_encrypted_by_hand_is_encrypted() -> None:
    """PGP within the text counts as well, but not where somebody only quotes it."""
    armour = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----"
    assert hidden_in("Content-Type: text/plain", f"[External mail]\n\n{armour}") == "encrypted"
    assert hidden_in("Content-Type: text/plain", "d4\n> " + armour.replace("\n", "\n> ")) == ""


def test_an_empty_message_hides_nothing() -> None:
    """A message with nothing in it, or of text alone, is what it is."""
    assert hidden_in("Subject: x") == ""
    assert hidden_in(*mixed(EMPTY, "text/html\n\n<br>", kind="alternative")) == ""


def test_the_walk_yields_parts_in_order_and_nothing_of_an_attached_email() -> None:
    """Each part comes with its depth, and with the alternatives that it belongs to."""
    inner = "multipart/alternative; boundary=y\n\n--y\n\nplain\n--y\nContent-Type: text/html\n\nhtml\n--y--"
    head, body = mixed(inner, "message/rfc822\n\nContent-Type: text/plain\n\nattached")
    parts = parse(f"{head}\n\n{body}\n".encode()).parts
    assert [(part.mime.get_content_type(), part.depth) for part in parts] == [
        ("multipart/mixed", 0),
        ("multipart/alternative", 1),
        ("text/plain", 2),
        ("text/html", 2),
        ("message/rfc822", 1),
    ]
    assert [part.choice is parts[1].mime for part in parts] == [False, False, True, True, False]


@pytest.mark.parametrize(
    "raw",
    [
        "\n\n".join(mixed(*["text/plain\n\nd4"] * MOST_PARTS)),
        "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(DEEPEST + 1)) + "\nd4",
    ],
    ids=["many", "deep"],
)
def test_more_parts_than_anybody_makes_are_unreadable(raw: str) -> None:
    """The walk ends at its limits, and then there is no text."""
    message = parse(f"{raw}\n".encode())
    assert len(message.parts) <= MOST_PARTS + 1
    with pytest.raises(Unreadable):
        _ = message.text
