"""Matches as text: written, read, and refused with the number of the line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import InvalidRecord
from rules.position import Entry
from rules.record import FIRST_LINE, Record, read_record, write_record
from tests.support.codes import RULES, codes_in
from tests.support.each import each
from tests.support.examples import examples

steady = examples(300)

KEYS = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
LINES = st.text(st.characters(exclude_characters="\r\n"), max_size=40)
MOVES = LINES.map(lambda text: text.strip(" \t\f\v")).filter(lambda text: text != "")
ENTRIES = st.lists(st.builds(Entry, st.none() | st.integers(0, 8), MOVES), max_size=12).map(tuple)
NOTES = st.dictionaries(
    KEYS.filter(lambda key: key not in ("game", "seats", "rules")), st.text(max_size=40), max_size=5
)
RECORDS = st.builds(
    Record,
    game=KEYS,
    seats=st.integers(1, 99),
    options=st.dictionaries(KEYS, st.booleans() | st.integers() | KEYS, max_size=4),
    entries=ENTRIES,
    notes=NOTES,
)

EXAMPLE = f"""{FIRST_LINE}
game: zipline
seats: 3
option size: 9
option freestyle: no
player 1: Ann

  1  seat 1  d4 e5
  2  seat 2  take
  3  lot     5
"""


@steady
@given(record=RECORDS)
def test_what_is_written_is_read(record: Record) -> None:
    """A record comes back from its text: options as words, white space in notes as single spaces."""
    read = read_record(write_record(record))
    assert (read.game, read.seats, read.entries) == (record.game, record.seats, record.entries)
    words = {True: "yes", False: "no"}
    assert read.options == {
        key: words[value] if isinstance(value, bool) else str(value) for key, value in record.options.items()
    }
    assert read.notes == {key: " ".join(text.split()) for key, text in record.notes.items()}
    assert list(read.notes) == list(record.notes)
    assert write_record(read) == write_record(record)


def test_the_version_of_the_rules_stands_on_a_line_of_its_own() -> None:
    """It is read back among the options; in a record without that line there is none."""
    record = Record("pipelines", 2, {"size": 7, "rules": 2}, ())
    assert "\nrules: 2\noption size: 7\n" in write_record(record)
    assert read_record(write_record(record)).options == {"rules": "2", "size": "7"}
    assert "rules" not in read_record(EXAMPLE).options


@steady
@given(text=st.text() | st.text().map(lambda rest: FIRST_LINE + "\n" + rest))
def test_junk_is_refused_and_nothing_else_happens(text: str) -> None:
    """A text that is no record raises InvalidRecord."""
    with pytest.raises(InvalidRecord):
        read_record(text)


@steady
@given(number=st.integers(0, 9), line=LINES, text=st.just(EXAMPLE))
def test_a_damaged_line_is_named_or_read(number: int, line: str, text: str) -> None:
    """With any line replaced the text is read, or refused with the number of a line."""
    lines = text.splitlines()
    lines[number] = line
    refused = refusal("\n".join(lines))
    assert refused is None or refused.line is not None or "is missing" in str(refused)


def refusal(text: str) -> InvalidRecord | None:
    """Return the error that reading raises, if any."""
    try:
        read_record(text)
    except InvalidRecord as error:
        return error
    return None


@each(
    "old, new, line",
    [
        (FIRST_LINE, "pbem record 2", 1),
        ("seats: 3", "seats: three", 3),
        ("seats: 3", "seats: 0", 3),
        ("seats: 3", "seats: ٣", 3),
        ("seats: 3", "seats: " + "9" * 5000, 3),
        ("option size: 9", "game: pipline", 4),
        ("option size: 9", "Option size 9", 4),
        ("  1  seat 1", "  2  seat 1", 8),
        ("  1  seat 1", "  1  seat 0", 8),
        ("  1  seat 1", "  1  chair 1", 8),
        ("  2  seat 2  take", "  2  seat 2", 9),
        ("  2  seat 2  take", "note: too late", 9),
        ("  3  lot     5", "  99999999  lot  5", 10),
        ("  3  lot     5", "  ٣  lot  5", 10),
    ],
)
def test_a_wrong_line_is_named(old: str, new: str, line: int) -> None:
    """The error carries the number of the line that is wrong, and says it."""
    assert old in EXAMPLE
    refused = refusal(EXAMPLE.replace(old, new, 1))
    assert refused is not None
    assert refused.line == line
    assert f"Line {line} " in str(refused)
    assert len(str(refused)) < 200


@pytest.mark.parametrize("missing", ["game: zipline", "seats: 3"])
def test_a_missing_line_is_named(missing: str) -> None:
    """A record names its game and its number of seats."""
    for other in ("", missing.partition(":")[0] + ":"):
        with pytest.raises(InvalidRecord) as error:
            read_record(EXAMPLE.replace(missing, other))
        assert error.value.code == "missing_header"


def test_line_ends_and_outer_spaces_do_not_matter() -> None:
    """Records survive mail programs: other line ends, a byte order mark, indentation, empty lines."""
    record = read_record(EXAMPLE)
    for text in (
        EXAMPLE.replace("\n", "\r\n"),
        EXAMPLE.replace("\n", "\r"),
        "\ufeff" + EXAMPLE,
        EXAMPLE.replace("\n", "  \n\n"),
        "\n".join("\t" + line for line in EXAMPLE.splitlines()),
        EXAMPLE.rstrip(),
    ):
        assert read_record(text) == record
    assert record == Record(
        "zipline",
        3,
        {"size": "9", "freestyle": "no"},
        (Entry(0, "d4 e5"), Entry(1, "take"), Entry(None, "5")),
        {"player 1": "Ann"},
    )


def test_notes_with_odd_text_are_kept() -> None:
    """Colons, quotes and characters that end a line elsewhere stay in a note."""
    odd = "10:30 “x”: a\u0000b\u200bc, 🂡 # 1  seat 1  d4"
    notes = {"player 1": odd, "link": "https://example.org/?a=b:c", "empty": ""}
    kept = read_record(write_record(Record("zipline", 2, {}, (), notes))).notes
    assert kept == {**notes, "player 1": " ".join(odd.split())}
    assert read_record(EXAMPLE.replace("Ann", "A\u2028n\x0bn")).notes == {"player 1": "A\u2028n\x0bn"}


@each(
    "record",
    [
        Record("zip\nline", 2, {}, ()),
        Record("", 2, {}, ()),
        Record("zipline", 0, {}, ()),
        Record("zipline", 2, {"size\n": 9}, ()),
        Record("zipline", 2, {"draw": "points\nseats: 3"}, ()),
        Record("zipline", 2, {}, (Entry(0, "d4\n2 seat 2 take"),)),
        Record("zipline", 2, {}, (Entry(0, ""),)),
        Record("zipline", 2, {}, (Entry(0, " d4"),)),
        Record("zipline", 2, {}, (Entry(-1, "d4"),)),
        Record("zipline", 2, {}, (), {"game": "pipline"}),
        Record("zipline", 2, {}, (), {"option size": "9"}),
        Record("zipline", 2, {}, (), {"Player 1": "Ann"}),
        Record("zipline", 2, {}, (), {"": "Ann"}),
    ],
    ids=str,
)
def test_what_could_not_be_read_back_is_not_written(record: Record) -> None:
    """A line end in a move, or a note in the place of a header line, cannot smuggle anything into a record."""
    with pytest.raises(InvalidRecord) as error:
        write_record(record)
    assert error.value.code in codes_in(RULES, "record.py")
