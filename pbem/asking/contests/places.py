"""What the end of a match does to the places of its players in a ladder: a sentence of its last email."""

from dataclasses import replace

from pbem.asking.contests.standings import find_ladder
from pbem.commands.decision import MatchDecision, Step
from pbem.commands.effects import Tell
from pbem.notices.ladders import title_of
from pbem.pipeline.act import Act
from pbem.reading.reason import because


def tell_places(act: Act, decision: MatchDecision) -> MatchDecision:
    """Return a decision by which each player is told, too, where they stand in the ladder whose match has ended."""
    match = decision.after
    one = act.tx.contests.of_match(match.id) if match.outcome and not decision.before.outcome else None
    found = find_ladder(act.tx, one.contest, act.now) if one else None
    if found is None:
        return decision
    contest, ladder = found
    told = tuple(
        Tell(seat, because("ladder_place", place=place, title=title_of(contest)))
        for seat, player in enumerate(match.players)
        if (place := ladder.place_of(player.id)) is not None
    )
    return replace(decision, steps=(*decision.steps, Step("", told)))
