"""Sending by SMTP (RFC 5321), over a few connections that are kept open."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from urllib.parse import parse_qsl, unquote, urlsplit

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPRecipientRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)

from pbem.errors import (
    ConfigError,
    LoginRefused,
    OutcomeUnknown,
    PbemError,
    PermanentFailure,
    ServerFailure,
    TransientFailure,
    Unavailable,
)
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
from pbem.transport.smtp_session import LONGEST_ANSWER, OutOfStep, Session
from pbem.transport.token import TokenCommand

log = logging.getLogger("pbem")

_MODES = {"none", "starttls", "implicit"}
USUAL_CONNECTIONS, FEWER_CONNECTIONS = 4, 2
"""So many emails are sent at once; fewer where it takes long to note them: what is not noted yet is sent again after a
kill."""

PATIENCE = 30.0
"""Seconds for each answer where somebody waits for it who wants to know whether the server works."""

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
    token, with which it logs in instead of a password. ``timeout`` in seconds is for each answer, instead of the times
    of RFC 5321, 4.5.3.2. Raises ConfigError for a url that will not do.
    """

    def __init__(
        self, url: str, *, token: str = "", timeout: float | None = None, usual: int = USUAL_CONNECTIONS
    ) -> None:
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
                " leave tls=none out, or write tls=starttls or tls=implicit. On this machine none is needed:"
                " smtp://localhost:25."
            )
        self._port = port or (465 if self._tls == "implicit" else 587 if self._user else 25)
        self._place = f"{self._host}:{self._port}"
        self._token = TokenCommand(token, "smtp_token") if token else None
        self._timeout = timeout
        self._idle: list[Session] = []
        self._busy: set[SMTP | Session] = set()
        self._together = True  # commands are sent so where the server offers it, until it breaks off for it
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
        are, except that lone CR and LF become CRLF. Raises ServerFailure when the server fails whoever the email is
        for, OutcomeUnknown when it may have taken the email (also to whoever is cancelled then), TransientFailure,
        PermanentFailure, LoginRefused.
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
        try:
            async with self._connected(plain or sender) as session:
                together = self._together and session.takes_together
                try:
                    await session.hand_over(sender, recipient, raw, together=together)
                except SMTPResponseException as answer:
                    if plain in ("", sender) or not may_be_about_sender(answer):
                        raise
                    return answer
        except OutOfStep as error:
            return await self._hand_over_step_by_step(sender, recipient, raw, plain, error)
        return None

    async def _hand_over_step_by_step(
        self, sender: str, recipient: str, raw: bytes, plain: str, error: OutOfStep
    ) -> SMTPResponseException | None:
        """Do so after the server broke off when it got commands together; if that was why, it gets none any more."""
        self._together = False
        try:
            refusal = await self._hand_over(sender, recipient, raw, plain)
        except ServerFailure:
            self._together = True
            raise
        log.info(
            "deliver: The SMTP server %s offers to take commands together, and does not: %s. It gets them one by one.",
            *(self._place, explain_error(error)),
            extra=event("no_pipelining"),
        )
        return refusal

    async def check(self, sender: str, others: Sequence[str] = ()) -> dict[str, str]:
        """Connect, log in and name the sender, and send nothing; raises what ``send`` raises.

        Return those of ``others`` that the server refuses as envelope senders, with its words.
        """
        refused: dict[str, str] = {}
        async with self._connected(sender) as session:
            await session.name_sender(sender)
            # Many servers judge the sender only when they hear of a recipient.
            heard = await _refusal_of(session, sender) is None
            await session.reset()
            for other in () if self._always_plain else others:
                try:
                    await session.name_sender(other)
                    answer = await _refusal_of(session, sender) if heard else None
                except SMTPSenderRefused as refusal:
                    answer = refusal
                if answer:
                    refused[other] = quote_answer(answer)
                await session.reset()
        return refused

    async def close(self) -> None:
        """End the connections, politely but within a second; never raises. A later email connects again."""
        idle, self._idle = self._idle, []
        for busy in self._busy:
            busy.close()
        with suppress(Exception):
            await asyncio.gather(*(session.quit(1) for session in idle), return_exceptions=True)
        for session in idle:
            session.close()

    @asynccontextmanager
    async def _connected(self, sender: str) -> AsyncIterator[Session]:
        """Yield a connection, for nobody else meanwhile; translate errors, and end it unless it is in order."""
        session = await self._take(sender)
        try:
            yield session
        except SMTPResponseException as answer:
            raise self._explain_refusal(session, answer, sender) from None
        except OutOfStep:
            session.close()
            raise
        except (SMTPException, OSError) as error:
            session.close()
            raise self._explain_loss(explain_error(error), session) from error
        except BaseException:
            session.close()
            if session.is_unknown:
                raise self._explain_loss("its answer is not waited for any longer", session) from None
            raise
        finally:
            self._give_back(session)

    async def _take(self, sender: str) -> Session:
        """Return an idle connection, or a new one, in turn; wait for one where the server allows no more."""
        self._waiting += 1
        try:
            await self._places.acquire()
        finally:
            self._waiting -= 1
        if session := self._find_idle():
            self._busy.add(session)
            return session
        client = self._new_client(sender)
        self._busy.add(client)
        try:
            session = await self._connect(client)
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
        self._busy ^= {client, session}
        return session

    def _find_idle(self) -> Session | None:
        """Return a connection that is open and that nobody uses, if there is one."""
        while self._idle:
            session = self._idle.pop()
            if session.is_open:
                return session
            session.close()
        return None

    def _give_back(self, used: SMTP | Session) -> None:
        """Let the next one have a connection, or a new one instead of it."""
        self._busy.discard(used)
        if isinstance(used, Session) and used.is_open:
            self._idle.append(used)
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
            timeout=self._timeout or LONGEST_ANSWER,
            use_tls=self._tls == "implicit",
            start_tls=self._tls == "starttls",
            # Our machine may not know its own name, and asking for it may take long.
            local_hostname=domain_of(sender) or "localhost",
        )

    async def _connect(self, client: SMTP) -> Session:
        """Open a connection and log in."""
        try:
            await client.connect()
            await client.ehlo()
            if self._user:
                await self._log_in(client)
            return Session(client, self._timeout)
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

    def _explain_refusal(self, session: Session, answer: SMTPResponseException, sender: str) -> PbemError:
        """Return the error that the answer to MAIL, RCPT or DATA means; after which RSET has been sent."""
        server, words = f"The SMTP server {self._place}", quote_answer(answer)
        if answer.code >= 500 and answer.code not in {*NO_LOGIN, OUT_OF_STEP} and not is_about_us(answer):
            return PermanentFailure(f"{server} does not take the email: {words}.")
        session.close()
        if answer.code in NO_LOGIN:
            return LoginRefused(f"{server} wants a login: {words}.")
        sentence = f"{server} takes no email from {sender}: {words}."
        if answer.code < 500 or answer.code == OUT_OF_STEP:
            sentence = f"{server} does not take the email now: {words}."
        if not is_servers(answer):
            return TransientFailure(sentence)
        return ServerFailure(sentence, on_message=session.has_named)

    def _explain_loss(self, why: str, session: Session | None = None) -> Unavailable:
        """Return the error for a connection that could not be made, or was lost."""
        if session and session.is_unknown:
            return OutcomeUnknown(f"The SMTP server {self._place} may have taken the email: {why}.")
        lost = f"No connection to the SMTP server {self._place}: {why}."
        return ServerFailure(lost, on_message=session is not None and session.has_named)


async def _refusal_of(session: Session, recipient: str) -> SMTPResponseException | None:
    """Return the refusal of a recipient; None if it is taken."""
    try:
        await session.name_recipient(recipient)
    except SMTPRecipientRefused as refusal:
        return refusal
    return None
