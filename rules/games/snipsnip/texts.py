"""The sentences of a turn of SnipSnip, and of what the rules say no to."""

from collections.abc import Sequence
from functools import partial

from rules.errors import refusal
from rules.phrase import Event, Phrase, listed, mark, phrase, phrases
from rules.position import Objective

ROLES = (mark("White"), mark("Black"))

CLOSED = phrase("Closed cells are capture sites: nobody may place a stone there now.")
"""Explains the mark of a capture site."""

TWICE = phrase("This position has come up for the second time; the third time ends the match.")
"""Warns that the next repetition ends the match."""

AGAIN = (phrase("White captured, and plays again."), phrase("Black captured, and plays again."))
"""Tells that a seat has removed a stone and is to act again."""

CAPTURES_ON = (phrase("White would capture on"), phrase("Black would capture on"))
"""Stands before the cells on which the seat to act would capture."""

OVER = phrase("The match is over, so there’s nothing to reply with.")
"""Answers whoever asks for a prompt after the end."""

# Prompts, by whether the turn goes on after a capture, and whether anything can be captured.
_ASKED = {
    (False, False): mark("Reply with a free cell, such as {example}."),
    (False, True): mark(
        "Reply with a free cell, such as {example}. {cell} captures: there write {capture}, with the stone you remove."
    ),
    (True, False): mark("You captured, so you play again: reply with a free cell, such as {example}."),
    (True, True): mark(
        "You captured, so you play again: reply with a free cell, such as {example}. {cell} captures: there write"
        " {capture}, with the stone you remove."
    ),
}

# Goals, by whether the smaller group wins, and whether stones diagonal to each other count as connected.
_GOALS = {
    (True, False): mark("You’re {role}: in the end, your largest group should be the smaller one."),
    (False, False): mark("You’re {role}: in the end, your largest group should be the larger one."),
    (True, True): mark(
        "You’re {role}: in the end, your largest linked group should be the smaller one; stones diagonal to each other"
        " are linked too."
    ),
    (False, True): mark(
        "You’re {role}: in the end, your largest linked group should be the larger one; stones diagonal to each other"
        " are linked too."
    ),
}
_AGAIN_TURN = phrase("Place a stone on a free cell; if it captures, remove one captured stone and play again.")
_ONE_TURN = phrase("Place a stone on a free cell; if it captures, remove one captured stone.")
_AGAIN_REMINDER = phrase("If your stone captures, you remove one captured stone and play again.")
_ONE_REMINDER = phrase("If your stone captures, you remove one captured stone.")

# What captures, by the way of capturing (every capture site beside the stone, or how the two ends lie), and misère.
_CAPTURES = {
    ("diagonal", True): phrase(
        "You capture an enemy stone if your new stone and another enemy stone both touch it, and these two are diagonal"
        " to each other: two steps apart, but not in a straight line. Avoid that: captures keep your opponent’s groups"
        " small and make yours grow."
    ),
    ("diagonal", False): phrase(
        "You capture an enemy stone if your new stone and another enemy stone both touch it, and these two are diagonal"
        " to each other: two steps apart, but not in a straight line."
    ),
    ("between", True): phrase(
        "Your stone captures an enemy stone that lies in a straight line between it and another enemy stone. Avoid"
        " that: captures keep your opponent’s groups small and make yours grow."
    ),
    ("between", False): phrase(
        "Your stone captures an enemy stone that lies in a straight line between it and another enemy stone."
    ),
    ("all", True): phrase(
        "Your stone captures an enemy stone next to it that is on a capture site, old or new. Avoid that: captures keep"
        " your opponent’s groups small and make yours grow."
    ),
    ("all", False): phrase("Your stone captures an enemy stone next to it that is on a capture site, old or new."),
}


def asked(again: bool, example: str, cell: str = "", capture: str = "") -> Phrase:
    """Return what the player next to place is asked for; ``again``: after a removal.

    A stone on ``cell``, if any, captures: ``capture`` is a whole answer there.
    """
    return phrase(_ASKED[again, bool(cell)], example=example, **({"cell": cell, "capture": capture} if cell else {}))


def objective(seat: int, *, diagonal: bool, linked: bool, misere: bool, every_site: bool) -> Objective:
    """Return what ``seat`` has to do."""
    kind = "all" if every_site else "diagonal" if diagonal else "between"
    turn, reminder = (_AGAIN_TURN, _AGAIN_REMINDER) if misere else (_ONE_TURN, _ONE_REMINDER)
    goal = phrase(_GOALS[misere, linked], role=phrase(ROLES[seat]))
    return Objective(goal, turn, _CAPTURES[kind, misere], reminder)


def groups(linked: bool, sizes: Sequence[int]) -> Phrase:
    """Return how large the largest groups of White and Black are."""
    white, black = sizes
    if linked:
        return phrase("Largest linked group: White {white}, Black {black}.", white=white, black=black)
    return phrase("Largest group: White {white}, Black {black}.", white=white, black=black)


def removes(cell: str) -> Phrase:
    """Return the effect of an answer that removes the stone on ``cell``."""
    return phrase("removes {cell}", cell=cell)


def played(seat: int, parts: Sequence[tuple[str, str]]) -> Event:
    """Return that ``seat`` played a chain of placed and removed cells ("" for none)."""
    (cell, removed), *more = parts
    if more:
        cells = listed(
            phrase("{cell} (removing {removed})", cell=cell, removed=removed) if removed else cell
            for cell, removed in parts
        )
        return Event(seat, phrase("You played {cells}.", cells=cells), phrase("{name} played {cells}.", cells=cells))
    if not removed:
        return Event(seat, phrase("You played {cell}.", cell=cell), phrase("{name} played {cell}.", cell=cell))
    return Event(
        seat,
        phrase("You played {cell} and removed {removed}.", cell=cell, removed=removed),
        phrase("{name} played {cell} and removed {removed}.", cell=cell, removed=removed),
    )


def ended(winner: int, sizes: Sequence[int], repeated: bool) -> str:
    """Return, for the record, how ``winner`` won; ``repeated``: the match ended by repetition."""
    if sizes[0] == sizes[1]:
        how = f"largest groups of {sizes[0]} each, and {ROLES[1 - winner]} was next to place"
    else:
        how = f"a largest group of {sizes[winner]} against {sizes[1 - winner]}"
    return f"{how}, when the same position had come up three times" if repeated else how


def story(winner: int, sizes: Sequence[int], repeated: bool) -> Event:
    """Return how ``winner`` won by the size of the largest groups; ``repeated``: the match ended by repetition."""
    own, other = sizes[winner], sizes[1 - winner]
    if own == other and repeated:
        return Event(
            winner,
            phrases(
                "The same position came up for the third time with largest groups of one stone each; the player to"
                " move, your opponent, loses a tie.",
                "The same position came up for the third time with largest groups of {count} stones each; the player to"
                " move, your opponent, loses a tie.",
                own,
            ),
            phrases(
                "The same position came up for the third time with largest groups of one stone each; the player to"
                " move loses a tie, so {name} wins.",
                "The same position came up for the third time with largest groups of {count} stones each; the player to"
                " move loses a tie, so {name} wins.",
                own,
            ),
        )
    if own == other:
        return Event(
            winner,
            phrases(
                "Both largest groups have one stone, but your opponent had no free cell left, which loses a tie.",
                "Both largest groups have {count} stones, but your opponent had no free cell left, which loses a tie.",
                own,
            ),
            phrases(
                "Both largest groups have one stone, and {name} wins the tie: nobody else had a free cell left.",
                "Both largest groups have {count} stones, and {name} wins the tie: nobody else had a free cell left.",
                own,
            ),
        )
    if repeated:
        return Event(
            winner,
            phrase(
                "The same position came up for the third time, and your largest group is the larger one: {own} against"
                " {other}.",
                own=own,
                other=other,
            ),
            phrase(
                "The same position came up for the third time, and {name}’s largest group is the larger one: {own}"
                " against {other}.",
                own=own,
                other=other,
            ),
        )
    if own < other:
        return Event(
            winner,
            phrase("Your largest group is the smaller one: {own} against {other}.", own=own, other=other),
            phrase("{name}’s largest group is the smaller one: {own} against {other}.", own=own, other=other),
        )
    return Event(
        winner,
        phrase("Your largest group is the larger one: {own} against {other}.", own=own, other=other),
        phrase("{name}’s largest group is the larger one: {own} against {other}.", own=own, other=other),
    )


REFUSALS = {
    "capture_site": mark(
        "{cell} is a capture site: it touches both {white} (white) and {black} (black), so nobody may play there now."
    ),
    "capture_site:between": mark(
        "{cell} is a capture site: it lies between {white} (white) and {black} (black), so nobody may play there now."
    ),
    "cell_just_emptied": mark(
        "Your stone on {by} has just removed {cell}, so nobody may play there now; if you only meant to"
        " capture, write {write!q}."
    ),
    "cell_occupied": mark("There’s already a stone on {cell}."),
    "cell_off_board": mark(
        "{cell!q} isn’t on this board: its columns run from a to {column}, its rows from 1 to {row}."
    ),
    "cell_off_board:row": mark("{cell!q} isn’t on this board: row {row} runs from {first} to {last}."),
    "cell_off_board:alone": mark("{cell!q} isn’t on this board: row {row} has {first} alone."),
    "half_a_removal": mark("{text!q} is half a capture: write the stone you place, an x, and the stone you remove."),
    "half_a_removal:such": mark(
        "{text!q} is half a capture: write the stone you place, an x, and the stone you remove, as in {write!q}."
    ),
    "nobody_passes": mark("{text!q} isn’t possible: nobody ever passes in SnipSnip."),
    "not_a_cell": mark("{text!q} isn’t a move in SnipSnip."),
    "not_a_move": mark("{text!q} names no cell."),
    "not_to_be_removed": mark("A stone on {cell} can remove {able}, not {removed}: write {write!q}."),
    "nothing_to_remove": mark("A stone on {cell} captures nothing here, so {removed} stays; write {write!q}."),
    "one_removal_only": mark("{text!q} removes several stones, but a stone removes just one."),
    "one_removal_only:such": mark("{text!q} removes several stones, but a stone removes just one: write {write!q}."),
    "removal_missing": mark("A stone on {cell} captures, so you have to remove a stone: write {write!q}."),
    "several_to_remove": mark("A stone on {cell} can remove {able}, and you choose: write {write!q}."),
    "stones_do_not_walk": mark("Stones don’t move in SnipSnip, so {text!q} can’t be played."),
    "stones_do_not_walk:capture": mark(
        "Stones don’t move in SnipSnip; to place {cell} and remove {removed}, write {write!q}."
    ),
    "turn_ends_before": mark(
        "{text!q} goes too far: {before} captures nothing, which ends the turn. Write {write!q} alone."
    ),
    "turn_ends_before:single": mark(
        "{text!q} goes too far: a turn is one stone, even if it captures. Write {write!q} alone."
    ),
    "turn_ends_before:over": mark("{text!q} goes too far: {before} ends the match. Write {write!q} alone."),
}
"""The sentence for each code, or for a case of it; ``text`` is what the player wrote, ``write`` what will do."""

refuse = partial(refusal, REFUSALS)
"""Returns why the rules say no: the sentence for a code, filled in."""
