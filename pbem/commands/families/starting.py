"""The family of starting matches: inviting, offering, joining, playing again, and refusing invitations. Pure.

What comes of them depends on what others have offered, so that the pipeline grants these wishes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from pbem.commands.asking_effects import Wish
from pbem.commands.decision import Family, HelpRow, Keyword, MatchSituation, Situation, Spelled
from pbem.mail.headers import MAILBOX, to_address
from pbem.match.game_names import find_game
from pbem.match.stints import read_robot, write_robot
from pbem.reading import answers
from pbem.reading.remarks import is_retracting

STARTING_WORDS = ("new", "pair", "seek", "unseek", "offer", "join", "cancel", "block", "unblock", "again", "rematch")
"""The words with which a line of this begins."""

LONGEST_WISH = 400
"""Characters of a line that asks for something of this."""

_MOST_WORDS, _MOST_TRIED = 40, 4  # words, and those of them behind “new” where no game is named
_YES_TO_AGAIN = r"(?:yes|yeah|yep|sure|ok|okay|gladly)[\s,.!:–-]{1,5}(?=(?:again|rematch)\b)"
_SENDS = re.compile(
    rf"[\s*_\"'“”•>-]{{0,9}}(?:please\s{{1,9}}|{_YES_TO_AGAIN})?"
    r"(?P<word>new|pair|seek|unseek|offers?|join|cancel|block|unblock|again|rematch)"
    r"\b(?P<rest>.{0,400})",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(
    r"\s{0,9}(?:offer |invitation |match |game )?(?:#|no\.? ?)?(\d{1,9})"
    r"(?:[\s,]{1,9}(?:please|pls|thanks|thank you))?[\s.!]{0,9}",
    re.IGNORECASE | re.ASCII,
)
_OPTION = re.compile(  # or KEY NUMBER, where the key is no name
    r"(?ai)(?<!\S)([a-z_]{2,20}(?=\s?=)|size|players|seats)(?:\s?=\s?|:?\s(?=\d{1,3}(?!\S)))([\w.+-]{1,20}%?)(?!\S)"
)
_LINKED = re.compile(r"<mailto:[^<>]*>", re.IGNORECASE)  # which some programs add to an address
# An address, with a name before it or alone, or a name in quotation marks.
_WHOLE = re.compile(rf"(?:\"[^\"<>@,]*\"|[^\"<>@,;]*)<\s*({MAILBOX})\s*>|({MAILBOX})|[\"“]([^\"”]{{1,60}})[\"”]")
_ROBOT = re.compile(r"(?<![\w@])(?:a )?robot(?:[\s:.-]?(\d{1,2}))?(?![\w@])", re.IGNORECASE | re.ASCII)
_PLACE = "\ue000"  # stands for one of these
_WORDS_ALONE = re.compile(r"[^\W\d_•]+(?:[’' •-][^\W\d_]+)*")
_SPACES = re.compile(r"\s+")
_ASKS_GAMES = re.compile(
    r"\W{0,5}(?:please\W{1,3})?(?:(?:what|which)(?:\s(?:other|kinds?\sof|sorts?\sof|board))?\sgames"
    r"(?:\s(?:are|do|can|could|is|have)\s[\w’' ]{1,40})?|what(?:\selse)?\scan\s(?:i|we|one)\splay(?:\shere)?"
    r"|(?:list|show|name)\s(?:me\s)?(?:all\s)?(?:the\s|your\s)?(?:available\s)?games|(?:list\sof\s)?games)"
    r"(?:\W{1,3}(?:please|thanks))?\W{0,5}",
    re.IGNORECASE,
)
_ALONE = re.compile(r"[\s.!?,]{0,9}(?:please|thanks|thank you)?[\s.!?,]{0,9}", re.IGNORECASE)
_AGAIN = re.compile(
    rf"\W*(?:please |{_YES_TO_AGAIN})?(?:again|rematch)(?:,? (?:please|thanks|thank you))?\W*", re.IGNORECASE
)
_PARTING = frozenset({"and", "with", "against", "vs", "me", "game", "match", "a", "of", "please", "thanks"})
_NAME = re.compile(r"[^\W\d_](?:(?:[’'-]|\.? )?[^\W\d_])*\.?")
_SIGN_UP = re.compile(
    r"[\s*_\"'“”]{0,9}(?:please\s)?sign\s?(?:me\s)?up(?:\s(?:as|i[’']?m|my name is))?[:,]?(?:\s+(?P<name>.{1,80}))?",
    re.IGNORECASE,
)
_ANSWERS = re.compile(r"\W*(?:accept|decline)\b", re.IGNORECASE)
_COURTESY = re.compile(r"\b(?:please|thanks|thank you)\b", re.IGNORECASE)
_KINDS = frozenset({"private", "rated", "unrated"})  # what a match can be, whoever plays it
_LISTED = re.compile(r",|\band\b|&", re.IGNORECASE)
_WORDS = {"block": "block", **dict.fromkeys(("unsubscribe", "never", "stop"), "never")}
_WORDS |= dict.fromkeys(("again", "rematch", "join"), "accept")


@dataclass(frozen=True, slots=True)
class Invite:
    """The sender wants to play ``game`` with ``people``, addresses or names; ``both``: twice, each side once.

    ``line`` is the line as it stands.
    """

    game: str
    people: tuple[str, ...]
    options: Mapping[str, str] = field(hash=False)
    both: bool = False
    private: bool = False
    line: str = field(default="", compare=False)
    rated: bool = False

    def __str__(self) -> str:
        people = [f'"{one}"' if " " in one and "@" not in one else one for one in self.people]
        kinds = [*(["private"] if self.private else []), *(["rated"] if self.rated else [])]
        return " ".join(["pair" if self.both else "new", self.game, *people, *_write(self.options), *kinds])


@dataclass(frozen=True, slots=True)
class Seek:
    """The sender offers a match of ``game`` to whoever comes first; ``robots`` are the strengths of some in it.

    Among its ``options`` may be how ``reliable`` whoever comes has to be.
    """

    game: str
    options: Mapping[str, str] = field(hash=False)
    robots: tuple[int, ...] = ()
    rated: bool = False

    def __str__(self) -> str:
        kinds = ["rated"] if self.rated else []
        return " ".join(["seek", self.game, *map(write_robot, self.robots), *_write(self.options), *kinds])


@dataclass(frozen=True, slots=True)
class ListOffers(Spelled):
    """The sender asks which matches are offered."""

    says = "offers"


@dataclass(frozen=True, slots=True)
class HelpStarting(Spelled):
    """The sender asks how matches are started."""

    says = "help matches"


@dataclass(frozen=True, slots=True)
class HelpGames(Spelled):
    """The sender asks which games there are, or does not say whom to play; ``tried`` is the game that they name.

    ``unsure``: the ``line`` may be talk, where it stands beside anything else.
    """

    tried: str = ""
    line: str = field(default="", compare=False)
    unsure: bool = field(default=False, compare=False)

    says = "help games"


@dataclass(frozen=True, slots=True)
class HelpRobots(Spelled):
    """The sender asks about robots."""

    says = "help robots"


@dataclass(frozen=True, slots=True)
class Join(Spelled):
    """The sender takes a place in the match that is offered under a number, or to which they are invited."""

    number: int

    says = "join {it.number}"


@dataclass(frozen=True, slots=True)
class CallOff:
    """The sender takes back an offer or invitation of theirs, None: all open offers."""

    number: int | None

    def __str__(self) -> str:
        return "unseek" if self.number is None else f"cancel {self.number}"


@dataclass(frozen=True, slots=True)
class RefuseFrom:
    """The sender wants no invitations from somebody, or wants them again; ``who`` is a name or an address."""

    who: str
    refused: bool
    line: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{'' if self.refused else 'un'}block {self.who}"


@dataclass(frozen=True, slots=True)
class Again(Spelled):
    """The sender wants to play the match again that is over."""

    line: str = field(default="again", compare=False)

    says = "again"


@dataclass(frozen=True, slots=True)
class AgainIn(Spelled):
    """The same, with the number of the match, as it stands for a wish that was asked about."""

    match: int

    says = "again {it.match}"


Wished: TypeAlias = (
    Invite | Seek | ListOffers | HelpStarting | HelpGames | HelpRobots | Join | CallOff | RefuseFrom | AgainIn
)
"""What the pipeline can grant to a player."""


@dataclass(frozen=True, slots=True)
class SignUp(Spelled):
    """A stranger wants to be a player; ``name`` is empty where they say none."""

    name: str

    says = "sign up {it.name}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What an invited reader answers: ``accept``, ``decline``, ``never``, ``block``; with a ``name`` behind it."""

    word: str
    name: str = ""


def parse_starting(piece: str) -> Wished | Again | None:
    """Return what a piece of a line asks for, None for anything else: much talk begins with such a word."""
    found = _SENDS.fullmatch(piece[: LONGEST_WISH + 1]) if len(piece) <= LONGEST_WISH else None
    if found is None:
        return HelpGames(line=piece.strip(), unsure=True) if _ASKS_GAMES.fullmatch(piece) else None
    word, rest = found["word"].lower(), found["rest"]
    number = _NUMBER.fullmatch(rest)
    if word in ("join", "cancel"):
        return (Join if word == "join" else CallOff)(int(number[1])) if number else None
    if word == "unseek":
        return CallOff(int(number[1]) if number else None) if number or _ALONE.fullmatch(rest) else None
    if word in ("block", "unblock"):
        return _parse_refusing(word, rest, piece)
    if word in ("new", "pair", "seek"):
        return _parse_match(word, rest, piece)
    return _parse_again(number, piece) if word in ("again", "rematch") else None


def read_sign_up(lines: Iterable[str]) -> SignUp | None:
    """Return the wish of a stranger to be a player, one of the first lines that they wrote; None without any."""
    for line in [line for line in lines if line.strip()][:3]:
        if len(line) < 120 and (found := _SIGN_UP.fullmatch(line.strip(" .!*_"))):
            return SignUp(plain_name(found["name"] or ""))
    return None


def may_hold_wish_to_start(text: str) -> bool:
    """Return whether it is worth the while to read what a stranger wrote for any wish of these."""
    return _MAY_HOLD.search(text) is not None


_MAY_HOLD = re.compile(r"\b(?:sign\s?(?:me )?up|new|pair|seek|offers?|join|ladder|league)\b", re.IGNORECASE)


def read_answer(lines: Iterable[str]) -> Answer | None:
    """Return what was answered to an invitation; None where it is unclear. Wishes may stand beside it.

    Only the first of its lines may be a word for such answers alone, or one that keeps others away: “unsubscribe”
    stands at the end of many a message.
    """
    written = [line.strip() for line in lines if line.strip() and isinstance(parse_starting(line), Again | None)]
    word = _WORDS.get(written[0].lower().strip(" .!*_")) if written else None
    if word:
        return Answer(word)
    said = answers.read_answer(line for line in written if line.lower() != "unsubscribe")
    if not said.means and written and _ANSWERS.match(written[0]) and not any(map(is_retracting, written[1:])):
        below = answers.read_answer(written[1:])  # what stands below the word is for whoever has invited
        said = said if below.means else answers.read_answer(written[:1])
    if not said.means:
        return None
    return Answer("accept", plain_name(said.called)) if said.means == "yes" else Answer("decline")


def plain_name(text: str) -> str:
    """Return a name that strangers may be shown: letters of up to forty characters; "" for anything else.

    Whoever may choose what an email of ours says to others must not be able to advertise in it.
    """
    name = " ".join(text.split()).strip(" .,!?*_\"'“”()<>")
    is_plain = all(char.isalpha() or char in " .’'-" for char in name)  # “²” passes for a letter in a pattern
    return name if len(name) <= 40 and is_plain and _NAME.fullmatch(name) else ""


def _parse_match(word: str, rest: str, line: str) -> Invite | Seek | HelpGames | None:
    """Return what ``new``, ``pair`` or ``seek`` asks for; the games where it names none, or nobody; None for talk."""
    text = _LINKED.sub("", rest)
    options = {key.lower(): value for key, value in _OPTION.findall(text)}
    text = _OPTION.sub(" ", text).strip(" \t*_.!:,\"'“”")
    named, _, others = text.partition(" ")
    game = find_game(named.strip(",;:"))
    if (game is None and "=" not in rest) or ("?" in rest and "@" not in rest):
        is_short = word == "new" and not options and len(text.split()) <= _MOST_TRIED and _WORDS_ALONE.fullmatch(text)
        if "@" not in others and text and (not is_short or "?" in rest):
            return None
        return HelpGames(named.strip(",;:")[:40], line.strip(), unsure="@" not in others)
    people = [*_read_people(others)]
    kinds = {one.lower() for one in people} & _KINDS
    people = [one for one in people if one.lower() not in _KINDS]
    key = game.key if game else named.strip(",;:").lower()[:40]
    if word == "seek":
        robots = [strength for one in people if (strength := read_robot(one)) is not None]
        return Seek(key, options, tuple(robots), "rated" in kinds) if len(robots) == len(people) else None
    if not people and not options:
        return HelpGames(key, line.strip(), unsure=True)  # in talk, perhaps; there is nobody to invite
    return Invite(key, tuple(people), options, word == "pair", "private" in kinds, line.strip(), "rated" in kinds)


def _read_people(text: str) -> Iterator[str]:
    """Yield the people in a text, in their order: addresses, and names, quoted, parted by commas, or of one word."""
    whole: list[str] = []

    def hold(found: re.Match[str]) -> str:
        named, bare, quoted = found.groups()
        whole.append(quoted or _read_address(named or bare))
        return f" {_PLACE}{len(whole) - 1} "

    def hold_robot(found: re.Match[str]) -> str:
        whole.append(write_robot(int(found[1] or 1)))
        return f"{_PLACE}{len(whole) - 1}"

    text = _COURTESY.sub("", _WHOLE.sub(hold, text.replace(_PLACE, "")))
    text = _ROBOT.sub(lambda found: f" {hold_robot(found)} ", text)
    split = _LISTED if re.search(r"\w\s*,\s*\w", text) else _SPACES
    for part in re.split(rf"({_PLACE}\d+)", text):
        if part.startswith(_PLACE):
            yield whole[int(part[1:])]
            continue
        for name in split.split(part)[:_MOST_WORDS]:
            words = [one for one in name.strip(' .,;:!"“”').split() if one.lower() not in _PARTING]
            if words:
                yield " ".join(words)[:60]


def _read_address(text: str) -> str:
    """Return an address in its normal form, without the full stop of a sentence; as it is where it is none."""
    typed = text.rstrip(".")
    return to_address(typed) or typed


def _parse_again(number: re.Match[str] | None, piece: str) -> Again | AgainIn | None:
    """Return the wish for a rematch that a piece of a line is, with the ``number`` in it, or None."""
    if number:
        return AgainIn(int(number[1]))
    return Again(piece.strip()) if _AGAIN.fullmatch(piece) and "?" not in piece else None


def _parse_refusing(word: str, rest: str, line: str) -> RefuseFrom | None:
    """Return whom ``block`` or ``unblock`` names: an address, or one to three words."""
    who = _LINKED.sub("", rest).strip(" \t.!*_“”<>")
    who = to_address(who) or who.strip(" \"'")
    if not who or len(who) > 60 or "?" in line or len(who.split()) > 3:
        return None
    return RefuseFrom(who, word == "block", line.strip())


def _write(options: Mapping[str, str]) -> list[str]:
    """Return options as they are typed."""
    return [f"{key}={value}" for key, value in options.items()]


def _wish(situation: Situation, command: Wished | Again, now: datetime) -> Situation:
    """Hand the wish on to the pipeline; a match is played again that is over, or whose number is given."""
    wished = command
    if isinstance(command, Again):
        if not isinstance(situation, MatchSituation):
            return situation
        wished = AgainIn(situation.match.id)
    return situation.carried(str(command), Wish(wished))


def is_talk(situation: MatchSituation, command: object) -> bool:
    """Return whether a line that reads as a wish is talk: ``again`` before the end, ``block`` without a name."""
    if isinstance(command, Again):
        return situation.match.outcome is None
    if isinstance(command, RefuseFrom) and "@" not in command.who:
        names = {player.name.casefold() for player in situation.match.players}
        firsts = {name.partition(" ")[0] for name in names}
        return command.who.casefold() not in names | firsts and command.who not in situation.acquainted
    return False


FAMILY = Family(
    name="starting",
    topic="matches",
    types=(Invite, Seek, ListOffers, HelpStarting, HelpGames, HelpRobots, Join, CallOff, RefuseFrom, Again, AgainIn),
    apply=_wish,
    keywords=(
        Keyword("offers", ListOffers()),
        Keyword("help matches", HelpStarting()),
        Keyword("help games", HelpGames()),
        *(Keyword(words, HelpRobots()) for words in ("help robots", "help robot")),
    ),
    help=(
        HelpRow("help matches"),
        HelpRow("help games"),
        HelpRow("help robots"),
        HelpRow("again", lambda match, seat: match.outcome is not None),
    ),
    parse=parse_starting,
    scope="player",
)
