"""No server's bad day costs a match: a year in which each of them happens to somebody twice."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

import pytest

from pbem.match.log import LogEntry
from pbem.match.match import Match
from pbem.settings.model import Settings
from pbem.storage.messages.records import InboundRecord
from tests.support.bad_year import DAY, DAYS, TIME, BadYear, Outlet, Provider, make_year
from tests.support.mails import read

_MOST_COPIES = 3
_OUT = ("resign", "timeout")
_ENDS = {("accepted", ""), ("rejected", "move_rejected"), ("rejected", "stale_turn")}


async def live(
    settings: Settings, *, seed: int, people: int, silent: int, matches: int, every: timedelta, times: int
) -> BadYear:
    """Return a year that is over, in which each bad day came so many ``times``."""
    provider = Provider()
    async with Outlet() as outlet, provider.serving() as port:
        settings.imap_url = f"imap://games:x@127.0.0.1:{port}"
        year = make_year(settings, provider, outlet, seed, people, silent)
        year.strangers = 66 if times == 1 else 200
        try:
            first = year.begun + 4 * DAY
            days = [(first + number * every, name) for number, name in enumerate(list(DAYS) * times)]
            lasts = days[-1][0] - first
            openings = [first + lasts * number / matches - 2 * DAY for number in range(matches)]
            await year.live(days, openings)
        finally:
            await year.club.service.disconnect()
        return year


@pytest.mark.slow("plays two months of bad days")
async def test_no_bad_day_costs_a_match(settings: Settings) -> None:
    """In a few matches each comes once."""
    year = await live(settings, seed=1, people=6, silent=1, matches=4, every=2.5 * DAY, times=1)
    try:
        audit(year, 5)
    finally:
        year.club.service.database.close()


@pytest.mark.nightly("plays a year of bad days")
async def test_a_year_of_bad_days_costs_no_match(settings: Settings) -> None:
    """In a year, and in sixty matches, each comes twice."""
    year = await live(settings, seed=2, people=12, silent=2, matches=90, every=8 * DAY, times=2)
    try:
        audit(year, 60)
    finally:
        year.club.service.database.close()


def audit(year: BadYear, least: int) -> None:
    """See that nothing was lost, or done twice, and that nobody lost by anything but their own silence."""
    matches = year.matches()
    with year.club.service.database.reading() as tx:
        logs = {match.id: tx.clocks.log(match.id) for match in matches}
        messages = tx.inbound.latest(limit=10_000)
        emails = Counter(email.status for email in tx.outbound.latest(limit=10_000))
        expired = [one for one in tx.invitations.listed() if one.state == "expired"]
        assert (tx.unread.all(), tx.inbound.waiting()) == ([], [])
    silent = {player.address for player in year.players if player.has_gone}
    print(
        len(matches),
        Counter((one.status, one.reason) for one in messages),
        emails,
        Counter(year.accepted.values()),
        silent,
    )
    assert len(matches) >= least
    assert set(emails) == {"sent"}
    assert all(match.outcome for match in matches)
    keep_the_ledger(year, messages)
    for match in matches:
        moves_are_those_that_were_written(match, messages)
        time_ended_nothing_but_silence(year, match, logs[match.id], silent)
    assert all({one.called for one in invitation.guests} & silent for invitation in expired), expired
    assert max(year.accepted.values()) <= _MOST_COPIES
    assert year.accepted.total() - len(year.accepted) <= len(year.done) + len(year.accepted) // 50


def keep_the_ledger(year: BadYear, messages: Sequence[InboundRecord]) -> None:
    """See that every message that a player wrote was processed once, and came to an end that suits it."""
    ends = Counter(one.identity.split()[0] for one in messages)
    written = [str(read(raw)["Message-ID"]) for _, _, raw in year.posted]
    assert {name: ends[name] for name in written} == dict.fromkeys(written, 1)
    found = {one.identity.split()[0]: (one.status, one.reason) for one in messages}
    assert {found[name] for name in written} <= _ENDS, Counter(found[name] for name in written)


def moves_are_those_that_were_written(match: Match, messages: Sequence[InboundRecord]) -> None:
    """See that each move was asked for by one message, and each message made the move that it asked for."""
    commands: Counter[tuple[int | None, str]] = Counter(
        (one.seat, command)
        for one in messages
        if one.match == match.id and one.status == "accepted"
        for command in one.commands
        if command.split()[0] not in ("salt", "claim", "give", "yes", "say:")
    )
    made: Counter[tuple[int | None, str]] = Counter(
        (entry.seat, entry.text) for entry in match.record if entry.seat is not None and entry.text not in _OUT
    )
    assert made == commands, (match.id, made - commands, commands - made)


def time_ended_nothing_but_silence(year: BadYear, match: Match, log: Sequence[LogEntry], silent: set[str]) -> None:
    """See that time ran out for those alone who wrote nothing while all worked, and no roll fell without its words."""
    for entry in log:
        if entry.kind in ("flagged", "voided"):
            assert entry.at
            waited_for = match.players if entry.seat is None else [match.players[entry.seat]]
            assert {player.email for player in waited_for} & silent, (match.id, entry)
            began = match.times[entry.ply - 1] if entry.ply else match.opened_at
            down = sum(
                (max(timedelta(), min(end, entry.at) - max(start, began)) for start, end in year.down), timedelta()
            )
            assert entry.at - began - down >= TIME * DAY, (match.id, entry)
    for player, words in zip(match.players, match.seeds, strict=True) if match.game.key == "pippip" else ():
        assert words == f"{player.name} was here" or player.email in silent, (match.id, match.seeds)
