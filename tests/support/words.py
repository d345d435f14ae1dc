"""How many words of ours, and how many bytes, emails of each kind have in the stories.

``python -m tests.support.words`` prints a table, a line a kind; ``git diff --no-index`` compares two of them. Boards,
comments and what quotes its reader are left out of the words: they are indented.
"""

import logging
import re
from collections import defaultdict
from collections.abc import Iterable
from email.message import EmailMessage
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.support.mails import text_of

_STORIES = Path(__file__).parents[1] / "stories"
_WORD = re.compile(r"[^\W_][\w’'.:/-]*")
_ROW = re.compile(r"(?:(?:\S{1,2}|[\[({]\S{1,3}[\])}])\s+){4}")
"""How a line of a board, or of the letters along it, begins."""


def count_words(text: str) -> int:
    """Return how many words an email has without its board and what people wrote."""
    lines = [line for line in text.splitlines() if not line.startswith("  ") and not _ROW.match(line)]
    return len(_WORD.findall(" ".join(lines)))


def tabulate(mails: Iterable[tuple[str, EmailMessage]]) -> list[str]:
    """Return the lines of a table of emails by their kinds."""
    sizes: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for kind, mail in mails:
        sizes[kind].append((count_words(text_of(mail)), len(mail.as_bytes())))
    rows = [f"{'kind':<20}{'emails':>7}{'words':>7}{'most':>6}{'bytes':>8}{'most':>8}"]
    for kind, found in sorted(sizes.items()):
        words, size = ([one[column] for one in found] for column in (0, 1))
        rows.append(f"{kind:<20}{len(found):>7}{median(words):>7.0f}{max(words):>6}{median(size):>8.0f}{max(size):>8}")
    return rows


if __name__ == "__main__":
    from tests.support.club import settings_in, write_blank_database
    from tests.support.story import emails_in

    logging.disable()  # of what fails in stories
    told: list[tuple[str, EmailMessage]] = []
    with TemporaryDirectory() as name:
        place = Path(name)
        blank = write_blank_database(place / "blank.db")
        for path in sorted(_STORIES.glob("*.txt")):
            (place / path.stem).mkdir()
            told += emails_in(path.read_text("utf-8"), settings_in(place / path.stem, blank))
    print(*tabulate(told), sep="\n")
