"""Figures of the running service for Prometheus: what the log has told since the start, and what waits now."""

import ipaddress
import logging
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

from pbem.due.outages import BEHIND, RECEIVES, SENDS
from pbem.errors import ConfigError, PbemError
from pbem.pipeline.rationing import OUR_BUDGET, measure_room
from pbem.running.service import Service
from pbem.settings.budgets import read_budget
from pbem.version import describe_extra

_KEPT_SECONDS = 5
_BEATS = {
    RECEIVES: ("pbem_received_seconds", "Since all that had come in was last read"),
    SENDS: ("pbem_sent_seconds", "Since all that was due was last sent"),
    BEHIND: ("pbem_behind_seconds", "Since when the mail server fails; not there while it works"),
}
_UNSEEN = timedelta(minutes=2)
_MOST = 1000  # emails that are counted; more are as bad
_WITHOUT_LIBRARY = (
    "The setting “metrics_listen” needs the package prometheus-client: install"
    f" {describe_extra('metrics')}, or leave that setting empty."
)


@contextmanager
def serve_metrics(service: Service) -> Iterator[str]:
    """Serve the figures at ``metrics_listen`` meanwhile, in a thread; yield the URL, empty if that isn't set.

    Raise ConfigError if the library is missing, or nothing can listen there. What they count begins at 0. Their labels
    are events and words of our own, never an address, a name or a number of a match.
    """
    host, _, port = service.settings.metrics_listen.rpartition(":")
    if not host:
        yield ""
        return
    try:
        from prometheus_client import CollectorRegistry, start_http_server
    except ImportError as error:
        raise ConfigError(_WITHOUT_LIBRARY) from error
    registry = CollectorRegistry()
    registry.register(cast(Any, _Figures(service)))  # it has what the library asks for
    counts = _count_events(registry)
    address = str(ipaddress.ip_address(host.strip("[]")))
    try:
        server, thread = start_http_server(int(port), address, registry)
    except OSError as error:
        raise ConfigError(f"Nothing can listen at {host}:{port}, as metrics_listen says: {error.strerror}.") from error
    log = logging.getLogger("pbem")
    log.addHandler(counts)
    try:
        yield f"http://{host}:{server.server_port}/metrics"
    finally:
        log.removeHandler(counts)
        server.shutdown()
        server.server_close()
        thread.join()


def _count_events(registry: Any) -> logging.Handler:
    """Return a handler that counts the lines of the log, of which each tells one fact."""
    from prometheus_client import Counter

    events = Counter("pbem_events", "Lines of the log", ["event", "level"], registry=registry)
    inbound = Counter("pbem_inbound_messages", "Messages by how they ended", ["disposition"], registry=registry)
    attempts = Counter(
        "pbem_attempts", "Attempts to send, by kind of email and end", ["kind", "end"], registry=registry
    )
    for end in ("accepted", "rejected", "discarded", "failed"):
        inbound.labels(end)  # so that the first failure is a rise from 0

    class Counting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            name, facts = getattr(record, "event", "library"), getattr(record, "facts", {})
            events.labels(name, record.levelname.lower()).inc()
            if name in ("failed", "over_budget", "processed"):
                inbound.labels(facts.get("status", name)).inc()
            elif name == "attempted":
                attempts.labels(facts["kind"], facts["status"]).inc()

    return Counting()


class _Figures:
    """What is measured when somebody asks, at most every few seconds: asking often is no load."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._measured: tuple[float, dict[str, tuple[str, float]]] = (float("-inf"), {})

    def describe(self) -> Iterable[object]:
        """Return nothing: the library would else measure while it registers this."""
        return ()

    def collect(self) -> Iterator[object]:
        """Yield the figures as the library wants them."""
        from prometheus_client.core import GaugeMetricFamily

        if time.monotonic() - self._measured[0] > _KEPT_SECONDS:
            try:
                found = _measure(self._service) | {"pbem_database_readable": ("The database can be read", 1.0)}
            except PbemError:
                found = {"pbem_database_readable": ("The database can be read", 0.0)}
            self._measured = time.monotonic(), found
        for name, (what, value) in self._measured[1].items():
            yield GaugeMetricFamily(name, what, value=value)


def _measure(service: Service) -> dict[str, tuple[str, float]]:
    """Return each figure by its name, with what it is; raises Busy or another PbemError."""
    now = service.clock.now()
    with service.database.reading() as tx:
        waiting = tx.inbound.waiting()
        oldest = tx.inbound.get(waiting[0]) if waiting else None
        late = [email.due_at for email in tx.outbound.due_before(now, 1)]
        queued = tx.outbound.count_due(now + timedelta(days=3650), _MOST)
        beats, workers = tx.heartbeats.last(), tx.workers.all()
        put_off = tx.outbound.count_waiting(OUR_BUDGET, _MOST)
        windows = read_budget(service.settings.smtp_budget)
        room = measure_room(tx, windows, now) if windows else None
    seen = sum(now - one.seen_at <= _UNSEEN for one in workers)
    found: dict[str, tuple[str, float]] = {
        "pbem_workers": ("Workers that were seen within two minutes", seen),
        "pbem_workers_lost": ("Workers that were not, and have not ended", len(workers) - seen),
        "pbem_inbound_waiting": ("Messages that are stored and not processed", len(waiting)),
        "pbem_inbound_oldest_seconds": ("Age of the oldest of them", _age(now, oldest.received_at if oldest else None)),
        "pbem_outbound_queued": (f"Emails to be sent, counted up to {_MOST}", queued),
        "pbem_outbound_overdue_seconds": (
            "How long an email is due already",
            _age(now, min(late, default=None)),
        ),
    }
    found["pbem_outbound_put_off"] = (f"Emails that wait for the budget, counted up to {_MOST}", put_off)
    if room:
        found["pbem_budget_left"] = ("Emails that may be sent now", max(room.total, 0))
    for name, at in beats.items():
        if name in _BEATS:
            found[_BEATS[name][0]] = (_BEATS[name][1], _age(now, at))
    if file := service.database.file:
        sizes = [one.stat().st_size for one in (file, Path(f"{file}-wal")) if one.exists()]
        found["pbem_database_bytes"] = ("Size of the database file and its log", sum(sizes))
        found["pbem_disk_free_bytes"] = ("Room on its disk", shutil.disk_usage(file.parent).free)
    return {name: (what, float(value)) for name, (what, value) in found.items()}


def _age(now: datetime, at: datetime | None) -> float:
    """Return how many seconds ago that was, 0 for a time to come and for None."""
    return max((now - at).total_seconds(), 0.0) if at else 0.0
