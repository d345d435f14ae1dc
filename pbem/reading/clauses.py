"""Splits a line of tokens into sentences and clauses, and finds where a move stands in them. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pbem.reading.tokens import Token, read_tokens
from pbem.reading.word_classes import load_classes
from pbem.reading.wording import Kind, Piece, split_pieces

_NEAR = 3  # tokens behind "north"
LONGEST_LINE = 400
"""Characters of a line that is looked through for a move among words."""

_QUOTES = frozenset('"“”„«»')
TURNS = load_classes("reasons") | load_classes("turns")
"""Conjunctions that begin a clause of their own, with no comma before them: because, but."""

POSSESSIVES = load_classes("possessives")
AND = load_classes("and")
GAME_NOUNS = load_classes("game_nouns")


@dataclass(frozen=True, slots=True)
class Line:
    """A line in tokens, with the piece of words that each token lies in; None for a token that is no word."""

    text: str
    tokens: tuple[Token, ...]
    pieces: tuple[Piece | None, ...]

    def has(self, kind: Kind, start: int = 0, end: int | None = None) -> bool:
        """Return whether a word of ``kind`` stands among the tokens from ``start`` to before ``end``."""
        return any(piece is not None and kind in piece.kinds for piece in self.pieces[start:end])

    def unknown(self, start: int, end: int) -> int:
        """Return how many unknown words stand among these tokens."""
        return sum(piece.unknown for piece in dict.fromkeys(self.pieces[start:end]) if piece is not None)


@lru_cache(maxsize=256)
def read_line(text: str) -> Line:
    """Return a line in tokens; its text is in small letters, its apostrophes straight."""
    plain = text.lower().replace("’", "'").replace("‘", "'")
    if plain != text:
        return read_line(plain)
    tokens = read_tokens(text)
    return Line(text, tokens, split_pieces(tokens))


@dataclass(frozen=True, slots=True)
class Span:
    """The tokens of a move: from ``first`` to before ``last``, in a clause and a sentence of the line.

    ``taking``: one of its two cells takes the other, whatever stands between them.
    """

    first: int
    last: int
    clause: tuple[int, int]
    sentence: tuple[int, int]
    moves: tuple[str, ...]
    cells: tuple[str, ...]
    taking: bool = False


def words_of(line: Line, piece: Piece) -> Iterator[str]:
    """Yield the words of ``piece``."""
    return (token.text for token in line.tokens[piece.start : piece.end])


def split_sentences(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a line, each with the sign at its end.

    A dash or a bracket behind a move ends its sentence, too, where no other move follows: what follows is a remark.
    """
    start, last = 0, max((place for place, token in enumerate(tokens) if is_move(token)), default=0)
    for place, token in enumerate(tokens):
        if token.kind == "end" or (place > last and begins_remark(token)):
            yield start, place + 1
            start = place + 1
    if start < len(tokens):
        yield start, len(tokens)


def find_span(line: Line, start: int, end: int) -> Span | None:
    """Return where the move stands in a sentence, and how it may be read, or None where there is none in it."""
    tokens = line.tokens
    own = [place for place in range(start, end) if is_move(tokens[place])]
    if not own:
        return None
    left, right = own[0], own[-1] + 1
    while left > start and not ends_clause(tokens[left - 1]):
        left -= 1
    while right < end and not (ends_clause(tokens[right]) or tokens[right].text in AND):
        right += 1
    takes = len([place for place in own if tokens[place].kind == "cell"]) > 1
    placed = any(tokens[place].kind == "cell" for place in own)
    parts = [
        place
        for place in (range(start, end) if placed else range(left, right))
        if is_move(tokens[place])
        or tokens[place].kind == "number"
        or (tokens[place].kind == "part" and (takes or tokens[place].text != "x"))
    ]
    first, last = parts[0], parts[-1] + 1
    whole = compose(tokens[first:last])
    texts = [whole]
    apart = all(tokens[place].kind != "part" for place in parts)
    if apart and not any(tokens[place].kind == "number" for place in range(left, right)):
        cells = compose([token for token in tokens[own[0] : own[-1] + 1] if token.kind != "number"])
        texts = list(dict.fromkeys([whole, cells]))
        first, last = (own[0], own[-1] + 1) if len(texts) > 1 else (first, last)
    clause = (min(left, first), max(right, last))
    if len(tokens) > len(own) > len({tokens[place].text for place in own}) and len(set(parts)) == len(own):
        texts.append(" ".join(dict.fromkeys(tokens[place].text for place in own)))  # "f three, that is f3"
    if facing := _facing(tokens, start, end, own):
        texts.append(facing)
    if whole[:1].isdigit():
        texts.append(f"use {whole}")  # "the 4 from my store goes to c2, 6 facing north"
    return Span(first, last, clause, (start, end), tuple(texts), tuple(tokens[place].text for place in own))


def _facing(tokens: Sequence[Token], start: int, end: int, own: Sequence[int]) -> str:
    """Return a placement of a die from its parts in whatever order, an empty text where they are not clear.

    The number beside "north" is the side that faces it, another before the cell is the die's: "the six goes to b4,
    north the 2".
    """
    north = [place for place in range(start, end) if tokens[place].text == "north"]
    if north:
        after = range(north[0] + 1, min(end, north[0] + _NEAR + 1))
        end = next((place for place in after if tokens[place].kind in ("stop", "end")), after.stop)
    numbers = [place for place in range(start, end) if tokens[place].kind == "number"]
    if len(own) != 1 or len(north) != 1 or tokens[own[0]].kind != "cell" or not 0 < len(numbers) < 3:
        return ""
    side = min(numbers, key=lambda place: abs(place - north[0]))
    dice = [tokens[place].text for place in numbers if place != side and place < own[0]]
    if len(dice) != len(numbers) - 1:
        return ""
    return " ".join([*dice, tokens[own[0]].text, f"n{tokens[side].text}"])


def holds_move(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Return whether a move stands from ``start`` to before ``end``."""
    return any(map(is_move, tokens[start:end]))


def has_own_stone(tokens: Sequence[Token]) -> bool:
    """Return whether a possessive of the first person stands before a word for what is played with: my last stone."""
    texts = [token.text for token in tokens]
    return any(
        text in POSSESSIVES and not GAME_NOUNS.isdisjoint(texts[place + 1 : place + 4])
        for place, text in enumerate(texts)
    )


def tells(piece: Piece | None) -> bool:
    """Return whether a word tells of a move."""
    return piece is not None and "telling" in piece.kinds


def stands_alone(line: Line, place: int) -> bool:
    """Return whether the word at ``place`` is in no phrase."""
    piece = line.pieces[place]
    return piece is not None and piece.end - piece.start == 1


def split_clauses(tokens: Sequence[Token], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the clauses of a sentence, without the signs between them."""
    left = start
    for place in range(start, end + 1):
        if place == end or ends_clause(tokens[place]):
            if left < place:
                yield left, place
            left = place + 1


def compose(tokens: Sequence[Token]) -> str:
    """Return the parts of a move as a game reads them, what joins them left out."""
    found: list[str] = []
    for token in tokens:
        if token.kind == "move" and any(part.partition(" ")[0] == token.text for part in found):
            continue  # "I take white: take"
        if is_move(token) or token.kind in ("part", "number"):
            found.append(token.text)
        elif token.kind == "stop" and token.text[0] in "-–—,:":
            found.append(token.text[0])
    return " ".join(found).replace(" ,", ",").replace(" - ", "-").strip(" ,-:")


def begins_remark(token: Token) -> bool:
    """Return whether ``token`` is a dash or an opening bracket."""
    return token.kind == "stop" and token.text[0] in "-–—("


def is_move(token: Token) -> bool:
    """Return whether ``token`` is a cell, or a move that is a word."""
    return token.kind in ("cell", "move")


def ends_clause(token: Token) -> bool:
    """Return whether a clause ends at ``token``."""
    return token.kind in ("end", "sign") or token.text in TURNS or (token.kind == "stop" and token.text not in _QUOTES)
