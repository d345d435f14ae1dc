"""Finds every cell that is written in a text, whatever stands around it, so that none is silently left out. Pure."""

import re
import unicodedata

_CELL = re.compile(r"(?:(?<![a-z])|(?<=[0-9]x))[a-z][0-9]{1,2}(?![0-9])")
_WORD = re.compile(r"[^\W\d_]{2}")


def written_cells(text: str) -> tuple[str, ...]:
    """Return the names of the cells in ``text``, each once, of any board: ``e5، e2`` has two, and so has ``ｅ５e2ä``.

    It looks less closely than whoever reads a move, and takes more for a cell: what it finds beyond is asked about.
    """
    return tuple(dict.fromkeys(cell for form in _forms(text) for cell in _CELL.findall(form)))


def is_only_cells(text: str) -> bool:
    """Return whether a line names cells and says nothing else: ``1) e5، e2``; a letter alone says nothing."""
    return any(_CELL.search(form) and not _WORD.search(_CELL.sub(" ", form)) for form in _forms(text))


def _forms(text: str) -> tuple[str, ...]:
    """Return ``text`` in small letters as it stands, and as it looks: of the usual width, with nothing unseen in it."""
    lower = text.lower()
    if lower.isascii():
        return (lower,)
    plain = unicodedata.normalize("NFKC", lower).lower()
    return lower, "".join(sign for sign in plain if unicodedata.category(sign) != "Cf")
