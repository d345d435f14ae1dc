"""Commands about messages that came in."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli import output
from pbem.cli.email.selection import OfMatch, OfPlayer, Selection, Since
from pbem.cli.group import make_group
from pbem.cli.lists import All, Before, Limit, Page, by_status, check_status, print_list
from pbem.cli.output import Json, Number, Numbers, Raw, load_settings, open_database, open_service
from pbem.errors import BadInput, DamagedRow

if TYPE_CHECKING:
    from pbem.running.service import Service
    from pbem.settings.model import Settings
    from pbem.storage.messages.records import DamagedRecord, InboundRecord
    from pbem.storage.messages.unread import UnreadRecord
    from pbem.storage.transaction import Transaction

_STATUSES = ("received", "accepted", "rejected", "discarded", "failed", "unread")
_MOST_LINES = 20
_MOST_OF_A_REASON = 60  # characters: for a bug the reason is its sentence

_REJECTED = {
    "unknown_sender": "Nobody here has that address. Players who write from a new address must reply to one of"
    " our emails: then they are asked, at the address that is known, whether they wrote it.",
    "unknown_match": "A player wrote, but not in reply to one of our emails, so the match is unknown."
    " They are told which of their matches are running.",
    "stale_turn": "The message answers an older email, and the match has gone on since. The player gets the board as it"
    " is now.",
    "set_back": "The message answers an email of a position that is gone, since a backup was restored. The player gets"
    " the board as it is now.",
    "not_your_turn": "It has a move, but it's somebody else's turn, or a roll comes first.",
    "already_over": "The match is over.",
    "no_command": "Nothing in it is a move, or a word such as show or help.",
    "move_rejected": "The rules don't allow the move, or it isn't clear which one is meant.",
    "several_moves": "It has different moves where only one is due, so the player is asked which one they mean.",
    "plan_refused": "It holds answers for later that can't be kept, so nothing was done, and the player was told why.",
    "sealed": "The content can't be opened here, so the player is asked to send plain text.",
    "unread": "There is more text in it than anyone types, or it takes too long to read, so the player is asked for a"
    " short message.",
    "old_mail": "It answers an email that is too old to count (token_days). The player gets the latest one.",
    "offer_open": "It says yes or no to an email that proposed something, and that is not enough: several moves were"
    " proposed, or a word that each player has to write, or it was a no.",
    "resigning": "It gives up the match below other words, which it may be part of. The player was asked by email.",
    "unsent": "It has a move that its player can still take back (unsend_minutes), or one beside such a move. A held"
    " message is carried out by itself when its time has come.",
    "taken_back": "Its player took it back with “oops” while it was held.",
    "unproven": "It is a move without a reply token, in the name of whoever is to act: they were asked by email.",
    "following": "It asks to follow a match, or to stop that, and it can't be done. The sender is told why.",
    "not_started": "It answers a question of ours, outside a match, and settles nothing: it is unclear, or comes too"
    " late. The sender is told.",
    "watching": "Somebody who follows a match answered an email about it. Only players can move or talk there.",
    "confirm": "It gives up the match, or asks for new reply addresses, in answer to an older email. A new one asks"
    " the player whether they mean it.",
    "not_authentic": "Nothing in it proves that it comes from its sender, and the settings require that. The player is"
    " told once a day.",
    "flooding": "Too many messages to this seat led to nothing within an hour, so answers to older emails aren't looked"
    " at for now. The player is told once a day; a reply to the latest email still counts.",
    "too_much": "There are more lines or commands in it than one message may have, so nothing of it was carried out.",
    "too_large": "The message is larger than what is read, so the player is asked to send the move alone.",
    "too_often": "The player has caused too much email within a day, or everybody together too much within an hour. A"
    " move would still have been played.",
    "unknown_address": "It answers an email of a match, from an address that nobody here has. It is held until the"
    " player, asked at the address that is known, and then the new address say yes; each has two weeks for it.",
}
_DISCARDED = {
    "not_his": "The player says they didn't write it. Nothing from this address counts any more.",
    "declined": "The address was asked whether it is that player's, and said no. Nothing from there counts any more.",
    "said yes before": "It says yes a second time to what an email proposed.",
    "not asked to follow": "It asks to follow a match, and its address is not asked now whether it wants to.",
    "told enough of following": "It is about following a match, and its address had enough answers about that today.",
    "not asked to play": "It asks for something about starting a match, and its address, of no player, is not asked now"
    " whether that is so.",
    "asked enough": "It asks for something about starting a match, and its sender had enough email about that today.",
    "told enough": "It answers an email about starting a match, and its sender had enough answers about that today.",
    "forgotten": "Its sender was forgotten before it was read.",
    "unsubscribed": "Its sender wants no email, and it neither answers one of theirs nor is proven otherwise to be"
    " theirs: what an answer says could be somebody else's doing.",
    "blocked": "Its sender is blocked: “pbem blocked” lists who is.",
    "bounce": "A mail server reports that an email didn't arrive. “pbem players” shows whose email comes back.",
    "complaint": "A mail provider reports that a reader called an email unwanted. If it carries that email, they are"
    " unsubscribed.",
    "automatic": "A program wrote it: a note that somebody is away, for instance.",
    "list": "It came through a mailing list.",
    "bulk": "Its header says that it went to many people.",
    "our own mail": "It is one of our own emails coming back; answering it would go in circles.",
    "loop": "It passed more than fifty servers: it goes in circles.",
    "forged sender": "Our mail server found that the sender is not who they say they are (DMARC fails). If a player"
    " wrote it, their mail provider has to fix that.",
    "not authentic": "Nothing in it proves that it comes from its sender, and the settings require that.",
    "no single sender": "Its header From does not name just one address, so nobody can say who wrote it.",
    "too many letters": "Too many messages from this address led to nothing within an hour, so no more of them are"
    " looked at for now.",
    "a move sent again": "The same move was sent twice, as some email programs do. It counts once.",
}
_OF_FOLLOWING = {"not asked to follow", "told enough of following"}
_OF_STARTING = {"not asked to play", "asked enough", "told enough"}
_UNREAD = _DISCARDED.keys() - {
    "not_his",
    "declined",
    "a move sent again",
    "said yes before",
} - _OF_FOLLOWING - _OF_STARTING | {
    "too_large",
    "unread",
    "not_authentic",
    "flooding",
}
"""The reasons of messages whose text was not looked at."""

inbound = make_group(f"Messages that came in: {', '.join(_STATUSES)}, and why.")


@inbound.command("list")
def list_inbound(
    context: typer.Context,
    status: Annotated[str | None, by_status(_STATUSES)] = None,
    player: OfPlayer = None,
    match: OfMatch = None,
    since: Since = None,
    limit: Limit = None,
    before: Before = None,
    everything: All = False,
    json: Json = False,
) -> None:
    """List messages, the newest first; above them those that the mail server doesn't hand out.

    Example: `pbem inbound list --player ann --match 17 --since 3d`
    """
    check_status(status, _STATUSES)
    selection = Selection(status, player, match, since)
    page = Page(limit, before, everything, json)
    with open_database(context) as database:
        with database.reading() as tx:
            conditions = selection.conditions(tx, output.now())
            unread = tx.unread.all() if selection in (Selection(), Selection("unread")) and before is None else []

        def listed(**which: Any) -> Sequence["InboundRecord | DamagedRecord"]:
            with database.reading() as tx:
                return tx.inbound.listed(**which)

        found, has_older = page.read_on(listed, **conditions)
        shown: Iterable[Any] = chain(unread, found)  # of two kinds, which one function tells of
        print_list(
            shown,
            "messages",
            _inbound_object,
            [
                "id",
                ("received (UTC)", "received_at"),
                "status",
                ("reason", _shorten_reason),
                "from",
                "match",
                "subject",
            ],
            json=json,
            has_older=has_older,
            command=f"inbound list{selection.options}",
        )


@inbound.command("show")
def show_inbound(context: typer.Context, number: Number, raw: Raw = False, json: Json = False) -> None:
    """Show one message: what was read in it, what became of it, and why."""
    with open_database(context) as database, database.reading() as tx:
        message = output.require_row(tx.inbound.get(number), "message", number, "inbound list")
        content = tx.inbound.raw(number)
        if raw and not message.kept:
            raise BadInput(f"{_describe_gone(message)} “pbem inbound show {number}” tells what became of it.")
        if raw:
            output.print_bytes(content)
            return
        answers = tx.outbound.caused_by(number)
        lines = _own_public_lines(tx, message, content, load_settings(context))
        place = output.describe_place(tx, message.match, message.seat)
    if json:
        output.print_json(_inbound_object(message) | {"written": lines, "mails": [email.id for email in answers]})
        return
    output.print_fields(
        [
            ("message", f"{message.id}, {message.status}{f': {_shorten_reason(message)}' if message.reason else ''}"),
            ("meaning", explain(message)),
            ("code", message.code),
            ("detail", message.detail),
            ("received", output.format_time_utc(message.received_at)),
            ("processed", output.format_time_utc(message.settled_at)),
            ("from", message.sender or _quote_from(content)),
            ("subject", message.subject),
            ("match", place),
            ("written", "\n".join(lines)),
            ("carried out", "\n".join(message.commands)),
            ("bytes", "" if message.is_complete else _describe_gone(message)),
            ("emails", "\n".join(f"{one.id} {one.kind} to {one.recipient}, {one.status}" for one in answers)),
            ("identity", message.identity),
        ]
    )


@inbound.command("skip")
def skip_unread(
    context: typer.Context, uid: Annotated[int, typer.Argument(metavar="UID", help="Its number in the mailbox.")]
) -> None:
    """Give up a message that the mail server doesn't hand out: no clock waits for it, and it is asked for no more."""
    with open_database(context) as database, database.transaction() as tx:
        if not tx.unread.drop(uid):
            raise BadInput(
                f"No message with UID {uid} waits to be read; “pbem inbound list --status unread” lists them."
            )
    output.print_text(f"The message with UID {uid} is given up: it stays in the mailbox, and nobody waits for it.")


@inbound.command("retry")
def retry_inbound(context: typer.Context, numbers: Numbers) -> None:
    """Process failed, discarded or rejected messages again."""
    with open_service(context) as service:
        for number in numbers:
            output.print_text(*_retry(service, number))


def _retry(service: "Service", number: int) -> list[str]:
    """Process a message again; return what became of it. Raise BadInput for one that can't be."""
    with service.database.transaction() as tx:
        message = output.require_row(tx.inbound.get(number), "message", number, "inbound list")
        if message.status == "accepted":
            raise BadInput(f"Message {number} was accepted: carrying it out again would play twice.")
        if not tx.inbound.requeue(number) and message.status != "received":
            raise BadInput(f"{_describe_gone(message)} Its sender may send it again.")
    service.processing.process_now(number)
    with service.database.reading() as tx:
        message = output.require_row(tx.inbound.get(number), "message", number, "inbound list")
    done = "; ".join(message.commands) if message.status == "accepted" else _shorten_reason(message)
    told = f"Message {number}: {message.status} {done}".rstrip(" .") + "."
    return [told, *([] if message.status == "accepted" else [f"“pbem inbound show {number}” tells more."])]


def explain(message: "InboundRecord") -> str:
    """Return what became of a message, and what the operator has to do, if anything."""
    from pbem.due.needs import OVER_BUDGET, UNREADABLE
    from pbem.pipeline.process import DAMAGED

    match message.status:
        case "received":
            return "It waits for its turn: “pbem run” processes it within a minute, “pbem poll” now."
        case "accepted":
            return "It was carried out."
        case "failed" if message.reason == UNREADABLE:
            return "The bytes are not a readable email. You don't have to do anything."
        case "failed" if not message.kept:
            return "It met a bug, its sender was told nothing, and nobody carried it out in time."
        case "failed" if message.code == OVER_BUDGET:
            return "It takes longer to read than any message may, and it names no player who could be told."
        case "failed" if message.code == DAMAGED:
            return (
                "It met a damaged row of the database. Its bytes are kept; its sender was told nothing. When the row is"
                f" restored from a backup, “pbem inbound retry {message.id}” carries the message out."
            )
        case "failed":
            return (
                "It met a bug. Its bytes are kept; its sender was told nothing. Report the bug with the lines below;"
                f" once it is fixed, “pbem inbound retry {message.id}” carries the message out."
            )
        case "discarded":
            kept = "is kept, and not answered" if message.is_complete else "was not answered"
            return f"{_DISCARDED.get(message.reason, '')} It {kept}.".strip()
    return _REJECTED.get(message.reason, "")


def _describe_gone(message: "InboundRecord") -> str:
    """Return a sentence about the bytes of a message that are not kept, or not all of them."""
    if message.kept:
        what = "Only the beginning" if message.status != "discarded" else "Only the head"
        return f"{what} of message {message.id} is kept, since it was {message.status}: {message.reason}."
    settled = output.format_time_utc(message.settled_at)
    return f"The bytes of message {message.id}, settled at {settled}, are gone: keep_inbound_days says for how long."


def _shorten_reason(message: "InboundRecord | UnreadRecord") -> str:
    """Return the reason of a message in a few words."""
    from pbem.storage.messages.unread import UnreadRecord

    if isinstance(message, UnreadRecord):
        return f"UID {message.uid}: {message.why}"
    return f"{message.reason[:_MOST_OF_A_REASON]}{'…' if len(message.reason) > _MOST_OF_A_REASON else ''}"


def _inbound_object(message: "InboundRecord | UnreadRecord") -> dict[str, Any]:
    """Return the JSON object of a message; one that isn't read has no number yet, but its UID in the mailbox."""
    from pbem.storage.messages.unread import UnreadRecord

    if isinstance(message, UnreadRecord):
        told = {"id": None, "uid": message.uid, "status": "unread", "reason": message.why, "from": None, "subject": ""}
        return told | {"match": None, "received_at": message.since, "tried_at": message.tried_at}
    return {
        "id": message.id,
        "status": message.status,
        "reason": message.reason,
        "code": message.code,
        "detail": message.detail,
        "from": message.sender,
        "subject": message.subject,
        "match": message.match,
        "seat": message.seat,
        "commands": list(message.commands),
        "received_at": message.received_at,
        "settled_at": message.settled_at,
        "identity": message.identity,
        "kept": message.is_complete,
    }


def _quote_from(content: bytes) -> str:
    """Return the header From as it stands, where it names nobody, or not one person."""
    from pbem.mail.body import Unreadable
    from pbem.mail.message import parse

    try:
        claims = parse(content).headers("From")
    except Unreadable:
        return ""
    return " and ".join(f"“{claim[:200]}”" for claim in claims[:3])


def _own_public_lines(tx: "Transaction", message: "InboundRecord", content: bytes, settings: "Settings") -> list[str]:
    """Return the lines taken for the sender's own; private words are hidden from the operator."""
    from pbem.commands.grammar import public_lines, read_commands
    from pbem.inbound.reply import read_reply
    from pbem.mail.body import Unreadable
    from pbem.mail.compose import Site
    from pbem.mail.message import parse
    from pbem.pipeline.interpret import own_lines

    if message.status not in ("accepted", "rejected", "discarded") or message.reason in _UNREAD:
        return []
    site = Site(settings.address, settings.secret, name=settings.name)
    try:
        match = tx.matches.get(message.match) if message.match else None
        parsed = parse(content)
        if match is None or message.seat is None:
            lines = read_reply(parsed.text, settings.address, settings.name).lines()
        else:
            lines, _ = own_lines(tx, parsed, match, message.seat, site)
    except (Unreadable, DamagedRow):
        return []
    shown = list(public_lines(read_commands(lines)))
    more = len(shown) - _MOST_LINES
    return [*shown[:_MOST_LINES], f"({more} more lines)"] if more > 0 else shown
