"""What the doctor finds of the budget of the mail server: how much of it is used, and what waits for it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pbem.cli.finding import Finding
from pbem.cli.output import format_time_utc

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.settings.budgets import Window
    from pbem.settings.model import Settings
    from pbem.storage.transaction import Transaction

_MOST = 1000  # emails that are counted


def check_budget(tx: "Transaction", settings: "Settings", now: "datetime") -> Finding:
    """Say how much of the budget is used, and when emails go that wait for it."""
    from pbem.pipeline.rationing import count_used
    from pbem.settings.budgets import read_budget
    from rules.text import listed

    windows = read_budget(settings.smtp_budget)
    used = [f"{count_used(tx, window, now):,} of {window}" for window in windows]
    return Finding(f"used: {listed(used)}", notes=tuple(_tell_waiting(tx, windows, now)))


def _tell_waiting(tx: "Transaction", windows: "tuple[Window, ...]", now: "datetime") -> Iterator[str]:
    """Yield a sentence if emails wait for the budget, or would if there were any."""
    from pbem.pipeline.rationing import OUR_BUDGET, find_opening

    waiting = tx.outbound.count_waiting(OUR_BUDGET, _MOST)
    everything, others = (find_opening(tx, windows, now, urgent=urgent) for urgent in (True, False))
    told = f"Emails that wait for the budget: {waiting}. " if waiting else ""
    if everything:
        window, at = everything
        yield f"{told}{window} are sent, so no email goes before {format_time_utc(at)}; turns go first then."
    elif others:
        window, at = others
        yield (
            f"{told}What is left of {window} is kept for turns and reminders:"
            f" other emails go from {format_time_utc(at)} on."
        )
    elif waiting:
        yield f"{told}There is room again, and they go within a quarter of an hour."


def suggest_budget(settings: "Settings") -> Iterator[str]:
    """Yield a sentence if the server is one whose limits are known, and no budget is set."""
    from pbem.settings.budgets import PRESETS, budget_of_host

    try:
        host = urlsplit(settings.smtp_url).hostname or ""
    except ValueError:
        return
    if (name := budget_of_host(host)) and not settings.smtp_budget:
        yield f'{host} takes no more than {PRESETS[name].replace(" ", " and ")}: set smtp_budget = "{name}".'
