"""Email addresses as people type them, brought into one form."""

import re

from pbem.errors import BadInput

_ATOM = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_ADDRESS = re.compile(
    rf"{_ATOM}(?:\.{_ATOM})*@(?:[a-z0-9](?:[a-z0-9-]{{0,61}}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{{0,61}}[a-z0-9])?"
)
_ENCODED = "=?"  # begins an encoded word (RFC 2047), which email programs turn into whatever it holds
LONGEST_NAME = 40
_NAMED = re.compile(r"\s*+\"?(?P<name>[^<>\"]*+)\"?\s*+<(?P<address>[^<>]*+)>\s*+")


def normal_address(text: str) -> str:
    """Return the address in lower case; raises BadInput when it is none that email can be sent to."""
    address = text.strip().lower()
    local, _, _ = address.rpartition("@")
    if len(address) > 254 or len(local) > 64 or _ENCODED in address or not _ADDRESS.fullmatch(address):
        raise BadInput(f"“{text.strip()[:80]}” is no mail address; one looks like ann@example.org.")
    return address


def is_address(text: str) -> bool:
    """Return whether mail can be sent to ``text``."""
    try:
        normal_address(text)
    except BadInput:
        return False
    return True


def split_named(text: str) -> tuple[str, str]:
    """Return name and address of ``Ann <ann@example.org>`` or of a bare address (then the name is empty).

    Raises BadInput for an address that is none, and for a name that would not fit into a line of an email, or that is
    not what its readers would see.
    """
    if found := _NAMED.fullmatch(text):
        name = " ".join("".join(char if char.isprintable() else " " for char in found["name"]).split())
        if _ENCODED in name:
            raise BadInput(f"“{name[:LONGEST_NAME]}” is encoded, as names are inside mails; write it as it is read.")
        if len(name) > LONGEST_NAME:
            raise BadInput(f"“{name[:LONGEST_NAME]}…” is too long a name: it may have {LONGEST_NAME} characters.")
        return name, normal_address(found["address"])
    return "", normal_address(text)


def plus(address: str, addition: str) -> str:
    """Return ``address`` with ``addition`` behind a plus sign in its local part."""
    local, _, domain = address.rpartition("@")
    return f"{local}+{addition}@{domain}"


def domain_of(address: str) -> str:
    """Return what stands behind the last ``@``."""
    return address.rpartition("@")[2]
