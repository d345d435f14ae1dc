"""Sending by SMTP (RFC 5321): one email at a time, over one connection that is kept open."""

import asyncio
import re
from contextlib import suppress
from typing import NoReturn
from urllib.parse import parse_qsl, unquote, urlsplit

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPRecipientRefused,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)

from pbem.errors import ConfigError, LoginRefused, PbemError, PermanentFailure, TransientFailure
from pbem.mail import is_address
from pbem.transport.network import is_loopback, one_line, reason

_NO_LOGIN = {530, 534, 535, 538}  # RFC 4954, section 6
_OUT_OF_STEP = 503  # a bad sequence of commands: no fault of the email
_TOO_LARGE = 552  # the only fault of an email that a server knows of at MAIL
_MODES = {"none", "starttls", "implicit"}
_BAD_URL = (
    "The SMTP URL must look like smtps://user:password@host:port or smtp://host, with special characters "
    "percent-encoded (@ is %40, / is %2F, : is %3A), and may end in ?tls=none, starttls or implicit."
)


class SmtpCourier:
    """Carries emails to an SMTP server; connects when needed, and again after a loss.

    ``url`` is ``smtp[s]://[user:password@]host[:port]``: ``smtps`` is TLS from the start (port 465), ``smtp``
    is STARTTLS (port 587 with a user, else 25) but plain on loopback; ``?tls=none``, ``starttls`` or
    ``implicit`` says otherwise. ``timeout`` in seconds is for each answer. Raises ConfigError for a url that
    will not do.
    """

    def __init__(self, url: str, *, timeout: float = 30) -> None:
        try:
            parts = urlsplit(url)
            self._host, port = parts.hostname or "", parts.port
            options = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
        except ValueError:
            raise ConfigError(_BAD_URL) from None  # its text could show the password
        if parts.scheme not in ("smtp", "smtps") or not self._host or parts.path.strip("/") or parts.fragment:
            raise ConfigError(_BAD_URL)
        usual = "implicit" if parts.scheme == "smtps" else "none" if is_loopback(self._host) else "starttls"
        self._tls = options.pop("tls", usual)
        if self._tls not in _MODES or options:
            raise ConfigError(_BAD_URL)
        self._user, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        self._port = port or (465 if self._tls == "implicit" else 587 if self._user else 25)
        self._place = f"{self._host}:{self._port}"
        self._timeout = timeout
        self._client: SMTP | None = None
        self._lock = asyncio.Lock()

    async def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand one email over; ``sender`` may be empty, for an email that wants no answer.

        The bytes go out as they are, except that lone CR and LF become CRLF. Raises TransientFailure (also
        when it is unknown whether the email was taken, or when the server refuses us rather than the email),
        PermanentFailure, LoginRefused.
        """
        for address in (recipient, sender) if sender else (recipient,):
            # aiosmtplib finds out only after MAIL, and spoils what is sent next.
            if not is_address(address):
                raise PermanentFailure(f"{address!a} is no address that email can be sent to.")
        async with self._lock:
            try:
                client = await self._connect(sender)
                eight_bit = not raw.isascii() and client.supports_extension("8bitmime")
                options = ["BODY=8BITMIME"] if eight_bit else []
                await client.sendmail(sender, [recipient], raw, mail_options=options)
            except SMTPRecipientsRefused as refusals:
                self._raise_refusal(refusals.recipients[0], sender)
            except SMTPResponseException as answer:
                self._raise_refusal(answer, sender)
            except (SMTPException, OSError) as error:
                raise self._drop_and_explain(_explain_error(error)) from error
            except PbemError:
                raise
            except BaseException:
                self._drop()
                raise

    async def check(self, sender: str) -> None:
        """Connect, log in and name the sender, and send nothing; raises what ``send`` raises."""
        async with self._lock:
            try:
                client = await self._connect(sender)
                await client.mail(sender)
                await client.rset()
            except SMTPResponseException as answer:
                self._raise_refusal(answer, sender)
            except (SMTPException, OSError) as error:
                raise self._drop_and_explain(_explain_error(error)) from error

    async def close(self) -> None:
        """End the connection, politely but within a second; never raises. A later email connects again."""
        with suppress(Exception):
            if self._client is not None and not self._lock.locked():
                async with self._lock:
                    await self._client.quit(timeout=1)
        self._drop()

    async def _connect(self, sender: str) -> SMTP:
        """Return the connection, logged in; make it when there is none or it has broken."""
        if self._client is not None and self._client.is_connected:
            return self._client
        client = SMTP(
            hostname=self._host,
            port=self._port,
            timeout=self._timeout,
            use_tls=self._tls == "implicit",
            start_tls=self._tls == "starttls",
            # Our machine may not know its own name, and asking for it may take long.
            local_hostname=sender.rpartition("@")[2] or "localhost",
        )
        try:
            await client.connect()
            await client.ehlo()
            if self._user:
                await self._log_in(client)
        except SMTPResponseException as answer:  # even a final refusal concerns no email yet
            client.close()
            raise self._drop_and_explain(_quote_answer(answer)) from answer
        except BaseException:
            client.close()
            raise
        self._client = client
        return client

    async def _log_in(self, client: SMTP) -> None:
        """Try one way to log in: a second attempt with a wrong password may get us locked out."""
        ways = {"plain": client.auth_plain, "login": client.auth_login, "cram-md5": client.auth_crammd5}
        offered = [way for way in ways if way in client.supported_auth_methods]
        if not offered:
            raise LoginRefused(f"The SMTP server {self._place} offers no way to log in that we know.")
        try:
            await ways[offered[0]](self._user, self._password)
        except SMTPAuthenticationError as answer:
            if answer.code < 500:
                raise
            words = _quote_answer(answer)
            raise LoginRefused(f"The SMTP server {self._place} refuses the login of {self._user}: {words}.") from None

    def _raise_refusal(self, answer: SMTPResponseException, sender: str) -> NoReturn:
        """Raise the error that the answer to MAIL, RCPT or DATA means; after 5xx aiosmtplib has sent RSET."""
        if answer.code in _NO_LOGIN:
            self._drop()
            raise LoginRefused(f"The SMTP server {self._place} wants a login: {_quote_answer(answer)}.")
        if answer.code < 500 or answer.code == _OUT_OF_STEP:
            self._drop()
            raise TransientFailure(
                f"The SMTP server {self._place} does not take the email now: {_quote_answer(answer)}."
            )
        if _is_about_us(answer):
            self._drop()
            raise TransientFailure(
                f"The SMTP server {self._place} takes no email from {sender}: {_quote_answer(answer)}."
            )
        raise PermanentFailure(f"The SMTP server {self._place} does not take the email: {_quote_answer(answer)}.")

    def _drop_and_explain(self, reason: str) -> TransientFailure:
        """Drop the connection, and return the error to raise."""
        self._drop()
        return TransientFailure(f"No connection to the SMTP server {self._place}: {reason}.")

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()


def _is_about_us(answer: SMTPResponseException) -> bool:
    """Return whether every email of ours would be refused like this, so that none is to be given up for it.

    Servers that find us on a block list often say so only at RCPT, by the status X.7 (security or policy, RFC 3463).
    X.4.5 means that we have reached a daily limit.
    """
    if isinstance(answer, SMTPSenderRefused):
        return answer.code != _TOO_LARGE
    by_policy = r"5\.7\.\d+\b|" if isinstance(answer, SMTPRecipientRefused) else ""
    return re.match(rf"{by_policy}5\.4\.5\b", answer.message) is not None


def _quote_answer(answer: SMTPResponseException) -> str:
    """Return the server's own words, shortened, on one line."""
    return one_line(f"{answer.code} {answer.message}")


def _explain_error(error: Exception) -> str:
    cause = error.__cause__ or error
    if isinstance(cause, SMTPServerDisconnected):
        return "it has closed the connection"
    return reason(cause) or one_line(str(cause))
