"""The page about the host, and the page of its key."""

from pathlib import Path

import pytest

from pbem.archive.about import list_kept, write_about
from pbem.settings.model import Settings
from tests.support.club import KEY, SECRET
from tests.support.pages import Page


def made(directory: Path, written: str | None = None, **chosen: object) -> Page:
    """Return the page of a host who has written this about themselves."""
    settings = Settings(secret=SECRET, **chosen)  # type: ignore[arg-type]
    if written is not None:
        file = directory / "host.md"
        file.write_text(written, "utf-8")
        settings.about_file = str(file)
    write_about(directory, settings)
    return Page((directory / "about.html").read_text("utf-8"))


def test_a_host_says_in_markdown_who_they_are(tmp_path: Path) -> None:
    """Headings, lists and links; the title of the file is that of the page."""
    page = made(tmp_path, "# The Bergwald club\n\nDora runs it, <dora@club.example>.\n\n## Rules\n\n- Be kind.\n")
    assert "The Bergwald club Dora runs it, dora@club.example . Rules Be kind." in page.text
    assert "mailto:dora@club.example" in page.links
    assert (tmp_path / "about.html").read_text("utf-8").count("<h1>") == 1


@pytest.mark.parametrize(
    "written", ["<script>alert(1)</script>", "![x](https://evil.example/x.png)", "[x](javascript:a)"]
)
def test_what_a_host_writes_loads_and_runs_nothing(written: str, tmp_path: Path) -> None:
    """Tags are text, and no picture tells anybody who reads the page."""
    made(tmp_path, written)
    text = (tmp_path / "about.html").read_text("utf-8")
    assert not [tag for tag in ("<script", "<img", 'href="javascript') if tag in text]


def test_what_is_kept_follows_from_the_settings(tmp_path: Path) -> None:
    """Other days in the settings are other days on the page."""
    told = made(tmp_path, keep_inbound_days=17, keep_outbound_days=3, token_days=55).text
    assert all(f"{days} days" in told for days in (17, 3, 55))
    assert "hasn’t said who they are" in told
    assert "operator:" not in told
    assert "Players reach the person" in made(tmp_path, "Dora runs it.", operator="dora@club.example").text
    assert len([*list_kept(Settings(secret=SECRET))]) > 5


def test_a_file_that_cannot_be_read_stops_no_page(tmp_path: Path) -> None:
    """The doctor tells of it."""
    settings = Settings(secret=SECRET, about_file=str(tmp_path / "gone.md"))
    assert write_about(tmp_path, settings) == 2
    assert write_about(tmp_path, settings) == 0


def test_the_key_of_the_host_has_a_page(tmp_path: Path) -> None:
    """Readers compare it with that in a record."""
    made(tmp_path)
    assert KEY in Page((tmp_path / "key.html").read_text("utf-8")).text
