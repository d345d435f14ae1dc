"""Sentences about ratings and reliability. Pure."""

from pbem.clubs.glicko2 import Rating
from pbem.clubs.ratings import Change
from pbem.clubs.reliability import Reliability
from pbem.match.match import Match
from rules.phrase import Argument, Language, Phrase, phrase


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
    if not change.counts:
        return phrase("The match doesn’t change your rating: {rating} in {game}.", **told).said(language)
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
