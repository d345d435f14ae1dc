"""What can go wrong around the line; ``str(error)`` is one sentence for the operator.

PbemError                 exit code, after sysexits.h
├── BadInput              64  a command was given something that will not do
├── BadFile               65  a file's contents will not do
├── NoFile                66  a file cannot be read
├── Unavailable           69  a server cannot be reached
│   ├── TransientFailure      sending may succeed later
│   └── MailboxLost           the connection to the mailbox is gone; connect again
├── PermanentFailure      69  sending will never succeed as it stands
├── LoginRefused          77  a server refuses user name or password
├── Busy                  75  the database is in use; try again
└── ConfigError           78  a setting is missing or makes no sense
"""

from typing import ClassVar


class PbemError(Exception):
    """Something the operator can put right."""

    exit_code: ClassVar[int] = 70


class BadInput(PbemError):
    """A command was given something that will not do."""

    exit_code = 64


class BadFile(PbemError):
    """A file's contents will not do."""

    exit_code = 65


class NoFile(PbemError):
    """A file cannot be read."""

    exit_code = 66


class Unavailable(PbemError):
    """A server cannot be reached."""

    exit_code = 69


class TransientFailure(Unavailable):
    """An email could not be sent now, but may be later."""


class MailboxLost(Unavailable):
    """The connection to the mailbox is gone, or cannot be made."""


class PermanentFailure(PbemError):
    """An email can never be sent as it stands."""

    exit_code = 69


class LoginRefused(PbemError):
    """A server refuses the user name or the password."""

    exit_code = 77


class Busy(PbemError):
    """The database is in use; the same call may succeed later."""

    exit_code = 75


class ConfigError(PbemError):
    """A setting is missing or makes no sense."""

    exit_code = 78
