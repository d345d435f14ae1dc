"""Sending budgets: how many emails a mail server takes from us in a minute, an hour and a day."""

import re
from dataclasses import dataclass
from datetime import timedelta

from pbem.errors import BadInput

PRESETS = {
    "gmail": "500/day",
    "workspace": "2000/day",
    "exchange": "30/minute 10000/day",
    "outlook": "5000/day",
    "ionos": "50/hour",
}
"""What providers publish: for personal accounts of Google, for Google Workspace, for Exchange Online, for Outlook.com
with a subscription to Microsoft 365 (“Sending limits in Outlook.com”, which says of others only that theirs are lower),
and for a mailbox of IONOS in its first week. Fastmail’s differ by plan, so no name stands for them."""

WANTED = f"name a provider ({', '.join(PRESETS)}), or write such as “30/minute 500/day”, each unit once"
"""What would be a budget, in words."""

_SPANS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1)}
_WINDOW = re.compile(rf"(0*[1-9][0-9]{{0,6}})/({'|'.join(_SPANS)})", re.ASCII)
_HOSTS = {
    "smtp.gmail.com": "gmail",
    "smtp.googlemail.com": "gmail",
    "smtp.office365.com": "exchange",
    **dict.fromkeys((f"smtp.ionos.{end}" for end in ("de", "com", "co.uk", "fr", "es", "it")), "ionos"),
}
_RESERVED = 5  # one email in so many is for the emails without which no match goes on


@dataclass(frozen=True, slots=True)
class Window:
    """So many ``emails``, one for each recipient, in any span of one ``unit``: a minute, an hour or a day."""

    emails: int
    unit: str

    @property
    def span(self) -> timedelta:
        """How long it is."""
        return _SPANS[self.unit]

    @property
    def reserve(self) -> int:
        """How many of the emails are kept for what can't wait: a fifth, rounded down, so that others go at all."""
        return self.emails // _RESERVED

    def __str__(self) -> str:
        return f"{self.emails:,} {'an' if self.unit == 'hour' else 'a'} {self.unit}"


def read_budget(text: str) -> tuple[Window, ...]:
    """Return the windows of a budget, the shortest first: of a provider, or such as ``30/minute 500/day``.

    Raise BadInput for anything else; no text is no budget.
    """
    words = PRESETS.get(text.strip().casefold(), text).split()
    found = [_WINDOW.fullmatch(word) for word in words]
    windows = {read[2]: Window(int(read[1]), read[2]) for read in found if read}
    if len(windows) != len(words):
        raise BadInput(f"“{text}” is no budget: {WANTED}.")
    return tuple(windows[unit] for unit in _SPANS if unit in windows)


def budget_of_host(host: str) -> str:
    """Return the name of the budget that the provider of a host is known for, empty if none is."""
    return _HOSTS.get(host.casefold(), "")
