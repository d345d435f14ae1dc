"""Plays a story: a text file with messages to the service, the time that passes, and what comes of each step.

A story holds what people do, and below each step what the service did: lines that begin with ``=>`` or ``|``. `play`
reads only what people do, plays it on a real service, and returns the whole file anew. `tests/README.md` tells how
to write one.
"""

import asyncio
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import parseaddr
from html import escape, unescape
from itertools import takewhile
from pathlib import Path

import pytest

from pbem.boards.html import without_links
from pbem.commands.decision import MatchDecision
from pbem.commands.ruling import adjudicate, call_off, reinstate
from pbem.due.broadcast import broadcast, choose_readers
from pbem.errors import BadInput
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.preferences import Display
from pbem.match.records import record_text
from pbem.notices.board_block import BoardRenderings, RenderedBoard
from pbem.pipeline.act import Act
from pbem.running.league_rulings import (
    disqualify,
    enter_players,
    extend_league,
    open_league,
    pause_league,
    replace_in_league,
    undo_last,
)
from pbem.running.operator_rulings import (
    change_player_addresses,
    merge_players,
    put_back,
    rename_player,
    rule,
    seat_another,
    take_back,
)
from pbem.settings.model import Settings
from pbem.storage.messages.records import InboundRecord, OutboundRecord
from rules.games import GAMES
from tests.support.chosen import changed
from tests.support.club import ADDRESS, OPERATOR, Club, make_club
from tests.support.fakes import FakeClock
from tests.support.mails import html_of, message, read, refer_to_none, text_of

HEAD = ("Game", "Options", "Players", "Clock", "Settings", "Played", "Emails", "Reader")
"""What can stand at the head of a story."""

WHOLE = ", with whole emails"
"""Ends the sentence of a step whose emails are shown with their boards, and with ends that were shown before."""

_READER = re.compile(r", as ([\w.@]+) reads it")
"""Ends the sentence of a step of whose emails those to one reader are shown."""

_USUAL = 20  # emails that a step leads to
_INDENT = "    "
_ORDINALS = {"newest": -1, "first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4}
_WHICH = rf"the (?P<which>{'|'.join(_ORDINALS)})(?: (?P<kind>\w+))? email"
_IN = r"(?: in match (?P<match>\d+))?"
_CELL_LINK = re.compile(r'<a href="mailto:[^"]*"\s+aria-label=[^>]*>([^<]*)</a>')
_DRAWN: dict[Display, str] = {"unicode": " in signs", "speech": " in words"}


class StoryError(Exception):
    """A story that cannot be played; the sentence names the line."""


@dataclass
class Part:
    """Some lines of a story as they are written: a comment, the head, or a step."""

    kind: str
    line: int
    lines: list[str]
    headers: dict[str, str] = field(default_factory=dict)
    answered: bool = False
    """Whether nothing may be added: what came of the part has begun, or an empty line has ended it."""

    @property
    def body(self) -> str:
        """The text below the sentence of a step."""
        below = [line for line in self.lines[1:] if not line.startswith("with ")]
        return "\n".join(line.removeprefix(_INDENT) for line in below).strip("\n")


def read_parts(text: str) -> list[Part]:
    """Return the parts of a story, without what the service did; raises StoryError."""
    parts: list[Part] = []
    for number, line in enumerate(text.splitlines(), 1):
        part = parts[-1] if parts else Part("none", 0, [], answered=True)
        header = re.match(rf"({'|'.join(HEAD)}): +(.+)", line)
        if line.startswith(("=>", "|")):
            _need(part.kind in ("step", "head"), number, f"there is no step above “{line[:40]}”")
            part.answered = True
        elif not line.strip():
            if part.kind == "step" and not part.answered:
                part.lines.append("")
            else:
                part.answered = True
        elif line.startswith(_INDENT):
            _need(part.kind == "step" and not part.answered, number, f"“{line.strip()[:40]}” belongs to no step")
            part.lines.append(line.rstrip())
        elif given := re.fullmatch(r"with ([A-Za-z-]+):(.*)", line):
            _need(part.kind == "step" and not part.answered, number, f"the header {given[1]} belongs to no step")
            _need(not part.body, number, f"the header {given[1]} must stand above the text of its message")
            part.headers[given[1]] = given[2].strip()
            part.lines.append(line.rstrip())
        else:
            kind = "remark" if line.startswith("#") else "head" if header else "step"
            if kind == "step" or part.kind != kind or part.answered:
                _need(kind != "head" or all(one.kind == "remark" for one in parts), number, "the head comes first")
                part = Part(kind, number, [])
                parts.append(part)
            part.lines.append(line.rstrip())
            if header:
                part.headers[header[1]] = header[2].strip()
    for part in parts:
        while not part.lines[-1]:
            part.lines.pop()
    return parts


def _need(condition: bool, number: int, what: str) -> None:
    """Raise StoryError for a line that is wrong."""
    if not condition:
        raise StoryError(f"Line {number}: {what}.")


def play(text: str, settings: Settings, shown: list[tuple[str, EmailMessage]] | None = None) -> str:
    """Return a story with what comes of each of its steps now; raises StoryError.

    To ``shown`` every email is added that is shown, with its reader's address.
    """
    parts = read_parts(text)
    theatre = _Theatre(settings, _head_of(parts))
    theatre.shown = shown if shown is not None else []
    try:
        with _noted_boards(theatre.boards):
            return "\n\n".join("\n".join([*part.lines, *theatre.played(part)]) for part in parts) + "\n"
    finally:
        theatre.club.service.database.close()


def emails_in(text: str, settings: Settings) -> list[tuple[str, EmailMessage]]:
    """Return every email that the service sends in a story, each with its kind; raises StoryError."""
    parts = read_parts(text)
    theatre = _Theatre(settings, _head_of(parts))
    try:
        found: dict[str, tuple[str, EmailMessage]] = {}  # by Message-ID: a restored copy gives numbers again
        for part in parts:
            theatre.played(part)
            for queued in theatre.club.queued():  # now: what a forgotten player got is erased later
                if queued.message_id not in found:
                    found[queued.message_id] = (queued.kind, theatre.club.mail(queued))
        return list(found.values())
    finally:
        theatre.club.service.database.close()


def _head_of(parts: Sequence[Part]) -> dict[str, str]:
    """Return what stands at the head of a story."""
    return next((part.headers for part in parts if part.kind == "head"), {})


@contextmanager
def _noted_boards(boards: dict[str, tuple[str, RenderedBoard]]) -> Iterator[None]:
    """Note each board that is drawn for an email meanwhile, by its text, with what stands for it in a story."""
    render = BoardRenderings.render

    def note(renderings: BoardRenderings, display: Display, *, acting: bool) -> RenderedBoard:
        board = render(renderings, display, acting=acting)
        boards[board.text] = _named(renderings, display), board
        return board

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BoardRenderings, "render", note)
        yield


def _named(renderings: BoardRenderings, display: Display) -> str:
    """Return what stands for a board: how it is drawn as text, and which of its cells are marked."""
    told = f"board{_DRAWN.get(display, '')}"
    for mark in ("last", "proposed"):
        if marked := [cell.name for cell in renderings.view.cells if mark in cell.marks]:
            told += f", {mark} {' '.join(marked)}"
    return f"[{told}]"


def _let_go_on(match: Match, now: datetime) -> MatchDecision:
    """Return the decision that takes the ruling of a match back."""
    return reinstate(match, "void" if match.ruling and match.ruling.kind == "void" else "adjudicated", now)


class _Theatre:
    """A service in the middle of a story: what it has received and written so far."""

    def __init__(self, settings: Settings, head: dict[str, str]) -> None:
        start = datetime.fromisoformat(head.get("Clock", "2026-11-20 18:30")).replace(tzinfo=UTC)
        chosen = changed(settings, **{key: _value(word) for key, word in _pairs(head.get("Settings", ""))})
        self.failing = False
        self.club: Club = make_club(chosen, clock=FakeClock(start), at=self._pass)
        self.people = {"The operator": OPERATOR, "A stranger": "stranger@elsewhere.example"}
        self.last = b""
        self.boards: dict[str, tuple[str, RenderedBoard]] = {}
        self.shown: list[tuple[str, EmailMessage]] = []
        self._always_reader = self._reader = ""
        if "Reader" in head:
            name, self._always_reader = parseaddr(head["Reader"])
            self.people[name] = head["Reader"]
        self._always_whole = head.get("Emails") == "whole"
        self._whole = self._always_whole
        self._latest_like: dict[tuple[str, str], list[str]] = {}
        self._written: Counter[str] = Counter()
        self._emails: list[OutboundRecord] = []
        self._opened_emails: dict[str, tuple[bytes, EmailMessage]] = {}
        self._latest = 0
        self._copy: Path | None = None
        self._known: dict[int, tuple[str, str, tuple[str, ...]]] = {}
        self._doing: tuple[tuple[str, Callable[[re.Match[str], Part], list[str]]], ...] = (
            (
                rf"(?:(?P<times>\d+) times )?(?P<name>[\w.@]+) replies(?: to {_WHICH})?{_IN}"
                r"(?P<quoting>, quoting it(?: without marks)?)?(?:, with (?P<size>\d+) MB of pictures)?:",
                self._reply,
            ),
            (r"(?:(?P<times>\d+) times )?(?P<name>[\w ]+) writes a new message:", self._write),
            (rf"A message arrives(?: about {_WHICH} to (?P<name>[\w ]+))?:", self._raw),
            (r"The same message arrives again", self._again),
            (r"(?P<count>\d+) (?P<unit>minute|hour|day)s? later", self._wait),
            (r"The service looks for matches in which nobody writes", self._put_away),
            (r"The service runs for (?P<count>\d+) (?P<unit>minute|hour|day)s?", self._run),
            (
                r"The operator opens (?P<private>private )?(?P<game>\w+)(?: with (?P<options>.+?))?"
                r" for (?P<players>.+)",
                self._open,
            ),
            (
                r"The operator opens the league (?P<league>[\w-]+) of (?P<game>\w+)(?: with (?P<options>.+?))?,"
                r" (?P<size>\d) in a division, for (?P<players>.+)",
                self._open_league,
            ),
            (r"The operator seats (?P<newcomer>.+>) for (?P<who>\w+) in match (?P<match>\d+)", self._seat),
            (r"The operator takes match (?P<match>\d+) back to entry (?P<ply>\d+)", self._take_back),
            (r"The operator puts back what was taken back in match (?P<match>\d+)", self._put_back),
            (r"The operator calls match (?P<match>\d+) off", self._rule(call_off)),
            (
                r"The operator lets match (?P<match>\d+) go on",
                self._rule(_let_go_on),
            ),
            (
                r"The operator decides match (?P<match>\d+) for seat (?P<seat>\d)",
                lambda found, part: self._rule(lambda match, now: adjudicate(match, [int(found["seat"]) - 1], now))(
                    found, part
                ),
            ),
            (r"The operator exports match (?P<match>\d+)", self._export),
            (r"The operator renames (?P<who>[\w ]+?) to (?P<name>.+)", self._rename),
            (r"The operator changes the addresses of (?P<who>[\w ]+): (?P<changes>.+)", self._readdress),
            (r"The operator merges (?P<who>[\w ]+) into (?P<name>[\w ]+)", self._merge),
            (r"The operator enters (?P<who>.+) into the (?P<league>\S+) league", self._league),
            (r"The operator pauses the (?P<league>\S+) league for (?P<days>\d+) days", self._league),
            (r"The operator gives everyone in the (?P<league>\S+) league (?P<days>\d+) days", self._league),
            (
                r"The operator lets (?P<newcomer>.+>) have (?P<who>\w+)’s place in the (?P<league>\S+) league",
                self._league,
            ),
            (r"The operator takes (?P<who>\w+) out of the (?P<league>\S+) league", self._league),
            (r"The operator takes back what they decided in the (?P<league>\S+) league", self._league),
            (r"The operator writes to (?P<whom>all who play|everybody) about “(?P<subject>.+)”:", self._broadcast),
            (r"The robots move(?:, losing|, in vain)?", self._let_robots_move),
            (r"The service delivers", self._deliver),
            (r"The operator copies the database", self._make_copy),
            (r"The operator restores the copy", self._restore),
            (rf"They play on{_IN}:", self._play_on),
            (r"The next message meets a bug", self._fail),
            (r"No entry can be written any more", self._break),
        )

    def played(self, part: Part) -> list[str]:
        """Play a part, and return the lines that tell what came of it."""
        if part.kind == "head":
            if "Game" not in part.headers:
                return []
            _need("Players" in part.headers, part.line, "a game needs players")
            lines = self._opened(*(part.headers.get(key, "") for key in ("Game", "Options", "Players")))
            moves = part.headers.get("Played")
            if moves is None:
                return lines
            self._latest_like.clear()  # their readers' emails are not shown
            return lines[:1] + self._moves(moves.removeprefix("nothing"), None, part)
        if part.kind == "remark":
            return []
        self._whole = self._always_whole or WHOLE in part.lines[0]
        sentence, self._reader = part.lines[0].replace(WHOLE, ""), self._always_reader
        if found := _READER.search(sentence):
            sentence, self._reader = sentence.replace(found[0], ""), parseaddr(self.people.get(found[1], found[1]))[1]
            _need("@" in self._reader, part.line, f"nobody is called {found[1]}")
        for pattern, do in self._doing:
            if found := re.fullmatch(pattern, sentence):
                takes_text = sentence.endswith(":")
                _need(takes_text or len(part.lines) == 1, part.line, f"“{part.lines[0]}” takes no text")
                return do(found, part)
        raise StoryError(
            f"Line {part.line}: “{part.lines[0][:60]}” is no step; the steps are those of tests/README.md, for example"
            " “Ann replies:”, “2 hours later” or “The service delivers”."
        )

    def _reply(self, found: re.Match[str], part: Part) -> list[str]:
        """Let somebody answer an email."""
        mail = self._read(self._email(found, part))
        body = part.body
        if found["quoting"]:
            mark = "" if "without" in found["quoting"] else "> "
            body += "\n\npbem wrote:\n\n" + "\n".join(f"{mark}{line}" for line in text_of(mail).splitlines())
        if found["size"]:
            body += "\n\n" + "iVBORw0KGgoAAAANSUhEUgAA\n" * (int(found["size"]) * 40_000)
        given = {
            "From": str(mail["To"]),
            "To": str(mail["Reply-To"]),
            "Subject": f"Re: {mail['Subject']}",
            "In-Reply-To": str(mail["Message-ID"]),
            "References": f"{mail['References'] or ''} {mail['Message-ID']}".strip(),
        }
        return self._sent(given | part.headers, body, int(found["times"] or 1))

    def _write(self, found: re.Match[str], part: Part) -> list[str]:
        """Let somebody write without answering an email."""
        sender = self.people.get(found["name"], "")
        _need(bool(sender), part.line, f"nobody is called {found['name']}")
        return self._sent({"From": sender, "To": ADDRESS, "Subject": ""} | part.headers, part.body, found["times"])

    def _sent(self, headers: dict[str, str], body: str, times: str | int | None) -> list[str]:
        """Hand in a message, with a Message-ID that the same words always get; tell what came of it."""
        ends: list[str] = []
        for number in range(1, int(times or 1) + 1):
            sender = headers["From"].replace("{number}", str(number))
            words = f"{sender}\n{body}"
            self._written[words] += 1
            name = hashlib.sha256(f"{self._written[words]}\n{words}".encode()).hexdigest()[:12]
            given = {"Message-ID": f"<{name}@mail.example>", "Content-Type": "text/plain; charset=utf-8"}
            given |= headers | {"From": sender}
            raw = message(body, **{name: value for name, value in given.items() if value})
            ends += self._handed_in(raw)
        if int(times or 1) == 1:
            return [*ends, *self._news()]
        ends += (f"=> {mail.kind} to {mail.recipient}" for mail in self._new_emails())
        return [f"=> {count} × {end.removeprefix('=> ')}" for end, count in Counter(ends).items()]

    def _raw(self, found: re.Match[str], part: Part) -> list[str]:
        """Let a message arrive just as it stands in the story; {to} and the like are those of an email."""
        raw = part.body
        if found["name"]:
            queued = self._email(found, part)
            mail = self._read(queued)
            for name in ("To", "Reply-To", "Message-ID", "Subject"):
                raw = raw.replace(f"{{{name}}}", str(mail[name]))
            raw = (
                raw.replace("{envelope}", self.club.envelope_of(queued))
                .replace("{address}", queued.recipient)
                .replace("{email}", mail.as_string())
            )
        return [*self._handed_in(f"{raw}\n".encode()), *self._news()]

    def _again(self, found: re.Match[str], part: Part) -> list[str]:
        """Let the last message be delivered twice."""
        _need(bool(self.last), part.line, "no message has arrived yet")
        return [*self._handed_in(self.last), *self._news()]

    def _handed_in(self, raw: bytes) -> list[str]:
        """Hand in a message, and return the lines that tell how it ended."""
        self.last = raw
        arrival = self.club.service.hand_in(raw)
        self.failing = False
        if arrival.duplicate:
            return ["=> arrived before: nothing is done"]
        self._known[arrival.message.id] = _state_of(arrival.message)
        return _end_of(arrival.message)

    def _wait(self, found: re.Match[str], part: Part) -> list[str]:
        """Let time pass."""
        self.club.clock.advance(timedelta(**{f"{found['unit']}s": int(found["count"])}))
        return []

    def _put_away(self, found: re.Match[str], part: Part) -> list[str]:
        """Let matches be put away in which nobody has written for very long."""
        asyncio.run(self.club.service.put_away_quiet())
        return self._news()

    def _run(self, found: re.Match[str], part: Part) -> list[str]:
        """Let the service run for some time, and tell what it sends, and when."""
        lines: list[str] = []
        for moment in self.club.pass_time(timedelta(**{f"{found['unit']}s": int(found["count"])})):
            news = self._news()
            if news != ["=> no email"]:
                lines += [f"=> on {moment:%A, %d %B, at %H:%M} UTC", *news]
        return lines or ["=> no email"]

    def _let_robots_move(self, found: re.Match[str], part: Part) -> list[str]:
        """Let robots think, who play the first legal move and hope for half a win, or for less; tell what is sent."""
        self.club.thinker.value = 400 if "losing" in found[0] else 500
        self.club.thinker.lost = {1, 2, 3} if "in vain" in found[0] else set()
        self.club.let_robots_move()
        return self._news()

    def _open(self, found: re.Match[str], part: Part) -> list[str]:
        """Open a match."""
        return self._opened(found["game"], found["options"] or "", found["players"], private=bool(found["private"]))

    def _opened(self, game: str, options: str, players: str, *, private: bool = False) -> list[str]:
        """Open a match, and note its players."""
        try:
            match = self.club.service.open(game, _listed(players), dict(_pairs(options)), private=private)
        except BadInput as refused:
            return [f"=> refused: {refused}"]
        self.people |= {player.name: f"{player.name} <{player.email}>" for player in match.players}
        return [f"=> match {match.id} is open", *self._news()]

    def _open_league(self, found: re.Match[str], part: Part) -> list[str]:
        """Open a league of matches of two, and enter players."""
        players, options = _listed(found["players"]), dict(_pairs(found["options"] or ""))
        game, size = GAMES[found["game"]], int(found["size"])
        open_league(self.club.service, found["league"], game, options, seats=2, size=size, players=players)
        self.people |= {parseaddr(player)[0]: player for player in players}
        return self._news()

    def _export(self, found: re.Match[str], part: Part) -> list[str]:
        """Show the record of a match, as it is exported."""
        return _boxed(record_text(self.club.match(int(found["match"]))).splitlines())

    def _rule(self, decide: Callable[[Match, datetime], MatchDecision]) -> Callable[[re.Match[str], Part], list[str]]:
        """Return the step in which the operator decides something about a match."""

        def do(found: re.Match[str], part: Part) -> list[str]:
            return self._decided(lambda number: rule(self.club.service, number, decide), found)

        return do

    def _decided(self, act: Callable[[int], MatchDecision], found: re.Match[str]) -> list[str]:
        """Let the operator act in a match, and tell what comes of it."""
        try:
            decision = act(int(found["match"]))
        except BadInput as refused:
            return [f"=> refused: {refused}"]
        return [f"=> {decision.log[0].kind}", *self._news()]

    def _seat(self, found: re.Match[str], part: Part) -> list[str]:
        """Let somebody have the seat of another player."""
        lines = self._decided(
            lambda number: seat_another(self.club.service, number, found["who"], found["newcomer"]), found
        )
        self.people |= {player.name: f"{player.name} <{player.email}>" for player in self.club.match().players}
        return lines

    def _take_back(self, found: re.Match[str], part: Part) -> list[str]:
        """Take entries of a match back."""
        return self._decided(lambda number: take_back(self.club.service, number, int(found["ply"]), None), found)

    def _put_back(self, found: re.Match[str], part: Part) -> list[str]:
        """Put them back."""
        return self._decided(lambda number: put_back(self.club.service, number), found)

    def _rename(self, found: re.Match[str], part: Part) -> list[str]:
        """Give a player another name."""
        return self._changed(lambda: rename_player(self.club.service, found["who"], found["name"])[1])

    def _readdress(self, found: re.Match[str], part: Part) -> list[str]:
        """Change the addresses of a player: “main x@y.example, remove z@w.example”."""
        changes: dict[str, list[str]] = {"add": [], "remove": [], "main": []}
        for what, email in (change.split() for change in _listed(found["changes"])):
            changes[what].append(email)
        main = "".join(changes.pop("main"))
        return self._changed(
            lambda: change_player_addresses(self.club.service, found["who"], main=main, **changes).player
        )

    def _merge(self, found: re.Match[str], part: Part) -> list[str]:
        """Make two players one."""
        return self._changed(lambda: merge_players(self.club.service, found["who"], found["name"]).player)

    def _league(self, found: re.Match[str], part: Part) -> list[str]:
        """Let the operator decide something in a league, which is told by what they say."""
        service, name, told = self.club.service, found["league"], found.groupdict()
        if "newcomer" in told:
            replace_in_league(service, name, told["who"], told["newcomer"])
        elif " enters " in found[0]:
            enter_players(service, name, _listed(told["who"]))
        elif "who" in told:
            disqualify(service, name, told["who"])
        elif " pauses " in found[0]:
            pause_league(service, name, self.club.clock.now() + timedelta(days=int(told["days"])))
        elif "days" in told:
            extend_league(service, name, int(told["days"]) * 86_400)
        else:
            undo_last(service, name)
        return self._news()

    def _changed(self, act: Callable[[], Player]) -> list[str]:
        """Let the operator change a player, and tell what comes of it."""
        try:
            player = act()
        except BadInput as refused:
            return [f"=> refused: {refused}"]
        self.people[player.name] = f"{player.name} <{player.email}>"
        return [f"=> {player.name} has {', '.join(sorted(player.emails))}", *self._news()]

    def _broadcast(self, found: re.Match[str], part: Part) -> list[str]:
        """Let the operator write to players; all but the first are told by their addresses alone."""
        service, everybody = self.club.service, found["whom"] == "everybody"
        now, subject = self.club.clock.now(), found["subject"]
        with service.database.transaction() as tx:
            readers = choose_readers(tx, subject, part.body, now, match=None, everybody=everybody, again=False)
            broadcast(Act(tx, service.site, now), readers.players, subject, part.body)
        none = [f"=> {count} {why}" for why, count in sorted(readers.without.items())]
        emails = self._new_emails()
        told = self._told(emails[0]) if emails else ["=> no email"]
        return [*none, *told, *(f"=> {mail.kind} to {self._read(mail)['To']}" for mail in emails[1:])]

    def _deliver(self, found: re.Match[str], part: Part) -> list[str]:
        """Let the service send what is due, and do what is due."""
        sent = asyncio.run(self.club.service.deliver()).sent
        return [f"=> {sent} sent", *self._news()]

    def _make_copy(self, found: re.Match[str], part: Part) -> list[str]:
        """Copy the database, as ``pbem backup`` does."""
        database = self.club.service.database
        assert database.file is not None
        self._copy = database.file.with_name("copy.db")
        self._copy.unlink(missing_ok=True)
        database.copy_to(self._copy)
        return []

    def _restore(self, found: re.Match[str], part: Part) -> list[str]:
        """Stop the service, put the copy in its database's place, and start it again; players keep their emails."""
        _need(self._copy is not None, part.line, "the database was not copied")
        old = self.club
        for mail in self._emails:
            self._read(mail)
        file = old.service.database.file
        assert file is not None
        assert self._copy is not None
        old.service.database.close()
        for suffix in ("-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
        file.write_bytes(self._copy.read_bytes())
        self.club = make_club(old.service.settings, clock=old.clock, dice=old.dice, at=self._pass)
        self._latest = max((mail.id for mail in self.club.queued()), default=0)
        self._known.clear()
        return []

    def _play_on(self, found: re.Match[str], part: Part) -> list[str]:
        """Let whoever is awaited send the next of the moves below; the emails are not shown."""
        return self._moves(part.body, found["match"], part)

    def _moves(self, moves: str, match: str | None, part: Part) -> list[str]:
        """Send moves that are parted by commas, each from whoever is awaited; tell only how they ended."""
        ends: list[str] = []
        number = int(match or 1)
        self._new_emails()
        for move in _listed(moves.replace("\n", " ")):
            one = self.club.match(number)
            seat = one.unseeded[0] if one.awaits_seeds else one.to_act
            _need(isinstance(seat, int), part.line, f"nobody is awaited who could send “{move}”")
            assert isinstance(seat, int)
            mail = self._read([one for one in self._emails if (one.match, one.seat) == (number, seat)][-1])
            given = {"From": str(mail["To"]), "To": str(mail["Reply-To"]), "Subject": "", "Message-ID": ""}
            given["Message-ID"] = f"<move-{number}-{one.ply}-{seat}@mail.example>"
            arrival = self.club.service.hand_in(message(move, **given, Content_Type="text/plain; charset=utf-8"))
            self._known[arrival.message.id] = _state_of(arrival.message)
            self._new_emails()
            accepted = arrival.message.status == "accepted"
            ends.append("moves accepted" if accepted else f"× {arrival.message.reason}: {move}")
        return [f"=> {count} {end}" for end, count in Counter(ends).items()]

    def _fail(self, found: re.Match[str], part: Part) -> list[str]:
        """Let the next message meet a bug."""
        self.failing = True
        return []

    def _break(self, found: re.Match[str], part: Part) -> list[str]:
        """Let the database refuse every entry of a match."""
        refused = "BEGIN SELECT RAISE(FAIL, 'disk'); END"
        with self.club.service.database.transaction() as tx:
            tx.due._connection.exec_driver_sql(f"CREATE TRIGGER broken BEFORE INSERT ON matchentry {refused}")
        return []

    def _pass(self, waypoint: str) -> None:
        """Raise what a bug raises, once it is wanted."""
        if waypoint == "while processing" and self.failing:
            raise ZeroDivisionError("division by zero")

    def _email(self, found: re.Match[str], part: Part) -> OutboundRecord:
        """Return the email that a step speaks of."""
        given = found.groupdict()
        name, kind, number = given["name"], given.get("kind"), given.get("match")
        address = self.people.get(name, name).rpartition("<")[2].rstrip(">")
        emails = [
            mail
            for mail in self._emails
            if mail.recipient == address
            and (not kind or mail.kind == kind)
            and (number is None or mail.match == int(number))
        ]
        place = _ORDINALS[given.get("which") or "newest"]
        _need(-len(emails) <= place < len(emails), part.line, f"there is no such email to {name}")
        return emails[place]

    def _news(self) -> list[str]:
        """Return the lines about messages that have come to another end, and about emails not told of so far.

        A story, or a step, that one player reads has no emails to others.
        """
        lines = []
        with self.club.service.database.reading() as tx:
            messages = tx.inbound.latest(limit=1000)
        for one in reversed(messages):
            if self._known.get(one.id, _state_of(one)) != _state_of(one):
                lines.append(f"=> message {one.id} now: {_end_of(one)[0].removeprefix('=> ')}")
            self._known[one.id] = _state_of(one)
        emails = [mail for mail in self._new_emails() if self._reader in ("", mail.recipient)]
        for mail in emails:
            lines += self._told(mail)
        return lines if emails else [*lines, "=> no email"]

    def _new_emails(self) -> list[OutboundRecord]:
        """Return the emails that were not told of so far."""
        with self.club.service.database.reading() as tx:
            found = tx.outbound.latest(limit=_USUAL)
            if len(found) == _USUAL and found[-1].id > self._latest:
                found = tx.outbound.latest(limit=100_000)
        new = [mail for mail in reversed(found) if mail.id > self._latest]
        self._emails += new
        self._latest = max([self._latest, *(mail.id for mail in new)])
        return new

    def _read(self, queued: OutboundRecord) -> EmailMessage:
        """Return an email as its recipient reads it."""
        return self._read_raw(queued)[1]

    def _read_raw(self, queued: OutboundRecord) -> tuple[bytes, EmailMessage]:
        """Return an email as it is sent, and as it is read."""
        if queued.message_id not in self._opened_emails:
            with self.club.service.database.reading() as tx:
                raw = tx.outbound.raw(queued.id)
            self._opened_emails[queued.message_id] = raw, read(raw)
        return self._opened_emails[queued.message_id]

    def _told(self, queued: OutboundRecord) -> list[str]:
        """Return an email as its reader sees it, and below it the marks that only programs read.

        Unless it is shown whole, a change of a board, or of words that its text has, changes no hash.
        """
        raw, mail = self._read_raw(queued)
        self.shown.append((queued.recipient, mail))
        text = f"\n{text_of(mail).rstrip()}\n"
        html = html_of(mail) if mail.is_multipart() else ""
        if not self._whole:
            text, html = self._without_boards(text, html)
            html = _without_words(html, f"{mail['Subject']}\n{text}")
        paragraphs = text.strip("\n").split("\n\n")
        shown = paragraphs if self._whole else self._without_end(paragraphs, (queued.kind, queued.recipient))
        self._latest_like[queued.kind, queued.recipient] = paragraphs
        lines = [f"Subject: {mail['Subject']}", "", *"\n\n".join(shown).splitlines(), "", _marks_of(raw, mail, html)]
        return [f"=> {queued.kind} to {mail['To']}", *_boxed(lines)]

    def _without_boards(self, text: str, html: str) -> tuple[str, str]:
        """Return the parts of an email with a name in each board’s place; below the HTML, how many cells had links."""
        html, links = _CELL_LINK.subn(r"\1", html)
        for drawn in sorted(self.boards, key=len, reverse=True):
            name, board = self.boards[drawn]
            lines = "\n".join(line.rstrip() for line in drawn.rstrip("\n").splitlines())
            text = text.replace(f"\n{lines}\n", f"\n{name}\n")
            page = refer_to_none(without_links(board.html))
            for form in filter(None, (page, page.replace(' id="board"', "", 1), escape(drawn), board.style)):
                html = html.replace(form, "[board]")
        return text, f"{html}{links} links on cells"

    def _without_end(self, paragraphs: list[str], to: tuple[str, str]) -> list[str]:
        """Return the paragraphs of an email; of the last ones that the latest like it has too, the number."""
        pairs = zip(paragraphs[:0:-1], self._latest_like.get(to, [])[:0:-1], strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        return [*paragraphs[: len(paragraphs) - same], f"[as before: {same}]"] if same > 1 else paragraphs


def _end_of(one: InboundRecord) -> list[str]:
    """Return how a message ended; of a bug only its name, since the traceback holds lines of code."""
    end = ", ".join(word for word in (one.status, one.reason) if word)
    lines = [f"=> {end}" + (f": {' | '.join(one.commands)}" if one.commands else "")]
    if one.detail and one.status != "failed":
        lines.append(f"=> noted for the operator: {one.detail}")
    return lines


def _state_of(one: InboundRecord) -> tuple[str, str, tuple[str, ...]]:
    """Return what can change about a message that has arrived."""
    return one.status, one.reason, one.commands


def _without_words(html: str, text: str) -> str:
    """Return HTML with a sign in the place of words that the text has too: further below there, or above."""
    text, at, parts = " ".join(text.split()), 0, []
    for part in re.split(r"(<[^>]*>)", html):
        words = " ".join(unescape(part).split())
        if not words or part.startswith("<") or words not in text:
            parts.append(part)
            continue
        below = text.find(words, at)
        at = below + len(words) if below >= 0 else at
        parts.append("v" if below >= 0 else "^")
    return "".join(parts)


def _marks_of(raw: bytes, mail: EmailMessage, html: str) -> str:
    """Return in one line what must not change about an email, though its reader does not see it."""
    headers = re.sub(r"\r\n(?=[ \t])", "", raw.partition(b"\r\n\r\n")[0].decode()).split("\r\n")
    own = [header for header in headers if header.lower().startswith("x-pbem-")]
    rest = "\n".join(header for header in headers if header not in own and not header.startswith("Subject: "))
    marks = [
        f"id {str(mail['Message-ID']).strip('<>')}",
        f"reply-to {str(mail['Reply-To']).rpartition('<')[2].rstrip('>')}",
        *own,
        f"headers {_short_hash(rest)}",
        f"html {_short_hash(html) if html else 'none'}",
    ]
    return f"[{' · '.join(marks)}]"


def _short_hash(text: str) -> str:
    """Return the beginning of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _boxed(lines: Sequence[str]) -> list[str]:
    """Return lines marked as what the service wrote."""
    return [f"| {line}".rstrip() for line in lines]


def _listed(text: str) -> list[str]:
    """Return the words of a list that are parted by commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def _pairs(text: str) -> list[tuple[str, str]]:
    """Return names and values, written as ``size=5, draw=cells``."""
    return [(name.strip(), value.strip()) for name, _, value in (pair.partition("=") for pair in _listed(text))]


def _value(word: str) -> str | int:
    """Return a value as the settings hold it."""
    return int(word) if word.isdigit() else word
