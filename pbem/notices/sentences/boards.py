"""Sentences about boards: what signs and marks mean, what a picture shows, and a board for those who listen. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Literal

from pbem.boards.html import NAME, HtmlWords
from pbem.boards.signs import (
    BOTH,
    BRACKETS,
    LAST,
    LINE,
    NUMBERS,
    Signs,
    bracketed,
    in_text,
    is_closed,
    is_proposed,
    number_of,
)
from pbem.boards.svg import PictureWords
from rules.phrase import ENGLISH, Language, Phrase, listed, phrase, phrases
from rules.view import BoardView, Cell, Piece

_SIDE_NAMES = {
    "left": phrase("the left side"),
    "right": phrase("the right side"),
    "bottom": phrase("the bottom side"),
    "top": phrase("the top side"),
}

_FACING = (
    phrase("{piece} {number} in the north"),
    phrase("{piece} {number} in the east"),
    phrase("{piece} {number} in the south"),
    phrase("{piece} {number} in the west"),
)

Sentences = tuple[Phrase, Phrase]
"""A sentence about some cells, and one about further cells, which did not find room in it; ``{cells}`` are to fill."""


def name_board(view: BoardView) -> Phrase:
    """Return what is shown, as a heading: "Board, 9 by 9"."""
    if len(view.cells) == len(view.columns) * len(view.rows):
        return phrase("Board, {columns} by {rows}", columns=len(view.columns), rows=len(view.rows))
    count = len(view.cells)
    if view.shape == "hex":
        return phrases("Board with {count} hexagon", "Board with {count} hexagons", count)
    return phrases("Board with {count} cell", "Board with {count} cells", count)


def html_words(view: BoardView, language: Language = ENGLISH) -> HtmlWords:
    """Return what the board in HTML says to those who listen."""
    return HtmlWords(name_board(view).said(language), phrase("play {cell}", cell=NAME).said(language))


def picture_words(view: BoardView, language: Language = ENGLISH) -> PictureWords:
    """Return what the picture says to those who do not see it."""
    return PictureWords(
        name_board(view).said(language),
        " ".join(_describe_picture(view, language)),
        {cell.name: name_piece(cell, cell.piece).said(language) for cell in view.cells if cell.piece},
    )


def name_piece(cell: Cell, piece: Piece) -> Phrase:
    """Return what is on a cell: "b3: die of Light, top 4, north 1, east 2, south 6, west 5"."""
    if cell.die is None:
        return phrase("{cell}: {piece}", cell=cell.name, piece=piece.name)
    north, east, south, west = cell.die.sides
    sides = {"top": cell.die.top, "north": north, "east": east, "south": south, "west": west}
    return phrase(
        "{cell}: die of {piece}, top {top}, north {north}, east {east}, south {south}, west {west}",
        cell=cell.name,
        piece=piece.name,
        **sides,
    )


def _describe_picture(view: BoardView, language: Language) -> Iterator[str]:
    """Yield what the picture shows, sentence by sentence."""
    if view.looks == "dice":
        for cell in view.cells:
            if cell.piece:
                yield phrase("{what}.", what=name_piece(cell, cell.piece)).said(language)
    else:
        on = defaultdict(list)
        for cell in view.cells:
            if cell.piece:
                on[cell.piece.key].append(cell.name)
        for piece in view.pieces:
            found = phrase("{piece}: {cells}.", cells=listed(on[piece.key]))
            sentence = found if on[piece.key] else phrase("{piece}: none.")
            yield capital(sentence.about(piece=piece.name).said(language))
    for names, words in (
        ([cell.name for cell in view.cells if "last" in cell.marks], phrase("The last move: {cells}.")),
        ([cell.name for cell in view.cells if "line" in cell.marks], phrase("The winning line: {cells}.")),
        ([cell.name for cell in view.cells if is_proposed(cell)], phrase("Your partner proposes: {cells}.")),
        ([cell.name for cell in view.cells if is_closed(cell)], phrase("Closed: {cells}.")),
    ):
        if names:
            yield words.about(cells=listed(names)).said(language)


def text_legend(view: BoardView, signs: Signs, holders: Mapping[str, str] | None = None) -> list[Phrase]:
    """Return what explains the board in text: its signs and brackets, how to read a die, what the view itself says.

    With ``holders`` it says whose each kind of piece is.
    """
    view = in_text(view)
    keys = [*_explain_pieces(view, signs, holders or {}), *_explain_brackets(view)]
    sentences = [_as_sentence(keys)]
    if view.looks == "dice":
        sentences.append(
            phrase("On a die: its owner’s letter and the number on top; around them, the numbers on its four sides.")
        )
        if any(cell.ground == "dark" for cell in view.cells):
            sentences.append(phrase("Cells with colons are dark."))
    return [*sentences, *view.captions]


def html_legend(view: BoardView, signs: Signs, holders: Mapping[str, str] | None = None) -> list[Phrase]:
    """Return what explains the board in HTML, line by line; the letters of the board in text are not on it.

    With ``holders`` it says whose each kind of piece is.
    """
    pieces = _explain_pieces(view, signs, holders or {}, lettered=False)
    return [_as_sentence([*pieces, *explain_picture(view)]), *view.captions]


def explain_picture(view: BoardView) -> list[Phrase]:
    """Return what each mark on the board in HTML and in the picture means, as far as it occurs."""
    marks = set[str]().union(*{cell.marks for cell in view.cells})
    found = []
    if "last" in marks:
        found.append(phrase("red ring: the last move"))
    if marks.intersection(NUMBERS):
        found.append(phrase("numbers: the moves since yours"))
    if any("last" in cell.marks and not cell.piece for cell in view.cells if cell.marks):
        found.append(phrase("dashed: emptied by it"))
    if "line" in marks:
        found.append(phrase("diamonds: the winning line"))
    if any(map(is_proposed, view.cells)):
        found.append(phrase("“?”\N{NO-BREAK SPACE}proposed"))
    if any(map(is_closed, view.cells)):
        found.append(phrase("“-”\N{NO-BREAK SPACE}closed"))
    if any(cell.die for cell in view.cells):
        found.append(phrase("large: the number on top of a die, small: the numbers on its sides"))
    return found


def _explain_pieces(
    view: BoardView, signs: Signs, holders: Mapping[str, str], *, lettered: bool = True
) -> Iterator[Phrase]:
    """Yield the meaning of each piece's sign; ``lettered``: one that holds no letter is followed by the piece's."""
    for piece in view.pieces:
        sign = signs.get(piece.symbol, piece.symbol)
        if piece.symbol in sign or not lettered:
            meaning = phrase("{sign}\N{NO-BREAK SPACE}{piece}", sign=sign, piece=piece.name)
        else:
            meaning = phrase(
                "{sign}\N{NO-BREAK SPACE}{piece}\N{NO-BREAK SPACE}({letter})",
                sign=sign,
                piece=piece.name,
                letter=piece.symbol,
            )
        names = holders.get(str(piece.name))
        yield phrase("{meaning}: {names}", meaning=meaning, names=names) if names else meaning


def _explain_brackets(view: BoardView) -> Iterator[Phrase]:
    """Yield what the brackets and dashes on a board in text mean, as far as they occur."""
    found = set(map(bracketed, {cell.marks for cell in view.cells}))
    meanings = {
        LAST: phrase("{sign}\N{NO-BREAK SPACE}the last move"),
        LINE: phrase("{sign}\N{NO-BREAK SPACE}the winning line"),
        BOTH: phrase("{sign}\N{NO-BREAK SPACE}both"),
    }
    # “Both” needs the words for each, even where each occurs only on cells that are both.
    shown = set(meanings) if BOTH in found else found
    for marks, meaning in meanings.items():
        if marks in shown:
            yield meaning.about(sign="\N{NO-BREAK SPACE}".join(BRACKETS[marks]))
    if any(number_of(cell.marks) for cell in view.cells):
        yield phrase("1\N{NO-BREAK SPACE}2\N{NO-BREAK SPACE}the moves since yours")
    if any(is_proposed(cell) for cell in view.cells if cell.marks):
        yield phrase("?\N{NO-BREAK SPACE}proposed")
    if any(is_closed(cell) for cell in view.cells if cell.marks):
        yield phrase("-\N{NO-BREAK SPACE}closed")


def _as_sentence(keys: Sequence[Phrase]) -> Phrase:
    """Return meanings of signs, one after the other."""
    joined = reduce(lambda most, last: phrase("{most}, {last}", most=most, last=last), keys)
    return phrase("{meanings}.", meanings=joined)


def tell_last(piece: Phrase) -> Sentences:
    """Tell where the last move put pieces."""
    return (
        phrase("The last move: {piece} on {cells}.", piece=piece),
        phrase("The last move: {piece} also on {cells}.", piece=piece),
    )


def tell_numbered(piece: Phrase, number: str) -> Sentences:
    """Tell where a move that is new put pieces, of several such moves."""
    return (
        phrase("Move {number}: {piece} on {cells}.", piece=piece, number=number),
        phrase("Move {number}: {piece} also on {cells}.", piece=piece, number=number),
    )


def tell_emptied() -> Sentences:
    """Tell which cells the last move emptied."""
    return phrase("Empty since the last move: {cells}."), phrase("Also empty since then: {cells}.")


def tell_line() -> Sentences:
    """Tell the winning line."""
    return phrase("The winning line: {cells}."), phrase("Also in the winning line: {cells}.")


def tell_proposed() -> Sentences:
    """Tell which cells a partner would like to be played on."""
    return phrase("Your partner proposes: {cells}."), phrase("Also proposed: {cells}.")


def tell_closed() -> Sentences:
    """Tell which cells are closed."""
    return phrase("Closed now: {cells}."), phrase("Also closed: {cells}.")


def tell_beside(cell: str, what: Phrase | Literal["free", "closed"]) -> Sentences:
    """Tell which cells beside ``cell`` hold a piece, or are free or closed."""
    if what == "free":
        sentence = phrase("Beside {cell}: free {cells}.", cell=cell)
    elif what == "closed":
        sentence = phrase("Beside {cell}: closed {cells}.", cell=cell)
    else:
        sentence = phrase("Beside {cell}: {piece} on {cells}.", cell=cell, piece=what)
    return sentence, sentence


def tell_stones(piece: Phrase) -> Sentences:
    """Tell where somebody has stones."""
    return phrase("{piece} holds {cells}.", piece=piece), phrase("{piece} also holds {cells}.", piece=piece)


def tell_pieces(piece: Phrase, *, several: bool) -> Sentences:
    """Tell where one piece is, or where several are, whose name is then a plural."""
    if several:
        return phrase("{piece} are on {cells}.", piece=piece), phrase("{piece} are also on {cells}.", piece=piece)
    return phrase("{piece} is on {cells}.", piece=piece), phrase("{piece} is also on {cells}.", piece=piece)


def tell_dice(piece: Phrase, count: int) -> Phrase:
    """Tell how many dice somebody has on the board."""
    return phrases("{piece} holds {count} die.", "{piece} holds {count} dice.", count, piece=piece)


def tell_die(piece: Phrase, cell: Cell) -> Phrase:
    """Tell the numbers on a die, and the colour of its cell."""
    assert cell.die
    north, east, south, west = cell.die.sides
    sentence = {
        "plain": phrase("{piece} on {cell}: top {top}, north {north}, east {east}, south {south}, west {west}."),
        "light": phrase("{piece} on {cell}, light: top {top}, north {north}, east {east}, south {south}, west {west}."),
        "dark": phrase("{piece} on {cell}, dark: top {top}, north {north}, east {east}, south {south}, west {west}."),
    }[cell.ground]
    return sentence.about(piece=piece, cell=cell.name, top=cell.die.top, north=north, east=east, south=south, west=west)


def tell_facing(cell: str, facing: Iterable[tuple[int, Phrase, int]]) -> Phrase:
    """Tell which numbers face a free cell: for each side, clockwise from the north, whose die it is and its number."""
    numbers = [_FACING[side].about(piece=piece, number=number) for side, piece, number in facing]
    return phrase("Beside {cell}: {numbers}.", cell=cell, numbers=listed(numbers))


def tell_chains(word: Phrase, piece: Phrase, stones: int, count: int) -> Phrase:
    """Tell in how many chains somebody's stones lie, more than one."""
    if str(word) == "chain":
        return phrase("{piece} has {stones} stones in {count} chains.", piece=piece, stones=stones, count=count)
    return phrase("{piece} has {stones} stones in {count} groups.", piece=piece, stones=stones, count=count)


def tell_chain(word: Phrase, piece: Phrase, count: int) -> Sentences:
    """Tell the stones of a chain."""
    if str(word) == "chain":
        first = phrase("{piece} chain of {count}: {cells}.", piece=piece, count=count)
        return first, phrase("Also in this chain: {cells}.")
    return phrase("{piece} group of {count}: {cells}.", piece=piece, count=count), phrase(
        "Also in this group: {cells}."
    )


def tell_sides(word: Phrase, sides: Iterable[str]) -> Phrase:
    """Tell which sides of the board the chain that was told touches: left, right, bottom, top."""
    names = listed(_SIDE_NAMES[side] for side in sides)
    if str(word) == "chain":
        return phrase("This chain touches {sides}.", sides=names)
    return phrase("This group touches {sides}.", sides=names)


def tell_singles(piece: Phrase, count: int) -> Sentences:
    """Tell the stones that are in no chain."""
    first = phrases("{piece} single stone: {cells}.", "{piece} single stones: {cells}.", count, piece=piece)
    return first, phrase("{piece} further single stones: {cells}.", piece=piece)


def tell_choices(words: Phrase) -> Sentences:
    """Tell the cells that the seat to act may choose: ``words`` are about ``{cells}``, or are completed by them."""
    return _about_cells(words), phrase("Also on {cells}.")


def count_choices(words: Phrase, count: int) -> Phrase:
    """Tell how many cells the seat to act may choose from."""
    return _about_cells(words).about(cells=phrases("{count} cell", "{count} cells", count))


def _about_cells(words: Phrase) -> Phrase:
    """Return a sentence that has a field for cells."""
    return words if "{cells}" in words.message else phrase("{words} {cells}.", words=words)


def tell_free(view: BoardView, ground: str, count: int) -> Sentences:
    """Tell the free cells on a ``ground``."""
    if view.looks == "points":
        first = phrases("Free point: {cells}.", "Free points: {cells}.", count)
        return first, phrase("Also free points: {cells}.")
    if ground == "light":
        first = phrases("Free light cell: {cells}.", "Free light cells: {cells}.", count)
        return first, phrase("Also free light cells: {cells}.")
    if ground == "dark":
        first = phrases("Free dark cell: {cells}.", "Free dark cells: {cells}.", count)
        return first, phrase("Also free dark cells: {cells}.")
    return phrases("Free cell: {cells}.", "Free cells: {cells}.", count), phrase("Also free cells: {cells}.")


def count_free(view: BoardView, count: int) -> Phrase:
    """Tell how much of the board is free."""
    total = len(view.cells)
    if view.looks == "points":
        return phrases(
            "{count} of the {total} points is free.", "{count} of the {total} points are free.", count, total=total
        )
    return phrases(
        "{count} of the {total} cells is free.", "{count} of the {total} cells are free.", count, total=total
    )


def tell_size(view: BoardView) -> Phrase:
    """Tell the size of the board."""
    if view.looks == "points":
        sentence = phrase("The board has {count} points: columns {first} to {last}, rows {low} to {high}.")
    elif view.shape == "hex":
        sentence = phrase("The board has {count} hexagons: columns {first} to {last}, rows {low} to {high}.")
    else:
        sentence = phrase("The board has {count} cells: columns {first} to {last}, rows {low} to {high}.")
    (first, *_, last), (low, *_, high) = view.columns, view.rows
    return sentence.about(count=len(view.cells), first=first, last=last, low=low, high=high)


def tell_neighbours(cell: str, around: Iterable[str]) -> Phrase:
    """Tell an example of how cells touch."""
    return phrase("Cells touch like this: {cell} touches {cells}.", cell=cell, cells=listed(around))


def tell_nothing() -> Phrase:
    """Tell that the board is empty."""
    return phrase("Nothing is on the board.")


def name_run(first: str, last: str) -> Phrase:
    """Return the name of cells in a row."""
    return phrase("{first} to {last}", first=first, last=last)


def capital(words: str) -> str:
    """Return ``words`` with a capital at their beginning."""
    return words[:1].upper() + words[1:]
