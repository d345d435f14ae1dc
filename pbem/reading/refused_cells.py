"""Leaves out of a line the cells that its sender refuses beside the one that they want. Pure."""

from collections.abc import Sequence

from pbem.reading.clauses import ends_clause, is_move
from pbem.reading.tokens import Token
from pbem.reading.word_classes import load_classes

_NEGATIONS = load_classes("negations")
_CONTRASTS = load_classes("contrasts")
_ALTERNATIVES = load_classes("alternatives")
_RATHER_THAN = load_classes("rather_than")
_RATHER = frozenset(phrase.split()[0] for phrase in _RATHER_THAN)
_CONCLUSIONS = load_classes("conclusions")


def without_refused(
    tokens: tuple[Token, ...],
) -> tuple[tuple[Token, ...], frozenset[str], tuple[str, ...]]:
    """Return the tokens without cells that are refused beside one that is wanted, these cells, and which are denied.

    ``g7, not h8``, ``not h8 but g7`` and ``g7 instead of h8`` are clear; ``not h8, g7`` is not. ``No h8 any more, so
    g7`` is, where h8 is denied: it cannot be played.
    """
    for place, token in enumerate(tokens[:-1]):
        rather = token.text in _RATHER and _is_rather_than(tokens, place)
        if not rather and token.text not in _NEGATIONS and token.text != "no":
            continue
        if rather:
            cells = [n for n in range(place + 2, min(place + 7, len(tokens))) if tokens[n].kind == "cell"]
            if cells and not any(one.kind in ("stop", "end") for one in tokens[place : cells[0]]):
                wanted = (*tokens[:place], *tokens[cells[0] + 1 :])
                if any(map(is_move, tokens[:place])):
                    return wanted, frozenset({tokens[cells[0]].text}), ()
            continue
        if tokens[place + 1].kind != "cell":
            continue
        if denied := _denied(tokens, place):
            return tokens[:place] + tokens[denied:], frozenset({tokens[place + 1].text}), (tokens[place + 1].text,)
        if token.text not in _NEGATIONS:
            continue
        end = place + 2
        while end < len(tokens) and (
            tokens[end].kind == "cell" or (tokens[end].text in _ALTERNATIVES and tokens[end + 1 : end + 2] != ())
        ):
            end += 1
        rest = tokens[end:]
        turned = next((n for n, other in enumerate(rest[:2]) if other.text in _CONTRASTS), None)
        if turned is not None and any(map(is_move, rest)):
            rest = rest[turned + 1 :]
        elif any(map(is_move, rest)) or not any(map(is_move, tokens[:place])):
            continue
        start = place - 1 if place and tokens[place - 1].text in _CONTRASTS else place
        refused = frozenset(other.text for other in tokens[place:end] if other.kind == "cell")
        return (*tokens[:start], *rest), refused, ()
    return tokens, frozenset(), ()


def _is_rather_than(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a phrase like "instead of" begins at ``place``."""
    texts = [token.text for token in tokens[place : place + 3]]
    return any(" ".join(texts[:n]) in _RATHER_THAN for n in (1, 2, 3))


def _denied(tokens: Sequence[Token], place: int) -> int:
    """Return where the clause ends that denies the cell behind ``place``, if another follows that concludes, else 0."""
    end = next((n for n in range(place + 2, len(tokens)) if ends_clause(tokens[n])), 0)
    if not end or any(map(is_move, tokens[:place])) or any(map(is_move, tokens[place + 2 : end])):
        return 0
    concluded = any(
        one.kind in ("stop", "end") and other.text in _CONCLUSIONS
        for one, other in zip(tokens[end:], tokens[end + 1 :], strict=False)
    )
    return end + 1 if concluded else 0
