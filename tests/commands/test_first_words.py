"""Commands are found by their first word: nothing that a family reads begins with any other."""

from hypothesis import example, given
from hypothesis import strategies as st

from pbem.commands.catalogue import COMMANDS, KEYWORDS, first_word, help_rows, parse_piece
from pbem.commands.families.play import FreeText
from tests.support.each import each

WORDS = [
    *("show", "what", "if", "try", "note", "give", "pause", "wait", "vacation", "vaccation", "auto", "tz", "remind"),
    *("quiet", "claim", "win", "draw", "offer", "undo", "take", "agree", "no", "propose", "boards", "mail", "digest"),
    *("name", "address", "stand-in", "replace", "new", "seek", "join", "block", "again", "i", "to", "my", "please"),
    *("d4", "e5", "12", "3", "days", "back", "a", "off", "on", "then", "bob", "x@y.example", "zipline", "all", "aug"),
]
LINES = st.builds(
    lambda before, words: before + " ".join(words),
    st.sampled_from(["", "* ", "1. ", "_", "> ", "Please ", "I'd like to ", "OK, "]),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5),
)


@given(LINES)
@example("vaccation 3-17 aug")
@example("Yes, again")
@example("I'd like to claim the win")
def test_no_family_reads_a_line_that_begins_otherwise(line: str) -> None:
    """Asking all families in turn finds the same."""
    by_all = next((command for family in COMMANDS if (command := family.parse(line)) is not None), None)
    found = parse_piece(line)
    assert by_all is None or found == by_all or first_word(line) in KEYWORDS


@each("line", [row.example for row in help_rows() if row.example], ids=str)
def test_every_line_of_the_help_is_found(line: str) -> None:
    """What help lists is a command, or words for others."""
    assert not isinstance(parse_piece(line), FreeText) or line.startswith(("say:", "team:", "ready"))


@each(
    "line, word",
    [
        ("1. Please show #12", "show"),
        ("*I'd like to* claim it", "claim"),
        ("vaccation 3 aug", "vacation"),
        ("d4", "d"),
        ("", ""),
    ],
)
def test_a_first_word_is_that_which_tells(line: str, word: str) -> None:
    """Signs, numbers and politeness before it are passed over."""
    assert first_word(line) == word
