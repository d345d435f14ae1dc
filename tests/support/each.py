"""Runs a test over a list of cases as one item, where keeping book of an item would cost more than the case itself."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, isasyncgenfunction, iscoroutinefunction, isgeneratorfunction, signature
from typing import Any, cast

import pytest

Test = Callable[..., None]


def each(
    names: str, cases: Iterable[Any], *, ids: Iterable[str] | Callable[[Any], str] | None = None
) -> Callable[[Test], Test]:
    """Return what lets a test run over all ``cases``, as ``pytest.mark.parametrize`` does, but as one item.

    Every case is tried, and all that failed are told, by their ``ids`` if there are any. The cases share the fixtures
    of the test, so that it may change none of them; a case that is skipped, or returns something, fails. Raise
    ValueError without cases, for one with marks, and for a test that is a coroutine or a generator.
    """
    wanted, listed = [name.strip() for name in names.split(",")], list(cases)
    if not listed:
        raise ValueError("a test without a case asserts nothing")
    if any(isinstance(case, pytest.ParameterSet) for case in listed):
        raise ValueError("a case of a loop has no marks: pytest.param is for parametrize")
    rows = [dict(zip(wanted, case if len(wanted) > 1 else (case,), strict=True)) for case in listed]
    called = list(map(_tell, rows) if ids is None else map(ids, listed) if callable(ids) else ids)
    if len(called) != len(rows):
        raise ValueError(f"there are {len(rows)} cases, and {len(called)} names for them")

    def decorate(test: Test) -> Test:
        if iscoroutinefunction(test) or isgeneratorfunction(test) or isasyncgenfunction(test):
            raise ValueError(f"{test.__name__} is a coroutine or a generator, which nobody would await")

        @wraps(test)
        def try_all(**fixtures: Any) -> None:
            failed: list[tuple[str, BaseException]] = []
            for name, row in zip(called, rows, strict=True):
                try:
                    if (returned := cast("Callable[..., object]", test)(**fixtures, **row)) is not None:
                        pytest.fail(f"it returned {returned!r:.80} instead of asserting something")
                except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:
                    failed.append((name, error))
            if failed:
                told = "\n".join(f"{name}: {type(error).__name__}: {error}" for name, error in failed)
                raise AssertionError(f"{len(failed)} of {len(rows)} cases failed:\n{told}") from failed[0][1]

        kept = [one for one in signature(test).parameters.values() if one.name not in wanted]
        # pytest looks here for the fixtures that are to be handed over.
        vars(try_all)["__signature__"] = signature(test).replace(parameters=_by_name(kept))
        vars(try_all)["cases"] = len(rows) * count_cases(test)
        return try_all

    return decorate


def count_cases(test: object) -> int:
    """Return over how many cases a test runs as one item: 1, unless it is one over ``each``."""
    found = getattr(test, "cases", 1)
    assert isinstance(found, int)
    return found


def _by_name(parameters: list[Parameter]) -> list[Parameter]:
    """Return the parameters as those that are given by name."""
    return [one.replace(kind=Parameter.KEYWORD_ONLY) for one in parameters]


def _tell(row: dict[str, Any]) -> str:
    """Return a case as it is told, on one line and not without end."""
    return ", ".join(f"{name}={value!r:.200}" for name, value in row.items())
