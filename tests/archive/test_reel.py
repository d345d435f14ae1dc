"""Reels: the frames of a match in few bytes."""

import json
from typing import Any

from pbem.archive.match.frames import Film
from pbem.archive.match.reel import wind
from tests.support.each import each
from tests.support.reels import unwind
from tests.support.walks import Case, every_case, long_walk, walk


def laid_over(frames: Any) -> list[dict[str, Any]]:
    """Return what there is to see after each entry, of frames laid one over the other."""
    seen: dict[str, Any] = {"cells": {}}
    shown = []
    for frame in frames:
        cells = seen["cells"] | {place: look for place, *look in frame.get("cells", ())}
        seen = seen | frame | {"cells": {place: look for place, look in cells.items() if look != [""]}}
        shown.append(seen)
    return shown


@each("case", every_case()[::2], ids=str)
def test_a_reel_shows_what_its_frames_show(case: Case) -> None:
    """Unwound, it is the same after each entry, also when somebody has left; and JSON takes nothing away."""
    frames = Film(walk(case, 4, 0.01).positions).frames
    assert unwind(json.loads(json.dumps(wind(frames)))) == laid_over(frames)


def test_a_long_reel_takes_a_third() -> None:
    """Of a match with many battles, whose sentences differ in a number most often."""
    case = Case("pipelines", 3, (("size", 7),))
    frames = Film(long_walk(case, 1).positions).frames
    assert len(json.dumps(wind(frames))) * 3 < len(json.dumps(frames))


def test_whatever_a_sentence_has_is_kept() -> None:
    """Signs that stand for numbers, numbers that are no plain ones, and a text of a number alone."""
    told = ["#1 of 2", "007, 1.50 and 12345678901", "3", "", "no. 4#"]
    frames = [{"standing": told, "captions": [], "roles": [None], "to_act": 0}]
    assert unwind(wind(frames))[0]["standing"] == told


def test_marks_come_and_go() -> None:
    """On pieces, empty and closed cells, and on a line; also on cells that are otherwise as they were."""
    looks = ["black last", "last", "black last line", "last closed", "closed", "black line", "black", ""]
    frames: list[dict[str, Any]] = [
        {"standing": [], "captions": [], "roles": [], "to_act": "die", "cells": [[0, "black"]]}
    ]
    frames += [{"cells": [[place, look], [place + 1, "last"]]} for look in looks for place in (0, 2)]
    assert unwind(wind(frames)) == laid_over(frames)
