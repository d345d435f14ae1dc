"""The one place that finds, in the text of a reply, the lines its writer wrote himself."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_UNSEEN = dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u200e\u200f\u2060\u00ad"))
_SPACES = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2007": " ", "\t": " "})
_QUOTED = re.compile(r"\s*[>|]")
_SIGNATURE = re.compile(r"--\s*")
_SENT_FROM = re.compile(
    r"(sent (from|via|with|using)|envoyé (de|depuis|à partir)|gesendet (von|mit)|von mein\w+|von \w+ gesendet|"
    r"enviado (desde|do|de|a partir)|inviato (da|dal|con)|verstuurd (vanaf|vanuit|met)|verzonden (vanaf|vanuit|met)|"
    r"skickat från|get outlook for|outlook für|télécharger outlook|obtener outlook|yahoo mail)\b.{0,80}",
    re.IGNORECASE,
)
_FORWARDED = re.compile(r"\s*(-{2,}\s*\w[\w ]{4,40}\s*-{2,}|_{10,})\s*")
_HEADER_LINE = re.compile(r"\*?(?!(?:team|say|salt)\b)\w[\w ]{0,14}\*?\s{0,9}:\*?\s.*", re.IGNORECASE)
_SUBJECT_OF_OURS = "[pbem"
_WROTE = re.compile(r"\s{0,9}(on|am|le|el|il|op|em|den|dne|w dniu)\b.{5,200}:\s*", re.IGNORECASE | re.DOTALL)
_MOMENT = re.compile(r"\b(19|20)\d\d\b|\b\d{1,2}[:.]\d\d\b")
_PGP_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_END = "-----BEGIN PGP SIGNATURE-----"

_MOST_LINES = 1000
_LONGEST_INTRODUCTION, _LONGEST_VERB = 300, 30
# So many words in a row, as one of our mails has them, are quoted from it: what people write is shorter, or differs.
_GRAM, _RUN = 4, 8


def written_lines(text: str, address: str, sent: Iterable[str] = ()) -> list[str]:
    """Return the lines that the writer added, first to last, outer spaces removed.

    Left out: quoted lines, the line that introduces them, everything below a signature's ``--`` or below a
    forwarded header, and what phones and mail programs add. ``address`` is ours; in a line that ends in a colon
    it gives away an introduction in any language. ``sent`` are texts of the mails that may be quoted: many mail
    programs quote without a mark.
    """
    kept: list[str] = []
    introduced = False
    for line in _plain(text).splitlines():
        bare = line.strip()
        if _QUOTED.match(line):
            _drop_introduction(kept)
        elif bare == _PGP_BEGIN or bare.startswith("Hash: ") or _SENT_FROM.fullmatch(bare):
            continue
        elif _ends_the_letter(bare):
            break
        elif _HEADER_LINE.fullmatch(bare) and (address_in(bare, address) or _SUBJECT_OF_OURS in bare):
            _drop_headers(kept)
            break
        elif _tagged(bare, address) or (address_in(bare, address) and bare.endswith(":")):
            _drop_dangling(kept)
            introduced = not bare.endswith(":")
        elif introduced and bare.endswith(":") and len(bare) <= _LONGEST_VERB:
            introduced = False
        else:
            introduced = introduced and not bare
            kept.append(bare)
    kept = _subtracted(kept, sent)[:_MOST_LINES]
    while kept and not kept[-1]:
        kept.pop()
    return kept


def may_quote(lines: Iterable[str]) -> bool:
    """Tell whether ``lines`` are long enough for a quotation without a mark to be found among them."""
    return len(_words(" ".join(lines))) >= _RUN


def address_in(line: str, address: str) -> bool:
    """Tell whether ``line`` holds our address, with or without an addition behind a plus sign."""
    return "@" in line and _address_pattern(address).search(line) is not None


def _plain(text: str) -> str:
    """Return ``text`` without what is not seen, and with one kind of space."""
    if text.isascii() and text.isprintable():
        return text
    text = text.translate(_UNSEEN).translate(_SPACES)
    return "".join(char if char.isprintable() or char.isspace() else _shown(char) for char in text)


def _shown(char: str) -> str:
    """Return what stands for a character that cannot be printed: nothing, if it only steers how others are shown."""
    return "" if unicodedata.category(char) in ("Cc", "Cf", "Cs") else char


@lru_cache(maxsize=8)
def _address_pattern(address: str) -> re.Pattern[str]:
    """Return what finds ``address``; an addition behind a plus sign is its first group."""
    local, _, domain = address.partition("@")
    return re.compile(rf"{re.escape(local)}(\+[\w.]+)?@{re.escape(domain)}", re.IGNORECASE)


def _tagged(line: str, address: str) -> bool:
    """Tell whether ``line`` holds our address with an addition: nobody else's to see, and never written by hand."""
    return "@" in line and any(found[1] for found in _address_pattern(address).finditer(line))


def _ends_the_letter(line: str) -> bool:
    """Tell whether nothing below ``line`` is the writer's: a signature, or a forwarded mail."""
    return bool(_SIGNATURE.fullmatch(line) or _FORWARDED.fullmatch(line)) or line == _PGP_END


def _drop_introduction(kept: list[str]) -> None:
    """Remove from the end of ``kept`` the line, wrapped over up to three, that announces a quotation."""
    while kept and not kept[-1]:
        kept.pop()
    for count in (1, 2, 3):
        joined = " ".join(line[:_LONGEST_INTRODUCTION] for line in kept[-count:])
        announces = _WROTE.fullmatch(joined) or (joined.endswith(":") and re.search(r"\bpbem\b", joined))
        if len(kept) >= count and len(joined) <= _LONGEST_INTRODUCTION and announces:
            del kept[-count:]
            return


def _drop_dangling(kept: list[str]) -> None:
    """Remove the first lines of an introduction whose last, with our address, has just been seen."""
    for count in (2, 1):
        joined = " ".join(kept[-count:])[:_LONGEST_INTRODUCTION]
        if len(kept) >= count and all(kept[-count:]) and _WROTE.fullmatch(joined + " :"):
            del kept[-count:]
            return
    if kept and _MOMENT.search(kept[-1][:_LONGEST_INTRODUCTION]):
        kept.pop()


def _drop_headers(kept: list[str]) -> None:
    """Remove the header lines of a quoted mail that stand above the one that gave them away."""
    while kept and (not kept[-1] or _HEADER_LINE.fullmatch(kept[-1])):
        kept.pop()


def _subtracted(lines: list[str], sent: Iterable[str]) -> list[str]:
    """Return ``lines`` without those that are quoted, without a mark, from one of the texts ``sent``.

    Compared are words in a row, wherever the lines break: mail programs wrap anew and change spaces and signs.
    """
    grams: set[tuple[str, ...]] = set()
    for text in sent:
        grams.update(_grams(_words(text)))
    if not grams:
        return lines
    words: list[str] = []
    owners: list[int] = []
    for number, line in enumerate(lines):
        found = _words(line)
        words += found
        owners += [number] * len(found)
    ours = [False] * len(words)
    for place, gram in enumerate(_grams(words)):
        if gram in grams:
            ours[place : place + _GRAM] = [True] * _GRAM
    start = 0
    for place in range(len(ours) + 1):
        if place == len(ours) or not ours[place]:
            if place - start < _RUN:
                ours[start:place] = [False] * (place - start)
            start = place + 1
    written = {owner for owner, is_ours in zip(owners, ours, strict=True) if not is_ours}
    wordy = set(owners)
    kept: list[str] = []
    quoting = False
    for number, line in enumerate(lines):
        if number in wordy:
            if number not in written and not quoting:
                _drop_introduction(kept)
            quoting = number not in written
        if not quoting:
            kept.append(line)
    return kept


def _words(text: str) -> list[str]:
    """Return the words of a text, in lower case and without signs."""
    return re.findall(r"\w+", _plain(text).lower())


def _grams(words: list[str]) -> Iterable[tuple[str, ...]]:
    """Yield every few words that follow each other."""
    return zip(*(words[offset:] for offset in range(_GRAM)), strict=False)
