"""The answers to mistakes: what was wrong, what may have been meant, and what did not happen."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from random import Random

import pytest

from pbem.advice.advice import Advice, advice
from pbem.commands.grammar import read_commands, reads_as_command
from pbem.commands.judge import judge
from pbem.commands.rejections import Discard, MoveRejected, Rejection
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.notices.sentences.reasons import say
from pbem.reading.reason import because
from pbem.reading.sentences import legal
from rules.errors import RulesError
from rules.games import GAMES
from tests.advice.refusals import grade, read_refusals, suggestions
from tests.support.club import PLAYERS, Club, told
from tests.support.mails import html_of, text_of
from tests.support.walks import Case, walk

BEFORE = {
    "pipline": ("d4", "take"),
    "zipline": ("d4 e5", "take"),
    "snipsnip": ("d4", "c3"),
    "pipelines": ("", ""),
    "pippip": ("",),
}
"""What is played before somebody makes a mistake; "" is what the email gives as an example."""


def begun(club: Club, key: str) -> int:
    """Open a short match of two, play its beginning, and return the seat to act."""
    club.service.open(key, PLAYERS[:2], GAMES[key].short)
    for seat in club.match().unseeded if club.match().awaits_seeds else ():
        club.reply(seat, "ready")
    for text in BEFORE[key]:
        assert club.reply(acting(club), text or club.match().position.prompt().example).message.status == "accepted"
    return acting(club)


def acting(club: Club) -> int:
    """Return the seat to act."""
    seat = club.match().to_act
    assert isinstance(seat, int)
    return seat


def answer(club: Club, text: str) -> list[str]:
    """Return the paragraphs of the answer to a message of the seat to act, each on one line."""
    seat, ply = acting(club), club.match().ply
    arrival = club.reply(seat, text)
    assert arrival.message.status == "rejected"
    assert [other for _, other in told(arrival)] == [seat]
    assert club.match().ply == ply
    return [" ".join(paragraph.split()) for paragraph in text_of(club.mail(arrival.outbound[0])).split("\n\n")]


def test_no_reply_of_the_measured_set_gets_a_wrong_suggestion() -> None:
    """Of 257 refused replies, nearly all get the right suggestion, and the others none."""
    grades: dict[str, list[str]] = {"right": [], "silent": [], "wrong": []}
    for refusal in read_refusals():
        grades[grade(refusal.right, suggestions(refusal.match, refusal.seat, *refusal.answered()))].append(str(refusal))
    assert grades["wrong"] == []
    assert len(grades["silent"]) <= 5, grades["silent"]
    assert len(grades["right"]) >= 252


def test_a_move_in_a_question_is_refused_for_what_the_rules_say_of_it() -> None:
    """What stands around the move is less to blame than the move: the rules are asked about that alone."""
    [refusal] = [one for one in read_refusals() if one.reply == "Shall I play d4?"]
    rejection, said = refusal.answered()
    assert isinstance(rejection, MoveRejected)
    assert isinstance(said.why, RulesError)
    assert (said.why.code, said.why.arguments["text"]) == ("cell_occupied", "d4")
    assert (rejection.error.code, rejection.error.arguments["text"]) == ("not_a_cell", "Shall I play d4?")


@pytest.mark.parametrize(
    ("key", "text", "undone"),
    [
        ("pipline", "e9", ["nothing_changed"]),
        ("pipline", "e9\nA strong one, do you not think so?", ["nothing_changed", "words_not_passed"]),
        ("pipline", "Hello Bob, this is my next move:\ne9\nAnn", ["nothing_changed"]),
        ("pippip", "put it on b2\nplease", ["nothing_changed"]),
        ("pippip", "store\nb2 n6\nsay: hm", ["not_played", "words_not_passed"]),
        ("pipelines", "z9\nz8 z7 z6 z5 z4\nn1 n2 n3 n4 n5", ["nothing_changed"]),
    ],
)
def test_an_answer_says_what_did_not_happen(club: Club, key: str, text: str, undone: list[str]) -> None:
    """A message is carried out as a whole or not at all: words and steps beside a refused move are spoken of, too."""
    begun(club, key)
    match, commands = club.match(), read_commands(text.splitlines())
    with pytest.raises(Rejection) as caught:
        judge(match, acting(club), match.ply, commands, now=NOW)
    said = advice(match, acting(club), caught.value, commands)
    assert [reason.code for reason in said.undone] == undone
    answered = answer(club, text)
    assert not club.match().comments
    assert " ".join(f"> {line}" for line in text.splitlines()) in answered


def test_words_lost_with_a_move_after_the_end_are_spoken_of(club: Club) -> None:
    """Whoever plays on in a match that is over learns that their thanks did not arrive either."""
    seat = begun(club, "pipline")
    club.reply(seat, "resign")
    club.reply(1 - seat, "e4\nThank you for the game, Ann!")
    said = " ".join(text_of(club.newest(1 - seat)).split())
    assert say(because("words_not_passed")) in said
    assert say(because("nothing_changed")) not in said  # the match is over: that says it
    club.reply(1 - seat, "e4")
    assert say(because("words_not_passed")) not in " ".join(text_of(club.newest(1 - seat)).split())


def test_an_answer_shows_the_board_and_how_to_go_on(club: Club) -> None:
    """Nothing else is needed to go on: board, prompt and a reply token are in it, and a reply to it is played."""
    begun(club, "pipline")
    seat = acting(club)
    said = answer(club, "44e\nHave a nice day, Bob, and enjoy the sun!")
    assert any(paragraph.startswith("a b c d e f g 7 ") for paragraph in said)
    instruction = str(club.match().position.prompt().instruction).replace("`", "")
    assert any(paragraph.startswith(instruction) for paragraph in said)
    assert club.reply(seat, "e4\nHave a nice day, Bob, and enjoy the sun!").message.status == "accepted"
    assert club.moves()[-1] == "e4"
    assert [comment.text for comment in club.match().comments] == ["Have a nice day, Bob, and enjoy the sun!"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("f2\nf3", "beside_first_stone"),
        ("f2\nf2", "stone_missing"),
        ("f2\nd4", "cell_occupied"),
        ("f2\nb4\nb7", "too_many_stones"),
        ("f2", "stone_missing"),
        ("d4\nf2", "cell_occupied"),
    ],
)
def test_lines_of_one_turn_are_refused_for_what_is_wrong_with_all_of_them(club: Club, text: str, code: str) -> None:
    """Where a turn is two stones, the first line alone is not the mistake."""
    seat = begun(club, "zipline")
    match, commands = club.match(), read_commands(text.splitlines())
    with pytest.raises(MoveRejected) as refused:
        judge(match, seat, match.ply, commands, now=NOW)
    why = advice(match, seat, refused.value, commands).why or refused.value.error
    assert why.code == code


def test_only_the_seat_to_act_is_told_moves(club: Club) -> None:
    """Others, and answers to an old email, are told that, and no moves; their words were not passed on either."""
    seat = begun(club, "pipline")
    old = club.newest(seat)
    club.reply(1 - seat, "44e\nI hope that you like this one!")
    waits = " ".join(text_of(club.newest(1 - seat)).split())
    assert f"{say(because('nothing_changed'))} {say(because('words_not_passed'))}" in waits
    assert "Did you mean" not in waits
    club.reply(seat, "e4")
    club.reply(1 - seat, "f5")
    club.service.hand_in(club.answer(old, "g5\nI hope that you like this one!"))
    stale = " ".join(text_of(club.newest(seat)).split())
    assert say(because("words_not_passed")) in stale
    assert say(because("nothing_changed")) not in stale


def test_before_the_first_roll_a_typo_in_ready_is_seen(club: Club) -> None:
    """Who nearly wrote the words that everybody waits for is asked whether they meant them."""
    club.service.open("pippip", PLAYERS[:2], {})
    for text, meant in (
        ("raedy", "ready"),
        ("OK", "ready"),
        ("sal blue moon", "salt blue moon"),
    ):
        club.reply(0, text)
        assert meant in " ".join(text_of(club.newest(0)).split()).partition("reply ready")[0]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", BEFORE)
def test_text_and_page_of_an_answer_say_the_same_and_command_nothing(club: Club, key: str) -> None:
    """A suggestion that comes back in a quotation without marks is not taken for a move, in either part."""
    seat = begun(club, key)
    position = club.match().position
    example = position.prompt().example
    for text in (
        f"{example}?",
        f"not {example}",
        f"{example} or {example}",
        "d4 z9",
        "d44",
        f"{example}x",
        "d4; c3; e5",
    ):
        arrival = club.reply(seat, text)
        mail = club.mail(arrival.outbound[0])
        plain, page = text_of(mail), unescape(html_of(mail)).replace("\N{NO-BREAK SPACE}", " ")
        assert not any(reads_as_command(line, position) for line in plain.splitlines())
        assert max(map(len, plain.splitlines())) <= 65
        lead = " ".join(plain.split("\n\n")[0].replace("· ", "").split())
        assert lead in " ".join(page.split())


def test_a_long_message_is_answered_as_quickly_as_a_short_one(club: Club) -> None:
    """However many lines there are that may be moves, only the first are searched for what they may mean."""
    seat = begun(club, "pipelines")
    lines = [f"I have been to d{number} and e{number}, or was it f{number}? a9 b9" for number in range(900)]
    before = time.process_time()
    assert club.reply(seat, "\n".join(lines)).message.status == "rejected"
    assert club.reply(seat, "\n".join(["d99"] * 900)).message.status == "rejected"
    assert time.process_time() - before < 3


NOW = datetime(2026, 11, 20, tzinfo=UTC)
CASES = [
    *(Case(key, seats, tuple(game.short.items())) for key, game in GAMES.items() for seats in game.seats),
    Case("snipsnip", 2, (("misere", False), ("capture", "between"))),
    Case("zipline", 3, (("size", 7), ("partner_gap", True))),
]


def turns(case: Case) -> Iterator[Match]:
    """Yield a random match at a dozen points where a seat is to act."""
    walked = walk(case, 5)
    players = tuple(Player(seat, f"P{seat}", "", frozenset()) for seat in range(case.seats))
    plies = [ply for ply, position in enumerate(walked.positions) if isinstance(position.to_act, int)]
    for ply in plies[:: max(1, len(plies) // 12)]:
        options = case.game.normalise(case.options)
        record, position = walked.entries[:ply], walked.positions[ply]
        yield Match(1, case.game, options, players, NOW, record, (NOW,) * ply, folded=position)


def wrong_letters(match: Match, random: Random) -> Iterator[str]:
    """Yield what people write who know neither the rules nor the notation, or know those of another game."""
    a, b, c = random.sample([cell.name for cell in match.position.view().cells], 3)
    example, number = match.position.prompt().example, random.randrange(1, 8)
    yield from (
        a,
        f"{a}?",
        f"{a} {b}",
        f"{a}-{b}",
        f"{a}x{b}",
        f"{a}x",
        f"x{a}",
        f"{a}x{b}x{c}",
        f"{a} {b} {c}",
        f"{a}x{b} {b}",
    )
    yield from (
        f"{a[1:]}{a[0]}",
        f"{a[1:]}{a[0]} {b}",
        f"I play {a} please thanks",
        f"not {a}",
        f"{b}, not {a}",
        f"on {a}",
    )
    yield from (
        f"{a} {number}",
        f"n{number} {a}",
        f"{number} {a}",
        f"{a} n{number}",
        f"use {a}",
        f"use {number} {a}",
        f"use {a} n{number}",
    )
    yield from (
        f"({number},{number + 1})",
        f"row {number} column 2",
        "roll it",
        "store now",
        "roll",
        "store",
        "take",
        "pass",
        "passe",
    )
    yield from (
        f"{example} {a}",
        f"{example}\n{a}",
        f"{a}\n{b}\n{c}",
        example[::-1],
        example[:-1],
        f"{example}x",
        f"{example}?",
    )
    yield from ("\n".join(example.split()), f"{a} or {b}", f"{example} take", "hello?", "", "?", "z9", f"{example} z99")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_whatever_an_answer_says_to_write_is_legal(case: Case) -> None:
    """For any message at any point of a match: every move that is suggested, or named by the rules, can be played."""
    random = Random(8)
    count = 0
    for match in turns(case):
        seat = match.to_act
        assert isinstance(seat, int)
        for text in wrong_letters(match, random):
            commands = read_commands(text.splitlines())
            try:
                judge(match, seat, match.ply, commands, now=NOW)
                continue
            except Discard:
                continue
            except Rejection as rejection:
                said, refused = advice(match, seat, rejection, commands), rejection
            position = match.position
            for move in refused.above if isinstance(refused, MoveRejected) else ():
                position = position.play(position.parse(move))
            for move in suggestions(match, seat, refused, said):
                assert legal(position, move), (text, refused, said)
                count += 1
    assert count > 20


@pytest.mark.parametrize("key", GAMES)
def test_whoever_meant_no_move_is_not_told_that_it_was_not_played(club: Club, key: str) -> None:
    """What a word is not, on this board, helps nobody; how to find out what can be written does."""
    begun(club, key)
    match, seat = club.match(), acting(club)

    def told(text: str) -> Advice:
        with pytest.raises(Rejection) as refused:
            judge(match, seat, match.ply, read_commands([text]), now=NOW)
        return advice(match, seat, refused.value, read_commands([text]))

    said = told("swap")
    assert (said.no_move, getattr(said.why, "code", "")) == (True, "not_understood")
    for text in ("thanks all", "hello", "Cheers"):
        assert not told(text).why, text
        assert said.meant is not None
        assert said.meant.code == "ask_help"
    for text in ("rules", "board", "help me", "say hello"):
        assert told(text).no_move, text
    said = told("take back")
    assert (said.no_move, getattr(said.meant, "code", "")) == (True, "no_undo")
    for text in ("z99", "x", "44e"):
        assert not told(text).no_move, text


@pytest.mark.parametrize(
    "text",
    ["gg", "Congratulations! Yes, let's play again!", "gg\nThat was fun, thank you both.", "Rematch?", "You win"],
)
def test_what_is_said_after_the_end_is_passed_on(club: Club, text: str) -> None:
    """Everybody writes that without a word in front; the receipt says how to play once more, not how to leave."""
    seat = begun(club, "pipline")
    club.reply(seat, "resign")
    arrival = club.reply(1 - seat, text)
    assert sorted(told(arrival)) == [("passed_on", 1 - seat), ("remark", seat)]
    assert [comment.text for comment in club.match().comments] == [text]
    said = text_of(club.newest(1 - seat))
    assert "again" in said.replace(text, "")
    assert "unsubscribe" not in said


@pytest.mark.parametrize(
    "text", ["no more emails please", "Please delete my account", "e4", "Write to me at ann@example.org"]
)
def test_a_wish_or_a_move_after_the_end_is_no_talk(club: Club, text: str) -> None:
    """Nobody else reads what somebody asks of us, or a line with an address in it."""
    seat = begun(club, "pipline")
    club.reply(seat, "resign")
    assert [other for _, other in told(club.reply(1 - seat, text))] == [1 - seat]
    assert club.match().comments == ()


def test_whoever_has_unsubscribed_hears_how_to_get_email_again(club: Club) -> None:
    """Whatever they write that is nothing else, also after the end; they talk to nobody who can't answer."""
    seat = begun(club, "pipline")
    club.reply(1 - seat, "unsubscribe")
    for text in ("I'm back, please send me emails again", "hello?"):
        club.reply(1 - seat, text)
        said = text_of(club.newest(1 - seat)).partition("You wrote:")[0]
        assert "resume" in said
        assert "reply unsubscribe" not in said
    club.reply(seat, "resign")
    assert [other for _, other in told(club.reply(1 - seat, "Thanks all"))] == [1 - seat]
