"""A match: who plays what, and the record whose fold is the position."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from pbem.mail.archive_paths import match_key, match_page
from pbem.match.agreements import Agreement, open_agreement
from pbem.match.endings import Ruling
from pbem.match.fair_rolls import FairRolls
from pbem.match.holders import Passed
from pbem.match.plan import Path, Plan, PlanState, find_answer, paths_left
from pbem.match.player import Player
from pbem.match.stints import Stint
from pbem.match.time.calendar import Span
from pbem.match.time.clock import Clock
from rules.game import Game, Value, advance, replay
from rules.position import EXIT_WORDS, Chance, Entry, Outcome, Position, Seat


@dataclass(frozen=True)
class Comment:
    """A comment that ``seat`` wrote when the record had ``ply`` entries; ``to_side``: only for their own side.

    ``by`` is who had the seat then, where somebody else has got it since; or the second with the number ``second``.
    """

    seat: Seat
    ply: int
    text: str
    to_side: bool = False
    by: str = ""
    second: int | None = None


@dataclass(frozen=True, slots=True)
class Second:
    """A player who votes on the moves of a ``seat``, and reads the words to its side, ``since`` a moment."""

    seat: Seat
    player: Player
    since: datetime


@dataclass(frozen=True)
class Match:
    """A match of a game; ``players`` are in seat order, and ``times`` (UTC) belong to the entries of ``record``.

    All rolls follow from ``secret``, which nobody sees before the end, and from the player seeds in ``seeds``. A seed
    is "" for a player who wants none, and None until they answer. The first roll waits for answers until
    ``rolls_due``. ``folded`` is the position of ``record``, where it is known already.

    ``clock`` is None in a match without time control; ``outages`` are the spans that it does not count. A ``ruling``
    ends the match whatever its record says. ``rewound`` is the number of turns that were used up when entries were
    taken back, or a seat passed to another player: more than any ply had then. A ``private`` match is listed nowhere.
    Its reply tokens are signed with its ``nonce``. ``plans`` are those of its players, in seat order, which nobody else
    hears of; empty where nobody has any. ``agreements`` are what players have offered to everybody, the latest last.
    ``robots`` says which moves robots have made, ``passed`` who had a seat before it passed on.
    ``team_told``: each of them was told that the page will show words to a partner. ``rated``: they agreed that it
    counts for their ratings. ``seconds`` are those of all seats.
    """

    id: int
    game: Game
    options: Mapping[str, Value]
    players: tuple[Player, ...]
    opened_at: datetime
    record: tuple[Entry, ...] = ()
    times: tuple[datetime, ...] = ()
    comments: tuple[Comment, ...] = field(default=(), repr=False)
    secret: str = field(default="", repr=False)
    seeds: tuple[str | None, ...] = ()
    rolls_due: datetime | None = None
    folded: Position[Any] | None = field(default=None, repr=False, compare=False)
    clock: Clock | None = None
    outages: tuple[Span, ...] = ()
    ruling: Ruling | None = None
    rewound: int = 0
    private: bool = False
    nonce: str = field(default="", repr=False)
    plans: tuple[Plan | None, ...] = field(default=(), repr=False)
    agreements: tuple[Agreement, ...] = field(default=(), repr=False)
    robots: tuple[Stint, ...] = ()
    passed: tuple[Passed, ...] = ()
    team_told: bool = False
    rated: bool = False
    seconds: tuple[Second, ...] = field(default=(), repr=False)

    def page(self, secret: str, kind: str = "html") -> str:
        """Return the path within the archive of its page, or (``txt``) of its record, or the like.

        Nobody can guess that of a private match without the ``secret`` of the host.
        """
        return match_page(self.id, kind, key=match_key(self.id, secret) if self.private else "")

    @cached_property
    def position(self) -> Position[Any]:
        """The position after all entries of the record. Raise InvalidRecord for a damaged record."""
        if self.folded is not None:
            return self.folded
        return replay(self.game, seats=len(self.players), options=self.options, record=self.record)

    @property
    def ply(self) -> int:
        """The number of entries of the record."""
        return len(self.record)

    @property
    def moves_made(self) -> int:
        """The number of entries that are moves; neither rolls nor resignations are counted."""
        return sum(map(is_move, self.record))

    @property
    def has_begun(self) -> bool:
        """Whether anybody has made a move."""
        return any(map(is_move, self.record))

    @property
    def to_act(self) -> Seat | Chance | None:
        """The seat whose turn it is, or the chance node that comes next; None after the end."""
        return None if self.ruling else self.position.to_act

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        return self.ruling.outcome if self.ruling else self.position.outcome()

    @property
    def turn(self) -> int:
        """The number that tells the present turn from all others, also from those of entries that were taken back."""
        return self.ply + self.rewound

    def ply_of(self, turn: int) -> int:
        """Return the number of entries that the match had in a turn; -1 for one of what was taken back since."""
        return max(-1, turn - self.rewound)

    def outdated(self) -> "Match":
        """Return the match with a turn of a higher number than any before, so that no earlier email names it."""
        return replace(self, rewound=self.turn + 1, folded=self.position)

    @property
    def tells_team(self) -> bool:
        """Whether the page of the match may show words to a side by now; that of a private match never does.

        Nor does one of which somebody wrote who was not told so when they got their seat.
        """
        return self.team_told and not self.private and self.outcome is not None

    @property
    def present(self) -> frozenset[Seat]:
        """The seats that have not left."""
        return frozenset(range(len(self.players))) - self.position.departed()

    @property
    def robot_seats(self) -> frozenset[Seat]:
        """The seats of robots."""
        return frozenset(seat for seat, player in enumerate(self.players) if player.robot)

    @property
    def awaited_robot(self) -> Seat | None:
        """The seat whose turn it is, if a robot has it."""
        acting = self.to_act
        return acting if isinstance(acting, int) and self.players[acting].robot else None

    def robot_seed(self, seat: Seat) -> int:
        """Return what the present thought of the robot at ``seat`` begins with."""
        return self.fair_rolls.thought_seed(self.ply, seat)

    @property
    def open_agreement(self) -> Agreement | None:
        """What a player has offered to everybody, while it stands."""
        return None if self.outcome else open_agreement(self.agreements, self.turn)

    def with_agreements(self, agreements: Iterable[Agreement]) -> "Match":
        """Return the match with other agreements."""
        return replace(self, agreements=tuple(agreements), folded=self.position)

    @property
    def awaits_seeds(self) -> bool:
        """Whether the first roll comes next, so that players may still send player seeds."""
        return isinstance(self.to_act, Chance) and all(entry.seat is not None for entry in self.record)

    @property
    def unseeded(self) -> tuple[Seat, ...]:
        """The seats that have not answered with a player seed, nor with none; seats that have left are not in it."""
        departed = self.position.departed()
        seeds = self.seeds or (None,) * len(self.players)
        silent = {seat for seat, seed in enumerate(seeds) if seed is None and seat not in departed}
        return tuple(sorted(silent - self.robot_seats))

    def with_seed(self, seat: Seat, seed: str) -> "Match":
        """Return the match with the player seed of ``seat``."""
        seeds = list(self.seeds or (None,) * len(self.players))
        seeds[seat] = seed
        return replace(self, seeds=tuple(seeds), folded=self.position)

    def with_clock(self, clock: Clock | None) -> "Match":
        """Return the match with another clock, or with none."""
        return replace(self, clock=clock, folded=self.position)

    def plan_of(self, seat: Seat) -> Plan | None:
        """Return the plan of ``seat``, or None."""
        return self.plans[seat] if self.plans else None

    def with_plan(self, seat: Seat, plan: Plan | None) -> "Match":
        """Return the match with another plan of ``seat``, or with none."""
        plans = list(self.plans or (None,) * len(self.players))
        plans[seat] = plan
        return replace(self, plans=tuple(plans) if any(plans) else (), folded=self.position)

    def planned(self, seat: Seat) -> Entry | PlanState:
        """Return what ``seat``, which has a plan, is to answer by it now, or where the plan stands."""
        plan = self.plan_of(seat)
        return find_answer(plan, self.ply_of(plan.turn), self.record, seat) if plan else "done"

    def paths_left(self, seat: Seat) -> tuple[Path, ...]:
        """Return what is left of the plan of ``seat``: nothing where it has none."""
        plan = self.plan_of(seat)
        return paths_left(plan, self.ply_of(plan.turn), self.record) if plan else ()

    def with_player(self, player: Player) -> "Match":
        """Return the match with the current address and preferences of one of its players."""
        players = tuple(player if seated.id == player.id else seated for seated in self.players)
        return replace(self, players=players, folded=self.position)

    def seat_of(self, player: Player) -> Seat:
        """Return the seat of ``player``. Raise StopIteration for somebody without a seat in this match."""
        return next(seat for seat, seated in enumerate(self.players) if seated.id == player.id)

    @property
    def public_seeds(self) -> Mapping[Seat, str]:
        """The player seeds by seat; empty before the first roll, so that nobody can fit their own to the others."""
        return {} if self.awaits_seeds else self.fair_rolls.seeds

    @property
    def fair_rolls(self) -> FairRolls:
        """The source of all rolls of the match."""
        return FairRolls(self.id, self.secret, {seat: seed for seat, seed in enumerate(self.seeds) if seed})

    @property
    def changed_at(self) -> datetime:
        """The time (UTC) of the latest entry or of the ruling, or of the opening."""
        if self.ruling and self.ruling.at:
            return self.ruling.at
        return self.times[-1] if self.times else self.opened_at

    @property
    def possible_rolls(self) -> tuple[str, ...]:
        """What may be rolled in the match, as its options have it."""
        return self.game.rolls_with(self.options)

    def partners(self, seat: Seat) -> frozenset[Seat]:
        """Return the other seats on the side of ``seat``; whoever has left is nobody's partner, and has none."""
        departed = self.position.departed()
        return frozenset() if seat in departed else self.position.side(seat) - {seat} - departed

    def reading_partners(self, seat: Seat) -> frozenset[Seat]:
        """Return the partners of a seat who read what it writes: no robot does."""
        return self.partners(seat) - self.robot_seats

    def seconds_of(self, seat: Seat) -> tuple[Player, ...]:
        """Return the seconds of a seat: while a robot has it, or it has been left, it has none."""
        if not self.seconds or self.players[seat].robot or seat in self.position.departed():
            return ()
        playing = {player.id for player in self.players}
        return tuple(one.player for one in self.seconds if one.seat == seat and one.player.id not in playing)

    def name_seconds(self, seats: Iterable[Seat]) -> list[str]:
        """Return the names of the seconds of some seats, who read what is written to their side."""
        return [second.name for seat in sorted(seats) for second in self.seconds_of(seat)]

    def name(self, seat: Seat) -> str:
        """Return the name of the player at ``seat``."""
        return self.players[seat].name

    def name_opponents(self, seat: Seat) -> str:
        """Return the names of all other players."""
        *most, last = (player.name for other, player in enumerate(self.players) if other != seat)
        return f"{', '.join(most)} & {last}" if most else last

    def name_at(self, seat: Seat, ply: int) -> str:
        """Return the name of who had the seat when the record had so many entries."""
        return next((one.name for one in self.passed if one.seat == seat and ply < one.ply), self.name(seat))

    def name_then(self, seat: Seat, at: datetime | None) -> str:
        """Return the name of who had a seat at a time (UTC), which may lie between two entries; None: now."""
        later = (one.name for one in self.passed if one.seat == seat and at and one.at and one.at > at)
        return next(later, self.name(seat))

    def writer(self, comment: Comment) -> str:
        """Return the name of whoever wrote a comment."""
        return comment.by or self.name(comment.seat)

    def after(self, entry: Entry, at: datetime) -> "Match":
        """Return the match with one more entry. Raise RulesError when the rules forbid it."""
        folded = advance(self.position, entry)  # avoids a replay of the whole record
        return replace(self, record=(*self.record, entry), times=(*self.times, at), folded=folded)

    def at(self, ply: int) -> "Match":
        """Return the match as it was after ``ply`` entries."""
        if ply == self.ply:
            return replace(self, folded=self.position)
        return replace(self, record=self.record[:ply], times=self.times[:ply], folded=None, ruling=None)

    def automatic_entry(self) -> Entry | None:
        """Return the next entry if no player decides it: a roll, or the only legal move."""
        acting = self.to_act
        if isinstance(acting, Chance):
            return Entry(None, str(self.fair_rolls.value(self.ply, acting)))
        if acting is None or (forced := self.position.forced()) is None:
            return None
        return Entry(acting, str(forced))


def advance_automatically(match: Match, now: datetime, *, seeds_over: bool = False) -> Match:
    """Return the match with all rolls and forced moves made, up to the next decision of a player.

    The first roll waits until every player has answered whether they send a player seed, or their time is over. Only
    what is due says that: a message that is read now may be followed by others that came in time.
    """
    if match.awaits_seeds and match.unseeded and match.rolls_due and not seeds_over:
        return match
    while (entry := match.automatic_entry()) is not None:
        match = match.after(entry, now)
    return match


def is_move(entry: Entry) -> bool:
    """Return whether an entry counts as a move, wherever moves are numbered: neither a roll does nor a resignation."""
    return entry.seat is not None and entry.text not in EXIT_WORDS


def left_along(match: Match, ply: int) -> bool:
    """Return whether the entry after ``ply`` others is a timeout only because the time of a partner was over.

    All of a side leave at once, at the end of whoever was to act; the record has one word for it.
    """
    first, last = ply, ply + 1
    while first and _is_timeout_of(match, first - 1, ply):
        first -= 1
    while last < match.ply and _is_timeout_of(match, last, ply):
        last += 1
    if last - first == 1 or not _is_timeout_of(match, ply, ply):
        return False
    acting = match.at(first).to_act
    return match.record[ply].seat != acting and any(entry.seat == acting for entry in match.record[first:last])


def _is_timeout_of(match: Match, ply: int, other: int) -> bool:
    """Return whether an entry is a timeout, of the same moment as another one."""
    return match.record[ply].text == "timeout" and match.times[ply] == match.times[other]
