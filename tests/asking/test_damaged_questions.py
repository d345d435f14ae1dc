"""A damaged row of a question harms its own answer, which can be read again when the row is restored."""

import pytest

from pbem.storage.damage import list_damage
from tests.support.questions import BY_NAME, EVE, Clubs

UNREADABLE = ("about = '{x'", "about = '[]'", "asked_at = 'x'", "state = 'x'", "kind = 'x'")
ODD = (
    "about = '{}'",
    """about = '{"offers": ["x"], "invitation": "x", "wishes": 7, "turn": "x", "offered": 5}'""",
    """about = '{"offers": [99999999999999999999], "invitation": -1, "turn": 1e99, "offered": [[]]}'""",
)


@pytest.mark.parametrize("damage", [*UNREADABLE, *ODD])
@pytest.mark.parametrize("name", ["draw", "signing up", "invitation of a player", "stand-in", "whose address is it"])
def test_a_damaged_question_is_no_bug(clubs: Clubs, name: str, damage: str) -> None:
    """Its answer waits for the operator, whom the doctor tells; others are asked such things, and play on."""
    posed = clubs.asked(BY_NAME[name])
    with posed.club.service.database.transaction() as tx:
        tx.questions._connection.exec_driver_sql(f"UPDATE question SET {damage}")
    assert damage in ODD or "The row of question 1 is damaged: restore it from a backup." in list_damage(
        posed.club.service.database
    )
    answered = posed.answer().message
    assert answered.code == "damaged" or answered.status != "failed"
    assert posed.club.reply(0, "show").message.status == "accepted"


@pytest.mark.parametrize("damage", UNREADABLE)
def test_a_damaged_question_keeps_nobody_else_from_being_asked(clubs: Clubs, damage: str) -> None:
    """It is one of the same kind."""
    posed = clubs.asked(BY_NAME["following"])
    with posed.club.service.database.transaction() as tx:
        tx.questions._connection.exec_driver_sql(f"UPDATE question SET {damage}")
    assert posed.club.write("watch 1", EVE).message.status == "accepted"
    assert [mail.recipient for mail in posed.club.queued(kind="confirm_follow")][1:] == [EVE]
