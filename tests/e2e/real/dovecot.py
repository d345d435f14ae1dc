"""Debian's Dovecot 2.3: IMAP on loopback and LMTP on a socket, over mailboxes in a directory."""

import grp
import hmac
import json
import os
import pwd
import secrets
import signal
import subprocess
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable
from datetime import datetime
from itertools import count
from pathlib import Path
from shutil import chown, rmtree
from urllib.parse import quote

from tests.e2e.real.place import free_ports, listens, program, wait_until

_CONFIGURATION = """\
base_dir = {home}/run
state_dir = {home}/state
instance_name = pbem
log_path = {home}/log
log_timestamp = "%H:%M:%S.%{{usecs}} "
protocols = imap lmtp
listen = 127.0.0.1
{users}
ssl = yes
ssl_cert = <{certificate}
ssl_key = <{certificate}
disable_plaintext_auth = no
auth_failure_delay = 0
recipient_delimiter = +
mail_location = maildir:{home}/mail/%u
mail_fsync = never
first_valid_uid = 1
mail_uid = {uid}
mail_gid = {gid}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {home}/users
}}
userdb {{
  driver = passwd-file
  args = username_format=%u {home}/users
  default_fields = home={home}/mail/%u
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
  }}
}}
service lmtp {{
  unix_listener {home}/lmtp {{
    mode = 0666
  }}
}}
service auth {{
  unix_listener {home}/login {{
    mode = 0666
  }}
}}
# Else it makes those wait who have come with a wrong password before.
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
"""
# Tokens are checked here alone: they are signed with a key that lies in a directory (JWT, RFC 7519).
_TOKENS = """\
auth_mechanisms = plain login xoauth2
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {home}/tokens.conf
}}
"""
_TOKENS_ARE = """\
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={home}/keys/
username_attribute = email
"""
# Who is not root can serve all the same, under their own name and without changing its root directory.
_AS_ONESELF = """\
default_internal_user = {name}
default_login_user = {name}
default_internal_group = {group}
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


class Dovecot:
    """A Dovecot with a mailbox for each of ``addresses``, all with the same password; ``home`` must be a short path.

    With ``tokens`` it also lets in whoever has an access token. Ports, letters and numbers of letters stay as they are
    over ``stop`` and ``start``. Messages arrive at the socket ``lmtp``; at the socket ``login`` Postfix has passwords
    checked.
    """

    password = "s:cret & more"

    def __init__(self, home: Path, addresses: Iterable[str], certificate: Path, *, tokens: bool = False) -> None:
        home.mkdir()
        self.lmtp, self.login = home / "lmtp", home / "login"
        self.port, self.tls_port = free_ports(2)
        self._home, self._configuration = home, home / "dovecot.conf"
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)
        self._passwords = dict.fromkeys(addresses, self.password)
        self._root = os.geteuid() == 0
        owner = pwd.getpwnam("nobody") if self._root else pwd.getpwuid(os.geteuid())
        self._owner = owner.pw_uid, owner.pw_gid
        (home / "mail").mkdir()
        self._give_away(home / "mail")
        for address in self._passwords:
            self._make_mailbox(address)
        users = "" if self._root else _AS_ONESELF.format(name=owner.pw_name, group=grp.getgrgid(owner.pw_gid).gr_name)
        self._configuration.write_text(
            _CONFIGURATION.format(
                home=home,
                users=users,
                certificate=certificate,
                uid=owner.pw_uid,
                gid=owner.pw_gid,
                port=self.port,
                tls_port=self.tls_port,
            )
        )
        self._write_users()
        self._key, self._key_file = b"", home / "keys" / "default" / "HS256" / "default"
        if tokens:
            with self._configuration.open("a") as configuration:
                configuration.write(_TOKENS.format(home=home))
            (home / "tokens.conf").write_text(_TOKENS_ARE.format(home=home))
            self._key_file.parent.mkdir(parents=True)
            self.revoke_tokens()

    def revoke_tokens(self) -> None:
        """Let no token count that was made until now, once it has been stopped and started."""
        self._key = secrets.token_bytes(32)
        self._key_file.write_bytes(b64encode(self._key))

    def make_token(self, address: str, *, seconds: float = 3600) -> str:
        """Return an access token for ``address``, which is good for so many seconds from now."""
        claims = {"sub": address, "email": address, "iat": int(time.time()), "exp": int(time.time() + seconds)}
        parts = ({"alg": "HS256", "typ": "JWT"}, claims)
        signed = b".".join(_part(json.dumps(part).encode()) for part in parts)
        return (signed + b"." + _part(hmac.digest(self._key, signed, "sha256"))).decode()

    def imap_url(self, address: str, *, host: str = "127.0.0.1", tls: bool = False) -> str:
        """Return where ``address`` reads its mail, user name and password included."""
        user, password = quote(address, safe=""), quote(self.password, safe="")
        scheme, port = ("imaps", self.tls_port) if tls else ("imap", self.port)
        return f"{scheme}://{user}:{password}@{host}:{port}/INBOX"

    def start(self) -> None:
        """Serve; returns when connections are taken."""
        self._process = subprocess.Popen(
            [program("dovecot"), "-F", "-c", self._configuration], stdout=subprocess.DEVNULL, start_new_session=True
        )
        wait_until(lambda: listens(self.port) and self.lmtp.exists(), f"Dovecot, which says: {self.log()}")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it and all its conversations; with SIGKILL nobody is told."""
        process, self._process = self._process, None
        if process is None:
            return
        if number == signal.SIGKILL:
            # Those who talk are processes of their own; they have no session of their own.
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        process.wait(20)
        wait_until(lambda: not listens(self.port), "the end of Dovecot")

    def log(self) -> str:
        """Return what it has noted until now."""
        file = self._home / "log"
        return file.read_text(errors="replace") if file.exists() else ""

    def admin(self, *arguments: str) -> str:
        """Call ``doveadm`` and return what it prints."""
        command = [program("doveadm"), "-c", str(self._configuration), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def uidvalidity(self, address: str) -> int:
        """Return for how long the numbers of a mailbox's messages are valid: until this number changes."""
        answer = self.admin("mailbox", "status", "-u", address, "uidvalidity", "INBOX")
        return int(answer.rpartition("=")[2])

    def renumber(self, address: str, uidvalidity: int) -> None:
        """Let the numbers of a mailbox's messages be valid no more, and others be."""
        self.admin("mailbox", "update", "-u", address, "--uid-validity", str(uidvalidity), "INBOX")

    def set_password(self, address: str, password: str) -> None:
        """Give an account another password; it holds for the next login."""
        self._passwords[address] = password
        self._write_users()

    def messages(self, address: str) -> list[bytes]:
        """Return the messages of ``address``, the oldest first."""
        return [file.read_bytes() for file in sorted(self._files(address), key=lambda file: file.stat().st_mtime_ns)]

    def count(self, address: str) -> int:
        """Return how many messages ``address`` has."""
        return len(self._files(address))

    def put(self, address: str, *messages: bytes, at: datetime | None = None) -> None:
        """Lay messages into a mailbox, past LMTP, as arrived ``at`` a time, now unless given."""
        home = self._home / "mail" / address
        for raw in messages:
            name = f"{time.time():.6f}.{next(self._numbers)}.test"
            file = home / "tmp" / name
            file.write_bytes(raw)
            if at is not None:
                os.utime(file, (at.timestamp(), at.timestamp()))
            self._give_away(file)
            file.rename(home / "new" / name)

    def close_newest(self, address: str) -> None:
        """Let nobody but root open the message that has come last."""
        max(self._files(address), key=lambda file: file.stat().st_mtime_ns).chmod(0)

    def open_all(self, address: str) -> None:
        """Let the owner open all messages."""
        for file in self._files(address):
            file.chmod(0o600)

    def forget_numbers(self, address: str) -> None:
        """Lose the index of a mailbox, as a move to another machine does: its messages are numbered anew."""
        for file in (self._home / "mail" / address).glob("dovecot*"):
            file.unlink()

    def make_anew(self, address: str) -> None:
        """Delete a mailbox with all that is in it, and make one of the same name."""
        rmtree(self._home / "mail" / address)
        self._make_mailbox(address)

    def _make_mailbox(self, address: str) -> None:
        home = self._home / "mail" / address
        for directory in (home, home / "cur", home / "new", home / "tmp"):
            directory.mkdir()
            self._give_away(directory)

    def _files(self, address: str) -> list[Path]:
        home = self._home / "mail" / address
        return [*(home / "new").iterdir(), *(home / "cur").iterdir()]

    def _give_away(self, path: Path) -> None:
        if self._root:
            chown(path, *self._owner)

    def _write_users(self) -> None:
        uid, gid = self._owner
        # A colon ends a field, so the password is written in hexadecimal digits.
        rows = (
            f"{address}:{{PLAIN.HEX}}{password.encode().hex()}:{uid}:{gid}::::\n"
            for address, password in self._passwords.items()
        )
        fresh = self._home / "users.new"
        fresh.write_text("".join(rows))
        fresh.replace(self._home / "users")


def _part(content: bytes) -> bytes:
    """Return a part of a token (RFC 7515, 2)."""
    return urlsafe_b64encode(content).rstrip(b"=")
