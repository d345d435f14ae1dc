"""What the tests share: a service on real SQLite with fakes at its other ports, and players who reply to its mails."""

import email
import email.policy
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

import hypothesis
import pytest

from pbem.config import Settings
from pbem.kept import Queued
from pbem.match import Match
from pbem.service import Arrival, Service
from pbem.store import Store
from tests.fakes import FakeClock, FakeCourier, FakeDice, FakeMailbox

# The same examples on every run, on slow machines too.
hypothesis.settings.register_profile("pbem", derandomize=True, deadline=None)
hypothesis.settings.load_profile("pbem")

ADDRESS = "games@play.example"
SECRET = "a secret that is long enough"
OPERATOR = "op@play.example"
PLAYERS = ("Ann <ann@a.example>", "Bob <bob@b.example>", "Carl <carl@c.example>")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let approved texts be written anew."""
    with suppress(ValueError):  # whoever needs it adds it
        parser.addoption("--update", action="store_true", help="write approved texts anew instead of comparing them")


def read(raw: bytes) -> EmailMessage:
    """Return a mail as Python's strictest reader sees it."""
    return email.message_from_bytes(raw, policy=email.policy.default)


def text_of(mail: EmailMessage) -> str:
    """Return the plain text of a mail."""
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def html_of(mail: EmailMessage) -> str:
    """Return the HTML of a mail."""
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def letter(text: str = "", **headers: str) -> bytes:
    """Return a raw mail; ``_`` in the name of a header stands for ``-``."""
    head = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in headers.items())
    return f"{head}\n{text}\n".encode()


@dataclass
class Club:
    """A service, its fakes, and the players who write to it."""

    service: Service
    clock: FakeClock
    dice: FakeDice
    mailbox: FakeMailbox
    courier: FakeCourier
    written: int = field(default=0)

    def open(self, game: str = "pipline", players: tuple[str, ...] = PLAYERS[:2], **options: object) -> Match:
        """Open a match, on the smallest board unless told otherwise."""
        return self.service.open(game, players, {"size": 5} | options)

    def queued(self, *, kind: str = "", status: str | None = None) -> list[Queued]:
        """Return all mails, or those of one kind, the oldest first."""
        with self.service.store.reading() as work:
            return [
                mail for mail in reversed(work.mails(status=status, limit=100_000)) if not kind or mail.kind == kind
            ]

    def mail(self, queued: Queued) -> EmailMessage:
        """Return a mail as its recipient reads it."""
        with self.service.store.reading() as work:
            return read(work.mail_bytes(queued.id))

    def newest(self, seat: int, match: int = 1) -> EmailMessage:
        """Return the latest mail to a seat."""
        return self.mail([mail for mail in self.queued() if (mail.match, mail.seat) == (match, seat)][-1])

    def answer(self, mail: EmailMessage, text: str, **headers: str) -> bytes:
        """Return a reply to ``mail`` from its recipient, as a simple mail program makes it."""
        self.written += 1
        given = {
            "From": str(mail["To"]),
            "To": str(mail["Reply-To"]),
            "Subject": f"Re: {mail['Subject']}",
            "Message_ID": f"<reply-{self.written}@a.example>",
            "In_Reply_To": str(mail["Message-ID"]),
            "References": f"{mail['References'] or ''} {mail['Message-ID']}".strip(),
            "Content_Type": "text/plain; charset=utf-8",
        } | headers
        return letter(text, **{name: value for name, value in given.items() if value})

    def reply(self, seat: int, text: str, *, match: int = 1, **headers: str) -> Arrival:
        """Let the player at ``seat`` answer the latest mail to him."""
        return self.service.hand_in(self.answer(self.newest(seat, match), text, **headers))

    def match(self, number: int = 1) -> Match:
        """Return a match as it stands."""
        with self.service.store.reading() as work:
            found = work.match(number, remarks=True)
        assert found is not None
        return found

    def moves(self, number: int = 1) -> list[str]:
        """Return the texts of a match's record."""
        return [entry.text for entry in self.match(number).record]


def told(arrival: Arrival) -> list[tuple[str, int | None]]:
    """Return the kind and the seat of each mail that a letter led to."""
    return [(mail.kind, mail.seat) for mail in arrival.mails]


@pytest.fixture(scope="session")
def blank_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with all tables and nothing in them, to be copied: migrating takes its time."""
    path = tmp_path_factory.mktemp("blank") / "pbem.db"
    store = Store(f"sqlite:///{path}")
    store.upgrade()
    store.close()
    return path


@pytest.fixture
def settings(blank_database: Path, tmp_path: Path) -> Settings:
    """Settings with a database of their own."""
    shutil.copy(blank_database, tmp_path / "pbem.db")
    return Settings(address=ADDRESS, secret=SECRET, operator=OPERATOR, database_url=f"sqlite:///{tmp_path / 'pbem.db'}")


@pytest.fixture
def new_club(settings: Settings) -> Iterator[Callable[..., Club]]:
    """Return what makes a club; several share the database, as services started one after another do."""
    stores: list[Store] = []

    def make(
        *,
        clock: FakeClock | None = None,
        dice: FakeDice | None = None,
        mailbox: FakeMailbox | None = None,
        courier: FakeCourier | None = None,
        at: Callable[[str], None] = lambda waypoint: None,
    ) -> Club:
        store = Store(settings.database_url)
        stores.append(store)
        clock, dice = clock or FakeClock(), dice or FakeDice()
        mailbox, courier = mailbox or FakeMailbox(), courier or FakeCourier()
        service = Service(settings, store, clock=clock, dice=dice, mailbox=mailbox, courier=courier, at=at)
        return Club(service, clock, dice, mailbox, courier)

    yield make
    for store in stores:
        store.close()


@pytest.fixture
def club(new_club: Callable[..., Club]) -> Club:
    """A club with nothing going on yet."""
    return new_club()
