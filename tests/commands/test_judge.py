"""What a message's commands do to a match."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from typing import Any

import pytest

from pbem.commands.command import MatchDecision
from pbem.commands.grammar import read_commands
from pbem.commands.judge import judge
from pbem.commands.rejections import (
    AlreadyOver,
    Discard,
    MoveRejected,
    NoCommand,
    NotYourTurn,
    Rejection,
    SeveralMoves,
    StaleTurn,
)
from pbem.match.match import Match, Player, advance_automatically
from rules import (
    GAMES,
    AmbiguousMove,
    BoardView,
    Chance,
    Entry,
    Game,
    IllegalMove,
    InvalidMove,
    Outcome,
    Piece,
    Position,
    Prompt,
    RulesError,
    Seat,
    Value,
)

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
NAMES = ("Ann", "Bob", "Carl")


def start(key: str = "zipline", seats: int = 3, *record: Entry, game: Game | None = None) -> Match:
    """Return a match on the smallest board after these entries."""
    rules = game or GAMES[key]
    players = tuple(Player(n, name, f"{name}@a.example".lower(), frozenset()) for n, name in enumerate(NAMES[:seats]))
    options = rules.normalise({} if game else {"size": 5})
    return Match(1, rules, options, players, NOW, record, (NOW,) * len(record))


def put(match: Match, seat: Seat, text: str, *, ply: int | None = None) -> MatchDecision:
    """Return what a message with these lines leads to; it answers the newest notice unless ``ply`` is given."""
    commands = read_commands(text.splitlines())
    seen = match.ply if ply is None else ply
    return judge(match, seat, seen, commands, now=NOW)


def moves(decision: MatchDecision) -> tuple[str, ...]:
    """Return the moves that whoever wrote the message made, as the record has them."""
    return tuple(new.entry.text for new in decision.appended if new.entry.seat == decision.seat)


AUCTION = (Entry(0, "c3"), Entry(1, "take"))
"""Bob is Zip alone; Carl and Ann are Pip, and Carl is to act."""


def test_a_move_is_played() -> None:
    """A line that is a move enters the record in the game's own notation."""
    decision = put(start(), 0, "C3, D4")
    assert decision.after.record == (Entry(0, "c3 d4"),)
    assert decision.after.times == (NOW,)
    assert decision.done == moves(decision) == ("c3 d4",)


def test_words_above_the_move_are_a_greeting() -> None:
    """What stands above the move goes to nobody, what stands below it to everybody."""
    decision = put(start(), 0, "Hello all,\n\nhere is my move.\nc3\n\nIt was hard.\nAnn")
    assert [(comment.text, comment.to_side, comment.ply) for comment in decision.comments] == [
        ("It was hard.\nAnn", False, 1)
    ]


def test_a_line_below_the_move_that_is_no_move_is_a_comment() -> None:
    """A word with a digit in it is no second move if the rules cannot read it."""
    assert [comment.text for comment in put(start(), 0, "c3\nsee you at 9").comments] == ["see you at 9"]


def test_team_reaches_the_partner_only() -> None:
    """A team line is kept to the side of its sender, beside a comment to everybody."""
    decision = put(start("zipline", 3, *AUCTION), 2, "team: left!\na1\nGood luck")
    assert [(comment.text, comment.to_side) for comment in decision.comments] == [("left!", True), ("Good luck", False)]
    assert decision.asides == ()


def test_team_without_a_partner_reaches_nobody() -> None:
    """Somebody who plays alone is told that his team line went to nobody."""
    decision = put(start("zipline", 3, *AUCTION, Entry(2, "a1"), Entry(0, "a2")), 1, "team: psst\nb1")
    assert decision.comments == ()
    assert "no partner" in decision.asides[0]
    with pytest.raises(NoCommand, match="no partner"):
        put(start(), 0, "team: psst")


def test_the_end_of_a_broken_team_line_reaches_the_partner_only() -> None:
    """A team line that an email program broke in two is one line, also below the move."""
    line = "team: I would like to block him on the left side before he gets"
    decision = put(start("zipline", 3, *AUCTION), 2, f"a1\n{line}\ntoo strong there\n\nGood luck")
    assert [(comment.text, comment.to_side) for comment in decision.comments] == [
        (f"{line[6:]} too strong there", True),
        ("Good luck", False),
    ]
    assert decision.done[1] == f"{line} too strong there"
    alone = put(start("zipline", 2, Entry(0, "take")), 1, f"{line}\ntoo strong\n\na1 c3")
    assert alone.comments == ()


@pytest.mark.parametrize(
    "text",
    [
        "team: hello\nEverybody may read this.",
        "a5\nteam: hello\nEverybody may read this.",
        "*team:* hello\nEverybody may read this.",
        "_team_: hello",
        "- team: hello",
        "“team:” hello",
        "to team: hello",
        "partner: hello",
        "team： hello",
        "Team : hello",
        "team:\nhello",
        "team:\n\nhello\n\nEverybody may read this.",
        "team: Hi Bob,\nhello",
        "team: I go left –\nhello",
        "team: I go left\nand you say hello",
    ],
)
def test_private_words_stay_private_however_team_is_written(text: str) -> None:
    """Decoration around the word, and words that visibly go on below it, do not make them public."""
    decision = put(start("zipline", 3, *AUCTION), 2, text)
    private = " ".join(comment.text for comment in decision.comments if comment.to_side)
    assert "hello" in private
    assert all("hello" not in comment.text for comment in decision.comments if not comment.to_side)


@pytest.mark.parametrize("text", ["team hello", "team - hello", "Team; hello", "team= hello", "a5\nteam hello"])
def test_what_may_have_been_private_is_asked_back(text: str) -> None:
    """A line that begins with the word, but lacks its colon, goes to nobody before that is clear."""
    with pytest.raises(NoCommand, match="write team: with a colon"):
        put(start("zipline", 3, *AUCTION), 2, text)


@pytest.mark.parametrize(
    "line",
    [
        "Hello team: let us go left",
        "Good. Team: go left",
        "Ann: go left",
        "for Ann: go left",
        "just for ANN, go left",
        "@Ann: go left",
        "Hi Ann (only): go left",
        "To Ann alone: go left",
    ],
)
def test_words_to_a_partner_in_other_ways_are_asked_back(line: str) -> None:
    """Who names his partner in front of his words, or has something before ``team:``, is asked before anybody reads it.

    What is kept for the operator does not tell the words.
    """
    with pytest.raises(NoCommand, match="write team: with a colon") as refused:
        put(start("zipline", 3, *AUCTION), 2, f"a5\n{line}")
    assert "go" not in refused.value.noted.split()


@pytest.mark.parametrize("line", ["Ann, well played!", "Bob: nice move", "Anna: hello"])
def test_naming_somebody_in_words_to_everybody_is_no_secret(line: str) -> None:
    """A name with a comma, that of an opponent, and a longer one stay what they are: words to everybody."""
    (comment,) = put(start("zipline", 3, *AUCTION), 2, f"a5\n{line}").comments
    assert (comment.text, comment.to_side) == (line, False)


def test_a_greeting_of_the_partner_above_the_move_is_a_greeting() -> None:
    """Nothing above the move is passed on, so nothing is asked."""
    assert moves(put(start("zipline", 3, *AUCTION), 2, "Hi Ann:\na5")) == ("a5",)


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("please unsubscribe me", ("unsubscribe",)),
        ("Hi,\nunsubscribe please\nthanks, Carl", ("unsubscribe",)),
        ("unsubscribe; board plain", ("unsubscribe", "board plain")),
        ("unsubscribe\nteam: bye", ("unsubscribe", "team: bye")),
        ("show, please", ("show",)),
        ("Please help!", ("help",)),
    ],
)
def test_a_polite_word_is_a_word(text: str, done: tuple[str, ...]) -> None:
    """Names and thanks around a wish do not hide it, and a second wish is carried out as well."""
    assert put(start("zipline", 3, *AUCTION), 2, text).done == done


def test_please_resign_is_said_to_somebody_else() -> None:
    """Nobody gives up by a sentence that may be meant for his opponent."""
    assert moves(put(start("zipline", 3, *AUCTION), 2, "a5\nplease resign")) == ("a5",)
    assert put(start("zipline", 3, *AUCTION), 2, "a5\nplease resign").after.outcome is None


def test_unsubscribe_beside_a_move_is_no_wish() -> None:
    """It may be the last line of a signature: the move is played, nobody else reads the word, its sender is told."""
    decision = put(start("zipline", 3, *AUCTION), 2, "a5\n\nunsubscribe")
    assert (decision.done, decision.comments) == (("a5",), ())
    assert decision.asides == ("If you want no more mails, reply with the word unsubscribe and nothing else.",)
    with pytest.raises(NoCommand):
        put(start("zipline", 3, *AUCTION), 2, "This is the weekly letter of our club, with much news.\nunsubscribe")


def test_unsubscribe_and_resume_are_asked_back() -> None:
    """Of two wishes that exclude each other neither is carried out."""
    with pytest.raises(NoCommand, match="“unsubscribe” and also “resume”"):
        put(start("zipline", 3, *AUCTION), 2, "unsubscribe\nresume")


def test_below_team_a_move_or_a_word_is_still_carried_out() -> None:
    """What is written below private words is not swallowed by them."""
    assert put(start("zipline", 3, *AUCTION), 2, "team: hello,\na5").done == ("team: hello,", "a5")
    assert put(start("zipline", 3, *AUCTION), 2, "team: bye,\nresign").done == ("team: bye,", "resign")


@pytest.mark.parametrize("text", ["resign?", "Resign ?", "I resign?"])
def test_a_question_is_no_resignation(text: str) -> None:
    """Nobody loses a match by asking."""
    with pytest.raises(Rejection):
        put(start(), 0, text)


@pytest.mark.parametrize(
    "text",
    [
        "I play c5",
        "My move: c5!",
        "ok, c5",
        "c5 please",
        "C5, thanks!",
        "1. c5",
        "[c5]",
        "<c5>",
        "`c5`",
        "‘c5’",
        "c5…",
        "-> c5",
        "→ c5",
        "👉 c5 🙂",
        "• c5",
        "c5 :)",
        "c-5",
        "Ich spiele c5",
        "mon coup : c5",
        "хожу c5",
        "c5です",
        "我下c5",
        "Hi, I play c5",
    ],
)
def test_what_people_write_around_a_move_does_not_hide_it(text: str) -> None:
    """A short frame around the move, in the players' languages, is not part of it."""
    assert moves(put(start(), 0, text)) == ("c5",)


@pytest.mark.parametrize("line", ["Hi 5 :)", "ok, 17:30 then", "Move 2 was strong, 3 too", "*8 points*"])
def test_words_to_others_arrive_as_they_were_written(line: str) -> None:
    """What looks like a frame around a number loses nothing of itself in a comment."""
    (comment,) = put(start(), 0, f"c5\n{line}").comments
    assert comment.text == line


@pytest.mark.parametrize(
    "line",
    ["Sorry, b2 instead", "Oops, I meant b2", "No, b2!", "Korrektur: b2", "d4 was wrong, rather b2", "pardon, b2"],
)
def test_a_move_taken_back_below_is_asked_about(line: str) -> None:
    """Who corrects himself in the same message is asked which of the two he means; nothing is played."""
    with pytest.raises(SeveralMoves, match="“c5”, and below it"):
        put(start(), 0, f"c5\n{line}")


@pytest.mark.parametrize(
    "line", ["Sorry for the delay, 2 days!", "No, c5 is the best", "b2 looks good as well", "Sorry, z9?"]
)
def test_a_word_of_regret_alone_takes_nothing_back(line: str) -> None:
    """Only another move that could be made makes it one."""
    assert moves(put(start(), 0, f"c5\n{line}")) == ("c5",)


@pytest.mark.parametrize(
    "text", ["I would not play\nc5", "what if I play\nc5", "you should never\nc5", "ich würde nicht\nc5"]
)
def test_the_end_of_a_sentence_that_says_no_is_no_move(text: str) -> None:
    """However narrow his lines are: a line that a negation or an if leads to is asked about."""
    with pytest.raises(NoCommand, match="“c5” is your move, or the end of the sentence"):
        put(start(), 0, text)


@pytest.mark.parametrize("text", ["I will never\nresign", "You should\nresign", "My friends say I ought to\nresign"])
def test_nobody_resigns_by_the_end_of_a_sentence(text: str) -> None:
    """A line above without its end makes it one; a match is not lost by where a line was broken."""
    with pytest.raises(NoCommand, match="“resign” is what you want, or the end of the sentence"):
        put(start(), 0, text)


@pytest.mark.parametrize("text", ["Hi Bob\nresign", "Well played.\nresign", "Thanks!\n\nresign", "Sorry\nresign"])
def test_a_greeting_or_a_sentence_above_resign_does_no_harm(text: str) -> None:
    """Whoever writes resign on a line of its own, below something that has ended, has given up."""
    assert put(start(), 0, text).done == ("resign",)


def test_a_move_and_a_resignation_are_two_things() -> None:
    """Whoever writes both is asked which one he means."""
    with pytest.raises(SeveralMoves, match="“a5” and also “resign”"):
        put(start(), 0, "a5\nresign")


@pytest.mark.parametrize(
    "text",
    [
        "c5 please, and thank you",
        "Sure: c5 (I think)",
        "I play c5?",
        "Should I play c5",
        "maybe c5",
        "not c5",
        "if c5",
        "> c5",
        "I play c5 if you play a1",
        "· c5",
    ],
)
def test_a_move_inside_a_sentence_is_not_played(text: str) -> None:
    """Somebody who writes about a move may not mean to make it."""
    with pytest.raises(Rejection):
        put(start(), 0, text)


def test_a_move_below_a_long_team_line_is_played() -> None:
    """Where the line above it ends as a sentence does, it is a move and nothing else."""
    line = "team: I would like to block him on the left side before he gets it."
    assert moves(put(start("zipline", 3, *AUCTION), 2, f"{line}\na1")) == ("a1",)


@pytest.mark.parametrize(
    ("seat", "text"),
    [
        (2, "Well done Bob, but I think that you have overlooked the very strong answer at\ne3.\nMore tomorrow."),
        (2, "team: listen, Ann, I think the best thing for the two of us is to answer at\nb4"),
    ],
)
def test_the_end_of_a_broken_sentence_is_no_move(seat: int, text: str) -> None:
    """A cell that an email program has put on a line of its own is asked back, and nothing is passed on."""
    with pytest.raises(NoCommand, match="your move, or the end of the sentence above it"):
        put(start("zipline", 3, *AUCTION), seat, text)


def test_a_broken_sentence_beside_a_move_is_a_comment() -> None:
    """The move stands by itself; what an email program broke below it is what was said."""
    said = "I think that all of you have overlooked how very strong it is to answer at"
    decision = put(start("zipline", 3, *AUCTION), 2, f"a1\n{said}\ne3.")
    assert moves(decision) == ("a1",)
    assert decision.comments[0].text == f"{said}\ne3."


@pytest.mark.parametrize("text", ["*a1*", "(a1)", "„a1“", "«a1»", "_a1_", '"a1"'])
def test_marks_around_a_move_do_not_matter(text: str) -> None:
    """Bold type, brackets and quotation marks are no part of a move."""
    assert moves(put(start("zipline", 3, *AUCTION), 2, text)) == ("a1",)


def test_no_token_gets_into_a_comment() -> None:
    """A reply token proves a seat: wherever one is copied from, the others do not get to see it."""
    for copied in (
        "games+1.2.2.2pto7ngcwi at play.example",
        "<1.2.2.2pto7ngcwi.abc@play.example>",
        "games%2B1.2.2.2PTO7NGCWI",
    ):
        decision = put(start("zipline", 3, *AUCTION), 2, f"a1\nsee {copied}")
        assert "2pto7ngcwi" not in decision.comments[0].text.lower()


@pytest.mark.parametrize(
    ("seat", "text", "rejection"),
    [
        (0, "c3", NotYourTurn),
        (2, "c3", MoveRejected),
        (2, "z99", MoveRejected),
        (2, "a1 a2", MoveRejected),
        (2, "tkae", MoveRejected),
        (2, "a1\na2", SeveralMoves),
        (2, "resign\na2", SeveralMoves),
        (2, "What do I do now?", NoCommand),
        (2, "", NoCommand),
        (2, "say:", NoCommand),
        (0, "Thanks!", NoCommand),
        (2, "say: hello\nz99", MoveRejected),
        (2, "say: hello\nc3", MoveRejected),
    ],
)
def test_each_typo_has_its_answer(seat: Seat, text: str, rejection: type[Rejection]) -> None:
    """What cannot be carried out is rejected as what it is."""
    with pytest.raises(rejection) as raised:
        put(start("zipline", 3, *AUCTION), seat, text)
    assert type(raised.value) is rejection


def test_a_refused_move_quotes_what_was_written() -> None:
    """The sentence of the rules goes to the sender."""
    with pytest.raises(MoveRejected, match="z99"):
        put(start("zipline", 3, *AUCTION), 2, "z99")
    with pytest.raises(SeveralMoves, match="“a1” and also “a2”"):
        put(start("zipline", 3, *AUCTION), 2, "a1\na2")


def test_an_answer_to_an_older_notice_is_stale() -> None:
    """A move is meant for the board its sender saw, not for the one there is now."""
    match = start("zipline", 3, *AUCTION, Entry(2, "a1"))
    with pytest.raises(StaleTurn):
        put(match, 0, "a2", ply=0)
    with pytest.raises(StaleTurn):
        put(match, 0, "a2", ply=99)


def test_a_move_that_was_sent_twice_needs_no_answer() -> None:
    """The same move in answer to the same notice does nothing; with more words it is answered as stale."""
    match = start("zipline", 3, *AUCTION, Entry(2, "a1"))
    with pytest.raises(Discard):
        put(match, 2, "Hello\nA1", ply=2)
    with pytest.raises(StaleTurn, match="a1 was played already"):
        put(match, 2, "A1\n\nI forgot to say hello", ply=2)
    with pytest.raises(StaleTurn):
        put(match, 2, "a2", ply=2)
    with pytest.raises(StaleTurn):
        put(match, 1, "a1", ply=2)
    over = start("pipline", 2, Entry(0, "c3"), Entry(1, "resign"))
    with pytest.raises(Discard):
        put(over, 0, "c3", ply=0)


def test_the_same_move_twice_in_a_message_is_one() -> None:
    """Saying it again changes nothing, however it is written."""
    assert moves(put(start(), 0, "c3 d4\n\nC3, D4")) == ("c3 d4",)


def test_two_lines_are_played_one_after_the_other() -> None:
    """Whoever plays on alone for his side may send both turns of it at once."""
    match = start("zipline", 3, *AUCTION, Entry(0, "resign"))
    decision = put(match, 2, "a1\na2\nHa!")
    assert moves(decision) == ("a1", "a2")
    assert [comment.text for comment in decision.comments] == ["Ha!"]
    with pytest.raises(MoveRejected):
        put(match, 2, "a1\na1 b1")


def test_everything_or_nothing() -> None:
    """A second move that fails takes the first, and the words, with it."""
    match = start("zipline", 3, *AUCTION, Entry(0, "resign"))
    with pytest.raises(SeveralMoves):
        put(match, 2, "say: hello\na1\na2\na3")


def test_resigning_is_allowed_out_of_turn() -> None:
    """A player may leave at any time, in answer to any notice; once."""
    decision = put(start("zipline", 3, *AUCTION), 0, "I resign\nSorry!", ply=0)
    assert decision.after.record[-1] == Entry(0, "resign")
    assert [comment.text for comment in decision.comments] == ["Sorry!"]
    with pytest.raises(NotYourTurn, match="left this match"):
        put(decision.after, 0, "resign")
    with pytest.raises(NotYourTurn, match="left this match"):
        put(decision.after, 0, "a1")


def test_when_it_is_over_there_are_only_words() -> None:
    """After the end nobody moves or resigns, but everybody may say something."""
    over = start("pipline", 2, Entry(0, "resign"))
    for text in ("c3", "take", "resign"):
        with pytest.raises(AlreadyOver):
            put(over, 1, text)
    assert put(over, 1, "say: thank you").comments[0].text == "thank you"


def test_words_can_be_sent_at_any_time() -> None:
    """To say something needs no turn."""
    decision = put(start("zipline", 3, *AUCTION), 0, "say: hello; you two\nteam: left!")
    assert [(comment.text, comment.to_side) for comment in decision.comments] == [
        ("hello; you two", False),
        ("left!", True),
    ]
    assert decision.after.ply == 2


def test_words_that_go_to_nobody_are_mentioned() -> None:
    """Words without a move and without a prefix go to nobody, and their sender is told."""
    for text in ("help\nI do not understand this at all", "say: hello\nI do not understand this at all"):
        assert "not passed on" in put(start(), 0, text).asides[0]
    assert put(start(), 0, "help\nThanks, Ann").asides == ()


def test_asking_changes_nothing() -> None:
    """Help and show can be asked for in any number, whoever is to act."""
    decision = put(start(), 1, "help\nshow\nhelp")
    assert {reply.kind for reply in decision.replies} == {"help", "show"}
    assert decision.after.ply == 0


# A game of chance, small enough to read: each turn adds to a common sum what the die allows; ten or more wins.

FACES = 4


@dataclass(frozen=True, slots=True)
class Climb(Position[int]):
    """A sum that both sides add to; ``die`` is None while a roll is to be drawn."""

    total: int = 0
    turn: Seat = 0
    die: int | None = None
    gone: frozenset[Seat] = frozenset()

    @property
    def to_act(self) -> Seat | Chance | None:
        """The lot comes before every turn."""
        if self.outcome():
            return None
        return self.turn if self.die else Chance("die", FACES)

    def parse(self, text: str) -> int:
        """A move is a number; "some" could be any."""
        if text == "some":
            raise AmbiguousMove("made_up", "“some” could be 1 or 2.")
        if text == "nothing":
            raise IllegalMove("made_up", "“nothing” is not enough.")
        if not (text.isascii() and text.isdigit() and len(text) < 3):
            raise InvalidMove("made_up", "That is no number.")
        return int(text)

    def play(self, move: int) -> "Climb":
        """Add to the sum."""
        if not 1 <= move <= (self.die or 0):
            raise IllegalMove("made_up", f"“{move}” is more than the die shows.")
        return replace(self, total=self.total + move, turn=1 - self.turn, die=None)

    def roll(self, value: int) -> "Climb":
        """Let the die fall."""
        return replace(self, die=value)

    def leave(self, seat: Seat, word: str) -> "Climb":
        """Leave, and lose."""
        return replace(self, gone=self.gone | {seat})

    def legal_moves(self) -> Iterator[int]:
        """All that the die allows."""
        yield from range(1, (self.die or 0) + 1)

    def outcome(self) -> Outcome | None:
        """Whoever reaches ten wins."""
        if self.gone:
            return Outcome(frozenset({0, 1}) - self.gone, "the other side left")
        return Outcome(frozenset({1 - self.turn}), "ten is reached") if self.total >= 10 else None

    def roles(self) -> tuple[str | None, ...]:
        """Nobody has a role."""
        return (None, None)

    def side(self, seat: Seat) -> frozenset[Seat]:
        """Everybody is alone."""
        return frozenset({seat})

    def departed(self) -> frozenset[Seat]:
        """Who has left."""
        return self.gone

    def prompt(self) -> Prompt:
        """What to write."""
        if not self.die:
            raise RulesError("made_up", "It is nobody's turn.")
        return Prompt("a number", "1")

    def objective(self, seat: Seat) -> str:
        """What to do."""
        return "You add to the sum."

    def view(self) -> BoardView:
        """Nothing but a sum."""
        return BoardView(("a",), ("1",), (), (Piece("x", "X", "x"),), (f"The sum is {self.total}.",))


def _climb(seats: int, options: Mapping[str, Value]) -> Position[Any]:
    return Climb()


CLIMB = Game("climb", "Climb", range(2, 3), (), _climb, "Write a number, such as “1”.", "1", {}, ("die",))


def climbing(wanted: tuple[int, ...] = ()) -> Match:
    """Return a match of Climb whose first rolls fall as ``wanted``, by trying secrets; all seats are ready."""
    for number in range(10_000):
        match = replace(start(game=CLIMB, seats=2), secret=f"secret {number}", seeds=("", ""))
        # The rolls of Climb stand at every second entry.
        if all(match.fair_rolls.value(2 * turn, Chance("die", FACES)) == value for turn, value in enumerate(wanted)):
            return match
    raise AssertionError("no such secret")


def test_rolls_follow_from_the_secret_and_are_kept_in_the_record() -> None:
    """A die is rolled before anybody can act, and its value is an entry of nobody's."""
    match = advance_automatically(climbing((3, 2)), NOW)
    assert match.record == (Entry(None, "3"),)
    decision = put(match, 0, "3")
    assert decision.after.record == (Entry(None, "3"), Entry(0, "3"), Entry(None, "2"))
    assert moves(decision) == ("3",)
    assert decision.after.times == (NOW,) * 3
    with pytest.raises(SeveralMoves):
        put(match, 0, "3\n1")


def test_what_the_others_roll_does_not_show_in_an_answer() -> None:
    """Whether a second move could be played on the next roll must not be told before the first is final."""
    for wanted in ((3, 1), (3, 4)):
        with pytest.raises(SeveralMoves, match="“3” and also “4”"):
            put(advance_automatically(climbing(wanted), NOW), 0, "3\n4")


def test_no_roll_is_drawn_after_the_end() -> None:
    """A match that is over, by a move or by leaving, draws nothing more."""
    match = advance_automatically(climbing((4, 4, 4)), NOW)
    for seat, text in ((0, "4"), (1, "4")):
        match = put(match, seat, text).after
    over = put(match, 0, "2").after
    assert over.record[-1] == Entry(0, "2")
    assert over.outcome == Outcome(frozenset({0}), "ten is reached")
    assert put(match, 1, "resign").after.record[-1] == Entry(1, "resign")


@pytest.mark.parametrize("text", ["some", "4"])
def test_ambiguous_and_illegal_moves_are_refused_with_the_sentence_of_the_rules(text: str) -> None:
    """Both are attempts at a move."""
    match = advance_automatically(climbing((1,)), NOW)
    with pytest.raises(MoveRejected, match=text):
        put(match, 0, text)


def test_a_game_may_forbid_a_word_on_reading_it() -> None:
    """A word that parsing refuses as illegal is an attempt at a move if nothing else is."""
    match = advance_automatically(climbing((1,)), NOW)
    with pytest.raises(MoveRejected, match="not enough"):
        put(match, 0, "nothing")


def test_the_first_roll_waits_for_every_seat() -> None:
    """Nothing is drawn before both have answered; words below the answer go to everybody."""
    match = replace(climbing(), seeds=(None, None), rolls_due=NOW + timedelta(hours=1))
    assert advance_automatically(match, NOW) == match
    first = put(match, 0, "Hello!\nsalt: seven blue elephants\nGood luck!")
    assert first.after.seeds == ("seven blue elephants", None)
    assert first.after.record == ()
    assert first.done == ("salt seven blue elephants",)
    assert [comment.text for comment in first.comments] == ["Good luck!"]
    second = put(first.after, 1, "Ready.")
    assert second.after.seeds == ("seven blue elephants", "")
    assert [entry.seat for entry in second.after.record] == [None]
    assert put(second.after, 0, "1\nsalt more").asides == (
        "The first lot has been drawn, so that no words can be mixed in any more.",
    )


def test_the_first_roll_waits_no_longer_than_announced() -> None:
    """When the time for own words is over, the rolls fall without them."""
    match = replace(climbing(), seeds=(None, "x"), rolls_due=NOW + timedelta(hours=1))
    assert advance_automatically(match, NOW + timedelta(hours=1)).ply == 1


def test_own_words_can_be_changed_until_the_roll_falls() -> None:
    """The latest words count; words that hold nothing are refused."""
    match = replace(climbing(), seeds=(None, None), rolls_due=NOW + timedelta(hours=1))
    match = put(match, 0, "salt one\nsalt two  words").after
    assert match.seeds == ("two words", None)
    assert put(match, 0, "ready").after.seeds == ("two words", None)
    assert put(match, 0, "salt: three, four\nready").after.seeds == ("three, four", None)
    with pytest.raises(NoCommand, match="holds no words"):
        put(match, 0, "salt: @@")


def test_a_move_before_the_first_roll_is_too_early() -> None:
    """Nobody is to act yet, and the answer says why."""
    match = replace(climbing(), seeds=(None, None), rolls_due=NOW + timedelta(hours=1))
    with pytest.raises(NotYourTurn, match="Lots are to be drawn first"):
        put(match, 0, "3")
    decision = put(match, 0, "ready\n3")
    assert decision.done == ("ready",)
    assert decision.asides == ("I did not play “3”: lots are to be drawn first.",)
    assert decision.comments == ()


def waiting() -> Match:
    """Return a match of Climb whose first roll waits for both seats."""
    return replace(climbing(), seeds=(None, None), rolls_due=NOW + timedelta(hours=1))


@pytest.mark.parametrize(
    ("text", "salt"),
    [
        ("salt seven blue elephants", "seven blue elephants"),
        ("Salt: seven", "seven"),
        ("salt, seven blue", "seven blue"),
        ("SALT=seven", "seven"),
        ("“salt seven”", "seven"),
        ("salt one; two", "one; two"),
        ("salt one; ready", "one"),
        ("ready; salt one", "one"),
        ("salt " + "long words " * 6 + "\nthat a mail program broke", "long words " * 6 + "that a mail program broke"),
        *(
            (words, "")
            for words in ("ready", "Ready!", "I'm ready", "I’m ready.", "Ok, ready", "ready to go!", "«ready» 👍")
        ),
    ],
)
def test_answers_before_the_first_roll_in_many_forms(text: str, salt: str) -> None:
    """However people write it, their words are all in, and nothing of them becomes a comment."""
    decision = put(waiting(), 0, text)
    assert decision.after.seeds == (salt, None)
    assert decision.comments == ()


@pytest.mark.parametrize("text", ["salt", "Salt:", "salt\n\nseven"])
def test_salt_without_words_is_asked_back(text: str) -> None:
    """The answer says what is missing."""
    with pytest.raises(NoCommand, match="Write salt and any words of your own behind it"):
        put(waiting(), 0, text)


def test_who_has_left_mixes_in_nothing() -> None:
    """Words for the rolls of a match that one does not play any more are refused."""
    options = GAMES["pipelines"].normalise(GAMES["pipelines"].short)
    players = start().players
    match = Match(1, GAMES["pipelines"], options, players, NOW, secret="s", rolls_due=NOW + timedelta(hours=1))
    match = put(match, 0, "resign").after
    assert match.awaits_seeds
    with pytest.raises(NotYourTurn, match="You have left"):
        put(match, 0, "salt b")
    assert put(put(match, 1, "ready").after, 2, "ready").after.ply > 1


def test_a_winning_move_and_a_resignation_contradict_each_other() -> None:
    """The answer does not tell whether the move would have won."""
    match = advance_automatically(climbing((4, 4, 4)), NOW)
    for seat, text in ((0, "4"), (1, "4")):
        match = put(match, seat, text).after
    with pytest.raises(SeveralMoves, match="“2” and also “resign”"):
        put(match, 0, "2\nresign")


def battle() -> tuple[Match, str]:
    """Return a match of Pipelines, and a move of the seat to act that leads to a battle."""
    random = Random(4)
    game = GAMES["pipelines"]
    match = Match(1, game, game.normalise(game.short), start(seats=2).players, NOW, secret="s", seeds=("", ""))
    match = advance_automatically(match, NOW)
    while isinstance(seat := match.to_act, int):
        for move in islice(match.position.legal_moves(), 40):
            after = match.position.play(move).to_act
            if isinstance(after, Chance) and after.what == "spinner":
                return match, str(move)
        match = advance_automatically(
            match.after(Entry(seat, str(match.position.any_move(random.randrange))), NOW), NOW
        )
    raise AssertionError("no battle")


def test_no_roll_decides_whether_a_message_counts() -> None:
    """A line below a move that leads to rolls is asked back before they are drawn: nobody can try out a battle."""
    match, move = battle()
    sentences = set()
    for number in range(40):
        with pytest.raises(SeveralMoves, match="a lot is drawn after") as refusal:
            put(replace(match, secret=f"secret {number}"), match.to_act, f"{move}\npass")  # type: ignore[arg-type]
        sentences.add(str(refusal.value))
    assert len(sentences) == 1
    assert moves(put(match, match.to_act, f"{move}\n{move}")) == (move,)  # type: ignore[arg-type]


def test_a_message_of_several_steps_sent_twice_is_passed_over() -> None:
    """Email programs send twice, also what takes two lines."""
    game = GAMES["snipsnip"]
    options = game.normalise({"board": "equi-2-4"})
    record = [Entry(0, "d2"), Entry(1, "b3"), Entry(0, "e5"), Entry(1, "b2"), Entry(0, "d1"), Entry(1, "c4")]
    match = Match(1, game, options, start(seats=2).players, NOW, tuple(record), (NOW,) * len(record))
    chain = next(move for move in match.position.legal_moves() if "x" in str(move))
    last = next(move for move in match.position.play(chain).legal_moves() if "x" not in str(move))
    played = put(match, 0, f"{chain}\n{last}").after
    assert [entry.text for entry in played.record[6:]] == [str(chain), str(last)]
    with pytest.raises(Discard, match="sent again"):
        put(played, 0, f"{chain}\n{last}", ply=6)
    assert moves(put(match, 0, f"{chain}\n{chain}")) == (str(chain),)
    with pytest.raises(MoveRejected, match=f"After “{chain}”: “d2”"):
        put(match, 0, f"{chain}\nd2")


def test_salt_and_ready_are_words_in_a_game_without_rolls() -> None:
    """They mean nothing special there."""
    decision = put(start(), 0, "Ready!\nc3\nSalt in the wound.")
    assert decision.done == ("c3",)
    assert [comment.text for comment in decision.comments] == ["Salt in the wound."]
    assert decision.asides == ()


@pytest.mark.parametrize(
    "words",
    [
        "team: plan:\n- up the c file\n- then right",
        "(team: up the c file, then right)",
        "[team: up]",
        "team: first\n1. go up\n2. right",
    ],
)
def test_lists_and_brackets_stay_within_the_side(words: str) -> None:
    """What people write as a list, or in brackets, is for the partner as a whole."""
    match = start("zipline", 3, Entry(0, "c3"), Entry(1, "take"))
    comments = put(match, 2, f"a1\n{words}").comments
    assert comments
    assert all(comment.to_side for comment in comments)


@pytest.mark.parametrize("words", ["tema: go up", "teams: go up", "taem: go up", "private: go up", "eam: go up"])
def test_a_typo_in_the_word_is_asked_back(words: str) -> None:
    """Nothing is published that may have been meant for a partner."""
    match = start("zipline", 3, Entry(0, "c3"), Entry(1, "take"))
    with pytest.raises(NoCommand, match="write team: with a colon"):
        put(match, 2, f"a1\n{words}")


@pytest.mark.parametrize(
    "text",
    [
        "c5\nNo wait, do not play that. I will think again.",
        "c5\nScratch that",
        "c5\nSorry, wrong match.",
        "resign\nNo wait, I do not want that!",
        "resign\njust kidding",
        "c5\nis impossible. Let me think.",
        "c5\nor must it be in capitals?",
        "resign\nis what you should do",
        "c5\n?",
    ],
)
def test_what_is_taken_back_below_is_not_done(text: str) -> None:
    """Whoever takes his move back in the same message, or goes on with the sentence it was a part of, is asked."""
    with pytest.raises(NoCommand, match="and below it"):
        put(start(), 0, text)


@pytest.mark.parametrize(
    "line",
    ["Not d4, b2!", "Edit: b2", "make that b2", "forget it, b2", "lieber b 2", "sorry, B-2", "besser b2", "or b2"],
)
def test_more_ways_to_correct_a_move_are_seen(line: str) -> None:
    """Another move that could be made, behind a word that changes one, is asked about however it is written."""
    with pytest.raises(Rejection):
        put(start(), 0, f"c5\n{line}")


@pytest.mark.parametrize(
    "text",
    [
        "❌ c5",
        "c5 ❌",
        "🤔 c5",
        "❓ c5",
        "👎 c5",
        "c5 :(",
        "[ ] c5",
        "c5 🤷",
        "🚫 c5",
        "☐ c5",
        "If I were you,\nc5",
        "Never play:\nc5",
        "I will never play\n\nc5",
        "What I will not play:\nc5",
        "Should I just\n\nresign",
        "Not yet:\nresign",
        "No; resign",
        "I will fight on; resign",
        "resign?",
    ],
)
def test_signs_and_sentences_that_say_no_are_heard(text: str) -> None:
    """A sign that asks or says no is no decoration, and neither a comma nor an empty line ends a sentence."""
    with pytest.raises(Rejection):
        put(start(), 0, text)


@pytest.mark.parametrize("text", ["nothing here to\ntake", "That is all I can\ntake.", "it is too much to\n\ntake"])
def test_a_word_that_ends_a_sentence_is_no_move(text: str) -> None:
    """The last word of a footer that an email program broke is not played, though it is a move in the auction."""
    with pytest.raises(Rejection):
        put(start("zipline", 3, Entry(0, "c3")), 1, text)


@pytest.mark.parametrize(
    "text", ["take please", "ok, take", "I take", "I'll take it", "👉 take", "(take)", "Take it, thanks!"]
)
def test_words_around_a_word_do_not_hide_it(text: str) -> None:
    """What holds for cells holds for the moves that are words."""
    assert moves(put(start("zipline", 3, Entry(0, "c3")), 1, text)) == ("take",)


@pytest.mark.parametrize(
    "line",
    [
        "Hey partner, go left",
        "Hello team, go left",
        "teaam: left",
        "tm: left",
        "tesm: left",
        "équipe : left",
        "Mannschaft: left",
        "Ann,\nI go left now, protect the right side.",
        "Ann (private): go left",
        "Für Ann: left",
        "(for Ann) left",
        "P.S. Ann: left",
        "@Ann left",
        "Ann only - go left",
        "This is for Ann only: left",
        "Pour Ann : left",
    ],
)
def test_a_partner_addressed_in_any_way_is_asked_about(line: str) -> None:
    """Whoever may be writing to his partner is asked, before his opponent reads it."""
    with pytest.raises(NoCommand, match="write team: with a colon"):
        put(start("zipline", 3, *AUCTION), 2, f"a5\n{line}")


def test_below_team_alone_on_its_line_all_stays_private() -> None:
    """What follows without an empty line is the same message, whatever message it begins with."""
    decision = put(start("zipline", 3, *AUCTION), 2, "a5\nteam:\nLet us go left.\nThen we take c3.")
    assert all(comment.to_side for comment in decision.comments)
    assert "Then we take c3." in decision.comments[0].text


def test_a_retraction_is_about_what_would_be_done() -> None:
    """The question names the move, not a private line beside it: what is kept of it is for the operator, too."""
    with pytest.raises(NoCommand, match="You wrote “a5”, and below it “Scratch that”") as refused:
        put(start("zipline", 3, *AUCTION), 2, "a5\nteam: up the c file\n\nScratch that")
    assert "file" not in refused.value.noted
