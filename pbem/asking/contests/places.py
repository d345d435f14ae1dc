"""What a match is in its contest, and does there: sentences of its first email, and of its last one."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from pbem.asking.contests.standings import CHALLENGED, CHALLENGER, find_ladder
from pbem.clubs.contest import Contest, ContestMatch
from pbem.clubs.ladder import Ladder
from pbem.clubs.league_results import meet
from pbem.commands.decision import MatchDecision, Step
from pbem.commands.effects import SeatPlayer, Tell
from pbem.errors import DamagedRow
from pbem.match.match import Match
from pbem.notices.ladders import title_of
from pbem.notices.sentences.contests.leagues import title_named
from pbem.pipeline.act import Act
from pbem.reading.reason import because
from rules.phrase import Argument, listed


def tell_contest(act: Act, decision: MatchDecision) -> MatchDecision:
    """Return a decision by which each player is told, too, which contest a new match is of, or what its end does there.

    It says, too, who needs no introduction to the game.
    """
    match = decision.after
    if decision.opening or any(isinstance(effect, SeatPlayer) for effect in decision.effects):
        decision = replace(decision, introduced=act.tx.matches.introduced(match))
    place = act.tx.contests.of_match(match.id) if decision.opening or decision.ends_match else None
    if place is None:
        return decision
    told = tuple(_tell(act, match, place, opening=decision.opening))
    contest = place if decision.opening else None
    return replace(decision, steps=(*decision.steps, Step("", told)), contest=contest)


def _tell(act: Act, match: Match, place: ContestMatch, *, opening: bool) -> Iterator[Tell]:
    """Yield what is said to players about the contest of a match; of a damaged one nothing."""
    if place.season:
        with suppress(DamagedRow):
            contest = act.tx.contests.get(place.contest)
            if contest:
                several = act.tx.contests.count_divisions(place.contest, place.season) > 1
                yield from _tell_season(match, contest, place, several) if opening else _tell_unplayed(match, contest)
    elif found := find_ladder(act.tx, place.contest, act.now):
        yield from _tell_challenge(match, *found, place.event) if opening else _tell_places(match, *found)


def _tell_season(match: Match, contest: Contest, place: ContestMatch, several: bool) -> Iterator[Tell]:
    """Yield that a new match is of a season, and of which of ``several`` divisions."""
    code = "league_match_of_division" if several else "league_match"
    league = title_named(contest.name, contest.game)
    reason = because(code, league=league, season=place.season, division=place.division)
    for seat in range(len(match.players)):
        yield Tell(seat, reason)


def _tell_unplayed(match: Match, contest: Contest) -> Iterator[Tell]:
    """Yield what the end of a match is worth that somebody has not played."""
    seats = range(len(match.players))
    missing = meet(match, tuple(player.id for player in match.players), ()).missing
    told: dict[str, Argument] = {"league": title_named(contest.name, contest.game)}
    told["who"] = listed(match.name(seat) for seat in missing)
    for seat in seats if len(missing) < len(seats) else ():
        if missing:
            yield Tell(seat, because("league_unplayed_by_you" if seat in missing else "league_unplayed", **told))


def _tell_challenge(match: Match, contest: Contest, ladder: Ladder, event: int) -> Iterator[Tell]:
    """Yield for which place a new match is."""
    challenge = ladder.challenges.get(event)
    if challenge and challenge.rung in ladder.shown:
        told: dict[str, Argument] = {"title": title_of(contest), "place": ladder.shown.index(challenge.rung) + 1}
        yield Tell(CHALLENGER, because("challenge_by_you", **told, who=match.name(CHALLENGED)))
        yield Tell(CHALLENGED, because("challenge_to_you", **told, who=match.name(CHALLENGER)))


def _tell_places(match: Match, contest: Contest, ladder: Ladder) -> Iterator[Tell]:
    """Yield where each player stands after a match."""
    for seat, player in enumerate(match.players):
        if (place := ladder.place_of(player.id)) is not None:
            yield Tell(seat, because("ladder_place", place=place, title=title_of(contest)))
