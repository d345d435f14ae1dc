"""What people write instead of the words that a reply may hold."""

import pytest

from pbem.advice.synonyms import hinted, keyword_meant, move_meant, wants_time
from rules.games import GAMES
from tests.support.each import each


@each(
    "line, meant",
    [
        ("bord plain", "board plain"),
        ("dispaly test", "display test"),
        ("large", "board large"),
        ("un subscribe", "unsubscribe"),
        ("re sign", "resign"),
        ("I want to resgin, please", "resign"),
        ("resign?", "resign"),
        ("Ich gebe auf.", "resign"),
        ("J'abandonne", "resign"),
        ("the rules, please", "help"),
        ("board", "show"),
        ("say hello", "say: hello"),
    ],
)
def test_words_of_ours_are_known_behind_typos_and_politeness(line: str, meant: str) -> None:
    """Who nearly wrote a word, or wrote it in their own language, is asked whether they meant it."""
    assert keyword_meant([line], awaits_seeds=False) == meant
    assert keyword_meant([line, "Ann"], awaits_seeds=False) == meant


@each(
    "lines",
    [
        [],
        ["Ann"],
        ["hello"],
        ["d4"],
        ["resign 4"],
        ["I hope that you will not resign"],
        ["sal foo"],
        ["ok"],
        ["resgin", "a", "b", "c"],
        ["!"],
    ],
)
def test_other_words_are_left_alone(lines: list[str]) -> None:
    """Nothing is read into a name, a sentence, a move, or into words that mean something at other times."""
    assert keyword_meant(lines, awaits_seeds=False) == ""


def test_before_the_first_roll_its_words_are_known_too() -> None:
    """Only while they are waited for are ready and salt suggested."""
    said = ("raedy", "OK", "los geht's", "sal foo", "slat seven blue elephants", "re sign")
    assert [keyword_meant([line], awaits_seeds=True) for line in said] == [
        "ready",
        "ready",
        "",
        "salt foo",
        "salt seven blue elephants",
        "resign",
    ]


@each(
    "game, line, move",
    [
        ("pipelines", "Je passe", "pass"),
        ("pipelines", "skip", "pass"),
        ("pipline", "ich nehme", "take"),
        ("pippip", "würfeln", "roll"),
        ("pipline", "take", ""),
        ("pipline", "skip", ""),
        ("pipelines", "d4", ""),
        ("pipelines", "we skip the club tonight", ""),
        ("pipelines", "", ""),
    ],
)
def test_moves_that_are_words_have_the_other_names_of_their_game(game: str, line: str, move: str) -> None:
    """Whoever passes or takes in French or German is understood; longer sentences are not guessed at."""
    assert move_meant(line, GAMES[game].words) == move


@each(
    "line",
    [
        "please stop sending me mail",
        "Stop emailing me!",
        "I don’t want any more emails from you",
        "no more messages please",
        "don't send me these mails anymore",
    ],
)
def test_who_wants_no_more_email_is_told_the_word(line: str) -> None:
    """However they say it in a few English words."""
    assert keyword_meant([line], awaits_seeds=False) == "unsubscribe"


@pytest.mark.parametrize("line", ["no email today", "I got your email", "stop there, please", "I sent you a message"])
def test_who_speaks_of_email_otherwise_is_not(line: str) -> None:
    """Both must be said, and nothing else."""
    assert keyword_meant([line], awaits_seeds=False) != "unsubscribe"


@each("line", ["undo", "Undo, please", "take back", "Can I take back my last move?", "undo that move"])
def test_a_wish_to_take_a_move_back_is_seen(line: str) -> None:
    """It is answered, whoever is to act."""
    assert hinted([line], over=False) == "undo"


@each("line", ["win", "I win", "I will win", "win?", "can I win"])
def test_who_speaks_of_winning_does_not_give_up(line: str) -> None:
    """Only who says that the other wins may mean that."""
    assert keyword_meant([line], awaits_seeds=False) == ""
    assert keyword_meant(["you win"], awaits_seeds=False) == "resign"


@each(
    "line",
    ["more time?", "Can I have more time", "I need more time", "more time please", "Could I get some more time?"],
)
def test_a_wish_for_more_time_is_seen(line: str) -> None:
    """It is answered with what can be typed."""
    assert wants_time([line])
    assert keyword_meant([line], awaits_seeds=False) == ""


@each("line", ["", "time", "no more time for games", "it takes more time than I have", "more"])
def test_other_words_about_time_are_no_such_wish(line: str) -> None:
    """A remark is left alone."""
    assert not wants_time([line])


@each("line", ["take", "back", "take it", "I take white back home", "undone", "my last move"])
def test_other_words_are_no_such_wish(line: str) -> None:
    """A word of a game least of all."""
    assert not hinted([line], over=False)


@pytest.mark.parametrize(
    ("line", "word"), [("helprules", "help"), ("help comands", "help commands"), ("Hlep rules", "help")]
)
def test_of_several_keywords_the_usual_one_is_proposed(line: str, word: str) -> None:
    """A button names what it does, and there is one for that word alone."""
    assert keyword_meant([line], awaits_seeds=False) == word


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("I think we are lost. I resign.", "resign"),
        ("I give up, you are both too strong!", "resign"),
        ("undo please, I pressed send too early", "undo"),
        ("Can I get a draw?", "draw"),
        ("I'm on holiday from 1 to 5 december", "vacation 3-17 aug"),
        ("please send me match 1 again", "show"),
        ("I'd like to play Zipline with Carl", "help matches"),
        ("How do I change my name?", "name Robin"),
        ("Please delete my account and all my data", "forget me"),
        ("Ich bin im Urlaub bis Montag", "vacation 3-17 aug"),
    ],
)
def test_what_a_clause_asks_for_is_named(line: str, command: str) -> None:
    """Whoever writes more than the word, or says it in a sentence, hears how it can be written."""
    assert hinted([line], over=False) == command


@each("line", ["I don't give up", "I won't resign", "no draw for me", "we drew lots", "a nice name", "show-off!"])
def test_what_denies_it_or_only_speaks_of_it_is_no_wish(line: str) -> None:
    """A hint is never a guess."""
    assert hinted([line], over=False) == ""


@each("line", ["You win, well done", "I give up, you are too strong", "Shall we play a new match?", "A draw. Great!"])
def test_after_the_end_people_speak_of_the_game(line: str) -> None:
    """Only what is about themselves is a wish then."""
    assert hinted([line], over=True) == ""
