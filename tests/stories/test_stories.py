"""Approved transcripts: what players write, and every word that the service answers."""

import re
from difflib import unified_diff
from email.message import EmailMessage
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp

import pytest

from pbem.boards.html import html_board
from pbem.commands.catalogue import COMMANDS, help_rows
from pbem.commands.grammar import read_commands
from pbem.match.preferences import Display
from pbem.notices import board_block
from pbem.notices.speech import Spoken
from pbem.settings.model import Settings
from tests.support.club import SECRET, settings_in
from tests.support.conversations import torn_matches
from tests.support.story import WHOLE, StoryError, play
from tests.support.written import ADDRESS, TOKEN, Written

FOLDER = Path(__file__).parent
STORIES = sorted(FOLDER.glob("*.txt"))
ON_A_SERVER = (
    "a-digest",
    "a-ladder",
    "a-league",
    "a-match-is-put-away",
    "a-stranger-stands-in",
    "about-me",
    "after-the-match",
    "an-email-to-all",
    "an-unknown-address",
    "bounces",
    "following",
    "forgetting",
    "lines-and-notes",
    "names-and-addresses",
    "plans-and-dice",
    "reviews",
    "robots-by-the-operator",
    "robots-standing-in",
    "stand-ins-for-somebody-who-is-gone",
    "starting-limits",
    "starting-signing-up",
    "time-in-a-team",
)
"""With e2e/test_at_once.py they send all but four of the statements to the database that any story sends.

The two that look into its file are not counted.
"""

TEMPLATES = FOLDER.parent.parent / "templates" / "mail"
HEAD = "Game: pipline\nOptions: size=5\nPlayers: Ann <ann@a.example>, Bob <bob@b.example>\nPlayed: c3\n\n"
_SHOWN = 80  # lines of a difference


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_the_service_still_answers_as_approved(
    path: Path, settings: Settings, written: Written, pytestconfig: pytest.Config
) -> None:
    """Each message of the story has the same end, and each email the same words, marks and HTML.

    All emails about a match are one conversation in a mailbox.
    No address, secret, token, or line that a player wrote is left in the log, whatever happens in it.
    """
    approved = path.read_text(encoding="utf-8")
    shown: list[tuple[str, EmailMessage]] = []
    told = play(approved, settings, shown)
    assert torn_matches(shown) == []
    if pytestconfig.getoption("update"):
        path.write_text(told, encoding="utf-8")
    elif told != approved:
        difference = unified_diff(approved.splitlines(), told.splitlines(), "approved", "now", lineterm="", n=2)
        pytest.fail("\n".join(["tests/README.md tells how to approve this.", *islice(difference, _SHOWN)]), False)
    check_log(written, approved)


def check_log(written: Written, story: str) -> None:
    """See that nothing of a story is in the log that must not be, and that its lines say what they are about."""
    log = written.everything()
    addresses = {found.decode().lower() for found in ADDRESS.findall(story.encode())}
    lines = {line.strip() for line in story.splitlines() if line.startswith("    ") and len(line.split()) > 2}
    assert [one for one in addresses if one in log.lower()] == []
    assert [one for one in lines if one in log] == []
    assert (SECRET in log, TOKEN.findall(log)) == (False, [])
    ours = [one for one in written.objects() if one["event"] in ("processed", "failed", "attempted", "security")]
    assert all({"inbound", "outbound"} & set(one) for one in ours)


@pytest.mark.slow("needs a PostgreSQL server")
@pytest.mark.parametrize("story", ON_A_SERVER)
def test_a_server_answers_as_a_file_does(story: str, settings: Settings, postgresql_url: str) -> None:
    """The same words where the rows are on a PostgreSQL server; `make nightly` plays the other stories, too."""
    settings.database_url = postgresql_url
    approved = (FOLDER / f"{story}.txt").read_text(encoding="utf-8")
    assert play(approved, settings) == approved


def test_every_kind_of_email_is_in_a_story() -> None:
    """Whoever changes a template finds the change in a story; each rejection has a kind of its own."""
    told = "".join(path.read_text(encoding="utf-8") for path in STORIES)
    kinds = {path.name for path in TEMPLATES.iterdir() if path.is_dir()}
    assert {kind for kind in kinds if f"\n=> {kind} to " not in told} == set()


def test_everything_that_players_can_write_is_in_a_story() -> None:
    """Each kind of command, and what each row of the help shows, is written there by somebody."""
    lines = {line for path in STORIES for line in re.findall(r"^    (.+)$", path.read_text(encoding="utf-8"), re.M)}
    written = {type(command) for line in lines for command in read_commands([line])}
    assert {one for family in COMMANDS for one in family.types} - written == set()
    rows = [row.example for row in help_rows() if row.example]
    assert [example for example in rows if not {type(one) for one in read_commands([example])} & written] == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("=> accepted: c3\n", "Line 1: there is no step above “=> accepted: c3”."),
        ("# A remark\n    c3\n", "Line 2: “c3” belongs to no step."),
        ("2 hours later\n=> no email\n    c3\n", "Line 3: “c3” belongs to no step."),
        ("with From: Ann\n", "Line 1: the header From belongs to no step."),
        ("Ann replies:\n    c3\nwith From: Ann\n", "Line 3: the header From must stand above the text"),
        ("2 hours later\nGame: pipline\n", "Line 2: the head comes first."),
        ("Game: pipline\n", "Line 1: a game needs players."),
        ("Ann replies:\n    c3\n", "Line 1: there is no such email to Ann."),
        ("Ann sings:\n    c3\n", "Line 1: “Ann sings:” is no step"),
        ("2 hours later\n    c3\n", "Line 1: “2 hours later” takes no text."),
        ("The same message arrives again\n", "Line 1: no message has arrived yet."),
        ("Game: pipline\nPlayers: Ann <a@a.example>, Bob <b@b.example>\nPlayed: resign, c3\n", "Line 1: nobody is awa"),
    ],
)
def test_a_malformed_story_is_refused_with_a_sentence(text: str, sentence: str, settings: Settings) -> None:
    """Who writes a story learns which line is wrong."""
    with pytest.raises(StoryError) as refused:
        play(text, settings)
    assert str(refused.value).startswith(sentence)


def test_what_the_service_did_is_told_anew(settings: Settings) -> None:
    """Whatever stands below a step is replaced; what people do stays as it is written."""
    wrong = "# Nobody is known.\n\nA stranger writes a new message:\n    hello\n\n    again\n=> accepted: c3\n| wrong\n"
    told = play(wrong, settings)
    assert told.startswith(wrong.partition("=>")[0] + "=> rejected, unknown_sender\n=> unknown_sender to stranger@")
    assert "wrong\n" not in told


@pytest.mark.parametrize(
    ("display", "name"),
    [("plain", "board"), ("unicode", "board in signs"), ("large", "board"), ("speech", "board in words")],
)
def test_a_changed_board_is_a_difference_only_where_emails_are_whole(
    display: Display, name: str, blank_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A story names boards, and its hashes are of what stands round them; a step can ask for them."""

    def tell(asked: str) -> str:
        board_block._sight.cache_clear()
        settings = settings_in(Path(mkdtemp(dir=tmp_path)), blank_database)
        return play(f"{HEAD}Bob replies{asked}:\n    board {display}\n", settings)

    named, whole = tell(""), tell(WHOLE)
    assert f"\n| [{name}, last c3]\n" in named
    assert "| [board" not in whole
    monkeypatch.setattr(board_block, "text_board", lambda view, signs: "  a board\n  of two lines\n")
    monkeypatch.setattr(board_block, "html_board", lambda *given, **more: f"<i>new</i>{html_board(*given, **more)}")
    monkeypatch.setattr(board_block, "spoken_board", lambda view, language: Spoken((), (), ("A board.",), *[()] * 5))
    assert tell("") == named
    assert tell(WHOLE) != whole


def test_the_end_of_an_email_is_shown_once(settings: Settings) -> None:
    """Of the last paragraphs that the latest email of the kind had too, the number is told."""
    steps = [f"Bob replies{asked}:\n    show\n" for asked in ("", "", WHOLE)]
    first, second, third = play("\n".join([HEAD, *steps]), settings).split("Bob replies")[1:]
    assert "[as before" not in first
    assert re.search(r"^\| \[as before: \d+\]$", second, re.M)
    assert "[as before" not in third
