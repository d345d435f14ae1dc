"""Patterns that are compiled when they are first used: a tenth of the time of a short process goes into those it isn't.

Those that are quick to compile need none of this.
"""

import re
from collections.abc import Callable
from typing import Any, cast


class _Later:
    """A pattern of which only the text is known, or what makes it; the methods it was asked for are its own."""

    def __init__(self, text: str | Callable[[], str], flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name == "_compiled":
            self._compiled = re.compile(self._text if isinstance(self._text, str) else self._text(), self._flags)
            return self._compiled
        value = self.__dict__[name] = getattr(self._compiled, name)
        return value


def compile_later(text: str | Callable[[], str], flags: int = 0) -> re.Pattern[str]:
    """Return the pattern of a text, or of the text that a function makes, which is compiled when it is used."""
    return cast(re.Pattern[str], _Later(text, flags))
