"""Tells what a message holds in place of text that can be read: something locked, packed, or merely attached."""

import re
from collections.abc import Iterator
from email.message import Message
from typing import Literal, TypeAlias

OpaqueKind = Literal["encrypted", "signed", "winmail", "attachment", ""]
"""What the content lies in: ``signed`` is an S/MIME signature around it, ``winmail`` what Outlook packs for itself."""

_Message: TypeAlias = "Message[str, str]"

_MOST_PARTS, _DEEPEST = 500, 30
_ARMOUR = re.compile(r"^-----BEGIN PGP MESSAGE-----\s*$", re.MULTILINE)
_LOCKED = frozenset({"multipart/encrypted", "application/pgp-encrypted", "application/x-microsoft-rpmsg-message"})
_SMIME = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_TNEF = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})
# What an email program adds by itself, and no content of anybody's.
_BESIDES = frozenset(
    {"application/pgp-signature", "application/pgp-keys", "application/pkcs7-signature"}
    | {"application/x-pkcs7-signature", "text/vcard", "text/x-vcard", "text/directory"}
)
_NAME = re.compile(r"name\*?[0-9]{0,2}\*?\s{0,9}=\s{0,9}[^;\n]{0,200}?\.(p7m|p7s|p7c|rpmsg)\b", re.ASCII)
_WINMAIL = re.compile(r"name\s{0,9}=\s{0,9}\"?win(?:mail|dat)\.dat\b", re.ASCII)
_SMIME_TYPE = re.compile(r"smime-type\s{0,9}=\s{0,9}\"?([a-z-]{1,30})", re.ASCII)
# The first object identifier in such a part (RFC 5652) says what it is, where no header does.
_SIGNED_DATA, _CERTIFICATES = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02", "certs-only"


def opaque_kind(message: _Message, text: str) -> OpaqueKind:
    """Return what the content of ``message`` lies in, whose readable text is ``text``; "" for an ordinary message.

    What is encrypted, or inside a signature, is told even where a gateway has put words of its own around it, and so
    is a file that somebody has attached, for the text may be a quotation; the rest only where there is no text at all.
    """
    parts = list(_parts(message))
    found = {_kind(part) for part in parts}
    if "encrypted" in found or _ARMOUR.search(text):
        return "encrypted"
    if "signed" in found:
        return "signed"
    if any(char.isalnum() for char in text):
        return "attachment" if any(map(_attached_by_hand, parts)) else ""
    return "winmail" if "winmail" in found else "attachment" if "attachment" in found else ""


def _parts(message: _Message) -> Iterator[_Message]:
    """Yield the parts of a message, and not what is inside an email that is attached to it."""
    waiting = [(message, 0)]
    for _ in range(_MOST_PARTS):
        if not waiting:
            return
        part, depth = waiting.pop()
        yield part
        if part.is_multipart() and part.get_content_maintype() == "multipart" and depth < _DEEPEST:
            waiting += [(child, depth + 1) for child in part.get_payload() if isinstance(child, Message)]


def _kind(part: _Message) -> OpaqueKind:
    """Return what kind of content a part is; "" for text to be read, for parts in parts, and for what says nothing."""
    kind = part.get_content_type()
    shown = str(part.get("Content-Disposition", ""))[:1000].strip().lower()
    heads = f"{str(part.get('Content-Type', ''))[:1000].lower()}; {shown}"
    named = _NAME.search(heads)
    if kind in _LOCKED or (named and named[1] == "rpmsg"):
        return "encrypted"
    if kind in _SMIME or (named and named[1] == "p7m"):
        return "" if named and named[1] != "p7m" else _smime(part, heads)
    if kind in _TNEF or _WINMAIL.search(heads):
        return "winmail"
    if kind in _BESIDES or named or kind.startswith("multipart/"):
        return ""
    attached = shown.startswith("attachment") or "filename" in shown
    return "attachment" if attached or kind not in ("text/plain", "text/html", "text/x-amp-html") else ""


def _attached_by_hand(part: _Message) -> bool:
    """Return whether somebody chose to attach a part; a picture in a signature is named by the HTML around it."""
    shown = str(part.get("Content-Disposition", "")).strip().lower()
    return shown.startswith("attachment") and not part.get("Content-ID") and _kind(part) == "attachment"


def _smime(part: _Message, heads: str) -> OpaqueKind:
    """Return what a part of S/MIME is: a signature around the text, or a lock."""
    said = _SMIME_TYPE.search(heads)
    if said:
        kinds: dict[str, OpaqueKind] = {"signed-data": "signed", _CERTIFICATES: "", "compressed-data": "attachment"}
        return kinds.get(said[1], "encrypted")
    payload = part.get_payload(decode=True)
    return "signed" if isinstance(payload, bytes) and _SIGNED_DATA in payload[:100] else "encrypted"
