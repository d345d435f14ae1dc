"""The family of thoughts: lines of moves and notes that players keep for themselves, and may publish later. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.commands import variations
from pbem.commands.decision import HIDDEN, Command, Family, HelpRow, Keyword, MatchSituation, Spelled
from pbem.commands.effects import KeepThought, PublishThoughts, Reply, Sketch
from pbem.commands.examples import example_line
from pbem.commands.families.looking import MOST_SKETCHES, PREVIEW
from pbem.mail.feed_key import without_feed_keys
from pbem.mail.question_token import without_question_tokens
from pbem.mail.reply_token import without_tokens
from pbem.match.thought import Thought
from pbem.reading.move_phrases import BEFORE, WORD_MOVES
from pbem.reading.reason import Reason, because
from pbem.reading.word_classes import load_classes

TREE = "tree"
"""The kind of the email that shows what a player keeps."""

MOST_THOUGHTS, LONGEST_NOTE = 100, 1000
"""Lines and notes that a player keeps in a match, and characters of a note."""

_WORDS = "|".join(sorted(WORD_MOVES | {"use"}))
_TRIED = rf"(?:\d{{1,6}}\s*:\s*)?(?:[a-z]\d{{1,2}}(?:x[a-z]\d{{1,2}})?|{_WORDS}|\d+)\b.*"
_TRY = re.compile(
    rf"[^\w;>]{{0,9}}(try\s+{_TRIED}|(?:try\s+)?https?://[^\s#]+#\d{{1,6}}:\S+)", re.IGNORECASE | re.DOTALL
)
"""What the page of a match copies: ``try d4, e5``, ``try 12: d4`` from an earlier position, or an address."""

_ADDRESS = re.compile(r"https?://[^\s#]{1,200}/(\d{1,9})\.html#(\d{1,6}:\S+)", re.IGNORECASE)
_NOTE = re.compile(rf"{BEFORE}notes?\b(?:\s*[:：–—-]\s*|\s+|$)(.*)", re.IGNORECASE | re.DOTALL)
_READERS = "|".join(
    map(re.escape, sorted(load_classes("operators") | load_classes("team_words"), key=len, reverse=True))
)
_TO_OTHERS = re.compile(
    rf"{BEFORE}notes?\s+(?:to|for)\W+(?:(?:the|my|our)\W+)?(?:everyone|everybody|all|both|you|{_READERS})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Try:
    """Moves to look at and to keep; they are never played. ``line`` is the line as it stands."""

    line: str

    @property
    def is_address(self) -> bool:
        """Whether it is the address of a page, and nothing else."""
        return self.line[:4].lower() == "http"

    def __str__(self) -> str:
        return self.line if self.is_address else f"try {HIDDEN}"


@dataclass(frozen=True, slots=True)
class Note(Spelled):
    """Words that the sender keeps for themselves."""

    text: str

    says = f"note: {HIDDEN}"


@dataclass(frozen=True, slots=True)
class ShowTree(Spelled):
    """The sender asks for what they keep."""

    says = "tree"


@dataclass(frozen=True, slots=True)
class Publish:
    """The page of the match is to show what the sender keeps; or not any more."""

    wanted: bool

    def __str__(self) -> str:
        return "publish" if self.wanted else "unpublish"


def read_try(line: str) -> Try | None:
    """Return the tried moves that ``line`` holds, or None: ``try d4, e5``, but not ``try again: d4``."""
    return Try(found[1].strip()) if (found := _TRY.fullmatch(line)) else None


def goes_below_try(tried: Try, line: str, *, broken: bool) -> bool:
    """Return whether tried moves go on in the ``line`` below; ``broken``: an email program may have parted the two."""
    return (broken or tried.line.endswith(",")) and read_try(line) is None


def joined_try(tried: Try, line: str) -> Try:
    """Return ``tried`` with a further ``line`` that the email program broke off."""
    return Try(f"{tried.line} {line}")


def read_note(line: str) -> Note | None:
    """Return the note that ``line`` is, or begins, or None."""
    found = _NOTE.fullmatch(line)
    return None if found is None or _TO_OTHERS.match(line) else Note(found[1].strip())


def joined_note(note: Note, line: str) -> Note:
    """Return ``note`` with a further ``line``."""
    return Note(f"{note.text}\n{line}".strip())


def read_thought(line: str) -> Command | None:
    """Return the tried moves, or the note, that ``line`` is, or None."""
    return read_try(line) or read_note(line)


def _apply(situation: MatchSituation, command: Try | Note | ShowTree | Publish, now: datetime) -> MatchSituation:
    """Keep a thought, show what is kept, or publish it."""
    match command:
        case Try():
            return _try(situation, command, now)
        case Note():
            return _note(situation, command)
        case ShowTree():
            kept = tuple(sorted(situation.thoughts, key=lambda thought: thought.ply))
            shown = "tree_public" if any(thought.published for thought in kept) else "tree_private"
            shown = shown if situation.archived else "tree_yours"
            told = because(shown) if kept else because("tree_none", example=example_line(situation.match))
            return situation.carried("tree", Reply(TREE, (told,), _draw_lines(situation, kept, now), kept))
        case Publish():
            return _publish(situation, command)


def _draw_lines(situation: MatchSituation, kept: Sequence[Thought], now: datetime) -> tuple[Sketch, ...]:
    """Return where the lines lead that are kept: the last of them, so many as an email has boards of.

    One whose moves were taken back since leads nowhere.
    """
    drawn = list[Sketch]()
    for thought in [one for one in kept if one.kind == "line"][-MOST_SKETCHES:]:
        written = variations.read_written(thought.text)
        if written is None:
            continue
        try:
            before = variations.begin_line(situation.match, thought.ply)
            after = variations.play_line(before, written.parts, situation.seat, now)
        except variations.LineRefused:
            continue
        drawn.append(Sketch(because("after_line", line=thought.text), variations.play_forced(after, now), before))
    return tuple(drawn)


def _try(situation: MatchSituation, command: Try, now: datetime) -> MatchSituation:
    """Keep tried moves; an address below a move is among the words for everybody."""
    if command.is_address:
        if situation.moves:
            return replace(situation, words=(*situation.words, command.line))
        return situation.told("only_tried", text=command.line)
    written = _read_line(command, situation.match.id)
    if written is None:
        example = example_line(situation.match)
        return _answer(situation, command, because("try_unread", text=command.line, example=example))
    try:
        before = variations.begin_line(situation.match, written.ply)
        after = variations.play_line(before, written.parts, situation.seat, now)
    except variations.LineRefused as refused:
        return _answer(situation, command, refused.reason)
    line = variations.written_entries(before, after)
    thought = Thought(before.ply, "line", line)
    if (full := _why_full(situation, thought)) is not None:
        return _answer(situation, command, full)
    sketch = Sketch(because("after_line", line=line), variations.play_forced(after, now), before, suggests=True)
    shown = sum(len(effect.sketches) for effect in situation.effects if isinstance(effect, Reply))
    reply = Reply(PREVIEW, (because("line_kept"),), (sketch,) if shown < MOST_SKETCHES else ())
    return _kept(situation, command, thought, reply)


def _read_line(command: Try, number: int) -> variations.Written | None:
    """Return the moves of a line, or of an address of the page of the match with this number; None for others."""
    line = command.line[len("try") :].strip()
    if (address := _ADDRESS.fullmatch(line)) is None:
        return variations.read_written(line)
    return variations.read_written(address[2]) if int(address[1]) == number else None


def _answer(situation: MatchSituation, command: Try, why: Reason) -> MatchSituation:
    """Say why nothing is kept: to the sender alone."""
    return situation.carried(str(command), Reply(PREVIEW, (why,)))


def _note(situation: MatchSituation, command: Note) -> MatchSituation:
    """Keep a note at the present position."""
    text = without_feed_keys(without_question_tokens(without_tokens(command.text.strip())))
    if not text:
        return situation.answered(str(command), "note_empty")
    if len(text) > LONGEST_NOTE:
        return situation.answered(str(command), "note_too_long", most=LONGEST_NOTE)
    thought = Thought(situation.match.ply, "note", text)
    if (full := _why_full(situation, thought)) is not None:
        return situation.carried(str(command), Reply("answer", (full,)))
    return _kept(situation, command, thought, Reply("answer", (because("note_kept"),)))


def _why_full(situation: MatchSituation, thought: Thought) -> Reason | None:
    """Return why one more thought cannot be kept, or None."""
    if len(situation.thoughts) < MOST_THOUGHTS or _is_kept(situation, thought):
        return None
    return because("tree_full", most=MOST_THOUGHTS)


def _is_kept(situation: MatchSituation, thought: Thought) -> bool:
    """Return whether the same is kept already."""
    return any((one.ply, one.kind, one.text) == (thought.ply, thought.kind, thought.text) for one in situation.thoughts)


def _kept(situation: MatchSituation, command: Try | Note, thought: Thought, reply: Reply) -> MatchSituation:
    """Return the situation with one more thought, each once."""
    assert situation.player is not None
    if _is_kept(situation, thought):
        return situation.carried(str(command), reply)
    keep = KeepThought(situation.match.id, situation.player, thought)
    return situation.carried(str(command), keep, reply, thoughts=(*situation.thoughts, thought))


def _publish(situation: MatchSituation, command: Publish) -> MatchSituation:
    """Let the page of the match show what the sender keeps, or not any more; only after the end."""
    assert situation.player is not None
    wanted, count = command.wanted, len(situation.thoughts)
    if not situation.archived:
        return situation.answered(str(command), "no_pages")
    if wanted and situation.match.outcome is None:
        return situation.answered(str(command), "publish_later")
    if not any(thought.published != wanted for thought in situation.thoughts):
        code = "published_before" if count and wanted else "nothing_published" if count else "nothing_kept"
        return situation.answered(str(command), code)
    done = because("published", count=count) if wanted else because("unpublished")
    publish = PublishThoughts(situation.player, wanted)
    thoughts = tuple(replace(thought, published=wanted) for thought in situation.thoughts)
    return situation.carried(str(command), publish, Reply("answer", (done,)), thoughts=thoughts)


OF_THOUGHTS = (Try, Note, ShowTree, Publish)
"""The commands for which it has to be known what their sender keeps."""

FAMILY = Family(
    name="thoughts",
    topic="ahead",
    types=OF_THOUGHTS,
    parse=read_thought,
    apply=_apply,
    keywords=(
        Keyword("tree", ShowTree()),
        Keyword("publish", Publish(True), consequential=True),
        Keyword("unpublish", Publish(False)),
    ),
    help=(HelpRow("try d4 e5"), HelpRow("publish", archived=True)),
)
