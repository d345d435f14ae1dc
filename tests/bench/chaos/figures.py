"""What a season with faults came to, as tables."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import median

from pbem.transport.smtp import FEWER_CONNECTIONS, USUAL_CONNECTIONS
from tests.bench.chaos.faults import KILLS, OTHERS, Kind
from tests.bench.chaos.ledger import Books, Repeat, find_repeats
from tests.bench.chaos.run import Played
from tests.bench.chaos.storm import Struck
from tests.bench.report import Table

_MEANING = (
    "A season of scripted players, matches of all games, played twice: undisturbed, and while its servers are killed"
    " and cut off. `pbem run` with an SQLite file on a small file system of its own, Debian's Dovecot, an SMTP server"
    " that stores before it says 250, and a network between them, all in processes of their own. The service's clock"
    " runs {speed} times as fast and its patience with servers is 3 s, so that what takes minutes takes seconds."
    " Afterwards a ledger compares what players wrote and got with what the database holds, and with the undisturbed"
    " season: records, comments, dispositions, emails. *Found* is what did not balance. *CPU* is that of the service"
    " with all its starts. `python -m tests.bench.chaos --write FILE` writes this table and the next."
)
_ON_POSTGRESQL = (
    "The same with Debian's PostgreSQL, which is killed with all its processes, too, and is reached over a network that"
    " fails like the others; a service that hangs is killed by a watchdog, as systemd does. `--postgresql` plays it. A"
    " kill may repeat as many emails as are sent at once; `--connections` says how many."
)
_BY_KIND = (
    "*Struck* counts the faults of each kind. *Recovery* is from the fault until the first new email that came once the"
    " fault was over, in seconds by the clock; other faults struck meanwhile. *Emails once more* are those whose"
    " earlier copy came before or in it, and after those before."
)


def tables(
    played: Played,
    undisturbed: Played,
    findings: list[str],
    speed: int,
    *,
    connections: int | None = None,
    postgresql: bool = False,
) -> list[Table]:
    """Return what a season with faults came to, beside the one without."""
    books = played.books
    kills = [one for one in played.struck if one.kind not in OTHERS]
    arrived, repeats = books.arrived, find_repeats(books.arrived)
    ends = Counter(row.status for row in books.inbound)
    codes = Counter(code for code in played.ended.codes[:-1] if code != -9)
    recoveries = _Recoveries(books)
    of_all, of_kills = recoveries.of(played.struck), recoveries.of(kills)
    rows = [
        ("matches, all played to their end", f"{len(books.records):,}"),
        ("kills", f"{len(kills):,}"),
        ("other faults", f"{len(played.struck) - len(kills):,}"),
        ("messages of players", f"{len(books.written):,}"),
        *((f"of these {status}", f"{count:,}") for status, count in sorted(ends.items())),
        ("emails to players", f"{len(books.outbound):,}"),
        ("emails sent at once, at most", f"{connections or (FEWER_CONNECTIONS if postgresql else USUAL_CONNECTIONS)}"),
        ("emails that came once more", f"{len(repeats):,} of {len(arrived):,}"),
        ("lost, doubled, stuck or different: found", f"{len(findings):,}"),
        ("recovery from a kill, median, s", f"{median(of_kills or [0]):.2f}"),
        ("recovery from a kill, longest, s", f"{max(of_kills, default=0):.1f}"),
        ("recovery from any fault, longest, s", f"{max(of_all, default=0):.1f}"),
        ("the season, minutes", f"{played.seconds / 60:.1f}"),
        ("the undisturbed season, minutes", f"{undisturbed.seconds / 60:.1f}"),
        ("CPU, s", f"{played.ended.cpu:.0f}"),
        ("CPU of the undisturbed season, s", f"{undisturbed.ended.cpu:.0f}"),
        ("lives of the service", f"{len(played.ended.codes):,}"),
        ("of these killed by the watchdog, since they hung", f"{len(played.ended.hung)}"),
        *(
            (f"of these ended by themselves, with exit code {code}", f"{count}")
            for code, count in sorted(codes.items())
        ),
        ("most memory of a life, MB", f"{played.ended.megabytes:.0f}"),
        ("tracebacks in the log", f"{played.log.count('Traceback')}"),
    ]
    title, meaning = ("Chaos with PostgreSQL", _ON_POSTGRESQL) if postgresql else ("Chaos", _MEANING)
    columns = ("fault", "struck", "recovery, median", "longest", "emails once more")
    return [
        Table(title, ("what", "figure"), tuple(rows), meaning.format(speed=speed)),
        Table(f"{title}, by fault", columns, tuple(_by_kind(played)), _BY_KIND),
    ]


def _by_kind(played: Played) -> list[tuple[str, ...]]:
    """Return a row for each kind of fault that struck."""
    recoveries = _Recoveries(played.books)
    caused = Counter(one.kind for one in map(_find_cause(played.struck), find_repeats(played.books.arrived)) if one)
    rows: list[tuple[str, ...]] = []
    for kind in [*KILLS, Kind.DATABASE, *OTHERS]:
        struck = [one for one in played.struck if one.kind is kind]
        found = recoveries.of(struck)
        if struck:
            times = (f"{median(found):.2f}", f"{max(found):.1f}") if found else ("–", "–")
            rows.append((kind.value, f"{len(struck)}", *times, f"{caused[kind]}"))
    return rows


def _find_cause(struck: Sequence[Struck]) -> Callable[[Repeat], Struck | None]:
    """Return what finds the fault that most likely let an email come once more: the first after its earlier copy."""

    def find(repeat: Repeat) -> Struck | None:
        there = [one for one in struck if one.span.ended >= repeat.earlier and one.span.began <= repeat.later]
        return min(there, key=lambda one: (max(one.span.began, repeat.earlier), -one.span.began), default=None)

    return find


class _Recoveries:
    """How long it took after a fault until emails came again."""

    def __init__(self, books: Books) -> None:
        first: dict[str, float] = {}
        for email in books.arrived:
            first.setdefault(email.message_id, email.at)
        self._times = sorted(first.values())

    def of(self, struck: Iterable[Struck]) -> list[float]:
        """Return the seconds from each fault until the first new email after it was over, where one came."""
        found = []
        for one in struck:
            place = bisect_right(self._times, one.span.ended)
            if place < len(self._times):
                found.append(self._times[place] - one.span.began)
        return found
