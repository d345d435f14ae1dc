"""Answers as people write them: none is wrongly carried out, nothing private leaks, and what is missed is known."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from rules import GAMES
from tests.corpus.answers.measure import Result, laid, measure, misses, read_answers
from tests.support.approved import approve

FOLDER = Path(__file__).parent / "answers"
FILES = sorted(FOLDER.glob("*.toml"))
FEWEST, LANGUAGES = 180, 10


@pytest.fixture(scope="module")
def results(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[Result]]:
    """What becomes of the answers, by file."""
    return {path.name: measure(path, tmp_path_factory.mktemp(path.stem), blank_database) for path in FILES}


@pytest.mark.parametrize("name", [path.name for path in FILES])
def test_no_answer_is_wrongly_carried_out(results: Mapping[str, list[Result]], name: str) -> None:
    """Nothing happens that the writer did not clearly want, and nothing by halves."""
    assert {one.answer.text: one.commands for one in results[name] if one.wrong} == {}


@pytest.mark.parametrize("name", [path.name for path in FILES])
def test_no_private_words_reach_an_opponent(results: Mapping[str, list[Result]], name: str) -> None:
    """What may be meant for the partner alone stays on its side."""
    assert [one.answer.text for one in results[name] if one.leaked] == []


@pytest.mark.parametrize("name", [path.name for path in FILES])
def test_whoever_is_not_understood_is_answered(results: Mapping[str, list[Result]], name: str) -> None:
    """No answer ends without an email to its writer where nothing was played."""
    assert [one.answer.text for one in results[name] if not one.commands and not one.answered] == []


def test_the_clear_answers_not_carried_out_are_those_known(
    results: Mapping[str, list[Result]], pytestconfig: pytest.Config
) -> None:
    """The list of them is approved, and becomes shorter."""
    lines = [line for name in results for line in misses(results[name])]
    approve(FOLDER / "misses.txt", "".join(f"{line}\n" for line in lines), update=pytestconfig.getoption("--update"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_is_right_for_an_answer_is_possible_in_its_match(path: Path, blank_database: Path, tmp_path: Path) -> None:
    """The commands are moves of the game, written as the record has them."""
    settings, answers = read_answers(path)
    with laid(tmp_path, blank_database, settings) as tables:
        for one in answers:
            assert one.done or one.unclear, one.text
            assert one.private in one.text
            position = tables[one.setting].match.position
            for command in one.done:
                if command != "resign":
                    move = position.parse(command)
                    assert str(move) == command
                    position = position.play(move)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_lists_are_as_wide_as_they_say(path: Path) -> None:
    """Every file has many answers of all games in many languages, a third of them unclear."""
    settings, answers = read_answers(path)
    assert len(answers) >= FEWEST
    assert len({one.language for one in answers}) >= LANGUAGES
    assert {settings[one.setting]["game"] for one in answers} == set(GAMES)
    assert len(answers) / 4 < sum(one.unclear for one in answers) < len(answers) / 2


def test_no_answer_stands_in_two_lists() -> None:
    """What was held back while the reader was written is not what it was written for."""
    texts = Counter(one.text for path in FILES for one in read_answers(path)[1])
    assert {text: times for text, times in texts.items() if times > 1} == {}
