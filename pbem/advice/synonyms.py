"""Knows what people write instead of the words that a reply may hold: with typos, politely, in other languages."""

import re
from collections.abc import Sequence

from pbem.commands import KEYWORDS, display_meant, similar_word
from pbem.match import DISPLAYS

_MOST_LINES = 3  # such a message is short: the word, and a name or two
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
"""Other words for ready, before the first roll."""

_MOVES = {
    "pass": "passe passen passer passo paso skip nothing",
    "take": "nehmen nehme prends prendre tomo prendo",
    "roll": "würfeln würfle throw",
    "store": "keep save",
}
"""Other words for moves."""


def keyword_meant(texts: Sequence[str], *, awaits_seeds: bool) -> str:
    """Return the word of ours, in quotation marks, that a message with the lines ``texts`` misses, or "".

    ``awaits_seeds``: it may be an answer before the first roll.
    """
    if not 0 < len(texts) <= _MOST_LINES or any(map(str.isdigit, "".join(texts))):
        return ""
    words = re.findall(r"[^\W\d_]+", texts[0].lower())
    telling = [word for word in words if word not in _BESIDE.split()]
    joined = "".join(telling)
    if not telling or len(words) > 6:
        return ""
    if found := _of_two(words, texts[0], awaits_seeds):
        return f"“{found}”"
    if joined in DISPLAYS:
        return f"“board {joined}”"
    if found := similar_word(joined, (*KEYWORDS, "ready") if awaits_seeds else KEYWORDS):
        return f"the word “{found}”"
    if awaits_seeds and joined in _READY.split():
        return "the word “ready”"
    return next((f"the word “{word}”" for word, others in _OTHERS.items() if joined in others.split()), "")


def move_meant(text: str) -> str:
    """Return the word for a move that ``text`` means in other words, or ""."""
    words = [word for word in re.findall(r"\w+", text.lower()) if word not in _BESIDE.split()]
    return next((move for move, others in _MOVES.items() if words in [[other] for other in others.split()]), "")


def _of_two(words: Sequence[str], line: str, awaits_seeds: bool) -> str:
    """Return what was nearly written of the words that others follow, with what follows here, or ""."""
    if len(words) < 2:
        return ""
    first, rest = words[0], line.split(maxsplit=1)[-1].strip(" :：.!?")
    if (wish := display_meant(words[1])) and len(words) == 2 and (known := similar_word(first, ("board", "display"))):
        return f"{known} {wish}"
    if awaits_seeds and similar_word(first, ("salt",)) and len(rest) <= 20:
        return f"salt {rest}"
    said = first in ("say", "team") and len(rest) <= 20 and ":" not in line
    return f"{first}: {rest}" if said else ""
