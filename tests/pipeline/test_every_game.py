"""Every game in the list, by mail from the opening to the last notice, without naming one."""

import re
from collections.abc import Callable

import pytest

from pbem.match.endings import winners_note
from pbem.match.fair_rolls import verify_rolls
from pbem.match.records import record_text
from pbem.notices.sentences.match import describe_result
from rules.game import Game, replay
from rules.games import GAMES
from rules.record import read_record
from tests.support.club import PLAYERS, Club
from tests.support.mails import html_of, text_of

every = pytest.mark.parametrize(
    ("game", "seats"),
    [(game, seats) for game in GAMES.values() for seats in game.seats],
    ids=lambda part: str(part)[:9],
)
MOST_LETTERS = 400


def asked(text: str) -> str | None:
    """Return what a notice tells its reader to write, as somebody does who follows it to the message."""
    flat = " ".join(text.split())
    if "Reply ready." in flat:
        return "ready"
    found = re.findall(r"\bsuch as (.{1,80}?)(?=[.,;:]? [–—]|[.,;:]\s|[.,;:]$| or )", flat)
    return found[-1] if found else None


def play(club: Club, game: Game, seats: int) -> int:
    """Open a short match and answer each email as it suggests, until nobody is asked; return the number of messages."""
    number = club.service.open(game.key, PLAYERS[:seats], game.short).id
    waiting = {seat: asked(text_of(club.newest(seat, number))) for seat in range(seats)}
    messages = 0
    while any(waiting.values()):
        seat, words = next((seat, words) for seat, words in waiting.items() if words)
        arrival = club.reply(seat, words, match=number)
        assert arrival.message.status == "accepted", (words, arrival.message.detail)
        for mail in arrival.outbound:
            assert mail.seat is not None
            waiting[mail.seat] = asked(text_of(club.mail(mail)))
        messages += 1
        assert messages < MOST_LETTERS
    return messages


@pytest.mark.sampled(3)
@every
def test_players_who_send_the_examples_finish_a_match_that_verifies(club: Club, game: Game, seats: int) -> None:
    """Everybody is told how it ended; from the text of its record it replays, and every roll is recomputed."""
    play(club, game, seats)
    match = club.match()
    assert match.outcome is not None
    for seat in range(seats):
        mail = club.newest(seat)
        assert describe_result(match, seat) in " ".join(text_of(mail).split())
        assert mail["X-Pbem-Kind"] == "match_over"
    record = read_record(record_text(match))
    position = replay(GAMES[record.game], seats=record.seats, options=record.options, record=record.entries)
    assert winners_note(position.outcome()) == record.notes["winners"]
    lots = sum(entry.seat is None for entry in record.entries)
    assert verify_rolls(record) == (lots if game.rolls else None)
    assert bool(lots) == bool(game.rolls)


@every
def test_help_brings_the_whole_rules(club: Club, game: Game, seats: int) -> None:
    """``help`` brings all the rules of the match, in text and HTML, from the very first email on."""
    club.service.open(game.key, PLAYERS[:seats], game.short)
    club.reply(0, "help")
    mail = club.newest(0)
    for content in (text_of(mail), html_of(mail)):
        flat = " ".join(re.sub(r"<[^>]+>|&#?\w+;|[·“”\"'’&]", " ", content).split())
        for paragraph in map(str, game.help_for(seats, club.match().options)):
            assert " ".join(re.sub(r"[·“”\"'’&]", " ", paragraph).split()) in flat


@pytest.mark.sampled(3)
@every
def test_a_wrong_reply_changes_nothing_and_is_answered(new_club: Callable[[], Club], game: Game, seats: int) -> None:
    """Slips that anybody makes are answered, with the words quoted, what would be right, and the board."""
    club = new_club()
    club.service.open(game.key, PLAYERS[:seats], game.short)
    for seat in club.match().unseeded if club.match().awaits_seeds else ():
        club.reply(seat, "ready")
    for number, words in enumerate(("z9", "a1 a1 a1 a1 a1 a1 a1", "e5 is mine 1", "take 99", "b22", "a1xb99", "1")):
        before, awaited = club.moves(), club.match().to_act
        assert isinstance(awaited, int)
        arrival = club.reply(awaited, words, Message_ID=f"<slip-{number}@a.example>")
        assert arrival.message.status == "rejected", words
        assert club.moves() == before
        text = " ".join(text_of(club.newest(awaited)).split())
        assert words in text
        assert asked(text) is not None
