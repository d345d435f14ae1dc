"""Knows the lines that email programs, phones and gateways add to what people write."""

import re

from pbem.inbound.phrases import match_phrases
from pbem.patterns import compile_later

_LONGEST, _LONGEST_BANNER = 200, 600

_SENT_FROM = compile_later(rf"{match_phrases('sent_from')}.{{0,120}}", re.IGNORECASE)
# Languages that say so at the end.
_SENT_FROM_BEHIND = compile_later(
    r"から送信(?:され(?:ました|た))?\W{0,3}$|에서 (?:보냄|전송됨)\W{0,3}$|"
    r"\bküldve\W{0,3}$|gönderildi\W{0,3}$|を入手\W{0,3}$"
)
_LINK_ALONE = compile_later(r"<?(?:https?://|www\.)\S{1,500}>?")
_DISCLAIMER = compile_later(
    r"\W{0,5}(?:\w{3,15}(?: \w{3,15})?\s?[!:–—-]{1,2}\s{0,3})?" + match_phrases("disclaimer") + r"(?=.{0,250}"
    r"(?:confiden[tcz]|vertraulich|riservat|vertrouwelijk|konfidenti|fortrolig|luottamuks|poufn|důvěrn|"
    r"конфиденциал|privileged|legally|intended (?:solely|only)|addressee|destina[tz]))"
    r"|\W{0,5}" + match_phrases("disclaimer_title"),
    re.IGNORECASE | re.DOTALL,
)
_BANNER = compile_later(
    r"\W*(?:(?-i:[A-ZÀ-ÞА-Я]{4,})\b.{0,300}?\b|(?:\w+\W+){0,3}?)" + match_phrases("banner"), re.IGNORECASE | re.DOTALL
)
_FORWARDED = compile_later(
    rf"-{{4,60}}\s{{0,5}}\w(?:.{{0,120}}\w)?\W{{0,5}}-{{3,60}}|_{{10,200}}|\W{{0,9}}{match_phrases('forwarded')}\W{{0,9}}",
    re.IGNORECASE,
)
# Email programs put these before the subject of an answer, and gateways put their marks there.
_BEFORE_SUBJECT = compile_later(
    r"\s{0,9}(?:(?:re|aw|sv|vs|antw|odp|ref|réf|rif|ri|res|ynt|na|bls|atb|vá|απ|σχετ|ответ|отв|на|отг|від|"
    r"回复|答复|回覆|返信|回信|답장|회신|reply|antwort|réponse|svar|r)"
    r"\s?(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})?\s?[:：]"
    r"|\[(?:ext|extern|external|externe|extern(?:al)? e-?mail|spam|suspected spam|outside|sent by external)\]"
    r"|(?:ext|extern|external)\s?:)\s{0,9}",
    re.IGNORECASE,
)
_FORWARDING = compile_later(
    r"\s{0,9}(?:fwd?|wg|tr|rv|enc|doorst|vl|vb|vid|ilt|i̇lt|pd|i|пер|转发|轉寄|転送|전달)\s?[:：]", re.IGNORECASE
)


def is_added(line: str) -> bool:
    """Return whether a phone, an email program or a scanner added ``line``: ``Sent from my iPhone``."""
    if len(line) > _LONGEST:
        return False
    return _SENT_FROM.fullmatch(line) is not None or (not line.isascii() and bool(_SENT_FROM_BEHIND.search(line)))


def is_link(line: str) -> bool:
    """Return whether ``line`` is nothing but a link, such as stands below an added line."""
    return _LINK_ALONE.fullmatch(line) is not None


def begins_disclaimer(line: str, next_line: str) -> bool:
    """Return whether ``line``, above ``next_line``, begins what a company puts below all of its emails."""
    return _DISCLAIMER.match(f"{line[:300]} {next_line[:300]}") is not None


def is_banner(paragraph: str) -> bool:
    """Return whether a gateway put a paragraph above an email: ``CAUTION: External email. Do not click links``."""
    return len(paragraph) <= _LONGEST_BANNER and _BANNER.match(paragraph) is not None


def begins_forwarded(line: str) -> bool:
    """Return whether ``line`` says that another email begins: ``-----Original Message-----``."""
    return len(line) <= _LONGEST and _FORWARDED.fullmatch(line) is not None


def own_subject(subject: str) -> str:
    """Return the subject without ``Re:`` and its like, if the sender wrote it themselves; else an empty text."""
    own = "" if "pbem" in subject.lower() else without_prefixes(subject)
    return "" if _FORWARDING.match(own) else own


def without_prefixes(subject: str) -> str:
    """Return a subject without what email programs and gateways put before it: ``Re:`` and its like."""
    for _ in range(10):
        if not (found := _BEFORE_SUBJECT.match(subject)):
            break
        subject = subject[found.end() :]
    return subject.strip()
