"""What the doctor tells of how welcome our emails are: how many went wrong, by the readers' providers and by week."""

import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pbem.cli.finding import Finding

if TYPE_CHECKING:
    from pbem.storage.transaction import Transaction

_WEEKS = 4
_MOST = 5  # providers that are named: of all others there is one sentence
_FATES = _SENT, _REFUSED, _BACK, _UNWANTED, _LEFT = "sent", "refused", "came back", "called unwanted", "unsubscribed"
_REPORTS = {
    "refused": (_REFUSED, None),
    "bounce": (_BACK, re.compile(r"mail \d+ to (\S+): (?:hard|soft)(?!.*counted before)")),
    "complaint": (_UNWANTED, re.compile(r"to (\S+)")),
}
_Figures = dict[str, list[int]]
"""How many emails met each fate, by week, the oldest first."""


def check_delivery(tx: "Transaction", now: datetime) -> Finding:
    """Return the figures of the last weeks, and those of each provider of which not all is well."""
    figures = _count(tx, now)
    total = _add(figures.values())
    bad = {one: sum(sum(found[fate]) for fate in _FATES[1:]) for one, found in figures.items() if one}
    named = [one for one in sorted(bad, key=lambda one: (-bad[one], one)) if bad[one]][:_MOST]
    notes = [_describe(one, figures.pop(one)) for one in named]
    if notes and figures:
        notes.append(_describe("All others", _add(figures.values())))
    return Finding(f"in four weeks {', '.join(f'{sum(total[fate]):,} {fate}' for fate in _FATES)}", notes=tuple(notes))


def _count(tx: "Transaction", now: datetime) -> dict[str, _Figures]:
    """Return the figures of each provider, by its domain; of readers who were forgotten there is none."""
    from pbem.mail.headers import domain_of

    figures = defaultdict[str, _Figures](lambda: _add(()))
    week = timedelta(weeks=1)
    start = now - _WEEKS * week
    for number in range(_WEEKS):
        begins = start + number * week
        for address, count in tx.outbound.count_sent_to(begins, begins + week).items():
            figures[domain_of(address)][_SENT][number] += count
    for at, code, address, detail in tx.outbound.unwelcome(start):
        fate, shape = _REPORTS.get(code, (_LEFT, None))
        found = shape.match(detail) if shape else None
        if found or not shape:
            number = min(int((at - start) / week), _WEEKS - 1)
            figures[domain_of(found[1] if found else address)][fate][number] += 1
    return figures


def _add(all_figures: Iterable[_Figures]) -> _Figures:
    """Return the sum of figures."""
    each = list(all_figures)
    return {fate: [sum(one[fate][number] for one in each) for number in range(_WEEKS)] for fate in _FATES}


def _describe(name: str, figures: _Figures) -> str:
    """Return a sentence with the figures of a provider; what never happened is left out."""
    told = (f"{', '.join(f'{count:,}' for count in figures[fate])} {fate}" for fate in _FATES if any(figures[fate]))
    return f"{name}, week by week: {'; '.join(told)}."
