"""Players enter leagues and leave them; whoever is the first to enter one opens it."""

from pbem.clubs.contest import Contest, ContestEvent
from pbem.clubs.league import BANK, ENTERED, LEFT, OPENED, League
from pbem.clubs.league_draw import WISHED
from pbem.commands.asking_effects import ChangeLeague
from pbem.commands.decision import Decision
from pbem.due.league.reading import list_leagues, read_league
from pbem.pipeline.act import Act
from pbem.storage.due import LEAGUE_DUE


def schedule_beginning(act: Act, league: League) -> None:
    """Schedule the beginning of the next season: at once where the league is full, else on its day."""
    act.tx.due.schedule(LEAGUE_DUE, league.contest.id, act.now if league.is_full() else league.begins_at)


def change_league(act: Act, _: Decision, effect: ChangeLeague) -> None:
    """Let a player enter a league or leave it; open it where nobody has entered before."""
    contest = act.tx.contests.find("league", effect.name)
    if contest is None:
        contest = open_league(act, effect.name, effect)
    act.tx.contests.lock(contest.id)
    league = read_league(act.tx, contest)
    kind = ENTERED if effect.kind == "entered" else LEFT
    if (effect.player.id in league.entered) == (kind == ENTERED):
        return
    act.tx.contests.add(contest.id, ContestEvent(act.now, kind, effect.player.id))
    if league.season is None:
        schedule_beginning(act, read_league(act.tx, contest))


def leave_leagues(act: Act, player: int) -> None:
    """Let somebody who is forgotten be in no league any more; their place in a season stays, as their seats do."""
    known = {league.contest.id: league for league in list_leagues(act.tx, player)}
    for contest in act.tx.contests.of_player(player, "league"):
        league = known.get(contest.id)  # none of one that is damaged: it is left however it stands
        if not league or player in league.entered or (league.season and player in league.season.players):
            act.tx.contests.add(contest.id, ContestEvent(act.now, LEFT, player))


def look_soon(act: Act, match: int) -> None:
    """Have the league looked at soon, one of whose matches has ended: it may have been the last of a season."""
    one = act.tx.contests.of_match(match)
    if one and one.season:
        act.tx.due.hasten(LEAGUE_DUE, one.contest, act.now)


def open_league(act: Act, name: str, effect: ChangeLeague) -> Contest:
    """Store a league that nobody has opened before whoever enters it first."""
    contest = act.tx.contests.open("league", effect.game, name, BANK, act.now)
    told = {"seats": effect.seats, "size": WISHED[effect.seats]}
    act.tx.contests.add(contest.id, ContestEvent(act.now, OPENED, arguments=told))
    return contest
