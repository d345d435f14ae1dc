"""Sentences about ratings and reliability. Pure."""

from collections.abc import Mapping

from pbem.clubs.glicko2 import Rating
from pbem.clubs.ratings import MOST_IN_A_MONTH, Change
from pbem.clubs.reliability import Reliability
from pbem.match.match import Match
from rules.phrase import Argument, Language, Phrase, mark, phrase

_UNCOUNTED: Mapping[str, str] = {
    "void": mark("it was called off"),
    "private": mark("it’s private"),
    "robot": mark("a robot had a seat in it"),
    "taken": mark("somebody took over a seat in it"),
    "alone": mark("nobody in it played against anybody else"),
    "few_moves": mark("each side has to move twice before it counts"),
    "passed_on": mark("once a player has handed their seat over, only a defeat counts"),
    "stood_in": mark("you played in somebody else’s place"),
    "often": mark("only {most} matches of the same players count in a month"),
    "away": mark("of several losses on time within a fortnight, only the first counts"),
}
"""Why a match counts for no rating, in half a sentence."""


def write_rating(rating: Rating) -> str:
    """Return a rating as it is shown: 1540 ± 60."""
    return f"{round(rating.points)} ± {round(rating.deviation)}"


def describe_change(change: Change | None, match: Match, language: Language) -> str:
    """Return the sentence about what a match did to the rating of its reader; nothing for None."""
    if change is None:
        return ""
    told: dict[str, Argument] = {
        "game": match.game.title,
        "rating": write_rating(change.after),
        "points": abs(change.gained),
    }
    if change.uncounted:
        told["why"] = Phrase(_UNCOUNTED[change.uncounted], (("most", MOST_IN_A_MONTH),))
        return phrase("The match doesn’t change your rating ({rating} in {game}): {why}.", **told).said(language)
    if not change.gained:
        return phrase("Your rating in {game}: {rating}, as before.", **told).said(language)
    if change.gained > 0:
        return phrase("Your rating in {game}: {rating}, up {points}.", **told).said(language)
    return phrase("Your rating in {game}: {rating}, down {points}.", **told).said(language)


def describe_reliability(reliability: Reliability) -> Phrase:
    """Return how reliable somebody is, in a few words."""
    if reliability.percent is None:
        return phrase("new")
    return phrase("{percent} percent reliable", percent=reliability.percent)
