"""Shows the mails that pass, one line each, as plain text: for pipes, logs and terminals that can do no more."""

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.text import Text

from pbem.demo.mails import read_mail
from pbem.inbound import extract_reply
from pbem.match import Match


@dataclass(frozen=True, slots=True)
class Passing:
    """A mail that passed after so many ``seconds``; ``words``: what a player wrote in it, without greeting."""

    seconds: float
    sender: str
    recipient: str
    subject: str
    words: str
    match: int | None
    ends: bool


class Show(AbstractAsyncContextManager["Show"]):
    """Counts the mails and prints each; ``service`` is the address whose mails are not letters of players."""

    def __init__(self, console: Console, service: str) -> None:
        self.console = console
        self.look: Callable[[], list[Match]] = list
        self.messages = self.notices = 0
        self._service = service
        self._begin = time.monotonic()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the show."""

    @property
    def seconds(self) -> float:
        """How long it has been going on."""
        return time.monotonic() - self._begin

    def on(self, look: Callable[[], list[Match]]) -> Self:
        """Begin, with matches to look at."""
        self.look = look
        return self

    def mail(self, sender: str, recipient: str, raw: bytes) -> None:
        """Take note of a mail that has come in by SMTP."""
        notice = sender == self._service
        self.notices, self.messages = self.notices + notice, self.messages + (not notice)
        self._pass(self._passing(sender, recipient, raw, notice))

    def _pass(self, mail: Passing) -> None:
        """Print the mail."""
        words = f" “{mail.words}”" if mail.words else ""
        line = f"{mail.seconds:5.1f} s  {mail.sender:>5} → {mail.recipient:<5}  {mail.subject}{words}"
        self.console.print(Text(line), soft_wrap=True)

    def _passing(self, sender: str, recipient: str, raw: bytes, notice: bool) -> Passing:
        """Read what is shown of a mail."""
        mail = read_mail(raw)
        lines = [] if notice else extract_reply(mail.text, self._service)
        # A line that ends in a comma is a greeting; the next ones, up to an empty line, are what he has to say.
        said = dropwhile(lambda line: not line or line.endswith(","), lines)
        words = " / ".join(takewhile(bool, said))
        return Passing(
            self.seconds, _local(sender), _local(recipient), mail.subject, words, mail.match, notice and mail.ends
        )


def _local(address: str) -> str:
    """Return ``games`` for ``games+17.2.0.mac@pbem.example``."""
    return address.partition("@")[0].partition("+")[0]
