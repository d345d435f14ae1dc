"""Where the CPU goes: milliseconds a message by stage, each function timed without those of other stages in it."""

import inspect
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial, wraps
from statistics import median
from typing import Any

from tests.bench.line import Round
from tests.bench.ratio import USUAL, line
from tests.bench.report import Table
from tests.support.counting import replaced
from tests.support.replies import KINDS

STAGES: dict[str, tuple[str, ...]] = {
    "receive": ("pbem.running.service:Service.receive",),
    "parse": (
        "pbem.pipeline.receive:parse",
        "pbem.pipeline.process:parse",
        "pbem.mail.message:parse_body",
    ),
    "screen": ("pbem.pipeline.process:screen",),
    "identify": ("pbem.pipeline.process:identify",),
    "interpret": ("pbem.pipeline.process:interpret",),
    "decide": ("pbem.pipeline.process:decide",),
    "record": ("pbem.pipeline.carry_out:record",),
    "announce: render": ("pbem.notices.audience:match_notice",),
    "announce: compose": ("pbem.asking.posting:compose",),
    "announce: enqueue": ("pbem.storage.messages.outbound:Outbound.enqueue",),
    "announce: the rest": ("pbem.pipeline.carry_out:announce",),
    "process, the rest": ("pbem.running.service:Service.process_waiting",),
    "commit": ("sqlalchemy.engine.default:DefaultDialect.do_commit",),
    "send": ("pbem.transport.smtp:SmtpCourier.send",),
    "claim and note": (
        "pbem.storage.messages.outbound:Outbound.claim_next",
        "pbem.storage.messages.outbound:Outbound.note_attempt",
    ),
}
"""The functions of each stage, where they are looked up. What has moved is to be corrected here."""
_REST = "deliver, the rest"


def by_stage(matches: int, rounds: int, tell: Callable[[str], None]) -> Table:
    """Return the table of the stages, for each kind of reply."""
    tell("stages: preparing")
    found: dict[str, list[dict[str, float]]] = {kind: [] for kind in KINDS}
    with line(USUAL, matches) as made:
        for number in range(rounds):
            for kind in KINDS:
                tell(f"stages: round {number + 1} of {rounds}, {kind}")
                replies = made.prepare(kind)
                with _timed() as spent:
                    found[kind].append(_split(made.run(replies), spent))
    medians = {
        kind: {name: median(split[name] for split in splits) for name in splits[0]} for kind, splits in found.items()
    }
    rows = [(name, *(f"{medians[kind][name]:.2f}" for kind in KINDS)) for name in medians[KINDS[0]]]
    return Table(
        "The line, by stage",
        ("milliseconds of CPU a message", *KINDS),
        tuple(rows),
        _MEANING.format(matches=matches, rounds=rounds),
    )


_MEANING = (
    "Each figure is without what stands in another row: *commit* is that of all transactions, *send* is our side of"
    " SMTP, in the courier's own code. *process, the rest* is choosing what waits, transactions and the disposition;"
    " *deliver, the rest* is what is left of the line: transactions, and the event loop, which reads the server's"
    " answers. Timing costs a little itself. {matches} matches on 13×13, the median of {rounds} rounds. To fetch a"
    " message by IMAP comes on top, see there."
)


def _split(found: Round, spent: Counter[str]) -> dict[str, float]:
    """Return the milliseconds a message of each stage, and of what lies between them."""
    split = {name: 1000 * spent[name] / found.messages for name in STAGES}
    return split | {_REST: found.line - sum(split.values()), "all": found.line}


@contextmanager
def _timed() -> Iterator[Counter[str]]:
    """Yield the seconds of CPU that each stage takes meanwhile."""
    watch = _Watch()
    with ExitStack() as stack:
        for stage, places in STAGES.items():
            for place in places:
                stack.enter_context(replaced(place, watch.over(stage)))
        yield watch.spent


class _Watch:
    """Stops how long functions keep the processor busy, without what they call of other stages."""

    def __init__(self) -> None:
        self.spent = Counter[str]()
        self._inner = threading.local()

    def over(self, stage: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Return what times a function, or each step of a coroutine."""

        def wrapping(function: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(function)
            def timed(*arguments: Any, **named: Any) -> Any:
                with self._stopping(stage):
                    result = function(*arguments, **named)
                return self._step_by_step(stage, result) if inspect.iscoroutine(result) else result

            return timed

        return wrapping

    @contextmanager
    def _stopping(self, stage: str) -> Iterator[None]:
        """Add the time until the end to a stage, and take it from the stage around."""
        inner: list[float] = self._inner.__dict__.setdefault("stack", [])
        inner.append(0.0)
        started = time.thread_time()
        try:
            yield
        finally:
            took = time.thread_time() - started
            self.spent[stage] += took - inner.pop()  # type: ignore[assignment]  # seconds are counted here
            if inner:
                inner[-1] += took

    async def _step_by_step(self, stage: str, coroutine: Awaitable[Any]) -> Any:
        """Await a coroutine; only the time in which it runs itself is counted."""
        return await _Steps(self, stage, coroutine)

    def run_step(self, stage: str, step: Callable[[], Any]) -> Any:
        """Return what a step yields."""
        with self._stopping(stage):
            return step()


class _Steps:
    """A coroutine, each step of which is timed."""

    def __init__(self, watch: _Watch, stage: str, coroutine: Awaitable[Any]) -> None:
        self._watch, self._stage = watch, stage
        self._steps = coroutine.__await__()

    def __await__(self) -> Generator[Any, Any, Any]:
        step = partial(self._steps.send, None)
        while True:
            try:
                awaited = self._watch.run_step(self._stage, step)
            except StopIteration as end:
                return end.value
            try:
                step = partial(self._steps.send, (yield awaited))
            except BaseException as error:  # it belongs into the coroutine
                step = partial(self._steps.throw, error)
