"""What the calendar feeds of players show: the ends of their turns, as the database has them."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import groupby

from pbem.archive.feeds import FeedEvent
from pbem.mail.archive_paths import match_key, match_page
from pbem.mail.compose import Site
from pbem.match.player import Player
from pbem.match.time.calendar import Span, days_left
from pbem.notices.sentences.feed import describe_feed_time
from pbem.storage.database import Database
from pbem.storage.messages.records import Turn

_MOST_TURNS = 200  # in a feed


def read_feeds(
    database: Database, players: Sequence[int], site: Site, unlisted: Collection[int]
) -> Iterator[tuple[Player, list[FeedEvent]]]:
    """Yield players with all that their feeds show; one without a turn has an empty feed.

    ``unlisted`` are the numbers of private matches.
    """
    with database.reading() as tx:
        found = tx.players.some(players)
        turns = tx.clocks.turns(players, _MOST_TURNS)
        since = min((turn.clock.since for turn in turns if turn.clock.since), default=None)
        outages = tx.heartbeats.outages_since(since) if since else ()
    own = {number: list(group) for number, group in groupby(turns, key=lambda turn: turn.player)}
    for player, changed_at in found:
        turned = own.get(player.id, ())
        yield player, list(_events(player, changed_at, turned, outages, site, unlisted))


def _events(
    player: Player,
    changed_at: datetime,
    turns: Sequence[Turn],
    outages: Sequence[Span],
    site: Site,
    unlisted: Collection[int],
) -> Iterator[FeedEvent]:
    """Yield the turns of a player as their feed shows them; ``changed_at`` is when their calendar last changed."""
    calendar = player.calendar
    for turn in turns:
        clock, since = turn.clock, turn.clock.since
        deadline = clock.deadline(calendar, outages)
        if clock.seat is None or since is None or deadline is None:
            continue
        control, key = clock.control, match_key(turn.match, site.secret) if turn.match in unlisted else ""
        ends = [end for _, end in outages if since < end]
        spare = calendar.automatic and days_left(calendar, site.vacation_days, deadline) > 0
        yield FeedEvent(
            turn.match,
            turn.game.title,
            clock.seat,
            turn.ply,
            starts_at=clock.turned_at or since,
            due_at=deadline,
            changed_at=max(turn.changed_at, changed_at, *ends),
            sentence=describe_feed_time(
                deadline, since, calendar, control.policy, begun=turn.moves > 0, spare=spare, language=site.language
            ),
            url=site.archive.address(match_page(turn.match, key=key)),
            alarms=control.default_steps() if calendar.remind is None else calendar.remind,
        )
