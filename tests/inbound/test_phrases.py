"""The phrase lists of packages: how they are loaded, and what they match."""

import re
from importlib.resources import files

from pbem.inbound.phrases import match_phrases
from pbem.reading.word_classes import load_phrases
from pbem.reading.wording import KINDS
from tests.support.each import each

BY_LANGUAGE = (
    *(*KINDS, "yes", "no", "leading_yes", "leading_no", "complete", "hedging", "limiting", "turning", "contrary"),
    *("harmless", "relevant", "praising", "wishing", "fillers", "courtesies", "closing"),
)
"""Lists of which a language may have what another one has, too."""

LISTS = [
    (package, file.name.removesuffix(".txt"))
    for package in ("pbem.reading", "pbem.inbound")
    for file in sorted(files(package).joinpath("data").iterdir(), key=str)
    if file.name != "classes.txt"
]


@each("package, name", LISTS)
def test_a_list_holds_each_phrase_once_below_a_language(package: str, name: str) -> None:
    """A phrase that is listed twice, or below no language, is a slip of whoever added it."""
    text = files(package).joinpath("data", f"{name}.txt").read_text("utf-8")
    below_languages = text[text.index("\n[") :]
    lines = [line for line in below_languages.splitlines() if line and not line.startswith("[")]
    listed = [phrase.strip() for line in lines for phrase in line.split("|")]
    assert set(listed) == load_phrases(name, package)
    for below in below_languages.split("\n[")[1:] if name in BY_LANGUAGE else [below_languages]:
        phrases = [one.strip() for line in below.splitlines() if line[-1:] != "]" for one in line.split("|")]
        phrases = [phrase for phrase in phrases if phrase]
        assert len(phrases) == len(set(phrases))
    assert all(phrase and phrase == phrase.lower() for phrase in listed)


@each(
    "name, text, found",
    [
        ("away", "out of office", True),
        ("away", "out of officers", False),
        ("away", "vacation: ", False),
        ("away", "on vacation: x", True),
        ("away", "on vacation over", False),
        ("away", "不在办公室里", True),
        ("sent_from", "von meinem iphone", True),
        ("sent_from", "von * iphone", False),
        ("sent_from", "von unterwegs gesendet", True),
    ],
)
def test_a_phrase_ends_with_a_word_or_a_colon(name: str, text: str, found: bool) -> None:
    """Languages without spaces are excepted, and ``*`` stands for the rest of a word."""
    assert (re.match(match_phrases(name), text) is not None) is found
