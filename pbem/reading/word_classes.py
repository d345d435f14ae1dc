"""Small classes of words by name, kept in ``data/classes.txt``. Pure."""

from collections.abc import Mapping
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
