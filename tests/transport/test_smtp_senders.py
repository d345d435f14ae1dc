"""Envelope senders: one of its own, the null sender, and the plain address where a server takes nothing else."""

import logging

import pytest

from pbem.errors import ConfigError, LoginRefused, PermanentFailure, TransientFailure
from pbem.transport.smtp import SmtpCourier
from tests.support.mail_servers import ANN, GAMES, MAIL, Postmaster

OWN = "games+b511.abcdefghij@pbem.example"
NOT_YOURS = "553 5.7.1 Sender address rejected: not owned by user games"
UNKNOWN = "550 5.1.1 No such user"


async def send(courier: SmtpCourier, sender: str) -> str:
    """Send an email with an envelope sender that may be replaced; return the one that it had."""
    return await courier.send(sender, ANN, MAIL, plain=GAMES)


@pytest.mark.parametrize("sender", [OWN, ""])
async def test_an_email_has_the_envelope_sender_that_it_shall_have(sender: str) -> None:
    """A server that likes it hears of no other."""
    postmaster = Postmaster()
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}")
        assert await send(courier, sender) == sender
        await courier.close()
    assert postmaster.senders == [sender or "<>"]


@pytest.mark.parametrize(
    ("step", "answer"),
    [
        ("MAIL", NOT_YOURS),
        ("MAIL", "501 Bad address"),
        ("MAIL", "550 5.1.7 Invalid address"),
        ("RCPT", NOT_YOURS),
        ("RCPT", "550 5.1.8 No"),
        ("RCPT", "550 Sender rejected"),
        ("DATA", "554 5.2.252 SendAsDenied"),
    ],
)
@pytest.mark.parametrize("sender", [OWN, ""])
async def test_a_server_that_refuses_an_envelope_sender_delays_no_email(
    sender: str, step: str, answer: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The email goes out at once with the plain address, later ones of that kind from the start; the log says it."""
    postmaster = Postmaster()
    postmaster.disliked = {"+" if sender else "<>": answer}
    postmaster.judges_at = step
    other = "" if sender else OWN
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        with caplog.at_level(logging.WARNING, "pbem"):
            assert await send(courier, sender) == GAMES
        postmaster.disliked.clear()
        assert await send(courier, sender) == GAMES, "it is not tried again"
        assert await send(courier, other) == other, "the other kind is another matter"
        await courier.close()
    assert postmaster.taken == [MAIL] * 3
    assert postmaster.connections == 1
    (record,) = caplog.records
    assert answer in record.getMessage()
    assert "?envelope=plain" in record.getMessage()


async def test_a_server_that_hangs_up_on_an_envelope_sender_delays_no_email() -> None:
    """The plain address is tried on another connection."""
    postmaster = Postmaster()
    postmaster.disliked, postmaster.hangs_up = {"+": NOT_YOURS}, True
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}?connections=1", timeout=5)
        assert await send(courier, OWN) == GAMES
        await courier.close()
    assert postmaster.senders == [GAMES]
    assert postmaster.connections == 2


async def test_a_passing_refusal_of_an_envelope_sender_is_not_remembered() -> None:
    """What a server does not take now it may take later; this email goes out now."""
    postmaster = Postmaster()
    postmaster.disliked = {"+": "450 4.1.7 Unverified address"}
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        assert await send(courier, OWN) == GAMES
        postmaster.disliked.clear()
        assert await send(courier, OWN) == OWN
        await courier.close()


@pytest.mark.parametrize(
    ("step", "answer", "kind"),
    [
        ("MAIL", "554 5.7.1 You are on a list", TransientFailure),
        ("MAIL", "451 4.3.0 Later", TransientFailure),
        ("MAIL", "552 5.3.4 Too big", PermanentFailure),
        ("MAIL", "530 5.7.0 Log in first", LoginRefused),
        ("RCPT", UNKNOWN, PermanentFailure),
        ("RCPT", "450 4.7.1 Greylisted", TransientFailure),
        ("DATA", "554 5.7.1 Spam", PermanentFailure),
    ],
)
async def test_a_refusal_of_the_email_or_of_us_is_no_refusal_of_the_envelope_sender(
    step: str, answer: str, kind: type[Exception]
) -> None:
    """It means what it means with the plain address, and nothing is remembered."""
    postmaster = Postmaster(**{step: answer})
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        for sender in (OWN, ""):
            with pytest.raises(kind, match=answer):
                await send(courier, sender)
        postmaster.answers.clear()
        assert [await send(courier, sender) for sender in (OWN, "")] == [OWN, ""]
        await courier.close()


async def test_the_plain_address_may_be_all_that_is_tried() -> None:
    """With ``?envelope=plain`` the server hears of nothing else, in a check either."""
    postmaster = Postmaster()
    postmaster.disliked = {"+": NOT_YOURS, "<>": NOT_YOURS}
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}?envelope=plain", timeout=5)
        assert [await send(courier, sender) for sender in (OWN, "")] == [GAMES, GAMES]
        assert await courier.check(GAMES, [OWN, ""]) == {}
        await courier.close()
    assert postmaster.senders == [GAMES, GAMES]


@pytest.mark.parametrize("option", ["envelope=verp", "envelope=plain&envelope=null", "sender=plain"])
def test_an_unknown_option_for_the_envelope_is_refused(option: str) -> None:
    """The sentence says which there is."""
    with pytest.raises(ConfigError, match="envelope=plain"):
        SmtpCourier(f"smtp://127.0.0.1?{option}")


@pytest.mark.parametrize("step", ["MAIL", "RCPT"])
async def test_a_check_finds_out_which_envelope_senders_are_refused(step: str) -> None:
    """It names a recipient too, since many servers judge the sender only then; nothing is sent."""
    postmaster = Postmaster()
    postmaster.judges_at = step
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        assert await courier.check(GAMES, [OWN, ""]) == {}
        postmaster.disliked = {"<>": NOT_YOURS}
        assert await courier.check(GAMES, [OWN, ""]) == {"": NOT_YOURS}
        postmaster.disliked = {"<>": NOT_YOURS, "+": "501 5.1.7 No"}
        assert await courier.check(GAMES, [OWN, ""]) == {OWN: "501 5.1.7 No", "": NOT_YOURS}
        postmaster.answers["RCPT"] = UNKNOWN
        found = await courier.check(GAMES, [OWN, ""])
        assert sorted(found) == (["", OWN] if step == "MAIL" else []), "then it says nothing about senders"
        await courier.close()
    assert postmaster.taken == []
