"""How large packages are imported by a command that soon ends."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage meanwhile: an import makes none, and to look takes a tenth of its time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
