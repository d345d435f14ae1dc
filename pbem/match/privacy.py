"""Who may read which words: the one place that decides by whether a comment is for one side alone. Pure."""

from pbem.match.log import LogEntry
from pbem.match.match import Comment, Match
from rules.position import Seat


def is_private(comment: Comment) -> bool:
    """Return whether a comment is for the side of its writer alone; any other is for everybody."""
    return comment.to_side


def may_read(match: Match, reader: Seat, comment: Comment) -> bool:
    """Return whether the player at a seat may read a comment.

    Private words are for their writer and the partners who have not left.
    """
    if comment.seat == reader or not is_private(comment):
        return True
    return reader in match.position.side(comment.seat) and reader not in match.position.departed()


def may_tell(match: Match, entry: LogEntry) -> bool:
    """Return whether anybody beyond the side that it is about may be told of an entry of the log by now."""
    return entry.kind != "voted" or match.outcome is not None


def may_recall(comment: Comment, passed: bool) -> bool:
    """Return whether whoever has a seat may read an earlier comment; ``passed``: the seat was another player's then."""
    return not (passed and is_private(comment))


def may_publish(match: Match, comment: Comment) -> bool:
    """Return whether the page of a match may show a comment: private ones after the end, unless the match is private.

    Their writers know that.
    """
    return match.tells_team or not is_private(comment)
