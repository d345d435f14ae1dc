"""What players say about their email and their page: how boards are drawn, whether any comes, whence replies count."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import Literal

from pbem.commands.decision import Command, Family, HelpRow, Keyword, MatchSituation, Spelled
from pbem.commands.effects import AddLog, Reply, RevokeTokens, SetPreference
from pbem.commands.families.play import FreeText
from pbem.commands.rejections import NoCommand
from pbem.mail.reply_token import MOST_GENERATIONS
from pbem.match.log import LogEntry
from pbem.match.preferences import DISPLAYS, Display, Mails
from pbem.reading.move_phrases import BEFORE
from pbem.reading.reason import because, name_lines
from rules.phrase import listed

DisplayChoice = Display | Literal["test"]
"""What a player can write behind ``board``; ``test`` brings one of each."""

_OTHER_WORDS: dict[str, DisplayChoice] = {
    "test": "test",
    "text": "plain",
    "ascii": "plain",
    "big": "large",
    "colour": "html",
    "color": "html",
    "normal": "html",
    "usual": "html",
    "default": "html",
    "spoken": "speech",
    "voice": "speech",
    "all": "test",
}
_BOARDS = re.compile(
    rf"{BEFORE}(boards?|display)(?:[\s*_\"'“”]{{0,9}}[:：=][\s*_\"'“”]{{0,9}}|[\s*_\"'“”]{{1,9}})"
    r"(?:(?:as|in)\s{1,9})?([a-z]{1,20})(?:\s{1,9}(?:boards?|mode|please))?[\s*_\"'“”.!]{0,9}",
    re.IGNORECASE,
)
_MAILS = re.compile(
    rf"{BEFORE}e?-?mails?[\s:]{{1,9}}(?:only\s{{1,9}})?(?:(?:on|at|for)\s{{1,9}})?(?:my\s{{1,9}})?(turns?|all|everything)"
    r"(?:\s{1,9}(?:only|please))?[\s*_\"'“”.!]{0,9}",
    re.IGNORECASE,
)
_LONGEST_FAREWELL = 6  # words beside "unsubscribe": a greeting, a name


@dataclass(frozen=True, slots=True)
class ChooseDisplay:
    """How boards are to be drawn, in the sender's own ``word``; ``line`` is the line as it stands."""

    word: str
    line: str

    def __str__(self) -> str:
        return self.line


@dataclass(frozen=True, slots=True)
class ChooseMails(Spelled):
    """Which notices the sender wants: all, or only those that ask for a move."""

    mails: Mails

    says = "mails {it.mails}"


@dataclass(frozen=True, slots=True)
class ChoosePage:
    """Whether the archive is to have a page about the sender."""

    wanted: bool

    def __str__(self) -> str:
        return f"page {'on' if self.wanted else 'off'}"


@dataclass(frozen=True, slots=True)
class Unsubscribe(Spelled):
    """The sender wants no more email."""

    says = "unsubscribe"


@dataclass(frozen=True, slots=True)
class Resume(Spelled):
    """The sender wants email again."""

    says = "resume"


@dataclass(frozen=True, slots=True)
class NewAddress(Spelled):
    """The sender wants new reply addresses, and that no reply to an older email counts any more."""

    says = "new address"


def display_meant(word: str) -> DisplayChoice | None:
    """Return the display that somebody means who writes ``word``, typos included; None for another word."""
    known: dict[str, DisplayChoice] = {display: display for display in DISPLAYS}
    known.update(_OTHER_WORDS)
    found = get_close_matches(word.lower()[:20], known, 1, 0.75)
    return known[found[0]] if found else None


def settle_unsubscribing(
    situation: MatchSituation, commands: Sequence[Command], *, has_move: bool
) -> tuple[MatchSituation, list[Command]]:
    """Return how to take a message with the word unsubscribe in it, the last line of many a signature.

    It counts where little else was written, and no move; else it is left out, and the sender told. Raises NoCommand.
    """
    lines = [command.text for command in commands if isinstance(command, FreeText)]
    if not has_move and sum(len(line.split()) for line in lines) <= _LONGEST_FAREWELL:
        if Resume() in commands:
            raise NoCommand("contradiction")
        if said := [line for line in lines if len(line.split()) > 2]:  # no name, and nothing of a signature
            situation = situation.told("words_kept", lines=name_lines(said))
        return situation, [command for command in commands if not isinstance(command, FreeText)]
    if has_move:
        situation = situation.told("unsubscribe_alone")
    return situation, [command for command in commands if command != Unsubscribe()]


def resubscribed(situation: MatchSituation) -> MatchSituation:
    """Return the situation with email on again for a player who plays on, unless they say just the opposite."""
    player = situation.match.players[situation.seat]
    if situation.unsubscribes or not player.preferences.muted or not (situation.moves or situation.seeded):
        return situation
    return situation.carried("", SetPreference(player, "muted", False))


def _parse(piece: str) -> Command | None:
    """Return the choice of a display, or of notices, that ``piece`` is, or None."""
    if found := _BOARDS.fullmatch(piece):
        return ChooseDisplay(found[2].lower(), piece)
    if found := _MAILS.fullmatch(piece):
        return ChooseMails("turns" if found[1].lower().startswith("turn") else "all")
    return None


def _tell_leaving(situation: MatchSituation) -> tuple[AddLog, ...]:
    """Return what tells the others that the sender gets no more email, so that they do not wait in silence."""
    match, seat = situation.match, situation.seat
    if match.outcome or seat in match.position.departed() or match.players[seat].preferences.muted:
        return ()
    return (AddLog(LogEntry("unsubscribed", seat)),)


_Command = ChooseDisplay | ChooseMails | ChoosePage | Unsubscribe | Resume | NewAddress


def _apply(situation: MatchSituation, command: _Command, now: datetime) -> MatchSituation:
    """Note a preference, and answer with what follows from it."""
    player = situation.match.players[situation.seat]
    match command:
        case NewAddress() if player.generation + 1 >= MOST_GENERATIONS:
            return situation.told("no_more_addresses")
        case NewAddress():
            return situation.carried("new address", RevokeTokens(player), Reply("new_address"))
        case Unsubscribe():
            telling = _tell_leaving(situation)
            return situation.carried(
                "unsubscribe", SetPreference(player, "muted", True), *telling, Reply("unsubscribe")
            )
        case Resume() if player.preferences.muted:
            return situation.carried("resume", SetPreference(player, "muted", False), Reply("resume"))
        case Resume():
            return situation.carried("resume", Reply("show"))
        case ChooseMails(mails):
            muted = player.preferences.muted or situation.unsubscribes
            told = (because(f"mails_{mails}"), *([because("still_unsubscribed")] if muted else []))
            single = [SetPreference(player, "digest", "")] if player.preferences.digest else []
            return situation.carried(
                str(command), SetPreference(player, "mails", mails), *single, Reply("answer", told)
            )
        case ChoosePage(wanted):
            code = "page_on" if wanted else "page_off"
            told = (because(code if situation.archived else f"{code}_nowhere"),)
            return situation.carried(str(command), SetPreference(player, "page", wanted), Reply("answer", told))
    display = display_meant(command.word)
    if display is None:
        ways = listed((f"board {name}" for name in DISPLAYS), "or")
        return situation.told("unknown_display", line=command.line, ways=ways)
    if display == "test":
        return situation.carried("display test", Reply("display"))
    return situation.carried(f"board {display}", SetPreference(player, "display", display), Reply("board"))


FAMILY = Family(
    name="account",
    topic="you",
    types=(ChooseDisplay, ChooseMails, ChoosePage, Unsubscribe, Resume, NewAddress),
    parse=_parse,
    apply=_apply,
    keywords=(
        Keyword("unsubscribe", Unsubscribe(), consequential=True),
        Keyword("stop", Unsubscribe(), consequential=True),
        Keyword("resume", Resume(), consequential=True),
        Keyword("new address", NewAddress(), consequential=True),
        Keyword("page off", ChoosePage(False), consequential=True),
        Keyword("page on", ChoosePage(True), consequential=True),
    ),
    help=(
        HelpRow("board plain"),
        HelpRow("mails turns"),
        HelpRow("unsubscribe", basic=True),
        HelpRow("new address"),
        HelpRow("page off", archived=True),
    ),
)
