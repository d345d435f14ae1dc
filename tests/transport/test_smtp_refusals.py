"""What a server's refusal means: worth a repeat, final, or the operator's to mend."""

import pytest

from pbem.errors import LoginRefused, PbemError, PermanentFailure, ServerFailure, TransientFailure
from pbem.transport.smtp import SmtpCourier
from tests.support.mail_servers import ANN, GAMES, MAIL, Postmaster, failure


@pytest.mark.parametrize(
    "address",
    [
        "jürgen@pbem.example",
        "ann@pbem.exämple",
        "ann",
        "ann@",
        "@pbem.example",
        "ann@pbem@example",
        "ann @pbem.example",
        "ann@pbem.example\r\nDATA",
        "Ann <ann@pbem.example>",
        "ann@pbem.example>",
        ".ann@pbem.example",
        "",
    ],
)
async def test_a_malformed_address_never_reaches_the_server(address: str) -> None:
    """What is no address fails permanently, as recipient and as sender, and the next mail goes out."""
    postmaster = Postmaster()
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}")
        assert isinstance(await failure(courier, address), PermanentFailure)
        with pytest.raises(PermanentFailure):
            await courier.send(address or "@", ANN, MAIL)
        assert postmaster.connections == 0
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()
    assert postmaster.taken == [MAIL]


@pytest.mark.parametrize("command", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize(
    ("answer", "kind", "connections"),
    [
        ("421 4.7.0 Closing down", ServerFailure, 2),
        ("421 Closing down", ServerFailure, 2),
        ("452 4.3.1 Disk full", ServerFailure, 2),
        ("451 4.3.0 Temporary lookup failure", ServerFailure, 2),
        ("550 5.3.5 Configured wrongly", ServerFailure, 2),
        ("550 5.4.5 That was enough for a day", ServerFailure, 2),
        ("530 5.7.0 Log in first", LoginRefused, 2),
        ("552 5.3.4 Too big", PermanentFailure, 1),
    ],
)
async def test_an_answer_has_its_meaning_at_every_step(
    command: str, answer: str, kind: type[PbemError], connections: int
) -> None:
    """The server's own trouble, a wanted login that is the operator's, what is too large; the next mail goes out."""
    refusal = await _refused_once(command, answer, kind, connections)
    if isinstance(refusal, ServerFailure):
        assert refusal.on_message == (command != "MAIL")  # before it hears of a recipient, no email is at fault


@pytest.mark.parametrize(
    ("command", "kind"), [("MAIL", ServerFailure), ("RCPT", TransientFailure), ("DATA", TransientFailure)]
)
@pytest.mark.parametrize(
    "answer",
    [
        "451 4.7.1 Greylisted",
        "450 Greylisted",
        "452 4.2.2 Mailbox full",
        "450 4.7.28 Too many emails to this domain",
        "451 4.4.3 Its server says: 4.3.1 disk full",
        "503 5.5.1 Out of step",
    ],
)
async def test_what_is_not_now_is_about_the_recipient_once_one_is_named(
    command: str, answer: str, kind: type[PbemError]
) -> None:
    """Before that it is about whoever hears it: nobody would get an email. What others are quoted with counts not."""
    await _refused_once(command, answer, kind, 2)


@pytest.mark.parametrize(
    ("command", "answer", "kind"),
    [
        ("MAIL", "550 5.1.8 Bad sender", ServerFailure),
        ("MAIL", "550 Who are you?", ServerFailure),
        ("MAIL", "553 5.7.1 Not your address", ServerFailure),
        ("MAIL", "554 5.7.1 You are on a list", ServerFailure),
        ("RCPT", "554 5.7.1 Relay access denied", TransientFailure),
        ("RCPT", "550 5.7.26 Your mail is not signed", TransientFailure),
        ("RCPT", "550 5.1.1 Unknown", PermanentFailure),
        ("RCPT", "550 Unknown", PermanentFailure),
        ("RCPT", "550 5.4.4 No such host", PermanentFailure),
        ("RCPT", "550 5.3.0 We know nobody here of that name", PermanentFailure),
        ("RCPT", "552 5.2.2 Mailbox full", PermanentFailure),
        ("DATA", "550 5.1.1 Unknown", PermanentFailure),
        ("DATA", "554 5.7.1 Spam", PermanentFailure),
    ],
)
async def test_a_refusal_of_us_does_not_cost_the_mail(command: str, answer: str, kind: type[PbemError]) -> None:
    """5xx about recipient or content is final; about the sender, or by policy before the content, the email waits."""
    await _refused_once(command, answer, kind, 1 if kind is PermanentFailure else 2)


async def _refused_once(command: str, answer: str, kind: type[PbemError], connections: int) -> PbemError:
    """Send an email that meets ``answer``, then one that is taken, over so many connections; return the refusal."""
    postmaster = Postmaster(**{command: answer})
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        refusal = await failure(courier)
        assert type(refusal) is kind
        assert f"127.0.0.1:{port}" in str(refusal)
        assert answer in str(refusal)
        postmaster.answers.clear()
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()
    assert postmaster.taken == [MAIL]
    assert postmaster.connections == connections
    return refusal


@pytest.mark.parametrize("answer", ["500 5.5.1 What?", "silence"])
@pytest.mark.parametrize(("command", "refusal"), [("RCPT", "550 5.1.1 Unknown"), ("DATA", "554 5.7.1 Spam")])
async def test_a_refusal_stands_where_the_server_does_not_begin_anew(command: str, refusal: str, answer: str) -> None:
    """It is the answer to the email; the next one has a connection where nothing went before."""
    postmaster = Postmaster(**{command: refusal, "RSET": answer})
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=1)
        assert isinstance(await failure(courier), PermanentFailure)
        del postmaster.answers[command]
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()
    assert (postmaster.taken, postmaster.connections) == ([MAIL], 2)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [("550 5.7.1 Blocked", TransientFailure), ("451 4.3.0 Later", TransientFailure), ("530 Log in", LoginRefused)],
)
async def test_a_check_finds_out_that_our_mail_is_not_wanted(answer: str, kind: type[PbemError]) -> None:
    """A check names the sender too, so that a server that lets us in but takes no email from us is noticed."""
    postmaster = Postmaster(MAIL=answer)
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        with pytest.raises(kind, match=answer):
            await courier.check(GAMES)
        postmaster.answers.clear()
        await courier.check(GAMES)
        await courier.close()
    assert postmaster.taken == []


async def test_a_line_too_long_is_final() -> None:
    """What the server cannot digest is permanent, even if the whole mail has been sent by then."""
    postmaster = Postmaster()
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        with pytest.raises(PermanentFailure, match="Line too long"):
            await courier.send(GAMES, ANN, MAIL + b"x" * 2000 + b"\r\n")
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()
    assert postmaster.taken == [MAIL]
