"""What needs the operator, in sentences of English: each says what it is, and which command looks at it or ends it."""

from collections.abc import Mapping

WHOSE: Mapping[str, str] = {
    "players": "of players",
    "strangers": "of people who don’t play here, and are proven to have written",
    "domain": "of one domain, whose people don’t play here, and are proven to have written",
    "unproven": "that nothing proves to be their senders’",
}
"""Whose share of what all together may cause is used up."""

_NEEDS: Mapping[str, str] = {
    "clock_doubted": (
        "The clock of this machine has jumped. I’ve doubted it since {since} (by that clock, UTC), and do"
        " nothing final until it has proved right. So far {what} wait. That ends by itself an hour after the"
        " clock is right; “timedatectl” shows whether it is. If you know that it is, “pbem trust-clock” ends"
        " it now."
    ),
    "unreceived": (
        "I haven’t been able to read email since {since} UTC. Nothing is lost, and no clock counts that time."
        " “pbem doctor” says why, most likely in its line “mailbox”. This ends by itself once I can read"
        " again."
    ),
    "unread": (
        "Messages that the mail server lists but doesn’t hand out: {count}, UID {uids} ({why}). Each may hold"
        " a move, so for three days I let nobody lose on time that ran out after it came, and ask for it"
        " every hour. Look at it with another mail program, or ask your mail provider; “pbem inbound skip"
        " {uid}” gives the latest up, and so does deleting it there."
    ),
    "unread_long": (
        "Messages that the mail server lists but hasn’t handed out for three days: {count}, UID {uids}"
        " ({why}). Clocks no longer wait for them; I still ask for them every hour. “pbem inbound skip {uid}”"
        " gives the latest up, and so does deleting it with another mail program."
    ),
    "renumbered": (
        "The mailbox isn’t as I left it: {why}. That happens when it’s restored, moved or made anew. I’m"
        " reading it again from the day of my first email on; nothing happens twice. If emails are gone from"
        " it, only your mail provider can bring them back."
    ),
    "report": (
        "{who} tells you in match {match}: “{text}”. “pbem inbound show {inbound}” shows the message, “pbem show"
        " {match}” the match; “pbem settle {number}” ends this."
    ),
    "unproven_report": (
        "{who} tells you, in an email about no match, which somebody else may have written in their name: “{text}”."
        " “pbem inbound show {inbound}” shows the message; “pbem settle {number}” ends this."
    ),
    "finding": "“pbem doctor {line}” has found: {text} Once that’s mended, this ends the next night.",
    "failed": (
        "Messages that failed: {count}. “pbem inbound list --status failed” shows them, “pbem inbound show"
        " {number}” what went wrong with the latest ({error}). Nothing is lost: once the bug is fixed, “pbem"
        " inbound retry {number}” carries it out."
    ),
    "refused": (
        "Emails that can’t be sent: {count}. “pbem outbound list --status refused” shows them and why. Once"
        " the cause is fixed, “pbem outbound retry {number}” sends the latest again; “pbem outbound drop"
        " {number}” gives it up."
    ),
    "unknown": (
        "Emails sent three times that may or may not have arrived: {count}. “pbem outbound list --status"
        " unknown” shows them. The latest: {error}. If its reader has it, “pbem outbound drop {number}” ends"
        " this; if not, “pbem outbound retry {number}” sends it again."
    ),
    "unreachable": (
        "Email to {address} comes back or is refused ({times}, last on {last}), so the player gets no emails about"
        " {matches}. Reach them some other way: “pbem player address {number} --main …” gives player {number} another"
        " address. This also ends as soon as they write."
    ),
    "webhook": (
        "The webhook at {host} is called no more, since it wants that, or no call has worked for five days (the last"
        " one: {error}). Once it can be called again, “pbem doctor --webhooks” tries it, and lets me go on with what"
        " waits. Or take it out of pbem.toml."
    ),
    "robot": (
        "The robot in match {number} finds no move, whatever its strength ({error}). It tries again every"
        " hour; until then its opponents wait, and no clock runs. “pbem replace {number} SEAT ADDRESS” lets"
        " somebody else play on."
    ),
    "forgetting": (
        "Player {number} asked to be forgotten, and that failed ({error}). Nothing was erased, and I try"
        " again every hour. “pbem doctor” shows what’s damaged; once that’s mended, “pbem forget {number}”"
        " does it at once."
    ),
    "undone": (
        "Something that was due failed: {kind} of {number} ({error}). I try again every hour. “pbem doctor”"
        " shows what’s damaged; if nothing is, it’s a bug."
    ),
    "forged_sender": (
        "Messages in the name of {name} were rejected in match {match} within a day: {count}. Your mail server found"
        " them forged: somebody may be trying to play for {name}, who is not to blame, so do not block their address."
        ' “pbem inbound show {number}” shows the latest; with authentication = "required" in pbem.toml, only email'
        " counts that your server found authentic, and “pbem doctor” says whether that of your players would pass."
    ),
    "not_authentic": (
        "Messages in the name of {name} were rejected in match {match} within a day: {count}. Nothing proves where they"
        ' came from, and your settings require that (authentication = "required"). {name} is told once a day. “pbem'
        " inbound show {number}” shows the latest; “pbem block” stops everything from an address."
    ),
    "flooding": (
        "Messages in the name of {name} were rejected in match {match} within a day: {count}. There were very many, and"
        " they led to nothing: a mail program may be caught in a loop, or somebody is trying something. Replies to the"
        " present email of the match still count. “pbem inbound show {number}” shows the latest; “pbem block” stops"
        " everything from an address."
    ),
    "strangers": (
        "Messages {whose} have had me write to {count} people today who don’t play here. That’s the most in a"
        " day, so they invite nobody else until tomorrow. “pbem offers” shows who invites; “pbem block” stops"
        " somebody."
    ),
    "share": (
        "Messages {whose} have caused {count} emails of the kind “{kind}” in {hours} hours. That’s the most,"
        " so they cause no more for a while. “pbem inbound list” shows who writes; “pbem block” stops"
        " somebody."
    ),
    "overload": (
        "Messages {whose} have caused {count} emails within an hour, more than people write. So they get"
        " hardly any answers for a while; moves are played as ever. “pbem inbound list” shows who writes;"
        " “pbem block” stops somebody."
    ),
}
"""Sentences with the arguments of each need, by its code."""


_RENUMBERED: Mapping[str, str] = {
    "uidvalidity": "its messages have other numbers now",
    "uidnext": "it ends before messages that I’ve read",
    "mark": "another message has the number of one that I’ve read",
    "gone": "the messages that I’d know it by are gone",
}


def say_renumbered(code: str) -> str:
    """Return what tells that a mailbox isn’t as it was left, without a full stop."""
    return _RENUMBERED[code]


_PUT_OFF: Mapping[str, str] = {
    "clock": "clocks that may have run out",
    "first_rolls": "first rolls",
    "invitation": "invitations that end",
    "seat_back": "seats that pass back",
}
"""What a doubted clock puts off, by the kind of the due thing."""


def say_need(code: str, arguments: Mapping[str, str | int]) -> str:
    """Return what needs the operator."""
    return _NEEDS[code].format_map(arguments)


def name_put_off(kinds: Mapping[str, int]) -> str:
    """Return what waits since the clock is doubted: ``first rolls (2), seats that pass back (1)``."""
    named = [f"{words} ({kinds[kind]})" for kind, words in _PUT_OFF.items() if kind in kinds]
    return ", ".join([*named, "old bytes that would be dropped"])


def name_matches(numbers: list[int]) -> str:
    """Return the numbers of matches: ``match 3``, ``matches 3, 5``."""
    return f"match{'es' if len(numbers) > 1 else ''} {', '.join(map(str, sorted(numbers)))}"
