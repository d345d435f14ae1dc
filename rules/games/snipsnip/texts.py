"""The sentences of a turn of SnipSnip, and of what the rules say no to."""

from collections.abc import Sequence

from rules.errors import Refusal, quote
from rules.text import LETTER_FIRST, choice, listed, within

ROLES = ("White", "Black")
_COLOURS = ("white", "black")

CLOSED = (
    "⟦Empty cells marked “-”|Closed cells⟧ are capture sites: nobody may place a stone there now."
    " The other empty cells are free."
)
"""Explains the mark of a capture site."""


def captures(diagonal: bool, every_site: bool) -> str:
    """Return what captures, to stand below the board; ``every_site``: on all capture sites beside a stone."""
    if every_site:
        where = "touch both of them" if diagonal else "lie between them"
        apart = "diagonal to each other" if diagonal else "two steps apart in a straight line"
        return (
            "A new stone captures the opposing stones beside it that stand on a capture site, old or new: on cells"
            f" that {where}, of two stones of opposite colour {apart}."
        )
    apart, where = (
        ("diagonal to each other (two steps apart, but not in a straight line)", "that touches both")
        if diagonal
        else ("two steps apart in a straight line", "between them")
    )
    return f"Where a new stone and an opposing stone are {apart}, an opposing stone {where} is captured."


def wins(linked: bool, misere: bool) -> str:
    """Return what wins, to stand below the board."""
    also = ", stones diagonal to each other counting as connected" if linked else ""
    return (
        "The match ends when the player who is to place a stone has no free cell. Then the side wins whose largest"
        f" group is {'smaller' if misere else 'larger'}{also}; in a tie the player who was to place loses."
    )


def groups(linked: bool, sizes: Sequence[int]) -> str:
    """Return how large the largest groups of White and Black are."""
    return f"Largest {'linked ' if linked else ''}group: White {sizes[0]}, Black {sizes[1]}."


def captures_on(seat: int) -> str:
    """Return what the cells complete on which ``seat`` would capture."""
    return f"{ROLES[seat]} would capture on"


def again(seat: int) -> str:
    """Return that ``seat`` has removed a stone and is to act again."""
    return f"{ROLES[seat]} removed a stone, and so takes another turn."


def twice() -> str:
    """Return the warning that the next repetition ends the match."""
    return "This position has come up for the second time; at the third time the match ends."


def wanted(capturing: bool, more: bool) -> str:
    """Return what completes "Reply with …"; ``capturing``: somewhere; ``more``: after a removal."""
    cell = "one more free cell" if more else "one free cell"
    return f"{cell} (where it captures, add an x and the stone to remove)" if capturing else cell


def turn(seat: int, linked: bool, misere: bool) -> str:
    """Return the goal of ``seat`` and what its turns consist of."""
    other = 1 - seat
    also = " (stones diagonal to each other count as connected)" if linked else ""
    than = f"{'smaller' if misere else 'larger'} than the largest group of {ROLES[other]}"
    more = " and then take another turn" if misere else ""
    return (
        f"You are {ROLES[seat]}: at the end your largest group should be {than}{also}. On your turn place one"
        f" {_COLOURS[seat]} stone on a free cell; if it captures, you remove one captured {_COLOURS[other]} stone"
        f"{more}. If you are to place a stone when no cell is free, the match ends, and a tie is lost for you."
    )


def ended(winner: int, sizes: Sequence[int], repeated: bool) -> str:
    """Return how ``winner`` won by the size of the largest groups; ``repeated``: the match ended by repetition."""
    if sizes[0] == sizes[1]:
        how = f"largest groups of {sizes[0]} each, and {ROLES[1 - winner]} was next to place"
    else:
        how = f"a largest group of {sizes[winner]} against {sizes[1 - winner]}"
    return f"{how}, when the same position had come up three times" if repeated else how


def played(parts: Sequence[tuple[str, str]]) -> str:
    """Return what a chain of placed and removed cells ("" for none) led to."""
    return "played " + ", then ".join(f"{cell} and removed {gone}" if gone else cell for cell, gone in parts)


def empty(text: str) -> Refusal:
    """Refuse a move without any cell."""
    return Refusal("not_a_move", f"{quote(text)} names no cell.", {"text": text})


def occupied(text: str, cell: str, free: str) -> Refusal:
    """Refuse a stone on a stone; the cell ``free`` would do."""
    sentence = (
        f"{quote(text)} cannot be played, since there is a stone on {cell} already; {free}, for example, is free."
    )
    return Refusal("cell_occupied", sentence, {"text": text, "cell": cell})


def site(text: str, cell: str, ends: Sequence[str], diagonal: bool, free: str) -> Refusal:
    """Refuse a stone on a capture site, which the stones on ``ends``, white and black, make of ``cell``."""
    how = "touches both" if diagonal else "lies between"
    sentence = (
        f"{quote(text)} cannot be played: {cell} is a capture site, since it {how} {ends[0]}, white, and {ends[1]},"
        f" black, so nobody may play there now; {free}, for example, is free."
    )
    return Refusal("capture_site", sentence, {"text": text, "cell": cell})


def just_removed(text: str, cell: str, gone: str, played: str) -> Refusal:
    """Refuse a stone on the cell emptied just before; perhaps removing it was all that was meant."""
    sentence = (
        f"{quote(text)} cannot be played: {cell} has removed {gone}, and nobody may place a stone there now;"
        f" if removing it was all you meant, write {quote(played)}."
    )
    return Refusal("cell_just_emptied", sentence, {"text": text, "cell": gone})


def removes_nothing(text: str, cell: str, gone: str) -> Refusal:
    """Refuse a removal where none is possible."""
    sentence = f"{quote(text)} cannot be played, since a stone on {cell} can remove nothing now; leave out x{gone}."
    return Refusal("nothing_to_remove", sentence, {"text": text, "cell": cell, "removed": gone})


def removes_other(text: str, cell: str, gone: str, able: Sequence[str], moves: Sequence[str]) -> Refusal:
    """Refuse the removal of ``gone``, or of nothing (""), where one of ``able`` has to be removed, as in ``moves``."""
    arguments = {"text": text, "cell": cell, "removed": gone}
    code, why = "not_to_be_removed", f"a stone on {cell} can remove {listed(able, 'or')}, not {gone}"
    if not gone:
        code, why = "removal_missing", f"a stone on {cell} has to remove one"
    return Refusal(code, f"{quote(text)} cannot be played, since {why}; write {choice(moves)}.", arguments)


def several(text: str, cell: str, able: Sequence[str], moves: Sequence[str]) -> Refusal:
    """Refuse a removal left open: ``cell`` could remove each of ``able``, as in ``moves``."""
    where = f"“{cell}”" if text == cell else f"“{cell}”, in {quote(text)},"
    sentence = f"{where} could remove {listed(able, 'or')}: write {choice(moves)}."
    return Refusal("several_to_remove", sentence, {"text": text, "cell": cell})


def too_far(text: str, cell: str, played: str, why: str) -> Refusal:
    """Refuse ``cell`` and what follows it, since the turn ends with ``played``: ``why``."""
    sentence = f"{quote(text)} goes too far: {why}, so {cell} cannot follow; write {quote(played)} alone."
    return Refusal("turn_ends_before", sentence, {"text": text, "cell": cell})


ONE_STONE = "a turn here is one stone"
"""Why a turn ends without misère."""


def stays(cell: str) -> str:
    """Return why a turn ends after ``cell``."""
    return f"{cell} removes nothing, which ends the turn"


def ends(cell: str) -> str:
    """Return why nothing follows ``cell``."""
    return f"the match is over after {cell}"


def off_board(text: str, name: str, limits: str) -> Refusal:
    """Refuse ``name``, no cell of this board; ``limits`` says where its cells lie."""
    sentence = f"{quote(name)}{within(name, text)} is not on this board, whose {limits}."
    return Refusal("cell_off_board", sentence, {"cell": name})


def dashed(text: str, cell: str, gone: str, move: str, what: str) -> Refusal:
    """Explain that a dash removes nothing; ``move`` does, if that is possible."""
    write = f"to place {cell} and remove {gone} write {quote(move)}" if move else f"reply with {what}"
    sentence = f"{quote(text)} is no move here, where stones do not walk; {write}."
    return Refusal("stones_do_not_walk", sentence, {"text": text})


def reversed_name(text: str, word: str) -> Refusal:
    """Explain that the letter of a cell's name comes first, for which ``word`` is not written."""
    sentence = f"{quote(word)}{within(word, text)} is not how a cell is named: {LETTER_FIRST}"
    return Refusal("letter_first", sentence, {"cell": word})


def two_removed(text: str, count: int, moves: Sequence[str]) -> Refusal:
    """Explain that a stone removes exactly one, as in ``moves``, if it can."""
    write = f"; write {choice(moves)}" if moves else ""
    sentence = f"{quote(text)} removes {count} stones, but a stone removes exactly one{write}."
    return Refusal("one_removal_only", sentence, {"text": text, "count": count})


def half(text: str, moves: Sequence[str]) -> Refusal:
    """Explain that a cell belongs on either side of the x, as in ``moves``, if there are any."""
    order = "the stone you place stands before the x, the one you remove after it"
    sentence = f"{quote(text)} lacks a cell: {order}{f', as in {choice(moves)}' if moves else ''}."
    return Refusal("half_a_removal", sentence, {"text": text})


def no_pass(text: str, what: str, example: str) -> Refusal:
    """Explain that nobody passes."""
    why = "since nobody ever passes in SnipSnip"
    sentence = f"{quote(text)} is no move, {why}; reply with {what}, for example {quote(example)}."
    return Refusal("nobody_passes", sentence, {"text": text})


def no_move(text: str, what: str, example: str) -> Refusal:
    """Refuse a text that is no move."""
    sentence = f"{quote(text)} is no move; reply with {what}, for example {quote(example)}."
    return Refusal("not_a_cell", sentence, {"text": text})


OVER = "The match is over: there is nothing to reply with."
"""Answers whoever asks for a prompt after the end."""
