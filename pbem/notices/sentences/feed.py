"""Sentences of a player's calendar feed: its name, and what stands in the entry of a turn. Pure."""

from datetime import datetime

from pbem.match.time.calendar import Calendar
from pbem.match.time.time_control import Policy
from pbem.notices.sentences.consequences import say_own_consequence
from pbem.notices.sentences.moments import say_moment
from rules.phrase import ENGLISH, Language, phrase


def name_feed(name: str, language: Language = ENGLISH) -> str:
    """Return how a calendar lists the feed of the player with this name."""
    return phrase("{name}’s board games", name=name).said(language)


def name_feed_event(game: str, match: int, language: Language = ENGLISH) -> str:
    """Return the title of a turn in a calendar, short enough for a narrow column; ``game`` is the game's title."""
    return phrase("Your turn: {game}, match {number}", game=game, number=match).said(language)


def describe_feed_time(
    until: datetime,
    since: datetime,
    calendar: Calendar,
    policy: Policy,
    *,
    begun: bool,
    spare: bool,
    language: Language = ENGLISH,
) -> str:
    """Return until when a player has to move, in their own zone, and what happens then, in a match that has ``begun``.

    The turn began ``since``. ``spare``: a day of vacation is used up first.
    """
    end = say_own_consequence(policy, begun=begun)
    if begun and spare:
        end = phrase("If you haven’t moved by then, one of your vacation days is used.")
    moment = phrase("You have until {until}.", until=say_moment(until, calendar, since))
    return f"{moment.said(language)} {end.said(language)}"


def describe_feed_reply(language: Language = ENGLISH) -> str:
    """Return what to do about a turn that a calendar shows."""
    return phrase("To play, reply to the latest email of this match with your move.").said(language)
