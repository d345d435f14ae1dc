"""Reads the lines of a reply as commands, before the rules have looked at them. Pure."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from pbem.commands import catalogue
from pbem.commands.decision import HIDDEN, Command
from pbem.commands.families.afterthoughts import (
    Afterthought,
    goes_below_line,
    joined_afterthought,
    read_afterthought,
)
from pbem.commands.families.agreement import AGREEMENT_WORDS
from pbem.commands.families.contests.ladders import LADDER_WORDS
from pbem.commands.families.contests.leagues import LEAGUE_WORDS
from pbem.commands.families.looking import Preview, read_look
from pbem.commands.families.play import MOST_PIECES, FreeText, Resign, Seed, joined_seed, read_seed, read_seeds
from pbem.commands.families.reporting import OPERATOR_WORDS, Report, joined_report, read_report
from pbem.commands.families.starting import STARTING_WORDS
from pbem.commands.families.talk import Say, UnclearRecipient, begins_say, nearly_addressed, split_say
from pbem.commands.families.thoughts import Note, Try, goes_below_try, joined_note, joined_try, read_note, read_try
from pbem.commands.families.time_words import TIME_WORDS
from pbem.commands.plan_lines import MakePlan, UnclearPlan, goes_below, joined_plan, read_plan
from pbem.commands.private_lines import is_named_below, may_name_address
from pbem.reading.answering.signature import is_contact
from pbem.reading.move_phrases import (
    MARK,
    TIE,
    is_long,
    is_prose,
    is_sentence,
    leads_into,
    looks_like_a_move,
    trails_off,
    undressed,
)
from pbem.reading.no_move import holds_no_move
from pbem.reading.resigning import resigns_in
from pbem.reading.sentences import read_sentence, scan_line
from pbem.reading.tokens import may_hold_move
from rules.errors import RulesError
from rules.position import Position

MOST_COMMANDS = 1000
"""Lines, and parts of lines, that are read of a message."""

_SEMICOLON = re.compile(r";(?![-o^']?[)(DPpOo3*](?!\w))")  # but not the eyes of a smiley
_UNPAIRED = re.compile(r"""[^"]*"[^"]*(?:"[^"]*"[^"]*)*|.*\w'(?:\W.*)?|.*--.*""", re.DOTALL)
_LISTED = re.compile(r"\s*(?:[-*•–+]|\d{1,2}[.)])\s")
_NARROWEST = 60  # columns: no email program breaks a line that fits into as many
_WIDEST = 1000  # characters: a line that is too long to look through
_SPELLED = ["say", "team", "partner", "privat", "salt", "ready", "board", "display", "propose", "name", "address"]
_ASKING = (
    *(*catalogue.KEYWORDS, *_SPELLED, *TIME_WORDS, *AGREEMENT_WORDS),
    *(*STARTING_WORDS, *LADDER_WORDS, *LEAGUE_WORDS, *OPERATOR_WORDS),
)
_MAY_ASK = re.compile(
    rf"[;\u0131\u017f\u212a]|{'|'.join(map(re.escape, _ASKING))}"
    r"|^(?:\W|[\d_.)]){0,14}(?:(?:to|my|please)\W+){0,2}(?:if|else|otherwise|what|which|list|games|try|notes?|comments?|lines?)\b"
)
"""What stands, in small letters, in every line that asks for more than a move; and letters that pass for others."""

_WRITTEN = (Note, Afterthought)
"""Words that belong to no talk, and go on in the lines below."""

_BEGINNING = (read_plan, read_note, read_report, read_afterthought)
"""What reads lines that are never the end of a sentence."""

_PRIVATE = frozenset({"if", "else", "otherwise", "note", "notes"})
_AFTER = frozenset({"comment", "comments", "line", "lines"})
_LOOKING = frozenset({"try", "http", "https", "show", "what"})
"""The first words of lines that may be a plan or a note, are for a page, or ask for a board: whole, with any ``;``."""

_CELL = re.compile(r"\b[a-z][0-9]{1,2}\b")


def read_commands(lines: Iterable[str]) -> list[Command]:
    """Return what each line asks for; ``;`` separates commands, but not inside words meant for others.

    Where there are more than ``MOST_COMMANDS`` the rest is not read, since none of them will count.
    """
    found: list[Command] = []
    above, higher, in_spoken, alone, moved = "", "", False, False, False
    for line in lines:
        if len(found) > MOST_COMMANDS:
            break
        broken = _broken(above, line)
        tail = broken and not above.rstrip(" *_").endswith((".", "!", "?", ":", ";"))
        before = above or higher  # an empty line does not end a sentence
        tail = tail or (not moved and (leads_into(before) or (_may_go_on(before) and _may_end(line))))
        moved = moved or all(any(map(str.isdigit, word)) for word in line.split()[:4] or [""])
        if in_spoken:
            goes_on = (
                broken or _unfinished(above, line) or (alone and line != "" and catalogue.as_keyword(line) is None)
            )
            in_spoken = goes_on and not begins_say(line) and not _is_for_us_alone(line, above)
            if isinstance(found[-1], _WRITTEN) and looks_like_a_move(line):
                in_spoken = False  # a move is never part of a note
            if is_named_below(line, above) and isinstance(found[-1], FreeText):
                in_spoken, found[-1] = False, FreeText(above)
        if in_spoken and not line and above:
            continue  # words may begin below an empty line when "team:" stands alone
        if in_spoken:
            last = found[-1]
            if isinstance(last, _WRITTEN):
                found[-1] = joined_note(last, line) if isinstance(last, Note) else joined_afterthought(last, line)
            else:
                found.append(FreeText(line, wrapped=True, tail=tail))
        elif found and isinstance(last := found[-1], Report) and _goes_on(line, broken=broken):
            found[-1] = joined_report(last, line)  # nothing of it may reach the others
        elif broken and found and isinstance(last := found[-1], Seed) and last.words:
            found[-1] = joined_seed(last, line)
        elif found and isinstance(last := found[-1], Try) and line and goes_below_try(last, line, broken=broken):
            found[-1] = joined_try(last, line)
        elif (
            found
            and isinstance(last := found[-1], Afterthought)
            and line
            and goes_below_line(last, line, broken=broken)
        ):
            found[-1] = joined_afterthought(last, line)
        elif found and isinstance(last := found[-1], MakePlan | UnclearPlan) and goes_below(last, line, broken=broken):
            found[-1] = joined_plan(last, line)
        elif tail and not _begins_anew(line, before, broken=broken):
            found.append(FreeText(line, tail=True))  # nobody gives a match up, or moves, by the end of a sentence
        else:
            commands = _in_line(line)
            after = isinstance(last := commands[-1], Afterthought) and last.kind == "note"
            in_spoken = after or isinstance(last, Say | Note)
            alone = last in (Say("", to_side=True), Note("")) or (isinstance(last, Afterthought) and not last.text)
            found += commands
        above, higher = line, above
    return _as_one_plan(found)


def _as_one_plan(commands: list[Command]) -> list[Command]:
    """Return ``commands`` with all lines of a plan in one, where the last of them stands."""
    plans = [command for command in commands if isinstance(command, MakePlan)]
    if len(plans) < 2:
        return commands
    lines = tuple(line for plan in plans for line in plan.lines)
    whole = MakePlan(lines, "; ".join(plan.text for plan in plans))
    last = max(place for place, command in enumerate(commands) if isinstance(command, MakePlan))
    kept = [*commands[:last], whole, *commands[last + 1 :]]
    return [command for command in kept if command is whole or not isinstance(command, MakePlan)]


def _in_line(line: str) -> list[Command]:
    """Return what a line asks for: usually one thing."""
    word = catalogue.first_word(line)
    if word in _PRIVATE and (private := read_plan(line) or read_note(line)):
        return [private]
    if word in _AFTER and (after := read_afterthought(line)):
        return [after]
    if report := read_report(line):
        return [report]
    line, say = split_say(line)
    said: list[Command] = [say] if say else []
    if say and not line:
        return said
    if meant := nearly_addressed(line):
        return [UnclearRecipient(line, meant), *said]
    if word in _LOOKING and (looked := read_try(line) or read_look(line)):
        return [looked, *said]
    if read_seed(line.partition(";")[0].strip()):
        return [*read_seeds(line), *said]
    if (rest := resigns_in(line)) is not None and catalogue.as_keyword(line) is None:
        return [Resign(), *([FreeText(rest)] if rest else []), *said]
    pieces = [piece.strip() for piece in _SEMICOLON.split(line)]
    if len(pieces) > 1 and _UNPAIRED.fullmatch(line):
        pieces = [line.strip()]  # nobody writes like that to play
    if len(pieces) > 1 and catalogue.is_keyword(pieces[-1] or pieces[0], "resign") and not looks_like_a_move(pieces[0]):
        pieces = [line.strip()]  # nobody gives a match up by half a sentence
    if len(pieces) > MOST_PIECES or any(map(is_long, pieces)):
        pieces = [line.strip()]
    found = list(map(catalogue.parse_piece, pieces))
    if len(found) > 1 and all(isinstance(one, FreeText) and not looks_like_a_move(one.text) for one in found):
        found = [catalogue.parse_piece(line.strip())]  # a sentence with a semicolon is passed on as it is
    return [*found, *said]


def _broken(above: str, line: str) -> bool:
    """Return whether an email program may have broken a sentence between the lines ``above`` and ``line``."""
    first = line.split(maxsplit=1)[:1]
    return bool(first) and len(above) + 1 + len(first[0]) > _NARROWEST


def _may_go_on(above: str) -> bool:
    """Return whether the line ``above`` may be the beginning of a sentence that its sender broke."""
    return len(above.split()) > 1 and trails_off(above) and not _may_be_a_command(above)


def _may_end(line: str) -> bool:
    """Return whether ``line`` is a word that must not count where it may be the end of a sentence."""
    if catalogue.as_keyword(line) or read_seed(line) or catalogue.is_consequential(line):
        return catalogue.is_consequential(line)
    if resigns_in(line) is not None:
        return True
    return 1 <= len(line.split()) <= 2 and not any(map(str.isdigit, line)) and not begins_say(line)


def _begins_anew(line: str, above: str, *, broken: bool) -> bool:
    """Return whether ``line`` is no end of a sentence, whatever stands ``above``: words for others, or for nobody."""
    if begins_say(line) or any(read(line) is not None for read in _BEGINNING):
        return True
    if "@" in line:
        return catalogue.asks_for_something(line)
    return not broken and not leads_into(above) and catalogue.is_personal(catalogue.parse_piece(line))


def _is_for_us_alone(line: str, above: str) -> bool:
    """Return whether ``line``, below ``above``, must never be passed on: a command, or nearly one with an address."""
    if "@" in line and catalogue.asks_for_something(line):
        return True
    _, say = split_say(above)
    return may_name_address(line, say.text if say else above) or catalogue.is_personal(catalogue.parse_piece(line))


def _unfinished(spoken: str, line: str) -> bool:
    """Return whether words for others, the line above, go on in ``line`` for all one can see: better too many."""
    bare = spoken.rstrip(" *_")
    if bare.endswith((":", "：")):
        return True  # nothing was said yet
    listed = _LISTED.match(line)
    open_end = bare.endswith((",", "-", "–", "…")) or line[:1].islower() or listed
    return bool(line and open_end) and not _may_be_a_command(line[listed.end() :] if listed else line)


def _goes_on(line: str, *, broken: bool) -> bool:
    """Return whether ``line`` belongs to the words for the operator above it: a telephone number is no move."""
    return broken or is_contact(line) or not _may_be_a_command(line)


def _may_be_a_command(line: str) -> bool:
    """Return whether ``line`` by itself would ask for something."""
    return (
        not isinstance(catalogue.parse_piece(line), FreeText) or read_seed(line) is not None or looks_like_a_move(line)
    )


def reads_as_command(line: str, position: Position[Any] | None) -> bool:
    """Return whether a message that consists of ``line`` alone would be carried out, or be taken for a move.

    Where words for the own side are only mentioned in the midst of it, as we do who explain them, they are asked about.
    """
    plain = line.replace(TIE, " ").strip()
    texts = _moves_in(plain)
    if texts is None:
        return True
    if position is None or not texts:
        return False
    return any(_can_parse(position, text) for text in texts) or read_sentence(position, plain) is not None


def begins_words(line: str) -> bool:
    """Return whether a line begins words for others, the operator, or the sender themselves."""
    return (
        begins_say(line) or nearly_addressed(line) != "" or read_report(line) is not None or read_note(line) is not None
    )


def is_harmless(line: str) -> bool:
    """Return whether ``line`` reads as a command in no position of any game."""
    return _moves_in(line.replace(TIE, " ").strip()) == ()


def _can_parse(position: Position[Any], text: str) -> bool:
    """Return whether ``text`` is a move, legal or not."""
    try:
        position.parse(text)
    except RulesError:
        return False
    return True


def public_lines(commands: Iterable[Command]) -> Iterator[str]:
    """Yield commands as the operator, who may play too, reads them: without what is, or may be, for one side alone."""
    private, last = False, ""
    for command in commands:
        private = private or isinstance(command, UnclearRecipient) or (isinstance(command, Say) and command.to_side)
        line = str(command)
        if isinstance(command, FreeText) and private and (command.wrapped or not looks_like_a_move(command.text)):
            line = HIDDEN
        if line and not (line == HIDDEN and last.endswith(HIDDEN)):
            yield line
        last = line or last


def conceal_private(text: str, own: str) -> str:
    """Return ``text`` as the operator reads it.

    That is nothing of it if the sender's ``own`` part of it is for their side, or for themselves.
    """
    _, say = split_say(own)
    kept = read_plan(own) or read_note(own) or read_try(own) or isinstance(read_look(own), Preview)
    return HIDDEN if kept or nearly_addressed(own) or (say and say.to_side) else text


def _moves_in(line: str) -> tuple[str, ...] | None:
    """Return the texts in ``line`` that some position may take for a move; None where it holds another command.

    Only words keep a line with cells from being a move. So one look is enough for all lines that differ in nothing but
    which cells they name.
    """
    names = dict[str, str]()
    alike = _CELL.sub(lambda cell: names.setdefault(cell[0], f"c{len(names) + 1}"), line)
    return _find_moves(alike) and _find_moves(line)


@lru_cache(maxsize=4096)  # most lines of our emails are the same in all of them, but for cells
def _find_moves(line: str) -> tuple[str, ...] | None:
    """Return what ``_moves_in`` does, for just this line."""
    if _asks_for_nothing(line):
        text = undressed(line)
        if not line or not _may_be_meant(text, line):
            return ()
        return (text,)
    found = []
    for command in read_commands([line]):
        if isinstance(command, UnclearRecipient) and any(
            isinstance(other, UnclearRecipient) for other in read_commands([f"{MARK} {line}"])
        ):
            continue
        if not isinstance(command, FreeText):
            return None
        if _may_be_meant(command.text, command.said):
            found.append(command.text)
    return tuple(found)


def _may_be_meant(text: str, line: str) -> bool:
    """Return whether a move may be meant by ``text``, or somewhere in its whole ``line``."""
    may_hold = may_hold_move(text.lower())
    if MARK in text or not (may_hold or any(map(str.isdigit, text))):
        return False  # no move of any game has our mark, or neither a number nor a word that is a move
    if not is_sentence(text) and not is_prose(text):
        return True
    if not may_hold and text == line and line.isascii():
        return False  # nothing more is found by looking at the same again
    return not holds_no_move(line) and bool(scan_line(line))


def _asks_for_nothing(line: str) -> bool:
    """Return whether one look at a line shows that it holds no command, though perhaps a move."""
    if len(line) > _WIDEST or _MAY_ASK.search(line.lower()) or _broken("", line):
        return False
    return not nearly_addressed(line)
