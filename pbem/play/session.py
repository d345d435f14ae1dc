"""A match of one person against robots, line by line: what is typed is read and judged as replies are. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from pbem.commands.catalogue import WITHOUT_EMAIL, meant_by_yes
from pbem.commands.decision import Command, MatchDecision
from pbem.commands.effects import AddComment, Append, Reply
from pbem.commands.families.agreement import Undo
from pbem.commands.families.reviewing import Review
from pbem.commands.grammar import read_commands
from pbem.commands.judge import judge
from pbem.commands.rejections import Discard, OfferOpen, Rejection
from pbem.match.match import Match, advance_automatically
from pbem.match.player import Player
from pbem.match.preferences import Display, Preferences
from pbem.match.records import record_text
from pbem.match.stints import STRENGTHS, Stint, robot_name
from pbem.notices.rejected import rejection_content
from pbem.notices.scene import NoticeContent
from pbem.notices.sentences.reasons import say_all
from pbem.notices.sentences.story import describe_events
from pbem.notices.terminal import tell_at_terminal, terminal_text
from pbem.ports import Problem
from pbem.reading.answers import read_answer
from pbem.reading.reason import because
from rules.game import Game, Value
from rules.position import Entry, Seat

_QUIT = frozenset({"quit", "exit", "bye", "q", ":q"})
_HELP = frozenset({"?", "h"})
_ASKED = {"help": "help", "help_commands": "help", "show": "show", "history": "history"}
_SKETCHED = frozenset({"preview", "earlier"})


@dataclass(frozen=True, slots=True)
class Session:
    """A match that is being played: the person has ``seat``, and robots the others.

    ``shown`` is the match as the person has seen it last, ``offered`` what the last answer proposed.
    """

    match: Match
    seat: Seat
    shown: Match
    offered: tuple[str, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether the person is to type something: it is their turn, or all is over."""
        return self.match.to_act in (self.seat, None)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.match.outcome is not None

    @property
    def acting(self) -> Seat:
        """The seat whose turn it is."""
        assert isinstance(self.match.to_act, int)
        return self.match.to_act

    def situation(self) -> str:
        """Return what the person sees before they type: the board, and what they may write, or how it ended."""
        content = NoticeContent(self.shown, first_turns=1)
        return terminal_text("over" if self.is_over else "turn", self.match, self.seat, content)

    def answer(self, line: str, now: datetime) -> "Told":
        """Return what comes of a line that the person typed; it is their turn, or the match is over."""
        words = " ".join("".join(filter(str.isprintable, line.lower().replace("\t", " "))).split())
        if not words:
            return Told(self, "")
        if words.strip(" .!?") in _QUIT:
            return Told(self, "", "quit")
        if words in _HELP:
            line = "help"
        if (said := read_answer([line]).means) and self.offered and (meant := meant_by_yes(self.offered)):
            line = meant if said == "yes" else ""
            if not line:
                return self._refuse(OfferOpen("not_meant_to_act"), (), ())
        commands = read_commands([line])
        if Undo() in commands:
            return self._take_back()
        if Review() in commands:
            return Told(self, "", "review") if self.is_over else Told(self, _sentence("review_later"))
        if not _is_without_email(commands):
            return Told(self, _sentence("only_by_email"))
        try:
            decision = judge(self.match, self.seat, self.match.ply, commands, now=now)
        except Rejection as rejection:
            return self._refuse(rejection, [line], commands)
        except Discard:
            return Told(self, "")
        return self._carry_out(decision)

    def play(self, move: str, now: datetime) -> "Told":
        """Return what comes of the ``move`` of the robot whose turn it is; raise RulesError for an illegal one."""
        after = advance_automatically(self.match.after(Entry(self.acting, move), now), now)
        return self._go_on(after)

    def problem(self) -> Problem:
        """Return what the robot whose turn it is has to think about; at another time, what is known of the match."""
        match, seat = self.match, self.seat if self.asks else self.acting
        entries = tuple((entry.seat, entry.text) for entry in match.record)
        strength = max(player.robot for player in match.players) if match.outcome is None else STRENGTHS[-1]
        return Problem(
            match.game.key, len(match.players), dict(match.options), entries, strength, match.robot_seed(seat)
        )

    def record(self) -> str:
        """Return the match so far as a record."""
        return record_text(self.match)

    def _go_on(self, after: Match, beside: str = "") -> "Told":
        """Return the session after further entries, which are told."""
        events = describe_events(self.match, after, self.seat, steps=True)
        text = "\n".join([*events, *filter(None, [beside])]) + "\n"
        return Told(replace(self, match=after, offered=()), text)

    def _carry_out(self, decision: MatchDecision) -> "Told":
        """Return what comes of a decision, all or nothing of which is for matches without email."""
        asked = tuple(effect for effect in decision.effects if isinstance(effect, Reply))
        known = all(reply.kind in _ASKED or reply.kind in _SKETCHED or reply.kind == "record" for reply in asked)
        if not known or not all(isinstance(effect, Append | Reply | AddComment) for effect in decision.effects):
            return Told(self, _sentence("only_by_email"))
        unread = tell_at_terminal("robots_do_not_read") if decision.comments else ""
        told = [self._show(reply) for reply in decision.replies]
        if decision.appended:
            gone = self._go_on(decision.after, unread)
            return Told(gone.session, "\n".join([*told, gone.text]))
        return Told(replace(self, offered=()), "\n".join(told) or f"{unread}\n")

    def _show(self, reply: Reply) -> str:
        """Return the text that was asked for."""
        if reply.kind == "record":
            return self.record()
        if reply.kind not in _SKETCHED:
            content = NoticeContent(self.match, reminding=True)
            return terminal_text(_ASKED[reply.kind], self.match, self.seat, content)
        titled = tuple(
            replace(sketch, title=because("after_tried", **dict(sketch.title.arguments)))
            if sketch.title.code == "after_line"
            else sketch
            for sketch in reply.sketches
        )
        details = say_all(detail for detail in reply.details if detail.code != "preview_play")
        content = NoticeContent(self.match, detail=details, sketches=titled)
        return terminal_text("sketches", self.match, self.seat, content)

    def _refuse(self, rejection: Rejection, lines: Sequence[str], commands: Sequence[Command]) -> "Told":
        """Return why nothing was done, and what to type instead."""
        content = rejection_content(self.match, self.seat, self.match.ply, rejection, lines, commands)
        if content.offered and not any(_is_without_email(read_commands([offered])) for offered in content.offered):
            return Told(replace(self, offered=()), _sentence("only_by_email"))
        name = "too_late" if rejection.kind == "already_over" or self.is_over else "refused"
        text = terminal_text(name, self.match, self.seat, content)
        return Told(replace(self, offered=content.offered), text)

    def _take_back(self) -> "Told":
        """Return the session before the last move of the person, or before they resigned."""
        own = [ply for ply, entry in enumerate(self.match.record) if entry.seat == self.seat]
        if not own:
            return Told(self, _sentence("nothing_to_undo"))
        before = self.match.at(own[-1])
        return Told(replace(self, match=before, shown=self.match, offered=()), _sentence("undone"))

    def seen(self) -> "Session":
        """Return the session once the person has seen the match as it is."""
        return replace(self, shown=self.match)


@dataclass(frozen=True, slots=True)
class Told:
    """The session after something happened, and the ``text`` to show; ``wish`` is what is left to whoever shows it."""

    session: Session
    text: str
    wish: Literal["", "quit", "review"] = ""


def begin(
    game: Game,
    seats: int,
    options: Mapping[str, Value],
    seat: Seat,
    strength: int,
    name: str,
    secret: str,
    now: datetime,
    display: Display = "plain",
) -> Told:
    """Return a new match in which a person of that ``name`` has ``seat``.

    All rolls, and all that robots think, follow from ``secret``.

    ``options`` are complete. Raise InvalidOption for one that changes nothing with so many ``seats``.
    """
    game.begin(seats, options)
    preferences = Preferences(display=display)
    players = [
        Player(number + 2, robot_name(strength, number), "", frozenset(), preferences, robot=strength)
        for number in range(seats - 1)
    ]
    players.insert(seat, Player(1, name, "", frozenset(), preferences))
    stints = tuple(Stint(number, strength, 0) for number in range(seats) if number != seat)
    opened = Match(1, game, options, tuple(players), now, secret=secret, seeds=("",) * seats, robots=stints)
    match = advance_automatically(opened, now)
    text = terminal_text("begin", match, seat, NoticeContent(opened))
    # Who plays here mixes no words into the dice, so that nobody did is no news.
    rolled = describe_events(opened, match, seat, steps=True)[1 if opened.awaits_seeds else 0 :]
    events = "".join(f"{event}\n" for event in rolled)
    return Told(Session(match, seat, replace(opened)), f"{text}\n{events}" if events else text)


def _is_without_email(commands: Sequence[Command]) -> bool:
    """Return whether all that a line asks for can be done at a terminal."""
    return all(isinstance(command, WITHOUT_EMAIL) for command in commands)


def _sentence(code: str) -> str:
    """Return a sentence on a line of its own."""
    return f"{tell_at_terminal(code)}\n"
