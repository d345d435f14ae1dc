"""The world of the demo: mail servers, the service, and the players, who know only what they were sent."""

import asyncio
import email
import email.policy
import logging
import re
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.message import EmailMessage
from email.utils import formataddr, make_msgid, parseaddr
from operator import attrgetter
from pathlib import Path

from pbem.demo.patience import NO_LIMIT, Patience
from pbem.demo.script import AN_OLDER_EMAIL, Person, ScriptedMatch
from pbem.demo.servers import DemoServers
from pbem.errors import BadInput, Busy
from pbem.log.logbook import event
from pbem.match.match import Match
from pbem.ports import Answer, Cursor, Dice, Problem, Review, Thinker
from pbem.running import scheduler
from pbem.running.machine import SecretSource, SystemClock
from pbem.running.service import Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from pbem.transport.imap import ImapMailbox
from pbem.transport.smtp import SmtpCourier
from rules.games import GAMES

_SUBJECT = re.compile(r"\[pbem (\d+)\]")
_EXAMPLE = re.compile(r"\bsuch as (.{1,80}?)(?=[.,;:]? [–—]|[.,;:]\s|[.,;:]$| or )")
_SIDE = re.compile(r"\bReply with [^.]*\btake\b")
_IDLE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Email:
    """An email as it lies in a player's mailbox; read by Python's own email package, not by the service's."""

    sender: str
    subject: str
    text: str
    message_id: str
    references: str
    reply_to: str
    kind: str = ""
    turn: bool = False

    @property
    def match(self) -> int | None:
        """The number of the match, as the subject gives it."""
        found = _SUBJECT.search(self.subject)
        return int(found[1]) if found else None

    @property
    def topic(self) -> str:
        """The first line, which says what the email is about; the subject of a match never changes."""
        return self.text.lstrip("\n").partition("\n")[0]

    @property
    def example(self) -> str:
        """The move that the email gives as an example, empty if it asks for none; lines may break anywhere."""
        found = _EXAMPLE.findall(flatten(self.text)) if self.turn else []
        return found[-1] if found else ""  # what people said stands above it, and may read the same

    @property
    def asks(self) -> bool:
        """Whether the email asks for a move; mere words of another player do not, whoever's turn it is."""
        return bool(self.example)

    @property
    def offers_side(self) -> bool:
        """Whether one may take the other side; dice and cubes that take something are told of, and are no offer."""
        return bool(_SIDE.search(flatten(self.text)))

    @property
    def ends(self) -> bool:
        """Whether the email says that the match is over."""
        return self.kind == "match_over"


def flatten(text: str) -> str:
    """Return ``text`` on one line, so that it can be searched wherever it was wrapped."""
    return " ".join(text.split())


def read_email(raw: bytes) -> Email:
    """Return what a mail program shows of ``raw``."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    body = message.get_body(("plain",))
    content = str(body.get_content()) if body is not None else ""
    references = f"{message['References'] or ''} {message['Message-ID']}".strip()
    sender, reply_to = str(message["From"]), str(message["Reply-To"] or message["From"])
    text = content.replace("\r\n", "\n")
    kind, turn = str(message["X-Pbem-Kind"] or ""), message["X-Pbem-Turn"] == "yes"
    return Email(sender, str(message["Subject"]), text, str(message["Message-ID"]), references, reply_to, kind, turn)


def write_reply(person: Person, notice: Email, words: str) -> bytes:
    """Return the reply that a person's mail program makes: ``words``, and the quoted notice above or below."""
    now = datetime.now(UTC)
    attribution = person.attribution.format(when=f"{now:%d.%m.%Y %H:%M}", sender=parseaddr(notice.sender)[1])
    quoted = "\n".join(f"> {line}".rstrip() for line in notice.text.rstrip("\n").split("\n"))
    quotation = f"{attribution}\n{quoted}"
    written = f"{person.greeting}\n\n{words}" if person.greeting else words
    parts = (quotation, written, person.closing) if person.below else (written, person.closing, quotation)
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"] = formataddr((person.name, person.address))
    message["To"] = notice.reply_to
    message["Subject"] = notice.subject if notice.subject.startswith("Re: ") else f"Re: {notice.subject}"
    message["Date"] = now
    message["Message-ID"] = make_msgid(domain="players.example")
    message["In-Reply-To"] = notice.message_id
    message["References"] = notice.references
    message.set_content("\n\n".join(part for part in parts if part) + "\n")
    return message.as_bytes()


async def read_mailbox(imap_url: str) -> list[Email]:
    """Return all emails in a mailbox, oldest first."""
    mailbox = ImapMailbox(imap_url, timeout=NO_LIMIT)
    try:
        return [
            read_email(message.raw) async for batch in mailbox.batches(None, _since()) for message in batch.messages
        ]
    finally:
        await mailbox.close()


class Player:
    """A person with a mailbox; ``arrived`` are the emails read in it, oldest first; ``sent`` counts their replies."""

    def __init__(self, person: Person, patience: Patience, *, imap_url: str, smtp_url: str) -> None:
        self.person = person
        self.imap_url = imap_url
        self.arrived: list[Email] = []
        self.sent = 0
        self._patience = patience
        self._mailbox = ImapMailbox(imap_url, timeout=NO_LIMIT)
        self._courier = SmtpCourier(smtp_url, timeout=NO_LIMIT)
        self._news = asyncio.Condition()

    async def read(self) -> None:
        """Read every email as it comes, until cancelled."""
        cursor: Cursor | None = None
        await self._mailbox.wait(0)
        while True:
            async for batch in self._mailbox.batches(cursor, _since()):
                cursor = batch.cursor
                if batch.messages:
                    self._patience.mark()
                async with self._news:
                    self.arrived += [read_email(message.raw) for message in batch.messages]
                    self._news.notify_all()
            await self._mailbox.wait(_IDLE_SECONDS)

    def emails(self, match: int, *, outside: bool = False) -> list[Email]:
        """Return the emails about a match, oldest first; ``outside``: and those that are about none."""
        return [mail for mail in self.arrived if mail.match == match or (outside and mail.match is None)]

    async def expect(self, match: int, after: int, wanted: Callable[[Email], bool]) -> int:
        """Wait for an email about ``match`` that is ``wanted``; return its place among them, ``after`` or later."""

        def places() -> list[int]:
            return [place for place, mail in enumerate(self.emails(match)) if place >= after and wanted(mail)]

        with self.awaiting_email(match):
            async with self._news:
                await self._news.wait_for(places)
        return places()[0]

    def awaiting_email(self, match: int) -> AbstractContextManager[None]:
        """Let it be known, while the context lasts, that an email about ``match`` is waited for."""
        return self._patience.awaiting(f"an email to {self.person.name} in match {match}")

    async def reply(self, notice: Email, words: str) -> None:
        """Send a reply to a notice."""
        self.sent += 1
        raw = write_reply(self.person, notice, words)
        await self._courier.send(self.person.address, parseaddr(notice.reply_to)[1], raw)

    async def close(self) -> None:
        """End the connections."""
        await self._mailbox.close()
        await self._courier.close()

    async def answer_before_rolls(self, match: int) -> int:
        """Answer the email before the first roll; return how many emails were read when the answer is confirmed."""
        place = await self.expect(match, 0, lambda mail: mail.kind == "opened")
        seen = len(self.emails(match))
        await self.reply(self.emails(match)[place], self.person.ready)
        await self.expect(match, seen, lambda mail: True)
        return place + 1

    async def follow_examples(self, match: int, *, after: int = 0, pause: float = 0) -> None:
        """Play the example in each email that asks for a move, and take a side where one is offered, to the end."""
        while True:
            after = 1 + await self.expect(match, after, lambda mail: mail.asks or mail.ends)
            mail = self.emails(match)[after - 1]
            if mail.ends:
                return
            await asyncio.sleep(pause)
            await self.reply(mail, "take" if mail.offers_side else mail.example)


async def play_match(script: ScriptedMatch, match: int, players: dict[str, Player]) -> None:
    """Play ``script`` as the match of that number, to its end; when it goes another way, that never comes."""
    read = dict.fromkeys(script.seats, 0)
    if GAMES[script.game].rolls:
        for seat in script.seats:
            read[seat] = await players[seat].answer_before_rolls(match)
    for scripted in script.emails:
        player = players[scripted.writer]
        older = scripted.cue == AN_OLDER_EMAIL
        wanted = _of_kind(scripted.cue) if scripted.cue and not older else attrgetter("asks")
        place = await player.expect(match, read[scripted.writer], wanted)
        read[scripted.writer] = place + 1
        emails = player.emails(match)
        notice = next(mail for mail in emails if mail.asks) if older else emails[place]
        await player.reply(notice, scripted.words)
        await player.expect(match, len(emails), _of_kind(scripted.answered))
    await asyncio.gather(*(players[seat].follow_examples(match, after=read[seat]) for seat in script.seats))


def _of_kind(kinds: str) -> Callable[[Email], bool]:
    """Return a test for the kind of an email: "remark or receipt"; without kinds any will do."""
    return lambda mail: not kinds or mail.kind in kinds.split(" or ")


def _since() -> date:
    """Return a day before all emails of the demo."""
    return (datetime.now(UTC) - timedelta(days=1)).date()


log = logging.getLogger("pbem")

ADDRESS = "games@pbem.example"
_AGAIN_SECONDS = 0.1


@dataclass(frozen=True)
class _Busy:
    """A thinker; however long it thinks, that is no silence."""

    thinker: Thinker
    patience: Patience

    async def think(self, problem: Problem) -> Answer:
        """Return what a robot plays. Raise ThoughtLost."""
        with self.patience.busy():
            return await self.thinker.think(problem)

    async def review(self, problem: Problem, seat: int, others: Sequence[int] = ()) -> Review:
        """Return what is to be said of the moves of a seat. Raise ThoughtLost."""
        with self.patience.busy():
            return await self.thinker.review(problem, seat, others)


@dataclass(frozen=True)
class World:
    """Servers, service, and players by the keys that the script uses; the archive is written to ``archive``."""

    archive: Path
    patience: Patience
    servers: DemoServers
    service: Service
    players: dict[str, Player]

    def open_match(self, game: str, seats: Sequence[str], options: Mapping[str, object], robots: int = 0) -> Match:
        """Open a match between players of this world; behind them so many robots have seats."""
        people = [self.players[seat].person for seat in seats]
        seated = [*(f"{person.name} <{person.address}>" for person in people), *["robot:1"] * robots]
        return self.service.open(game, seated, dict(options))

    async def write_archive(self) -> None:
        """Write all pages; whatever the scheduler writes at present is finished first."""
        with self.patience.awaiting("the pages of the archive"):
            while True:
                with suppress(Busy):
                    self.service.write_archive()
                    self.patience.mark()
                    return
                await asyncio.sleep(_AGAIN_SECONDS)


@asynccontextmanager
async def open_world(
    directory: Path,
    people: Mapping[str, Person],
    patience: Patience,
    on_mail: Callable[[str, str, bytes], None] = lambda sender, recipient, raw: None,
    dice: Dice | None = None,
    thinker: Thinker | None = None,
) -> AsyncIterator[World]:
    """Start everything in ``directory``, and stop all of it; raise BadInput if the directory was used before.

    ``on_mail`` is called with sender, recipient and bytes of every email that has come in by SMTP, which is marked in
    ``patience`` before. With a ``thinker`` robots may have seats.
    """

    def note(sender: str, recipient: str, raw: bytes) -> None:
        patience.mark()
        on_mail(sender, recipient, raw)

    file, archive = directory / "pbem.db", directory / "archive"
    if file.exists():
        raise BadInput(f"{directory} holds matches already; the demonstration needs a directory of its own.")
    archive.mkdir(parents=True, exist_ok=True)
    async with DemoServers([ADDRESS, *(person.address for person in people.values())], on_mail=note) as servers:
        settings = Settings(
            address=ADDRESS,
            database_url=f"sqlite:///{file}",
            imap_url=servers.imap_url(ADDRESS),
            smtp_url=servers.smtp_url,
            secret=secrets.token_urlsafe(32),
            archive_dir=str(archive),
            poll_seconds=1,
        )
        database = Database(settings.database_url)
        database.upgrade()
        mailbox = ImapMailbox(settings.imap_url, timeout=NO_LIMIT)
        service = Service(
            settings,
            database,
            clock=SystemClock(),
            dice=dice or SecretSource(),
            mailbox=mailbox,
            courier=SmtpCourier(settings.smtp_url, timeout=NO_LIMIT),
            thinker=thinker and _Busy(thinker, patience),
        )
        players = {
            key: Player(person, patience, imap_url=servers.imap_url(person.address), smtp_url=servers.smtp_url)
            for key, person in people.items()
        }
        stop = asyncio.Event()
        watching = ImapMailbox(settings.imap_url, timeout=NO_LIMIT)
        serving = asyncio.create_task(scheduler.run(service, watching, stop))
        reading = [asyncio.create_task(player.read()) for player in players.values()]
        try:
            yield World(archive, patience, servers, service, players)
        finally:
            stop.set()
            for task in reading:
                task.cancel()
            for error in await asyncio.gather(serving, *reading, return_exceptions=True):
                if isinstance(error, Exception):
                    log.error("a part of the demonstration failed", exc_info=error, extra=event("demo_failed"))
            for player in players.values():
                await player.close()
            await service.close()
