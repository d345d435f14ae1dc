"""The errors of the service outside the rules; ``str(error)`` is one sentence for the operator.

PbemError                 exit code, as in sysexits.h
├── BadInput              64  an argument of a command is invalid
├── BadFile               65  the contents of a file are invalid
├── DamagedRow            65  a row of the database holds what pbem never writes
│   └── DamagedMatch          it belongs to a match, which waits until it is restored
├── NoFile                66  a file cannot be read
├── Unavailable           69  a server cannot be reached
│   ├── TransientFailure      sending may succeed later
│   │   └── ServerFailure         our own server is at fault, whoever the message is for
│   ├── OutcomeUnknown        nobody knows whether the server took the message
│   └── MailboxLost           the connection to the mailbox is lost; connect again
├── PermanentFailure      69  sending this message can never succeed
├── ThoughtLost           70  a robot came to no end in time, or failed
├── Unwritable            74  a directory cannot be written to
├── LoginRefused          77  a server refuses user name, password or token
│   └── NoToken               the command that prints an access token gives none
├── Busy                  75  the database is in use; try again
│   ├── Conflict              another transaction was in the way; it may succeed at once
│   └── Served                another process serves it, as only one may
└── ConfigError           78  a setting is missing or invalid
    └── MailboxTaken          another service reads the mailbox
"""

from typing import ClassVar


class PbemError(Exception):
    """An error that the operator can put right."""

    exit_code: ClassVar[int] = 70


class BadInput(PbemError):
    """An argument of a command is invalid."""

    exit_code = 64


class BadFile(PbemError):
    """The contents of a file are invalid."""

    exit_code = 65


class DamagedRow(PbemError):
    """A row of the database holds what pbem never writes: a broken disk, or a hand, has changed it."""

    exit_code = 65


class DamagedMatch(DamagedRow):
    """A match with a damaged row, by its number ``id``; ``what`` says what is wrong where, without a full stop.

    It is an error where that match is asked for, and stands among the others where matches are listed.
    """

    def __init__(self, number: int, what: str) -> None:
        super().__init__(
            f"Match {number} is damaged: {what}. Restore it from a backup (“pbem backup” makes them);"
            " all other matches go on."
        )
        self.id = number
        self.what = what


class NoFile(PbemError):
    """A file cannot be read."""

    exit_code = 66


class ThoughtLost(PbemError):
    """A robot came to no end of its thought in time, or failed."""


class Unwritable(PbemError):
    """A directory cannot be written to: the disk is full, or it belongs to somebody else."""

    exit_code = 74


class Unavailable(PbemError):
    """A server cannot be reached."""

    exit_code = 69


class TransientFailure(Unavailable):
    """A message could not be sent now; a later attempt may succeed. It says nothing about other messages."""


class ServerFailure(TransientFailure):
    """No message can be sent now, for all we know: the server does not answer, or fails whoever a message is for.

    ``on_message``: it failed when it was handed this message, so that something in that may be the cause.
    """

    def __init__(self, sentence: str, *, on_message: bool = False) -> None:
        super().__init__(sentence)
        self.on_message = on_message


class OutcomeUnknown(Unavailable):
    """The server may have taken a message: it has all of it, and did not say so, or not as long as it was waited for.

    A repeat may be a second copy. Before the end of the message it is none: a ServerFailure says that.
    """


class MailboxLost(Unavailable):
    """The connection to the mailbox is lost, or cannot be made."""


class PermanentFailure(PbemError):
    """A message can never be sent as it is."""

    exit_code = 69


class LoginRefused(PbemError):
    """A server refuses the user name, the password or the access token."""

    exit_code = 77


class NoToken(LoginRefused):
    """The command that prints an access token gives none, so that nobody was asked to let us in."""


class Busy(PbemError):
    """The database is in use; the same call may succeed later."""

    exit_code = 75


class Conflict(Busy):
    """Another transaction was in the way of this one, which is undone; the same again may succeed at once."""


class Served(Busy):
    """Another process serves the database, as only one may."""


class ConfigError(PbemError):
    """A setting is missing or invalid."""

    exit_code = 78


class MailboxTaken(ConfigError):
    """Another service reads the mailbox: two would answer its players, and one of them wrongly."""
