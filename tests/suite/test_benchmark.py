"""What the benchmark times is looked up by name, and would be missed only by whoever runs it."""

from contextlib import ExitStack

from tests.bench.stages import STAGES
from tests.support.counting import replaced


def test_every_function_that_is_timed_stands_where_it_is_looked_up() -> None:
    """Whatever moves is corrected in the table of stages, too."""
    with ExitStack() as stack:
        for place in (place for places in STAGES.values() for place in places):
            stack.enter_context(replaced(place, lambda function: function))
