"""A little of the fuzzing, the same on every run: whatever arrives comes to a named end, and plays nothing else."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.corpus.tables import lay
from tests.corpus.templates import Case, all_cases
from tests.fuzz.judging import Judge, silent
from tests.fuzz.mutations import mutated
from tests.support.examples import examples

quickly = settings(examples(80), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
HEADERS = ("From", "To", "Cc", "Subject", "Message-ID", "References", "Content-Type", "Content-Transfer-Encoding", "X")
VALUES = (
    "<>",
    "text/html",
    "multipart/mixed; boundary=x",
    "base64",
    "=?utf-8?q?a=0D=0Ab?=",
    "text/plain; charset=idna",
)


@pytest.fixture(scope="module")
def corpus(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Judge, list[Case]]]:
    """The messages of the corpus, and who judges what becomes of them."""
    directory = tmp_path_factory.mktemp("fuzz")
    tables = lay(blank_database, directory)
    judge = Judge(directory, tables)
    yield judge, all_cases(tables)
    judge.close()


@quickly
@given(number=st.integers(0, 10_000), seed=st.integers(0, 2**32))
def test_a_spoiled_message_comes_to_a_named_end(corpus: tuple[Judge, list[Case]], number: int, seed: int) -> None:
    """A message of the corpus, spoiled in any way, is accepted, rejected, discarded or unreadable, within a second."""
    judge, cases = corpus
    one = cases[number % len(cases)]
    raw, foreign = mutated(one.raw, Random(seed), [other.raw for other in cases])
    assert judge.findings(raw, silent=silent(one) and not foreign) == []


@quickly
@given(
    headers=st.lists(st.tuples(st.sampled_from(HEADERS), st.sampled_from(VALUES) | st.text(max_size=40)), max_size=8),
    body=st.binary(max_size=500) | st.text(max_size=500).map(lambda text: text.encode("utf-8", "surrogatepass")),
)
def test_a_made_up_message_comes_to_a_named_end(
    corpus: tuple[Judge, list[Case]], headers: list[tuple[str, str]], body: bytes
) -> None:
    """Whatever headers and body an email from a player has, nothing but a named end comes out."""
    judge, cases = corpus
    notice = cases[0].raw.partition(b"\r\n\r\n")[0]
    head = "".join(f"{name}: {value}\r\n" for name, value in headers).encode("utf-8", "replace")
    assert judge.findings(head + notice + b"\r\n\r\n" + body) == []
