"""What a refused message probably meant: guesses that can suggest, and never decide."""

from pbem.advice.advice import Advice, advice, quote_lines

__all__ = ["Advice", "advice", "quote_lines"]
