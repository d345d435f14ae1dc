"""The one place that finds, in the text of a reply, the lines its writer wrote himself."""

import re

_UNSEEN = dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u200e\u200f\u2060\u00ad"))
_SPACES = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2007": " ", "\t": " "})
_QUOTED = re.compile(r"\s*[>|]")
_SIGNATURE = re.compile(r"--\s*")
_SENT_FROM = re.compile(r"(sent|envoyé|gesendet|von meinem|enviado|inviato|verstuurd)\b.{0,60}", re.IGNORECASE)
_FORWARDED = re.compile(r"\s*(-{2,}\s*\w[\w ]{4,40}\s*-{2,}|_{10,})\s*")
_HEADER_LINE = re.compile(r"\*?\w{2,12}\*?\s*:\*?\s.*")
_WROTE = re.compile(r"\s*(on|am|le|el|il|op)\b.{5,200}:\s*", re.IGNORECASE | re.DOTALL)
_PGP_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_END = "-----BEGIN PGP SIGNATURE-----"


def written_lines(text: str, address: str) -> list[str]:
    """Return the lines that the writer added, first to last, outer spaces removed.

    Left out: quoted lines, the line that introduces them, everything below a signature's ``--`` or below a
    forwarded header, and what phones and mail programs add. ``address`` is ours; in a line that ends in a colon
    it gives away an introduction in any language.
    """
    kept: list[str] = []
    for line in text.translate(_UNSEEN).translate(_SPACES).splitlines():
        bare = line.strip()
        if _QUOTED.match(line):
            _drop_introduction(kept)
        elif _ends_the_letter(bare) or (address_in(bare, address) and _HEADER_LINE.fullmatch(bare)):
            break
        elif address_in(bare, address) and bare.endswith(":"):
            _drop_dangling(kept)
        elif bare == _PGP_BEGIN or bare.startswith("Hash: ") or _SENT_FROM.fullmatch(bare):
            continue
        else:
            kept.append(bare)
    while kept and not kept[-1]:
        kept.pop()
    return kept


def _ends_the_letter(line: str) -> bool:
    """Tell whether nothing below ``line`` is the writer's: a signature, or a forwarded mail."""
    return bool(_SIGNATURE.fullmatch(line) or _FORWARDED.fullmatch(line)) or line == _PGP_END


def address_in(line: str, address: str) -> bool:
    """Tell whether ``line`` holds our address, with or without an addition behind a plus sign."""
    local, _, domain = address.partition("@")
    return re.search(rf"{re.escape(local)}(\+[\w.]+)?@{re.escape(domain)}", line, re.IGNORECASE) is not None


def _drop_introduction(kept: list[str]) -> None:
    """Remove from the end of ``kept`` the line, wrapped over up to three, that announces a quotation."""
    while kept and not kept[-1]:
        kept.pop()
    for count in (1, 2, 3):
        if len(kept) >= count and _WROTE.fullmatch(" ".join(kept[-count:])):
            del kept[-count:]
            return


def _drop_dangling(kept: list[str]) -> None:
    """Remove the first half of an introduction whose second half, with our address, has just been seen."""
    if kept and _WROTE.fullmatch(kept[-1] + " :"):
        kept.pop()
