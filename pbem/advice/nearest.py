"""Finds what a refused line may have meant: the legal moves close to it, and which of its words can be read."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import permutations
from typing import Any

from pbem.commands import FAR, LONGEST, difference, fold, pieces, with_digits
from rules import AmbiguousMove, Position, RulesError

_APART = 0.45
"""A move that differs so much more than the closest one was not meant."""

# Bounds that keep the search short on every board, whatever was written.
_LISTED, _NO_NEWS = 1100, 80  # squares of words in the moves looked at, and moves in a row without a new word
_LONGEST_WORD, _MOST_WORDS, _MOST_PIECES, _FEW = 20, 20, 9, 6
_CHOICES, _TRIED = 5, 12

_JOINED = re.compile(r"(?:[a-z][0-9]{1,2}){2,}|(?:[0-9]{1,2}[a-z]){2,}")
_OR = frozenset({"or", "oder", "ou", "o", "of", "eller"})

Pieces = tuple[str, ...]

Vocabulary = dict[str, Pieces]
"""The words that moves are made of, and the pieces of each."""


def nearest(position: Position[Any], text: str, most: int = 3) -> tuple[str, ...]:
    """Return the legal moves closest to what was written, at most ``most``, in canonical notation, closest first.

    Nothing when ``text`` is a legal move, when nothing is close, or when too many moves are equally close.
    """
    if legal(position, text):
        return ()
    listed, vocabulary = _listed(position)
    line = fold(text)
    costs: dict[str, float] = {}
    for written, extra in {with_digits(line): 0.2, line: 0.0}.items():
        words = _words(written)
        found = [*_named(position, words, vocabulary), *_built(position, words, vocabulary)]
        found += [(move, 1.0) for name in _numbered(words) if (move := legal(position, name))]
        if len(its := pieces(" ".join(words))) <= _MOST_PIECES:
            found += _alike(its, ((move, pieces(move)) for move in listed))
        for move, cost in found:
            costs[move] = min(round(cost + extra, 2), costs.get(move, FAR + 1))
    order = {move: place for place, move in enumerate(listed)}
    least = min(costs.values(), default=0.0)
    close = [move for move, cost in costs.items() if cost <= min(FAR, least + _APART)]
    close.sort(key=lambda move: (costs[move], order.get(move, _LISTED), move))
    if len(close) > most:
        alike = [move for move in close if costs[move] == costs[close[most]]]
        if len(alike) > most + 1:
            close = [move for move in close if costs[move] < costs[alike[0]]]
    return tuple(close[:most])


def understood(position: Position[Any], text: str) -> tuple[tuple[str, ...], str]:
    """Return the words of a short ``text`` that can be read as parts of a move here, and the first that cannot, or "".

    A word can be read if it is a move by itself, legal or not, or makes one with all the words before it.
    """
    split = (word.strip(".;:!\"'“”„«»*_()") for word in re.split(r"[\s,]+", text[:LONGEST]))
    words = [word for word in split if word][:_FEW]
    together = next((count for count in range(len(words), 0, -1) if _well_formed(position, words[:count])), 0)
    unread = [place for place, word in enumerate(words) if place >= together and not _well_formed(position, [word])]
    return tuple(word for place, word in enumerate(words) if place not in unread), words[unread[0]] if unread else ""


def gist(position: Position[Any], text: str) -> str:
    """Return the part of ``text``, in small letters, from its first to its last word that a move may consist of."""
    words = [word.strip("\t .:!?\"'“”„«»*_()") for word in re.split(r"[\s,]+", fold(text))]
    words = [word for word in words if word]
    few = len(words) <= _FEW
    _, vocabulary = _listed(position)

    def telling(word: str) -> bool:
        known = any(map(str.isdigit, word)) or word in vocabulary
        return known or (few and _well_formed(position, [word]))

    places = [place for place, word in enumerate(words) if telling(word)]
    return " ".join(words[places[0] : places[-1] + 1]) if places else ""


def legal(position: Position[Any], text: str) -> str:
    """Return the canonical notation of ``text`` if it is a legal move here, else an empty text."""
    try:
        move = position.parse(text)
        position.play(move)
    except RulesError:
        return ""
    return str(move)


@lru_cache(maxsize=8)  # a letter may have several lines that are no move
def _listed(position: Position[Any]) -> tuple[list[str], Vocabulary]:
    """Return the first legal moves, and the words that moves are made of."""
    moves: list[str] = []
    words: dict[str, None] = {}
    read = news = 0
    for move in map(str, position.legal_moves()):
        its = move.split()
        moves.append(move)
        read += len(its) ** 2  # long lines are slow to come by, and told by their words
        news = news if words.keys() >= set(its) else len(moves)
        words.update(dict.fromkeys(its))
        if read >= _LISTED or len(moves) - news > _NO_NEWS:
            break
    words.update(dict.fromkeys(cell.name for cell in position.view().cells if not cell.piece and not cell.die))
    return moves, {word: pieces(word) for word in words}


def _well_formed(position: Position[Any], words: Sequence[str]) -> bool:
    """Return whether ``words`` can be read as a move, legal or not."""
    try:
        position.parse(" ".join(words))
    except AmbiguousMove:
        return True
    except RulesError:
        return False
    return True


def _words(line: str) -> tuple[str, ...]:
    """Return the words of a line; cells that were written together are taken apart."""
    words: list[str] = []
    for word in re.findall(r"[^\W_]+", line)[:_MOST_WORDS]:
        together = _JOINED.fullmatch(word)
        words += re.findall("[a-z][0-9]+|[0-9]+[a-z]", word) if together else [word[:_LONGEST_WORD]]
    return tuple(words[:_MOST_WORDS])


def _numbered(words: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the cells that two numbers alone may mean, as in "(3, 4)" or "row 4, column 3"."""
    numbers = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) <= 2]
    others = [word for word in words if not word.isdigit()]
    if len(numbers) != 2 or not all(1 <= number <= 26 for number in numbers) or any(len(word) < 2 for word in others):
        return ()
    across, up = (chr(ord("a") + number - 1) for number in numbers)
    row_first = (f"{up}{numbers[0]}",)
    if others[:1] in (["row"], ["zeile"], ["reihe"]):
        return row_first
    return (f"{across}{numbers[1]}", *row_first) if len(others) in (0, 2) else ()


def _named(position: Position[Any], words: Sequence[str], vocabulary: Vocabulary) -> Iterator[tuple[str, float]]:
    """Yield moves that stand as they are among other words, and how far that is from having written them alone."""
    alternatives = not _OR.isdisjoint(words)
    weights = [
        0.0 if alternatives else 0.4 if word in vocabulary else 0.8 if len(pieces(word)) > 1 else 0.0 for word in words
    ]
    seen = [False] * len(words)
    for length in range(min(_FEW, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            run = slice(start, start + length)
            # Without a digit, a word in a sentence is just a word.
            telling = len(words) <= 4 or (words[start] in vocabulary and any(map(str.isdigit, "".join(words[run]))))
            cost = round(0.4 + sum(weights) - sum(weights[run]), 2)
            if telling and cost <= FAR and not all(seen[run]) and (move := legal(position, " ".join(words[run]))):
                seen[run] = [True] * length
                yield move, cost


def _built(position: Position[Any], words: Sequence[str], vocabulary: Vocabulary) -> Iterator[tuple[str, float]]:
    """Yield moves of several words, each the same, similar, or left out, or all in another order."""
    if not 2 <= len(words) <= _FEW or not _OR.isdisjoint(words):
        return
    if all(word in vocabulary for word in words):
        orders = permutations(words) if len(words) <= 3 else (reversed(words),)
        yield from ((move, 0.5) for order in orders if (move := legal(position, " ".join(order))))
    choices = [_choices(word, vocabulary) for word in words]
    # The sums of costs in rising order: each step takes the next best choice for one of the words.
    queue: list[tuple[float, tuple[int, ...]]] = []
    known = set[tuple[int, ...]]()

    def enqueue(*picks: int) -> None:
        if picks not in known and all(pick < len(choice) for pick, choice in zip(picks, choices, strict=True)):
            known.add(picks)
            heappush(queue, (sum(choice[pick][1] for pick, choice in zip(picks, choices, strict=True)), picks))

    enqueue(*[0] * len(words))
    for _ in range(_TRIED):
        cost, picks = heappop(queue) if queue else (FAR + 1, ())
        if cost > FAR:
            return
        chosen = (choice[pick][0] for pick, choice in zip(picks, choices, strict=True))
        if move := legal(position, " ".join(filter(None, chosen))):
            yield move, cost
        for place in range(len(picks)):
            enqueue(*picks[:place], picks[place] + 1, *picks[place + 1 :])


def _choices(word: str, vocabulary: Vocabulary) -> list[tuple[str, float]]:
    """Return words that may have been meant by ``word``, "" for none, each with its cost, the least first."""
    near = _alike(pieces(word), vocabulary.items())
    found = sorted((pair for pair in near if pair[1] <= 1), key=lambda pair: pair[1])[:_CHOICES]
    # A word that tells nothing was said besides, one that is right may be one too many; any other was meant.
    without = 0.7 if word in vocabulary else FAR + 1 if any(char.isdigit() for char in word) else 0.3
    return sorted([*found, ("", without)], key=lambda pair: pair[1])


def _alike(written: Pieces, known: Iterable[tuple[str, Pieces]]) -> Iterator[tuple[str, float]]:
    """Yield what of ``known`` may be close to the pieces ``written``, and how close: it has most of them, or is one."""
    for text, its in known:
        missing = sum(piece not in written for piece in its)
        if missing <= 2 and (missing < len(its) or missing == 1):
            yield text, difference(written, its)
