"""A column of bytes that are stored compressed."""

import zlib

from sqlalchemy import Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

_MARK = b"\0zlib\0"
_SMALLEST = 200  # bytes: less is hardly worth it
_LEVEL = 1  # an email shrinks to a sixth; more effort takes twice as long and saves little


class PackedBytes(TypeDecorator[bytes]):
    """Bytes, compressed in the table; rows of before, and short ones, hold them as they are."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return what is stored for ``value``; what looks compressed is compressed, so that it comes back as it is."""
        if value is None or (len(value) < _SMALLEST and not value.startswith(_MARK)):
            return value
        return _MARK + zlib.compress(value, _LEVEL)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the bytes that were stored."""
        if value is None:
            return None
        stored = bytes(value)
        return zlib.decompress(stored[len(_MARK) :]) if stored.startswith(_MARK) else stored
