"""What happened in a match, as one of its players reads it, and what was said: each comment beside its move. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from pbem.boards.signs import NUMBERS
from pbem.match.match import Comment, Match, is_move, left_along
from pbem.match.privacy import is_private, may_read
from pbem.notices.sentences.match import describe_seeds
from pbem.notices.wrapping import quote_lines, wrap_words
from rules.game import advance
from rules.phrase import ENGLISH, Event, Language, Phrase, listed, phrase
from rules.position import EXIT_WORDS, Entry, Seat

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Same(Generic[T]):
    """A match, or a position, that equals itself alone: to compare two by what they hold takes longer than a look."""

    value: T

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.value is self.value


class QuotedComment(NamedTuple):
    """A comment: who wrote it to whom, and its lines."""

    introduction: str
    lines: list[str]


class Passage(NamedTuple):
    """A part of a story: a move with what came of it, and what was said about it; either may be missing."""

    text: str
    comments: Sequence[QuotedComment] = ()


@dataclass(frozen=True, slots=True)
class _Move:
    """An entry of a player, ``ply`` entries after the beginning: what came of it, and what was said about it."""

    ply: int
    sentences: list[str] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)


_COLUMNS = 42
"""About so many letters a line of an email has on a phone."""


def list_new(match: Match, viewer: Seat) -> list[int]:
    """Return the moves of others since the last one of ``viewer``, as the numbers of entries before them.

    Nothing for a single one, which needs no number, or for more than have one.
    """
    plies = list[int]()
    for ply in reversed(range(match.ply)):
        entry = match.record[ply]
        if entry.seat == viewer or len(plies) > len(NUMBERS):
            break
        if entry.seat is not None and entry.text not in EXIT_WORDS:
            plies.insert(0, ply)
    return plies if 1 < len(plies) <= len(NUMBERS) else []


def tell_story(
    before: Match,
    match: Match,
    viewer: Seat,
    comments: Iterable[Comment],
    language: Language = ENGLISH,
    *,
    room: int,
    numbered: Sequence[int] = (),
) -> tuple[list[Passage], list[Passage]]:
    """Return what happened after ``before`` move by move, with the comments that ``viewer`` may read: in two parts.

    The first one takes so much ``room``, in lines on a phone, and has the end of the story. A comment needs no
    introduction beside the move of whoever wrote it. Moves are ``numbered`` whose plies are given.
    """
    plies = [ply for ply in range(before.ply, match.ply) if match.record[ply].seat is not None]
    moves = [_Move(ply) for ply in plies] or [_Move(before.ply)]
    for ply, sentence in _tell_events(before, match, viewer, language):
        _move_at(moves, ply).sentences.append(sentence)
    for comment in comments:
        if may_read(match, viewer, comment):
            _move_at(moves, comment.ply - 1).comments.append(comment)
    above, below = list[Passage](), list[Passage]()
    for move in reversed(moves):
        number = f"{numbered.index(move.ply) + 1}. " if move.ply in numbered and move.sentences else ""
        text = number + " ".join(move.sentences)
        said = sum(1 + lines_on_phone(comment.text) for comment in move.comments)
        room -= lines_on_phone(text)
        fits = room >= 0 or not above
        together = fits == (said <= room)
        quoted = [
            _quote(match, one, viewer, language, beside=together and _is_by_mover(match, move, one))
            for one in move.comments
        ]
        room -= said if fits and together else 0
        if together:
            (above if fits else below).append(Passage(text, quoted))
        else:
            above.append(Passage(text))
            below.append(Passage("", quoted))
    return [told for told in above[::-1] if any(told)], [told for told in below[::-1] if any(told)]


def lines_on_phone(text: str) -> int:
    """Return about how many lines a text takes on a phone."""
    return sum(-(-len(line) // _COLUMNS) for line in text.split("\n"))


def _move_at(moves: Sequence[_Move], ply: int) -> _Move:
    """Return the last of ``moves`` that is ``ply`` or before it, or else the first."""
    return next((move for move in reversed(moves) if move.ply <= ply), moves[0])


def _is_by_mover(match: Match, move: _Move, comment: Comment) -> bool:
    """Return whether a comment is of whoever made the move."""
    return move.ply < match.ply and match.record[move.ply].seat == comment.seat and not comment.by


def describe_events(
    before: Match, match: Match, viewer: Seat, language: Language = ENGLISH, *, steps: bool = False
) -> list[str]:
    """Return a sentence for every entry of ``match`` after ``before``; what leads up to others only for ``steps``."""
    return [sentence for _, sentence in _tell_events(before, match, viewer, language, steps=steps) if sentence]


def _tell_events(
    before: Match, match: Match, viewer: Seat, language: Language, *, steps: bool = False
) -> Iterator[tuple[int, str]]:
    """Yield the same, each sentence behind the number of entries before it."""
    if before.awaits_seeds and not match.awaits_seeds and match.outcome is None:
        yield before.ply, describe_seeds(match, viewer, language)
    found = _find_events(Same(before), Same(match))
    for ply, event in found:
        if (steps or not event.leads_up or event is found[-1][1]) and (
            said := _tell(event, match, ply, viewer, language)
        ):
            yield ply, said


def describe_steps(before: Match, match: Match, viewer: Seat, language: Language = ENGLISH) -> list[str]:
    """Return the sentences that ``describe_events`` leaves out: what was rolled, and rounds of battles."""
    steps = (one for one in _find_events(Same(before), Same(match))[:-1] if one[1].leads_up)
    return [_tell(event, match, ply, viewer, language) for ply, event in steps]


@lru_cache(maxsize=4)  # all readers of one decision are told of the same entries, one after the other
def _find_events(before: Same[Match], match: Same[Match]) -> tuple[tuple[int, Event], ...]:
    """Return what happened in the entries of ``match`` after ``before``, each with the number of entries before it."""
    position = before.value.position
    events: list[tuple[int, Event]] = []
    latest: Entry | None = None
    for ply, entry in enumerate(match.value.record[before.value.ply :], before.value.ply):
        position = advance(position, latest) if latest else position
        latest = entry
        if entry.seat is None:
            events += ((ply, event) for event in position.describe_roll(int(entry.text)))
        elif entry.text in EXIT_WORDS:
            events.append((ply, _leaving(entry.seat, entry.text, along=left_along(match.value, ply))))
        else:
            events.append((ply, position.describe(position.parse(entry.text))))
    return tuple(events)


def comments_for(
    match: Match, viewer: Seat, comments: Iterable[Comment], language: Language = ENGLISH
) -> list[QuotedComment]:
    """Return the lines of each comment that ``viewer`` may read, and its introduction, once for several in a row."""
    told = [_quote(match, comment, viewer, language) for comment in comments if may_read(match, viewer, comment)]
    above = ["", *(one.introduction for one in told)]
    return [
        one._replace(introduction="") if one.introduction == before else one
        for one, before in zip(told, above, strict=False)
    ]


def _quote(match: Match, comment: Comment, viewer: Seat, language: Language, *, beside: bool = False) -> QuotedComment:
    """Return the introduction and the lines of a comment; ``beside``: what stands there says who wrote it."""
    lines = wrap_words(comment.text, match.position if isinstance(match.to_act, int) else None)
    # Quote marks before the reader's own words let them write the same words again in a reply.
    is_own = comment.seat == viewer and not comment.by
    lines = [f"> {line}" for line in lines] if is_own else quote_lines(lines)
    needless = beside and not (is_own or is_private(comment))
    introduction = "" if needless else introduce_comment(match, comment, viewer).said(language)
    return QuotedComment(introduction, lines)


def last_words(said: Sequence[Comment], reader: Seat) -> Comment | None:
    """Return the last of comments, oldest first, that another than ``reader`` wrote to everybody in the midst."""
    return next((one for one in reversed(said) if one.seat != reader and one.ply and not is_private(one)), None)


def recall_comment(match: Match, comment: Comment, viewer: Seat, language: Language = ENGLISH) -> QuotedComment:
    """Return a comment of earlier, which is for everybody, with the move that it was written at."""
    number = sum(map(is_move, match.record[: comment.ply]))
    said = phrase("{name} wrote at move {number}:", name=match.writer(comment), number=number)
    return _quote(match, comment, viewer, language)._replace(introduction=said.said(language))


def introduce_comment(match: Match, comment: Comment, viewer: Seat) -> Phrase:
    """Return the introduction of a comment; the sender reads there who got it."""
    name, is_own = match.writer(comment), comment.seat == viewer and not comment.by
    if not is_private(comment):
        return phrase("You wrote to everyone:") if is_own else phrase("{name} wrote:", name=name)
    if not is_own:
        return phrase("{name} wrote to your side only:", name=name)
    partners = match.position.side(viewer) - {viewer} - match.position.departed()
    names = [*map(match.name, sorted(partners)), *match.name_seconds(partners | {viewer})]
    return phrase("You wrote to {names} only:", names=listed(names))


def _leaving(seat: Seat, word: str, *, along: bool) -> Event:
    """Return that ``seat`` left with one of the exit words; ``along``: since the time of their partner was over."""
    if word == "resign":
        return Event(seat, phrase("You resigned."), phrase("{name} resigned."))
    if along:
        return Event(
            seat,
            phrase("That was your time too, so you’re out as well."),
            phrase("That was {name}’s time too, so they’re out as well."),
        )
    return Event(seat, phrase("You ran out of time."), phrase("{name} ran out of time."))


def _tell(event: Event, match: Match, ply: int, viewer: Seat, language: Language) -> str:
    """Return what happened after so many entries, as ``viewer`` reads it: another player had their seat before them."""
    if event.seat is None:
        return event.others.said(language)
    name = match.name_at(event.seat, ply)
    is_own = event.seat == viewer and name == match.name(viewer)
    return (event.you if is_own else event.others.about(name=name)).said(language)
