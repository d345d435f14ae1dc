"""A reel: the frames of a match in few bytes, for its page. What frames repeat is there once, and numbers stand for it.

``rolls``, ``texts`` and ``looks`` are lists that numbers count in: the names of rolls, sentences with a "#" for each
number in them, and what lies on a cell (its sprite, of a die with its numbers) without the mark of the last move. Of
``frames`` each is a list; whatever is as in the frame before is 0, and left out at the end:

1. who is to act: a seat, the number of a roll as ``~number``, which is below zero, or None after the end; always there
2. cells that look different: the number of a look as ``~number``, the places that look so, the next look, and so on
3. places that bear the mark of the last move, as ``~place`` that of an earlier part of it; 1 if these are those that
   look different
4. and 5. the sentences below the board, ``standing`` and ``captions``: for each the number of its text, or a list of
   that number and those in it; a text of its own for one with a "#"
6. the role of each seat
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pbem.archive.match.frames import Frame

_LAST, _EARLIER = "last", "earlier"
_NUMBER = re.compile(r"(?<![0-9])(?:0|[1-9][0-9]{0,8})(?![0-9])")
_LISTED = ("standing", "captions")


class _Numbered(dict[Any, int]):
    """Numbers in the order in which what they stand for was first asked for."""

    def __missing__(self, key: Any) -> int:
        """Number what is new."""
        self[key] = len(self)
        return self[key]


def wind(frames: Sequence[Frame]) -> Mapping[str, Any]:
    """Return the reel of ``frames``, ready for JSON."""
    rolls, texts, looks = _Numbered(), _Numbered(), _Numbered()
    seen: dict[int, tuple[str | int, ...]] = {}
    marked: set[int] = set()  # as numbers stand for them
    wound = []
    awaited: int | str | None = None
    for frame in frames:
        awaited = frame.get("to_act", awaited)
        changed: dict[tuple[str | int, ...], list[int]] = {}
        before = set(marked)
        for place, key, *numbers in frame.get("cells", ()):
            words = key.split(" ")
            marked -= {place, ~place}
            if _LAST in words:
                marked.add(~place if _EARLIER in words else place)
            look = (" ".join(word for word in words if word not in (_LAST, _EARLIER)), *numbers)
            if seen.get(place, ("",)) != look:
                changed.setdefault(look, []).append(place)
                seen[place] = look
        parts: list[Any] = [
            ~rolls[awaited] if isinstance(awaited, str) else awaited,
            [number for look, places in changed.items() for number in (~looks[look], *places)] or 0,
            _name_marked(marked, {place for places in changed.values() for place in places}) if marked != before else 0,
            *([_number_sentence(sentence, texts) for sentence in frame[key]] if key in frame else 0 for key in _LISTED),
            frame.get("roles", 0),
        ]
        while len(parts) > 1 and parts[-1] == 0:
            parts.pop()
        wound.append(parts)
    return {
        "rolls": list(rolls),
        "texts": list(texts),
        "looks": [look if len(look) > 1 else look[0] for look in looks],
        "frames": wound,
    }


def _name_marked(marked: Collection[int], changed: Collection[int]) -> list[int] | int:
    """Return the places of the last move; 1 where these are the ones that look different."""
    return 1 if marked == changed else sorted(marked)


def _number_sentence(sentence: str, texts: _Numbered) -> int | str | list[int]:
    """Return what stands for a sentence."""
    if "#" in sentence:
        return sentence
    text, numbers = texts[_NUMBER.sub("#", sentence)], [int(number) for number in _NUMBER.findall(sentence)]
    return [text, *numbers] if numbers else text
