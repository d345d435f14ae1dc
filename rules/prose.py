"""Small help with the texts that games tell to players."""

from collections.abc import Iterable


def paragraphs(text: str) -> str:
    """Return ``text`` with one line for each paragraph, and an empty line between two."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


def listed(words: Iterable[object], last: str = "and") -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``; nothing for no words."""
    *most, final = [str(word) for word in words] or [""]
    return f"{', '.join(most)} {last} {final}" if most else final
