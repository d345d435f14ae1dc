"""A season of twenty players who only have mailboxes: nobody else acts, and everything comes to an end."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from email.utils import parseaddr
from pathlib import Path

import pytest

from pbem.match.endings import ruled_outcome, winners_note
from pbem.match.fair_rolls import verify_rolls
from pbem.match.match import Match
from pbem.match.records import record_text
from pbem.storage.tables import INBOUND, OUTBOUND
from rules.game import replay
from rules.games import GAMES
from rules.record import read_record
from tests.support.club import ADDRESS, make_club, settings_in
from tests.support.mails import html_of, read, text_of
from tests.support.season import STRANGERS, Season, make_season

CARRIED_OUT = frozenset(
    {
        *("seek", "offers", "join", "new", "pair", "cancel", "unseek", "again", "decline", "block", "unblock"),
        *("draw", "undo", "agree", "pause", "vacation", "give", "claim", "standin", "salt", "ready", "take"),
        *("say", "team", "note", "try", "tree", "publish", "what", "show", "history", "record", "status"),
        *("if", "plan", "digest", "mails", "board", "tz", "remind", "quiet", "page", "auto", "watch", "unwatch"),
    }
)
"""What players write in a season, each at least once; an answer in a digest, and whatever is a move, aside."""

LEAST_MATCHES = 55


@pytest.fixture
def season(tmp_path: Path, blank_database: Path) -> Iterator[Season]:
    """A season that is over."""
    settings = settings_in(tmp_path, blank_database)
    settings.new_matches = "anybody"
    club = make_club(settings)
    try:
        season = make_season(club, seed=1)
        season.play()
        yield season
    finally:
        club.service.database.close()


@pytest.mark.nightly("plays a season of twenty players")
def test_a_season_comes_to_its_end_by_the_players_alone(season: Season, caplog: pytest.LogCaptureFixture) -> None:
    """Every match ends as its record proves; all are told, nobody unasked, and nothing private to somebody else."""
    matches = matches_of(season)
    assert len(matches) >= LEAST_MATCHES
    assert {match.game.key for match in matches} == set(GAMES)
    for match in matches:
        prove_the_result(match)
        tell_everybody_the_end(season, match)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    every_message_was_settled(season)
    nobody_is_written_to_unasked(season)
    private_words_stay_private(season)
    addresses_stay_private(season)
    counted = carried_out(season)
    assert not CARRIED_OUT - set(counted), CARRIED_OUT - set(counted)
    used = " ".join(letter.flat for player in season.players for letter in player.inbox)
    for told in ("Your plan gave your answer", "is standing in for you", "The match is paused", "agreed on a draw"):
        assert told in used, told
    print(f"{len(matches)} matches, {len(season.posted)} messages, {len(season.carried)} emails, {counted}")


def matches_of(season: Season) -> list[Match]:
    """Return all matches that were opened."""
    with season.club.service.database.reading() as tx:
        count = tx.matches.count()
    return [season.club.match(number) for number in range(1, count + 1)]


def prove_the_result(match: Match) -> None:
    """See that the record of a match, read by itself, has the result that was told, and fair rolls."""
    record = read_record(record_text(match))
    position = replay(GAMES[record.game], seats=record.seats, options=record.options, record=record.entries)
    proven = ruled_outcome(record) or position.outcome()
    assert match.outcome is not None, f"match {match.id} isn't over"
    assert proven is not None, f"the record of match {match.id} has no result"
    assert proven.winners == match.outcome.winners
    assert record.notes["winners"] == winners_note(proven)
    verify_rolls(record)


def tell_everybody_the_end(season: Season, match: Match) -> None:
    """See that each player of a match was told once, and last of all but words, that it is over."""
    for player in match.players:
        ends = [mail for _, to, mail in season.letters if to == player.email and mail.match == match.id and mail.ends]
        assert len(ends) == 1, f"match {match.id}: {player.name} was told {len(ends)} times"
        later = [mail for _, to, mail in season.letters if to == player.email and mail.match == match.id]
        assert not any(mail.example for mail in later[later.index(ends[0]) :]), f"match {match.id}: {player.name}"


def every_message_was_settled(season: Season) -> None:
    """See that no message of a player failed or waits, and that every email was sent."""
    with season.club.service.database.reading() as tx:
        inbound = Counter(row.status for row in tx.inbound._rows(INBOUND.select()))
        outbound = Counter(row.status for row in tx.outbound._rows(OUTBOUND.select()))
    assert set(inbound) <= {"accepted", "rejected", "discarded"}, inbound
    assert sum(inbound.values()) == len(season.posted)
    assert outbound == {"sent": len(season.carried)}
    assert inbound["accepted"] > 9 * inbound["rejected"]


def nobody_is_written_to_unasked(season: Season) -> None:
    """See that before a yes of its reader no address was written to more than once."""
    for player in season.players:
        _, (agreed, raw) = [(at, raw) for at, address, raw in season.posted if address == player.address][:2]
        assert text_of(read(raw)).startswith("yes")
        assert sum(to == player.address and at < agreed for at, to, _ in season.carried) == 1
    written = Counter(to for _, to, _ in season.carried)
    assert [written[stranger] for stranger in STRANGERS] == [1, 1]
    assert set(written) == {*STRANGERS, *(player.address for player in season.players)}


def private_words_stay_private(season: Season) -> None:
    """See that notes are in nobody else's email, team talk in the partner's that its writer was told, plans in none."""
    address_of = {player.name: player.address for player in season.players}
    names = {player.address: player.name for player in season.players}
    secrets = [secret for player in season.players for secret in player.secrets]
    assert {bool(secret.partner) for secret in secrets} == {True, False}
    met = set()
    for _, to, raw in season.carried:
        mail = read(raw)
        whole = f"{mail['Subject']} {text_of(mail)} {html_of(mail)}".lower()
        if "whispers" not in whole and "if " not in whole:
            continue
        for secret in secrets:
            if secret.words in whole:
                met.add(secret.words)
                allowed = {address_of[name] for name in (secret.author, secret.partner) if name}
                assert to in allowed, f"{names.get(to)} reads {secret}"
        own = {plan.words for player in season.players if player.address == to for plan in player.plans}
        plans = {
            plan.words
            for player in season.players
            for plan in player.plans
            if player.address != to and f"[pbem {plan.match}]" in str(mail["Subject"])
        }
        # The example of an email may go on where a plan ends: ``if e3 then d2xe3``.
        found = [plan for plan in plans - own if re.search(rf"{re.escape(plan)}(?!\w)", whole)]
        assert not found, f"{names.get(to)} reads a plan"
    assert {bool(secret.partner) for secret in secrets if secret.words in met} == {True, False}


def addresses_stay_private(season: Season) -> None:
    """See that no email shows an address of another player, nor of a stranger, unless its reader has typed it."""
    known = {player.address for player in season.players} | set(STRANGERS)
    typed = {player.address: "" for player in season.players}
    for _, address, raw in season.posted:
        if address in typed:
            typed[address] += text_of(read(raw))
    for _, to, raw in season.carried:
        body = raw.partition(b"\r\n\r\n")[2].decode(errors="replace")
        shown = {address for address in known if address in body or address in body.replace("=\r\n", "")}
        assert all(one == to or one in typed.get(to, "") for one in shown), (to, shown)
        assert parseaddr(str(read(raw)["From"]))[1] == ADDRESS


def carried_out(season: Season) -> Counter[str]:
    """Return how often each kind of command was carried out; a move counts as one kind."""
    with season.club.service.database.reading() as tx:
        rows = tx.inbound._rows(INBOUND.select().where(INBOUND.c.status == "accepted"))
    commands = [
        one for row in rows for one in (row.commands if isinstance(row.commands, list) else json.loads(row.commands))
    ]
    words = (one.split()[0].rstrip(":") for one in commands)
    return Counter(word if word in CARRIED_OUT or word.isalpha() else "a move" for word in words)
