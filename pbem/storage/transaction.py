"""A transaction, and the gateways in it, which read and write everything."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

if TYPE_CHECKING:
    import pbem.storage.accounts
    import pbem.storage.clubs.contests
    import pbem.storage.clubs.results
    import pbem.storage.disk
    import pbem.storage.due
    import pbem.storage.erasing
    import pbem.storage.followers
    import pbem.storage.heartbeats
    import pbem.storage.invitations
    import pbem.storage.matches.clocks
    import pbem.storage.matches.gateway
    import pbem.storage.matches.put_away
    import pbem.storage.matches.seconds
    import pbem.storage.matches.thoughts
    import pbem.storage.messages.blocked
    import pbem.storage.messages.inbound
    import pbem.storage.messages.outbound
    import pbem.storage.messages.unread
    import pbem.storage.players
    import pbem.storage.questions
    import pbem.storage.restorations
    import pbem.storage.seat_offers
    import pbem.storage.webhooks
    from pbem.storage.sweeping import Searches

_MADE_WITH = {"matches": ("due", "clocks", "heartbeats"), "contests": ("due",), "forgetting": ("_searches",)}
"""What else a gateway is made with."""


class Transaction:
    """One transaction, with a gateway for each kind of row, which is imported and made when it is first asked for."""

    players: "pbem.storage.players.Players"
    accounts: "pbem.storage.accounts.Accounts"
    due: "pbem.storage.due.DueThings"
    clocks: "pbem.storage.matches.clocks.Clocks"
    heartbeats: "pbem.storage.heartbeats.Heartbeats"
    matches: "pbem.storage.matches.gateway.Matches"
    inbound: "pbem.storage.messages.inbound.Inbound"
    unread: "pbem.storage.messages.unread.UnreadMessages"
    outbound: "pbem.storage.messages.outbound.Outbound"
    blocked: "pbem.storage.messages.blocked.Blocked"
    followers: "pbem.storage.followers.Followers"
    invitations: "pbem.storage.invitations.Invitations"
    seat_offers: "pbem.storage.seat_offers.SeatOffers"
    questions: "pbem.storage.questions.Questions"
    seconds: "pbem.storage.matches.seconds.Seconds"
    put_away: "pbem.storage.matches.put_away.PutAway"
    disk: "pbem.storage.disk.Disk"
    forgetting: "pbem.storage.erasing.Forgetting"
    results: "pbem.storage.clubs.results.Results"
    restorations: "pbem.storage.restorations.Restorations"
    workers: "pbem.storage.heartbeats.Workers"
    webhooks: "pbem.storage.webhooks.Webhooks"
    contests: "pbem.storage.clubs.contests.Contests"
    thoughts: "pbem.storage.matches.thoughts.Thoughts"

    def __init__(self, connection: Connection, searches: "Searches") -> None:
        self._connection = connection
        self._searches = searches

    if not TYPE_CHECKING:  # which would take any name for one of an attribute

        def __getattr__(self, name: str) -> Any:
            if name not in Transaction.__annotations__:
                raise AttributeError(name)
            others = (getattr(self, other) for other in _MADE_WITH.get(name, ()))
            gateway = self.__dict__[name] = _find_gateway(name)(self._connection, *others)
            return gateway


@cache
def _find_gateway(name: str) -> Any:
    """Return the class of a gateway, whose place its annotation says."""
    module, _, kind = Transaction.__annotations__[name].rpartition(".")
    return getattr(import_module(module), kind)
