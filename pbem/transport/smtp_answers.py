"""What the answers of an SMTP server say: of us, of itself, of the sender or of one recipient (RFC 5321, RFC 3463)."""

import re

from aiosmtplib import (
    SMTPDataError,
    SMTPRecipientRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)

from pbem.transport.network import one_line, reason

NO_LOGIN = {530, 534, 535, 538}  # RFC 4954, section 6


OUT_OF_STEP = 503  # a bad sequence of commands: no fault of the email


CLOSING = 421


_TOO_LARGE = 552  # the only fault of an email that a server knows of at MAIL


# The statuses (RFC 3463) of a mail system that fails, and of our daily limit, at whatever step. A final X.3.0 says no
# such thing (Sendmail has it for each refusal that was written by hand), and X.3.4 is about the size of the email.
_OF_SERVER = r"(?:4\.3\.\d+|5\.3\.[1235]|5\.4\.5)\b"


def is_about_us(answer: SMTPResponseException) -> bool:
    """Return whether every email of ours would be refused like this, so that none is to be given up for it.

    Servers that find us on a block list often say so only at RCPT, by the status X.7 (security or policy, RFC 3463).
    X.3 is the mail system of the server, and X.4.5 means that we have reached a daily limit.
    """
    if isinstance(answer, SMTPSenderRefused):
        return answer.code != _TOO_LARGE
    by_policy = r"5\.7\.\d+\b|" if isinstance(answer, SMTPRecipientRefused) else ""
    return re.match(rf"{by_policy}{_OF_SERVER}", answer.message) is not None


def is_servers(answer: SMTPResponseException) -> bool:
    """Return whether an answer with which an email waits is about the server itself, whoever the email is for.

    It is where no recipient had been named yet, where the server closes, or by its status. Anything else, such as
    greylisting or a full mailbox, is said of one recipient, even if it is said of all of them.
    """
    named = isinstance(answer, (SMTPRecipientRefused, SMTPDataError))
    return not named or answer.code == CLOSING or re.match(_OF_SERVER, answer.message) is not None


def may_be_about_sender(answer: SMTPResponseException) -> bool:
    """Return whether the email may be taken with another envelope sender, though it was refused with this one.

    Some servers judge the sender at RCPT, which they say in words or by a status (RFC 3463), and some when they have
    the content.
    """
    if answer.code in {*NO_LOGIN, CLOSING, OUT_OF_STEP, _TOO_LARGE}:
        return False
    if isinstance(answer, SMTPRecipientRefused):
        return re.match(r"5\.7\.|[45]\.1\.[78]\b", answer.message) is not None or "sender" in answer.message.lower()
    return isinstance(answer, SMTPSenderRefused) or answer.code >= 500


def quote_answer(answer: SMTPResponseException) -> str:
    """Return the server's own words, shortened, on one line."""
    return one_line(f"{answer.code} {answer.message}")


def explain_error(error: Exception) -> str:
    """Return why there is no answer at all."""
    cause = error.__cause__ or error
    if isinstance(cause, SMTPServerDisconnected):
        return "it has closed the connection"
    return reason(cause) or one_line(str(cause))
