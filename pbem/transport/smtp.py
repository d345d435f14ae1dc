"""Sending by SMTP (RFC 5321), over a few connections that are kept open."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from urllib.parse import parse_qsl, unquote, urlsplit

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPRecipientRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPStatus,
)

from pbem.errors import ConfigError, LoginRefused, PbemError, PermanentFailure, ServerFailure, TransientFailure
from pbem.log.logbook import event
from pbem.mail.headers import domain_of, to_address
from pbem.transport.network import is_loopback
from pbem.transport.smtp_answers import (
    NO_LOGIN,
    OUT_OF_STEP,
    explain_error,
    is_about_us,
    is_servers,
    may_be_about_sender,
    quote_answer,
)
from pbem.transport.token import TokenCommand

log = logging.getLogger("pbem")

_MODES = {"none", "starttls", "implicit"}
USUAL_CONNECTIONS, FEWER_CONNECTIONS = 4, 2
"""So many emails are sent at once; fewer where it takes long to note them: what is not noted yet is sent again after a
kill."""

_MOST_CONNECTIONS = 50
_BAD_URL = (
    "The SMTP URL must look like smtps://user:password@host:port or smtp://host, with special characters "
    "percent-encoded (@ is %40, / is %2F, : is %3A), and may end in ?tls=none, starttls or implicit, in "
    f"connections=1 to {_MOST_CONNECTIONS}, and in envelope=plain."
)


class SmtpCourier:
    """Carries emails to an SMTP server, several at once; connects when needed, and again after a loss.

    ``url`` is ``smtp[s]://[user:password@]host[:port]``: ``smtps`` is TLS from the start (port 465), ``smtp``
    is STARTTLS (port 587 with a user, else 25) but plain on loopback; ``?tls=none``, ``starttls`` or
    ``implicit`` says otherwise, ``none`` not for a login on another machine. ``?connections=`` is how many emails are
    sent at once, ``usual`` unless given; a server that allows fewer connections gets fewer. ``?envelope=plain``
    is for a server that takes no envelope sender but the plain address. ``token`` is a command that prints an access
    token, with which it logs in instead of a password. ``timeout`` in seconds is for each answer.
    Raises ConfigError for a url that will not do.
    """

    def __init__(self, url: str, *, token: str = "", timeout: float = 30, usual: int = USUAL_CONNECTIONS) -> None:
        try:
            parts = urlsplit(url)
            self._host, port = parts.hostname or "", parts.port
            options = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
        except ValueError:
            raise ConfigError(_BAD_URL) from None  # its text could show the password
        if parts.scheme not in ("smtp", "smtps") or not self._host or parts.path.strip("/") or parts.fragment:
            raise ConfigError(_BAD_URL)
        usual_tls = "implicit" if parts.scheme == "smtps" else "none" if is_loopback(self._host) else "starttls"
        self._tls = options.pop("tls", usual_tls)
        wanted = options.pop("connections", str(usual))
        self._always_plain = options.get("envelope") == "plain"
        if options.pop("envelope", "plain") != "plain":
            raise ConfigError(_BAD_URL)
        if self._tls not in _MODES or options or not re.fullmatch("[1-9][0-9]?", wanted, re.ASCII):
            raise ConfigError(_BAD_URL)
        self.connections = min(int(wanted), _MOST_CONNECTIONS)
        self._user, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        if self._tls == "none" and self._user and not is_loopback(self._host):
            raise ConfigError(
                f"The SMTP URL for {self._host} has a login and ?tls=none, so that others could read the password:"
                " leave tls=none out, or write tls=starttls or tls=implicit."
            )
        self._port = port or (465 if self._tls == "implicit" else 587 if self._user else 25)
        self._place = f"{self._host}:{self._port}"
        self._token = TokenCommand(token, "smtp_token") if token else None
        self._timeout = timeout
        self._idle: list[SMTP] = []
        self._busy: set[SMTP] = set()
        self._places = asyncio.Semaphore(self.connections)
        self._withdrawn = 0  # places for which the server allows no connection at present
        self._waiting = 0
        self._logging_in = asyncio.Lock()
        self._refused_kinds: set[bool] = set()  # of envelope senders: with an address (True), the null sender (False)
        self._refused = ""  # the words with which a login was refused, while others are about to log in

    async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
        """Hand one email over; ``sender`` may be empty, for an email that wants no answer.

        Where the server refuses ``sender``, and may not refuse ``plain``, the email is handed over at once with that;
        later ones are so from the start. Return the envelope sender that it was taken with. The bytes go out as they
        are, except that lone CR and LF become CRLF. Raises ServerFailure when the server fails whoever the email is for
        (also when it is unknown whether it was taken), TransientFailure, PermanentFailure, LoginRefused.
        """
        if plain and (self._always_plain or bool(sender) in self._refused_kinds):
            sender = plain
        for address in (recipient, sender) if sender else (recipient,):
            # aiosmtplib finds out only after MAIL, and spoils what is sent next.
            if not address or to_address(address) != address:
                raise PermanentFailure(f"{address!a} is no address that email can be sent to.")
        refusal = await self._hand_over(sender, recipient, raw, plain)
        if refusal is None:
            return sender
        await self._hand_over(plain, recipient, raw, plain)
        self._note_refused(sender, plain, refusal)
        return plain

    async def _hand_over(self, sender: str, recipient: str, raw: bytes, plain: str) -> SMTPResponseException | None:
        """Hand one email over; return the refusal if the email may still be taken with the sender ``plain``."""
        named: list[str] = []
        try:
            async with self._connected(plain or sender) as client:
                try:
                    await _transact(client, sender, recipient, raw, named.append)
                except SMTPResponseException as answer:
                    if plain in ("", sender) or not may_be_about_sender(answer):
                        raise
                    return answer
        except ServerFailure as failure:
            raise ServerFailure(str(failure), on_message=bool(named)) from failure
        return None

    async def check(self, sender: str, others: Sequence[str] = ()) -> dict[str, str]:
        """Connect, log in and name the sender, and send nothing; raises what ``send`` raises.

        Return those of ``others`` that the server refuses as envelope senders, with its words.
        """
        refused: dict[str, str] = {}
        async with self._connected(sender) as client:
            await client.mail(sender)
            # Many servers judge the sender only when they hear of a recipient.
            heard = await _refusal_of(client, sender) is None
            await client.rset()
            for other in () if self._always_plain else others:
                try:
                    await client.mail(other)
                    answer = await _refusal_of(client, sender) if heard else None
                except SMTPSenderRefused as refusal:
                    answer = refusal
                if answer:
                    refused[other] = quote_answer(answer)
                await client.rset()
        return refused

    async def close(self) -> None:
        """End the connections, politely but within a second; never raises. A later email connects again."""
        idle, self._idle = self._idle, []
        for client in self._busy:
            client.close()
        with suppress(Exception):
            await asyncio.gather(*(client.quit(timeout=1) for client in idle), return_exceptions=True)
        for client in idle:
            client.close()

    @asynccontextmanager
    async def _connected(self, sender: str) -> AsyncIterator[SMTP]:
        """Yield a connection, for nobody else meanwhile; translate errors, and end it unless it is in order."""
        client = await self._take(sender)
        try:
            yield client
        except SMTPResponseException as answer:
            raise self._explain_refusal(client, answer, sender) from None
        except (SMTPException, OSError) as error:
            client.close()
            raise self._explain_loss(explain_error(error)) from error
        except PbemError:
            raise
        except BaseException:
            client.close()
            raise
        finally:
            self._give_back(client)

    async def _take(self, sender: str) -> SMTP:
        """Return an idle connection, or a new one, in turn; wait for one where the server allows no more."""
        self._waiting += 1
        try:
            await self._places.acquire()
        finally:
            self._waiting -= 1
        client = self._find_idle() or self._new_client(sender)
        self._busy.add(client)
        try:
            if not client.is_connected:
                await self._connect(client)
        except TransientFailure:
            if len(self._busy) == 1:
                self._give_back(client)
                raise
            self._busy.discard(client)
            self._withdrawn += 1
            return await self._take(sender)
        except BaseException:
            self._give_back(client)
            raise
        return client

    def _find_idle(self) -> SMTP | None:
        """Return a connection that is open and that nobody uses, if there is one."""
        while self._idle:
            client = self._idle.pop()
            if client.is_connected:
                return client
        return None

    def _give_back(self, client: SMTP) -> None:
        """Let the next one have a connection, or a new one instead of it."""
        self._busy.discard(client)
        if client.is_connected:
            self._idle.append(client)
        self._places.release()
        if self._busy or self._waiting:
            return
        while self._withdrawn:  # nobody is left: whoever comes next finds out anew what the server allows
            self._withdrawn -= 1
            self._places.release()
        self._refused = ""

    def _new_client(self, sender: str) -> SMTP:
        """Return a connection that is not open yet."""
        return SMTP(
            hostname=self._host,
            port=self._port,
            timeout=self._timeout,
            use_tls=self._tls == "implicit",
            start_tls=self._tls == "starttls",
            # Our machine may not know its own name, and asking for it may take long.
            local_hostname=domain_of(sender) or "localhost",
        )

    async def _connect(self, client: SMTP) -> None:
        """Open a connection and log in."""
        try:
            await client.connect()
            await client.ehlo()
            if self._user:
                await self._log_in(client)
        except SMTPResponseException as answer:  # even a final refusal concerns no email yet
            client.close()
            raise self._explain_loss(quote_answer(answer)) from answer
        except (SMTPException, OSError) as error:
            client.close()
            raise self._explain_loss(explain_error(error)) from error
        except BaseException:
            client.close()
            raise

    async def _log_in(self, client: SMTP) -> None:
        """Try one way to log in, and only once: more attempts with a wrong password may get us locked out.

        Where a token is refused that was used before, a new one is tried, on a new connection.
        """
        ways = {"plain": client.auth_plain, "login": client.auth_login, "cram-md5": client.auth_crammd5}
        if self._token:
            ways = {"xoauth2": client.auth_xoauth2}
        async with self._logging_in:
            if self._refused:
                raise LoginRefused(self._refused)
            again = True
            while again:
                offered = [way for way in ways if way in client.server_auth_methods]
                if not offered:
                    raise LoginRefused(f"The SMTP server {self._place} offers no way to log in that we know.")
                proof = await self._token.token() if self._token else self._password
                try:
                    await ways[offered[0]](self._user, proof)
                    return
                except SMTPAuthenticationError as answer:
                    if answer.code < 500:
                        raise
                    words = quote_answer(answer)
                    again = self._token is not None and self._token.drop_refused()
                if again:
                    client.close()
                    await client.connect()
                    await client.ehlo()
            self._refused = f"The SMTP server {self._place} refuses the login of {self._user}: {words}."
            raise LoginRefused(self._refused)

    def _note_refused(self, sender: str, plain: str, answer: SMTPResponseException) -> None:
        """Remember, and log once, that the server takes a kind of envelope sender never, if it said so."""
        if answer.code < 500 or bool(sender) in self._refused_kinds:
            return
        self._refused_kinds.add(bool(sender))
        kind = "with an address of their own for bounces" if sender else "without an envelope sender"
        log.warning(
            "deliver: The SMTP server %s takes no emails %s: %s. They are sent from %s. Put “?envelope=plain” at the"
            " end of smtp_url, and it is not tried again.",
            *(self._place, kind, quote_answer(answer), plain),
            extra=event("envelope_refused"),
        )

    def _explain_refusal(self, client: SMTP, answer: SMTPResponseException, sender: str) -> PbemError:
        """Return the error that the answer to MAIL, RCPT or DATA means; after which RSET has been sent."""
        server, words = f"The SMTP server {self._place}", quote_answer(answer)
        if answer.code >= 500 and answer.code not in {*NO_LOGIN, OUT_OF_STEP} and not is_about_us(answer):
            return PermanentFailure(f"{server} does not take the email: {words}.")
        client.close()
        if answer.code in NO_LOGIN:
            return LoginRefused(f"{server} wants a login: {words}.")
        failure = ServerFailure if is_servers(answer) else TransientFailure
        if answer.code < 500 or answer.code == OUT_OF_STEP:
            return failure(f"{server} does not take the email now: {words}.")
        return failure(f"{server} takes no email from {sender}: {words}.")

    def _explain_loss(self, why: str) -> ServerFailure:
        """Return the error for a connection that could not be made, or was lost."""
        return ServerFailure(f"No connection to the SMTP server {self._place}: {why}.")


async def _transact(client: SMTP, sender: str, recipient: str, raw: bytes, on_named: Callable[[str], None]) -> None:
    """Hand one email over in one transaction (RFC 5321, 3.3), which ends with RSET if anything in it is refused.

    ``on_named`` is called with the recipient before the server hears of them.

    Where RSET fails, too, the connection ends: what is said next on it would be refused for what came before, and the
    refusal says more than the failure.

    ``sendmail`` of aiosmtplib does the same for many recipients, and any addresses: it goes through the whole email
    once more, and reads each address twice, as long as the rest of sending takes. Ours have been checked. A size
    (RFC 1870) counts lone line ends, which our emails do not have, as one byte.
    """
    options = [f"SIZE={len(raw)}".encode()] if client.supports_extension("size") else []
    if not raw.isascii() and client.supports_extension("8bitmime"):
        options.append(b"BODY=8BITMIME")
    try:
        answer = await client.execute_command(b"MAIL", f"FROM:<{sender}>".encode(), *options)
        if answer.code != SMTPStatus.completed:
            raise SMTPSenderRefused(answer.code, answer.message, sender)
        on_named(recipient)
        answer = await client.execute_command(b"RCPT", f"TO:<{recipient}>".encode())
        if answer.code not in (SMTPStatus.completed, SMTPStatus.will_forward):
            raise SMTPRecipientRefused(answer.code, answer.message, recipient)
        await client.data(raw)
    except SMTPResponseException:
        try:
            await client.rset()
        except (SMTPException, OSError):
            client.close()
        raise


async def _refusal_of(client: SMTP, recipient: str) -> SMTPResponseException | None:
    """Return the refusal of a recipient; None if it is taken."""
    try:
        await client.rcpt(recipient)
    except SMTPRecipientRefused as refusal:
        return refusal
    return None
