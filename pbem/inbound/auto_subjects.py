"""Knows the subjects that no person wrote: of automatic answers, bounces and receipts.

A person's reply begins with "Re:" or its like, or with our own subject, and none of these does.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from pbem.inbound.phrases import match_phrases
from pbem.patterns import compile_later

_REPLY = "re:"

# Letters with a stroke or without their dot, which are no accents; and the apostrophes.
_NO_ACCENTS = str.maketrans("łøđı’‘´", "lodi'''")


def is_away(subject: str) -> bool:
    """Return whether ``subject`` is that of an automatic answer: somebody is away, or a desk received our email."""
    folded = _fold(subject)
    return _begins(folded, _AWAY) or _AWAY_BEHIND.search(folded) is not None


def is_returned(subject: str) -> bool:
    """Return whether ``subject`` is that of a bounce: an email could not be delivered, or not yet."""
    folded = _fold(subject)
    return _begins(folded, _RETURNED)


def is_receipt(subject: str) -> bool:
    """Return whether ``subject`` says that an email of ours was read, or has arrived."""
    return _begins(_fold(subject), (_READ,))


def _begins(folded: str, patterns: Iterable[re.Pattern[str]]) -> bool:
    """Return whether a subject begins as one of ``patterns`` says; a reply never does, and needs none of them."""
    return not folded.startswith(_REPLY) and any(pattern.match(folded) for pattern in patterns)


@lru_cache(maxsize=4)  # each subject is looked at three times
def _fold(text: str) -> str:
    """Return ``text`` without letter case, accents and surplus spaces: email programs differ in them."""
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text.casefold())
        text = "".join(char for char in decomposed if unicodedata.category(char) not in ("Mn", "Cf"))
    return " ".join(text.casefold().translate(_NO_ACCENTS).split())


def _begin_with(name: str, ending: str = "") -> re.Pattern[str]:
    """Return the pattern of subjects that begin with a phrase of a list, behind marks of gateways: ``[EXTERNAL]``."""
    return compile_later(lambda: rf"{_MARKS}\W{{0,3}}{match_phrases(name, _fold)}{ending}")


_MARKS = r"(?:(?:\[(?!pbem)[^\[\]]{1,80}\]|ext(?:ern(?:al|e)?)?\s?:|spam\s?:|\*{2,6}[^*]{1,20}\*{2,6})\s?){0,3}"
_OURS = r"(?:\w{1,5}\s?:\s?){0,2}\[pbem"
_AWAY = (
    _begin_with("away"),
    _begin_with("absent", rf"[\s:;,.!()–—-]{{0,5}}(?:was\s?:\s?)?{_OURS}"),
    _begin_with("received", rf"\W{{0,5}}(?:$|{_OURS})"),
    # Lotus Notes says first who is away; a colon before that would be that of a reply.
    re.compile(
        rf"{_MARKS}(?:auto ?:|[^:]{{1,60}} (is out of the office|ist ausser haus|ist nicht im buro|"
        r"est absent(\(?e\)?)? du bureau|"
        r"esta fuera de la oficina|esta fora do escritorio|e fuori (sede|ufficio)|is niet op kantoor)(?!\w))"
    ),
)
_AWAY_BEHIND = re.compile(
    r"[(\[–-] ?(?:\w{1,20} )?(?:out of (?:the )?office|auto(?:mat(?:ic|ed))?[ -]?(?:reply|response))[)\]]?$"
)
_RETURNED = (
    _begin_with("returned"),
    # A colon before that, other than ours, would be that of a reply.
    re.compile(r"[^:]{0,120}[(\[](?:mail |message )?delivery (?:has )?(?:failed|failure)[)\]]$"),
)
_READ = _begin_with("read", r"\s?:\s?(?:\w{1,5}\s?:\s?)?\[pbem")
