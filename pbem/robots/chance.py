"""Random numbers for robots: the same on every machine, from one seed; nothing here is secret.

The generator is Marsaglia's multiply-with-carry (1994) with 32-bit digits: its state, below 2^63, is one number.
"""

from pbem.robots.compiled import Ints, compiled

_DIGIT = 0xFFFFFFFF
_MULTIPLIER = 1791398085  # below 2^31, so that no product passes 2^63


def state_of(seed: int) -> int:
    """Return the state to begin with for ``seed``, any whole number."""
    mixed = (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % 2**64
    mixed = ((mixed ^ (mixed >> 31)) * 0xBF58476D1CE4E5B9) % 2**64
    # A digit and a carry below the multiplier; neither 0, from which the generator never moves.
    return ((mixed >> 34) % (_MULTIPLIER - 2) + 1) << 32 | ((mixed & _DIGIT) | 1)


@compiled
def below(state: Ints, count: int) -> int:
    """Return a number in 0…count-1 and move ``state``, an array of one, on; ``count`` is below 2^31.

    The bias, below count / 2^32, is far under what playouts can show.
    """
    word = state[0]
    state[0] = _MULTIPLIER * (word & _DIGIT) + (word >> 32)
    return ((state[0] & _DIGIT) * count) >> 32
