"""The Sunday letter: who gets it and when, what it tells, how it is answered, and what is tried with it."""

import asyncio
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from pbem.asking.forgetting import forget
from pbem.clubs.contest import ContestEvent
from pbem.due.letter import sending
from pbem.due.letter.readers import list_circles, list_players, list_readers
from pbem.due.letter.sending import send_letters
from pbem.match.time.calendar import Absence, Calendar
from pbem.pipeline.act import Act
from pbem.storage.due import LETTERS_DUE
from tests.support.club import Club
from tests.support.laid import After
from tests.support.mails import html_of, text_of
from tests.support.sundays import (
    NAMES,
    add_players,
    address_of,
    begin_ladder,
    begin_league,
    challenge,
    letter_to,
    letters,
    pass_to_sunday,
    player_of,
    set_calendar,
)

SUNDAY = datetime(2026, 11, 22, 9, tzinfo=UTC)
WORDS = "I would never have believed that you take this one"


def _begun(club: Club) -> dict[frozenset[str], int]:
    """A season of five whose first day was a Friday: Carl has given up against Dora, Ann has said something to Bob."""
    matches = begin_league(club)
    club.reply(0, f"c3\n\n{WORDS}", match=matches[frozenset(("Ann", "Bob"))])
    club.reply(0, "resign", match=matches[frozenset(("Carl", "Dora"))])
    return matches


@pytest.fixture
def season(after: After) -> Club:
    """A club with a season of a league that has just begun."""
    return after(_begun)


def test_everybody_in_a_contest_gets_one_letter_on_sunday(season: Club) -> None:
    """Each at nine in the own zone; whoever is in two contests gets one about both."""
    begin_ladder(season, ("Ann", "Fay"))
    set_calendar(season, "Eve", Calendar(zone="Pacific/Kiritimati"))
    set_calendar(season, "Dora", Calendar(quiet=(22, 12)))
    pass_to_sunday(season, hours=26)
    at = {one.recipient: one.created_at for one in letters(season)}
    early, late = SUNDAY - timedelta(hours=14), SUNDAY + timedelta(hours=3)
    usual = dict.fromkeys(map(address_of, ("Ann", "Bob", "Carl", "Fay")), SUNDAY)
    assert at == usual | {address_of("Eve"): early, address_of("Dora"): late}
    assert len(letters(season)) == len(at)
    assert season.mail(letters(season, "Ann")[0])["Subject"].startswith("[pbem] Sunday letter: ")


def test_the_next_letter_comes_a_week_later(season: Club) -> None:
    """And tells of that week alone."""
    pass_to_sunday(season)
    assert "Dora beat Carl" in letter_to(season, "Ann")
    pass_to_sunday(season, weeks=1)
    assert [one.created_at for one in letters(season, "Ann")] == [SUNDAY, SUNDAY + timedelta(days=7)]
    assert "beat" not in letter_to(season, "Ann")


def test_nobody_gets_a_letter_who_is_in_no_contest_that_goes_on(club: Club) -> None:
    """Neither where none ever was, nor after the end of a season; nor who has left it."""
    club.open()
    begin_league(club)
    with club.service.database.transaction() as tx:
        contest = tx.contests.all()[0].id
        tx.contests.add(contest, ContestEvent(club.clock.now(), "left", player_of(club, "Ann").id))
    pass_to_sunday(club)
    assert not letters(club, "Ann")
    assert letters(club, "Bob")
    with club.service.database.transaction() as tx:
        tx.contests.add(contest, ContestEvent(club.clock.now(), "ended", arguments={"season": 1}))
    pass_to_sunday(club, weeks=1)
    assert len(letters(club)) == len(NAMES) - 1


def _mute(club: Club) -> None:
    club.reply(0, "unsubscribe")


def _off(club: Club) -> None:
    assert club.reply(0, "letter off").message.commands == ("letter off",)


def _away(club: Club) -> None:
    now = club.clock.now()
    set_calendar(club, "Ann", Calendar(absences=(Absence(now, now + timedelta(days=9)),)))


def _forgotten(club: Club) -> None:
    with club.service.database.transaction() as tx:
        forget(Act(tx, club.service.site, club.clock.now()), player_of(club, "Ann").id)


def _blocked(club: Club) -> None:
    with club.service.database.transaction() as tx:
        tx.blocked.add(address_of("Ann"), "", club.clock.now())


def _unreachable(club: Club) -> None:
    with club.service.database.transaction() as tx:
        tx.players.count_bounce(address_of("Ann"), hard=True, now=club.clock.now())


def test_who_only_forgot_to_move_gets_the_letter(season: Club) -> None:
    """A day of vacation that was taken by itself, since their time was up, says nothing of where they are."""
    now = season.clock.now()
    set_calendar(season, "Ann", Calendar(absences=(Absence(now, now + timedelta(days=9), "automatic"),)))
    pass_to_sunday(season)
    assert letters(season, "Ann")


@pytest.mark.parametrize("end", [_mute, _off, _away, _forgotten, _blocked, _unreachable])
def test_nobody_gets_a_letter_who_wants_none_or_is_not_there(season: Club, end: Callable[[Club], None]) -> None:
    """All others do."""
    end(season)
    pass_to_sunday(season)
    assert {one.recipient for one in letters(season)} == set(map(address_of, NAMES[1:]))


def test_the_letter_comes_again_to_who_wants_it_again(season: Club) -> None:
    """The preference says so until then."""
    _off(season)
    assert not player_of(season, "Ann").preferences.letter
    assert season.reply(0, "letter on").message.commands == ("letter on",)
    pass_to_sunday(season)
    assert letters(season, "Ann")


def test_a_service_that_stood_still_on_sunday_sends_no_letter_on_tuesday(season: Club) -> None:
    """Nobody needs the news of the week before; the next letter comes as ever."""
    season.clock.advance(SUNDAY + timedelta(days=2) - season.clock.now())
    asyncio.run(season.service.deliver())
    assert not letters(season)
    pass_to_sunday(season, weeks=1)
    assert len(letters(season)) == len(NAMES)


def test_a_letter_tells_of_the_week(season: Club) -> None:
    """The table, the results, whose turn it is, and the board of what was talked about, with the words."""
    pass_to_sunday(season)
    text = letter_to(season, "Eve")
    for told in ("Pipline league", "Dora, place 1: one point out of 1 match", "Dora beat Carl in match", WORDS):
        assert told in text, told
    assert re.search(r"Match \d+: Bob, until 4 December, 18:30", text)
    assert "3   .  . (X) .  .   3" in text_of(season.mail(letters(season, "Eve")[-1]))


def test_arrows_say_who_went_up_since_last_week(season: Club) -> None:
    """In words too, for whoever listens; nothing in the first week of a season."""
    pass_to_sunday(season)
    assert "▲" not in html_of(season.mail(letters(season, "Eve")[-1]))
    for match in _running(season, "Ann"):
        if _seat(season, match, "Ann") == 1:
            season.reply(0, "resign", match=match)
    pass_to_sunday(season, weeks=1)
    html = html_of(season.mail(letters(season, "Ann")[-1]))
    assert 'aria-label="up 1 place"' in html
    assert "▲1" in html
    assert "▼1" in html
    assert "Ann, place 1 (up 1 place)" in letter_to(season, "Eve")


def _running(club: Club, name: str) -> list[int]:
    with club.service.database.reading() as tx:
        return [match.id for match in tx.matches.all(player=player_of(club, name).id, running=True)]


def _seat(club: Club, match: int, name: str) -> int:
    return next(seat for seat, one in enumerate(club.match(match).players) if one.name == name)


def test_a_letter_is_answered_like_a_digest(season: Club) -> None:
    """A line for each match with its number; several lines are several matches."""
    pass_to_sunday(season)
    waiting = [one for one in _running(season, "Eve") if season.match(one).to_act == _seat(season, one, "Eve")]
    assert len(waiting) > 1
    arrival = season.service.hand_in(
        season.answer(season.mail(letters(season, "Eve")[-1]), "\n".join(f"{number} c3" for number in waiting))
    )
    assert arrival.message.commands == tuple(f"{number} c3" for number in waiting)
    assert [mail.kind for mail in arrival.outbound if mail.recipient == address_of("Eve")] == ["digest_done"]


def test_a_letter_to_somebody_without_any_match_can_be_answered(club: Club) -> None:
    """They stand in a ladder in which they have never played; before they leave it they are asked."""
    begin_ladder(club)
    pass_to_sunday(club)
    leaving = club.service.hand_in(club.answer(club.mail(letters(club, "Eve")[0]), "leave ladder"))
    assert [mail.kind for mail in leaving.outbound] == ["confirm_start"]
    arrival = club.service.hand_in(club.answer(club.mail(letters(club, "Eve")[0]), "letter off"))
    assert (arrival.message.status, arrival.message.commands) == ("accepted", ("letter off",))
    assert not player_of(club, "Eve").preferences.letter


@pytest.mark.parametrize("words", ["letter off", "status\nletter off"])
def test_nobody_ends_letters_by_a_forged_sender(season: Club, words: str) -> None:
    """It takes an answer to an email of ours."""
    season.write(words, address_of("Eve"))
    assert player_of(season, "Eve").preferences.letter


@pytest.mark.parametrize("played", [True, False])
def test_the_button_of_email_programs_ends_the_letters(club: Club, *, played: bool) -> None:
    """Of whoever plays, of whoever has played, and of who never had a match."""
    ladder = begin_ladder(club)
    if played:
        club.reply(1, "resign", match=challenge(club, ladder, "Dora", "Eve"))
    pass_to_sunday(club)
    letter = club.mail(letters(club, "Eve")[0])
    assert f"<mailto:{_address_in(letter['Reply-To'])}?subject=unsubscribe>" in letter["List-Unsubscribe"]
    arrival = club.service.hand_in(club.answer(letter, "", Subject="unsubscribe"))
    assert arrival.message.status == "accepted"
    preferences = player_of(club, "Eve").preferences
    assert preferences.muted or not preferences.letter
    challenge(club, ladder, "Bob", "Ann")
    pass_to_sunday(club, weeks=1)
    assert len(letters(club, "Eve")) == 1
    assert len(letters(club, "Ann")) == 2


def test_nobody_is_told_that_a_ladder_stands_still(club: Club) -> None:
    """In the first week all have come; then nothing happens, until somebody challenges somebody."""
    ladder = begin_ladder(club)
    pass_to_sunday(club, weeks=1)
    assert len(letters(club)) == len(NAMES)
    challenge(club, ladder, "Bob", "Ann")
    pass_to_sunday(club, weeks=2)
    assert len(letters(club)) == 2 * len(NAMES)


def _address_in(header: str) -> str:
    return header.partition("<")[2].rstrip(">")


def test_what_only_some_may_read_is_in_no_letter(season: Club) -> None:
    """Nothing of a private match, whoever plays in it, and no words to a side."""
    match = next(iter(_running(season, "Ann")))
    with season.service.database.transaction() as tx:
        tx.matches.set_private(match, True, season.clock.now())
    pass_to_sunday(season)
    for name in NAMES:
        assert WORDS not in letter_to(season, name)
        assert f"Match {match}:" not in letter_to(season, name).partition("Pipline league")[2]


def test_no_list_of_a_ladder_names_a_private_match(club: Club) -> None:
    """Neither a letter, nor the answer to whoever asks how the ladder stands."""
    ladder = begin_ladder(club)
    private, public = (challenge(club, ladder, *two) for two in (("Dora", "Bob"), ("Eve", "Carl")))
    with club.service.database.transaction() as tx:
        tx.matches.set_private(private, True, club.clock.now())
    pass_to_sunday(club)
    (told,) = club.answer_kind("letter", 0, "ladder").outbound
    answer = text_of(club.mail(told))
    for text in (letter_to(club, "Ann"), answer):
        assert f"match {public}" in text
        assert f"match {private}" not in text


def test_nobody_reads_words_of_somebody_whom_they_have_blocked(season: Club) -> None:
    """Nor does anybody read those of somebody whom the operator has blocked."""
    season.write("block ann@a.example", "bob@b.example")
    season.answer_kind("confirm_start", -1, "yes")
    pass_to_sunday(season)
    assert WORDS not in letter_to(season, "Bob")
    assert WORDS in letter_to(season, "Eve")


@pytest.mark.parametrize(
    "words",
    [
        "See www.casino.example for the best games",
        "Mail casino@win.example now",
        "Visit casino．com dear friends of games",
        "Visit casino dot com dear friends of games",
        "Mail casino (at) win dot example now",
        "Ring casino 0900 123 4567 for good games",
    ],
)
def test_an_advertisement_goes_to_nobody_in_a_letter(club: Club, words: str) -> None:
    """What names an address or a site is not shown to all others."""
    matches = begin_league(club)
    club.reply(0, f"c3\n\n{words}", match=matches[frozenset(("Ann", "Bob"))])
    pass_to_sunday(club)
    assert "casino" not in letter_to(club, "Eve")


def test_letters_keep_nothing_of_who_is_forgotten(season: Club) -> None:
    """Neither the words that they showed others, nor the name."""
    pass_to_sunday(season)
    with season.service.database.transaction() as tx:
        for one in letters(season):
            tx.outbound.note_attempt(one.id, "sent", "", season.clock.now())
    asyncio.run(season.service.deliver())
    _forgotten(season)
    pass_to_sunday(season, hours=30)
    with season.service.database.reading() as tx:
        kept = [words for name in NAMES[1:] for words in tx.outbound.quotable_to(address_of(name), "letter")]
    assert kept
    for words in kept:
        assert "Ann" not in words
        assert "never have believed" not in words


def test_a_letter_is_small(club: Club) -> None:
    """However much happens: nine in a division, everybody in a ladder of forty, each match with words."""
    names = tuple(f"Player{number:02}" for number in range(40))
    ladder = begin_ladder(club, names)
    matches = [*begin_league(club, names[:9]).values()]
    matches += [challenge(club, ladder, names[place + 1], names[place]) for place in range(0, 38, 2)]
    for match in matches:
        club.reply(0, f"c3\n\n{'words ' * 60}", match=match)
        if match % 2:
            club.reply(1, "resign", match=match)
    pass_to_sunday(club)
    letter = club.mail(letters(club, names[0])[-1])
    assert len(letter.as_bytes()) < 70_000
    assert "And 6 more." in text_of(letter)


def test_letters_go_out_a_few_at_a_time(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between them emails about turns do; nobody gets two, and nobody none."""
    monkeypatch.setattr(sending, "AT_A_TIME", 2)
    begin_league(club)
    pass_to_sunday(club)
    assert sorted(one.recipient for one in letters(club)) == sorted(map(address_of, NAMES))
    assert len({one.created_at for one in letters(club)}) == 3


def test_who_gets_no_letter_keeps_none_from_others(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole ladders in which nothing happens, before one in which something does: it is looked at once."""
    monkeypatch.setattr(sending, "AT_A_TIME", 2)
    for first in ("Ann", "Dora"):
        begin_ladder(club, (first, f"{first}a", f"{first}b"), first)
    busy = begin_ladder(club, ("Fay", "Gus"), "last")
    pass_to_sunday(club)
    before = len(letters(club))
    challenge(club, busy, "Gus", "Fay")
    pass_to_sunday(club, weeks=1)
    assert sorted(one.recipient for one in letters(club)[before:]) == [address_of("Fay"), address_of("Gus")]
    with club.service.database.reading() as tx:
        assert LETTERS_DUE not in {one.kind for one in tx.due.by(club.clock.now() + timedelta(hours=1))}


def test_a_process_that_dies_after_a_letter_sends_it_once(season: Club) -> None:
    """Whoever has had a letter is no reader of it any more, whatever the address it went to."""
    pass_to_sunday(season)
    with season.service.database.transaction() as tx:
        act = Act(tx, season.service.site, season.clock.now())
        send_letters(act, 0)
        circles = list_circles(tx)
        assert list_readers(tx, circles, list_players(tx, circles), season.clock.now()) == []
    assert len(letters(season)) == len(NAMES)


def test_a_damaged_contest_takes_the_letters_of_no_other(season: Club) -> None:
    """A league whose matches are not those of its draw is left out."""
    begin_ladder(season, ("Ann", "Bob"))
    with season.service.database.transaction() as tx:
        league = next(one for one in tx.contests.all() if one.kind == "league")
        (gone,) = [one.id for one in tx.contests.events(league.id) if one.player == player_of(season, "Eve").id][-1:]
        tx.contests.undo(gone, season.clock.now())
    pass_to_sunday(season)
    assert {one.recipient for one in letters(season)} == {address_of("Ann"), address_of("Bob")}
    assert "league" not in letter_to(season, "Ann")


def _play(club: Club, match: int, *moves: str) -> None:
    """Let both players move, and the second one give up."""
    for move in moves:
        seat = club.match(match).to_act
        assert isinstance(seat, int)
        club.reply(seat, move, match=match)
    club.reply(1, "resign", match=match)


def test_a_robot_finds_the_swing_of_the_week_beside_everything_else(season: Club) -> None:
    """On Saturday it looks at what was played; the letter tells of the move that cost most."""
    match = next(iter(_running(season, "Ann")))
    _play(season, match, "take", "d4", "e5", "d3", "a1")
    for _ in season.pass_time(SUNDAY - timedelta(hours=20) - season.clock.now()):
        season.let_robots_move()
    assert len(season.thinker.reviewed) == 2
    pass_to_sunday(season)
    assert f"in match {match}, " in letter_to(season, "Eve").partition("The swing of the week:")[2]
    pass_to_sunday(season, weeks=1)
    assert "The swing of the week:" not in letter_to(season, "Eve")


def test_without_thoughts_there_is_no_swing_and_the_letter_comes_all_the_same(season: Club) -> None:
    """No email waits for a robot; and what came to no end is not tried again and again."""
    match = next(iter(_running(season, "Ann")))
    _play(season, match, "take", "d4", "e5", "d3", "a1")
    season.thinker.lost = {1, 2, 3}
    pass_to_sunday(season)
    season.let_robots_move()
    assert len(letters(season)) == len(NAMES)
    assert "The swing of the week:" not in letter_to(season, "Eve")
    thought = len(season.thinker.reviewed)
    season.let_robots_move()
    assert len(season.thinker.reviewed) == thought == 6


def test_a_swing_is_left_out_once_the_match_is_another(season: Club) -> None:
    """The operator has taken moves back meanwhile, or made the match private."""
    match = next(iter(_running(season, "Ann")))
    _play(season, match, "take", "d4", "e5", "d3", "a1")
    for _ in season.pass_time(SUNDAY - timedelta(hours=20) - season.clock.now()):
        season.let_robots_move()
    with season.service.database.transaction() as tx:
        tx.matches.set_private(match, True, season.clock.now())
    pass_to_sunday(season)
    assert "The swing of the week:" not in letter_to(season, "Eve")


def test_where_no_contest_is_nothing_is_scheduled(club: Club) -> None:
    """A host without contests has nothing to look for."""
    club.open()
    with club.service.database.reading() as tx:
        assert not tx.due.is_scheduled(LETTERS_DUE, 0)
    add_players(club)
    begin_ladder(club)
    with club.service.database.reading() as tx:
        assert tx.due.is_scheduled(LETTERS_DUE, 0)
