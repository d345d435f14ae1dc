"""A match in sentences, for one of its players."""

from pbem.match.match import Comment
from pbem.notices import sentences
from rules import Entry
from tests.support.matches import zipline

TAKEN = (Entry(0, "c3"), Entry(1, "take"))


def test_what_happened_is_told_from_the_readers_side() -> None:
    """Every entry since then is a sentence; the reader's own say you."""
    one = zipline(*TAKEN, Entry(2, "a1"), Entry(0, "resign"))
    told = sentences.describe_events(one.at(0), one, 0)
    assert told[0] == "You played c3."
    assert told[1].startswith("Bob took")
    assert told[2:] == ["Carl played a1.", "You resigned."]
    assert sentences.describe_events(one.at(3), one, 1) == ["Ann resigned."]


def test_roles_are_told_from_the_readers_side() -> None:
    """The reader's own role comes first."""
    assert sentences.describe_roles(zipline(), 0) == []
    assert sentences.describe_roles(zipline(*TAKEN), 0) == [
        "You and Carl are Pip (black, X).",
        "Bob is Zip (white, O).",
    ]
    assert sentences.describe_roles(zipline(*TAKEN), 1) == [
        "You are Zip (white, O).",
        "Ann and Carl are Pip (black, X).",
    ]


def test_whose_turn_it_is() -> None:
    """Somebody's own turn, that of his partner, that of the other side, or nobody's."""
    one = zipline(*TAKEN)
    assert sentences.describe_turn(one, 2) == "It is your turn."
    assert sentences.describe_turn(one, 0) == "It is your side's turn: Carl plays now, you wait."
    assert sentences.describe_turn(one, 1) == "It is Carl's turn."
    assert sentences.describe_turn(zipline(Entry(0, "resign"), names=("Ann", "Bob")), 1) == "The match is over."


def test_the_result_is_told_from_the_readers_side() -> None:
    """Winners are named, the reader first."""
    over = zipline(*TAKEN, Entry(1, "resign"))
    assert sentences.describe_result(zipline(), 0) == ""
    assert sentences.describe_result(over, 2) == "You and Ann won: Zip resigned."
    assert sentences.describe_result(over, 1) == sentences.describe_result(over) == "Ann and Carl won: Zip resigned."


def test_the_order_of_turns_and_the_options() -> None:
    """Both read like the end of a sentence."""
    assert sentences.describe_order(zipline(), 1) == "Turns go round in this order: Ann, you and Carl."
    assert sentences.describe_order(zipline(names=("Ann", "Bob")), 1) == "You and Ann take turns."
    assert sentences.describe_options(zipline()) == "size 5"
    assert sentences.describe_options(zipline(size=7, partner_gap=True)) == "size 7, partner_gap yes"


def test_words_are_introduced_for_those_who_may_read_them() -> None:
    """Words to a side are for that side alone."""
    one, hello, psst = zipline(*TAKEN), Comment(2, 2, "hello"), Comment(2, 2, "psst", to_side=True)
    assert [sentences.may_read(one, viewer, hello) for viewer in range(3)] == [True, True, True]
    assert [sentences.may_read(one, viewer, psst) for viewer in range(3)] == [True, False, True]
    assert sentences.introduce_comment(one, hello, 1) == "Carl wrote:"
    assert sentences.introduce_comment(one, hello, 2) == "You wrote to everybody:"
    assert sentences.introduce_comment(one, psst, 0) == "Carl wrote to your side alone:"
    assert sentences.introduce_comment(one, psst, 2) == "You wrote to Ann alone:"


def test_a_partner_who_has_left_reads_no_more_private_words() -> None:
    """Whoever resigned is no partner any longer, though he wins or loses with his side."""
    one = zipline(*TAKEN, Entry(0, "resign"))
    assert not sentences.may_read(one, 0, Comment(2, 3, "psst", to_side=True))
    assert one.partners(2) == frozenset()
    assert one.position.side(2) == {0, 2}
