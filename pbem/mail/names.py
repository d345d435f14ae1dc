"""Names of people, as they are seen: without characters that hide or turn others, and alike if they look alike."""

import re
import unicodedata

# Printable by Unicode, but nothing is seen of them: fillers, blank Braille, joiners, variation selectors.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_MOST_MARKS = re.compile(
    r"(?:[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]){3,}"
)  # they would cover other lines

# Small letters of other scripts, digits and signs that many would take for a Latin letter: Cyrillic, Greek, others.
_LOOKALIKES = {
    **str.maketrans("аеорсухіјѕԁһԛԝкмтвнг", "aeopcyxijsdhqwkmtbhr"),
    **str.maketrans("αορνυικτεηχγ", "aopvuiktenxy"),
    **str.maketrans("01ı|łøđħ", "olillodh"),
}


def clean_name(text: str) -> str:
    """Return a name on one line, single spaces in it, without characters that cannot be seen or steer others."""
    seen = _MOST_MARKS.sub("", _UNSEEN.sub("", text))
    return " ".join("".join(char if char.isprintable() else " " for char in seen).split())


def skeleton_of(name: str) -> str:
    """Return what a name looks like at a glance: names with the same skeleton are easily taken for each other.

    Letter case, accents, spaces, signs and the script of a letter do not count.
    """
    folded = name.casefold()
    if not folded.isascii():
        plain = unicodedata.normalize("NFKD", folded).casefold()
        folded = "".join(char for char in plain if not unicodedata.combining(char))
    looks = folded.translate(_LOOKALIKES)
    return "".join(char for char in looks if char.isalnum()).replace("rn", "m").replace("i", "l")
