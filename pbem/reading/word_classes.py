"""Words and phrases by what they are for, as text files in a ``data`` folder hold them. Pure."""

from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple


def load_classes(name: str) -> frozenset[str]:
    """Return the words and phrases of the class ``name``."""
    return _classes()[name]


def load_meanings(name: str) -> Mapping[str, str]:
    """Return what the words of several classes mean: ``colours white`` holds those that mean white."""
    named = (key.partition(" ") for key in _classes())
    return {word: meant for key, _, meant in named if key == name and meant for word in _classes()[f"{key} {meant}"]}


class Beginnings(NamedTuple):
    """How words begin, and words that are ``whole``."""

    begun: tuple[str, ...]
    whole: frozenset[str]

    def match(self, word: str) -> bool:
        """Return whether a word begins so."""
        return word.startswith(self.begun) or word in self.whole


@cache
def beginnings(name: str) -> Beginnings:
    """Return how the words of a class begin; those that end with a point are whole."""
    return any_beginning(load_classes(name))


def any_beginning(stems: Collection[str]) -> Beginnings:
    """Return words that begin so; those that end with a point are whole."""
    begun = tuple(sorted(stem for stem in stems if stem[-1] != "."))
    return Beginnings(begun, frozenset(stem[:-1] for stem in stems if stem[-1] == "."))


@cache
def _classes() -> Mapping[str, frozenset[str]]:
    """Return all classes by name."""
    return {name: frozenset(words) for name, words in load_list("classes").items()}


def load_list(name: str, package: str = __package__) -> dict[str, tuple[str, ...]]:
    """Return the phrases of a list by the headings that they stand below: a language, a class, or several.

    A file holds phrases parted by ``|`` or line breaks; ``#`` begins a comment. ``package`` is whose ``data`` it is in.
    """
    found: dict[str, list[str]] = {}
    heading = ""
    for line in files(package).joinpath("data", f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            heading = line.strip("[] ")
            found.setdefault(heading, [])
        elif line and not line.startswith("#"):
            found.setdefault(heading, []).extend(filter(None, (" ".join(one.split()) for one in line.split("|"))))
    return {heading: tuple(phrases) for heading, phrases in found.items()}


def load_phrases(name: str, package: str = __package__) -> frozenset[str]:
    """Return the phrases of such a list under all its headings."""
    return frozenset(phrase for phrases in load_list(name, package).values() for phrase in phrases)
