"""Renders the emails about leagues: a season begins, it is over, and how leagues stand. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.clubs.league import League, Season, moving_of
from pbem.clubs.league_table import Row, list_leaders
from pbem.log.redaction import without_domains
from pbem.mail.archive_paths import Archive, contest_page
from pbem.mail.compose import Notice
from pbem.match.player import Player
from pbem.match.time.time_control import read_time_control
from pbem.notices.render import plain_notice
from pbem.notices.sentences.contests.leagues import (
    DOWN,
    UP,
    DivisionTable,
    lay_table,
    list_names,
    say_points,
    title_league,
)
from pbem.notices.sentences.moments import say_day
from pbem.notices.sentences.reasons import say
from pbem.notices.sentences.time import list_rules
from pbem.reading.reason import Reason
from rules.phrase import Language

LEAGUE, LEAGUE_BEGINS, LEAGUE_ENDS, LEAGUE_NEWS = "league", "league_begins", "league_ends", "league_news"
"""The kinds of emails about leagues."""


@dataclass(frozen=True, slots=True)
class LeagueView:
    """A league as somebody reads of it: what is said of it, and tables, with what to write to enter it or leave it.

    ``entered``: they play in its next season.
    """

    title: str
    sentences: tuple[str, ...]
    tables: tuple[DivisionTable, ...]
    entered: bool
    command: str


@dataclass(frozen=True, slots=True)
class LeagueOffer:
    """A league that somebody could enter, and what to write for it."""

    title: str
    command: str


def begins_notice(
    league: League,
    season: Season,
    player: Player,
    names: Mapping[int, str],
    hours: int,
    archive: Archive,
    language: Language,
) -> Notice:
    """Return the email that tells a player that a season begins; the first emails come within so many ``hours``."""
    division = season.division_of(player.id) or 1
    up, down = moving_of(season, division)
    mine = [players for _, players in season.list_matches(league.seats) if player.id in players]
    others = tuple(dict.fromkeys(other for players in mine for other in players if other != player.id))
    control, _ = read_time_control(league.contest.options)
    notice = plain_notice(
        LEAGUE_BEGINS,
        language,
        you=player.name,
        league=title_league(league).said(language),
        season=season.number,
        division=division,
        divisions=len(season.divisions),
        count=len(mine),
        names=list_names(others, names),
        forfeits=control is not None and control.policy == "forfeit",
        pace=" ".join(said.said(language) for said in list_rules(control)) if control else "",
        hours=hours,
        up=up,
        down=down,
        three=league.seats == 3,
        page=archive.address(contest_page(league.contest.id, season.number)),
        command=f"leave league {league.contest.name}",
    )
    return _shown(notice, player)


def ends_notice(
    league: League,
    season: Season,
    player: Player,
    tables: Sequence[tuple[Row, ...]],
    names: Mapping[int, str],
    absent: Collection[int],
    now: datetime,
    archive: Archive,
    language: Language,
) -> Notice:
    """Return the email that tells a player how a season has ended, and when the next one begins.

    ``absent`` are those who are not in it, since they missed too much of this one.
    """
    division = season.division_of(player.id) or 1
    rows = tables[division - 1]
    page = archive.address(contest_page(league.contest.id, season.number))
    table = lay_table(season, division, rows, names, language, reader=player.id, page=page)
    own = next(row for row in rows if row.player == player.id)
    line = next(line for line in table.lines if line.own)
    leaders = list_leaders(tables[0])
    notice = plain_notice(
        LEAGUE_ENDS,
        language,
        you=player.name,
        league=title_league(league).said(language),
        season=season.number,
        place=own.place,
        shared=own.shared,
        count=len(rows),
        points=say_points(own.points).said(language),
        division=division,
        divisions=len(season.divisions),
        rises=line.moves == UP,
        falls=line.moves == DOWN,
        winners=list_names(leaders, names) if leaders else "",
        won=leaders == (player.id,),
        tables=(table,),
        entered=player.id in league.entered,
        absent=player.id in absent,
        missing=list_names(
            tuple(row.player for row in rows if row.player in absent and row.player != player.id), names
        ),
        following=season.number + 1,
        begins=say_day(league.begins_at.date(), now.date()).said(language),
        least=league.least,
        leave=f"leave league {league.contest.name}",
        enter=f"league {league.contest.name}",
    )
    return _shown(notice, player)


def leagues_notice(
    player: Player, views: Sequence[LeagueView], games: Sequence[LeagueOffer], language: Language
) -> Notice:
    """Return the email about the leagues of a player; ``games`` are others."""
    return _shown(plain_notice(LEAGUE, language, you=player.name, views=views, games=games), player)


def league_news_notice(player: Player, league: League, told: Sequence[Reason], language: Language) -> Notice:
    """Return the email about what the operator has decided in a league."""
    title = title_league(league).said(language)
    news = [say(one, language, player.calendar) for one in told]
    return _shown(plain_notice(LEAGUE_NEWS, language, you=player.name, league=title, news=news), player)


def name_players(players: Sequence[Player]) -> dict[int, str]:
    """Return the names of players, by their numbers, as others may read them."""
    return {player.id: without_domains(player.name) for player in players}


def _shown(notice: Notice, player: Player) -> Notice:
    """Return an email as its reader wants it: without HTML, if they like plain text."""
    return replace(notice, html="") if player.preferences.display == "plain" else notice
