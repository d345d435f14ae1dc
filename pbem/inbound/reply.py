"""Finds the lines in the text of a reply that its sender wrote."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import pairwise
from typing import NamedTuple

from pbem.inbound.boilerplate import begins_disclaimer, begins_forwarded, is_added, is_banner, is_link
from pbem.inbound.unmarked_quotes import SHORTEST, has_words, join_words, quoted_lines, words_of
from pbem.mail.names import UNNAMED

_ODD = re.compile("[^\n\r\x20-\x7e\u00a1-\u00ac\u00ae-\u05ff\u2010-\u2027\u2190-\u27bf\u3001-\ud7ff]")
"""Every character that may not be seen, or may not be what it looks like; dashes, quotation marks and arrows are."""
# People type letters and digits as wide as a Chinese character without noticing. The signs that make an emoji of a
# digit, or stand for a picture, say nothing by themselves.
_ALIKE = dict.fromkeys("\u00a0\u202f\u2007\u3000\t", " ") | dict.fromkeys("\ufe0e\ufe0f\u20e3\ufffc", "")
_ALIKE |= {
    chr(wide): chr(wide - 0xFEE0) for wide in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
}
_QUOTED = re.compile(r"\s*(?:[>|＞│┃]|(?!team|say)[^\W\d_]{1,5}>)[>|\s]*", re.IGNORECASE)
_BETWEEN_MARKS = re.compile(r">{2,9}\s(.{1,300}\S)\s>{2,9}")  # GroupWise, which quotes below without a mark
_SIGNATURE = re.compile(r"--\s*")
_RULER = re.compile(r"[_=*~·—–-]{3,}")
_HEADER_LINE = re.compile(
    r"\*?(?!(?:team|say|partner|salt)\b)[^\W\d_][\w’' -]{0,20}\*?\s{0,9}[:：]\*?(?:\s.*)?", re.IGNORECASE
)
_SUBJECT_OF_OURS = "[pbem"
_COLONS = (":", "：")
_WROTE = re.compile(r"\s{0,9}(on|am|le|el|il|op|em|den|dne|w dniu)\b.{5,200}:\s*", re.IGNORECASE | re.DOTALL)
_YEAR = re.compile(r"(?<!\d)(?:19|20|25)\d\d(?!\d)")  # 25: Thailand counts from Buddha's days
_CLOCK = re.compile(r"(?<!\d)\d{1,2}[:.]\d\d(?!\d)")
# Where a link leads, as programs write it behind the words that it stood under.
_LINK = re.compile(r"<(?:mailto:[^<>]{0,2000}|(?<=[^\s<>]<)https?:[^<>\s]{1,2000})>")
_ENTITY = re.compile(r"&(?:[a-z]{2,6}|#[0-9]{1,5});", re.IGNORECASE)
_PGP_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_BLOCK = re.compile(r"-----BEGIN PGP (?:SIGNATURE|MESSAGE|PUBLIC KEY BLOCK)-----")
_UUENCODED = re.compile(r"begin [0-7]{3} \S.{0,200}")

_LONGEST_INTRODUCTION, _LONGEST_VERB = 300, 100
_INTRODUCTION = 3  # lines that it may be wrapped over
_HEADERS = 12  # lines that a quoted email may have above its text


class _Line(NamedTuple):
    """A line of a message, the sender's unless ``quoted``; ``begins``: a quotation is announced.

    ``legal``: it begins what a company puts below all of its emails, and is the last.
    """

    text: str
    quoted: bool = False
    begins: bool = False
    legal: bool = False


@dataclass(frozen=True)
class Reply:
    """The text of a reply, read: ``kept`` are its lines, ``rest`` those of an email quoted below, with its header.

    ``introduced``: in place of a header stands a line that names no address, ``Le 20/11/2026 à 19:30, Ida a écrit :``.
    """

    address: str
    kept: Sequence[_Line]
    rest: Sequence[str]
    introduced: bool = False
    name: str = UNNAMED

    @property
    def notice(self) -> str:
        """The line that begins what a company puts below all of its emails; empty where there is none."""
        return self.kept[-1].text if self.kept and self.kept[-1].legal else ""

    @property
    def may_quote(self) -> bool:
        """Whether there may be a quotation without a mark, so that the emails sent before must be known."""
        written = [line.text for line in self.kept if not (line.quoted or line.legal)]
        if len(words_of(" ".join(written))) >= SHORTEST:
            return True
        # The end of a quoted line that was broken, below the rest of it, may have lost its mark.
        tails = any(above.quoted and not line.quoted and line.text for above, line in pairwise(self.kept))
        return tails or (not any(written) and (self.introduced or _is_ours(self.rest, self.address)))

    def written(self, find_sent: Callable[[], Sequence[str]]) -> list[str]:
        """Return the ``lines``; the emails that may be quoted are looked up where there may be a quotation."""
        return self.lines(find_sent() if self.may_quote else ())

    def lines(self, sent: Sequence[str] = ()) -> list[str]:
        """Return the lines that the sender added, first to last, outer spaces removed.

        ``sent`` are the ``quotable_words`` of emails that may be quoted, the likeliest first: many email programs quote
        without a mark. If nothing stands above an email of ours that is quoted with its header, or that an introduction
        without an address stands above, the lines below it were written.
        """
        written, _ = _subtract(self.kept, sent, self.name)
        if not any(written) and any(sent) and (self.introduced or _is_ours(self.rest, self.address)):
            below = self.rest[1:] if self.introduced else _below_headers(self.rest)
            kept, _, _ = _read_lines(below, self.address, self.name)
            written, end = _subtract(kept, sent, self.name)
            if self.introduced and any(map(has_words, written[:end])):
                end = None  # whoever is introduced wrote that, and it was not us
            written = written[end:] if end is not None else []
        filled = [number for number, line in enumerate(written) if line and not _RULER.fullmatch(line)]
        return _below_banner(written[filled[0] : filled[-1] + 1]) if filled else []


def _below_banner(lines: list[str]) -> list[str]:
    """Return the lines below what a gateway put above them."""
    end = lines.index("") if "" in lines else len(lines)
    if end == len(lines) or not is_banner(" ".join(lines[:end])):
        return lines
    return lines[end + 1 :]


def read_reply(text: str, address: str, name: str = UNNAMED) -> Reply:
    """Read the text of a reply to ``address`` and ``name``, ours, which give away introductions in any language.

    Left out: the line that introduces a quotation, everything below a signature's ``--`` or a forwarded header, and
    what phones and email programs add.
    """
    return Reply(address, *_read_lines(_split_lines(text, address), address, name), name=name)


def quotable_words(*texts: str) -> str:
    """Return what of an email of ours must be known to find quotations of it in replies; ``texts`` are its own."""
    return join_words(map(_replace_odd, texts))


def address_in(line: str, address: str) -> bool:
    """Return whether ``line`` holds our address, with or without an addition behind a plus sign."""
    return "@" in line and _address_pattern(address).search(line) is not None


def _split_lines(text: str, address: str) -> list[str]:
    """Return the lines of ``text`` without outer spaces, unseen characters, and the targets of links."""
    plain = _replace_odd(_ENTITY.sub(lambda found: unescape(found[0]), text) if "&" in text else text)
    if "<mailto:" in plain or "<http" in plain:
        plain = _LINK.sub("", plain)
    if "?body=" in plain or "?subject=" in plain:
        plain = _playing_link(address).sub("", plain)
    return [line.strip() for line in plain.splitlines()]


def _replace_odd(text: str) -> str:
    """Return ``text`` without unseen characters, and with one kind of space."""
    return _ODD.sub(_show, text)


def _show(found: re.Match[str]) -> str:
    """Return the replacement of an odd character: nothing, if it only steers how others are shown."""
    char = found[0]
    if (instead := _ALIKE.get(char)) is not None:
        return instead
    return "" if not char.isspace() and unicodedata.category(char) in ("Cc", "Cf", "Cs") else char


@cache
def _address_pattern(address: str) -> re.Pattern[str]:
    """Return the pattern of ``address``; an addition behind a plus sign is its first group."""
    local, _, domain = address.partition("@")
    return re.compile(rf"{re.escape(local)}(\+[\w.]+)?@{re.escape(domain)}", re.IGNORECASE)


@cache
def _playing_link(address: str) -> re.Pattern[str]:
    """Return the pattern of the links on the cells of a board: an email to us with a move in it."""
    local, _, domain = (re.escape(part) for part in address.partition("@"))
    return re.compile(rf"[<(\[]?(?:mailto:)?{local}(?:%2B|\+)[\w.]{{1,99}}@{domain}\?\S{{1,2000}}", re.IGNORECASE)


def _holds_token(line: str, address: str) -> bool:
    """Return whether ``line`` holds our address with a reply token: never written by hand, and for nobody else."""
    return "@" in line and any(found[1] for found in _address_pattern(address).finditer(line))


def _read_lines(lines: Sequence[str], address: str, name: str) -> tuple[list[_Line], Sequence[str], bool]:
    """Return the lines down to the end of the message, and those of an email quoted below, with its header.

    The third is whether an introduction without an address stands in place of that header.
    """
    kept: list[_Line] = []
    added = signed = False
    until = ""
    verb = 0  # lines that are left of an introduction
    for number, line in enumerate(lines):
        if verb:
            verb -= 1
            continue
        if line.startswith(">>") and (between := _BETWEEN_MARKS.fullmatch(line)):
            line = f"{between[1]}:"
        if until:
            until = "" if line.startswith(until) else until
        elif not line:
            kept.append(_Line(""))
            continue
        elif quoted := _QUOTED.match(line):
            if not (kept and kept[-1].quoted):
                _drop_introduction(kept, name)
            kept.append(_Line(line[quoted.end() :], quoted=True))
        elif line == _PGP_BEGIN or _PGP_BLOCK.fullmatch(line) or _UUENCODED.fullmatch(line):
            signed = signed or line == _PGP_BEGIN
            until = {_PGP_BEGIN: "Hash: "}.get(line, "-----END PGP" if line.startswith("-") else "end")
            if line == _PGP_BEGIN and not _below(lines, number).startswith(until):
                until = ""
        elif is_added(line) or (added and is_link(line)):
            added = True
            continue
        elif _SIGNATURE.fullmatch(line):
            return kept, [], False
        elif begins_disclaimer(line, _below(lines, number)):
            return [*kept, _Line(line, legal=True)], [], False
        elif begins_forwarded(line):
            return kept, lines[number + 1 :], False
        elif _HEADER_LINE.fullmatch(line) and _heads_a_mail(lines, number, address):
            above = _drop_headers(kept)
            return kept, [*above, *lines[number:]], False
        elif _holds_token(line, address) or (address_in(line, address) and line.endswith(_COLONS)):
            _drop_dangling(kept, name)
            kept.append(_Line("", begins=True))
            verb = 0 if line.endswith(_COLONS) else _count_verb_lines(lines[number + 1 : number + _INTRODUCTION])
        elif line.endswith((*_COLONS, ">")) and (others := _count_introduction(kept, line, name)):
            del kept[len(kept) - others + 1 :]
            _drop_dangling(kept, name)
            following = (lines[place] for place in range(number + 1, len(lines)))
            if not _QUOTED.match(next(filter(None, following), "")):
                return kept, lines[number:], "@" not in "".join(lines[max(0, number - others + 1) : number + 1])
        else:
            kept.append(_Line(line.removeprefix("- ") if signed else line))
        added = False
    return kept, [], False


def _below(lines: Sequence[str], number: int) -> str:
    """Return the line below one; an empty text for the last."""
    return lines[number + 1] if number + 1 < len(lines) else ""


def _heads_a_mail(lines: Sequence[str], number: int, address: str) -> bool:
    """Return whether a line that looks like a header belongs to an email: ours, or one with more such lines."""
    line = lines[number]
    if address_in(line, address) or _SUBJECT_OF_OURS in line:
        return True
    following = lines[number : number + 3]
    whole = " ".join(following)
    if len(following) < 3 or not ("@" in whole or _YEAR.search(whole[:_LONGEST_INTRODUCTION])):
        return False
    return all(map(_HEADER_LINE.fullmatch, following))


def _count_introduction(kept: Sequence[_Line], line: str, name: str) -> int:
    """Return how many lines, ``line`` and the last of ``kept``, introduce another person's words, or 0.

    That may also be an earlier message of the sender, quoted together with ours.
    """
    for count in range(1, _INTRODUCTION + 1):
        above = kept[len(kept) - count + 1 :]
        if len(above) < count - 1 or not all(one.text and not one.quoted for one in above):
            return 0
        joined = " ".join([*(one.text for one in above), line])
        if len(joined) > _LONGEST_INTRODUCTION or _name_of_ours(name).search(joined):
            return 0
        year, clock = _YEAR.search(joined), _CLOCK.search(joined)
        if line.endswith(">") and "@" in joined and (year or clock):
            return count
        if line.endswith(_COLONS) and (
            ("@" in joined and (year or clock or "<" in joined))
            or (year and clock)
            or ((year or clock) and _WROTE.fullmatch(joined))
        ):
            return count
    return 0


@cache
def _name_of_ours(name: str) -> re.Pattern[str]:
    """Return the pattern of what From calls us: by the name that we have now, or have had, and opponents behind it."""
    return re.compile(rf"(?<!\w)(?:{UNNAMED}|{re.escape(name)})(?!\w)(?: \([^()]{{1,60}}\))?")


def _ends_with_name(text: str, name: str) -> bool:
    """Return whether a line ends with what From calls us."""
    return any(found.end() == len(text) for found in _name_of_ours(name).finditer(text))


def _count_verb_lines(lines: Sequence[str]) -> int:
    """Return how many of ``lines``, below our address, belong to the introduction: ``wrote:``."""
    for number, line in enumerate(lines):
        if not line or _QUOTED.match(line) or len(" ".join(lines[: number + 1])) > _LONGEST_VERB:
            return 0
        if line.endswith(_COLONS):
            return number + 1
    return 0


def _is_ours(rest: Sequence[str], address: str) -> bool:
    """Return whether an email quoted with its header came from us: its first address is ours."""
    first = next((line for line in rest[:_HEADERS] if "@" in line), "")
    return address_in(first, address)


def _below_headers(rest: Sequence[str]) -> Sequence[str]:
    """Return the lines below the header of a quoted email."""
    for number, line in enumerate(rest[:_HEADERS]):
        if line and not _HEADER_LINE.fullmatch(line) and not begins_forwarded(line):
            return rest[number:]
    return rest[_HEADERS:]


def _drop_introduction(kept: list[_Line], name: str) -> None:
    """Remove the line, wrapped over up to three, that announces a quotation from the end of ``kept``."""
    while kept and (not kept[-1].text or _RULER.fullmatch(kept[-1].text)) and not kept[-1].begins:
        kept.pop()
    for count in (1, 2, 3):
        joined = " ".join(line.text[:_LONGEST_INTRODUCTION] for line in kept[-count:])
        announces = _WROTE.fullmatch(joined) or (joined.endswith(_COLONS) and _name_of_ours(name).search(joined))
        if len(kept) >= count and len(joined) <= _LONGEST_INTRODUCTION and announces:
            del kept[-count:]
            return


def _drop_dangling(kept: list[_Line], name: str) -> None:
    """Remove the first lines of an introduction; its last one, with an address, follows them."""
    for count in (2, 1):
        joined = " ".join(line.text for line in kept[-count:])[:_LONGEST_INTRODUCTION]
        if len(kept) >= count and all(line.text for line in kept[-count:]) and _WROTE.fullmatch(joined + " :"):
            del kept[-count:]
            return
    for _ in range(_INTRODUCTION):
        text = kept[-1].text[:_LONGEST_INTRODUCTION] if kept and not kept[-1].quoted else ""
        if not (_YEAR.search(text) or _CLOCK.search(text) or _ends_with_name(text, name)):
            return
        kept.pop()


def _drop_headers(kept: list[_Line]) -> list[str]:
    """Remove the header lines of a quoted email above the one that gave them away; return them."""
    dropped: list[str] = []
    while kept and not kept[-1].quoted and _HEADER_LINE.fullmatch(kept[-1].text):
        dropped.insert(0, kept.pop().text)
    return dropped


def _subtract(lines: Sequence[_Line], sent: Sequence[str], name: str) -> tuple[list[str], int | None]:
    """Return the texts of ``lines`` that are not quoted, and how many of them stand above the last quoted one.

    Lines without a mark are quoted if our emails have the same words in a row, wherever the lines break: email
    programs wrap anew, and change spaces and signs.
    """
    lines = [line for line in lines if not line.legal]
    ours = quoted_lines([line.text for line in lines], [line.quoted for line in lines], sent)
    kept: list[_Line] = []
    end: int | None = None
    quoting = False
    for number, line in enumerate(lines):
        if line.quoted:
            end = len(kept)
            continue
        if has_words(line.text):
            if number in ours and not quoting:
                _drop_introduction(kept, name)
                _drop_banner(kept)
            quoting = number in ours
        if quoting:
            end = len(kept)
        else:
            kept.append(line)
    return [line.text for line in kept], end


def _drop_banner(kept: list[_Line]) -> None:
    """Remove a gateway's banner between the line that introduces a quotation and the quotation."""
    for count in range(1, min(len(kept), _HEADERS) + 1):
        if kept[-count].begins:
            del kept[-count:]
            return
