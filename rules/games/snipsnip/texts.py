"""The sentences of a turn of SnipSnip, and of what the rules say no to."""

from collections.abc import Sequence
from functools import partial

from rules.errors import refusal

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


def again(seat: int) -> str:
    """Return that ``seat`` has removed a stone and is to act again."""
    return f"{ROLES[seat]} removed a stone, and so takes another turn."


TWICE = "This position has come up for the second time; at the third time the match ends."
"""Warns that the next repetition ends the match."""


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


REFUSALS = {
    "capture_site": "{text!q} cannot be played: {cell} is a capture site, since it {how} {white}, white, and {black},"
    " black, so nobody may play there now; {free}, for example, is free.",
    "cell_just_emptied": "{text!q} cannot be played: {by} has removed {cell}, and nobody may place a stone there now;"
    " if removing it was all you meant, write {write!q}.",
    "cell_occupied": "{text!q} cannot be played, since there is a stone on {cell} already; {free}, for example, is"
    " free.",
    "cell_off_board": "{cell!q}{where} is not on this board, whose {limits}.",
    "half_a_removal": "{text!q} lacks a cell: the stone you place stands before the x, the one you remove after it"
    "{write}.",
    "nobody_passes": "{text!q} is no move, since nobody ever passes in SnipSnip; reply with {what}, for example"
    " {example!q}.",
    "not_a_cell": "{text!q} is no move; reply with {what}, for example {example!q}.",
    "not_a_move": "{text!q} names no cell.",
    "not_to_be_removed": "{text!q} cannot be played, since a stone on {cell} can remove {able}, not {removed}; write"
    " {write}.",
    "nothing_to_remove": "{text!q} cannot be played, since a stone on {cell} can remove nothing now; leave out"
    " x{removed}.",
    "one_removal_only": "{text!q} removes {count} stones, but a stone removes exactly one{write}.",
    "removal_missing": "{text!q} cannot be played, since a stone on {cell} has to remove one; write {write}.",
    "several_to_remove": "“{cell}”{where} could remove {able}: write {write}.",
    "stones_do_not_walk": "{text!q} is no move here, where stones do not walk; {instead}.",
    "turn_ends_before": "{text!q} goes too far: {why}, so {cell} cannot follow; write {write!q} alone.",
}
"""The sentence for each code; ``text`` is what the player wrote, ``write`` says what may be written."""

refuse = partial(refusal, REFUSALS)
"""Returns why the rules say no: the sentence for a code, filled in."""

OVER = "The match is over: there is nothing to reply with."
"""Answers whoever asks for a prompt after the end."""
