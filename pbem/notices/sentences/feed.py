"""Sentences of a player's calendar feed: its name, and what stands in the entry of a turn. Pure."""

from rules import ENGLISH, Language, phrase


def name_feed(name: str, language: Language = ENGLISH) -> str:
    """Return how a calendar lists the feed of the player with this name."""
    return phrase("{name}’s board games", name=name).said(language)


def name_feed_event(game: str, match: int, language: Language = ENGLISH) -> str:
    """Return the title of a turn in a calendar, short enough for a narrow column; ``game`` is the game's title."""
    return phrase("Your turn: {game}, match {number}", game=game, number=match).said(language)


def describe_feed_reply(language: Language = ENGLISH) -> str:
    """Return what to do about a turn that a calendar shows."""
    return phrase("To play, reply to the latest email of this match with your move.").said(language)
