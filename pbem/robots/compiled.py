"""Functions over flat arrays of whole numbers, compiled where numba is installed, and else run as they stand.

One source gives both: a function marked `compiled` uses only what Python and numba agree on, arrays from `array`, and
numbers that fit into 63 bits. So the same seed gives the same result with numba and without, only sooner.
With numba's own switch NUMBA_DISABLE_JIT=1 in the environment, or where no memory may be both written and run, it is as
if numba were not installed.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryFile
from types import FunctionType
from typing import Any, TypeAlias, TypeVar, cast

numba: Any = None
if os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0"):  # else not even looked at: it may be what is broken
    try:
        import numba
        import numpy
    except (ImportError, OSError):  # the latter where memory may not be written and run: in the unit for systemd
        numba = None

Ints: TypeAlias = MutableSequence[int]
"""A list, or an array of 64-bit numbers: what ``array`` returns."""

F = TypeVar("F", bound=Callable[..., Any])

FAST = numba is not None and not numba.config.DISABLE_JIT
"""Whether functions are compiled in this process."""

_VERSIONS = 4  # of this package whose compiled code is kept


def _keep() -> bool:
    """Let numba keep what it compiles in a directory that is named for all that goes into it; False if there is none.

    numba itself looks only at the file of a function, not at those of the functions it calls.
    """
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    if not sources:  # in an archive, or compiled to byte code: nothing to know a version by
        return False
    seal = sha256(b"".join(source.read_bytes() for source in sources) + numba.__version__.encode()).hexdigest()[:16]
    homes = (os.environ.get(name) for name in ("NUMBA_CACHE_DIR", "CACHE_DIRECTORY", "XDG_CACHE_HOME"))
    home = next(filter(None, homes), os.path.expanduser("~/.cache"))
    place = Path(home) / "pbem" / f"robots-{seal}"
    try:
        if not place.exists():
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            for old in sorted(place.parent.glob("robots-*"), key=lambda other: -other.stat().st_mtime)[_VERSIONS:]:
                rmtree(old, ignore_errors=True)
        with TemporaryFile(dir=place):
            pass
    except OSError:
        return False
    numba.config.CACHE_DIR = str(place)
    return True


KEPT = FAST and _keep()
"""Whether what is compiled here need not be compiled again by the next process."""


def compiled(function: F) -> F:
    """Return ``function`` compiled, or as it is; what it calls of this program must be marked as well."""
    return cast(F, numba.njit(function, cache=_kept([function]))) if FAST else function


def bound(function: F, known: Mapping[str, Callable[..., Any]], fast: bool) -> F:
    """Return ``function`` with its global names in ``known`` standing for these functions; compiled if ``fast``."""
    names = {name: part for name, part in known.items() if name in function.__code__.co_names}
    parts = [pure(part) for part in names.values()]
    copy = FunctionType(function.__code__, function.__globals__ | names, function.__name__)
    # Compiled code is kept by the name of its function; for other parts it is another.
    origins = "".join(f"{name}={part.__module__}.{part.__qualname__};" for name, part in zip(names, parts, strict=True))
    copy.__qualname__ = f"{function.__qualname__}-{sha256(origins.encode()).hexdigest()[:16]}"
    return cast(F, numba.njit(copy, cache=_kept([function, *parts]))) if FAST and fast else cast(F, copy)


def _kept(functions: Iterable[Callable[..., Any]]) -> bool:
    """Return whether compiled code is kept in files: that of this package, where each function is known by its name."""
    return KEPT and all(
        function.__module__.startswith(f"{__package__}.") and "<locals>" not in function.__qualname__
        for function in functions
    )


@contextmanager
def noticing_compiling(notice: Callable[[], None]) -> Iterator[None]:
    """Have ``notice`` called in the context whenever a function begins to be compiled that isn't kept."""
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            notice()

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        yield


def pure(function: F) -> F:
    """Return the Python function behind a compiled one."""
    return cast(F, getattr(function, "py_func", function))


def array(values: Sequence[int]) -> Ints:
    """Return ``values`` as compiled functions take them."""
    return cast(Ints, numpy.array(values, dtype=numpy.int64)) if FAST else list(values)


def zeros(count: int) -> Ints:
    """Return ``count`` zeros as compiled functions take them."""
    return cast(Ints, numpy.zeros(count, dtype=numpy.int64)) if FAST else [0] * count
