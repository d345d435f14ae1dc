"""What the doctor finds of senders: whether our mail server says who they really are (RFC 8601), and what to set."""

import re
from typing import TYPE_CHECKING

from pbem.cli.finding import Finding

if TYPE_CHECKING:
    from pbem.mail.message import InboundMessage
    from pbem.settings.model import Settings
    from pbem.storage.transaction import Transaction

_LATEST = 100  # messages that are looked at
_ENOUGH = 10  # messages that tell what the mail server does
_FEW = 3  # senders: fewer may all be one person, who can write any results into their own messages
_SERVER = re.compile(r"[a-z0-9_.-]{1,100}")


def check_senders(tx: "Transaction", settings: "Settings") -> Finding:
    """Return what is in force, and what would be better. Settings that protect nothing are a fault."""
    server = settings.authserv_id.lower()
    force = f"authentication = {settings.authentication}"
    if settings.authentication == "off":
        return Finding(f"{force}: anyone who forges a player's address is believed")
    if not server:
        told = f"no mail server's results are used, since authserv_id is not set ({force})"
        return Finding(told, notes=_suggest(tx))
    read = [_find_server(message) for message in _latest(tx, accepted=False)]
    ours = [found for found in read if found == server]
    if len(read) >= _ENOUGH and not ours:
        fault = (
            f"authserv_id is “{server}”, but none of the last {len(read)} messages begins with its results:"
            f" {force} {'lets nothing in' if settings.authentication == 'required' else 'protects nobody'}."
        )
        return Finding("", (fault,), _suggest(tx))
    return Finding(f"{force}, by the results of {server}, which {len(ours)} of the last {len(read)} messages carry")


def _suggest(tx: "Transaction") -> tuple[str, ...]:
    """Return a sentence that says what to set, if the messages that have arrived tell it.

    Proof is only wanted where the results stand above all that the sender wrote: else any of them could have.
    """
    from pbem.inbound.authentic import judge_sender
    from pbem.mail.headers import domain_of

    messages = _latest(tx, accepted=True)
    server = _find_server(messages[0]) if messages else ""
    if len(messages) < _ENOUGH or not server or any(_find_server(message) != server for message in messages):
        return ()
    domains = {domain_of(sender) for message in messages for sender in message.senders[:1]}
    if len(domains) < 2 and domains != tx.players.domains():
        return ()  # these may be the results of their provider, not of ours
    if len({message.senders[:1] for message in messages}) < _FEW:
        return ()
    proven = all(_stands_first(message) and judge_sender(message, server) == "authentic" for message in messages)
    wanted = "required" if proven else "if-present"
    return (
        f"All of the last {len(messages)} messages carry results from {server}: if that is your mail"
        f' server, set authserv_id = "{server}" and authentication = "{wanted}".',
    )


def _stands_first(message: "InboundMessage") -> bool:
    """Return whether the topmost results stand above the line of our own server, the topmost Received."""
    names = [name.lower() for name in message.head]
    return "received" in names and names.index("authentication-results") < names.index("received")


def _find_server(message: "InboundMessage") -> str:
    """Return the name of the server that wrote the topmost results in a message; empty without a plain name."""
    from pbem.inbound.authentic import authserv_ids

    name = next(iter(authserv_ids(message)), "").strip('"')
    return name if _SERVER.fullmatch(name) else ""


def _latest(tx: "Transaction", *, accepted: bool) -> list["InboundMessage"]:
    """Return the latest messages whose bytes are kept; ``accepted``: that were carried out."""
    from pbem.mail.body import Unreadable
    from pbem.mail.message import parse

    messages = []
    for raw in tx.inbound.latest_raw(_LATEST, accepted=accepted):
        try:
            messages.append(parse(raw))
        except Unreadable:
            continue
    return messages
