"""Who may read which words, and that nothing else decides it."""

import ast
from dataclasses import replace
from pathlib import Path

from pbem.match.match import Comment
from pbem.match.privacy import may_publish, may_read, may_recall
from rules.position import Entry
from tests.support.matches import AUCTION, pipline, zipline

PBEM = Path(__file__).resolve().parents[2] / "pbem"
OTHERS = {
    "asking/kinds/second.py": "refuses what a second says to everybody",
    "asking/words_beside.py": "leaves out what is for one side",
    "commands/families/talk.py": "reads the command that makes a comment",
    "commands/grammar.py": "hides the command that makes a comment from the operator",
    "storage/erasing.py": "exports what a player said to that player",
    "storage/matches/statements.py": "loads comments",
    "storage/matches/rows.py": "finds damage",
}


def test_nothing_else_looks_at_whose_a_comment_is() -> None:
    """A second reader of ``to_side`` would be a second rule, and one of the two would let private words out."""
    looking = {
        str(path.relative_to(PBEM))
        for path in PBEM.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "to_side"
    }
    assert looking == {"match/privacy.py", *OTHERS}


HELLO, PSST = Comment(2, 2, "hello"), Comment(2, 2, "psst", to_side=True)
RESIGNED = Entry(0, "resign")


def test_private_words_are_for_one_side() -> None:
    """Everybody reads what is said to everybody; of private words the opponent reads nothing."""
    match = zipline(*AUCTION)
    assert [may_read(match, reader, HELLO) for reader in range(3)] == [True, True, True]
    assert [may_read(match, reader, PSST) for reader in range(3)] == [True, False, True]


def test_a_partner_who_has_left_reads_no_more_private_words() -> None:
    """Whoever resigned is no partner any longer, though they win or lose with their side."""
    match = zipline(*AUCTION, RESIGNED)
    assert not may_read(match, 0, replace(PSST, ply=3))
    assert match.partners(2) == frozenset()
    assert match.position.side(2) == {0, 2}


def test_whoever_has_got_a_seat_reads_no_private_words_of_before() -> None:
    """They were for whoever had the seat then."""
    assert [may_recall(comment, passed) for comment in (HELLO, PSST) for passed in (False, True)] == [1, 1, 1, 0]


def test_a_page_shows_private_words_after_the_end_of_a_public_match() -> None:
    """Never while it runs, and never those of a private match."""
    running, over = pipline(), pipline(RESIGNED)
    assert over.outcome
    matches = (running, over, replace(over, private=True))
    assert [may_publish(match, HELLO) for match in matches] == [True, True, True]
    assert [may_publish(match, PSST) for match in matches] == [False, True, False]
