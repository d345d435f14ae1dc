"""Statements, commits, parses and renders a message: counts are the same on every machine."""

from collections.abc import Callable

from tests.bench.ratio import SORTS, line
from tests.bench.report import Table
from tests.support.counting import counting
from tests.support.replies import KINDS


def by_kind(matches: int, tell: Callable[[str], None]) -> Table:
    """Return the table of counts, for each kind of reply."""
    tell("counts: preparing")
    rows = []
    with line(SORTS, matches) as made:
        for kind in KINDS:
            replies = made.prepare(kind)
            with counting() as counts:
                for _ in made.carry(list(replies.values())):
                    pass
            made.settle(replies)
            rows.append((kind, *(f"{count / len(replies):.1f}" for count in counts.values())))
    meaning = (
        "For one message and the emails that it leads to, from its receipt to their delivery: statements in SQL,"
        " commits that write anything, headers and bodies of emails parsed, templates filled, boards drawn in one form."
        " `tests/service/test_counts.py` asserts upper bounds."
    )
    return Table("Counts a message", ("replies", *counts), tuple(rows), meaning)
