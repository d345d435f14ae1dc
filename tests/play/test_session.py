"""A match at the terminal: nothing that is typed breaks it, and what is not for it changes nothing."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.cli.start.screen import STYLES, colour
from pbem.match.fair_rolls import verify_rolls
from pbem.match.match import Match
from pbem.play.session import Session, Told, begin
from pbem.robots.thinking import Pace
from rules.game import replay
from rules.games import GAMES
from rules.record import read_record
from tests.play.table import SECRET, Paper, play
from tests.support.each import each
from tests.support.fakes import FakeClock

NOW = FakeClock().now()


def start(key: str = "zipline", seats: int = 2, **options: str) -> Session:
    """Return a new match in which the person has the first seat."""
    game = GAMES[key]
    return begin(game, seats, game.normalise(options), 0, 1, "Ann", SECRET, NOW).session


def record_of(session: Session) -> Match:
    """Return the match that the record of a session leads to."""
    record = read_record(session.record())
    replay(GAMES[record.game], seats=record.seats, options=record.options, record=record.entries)
    assert record.entries == session.match.record
    return session.match


@each("key", list(GAMES))
def test_every_game_can_be_played_to_its_end(key: str) -> None:
    """The person who plays the examples, too, comes to the end, and the record has every move and roll of it."""
    game, session = GAMES[key], None
    chosen = game.normalise(game.short)
    told = begin(game, game.seats[-1], chosen, game.seats[-1] - 1, 1, "Ann", SECRET, NOW)
    session = told.session
    while not session.is_over:
        example = session.match.position.prompt().example
        session = (session.answer(example, NOW) if session.asks else session.play(example, NOW)).session
    assert record_of(session).outcome is not None
    assert verify_rolls(read_record(session.record())) == (sum(entry.seat is None for entry in session.match.record))
    assert session.situation()


@each(
    "line",
    [
        *("say: hi", "team: hi", "vacation until 3 dec", "draw", "unsubscribe", "new address", "forget me", "again"),
        *("if d4 then e5", "try d4", "note: hm", "tree", "pause until 3 dec", "board large", "name Bob", "watch 3"),
        *("invite bob@example.org zipline", "oops", "export", "status", "digest 07:30", "help dice", "replace Bob"),
        *("", "   ", "yes", "no", "hello", "?", "d4?", "d99", "show #99", "what z9", "salt and pepper", "ready"),
    ],
)
def test_what_is_for_email_changes_nothing(line: str) -> None:
    """Commands of matches by email, and lines that mean nothing, leave the match as it was; each has an answer."""
    session = start()
    told = session.answer(line, NOW)
    assert told.session.match == session.match
    assert bool(told.text) == bool(line.strip())
    assert told.wish == ""


_SMALL = start(size="5")


@given(st.text(max_size=60) | st.from_regex(r"[a-z]{1,6} ?[a-i][0-9]{1,2}( [a-i][0-9])?", fullmatch=True))
@settings(max_examples=50, deadline=None)
def test_nothing_that_is_typed_breaks_it(line: str) -> None:
    """Whatever stands on a line, the match goes on, and its record is legal."""
    record_of(_SMALL.answer(line, NOW).session)


def test_what_was_proposed_is_played_by_a_yes() -> None:
    """A yes is the one move that the last answer proposed, and a no is none; then there is nothing to say yes to."""
    asked = start().answer("take hello", NOW).session
    assert asked.offered == ("take",)
    assert asked.answer("yes", NOW).session.match.record[0].text == "take"
    declined = asked.answer("no", NOW).session
    assert (declined.match.record, declined.offered) == ((), ())
    assert asked.answer("show", NOW).session.answer("yes", NOW).session.match.record == ()


def test_a_move_is_taken_back_with_all_that_came_after_it() -> None:
    """Undo leads to before the person's last move, again and again, and to the same rolls as before."""
    session = start("pippip")
    while not session.asks:
        session = session.play(session.match.position.prompt().example, NOW).session
    before = session.match
    example = before.position.prompt().example
    session = session.answer(example, NOW).session
    after = session.match
    assert session.answer("undo", NOW).session.match == before
    assert session.answer("undo", NOW).session.answer(example, NOW).session.match.record == after.record
    assert session.answer("undo", NOW).session.answer("take back my move", NOW).session.match == before


@each(
    "line",
    [
        *("standin Ann until 14 aug", "if d4 then e5", "try d4", "try z9", "plan d4; vacation 3d", "claim", "wait"),
        *("salt and pepper", "ready", "board large", "large", "draw", "no draw", "d4; vacation until 3 dec"),
    ],
)
def test_what_is_for_email_is_called_so(line: str) -> None:
    """It isn't judged first, since no other words would help; nor is it proposed where something else was typed."""
    session = start()
    told = session.answer(line, NOW)
    assert told == Told(replace(session, offered=()), session.answer("status", NOW).text)


@pytest.mark.parametrize("line", ["?", "h", "help?", "Help."])
def test_help_is_found_as_in_other_programs(line: str) -> None:
    """Who has never played asks for help in the words of other programs."""
    assert start().answer(line, NOW) == start().answer("help", NOW)


def test_quit_needs_no_right_spelling() -> None:
    """Signs around it change nothing, and only control characters are no line at all."""
    assert start().answer("Quit?", NOW).wish == "quit"
    assert start().answer("\x00\x1b\x07", NOW) == start().answer("", NOW)


def test_to_resign_is_taken_back_alone() -> None:
    """Who resigned by mistake has the position back in which they did, not the one before."""
    session = start("pippip")
    while not session.asks:
        session = session.play(session.match.position.prompt().example, NOW).session
    session = session.answer("store", NOW).session
    resigned = session.answer("resign", NOW).session
    assert resigned.is_over
    assert resigned.answer("undo", NOW).session.match == session.match


def test_a_review_is_made_only_after_the_end() -> None:
    """While the match goes on the word is none that is known; afterwards whoever shows it has to make one."""
    session = start()
    assert session.answer("review", NOW).wish == ""
    assert session.answer("I resign", NOW).session.answer("Review", NOW).wish == "review"


def test_a_review_is_made_once_and_anew_after_a_move_was_taken_back() -> None:
    """Who asks twice waits once; when the match has ended another way, it's looked at again."""
    paper = Paper(["d4", "I resign", "review", "review", "undo", "I resign", "review"])
    play("pipline", 2, 1, {}, paper)
    assert sum("looking at your moves" in text for text in paper.shown) == 2


def test_ctrl_c_ends_politely() -> None:
    """The match is there as it was when it was interrupted."""
    paper = Paper(["d4"], interrupted=True)
    session = play("pipline", 2, 1, {}, paper)
    assert len(session.match.record) == 2
    assert paper.shown[-1].startswith("Goodbye")


def test_colours_change_no_character() -> None:
    """A board has the same signs with colours as without; sentences have none."""
    session = start()
    text = session.situation()
    coloured = colour(text)
    assert coloured.plain == text
    sentences = [line for line in text.splitlines() if line[:1] not in ("", " ")]
    assert sentences
    start_of = text.index(sentences[0])
    assert all(span.start >= start_of + len(sentences[0]) or not span.style for span in coloured.spans)
    assert set(STYLES) >= set("()[]{}●○")


@pytest.mark.parametrize(
    ("pace", "said"),
    [
        (Pace("plain", (0.4, 7.4, 301)), "about 7 seconds"),  # its robots are of strength 2
        (Pace("plain", (0.4, 0.6, 301)), "about a second"),
        (Pace("plain", (0.4, 301, 301)), "about 5 minutes"),
        (Pace("compiles_once"), "once on this machine"),
        (Pace("kept"), ""),
    ],
)
def test_how_fast_robots_think_is_said_once(pace: Pace, said: str) -> None:
    """Before the first line is typed if it's known then, and else when it is; nothing where they're fast at once."""
    for paces in ((pace,), (None, pace)):
        paper = Paper(["hello", "d4", "quit"])
        play("zipline", 2, 1, {}, paper, *paces)
        told = [number for number, text in enumerate(paper.shown) if said and said in " ".join(text.split())]
        typed = paper.shown.index("> hello\n")
        assert [number < typed for number in told] == ([len(paces) == 1] if said else [])
