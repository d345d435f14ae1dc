"""Games are played, kept and taken up again; the same ones whatever the number of processes, and by the rules."""

import fcntl
import json
import subprocess
import sys
import time
from pathlib import Path
from shutil import copy

import pytest

from pbem.errors import BadInput, Busy
from pbem.report.making import make_report
from pbem.report.plan import Plan, Task, make_plan
from pbem.report.playing import Game, IllegalGameError, OutOfTimeError, _compare, play
from pbem.robots.board import WHOLE
from rules.game import replay
from rules.games import GAMES
from rules.position import Entry


def _plan(games: int = 2, seed: int = 1) -> Plan:
    return make_plan("snipsnip", None, {"board": "hex-3"}, 4, games, seed, random_games=8)


def _made(directory: Path, plan: Plan, jobs: int = 1) -> str:
    """Make a report of all games; return its figures. The speed is a known one: it is the machine’s, not the seed’s."""
    directory.mkdir(exist_ok=True)
    _know_speed(directory, plan)
    made = make_report(plan, directory, minutes=10, jobs=jobs)
    assert made.played == made.planned
    assert made.page.is_file()
    return made.page.with_suffix(".json").read_text("utf-8") + made.page.read_text("utf-8")


def _know_speed(directory: Path, plan: Plan) -> None:
    """Let the counts of an earlier run be known."""
    known = {"of": plan.subject, "speed": {"random": {"rate": 1000.0, "deviation": 1.0}}, "perft": []}
    (directory / f"{plan.game}.counts").write_text(json.dumps(known))


def _lines(directory: Path) -> list[str]:
    """Return the games that were kept, without the line of how many are planned."""
    return sorted((directory / "snipsnip.jsonl").read_text("utf-8").splitlines()[1:])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return the figures of a report of one game of each kind, and where its games are."""
    directory = tmp_path_factory.mktemp("whole")
    return _made(directory, _plan(games=1)), directory


@pytest.fixture
def games(whole: tuple[str, Path], tmp_path: Path) -> Path:
    """Return the file of the games of that report, copied into the directory of the test."""
    return Path(copy(whole[1] / "snipsnip.jsonl", tmp_path))


def test_one_seed_gives_the_same_report_whatever_the_number_of_processes(tmp_path: Path) -> None:
    """Page and figures byte by byte, and the same games; another seed plays others."""
    assert _made(tmp_path / "one", _plan()) == _made(tmp_path / "two", _plan(), jobs=2)
    assert _lines(tmp_path / "one") == _lines(tmp_path / "two")
    task = _plan().tasks()[0]
    assert play(_plan(), task, lambda: False) != play(_plan(seed=2), task, lambda: False)


def test_a_run_goes_on_where_another_was_cut_off(tmp_path: Path) -> None:
    """Within a line, as by a killed process or a full disk: that game is played again, and no other."""
    whole = _made(tmp_path / "whole", _plan())
    text = (tmp_path / "whole" / "snipsnip.jsonl").read_text("utf-8")
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "snipsnip.jsonl").write_text(text[: len(text) // 2] + "\0\0", "utf-8")
    assert _made(tmp_path / "cut", _plan()) == whole
    assert _lines(tmp_path / "cut") == _lines(tmp_path / "whole")


def test_games_that_are_played_are_not_played_again(games: Path, tmp_path: Path) -> None:
    """More games than before take over those that there are."""
    _know_speed(tmp_path, _plan())
    before = _lines(tmp_path)
    told: list[int] = []
    make_report(_plan(games=2), tmp_path, minutes=10, jobs=1, tell=lambda task, played: told.append(played))
    assert set(before) < set(_lines(tmp_path))
    assert told == list(range(1, len(_lines(tmp_path)) + 1))


def test_games_of_another_plan_are_left_alone(games: Path, tmp_path: Path) -> None:
    """Another seed, or other options, in the same directory is refused, and nothing is lost."""
    before = _lines(tmp_path)
    for other in (_plan(seed=2), make_plan("snipsnip", None, {}, 4, 1, 1)):
        with pytest.raises(BadInput, match=r"snipsnip\.jsonl"):
            make_report(other, tmp_path, minutes=10, jobs=1)
    assert _lines(tmp_path) == before


@pytest.mark.parametrize(
    ("key", "damage"),
    [
        *(("rewards", other) for other in ("x", [], [60], [60, 90], [60, "0"], None)),
        *(("choices", other) for other in ([], [0], ["3"], 7)),
        *(
            ("values", [1]),
            ("values", []),
            ("series", 3),
            ("number", "a"),
            ("placed", [[1, 0]]),
            ("record", [["a"]]),
            ("opening", [1]),
        ),
    ],
)
def test_a_line_that_says_something_else_is_played_again(
    whole: tuple[str, Path], games: Path, key: str, damage: object
) -> None:
    """JSON may be whole, and no game all the same: whoever changed a line by hand gets the same report."""
    lines = games.read_text("utf-8").splitlines()
    place = next(place for place, line in enumerate(lines) if '"search"' in line)
    lines[place] = json.dumps(json.loads(lines[place]) | {key: damage})
    games.write_text("\n".join(lines) + "\n", "utf-8")
    assert _made(games.parent, _plan(games=1)) == whole[0]


def test_games_of_former_robots_are_not_taken_over(games: Path, tmp_path: Path) -> None:
    """A new version of the robots plays otherwise: one report is of one version."""
    first, *rest = games.read_text("utf-8").splitlines()
    games.write_text("\n".join([json.dumps(json.loads(first) | {"robots": 0}), *rest]), "utf-8")
    before = _lines(tmp_path)
    with pytest.raises(BadInput, match=r"snipsnip\.jsonl"):
        make_report(_plan(games=1), tmp_path, minutes=10, jobs=1)
    assert _lines(tmp_path) == before


@pytest.mark.parametrize("content", ["Dear diary\n", "{}\n", "[1]\n{}\n", "garbage" * 100, '"x"'])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, content: str) -> None:
    """It has the name by chance, or its first line is damaged, which says what games are in it."""
    file = tmp_path / "snipsnip.jsonl"
    file.write_text(content, "utf-8")
    with pytest.raises(BadInput, match=r"snipsnip\.jsonl"):
        make_report(_plan(), tmp_path, minutes=10, jobs=1)
    assert file.read_text("utf-8") == content


def test_a_run_that_was_killed_at_its_first_line_goes_on(whole: tuple[str, Path], tmp_path: Path) -> None:
    """What is there of the first line is what this run would write."""
    (tmp_path / "snipsnip.jsonl").write_text('{"game":"snip', "utf-8")
    assert _made(tmp_path, _plan(games=1)) == whole[0]


@pytest.mark.parametrize("kept", ["of others", "{}", "[1]", "1000", ""])
def test_speed_and_boards_are_those_of_this_game(tmp_path: Path, kept: str) -> None:
    """Those of other options, or what is none, are found anew; a run without time doesn't search long for them."""
    file = tmp_path / "snipsnip.counts"
    if kept == "of others":
        _know_speed(tmp_path, make_plan("snipsnip", None, {}, 4, 1, 1))
    else:
        file.write_text(kept)
    before = file.read_text()
    make_report(_plan(games=1), tmp_path, minutes=0, jobs=1)
    assert file.read_text() != before
    found = json.loads(file.read_text())
    assert found["speed"]["random"]["rate"] > 0
    assert found["perft"][:2] == [{"depth": 0, "boards": 1, "wins": 0}, {"depth": 1, "boards": 20, "wins": 0}]


@pytest.mark.parametrize(
    "damage", [{"playouts": "x"}, {"playouts": 0}, {"games": None}, {"profile": "x"}, {"seed": []}, {"seats": 3}]
)
def test_a_damaged_file_of_the_other_profile_is_passed_over(
    games: Path, tmp_path: Path, damage: dict[str, object]
) -> None:
    """Its games have no column then, and nothing else is lost."""
    published = make_plan("snipsnip", None, {"board": "hex-3"}, 21, 1, 1, random_games=2, profile="published")
    first, *rest = games.read_text("utf-8").splitlines()
    games.write_text("\n".join([json.dumps(json.loads(first) | damage), *rest, "[" * 100_000]), "utf-8")
    _know_speed(tmp_path, published)
    make_report(published, tmp_path, minutes=0, jobs=1)
    assert set(json.loads((tmp_path / "snipsnip.json").read_text())["profiles"]) == {"published"}


def test_two_profiles_stand_on_one_page(tmp_path: Path) -> None:
    """Whichever was played last; games of other options are another page's."""
    _know_speed(tmp_path, _plan())
    published = make_plan("snipsnip", None, {"board": "hex-3"}, 21, 1, 1, random_games=2, profile="published")
    make_report(published, tmp_path, minutes=10, jobs=1)
    page = _made(tmp_path, _plan(games=1))
    assert set(json.loads((tmp_path / "snipsnip.json").read_text())["profiles"]) == {"published", "robots"}
    make_report(published, tmp_path, minutes=10, jobs=1)
    assert (tmp_path / "snipsnip.json").read_text() + (tmp_path / "snipsnip.html").read_text() == page
    other = make_plan("snipsnip", None, {}, 4, 1, 1, random_games=2)
    (tmp_path / "snipsnip.jsonl").unlink()
    make_report(other, tmp_path, minutes=0, jobs=1)
    assert set(json.loads((tmp_path / "snipsnip.json").read_text())["profiles"]) == {"robots"}


def test_two_runs_never_write_the_same_file(tmp_path: Path) -> None:
    """The second says so."""
    with (tmp_path / "snipsnip.jsonl").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(Busy, match=r"snipsnip\.jsonl"):
            make_report(_plan(), tmp_path, minutes=10, jobs=1)


def test_no_time_still_makes_a_page(tmp_path: Path) -> None:
    """A page that says that nothing was played; the next run goes on."""
    _know_speed(tmp_path, _plan())
    made = make_report(_plan(), tmp_path, minutes=0, jobs=1)
    assert made.played == 0
    assert made.page.is_file()


def test_a_game_ends_when_the_time_is_over() -> None:
    """In the middle, and counts for nothing."""
    plan = _plan()
    with pytest.raises(OutOfTimeError):
        play(plan, plan.tasks()[0], lambda: True)


@pytest.mark.parametrize(
    ("game", "options"), [("zipline", {"size": 5}), ("pipline", {"size": 5}), ("snipsnip", {}), ("pippip", {})]
)
def test_games_are_legal_by_the_rules(game: str, options: dict[str, object]) -> None:
    """One game of each series, but random ones, which keep no record: played again by the rules, it ends the same."""
    plan = make_plan(game, None, options, 8, 2, 3)
    for series in plan.series()[1:]:
        found = play(plan, Task(series, 1), lambda: False)
        record = [Entry(seat, text) for seat, text in found.record]
        position = replay(GAMES[game], seats=series.seats, options=plan.options, record=record)
        outcome = position.outcome()
        assert outcome
        assert {seat for seat, reward in enumerate(found.rewards) if reward} == outcome.winners
        assert list(position.roles()) == found.roles
        assert (
            len(found.choices)
            == len(found.actors)
            == len(found.values)
            >= sum(entry.seat is not None for entry in record)
        )
        cells = {cell.name for cell in position.view().cells if cell.piece}
        assert cells - {cell for _, _, cell in found.placed} == set()
        assert Game(**json.loads(json.dumps(found.as_line()))).as_line() == json.loads(json.dumps(found.as_line()))


def test_a_board_that_judges_otherwise_than_the_rules_is_found() -> None:
    """The other seat is said to have won."""
    record = [Entry(0, "a1"), Entry(1, "resign")]
    position = replay(GAMES["zipline"], seats=2, options={"size": 5}, record=record)
    _compare(position, [WHOLE, 0], record)
    with pytest.raises(IllegalGameError):
        _compare(position, [0, WHOLE], record)


@pytest.mark.slow("starts processes and kills them")
def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    """A run in two processes is killed in the middle of its games: they end, too, and the next run goes on."""
    command = [sys.executable, "-m", "pbem", "report", "snipsnip", "-o", "board=hex-3", "--playouts", "4"]
    command += ["--games", "4", "--random-games", "8", "--jobs", "2", "--out", str(tmp_path / "killed")]
    file = tmp_path / "killed" / "snipsnip.jsonl"
    file.parent.mkdir()
    _know_speed(file.parent, _plan(games=4))
    run = subprocess.Popen(command, stdout=subprocess.PIPE)
    until = time.monotonic() + 120
    while not file.is_file() or file.read_text("utf-8").count("\n") < 5:
        assert time.monotonic() < until
        time.sleep(0.02)
    run.kill()
    run.communicate(timeout=60)  # its processes end as well, else the pipe stays open
    assert file.read_text("utf-8").count("\n") < len(_plan(games=4).tasks())
    assert _made(tmp_path / "killed", _plan(games=4)) == _made(tmp_path / "whole", _plan(games=4))
