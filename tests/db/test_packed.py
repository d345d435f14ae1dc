"""Columns of compressed bytes: what is stored comes back, and what is not marked is read as it is."""

import zlib

from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy.dialects.sqlite import dialect

from db.packed import PackedBytes

COLUMN = PackedBytes()
PACK, UNPACK = COLUMN.bind_processor(dialect()), COLUMN.result_processor(dialect(), None)


@given(
    st.binary(max_size=2000) | st.builds(lambda byte, times: byte * times, st.binary(min_size=1), st.integers(0, 500))
)
@example(b"\0zlib\0")
@example(b"\0zlib\0" + zlib.compress(b"what a sender made to look compressed"))
@example(b"x" * 200)
def test_what_is_stored_comes_back(content: bytes) -> None:
    """Any bytes do, also those that look compressed."""
    stored = PACK(content)
    assert stored is not None
    assert UNPACK(stored) == content


@given(st.binary(max_size=500).filter(lambda content: not content.startswith(b"\0zlib\0")))
def test_what_is_not_marked_is_read_as_it_is(content: bytes) -> None:
    """No email begins with the mark of compressed bytes: it is no header."""
    assert UNPACK(content) == content


def test_an_email_takes_a_fraction_of_its_room() -> None:
    """A board repeats itself, and compresses well."""
    board = b"".join(
        b'<td><a href="mailto:games+1.2.0.abc@pbem.example?body=c%d">.</a></td>\r\n' % n for n in range(169)
    )
    stored = PACK(board)
    assert stored is not None
    assert len(stored) < len(board) / 5


def test_nothing_stays_nothing() -> None:
    """A row without bytes has none."""
    assert PACK(None) is None
    assert UNPACK(None) is None
