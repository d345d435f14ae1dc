"""Earlier boards, previews and the record: what is read, what is shown, and what nobody may see in it."""

from dataclasses import replace

import pytest

from pbem.commands.decision import MatchDecision
from pbem.commands.effects import Reply
from pbem.commands.families.looking import EARLIER, MOST_SKETCHES, PREVIEW, RECORD, AskRecord, Preview, ShowEntry
from pbem.commands.grammar import read_commands
from pbem.commands.variations import LineRefused, play_line, read_parts
from pbem.match.match import advance_automatically
from rules.games import GAMES
from rules.position import Chance, Entry
from tests.support.climb import FACES
from tests.support.each import each
from tests.support.judging import AUCTION, NAMES, NOW, climbing, moves, put, said, start, waiting


def replied(decision: MatchDecision, kind: str) -> Reply:
    """Return the one reply of a kind."""
    (found,) = [reply for reply in decision.replies if reply.kind == kind]
    return found


def codes(reply: Reply) -> list[str]:
    """Return what a reply says, as codes."""
    return [detail.code for detail in reply.details]


@each(
    "line, ply",
    [
        ("show #12", 12),
        ("Show 12.", 12),
        ("show # 12 please", 12),
        ("show me the board after entry 3", 3),
        ("show at #0", 0),
        ("show entry 7", 7),
    ],
)
def test_a_board_is_asked_for_by_its_entry(line: str, ply: int) -> None:
    """With or without the sign that stands in addresses of pages."""
    assert read_commands([line]) == [ShowEntry(ply)]


@each("line", ["what d4 e5", "What d4, e5?", "what about d4", "what if d4+e5, c3?", "what: 12: d4"])
def test_a_preview_is_moves_behind_what(line: str) -> None:
    """As people ask, and as pages copy lines."""
    (command,) = read_commands([line])
    assert isinstance(command, Preview)


@each(
    "line",
    [
        "what a move!",
        "what took you so long?",
        "what now",
        "what",
        "what d4 does is clever",
        "show 12 moves",
        "shows 3",
    ],
)
def test_talk_is_no_preview(line: str) -> None:
    """Words beside moves make it talk."""
    assert not any(isinstance(command, Preview | ShowEntry) for command in read_commands([line]))


def test_record_is_a_word_alone() -> None:
    """In a sentence it is one."""
    assert read_commands(["record, please"]) == [AskRecord()]
    assert AskRecord() not in read_commands(["That must be a record"])
    decision = put(start(), 1, "record")
    assert [reply.kind for reply in decision.replies] == [RECORD]
    assert not decision.changes_match


def test_an_earlier_board_is_that_after_so_many_entries() -> None:
    """With what happened last before it; a number of no entry is told."""
    match = start("zipline", 3, *AUCTION, Entry(2, "a1"))
    (sketch,) = replied(put(match, 0, "show #2"), EARLIER).sketches
    assert (sketch.match.record, sketch.before.ply) == (AUCTION, 1)
    assert codes(replied(put(match, 0, "show #4"), EARLIER)) == ["no_such_entry"]
    assert replied(put(match, 0, "show #0"), EARLIER).sketches[0].match.ply == 0


@each(
    "line, record",
    [
        ("what a1", [(2, "a1")]),
        ("what a1 b1 c1", [(2, "a1"), (0, "b1"), (1, "c1")]),
        ("what a1, b1; c1", [(2, "a1"), (0, "b1"), (1, "c1")]),
        ("what A1 then B1", [(2, "a1"), (0, "b1")]),
        ("what 0: d4 e5, take", [(0, "d4 e5"), (1, "take")]),
        ("what 1: take a1", [(1, "take"), (2, "a1")]),
    ],
)
def test_a_preview_plays_for_whoever_is_to_act(line: str, record: list[tuple[int, str]]) -> None:
    """From the present position or an earlier one; the match itself stays as it is, whoever asks."""
    match = start("zipline", 3, *AUCTION)
    for seat in range(3):
        decision = put(match, seat, line)
        (sketch,) = replied(decision, PREVIEW).sketches
        assert [(one.seat, one.text) for one in sketch.match.record[sketch.before.ply :]] == record
        assert (decision.after, decision.changes_match) == (match, False)


@each(
    "line, code",
    [
        ("what c3", "line_refused_for"),
        ("what a1 c3", "line_refused"),
        ("what z9", "line_refused_for"),
        ("what 9: a1", "no_such_entry"),
        (
            "what " + ", ".join(f"{column}{row}" for column in "abde" for row in range(1, 6)) + ", a1",
            "line_refused_for",
        ),
    ],
)
def test_what_cannot_be_played_is_told(line: str, code: str) -> None:
    """To its sender alone: the operator reads neither the line nor why."""
    decision = put(start("zipline", 3, *AUCTION), 0, line)
    assert codes(replied(decision, PREVIEW)) == [code]
    assert (decision.asides, decision.shown) == ((), ("what …",))


@each(
    "key, seats, record, line, acting",
    [
        ("zipline", 3, AUCTION, "d1, a1, a1", "Bob"),
        ("zipline", 3, AUCTION, "c3", "Carl"),
        ("zipline", 2, AUCTION, "a1, b1", "Ann"),
        ("zipline", 2, AUCTION, "a1 c1, a1", "Bob"),
        ("pipline", 2, (), "c3, c3", "Bob"),
        ("pipline", 2, (), "c3, take, a1, a1", "Bob"),
        ("snipsnip", 2, (), "c3, c3", "Bob"),
        ("pippip", 2, (Entry(None, "1"),) * 3, "a1 n2, 4, use 5 b1 n2", "Bob"),
        ("pipelines", 3, (Entry(None, "1"),), "a1, a1", "Bob"),
    ],
)
def test_a_refused_line_says_whose_turn_it_is_there(
    key: str, seats: int, record: tuple[Entry, ...], line: str, acting: str
) -> None:
    """The rules speak to whoever is to act, and the reader may be somebody else."""
    match = start(key, seats, *record, game=GAMES[key])
    for seat in range(seats):
        with pytest.raises(LineRefused) as raised:
            play_line(match, read_parts(line) or (), seat, NOW)
        why = raised.value.reason
        assert (why.code, dict(why.arguments)["name"]) == (
            "line_refused" if NAMES[seat] == acting else "line_refused_for",
            acting,
        )


def test_beside_a_move_a_preview_is_of_the_position_after_it() -> None:
    """Below a move it is none of the words for everybody."""
    decision = put(start("zipline", 3, *AUCTION), 2, "a1\n\nHello all of you\nwhat b1?")
    (sketch,) = replied(decision, PREVIEW).sketches
    assert (sketch.before.ply, sketch.match.record[-1]) == (3, Entry(0, "b1"))
    assert (moves(decision), said(decision)) == (("a1",), [("Hello all of you", False)])


def test_an_email_has_only_so_many_boards() -> None:
    """However many are asked for: the rest is left out, and said so."""
    decision = put(start("zipline", 3, *AUCTION), 0, "\n".join(["what a1", "what b1", "show #1"] * 4))
    assert sum(len(reply.sketches) for reply in decision.replies) == MOST_SKETCHES
    assert [aside.code for aside in decision.asides] == ["too_many_boards"]


def test_a_long_line_ends_where_nobody_reads_on() -> None:
    """No line makes work without an end."""
    match = replace(start("zipline", 3), options=start("zipline", 3).game.normalise({"size": 19}))
    cells = [f"{column}{row}" for column in "abcdefg" for row in range(1, 10)]
    with pytest.raises(LineRefused) as refused:
        play_line(match, ("take", *cells), 0, NOW)
    assert refused.value.reason.code == "line_too_long"
    assert read_parts(" ".join(cells * 2)) is None


def test_a_preview_tells_nothing_of_rolls_to_come() -> None:
    """It stops where something is rolled, goes on with a named result, and holds neither secret nor seeds."""
    match = advance_automatically(replace(climbing((3,)), seeds=("mine", "yours")), NOW)
    actual = match.fair_rolls.value(match.ply + 1, Chance("die", FACES))
    stopped = replied(put(match, 0, "what 1"), PREVIEW)
    assert codes(stopped) == ["preview_rolls", "preview_play"]
    assert stopped.sketches[0].match.record[match.ply :] == (Entry(0, "1"),)
    other = actual % FACES + 1
    (sketch,) = replied(put(match, 0, f"what 1, {other}, 1"), PREVIEW).sketches
    assert sketch.match.record[match.ply :] == (Entry(0, "1"), Entry(None, str(other)), Entry(1, "1"))
    assert {(one.secret, one.seeds) for one in (sketch.match, sketch.before)} == {("", ())}
    assert codes(replied(put(match, 0, f"what 1, {FACES + 1}"), PREVIEW)) == ["line_rolls"]
    assert codes(replied(put(waiting(), 0, "what 3"), PREVIEW)) == ["line_before_rolls"]
