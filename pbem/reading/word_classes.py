"""Small classes of words by name, kept in ``data/classes.txt``. Pure."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files


def load_classes(name: str) -> frozenset[str]:
    """Return the words and phrases of the class ``name``."""
    return _classes()[name]


def load_meanings(name: str) -> Mapping[str, str]:
    """Return what the words of several classes mean: ``colours white`` holds those that mean white."""
    named = (key.partition(" ") for key in _classes())
    return {word: meant for key, _, meant in named if key == name and meant for word in _classes()[f"{key} {meant}"]}


@cache
def beginnings(name: str) -> re.Pattern[str]:
    """Return a pattern for how the words of a class begin; those that end with a point are whole."""
    return any_beginning(load_classes(name))


def any_beginning(stems: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for words that begin so; those that end with a point are whole."""
    return re.compile(
        "|".join(f"{re.escape(stem[:-1])}$" if stem[-1] == "." else re.escape(stem) for stem in sorted(stems))
    )


@cache
def _classes() -> Mapping[str, frozenset[str]]:
    """Return all classes by name."""
    found: dict[str, set[str]] = {}
    name = ""
    for line in files(__package__).joinpath("data", "classes.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
            found[name] = set()
        elif line and not line.startswith("#"):
            found[name].update(phrase.strip() for phrase in line.split("|"))
    return {key: frozenset(words) for key, words in found.items()}
