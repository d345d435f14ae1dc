"""The signature of a record: the host signs it, and anybody can check that for ever, without the host. Pure.

The method is Ed25519 (RFC 8032). The private key is the HMAC-SHA-256 of a fixed label, with the setting ``secret`` as
its key: there is no other file to keep or to copy, and whoever knows the secret can sign as well. The public key stands
beside the signature. Whose it is follows from no record: it is to be compared with the archive's first page, or with
the host's answer to ``help dice``.

Signed is the whole record as ``write_record`` writes it, in UTF-8, without the line ``signature: …``. So line ends,
empty lines and outer spaces may change on the way, and nothing else may.
"""

import hmac
from base64 import b64decode, b64encode
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from rules.errors import InvalidRecord, quote
from rules.record import Record, write_record

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_LABEL = b"pbem: the key that signs records, 1"


def public_key(secret: str) -> str:
    """Return the public key of the host with this ``secret``: 44 characters of Base64."""
    return b64encode(_private_key(secret).public_key().public_bytes_raw()).decode()


def normal_key(text: str) -> str:
    """Return a public key as ``public_key`` writes it. Raise ValueError for a text that is none."""
    key = b64decode(text.strip(), validate=True)
    if len(key) != 32:
        raise ValueError("a key has 32 bytes")
    return b64encode(key).decode()


def sign_record(text: str, secret: str) -> str:
    """Return a record, as ``write_record`` has written it, with the lines ``key: …`` and ``signature: …``."""
    head, _, entries = text.partition("\n\n")
    head += f"\nkey: {public_key(secret)}"
    signature = _private_key(secret).sign(f"{head}\n\n{entries}".encode())
    return f"{head}\nsignature: {b64encode(signature).decode()}\n\n{entries}"


def signing_key(record: Record) -> str | None:
    """Return the public key with whose private one ``record`` was signed; None for a record without a signature.

    Raise InvalidRecord when the signature is not that of this record and key.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    notes = dict(record.notes)
    if (written := notes.pop("signature", None)) is None:
        return None
    try:
        key, signature = normal_key(notes.get("key", "")), b64decode(written, validate=True)
    except ValueError as error:
        sentence = (
            f"The line “key: …” or “signature: …” cannot be read: {quote(notes.get('key', ''))}, {quote(written)}."
        )
        raise InvalidRecord("signature_unreadable", sentence) from error
    signed = write_record(replace(record, notes=notes))
    try:
        Ed25519PublicKey.from_public_bytes(b64decode(key)).verify(signature, signed.encode())
    except (InvalidSignature, ValueError) as error:  # a key can be no point of the curve
        sentence = f"The record has been changed since it was signed, or was not signed with the key {key}."
        raise InvalidRecord("signature_wrong", sentence) from error
    return key


@lru_cache(maxsize=1)  # a host has one
def _private_key(secret: str) -> "Ed25519PrivateKey":
    """Return the private key of the host with this ``secret``. Raise ValueError for an empty one, which all know."""
    # The library takes time and memory that most emails do not need: an opening, a record, the archive do.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    if not secret:
        raise ValueError("without a secret there is no key")
    return Ed25519PrivateKey.from_private_bytes(hmac.digest(secret.encode(), _LABEL, "sha256"))
