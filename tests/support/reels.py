"""Reels, unwound as templates/archive/replay.js does it."""

from collections.abc import Mapping, Sequence
from typing import Any

_WORDS = ("last earlier", "last")


def unwind(reel: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what there is to see after each entry: ``cells`` by their places, and the rest as frames have it."""
    lying: dict[int, list[Any]] = {}
    marked: list[int] = []
    told: dict[str, Any] = {}
    shown = []
    for frame in reel["frames"]:
        awaited, changes, last, standing, captions, roles = [*frame, 0, 0, 0, 0, 0][:6]
        changed: list[int] = []
        look: list[Any] = []
        for number in changes or ():
            if number < 0:
                found = reel["looks"][~number]
                look = found if isinstance(found, list) else [found]
            else:
                changed.append(number)
                lying[number] = look
        if last != 0:
            marked = changed if last == 1 else last
        told["to_act"] = reel["rolls"][~awaited] if isinstance(awaited, int) and awaited < 0 else awaited
        for key, sentences in (("standing", standing), ("captions", captions)):
            if sentences != 0:
                told[key] = [_spell(sentence, reel["texts"]) for sentence in sentences]
        if roles != 0:
            told["roles"] = roles
        cells = {
            place: [_mark(key, _WORDS[place in marked]) if {place, ~place} & {*marked} else key, *numbers]
            for place, (key, *numbers) in ({max(place, ~place): [""] for place in marked} | lying).items()
        }
        shown.append({**told, "cells": {place: look for place, look in cells.items() if look != [""]}})
    return shown


def _spell(sentence: int | str | Sequence[int], texts: Sequence[str]) -> str:
    """Return a sentence with its numbers."""
    if isinstance(sentence, str):
        return sentence
    number, *numbers = [sentence] if isinstance(sentence, int) else sentence
    parts = texts[number].split("#")
    return "".join(text + str(number) for text, number in zip(parts, numbers, strict=False)) + parts[-1]


def _mark(key: str, words: str) -> str:
    """Return what lies on a cell with the mark of the last move, which stands behind a piece."""
    piece, *marks = key.split(" ")
    return " ".join(filter(None, [words, key] if piece in ("line", "closed", "") else [piece, words, *marks]))
