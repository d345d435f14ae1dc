"""Messages from files through the whole line into SQLite, the notices to both players rendered and queued."""

import random
import time
from pathlib import Path

from pbem.mail.message import parse
from pbem.service import Service
from pbem.settings import Settings
from pbem.storage.database import Database
from tests.support.fakes import FakeClock, FakeDice

_SETTINGS = Settings(address="games@pbem.example", secret="a secret for benchmarks")


def prepare(directory: Path, matches: int, moves: int) -> None:
    """Play zipline 13×13 matches of two, and write every reply, with its quoted notice, to ``messages``."""
    (directory / "letters").mkdir()
    service = _service(directory / "first.db", matches)
    chance = random.Random(13)
    count = 0
    for _ in range(moves):
        for number in range(1, matches + 1):
            with service.database.reading() as tx:
                match = tx.matches.get(number)
                assert match is not None
                if not isinstance(match.to_act, int):
                    continue
                player = match.players[match.to_act]
                mail = next(mail for mail in tx.outbound.latest(limit=4 * matches) if mail.recipient == player.email)
                notice = parse(tx.outbound.raw(mail.id))
            count += 1
            move = match.position.any_move(chance.randrange)
            raw = _reply(player.email, notice.header("Reply-To"), notice.message_id, str(move), notice.text, count)
            (directory / "letters" / f"{count:05}.eml").write_bytes(raw)
            assert service.hand_in(raw).message.status == "accepted"
    service.database.close()


def letters_per_second(directory: Path) -> tuple[float, int]:
    """Take the messages that ``prepare`` wrote into a new database; returns how many a second, and how many."""
    matches = 1 + max(
        int(parse(file.read_bytes()).token_places[0].partition("+")[2].partition(".")[0])
        for file in (directory / "letters").iterdir()
    )
    service = _service(directory / "second.db", matches)
    files = sorted((directory / "letters").iterdir())
    started = time.perf_counter()
    accepted = sum(service.hand_in(file.read_bytes()).message.status == "accepted" for file in files)
    seconds = time.perf_counter() - started
    service.database.close()
    assert accepted == len(files)
    return len(files) / seconds, len(files)


def _service(file: Path, matches: int) -> Service:
    """Return a service with that many open matches, always the same ones."""
    database = Database(f"sqlite:///{file}")
    database.upgrade()
    service = Service(_SETTINGS, database, clock=FakeClock(), dice=FakeDice())
    for number in range(1, matches + 1):
        service.open("zipline", [f"Ann <ann{number}@a.example>", f"Bob <bob{number}@b.example>"], {})
    return service


def _reply(sender: str, to: str, answered: str, move: str, notice: str, number: int) -> bytes:
    """Return a reply as people write it, the notice quoted below the move."""
    quoted = "\r\n".join(f"> {line}" for line in notice.splitlines())
    return (
        f"From: {sender}\r\nTo: {to}\r\nSubject: Re: your turn\r\nMessage-ID: <{number}@players.example>\r\n"
        f"In-Reply-To: {answered}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Transfer-Encoding: 8bit\r\n\r\nHello,\r\n\r\n{move}\r\n\r\nGood luck!\r\n-- \r\nMe\r\n\r\n"
        f"On Fri, 20 Nov 2026, pbem wrote:\r\n{quoted}\r\n"
    ).encode()
