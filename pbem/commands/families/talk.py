"""The family of talking: words for everybody, and words for the sender's own side alone. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.commands.decision import HIDDEN, Family, HelpRow, MatchSituation, Spelled, Step
from pbem.commands.effects import AddComment
from pbem.commands.for_partners import Recipient
from pbem.mail.feed_key import without_feed_keys
from pbem.mail.question_token import without_question_tokens
from pbem.mail.reply_token import without_tokens
from pbem.match.match import Comment
from pbem.reading.answering.ending import are_known, closes
from pbem.reading.answering.text import plain_words
from pbem.reading.beside import takes_leave
from pbem.reading.move_phrases import BEFORE
from pbem.reading.reason import Reason, because
from pbem.reading.typos import edits, similar_word
from pbem.reading.word_classes import load_classes

_PREFIXED = re.compile(
    rf"(?:^|;){BEFORE}(team|partner|say)[\s*_\"'“”]{{0,9}}[:：][\s*_]{{0,9}}(.*)", re.IGNORECASE | re.DOTALL
)
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
# The move in front of words in brackets, or behind a comma or a dash.
_BEHIND_MOVE = re.compile(
    r"(\W{0,4}(?:[a-z]{0,2}\d[\w]{0,6}[\s,]{1,3}){1,8})(?:([(\[{])|[-–—])?\s{0,3}"
    r"(team|partner|say)[\s*_]{0,9}[:：]\s{0,9}(.*)",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
_OPERATORS = load_classes("operators")
_TO_SIDE = load_classes("team_words")
_KNOWN = _TO_SIDE | _OPERATORS | load_classes("reports")
_LEAD = "|".join(map(re.escape, sorted(load_classes("leading_to_readers"))))
_LEADING = re.compile(rf"[/{{(\s]*{BEFORE}(?:(?:{_LEAD})[\W_]{{1,4}}){{0,6}}", re.IGNORECASE)
_FIRST = re.compile(r"[^\W\d_]+")
_PRIVATE = frozenset({"private", "privately", "privat"})
_ANYWHERE = re.compile(r"\b(?:(team|partner)|operator|admin|moderator)[\s*_]{0,9}[:：]", re.IGNORECASE)
_BARE = load_classes("readers_alone")
"""Words that say for whom a line is without a colon: other ones begin many a line that is for everybody."""

_CHANGED = 2  # letters: so many at most differ where one is another
_LONG = 6  # letters: one of these so long is known with a typo in it
_SHORT = 40  # characters
_LONGEST_CLOSING = 4  # words
MOST_COMMENTS, LONGEST_COMMENT, LONGEST_TALK = 10, 2000, 6000
"""The most comments of a message, characters of one, and bytes (UTF-8) of all: everybody gets them with the notice."""


@dataclass(frozen=True, slots=True)
class Say:
    """Words for the sender's own side (``team: …``) or for everybody (``say: …``)."""

    text: str
    to_side: bool

    def __str__(self) -> str:
        return f"team: {HIDDEN}" if self.to_side else f"say: {self.text}"


@dataclass(frozen=True, slots=True)
class UnclearRecipient(Spelled):
    """A line that may have been meant for one side, or for the operator, but does not say so as it should."""

    text: str
    meant: Recipient = "side"

    says = HIDDEN


def split_say(line: str) -> tuple[str, Say | None]:
    """Return what stands in a line before its words for others, and these; None where there are none."""
    if prefixed := _PREFIXED.search(line):
        return line[: prefixed.start()].strip(), _say(prefixed[1], prefixed[2], bracket=line.lstrip()[:1])
    if behind := _BEHIND_MOVE.fullmatch(line):
        return behind[1].strip(" ,\t"), _say(behind[3], behind[4], bracket=behind[2] or "")
    return line, None


def _say(word: str, said: str, *, bracket: str) -> Say:
    """Return words for others behind a ``word``, without the bracket that ends them if one stands before it."""
    said = said.strip()
    closed = bracket in _BRACKETS and said.endswith(_BRACKETS[bracket])
    return Say(said[:-1].rstrip() if closed else said, word.lower() != "say")


def begins_say(line: str) -> bool:
    """Return whether ``line`` holds words for others."""
    return split_say(line)[1] is not None


def nearly_addressed(line: str) -> Recipient:
    """Return for whom a line nearly says that it is, with a typo or in other words: one side, or the operator."""
    begun = _LEADING.match(line)
    led, start = (begun[0].lower(), begun.end()) if begun else ("", 0)
    before, colon, _ = line[start : start + _SHORT].replace("：", ":").partition(":")
    named = re.sub(r"[\W_]", "", before.lower()) if colon else ""
    word = first[0].lower() if (first := _FIRST.match(line, start)) else ""
    meant = named if named in _KNOWN else similar_word(named, _BARE) if len(named) > 1 else ""
    is_told_of = led.strip(" *_") == "the" and word not in _TO_SIDE  # "The operator is kind"
    if not meant and not is_told_of and (word in _BARE or (word in _OPERATORS - {"host"} and led.strip(" *_"))):
        meant = word
    if not meant and len(word) >= _LONG:
        meant = _misspelled(word)
    if meant or not _PRIVATE.isdisjoint([word, *_FIRST.findall(led)]):
        return "operator" if meant in _KNOWN - _TO_SIDE else "side"
    return "" if (found := _ANYWHERE.search(line)) is None else "side" if found[1] else "operator"


def _misspelled(word: str) -> str:
    """Return the word for a reader that a long word is with one typo, or an empty text."""
    letters = set(word)
    near = (known for known in _BARE if len(letters ^ set(known)) <= _CHANGED and word != f"{known}s")
    return next((known for known in near if abs(len(known) - len(word)) <= 1 and edits(word, known) == 1), "")


def continue_comment(situation: MatchSituation, text: str) -> MatchSituation:
    """Add the rest of a line that an email program broke to the words said last."""
    place, comment = next(
        (place, comment)
        for place in reversed(range(len(situation.steps)))
        if (comment := _comment_of(situation.steps[place])) is not None
    )
    longer = AddComment(replace(comment, text=f"{comment.text} {text}".strip()))
    step = Step(f"{situation.steps[place].done} {text}", (longer,))
    return replace(situation, steps=(*situation.steps[:place], step, *situation.steps[place + 1 :]))


def without_silence(situation: MatchSituation) -> MatchSituation:
    """Leave out words for others that were announced, and then not said."""
    said = (step for step in situation.steps if (comment := _comment_of(step)) is None or comment.text)
    return replace(situation, steps=tuple(said))


def limit_talk(steps: Iterable[Step]) -> tuple[tuple[Step, ...], tuple[Reason, ...]]:
    """Return ``steps`` with as many words for others as one message may have, and what to tell the sender of the rest.

    Nobody can fill the mailboxes of others with one message.
    """
    kept: list[Step] = []
    written = passed = characters = going = 0
    left = LONGEST_TALK
    for step in steps:
        comment = _comment_of(step)
        if comment is None:
            kept.append(step)
            continue
        whole = join_comment([comment.text])
        written, characters = written + 1, characters + len(whole)
        text = _cut(whole, left) if passed < MOST_COMMENTS else ""
        if not text:
            continue
        passed, going, left = passed + 1, going + len(text), max(0, left - len(text.encode()))
        done = step.done if text == whole or not step.done else f"{step.done.partition(':')[0]}: {text}"
        kept.append(Step(done, (AddComment(replace(comment, text=text)),)))
    if going == characters:
        return tuple(kept), ()
    code = "fewer_comments" if passed < written else "shorter_comments"
    counts = {
        "passed": f"{passed:,}",
        "written": f"{written:,}",
        "going": f"{going:,}",
        "characters": f"{characters:,}",
    }
    return tuple(kept), (because(code, **counts),)


def join_comment(lines: Iterable[str]) -> str:
    """Return the lines of a comment as one text, empty lines at its ends removed."""
    text = without_tokens("\n".join(lines).strip("\n "))
    return without_feed_keys(without_question_tokens(text))


def without_name(lines: Sequence[str], name: str) -> Sequence[str]:
    """Return ``lines`` without a last one that is only their writer's name, and a ``Cheers,`` above it or before it.

    None of them where they say nothing but a farewell.
    """
    names = plain_words(name)
    known = frozenset(names)
    if takes_leave(lines, known):
        return ()
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    last = plain_words(lines[end - 1]) if end else []
    if not (are_known(last, known) and are_known(last[:1], names[:1])):
        return lines[: end - 1] if are_known(last[-1:], known) and closes(lines[end - 1], known) else lines
    above = lines[end - 2].strip() if end > 1 else ""
    closing = takes_leave([above], ()) or (above.endswith(",") and len(above.split()) <= _LONGEST_CLOSING)
    return lines[: end - 2 if closing else end - 1]


def _cut(text: str, most: int) -> str:
    """Return as much of a text as one comment may have, and as fits into so many bytes."""
    kept = text[:LONGEST_COMMENT].encode()[:most].decode(errors="ignore")
    return text if kept == text else kept and f"{kept[:-1].rstrip()}…"


def _comment_of(step: Step) -> Comment | None:
    """Return the comment that a step is, or None."""
    return next((effect.comment for effect in step.effects if isinstance(effect, AddComment)), None)


def _apply(situation: MatchSituation, command: Say | UnclearRecipient, now: datetime) -> MatchSituation:
    """Note words for the sender's side or for everybody, or that it is not clear for whom they are."""
    if isinstance(command, UnclearRecipient):
        return replace(situation, words=(*situation.words, command.text), unclear=situation.unclear | {command.meant})
    match, seat = situation.match, situation.seat
    if command.to_side and not (match.partners(seat) or match.seconds_of(seat)):
        return replace(situation.told("no_partner"), speaking=False)
    comment = Comment(seat, match.ply, join_comment([command.text]), command.to_side)
    done = f"{'team' if command.to_side else 'say'}: {' '.join(command.text.split())}".strip()
    return situation.carried(done, AddComment(comment), speaking=True)


FAMILY = Family(
    name="talk",
    types=(Say, UnclearRecipient),
    apply=_apply,
    help=(
        HelpRow("say: hello", basic=True),
        HelpRow("team: hello", lambda match, seat: match.game.seats[-1] > 2, basic=True),
    ),
)
