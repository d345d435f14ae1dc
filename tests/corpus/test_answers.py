"""Answers as people write them: none is wrongly carried out, nothing private leaks, and what is missed is known."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rules.games import GAMES
from rules.position import Position
from tests.corpus.answers.measure import Answer, faults, laid, measure, misses, read_answers
from tests.support.approved import approve
from tests.support.each import each

FOLDER = Path(__file__).parent / "answers"
ATTEMPTS = FOLDER / "attempts.toml"
FILES = sorted(set(FOLDER.glob("*.toml")) - {ATTEMPTS})
QUICK = FOLDER / "fourth.toml"
_SLOW = pytest.mark.slow("reads every answer of the corpus")
EACH = [pytest.param(path, id=path.name, marks=() if path == QUICK else _SLOW) for path in FILES]
FEWEST, LANGUAGES = 180, 10
OF_TWO_GAMES = {"seventh.toml"}
"""By people who were told the rules of Pipline and Zipline."""


def check_what_is_right(answer: Answer, position: Position[Any]) -> None:
    """See that it is possible in its match: the commands are moves of the game, written as the record has them."""
    assert answer.done or answer.unclear, answer.text
    assert answer.private in answer.text
    for command in answer.done:
        if command != "resign":
            move = position.parse(command)
            assert str(move) == command
            position = position.play(move)


@pytest.mark.parametrize("path", EACH)
def test_no_answer_is_wrongly_carried_out_and_the_misses_are_those_known(
    path: Path, blank_database: Path, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """Nothing happens that was not clearly wanted, no private words leak, and whoever is not understood is answered.

    What is right for an answer is possible in its match.

    The clear answers that are not carried out are approved, and their list becomes shorter.
    """
    settings, answers = read_answers(path)
    with laid(tmp_path, blank_database, settings) as tables:
        for one in answers:
            check_what_is_right(one, tables[one.setting].match.position)
        results = [tables[one.setting].answer(one) for one in answers]
    assert {one.answer.text: one.commands for one in results if one.wrong} == {}
    assert [one.answer.text for one in results if one.leaked] == []
    assert [one.answer.text for one in results if not one.commands and not one.answered] == []
    missed = "".join(f"{line}\n" for line in misses(results))
    approve(FOLDER / "misses" / f"{path.stem}.txt", missed, update=pytestconfig.getoption("--update"))


@pytest.mark.slow("reads every answer of the corpus")
def test_the_attempts_that_succeed_are_those_known(
    blank_database: Path, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """Of many attempts to be misunderstood some still succeed: each is a fault, and their list becomes shorter."""
    results = measure(ATTEMPTS, tmp_path, blank_database)
    assert [one.answer.text for one in results if not one.commands and not one.answered] == []
    approve(FOLDER / "misses" / "attempts.txt", "".join(faults(results)), update=pytestconfig.getoption("--update"))


@each("path", FILES, ids=lambda path: path.name)
def test_the_lists_are_as_wide_as_they_say(path: Path) -> None:
    """Every file has many answers of all games in many languages, a third of them unclear."""
    settings, answers = read_answers(path)
    assert len(answers) >= FEWEST
    assert len({one.language for one in answers}) >= LANGUAGES
    assert path.name in OF_TWO_GAMES or {settings[one.setting]["game"] for one in answers} == set(GAMES)
    assert len(answers) / 4 < sum(one.unclear for one in answers) <= len(answers) / 2


def test_no_answer_stands_in_two_lists() -> None:
    """What was held back while the reader was written is not what it was written for."""
    texts = Counter(one.text for path in (*FILES, ATTEMPTS) for one in read_answers(path)[1])
    assert {text: times for text, times in texts.items() if times > 1} == {}
