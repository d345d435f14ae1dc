"""Stand-ins, and players who play on for others: who has to agree, what comes back, and what is tried with it."""

from datetime import timedelta

import pytest

from pbem.asking.forgetting import forget
from pbem.pipeline.act import Act
from pbem.running.service import Arrival
from tests.support.clocks import clock, opened, wait
from tests.support.club import PLAYERS, Club
from tests.support.laid import After

DORA, EVE = "Dora <dora@d.example>", "Eve <eve@e.example>"


def _trio(club: Club) -> None:
    club.open("zipline", PLAYERS, days=3)
    club.open("pipline", (DORA, EVE))
    for seat, move in ((0, "c3"), (1, "take"), (2, "b2")):
        club.reply(seat, move)
    assert club.match().to_act == 0
    wait(club, minutes=1)


@pytest.fixture
def trio(after: After) -> Club:
    """A match of three that has begun, Ann to act, and two players of another match who may be asked."""
    return after(_trio)


def answer(club: Club, words: str = "yes", kind: str = "seat_offered", **headers: str) -> Arrival:
    """Answer the newest email of a kind, and let the service do what is due."""
    arrival = club.answer_kind(kind, -1, words, **headers)
    wait(club, minutes=1)
    return arrival


def names(club: Club) -> list[str]:
    """Return who plays in match 1."""
    return [player.name for player in club.match().players]


def stand_in(club: Club, who: str = "Dora") -> None:
    """Let Ann name a stand-in who says yes."""
    club.reply(0, f"standin {who} until 1 dec")
    answer(club)


def test_a_stand_in_has_the_seat_until_that_day(trio: Club) -> None:
    """And then it is the player’s again; all are told, each time."""
    stand_in(trio)
    assert names(trio) == ["Dora", "Bob", "Carl"]
    trio.reply(0, "d4")
    assert trio.moves()[-1] == "d4"
    wait(trio, days=12)
    assert names(trio) == ["Ann", "Bob", "Carl"]
    assert [mail.recipient for mail in trio.queued(kind="replaced")] == ["ann@a.example", "dora@d.example"]


def test_whoever_said_no_is_not_asked_again(trio: Club) -> None:
    """About the same seat of the same match."""
    trio.reply(0, "standin Dora until 1 dec")
    answer(trio, "no")
    assert names(trio) == ["Ann", "Bob", "Carl"]
    trio.reply(0, "standin Dora until 1 dec")
    assert len(trio.queued(kind="seat_offered")) == 1


def test_a_stand_ins_emails_end_with_it(trio: Club) -> None:
    """As those of the player do meanwhile."""
    of_ann = trio.newest(0)
    stand_in(trio)
    of_dora = trio.newest(0)
    assert trio.service.hand_in(trio.answer(of_ann, "d4")).message.status == "rejected"
    trio.reply(0, "standin off")
    wait(trio, minutes=1)
    assert names(trio)[0] == "Ann"
    assert trio.service.hand_in(trio.answer(of_dora, "d4")).message.status == "rejected"
    assert trio.service.hand_in(trio.answer(of_ann, "d4")).message.status == "rejected"
    assert trio.reply(0, "d4").message.status == "accepted"


def test_a_stand_in_hands_the_seat_on_to_nobody(trio: Club) -> None:
    """No chains: the player has chosen one."""
    stand_in(trio)
    assert trio.reply(0, "standin Eve until 30 nov").message.status == "rejected"
    assert trio.reply(1, "replace Dora with Eve").message.status == "rejected"


def test_a_stand_in_gains_nobody_time(trio: Club) -> None:
    """Coming and going, the bank is what it was."""
    wait(trio, days=2)
    spent = clock(trio).left(trio.clock.now(), trio.match().players[0].calendar)
    stand_in(trio)
    assert clock(trio).bank <= spent
    trio.reply(0, "standin off")
    wait(trio, minutes=1)
    assert clock(trio).bank <= spent


def test_no_stand_in_comes_after_the_flag(trio: Club) -> None:
    """Time that is up is up."""
    trio.reply(0, "auto off")
    wait(trio, days=4)
    assert clock(trio).halted == "flagged"
    assert trio.reply(0, "standin Dora until 4 dec").message.status == "rejected"


def test_a_stand_in_who_is_forgotten_gives_the_seat_back(trio: Club) -> None:
    """What they leave befalls nobody else."""
    stand_in(trio)
    with trio.service.database.reading() as tx:
        dora = tx.players.find("dora@d.example")
    assert dora
    with trio.service.database.transaction() as tx:
        forget(Act(tx, trio.service.site, trio.clock.now()), dora.id)
    assert names(trio)[0] == "Ann"
    assert trio.match().outcome is None
    assert "resign" not in trio.moves()


@pytest.mark.parametrize("sooner", [True, False])
def test_a_stand_in_for_somebody_who_is_forgotten_keeps_the_seat_and_is_told(trio: Club, sooner: bool) -> None:
    """Nobody is left who could have it back; all hear of it, and the match does not wait for anybody who is gone."""
    stand_in(trio)
    trio.reply(0, "d4")
    with trio.service.database.transaction() as tx:
        forget(Act(tx, trio.service.site, trio.clock.now()), 1)
    if sooner:
        trio.reply(0, "standin off")
    wait(trio, days=0 if sooner else 12, minutes=1)
    assert names(trio) == ["Dora", "Bob", "Carl"]
    with trio.service.database.reading() as tx:
        assert [entry.seat for entry in tx.clocks.log(1) if entry.kind == "stayed"] == [0]
    trio.reply(1, "b1")
    trio.reply(2, "a2")
    assert trio.reply(0, "d3").message.commands == ("d3",)


def test_moves_of_before_are_undone_while_somebody_stands_in(trio: Club) -> None:
    """The stand-in agrees for the seat, and may ask for its last move back; the seat stays as it is until the day."""
    for seat, move in ((0, "d4"), (1, "a1"), (2, "e5")):
        trio.reply(seat, move)
    stand_in(trio)
    for seat, words in ((2, "undo"), (0, "yes"), (1, "yes")):
        assert trio.reply(seat, words).message.status == "accepted"
    assert trio.moves()[-1] == "a1"
    assert names(trio) == ["Dora", "Bob", "Carl"]
    for seat, words in ((0, "undo"), (1, "yes"), (2, "yes")):
        assert trio.reply(seat, words).message.status == "accepted"
    assert (trio.moves()[-1], trio.match().to_act) == ("b2", 0)
    assert trio.reply(0, "d1").message.commands == ("d1",)
    wait(trio, days=12)
    assert names(trio) == ["Ann", "Bob", "Carl"]


def test_a_player_who_does_not_move_is_replaced_when_the_others_agree(trio: Club) -> None:
    """Ann’s time is up: Bob proposes, Dora says yes, and then Carl does."""
    trio.reply(0, "auto off")
    wait(trio, days=4)
    trio.reply(1, "replace Ann with Dora")
    answer(trio)
    assert names(trio)[0] == "Ann"
    assert [(mail.kind, mail.seat) for mail in trio.queued(kind="seat_question")] == [("seat_question", 2)]
    answer(trio, kind="seat_question")
    assert names(trio)[0] == "Dora"
    assert clock(trio).bank > 0


def test_nobody_is_pushed_out_who_still_has_time(trio: Club) -> None:
    """Then they themselves have to agree; and where nobody waits for them, nothing is asked."""
    assert trio.reply(1, "replace Carl with Dora").message.status == "rejected"
    trio.reply(1, "replace Ann with Dora")
    answer(trio)
    asked = {mail.seat: mail for mail in trio.queued(kind="seat_question")}
    assert set(asked) == {0, 2}
    trio.service.hand_in(trio.answer(trio.mail(asked[2]), "yes"))
    trio.service.hand_in(trio.answer(trio.mail(asked[2]), "yes"))
    wait(trio, minutes=1)
    assert names(trio)[0] == "Ann"
    trio.service.hand_in(trio.answer(trio.mail(asked[0]), "yes"))
    wait(trio, minutes=1)
    assert names(trio)[0] == "Dora"


def test_who_resigned_is_replaced_while_nobody_has_moved_since(trio: Club) -> None:
    """Afterwards it is too late."""
    trio.reply(2, "resign")
    trio.reply(1, "replace Carl with Dora")
    answer(trio)
    answer(trio, kind="seat_question")
    assert names(trio)[2] == "Dora"
    assert "resign" not in trio.moves()
    trio.reply(2, "resign")
    trio.reply(0, "d4")
    assert trio.reply(1, "replace Dora with Eve").message.status == "rejected"


def test_offers_are_few(trio: Club) -> None:
    """Three in a week from one seat, whether anybody is asked or not, and two a day to one player."""
    opened(trio, "c3", players=(PLAYERS[0], EVE))
    for _ in range(5):
        trio.reply(0, "standin Dora until 1 dec")
    assert len(trio.queued(kind="seat_offered")) == 2
    trio.clock.advance(timedelta(days=2))
    trio.reply(0, "standin Dora until 1 dec")
    assert len(trio.queued(kind="seat_offered")) == 2
    trio.clock.advance(timedelta(days=6))
    trio.reply(0, "standin Dora until 1 dec")
    assert len(trio.queued(kind="seat_offered")) == 3


def test_an_old_email_offers_no_seat(trio: Club) -> None:
    """Others may have it: the player is asked first."""
    old = trio.newest(0)
    trio.reply(0, "d4")
    assert trio.service.hand_in(trio.answer(old, "standin Dora until 1 dec")).message.status == "rejected"
    assert trio.queued(kind="seat_offered") == []


@pytest.mark.always("a core promise")
def test_a_stand_in_reads_no_private_words_of_before(trio: Club) -> None:
    """What Carl said to Ann alone; nor does Ann read what Dora was told."""
    trio.reply(2, "team: before")
    trio.reply(0, "mails turns")
    stand_in(trio)
    trio.reply(2, "team: meanwhile")
    trio.reply(0, "standin off")
    wait(trio, minutes=1)
    trio.reply(0, "d4")
    texts = [str(trio.mail(mail)) for mail in trio.queued() if mail.recipient == "dora@d.example" and mail.match == 1]
    assert not any("before" in text for text in texts if "team: before" not in text and "“before”" in text)
    to_ann = [str(trio.mail(mail)) for mail in trio.queued() if mail.recipient == "ann@a.example"]
    assert not any("“meanwhile”" in text for text in to_ann)
