"""What SnipSnip says to players: the rules in plain words, and the sentences of a turn."""

from collections.abc import Sequence

from rules.errors import quote
from rules.prose import ORDER_BY_LOT, credit, listed, paragraphs

DESIGNERS = ("Dale W. Walton",)

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
    """Return what ``seat`` plays for and does on its turns."""
    other = 1 - seat
    also = " (stones diagonal to each other count as connected)" if linked else ""
    than = f"{'smaller' if misere else 'larger'} than the largest group of {ROLES[other]}"
    more = " and then take another turn" if misere else ""
    return (
        f"You are {ROLES[seat]}: at the end your largest group should be {than}{also}. On your turn place one"
        f" {_COLOURS[seat]} stone on a free cell; if it captures, you remove one captured {_COLOURS[other]} stone"
        f"{more}. If you are to place a stone when no cell is free, the match ends, and a tie is lost for you."
    )


def left(word: str) -> str:
    """Return why a match ended when a seat left with ``word``."""
    return f"the other side {'resigned' if word == 'resign' else 'ran out of time'}"


def ended(winner: int, sizes: Sequence[int], repeated: bool) -> str:
    """Return how ``winner`` won by the size of the largest groups; ``repeated``: the match ended by repetition."""
    if sizes[0] == sizes[1]:
        how = f"largest groups of {sizes[0]} each, and {ROLES[1 - winner]} was next to place"
    else:
        how = f"a largest group of {sizes[winner]} against {sizes[1 - winner]}"
    return f"{how}, when the same position had come up three times" if repeated else how


def told(parts: Sequence[tuple[str, str]]) -> str:
    """Return what a chain of placed and removed cells ("" for none) is called afterwards."""
    return "played " + ", then ".join(f"{cell} and removed {gone}" if gone else cell for cell, gone in parts)


def over(text: str) -> str:
    """Refuse a move after the end."""
    return f"The match is over, so {quote(text)} cannot be played any more."


def empty(text: str) -> str:
    """Refuse a move without any cell."""
    return f"{quote(text)} names no cell."


def occupied(text: str, cell: str, free: str) -> str:
    """Refuse a stone on a stone; the cell ``free`` would do."""
    return f"{quote(text)} cannot be played, since there is a stone on {cell} already; {free}, for example, is free."


def site(text: str, cell: str, ends: Sequence[str], diagonal: bool, free: str) -> str:
    """Refuse a stone on a capture site, which the stones on ``ends``, white and black, make of ``cell``."""
    how = "touches both" if diagonal else "lies between"
    return (
        f"{quote(text)} cannot be played: {cell} is a capture site, since it {how} {ends[0]}, white, and {ends[1]},"
        f" black, so nobody may play there now; {free}, for example, is free."
    )


def just_removed(text: str, cell: str, gone: str, played: str) -> str:
    """Refuse a stone on the cell emptied just before; perhaps removing it was all that was meant."""
    return (
        f"{quote(text)} cannot be played: {cell} has removed {gone}, and nobody may place a stone there now;"
        f" if removing it was all you meant, write {quote(played)}."
    )


def removes_nothing(text: str, cell: str, gone: str) -> str:
    """Refuse a removal where none is possible."""
    return f"{quote(text)} cannot be played, since a stone on {cell} can remove nothing now; leave out x{gone}."


def removes_other(text: str, cell: str, gone: str, able: Sequence[str], moves: Sequence[str]) -> str:
    """Refuse the removal of ``gone``, or of nothing (""), where one of ``able`` has to be removed, as in ``moves``."""
    if not gone:
        return f"{quote(text)} cannot be played, since a stone on {cell} has to remove one; write {_choice(moves)}."
    can = f"a stone on {cell} can remove {listed(able, 'or')}, not {gone}"
    return f"{quote(text)} cannot be played, since {can}; write {_choice(moves)}."


def several(text: str, cell: str, able: Sequence[str], moves: Sequence[str]) -> str:
    """Say which stones ``cell`` could remove, ``able``, and how that is written."""
    where = f"“{cell}”" if text == cell else f"“{cell}”, in {quote(text)},"
    return f"{where} could remove {listed(able, 'or')}: write {_choice(moves)}."


def too_far(text: str, cell: str, played: str, why: str) -> str:
    """Refuse ``cell`` and what follows it, since the turn ends with ``played``: ``why``."""
    return f"{quote(text)} goes too far: {why}, so {cell} cannot follow; write {quote(played)} alone."


ONE_STONE = "a turn here is one stone"
"""Why a turn ends without misère."""


def stays(cell: str) -> str:
    """Return why a turn ends after ``cell``."""
    return f"{cell} removes nothing, which ends the turn"


def ends(cell: str) -> str:
    """Return why nothing follows ``cell``."""
    return f"the match is over after {cell}"


def off_board(text: str, name: str, limits: str) -> str:
    """Say that ``name`` is no cell of this board, whose cells ``limits`` describes."""
    where = "" if name == text else f", in {quote(text)},"
    return f"{quote(name)}{where} is not on this board, whose {limits}."


def dashed(text: str, cell: str, gone: str, move: str, what: str) -> str:
    """Explain that a dash removes nothing; ``move`` does, if that is possible."""
    write = f"to place {cell} and remove {gone} write {quote(move)}" if move else f"reply with {what}"
    return f"{quote(text)} is no move here, where stones do not walk; {write}."


def reversed_name(text: str, word: str) -> str:
    """Explain that the letter of a cell's name comes first, for which ``word`` is not written."""
    where = "" if word == text else f", in {quote(text)},"
    return f"{quote(word)}{where} is not how a cell is named: the letter comes first"


def two_removed(text: str, count: int, moves: Sequence[str]) -> str:
    """Explain that a stone removes exactly one, as in ``moves``, if it can."""
    write = f"; write {_choice(moves)}" if moves else ""
    return f"{quote(text)} removes {count} stones, but a stone removes exactly one{write}."


def half(text: str, moves: Sequence[str]) -> str:
    """Explain that a cell belongs on either side of the x, as in ``moves``, if there are any."""
    order = "the stone you place stands before the x, the one you remove after it"
    return f"{quote(text)} lacks a cell: {order}{f', as in {_choice(moves)}' if moves else ''}."


def _choice(moves: Sequence[str]) -> str:
    return listed(map(quote, moves), "or")


def no_pass(text: str, what: str, example: str) -> str:
    """Explain that nobody passes."""
    why = "since nobody ever passes in SnipSnip"
    return f"{quote(text)} is no move, {why}; reply with {what}, for example {quote(example)}."


def no_move(text: str, what: str, example: str) -> str:
    """Say what would be a move."""
    return f"{quote(text)} is no move; reply with {what}, for example {quote(example)}."


OVER = "The match is over: there is nothing to reply with."
"""Answers whoever asks for a prompt after the end."""

HELP = paragraphs(f"""
    SnipSnip is a game of growing groups and of cutting them to size. White places white stones⟦, shown
    as O⟧, Black black ones⟦, shown as X⟧. A group is a set of stones of one colour that hang together from
    neighbour to neighbour, and what counts at the end is the size of each side’s largest group. As a
    rule the smaller one wins: this is called misère. With misère off the larger one wins.

    The board is empty at first, and White begins. A cell has a letter and a number, for its column and
    its row. Columns are counted from the left and rows from the bottom; on a board of hexagons a column
    climbs to the upper left. A cell of a hexagonal board has up to six neighbours, one of a square board
    up to four, one of a diamond up to eight, the diagonal ones included.

    On your turn you place one stone of your colour on a free cell. Free are the empty cells that are not
    capture sites. Then, if your stone captures anything, you remove one of the captured stones: you choose
    which, but exactly one has to go. Stones never move, and nobody ever passes.

    What is a capture site? Two stones of opposite colour, one white and one black, can make capture sites
    of the cells in the middle of them, whether there are stones on these cells or not. As long as both
    stones stay, nobody may place a stone there, neither White nor Black. And what is captured? The
    stones of the other side that stand in the middle of your new stone and another stone of the other side.
    (The designer’s text can also be read in a wider way: that your new stone captures every stone of the
    other side beside it that stands on a capture site, whichever two stones make that site. The
    designer’s own program captures as we do. With the option capture_sites at all you play the wider way.)

    There are two ways to be in the middle; the option capture says which one counts. With diagonal, as
    is usual, the two stones must be diagonal to each other: two steps apart, but not in a straight line.
    In the middle are then all the cells that touch both of them, two as a rule. On a square board these
    are the other two corners of a block of four cells, on a diamond the two stones are a knight’s move
    apart. With between, the two stones must be two steps apart in a straight line, and in the middle is
    only the cell between them. Every straight line counts, on a diamond the diagonal ones too.

    An example on the board equi-2-4, with diagonal captures: Black has stones on c2 and c3, and White
    places a stone on d4. The stones on d4 and c2 are diagonal to each other, and the cells that touch
    both are c3 and d3. So the black stone on c3 is captured and has to go. White writes d4xc3: the
    stone placed, an x, the stone removed. Now c3 and d3 are capture sites, closed to both sides while d4
    and c2 stand. With between captures White would remove the same stone by playing c4, since
    c4, c3 and c2 lie in a straight line.

    If exactly one stone can be removed you need not name it, and the cell alone will do. If there are
    several you have to choose, and are told which ones there are.

    In misère whoever removed a stone takes another full turn: he places one more stone, which may capture
    again, and so on until one captures nothing. So a capture makes the other side’s groups smaller
    and yours larger, often not what you want. You may send such a turn piece by piece, or all of
    it in one line, like b2xc3 d4xe4 f1. Without misère a turn is one stone, with or without a removal.

    The match ends when the player who is to place a stone has no free cell. Then the largest groups are
    compared: in misère the smaller one wins, else the larger one. If they are equal, the player who was to
    place a stone loses. A side without stones has a largest group of 0. With the option scoring at groups
    only neighbours hang together; with linked, stones that are diagonal to each other
    (as explained above, whatever stands between them) hang together too.

    Without misère captures can go round in circles. So when the same position, with the same player to
    move, comes up for the third time, the match ends there and the groups are compared as usual (our
    reading). When somebody leaves the match, the other side wins.

    For example, “d4” as the first turn puts a white stone on d4, a cell that every board has.

    If you want more than the usual board gives, try the board equi-3-5, hex-4-5 or equi-5-7. In the name
    of a board of hexagons the numbers are the lengths of its sides, in that of a square the length of a
    side, in that of a diamond the cells from its middle to a corner.
{ORDER_BY_LOT}
    {credit("SnipSnip", DESIGNERS)}
""")
