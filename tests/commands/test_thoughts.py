"""Lines and notes that players keep for themselves: how they are read, and that nobody else gets them."""

from dataclasses import replace

from pbem.commands.catalogue import help_topics
from pbem.commands.decision import MatchDecision
from pbem.commands.effects import KeepThought, PublishThoughts
from pbem.commands.families.looking import MOST_SKETCHES, PREVIEW
from pbem.commands.families.thoughts import LONGEST_NOTE, MOST_THOUGHTS, TREE, Note, Try
from pbem.commands.grammar import read_commands
from pbem.commands.judge import judge
from pbem.match.match import Match
from pbem.match.thought import Thought
from rules.games import GAMES
from rules.position import Entry, Seat
from tests.support.club import Club
from tests.support.each import each
from tests.support.judging import AUCTION, NOW, moves, put, refusal, said, start
from tests.support.mails import text_of
from tests.support.matches import random_match
from tests.support.walks import Case


def kept(decision: MatchDecision) -> list[Thought]:
    """Return what is kept from now on."""
    return [effect.thought for effect in decision.effects if isinstance(effect, KeepThought)]


def codes(decision: MatchDecision) -> list[str]:
    """Return what the sender is told by the emails that they asked for."""
    return [detail.code for reply in decision.replies for detail in reply.details]


def having(match: Match, seat: Seat, text: str, thoughts: tuple[Thought, ...]) -> MatchDecision:
    """Return what a message leads to from somebody who keeps these."""
    return judge(match, seat, match.ply, read_commands(text.splitlines()), now=NOW, thoughts=thoughts)


@each(
    "line",
    [
        "try d4 e5",
        "try d4",
        "Try d4, e5.",
        "try 12: d4, e5",
        "  * try a1xb2",
        "try d4; e5",
        "try d4 please",
        "try take",
        "try 3, d4 n5",
        "try use 4 d4 n5",
        "https://games.example.org/matches/17.html#12:d4,e5",
        "try https://games.example.org/matches/17.html#12:d4,e5",
    ],
)
def test_tried_moves_are_read_as_that_alone(line: str) -> None:
    """Whatever a page copies, and what people make of it; nothing behind a semicolon is played either."""
    assert [type(command) for command in read_commands([line])] == [Try]


@each("line", ["try again", "trying d4", "I'll try d4", "try the middle: d4", "d4", "tryd4"])
def test_other_lines_with_the_word_mean_what_they_did(line: str) -> None:
    """Somebody who says that they try something plays."""
    assert not any(isinstance(command, Try) for command in read_commands([line]))


@each("key", GAMES)
def test_no_legal_move_is_played_behind_try(key: str) -> None:
    """Of no game: it is kept, for whoever is to act and for everybody else."""
    match = random_match(Case(key, GAMES[key].seats[-1], ()))
    ply = next(ply for ply, entry in enumerate(match.record) if entry.seat is not None)
    match = replace(random_match(Case(key, GAMES[key].seats[-1], ()), ply), seeds=("",) * len(match.players))
    seat = match.to_act
    assert isinstance(seat, int)
    move = str(next(iter(match.position.legal_moves())))
    assert moves(put(match, seat, move)) == (move,)
    for writer in range(len(match.players)):
        decision = put(match, writer, f"try {move}")
        assert (moves(decision), decision.after) == ((), match)
        assert kept(decision) == [Thought(ply, "line", move)]


def test_a_line_that_an_email_program_broke_stays_one() -> None:
    """Its second half would be a move."""
    line = "try " + ", ".join(f"{column}{row}" for column in "abcd" for row in range(1, 5))
    assert [type(command) for command in read_commands([line, "e5, d5"])] == [Try]
    assert [type(command) for command in read_commands(["try d4,", "e5"])] == [Try]


@each(
    "text, thought",
    [
        ("try A1, b1 c1", Thought(2, "line", "a1, b1, c1")),
        ("try 0: d4 e5; take", Thought(0, "line", "d4 e5, take")),
        ("try https://games.example.org/matches/1.html#0:d4+e5,take", Thought(0, "line", "d4 e5, take")),
        ("note the left is weak", Note("the left is weak")),
        ("Note: the left is weak", Note("the left is weak")),
        ("note\nthe left is weak", Note("the left is weak")),
        ("note the left is weak,\nand so is the right", Note("the left is weak,\nand so is the right")),
        ("notes – the left", Note("the left")),
    ],
)
def test_lines_and_notes_are_kept_as_they_can_be_written_again(text: str, thought: Thought | Note) -> None:
    """A line in the notation of the record, a note with its lines."""
    decision = put(start("zipline", 3, *AUCTION), 0, text)
    wanted = Thought(2, "note", thought.text) if isinstance(thought, Note) else thought
    assert (kept(decision), decision.changes_match) == ([wanted], False)


@each(
    "text, code",
    [
        ("try c3", "line_refused_for"),
        ("try 9: a1", "no_such_entry"),
        ("try a1 as ever", "try_unread"),
        ("try https://games.example.org/matches/2.html#0:d4+e5,take", "try_unread"),
        ("note", "note_empty"),
        ("note " + "a" * (LONGEST_NOTE + 1), "note_too_long"),
    ],
)
def test_what_cannot_be_kept_is_told_and_not_kept(text: str, code: str) -> None:
    """To its sender alone; the operator does not read it."""
    decision = put(start("zipline", 3, *AUCTION), 0, text)
    assert (codes(decision), kept(decision), decision.asides) == ([code], [], ())


@each(
    "words",
    [
        "try b1",
        "try b1 and so on",
        "try b55",
        "note Bob is weak there",
        "note: Bob is weak there",
        "Note that Bob is weak",
        "note\nBob is weak",
        "note this is a rather long line about how weak Bob is on the left\nand on the right of the board as well",
        "note Bob is weak;\nvery weak",
        "note team: Bob is weak",
        "note say: Bob is weak",
        "This is a line that ends without a full stop, as many lines do here\nnote Bob is weak",
    ],
)
def test_what_is_kept_is_never_among_words_for_others(words: str) -> None:
    """Below a move too, where everything else goes to everyone; nor does the operator see it."""
    decision = put(start("zipline", 3, *AUCTION), 2, f"a1\n\nGood luck to you all\n\n{words}")
    assert moves(decision) == ("a1",)
    assert not any(word in text for text, _ in said(decision) for word in ("weak", "b1", "b55", "note", "try"))
    assert not any(word in line for line in decision.shown for word in ("weak", "b1", "b55"))


def test_an_address_below_a_move_is_for_everybody() -> None:
    """Above it, it is left out, and its sender is told."""
    match = start("zipline", 3, *AUCTION)
    address = "https://games.example.org/matches/1.html#2:a1"
    assert said(put(match, 2, f"a1\n\nI looked at\n{address}")) == [(f"I looked at\n{address}", False)]
    assert [aside.code for aside in put(match, 2, f"{address}\n\na1").asides] == ["only_tried"]
    assert [aside.code for aside in getattr(refusal(match, 2, address), "asides", ())] == ["only_tried"]


def test_a_line_for_everybody_stands_behind_say() -> None:
    """What is said is no line that is kept."""
    decision = put(start("zipline", 3, *AUCTION), 0, "say: try a1, b1")
    assert (said(decision), kept(decision)) == ([("try a1, b1", False)], [])


def test_the_same_is_kept_once_and_no_more_than_there_is_room_for() -> None:
    """The sender is told that it is kept, or that there is no room."""
    match = start("zipline", 3, *AUCTION)
    again = having(match, 0, "try a1", (Thought(2, "line", "a1"),))
    assert (kept(again), codes(again)) == ([], ["line_kept"])
    full = tuple(Thought(2, "note", str(number)) for number in range(MOST_THOUGHTS))
    beyond = having(match, 0, "try a1\nnote one more", full)
    assert (kept(beyond), codes(beyond)) == ([], ["tree_full", "tree_full"])
    twice = having(match, 0, "note one more\nnote another", full[1:])
    assert [thought.text for thought in kept(twice)] == ["one more"]


def test_tree_shows_what_is_kept_by_position() -> None:
    """That of the same message included."""
    thoughts = (Thought(2, "note", "later"), Thought(0, "line", "d4"))
    (reply,) = having(start("zipline", 3, *AUCTION), 0, "tree", thoughts).replies
    assert (reply.kind, [one.ply for one in reply.thoughts]) == (TREE, [0, 2])
    replies = having(start("zipline", 3, *AUCTION), 0, "try a1\ntree", thoughts).replies
    assert {reply.kind: len(reply.thoughts) for reply in replies} == {PREVIEW: 0, TREE: 3}
    assert codes(put(start(), 0, "tree")) == ["tree_none"]


def test_tree_draws_where_the_last_kept_lines_lead() -> None:
    """As many boards as an email has; a line that can't be played any more has none, and nothing is played."""
    match = start("zipline", 3, *AUCTION)
    lines = tuple(Thought(match.ply, "line", f"{column}{row}") for row in (1, 4) for column in "abcde")
    (reply,) = having(match, 0, "tree", (*lines, Thought(match.ply, "line", "z9"))).replies
    ends = [str(sketch.match.record[-1].text) for sketch in reply.sketches]
    assert 0 < len(ends) < MOST_SKETCHES + 1
    assert ends == [line.text for line in lines][-len(ends) :]
    assert all(sketch.before.record == match.record for sketch in reply.sketches)
    assert match.ply == len(AUCTION)


def test_only_after_the_match_anything_is_published() -> None:
    """And only what there is."""
    running, thoughts = start("zipline", 3, *AUCTION), (Thought(2, "note", "weak"),)
    over = start("pipline", 2, Entry(0, "resign"))

    def published(decision: MatchDecision) -> list[bool]:
        return [effect.published for effect in decision.effects if isinstance(effect, PublishThoughts)]

    early = having(running, 0, "publish", thoughts)
    assert (published(early), codes(early)) == ([], ["publish_later"])
    done = having(over, 1, "publish", thoughts)
    assert (published(done), codes(done)) == ([True], ["published"])
    assert codes(having(over, 1, "publish", ())) == ["nothing_kept"]
    shown = tuple(replace(thought, published=True) for thought in thoughts)
    assert codes(having(over, 1, "publish", shown)) == ["published_before"]
    assert published(having(over, 1, "unpublish", shown)) == [False]
    assert codes(having(over, 1, "unpublish", thoughts)) == ["nothing_published"]


def test_a_host_without_an_archive_promises_no_page() -> None:
    """Nothing is said to be published where nobody can read it, and it stays as private as it was."""
    over, thoughts = start("pipline", 2, Entry(0, "resign")), (Thought(2, "note", "weak"),)
    for text, code in (("publish", "no_pages"), ("unpublish", "no_pages"), ("tree", "tree_yours")):
        asked = read_commands([text])
        decision = judge(over, 1, over.ply, asked, now=NOW, thoughts=thoughts, archived=False)
        assert codes(decision) == [code]
        assert not any(isinstance(effect, PublishThoughts) for effect in decision.effects)


def test_help_has_rows_about_pages_only_where_there_are_some(club: Club) -> None:
    """They are for hosts with an archive: about what one keeps or writes, and about oneself."""
    club.open()
    club.reply(0, "help commands")
    about = [row for rows in help_topics().values() for row in rows if row.archived]
    assert [row.example for row in about] == [
        "publish",
        "page off",
        "comment 17#12 I saw e5 too late",
        "comment off 17#12",
    ]
    told = text_of(club.newest(0))
    assert not any(str(row.example) in told for row in about)
    assert "tree" in told
