"""What is known of an email when the server breaks off, answers slowly, in pieces, or out of step."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import pytest
from aiosmtplib.protocol import PERIOD_REGEX, normalize_message_line_endings
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import OutcomeUnknown, PbemError, PermanentFailure, ServerFailure, TransientFailure
from pbem.transport.smtp import SmtpCourier
from pbem.transport.smtp_session import _to_content
from tests.e2e.real.scripted import HANG_UP, PIPELINING, SILENCE, ScriptedServer
from tests.support.mail_servers import ANN, GAMES, MAIL, failure

TAKEN, UNKNOWN, PERMANENT, TRANSIENT = "taken", OutcomeUnknown, PermanentFailure, TransientFailure
AT_ONCE = ServerFailure
"""Nothing was taken, and the server is to blame: it is tried again as soon as that works."""

Answer = str | Sequence[str]
ENDS: dict[str, tuple[str, Answer, str | type[PbemError]]] = {
    "it hangs up": ("end", HANG_UP, UNKNOWN),
    "it says nothing": ("end", SILENCE, UNKNOWN),
    "half a line": ("end", ["250 2.0.0 ta", HANG_UP], UNKNOWN),
    "half a code": ("end", ["25", HANG_UP], UNKNOWN),
    "half an answer": ("end", ["250-2.0.0 taken\r\n", HANG_UP], UNKNOWN),
    "half a refusal": ("end", ["550-5.7.1 no\r\n250-", HANG_UP], UNKNOWN),
    "half an answer, and then silence": ("end", ["250-2.0.0 taken\r\n", SILENCE], UNKNOWN),
    "no answer at all": ("end", "hello", UNKNOWN),
    "an answer of another protocol": ("end", "HTTP/1.1 400 Bad Request", UNKNOWN),
    "an answer without an end": ("end", ["250-taken\r\n" * 4000], UNKNOWN),
    "a code that doesn't exist": ("end", "650 taken", UNKNOWN),
    "it wants more": ("end", "354 go on", UNKNOWN),
    "a preliminary answer": ("end", "150 wait", UNKNOWN),
    "250 in pieces": ("end", ["2", "50", "-2.0.0 ta", "ken\r", "\n", "250 ", "really\r\n"], TAKEN),
    "250 without words": ("end", "250", TAKEN),
    "250 and a bare line feed": ("end", ["250 taken\n"], TAKEN),
    "251 at the end": ("end", "251 forwarded", TAKEN),
    "252 at the end": ("end", "252 perhaps", TAKEN),
    "299 at the end": ("end", "299 taken", TAKEN),
    "251 for the recipient": ("RCPT", "251 I forward it", TAKEN),
    "252 for the recipient": ("RCPT", "252 I try", TAKEN),
    "299 for the sender": ("MAIL", "299 welcome", TAKEN),
    "399 for the content": ("DATA", "354-go\r\n354 on", TAKEN),
    "it closes at the end": ("end", "421 4.3.2 closing", AT_ONCE),
    "it fails at the end": ("end", "451 4.3.0 failed", AT_ONCE),
    "greylisted at the end": ("end", "451 4.7.1 later", TRANSIENT),
    "refused at the end": ("end", "554 5.7.1 spam", PERMANENT),
    "it hangs up before the content": ("DATA", HANG_UP, AT_ONCE),
    "its 354 gets lost": ("DATA", SILENCE, AT_ONCE),
    "its 354 comes by half": ("DATA", ["354 go", HANG_UP], AT_ONCE),
    "250 instead of 354": ("DATA", "250 fine", AT_ONCE),
    "it closes before the content": ("DATA", "421 4.3.2 closing", AT_ONCE),
    "it hangs up at the recipient": ("RCPT", HANG_UP, AT_ONCE),
    "it hangs up at the sender": ("MAIL", HANG_UP, AT_ONCE),
    "354 for the recipient": ("RCPT", "354 go on", AT_ONCE),
    "it closes at the sender": ("MAIL", "421 4.3.2 closing", AT_ONCE),
    "it closes at the recipient": ("RCPT", "421 4.3.2 closing", AT_ONCE),
    "unknown recipient": ("RCPT", "550 5.1.1 unknown", PERMANENT),
    "it wants a parameter less": ("RCPT", "501 5.5.4 what?", PERMANENT),
}
ALL = [{}, PIPELINING]


def courier_to(server: ScriptedServer, timeout: float | None = 0.2) -> SmtpCourier:
    """Return a courier to a server."""
    return SmtpCourier(f"smtp://127.0.0.1:{server.port}", timeout=timeout)


@pytest.mark.parametrize("offers", ALL, ids=["one by one", "together"])
@pytest.mark.parametrize("case", ENDS)
async def test_what_became_of_an_email_is_what_the_server_said(case: str, offers: dict[str, Answer]) -> None:
    """Taken by 2yz alone; unknown only where the server has all of it and does not answer; the next one goes out."""
    step, answer, end = ENDS[case]
    async with ScriptedServer(offers | {step: answer}) as server:
        courier = courier_to(server)
        if isinstance(end, str):
            await courier.send(GAMES, ANN, MAIL)
        else:
            assert type(await failure(courier)) is end
        assert (len(server.heard) > 0) == (step == "end" or end == TAKEN)
        server.answers.pop(step)
        server.answers |= offers
        server.heard.clear()
        await courier.send(GAMES, ANN, MAIL)
        assert server.heard == [MAIL + b".\r\n"]
        await courier.close()


async def test_a_server_may_take_as_long_as_the_rfc_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten minutes for the end of an email (RFC 5321, 4.5.3.2)."""
    loop, ahead = asyncio.get_running_loop(), [0.0]
    usual = loop.time
    monkeypatch.setattr(loop, "time", lambda: usual() + ahead[0])
    for step, seconds in {"connect": 300, "EHLO": 300, "MAIL": 300, "RCPT": 300, "DATA": 120, "end": 600}.items():
        async with ScriptedServer({step: SILENCE}) as server:
            courier = courier_to(server, None)
            sending = asyncio.ensure_future(courier.send(GAMES, ANN, MAIL))
            for wait in (0, seconds - 1, 2):
                ahead[0] += wait
                for _ in range(5):
                    await asyncio.sleep(0.001)
                assert sending.done() == (wait == 2), step
            assert isinstance(sending.exception(), OutcomeUnknown if step == "end" else ServerFailure)


@pytest.mark.parametrize(("step", "end"), [("DATA", asyncio.CancelledError), ("end", OutcomeUnknown)])
async def test_whoever_waits_no_longer_is_told_whether_it_is_known(step: str, end: type[BaseException]) -> None:
    """A service that is stopped knows what it may send again at once."""
    async with ScriptedServer({step: SILENCE}) as server:
        courier = courier_to(server, 5)
        sending = asyncio.ensure_future(courier.send(GAMES, ANN, MAIL))
        last = {"DATA": b"DATA\r\n", "end": b"\r\n.\r\n"}[step]
        while not (server.packets and server.packets[-1].endswith(last)):  # noqa: ASYNC110 - the server sets no event
            await asyncio.sleep(0)
        sending.cancel()
        with pytest.raises(end):
            await sending
        server.answers.clear()
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()


async def test_an_email_of_which_a_part_has_not_left_us_was_not_taken() -> None:
    """A server that stops reading, and hangs up, never saw the end."""

    class Lazy(ScriptedServer):
        """A server that wants an email, and reads none."""

        async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            """Answer four times, then hang up."""
            for answer in (b"220 hi", b"250 hi", b"250 fine", b"250 fine", b"354 go on"):
                writer.write(answer + b"\r\n")
                if answer[:3] != b"354":
                    await reader.readline()
            for _ in range(20):
                await asyncio.sleep(0.001)
            writer.transport.abort()

    async with Lazy({}) as server:
        courier = courier_to(server, 5)
        with pytest.raises(ServerFailure):
            await courier.send(GAMES, ANN, MAIL + b"x" * 12_000_000 + b"\r\n")


async def test_a_server_that_reads_on_much_later_gets_no_email_that_counts_as_not_taken() -> None:
    """Nothing goes on sending the rest behind our back, and no connection is left to it."""
    read = bytearray()
    given_up, ended = asyncio.Event(), asyncio.Event()

    class Stalled(ScriptedServer):
        """A server that reads an email only when nobody waits for it any longer."""

        async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            """Answer up to the content; then read all there is."""
            for answer in (b"220 hi", b"250 hi", b"250 fine", b"250 fine"):
                writer.write(answer + b"\r\n")
                await reader.readline()
            writer.write(b"354 go on\r\n")
            await given_up.wait()
            with suppress(ConnectionError):
                while chunk := await reader.read(1_000_000):
                    read.extend(chunk[-100:])
            ended.set()

    async with Stalled({}) as server:
        courier = courier_to(server)
        with pytest.raises(ServerFailure):
            await courier.send(GAMES, ANN, MAIL + b"x" * 12_000_000 + b"\r\n")
        given_up.set()
        async with asyncio.timeout(5):
            await ended.wait()
    assert b"\r\n.\r\n" not in read


async def test_commands_go_together_where_that_is_offered() -> None:
    """In one packet, up to the content; to others they go one by one."""
    for offers, packets in (({}, 4), (PIPELINING, 2)):
        async with ScriptedServer(offers) as server:
            courier = courier_to(server)
            await courier.send(GAMES, ANN, MAIL)
            before = len(server.packets)
            await courier.send(GAMES, ANN, MAIL)
            assert len(server.packets) - before == packets
            assert server.talks == 1
            await courier.close()


async def test_an_email_that_nobody_is_to_get_is_not_sent() -> None:
    """A server refuses the recipient, and wants the content all the same: it gets none, not even an empty email."""
    for refusal, kind in (("550 5.1.1 unknown", PermanentFailure), ("450 4.2.1 not now", TransientFailure)):
        async with ScriptedServer(PIPELINING | {"RCPT": refusal}) as server:
            courier = courier_to(server)
            assert type(await failure(courier)) is kind
            del server.answers["RCPT"]
            await courier.send(GAMES, ANN, MAIL)
            assert (server.heard, server.talks) == ([MAIL + b".\r\n"], 2)
            await courier.close()


async def test_a_refusal_of_all_that_goes_together_keeps_the_connection() -> None:
    """As Postfix answers: the recipient is refused, and so the content; the next email goes over the same one."""
    async with ScriptedServer(PIPELINING | {"RCPT": "550 5.1.1 unknown", "DATA": "554 5.5.1 no recipients"}) as server:
        courier = courier_to(server)
        refusal = await failure(courier)
        assert "5.1.1 unknown" in str(refusal)
        assert type(refusal) is PermanentFailure
        server.answers = dict(PIPELINING)
        await courier.send(GAMES, ANN, MAIL)
        assert server.talks == 1
        await courier.close()


@pytest.mark.parametrize(
    ("answers", "forgets"),
    [
        ({}, True),
        ({"RCPT": ["503 5.5.1 one by one, please\r\n", "554 5.5.0 really\r\n", HANG_UP]}, False),
        ({"RCPT": ["500 5.5.2 what?\r\n"]}, True),
    ],
)
async def test_a_server_that_offers_what_it_cannot_bear_gets_one_command_at_a_time(
    answers: dict[str, Answer], forgets: bool
) -> None:
    """No email waits for that, and it is found out once."""

    class Strict(ScriptedServer):
        """A server that says ``answers`` only to commands that came together."""

        async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            """Take the next one at its word."""
            if self.talks:
                self.answers, self._forgets = dict(PIPELINING), False
            await super().talk(reader, writer)

    async with Strict(PIPELINING | answers, forgets=forgets) as server:
        courier = courier_to(server)
        for _ in range(3):
            await courier.send(GAMES, ANN, MAIL)
        assert (len(server.heard), server.talks) == (3, 2)
        assert sum(packet.count(b"\n") > 1 and b"RCPT" in packet for packet in server.packets) == 1
        await courier.close()


async def test_a_server_that_fails_for_another_reason_still_gets_commands_together() -> None:
    """It hung up at one email, at the second attempt, too."""
    async with ScriptedServer(PIPELINING | {"RCPT": HANG_UP}) as server:
        courier = courier_to(server)
        assert isinstance(await failure(courier), ServerFailure)
        server.answers = dict(PIPELINING)
        server.packets.clear()
        await courier.send(GAMES, ANN, MAIL)
        assert len(server.packets) == 3
        await courier.close()


async def test_words_that_nobody_asked_for_are_no_answer_to_the_next_email() -> None:
    """They end the connection: neither a late 250 nor a 421 for having said nothing is said of the next email."""
    for words in ("250 2.0.0 late\r\n", "421 4.4.2 idle\r\n"):
        async with ScriptedServer({"end": ["250 2.0.0 taken\r\n", words]}) as server:
            courier = courier_to(server)
            await courier.send(GAMES, ANN, MAIL)
            await asyncio.sleep(0.01)
            server.answers = {"MAIL": "550 5.7.1 never"}
            assert "5.7.1 never" in str(await failure(courier))
            await courier.close()


@given(st.binary() | st.lists(st.sampled_from([b"\r", b"\n", b"\r\n", b".", b"x", b"\xff"])).map(b"".join))
def test_no_email_ends_early(raw: bytes) -> None:
    """Whatever stands in it, as with the library: a line that is a dot, however it ends, is none to the server."""
    content = _to_content(raw)
    assert content == PERIOD_REGEX.sub(b"..", normalize_message_line_endings(raw)) + b".\r\n"
    assert content.count(b"\r\n.\r\n") <= 1
