"""A loop over cases keeps the promises of a test for each of them."""

from collections.abc import Callable, Iterator

import pytest

from tests.support.each import count_cases, each


def test_every_case_is_tried_and_all_that_fail_are_told() -> None:
    """The second failure is as good to know as the first, and the cases behind a failure are tried as well."""
    tried = []

    @each("number, word", [(1, "a"), (2, "b"), (3, "c"), (4, "d")], ids=["one", "two", "three", "four"])
    def loop(number: int, word: str) -> None:
        tried.append(word)
        assert number % 2

    with pytest.raises(AssertionError, match=r"(?s)2 of 4 cases failed:\ntwo: .*\nfour: ") as failure:
        loop()
    assert tried == ["a", "b", "c", "d"]
    assert isinstance(failure.value.__cause__, AssertionError)


def test_a_case_without_a_name_is_told_by_its_values() -> None:
    """Whoever reads the failure can try that case alone."""

    @each("number", [7, 8])
    def loop(number: int) -> None:
        assert number != 8

    with pytest.raises(AssertionError, match="1 of 2 cases failed:\nnumber=8: AssertionError: "):
        loop()


@pytest.mark.parametrize("end", [lambda: pytest.fail("no"), lambda: pytest.skip("no server"), lambda: int("x")])
def test_whatever_ends_a_case_early_is_a_failure(end: Callable[[], object]) -> None:
    """An error, an expected error that did not come, and a case that skips itself, which nobody would hear of."""

    @each("number", [1])
    def loop(number: int) -> None:
        end()

    with pytest.raises(AssertionError, match="1 of 1 cases failed"):
        loop()


def test_two_lists_are_tried_with_each_other() -> None:
    """As parametrizing twice does; a fixture of the test is handed to each."""
    tried = []

    @each("one", [1, 2])
    @each("other", "ab")
    def loop(fixture: str, one: int, other: str) -> None:
        tried.append((fixture, one, other))

    loop(fixture="x")
    assert tried == [("x", 1, "a"), ("x", 1, "b"), ("x", 2, "a"), ("x", 2, "b")]
    assert count_cases(loop) == 4


def test_a_loop_over_nothing_or_nobody_awaits_is_refused() -> None:
    """Both would pass without having asserted anything."""
    with pytest.raises(ValueError, match="asserts nothing"):
        each("number", [])

    async def coroutine(number: int) -> None: ...

    with pytest.raises(ValueError, match="nobody would await"):
        each("number", [1])(coroutine)  # type: ignore[arg-type]  # which is the mistake

    def generator(number: int) -> Iterator[None]:
        yield

    with pytest.raises(ValueError, match="nobody would await"):
        each("number", [1])(generator)  # type: ignore[arg-type]  # which is the mistake


def test_cases_that_would_not_be_what_they_seem_are_refused() -> None:
    """Marks would be ignored, and a case without a name would be missing among those that failed."""
    with pytest.raises(ValueError, match="no marks"):
        each("number", [pytest.param(1, id="one")])
    with pytest.raises(ValueError, match="2 cases, and 1 names"):
        each("number", [1, 2], ids=["one"])


def test_a_case_that_returns_something_fails() -> None:
    """Somebody forgot ``assert``: pytest complains of that by itself, but sees no result of a loop."""

    @each("number", [1, 2])  # type: ignore[arg-type]  # which is the mistake
    def loop(number: int) -> bool:
        return number == 2

    with pytest.raises(AssertionError, match=r"(?s)2 of 2 cases failed.*returned False.*returned True"):
        loop()
