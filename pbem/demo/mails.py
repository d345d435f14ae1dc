"""Mail as a player sees it: a notice that lies in his mailbox, and the reply his mail program makes of it."""

import email
import email.policy
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, formataddr, make_msgid
from functools import lru_cache

_MATCH = re.compile(r"\[pbem (\d+)\]")
_EXAMPLE = re.compile(r"\bwrite (.{1,80}?) as the first line")


@dataclass(frozen=True, slots=True)
class Arrived:
    """A mail as it lies in a player's mailbox, read by Python's own mail package and not by the service's."""

    sender: str
    subject: str
    text: str
    message_id: str
    references: str
    reply_to: str

    @property
    def match(self) -> int | None:
        """The number of the match, as the subject gives it."""
        found = _MATCH.search(self.subject)
        return int(found[1]) if found else None

    @property
    def example(self) -> str | None:
        """The move that the mail gives as an example; None when it asks for none. Lines may break anywhere."""
        found = _EXAMPLE.findall(flat(self.text))
        return found[-1] if found else None  # what people said stands above it, and may read the same

    @property
    def asks(self) -> bool:
        """Whether the mail wants a move; mere words of another player do not, whoever's turn it is."""
        return self.example is not None and " – words from " not in self.subject

    @property
    def ends(self) -> bool:
        """Whether the mail says that the match is over."""
        return self.subject.endswith("the match is over")


@dataclass(frozen=True, slots=True)
class Habits:
    """How somebody answers mail.

    ``attribution`` stands above the quotation and may name ``{when}`` and ``{sender}``; ``below``: he answers
    below it. ``closing`` is a signature, or what his telephone adds.
    """

    greeting: str = ""
    closing: str = ""
    attribution: str = "On {when}, pbem <{sender}> wrote:"
    below: bool = False


@lru_cache(maxsize=1024)  # the show, its reader and the review all read the same mail
def read_mail(raw: bytes) -> Arrived:
    """Return what a player's mail program shows of ``raw``."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    body = message.get_body(("plain",))
    content = body.get_content() if body is not None else ""
    sender, reply_to = str(message["From"]), str(message["Reply-To"] or message["From"])
    references = f"{message['References'] or ''} {message['Message-ID']}".strip()
    text = content.replace("\r\n", "\n") if isinstance(content, str) else ""
    return Arrived(sender, str(message["Subject"]), text, str(message["Message-ID"]), references, reply_to)


def reply(name: str, address: str, habits: Habits, notice: Arrived, words: str) -> bytes:
    """Return the reply that ``name`` writes: ``words`` around the quoted notice, as his habits are."""
    now = datetime.now(UTC)
    sender = notice.sender.rpartition("<")[2].rstrip(">")
    attribution = habits.attribution.format(when=f"{now:%d.%m.%Y %H:%M}", sender=sender)
    quoted = "\n".join(f"> {line}".rstrip() for line in notice.text.rstrip("\n").split("\n"))
    quotation = f"{attribution}\n{quoted}"
    written = "\n\n".join(part for part in (habits.greeting, words) if part)
    parts = (quotation, written, habits.closing) if habits.below else (written, habits.closing, quotation)
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"] = formataddr((name, address))
    message["To"] = notice.reply_to
    message["Subject"] = notice.subject if notice.subject.startswith("Re: ") else f"Re: {notice.subject}"
    message["Date"] = format_datetime(now)
    message["Message-ID"] = make_msgid(domain=address.partition("@")[2])
    message["In-Reply-To"] = notice.message_id
    message["References"] = notice.references
    message.set_content("\n\n".join(part for part in parts if part) + "\n")
    return message.as_bytes()


def flat(text: str) -> str:
    """Return ``text`` on one line, so that it can be searched wherever it was wrapped."""
    return " ".join(text.split())
