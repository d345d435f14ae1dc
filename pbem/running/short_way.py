"""The short way of an email from a mail server's pipe: it is handed to the running service, over a socket.

A mail server starts ``pbem receive`` for each email, so this imports next to nothing, and above all no database
library. Where anything is unusual it does nothing, and the ordinary way says what is wrong, with the right exit code.
"""

import os
import socket
import tomllib

from pbem.sizes import LARGEST

STORED = b"stored\n"
"""The answer of the service, once it has stored an email durably."""

_SECONDS = 5.0  # of waiting, each time: a service that does not answer must not keep the mail server waiting
_DEFAULT, _PREFIX = "sqlite:///pbem.db", "sqlite:///"


def socket_beside(database: str) -> str:
    """Return the path of the socket of the service over an SQLite file."""
    return f"{database}.sock"


def find_socket(config: str | None = None) -> str | None:
    """Return the path of the socket that belongs to a settings file; None where only the ordinary way can tell.

    It lies beside the database, found as ``pbem.settings`` finds it, so that no email gets to another database.
    """
    named = config or os.environ.get("PBEM_CONFIG")
    file, url, home = named or "pbem.toml", None, ""
    try:
        if named or os.path.exists(file):
            with open(file, "rb") as settings:
                url = tomllib.load(settings).get("database_url")
            home = "" if url is None else os.path.dirname(os.path.realpath(file))
    except (OSError, ValueError):
        return None
    for name, value in os.environ.items():
        if name.upper() == "PBEM_DATABASE_URL" and value not in ("", url):
            url, home = value, ""
    url = _DEFAULT if url is None else url
    if not isinstance(url, str) or not url.startswith(_PREFIX):
        return None
    database = os.path.join(home, url.removeprefix(_PREFIX))
    return None if "?" in database or "%" in database else socket_beside(database)  # in a URL they mean something


def hand_over(raw: bytes, path: str, *, seconds: float = _SECONDS, owner: int | None = None) -> bool:
    """Hand an email to the service that listens at ``path``; return whether it is stored.

    The socket must be one that the user ``owner`` has made, by default our own user. The size goes first, so that
    nothing counts of an email that breaks off. If the service dies before it answers, the email may be stored all the
    same: whoever then takes it in again finds it a duplicate.
    """
    if len(raw) > LARGEST:
        return False
    try:
        if os.lstat(path).st_uid != (os.geteuid() if owner is None else owner):
            return False  # whoever else made it would get the email, and could answer what they like
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(seconds)
            line.connect(path)
            line.sendall(b"%d\n%b" % (len(raw), raw))
            return line.recv(len(STORED)) == STORED
    except OSError:
        return False
