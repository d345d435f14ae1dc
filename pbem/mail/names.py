"""Names of people, as they are seen: without characters that hide or turn others, and alike if they look alike."""

import re
import unicodedata
from functools import lru_cache
from typing import Literal

UNNAMED = "pbem"
"""The name of a service that its host has given none."""

NewMatches = Literal["members", "invited", "anybody"]
"""Who may start matches by email: players, among themselves; players and whom they invite; or anybody who signs up."""


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

_LONGEST_SENDER = 60  # characters
_LONGEST_SERVICE = 30
_IN_SENDER = re.compile(r"[,&]? |[-'’]|\. ")
"""What may stand between the letters of opponents in a sender's name: with more, they could pass for an address."""


@lru_cache(maxsize=1024)  # players get many emails
def name_sender(service: str, opponents: str) -> str:
    """Return the name in From: that of the service, with the reader's ``opponents`` where they can't pass for others.

    It says who writes, and nothing of what: Gmail takes anything else for a trick. What players call themselves stands
    behind the name of the service, and never if it looks like that.
    """
    letters = _IN_SENDER.sub("", opponents)
    is_plain = all(char.isalnum() or unicodedata.category(char).startswith("M") for char in letters)
    name = f"{service} ({opponents})"
    looks = map(skeleton_of, (*re.split(r",? & |, ", opponents), *re.split(r"[\s,&]+", opponents)))
    is_safe = letters and is_plain and len(name) <= _LONGEST_SENDER and skeleton_of(service) not in looks
    return name if is_safe else service


def may_be_service(name: str) -> bool:
    """Return whether a service may have a name: readable, short, and nothing that an address could be taken for."""
    is_usual = 0 < len(name) <= _LONGEST_SERVICE and name == clean_name(name) and any(map(str.isalpha, name))
    return is_usual and not re.search(r"""[@<>()\[\]"\\:;,`]|=\?|\w\.\w""", name)


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
