"""Hostile messages through the line: what they cost, and the emails that they cause, in a process of its own."""

from collections import Counter
from collections.abc import Callable

from tests.bench import alone
from tests.bench.report import Table
from tests.bench.siege import Blow

_SLOWEST = 3  # messages that are named

_MEANING = (
    "Messages made by a chance to cost us time, space or emails: odd reply tokens, senders and headers, sizes up to the"
    " largest and above it, semicolons, remarks and commands without end, failed moves, nested parts and quotations,"
    " bombs of HTML and base64, charsets, bounces; for all games, on large boards, with the clock going on. CPU is that"
    " of taking a message in and processing it. *Memory* is the most that a process of its own has had, the benchmark"
    " included. `tests/service/test_hostile.py` sends a few of them, and asserts how they end."
)


def by_messages(messages: int, tell: Callable[[str], None]) -> Table:
    """Return the table of so many hostile messages."""
    tell(f"{messages:,} hostile messages")
    found = alone.siege(messages)
    blows = found.blows
    seconds = sum(blow.seconds for blow in blows)
    slowest = sorted(blows, key=lambda blow: -blow.seconds)[:_SLOWEST]
    largest = max(blows, key=lambda blow: sum(blow.emails))
    endings = Counter(blow.status for blow in blows)
    rows = [
        ("messages", f"{len(blows):,}"),
        *((f"slowest, CPU s: {_name(blow)}", f"{blow.seconds:.2f}") for blow in slowest),
        ("all, CPU s", f"{seconds:.0f}"),
        ("a message, CPU ms", f"{1000 * seconds / len(blows):.1f}"),
        ("received, MB", f"{sum(blow.size for blow in blows) / 1e6:.0f}"),
        ("emails caused", f"{sum(len(blow.emails) for blow in blows):,}"),
        ("emails caused, MB", f"{sum(sum(blow.emails) for blow in blows) / 1e6:.0f}"),
        (f"most by one message, kB: {largest.kind}, {len(largest.emails)} emails", f"{sum(largest.emails) / 1000:.0f}"),
        ("largest email, kB", f"{max(size for blow in blows for size in (0, *blow.emails)) / 1000:.0f}"),
        *((status, f"{endings[status]:,}") for status in sorted(endings)),
        ("memory, MB", f"{found.megabytes:.0f}"),
    ]
    return Table("Hostile messages", ("what", "figure"), tuple(rows), _MEANING)


def _name(blow: Blow) -> str:
    """Return what a message was, and how it ended."""
    return f"{blow.kind}, {blow.size / 1000:.0f} kB, {blow.status} {blow.reason}".strip()
