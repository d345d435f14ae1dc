"""What a player asks for about leagues: granted or refused; this looks, and writes nothing."""

from pbem.clubs.contest import Contest
from pbem.clubs.league import BANK, League
from pbem.clubs.league_draw import LEAST, WISHED
from pbem.commands.asking_effects import ChangeLeague, TellLeagues
from pbem.commands.effects import Effect
from pbem.commands.families.contests.leagues import EnterLeague, LeagueWish, LeaveLeague, league_name
from pbem.due.league.reading import list_leagues, list_running, read_league
from pbem.match.game_names import find_game
from pbem.match.player import Player
from pbem.notices.sentences.contests.leagues import title_league
from pbem.pipeline.act import Act
from pbem.reading.reason import Reason, because
from rules.game import Game
from rules.games import GAMES


def grant_league(act: Act, player: Player, wish: LeagueWish) -> tuple[list[Effect], list[Reason]]:
    """Return the effects of what a player asks for about leagues, and what they are told."""
    match wish:
        case EnterLeague(name):
            return _enter(act, player, name)
        case LeaveLeague(name):
            return _leave(act, player, name)
        case _:
            return [TellLeagues(player)], []


def leagues_of(act: Act, player: Player) -> list[League]:
    """Return the leagues in which a player is entered, or has a place in the season that goes on."""
    found = list_leagues(act.tx, player.id)
    return [one for one in found if player.id in one.entered or (one.season and player.id in one.season.players)]


def _enter(act: Act, player: Player, name: str) -> tuple[list[Effect], list[Reason]]:
    """Let a player play the next season of a league; the first who asks opens that of a game."""
    contest = act.tx.contests.find("league", name)
    game, seats = _game_of(name)
    if contest is None and game is None:
        return [], [because("no_league", name=name, games=", ".join(GAMES))]
    if contest is None and game is not None:
        contest = Contest(0, "league", game, name, BANK, act.now)
        league = League(contest, seats=seats, size=WISHED[seats])
    else:
        assert contest is not None  # mypy does not see it
        league = read_league(act.tx, contest)
    if player.id in league.disqualified:
        return [], [because("league_disqualified_you", league=title_league(league))]
    known = player.id in league.entered
    told = [because("league_entered_already" if known else "league_entered", league=title_league(league))]
    told.append(tell_beginning(league, act, 0 if known else 1))
    if not known:
        told.append(because("league_until_left", command=f"leave league {contest.name}"))
    change = ChangeLeague(player, "entered", contest.name, contest.game, league.seats)
    return ([] if known else [change]), told


def tell_beginning(league: League, act: Act, more: int = 0) -> Reason:
    """Return when the next season begins, with so many who have entered ``more``."""
    count = len(league.entered) + more
    number = len(league.seasons) + 1
    if league.season:
        return because("league_goes_on", season=league.season.number, following=number)
    begins = league.begins_at.date().isoformat()
    code = "league_begins" if count >= league.least else "league_needs_more"
    return because(code, season=number, first=begins, count=count, least=league.least)


def _leave(act: Act, player: Player, name: str) -> tuple[list[Effect], list[Reason]]:
    """Let a player play no more season of a league; they play on in this one."""
    own = leagues_of(act, player)
    found = [one for one in own if one.contest.name == name] if name else own
    if not found:
        known = act.tx.contests.find("league", name) if name else None
        code = "league_not_entered" if known else "no_own_league" if not name else "no_league"
        title = title_league(read_league(act.tx, known)) if known else name
        return [], [because(code, league=title, name=name, games=", ".join(GAMES))]
    if len(found) > 1:
        return [], [because("which_league", commands=", ".join(f"`leave league {one.contest.name}`" for one in found))]
    [league] = found
    title = title_league(league)
    if player.id not in league.entered:
        told = [because("league_left_already", league=title)]
    else:
        told = [because("league_left", league=title)]
    if league.season and player.id in league.season.players:
        running = act.tx.matches.all(list_running(act.tx, league, league.season), player=player.id)
        if running:
            told.append(because("league_matches_go_on", count=len(running)))
    contest = league.contest
    change = ChangeLeague(player, "left", contest.name, contest.game, league.seats)
    return ([change] if player.id in league.entered else []), told


def _game_of(name: str) -> tuple[Game | None, int]:
    """Return the game after which a league is called, and the seats of its matches; None where after none."""
    base, three, _ = name.partition("-3")
    game = find_game(base)
    seats = 3 if three else 2
    known = game is not None and seats in game.seats and seats in LEAST and league_name(base, three=bool(three)) == name
    return (game, seats) if known else (None, seats)
