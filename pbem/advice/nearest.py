"""Finds what a refused line may have meant: legal moves that it holds, or nearly holds. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import Any

from pbem.reading.corrections import split_corrections, split_negated
from pbem.reading.move_phrases import WORD_MOVES
from pbem.reading.sentences import legal
from pbem.reading.typos import edits, fold
from rules.position import Position

# Bounds that keep the search short on every board, whatever was written.
_LISTED, _TRIED, _MOST_CHOICES = 400, 60, 4  # moves, lines made of similar words, words similar to one
_MOST_WORDS, _FEW = 12, 4  # words of a line; with more than a few it is a sentence

_PARTED = re.compile(r"(?<![a-z0-9])([a-z])[\s,.:_–-]{1,3}([0-9]{1,2})(?![a-z0-9])")  # "e-4", "e, 4"
_NUMERAL = re.compile(r"\b[a-z](?=[oil]*[0-9])[0-9oil]{2,3}\b|^[a-z][il][oil]?$")  # "c1O"; "cl" alone
_TURNED = re.compile(r"(?<![^\W_])([0-9]{1,2})[,–-]?([a-z])(?![^\W_])")
_JOINED = re.compile(r"(?:[a-z][0-9]{1,2}){2,}")
_OR = re.compile(r"\b(?:or|oder|ou|of|eller)\b")
_ACROSS = frozenset({"column", "col", "spalte", "colonne", "columna", "colonna"})
_UP = frozenset({"row", "zeile", "reihe", "ligne", "fila", "riga"})


def nearest(position: Position[Any], text: str, most: int = 3) -> tuple[str, ...]:
    """Return the legal moves that ``text`` holds or nearly holds, at most ``most``, in canonical notation.

    Nothing when ``text`` is a legal move, when nothing is close, or when too many moves are equally close.
    """
    if legal(position, text):
        return ()
    line = fold(text)
    found = [move for name in _numbered_cells(line) if (move := legal(position, name))]
    few = len(line.split()) <= _FEW
    for part in () if found else (part for whole in split_corrections(line) for part in _OR.split(whole)):
        move = legal(position, part)
        found += [move] if move else _moves_in(position, _words(part), few=few, most=most)
    return tuple(dict.fromkeys(found))[:most]


def nearest_wanted(position: Position[Any], text: str, most: int = 3) -> tuple[str, ...]:
    """Return the same without moves that the sender says they do not want."""
    wanted, unwanted = split_negated(text)
    if not core_of(position, unwanted):
        return nearest(position, text, most)
    move = legal(position, wanted)
    return (move,) if move else nearest(position, wanted, most)


def core_of(position: Position[Any], text: str) -> str:
    """Return the part of ``text``, in small letters, from its first to its last word that a move may consist of."""
    words = [word for part in re.split(r"[\s,]+", fold(text)) if (word := part.strip(".:!?\"'“”„«»*_()"))]
    known = _vocabulary(position)[0].union(WORD_MOVES if len(words) <= _FEW else ())
    places = [place for place, word in enumerate(words) if word in known or any(map(str.isdigit, word))]
    return " ".join(words[places[0] : places[-1] + 1]) if places else ""


@lru_cache(maxsize=8)  # a message may have several lines that are no move
def _vocabulary(position: Position[Any]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that moves may be made of here, and all that are no typos: taken cells among them."""
    cells = [cell for cell in position.view().cells if not cell.die]
    words = {word for move in islice(position.legal_moves(), _LISTED) for word in str(move).split()}
    words.update(cell.name for cell in cells if not cell.piece)
    return frozenset(words), frozenset(words.union(cell.name for cell in cells))


def _words(line: str) -> list[str]:
    """Return the words of a line, its cells as they are named: apart, the letter first, digits for letters."""
    plain = _NUMERAL.sub(lambda found: found[0][0] + re.sub("[il]", "1", found[0][1:]).replace("o", "0"), line.strip())
    plain = _TURNED.sub(r"\2\1", _PARTED.sub(r"\1\2", plain))
    words: list[str] = []
    for word in re.findall(r"[^\W_]+", plain)[:_MOST_WORDS]:
        words += re.findall("[a-z][0-9]+", word) if _JOINED.fullmatch(word) else [word]
    return words[:_MOST_WORDS]


def _numbered_cells(line: str) -> tuple[str, ...]:
    """Return the names of the cells that two numbers may mean, as in "(3, 4)" or "row 4, column 3"."""
    words = re.findall(r"[^\W_]+", line)
    numbers = [int(word) for word in words if re.fullmatch("[1-9]|1[0-9]|2[0-6]", word, re.ASCII)]
    others = [word for word in words if not any(map(str.isdigit, word))]
    if len(numbers) != 2 or len(numbers) + len(others) != len(words):
        return ()
    (first, second), named = numbers, next((word for word in others if word in _ACROSS | _UP), "")
    across_first, up_first = f"{chr(96 + first)}{second}", f"{chr(96 + second)}{first}"
    if named:
        return (up_first,) if named in _UP else (across_first,)
    return () if others else (up_first, across_first)


def _moves_in(position: Position[Any], words: Sequence[str], *, few: bool, most: int) -> list[str]:
    """Return the moves that ``words`` may mean; similar words may stand for those that tell nothing as they are."""
    known, correct = _vocabulary(position)
    choices = [
        choice
        for word in words
        if (choice := [word] if word in correct else _choices(word, known, few=few, alone=len(words) == 1))
    ]
    if not choices or (not few and not any(any(map(str.isdigit, choice[0])) for choice in choices)):
        return []  # without a digit, a word in a sentence is just a word
    numbered = [word for word in words if any(map(str.isdigit, word))]
    joined = _similar("".join(numbered), known) if len(numbered) > 1 else []  # "d3 d4" is nearly "d3xd4"
    lines = [list(line) for line in islice(product(*choices), _TRIED)]
    for texts in (joined, (" ".join(line) for line in lines)):
        if found := _legal_among(position, texts):
            return found if len(found) <= most else []
    likely = [choice[0] if len(choice) == 1 else "?" for choice in choices]
    if found := list(_runs(position, likely)):
        return found
    shorter = (" ".join([*likely[:place], *likely[place + 1 :]]) for place in range(len(likely)))
    found = _legal_among(position, shorter)
    return found if len(found) <= most else []


def _legal_among(position: Position[Any], lines: Iterable[str]) -> list[str]:
    """Return the legal moves among ``lines``, each once."""
    return list(dict.fromkeys(move for line in lines if (move := legal(position, line))))


def _runs(position: Position[Any], words: Sequence[str]) -> Iterator[str]:
    """Yield the longest runs of ``words`` that are legal moves; ``c3 d3`` holds two where one cell is a move."""
    seen: set[int] = set()
    for length in range(len(words) - 1, 0, -1):
        for start in range(len(words) - length + 1):
            places = range(start, start + length)
            if not seen.issuperset(places) and (move := legal(position, " ".join(words[start : start + length]))):
                seen.update(places)
                yield move


def _choices(word: str, known: frozenset[str], *, few: bool, alone: bool) -> list[str]:
    """Return what an unknown ``word`` may be in a move: a few similar words, or nothing that can be a part of it."""
    numbered = any(map(str.isdigit, word)) and (few or not word.isdigit())
    may_be_typo = numbered or (few and len(word) > 2) or (alone and len(word) == 1)
    near = _similar(word, known) if may_be_typo else []
    return near if 0 < len(near) <= _MOST_CHOICES else [word] if numbered else []


def _similar(word: str, known: frozenset[str]) -> list[str]:
    """Return the words that differ from ``word`` by one typo, preferably the next letter or number."""
    close = sorted(other for other in known if abs(len(word) - len(other)) <= 1 and edits(word, other) == 1)
    code = sum(map(ord, word))
    return [other for other in close if len(other) != len(word) or abs(code - sum(map(ord, other))) <= 1] or close
