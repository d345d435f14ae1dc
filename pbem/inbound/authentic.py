"""Reads what our own mail server found out about a sender: that they are authentic, forged, or nothing (RFC 8601)."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from pbem.mail.headers import domain_of, strip_comments, to_address
from pbem.mail.message import InboundMessage

Verdict = Literal["authentic", "forged", "unknown"]

_RESULT = re.compile(r"\s*([a-z][\w-]*)\s*(?:/\s*\d{1,9}\s*)?=\s*([a-z]+)(?![\w-])(.*)", re.DOTALL | re.ASCII)
_PROPERTY = re.compile(
    r"(?<![\w.-])(header\.from|header\.d|header\.i|smtp\.mailfrom|smtp\.auth)\s{0,9}=\s{0,9}([^\s;]+)", re.ASCII
)


class _Finding(NamedTuple):
    """The ``result`` of a ``method``, with its properties: domains or addresses, by their names."""

    method: str
    result: str
    properties: dict[str, str]


def judge_sender(message: InboundMessage, authserv_id: str) -> Verdict:
    """Return what the mail server whose name is ``authserv_id`` found out about the address in From.

    Authentic: DMARC passes; or, where it says neither pass nor fail, DKIM or SPF passes for the same domain (one may be
    a subdomain of the other), or the sender has logged in by that address. Forged: DMARC fails. What other servers
    found does not count; of ours, the first finding of each method does, since a sender's own fields stand below.
    """
    findings = list(_read_findings(message, authserv_id.lower())) if authserv_id else []
    dmarc = [finding for finding in findings if finding.method == "dmarc"]
    if any(finding.result == "fail" for finding in dmarc):
        return "forged"
    passes = bool(dmarc) and dmarc[0].result == "pass" and _is_about(dmarc[0], message.senders)
    if passes or any(_vouches(finding, message.senders) for finding in findings):
        return "authentic"
    return "unknown"


def authserv_ids(message: InboundMessage) -> list[str]:
    """Return the names of the servers whose findings a message carries, the latest first, in lower case."""
    signers = (strip_comments(field.lower()).partition(";")[0].split() for field in _fields(message))
    return [signer[0] for signer in signers if signer]


def _read_findings(message: InboundMessage, ours: str) -> Iterator[_Finding]:
    """Yield the findings of the server ``ours``; of DKIM every signature's, of other methods but DMARC the first."""
    seen = set()
    for field in _fields(message):
        signer, *results = strip_comments(field.lower().replace(f'"{ours}"', ours)).split(";")
        if signer.split()[:1] != [ours]:
            continue
        for found in filter(None, map(_RESULT.match, results)):
            method = found[1]
            if method in seen:
                continue
            properties = _PROPERTY.findall(found[3])
            # A name that comes twice may be the sender's own words.
            if found[2] != "pass" or len(dict(properties)) == len(properties):
                yield _Finding(method, found[2], dict(properties))
        seen |= {found[1] for found in filter(None, map(_RESULT.match, results))} - {"dmarc"}


def _is_about(finding: _Finding, senders: tuple[str, ...]) -> bool:
    """Return whether a finding of DMARC is about the sender whom we read in From, if it says about whom it is."""
    about = _read_domain(finding.properties.get("header.from", ""))
    return not about or any(domain_of(sender) == about for sender in senders)


def _vouches(finding: _Finding, senders: tuple[str, ...]) -> bool:
    """Return whether a finding other than DMARC proves the domain of the sender, or the address itself."""
    if finding.result != "pass" or not senders:
        return False
    domain = domain_of(senders[0])
    if finding.method == "dkim":
        return any(_is_aligned(finding.properties.get(name, ""), domain) for name in ("header.d", "header.i"))
    if finding.method == "spf":
        return _is_aligned(finding.properties.get("smtp.mailfrom", ""), domain)
    named = (to_address(finding.properties.get(name, "")) for name in ("smtp.auth", "smtp.mailfrom"))
    return finding.method == "auth" and senders[0] in named


def _is_aligned(proven: str, domain: str) -> bool:
    """Return whether a ``proven`` domain, or that of a proven address, is ``domain``, above it or below it."""
    proven = _read_domain(proven)
    if "." not in proven:
        return False
    return proven == domain or proven.endswith(f".{domain}") or domain.endswith(f".{proven}")


def _read_domain(text: str) -> str:
    """Return the domain that a finding names, alone or in an address, as it stands in our addresses."""
    domain = domain_of(text).strip("<>.")
    return domain_of(to_address(f"anybody@{domain}")) or domain


def _fields(message: InboundMessage) -> list[str]:
    """Return the fields with findings, undecoded: an encoded word is none."""
    return message.undecoded("Authentication-Results")
