"""Static HTML pages of matches and rules, and calendar feeds, written only where they changed."""

from pbem.archive.feeds import FeedEvent, write_feeds
from pbem.archive.index import PAGE, last_page, page_of, write_index
from pbem.archive.pages import write_match
from pbem.archive.publicity import Publicity
from pbem.archive.rules_pages import write_rules
from pbem.archive.standing import status

__all__ = [
    "PAGE",
    "FeedEvent",
    "Publicity",
    "last_page",
    "page_of",
    "status",
    "write_feeds",
    "write_index",
    "write_match",
    "write_rules",
]
