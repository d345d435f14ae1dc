"""Phrase lists by language, kept as text files in the ``data`` folder of the package that uses them."""

import re
from importlib.resources import files


def load_phrases(package: str, name: str) -> frozenset[str]:
    """Return the phrases of a list in all languages; ``package`` is the importing module's ``__package__``.

    A file holds phrases parted by ``|`` or line breaks, below the name of their language; ``#`` begins a comment.
    """
    lines = files(package).joinpath("data", f"{name}.txt").read_text("utf-8").splitlines()
    listed = (line.split("|") for line in lines if line and not line.startswith(("#", "[")))
    return frozenset(" ".join(phrase.split()) for phrases in listed for phrase in phrases if phrase.strip())


def load_by_language(package: str, name: str) -> dict[str, frozenset[str]]:
    """Return the phrases of such a list by the names that stand above them: of a language, or of several."""
    parts = files(package).joinpath("data", f"{name}.txt").read_text("utf-8").split("\n[")[1:]
    found = (part.partition("]")[::2] for part in parts)
    return {
        language: frozenset(filter(None, (" ".join(phrase.split()) for phrase in re.split(r"[|\n]", phrases))))
        for language, phrases in found
    }
