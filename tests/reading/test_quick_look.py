"""What one look at a line decides is what reading it would decide."""

from itertools import islice
from random import Random
from string import ascii_lowercase

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.commands.catalogue import KEYWORDS
from pbem.commands.families.play import FreeText
from pbem.commands.grammar import _asks_for_nothing, is_harmless, read_commands
from pbem.reading.move_phrases import _IN_MOVES, WORD_MOVES, is_prose, undressed
from pbem.reading.typos import edits, similar_word
from rules.errors import RulesError
from tests.support.each import each
from tests.support.walks import Case, every_case, walk

WORDS = (
    *(
        "a2",
        "b3",
        "z9",
        "12",
        "x",
        "to",
        "my",
        "i",
        "ok",
        "now",
        "wow",
        "foo",
        "Ann",
        "team",
        "partner",
        "https",
        "equipo",
    ),
    *(
        "privately",
        "salt",
        "ready",
        "board",
        "boards",
        "display",
        "plain",
        "say",
        "unsubſcribe",
        "reſume",
        "ſhow",
        "please",
    ),
    *("if", "If", "then", "else", "what", "try", "note", "notes", "note:", "#12"),
    *(
        *KEYWORDS,
        *sorted(WORD_MOVES),
        "ok, let's play",
        "por favor",
        "/archive/17/",
        "a4->",
        "1)",
        "a23)",
        "=>",
        "17.",
        "x" * 70,
        "İ",
        "ı",
    ),
)
SIGNS = (
    " ",
    " ",
    " ",
    " ",
    "  ",
    "",
    ",",
    ": ",
    "; ",
    ". ",
    "!",
    "?",
    "-",
    "->",
    "“",
    "”",
    "(",
    ")",
    "*",
    "_",
    "\t",
    "：",
    "' ",
    "/",
)
LINES = st.lists(st.tuples(st.sampled_from(SIGNS), st.sampled_from(WORDS) | st.text(max_size=5)), max_size=12).map(
    lambda pairs: "".join(sign + word for sign, word in pairs).strip()
)


@given(LINES)
@example("team: x")
@example("ok, let's play a2 please")
def test_a_line_that_asks_for_nothing_is_free_text(line: str) -> None:
    """What the quick look calls no command is read as none, and as the same text."""
    if line and _asks_for_nothing(line):
        assert read_commands([line]) == [FreeText(undressed(line))]


@given(st.text("teamprnix ", max_size=9), st.sampled_from(("team", "partner")))
def test_words_of_other_lengths_are_not_similar(word: str, known: str) -> None:
    """A letter more or less is a typo of its own."""
    bare = word.strip(" ")
    assert bool(similar_word(word, (known,))) == (edits(bare, known) <= min(len(bare), len(known), 6) // 3)


@each("case", every_case(), ids=str)
def test_no_game_reads_prose_as_a_move(case: Case) -> None:
    """Two words that are in no move, anywhere among cells and words of moves, and no position takes it for one."""
    random, positions = Random(5), walk(case, 7).positions
    names = [cell.name for cell in positions[0].view().cells][:5]
    for position in positions[:: 1 + len(positions) // 20]:
        legal = [str(move) for move in islice(position.legal_moves(), 5)] if isinstance(position.to_act, int) else names
        for _ in range(20):
            words = [*random.choice(legal).split(), *random.choices([*sorted(_IN_MOVES), *names, "n", "x", "3"], k=3)]
            for foreign in random.choices(["wow", "we", "ax", "xx", "north-east", "playing", "Bob", "no", "ab"], k=2):
                words.insert(random.randrange(len(words) + 1), foreign)
            text = random.choice([" ", ", ", " - "]).join(words)
            if is_prose(text):
                with pytest.raises(RulesError):
                    position.parse(text)


@each("case", every_case(), ids=str)
def test_no_move_is_prose(case: Case) -> None:
    """No move as it is written in a record."""
    assert not any(is_prose(entry.text) for entry in walk(case, 7).entries)


@each("column", ascii_lowercase)
def test_all_cells_stand_for_one_another(column: str) -> None:
    """One look is enough for a sentence about any of them, also where a column is a word or a side of a die."""
    assert is_harmless(f"“{column}1 c3 {column}5” is too many stones; this turn is two.")
    assert not is_harmless(f"I play {column}1")
