"""What the doctor finds of senders: whether our mail server says who they really are (RFC 8601), and what to set."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.mail import InboundMessage
    from pbem.settings import Settings
    from pbem.storage import Transaction

_LATEST = 100  # messages that are looked at
_ENOUGH = 10  # messages that tell what the mail server does
_SERVER = re.compile(r"[a-z0-9_.-]{1,100}")
_FINDING = re.compile(r"\s*(dmarc|dkim|spf)\s*=\s*([a-z]+)(.*)", re.DOTALL)
_IDENTITY = re.compile(r"(?:header\.(?:d|i|from)|smtp\.(?:mailfrom|mail|helo))\s*=\s*[\"<]?(?:[^\s@;]*@)?([a-z0-9.-]+)")


@dataclass(frozen=True)
class Results:
    """What the topmost Authentication-Results of a message say: whose they are, and what each method found."""

    server: str
    found: dict[str, str]
    authentic: bool


def check_senders(tx: "Transaction", settings: "Settings") -> str:
    """Return what is in force, and what would be better. Raise BadInput for settings that protect nothing."""
    server = settings.authserv_id.lower()
    force = f"authentication = {settings.authentication}"
    if settings.authentication == "off":
        return f"{force}: whoever forges the address of a player is believed"
    if not server:
        return f"no mail server's results are looked at, since authserv_id is not set ({force}){_suggest(tx)}"
    read = [read_results(message) for message in _latest(tx, accepted=False)]
    ours = [results for results in read if results and results.server == server]
    if len(read) >= _ENOUGH and not ours:
        raise BadInput(
            f"authserv_id is “{server}”, but none of the last {len(read)} messages begins with its results:"
            f" {force} {'lets nothing in' if settings.authentication == 'required' else 'protects nobody'}."
            f"{_suggest(tx)}"
        )
    return f"{force}, by the results of {server}, which {len(ours)} of the last {len(read)} messages carry"


def read_results(message: "InboundMessage") -> Results | None:
    """Return what the topmost Authentication-Results say; None without any."""
    from pbem.mail import strip_comments

    fields = message.undecoded("Authentication-Results")
    if not fields:
        return None
    head, *findings = strip_comments(fields[0].lower()[:5000].replace('"', "")).split(";")
    found: dict[str, str] = {}
    aligned = False
    domain = message.senders[0].rpartition("@")[2] if message.senders else ""
    for method, result, properties in (read.groups() for read in map(_FINDING.match, findings) if read):
        if method not in found or result == "pass":
            found[method] = result
        named = _IDENTITY.findall(properties)
        aligned = aligned or (result == "pass" and (method == "dmarc" or any(_aligns(one, domain) for one in named)))
    server = (head.split() or [""])[0]
    authentic = aligned and found.get("dmarc") != "fail"
    return Results(server, found, authentic) if _SERVER.fullmatch(server) else None


def _suggest(tx: "Transaction") -> str:
    """Return a line that says what to set, if the messages that have arrived tell it; else an empty text."""
    messages = _latest(tx, accepted=True)
    read = [results for message in messages if (results := read_results(message))]
    servers = {results.server for results in read}
    domains = {sender.rpartition("@")[2] for message in messages for sender in message.senders[:1]}
    if len(read) < max(_ENOUGH, len(messages)) or len(servers) != 1:
        return ""
    if len(domains) < 2 and domains != tx.players.domains():
        return ""  # these may be the results of their provider, not of ours
    wanted = "required" if all(results.authentic for results in read) else "if-present"
    (server,) = servers
    return (
        f"\n– senders   All of the last {len(read)} messages carry results of {server}: if that is your mail server,"
        f' set authserv_id = "{server}" and authentication = "{wanted}".'
    )


def _latest(tx: "Transaction", *, accepted: bool) -> list["InboundMessage"]:
    """Return the latest messages whose bytes are kept; ``accepted``: that were carried out."""
    from pbem.mail import Unreadable, parse

    messages = []
    for raw in tx.inbound.latest_raw(_LATEST, accepted=accepted):
        try:
            messages.append(parse(raw))
        except Unreadable:
            continue
    return messages


def _aligns(named: str, domain: str) -> bool:
    """Return whether a domain that was found is that of From, or one above or below it."""
    return bool(domain) and (named == domain or named.endswith(f".{domain}") or domain.endswith(f".{named}"))
