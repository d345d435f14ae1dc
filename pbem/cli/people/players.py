"""The list of players."""

from collections import defaultdict
from typing import TYPE_CHECKING

import typer

from pbem.cli.lists import All, Before, Limit, Page, print_list
from pbem.cli.output import Json, format_time, open_database

if TYPE_CHECKING:
    from pbem.match.player import Player
    from pbem.storage.messages.records import BouncingAddress


def list_players(
    context: typer.Context,
    limit: Limit = None,
    before: Before = None,
    everything: All = False,
    json: Json = False,
) -> None:
    """List players and their addresses, the newest first, and the addresses from which email comes back."""
    from pbem.mail.headers import show_address

    with open_database(context) as database, database.reading() as tx:
        players, has_older = Page(limit, before, everything, json).read(tx.players.newest)
        bouncing = tx.players.bouncing()
        blocked = tx.blocked.among(address for one in players for address in one.emails)
    bounced: dict[int, list[BouncingAddress]] = defaultdict(list)
    for each in bouncing:
        bounced[each.player].append(each)
    silenced = {one.id for one in players if one.emails and one.emails <= blocked}
    print_list(
        players,
        "players",
        lambda one: {
            "id": one.id,
            "name": one.name,
            "address": one.email,
            "addresses": sorted(one.emails),
            "display": one.preferences.display,
            "mails": one.preferences.mails,
            "quiet": one.preferences.muted,
            "blocked": one.id in silenced,
            "robot": one.robot or None,
            "forgotten": one.forgotten and one.merged_into is None,
            "merged_into": one.merged_into,
            "bounced": [
                {"address": each.email, "soft": each.soft, "hard": each.hard, "last_at": each.last}
                for each in bounced[one.id]
            ],
        },
        [
            "id",
            "name",
            ("address", lambda one: show_address(one.email)),
            ("boards", lambda one: _describe_boards(one, blocked=one.id in silenced)),
            *([("email came back (UTC)", lambda one: _describe_bounces(one, bounced[one.id]))] if bouncing else []),
        ],
        json=json,
        has_older=has_older,
        command="players",
    )


def _describe_boards(player: "Player", *, blocked: bool) -> str:
    """Return which boards a player gets, or why there are none."""
    if player.forgotten:
        return "forgotten" if player.merged_into is None else f"merged into {player.merged_into}"
    if player.robot:
        return f"robot, strength {player.robot}"
    return "blocked" if blocked else "no emails" if player.preferences.muted else player.preferences.display


def _describe_bounces(player: "Player", bounces: "list[BouncingAddress]") -> str:
    """Return how often and when emails to a player came back."""
    return "; ".join(
        f"{'' if each.email == player.email else each.email} {each.times}, last on {format_time(each.last)}".strip()
        for each in bounces
    )
