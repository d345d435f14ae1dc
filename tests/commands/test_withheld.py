"""Lines that only we were to read, and the email addresses in them: the others never get to see one."""

import string
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.commands.catalogue import COMMANDS, is_personal, parse_piece
from pbem.commands.private_lines import holds_address
from pbem.commands.rejections import Rejection
from pbem.reading.typos import edits
from tests.support.each import each
from tests.support.judging import moves, partners, put, refusal, said

_LONG = "Thanks for the game so far, I really enjoyed it and hope you do so"
"""A line that looks as if an email program had broken its sentence."""

_ABOVE = (
    "",
    "That was a good idea",
    "I was thinking about it and",
    "I hope that you do not",
    _LONG,
    "say: hello",
    f"say: {_LONG}",
    "say: hello,",
    "team: to the left",
    "xq wptf grzt",
)
"""What stands between a move and the line below it."""

_NAMES = ("block", "unblock", "address", "address add", "address remove", "new zipline", "pair pipline", "standin")
"""Beginnings of commands that name an address."""

_EXACT = (
    *("name Annie", "digest off", "digest 07:30", "mails digest", "mails turns", "forget me", "review", "export"),
    *("page off", "board plain", "new address", "unsubscribe", "resume", "status", "join 12", "join 12 please"),
    *(
        "join 12, thanks",
        "cancel 3",
        "cancel 3 please",
        "unseek",
        "block Bob",
        "offers",
        "seek zipline",
        "help matches",
    ),
)
"""Whole commands about their sender, or about other matches."""


def all_words(text: str) -> list[str]:
    """Return all that the others read of a message from Carl, who is to act; nothing where it is refused."""
    try:
        return [words for words, _ in said(put(partners(), 2, text))]
    except Rejection:
        return []


@st.composite
def _misspelt(draw: st.DrawFn) -> str:
    """Draw the beginning of such a command with a letter wrong, two in a long word, and perhaps signs around it."""
    right, _, rest = draw(st.sampled_from(_NAMES)).partition(" ")
    word, most = right, 2 if len(right) > 4 else 1
    for _ in range(draw(st.integers(0, most))):
        at = draw(st.integers(0, len(word) - 1))
        other = draw(st.sampled_from(string.ascii_letters))
        ways = [word[:at] + word[at + 1 :], word[:at] + other + word[at:], word[:at] + other + word[at + 1 :]]
        ways.append(word[:at] + word[at : at + 2][::-1] + word[at + 2 :])
        word = draw(st.sampled_from([way for way in ways if way]))
    assume(edits(word, right) <= most)  # two swaps can be three
    sign = draw(st.sampled_from(["", ":", " :", "-", ",", "="]))
    return f"{draw(st.sampled_from(['', '*', '- ', '> ', 'Please ']))}{word}{sign} {rest}".rstrip()


@given(_misspelt(), st.sampled_from(_ABOVE), st.booleans())
def test_a_misspelt_command_shows_nobody_an_address(beginning: str, above: str, joined: bool) -> None:
    """Whatever is wrong with the word, and wherever below a move it stands."""
    between = "" if joined else "\n"
    text = f"a1\n{above}\n{between}{beginning} zoe@example.org"
    assert not [words for words in all_words(text) if holds_address(words)]


@pytest.mark.parametrize("line", ["blok zoe@example.org", "adress zoe@example.org", "address: zoe@example.org"])
def test_whoever_mistypes_a_command_is_told_that_the_line_stayed_here(line: str) -> None:
    """The move counts, and a sentence quotes the line."""
    for text in (f"a1\n{line}", f"{line}\na1", f"a1\nsay: Well played\n{line}"):
        decision = put(partners(), 2, text)
        assert moves(decision) == ("a1",)
        (aside,) = decision.asides
        assert (aside.code, dict(aside.arguments)) == ("address_withheld", {"line": line})
    assert [aside.code for aside in put(partners(), 2, f"show\n{line}").asides] == ["address_withheld"]
    assert refusal(partners(), 2, line).kind == "move_rejected"


@pytest.mark.parametrize(
    "line", ["Write to me at zoe@example.org", "zoe＠example.org", "<mailto:zoe@example.org>", "Zoe, zoe@example.org"]
)
def test_an_address_in_ordinary_words_is_shown_only_behind_say(line: str) -> None:
    """Signatures have one, and whoever wants to tell theirs says so."""
    assert said(put(partners(), 2, f"a1\nGood luck\n{line}")) == [("Good luck", False)]
    assert said(put(partners(), 2, f"a1\nsay: {line}")) == [(line, False)]
    assert said(put(partners(), 2, "a1\nsay: You reach me at\nzoe@example.org")) == [
        ("You reach me at zoe@example.org", False)
    ]


@pytest.mark.parametrize("sign", ["\u200b", "\u2060", "\u00ad", "\ufeff"])
def test_signs_that_nobody_sees_show_nobody_an_address(sign: str) -> None:
    """Pages and programs put them where a long word may be broken; readers see the address all the same."""
    for line in (f"zoe@{sign}z.example", f"zoe{sign}@z.example", f"blok zoe{sign}@{sign}z.example"):
        decision = put(partners(), 2, f"a1\nGood luck\n{line}")
        assert said(decision) == [("Good luck", False)]
        assert [aside.code for aside in decision.asides] == ["address_withheld"]


@each("name", ["address add", "block", "standin", "sub", "invite", "1. Block:", "adress add"])
def test_a_command_that_is_broken_below_say_shows_nobody_its_address(name: str) -> None:
    """Its word on one line and the address on the next, either way round; or with the word right behind ``say``."""
    for below in (f"say: Well played\n{name}\nzoe@z.example", f"say: {name}\nzoe@z.example"):
        decision = put(partners(), 2, f"a1\n{below}")
        assert moves(decision) == ("a1",)
        assert not [words for words, _ in said(decision) if "zoe" in words]
        assert [aside.code for aside in decision.asides] == ["address_withheld"]
    word = name.removesuffix(" add")
    decision = put(partners(), 2, f"a1\nsay: Well played,\nzoe@z.example\n{word}")
    assert not [words for words, _ in said(decision) if "zoe" in words]
    assert "address_withheld" in [aside.code for aside in decision.asides]


@each(
    "lines",
    [
        "zoe@ z.example",
        "zoe @ z.example",
        "zoe@*z.example*",
        "*zoe*@z.example",
        "zoe@<z.example>",
        "zoe@\nz.example",
        "Write to zoe@z.\nexample",
        "zoe%40z.example",
        "zoe&#64;z.example",
        "zoe@z .example",
    ],
)
def test_an_address_that_was_taken_apart_is_one(lines: str) -> None:
    """By its writer, or by their program."""
    decision = put(partners(), 2, f"a1\nGood luck\n{lines}")
    assert not [words for words, _ in said(decision) if "zoe" in words]
    assert [aside.code for aside in decision.asides] == ["address_withheld"]


def test_an_at_alone_is_no_address() -> None:
    """Times, places and prices have one."""
    for line in ("See you @ 5", "Three stones @ work, nice", "Back @ home. Good luck"):
        assert said(put(partners(), 2, f"a1\n{line}")) == [(line, False)]


def test_ones_own_address_below_every_message_is_left_out_without_a_word() -> None:
    """Many a program adds it, and nobody wants to hear of it each time."""
    match = partners()
    match = match.with_player(replace(match.players[2], emails=frozenset({"carl@c.example"})))
    for line in ("carl@c.example", "E-mail: Carl@c.example", "<carl@c.example>", "mail carl@c.example"):
        decision = put(match, 2, f"a1\nGood luck\nCarl\n{line}")
        assert (said(decision), decision.asides) == ([("Good luck", False)], ())
    assert [one.code for one in put(match, 2, "a1\nadress carl@c.example").asides] == ["address_withheld"]


def test_a_move_that_is_taken_back_beside_an_address_is_taken_back() -> None:
    """The line is kept from the others, not from us."""
    assert refusal(partners(), 2, "a1\nOops, wrong board, forget that, and write to zoe@x.example").code == "retracted"


@each("line", _EXACT)
@each("above", _ABOVE)
def test_a_whole_command_is_done_or_answered_and_never_talk(line: str, above: str) -> None:
    """Below a move, wherever it stands there, and above it; whoever wrote it hears what came of it."""
    for text in (f"a1\n{above}\n{line}", f"a1\n{above}\n\n{line}", f"{above}\n{line}\na1"):
        decision = put(partners(), 2, text)
        assert moves(decision) == ("a1",)
        assert not [words for words, _ in said(decision) if line in words]
        done = str(parse_piece(line)) in decision.done
        assert done != bool({"command_in_sentence", "unsubscribe_alone"} & {one.code for one in decision.asides})


@each("line", _EXACT)
def test_without_a_move_a_whole_command_below_other_words_is_done_or_asked_about(line: str) -> None:
    """It is never left out without a word."""
    assert put(partners(), 2, f"Hello to all\n{line}").done
    assert refusal(partners(), 2, f"I hope that you all will never\n{line}").code == "word_in_sentence"


@each("line", ["name your price", "name: Carl", "join us for dinner", "stop it!", "block it", "again", "resume?"])
@each("above", ["That was a good idea", _LONG])
def test_ordinary_words_that_begin_like_a_command_stay_talk(line: str, above: str) -> None:
    """They are passed on, and nobody is told anything of them."""
    decision = put(partners(), 2, f"a1\n{above}\n{line}")
    assert (said(decision), decision.asides) == ([(f"{above}\n{line}", False)], ())


def test_every_family_about_the_sender_is_kept_from_the_others() -> None:
    """What help lists about oneself, or about other matches, is personal."""
    rows = [row.example for family in COMMANDS if family.topic in ("you", "matches") for row in family.help]
    assert rows
    assert all(is_personal(parse_piece(row)) for row in rows if row != "again")


def test_a_name_with_an_at_sign_is_no_address() -> None:
    """Some write so whom they speak to."""
    assert not any(map(holds_address, ["Nice one, @Ann!", "d4 @ last", "2 @ 3"]))
