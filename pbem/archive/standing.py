"""How a match stands, and other sentences with moments in them, as text and as HTML."""

import re
from datetime import UTC, date, datetime
from functools import cache

from markupsafe import Markup, escape

from pbem.log.redaction import OBEYED, without_domains
from pbem.match.endings import is_draw
from pbem.match.match import Match
from pbem.match.summary import MatchSummary
from pbem.notices.sentences.public import Told, tell_turn
from rules.phrase import Phrase, phrase
from rules.text import listed

MARKED = "data-until"
"""The attribute of a moment that a script says in the reader's own zone."""

_NO_CHARACTERS = str.maketrans({"\ufffe": "\ufffd", "\uffff": "\ufffd"})
"""What no document may hold (XML 1.0, 2.2), beside the controls that ``OBEYED`` finds."""

_TYPED = re.compile(r"`([^`]+)`")


def status(match: MatchSummary, now: datetime) -> str:
    """Return whose turn it is, since when and until when, or who won and why: a sentence without its full stop."""
    return str(_tell_status(match, now))


def shown_status(match: MatchSummary, now: datetime) -> str:
    """Return the ``status`` as HTML, its moments marked up."""
    told = _tell_status(match, now)
    return show_told(told) if isinstance(told, Told) else escape(str(told))


def is_drawn(match: MatchSummary) -> bool:
    """Return whether a match has ended without anybody having won it alone."""
    won = match.standing.winners
    return won is not None and is_draw(won, match.standing.reason, len(match.players))


def _tell_status(match: MatchSummary, now: datetime) -> Told | Phrase:
    """Return how a match stands."""
    standing = match.standing
    if standing.winners is not None:
        if is_drawn(match):
            return phrase("Drawn: {reason}", reason=standing.reason)
        winners = [match.name(seat) for seat in standing.winners]
        if winners:
            return phrase("Won by {names}: {reason}", names=listed(winners), reason=standing.reason)
        return phrase("No winner: {reason}", reason=standing.reason)
    if standing.awaits_roll:
        if names := listed(map(match.name, match.unseeded)):
            return phrase("Waiting for {names} to be ready", names=names)
        return phrase("Waiting for the dice")
    return tell_turn(match, now) or phrase("Over")


def show_told(told: Told) -> Markup:
    """Return a sentence as HTML, its moments marked up; a script says those to the minute in the reader's own zone."""
    shown = {
        name: _show_moment(told, value) if isinstance(value, date) else escape(str(value))
        for name, value in told.arguments.items()
    }
    return Markup(str(_show_typed(told.message)).format(**shown))  # all escaped: Markup.format looks at each once more


def _show_moment(told: Told, moment: date | datetime) -> Markup:
    """Return a moment of a sentence as HTML."""
    if isinstance(moment, datetime):
        at = format_moment(moment).replace(" ", "T")
        return Markup(f'<time datetime="{at}Z" {MARKED}>{escape(str(told.say(moment)))}</time>')
    return Markup(f'<time datetime="{moment.isoformat()}">{escape(str(told.say(moment)))}</time>')


def format_moment(at: datetime) -> str:
    """Return a time in UTC, to the minute: its day, a blank, hours and minutes."""
    return at.astimezone(UTC).isoformat(" ", "minutes")[:16]


def say(message: str, /, **arguments: object) -> Markup:
    """Return a message as HTML, its fields filled in, and what is to be typed, in backquotes there, as code."""
    said = _show_typed(message)
    return said.format(**arguments) if arguments else said


@cache  # there are as many as the catalogue has messages
def _show_typed(message: str) -> Markup:
    """Return a message as HTML, its fields still open."""
    return Markup(_TYPED.sub(r"<code>\1</code>", str(escape(message))))


def title_of(match: Match) -> str:
    """Return what a match is called outside its page, on one line."""
    return clean(f"{match.game.title} {match.id}: {listed([player.name for player in match.players])}")


def clean(text: object) -> str:
    """Return text on one line: no address, no control, nothing that XML cannot hold."""
    line = " ".join(OBEYED.sub(" ", str(text)).split())
    return without_domains(line.translate(_NO_CHARACTERS))
