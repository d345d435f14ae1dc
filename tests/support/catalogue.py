"""The catalogue of all sentences that players read: extracted from the code, written, and said in a language of tests.

``make messages`` runs this module and writes the catalogue.
"""

import io
import re
import tomllib
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "templates" / "messages.pot"

_KEYWORDS = {"_": None, "mark": None, "marks": (1, 2), "phrase": None, "phrases": (1, 2)}
_PLACES = ("pbem", "rules", "templates")

_WORD = 5  # letters: shorter messages only join others

_FIELD = re.compile(r"(\{[^{}]*\}|`[^`]*`)")
_ACCENTED = str.maketrans("aceinouyzAEIOU", "áçéíñóúýžÁÉÍÓÚ")


@cache
def extract_messages() -> dict[str, str]:
    """Return every message in the code, with its plural form or an empty text."""
    mappings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["babel"]["mappings"]
    methods = [(each["pattern"], each["method"]) for each in mappings]
    options = {
        each["pattern"]: {name: value for name, value in each.items() if name not in ("method", "pattern")}
        for each in mappings
    }
    found: dict[str, str] = {}
    for place in _PLACES:
        relative = [(pattern.removeprefix(f"{place}/"), method) for pattern, method in methods]
        settings = {pattern.removeprefix(f"{place}/"): value for pattern, value in options.items()}
        for _, _, message, _, _ in extract_from_dir(ROOT / place, relative, settings, _KEYWORDS):
            one, many = (message, "") if isinstance(message, str) else message
            found[one] = found.get(one) or many
    return found


@cache
def read_messages() -> dict[str, str]:
    """Return every message in the catalogue as it was written, with its plural form or an empty text.

    A test compares it with the code, of which to extract them takes seconds.
    """
    with CATALOGUE.open("rb") as file:
        messages = [message.id for message in read_po(file) if message.id]
    return dict((message, "") if isinstance(message, str) else (message[0], message[1]) for message in messages)


def make_catalogue() -> str:
    """Return the catalogue as a template for translations, in the order of its messages."""
    catalogue = Catalog(fuzzy=False)
    for one, many in sorted(extract_messages().items()):
        catalogue.add((one, many) if many else one)
    written = io.BytesIO()
    write_po(written, catalogue, width=120, no_location=True, omit_header=True, sort_output=True)
    return written.getvalue().decode()


class Pseudo:
    """A language for tests: accented, two fifths longer, with the fields and the words to write as they are."""

    def __init__(self) -> None:
        self.unknown: set[str] = set()

    def gettext(self, message: str, /) -> str:
        """Return ``message`` in this language, and note one that the catalogue lacks."""
        if message not in read_messages() and _FIELD.sub("", message):  # a name, or what people wrote, is none
            self.unknown.add(message)
        return accented(message)

    def ngettext(self, one: str, many: str, count: int, /) -> str:
        """Return the form for ``count``, and note a message that the catalogue lacks."""
        if read_messages().get(one) != many:
            self.unknown.add(one)
        return accented(one if count == 1 else many)


def accented(message: str) -> str:
    """Return ``message`` in the language of tests: its letters and fields are all there, so that people can read it."""
    pieces = _FIELD.split(message)
    said = "".join(piece if place % 2 else piece.translate(_ACCENTED) for place, piece in enumerate(pieces))
    plain = sum(map(len, pieces[::2]))
    return said + " ŵ" * (plain // 5) if plain >= _WORD else said


if __name__ == "__main__":
    CATALOGUE.write_text(make_catalogue(), "utf-8")
