"""Players of a season: people with a mailbox each, who know what they were sent, and read it as text."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from tests.support.letters import Letter

NAMES = (
    *("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ines", "Jon"),
    *("Kira", "Leo", "Mona", "Nils", "Olga", "Paul", "Rosa", "Sven", "Tara", "Uwe"),
)
SEASON_DAYS = 24
"""Afterwards nobody looks for new matches."""

_GAMES = (
    *("pipline size=5", "zipline size=5", "snipsnip", "zipline players=3 size=5"),
    *("pippip", "pipelines size=7", "snipsnip board=hex-4-5", "pipelines players=3 size=7"),
)
_BESIDE_MOVE = (
    *("draw", "if", "if", "if", "if", "note", "note", "try", "team", "team", "say", "pause", "show", "show #1"),
    *("history", "record", "status", "tree", "plan", "standin", "vacation", "propose", "propose", "what"),
)
_AFTER_MOVE = ("undo", "undo", "give 1d", "cancel plan", "say")
_SETTINGS = (
    *("digest 07:30", "tz Lisbon", "remind 12h", "quiet 22-7", "board unicode", "board speech", "mails turns"),
    *("digest mon 18:00", "mails digest", "board large", "page off", "auto off", "help commands"),
)
_VANISHING = (6, 13)
_EAGER = 0.5  # of the moves have something beside them


@dataclass(frozen=True)
class Secret:
    """Private words: who wrote them, in which match, and to which partner, if to any."""

    author: str
    match: int
    words: str
    partner: str = ""


@dataclass
class Player:
    """A person with a mailbox; the season drives them by ``arrive``, ``react`` and ``wake``."""

    name: str
    address: str
    random: Random
    offers: deque[str]
    ideas: list[str]
    vanishes_after: int | None = None
    rematches: int = 2
    joins: int = 4
    inbox: list[Letter] = field(default_factory=list)
    asked: dict[int, Letter] = field(default_factory=dict)
    over: set[int] = field(default_factory=set)
    secrets: list[Secret] = field(default_factory=list)
    plans: list[Secret] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    settings: deque[str] = field(default_factory=deque)
    invitations: deque[str] = field(default_factory=deque)
    wishes: deque[str] = field(default_factory=deque)
    seeking: int = 0
    has_gone: bool = False

    def arrive(self, letter: Letter) -> None:
        """Find a letter in the mailbox."""
        self.inbox.append(letter)
        if letter.match is not None:
            if letter.ends:
                self.over.add(letter.match)
                self.asked.pop(letter.match, None)
            elif letter.example:
                self.asked[letter.match] = letter
            self.known |= set(_opponents(letter))

    def react(self, letter: Letter, now: datetime) -> Iterator[tuple[Letter, str]]:
        """Yield what they answer to a letter, each with the letter that it answers."""
        if self.vanishes_after is not None and len(self.inbox) > self.vanishes_after:
            self.has_gone = True
            return
        match = letter.match
        if letter.turns():
            yield letter, "\n".join(f"{number} {move}" for number, move in letter.turns())
            for number, _ in letter.turns():
                self.asked.pop(number, None)
        elif letter.asks_for("reply yes, and you’ll be called"):
            yield letter, "yes"
        elif letter.asks_for("Reply accept to play") or letter.asks_for("reply accept to play"):
            yield letter, "accept" if self.random.random() < 0.9 else "decline"
        elif letter.offered():
            yield from self._join(letter)
        elif letter.asks_for("reply yes. Then you get an email with the board") or letter.asks_for("would, reply yes"):
            yield letter, "yes"
        elif letter.ends:
            yield from self._close(letter)
        elif letter.asks_for("Reply claim to") and match not in self.over:
            yield letter, "claim" if self.random.random() < 0.8 else "wait 1d"
        elif letter.asks_for("Reply ready."):
            yield letter, self.random.choice(("ready", "ready", f"salt {self.name} was here"))
        elif letter.asks_for("If you agree, reply yes") and self.random.random() < 0.7:
            self.asked.pop(match or 0, None)
            yield letter, "yes"
        elif letter.word_to_confirm:
            yield letter, letter.word_to_confirm
        elif letter.asks_for("To play it, reply yes."):
            self.asked.pop(match or 0, None)
            yield letter, "yes"
        elif letter.asks_for("You get this because you follow this match") and self.random.random() < 0.5:
            yield letter, "unwatch"
        elif letter.asks_for("for your side") and letter.free_cells() and "propose" in self.ideas:
            self.ideas.remove("propose")
            yield letter, f"propose {self.random.choice(letter.free_cells())}"
        elif letter.is_receipt and match not in self.over:
            yield from self._wait(letter)
        if match is not None and self.asked.get(match) is letter:
            yield from self._play(letter, match, now)

    def wake(self, now: datetime, day: int) -> Iterator[tuple[Letter, str]]:
        """Yield what they write in the morning of a day, in answer to the last letter about starting matches."""
        about = next((one for one in reversed(self.inbox) if "Open games" in one.subject), None)
        if about is None or self.has_gone:
            return
        lines: list[str] = []
        if day > SEASON_DAYS:
            if self.seeking:
                self.seeking = 0
                yield about, "unseek"
            return
        if self.offers and day % 3 == 0:
            self.seeking += 1
            lines.append(f"seek {self.offers.popleft()} days={self.random.choice((2, 3))}")
        if self.invitations and self.known and day > 4:
            lines.append(self.invitations.popleft().format(name=self.random.choice(sorted(self.known))))
        if self.wishes and (day > 5 or self.wishes[0].startswith("block")):
            lines.append(self.wishes.popleft())
        if self.joins > 0:
            lines.append("offers")
        if lines:
            yield about, "\n".join(lines)

    def _join(self, letter: Letter) -> Iterator[tuple[Letter, str]]:
        """Take a place that is offered, if they want more matches."""
        offered = letter.offered()
        self.known |= {name for _, name, _ in offered if name in NAMES}
        if self.joins > 0:
            self.joins -= 1
            yield letter, f"join {self.random.choice(offered)[2]}"

    def _close(self, letter: Letter) -> Iterator[tuple[Letter, str]]:
        """Say good-bye, show what was kept, or ask for another match."""
        lines = []
        if any(secret.match == letter.match and not secret.partner for secret in self.secrets):
            lines.append("publish")
        if self.rematches > 0 and letter.asks_for("again"):
            self.rematches -= 1
            lines.append("again")
        elif self.random.random() < 0.3:
            lines.append("say: Well played, everybody.")
        if lines:
            yield letter, "\n".join(lines)

    def _wait(self, letter: Letter) -> Iterator[tuple[Letter, str]]:
        """Use the time until the others have moved."""
        if self.random.random() > _EAGER / 4:
            return
        idea = self.random.choice(_AFTER_MOVE)
        if idea == "say":
            yield letter, "say: Take your time."
        else:
            yield letter, idea

    def _play(self, letter: Letter, match: int, now: datetime) -> Iterator[tuple[Letter, str]]:
        """Make a move, with whatever else is on their mind."""
        self.asked.pop(match, None)
        move = "take" if letter.offers_side else letter.example
        if letter.complains:
            yield letter, letter.example
            return
        free = letter.free_cells()
        if free and len(letter.example) == 2 and not letter.offers_side and self.random.random() < 0.5:
            move = self.random.choice(free)
        if self.random.random() < 0.02:
            move = move.upper() + "9"  # a slip
        below, before = "", ""
        if self.settings:
            below = self.settings.popleft()
        elif self.ideas and self.random.random() < _EAGER:
            before, below = self._have_idea(letter, match, move, now)
        if before:
            yield letter, before
        yield letter, f"{move}\n{below}".rstrip()

    def _have_idea(self, letter: Letter, match: int, move: str, now: datetime) -> tuple[str, str]:
        """Return what stands in a message before the move, and what below it."""
        idea = self.ideas.pop()
        partner = next((name for name in _opponents(letter) if letter.asks_for(f"goes to {name} only")), "")
        if idea == "propose" or (idea == "team" and not partner):
            self.ideas.insert(0, idea)
            return "", ""
        if idea == "team":
            return "", f"team: {self._secret(match, partner)}"
        if idea == "if":
            return "", "\n".join(self._plan(letter, move))
        if idea == "note":
            return "", f"note: {self._secret(match)}"
        if idea in ("what", "try"):
            return f"{idea} {letter.example}", ""
        if idea == "say":
            return "", "say: That was a hard one!"
        if idea in ("pause", "vacation"):
            return "", f"{idea} {self.random.choice((2, 3))} days"
        if idea == "standin":
            others = sorted(self.known - set(_opponents(letter)) - {self.name})
            until = now + timedelta(days=6)
            return (f"standin {self.random.choice(others)} until {until:%-d %b}", "") if others else ("", "")
        return "", idea

    def _plan(self, letter: Letter, move: str) -> Iterator[str]:
        """Yield plans for whatever may come on the free points of the board: an answer on another free point."""
        one_a_turn = letter.subject.partition("] ")[2].startswith(("Pipline", "SnipSnip"))
        free = [cell for cell in letter.free_cells() if cell != move]
        if one_a_turn and not letter.offers_side and len(free) > 3:
            random, first = self.random, self.random.randrange(len(free))
            foreseen = (free[first:] + free[:first])[:12]
            lines = [f"if {cell} then {random.choice([one for one in free if one != cell])}" for cell in foreseen]
            self.plans += [Secret(self.name, letter.match or 0, line) for line in lines]
            yield "\n".join(lines)

    def _secret(self, match: int, partner: str = "") -> str:
        """Return private words that nobody else would write, and remember them."""
        words = f"q{self.name.lower()}whispers{len(self.secrets)}q"  # no other begins or ends with it
        self.secrets.append(Secret(self.name, match, words, partner))
        return f"I think of {words}"


def make_players(seed: int) -> list[Player]:
    """Return twenty players, two of whom vanish; each has wishes of their own, and all games are offered."""
    random = Random(seed)
    games = deque(_GAMES)
    made = []
    for place, name in enumerate(NAMES):
        offers = deque[str]()
        for _ in range(3):
            offers.append(games[0])
            games.rotate(-1)
        ideas = list(_BESIDE_MOVE)
        random.shuffle(ideas)
        made.append(
            Player(
                name,
                f"{name.lower()}@{random.choice(('post', 'mail', 'home'))}.example",
                Random(f"{seed} {name}"),
                offers,
                ideas,
                vanishes_after=random.randrange(25, 35) if place in _VANISHING else None,
                settings=deque([_SETTINGS[place]] if place < len(_SETTINGS) else []),
                invitations=deque(
                    ["new pippip {name}", "pair snipsnip {name}", "new zipline {name} size=5"][place % 3 :][:1]
                    if place % 2 == 0
                    else []
                ),
            )
        )
    made[3].wishes.extend(["watch 2", "watch 5", "cancel 99"])
    made[9].wishes.extend(["block Leo", "unblock Leo", "name Jonny", "vacation 2 days", "back"])
    made[_VANISHING[1]].wishes.append(f"block {made[_VANISHING[0]].address}")  # nobody would be left to end their match
    return made


def _opponents(letter: Letter) -> list[str]:
    """Return the names of the others, as the subject gives them."""
    _, _, names = letter.subject.partition(" vs ")
    return [name for part in names.split(" & ") for name in part.split(", ") if name]
