"""Sentences of a player's calendar feed: its name, and what stands in the entry of a turn. Pure."""

from datetime import datetime

from pbem.match import Calendar, Policy
from pbem.notices.sentences.moments import say_moment
from rules import ENGLISH, Language, mark, phrase

_AT_THE_END: dict[Policy, str] = {
    "claim": mark("If you haven’t moved by then, the others are asked whether they want to win or wait."),
    "forfeit": mark("If you haven’t moved by then, you lose on time."),
    "remind-only": mark("If you haven’t moved by then, the others just keep waiting."),
    "partner": mark("If you haven’t moved by then and have a partner, your partner plays on without you."),
}
"""What happens when time is up."""


def name_feed(name: str, language: Language = ENGLISH) -> str:
    """Return how a calendar lists the feed of the player with this name."""
    return phrase("{name}’s board games", name=name).said(language)


def name_feed_event(game: str, match: int, language: Language = ENGLISH) -> str:
    """Return the title of a turn in a calendar, short enough for a narrow column; ``game`` is the game's title."""
    return phrase("Your turn: {game}, match {number}", game=game, number=match).said(language)


def describe_feed_time(
    until: datetime, calendar: Calendar, policy: Policy, *, begun: bool, spare: bool, language: Language = ENGLISH
) -> str:
    """Return until when a player has to move, in their own zone, and what happens then, in a match that has ``begun``.

    ``spare``: a day of vacation is used up first.
    """
    if not begun:
        message = mark("If nobody has moved by then, the match is called off and nobody loses.")
    elif spare:
        message = mark("If you haven’t moved by then, one of your vacation days is used.")
    else:
        message = _AT_THE_END[policy]
    moment = phrase("You have until {until}.", until=say_moment(until, calendar)).said(language)
    return f"{moment} {phrase(message).said(language)}"


def describe_feed_reply(language: Language = ENGLISH) -> str:
    """Return what to do about a turn that a calendar shows."""
    return phrase("To play, reply to the latest email of this match with your move.").said(language)
