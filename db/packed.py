"""A column of bytes that are stored compressed."""

import zlib
from collections.abc import Callable
from typing import Any

from sqlalchemy import Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

_MARK = b"\0zlib\0"
_SMALLEST = 200  # bytes: less is hardly worth it
_LEVEL = 1  # an email shrinks to a sixth; more effort takes twice as long and saves little


class PackedBytes(TypeDecorator[bytes]):
    """Bytes, compressed in the table; short ones are stored as they are."""

    impl = LargeBinary
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[bytes | None], bytes | None]:
        """Return what makes the stored bytes; what looks compressed is compressed, so that it comes back as it is."""
        return _pack

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], bytes | None]:
        """Return what makes the bytes that were stored."""
        return _unpack


def _pack(value: bytes | None) -> bytes | None:
    """Return what is stored for bytes."""
    if value is None or (len(value) < _SMALLEST and not value.startswith(_MARK)):
        return value
    return _MARK + zlib.compress(value, _LEVEL)


def _unpack(value: object) -> bytes | None:
    """Return the bytes of a column; None where there are none."""
    return None if value is None else unpack(value)


def unpack(stored: object) -> bytes:
    """Return the bytes that were stored as ``stored``; raise ValueError for what was never stored so."""
    if not isinstance(stored, bytes | memoryview):
        raise ValueError("no bytes are stored, but a text or a number")
    packed = bytes(stored)
    if not packed.startswith(_MARK):
        return packed
    try:
        return zlib.decompress(packed[len(_MARK) :])
    except zlib.error as error:
        raise ValueError("the bytes do not unpack") from error
