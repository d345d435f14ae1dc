"""Static HTML pages of matches and rules, and calendar feeds, written only where they changed."""

from pbem.archive.feeds import FeedEvent, feed_keys, remove_feed, write_feeds
from pbem.archive.index import FINISHED, RUNNING, draw_film, last_page, page_of, shown_first, write_front, write_index
from pbem.archive.ledger import Ledger
from pbem.archive.listing import PAGE
from pbem.archive.lock import building
from pbem.archive.made import Made, describe_match
from pbem.archive.matches import write_match
from pbem.archive.pages import close_listing, template, write_if_changed, write_shared, write_style
from pbem.archive.players import name_player_lists, write_moved, write_players
from pbem.archive.publicity import Publicity
from pbem.archive.rematches import Rematches
from pbem.archive.rules_pages import write_rules
from pbem.archive.search import write_search
from pbem.archive.standing import status
from pbem.archive.sweep import remove_hidden, remove_outdated, remove_revealed, remove_unfinished

__all__ = [
    "FINISHED",
    "PAGE",
    "RUNNING",
    "FeedEvent",
    "Ledger",
    "Made",
    "Publicity",
    "Rematches",
    "building",
    "close_listing",
    "describe_match",
    "draw_film",
    "feed_keys",
    "last_page",
    "name_player_lists",
    "page_of",
    "remove_feed",
    "remove_hidden",
    "remove_outdated",
    "remove_revealed",
    "remove_unfinished",
    "shown_first",
    "status",
    "template",
    "write_feeds",
    "write_front",
    "write_if_changed",
    "write_index",
    "write_match",
    "write_moved",
    "write_players",
    "write_rules",
    "write_search",
    "write_shared",
    "write_style",
]
