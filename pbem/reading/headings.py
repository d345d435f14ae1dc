"""Knows lines above a move that say what is below them: a label, or the beginning of a sentence. Pure."""

from pbem.reading.clauses import LONGEST_LINE, read_line, split_sentences
from pbem.reading.remarks import is_elsewhere


def heads_other(above: str) -> bool:
    """Return whether a line with a colon says that the move below is not meant: ``For the other game:``."""
    if not above.endswith((":", "：")):
        return False
    line = read_line(above[-LONGEST_LINE:])
    start, end = list(split_sentences(line.tokens))[-1]
    averse = any(piece and piece.unknown and "others" in piece.kinds for piece in line.pieces[start:end])
    return is_elsewhere(line) or averse or line.has("telling", start, end) or line.has("doubting", start, end)


def leads_astray(above: str) -> bool:
    """Return whether an unfinished sentence says that what follows is no move: ``I did not want to go to``."""
    line = read_line(above[-LONGEST_LINE:])
    start = max((start for start, _ in split_sentences(line.tokens)), default=0)
    return line.has("doubting", start) or line.has("telling", start)
