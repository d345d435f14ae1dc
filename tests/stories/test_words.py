"""How many words people read: few of what comes most often. ``tests.support.words`` has a table of all kinds."""

import re
from pathlib import Path

from tests.support.words import count_words

_EMAIL = re.compile(r"^=> (your_turn|move_made) to .+\n\| Subject: .+\n((?:\|.*\n)+)", re.MULTILINE)
_MARKS, _BOARD = re.compile(r"^\| \[id .+\n", re.MULTILINE), re.compile(r"\[board[^]]*\]")
_TURN, _RECEIPT = 130, 30


def test_turns_and_receipts_are_short() -> None:
    """Without boards and comments. The first of a match, and those with more to say, are longer: as few as here."""
    turns, receipts = list[int](), list[int]()
    for path in Path(__file__).parent.glob("*.txt"):
        for kind, boxed in _EMAIL.findall(path.read_text("utf-8")):
            text = re.sub("^[|] ?", "", _MARKS.sub("", boxed), flags=re.MULTILINE)
            if "[as before" in text:
                continue
            words = count_words(_BOARD.sub("", text))
            if kind == "your_turn":
                turns.append(words)
            elif text.strip().startswith("Got it"):
                receipts.append(words)
    assert sum(words <= _TURN for words in turns) > 0.6 * len(turns)
    assert sum(words <= _RECEIPT for words in receipts) > 0.8 * len(receipts)
    assert len(turns) > 50 < len(receipts)
