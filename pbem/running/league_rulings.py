"""What the operator decides about leagues: each decision in one transaction, and each can be taken back.

An act is an event of the league. What it did to matches is done by the rulings that every match can have, and their
numbers stand in the event, so that taking it back finds them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from pbem.clubs.contest import Contest, ContestEvent
from pbem.clubs.league import (
    BANK,
    DISQUALIFIED,
    ENTERED,
    EXTENDED,
    OPENED,
    OPERATORS,
    PAUSED,
    REPLACED,
    UNDONE,
    League,
)
from pbem.clubs.league_draw import LARGEST, LEAST, WISHED
from pbem.clubs.league_results import is_played
from pbem.commands.decision import MatchDecision
from pbem.commands.families.contests.leagues import parse_league_name
from pbem.commands.ruling import adjudicate, call_off, end_pause, extend_time, pause_match, reinstate, replace_player
from pbem.due.league.entering import schedule_beginning
from pbem.due.league.openings import close_openings, reopen_openings, shift_openings, swap_guests
from pbem.due.league.reading import list_running, read_league
from pbem.due.league.telling import tell_news
from pbem.due.league.wishes import tell_beginning
from pbem.errors import BadInput
from pbem.match.invitation import read_opening
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.timing import side_of
from pbem.notices.sentences.contests.leagues import title_league
from pbem.notices.sentences.moments import say_length
from pbem.pipeline.act import Act, cause_at
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
from pbem.reading.reason import Reason, because
from pbem.running.named_players import find_or_add_player, refuse_blocked
from pbem.running.operator_rulings import find_player
from pbem.running.service import Service
from pbem.storage.due import LEAGUE_DUE
from pbem.storage.transaction import Transaction
from rules.errors import InvalidOption, quote
from rules.game import Game


def open_league(
    service: Service,
    name: str,
    game: Game,
    options: Mapping[str, str],
    *,
    seats: int,
    size: int = 0,
    full: int = 0,
    begins: datetime | None = None,
    players: Sequence[str] = (),
) -> League:
    """Open a league of a game under a name, and enter players. Raise BadInput, and open nothing."""
    if not name or parse_league_name(name) != name:
        raise BadInput(f"{quote(name)} is no name of a league: write one word of small letters, such as club-2027.")
    if seats not in LEAST or seats not in game.seats:
        known = " or ".join(str(least) for least in LEAST if least in game.seats)
        raise BadInput(f"A league of {game.title} is for matches of {known}, not of {seats}.")
    size = size or WISHED[seats]
    if not LEAST[seats] <= size <= LARGEST:
        raise BadInput(f"A division has {LEAST[seats]} to {LARGEST} players, not {size}.")
    options = options if options.keys() & {"days", "bank"} else {**BANK, **options}
    try:
        read_opening(game, seats, options)
    except InvalidOption as error:
        raise BadInput(str(error)) from error
    now = service.clock.now()
    if begins and begins <= now:
        raise BadInput(f"A season can’t begin on {begins:%Y-%m-%d}: that’s over already.")
    with service.database.transaction() as tx:
        if tx.contests.find("league", name):
            raise BadInput(f"There is a league {name} already; “pbem league enter {name}” adds players to it.")
        act = Act(tx, service.site, now, cause_at("league opened", now))
        contest = tx.contests.open("league", game, name, options, now)
        told = {"seats": seats, "size": size, "full": full}
        if begins:
            told["begins"] = begins.isoformat()  # type: ignore[assignment]
        tx.contests.add(contest.id, ContestEvent(now, OPENED, arguments=told))
        return _enter(act, contest, players)


def enter_players(service: Service, name: str, players: Sequence[str]) -> League:
    """Enter players, found by name or address or new, into a league. Raise BadInput, and enter nobody."""
    now = service.clock.now()
    with service.database.transaction() as tx:
        contest = find_league(tx, name).contest
        return _enter(Act(tx, service.site, now, cause_at("league entered", now)), contest, players)


def find_league(tx: Transaction, name: str) -> League:
    """Return the league of that name. Raise BadInput for none."""
    contest = tx.contests.find("league", parse_league_name(name))
    if contest is None:
        raise BadInput(f"There is no league {quote(name)}; “pbem league list” lists them.")
    return read_league(tx, contest)


def pause_league(service: Service, name: str, until: datetime) -> League:
    """Pause a league: no clock of its matches runs until then, and no season begins or ends."""

    def do(act: Act, league: League) -> tuple[ContestEvent, list[Reason]]:
        if league.paused and league.paused > act.now:
            raise BadInput(f"The league {name} is paused already; “pbem league undo {name}” ends it.")
        numbers = _rule_all(act, league, lambda match: [pause_match(match, until, act.now)] if match.clock else [])
        shift_openings(act, league, until)
        told = because("league_paused", league=title_league(league), until=until.isoformat())
        return ContestEvent(act.now, PAUSED, arguments={"until": until.isoformat(), "matches": numbers}), [told]

    return _decide(service, name, do)


def extend_league(service: Service, name: str, seconds: int) -> League:
    """Give everybody so much more time in each match of the season that goes on."""

    def do(act: Act, league: League) -> tuple[ContestEvent, list[Reason]]:
        if league.season is None:
            raise BadInput(f"No season of {name} is being played; say with --begins when the next one is to begin.")
        numbers = _rule_all(act, league, lambda match: _extend(match, seconds, act.now))
        told = because("league_extended", league=title_league(league), time=say_length(seconds))
        return ContestEvent(act.now, EXTENDED, arguments={"seconds": seconds, "matches": numbers}), [told]

    return _decide(service, name, do)


def move_beginning(service: Service, name: str, begins: datetime) -> League:
    """Let the next season of a league begin on another day."""

    def do(act: Act, league: League) -> tuple[ContestEvent, list[Reason]]:
        if begins <= act.now:
            raise BadInput(f"A season can’t begin on {begins:%Y-%m-%d}: that’s over already.")
        number, day = len(league.seasons) + 1, begins.date().isoformat()
        told = because("league_moved", league=title_league(league), season=number, first=day)
        return ContestEvent(act.now, EXTENDED, arguments={"begins": begins.isoformat()}), [told]

    return _decide(service, name, do, entered=True)


def replace_in_league(service: Service, name: str, who: str, newcomer: str) -> League:
    """Let somebody have the place of a player for the rest of the season, and all their seats in its matches."""

    def do(act: Act, league: League) -> tuple[ContestEvent, list[Reason]]:
        player = _find_placed(act.tx, league, who)
        heir = find_or_add_player(act.tx, newcomer, service.site, act.now)
        refuse_blocked(act.tx, heir)
        assert league.season is not None  # else nobody has a place
        if heir.preferences.muted:
            raise BadInput(f"{heir.name} has unsubscribed, so they can’t be told that it’s their turn.")
        if heir.id in league.season.players:
            raise BadInput(f"{heir.name} has a place in this season of {name} already.")

        def seat(match: Match) -> list[MatchDecision]:
            return [replace_player(match, number, heir, act.now) for number in _seats_of(match, player)]

        numbers = _rule_all(act, league, seat, announced=True)
        swap_guests(act, league, player, heir)
        event = ContestEvent(act.now, REPLACED, player.id, heir.id, {"matches": numbers})
        told = because("league_replaced", league=title_league(league), name=player.name, heir=heir.name)
        return event, [told]

    return _decide(service, name, do)


def disqualify(service: Service, name: str, who: str) -> League:
    """Take a player out of a league: their matches that were played are won for the others, the rest are called off."""

    def do(act: Act, league: League) -> tuple[ContestEvent, list[Reason]]:
        player = _find_placed(act.tx, league, who) if league.season else find_player(act.tx, who)
        if player.id not in league.entered and not league.season:
            raise BadInput(f"{player.name} isn’t in the league {name}.")
        _refuse_disqualified(league, player)

        def end(match: Match) -> list[MatchDecision]:
            if not (own := _seats_of(match, player)):
                return []
            others = [seat for seat in range(len(match.players)) if seat not in own]
            return [adjudicate(match, others, act.now) if is_played(match) else call_off(match, act.now)]

        numbers = _rule_all(act, league, end, announced=True)
        close_openings(act, league, player)
        event = ContestEvent(act.now, DISQUALIFIED, player.id, arguments={"matches": numbers})
        return event, [because("league_disqualified", league=title_league(league), name=player.name)]

    return _decide(service, name, do)


def undo_last(service: Service, name: str, number: int | None = None) -> tuple[League, ContestEvent]:
    """Take back what the operator did to a league last, or the event of that number; return it."""
    now = service.clock.now()
    with service.database.transaction() as tx:
        league = find_league(tx, name)
        act = Act(tx, service.site, now, cause_at("league undone", now))
        event = tx.contests.find_act(league.contest.id, OPERATORS, number)
        if event is None:
            raise BadInput(f"Nothing that you did to the league {name} can be taken back; “pbem league show” lists it.")
        told = _undo(act, league, event)
        tx.contests.undo(event.id, now)
        tx.contests.add(league.contest.id, ContestEvent(now, UNDONE, arguments={"event": event.id}))
        league = _tended(act, league.contest)
        person = event.player if event.kind in (REPLACED, DISQUALIFIED) else None
        _tell(act, league, _readers(league, entered="begins" in event.arguments), told, person)
    return league, event


def _undo(act: Act, league: League, event: ContestEvent) -> list[Reason]:
    """Take back what an event did to matches, as far as it still stands; return what is told of it."""
    title, told = title_league(league), event.arguments
    player = act.tx.players.get(event.player) if event.player is not None else None
    numbers = told.get("matches", [])
    if event.kind == PAUSED:
        _rule_each(act, numbers, lambda match: [end_pause(match, act.now)])
        shift_openings(act, league, act.now)
        return [because("league_resumed", league=title)]
    if event.kind == EXTENDED and "seconds" in told:
        _rule_each(act, numbers, lambda match: _extend(match, -int(told["seconds"]), act.now))
        return [because("league_shortened", league=title, time=say_length(int(told["seconds"])))]
    if event.kind == EXTENDED:
        return [because("league_moved_back", league=title)]
    assert player is not None  # whom every other event names
    if event.kind == REPLACED:
        heir = act.tx.players.get(event.other) if event.other is not None else None
        if heir is not None:
            swap_guests(act, league, heir, player)
            _rule_each(
                act,
                numbers,
                lambda match: [replace_player(match, seat, player, act.now) for seat in _seats_of(match, heir)],
                announced=True,
            )
        return [because("league_replaced_undone", league=title, name=player.name)]
    reopen_openings(act, league, player)
    _rule_each(
        act,
        numbers,
        lambda match: [
            reinstate(match, "void" if match.ruling and match.ruling.kind == "void" else "adjudicated", act.now)
        ],
        announced=True,
    )
    return [because("league_disqualified_undone", league=title, name=player.name)]


def _decide(
    service: Service,
    name: str,
    do: Callable[[Act, League], tuple[ContestEvent, list[Reason]]],
    *,
    entered: bool = False,
) -> League:
    """Carry out what the operator decides about a league, and tell its players; ``entered``: of the next season."""
    now = service.clock.now()
    with service.database.transaction() as tx:
        league = find_league(tx, name)
        tx.contests.lock(league.contest.id)
        act = Act(tx, service.site, now, cause_at("league decided", now))
        event, told = do(act, league)
        tx.contests.add(league.contest.id, event)
        league = _tended(act, league.contest)
        person = event.other if event.kind == REPLACED else event.player
        _tell(act, league, _readers(league, entered=entered), told, person)
    return league


def _tell(act: Act, league: League, readers: Iterable[int], told: Sequence[Reason], person: int | None) -> None:
    """Tell players what was decided; the ``person`` whom it is about reads it as said to them."""
    tell_news(act, league, [one for one in readers if one != person], told)
    if person is not None:
        tell_news(act, league, [person], [Reason(f"{one.code}_you", one.arguments) for one in told])


def _tended(act: Act, contest: Contest) -> League:
    """Return a league after what was decided, with what is due of it scheduled anew."""
    league = read_league(act.tx, contest)
    if league.season:
        act.tx.due.schedule(LEAGUE_DUE, contest.id, max(act.now, league.paused or act.now))
    else:
        schedule_beginning(act, league)
    return league


def _readers(league: League, *, entered: bool) -> Iterable[int]:
    """Return who is told of something: who plays in the season, or is in the next one."""
    return league.entered if entered or not league.season else league.season.players


def _enter(act: Act, contest: Contest, players: Sequence[str]) -> League:
    """Enter players into a league, and tell each of them so."""
    league = read_league(act.tx, contest)
    added = []
    for text in players:
        player = find_or_add_player(act.tx, text, act.site, act.now)
        refuse_blocked(act.tx, player)
        if player.robot:
            raise BadInput(f"{player.name} is a robot: robots play in no league.")
        _refuse_disqualified(league, player)
        if player.id not in league.entered and player.id not in added:
            act.tx.contests.add(contest.id, ContestEvent(act.now, ENTERED, player.id))
            added.append(player.id)
    league = read_league(act.tx, contest)
    if league.season is None:
        schedule_beginning(act, league)
    entered = because("league_entered_by", league=title_league(league))
    left = because("league_until_left", command=f"leave league {contest.name}")
    tell_news(act, league, added, [entered, tell_beginning(league, act), left])
    return league


def _find_placed(tx: Transaction, league: League, who: str) -> Player:
    """Return a player who has a place in the season that goes on. Raise BadInput for anybody else."""
    player = find_player(tx, who)
    if not league.season or player.id not in league.season.players:
        raise BadInput(f"{player.name} has no place in a season of {league.contest.name} that is being played.")
    return player


def _refuse_disqualified(league: League, player: Player) -> None:
    """Raise BadInput for a player who was disqualified."""
    if player.id in league.disqualified:
        name = league.contest.name
        raise BadInput(f"{player.name} is disqualified in the league {name}; “pbem league undo” takes that back.")


def _seats_of(match: Match, player: Player) -> list[int]:
    """Return the seat of a player in a match that goes on, if they have one and have not left it."""
    return [
        seat for seat, one in enumerate(match.players) if one.id == player.id and seat not in match.position.departed()
    ]


def _extend(match: Match, seconds: int, now: datetime) -> list[MatchDecision]:
    """Return the decisions that give each side of a match more time, or less, each after the one before."""
    decisions: list[MatchDecision] = []
    done = set[int]()
    for seat in sorted(match.present) if match.clock else ():
        if seat not in done:
            done |= set(side_of(match, seat))
            decisions.append(extend_time(match, seat, seconds, now))
            match = decisions[-1].after
    return decisions


def _rule_all(
    act: Act, league: League, decide: Callable[[Match], list[MatchDecision]], *, announced: bool = False
) -> list[int]:
    """Make decisions about all matches of a season that go on; return the numbers of those that they are about."""
    numbers = list_running(act.tx, league, league.season) if league.season else []
    return _rule_each(act, numbers, decide, announced=announced)


def _rule_each(
    act: Act, numbers: Iterable[int], decide: Callable[[Match], list[MatchDecision]], *, announced: bool = False
) -> list[int]:
    """Make decisions about matches; unless they are ``announced``, an email about the league tells of all at once.

    A match about which nothing can be decided any more stays as it is.
    """
    ruled = []
    for number in numbers:
        match = act.tx.matches.get(number, checked=True)
        try:
            decisions = decide(match) if match else []
        except BadInput:
            continue
        for decision in decisions:
            own = act.because(cause_at(decision.log[0].kind, act.now))
            record(own, decision)
            if announced:
                announce(own, decision, "")
        if decisions:
            ruled.append(number)
    return ruled
