"""Functions over flat arrays of whole numbers, compiled where numba is installed, and else run as they stand.

One source gives both: a function marked `compiled` uses only what Python and numba agree on, arrays from `array`, and
numbers that fit into 63 bits. So the same seed gives the same result with numba and without, only sooner.
With numba's own switch NUMBA_DISABLE_JIT=1 in the environment, it is as if numba were not installed.
"""

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any, TypeAlias, TypeVar, cast

numba: Any
try:
    import numba
    import numpy
except ImportError:
    numba = None

Ints: TypeAlias = MutableSequence[int]
"""A list, or an array of 64-bit numbers: what ``array`` returns."""

F = TypeVar("F", bound=Callable[..., Any])

FAST = numba is not None and not numba.config.DISABLE_JIT
"""Whether functions are compiled in this process."""


def compiled(function: F) -> F:
    """Return ``function`` compiled, or as it is; what it calls of this program must be marked as well."""
    return cast(F, numba.njit(function)) if FAST else function


def pure(function: F) -> F:
    """Return the Python function behind a compiled one."""
    return cast(F, getattr(function, "py_func", function))


def array(values: Sequence[int]) -> Ints:
    """Return ``values`` as compiled functions take them."""
    return cast(Ints, numpy.array(values, dtype=numpy.int64)) if FAST else list(values)
