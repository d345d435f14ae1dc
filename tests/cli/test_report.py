"""``pbem report``: what it writes, and what it says of arguments that will not do."""

import json
from pathlib import Path

from tests.support.command_line import GAMES, Pbem
from tests.support.each import each

TINY = ("--games", "1", "--random-games", "2", "--playouts", "4", "--jobs", "1", "--minutes", "5")


def test_a_report_is_a_page_its_figures_and_the_games(bare: Pbem) -> None:
    """Without settings; the same command again plays nothing, and writes the same."""
    out = bare.done("report", "snipsnip", "--option", "board=hex-3", *TINY).out
    assert set(bare.state()) == {
        f"reports/{name}"
        for name in ("snipsnip.html", "snipsnip.json", "snipsnip.jsonl", "snipsnip.counts", "style.css")
    }
    found = json.loads(Path("reports/snipsnip.json").read_text("utf-8"))
    assert found["options"]["board"] == "hex-3"
    assert all(one["played"] == one["planned"] for one in found["profiles"]["robots"]["games"])
    assert "reports/snipsnip.html" in out
    before = bare.state()
    bare.done("report", "snipsnip", "--option", "board=hex-3", *TINY)
    assert bare.state() == before

    # It goes into the archive, beside the page of the game; its games stay elsewhere.
    bare.done("init", GAMES)
    Path("reports").rename("kept")
    for page in ("snipsnip.html", "snipsnip.json", "style.css"):
        Path("kept", page).unlink()
    bare.done("report", "snipsnip", "-o", "board=hex-3", "--archive", "--out", "kept", *TINY)
    assert {path.name for path in Path("archive/games").iterdir()} == {"snipsnip-report.html", "snipsnip-report.json"}
    assert {path.name for path in Path("kept").iterdir()} == {"snipsnip.jsonl", "snipsnip.counts"}


@each(
    "arguments, code, says",
    [
        (["chess"], 64, "chess"),
        (["zipline", "--seats", "4"], 64, "not 4"),
        (["zipline", "--option", "size"], 64, "“size”"),
        (["zipline", "--option", "size=4"], 64, "“4”"),
        (["snipsnip", "--archive"], 78, "archive_dir"),
    ],
)
def test_what_will_not_do_is_said(bare: Pbem, arguments: list[str], code: int, says: str) -> None:
    """In one sentence, and nothing is played or written."""
    bare.refuses("report", *arguments, code=code, says=says)
