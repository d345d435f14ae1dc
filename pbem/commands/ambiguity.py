"""Refuses words that may take a move back, and cells that would be left out. Pure."""

from collections.abc import Iterable, Sequence

from pbem.commands.rejections import NoCommand, SeveralMoves
from pbem.match.match import Match
from pbem.reading.corrections import replaces, split_negated
from pbem.reading.move_phrases import continues, corrects, takes_back
from pbem.reading.remarks import is_retracting
from pbem.reading.sentences import legal
from pbem.reading.written_cells import written_cells

_MOST_LINES, _MOST_WORDS = 10, 20


def refuse_correction(match: Match, moves: Sequence[str], words: Sequence[str]) -> None:
    """Raise SeveralMoves where a line below the last of ``moves`` takes that move back and names another.

    ``match`` is the match after that move.
    """
    found = [line for line in words if corrects(line)][:_MOST_LINES]
    if not moves or not found:
        return
    position = match.at(match.ply - 1).position
    for line in found:
        words_of_it = split_negated(line)[0].strip(" .!").split()[:_MOST_WORDS]
        for text in dict.fromkeys(
            " ".join(words_of_it[at : at + n]) for n in (1, 2, 3) for at in range(len(words_of_it))
        ):
            if (other := legal(position, text.strip(",.!()"))) and other not in moves:
                raise SeveralMoves("corrected", move=moves[-1], other=other, line=line)


def refuse_left_out(done: str, lines: Iterable[tuple[str, frozenset[str]]], tried: Iterable[str]) -> None:
    """Raise SeveralMoves where a cell on one of ``lines`` is in nothing that was ``tried``: ``e5ä`` above ``e2``.

    With each line come the cells of which its sender makes no move, as in ``e2, not e5``.
    """
    settled = {cell for text in tried for cell in written_cells(text)}
    for line, mentions in lines:
        if left := [cell for cell in written_cells(line) if cell not in settled | mentions]:
            raise SeveralMoves(move=done, other=" ".join(left))


def refuse_retraction(done: str, words: Sequence[str], *, above: Sequence[str], beside: bool) -> None:
    """Raise NoCommand where ``words`` below the command ``done``, or ``above`` it, take it back.

    Or where they go on with its sentence. The first of them stood on its line where ``beside``: there it was read with
    it.
    """
    below = words[beside:]
    first = next(iter(below), "")
    line = first if continues(first) else next(filter(takes_back, words), "") or next(filter(is_retracting, below), "")
    line = line or next(filter(replaces, below), "")
    line = line or next((line for line in above if takes_back(line) or is_retracting(line)), "")
    if line:
        raise NoCommand("retracted", done=done, line=line)
