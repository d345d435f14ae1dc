"""What the domain of the service says in DNS about who may send for it: SPF (RFC 7208) and DMARC (RFC 7489), MX too.

DKIM (RFC 6376) can't be looked up without the selector, which stands in an email that was signed: its result is in the
email that the doctor sends.
"""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Literal

from pbem.cli.finding import Finding
from pbem.errors import BadInput
from pbem.mail.headers import domain_of
from pbem.version import describe_extra

Kind = Literal["TXT", "MX"]
Lookup = Callable[[str, Kind], list[str]]
"""Returns the records of a name, none where there are none. Raises OSError when nobody answers."""

_PATIENCE = 5.0  # seconds


def look_at_domain(address: str) -> Finding:
    """Check the records of the domain of ``address`` with the resolver of this machine. Raise BadInput if it can't."""
    if find_spec("dns") is None:
        raise BadInput(f"The records of your domain can't be looked up without {describe_extra('dns')}.")
    return check_domain(address, look_up)


def check_domain(address: str, lookup: Lookup) -> Finding:
    """Check the records of the domain of ``address``. Raise BadInput when nobody answers.

    Missing or contradictory records are faults: large providers refuse email of such domains, or call it spam.
    """
    domain = domain_of(address)
    try:
        spf = [text for text in lookup(domain, "TXT") if text.lower().split(" ")[0] == "v=spf1"]
        dmarc = _find_dmarc(domain, lookup)
        exchangers = lookup(domain, "MX")
    except OSError as error:
        raise BadInput(f"The records of {domain} can't be looked up: {error}.") from error
    faults = [*_judge_spf(domain, spf), *_judge_dmarc(domain, dmarc)]
    if not exchangers:
        faults.append(f"{domain} has no MX record: no reply finds its way to {address}.")
    policy = _read_tags(dmarc[0]).get("p", "") if dmarc else ""
    notes = (
        (f"The DMARC record of {domain} says p=none: read its reports for a week, then say p=reject.",)
        if policy.lower() == "none"
        else ()
    )
    return Finding(
        f"{domain} says in DNS who sends for it (SPF) and what becomes of the rest (DMARC)", tuple(faults), notes
    )


def _judge_spf(domain: str, records: list[str]) -> list[str]:
    """Return what is wrong with the SPF records of a domain, in a sentence."""
    if not records:
        return [f"{domain} has no SPF record: add one that names your mail server, as the hosting guide shows."]
    if len(records) > 1:
        return [f"{domain} has {len(records)} SPF records, so none counts (RFC 7208, 4.5): make them one."]
    words = records[0].lower().split()
    if "+all" in words or "all" in words:
        return [f"The SPF record of {domain} lets everybody send for it (“+all”): end it with -all."]
    return []


def _judge_dmarc(domain: str, records: list[str]) -> list[str]:
    """Return what is wrong with the DMARC records of a domain, in a sentence."""
    if not records:
        return [f"{domain} has no DMARC record: add one at _dmarc.{domain}, as the hosting guide shows."]
    if len(records) > 1:
        return [f"_dmarc.{domain} has {len(records)} DMARC records, so none counts (RFC 7489, 6.6.3): keep one."]
    return []


def _find_dmarc(domain: str, lookup: Lookup) -> list[str]:
    """Return the DMARC records for a domain: its own, or else those of the nearest domain above that has any."""
    labels = domain.split(".")
    for start in range(max(1, len(labels) - 1)):
        above = ".".join(labels[start:])
        if found := [text for text in lookup(f"_dmarc.{above}", "TXT") if _read_tags(text).get("v") == "DMARC1"]:
            return found
    return []


def _read_tags(text: str) -> dict[str, str]:
    """Return the tags of a DMARC record."""
    pairs = (part.partition("=") for part in text.split(";"))
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def look_up(name: str, kind: Kind) -> list[str]:
    """Ask the resolver of this machine. Raises OSError when nobody answers."""
    from dns import exception, resolver

    try:
        answer = resolver.resolve(name, kind, lifetime=_PATIENCE)
    except (resolver.NXDOMAIN, resolver.NoAnswer):
        return []
    except exception.DNSException as error:
        raise OSError(" ".join(str(error).split()).rstrip(".")) from error
    if kind == "MX":
        return [str(record.exchange) for record in answer if str(record.exchange) != "."]
    return [b"".join(record.strings).decode(errors="replace") for record in answer]
