"""Frames: how a match looked after each of its entries."""

from typing import Any

import pytest

from pbem.archive.match.frames import Film
from pbem.boards.svg import svg_board
from pbem.notices.sentences.boards import picture_words
from rules.position import Chance
from tests.support.drawn import Drawn, Picture
from tests.support.walks import Case, every_case, walk


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", every_case(), ids=str)
def test_frames_give_the_picture_of_every_position(case: Case) -> None:
    """Laid one over the other they show, after each entry, exactly what is drawn of that position, and what is told."""
    positions = walk(case, 1, 0.01).positions
    film = Film(positions)
    view = positions[-1].view()
    sprites = Picture(svg_board(view, picture_words(view), film.sprites.values())).sprites
    cells = [empty := Drawn("", ("",) * 5 if view.looks == "dice" else ())] * len(view.cells)
    told: dict[str, Any] = {}
    for ply, (position, frame) in enumerate(zip(positions, film.frames, strict=True)):
        for place, key, *numbers in frame.get("cells", ()):
            sprite = sprites["p-" + key.replace(" ", "-")] if key else ""
            cells[place] = Drawn(sprite, tuple(map(str, numbers)) or empty.numbers)
        told |= {key: value for key, value in frame.items() if key != "cells"}
        view, awaited = position.view(), position.to_act
        assert cells == Picture(svg_board(view, picture_words(view))).cells, ply
        assert told == {
            "standing": [str(sentence) for sentence in view.standing],
            "captions": [str(sentence) for sentence in view.captions],
            "roles": list(position.roles()),
            "to_act": awaited.what if isinstance(awaited, Chance) else awaited,
        }


def test_a_frame_holds_only_what_has_changed() -> None:
    """After a move on a board of points that is its stone and the mark of the move before, never the whole board."""
    film = Film(walk(Case("zipline", 2, (("size", 5),)), 1).positions)
    assert set(film.frames[0]) == {"standing", "captions", "roles", "to_act"}  # an empty board
    assert all(len(frame.get("cells", ())) <= 4 for frame in film.frames[:-1])
