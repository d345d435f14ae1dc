"""The archive of all matches as static pages."""

import json
import os
import re
import resource
from base64 import b64encode
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.archive.about import write_about
from pbem.archive.lists.index import write_front
from pbem.archive.lists.ledger import Ledger
from pbem.archive.lists.players import write_players
from pbem.archive.lists.rules_pages import write_rules
from pbem.archive.match.page import write_match
from pbem.archive.match.rematches import Neighbours
from pbem.archive.match.rows import describe_entry
from pbem.archive.match.script_data import LONG
from pbem.archive.pages import write_if_changed, write_shared
from pbem.archive.standing import status
from pbem.archive.sweep import remove_hidden, remove_revealed
from pbem.boards.colours import TONES
from pbem.match.endings import Ruling
from pbem.match.holders import find_passed
from pbem.match.log import LogEntry
from pbem.match.match import Comment, Match, advance_automatically
from pbem.match.player import Player
from pbem.match.records import fingerprint, record_text
from pbem.match.signature import sign_record, signing_key
from pbem.match.summary import summarise
from pbem.match.time.time_control import DEFAULT_CONTROL, read_time_control
from pbem.match.timing import start_clock
from pbem.reading.when.lengths import DAY
from pbem.settings.model import Settings
from rules.games import GAMES
from rules.position import Entry
from rules.record import read_record
from tests.support.club import KEY, SECRET
from tests.support.matches import AUCTION, HEAVIEST, NOW, OPENED, long_match, pipline, random_match, summary
from tests.support.pages import Page, page_of
from tests.support.walks import Case, every_case, walk

ROOT = Path(__file__).resolve().parents[2]


def files(directory: Path) -> dict[str, tuple[int, int]]:
    """Return every file below ``directory`` with its inode and time of change."""
    return {
        str(path.relative_to(directory)): (path.stat().st_ino, path.stat().st_mtime_ns)
        for path in directory.rglob("*")
        if path.is_file()
    }


def test_a_running_match_says_whose_turn_it_is(tmp_path: Path) -> None:
    """The page of a running match tells who is to play and who plays what."""
    text = Page(page_of(pipline(*AUCTION), tmp_path)).text
    assert "Pipline 17 Ann to move since 20 Nov ." in text
    assert "Ann , Zip" in text
    assert "Bob , Pip" in text


def test_a_finished_match_says_who_won_and_why(tmp_path: Path) -> None:
    """The page of a finished match tells the winners and the reason."""
    one = pipline(*AUCTION, Entry(1, "resign"))
    assert status(summarise(one), NOW) == "Won by Ann: the other side resigned"
    assert "Won by Ann. The match ended by resignation." in Page(page_of(one, tmp_path)).text


def test_an_icon_says_what_a_player_plays_and_the_winner_stands_out(tmp_path: Path) -> None:
    """It is drawn in the colour of their pieces, and named where the role alone does not say which they are."""
    page = page_of(pipline(*AUCTION, Entry(1, "resign")), tmp_path)
    assert '<i class="side stone white" role="img" aria-label="white"></i> <strong>' in page
    assert '<i class="side stone black" role="img" aria-label="black"></i> <a ' in page
    style = (ROOT / "templates/archive/style.css").read_text(encoding="utf-8")
    pieces = [piece for game in GAMES.values() for piece in game.roles.values()]
    assert {f".{one.tone} {{ --tone: {TONES[one.tone][0]}; }}" in style for one in pieces} == {True}
    assert {one.form for one in pieces} == {"stone", "cube"}


def test_partners_share_a_win() -> None:
    """Several winners are all named."""
    game = GAMES["zipline"]
    players = tuple(Player(seat, name, "", frozenset()) for seat, name in enumerate(("Ann", "Bob", "Carl")))
    entries = (Entry(0, "take"), Entry(0, "resign"))
    one = Match(3, game, game.normalise({}), players, OPENED, entries, (OPENED, OPENED))
    assert status(summarise(one), NOW) == "Won by Bob and Carl: Zip resigned"


@pytest.mark.parametrize("left", [(), (2,)])
def test_a_draw_is_no_win_of_those_who_agreed_on_it(left: tuple[int, ...], tmp_path: Path) -> None:
    """Whether all are still in the match or one has left it, nobody is named as a winner."""
    game = GAMES["zipline"]
    players = tuple(Player(seat, name, "", frozenset()) for seat, name in enumerate(("Ann", "Bob", "Carl")))
    entries = (Entry(0, "take"), *(Entry(seat, "resign") for seat in left))
    drawn = Ruling("agreed", frozenset({0, 1, 2} - set(left)), "agreement", NOW)
    one = Match(17, game, game.normalise({}), players, OPENED, entries, (OPENED,) * len(entries), ruling=drawn)
    assert status(summarise(one), NOW) == "Drawn: the players agreed on a draw"
    assert "Won by" not in Page(page_of(one, tmp_path)).text


def test_every_entry_is_listed(tmp_path: Path) -> None:
    """The table holds number, player, move and the date in UTC of each entry; leaving, in words, has no number."""
    text = Page(page_of(pipline(*AUCTION, Entry(0, "timeout")), tmp_path)).text
    assert "1 Ann a1 60 min 2026-11-20 10:30" in text
    assert "2 Bob take 60 min 2026-11-20 11:30" in text
    assert "11:30 Ann ran out of time 60 min 2026-11-20 12:30" in text


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (Entry(0, "resign"), "resigned"),
        (Entry(0, "timeout"), "ran out of time"),
        (Entry(0, "d4 e5"), "d4 e5"),
    ],
)
def test_entries_in_words(entry: Entry, words: str) -> None:
    """Leaving words read like sentences, moves stay as they were written."""
    assert describe_entry(entry) == words


def test_the_page_holds_board_record_and_fingerprint(tmp_path: Path) -> None:
    """A match page shows its board twice, links its record and the index, and prints the fingerprint."""
    one = pipline(*AUCTION)
    page = page_of(one, tmp_path)
    assert page.count('<svg xmlns="') == 1
    assert "  1   X  .  .  .  .   1" in page
    tries = ["../twins/common.js", "../twins/pippinzip.js", "../grid.js", "../explore.js"]
    assert Page(page).files == ["../icon.svg", "../style.css", "../replay.js", *tries]
    players, ends = ["../players/0.html", "../players/1.html"], ["../key.html", "../about.html"]
    records = ["17.txt", "17.json", "17.sgf"]
    assert Page(page).links == ["../index.html", *players, "../games/pipline.html", *records, *ends]
    assert f"<code>{fingerprint(one)}</code>" in page


def test_the_record_can_be_read_back(tmp_path: Path) -> None:
    """The text beside the page is the record, word for word, signed by the host."""
    one = pipline(*AUCTION)
    write_match(one, tmp_path, SECRET, NOW)
    text = (tmp_path / "matches" / "17.txt").read_text("utf-8")
    assert text == sign_record(record_text(one), SECRET)
    assert read_record(text).entries == one.record
    assert signing_key(read_record(text)) == KEY


def test_comments_for_everybody_are_shown(tmp_path: Path) -> None:
    """A public comment stands below the move after which it was written, with its author."""
    comments = (Comment(0, 0, "Good luck!"), Comment(1, 2, "I like black."))
    text = Page(page_of(pipline(*AUCTION, comments=comments), tmp_path)).text
    assert "Date (UTC) Good luck! Ann 1 Ann a1" in text
    assert "2 Bob take 60 min 2026-11-20 11:30 I like black. Bob" in text


def test_comments_flow_on_the_page(tmp_path: Path) -> None:
    """Breaks that an email program made are gone, also in comments that are long stored; typed ones are kept."""
    words = "This line is as long as an email program lets it become before it\nbreaks it.\nA line of its own."
    page = page_of(pipline(*AUCTION, comments=(Comment(0, 1, words),)), tmp_path)
    assert "before it breaks it.\nA line of its own." in page


def test_moves_are_numbered_alike_everywhere(tmp_path: Path) -> None:
    """The table counts the moves that the index counts, whatever was rolled; each roll stands in the row of a move."""
    game = GAMES["pippip"]
    one = replace(pipline(), game=game, options=game.normalise({}), secret="5f1c" * 16)
    one = advance_automatically(one, OPENED)
    for _ in range(5):
        assert isinstance(one.to_act, int)
        one = advance_automatically(one.after(Entry(one.to_act, one.position.prompt().example), OPENED), OPENED)
    page = page_of(one, tmp_path)
    numbers = re.findall(r"<tr[^>]*><td>(\d*)<td>", page)
    assert numbers == ["1", "2", "3", "4", "5", ""]
    assert summarise(one).standing.moves == 5
    assert len(re.findall(r"<a id=\d+ href=#\d+>", page)) >= sum(entry.seat is None for entry in one.record) - 2


def test_the_rolls_of_a_battle_are_folded_into_their_move(tmp_path: Path) -> None:
    """However long it was, one row tells what came of it, and holds each round; the next die is in the next row."""
    text = (ROOT / "tests/rules/games/pipelines/playthroughs/pipelines-battles.txt").read_text(encoding="utf-8")
    record = read_record(text.partition("-" * 60)[0])
    game = GAMES[record.game]
    times = (OPENED,) * len(record.entries)
    options = game.normalise(record.options)
    page = page_of(replace(pipline(), game=game, options=options, record=record.entries, times=times), tmp_path)
    rows = re.findall(r"<tr(?: id=\d+)?><td.*?</tr>", page, re.DOTALL)
    moves = [entry for entry in record.entries if entry.seat is not None]
    assert len(rows) in (len(moves), len(moves) + 1)
    assert [entry.text in row for entry, row in zip(moves, rows, strict=False)] == [True] * len(moves)
    assert 0 < sum("<details>" in row for row in rows) < 5


def test_comments_to_the_own_side_never_leak(tmp_path: Path) -> None:
    """What one partner wrote to the other is nowhere in the archive before the end, and then on the page alone."""
    comments = (Comment(0, 1, "hush", to_side=True),)
    for entries, told in ((AUCTION, set()), ((*AUCTION, Entry(1, "resign")), {"17.html"})):
        one = pipline(*entries, comments=comments)
        write_match(one, tmp_path, SECRET, NOW)
        write_front([summarise(one)], [], {}, 0, tmp_path, NOW)
        files = [path for path in tmp_path.rglob("*.*") if path.is_file()]
        assert {path.name for path in files if b"hush" in path.read_bytes()} == told


def test_addresses_never_leak(tmp_path: Path) -> None:
    """No address is in the archive: not a player's own, nor one used as a name or quoted in a comment."""
    comments = (Comment(1, 1, "Write to <s1@work.example>, or mailto:ann.x+y@sub.else.example!"),)
    one = pipline(*AUCTION, names=("ann@home.example", "Bob"), comments=comments)
    write_match(one, tmp_path, SECRET, NOW)
    write_front([summarise(one)], [], {}, 0, tmp_path, NOW)
    for path in tmp_path.rglob("*.*"):
        if path.is_file():
            assert not re.search(r"\w@\w|\.example", path.read_text("utf-8")), path
    assert "ann@… to move" in (tmp_path / "index.html").read_text("utf-8")


def test_a_match_that_goes_on_can_be_followed_by_email(tmp_path: Path) -> None:
    """The page has a link that opens an email to the host; none where the host has no address, or after the end."""
    address, link = (
        "games+x@play.example",
        '<a href="mailto:games+x@play.example?subject=watch%2017&amp;body=watch%2017">',
    )
    shown = []
    for one, host in ((pipline(*AUCTION), address), (pipline(*AUCTION), ""), (pipline(Entry(0, "resign")), address)):
        write_match(one, tmp_path, SECRET, NOW, host=host)
        page = (tmp_path / "matches" / "17.html").read_text("utf-8")
        shown.append(link in page)
        assert ("mailto:" in page) == (link in page)
    assert shown == [True, False, False]


def test_no_word_of_a_player_becomes_a_link_to_the_host(tmp_path: Path) -> None:
    """Whatever looks like our links is text, in comments, names and what scripts read."""
    trick = '<a href="mailto:?body=resign">x</a>'
    one = pipline(*AUCTION, names=(trick, "Bob"), comments=(Comment(1, 1, trick),))
    write_match(one, tmp_path, SECRET, NOW, host="games@play.example")
    page = (tmp_path / "matches" / "17.html").read_text("utf-8")
    assert page.count("games@play.example") == 1


def test_a_record_whose_names_lost_their_domains_is_signed_as_it_stands(tmp_path: Path) -> None:
    """The archive shows less than the database holds, and what it shows is genuine."""
    write_match(pipline(*AUCTION, names=("ann@home.example", "Bob")), tmp_path, SECRET, NOW)
    record = read_record((tmp_path / "matches" / "17.txt").read_text("utf-8"))
    assert record.notes["player 1"] == "ann@…"
    assert signing_key(record) == KEY


def test_the_archive_gives_away_no_secret_of_a_running_match(tmp_path: Path) -> None:
    """Neither the secret of the service nor that of a match that goes on is in any file, in any usual writing."""
    game = GAMES["pippip"]
    one = replace(pipline(), game=game, options=game.normalise({}), secret="5f1c" * 16, seeds=("a word", None))
    for match in (one, advance_automatically(one, OPENED)):
        write_match(match, tmp_path, SECRET, NOW)
        write_front([summarise(match)], [], {}, 0, tmp_path, NOW)
        for secret in (SECRET, "5f1c" * 16, *(("a word",) if match.awaits_seeds else ())):
            for written in (secret, secret.encode().hex(), b64encode(secret.encode()).decode()):
                assert not any(written in path.read_text("utf-8") for path in tmp_path.rglob("*.*") if path.is_file())


def test_the_page_says_on_whose_secret_the_rolls_rest(tmp_path: Path) -> None:
    """If no player mixed in words of their own, the page says that the host alone has fixed the rolls."""
    game = GAMES["pippip"]
    one = replace(pipline(), game=game, options=game.normalise({}), secret="5f1c" * 16)
    pages = [
        page_of(advance_automatically(replace(one, seeds=seeds), OPENED), tmp_path) for seeds in ((), ("a word", None))
    ]
    assert ["depend on this service’s secret alone" in page for page in (page_of(one, tmp_path), *pages)] == [
        False,
        True,
        False,
    ]


def test_what_players_write_is_escaped(tmp_path: Path) -> None:
    """Names and comments are text, whatever they look like."""
    rude = "<script>alert('x')</script>"
    one = pipline(*AUCTION, names=(rude, '"><img src=x>'), comments=(Comment(0, 0, "{{ 7 * 7 }}" + rude),))
    page = page_of(one, tmp_path)
    write_front([summarise(one)], [], {}, 0, tmp_path, NOW)
    index = (tmp_path / "index.html").read_text("utf-8")
    for text in (page, index):
        assert "<script>" not in text
        assert "<img" not in text
        assert rude in Page(text).text
    assert "{{ 7 * 7 }}" in page


def test_pages_need_nothing_from_elsewhere(tmp_path: Path) -> None:
    """Pages work from a disk without a network: all links are relative and lead to files that exist.

    Scripts and the style are such files, too: a policy keeps everything else out.
    """
    one = pipline(*AUCTION)
    write_match(one, tmp_path, SECRET, NOW)
    write_front([summarise(one), summary(17, over=True)], [], {}, 0, tmp_path, NOW)
    write_rules(tmp_path)
    ledger = Ledger()
    ledger.note(one)
    write_players(ledger, tmp_path)
    write_shared(tmp_path)
    write_about(tmp_path, Settings(secret=SECRET))
    for path in tmp_path.rglob("*.html"):
        text = path.read_text("utf-8")
        assert "//" not in re.sub(r"http://www.w3.org/2000/svg|'sha256-[^']*'", "", text)  # a hash may have two slashes
        assert not re.search(r"url\(|@import|<script>|<img|javascript:|style=| on\w+=", text)
        policy = re.findall('Content-Security-Policy" content="([^"]*)"', text)
        assert re.fullmatch(
            r"default-src 'none'; img-src 'self' file:; style-src 'self' file:( 'sha256-[^']*')?"
            "(; script-src 'self' file:)?; base-uri 'none'; form-action 'none'",
            policy[0],
        )
        page = Page(text)
        for link in (*page.links, *page.files):
            assert (path.parent / link).is_file(), link


def test_an_unchanged_archive_is_left_alone(tmp_path: Path) -> None:
    """Writing the same match and index again touches no file and says so."""
    assert write_match(pipline(*AUCTION), tmp_path, SECRET, NOW)
    assert write_front([summary(1)], [], {}, 0, tmp_path, NOW)
    before = files(tmp_path)
    assert not write_match(pipline(*AUCTION), tmp_path, SECRET, NOW)
    assert not write_front([summary(1)], [], {}, 0, tmp_path, NOW)
    assert files(tmp_path) == before
    assert sorted(before) == ["index.html", *(f"matches/17.{kind}" for kind in ("html", "json", "sgf", "txt"))]


def test_a_changed_page_is_replaced_by_another_file(tmp_path: Path) -> None:
    """A new move gives new files in place of the old ones; whoever reads an old one reads all of it."""
    write_match(pipline(*AUCTION), tmp_path, SECRET, NOW)
    before = files(tmp_path)
    with (tmp_path / "matches" / "17.html").open(encoding="utf-8") as reader:
        assert write_match(pipline(*AUCTION, Entry(0, "b2")), tmp_path, SECRET, NOW)
        assert reader.read().endswith("</html>\n")
    after = files(tmp_path)
    assert set(after) == set(before)
    assert all(after[name][0] != before[name][0] for name in before)


def test_a_comment_alone_does_not_change_the_signed_record(tmp_path: Path) -> None:
    """What is not part of the record leaves the record as it is."""
    write_match(pipline(*AUCTION), tmp_path, SECRET, NOW)
    before = files(tmp_path)
    assert write_match(pipline(*AUCTION, comments=(Comment(0, 1, "Hm."),)), tmp_path, SECRET, NOW)
    changed = {name for name, stamp in files(tmp_path).items() if stamp != before[name]}
    assert changed == {"matches/17.html", "matches/17.json", "matches/17.sgf"}


def test_readers_other_than_the_owner_may_read(tmp_path: Path) -> None:
    """Files have the usual permissions, so that a web server under another user can show them."""
    umask = os.umask(0o022)
    try:
        write_if_changed(tmp_path / "page.html", b"new")
    finally:
        os.umask(umask)
    assert (tmp_path / "page.html").stat().st_mode & 0o777 == 0o644


def test_a_failing_write_leaves_the_old_page_whole(tmp_path: Path) -> None:
    """When the disk takes only the beginning, the old file stays and no temporary one is left."""
    page = tmp_path / "page.html"
    write_if_changed(page, b"old")

    allowed = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, allowed[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write_if_changed(page, b"new" * 4096)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, allowed)
    assert page.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_a_name_that_is_taken_by_a_directory_fails_cleanly(tmp_path: Path) -> None:
    """When the page cannot be put in its place, no temporary file is left beside it."""
    (tmp_path / "page.html").mkdir()
    with pytest.raises(OSError):  # noqa: PT011 - which kind depends on the system
        write_if_changed(tmp_path / "page.html", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_the_same_match_gives_the_same_bytes(tmp_path: Path) -> None:
    """Two archives of one match are equal byte for byte, whenever and wherever they are written."""
    one = pipline(*AUCTION, comments=(Comment(0, 0, "Hello"),))
    write_match(one, tmp_path / "a", SECRET, NOW)
    write_match(replace(one), tmp_path / "b", SECRET, NOW)
    for name in ("17.html", "17.txt"):
        assert (tmp_path / "a/matches" / name).read_bytes() == (tmp_path / "b/matches" / name).read_bytes()


def test_the_archive_tells_how_things_stand(tmp_path: Path) -> None:
    """The page of a match says below the picture how things stand."""
    game = GAMES["snipsnip"]
    one = replace(pipline(), game=game, options=game.normalise({}))
    assert one.position.view().standing
    for sentence in one.position.view().standing:
        assert f"<p><strong>{sentence}</strong></p>" in page_of(one, tmp_path)


def test_what_happened_stands_where_it_happened(tmp_path: Path) -> None:
    """Between the moves, by the number of entries there were; what came before moves were taken back stays before."""
    log = [
        LogEntry("back", 0, {}, 1, OPENED),
        LogEntry("back", 1, {}, 9, OPENED),
        LogEntry("rewound", None, {}, 1, OPENED),
        LogEntry("reinstated", None, {}, 2, OPENED),
    ]
    write_match(pipline(*AUCTION), tmp_path, SECRET, NOW, log)
    text = Page((tmp_path / "matches" / "17.html").read_text("utf-8")).text
    order = ["1 Ann a1", "Ann is back", "Bob is back", "took moves back", "2 Bob take", "let the match go on"]
    places = [text.find(words) for words in order]
    assert places == sorted(places)
    assert -1 not in places


def test_only_pages_with_a_deadline_have_its_script(tmp_path: Path) -> None:
    """Pages ask for a script where it has something to do, and where there is none their policy allows none."""
    one = start_clock(pipline(*AUCTION), DEFAULT_CONTROL, OPENED)
    assert one.clock
    running = replace(one, clock=replace(one.clock, since=OPENED, halted=""), folded=one.position)
    for match, scripts in ((running, 1), (one, 0), (pipline(*AUCTION), 0)):
        write_front([summarise(match)], [], {}, 0, tmp_path, NOW)
        page, index = page_of(match, tmp_path), (tmp_path / "index.html").read_text("utf-8")
        assert page.count("deadlines.js?") == index.count("deadlines.js?") == scripts
        assert page.count("data-until>") == index.count("data-until>") == scripts
        assert index.count("<script") == index.count("script-src 'self' file:") == scripts
        assert page.count("<script src=") == 5 + scripts


def test_shared_files_have_another_name_in_another_version(tmp_path: Path) -> None:
    """No browser shows a new page with an old style: the address has the beginning of the hash of what it leads to."""
    write_shared(tmp_path)
    page = page_of(pipline(*AUCTION), tmp_path)
    asked = re.findall(r'"\.\./([\w./]+)\?(\w{8})"', page)
    tries = ["twins/common.js", "twins/pippinzip.js", "grid.js", "explore.js"]
    assert [name for name, _ in asked] == ["style.css", "replay.js", *tries]
    for name, version in asked:
        assert sha256((tmp_path / name).read_bytes()).hexdigest().startswith(version)


def test_every_position_has_an_address(tmp_path: Path) -> None:
    """Each entry has a place in the table that bears its number; links lead there, also without the script."""
    for case in every_case()[::3]:
        one = random_match(case, seed=2)
        page = Page(page_of(one, tmp_path))
        plies = {str(ply) for ply in range(1, one.ply + 1)}
        assert plies <= set(page.places)
        assert str(one.ply) in page.pointed <= plies | set(page.places)


def test_small_boards_are_spread_over_the_match(tmp_path: Path) -> None:
    """There are as many as moves, at most a dozen, and the last shows how things stand."""
    found = walk(Case("pipline", 2, (("size", 5),)), 1)
    one = pipline(*found.entries)
    page = page_of(one, tmp_path)
    strip = re.search(r'<nav class="strip".*?</nav>', page, re.DOTALL)
    assert strip
    plies = [int(ply) for ply in re.findall(r'href="#(\d+)"', strip[0])]
    assert len(plies) == 12
    assert plies[-1] == one.ply
    gaps = {after - before for before, after in pairwise([0, *plies])}
    assert max(gaps) - min(gaps) <= 1
    assert '<nav class="strip"' not in page_of(pipline(), tmp_path)
    few = page_of(pipline(*AUCTION), tmp_path)
    assert few.count('<svg viewBox="0 0 100 100" aria-hidden="true">') == 2


def test_whoever_took_over_a_seat_has_not_said_what_was_said_before(tmp_path: Path) -> None:
    """Moves and comments bear the name of who had the seat then, however often it passed on."""
    log = [
        LogEntry("replaced", None, {"seat": 0, "before": "Ann", "after": "Dora"}, 2, OPENED),
        LogEntry("replaced", None, {"seat": 0, "before": "Dora", "after": "Eve <b>"}, 4, OPENED),
    ]
    moves = (*AUCTION, Entry(0, "b2"), Entry(1, "c3"), Entry(0, "d4"))
    opened, went_on = Comment(0, 1, "I open.", by="Ann"), Comment(0, 3, "I go on.", by="Dora")
    comments = (opened, went_on, Comment(1, 4, "So do I."), Comment(0, 5, "I end."))
    one = replace(pipline(*moves, names=("Eve <b>", "Bob"), comments=comments), passed=find_passed(log))
    write_match(one, tmp_path, SECRET, NOW, log)
    page = (tmp_path / "matches" / "17.html").read_text("utf-8")
    told = re.findall(r"<tr id=\d><td>\d<td>(.*?)<td>", page)
    assert told == ["Ann", "Bob", "Dora", "Bob", "Eve &lt;b&gt;"]
    assert re.findall(r"<figcaption>(.*?)</figcaption></figure>", page) == ["Ann", "Dora", "Bob", "Eve &lt;b&gt;"]


def test_the_time_that_moves_took_is_told(tmp_path: Path) -> None:
    """Of each move, and of each player's moves together; what was played at once by the service took none."""
    times = (OPENED + timedelta(minutes=20), OPENED + timedelta(days=3))
    text = Page(page_of(replace(pipline(*AUCTION), times=times), tmp_path)).text
    assert "1 Ann a1 20 min 2026-11-20 09:50" in text
    assert "2 Bob take 3 d 2026-11-23 09:30" in text
    assert "3 days for 1 move" in text
    at_once = Page(page_of(replace(pipline(*AUCTION), times=(OPENED, OPENED)), tmp_path)).text
    assert "1 Ann a1 2026-11-20 09:30" in at_once
    assert "for 1 move" not in at_once


def test_names_lead_to_the_pages_of_players_who_want_one(tmp_path: Path) -> None:
    """Whoever wants none is named all the same: the match is everybody's."""
    one = pipline(*AUCTION)
    hidden = one.players[1].preferring(replace(one.players[1].preferences, page=False))
    page = page_of(replace(one, players=(one.players[0], hidden)), tmp_path)
    assert [link for link in Page(page).links if "players" in link] == ["../players/0.html"]
    assert "</i> Bob<span>" in page


def test_absences_are_not_thinking(tmp_path: Path) -> None:
    """Neither in the table nor in the sums of players."""
    one = replace(pipline(*AUCTION), times=(OPENED + timedelta(days=9), OPENED + timedelta(days=10)))
    log = [LogEntry("paused", None, {"until": (OPENED + timedelta(days=4)).isoformat()}, 0, OPENED)]
    outages = [(OPENED + timedelta(days=5), OPENED + timedelta(days=7))]
    write_match(one, tmp_path, SECRET, NOW, log, outages=outages)
    text = Page((tmp_path / "matches" / "17.html").read_text("utf-8")).text
    assert "1 Ann a1 3 d 2026-11-29" in text
    assert "Zip 3 days for 1 move" in text


def test_what_is_left_of_a_bank_is_told(tmp_path: Path) -> None:
    """Of those who wait, while the match goes on. Where each move has its own days, none are left over."""
    control, _ = read_time_control({"bank": "20d+1d"})
    for chosen, told in ((control, True), (DEFAULT_CONTROL, False)):
        one = pipline(*AUCTION)
        started = start_clock(one, chosen, OPENED).clock
        assert started
        clock = replace(started, banks=(12 * DAY, 9 * DAY))
        text = Page(page_of(one.with_clock(clock), tmp_path)).text
        assert ("9 days left" in text) == told
        assert "12 days left" not in text
        over = one.after(Entry(0, "resign"), OPENED)
        assert "days left" not in Page(page_of(over.with_clock(clock), tmp_path)).text


def test_the_record_as_json_holds_no_address(tmp_path: Path) -> None:
    """It has the game, the players and every entry with its time; of a name that is an address no domain."""
    write_match(pipline(*AUCTION, names=("ann@home.example", "Bob")), tmp_path, SECRET, NOW)
    text = (tmp_path / "matches" / "17.json").read_text("utf-8")
    data = json.loads(text)
    assert [seat["player"] for seat in data["seats"]] == ["ann@…", "Bob"]
    assert [(entry["seat"], entry["text"]) for entry in data["record"]] == [(0, "a1"), (1, "take")]
    assert data["record"][1]["at"] == "2026-11-20T11:30:00+00:00"
    assert data["winners"] is None
    assert ".example" not in text


def test_the_matches_of_the_same_players_are_linked(tmp_path: Path) -> None:
    """The one before and the one after, where there are any."""
    write_match(pipline(*AUCTION), tmp_path, SECRET, NOW, neighbours=Neighbours(earlier=12, later=20))
    links = Page((tmp_path / "matches" / "17.html").read_text("utf-8")).links
    assert {"12.html", "20.html"} <= set(links)


@pytest.mark.parametrize(("case", "seed"), HEAVIEST.items(), ids=str)
def test_a_page_of_three_hundred_moves_stays_small(case: Case, seed: int, tmp_path: Path) -> None:
    """In every game, on its largest board, with all its positions, and as it lies on the disk: a line may be slow.

    The rolls that belong to its moves come on top of these. Where matches don't last so long, it is one to its end.
    """
    one = long_match(case, seed)
    assert one.moves_made >= 300 or one.outcome
    assert len(page_of(one, tmp_path).encode()) < 150_000
    beside = tmp_path / "matches" / "17.js"
    assert beside.is_file() == (one.ply > LONG)
    assert not beside.is_file() or beside.stat().st_size < 50_000


def test_what_lies_beside_the_page_of_a_long_match_is_what_is_on_a_short_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page asks for just that version, and has none of it; when moves were taken back, the file is gone."""
    one = replace(pipline(*AUCTION, names=("ann@home.example", '</script>";\u2028alert(1)//')), id=17)
    blocks = r'<script type="application/json" id="([\w-]+)">(.*?)</script>'
    short = dict(re.findall(blocks, page_of(one, tmp_path)))
    monkeypatch.setattr("pbem.archive.match.page.LONG", 1)
    page = page_of(one, tmp_path)
    assert re.findall(blocks, page) == []
    (version,) = re.findall(r'<script src="17\.js\?(\w{8})" defer></script>', page)
    assert f'<main class="match" data-version="{version}">' in page
    script = (tmp_path / "matches" / "17.js").read_text("utf-8")
    beginning, _, data = script.partition(" = ")
    assert beginning == f'(globalThis.pbemTold ||= {{}})["{version}"]'
    assert json.loads(data.removesuffix(";\n")) == {name: json.loads(text) for name, text in short.items()}
    assert set(short) == {"replay", "tries"}
    assert "home.example" not in script
    assert "</" not in script
    assert not write_match(one, tmp_path, SECRET, NOW)
    monkeypatch.setattr("pbem.archive.match.page.LONG", 2)
    page_of(one, tmp_path)
    assert not (tmp_path / "matches" / "17.js").exists()


def test_what_lies_beside_a_page_goes_where_the_page_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a private match it has a name that nobody can guess, too; and when a match becomes private, none is left."""
    monkeypatch.setattr("pbem.archive.match.page.LONG", 1)
    one = pipline(*AUCTION)
    hidden = replace(one, private=True)
    write_match(one, tmp_path, SECRET, NOW)
    write_match(hidden, tmp_path, SECRET, NOW)
    assert {path.suffix for path in (tmp_path / "private").iterdir()} == {".html", ".js", ".json", ".sgf", ".txt"}
    assert (tmp_path / hidden.page(SECRET, "js")).is_file()
    remove_hidden(tmp_path, {17}, {0, 1}, SECRET)
    assert [*(tmp_path / "matches").iterdir()] == []
    remove_revealed(tmp_path, {17}, SECRET)
    assert [*(tmp_path / "private").iterdir()] == []


def test_the_heaviest_page_of_every_game_is_weighed() -> None:
    """A new game has to be weighed, too."""
    assert {case.key for case in HEAVIEST} == {*GAMES}
