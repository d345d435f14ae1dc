"""Webhooks: who is called hears of everything once, in order, and of nothing private; failures come to an end."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from pbem.cli.doctor.webhooks import check_webhooks
from pbem.commands.ruling import call_off, reinstate
from pbem.due.needs import list_needs
from pbem.running.operator_rulings import forget_player, put_back, rule, set_private, take_back
from pbem.settings.webhooks import Webhook
from pbem.transport.calls import sign
from pbem.webhooks.calling import AGAIN, GIVEN_UP, Calling, begin_calls
from pbem.webhooks.events import MOST_MOVES
from tests.support.club import PLAYERS, Club
from tests.support.fakes import FakeClock
from tests.support.receivers import KEY, URL, Receiver, webhook
from tests.support.schemas import validator
from tests.support.written import Written

MakeClub = Callable[..., Club]


@pytest.fixture
def club(new_club: MakeClub) -> Club:
    """A club by today's clock, since who verifies a call looks at that."""
    return new_club(clock=FakeClock(datetime.now(UTC)))


def calling(club: Club, receiver: Receiver, hook: Webhook | None = None) -> Calling:
    """Return what calls a receiver from now on."""
    hook = hook or webhook()
    begin_calls(club.service.database, [hook], club.clock.now())
    return Calling(hook, club.service.database, club.service.site, club.clock, receiver)


async def test_a_match_is_told_from_its_opening_to_its_end(club: Club) -> None:
    """Each event once, in order, signed so that the library of the standard verifies it, and as the schema has it."""
    receiver = Receiver()
    calls = calling(club, receiver)
    club.open()
    assert await calls.call()
    club.reply(0, "c3\n\nHello!")
    assert await calls.call()
    club.reply(1, "take")
    club.reply(1, "resign")
    assert await calls.call()
    assert not await calls.call()
    assert receiver.told == [("opened", 1, 0), ("moved", 1, 1), ("moved", 1, 2), ("moved", 1, 3), ("over", 1, 3)]
    assert len({name for name, _ in receiver.calls}) == 5
    for _, said in receiver.calls:
        validator("webhook")(said)
    assert receiver.calls[1][1]["data"]["match"]["comments"][0]["text"] == "Hello!"


def test_a_changed_body_an_old_call_and_another_name_are_refused(club: Club) -> None:
    """That is what the signature is for; while a secret is replaced, either verifies."""
    now, body = datetime.now(UTC), b'{"type": "test"}'
    (secret,) = webhook().secrets
    headers = sign([b"another secret, and older", secret], "msg_1", now, body)
    verifier = Verifier(KEY)
    assert verifier.verify(body, headers) == {"type": "test"}
    for attempt, changed in (
        (body + b" ", headers),
        (body, headers | {"webhook-id": "msg_2"}),
        (body, sign([secret], "msg_1", now - timedelta(minutes=6), body)),
    ):
        with pytest.raises(WebhookVerificationError):
            verifier.verify(attempt, changed)


async def test_what_was_made_private_or_forgotten_while_a_call_waited_is_in_none(club: Club) -> None:
    """A call says what anybody can find when it is sent: not what could be found when it happened."""
    receiver = Receiver(None)
    calls = calling(club, receiver)
    club.open(players=("Zephyrine <zoe@z.example>", "Bob <bob@b.example>"))
    club.open(players=PLAYERS[:2])
    club.reply(0, "c3\n\nsekret", match=1)
    assert not await calls.call()
    set_private(club.service, 1, True)
    forget_player(club.service, club.match(2).players[0])
    club.clock.advance(AGAIN[0])
    await calls.call()
    assert {match for _, match, _ in receiver.told} == {2}
    said = json.dumps([one for _, one in receiver.calls])
    assert not [word for word in ("Zephyrine", "sekret", "Ann", ".example") if word in said]


async def test_a_private_match_is_told_to_whom_the_operator_names_it_alone(club: Club) -> None:
    """Not even then does the address of its page leave; other matches are none of theirs."""
    named, others = Receiver(), Receiver()
    hook = webhook(matches=[1])
    elsewhere = webhook(url="https://other.example/", games=["zipline"])
    begin_calls(club.service.database, [hook, elsewhere], club.clock.now())
    club.service.open("pipline", PLAYERS[:2], {"size": 5}, private=True)
    club.open()
    club.open("zipline", PLAYERS)
    for one, receiver in ((hook, named), (elsewhere, others)):
        await Calling(one, club.service.database, club.service.site, club.clock, receiver).call()
    assert named.told == [("opened", 1, 0)]
    assert others.told == [("opened", 3, 0)]
    assert named.calls[0][1]["data"]["page"] is None


async def test_what_was_taken_back_is_told_before_the_next_move(club: Club) -> None:
    """Moves that are put back, or replayed, are events of their own; a ruling that is taken back is told, too."""
    receiver = Receiver()
    calls = calling(club, receiver)
    club.open()
    club.reply(0, "c3")
    await calls.call()
    club.clock.advance(timedelta(seconds=1))
    take_back(club.service, 1, 0, None)
    club.reply(0, "c3")
    club.clock.advance(timedelta(seconds=1))
    take_back(club.service, 1, 0, None)
    put_back(club.service, 1)
    await calls.call()
    club.clock.advance(timedelta(seconds=1))
    rule(club.service, 1, lambda match, now: call_off(match, now))
    await calls.call()
    club.clock.advance(timedelta(seconds=1))
    rule(club.service, 1, lambda match, now: reinstate(match, "void", now))
    await calls.call()
    assert [(kind, turn) for kind, _, turn in receiver.told] == [
        *(("opened", 0), ("moved", 1)),
        *(("reopened", 0), ("reopened", 0), ("moved", 1)),
        *(("over", 1), ("reopened", 1)),
    ]
    assert len({name for name, _ in receiver.calls}) == 7


async def test_a_webhook_hears_of_nothing_from_before_it(club: Club) -> None:
    """Nor of what happened while it was not among the settings."""
    club.open()
    club.reply(0, "c3")
    club.clock.advance(timedelta(seconds=1))
    receiver = Receiver()
    assert not await calling(club, receiver).call()
    begin_calls(club.service.database, [], club.clock.now())
    club.reply(1, "take")
    club.clock.advance(timedelta(seconds=1))
    calls = calling(club, receiver)
    club.reply(1, "resign")
    club.open()
    await calls.call()
    assert receiver.told == [("moved", 1, 3), ("over", 1, 3), ("opened", 2, 0)]


async def test_a_call_that_fails_is_made_again_later_and_later_under_its_name(club: Club) -> None:
    """Redirects and errors alike; what happened since waits behind it, and nothing is lost."""
    receiver = Receiver(302, 500, None, verifies=False)
    calls = calling(club, receiver)
    club.open()
    for tried, pause in enumerate(AGAIN[:3], 1):
        assert not await calls.call()
        club.clock.advance(pause - timedelta(seconds=1))
        assert not await calls.call()
        assert receiver.tried == tried
        club.clock.advance(timedelta(seconds=1))
    club.reply(0, "c3")
    assert await calls.call()
    assert len(receiver.calls) == 2


async def test_a_webhook_that_is_gone_or_fails_for_five_days_is_called_no_more(club: Club, written: Written) -> None:
    """The operator is told once, and the doctor's call lets it go on where it was; neither URL nor secret is logged."""
    for answers in ([410], [500] * 40):
        receiver = Receiver(*answers, verifies=False)
        calls = calling(club, receiver, webhook(url=f"{URL}{len(answers)}"))
        club.open()
        began = club.clock.now()
        while not (needs := needs_of(club)):
            await calls.call()
            club.clock.advance(AGAIN[min(receiver.tried, len(AGAIN)) - 1])
        lasted = club.clock.now() - began
        assert (GIVEN_UP < lasted < GIVEN_UP + timedelta(days=2)) == (answers[0] == 500)
        tried = receiver.tried
        club.clock.advance(timedelta(days=3))
        assert not await calls.call()
        assert receiver.tried == tried
        assert "chat.example" in needs[0]
        receiver.answers.clear()
        assert await calls.test() == ""
        assert needs_of(club) == []
        assert await calls.call()
        assert len(receiver.calls) == 2
    said = written.everything()
    assert "webhook_disabled" in said
    assert not [word for word in ("T0-k3n", KEY) if word in said + str(needs)]


def needs_of(club: Club) -> list[str]:
    """Return what needs the operator."""
    with club.service.database.reading() as tx:
        return [one.sentence for one in list_needs(tx)]


async def test_of_many_moves_the_latest_are_told(club: Club, monkeypatch: pytest.MonkeyPatch, written: Written) -> None:
    """So nothing grows without an end; that a match was opened, and is over, is never left out."""
    monkeypatch.setattr("pbem.webhooks.events.MOST_MOVES", 1)
    receiver = Receiver()
    calls = calling(club, receiver)
    club.open()
    club.reply(0, "c3")
    club.reply(1, "take")
    club.reply(1, "resign")
    await calls.call()
    assert receiver.told == [("opened", 1, 0), ("moved", 1, 3), ("over", 1, 3)]
    assert "webhook_skips" in written.text()
    assert MOST_MOVES >= 20


async def test_a_chat_gets_a_sentence_that_it_cannot_take_for_an_order(club: Club) -> None:
    """Slack reads one key, Discord the other; names call nobody."""
    said: list[Any] = []

    async def post(url: str, headers: Any, body: bytes) -> int:
        said.append(json.loads(body))
        return 200

    hook = webhook(format="text")
    begin_calls(club.service.database, [hook], club.clock.now())
    club.open(players=("channel <a@a.example>", "Bob <bob@b.example>"))
    with club.service.database.transaction() as tx:
        player = tx.players.find("a@a.example")
        assert player
        tx.accounts.rename(player, "<!channel> @everyone [x](http://x)", club.clock.now())
    club.reply(0, "c3")
    club.reply(1, "resign")
    await Calling(hook, club.service.database, club.service.site, club.clock, post).call()
    name = "‹!channel› ＠everyone ［x］(http:／／x)"
    assert [one["text"] for one in said] == [
        f"Pipline 1 begins: {name} and Bob",
        f"Pipline 1, Move 1 – {name}: c3",
        "Pipline 1, Bob: resigned",
        f"Pipline 1 is over: {name} and Bob. Won by {name}: the other side resigned.",
    ]
    for one in said:
        validator("webhook")(one)
        assert one["content"] == one["text"]


async def test_the_doctor_tells_how_each_fares(club: Club) -> None:
    """What waits, since when, and why the last call failed."""
    club.service.settings.webhooks = (webhook(),)
    found = check_webhooks(club.service.settings, club.service.database, call=False)
    assert "next start" in found.notes[0]
    calls = calling(club, Receiver(503))
    club.open()
    await calls.call()
    found = check_webhooks(club.service.settings, club.service.database, call=False)
    assert found.faults == ()
    assert "chat.example: last called never; 1 matches wait, since" in found.notes[0]
    assert found.notes[0].endswith("calls failed since then: 1, the last one: HTTP 503.")
