"""The families of the digest, when it comes, and of the Sunday letter, whether it does. Pure."""

import re
from dataclasses import dataclass
from datetime import datetime

from pbem.commands.decision import Command, Family, HelpRow, Keyword, MatchSituation, Situation
from pbem.commands.effects import Effect, Reply, SetPreference
from pbem.match.time.digest_times import WEEKDAYS, is_digest
from pbem.reading.move_phrases import BEFORE
from pbem.reading.reason import because
from pbem.reading.when.days import WEEKDAYS as DAYS
from pbem.reading.when.days import fold_accents
from pbem.reading.word_classes import load_classes

USUAL = "07:30"
"""When the digest comes that is asked for without a time."""

_DIGEST = re.compile(
    rf"{BEFORE}digest(?:[\s:=]{{1,9}}(?P<when>[\w:.,/&+–’() -]{{1,40}}))?[\s*_\"'“”.!]{{0,9}}", re.IGNORECASE
)
_MOST_WORDS = 6  # of a line that asks for a digest at a time that is not understood
_RHYTHM = re.compile(r"(?:(?:each|every|on|once an?|an?) )?([a-z]{3,12}),?(?: |$)", re.ASCII)
_RHYTHMS = {name: WEEKDAYS[day] for name, day in DAYS.items() if len(name) > 2}
_RHYTHMS |= {f"{name}s": day for name, day in _RHYTHMS.items()}
_RHYTHMS |= {"daily": "", "day": "", "weekly": "week", "week": "week"}
_OTHERS = load_classes("rhythms")
"""Words about rhythms that digests don't have, and of those they have."""

_BEFORE_RHYTHM = load_classes("before_rhythms")
_TIME = re.compile(r"(?:at )?(\d{1,2})(?:[:.h](\d\d))?\s?(am|pm)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ChooseDigest:
    """The sender wants the digest at a time (``07:30``, ``mon 07:30``), or none (""); None: it was not understood.

    ``line`` is the line as it stands.
    """

    when: str | None
    line: str

    def __str__(self) -> str:
        return self.line if self.when is None else f"digest {self.when or 'off'}"


@dataclass(frozen=True, slots=True)
class ChooseLetter:
    """Whether the sender wants the Sunday letter of the contests that they play in."""

    wanted: bool

    def __str__(self) -> str:
        return f"letter {'on' if self.wanted else 'off'}"


def _parse(piece: str) -> Command | None:
    """Return the time of the digest that ``piece`` asks for, or None for another line."""
    found = _DIGEST.fullmatch(piece)
    when = _read_when(found["when"] or "") if found else None
    if found is None or (when is None and not _is_about_rhythm(found["when"])):
        return None  # something else is to be digested
    return ChooseDigest(when, piece)


def _is_about_rhythm(text: str) -> bool:
    """Return whether ``text`` says when something is to come, though not in a way that is understood."""
    words = re.findall(r"\w+", fold_accents(text))
    known = [word[0].isdigit() or word in _RHYTHMS or word in _OTHERS for word in words]
    return 0 < len(words) < _MOST_WORDS and any(known) and (known[0] or words[0] in _BEFORE_RHYTHM)


def _read_when(text: str) -> str | None:
    """Return when the digest is wanted, "" for never; None for what is not understood."""
    words = " ".join(fold_accents(text).split()).strip(" .,;")
    if words in ("off", "none", "never", "no"):
        return ""
    if not words or words == "on":
        return USUAL
    rhythms = set[str]()
    while (found := _RHYTHM.match(words)) and found[1] in _RHYTHMS:
        rhythms.add(_RHYTHMS[found[1]])
        words = words[found.end() :]
    if len(rhythms) > 1:
        rhythms.discard("week")  # of which a day says more
    day, *others = sorted(rhythms) or [""]
    clock = _TIME.fullmatch(words or USUAL)
    if clock is None or others:
        return None
    hour, half = int(clock[1]), clock[3]
    if half and not 1 <= hour <= 12:
        return None
    hour = hour % 12 + (12 if half == "pm" else 0) if half else hour
    when = f"{WEEKDAYS[0] if day == 'week' else day} {hour:02}:{clock[2] or '00'}".strip()
    return when if is_digest(when) else None


def _apply(situation: MatchSituation, command: ChooseDigest, now: datetime) -> MatchSituation:
    """Note when the digest comes, or that single emails come again."""
    player = situation.match.players[situation.seat]
    if command.when is None:
        return situation.told("digest_unread", line=command.line)
    day, _, at = command.when.rpartition(" ")
    said = [because("digest_off") if not at else because(f"digest_{day}" if day else "digest_daily", at=at)]
    if at and not player.calendar.zone:
        said.append(because("digest_utc"))
    if player.preferences.muted or situation.unsubscribes:
        said.append(because("still_unsubscribed"))
    changes: list[Effect] = [SetPreference(player, "digest", command.when)]
    return situation.carried(str(command), *changes, Reply("answer", tuple(said)))


FAMILY = Family(
    name="digest",
    topic="you",
    types=(ChooseDigest,),
    parse=_parse,
    apply=_apply,
    keywords=(
        Keyword("digest off", ChooseDigest("", "digest off"), consequential=True),
        Keyword("mails digest", ChooseDigest(USUAL, "mails digest"), consequential=True),
    ),
    help=(HelpRow("digest 07:30"),),
)


def _apply_letter(situation: Situation, command: ChooseLetter, now: datetime) -> Situation:
    """Note whether the letter comes; whoever gets no email gets no letter either."""
    player = situation.player
    assert player is not None  # by the scope
    told = [because("letter_on" if command.wanted else "letter_off")]
    if player.preferences.muted or situation.unsubscribes:
        told.append(because("still_unsubscribed"))
    change = SetPreference(player, "letter", command.wanted)
    return situation.carried(str(command), change, Reply("answer", tuple(told)))


LETTER = Family(
    name="letter",
    topic="you",
    types=(ChooseLetter,),
    apply=_apply_letter,
    keywords=(
        Keyword("letter off", ChooseLetter(False), consequential=True),
        Keyword("letter on", ChooseLetter(True), consequential=True),
    ),
    help=(HelpRow("letter off"),),
    scope="player",
)
