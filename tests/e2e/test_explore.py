"""Trying moves on the page of a match in a real browser, from files, under its policy. Needs Debian's chromium."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote

import pytest

from pbem.archive.lists.rules_pages import write_rules
from pbem.archive.match.page import write_match
from pbem.archive.pages import write_shared
from pbem.boards.svg import svg_board
from pbem.match.match import Match
from pbem.notices.sentences.boards import picture_words
from rules.errors import RulesError
from rules.game import advance
from rules.games import GAMES
from rules.position import Chance, Entry, Position
from tests.support.axe import find_violations
from tests.support.browser import Browser, open_browser
from tests.support.club import SECRET
from tests.support.matches import NOW, random_match
from tests.support.walks import Case, walk

pytestmark = pytest.mark.slow("needs a browser")

HOST = "games@pbem.example"
CASES = [
    Case("pipline", 2, (("size", 5),)),
    Case("zipline", 2, (("size", 5),)),
    Case("zipline", 3, (("size", 5),)),
    Case("pippip", 2, ()),
    Case("snipsnip", 2, ()),
    Case("pipelines", 3, (("size", 7), ("order", "lot"))),
]
_LONGEST = 14
"""So many entries are tried at most behind a position."""
_HALF = ("stone_missing", "removal_missing", "north_missing")
"""The codes under which a move is refused that has a legal beginning."""

_SEEN = """(text) => {
  const looks = (svg) => [...svg.querySelectorAll('.cells > *')].map((cell) => {
    const numbers = [...cell.querySelectorAll('text')].map((text) => text.textContent).join('');
    const use = cell.matches('use') ? cell : cell.querySelector('use');
    return [use.getAttribute('href') ?? '', cell.querySelector('title')?.textContent ?? '', numbers].join('|');
  });
  const words = (svg) => svg.querySelector('desc').textContent.replaceAll(' and ', ', ');
  const meant = new DOMParser().parseFromString(text, 'text/html').querySelector('svg');
  const shown = document.querySelector('figure > svg');
  const used = [...shown.querySelectorAll('use[href]')].map((use) => use.getAttribute('href'));
  const missing = used.filter((sprite) => !document.querySelector(sprite));
  const wanted = looks(meant);
  const found = looks(shown).filter((look, place) => look !== wanted[place]);
  return [...found, ...missing, ...(words(shown) === words(meant) ? [] : [words(shown), words(meant)])];
}"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for all tests, which holds to the policies of pages."""
    with open_browser(tmp_path_factory.mktemp("profile"), policies=True) as opened:
        yield opened


def page_of(match: Match, directory: Path, host: str = HOST) -> Path:
    """Write the page of a match, and what it is shown with."""
    write_shared(directory)
    write_rules(directory)
    write_match(match, directory, SECRET, NOW, host=host)
    return directory / "matches" / "17.html"


def cut(case: Case, seed: int = 3) -> Match:
    """Return a match that is played at random up to its middle."""
    return random_match(case, len(walk(case, seed).entries) // 2, seed=seed)


def awaiting_move(case: Case) -> Match:
    """Return such a match in which somebody is to move next."""
    match = cut(case)
    while not isinstance(match.to_act, int):
        match = random_match(case, match.ply + 1)
    return match


def line_of(position: Position[Any], seed: int) -> Iterator[tuple[str, Position[Any]]]:
    """Yield random entries behind a position, as their texts, with what they lead to."""
    random = Random(seed)
    for _ in range(_LONGEST):
        awaited = position.to_act
        if awaited is None:
            return
        if isinstance(awaited, Chance):
            entry = Entry(None, str(1 + random.randrange(min(awaited.faces, 1000))))
        else:
            entry = Entry(awaited, str(position.any_move(random.randrange)))
        position = advance(position, entry)
        yield entry.text, position


def differences(browser: Browser, position: Position[Any]) -> Any:
    """Return in what the board of the page differs from a position as Python draws it."""
    view = position.view()
    return browser.evaluate(f"({_SEEN})({json.dumps(svg_board(view, picture_words(view)))})")


def begin(browser: Browser, page: Path, ply: int | None = None, **window: Any) -> None:
    """Open a page at a position, and begin to try moves."""
    browser.show(page, **{"width": 1280, "height": 1000} | window, place="" if ply is None else str(ply))
    browser.click("#begin")


def told(browser: Browser) -> tuple[str, str]:
    """Return what the live region says, and the code of the rules if that is a refusal."""
    text, code = browser.evaluate("[told.textContent, told.dataset.code ?? '']")
    return text, code


def shown_line(browser: Browser) -> list[str]:
    """Return what was tried, as the address has it."""
    _, _, tried = unquote(browser.evaluate("location.hash")).partition(":")
    return tried.replace("+", " ").split(",") if tried else []


def press_button(browser: Browser, text: str) -> bool:
    """Press the button among what can come next whose text begins with a word; return whether there is one."""
    return bool(
        browser.evaluate(
            "((found) => (found?.click(), Boolean(found)))([...document.querySelectorAll('#following button')]"
            f".find((one) => (one.textContent + ':').startsWith({json.dumps(text + ':')})))"
        )
    )


def press(browser: Browser, text: str) -> None:
    """Try a move with the mouse: its cells on the board, its words among what can come next."""
    before = len(shown_line(browser))
    words = text.replace("x", " ").split()
    if words[0] == "use":
        words[:2] = [" ".join(words[:2])]
    for word in words:
        if press_button(browser, word):
            continue
        browser.click(f".grid .may[aria-label^='{word}:'], .grid .may[aria-label^='{word},']")
        if len(shown_line(browser)) > before:
            return  # a stone that wins ends a turn
    if len(shown_line(browser)) == before:
        assert press_button(browser, f"Try {text}")


def write(browser: Browser, text: str) -> None:
    """Try moves with the keyboard, as text."""
    browser.evaluate("typed.focus(), typed.select()")
    browser.write(text)
    browser.press("Enter")


def test_all_games_are_tried() -> None:
    """None is forgotten above."""
    assert {case.key for case in CASES} == set(GAMES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_line_that_is_pressed_shows_what_the_rules_say(case: Case, browser: Browser, tmp_path: Path) -> None:
    """Entry by entry the board is what Python draws; its address leads there again; each step can be taken back."""
    match = cut(case)
    page = page_of(match, tmp_path)
    begin(browser, page)
    line = list(line_of(match.position, 5))
    assert len(line) > 3
    for number, (text, position) in enumerate(line, 1):
        press(browser, text)
        assert len(shown_line(browser)) == number, (text, told(browser))
        assert differences(browser, position) == [], text
    address = browser.evaluate("location.hash")
    browser.show(page, width=1280, height=1000, place=address[1:])
    assert differences(browser, line[-1][1]) == []
    assert browser.evaluate("location.hash") == address
    for _, position in [*reversed(line[:-1]), ("", match.position)]:
        browser.click("#undo")
        assert differences(browser, position) == []
    assert shown_line(browser) == []


@pytest.mark.parametrize("case", [*CASES, Case("snipsnip", 2, (("misere", True),))], ids=str)
def test_a_line_that_is_typed_shows_what_the_rules_say(case: Case, browser: Browser, tmp_path: Path) -> None:
    """From the very beginning of a match, rolls included, from another position, and several entries at once."""
    match = cut(case, 4)
    page = page_of(match, tmp_path)
    for ply, seed in ((0, 6), (match.ply // 2, 7)):
        position = case.begin()
        for entry in match.record[:ply]:
            position = advance(position, entry)
        line = list(line_of(position, seed))
        begin(browser, page, ply)
        for text, following in line[:-2]:
            write(browser, text)
            assert differences(browser, following) == [], text
        write(browser, "try " + ", ".join(text for text, _ in line[-2:]))
        assert differences(browser, line[-1][1]) == []
        assert shown_line(browser) == [text for text, _ in line]


def refused_as(position: Position[Any], seat: int, text: str) -> str:
    """Return the code under which the rules refuse a move; "" for a legal one."""
    try:
        advance(position, Entry(seat, text))
    except RulesError as error:
        return error.code
    return ""


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_the_rules_refuse_is_refused_under_their_code(case: Case, browser: Browser, tmp_path: Path) -> None:
    """Moves that were legal before, and strange ones; the board stays, and a sentence says why."""
    match = awaiting_move(case)
    seat = match.to_act
    assert isinstance(seat, int)
    begin(browser, page_of(match, tmp_path))
    texts = dict.fromkeys([*(entry.text for entry in match.record if entry.seat is not None), "z9", "pass"])
    refused = {text: code for text in texts if (code := refused_as(match.position, seat, text))}
    assert len(refused) > 2
    for text, code in refused.items():
        write(browser, text)
        sentence, found = told(browser)
        assert found == code, text
        assert sentence not in ("", code)
    assert differences(browser, match.position) == []
    assert shown_line(browser) == []


@pytest.mark.parametrize("case", CASES, ids=str)
def test_exactly_legal_cells_are_lit(case: Case, browser: Browser, tmp_path: Path) -> None:
    """Those with which a legal move begins, and in words for those who don't see the dots."""
    match = awaiting_move(case)
    begin(browser, page_of(match, tmp_path))
    seat = match.to_act
    assert isinstance(seat, int)
    names = {cell.name for cell in match.position.view().cells}
    legal = {name for name in names if refused_as(match.position, seat, name) in ("", *_HALF)}
    lit = browser.evaluate("[...document.querySelectorAll('.grid .may')].map((one) => one.ariaLabel)")
    assert {label.split(":")[0] for label in lit} == legal
    assert all(label.endswith(", can be chosen") for label in lit)
    assert browser.evaluate("document.querySelectorAll('[role=gridcell]').length") == len(names)


def test_keys_alone_are_enough(browser: Browser, tmp_path: Path) -> None:
    """Arrows go from cell to cell and step through no match meanwhile; each try is said by the live region."""
    match = random_match(CASES[0], 2)
    browser.show(page_of(match, tmp_path), width=1280, height=1000)
    browser.evaluate("begin.focus()")
    browser.press("Enter")
    label = "document.activeElement.getAttribute('aria-label')"
    assert browser.evaluate("document.activeElement.getAttribute('role')") == "gridcell"
    browser.press("Home")
    walked = []
    for key in ("ArrowUp", "ArrowRight", "ArrowRight", "ArrowDown", "End", "ArrowRight", "ArrowLeft"):
        browser.press(key)
        walked.append(browser.evaluate(label).split(":")[0])
    assert [name[0] for name in walked] == ["a", "b", "c", "c", "e", "e", "d"]
    free = [cell.name for cell in match.position.view().cells if not cell.piece]
    while walked[-1] not in free:
        browser.press("ArrowDown")
        walked.append(browser.evaluate(label).split(":")[0])
    browser.press("Enter")
    assert shown_line(browser) == [walked[-1]]
    assert walked[-1] in told(browser)[0]
    assert browser.evaluate("told.ariaLive") == "polite"
    assert walked[-1] in browser.evaluate(label)  # the focus stays
    browser.press("Enter")
    assert told(browser)[1] == "cell_occupied"
    browser.press("Backspace")
    assert shown_line(browser) == []
    browser.press("Escape")
    assert browser.evaluate("document.activeElement.id") == "begin"
    assert browser.evaluate("document.querySelector('.grid')") is None
    assert browser.evaluate("location.hash") == "#2"
    browser.press("ArrowLeft")
    assert browser.evaluate("location.hash") == "#1"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_arrows_reach_every_cell_of_any_board(case: Case, browser: Browser, tmp_path: Path) -> None:
    """Row by row, as a grid is read: what is in reach of a mouse is in reach of keys."""
    match = random_match(case, 1)
    browser.show(page_of(match, tmp_path), width=1280, height=1000)
    browser.evaluate("begin.focus()")
    browser.press("Enter")
    walk_through = """(() => {
        const press = (key) =>
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        const met = new Set();
        const walk = (key, see) => {
            for (let last; document.activeElement.dataset.place !== last; press(key)) {
                last = document.activeElement.dataset.place;
                see(last);
            }
        };
        walk("ArrowUp", () => {});
        walk("ArrowDown", () => {
            press("Home");
            walk("ArrowRight", (place) => met.add(place));
            press("Home");
        });
        return met.size;
    })()"""
    assert browser.evaluate(walk_through) == len(match.position.view().cells)


def test_a_cell_of_the_page_can_be_pressed_at_once(browser: Browser, tmp_path: Path) -> None:
    """A legal one begins to try; the position that was stepped to is where it begins. Stepping on leaves the line."""
    match = random_match(CASES[0], 8)
    browser.show(page_of(match, tmp_path), width=1280, height=1000, place="4")
    taken = next(place for place, cell in enumerate(match.position.view().cells) if not cell.piece)
    browser.click(f".cells > :nth-child({taken + 1})")
    assert browser.evaluate("location.hash.slice(0, 3)") == "#4:"
    assert len(shown_line(browser)) == 1
    browser.evaluate("document.querySelector('.moves tr[id=\"6\"]').click()")
    assert browser.evaluate("[location.hash, begin.hidden, trying.hidden]") == ["#6", False, True]


def test_a_tried_position_is_saved_without_what_lies_over_it(browser: Browser, tmp_path: Path) -> None:
    """The picture stands by itself, where no style hides the circles that are pressed."""
    match = random_match(CASES[0], 8)
    begin(browser, page_of(match, tmp_path))
    browser.evaluate(
        "URL.createObjectURL = (blob) => ((globalThis.saved = blob), 'about:blank#'),"
        "HTMLAnchorElement.prototype.click = () => {}"
    )
    browser.evaluate("document.querySelector('#save').click()")
    saved = browser.evaluate("saved.text()")
    assert 'role="img"' in saved
    assert "grid" not in saved
    assert browser.evaluate("document.querySelectorAll('.grid').length") == 1


@pytest.mark.parametrize(
    ("address", "code", "line"),
    [
        ("4:zz9", "not_a_cell", []),
        ("4:a1,a1", "cell_occupied", ["a1"]),
        ("4:%E0%A4%A", "not_a_move", []),
        ("4:<img src=x onerror=document.title='broken'>", "not_a_cell", []),
        ("4:__proto__", "not_a_cell", []),
        ("4:resign", "not_a_move", []),
        ("4:a1,timeout", "not_a_move", ["a1"]),
        ("99:a1", "", []),
        ("-1:a1", "", []),
        ("x:a1", "", []),
        ("99", "", []),
    ],
)
def test_a_wrong_address_is_told_in_one_sentence(
    address: str, code: str, line: list[str], browser: Browser, tmp_path: Path
) -> None:
    """What comes before the mistake is shown, and whatever it says stays text."""
    match = random_match(Case("pipline", 2, (("size", 9),)), 4)
    browser.show(page_of(match, tmp_path), width=1280, height=1000, place=address)
    text, found = told(browser)
    assert "“" in text
    assert (found, shown_line(browser) if code else []) == (code, line)
    assert browser.evaluate("document.querySelectorAll('img').length") == 0
    assert "broken" not in browser.evaluate("document.title")


@pytest.mark.parametrize(
    ("address", "line"), [("4:", []), ("4:A1,b1", ["a1", "b1"]), ("4:a1,", ["a1"]), ("4:,a1", ["a1"])]
)
def test_an_address_written_by_hand_is_understood(
    address: str, line: list[str], browser: Browser, tmp_path: Path
) -> None:
    """Capitals are those of emails; where nothing stands between commas, nothing is played."""
    match = random_match(Case("pipline", 2, (("size", 9),)), 4)
    assert not {"a1", "b1"} & {cell.name for cell in match.position.view().cells if cell.piece}
    browser.show(page_of(match, tmp_path), width=1280, height=1000, place=address)
    assert (told(browser)[1], shown_line(browser)) == ("", line)


@pytest.mark.parametrize("typed", ["try 3: {}", "Try 3 : {}", "3:{}"])
def test_a_copied_line_can_be_pasted(typed: str, browser: Browser, tmp_path: Path) -> None:
    """It begins where it says, whatever is tried just now."""
    match = random_match(Case("pipline", 2, (("size", 9),)), 4)
    empty = [cell.name for cell in match.position.view().cells if not cell.piece][:2]
    begin(browser, page_of(match, tmp_path), 4)
    write(browser, empty[1])
    write(browser, typed.format(", ".join(empty)))
    assert browser.evaluate("new Promise((found) => setTimeout(() => found(location.hash)))") == f"#3:{','.join(empty)}"
    assert (told(browser)[1], browser.evaluate("typed.value")) == ("", "")
    assert browser.evaluate("document.querySelectorAll('.grid').length") == 1
    assert browser.evaluate("undo.click(), location.hash") == f"#3:{empty[0]}"


def test_a_line_is_still_there_after_printing(browser: Browser, tmp_path: Path) -> None:
    """Paper shows the end of the match; the screen goes on where it was."""
    match = random_match(Case("pipline", 2, (("size", 9),)), 4)
    empty = next(cell.name for cell in match.position.view().cells if not cell.piece)
    begin(browser, page_of(match, tmp_path), 3)
    write(browser, empty)
    browser.print_page(8.27, 11.69)
    assert shown_line(browser) == [empty]
    assert browser.evaluate("[document.querySelectorAll('.grid').length, trying.hidden]") == [1, False]
    assert browser.evaluate("undo.click(), location.hash") == "#3"


def test_the_page_invites_to_what_can_be_done(browser: Browser, tmp_path: Path) -> None:
    """To press a cell where one is marked, a button where none is, and nothing once the match is over."""
    match = random_match(Case("pippip", 2, ()))
    invited = {}
    for ply in (match.ply, 3, 4):  # the end, a die to place, a roll
        browser.show(page_of(match, tmp_path), width=1280, height=1000, place=f"{ply}:")
        invited[ply] = browser.evaluate("[line.textContent, document.querySelectorAll('.may').length]")
    assert len({words for words, _ in invited.values()}) == 3
    assert [bool(cells) for _, cells in invited.values()] == [False, True, False]


def test_words_of_a_sentence_in_a_name_stay_there(browser: Browser, tmp_path: Path) -> None:
    """Whoever is called {link} is asked by that name."""
    match = random_match(Case("pipline", 2, (("size", 9),)), 4)
    players = tuple(replace(player, name="{link}") for player in match.players)
    browser.show(page_of(replace(match, players=players), tmp_path), width=1280, height=1000, place="4:a1")
    assert browser.evaluate("send.textContent.split('{link}').length - 1") == 1
    assert browser.evaluate("send.lastElementChild.nextSibling.textContent") == ""


def test_a_line_is_copied_as_address_and_as_text(browser: Browser, tmp_path: Path) -> None:
    """At the end of a match `try` is enough; elsewhere it says where it begins."""
    match = random_match(Case("pipline", 2, (("size", 9),)), 4)
    page = page_of(match, tmp_path)
    empty = [cell.name for cell in match.position.view().cells if not cell.piece][:2]
    for ply, begun in ((4, "try "), (3, "try 3: ")):
        begin(browser, page, ply)
        write(browser, ", ".join(empty))
        browser.click("#copy-line")
        assert browser.evaluate("String(getSelection())").strip() == begun + ", ".join(empty)
        browser.click("#copy-address")
        address = browser.evaluate("String(getSelection())").strip()
        assert address == f"{page.resolve().as_uri()}#{ply}:{','.join(empty)}"


def test_the_one_to_move_can_email_their_move(browser: Browser, tmp_path: Path) -> None:
    """At the end of a match that goes on, where the host's address is known; nowhere else."""
    match = random_match(Case("pipline", 2, (("size", 9),)), 4)
    empty = next(cell.name for cell in match.position.view().cells if not cell.piece)

    def links(page: Path, ply: int) -> Any:
        begin(browser, page, ply)
        write(browser, empty)
        assert shown_line(browser) == [empty]
        return browser.evaluate("[...document.querySelectorAll('#send a')].map((one) => one.getAttribute('href'))")

    known = page_of(match, tmp_path / "known")
    assert links(known, 4) == [f"mailto:{HOST}?subject=%5Bpbem%2017%5D%20Pipline&body={empty}"]
    assert browser.evaluate("send.offsetParent !== null")
    assert links(known, 3) == []
    assert links(page_of(match, tmp_path / "unknown", host=""), 4) == []


@pytest.mark.parametrize("width", [320, 1440])
def test_a_tried_line_can_be_read_by_everybody(width: int, browser: Browser, tmp_path: Path) -> None:
    """axe-core finds nothing while moves are tried, and the page is no wider than the window."""
    for case in CASES:
        match = cut(case)
        begin(browser, page_of(match, tmp_path), width=width, height=900)
        write(browser, next(line_of(match.position, 5))[0])
        assert len(shown_line(browser)) == 1
        assert find_violations(browser) == []
        assert browser.evaluate("document.documentElement.scrollWidth") == width
