"""A damaged row of a question harms its own answer, which can be read again when the row is restored."""

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.storage.tables import QUESTION
from tests.support.questions import BY_NAME, Clubs

ODD = {"offers": ["x"], "invitation": "x", "wishes": 7, "turn": "x", "offered": 5}
DAMAGES: Mapping[str, dict[str, Any]] = {
    "nothing": {"about": {}},
    "a list": {"about": []},
    "odd values": {"about": ODD},
    "no kind": {"kind": "x"},
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["draw", "signing up", "invitation of a player", "stand-in", "whose address is it"])
def test_a_damaged_question_is_no_bug(clubs: Clubs, name: str, damage: str) -> None:
    """Its answer waits for the operator, and everybody else is answered."""
    posed = clubs.asked(BY_NAME[name])
    with posed.club.service.database.transaction() as tx:
        tx.questions._set(QUESTION, QUESTION.c.id > 0, **DAMAGES[damage])
    answered = posed.answer().message
    assert answered.code == "damaged" or answered.status != "failed"
    assert posed.club.reply(0, "show").message.status == "accepted"
