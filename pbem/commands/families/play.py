"""The family of playing: moves, resigning, and the answer before the first roll. Pure."""

import re
from dataclasses import dataclass, field, replace
from datetime import datetime

from pbem.commands.decision import Command, Family, HelpRow, Keyword, MatchSituation, Spelled
from pbem.commands.effects import Append, SetSeed
from pbem.commands.rejections import AlreadyOver, MoveRejected, NoCommand, NotYourTurn, SeveralMoves
from pbem.commands.words_above import with_words_above
from pbem.match.fair_rolls import clean_seed
from pbem.match.match import Match
from pbem.reading.move_phrases import BEFORE, MARK, is_doubtful, undressed
from rules.errors import RulesError
from rules.position import Chance, Entry

_SALT = re.compile(rf"{BEFORE}salt(?!\w)[\s*_\"'“”:：,=]{{0,9}}(.*)", re.IGNORECASE | re.DOTALL)
_READY = re.compile(
    r"(?:(?:ok|okay|yes)\W{1,3})?(?:i(?:['’]?m| am) )?ready(?: to (?:go|play|start|begin)| when(?:ever)? you are)?"
    r"(?:\W{1,3}(?:let the games?|let['’]?s|let us) (?:go|play|start|begin))?",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\W*salt lake\b", re.IGNORECASE)  # where people live who did not mean it
_LONGEST_ANSWER = 60  # characters of "ready" and what may stand around it

MOST_PIECES = 20
"""Parts of a line between semicolons: a line with more of them is read as words."""


@dataclass(frozen=True, slots=True)
class Resign(Spelled):
    """The sender gives the match up."""

    says = "resign"


@dataclass(frozen=True, slots=True)
class Seed:
    """An answer before the first roll: ``words`` to mix in, None with ``ready``; ``line`` is the line as it stands."""

    words: str | None
    line: str

    def __str__(self) -> str:
        return self.line


@dataclass(frozen=True, slots=True)
class FreeText:
    """A line that may be a move or words for others: the rules decide.

    ``wrapped``: if it is no move, it continues the ``team:`` or ``say:`` line above it, which the email program
    broke, or which visibly does not end there. ``tail``: it may be the end of a sentence that an email program broke,
    so that a move in it is in doubt. ``written`` is the line as it stands where ``text`` leaves out what was around
    a move; else it is empty. ``beside`` are the words beside a move that was found in a line of words, ``mentions`` the
    cells there of which no move is made.
    """

    text: str
    wrapped: bool = False
    tail: bool = False
    written: str = field(default="", compare=False)
    beside: str = field(default="", compare=False)
    mentions: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def said(self) -> str:
        """The line as words for others."""
        return self.written or self.text

    def __str__(self) -> str:
        return self.said


def read_free_text(piece: str) -> FreeText:
    """Return a piece of a line that is no other command, the signs around a move left out."""
    bare = undressed(piece)
    return FreeText(bare, written="" if bare == piece else piece)


def read_seed(line: str) -> Seed | None:
    """Return the answer before the first roll that ``line`` is, or None."""
    if is_doubtful(line) or _PLACE.match(line):
        return None
    if len(line) <= _LONGEST_ANSWER and _READY.fullmatch(re.sub(rf"^[^\w{MARK}]+|\W+$", "", line)):
        return Seed(None, line)
    return Seed(found[1].strip(" *_\"'“”„«»"), line) if (found := _SALT.fullmatch(line)) else None


def read_seeds(line: str) -> list[Command]:
    """Return the answers before the first roll in a line that begins with one; other pieces belong to its words."""
    found: list[Seed] = []
    for piece in line.split(";", MOST_PIECES - 1):
        seed = read_seed(piece.strip())
        if seed is not None:
            found.append(seed)
        elif found:
            words = f"{found[-1].words or ''};{piece}".strip("; ")
            found[-1] = replace(found[-1], words=words, line=f"{found[-1].line};{piece}")
    return list[Command](found)


def joined_seed(seed: Seed, line: str) -> Seed:
    """Return ``seed`` with a further ``line`` that the email program broke off."""
    return replace(seed, words=f"{seed.words} {line}", line=f"{seed.line} {line}")


def play_move(situation: MatchSituation, text: str, now: datetime) -> MatchSituation:
    """Play one line; a further one counts only while the same seat is still to act, and no roll comes first.

    Raises SeveralMoves, or MoveRejected with the code of the rules' error.
    """
    match, seat = situation.match, situation.seat
    last = situation.moves[-1] if situation.moves else ""
    if match.to_act != seat:
        if last and _canonical(situation.known, text) == last:
            return situation  # the same move, written twice
        code = "roll_first" if isinstance(match.to_act, Chance) else ""
        raise SeveralMoves(code, move=last or "resign", other=text)
    try:
        move = str(match.position.parse(text))
        following = match.after(Entry(seat, move), now)
    except RulesError as error:
        if last and " ".join(text.lower().split()) == last:
            return situation
        raise MoveRejected(error, text, situation.moves) from error
    return situation.carried(
        move,
        Append(Entry(seat, move), now),
        match=following,
        known=following if following.to_act == seat else match,
        moves=(*situation.moves, move),
    )


def too_late(situation: MatchSituation, seed: Seed) -> MatchSituation:
    """Say why words cannot be mixed into the rolls any more; in a game without rolls they are words like any."""
    if not situation.match.possible_rolls or seed.words is None or situation.match.outcome:
        return situation
    return situation.told("seed_too_late")


def too_early(situation: MatchSituation, text: str) -> MatchSituation:
    """Leave out a move beside an answer before the first roll: nobody is to act yet."""
    return situation.told("move_too_early", text=text)


def _apply(situation: MatchSituation, command: Resign | Seed, now: datetime) -> MatchSituation:
    """Give the match up, or note whether the sender mixes words into the rolls."""
    return _resign(situation, now) if isinstance(command, Resign) else _set_seed(situation, command)


def _resign(situation: MatchSituation, now: datetime) -> MatchSituation:
    """Give the match up."""
    if situation.moves:
        raise SeveralMoves(move=situation.moves[-1], other="resign")
    if situation.match.outcome is not None:
        raise AlreadyOver()
    if situation.seat in situation.match.position.departed():
        raise NotYourTurn("departed")
    entry = Entry(situation.seat, "resign")
    return situation.carried("resign", Append(entry, now), match=situation.match.after(entry, now))


def _set_seed(situation: MatchSituation, seed: Seed) -> MatchSituation:
    """Note the answer before the first roll; new words replace those sent before."""
    if situation.seat in situation.match.position.departed():
        raise NotYourTurn("departed")
    words = clean_seed(seed.words or "")
    if seed.words is not None and not words:
        raise NoCommand("empty_seed", line=seed.line)
    if seed.words is None and situation.match.seeds:
        words = situation.match.seeds[situation.seat] or ""
    return with_words_above(situation).carried(
        f"salt {words}" if words else "ready",
        SetSeed(situation.seat, words),
        match=situation.match.with_seed(situation.seat, words),
    )


def _canonical(match: Match, text: str) -> str:
    """Return ``text`` in the notation of the record where it can be read, else as it is."""
    try:
        return str(match.position.parse(text))
    except RulesError:
        return text


def _awaits_seed(match: Match, seat: int) -> bool:
    """Return whether the player at ``seat`` has not answered yet before the first roll."""
    return match.awaits_seeds and seat in match.unseeded


FAMILY = Family(
    name="play",
    types=(Resign, Seed),
    apply=_apply,
    keywords=(Keyword("resign", Resign(), consequential=True),),
    help=(
        HelpRow("", basic=True),
        HelpRow("ready", _awaits_seed, basic=True),
        HelpRow("resign", basic=True),
    ),
)
