"""How many examples property tests try: a tenth of what they name; all of them with PBEM_THOROUGH=1, in `make nightly`.

They are the same on every run, so more of them find something only where code or test is new: then try all.
"""

import os

from hypothesis import settings

THOROUGH = bool(os.environ.get("PBEM_THOROUGH"))
_PART = 1 if THOROUGH else 10


def examples(number: int, *, quickly: int = 0) -> settings:
    """Return settings for ``number`` examples or a part of them, always the same; where time is short ``quickly``."""
    few = 0 if THOROUGH else quickly
    return settings(derandomize=True, deadline=None, max_examples=few or max(10, number // _PART))


def share(number: int) -> int:
    """Return ``number``, or a part of it, at least two: for random matches, seeds and the like."""
    return max(2, number // _PART)
