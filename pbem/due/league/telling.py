"""Emails about leagues: a season begins or is over, how leagues stand, and what the operator has decided."""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress

from pbem.asking.posting import pose, post
from pbem.clubs.league import League, Season
from pbem.clubs.league_table import Row, tabulate
from pbem.commands.asking_effects import TellLeagues
from pbem.commands.decision import Decision
from pbem.due.league.reading import read_meetings
from pbem.due.league.wishes import leagues_of, tell_beginning
from pbem.errors import DamagedRow
from pbem.mail.archive_paths import contest_page
from pbem.mail.compose import Notice
from pbem.match.player import Player
from pbem.match.question import TOLD, Question
from pbem.notices.leagues import (
    LeagueOffer,
    LeagueView,
    begins_notice,
    ends_notice,
    league_news_notice,
    leagues_notice,
    name_players,
)
from pbem.notices.sentences.contests.leagues import lay_table, title_league, title_named
from pbem.notices.sentences.reasons import say
from pbem.pipeline.act import Act
from pbem.reading.reason import Reason
from pbem.storage.transaction import Transaction
from rules.games import GAMES


def tell_begins(act: Act, league: League, season: Season, hours: int) -> None:
    """Queue an email to everybody who plays in a season that begins."""
    names = name_everybody(act.tx, season.players)
    told = names, hours, act.site.archive, act.site.language
    _tell(act, season.players, lambda one: begins_notice(league, season, one, *told))


def tell_ends(
    act: Act, league: League, season: Season, tables: Sequence[tuple[Row, ...]], absent: Collection[int]
) -> None:
    """Queue an email to everybody who has a place in a season that is over; ``absent`` were too often for the next."""
    told = tables, name_everybody(act.tx, season.players), absent, act.now, act.site.archive, act.site.language
    _tell(act, season.players, lambda one: ends_notice(league, season, one, *told))


def tell_news(act: Act, league: League, players: Iterable[int], told: Sequence[Reason]) -> None:
    """Queue an email to players about what the operator has decided."""
    _tell(act, players, lambda one: league_news_notice(one, league, told, act.site.language))


def tell_leagues(act: Act, _: Decision, effect: TellLeagues) -> None:
    """Queue the email to a player that shows how their leagues stand, and which others there are."""
    player, own = effect.player, leagues_of(act, effect.player)
    views = list[LeagueView]()
    for league in own:
        with suppress(DamagedRow):  # the doctor tells of it
            views.append(_view(act, league, player))
    known = {league.contest.name for league in own}
    usual = {
        name: game for game in GAMES.values() for name in (game.key, *([f"{game.key}-3"] if 3 in game.seats else []))
    }
    opened = {one.name: one.game for one in act.tx.contests.all("league")}
    offers = [
        LeagueOffer(
            title_named(name, game).said(act.site.language) + ("" if name in usual else f" ({game.title})"),
            f"league {name}",
        )
        for name, game in (usual | opened).items()
        if name not in known
    ]
    post_to(act, leagues_notice(player, views, offers, act.site.language), player)


def _view(act: Act, league: League, player: Player) -> LeagueView:
    """Return how a league stands for a player: the table of their division, in the season that goes on or was last."""
    language = act.site.language
    tables = []
    season = league.seasons[-1] if league.seasons else None
    if season and (division := season.division_of(player.id)):
        meetings = read_meetings(act.tx, league, season, division)[division - 1]
        rows = tabulate(season.division_now(division), meetings)
        names = name_everybody(act.tx, season.division_now(division))
        page = act.site.archive.address(contest_page(league.contest.id, season.number))
        tables.append(lay_table(season, division, rows, names, language, reader=player.id, page=page))
    said = [tell_beginning(league, act)] if player.id in league.entered else []
    sentences = tuple(say(one, language, player.calendar) for one in said)
    entered = player.id in league.entered
    command = f"{'leave ' if entered else ''}league {league.contest.name}"
    return LeagueView(title_league(league).said(language), sentences, tuple(tables), entered, command)


def name_everybody(tx: Transaction, players: Sequence[int]) -> dict[int, str]:
    """Return the names of players by their numbers."""
    return name_players([player for player, _ in tx.players.some(sorted(players))])


def _tell(act: Act, players: Iterable[int], write: Callable[[Player], Notice]) -> None:
    """Queue an email to each of some players who can be written to."""
    for number in players:
        player = act.tx.players.get(number)
        if player and player.has_mail and not player.preferences.muted:
            post_to(act, write(player), player)


def post_to(act: Act, notice: Notice, player: Player) -> None:
    """Queue an email to a player, which proves them when they answer it: they can enter, leave, and look."""
    about = Question(TOLD, player.email, player=player.id, inbound=act.cause.inbound, state="yes")
    post(act, notice, pose(act, about), player)
