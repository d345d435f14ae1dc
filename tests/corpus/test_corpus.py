"""The corpus: every message in ``tests/corpus`` comes to the end it must come to, and does no more than that."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest

from pbem.cli.app import main
from pbem.match.match import Match
from pbem.running.service import Service
from pbem.storage.database import Database
from tests.corpus.__main__ import write
from tests.corpus.huge import huge_case, huge_names
from tests.corpus.tables import Table, lay, settings
from tests.corpus.templates import Case, all_cases, case, files
from tests.support.club import OPERATOR
from tests.support.each import each
from tests.support.fakes import FakeClock, FakeDice

ROOT = Path(__file__).resolve().parents[2]
FEWEST = {"nothing_new": 30, "automatic": 30, "broken": 40}
LANGUAGES, CLIENTS = 15, 25


class Corpus:
    """The service that all messages are written to; what one of them does is undone before the next."""

    def __init__(self, directory: Path, blank_database: Path) -> None:
        self.settings = settings(directory)
        self.tables: dict[str, Table] = lay(blank_database, directory)
        self.database = Database(self.settings.database_url)
        with self.database.reading() as tx:
            found = {name: tx.matches.get(table.number, comments=True) for name, table in self.tables.items()}
        self.matches: dict[str, Match] = {name: match for name, match in found.items() if match}

    def process(self, one: Case) -> None:
        """Hand a message in, and make sure of its end, of the record, of what is told to others, and of the answers."""
        with self.database.rehearsal() as rehearsed:
            service = Service(self.settings, rehearsed, clock=FakeClock(), dice=FakeDice())
            before = self.matches[one.table]
            started = process_time()
            arrival = service.hand_in(one.raw)
            seconds = process_time() - started
            after = self._match(service, one)
        message = arrival.message
        assert message.status == one.status, (message.reason, message.detail)
        assert message.reason in one.reasons, message.detail
        assert tuple(message.commands) == one.commands
        entries = after.record[before.ply :]
        assert tuple(entry.text for entry in entries if entry.seat == one.seat)[: len(one.moves)] == one.moves
        assert one.moves or not entries or "resign" in one.commands or one.table == "lots"
        said = [comment.text for comment in after.comments[len(before.comments) :] if not comment.to_side]
        assert " // ".join(said).replace("\n", " / ") == one.comment
        answers = [mail.recipient for mail in arrival.outbound if mail.recipient != OPERATOR]
        assert not answers or one.status in ("accepted", "rejected")
        assert seconds < 1

    def _match(self, service: Service, one: Case) -> Match:
        """Return the message's match as it stands."""
        with service.database.reading() as tx:
            found = tx.matches.get(self.tables[one.table].number, comments=True)
        assert found is not None
        return found


@pytest.fixture(scope="module")
def corpus(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """The matches of the corpus, opened once."""
    made = Corpus(tmp_path_factory.mktemp("corpus"), blank_database)
    yield made
    made.database.close()


@each("path", files(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_message_comes_to_its_end(corpus: Corpus, path: Path) -> None:
    """What is written in a file's notes is what becomes of its message: no other move, no other word."""
    corpus.process(case(path, corpus.tables))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", [name for _, name in huge_names()])
def test_a_huge_message_stops_nothing(corpus: Corpus, name: str) -> None:
    """Whatever a message is made of, a second later its end is known."""
    corpus.process(huge_case(name, corpus.tables))


def test_the_corpus_is_as_large_as_it_says(corpus: Corpus) -> None:
    """Enough messages of every kind, from enough programs, in enough languages; each group keeps to its endings."""
    cases = all_cases(corpus.tables)
    groups = Counter(one.group for one in cases) + Counter(group for group, _ in huge_names())
    groups["broken"] = groups["malformed"] + groups["hostile"]
    assert all(groups[group] >= fewest for group, fewest in FEWEST.items())
    assert len(cases) >= 150
    assert len({one.language for one in cases} - {""}) >= LANGUAGES
    assert len({one.client.partition(" (")[0] for one in cases} - {"", "any"}) >= CLIENTS
    ends = {group: {one.status for one in cases if one.group == group} for group in groups}
    assert ends["moves"] == {"accepted"}
    assert ends["nothing_new"] == ends["questions"] == {"rejected"}
    assert ends["automatic"] == {"discarded"}
    assert ends["hostile"] == {"discarded", "failed"}
    assert ends["malformed"] == {"accepted", "rejected"}


@pytest.mark.slow("reads every message of the corpus")
def test_a_directory_of_messages_is_reported_message_by_message(
    corpus: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``pbem receive --json DIRECTORY`` says of each message how it ends, why, and with which commands."""
    tables = lay_again(corpus, tmp_path)
    cases = {f"{one.group}-{one.name}": one for one in all_cases(tables)}
    write(tmp_path, cases.values())
    arguments = ["--config", str(tmp_path / "pbem.toml"), "receive", "--dry-run", "--json", str(tmp_path / "letters")]
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert not end.value.code
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [Path(report["file"]).name for report in reports] == sorted(f"{name}.eml" for name in cases)
    for report in reports:
        one = cases[Path(report["file"]).stem]
        assert (report["status"], tuple(report["commands"])) == (one.status, one.commands), one.name
        assert report["reason"] in one.reasons, one.name


def lay_again(corpus: Corpus, directory: Path) -> dict[str, Table]:
    """Copy the database of the corpus to another directory; the messages to it are the same."""
    corpus.database.copy_to(directory / "pbem.db")
    return corpus.tables


@pytest.mark.slow("reads every message of the corpus")
def test_all_messages_fit_into_little_time_and_memory(tmp_path: Path) -> None:
    """A process that reads all messages, the huge ones too, needs less than a second for each and never 300 MB."""

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *arguments, str(tmp_path)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=True,
            timeout=120,
            stdout=subprocess.PIPE,
        )
        return done.stdout.decode()

    run("tests.corpus", "--huge")
    weighed = json.loads(run("tests.corpus.weigh"))
    assert len(weighed["seconds"]) == len(files()) + len(huge_names())
    assert {name: taken for name, taken in weighed["seconds"].items() if taken >= 1} == {}
    assert weighed["megabytes"] < 300
