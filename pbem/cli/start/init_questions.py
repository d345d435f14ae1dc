"""The questions of ``pbem init``: what is answered is tried at once, and nothing is written here."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

import typer

from pbem.cli.finding import Finding
from pbem.cli.output import make_printable
from pbem.errors import PbemError
from pbem.settings.budgets import PRESETS, budget_of_host
from pbem.transport.network import is_loopback

_LATER = "later"
# Servers whose names do not follow from the address, as their providers publish them.
_KNOWN = {
    "gmail.com": ("imap.gmail.com", "smtp.gmail.com"),
    "googlemail.com": ("imap.gmail.com", "smtp.gmail.com"),
    "fastmail.com": ("imap.fastmail.com", "smtp.fastmail.com"),
    "posteo.de": ("posteo.de", "posteo.de"),
    "mailbox.org": ("imap.mailbox.org", "smtp.mailbox.org"),
}


@dataclass(frozen=True)
class Trial:
    """How servers are tried: each takes settings by name, says what is well, and raises PbemError or OSError."""

    mailbox: Callable[[Mapping[str, str]], str]
    sending: Callable[[Mapping[str, str]], Finding]


def ask(address: str, secret: str, trial: Trial) -> dict[str, str]:
    """Ask what a service needs, try each server, and return the settings, those left for later not among them.

    ``address`` may be empty: then it is asked for. A server that does not let us in is asked for again, until it does,
    or until it is left for later.
    """
    typer.echo("A few questions. Enter takes what stands in brackets, and Ctrl-C ends it with nothing written.\n")
    found = {"secret": secret}
    found["address"] = address or _ask_address("address", "The address that players write to")
    local, _, domain = found["address"].partition("@")
    typer.echo(f"Its mailbox must also take what is sent to {local}+anything@{domain}: replies come there.\n")
    typer.echo(
        "Type the name of each server: mail.example.org, or localhost:143 for one on this machine without TLS.\n"
        "Or type a URL: imap://games:password@localhost:143/INBOX, smtp://localhost:25.\n"
    )
    reads, sends = _KNOWN.get(domain, (f"imap.{domain}", f"smtp.{domain}"))
    login = _Login(found["address"])
    _ask_server(found, "imap_url", "The server where its mailbox is read (IMAP)", reads, login, trial.mailbox)
    _ask_server(found, "smtp_url", "The server that sends its emails (SMTP)", sends, login, trial.sending)
    if name := budget_of_host(urlsplit(found.get("smtp_url", "")).hostname or ""):
        found["smtp_budget"] = name
        takes = PRESETS[name].replace(" ", " and ")
        typer.echo(f"That server takes {takes}: smtp_budget = “{name}” keeps to it.\n")
    found["operator"] = _ask_address("operator", "Your own address, for what needs a person", must=False)
    return found


@dataclass
class _Login:
    """What was last given to log in with: mostly both servers take the same."""

    user: str
    password: str = ""

    def ask(self) -> None:
        """Ask for the user and the password; an empty answer keeps what is known."""
        self.user = typer.prompt("  User name", default=self.user)
        kept = " [the same]" if self.password else ""
        prompt = f"  Password{kept} (nothing is shown; an app password, if your provider has such)"
        self.password = typer.prompt(prompt, default=self.password, show_default=False, hide_input=sys.stdin.isatty())


def _ask_server(
    found: dict[str, str],
    setting: str,
    question: str,
    usual: str,
    login: _Login,
    attempt: Callable[[Mapping[str, str]], Finding | str],
) -> None:
    """Ask for a server, and for the login there, until it lets us in; then put its URL into ``found``."""
    while True:
        place = typer.prompt(question, default=usual).strip()
        if place.casefold() == _LATER:
            typer.echo(f"  – left open: fill in {setting} before you start the service\n")
            return
        if "://" not in place:
            login.ask()
        faults = []
        typer.echo("  Trying …")
        for url in _urls(setting, place, login):
            try:
                told = attempt(found | {setting: url})
            except (PbemError, OSError) as error:
                faults.append(str(error))
                continue
            well, notes = (told.told, told.notes) if isinstance(told, Finding) else (told, ())
            typer.echo("\n".join(make_printable(line) for line in (f"  ✓ {well}", *(f"  – {note}" for note in notes))))
            typer.echo("")
            found[setting] = url
            return
        for fault in faults:
            typer.echo(f"  ✗ {make_printable(fault)}")
        typer.echo(f"  Try again, or type “{_LATER}”.\n")
        usual = usual if "://" in place else place  # a URL has the password in it


def _urls(setting: str, place: str, login: _Login) -> list[str]:
    """Return the URLs to try for a server: the one that was given, or what follows from its name.

    On this machine there may be neither TLS nor, for sending, a login.
    """
    if "://" in place:
        return [place]
    scheme = setting.removesuffix("_url")
    user, password = (quote(word, safe="") for word in (login.user, login.password))
    host, _, port = place.partition(":")
    if is_loopback(host) and port not in ("465", "993"):
        plain = f"{scheme}://{user}:{password}@{place}"
        return [plain] if scheme == "imap" else [*([plain] if password else ()), f"smtp://{place}"]
    secure = f"{scheme}s://{user}:{password}@{place}"
    if scheme == "imap":
        return [secure]
    started = f"smtp://{user}:{password}@{place}"  # TLS begins after the first words
    return [secure, started] if not port or port not in ("465", "587") else [secure if port == "465" else started]


def _ask_address(setting: str, question: str, *, must: bool = True) -> str:
    """Ask for an email address until it will do as that setting; return it in its normal form.

    Without ``must``, Enter leaves it empty.
    """
    from pbem.settings.loading import settings_of

    hint = "" if must else " (Enter for none)"
    while True:
        answer = typer.prompt(question + hint, default=None if must else "", show_default=False).strip()
        try:
            return str(getattr(settings_of({setting: answer}), setting))
        except PbemError as error:
            typer.echo(f"  ✗ {make_printable(str(error))}")
