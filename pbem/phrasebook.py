"""Knows what people write instead of the words that a reply may hold: with slips, politely, in other languages."""

import re
from collections.abc import Sequence

from pbem.commands import WORDS
from pbem.slips import similar
from pbem.wishes import DISPLAYS, meant

_MOST_LINES = 3  # such a letter is short: the word, and a name or two
_BESIDE = (
    "i ich je j jo me mich we you u please pls bitte thanks my the a an to do how can could want wish would like will"
    " ll m am s it this is us now send"
)
"""What may stand around a word without changing it."""

_OTHERS = {
    "resign": "quit surrender concede giveup forfeit aufgeben gebeauf gebauf abandon abandonne abandonner abandono"
    " rendirse rindo rinuncio opgeven",
    "help": "rules rule hilfe regeln aide ayuda aiuto hulp commands hint manual instructions",
    "show": "board position state brett stellung plateau tablero zeigen again",
    "unsubscribe": "stop unsub abmelden abbestellen",
}
"""Other words, with any spaces left out, for those that mean the same in every game."""

_READY = "ok okay yes yep go goahead start begin letstart letgo bereit ja oui prêt si sí listo pronto"
"""Other words for ready, before the first lot."""

_MOVES = {
    "pass": "passe passen passer passo paso skip nothing",
    "take": "nehmen nehme prends prendre tomo prendo",
    "roll": "würfeln würfle throw",
    "store": "keep save",
}
"""Other words for moves."""


def word_meant(texts: Sequence[str], *, salting: bool) -> str:
    """Return the word of ours, in quotation marks, that a letter with the lines ``texts`` misses, or "".

    ``salting``: it may be an answer before the first lot.
    """
    if not 0 < len(texts) <= _MOST_LINES or any(map(str.isdigit, "".join(texts))):
        return ""
    words = re.findall(r"[^\W\d_]+", texts[0].lower())
    telling = [word for word in words if word not in _BESIDE.split()]
    joined = "".join(telling)
    if not telling or len(words) > 6:
        return ""
    if found := _of_two(words, texts[0], salting):
        return f"“{found}”"
    if joined in DISPLAYS:
        return f"“board {joined}”"
    if found := similar(joined, (*WORDS, "ready") if salting else WORDS):
        return f"the word “{found}”"
    if salting and joined in _READY.split():
        return "the word “ready”"
    return next((f"the word “{word}”" for word, others in _OTHERS.items() if joined in others.split()), "")


def same_move(text: str) -> str:
    """Return the word for a move that ``text`` means in other words, or ""."""
    words = [word for word in re.findall(r"\w+", text.lower()) if word not in _BESIDE.split()]
    return next((move for move, others in _MOVES.items() if words in [[other] for other in others.split()]), "")


def _of_two(words: Sequence[str], line: str, salting: bool) -> str:
    """Return what was nearly written of the words that others follow, with what follows here, or ""."""
    if len(words) < 2:
        return ""
    first, rest = words[0], line.split(maxsplit=1)[-1].strip(" :：.!?")
    if (wish := meant(words[1])) and len(words) == 2 and (known := similar(first, ("board", "display"))):
        return f"{known} {wish}"
    if salting and similar(first, ("salt",)) and len(rest) <= 20:
        return f"salt {rest}"
    said = first in ("say", "team") and len(rest) <= 20 and ":" not in line
    return f"{first}: {rest}" if said else ""
