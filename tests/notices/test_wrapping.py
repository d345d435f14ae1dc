"""How what we write is broken into lines."""

import re
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.grammar import reads_as_command
from pbem.match.match import Comment
from pbem.notices.sentences.story import comments_for
from pbem.notices.wrapping import WIDTH, _break_text, _split_word, flow_lines, wrap_line, wrap_safely
from tests.support.each import each
from tests.support.matches import AUCTION_OF_THREE, zipline

MATCH = zipline(*AUCTION_OF_THREE)
POSITION = MATCH.position
PAGE = f"https://archive.example/{'a2/' * 30}index.html"
WORDS = (
    *("a2", "b3", "z9", "a2;", "take", "resign", "show", "help.", "board", "plain", "salt", "team:", "say:", ";"),
    *(
        "ready",
        "we",
        "play",
        "here",
        "then",
        "and",
        "nobody",
        "(a2)",
        "“take”",
        "·",
        ">",
        "17",
        "a2b3",
        "x" * 150,
        PAGE,
    ),
)
SPACES = st.sampled_from((" ", " ", " ", " ", "  ", "\N{NO-BREAK SPACE}", "\n", "\n  ", "\n\n"))
TEXTS = st.lists(st.tuples(SPACES, st.sampled_from(WORDS)), max_size=60).map(
    lambda pairs: "".join(space + word for space, word in pairs)
)


def test_a_line_that_would_be_a_command_makes_only_the_line_above_it_shorter() -> None:
    """All others are as long as they can be."""
    lines = wrap_safely("nobody " * 27 + "take", POSITION).splitlines()
    assert reads_as_command("take", POSITION)
    assert [len(line.split()) for line in lines] == [9, 9, 8, 2]


def test_the_lines_of_an_entry_of_a_list_are_indented_below_its_words() -> None:
    """Whether a line of it would be a command or not."""
    for words in ("we play here " * 12, "we play here " * 4 + "and then resign"):
        first, *more = wrap_safely(f"- {words}\n- short", POSITION).splitlines()
        assert first.startswith("- we")
        assert [line[:3] for line in more[:-1]] == ["  " + line[2] for line in more[:-1]]
        assert more[0][2] != " "
        assert more[-1] == "- short"
        assert max(map(len, (first, *more))) <= WIDTH


def without_spaces(text: str) -> str:
    """Return everything in ``text`` but white space."""
    return "".join(text.split())


@given(TEXTS)
def test_whatever_we_write_comes_in_lines_that_ask_for_nothing(text: str) -> None:
    """No line reads as a command or is too long, but for an address of the web; without a mark, nothing changes."""
    finished = wrap_safely(text, POSITION)
    for line in finished.splitlines():
        assert not reads_as_command(line, POSITION), line
        assert len(line) <= WIDTH or PAGE in line
    if without_spaces(finished) != without_spaces(text):
        assert finished.count("·") > text.count("·")


@given(TEXTS, st.integers(44, WIDTH))
def test_a_paragraph_is_folded_without_losing_anything(text: str, width: int) -> None:
    """Of a paragraph in lines every word is left, in its order."""
    paragraph = " ".join(text.split())
    lines = wrap_line(paragraph, width, POSITION)
    assert without_spaces("".join(lines)) == without_spaces(paragraph)
    assert all(len(line) <= width or PAGE in line for line in lines)


@pytest.mark.parametrize("last", ["take", "a2", "resign.", "a2 b3"])
def test_a_paragraph_is_made_narrower_rather_than_marked(last: str) -> None:
    """Where the last words would stand alone, and could be carried out, others stand beside them."""
    start = "This sentence is as long as a line of ours may be and ends with"
    assert len(start) <= WIDTH < len(f"{start} {last}")
    text = wrap_safely(f"{start} {last}", POSITION)
    assert "·" not in text
    assert text.splitlines()[-1].endswith(f"with {last}")


def test_what_somebody_said_is_made_narrower_too() -> None:
    """A comment is folded so that no line of it is a move, as long as its sender did not put one on a line."""
    words = "I wonder what you will do now that I am so close to taking a2"
    ((_, lines),) = comments_for(MATCH, 0, [Comment(2, 3, words)])
    assert len(lines) == 2
    assert not any(reads_as_command(line, POSITION) for line in lines)
    ((_, lines),) = comments_for(MATCH, 0, [Comment(2, 3, "Look:\na2")])
    assert lines == ["“Look:", "a2”"]


@each(
    "line, safe",
    [
        ("a2", "· a2"),
        ("  “Hello; we meet again”", "  “Hello; we meet again”"),
        ("  “a2”", "· “a2”"),
        ("Well; a2", "· Well· a2"),
        ("a2; b3", "· a2· b3"),
        ("team: x", "· team: x"),
        ("Hm; say: x", "· Hm· say: x"),
    ],
)
def test_a_mark_takes_the_meaning_from_every_part_of_a_line(line: str, safe: str) -> None:
    """What stands behind a semicolon would be carried out by itself, so that it goes too."""
    assert wrap_safely(line, POSITION) == f"{safe}\n"
    assert not reads_as_command(safe, POSITION)


def test_an_address_of_the_web_stays_whole() -> None:
    """Broken, it leads nowhere; in a paragraph and in what somebody said."""
    text = wrap_safely(f"The rules are at {PAGE} for everybody.\n  “See {PAGE}”", POSITION)
    assert text == f"The rules are at\n{PAGE}\nfor everybody.\n  “See {PAGE}”\n"
    ((_, lines),) = comments_for(MATCH, 0, [Comment(2, 3, f"Look at {PAGE} please")])
    assert lines == ["“Look at", PAGE, "please”"]


def test_any_other_word_that_is_too_long_is_broken() -> None:
    """A long name or address goes over several lines, at its spaces if it has any."""
    text = wrap_safely(f"A letter came from {'x' * 180}@a.example just now.", POSITION)
    assert max(map(len, text.splitlines())) == WIDTH
    assert "x@a.example" in text
    tied = "\N{NO-BREAK SPACE}".join(["words"] * 20)
    assert re.findall(r"\S+", wrap_safely(tied, POSITION)) == ["words"] * 20
    assert max(map(len, wrap_safely(f"  {'y' * 80}", POSITION).splitlines())) == WIDTH


@given(TEXTS | st.text(), st.integers(20, WIDTH))
def test_lines_break_where_the_standard_library_breaks_them(text: str, width: int) -> None:
    """Ours is the same, for most texts in less time."""
    paragraph = text.replace("\n", " ")
    pieces = " ".join(piece for word in paragraph.split(" ") for piece in _split_word(word, width))
    if len(paragraph) > width:
        broken = textwrap.wrap(pieces, width, break_long_words=False, break_on_hyphens=False)
        assert _break_text(paragraph, width) == (tuple(broken) or ("",))


WRAPPED = (
    "I had been looking at the corner all along, and never saw that you\ncould go around it by the edge. My respect!"
)


@each(
    "text, lines",
    [
        (WRAPPED, 1),
        (f"Hello Bob,\n\n{WRAPPED}\n\nAnn", 5),
        (WRAPPED.replace("you\n", "you.\n"), 1),
        ("My plan:\n- a long line that is as long as lines of emails are at all,\n- and another\n1. a third", 4),
        ("This is a list that follows a long line, and it says to buy these:\n- bread\n- milk", 3),
        ("Shall I compare thee to a summer's day?\nThou art more lovely and more temperate:", 2),
        ("Sing, O goddess, the anger of Achilles son of Peleus, that brought,\nCountless ills upon the Achaeans", 2),
        ("Well played!\nI did not see that coming, and I should have, the third time now.", 2),
        ("This line is fifty-six columns long, but has no followers", 1),
        (f"{'word ' * 60}end\nThis line of sixty columns was typed so, since others are longer\nthan it", 3),
        ("これはとても長い行なので、メールのプログラムがここで改行しました。でも文は、\nまだ続いています", 1),
        ("", 1),
        ("\n\n", 3),
    ],
)
def test_the_breaks_of_an_email_program_are_taken_out_of_what_people_write(text: str, lines: int) -> None:
    """Long lines flow together where the next word had no room; lists, verses, greetings and empty lines stay."""
    flowing = flow_lines(text)
    assert len(flowing) == lines
    assert "".join("".join(flowing).split()) == "".join(text.split())
