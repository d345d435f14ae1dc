"""What the operator decides about ladders: each decision in one transaction, and each can be taken back."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from pbem.asking.contests.challenges import schedule_sinking, tell_news
from pbem.asking.contests.ladders import OPTIONS, begin_ladder, remove_from
from pbem.asking.contests.standings import read_ladder
from pbem.clubs.contest import Contest, ContestEvent
from pbem.clubs.ladder import OPERATORS, Ladder
from pbem.commands.decision import Decision, Step
from pbem.commands.families.contests.ladders import EnterLadder, parse_ladder
from pbem.errors import BadInput
from pbem.match.invitation import read_opening
from pbem.notices.ladders import title_of
from pbem.pipeline.act import Act, cause_at
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
from pbem.reading.reason import because
from pbem.running.operator_rulings import find_player
from pbem.running.service import Service
from pbem.storage.transaction import Transaction
from rules.errors import InvalidOption, quote
from rules.game import Game


class Found(NamedTuple):
    """A ladder, as it is stored and as it stands."""

    contest: Contest
    ladder: Ladder

    @property
    def id(self) -> int:
        """Its number, by which lists go."""
        return self.contest.id


def find_ladder(tx: Transaction, name: str, now: datetime) -> Found:
    """Return the ladder of that name. Raise BadInput for none."""
    contest = tx.contests.find("ladder", _read_name(name))
    if contest is None:
        raise BadInput(f"There is no ladder {quote(name)}; “pbem ladder list” lists them.")
    return Found(contest, read_ladder(tx, contest, now))


def open_ladder(service: Service, name: str, game: Game, options: Mapping[str, str]) -> Found:
    """Open a ladder of a game under a name. Raise BadInput, and open nothing."""
    if _read_name(name) != name:
        raise BadInput(f"{quote(name)} is no name of a ladder: write one word of small letters, such as club-2027.")
    options = options if options.keys() & {"days", "bank"} else {**OPTIONS, **options}
    try:
        read_opening(game, 2, options)
    except InvalidOption as error:
        raise BadInput(str(error)) from error
    if 2 not in game.seats:
        raise BadInput(f"Two can’t play {game.title}, so there can be no ladder of it.")
    now = service.clock.now()
    with service.database.transaction() as tx:
        if tx.contests.find("ladder", name):
            raise BadInput(f"There is a ladder {name} already; players enter it with “ladder {name}”.")
        contest = tx.contests.open("ladder", game, name, options, now)
        tx.contests.add(contest.id, begin_ladder(Act(tx, service.site, now)))
        return find_ladder(tx, name, now)


def remove_player(service: Service, name: str, who: str) -> Found:
    """Take a player out of a ladder, who can’t enter it again; their challenges are called off. Raise BadInput."""
    now = service.clock.now()
    with service.database.transaction() as tx:
        contest, ladder = find_ladder(tx, name, now)
        player = find_player(tx, who)
        if player.id not in ladder.people:
            raise BadInput(f"{player.name} isn’t in the ladder {contest.name}.")
        act = Act(tx, service.site, now, cause_at("ladder decided", now))
        decision = Decision((Step("", tuple(remove_from(act, player, contest))),))
        record(act, decision)
        announce(act, decision, "")
        tell_news(act, contest, player, because("ladder_closed", title=title_of(contest)))
        return find_ladder(tx, name, now)


def pause_ladder(service: Service, name: str) -> Found:
    """Let nobody be challenged in a ladder, and nobody sink; matches go on. Raise BadInput where it is so already."""
    now = service.clock.now()
    with service.database.transaction() as tx:
        contest, ladder = find_ladder(tx, name, now)
        if ladder.is_paused:
            raise BadInput(f"The ladder {contest.name} is paused already; “pbem ladder undo {contest.name}” ends it.")
        tx.contests.add(contest.id, ContestEvent(now, "paused"))
        schedule_sinking(tx, contest, now)
        return find_ladder(tx, name, now)


def undo_last(service: Service, name: str, number: int | None = None) -> tuple[Found, ContestEvent]:
    """Take back what the operator decided last in a ladder, or the event of that number; return it. Raise BadInput."""
    now = service.clock.now()
    with service.database.transaction() as tx:
        contest, _ = find_ladder(tx, name, now)
        event = tx.contests.find_act(contest.id, OPERATORS, number)
        if event is None:
            raise BadInput(f"Nothing that you did to the ladder {name} can be taken back; “pbem ladder show” lists it.")
        tx.contests.undo(event.id, now)
        schedule_sinking(tx, contest, now)
        found = find_ladder(tx, name, now)
        player = tx.players.get(event.player) if event.player is not None else None
        if player and (place := found.ladder.place_of(player.id)):
            told = because("ladder_open_again", title=title_of(contest), place=place)
            tell_news(Act(tx, service.site, now, cause_at("ladder undone", now)), contest, player, told)
    return found, event


def _read_name(name: str) -> str:
    """Return the name of a ladder as it is stored; "" for what can be none."""
    read = parse_ladder(f"ladder {name}")
    return read.name if isinstance(read, EnterLadder) else ""
