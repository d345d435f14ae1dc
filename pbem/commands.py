"""What the lines of a reply ask for, before the rules have looked at them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from pbem.frames import MARK, is_doubtful, leads_on, trails, unframed
from pbem.slips import similar
from pbem.tag import without_tags

Word = Literal["resign", "help", "show", "unsubscribe", "resume"]

WORDS: tuple[Word, ...] = ("resign", "help", "show", "unsubscribe", "resume")
# With what bold type, lists and quotation marks leave of themselves in plain text around the word.
_BEFORE = r"[\s*_\"'“”•(\[<@#-]{0,9}(?:\d{1,2}[.)]\s{0,9})?(?:to\s{1,9})?(?:my\s{1,9})?"
_PREFIXED = re.compile(
    rf"(?:^|;){_BEFORE}(team|partner|say)[\s*_\"'“”]{{0,9}}[:：][\s*_]{{0,9}}(.*)", re.IGNORECASE | re.DOTALL
)
_SALT = re.compile(rf"{_BEFORE}salt(?!\w)[\s*_\"'“”:：,=]{{0,9}}(.*)", re.IGNORECASE | re.DOTALL)
_READY = re.compile(
    r"(?:(?:ok|okay|yes)\W{1,3})?(?:i(?:['’]?m| am) )?ready(?: to (?:go|play|start|begin))?", re.IGNORECASE
)
# Also without its colon, or behind other words: a private word must not get out by it.
_NEARLY = re.compile(
    rf"[/{{(\s]*{_BEFORE}(?:(?:(?:hi|hey|hello|dear|for|to)\W{{1,3}})?(?:(?:my|the)\W)?(?:team|partner|teammate)\b"
    r"|(?:private|privately|privat)\b).*"
    r"|.*\b(?:team|partner)[\s*_]{0,9}[:：].*",
    re.IGNORECASE | re.DOTALL,
)
_SIDES = frozenset(
    {"équipe", "equipo", "mannschaft", "squadra", "equipe", "команда", "チーム", "drużyna", "ploeg", "lag", "tm"}
)
# Politeness around a word that does no harm; "please resign" is rather said to somebody else.
_POLITE = re.compile(
    r"(?:please |pls )?(help|resume|show|unsubscribe)(?:(?<!help) me)?(?: please| pls| thanks| thank you)?"
)
_LISTED = re.compile(r"\s*(?:[-*•–+]|\d{1,2}[.)])\s")
_BOARDS = re.compile(
    rf"{_BEFORE}(boards?|display)(?:[\s*_\"'“”]{{0,9}}[:：=][\s*_\"'“”]{{0,9}}|[\s*_\"'“”]{{1,9}})"
    r"(?:(?:as|in)\s{1,9})?([a-z]{1,20})(?:\s{1,9}(?:boards?|mode|please))?[\s*_\"'“”.!]{0,9}",
    re.IGNORECASE,
)
_LONGEST_REMARK = 2000
_LONGEST_COMMAND = 4  # words: what is longer is a sentence, and may have a semicolon of its own
_PLACE = re.compile(r"\W*salt lake\b", re.IGNORECASE)  # where people live who did not mean it
_LONGEST_ANSWER = 60  # characters of "ready" and what may stand around it
_NARROWEST = 60  # columns: no mail program breaks a line that fits into as many


@dataclass(frozen=True, slots=True)
class Words:
    """One of the words that mean the same in every game."""

    word: Word


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line for others: to the writer's own side (``team: …``) or to everybody (``say: …``)."""

    text: str
    to_side: bool


@dataclass(frozen=True, slots=True)
class Salt:
    """An answer before the first lot: ``words`` to mix in, None with ``ready``; ``line`` is the line as it stands."""

    words: str | None
    line: str


@dataclass(frozen=True, slots=True)
class Boards:
    """A wish for how boards are drawn, in the writer's own ``word``; ``line`` is the line as it stands."""

    word: str
    line: str


@dataclass(frozen=True, slots=True)
class Nearly:
    """A line that may have been meant for the writer's own side, but does not say so as it should."""

    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line that may be a move or a remark: the rules decide.

    ``wrapped``: if it is no move, it goes on with the ``team:`` or ``say:`` line above it, which the mail program
    broke, or which visibly does not end there. ``tail``: it may be the end of a sentence that a mail program broke,
    so that a move in it is in doubt. ``written`` is the line as it stands where ``text`` leaves out what was around
    a move; else it is empty.
    """

    text: str
    wrapped: bool = False
    tail: bool = False
    written: str = field(default="", compare=False)

    @property
    def said(self) -> str:
        """The line as words for others."""
        return self.written or self.text


Command = Words | Spoken | Salt | Boards | Nearly | Line


def read_commands(lines: Iterable[str]) -> list[Command]:
    """Return what each line asks for; ``;`` separates commands, but not inside words meant for others."""
    found: list[Command] = []
    above, higher, in_spoken, alone, moved = "", "", False, False, False
    for line in lines:
        broken = _broken(above, line)
        tail = broken and not above.rstrip(" *_").endswith((".", "!", "?", ":", ";"))
        before = above or higher  # an empty line does not end a sentence
        tail = tail or (not moved and (leads_on(before) or (_may_end(line) and _may_go_on(before))))
        moved = moved or all(any(map(str.isdigit, word)) for word in line.split()[:4] or [""])
        goes_on = broken or _unfinished(above, line) or (alone and line != "" and as_word(line) is None)
        in_spoken = in_spoken and goes_on and not _PREFIXED.search(line)
        if in_spoken and not line and above:
            continue  # words may begin below an empty line when "team:" stands alone
        if in_spoken:
            found.append(Line(line, wrapped=True, tail=tail))
        elif broken and found and isinstance(last := found[-1], Salt) and last.words:
            found[-1] = replace(last, words=f"{last.words} {line}", line=f"{last.line} {line}")
        elif tail and not _PREFIXED.search(line):
            found.append(Line(line, tail=True))  # nobody gives a match up, or moves, by the end of a sentence
        else:
            commands = _in_line(line)
            in_spoken = isinstance(commands[-1], Spoken)
            alone = in_spoken and commands[-1] == Spoken("", to_side=True)
            found += commands
        above, higher = line, above
    return found


def _in_line(line: str) -> list[Command]:
    """Return what a line asks for: usually one thing."""
    spoken: list[Command] = []
    if prefixed := _PREFIXED.search(line):
        spoken.append(Spoken(prefixed[2].strip(), prefixed[1].lower() != "say"))
        line = line[: prefixed.start()].strip()
        if not line:
            return spoken
    if _NEARLY.fullmatch(line) or _names_the_side(line):
        return [Nearly(line), *spoken]
    if _salt(line.partition(";")[0].strip()):
        return [*_salts(line), *spoken]
    pieces = [piece.strip() for piece in line.split(";")]
    if as_word(pieces[-1] or pieces[0]) == "resign" and len(pieces) > 1 and not looks_like_a_move(pieces[0]):
        pieces = [line.strip()]  # nobody gives a match up by half a sentence
    if any(len(piece.split()) > _LONGEST_COMMAND and not looks_like_a_move(piece) for piece in pieces):
        pieces = [line.strip()]
    return [*map(_in_piece, pieces), *spoken]


def _names_the_side(line: str) -> bool:
    """Tell whether what stands before a colon is ``team`` or ``partner`` with a slip, or in another language."""
    before, colon, _ = line[:40].replace("：", ":").partition(":")
    word = re.sub(r"[\W_]", "", before.lower())
    return bool(colon) and 2 <= len(word) <= 12 and (word in _SIDES or similar(word, ("team", "partner")) != "")


def _in_piece(piece: str) -> Command:
    """Return what a line, or a piece of it between two ``;``, asks for."""
    if word := as_word(piece):
        return Words(word)
    if found := _BOARDS.fullmatch(piece):
        return Boards(found[2].lower(), piece)
    bare = unframed(piece)
    return Line(bare, written="" if bare == piece else piece)


def _salt(line: str) -> Salt | None:
    """Return the answer before the first lot that ``line`` is, or None."""
    if is_doubtful(line) or _PLACE.match(line):
        return None
    if len(line) <= _LONGEST_ANSWER and _READY.fullmatch(re.sub(rf"^[^\w{MARK}]+|\W+$", "", line)):
        return Salt(None, line)
    return Salt(found[1].strip(" *_\"'“”„«»"), line) if (found := _SALT.fullmatch(line)) else None


def _salts(line: str) -> list[Command]:
    """Return the answers before the first lot in a line that begins with one; what is none belongs to the words."""
    found: list[Command] = []
    for piece in line.split(";"):
        salt, last = _salt(piece.strip()), found[-1] if found else None
        if salt is None and isinstance(last, Salt):
            found[-1] = replace(last, words=f"{last.words or ''};{piece}".strip("; "), line=line)
        elif salt is not None:
            found.append(replace(salt, line=line))
    return found


def _broken(above: str, line: str) -> bool:
    """Tell whether a mail program may have broken a sentence between the lines ``above`` and ``line``."""
    first = line.split(maxsplit=1)[:1]
    return bool(first) and len(above) + 1 + len(first[0]) > _NARROWEST


def _may_go_on(above: str) -> bool:
    """Tell whether the line ``above`` may be the beginning of a sentence that its writer broke himself."""
    return len(above.split()) > 1 and not _may_be_a_command(above) and trails(above)


def is_momentous(line: str) -> bool:
    """Tell whether ``line`` is a word that changes more than what its writer sees."""
    return as_word(line) in ("resign", "unsubscribe", "resume") or _salt(line) is not None


def _may_end(line: str) -> bool:
    """Tell whether ``line`` is a word that must not count where it may be the end of a sentence."""
    if as_word(line) or _salt(line):
        return is_momentous(line)
    return 1 <= len(line.split()) <= 2 and not any(map(str.isdigit, line)) and not _PREFIXED.search(line)


def _unfinished(spoken: str, line: str) -> bool:
    """Tell whether words for others, the line above, go on in ``line`` for all one can see: better too many."""
    bare = spoken.rstrip(" *_")
    if bare.endswith((":", "：")):
        return True  # nothing was said yet
    listed = _LISTED.match(line)
    open_end = bare.endswith((",", "-", "–", "…")) or line[:1].islower() or listed
    return bool(line and open_end) and not _may_be_a_command(line[listed.end() :] if listed else line)


def _may_be_a_command(line: str) -> bool:
    """Tell whether ``line`` by itself would ask for something."""
    return not isinstance(_in_piece(line), Line) or _salt(line) is not None or looks_like_a_move(line)


def looks_like_a_move(text: str) -> bool:
    """Tell whether somebody who writes ``text`` may mean a move: a few words, a digit among them, or cells alone."""
    words = text.split()
    if not any(char.isdigit() for char in text):
        return False
    return len(words) <= 4 or all(any(char.isdigit() for char in word) and len(word) <= 8 for word in words)


def is_a_sentence(text: str) -> bool:
    """Tell whether ``text`` is more than a move in any game can be: many words, and no number among them."""
    return len(text.split()) > _LONGEST_COMMAND and not any(map(str.isdigit, text))


def as_word(text: str) -> Word | None:
    """Return the word that ``text`` consists of, or None: ``I resign.``, ``show, please``; never ``resign?``."""
    bare = text.strip(" .!?*_\"'“”").lower().removeprefix("i ")
    if bare in ("resign", "unsubscribe", "resume") and "?" in text:
        return None
    if polite := _POLITE.fullmatch(re.sub(r"[\s,]+", " ", bare)):
        bare = polite[1]
    return next((word for word in WORDS if bare == word), None)


def joined_remark(lines: Iterable[str]) -> str:
    """Return the lines of a remark as one text, empty lines at its ends removed, cut at 2,000 characters."""
    text = without_tags("\n".join(lines).strip("\n "))
    return text if len(text) <= _LONGEST_REMARK else text[: _LONGEST_REMARK - 1] + "…"
