"""Where the files that belong to the program lie, in a checkout and in an installed wheel alike."""

from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[1] / "templates"
"""The templates of emails and of the archive, beside the package."""


def rules_page(key: str) -> str:
    """Return where the rules of a game lie within the archive."""
    return f"games/{key}.html"


def match_page(number: int, kind: str = "html") -> str:
    """Return where the page of a match lies within the archive, or (``txt``) its record."""
    return f"matches/{number}.{kind}"
