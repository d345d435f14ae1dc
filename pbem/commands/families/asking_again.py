"""Which match an email means that answers none of ours: somebody has lost ours, and asks for it again. Pure."""

import re
from collections.abc import Iterable, Iterator

_MOST_LINES = 20
_MOST_CHARACTERS = 300  # of a line that is looked through
_NAMED = re.compile(
    r"(?:\b(?:pbem|match|game|board|show|resend|status|record|history|number|no\.?)|#)"
    r"(?:[\s:]{1,3}(?:me|of|for|in|the|my|match|game|board|number|no\.?)){0,4}[\s:#]{0,3}(\d{1,9})(?![\w.@]*@)\b",
    re.IGNORECASE | re.ASCII,
)
_ALONE = re.compile(r"\W{0,5}(\d{1,9})\W{0,5}", re.ASCII)


def named_matches(lines: Iterable[str], in_subject: int | None) -> Iterator[int]:
    """Yield the numbers of matches that a message names, those in its lines first: “send match 1 again”, “show 1”."""
    written = [line for line in lines if line.strip()][:_MOST_LINES]
    for line in written:
        if len(line) <= _MOST_CHARACTERS:
            yield from (int(found[1]) for found in _NAMED.finditer(line))
    if len(written) == 1 and (alone := _ALONE.fullmatch(written[0])):
        yield int(alone[1])
    if in_subject is not None:
        yield in_subject
