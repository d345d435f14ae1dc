"""More in one message than one message may hold: it is bounded, and nothing beyond a bound is carried out in part."""

import pytest

from pbem.commands.decision import MOST_ASIDES
from pbem.commands.families.play import MOST_PIECES, FreeText
from pbem.commands.families.talk import LONGEST_COMMENT, LONGEST_TALK, MOST_COMMENTS
from pbem.commands.grammar import MOST_COMMANDS, read_commands
from pbem.mail.archive_paths import NO_ARCHIVE
from pbem.notices.rejected import rejection_notice
from pbem.notices.sentences.reasons import note_rejection, say
from rules.errors import InvalidMove
from rules.games import GAMES
from rules.games.pippip.position import PipPip
from rules.games.snipsnip.position import SnipSnip
from rules.position import Chance, Position
from tests.support.each import each
from tests.support.judging import moves, partners, put, refusal, said, start, waiting

_LONGEST_ASIDE = 200  # characters
_LONGEST_ANSWER = 8000  # characters, the board and the rest of an email included


def test_a_thousand_remarks_are_ten() -> None:
    """The move in the same message counts, and one sentence says how much was passed on."""
    remarks = "\n".join(f"say: remark {number}" for number in range(900))
    decision = put(partners(), 2, f"a1\n{remarks}")
    assert moves(decision) == ("a1",)
    assert said(decision) == [(f"remark {number}", False) for number in range(MOST_COMMENTS)]
    (aside,) = decision.asides
    assert aside.code == "fewer_comments"
    assert {"passed": "10", "written": "900"}.items() <= dict(aside.arguments).items()
    assert sum(map(len, decision.shown)) < LONGEST_TALK


def test_long_remarks_share_what_one_message_may_hold() -> None:
    """One is cut, and so are all together; the sender learns of it, and the operator reads no more than was said."""
    (text, _) = said(one := put(start(), 0, f"say: {'x' * 3000}"))[0]
    assert (len(text), text[-1]) == (LONGEST_COMMENT, "…")
    assert one.asides[0].code == "shorter_comments"
    assert {"going": "2,000", "characters": "3,000"}.items() <= dict(one.asides[0].arguments).items()
    decision = put(start(), 0, "\n".join(f"say: {letter * 1800}" for letter in "abcde"))
    assert [len(text) for text, _ in said(decision)] == [1800, 1800, 1800, LONGEST_TALK - 5400]
    assert len(decision.asides) == 1
    assert sum(map(len, decision.shown)) < LONGEST_TALK + 100


def test_remarks_of_wide_letters_are_no_larger_than_others() -> None:
    """What counts is what goes out: a picture takes four times as much as a letter."""
    (text, _), (other, _) = said(put(start(), 0, f"say: {'😀' * 1000}\nsay: {'😀' * 1000}"))
    assert (len(text), len(other)) == (1000, LONGEST_TALK // 4 - 1000)


def test_what_a_person_says_is_passed_on_whole() -> None:
    """Ten remarks, or a page of words, are no reason for a sentence more."""
    assert put(start(), 0, "\n".join(f"say: {number}" for number in range(MOST_COMMENTS))).asides == ()
    words = "\n".join(["All of this is worth reading."] * 60)
    decision = put(start(), 0, f"c3\n{words}")
    assert (said(decision), decision.asides) == ([(words, False)], ())


def test_a_remark_that_goes_on_for_a_thousand_lines_has_an_end() -> None:
    """Lines that continue it are no way round the bound."""
    decision = put(start(), 0, "say: " + "\n".join(["and so it goes on and on, as long as anybody can bear it,"] * 900))
    assert [len(text) for text, _ in said(decision)] == [LONGEST_COMMENT]
    assert len(decision.asides) == 1


def test_words_below_a_move_and_private_words_count_with_the_others() -> None:
    """Whoever they are for, the emails of one message stay small."""
    decision = put(
        partners(), 2, f"a1\nteam: {'x' * 2000}\nsay: {'y' * 1999}.\nsay: {'y' * 1900}.\n\nBob, {'Z' * 1895}"
    )
    assert moves(decision) == ("a1",)
    lengths = [(len(text), private) for text, private in said(decision)]
    assert lengths == [(2000, True), (2000, False), (1901, False), (99, False)]
    assert len(decision.asides) == 1


@each("piece", ["", "z99", "a1", "a b", "resign", "salt a", "help"])
def test_a_line_of_semicolons_costs_little(piece: str) -> None:
    """It is words as a whole, or few commands, however long it is."""
    assert len(read_commands([f"{piece};" * 20_000])) <= MOST_PIECES
    assert len(put(waiting(), 0, "salt a;" * 20_000).steps) <= MOST_PIECES


def test_a_line_with_too_many_parts_does_nothing_of_what_stands_in_it() -> None:
    """Neither its first parts are played, nor its last."""
    line = "; ".join(["c3", *["a1"] * MOST_PIECES, "resign"])
    assert isinstance(read_commands([line])[0], FreeText)
    assert refusal(start(), 0, line).kind in ("no_command", "move_rejected")


def test_a_vast_line_is_no_move() -> None:
    """Its beginning would be one, and no rules are asked about it."""
    assert refusal(start(), 0, "c3 " * 60_000).code == "no_command"


@pytest.mark.parametrize("line", ["c3", "z99", "say: hello", "hello", "", "help"])
def test_a_message_of_too_many_lines_changes_nothing(line: str) -> None:
    """The move above them is not played either: what is not read might take it back."""
    text = f"c3\n{f'{line}{chr(10)}' * 190_000}."
    assert len(read_commands(text.splitlines())) <= MOST_COMMANDS + MOST_PIECES
    assert refusal(start(), 0, text).kind == "too_much"


def test_a_message_of_too_many_commands_changes_nothing() -> None:
    """Twenty boards are more than anybody wants; nobody gets the answers to a hundred."""
    assert put(start(), 0, "board plain\n" * 20).replies
    assert refusal(start(), 0, "c3\n" + "board plain\nhelp\nshow\n" * 40).kind == "too_much"


@pytest.mark.parametrize("ask", ["board {}foo", "board foo{}"])
def test_many_boards_that_nobody_knows_make_few_sentences(ask: str) -> None:
    """The sender's own answer stays small."""
    letters = "abcdefghijklmnopqrst"
    asides = put(start(), 0, "help\n" + "\n".join(ask.format(letter) for letter in letters[:19])).asides
    assert 0 < len(asides) <= MOST_ASIDES
    assert max(len(say(aside)) for aside in asides) < _LONGEST_ASIDE


def test_many_moves_beside_a_seed_make_few_sentences() -> None:
    """None is played before the first roll, and few of them are named."""
    decision = put(waiting(), 0, "ready\n" + "\n".join(f"{number}" for number in range(1, 7)) * 100)
    assert 0 < len(decision.asides) <= MOST_ASIDES
    assert max(len(say(aside)) for aside in decision.asides) < _LONGEST_ASIDE


@pytest.mark.parametrize(
    "text",
    [
        "c3\na1" + " " * 1900 + "b1 d1",
        "a1 " * 600,
        "x" * 190_000,
        "If not,\n" + "salt " * 3000,
        "\n".join(f"q{number} z{number} y{number}" for number in range(900)),
        "d4d;" * MOST_PIECES,
        ">" * 1000,
        "-" * 100_000,
    ],
)
def test_an_answer_quotes_little_of_what_it_answers(text: str) -> None:
    """Whatever a message is refused for, the email about it is of the usual size."""
    for seat in (0, 1):
        why = refusal(start(), seat, text)
        lines = text.splitlines()
        notice = rejection_notice(start(), seat, 0, why, lines, read_commands(lines), NO_ARCHIVE)
        assert len(notice.text) < _LONGEST_ANSWER
        assert len(note_rejection(why)) < _LONGEST_ASIDE * 3


@pytest.mark.parametrize("game", ["pippip", "snipsnip"])
def test_an_example_is_found_once_for_all_lines_that_are_no_move(game: str) -> None:
    """Every refusal gives one, and to find it takes longer than to read the line."""
    position: Position[object] = GAMES[game].begin(2, {})
    while isinstance(position.to_act, Chance):
        position = position.roll(1)
    count = {"pippip": PipPip._example.cache_info, "snipsnip": SnipSnip._example.cache_info}[game]
    before = count().misses
    for number in range(50):
        with pytest.raises(InvalidMove):
            position.parse(f"nonsense {number}")
    assert count().misses - before <= 1
