"""A column of bytes that are stored compressed."""

import zlib

from sqlalchemy import Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

_MARK = b"\0zlib\0"
_SMALLEST = 200  # bytes: less is hardly worth it
_LEVEL = 1  # an email shrinks to a sixth; more effort takes twice as long and saves little


class PackedBytes(TypeDecorator[bytes]):
    """Bytes, compressed in the table; short ones are stored as they are."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return what is stored for ``value``; what looks compressed is compressed, so that it comes back as it is."""
        if value is None or (len(value) < _SMALLEST and not value.startswith(_MARK)):
            return value
        return _MARK + zlib.compress(value, _LEVEL)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the bytes that were stored."""
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
