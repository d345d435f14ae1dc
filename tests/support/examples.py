"""How many examples property tests try: a tenth by default, all of them where PBEM_THOROUGH=1 is set."""

import os

from hypothesis import settings

THOROUGH = os.environ.get("PBEM_THOROUGH") == "1"


def examples(number: int) -> settings:
    """Return settings for ``number`` examples when thorough, always the same ones."""
    return settings(derandomize=True, deadline=None, max_examples=number if THOROUGH else max(10, number // 10))


def share(number: int) -> int:
    """Return ``number`` when thorough, else a tenth of it, at least two: for random matches, seeds and the like."""
    return number if THOROUGH else max(2, number // 10)
