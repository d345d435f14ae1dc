"""Stepping through a match in a real browser, from files, under the policy of the page. Needs Debian's chromium."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.lists.rules_pages import write_rules
from pbem.archive.match.embeds import FRAME
from pbem.archive.match.page import write_match
from pbem.archive.pages import Provider, write_shared
from pbem.boards.svg import svg_board
from pbem.match.match import Comment, Match
from pbem.notices.sentences.boards import picture_words
from rules.games import GAMES
from rules.position import Chance, Position
from tests.support.axe import find_violations
from tests.support.browser import Browser, open_browser
from tests.support.club import SECRET
from tests.support.matches import NOW, random_match
from tests.support.walks import Case, walk

pytestmark = pytest.mark.slow("needs a browser")

RUDE = "<img src=x onerror=document.title='broken'></script><script>document.title='broken'</script>{name}"
CASES = [
    Case("pipline", 2, (("size", 7),)),
    Case("zipline", 3, (("size", 5),)),
    Case("pippip", 2, ()),
    Case("snipsnip", 2, ()),
    Case("pipelines", 3, (("size", 7),)),
]
_PICTURES = """(pictures) => {
  const looks = (svg) => [...svg.querySelectorAll('.cells > *')].map((cell) => {
    const texts = [...cell.querySelectorAll('text')];
    const numbers = texts.map((text) => text.textContent).join('');
    const use = cell.matches('use') ? cell : cell.querySelector('use');
    const ink = numbers && texts[1].parentNode.getAttribute('fill');
    return [use.getAttribute('href') ?? '', cell.querySelector('title')?.textContent ?? '', numbers, ink].join('|');
  });
  const words = (svg) => svg.querySelector('desc').textContent.replaceAll(' and ', ', ');
  const wrong = [];
  pictures.forEach((text, ply) => {
    history.replaceState(null, '', '#' + ply);
    dispatchEvent(new PopStateEvent('popstate'));
    const meant = new DOMParser().parseFromString(text, 'text/html').querySelector('svg');
    const shown = document.querySelector('figure > svg');
    const different = looks(shown).filter((look, place) => look !== looks(meant)[place]);
    if (different.length || words(shown) !== words(meant)) wrong.push([ply, different, words(shown), words(meant)]);
  });
  return wrong.slice(0, 2);
}"""
_CHECKED = """new Promise((said) => {
  const place = document.getElementById('rolls-checked');
  new MutationObserver(() => said(place.textContent)).observe(place, {childList: true});
  document.getElementById('check-rolls').click();
})"""
_SECOND_STEP = """new Promise((seen) => {
  if (slider.value >= 2) seen(true);
  new MutationObserver(() => slider.value >= 2 && seen(true)).observe(told, {childList: true});
})"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for all tests, which holds to the policies of pages."""
    with open_browser(tmp_path_factory.mktemp("profile"), policies=True) as opened:
        yield opened


def played(case: Case, names: tuple[str, ...] = ("Ann", "Bob", "Carl")) -> tuple[Match, tuple[Position[Any], ...]]:
    """Return a match that is played at random, and all its positions."""
    return random_match(case, names=names), walk(case, 3).positions


def page_of(match: Match, directory: Path) -> Path:
    """Write the page of a match, and what it is shown with."""
    write_shared(directory)
    write_rules(directory)
    write_match(match, directory, SECRET, NOW)
    return directory / "matches" / "17.html"


def at(browser: Browser) -> int:
    """Return the entry that is shown, of which slider, address and table say the same."""
    slider, address, marked = browser.evaluate(
        "[slider.value, location.hash.slice(1), document.querySelector('.moves tr[aria-current]')?.textContent]"
    )
    assert address in ("", slider)
    assert (marked is None) == (slider == "0")
    return int(slider)


def test_a_page_opens_as_a_film_of_the_last_moves(browser: Browser, tmp_path: Path) -> None:
    """From the fifth move before the end, without other addresses; a button stops it, a place that is named stays."""
    match, _ = played(CASES[0])
    page, moving = page_of(match, tmp_path), {"prefers-reduced-motion": "no-preference"}
    moves = [ply for ply, entry in enumerate(match.record) if entry.seat is not None]
    browser.show(page, width=360, height=640, wishes=moving)
    assert (at(browser), browser.evaluate("location.hash")) == (moves[-5], "")
    browser.evaluate("document.querySelector('[data-go=last]').click()")
    assert browser.evaluate("board.hasAttribute('data-playing')") is False
    assert at(browser) == match.ply
    browser.show(page, width=360, height=640, wishes=moving, place="2")
    assert at(browser) == 2


@pytest.mark.parametrize("long", [False, True])
def test_a_match_in_a_frame_is_stepped_through(
    long: bool, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what was moved, and all of it is seen without scrolling; also where the data are in a file beside it."""
    monkeypatch.setattr("pbem.archive.match.page.LONG", 1 if long else 400)
    match, positions = played(CASES[1])
    write_shared(tmp_path)
    write_match(match, tmp_path, SECRET, NOW, provider=Provider("Club", "https://games.example"))
    browser.show(tmp_path / "matches" / "17-embed.html", width=FRAME[0], height=FRAME[1])
    for go, ply in (("first", 0), ("on", 1), ("last", match.ply), ("back", match.ply - 1)):
        browser.click(f"[data-go={go}]")
        shown, said = browser.evaluate("[Number(slider.value), told.textContent]")
        stones = sum(bool(cell.piece) for cell in positions[ply].view().cells)
        assert (shown, said.endswith(match.record[ply - 1].text)) == (ply, ply > 0)
        assert browser.evaluate("document.querySelectorAll('.cells title').length") == stones
    assert browser.evaluate("document.documentElement.scrollHeight") <= FRAME[1]
    assert find_violations(browser) == []


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_position_is_shown_as_python_draws_it(case: Case, browser: Browser, tmp_path: Path) -> None:
    """Of every game, cell by cell, and in words for those who do not see it."""
    match, positions = played(case)
    browser.show(page_of(match, tmp_path), width=1280, height=900)
    views = [position.view() for position in positions]
    pictures = [svg_board(view, picture_words(view)) for view in views]
    assert browser.evaluate(f"({_PICTURES})({json.dumps(pictures)})") == []


@pytest.mark.parametrize("case", [CASES[2], CASES[4]], ids=str)
def test_a_long_match_is_stepped_through_as_well(
    case: Case, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a file beside its page that has what scripts are told; its moves are tried, and its rolls checked."""
    monkeypatch.setattr("pbem.archive.match.page.LONG", 20)
    match, positions = played(case)
    page = page_of(match, tmp_path)
    assert page.with_suffix(".js").is_file()
    browser.show(page, width=1280, height=900)
    views = [position.view() for position in positions]
    pictures = [svg_board(view, picture_words(view)) for view in views]
    assert browser.evaluate(f"({_PICTURES})({json.dumps(pictures)})") == []
    assert browser.evaluate("pbemReplay.record.map(({seat, text}) => [seat, text])") == [
        [entry.seat, entry.text] for entry in match.record
    ]
    found = re.search(r"entry (\d+) of the record \((.*)\) should be \d+, but it’s (\d+)\.", browser.evaluate(_CHECKED))
    assert found  # what was rolled at random follows from no secret
    wrong = int(found[1]) - 1
    awaited = positions[wrong].to_act
    assert isinstance(awaited, Chance)
    assert (awaited.what, match.record[wrong].text) == (found[2], found[3])
    browser.evaluate("document.querySelector('[data-go=first]').click(), document.getElementById('begin').click()")
    assert browser.evaluate("document.getElementById('board').hasAttribute('data-trying')")


def test_a_page_takes_no_other_versions_data(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a copy of the archive has only one of the two files anew, the page is as it is without scripts."""
    monkeypatch.setattr("pbem.archive.match.page.LONG", 2)
    match, _ = played(CASES[0])
    page = page_of(replace(match, record=match.record[:6], times=match.times[:6]), tmp_path)
    old = page.with_suffix(".js").read_bytes()
    page_of(match, tmp_path)
    page.with_suffix(".js").write_bytes(old)
    browser.show(page, width=1280, height=900)
    hidden = "['steps', 'telling', 'tools', 'tries-panel'].map((id) => document.getElementById(id).hidden)"
    assert browser.evaluate(hidden) == [True] * 4
    assert browser.evaluate("document.querySelectorAll('.moves tr[id]').length") == match.moves_made


def test_all_games_are_stepped_through() -> None:
    """None is forgotten above."""
    assert {case.key for case in CASES} == set(GAMES)


def test_buttons_keys_and_slider_step_through_the_match(browser: Browser, tmp_path: Path) -> None:
    """Each leads to its position, which then has its address, and stops at both ends."""
    match, positions = played(CASES[0])
    last = len(positions) - 1
    browser.show(page_of(match, tmp_path), width=1280, height=900)
    assert at(browser) == last

    def press(button: str) -> int:
        browser.evaluate(f"document.querySelector('[data-go={button}]').click()")
        return at(browser)

    assert [press(button) for button in ("back", "first", "back", "on", "last", "on")] == [
        last - 1,
        0,
        0,
        1,
        last,
        last,
    ]
    browser.evaluate("document.activeElement.blur()")
    found = []
    for key in ("ArrowLeft", "Home", "ArrowLeft", "ArrowRight", "End", "ArrowRight"):
        browser.press(key)
        found.append(at(browser))
    assert found == [last - 1, 0, 0, 1, last, last]
    browser.evaluate("slider.value = 4, slider.dispatchEvent(new Event('input'))")
    assert at(browser) == 4


def test_the_address_follows_however_fast_somebody_steps(browser: Browser, tmp_path: Path) -> None:
    """Browsers let a page give itself some two hundred addresses in ten seconds, and drop the others or fail."""
    match, _ = played(CASES[4])
    browser.show(page_of(match, tmp_path), width=1280, height=900)
    browser.evaluate(
        "for (let step = 0; step < 300; step++) "
        "(slider.value = step % (Number(slider.max) + 1)), slider.dispatchEvent(new Event('input'))"
    )
    assert browser.evaluate("location.hash.slice(1) !== slider.value")  # not while they are at it
    assert browser.evaluate("new Promise((paused) => setTimeout(() => paused(location.hash.slice(1)), 700))") == str(
        at(browser)
    )


def test_whoever_goes_elsewhere_is_not_called_back(browser: Browser, tmp_path: Path) -> None:
    """An address that waits for a pause isn't given any more once a link or an address leads to another position."""
    match, _ = played(CASES[4])
    browser.show(page_of(match, tmp_path), width=1280, height=900)
    for go in ("location.hash = '#7'", "document.querySelector('.moves a[href=\"#7\"]').click()"):
        browser.evaluate(
            "for (let step = 0; step < 99; step++) "
            f"(slider.value = 20 + step % 9), slider.dispatchEvent(new Event('input')); {go}"
        )
        assert browser.evaluate("new Promise((paused) => setTimeout(() => paused(location.hash), 700))") == "#7"
        assert at(browser) == 7


@pytest.mark.parametrize("width", [768, 1440])
def test_a_long_name_is_no_column_of_letters(width: int, browser: Browser, tmp_path: Path) -> None:
    """Beside the sentences about rolls it keeps its words, and leaves room for moves however long it is."""
    for name, lines in (("Bob Baumeister-Hohenstaufen", 4), ("W" * 60, 12)):
        match, _ = played(CASES[4], ("Ann", name, "Carl"))
        browser.show(page_of(match, tmp_path), width=width, height=900)
        assert browser.evaluate("document.documentElement.scrollWidth") == width
        assert (
            browser.evaluate(
                "Math.max(...[...document.querySelectorAll('.moves tr[id] td:nth-child(2)')].map((cell) => {"
                " const words = document.createRange(); words.selectNodeContents(cell);"
                " return words.getClientRects().length; }))"
            )
            <= lines
        )


def test_a_match_plays_by_itself_until_somebody_steps_in(browser: Browser, tmp_path: Path) -> None:
    """The space bar starts it, from the beginning where it stood at the end, and a key stops it."""
    browser.show(page_of(played(CASES[0])[0], tmp_path), width=1280, height=900)
    browser.press(" ")
    assert at(browser) == 0
    assert browser.evaluate("document.querySelector('[data-go=play]').getAttribute('aria-label')") == "Pause"
    assert browser.evaluate(_SECOND_STEP)
    browser.press("ArrowLeft")
    assert at(browser) == 1
    assert browser.evaluate("document.querySelector('[data-go=play]').getAttribute('aria-label')") == "Play"


def test_a_swipe_turns_the_page(browser: Browser, tmp_path: Path) -> None:
    """To the right goes back, to the left goes on; up and down still scroll."""
    match, positions = played(CASES[0])
    last = len(positions) - 1
    browser.show(page_of(match, tmp_path), width=360, height=640)
    browser.evaluate("document.querySelector('figure').scrollIntoView()")
    found = []
    for start, end in (((80, 150), (220, 160)), ((80, 150), (220, 150)), ((220, 150), (80, 150))):
        browser.swipe(start, end)
        found.append(at(browser))
    assert found == [last - 1, last - 2, last - 1]


def test_an_address_leads_to_its_position(browser: Browser, tmp_path: Path) -> None:
    """When the page opens, and when a row, a roll or a small board is pressed; the way back leads back."""
    match, _ = played(CASES[2])
    page = page_of(match, tmp_path)
    browser.show(page, width=1280, height=900, place="7")
    assert at(browser) == 7
    roll = next(ply for ply, entry in enumerate(match.record, 1) if entry.seat is None and ply > 8)
    for link in (f".moves a[id][href='#{roll}']", ".strip a:nth-child(3)", ".moves tr[id]:nth-child(4)"):
        browser.evaluate(f'document.querySelector("{link}").click()')
        shown = at(browser)
        assert str(shown) in browser.evaluate(f'(({{hash, id}}) => hash || id)(document.querySelector("{link}"))')
    browser.evaluate(
        "new Promise((gone) => (addEventListener('popstate', () => gone(1), {once: true}), history.go(-2)))"
    )
    assert at(browser) == roll


def test_what_is_beside_the_board_follows(browser: Browser, tmp_path: Path) -> None:
    """Roles, whose turn it is, what was said and how things stand are those of the position."""
    match, positions = played(CASES[0])
    match = replace(match, comments=(Comment(0, 0, "Good luck!"), Comment(1, 3, "Hm."), Comment(0, 3, "Oh?")))
    browser.show(page_of(match, tmp_path), width=1280, height=900)
    for ply, said in ((0, ["Good luck!"]), (3, ["Hm.", "Oh?"]), (4, []), (len(positions) - 1, [])):
        browser.evaluate(
            f"new Promise((done) => (addEventListener('hashchange', () => done(1), {{once: true}}),"
            f" location.hash = '#{ply}'))"
        )
        roles = browser.evaluate("[...document.querySelectorAll('.players span')].map((role) => role.textContent)")
        icons = browser.evaluate("[...document.querySelectorAll('.players i')].map((i) => !i.hidden && i.ariaLabel)")
        for role, shown, icon in zip(positions[ply].roles(), roles, icons, strict=True):
            assert shown == (f", {role}" if role else " (no role yet)"), ply
            assert icon == (match.game.roles[role].name.message if role else False), ply
        turns = browser.evaluate("[...document.querySelectorAll('.players li')].map((li) => li.ariaCurrent)")
        assert turns == ["true" if seat == positions[ply].to_act else None for seat in range(2)]
        assert browser.evaluate("[...remarks.querySelectorAll('blockquote')].map((one) => one.textContent)") == said
        captions = browser.evaluate("[...document.querySelectorAll('#captions p')].map((one) => one.textContent)")
        assert captions == [str(caption) for caption in positions[ply].view().captions]
        assert browser.evaluate("told.textContent")


def test_the_record_is_copied_and_a_position_saved(browser: Browser, tmp_path: Path) -> None:
    """The record as it can be downloaded; the picture stands by itself. Neither is kept away by the policy."""
    match, _ = played(CASES[1])
    page = page_of(match, tmp_path)
    browser.show(page, width=1280, height=900)
    browser.evaluate("document.querySelector('#copy').click()")
    record = page.with_suffix(".txt").read_text("utf-8")
    assert browser.evaluate("String(getSelection())").strip() == record.strip()
    browser.evaluate(
        "URL.createObjectURL = (blob) => ((globalThis.saved = blob), 'about:blank#'),"
        "HTMLAnchorElement.prototype.click = function () { globalThis.file = this.download }"
    )
    browser.evaluate("document.querySelector('#save').click()")
    saved = browser.evaluate("saved.text()")
    assert re.match("<svg xmlns=", saved)
    assert browser.evaluate("file") == f"zipline-17-{match.ply}.svg"


def test_what_players_wrote_stays_text(browser: Browser, tmp_path: Path) -> None:
    """Names and comments that look like markup or like fields, on every step."""
    match, positions = played(CASES[1], (RUDE, "{move}", "Ann</title>"))
    match = replace(match, comments=tuple(Comment(0, ply, RUDE) for ply in range(3)))
    browser.show(page_of(match, tmp_path), width=1280, height=900)
    for _ in positions:
        browser.press("ArrowLeft")
        assert browser.evaluate("document.querySelectorAll('img, script:not([src], [type])').length") == 0
    assert RUDE in browser.evaluate("remarks.textContent")
    assert "broken" not in browser.evaluate("document.title").replace(RUDE, "")


@pytest.mark.parametrize("width", [320, 1440])
def test_a_position_in_the_middle_can_be_read_by_everybody(width: int, browser: Browser, tmp_path: Path) -> None:
    """axe-core finds nothing while a position is shown, and the page is no wider than the window."""
    for case in CASES:
        match, _ = played(case)
        match = replace(match, comments=(Comment(0, 3, "Hm."),))
        browser.show(page_of(match, tmp_path), width=width, height=900, place="3")
        assert find_violations(browser) == []
        assert browser.evaluate("document.documentElement.scrollWidth") == width


def test_without_scripts_the_page_is_complete(browser: Browser, tmp_path: Path) -> None:
    """The board of the end, moves, comments and small boards are there, and nothing that would do nothing."""
    match, _ = played(CASES[2])
    page = page_of(replace(match, comments=(Comment(0, 3, "Hm."),)), tmp_path)
    for script in tmp_path.glob("*.js"):
        script.unlink()
    browser.show(page, width=1280, height=900)
    assert (
        browser.evaluate("[...document.querySelectorAll('button, input')].filter((one) => one.offsetParent).length")
        == 0
    )
    assert browser.evaluate("document.querySelector('.said').innerText").split() == ["Hm.", "Ann"]
    assert browser.evaluate("document.querySelectorAll('.strip svg').length") == 12
