"""The archive's pages in a real browser. Needs Debian's chromium, which .ci/run installs."""

import asyncio
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.browser import FLAGS, open_browser
from tests.support.club import Club

pytestmark = pytest.mark.slow("needs a browser")


def shown(page: Path, profile: Path, zone: str = "UTC") -> str:
    """Return a page as the browser of a reader in a ``zone`` has it after its scripts have run."""
    command = ["chromium", *FLAGS.split(), f"--user-data-dir={profile}", "--virtual-time-budget=10000", "--dump-dom"]
    done = subprocess.run(
        [*command, page.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env=os.environ | {"TZ": zone},
    )
    return done.stdout


_VERDICT = "document.getElementById('rolls-checked').textContent"
_PRESSED = f"""new Promise((said) => {{
  const place = document.getElementById('rolls-checked');
  new MutationObserver(() => said({_VERDICT})).observe(place, {{childList: true}});
  document.getElementById('check-rolls').click();
}})"""


def decision(page: Path, profile: Path) -> str:
    """Return what the page says about its rolls once its button is pressed."""
    with open_browser(profile, policies=True) as browser:
        browser.show(page, width=1280, height=900)
        before = browser.evaluate(_VERDICT)
        said = browser.evaluate(_PRESSED)
    assert said != before
    return str(said)


def test_the_page_of_a_match_checks_every_roll_when_asked_to(club: Club, tmp_path: Path) -> None:
    """It says that all rolls are right, and names the entry that is wrong when one was altered."""
    club.service.settings.archive_dir = str(tmp_path / "archive")
    club.service.open("pippip", ("Ann <ann@a.example>", "Bob <bob@b.example>"), {})
    club.reply(0, "salt </script>“ü”")
    club.reply(1, "ready")
    while isinstance(seat := club.match().to_act, int):
        club.reply(seat, club.match().position.prompt().example)
    club.service.write_archive()
    page = tmp_path / "archive" / "matches" / "1.html"
    lots = [ply for ply, entry in enumerate(club.match().record) if entry.seat is None]
    assert f"all {len(lots)} rolls follow from it" in decision(page, tmp_path / "profile")

    text = page.read_text(encoding="utf-8")
    places = list(re.finditer(r"^ *(\d+)  lot      (\d)$", text, re.MULTILINE))
    assert len(places) == len(lots)
    place = places[len(places) // 2]  # of a die, which has six faces
    other = str(int(place[2]) % 6 + 1)
    page.write_text(text[: place.start(2)] + other + text[place.end(2) :], encoding="utf-8")
    found = decision(page, tmp_path / "profile")
    assert re.findall(r"\d+", found) == [place[1], place[2], other]


def test_a_deadline_is_said_in_the_zone_of_the_reader(club: Club, tmp_path: Path) -> None:
    """The policy of the page lets its script run; without it, and behind the pointer, it is UTC."""
    club.service.settings.archive_dir = str(tmp_path / "archive")
    club.open()
    asyncio.run(club.service.deliver())  # on 20 November at 18:30 UTC; twice seven days for the first move
    club.service.write_archive()
    for page in ("index.html", "matches/1.html"):
        text = shown(tmp_path / "archive" / page, tmp_path / "profile", "Asia/Tokyo")
        found = re.search(r'title="([^"]*)">([^<(]*) \(([^)]*)\)</time>', text)
        assert found
        assert "18:30 UTC" in found[1]
        assert "5 Dec" in found[2]
        assert "03:30" in found[2]
        assert re.search(r"[0-9]", found[3])
