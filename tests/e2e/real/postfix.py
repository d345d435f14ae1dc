"""Debian's Postfix: SMTP on loopback, which hands everything on to a Dovecot."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from shutil import chown
from urllib.parse import quote

from tests.e2e.real.dovecot import Dovecot
from tests.e2e.real.place import PATIENCE, end, free_ports, listens, program, wait_until

_MAIN = """\
compatibility_level = 3.6
queue_directory = {home}/queue
data_directory = {home}/data
daemon_directory = {daemons}
maillog_file = {home}/log
maillog_file_prefixes = {home}
myhostname = mx.example.org
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
disable_dns_lookups = yes
smtpd_peername_lookup = no
append_dot_mydomain = no
alias_maps =
alias_database =
biff = no
message_size_limit = 60000000
mailbox_size_limit = 0
recipient_delimiter = +
virtual_mailbox_domains = example.org
virtual_mailbox_maps = inline:{{ {mailboxes} }}
virtual_transport = lmtp:unix:{lmtp}
# An answer comes at the step that it is about, and at once.
smtpd_delay_reject = no
smtpd_error_sleep_time = 0
smtpd_sasl_type = dovecot
smtpd_sasl_path = {login}
smtpd_tls_cert_file = {certificate}
smtpd_tls_key_file = {certificate}
smtpd_tls_session_cache_database =
smtp_tls_session_cache_database =
minimal_backoff_time = 2s
maximal_backoff_time = 5s
queue_run_delay = 2s
"""
_MASTER = """\
pickup     unix  n  -  n  60  1  pickup
cleanup    unix  n  -  n  -   0  cleanup
qmgr       unix  n  -  n  300 1  qmgr
tlsmgr     unix  -  -  n  1000? 1 tlsmgr
rewrite    unix  -  -  n  -   -  trivial-rewrite
bounce     unix  -  -  n  -   0  bounce
defer      unix  -  -  n  -   0  bounce
trace      unix  -  -  n  -   0  bounce
verify     unix  -  -  n  -   1  verify
flush      unix  n  -  n  1000? 0 flush
proxymap   unix  -  -  n  -   -  proxymap
proxywrite unix  -  -  n  -   1  proxymap
smtp       unix  -  -  n  -   -  smtp
relay      unix  -  -  n  -   -  smtp
showq      unix  n  -  n  -   -  showq
error      unix  -  -  n  -   -  error
retry      unix  -  -  n  -   -  error
discard    unix  -  -  n  -   -  discard
lmtp       unix  -  -  n  -   -  lmtp
anvil      unix  -  -  n  -   1  anvil
scache     unix  -  -  n  -   1  scache
postlog    unix-dgram n - n - 1 postlogd
"""
_LOGIN = "-o smtpd_sasl_auth_enable=yes -o smtpd_relay_restrictions=permit_sasl_authenticated,reject"
_SERVICES = {
    "plain": "",
    "submission": f"{_LOGIN} -o smtpd_tls_security_level=encrypt",
    "submissions": f"{_LOGIN} -o smtpd_tls_wrappermode=yes",
}


class Postfix:
    """A Postfix for the domain example.org with the mailboxes of ``dovecot``; ``home`` must be a short path.

    It takes mail for ``addresses``, and listens on a port for each of its services: ``plain`` wants no login,
    ``submission`` one after STARTTLS, ``submissions`` one with TLS from the start. ``services`` are further
    ones, with their options; ``main`` is added to its configuration. Ports and queue stay as they are over ``stop`` and
    ``start``.
    """

    def __init__(
        self,
        home: Path,
        dovecot: Dovecot,
        addresses: list[str],
        certificate: Path,
        services: Mapping[str, str] | None = None,
        *,
        main: str = "",
    ) -> None:
        assert os.geteuid() == 0, "Postfix can be started by root alone."
        self._home, self._dovecot = home, dovecot
        self._master = 0
        self._options = _SERVICES | dict(services or {})
        self.ports = dict(zip(self._options, free_ports(len(self._options)), strict=True))
        home.mkdir()
        for name in ("queue", "data", "etc"):
            (home / name).mkdir()
        chown(home / "data", "postfix")
        (home / "etc" / "main.cf").write_text(
            _MAIN.format(
                home=home,
                daemons=self._ask("-d", "-h", "daemon_directory"),
                mailboxes=", ".join(f"{{{address} = here}}" for address in addresses),
                lmtp=dovecot.lmtp,
                login=dovecot.login,
                certificate=certificate,
            )
            + main
        )
        # Somebody may still be writing a file that is new: it would wait for two seconds before it reads that.
        os.utime(home / "etc" / "main.cf", (0, 0))
        rows = (f"127.0.0.1:{self.ports[name]} inet n - n - - smtpd {self._options[name]}\n" for name in self._options)
        (home / "etc" / "master.cf").write_text(_MASTER + "".join(rows))

    def smtp_url(self, service: str = "plain", *, user: str = "", host: str = "127.0.0.1") -> str:
        """Return where to send mail, with the login of ``user`` if one is named."""
        login = f"{quote(user, safe='')}:{quote(self._dovecot.password, safe='')}@" if user else ""
        scheme = "smtps" if service == "submissions" else "smtp"
        mode = "?tls=starttls" if service == "submission" else ""
        return f"{scheme}://{login}{host}:{self.ports[service]}{mode}"

    def start(self) -> None:
        """Serve; returns when connections are taken."""
        self._call("postfix", "start")
        self._master = int((self._home / "queue" / "pid" / "master.pid").read_text())
        wait_until(lambda: all(map(listens, self.ports.values())), f"Postfix, which says: {self.log()}")

    def stop(self) -> None:
        """End it and all its conversations; what is in its queue stays there."""
        master, self._master = self._master, 0
        if master:
            end(master, "Postfix")

    def flush(self) -> None:
        """Let it try now to deliver what it could not before."""
        self._call("postqueue", "-f")

    def queued(self) -> int:
        """Return how many emails are in its queue."""
        return len(self._call("postqueue", "-j").splitlines())

    def log(self) -> str:
        """Return what it has noted until now."""
        file = self._home / "log"
        return file.read_text(errors="replace") if file.exists() else ""

    def _ask(self, *arguments: str) -> str:
        command = [program("postconf"), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def _call(self, command: str, *arguments: str) -> str:
        called = [program(command), "-c", str(self._home / "etc"), *arguments]
        answer = subprocess.run(called, capture_output=True, text=True, timeout=PATIENCE)
        assert answer.returncode == 0, (called, answer.stderr, self.log())
        return answer.stdout
