"""Where matches, letters and mails are kept: the only module that knows the tables.

A ``Store`` opens transactions; everything is read and written through the ``Work`` that one of them yields.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Select, and_, exists, func, insert, or_, update
from sqlalchemy import select as plain_select
from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlmodel import Session, SQLModel, col, select

from db import engine as database
from db import models
from pbem.bounces import Bounced
from pbem.envelope import Mail
from pbem.errors import BadInput, Busy, ConfigError, NoFile
from pbem.kept import Ending, Queued, Received
from pbem.match import Match, Player, Remark
from pbem.ports import Cursor
from rules import GAMES, Entry, Seat


class Store:
    """A database, by its URL; raises ConfigError for a URL that makes no sense, Busy when it cannot be used."""

    def __init__(self, url: str) -> None:
        try:
            self._engine: Engine | Connection = database.connect(url)
        except (SQLAlchemyError, ImportError, ValueError) as error:
            raise ConfigError("The setting “database_url” is no URL of a database that can be used here.") from error

    def upgrade(self) -> Path | None:
        """Create the tables, or bring them to the newest version; return the copy made before, if any.

        Raises ConfigError when it fails; the database is as it was then.
        """
        try:
            with _as_busy():
                self._refuse_unknown(database.version(self._whole_engine()))
                return database.upgrade(self._whole_engine())
        except database.UpgradeFailed as error:
            copy = f", and a copy of it lies in {error.copy}" if error.copy else ""
            raise ConfigError(
                f"The database cannot be brought from version {error.found or 'none'} to {database.newest_version()}"
                f" ({error}); it is unchanged{copy}."
            ) from error

    def check(self) -> None:
        """Make sure that the tables are of the version this program needs; ConfigError says what to run."""
        if not database.exists(self._whole_engine()):
            file = self._whole_engine().url.database
            raise ConfigError(
                f"There is no database {file}: run “pbem db upgrade” (or “pbem init”) first,"
                " or go where pbem.toml lies."
            )
        with _as_busy():
            found = database.version(self._whole_engine())
        if found is None:
            raise ConfigError("The database is empty: run “pbem db upgrade” (or “pbem init”) first.")
        self._refuse_unknown(found)
        if found != database.newest_version():
            raise ConfigError(f"The database is of version {found}: run “pbem db upgrade” first.")

    @contextmanager
    def writing(self) -> Iterator["Work"]:
        """Open a transaction: all that is done in it is kept when it ends well, and nothing otherwise."""
        with _as_busy(), Session(self._engine, expire_on_commit=False, **self._joining()) as session:
            yield Work(session)
            session.commit()

    @contextmanager
    def reading(self) -> Iterator["Work"]:
        """Open a transaction that only reads."""
        with _as_busy(), Session(self._engine, expire_on_commit=False, **self._joining()) as session:
            session.connection(execution_options={} if self._joining() else {database.READING: True})
            yield Work(session)

    @contextmanager
    def rehearsal(self) -> Iterator["Store"]:
        """Yield a store on which everything works, and nothing is left of it in the end."""
        with _as_busy(), self._whole_engine().connect() as connection:
            outer = connection.begin()
            rehearsed = Store.__new__(Store)
            rehearsed._engine = connection
            try:
                yield rehearsed
            finally:
                outer.rollback()

    def copy_to(self, file: Path) -> None:
        """Write a copy of the database to a new file; BadInput for one that is not SQLite, NoFile if it fails."""
        try:
            database.copy_to(self._whole_engine(), file)
        except ValueError as error:
            raise BadInput(
                "This database is no SQLite file: back it up with its own tools, pg_dump for one."
            ) from error
        except (OSError, sqlite3.Error) as error:
            raise NoFile(f"The copy cannot be written to {file}: {error}.") from error

    @property
    def file(self) -> Path | None:
        """The file that an SQLite database lies in."""
        url = self._whole_engine().url
        return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None

    def close(self) -> None:
        """Let go of the database."""
        self._whole_engine().dispose()

    def _refuse_unknown(self, found: str | None) -> None:
        """Keep off tables that a newer program has made; raises ConfigError."""
        if found is not None and found not in database.known_versions():
            raise ConfigError(f"The database is of version {found}, which only a newer pbem knows.")

    def _whole_engine(self) -> Engine:
        """Return the engine; a rehearsal has only a connection."""
        return self._engine.engine

    def _joining(self) -> dict[str, Any]:
        """Return how a session joins the rehearsal's transaction; nothing for a store proper."""
        return {"join_transaction_mode": "create_savepoint"} if isinstance(self._engine, Connection) else {}


@contextmanager
def _as_busy() -> Iterator[None]:
    """Turn what the database cannot do now, and two workers meeting in one place, into Busy."""
    try:
        yield
    except OperationalError as error:
        raise Busy(f"The database cannot be used now: {_first_line(error)}.") from error
    except IntegrityError as error:
        if "unique" not in str(error.orig).lower():
            raise
        raise Busy(f"Somebody else was faster: {_first_line(error)}.") from error
    except DatabaseError as error:
        if type(error) is not DatabaseError:  # its other kinds are bugs, to be seen with their traceback
            raise
        raise ConfigError(f"The database cannot be read: {_first_line(error)}.") from error


def _first_line(error: DBAPIError) -> str:
    """Return what the database itself says."""
    return str(error.orig).splitlines()[0]


class Work:
    """What can be read and written within one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def player(self, name_or_email: str) -> Player | None:
        """Return the player of that name (letter case ignored) or address."""
        row = self._session.get(models.Address, name_or_email.lower())
        if row is not None:
            return self._players([row.player_id])[row.player_id]
        found = self._session.exec(
            select(models.Player.id).where(models.Player.folded == name_or_email.casefold())
        ).first()
        return self._players([found])[found] if found is not None else None

    def players(self) -> list[Player]:
        """Return everybody, oldest first."""
        ids = [_id(found) for found in self._session.exec(select(models.Player.id).order_by(col(models.Player.id)))]
        return list(self._players(ids).values())

    def add_player(self, name: str, email: str, now: datetime) -> Player:
        """Add a player; where the name is taken, a number is put behind it."""
        free, count = name, 1
        while self.player(free) is not None:
            count += 1
            free = f"{name} {count}"
        row = models.Player(name=free, folded=free.casefold(), created_at=now)
        self._session.add(row)
        self._session.flush()
        self._session.add(models.Address(email=email, player_id=_id(row.id)))
        self._session.flush()
        return Player(_id(row.id), free, email, frozenset({email}))

    def keep_wishes(self, player: Player) -> None:
        """Keep how a player wants his mail: ``display`` and ``quiet``."""
        wishes = {"display": player.display, "quiet": player.quiet}
        self._session.execute(update(models.Player).where(col(models.Player.id) == player.id).values(**wishes))

    def add_address(self, player: Player, email: str) -> None:
        """Let a player write from one more address."""
        self._session.add(models.Address(email=email, player_id=player.id, is_primary=False))
        self._session.flush()

    def drop_address(self, player: Player, email: str) -> bool:
        """Let a player no longer write from an address; False for the one he is written to, and for one not his."""
        row = self._session.get(models.Address, email)
        if row is None or row.player_id != player.id or row.is_primary:
            return False
        self._session.delete(row)
        self._session.flush()
        return True

    def open_match(self, match: Match) -> Match:
        """Add a new match and return it with its number."""
        row = models.Match(
            game=match.game.key,
            seats=len(match.players),
            options=dict(match.options),
            opened_at=match.opened_at,
            changed_at=match.opened_at,
            secret=match.secret,
            lots_due_at=match.lots_due,
        )
        self._session.add(row)
        self._session.flush()
        for seat, player in enumerate(match.players):
            self._session.add(models.Place(match_id=_id(row.id), seat=seat, player_id=player.id))
        self._session.flush()
        opened = replace(match, id=_id(row.id))
        self.append(opened.at(0), match.record, match.times, None)
        return opened

    def match(self, number: int, *, remarks: bool = False) -> Match | None:
        """Return the match with that number, with what was said in it if asked for."""
        found = self.matches([number], remarks=remarks) if abs(number) < 2**31 else []
        return found[0] if found else None

    def matches(
        self,
        numbers: Sequence[int] | None = None,
        *,
        remarks: bool = False,
        player: int | None = None,
        running: bool = False,
        changed_since: datetime | None = None,
    ) -> list[Match]:
        """Return matches in the order of their numbers: those asked for, those of a player, or all.

        ``running``: only those that are not over.
        """
        query = select(models.Match).order_by(col(models.Match.id))
        if numbers is not None:
            query = query.where(col(models.Match.id).in_(numbers))
        if changed_since is not None:
            query = query.where(col(models.Match.changed_at) >= changed_since)
        if running:
            query = query.where(col(models.Match.over_at).is_(None))
        if player is not None:
            places = select(models.Place.match_id).where(models.Place.player_id == player)
            query = query.where(col(models.Match.id).in_(places))
        rows = self._session.exec(query).all()
        return self._assembled(rows, remarks) if rows else []

    def append(self, match: Match, entries: Sequence[Entry], times: Sequence[datetime], inbound: int | None) -> None:
        """Add entries behind those that ``match`` has; Busy (at the end) if somebody else was faster."""
        for number, (entry, made_at) in enumerate(zip(entries, times, strict=True)):
            self._session.add(
                models.MatchEntry(
                    match_id=match.id,
                    ply=match.ply + number,
                    seat=entry.seat,
                    text=entry.text,
                    made_at=made_at,
                    inbound_id=inbound,
                )
            )
        self._session.flush()

    def note_change(self, match: Match, now: datetime) -> None:
        """Note that ``match`` has changed, and whether it is over."""
        changes = {"changed_at": now} | ({"over_at": match.changed_at} if match.outcome else {})
        self._session.execute(update(models.Match).where(col(models.Match.id) == match.id).values(**changes))

    def keep_salts(self, match: Match) -> None:
        """Keep the words that players mix into the lots."""
        for seat, words in enumerate(match.salts):
            place = and_(col(models.Place.match_id) == match.id, col(models.Place.seat) == seat)
            self._session.execute(update(models.Place).where(place).values(salt=words))

    def lots_due(self, now: datetime) -> list[int]:
        """Return the numbers of the matches whose first lot has waited for words of the players long enough."""
        query = (
            select(models.Match.id)
            .where(col(models.Match.lots_due_at) <= now, col(models.Match.over_at).is_(None))
            .where(
                ~exists().where(
                    col(models.MatchEntry.match_id) == models.Match.id, col(models.MatchEntry.seat).is_(None)
                )
            )
            .order_by(col(models.Match.id))
        )
        return [_id(number) for number in self._session.exec(query)]

    def add_remarks(self, match: Match, remarks: Iterable[Remark], now: datetime, inbound: int | None) -> None:
        """Keep what was said in a match."""
        for remark in remarks:
            self._session.add(
                models.Remark(
                    match_id=match.id,
                    ply=remark.ply,
                    seat=remark.seat,
                    text=remark.text,
                    to_side=remark.to_side,
                    made_at=now,
                    inbound_id=inbound,
                )
            )

    def receive(
        self, identity: str, raw: bytes, whole: bool, sender: str | None, subject: str, now: datetime
    ) -> int | None:
        """Keep a letter and return its number; None when it is here already."""
        if self._session.exec(select(models.Inbound.id).where(models.Inbound.identity == identity)).first() is not None:
            return None
        row = models.Inbound(identity=identity, raw=raw, whole=whole, sender=sender, subject=subject, received_at=now)
        try:
            with self._session.begin_nested():
                self._session.add(row)
        except IntegrityError:  # another worker has kept it since the look above
            return None
        return _id(row.id)

    def letter(self, number: int) -> Received | None:
        """Return a letter by its number."""
        return next(iter(self._letters(models.Inbound.id == number)), None) if abs(number) < 2**31 else None

    def letter_by_identity(self, identity: str) -> Received | None:
        """Return a letter by what makes it the same as another delivery of it."""
        return next(iter(self._letters(models.Inbound.identity == identity)), None)

    def letters(self, *, status: str | None = None, limit: int = 50) -> list[Received]:
        """Return letters, newest first."""
        return self._letters(models.Inbound.status == status if status else None, limit)

    def count_vain_letters(self, sender: str, since: datetime, *, tagged: bool) -> int:
        """Return how many letters came from an address since then that led to nothing; ``tagged``: in its matches."""
        query = select(func.count(col(models.Inbound.id))).where(
            models.Inbound.sender == sender,
            col(models.Inbound.received_at) > since,
            col(models.Inbound.status).not_in(["accepted", "received"]),
        )
        if tagged:
            query = query.where(col(models.Inbound.match_id).is_not(None))
        return self._session.exec(query).one()

    def count_caused(self, sender: str | None, besides: Sequence[str], since: datetime) -> int:
        """Return how many mails letters led to since then, of all kinds ``besides`` these; ``sender``: his alone."""
        mails, letters = models.Outbound, models.Inbound
        query = select(func.count(col(mails.id))).where(
            col(mails.created_at) > since, col(mails.kind).not_in(besides), col(mails.inbound_id).is_not(None)
        )
        if sender is not None:
            his = select(letters.id).where(letters.sender == sender, col(letters.received_at) > since)
            query = query.where(col(mails.inbound_id).in_(his))
        return self._session.exec(query).one()

    def ended_for(self, reason: str, sender: str, player: Player, besides: int = 0) -> bool:
        """Tell whether a letter from an address, ``besides`` that one, has ended for ``reason`` in a player's match."""
        letters, places = models.Inbound, models.Place
        query = (
            select(letters.id)
            .join(places, and_(col(places.match_id) == letters.match_id, col(places.seat) == letters.seat))
            .where(letters.sender == sender, letters.reason == reason, places.player_id == player.id)
            .where(letters.id != besides)
        )
        return self._session.exec(query.limit(1)).first() is not None

    def asked_about(self, sender: str, kind: str, player: Player, since: datetime) -> bool:
        """Tell whether a letter from ``sender`` led to a mail of ``kind`` to a player since then."""
        mails, letters = models.Outbound, models.Inbound
        query = select(mails.id).join(letters, col(letters.id) == mails.inbound_id)
        query = query.where(mails.recipient == player.email, mails.kind == kind, letters.sender == sender)
        return self._session.exec(query.where(col(mails.created_at) > since)).first() is not None

    def letter_asked_about(self, match: int, seat: Seat, kind: str, message_ids: Sequence[str]) -> Received | None:
        """Return the letter that led to a mail of that kind to a seat, which has one of the Message-IDs."""
        mails = models.Outbound
        asked = select(mails.inbound_id).where(
            mails.match_id == match, mails.seat == seat, mails.kind == kind, col(mails.message_id).in_(message_ids)
        )
        return next(iter(self._letters(col(models.Inbound.id).in_(asked))), None)

    def letter_bytes(self, number: int) -> tuple[bytes, bool]:
        """Return a letter's bytes and whether they are the whole letter."""
        return self._session.exec(
            select(models.Inbound.raw, models.Inbound.whole).where(models.Inbound.id == number)
        ).one()

    def waiting_letters(self) -> list[int]:
        """Return the numbers of the letters not yet settled, oldest first."""
        query = select(models.Inbound.id).where(models.Inbound.status == "received").order_by(col(models.Inbound.id))
        return [_id(number) for number in self._session.exec(query)]

    def take(self, number: int) -> bool:
        """Take a letter for settling until the end of the transaction; False if it is settled already."""
        taken = self._session.execute(
            update(models.Inbound)
            .where(col(models.Inbound.id) == number, col(models.Inbound.status) == "received")
            .values(status="received")
        )
        return bool(getattr(taken, "rowcount", 0))

    def reopen(self, number: int) -> bool:
        """Let a letter wait again that has come to its end; False for one that was accepted, or waits."""
        reopened = self._session.execute(
            update(models.Inbound)
            .where(col(models.Inbound.id) == number, col(models.Inbound.status).not_in(["accepted", "received"]))
            .values(status="received", settled_at=None)
        )
        return bool(getattr(reopened, "rowcount", 0))

    def settle(self, number: int, ending: Ending, now: datetime) -> None:
        """Note how a letter ended."""
        self._session.execute(
            update(models.Inbound)
            .where(col(models.Inbound.id) == number)
            .values(
                status=ending.status,
                reason=ending.reason,
                detail=ending.detail,
                match_id=ending.match,
                seat=ending.seat,
                commands=list(ending.commands),
                settled_at=now,
            )
        )

    def queue(self, mails: Sequence[Mail], now: datetime) -> None:
        """Keep mails to be sent; one with the same Message-ID as another is kept once."""
        ids = [mail.message_id for mail in mails]
        known = set(
            self._session.exec(select(models.Outbound.message_id).where(col(models.Outbound.message_id).in_(ids)))
        )
        rows = []
        for mail in mails:
            if mail.message_id in known:
                continue
            known.add(mail.message_id)
            rows.append(
                {
                    "message_id": mail.message_id,
                    "kind": mail.kind,
                    "recipient": mail.recipient,
                    "subject": mail.subject,
                    "raw": mail.raw,
                    "created_at": now,
                    "due_at": now,
                    "match_id": mail.match,
                    "seat": mail.seat,
                    "inbound_id": mail.inbound,
                }
            )
        if rows:
            self._session.execute(insert(models.Outbound), rows)

    def threads(self, match: int) -> dict[Seat, tuple[str, str]]:
        """Return, for each seat of a match, the Message-IDs of the first and the latest mail to it."""
        mails = models.Outbound
        ends = (
            select(func.min(col(mails.id)), func.max(col(mails.id)))
            .where(mails.match_id == match)
            .group_by(col(mails.seat))
            .subquery()
        )
        query = (
            select(mails.seat, mails.message_id)
            .join(ends, col(mails.id).in_([ends.c[0], ends.c[1]]))
            .order_by(col(mails.id))
        )
        found: dict[Seat, tuple[str, str]] = {}
        for seat, message_id in self._session.exec(query):
            if seat is not None:
                found[seat] = (found[seat][0] if seat in found else message_id, message_id)
        return found

    def mails_answered(self, match: int, seat: Seat, message_ids: Sequence[str]) -> list[bytes]:
        """Return the bytes of those mails to a seat that have one of the Message-IDs, and of its latest twelve."""
        mails = models.Outbound
        to_seat = and_(col(mails.match_id) == match, col(mails.seat) == seat)
        latest = select(mails.id).where(to_seat).order_by(col(mails.id).desc()).limit(12)
        wanted = or_(col(mails.message_id).in_(message_ids), col(mails.id).in_(latest))
        return list(self._session.exec(select(mails.raw).where(to_seat, wanted)))

    def mails_about(self, inbound: int) -> list[Queued]:
        """Return the mails that a letter led to."""
        return self._mails(models.Outbound.inbound_id == inbound)

    def mails(self, *, status: str | None = None, limit: int = 50) -> list[Queued]:
        """Return mails, newest first."""
        return self._mails(models.Outbound.status == status if status else None, limit, newest=True)

    def mail(self, number: int) -> Queued | None:
        """Return a mail by its number."""
        return next(iter(self._mails(models.Outbound.id == number)), None) if abs(number) < 2**31 else None

    def mail_bytes(self, number: int) -> bytes:
        """Return a mail's bytes."""
        return self._session.exec(select(models.Outbound.raw).where(models.Outbound.id == number)).one()

    def due_mails(self, now: datetime, limit: int) -> list[Queued]:
        """Return mails whose next attempt is due, oldest first."""
        return self._mails(and_(col(models.Outbound.status) == "queued", col(models.Outbound.due_at) <= now), limit)

    def claim(self, number: int, now: datetime, until: datetime) -> bool:
        """Take a due mail for sending, so that no other worker does before ``until``; False if one has."""
        taken = self._session.execute(
            update(models.Outbound)
            .where(
                col(models.Outbound.id) == number,
                col(models.Outbound.status) == "queued",
                col(models.Outbound.due_at) <= now,
            )
            .values(due_at=until, attempts=models.Outbound.attempts + 1)
        )
        return bool(getattr(taken, "rowcount", 0))

    def note_sending(self, number: int, status: str, error: str, at: datetime) -> None:
        """Note how an attempt to send ended: sent, refused, or queued again, to be tried ``at`` that time."""
        self._session.execute(
            update(models.Outbound)
            .where(col(models.Outbound.id) == number)
            .values(status=status, error=error, due_at=at, sent_at=at if status == "sent" else None)
        )

    def release(self, number: int, error: str, due_at: datetime) -> None:
        """Give back a claimed mail that could not be tried: the attempt does not count."""
        self._session.execute(
            update(models.Outbound)
            .where(col(models.Outbound.id) == number)
            .values(error=error, due_at=due_at, attempts=models.Outbound.attempts - 1)
        )

    def send_anew(self, number: int, now: datetime) -> None:
        """Let a mail be due now, with all its attempts before it."""
        self._session.execute(
            update(models.Outbound)
            .where(col(models.Outbound.id) == number)
            .values(status="queued", attempts=0, due_at=now, sent_at=None)
        )

    def count_mails(self, recipient: str | None, kind: str, since: datetime) -> int:
        """Return how many mails of ``kind`` were made since then for ``recipient`` (None: for anybody)."""
        query = select(func.count(col(models.Outbound.id))).where(
            models.Outbound.kind == kind, col(models.Outbound.created_at) > since
        )
        if recipient is not None:
            query = query.where(models.Outbound.recipient == recipient)
        return self._session.exec(query).one()

    def first_mail_at(self) -> datetime | None:
        """Return when the first mail was made: no reply can be older."""
        return self._session.exec(select(models.Outbound.created_at).order_by(col(models.Outbound.id)).limit(1)).first()

    def cursor(self, mailbox: str) -> Cursor | None:
        """Return how far a mailbox has been read."""
        row = self._session.get(models.MailboxCursor, mailbox)
        return Cursor(row.uidvalidity, row.last_uid) if row else None

    def keep_cursor(self, mailbox: str, cursor: Cursor) -> None:
        """Note how far a mailbox has been read."""
        self._session.merge(
            models.MailboxCursor(mailbox=mailbox, uidvalidity=cursor.uidvalidity, last_uid=cursor.last_uid)
        )

    def _players(self, ids: Iterable[int]) -> dict[int, Player]:
        """Return players by their numbers."""
        wanted = list(ids)
        rows = self._session.exec(select(models.Player).where(col(models.Player.id).in_(wanted))).all()
        addresses: dict[int, list[models.Address]] = {}
        for row in self._session.exec(select(models.Address).where(col(models.Address.player_id).in_(wanted))):
            addresses.setdefault(row.player_id, []).append(row)
        found = {}
        for player in sorted(rows, key=lambda row: row.id or 0):
            own = sorted(addresses.get(_id(player.id), []), key=lambda row: (not row.is_primary, row.email))
            emails = [row.email for row in own]
            found[_id(player.id)] = Player(
                _id(player.id), player.name, emails[0], frozenset(emails), player.display, player.quiet
            )
        return found

    def _assembled(self, rows: Sequence[models.Match], with_remarks: bool) -> list[Match]:
        """Return matches with their players and records, in a fixed number of queries."""
        ids = [_id(row.id) for row in rows]
        places = self._session.exec(
            select(models.Place).where(col(models.Place.match_id).in_(ids)).order_by(col(models.Place.seat))
        ).all()
        players = self._players({place.player_id for place in places})
        seated: dict[int, list[Player]] = {}
        salts: dict[int, list[str | None]] = {}
        for place in places:
            salts.setdefault(place.match_id, []).append(place.salt)
            seated.setdefault(place.match_id, []).append(players[place.player_id])
        records: dict[int, list[tuple[Entry, datetime]]] = {}
        entries = models.MatchEntry
        for number, seat, text, made_at in self._session.exec(
            select(entries.match_id, entries.seat, entries.text, entries.made_at)
            .where(col(entries.match_id).in_(ids))
            .order_by(col(entries.match_id), col(entries.ply))
        ):
            records.setdefault(number, []).append((Entry(seat, text), made_at))
        said: dict[int, list[Remark]] = {}
        if with_remarks:
            query = select(models.Remark).where(col(models.Remark.match_id).in_(ids)).order_by(col(models.Remark.id))
            for row in self._session.exec(query):
                said.setdefault(row.match_id, []).append(Remark(row.seat, row.ply, row.text, row.to_side))
        return [
            Match(
                _id(row.id),
                GAMES[row.game],
                row.options,
                tuple(seated[_id(row.id)]),
                row.opened_at,
                tuple(entry for entry, _ in records.get(_id(row.id), ())),
                tuple(made_at for _, made_at in records.get(_id(row.id), ())),
                tuple(said.get(_id(row.id), ())),
                row.secret,
                tuple(salts[_id(row.id)]),
                row.lots_due_at,
            )
            for row in rows
        ]

    def _letters(self, condition: Any, limit: int = 1) -> list[Received]:
        """Return letters without their bytes, newest first."""
        query = _LETTERS if condition is None else _LETTERS.where(condition)
        rows = self._session.execute(query.order_by(col(models.Inbound.id).desc()).limit(limit))
        return [Received(**{**row, "commands": tuple(row["commands"])}) for row in rows.mappings()]

    def _mails(self, condition: Any, limit: int = 1000, *, newest: bool = False) -> list[Queued]:
        """Return mails without their bytes, oldest first unless ``newest``."""
        query = _MAILS if condition is None else _MAILS.where(condition)
        order = col(models.Outbound.id).desc() if newest else col(models.Outbound.id)
        rows = self._session.execute(query.order_by(order).limit(limit))
        return [Queued(**row) for row in rows.mappings()]

    def mail_returned(self, message_ids: Sequence[str], tag: str) -> Queued | None:
        """Return the mail that has the first known of the Message-IDs, else the latest that bears ``tag``, if given."""
        mails = models.Outbound
        known = {mail.message_id: mail for mail in self._mails(col(mails.message_id).in_(message_ids))}
        found = next((known[message_id] for message_id in message_ids if message_id in known), None)
        if found is None and tag:
            match, _, seat, _ = tag.split(".")
            to_seat = and_(col(mails.match_id) == int(match), col(mails.seat) == int(seat))
            bears = col(mails.message_id).startswith(f"<{tag}.")
            return next(iter(self._mails(and_(to_seat, bears), 1, newest=True)), None)
        return found

    def note_return(self, number: int, words: str) -> bool:
        """Note at a mail that it came back, in ``words`` that begin so; False if that was noted before."""
        mails = models.Outbound
        noted = self._session.execute(
            update(mails).where(col(mails.id) == number, ~col(mails.error).startswith("came back")).values(error=words)
        )
        return bool(getattr(noted, "rowcount", 0))

    def count_bounce(self, email: str, hard: bool, now: datetime) -> Bounced | None:
        """Count one more mail that came back from a player's address; None if it is nobody's."""
        row = self._session.get(models.Address, email, populate_existing=True)
        if row is None:
            return None
        row.hard_bounces += hard
        row.soft_bounces += not hard
        row.bounced_at = now
        self._session.add(row)
        self._session.flush()
        return Bounced(row.email, row.player_id, row.soft_bounces, row.hard_bounces, now)

    def forget_bounces(self, email: str) -> None:
        """Begin to count anew for an address that a letter came from."""
        addresses = models.Address
        self._session.execute(
            update(addresses)
            .where(col(addresses.email) == email, or_(col(addresses.soft_bounces) > 0, col(addresses.hard_bounces) > 0))
            .values(soft_bounces=0, hard_bounces=0)
        )

    def bounced(self) -> list[Bounced]:
        """Return the addresses from which mail came back since a letter last came from them, by player."""
        addresses = models.Address
        query = (
            select(addresses)
            .where(or_(col(addresses.soft_bounces) > 0, col(addresses.hard_bounces) > 0))
            .order_by(col(addresses.player_id), col(addresses.email))
        )
        return [
            Bounced(row.email, row.player_id, row.soft_bounces, row.hard_bounces, row.bounced_at)
            for row in self._session.exec(query)
            if row.bounced_at is not None
        ]

    def wrote(self, recipient: str, kind: str, subject: str, since: datetime) -> bool:
        """Tell whether a mail of ``kind`` with that subject was made for ``recipient`` since then."""
        mails = models.Outbound
        query = select(mails.id).where(mails.recipient == recipient, mails.kind == kind, mails.subject == subject)
        return self._session.exec(query.where(col(mails.created_at) > since)).first() is not None


def _named(table: type[SQLModel], row: type, **columns: str) -> Select[Any]:
    """Return what selects, without their bytes, rows of ``table`` as ``row`` names its fields.

    ``columns`` tells which column a field comes from where that has another name.
    """
    names = [field.name for field in fields(row)]
    return plain_select(*(getattr(table, columns.get(name, name)).label(name) for name in names))


_LETTERS = _named(models.Inbound, Received, match="match_id")
_MAILS = _named(models.Outbound, Queued, match="match_id", inbound="inbound_id")


def _id(number: int | None) -> int:
    """Return a number that a row in the database always has."""
    assert number is not None
    return number
