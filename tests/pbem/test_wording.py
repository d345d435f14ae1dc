"""A match in sentences, for one of its players."""

from datetime import UTC, datetime

from pbem import wording
from pbem.match import Match, Player, Remark
from rules import GAMES, Entry

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
TAKEN = (Entry(0, "c3"), Entry(1, "take"))


def match(*record: Entry, seats: int = 3, **options: object) -> Match:
    """Return a match of Zipline, on the smallest board unless ``options`` say otherwise."""
    game = GAMES["zipline"]
    players = tuple(Player(n, name, "", frozenset()) for n, name in enumerate(("Ann", "Bob", "Carl")[:seats]))
    return Match(1, game, game.normalise({"size": 5, **options}), players, NOW, record, (NOW,) * len(record))


def test_what_happened_is_told_from_the_readers_side() -> None:
    """Every entry since then is a sentence; the reader's own say you."""
    one = match(*TAKEN, Entry(2, "a1"), Entry(0, "resign"))
    told = wording.happened(one.at(0), one, 0)
    assert told[0] == "You played c3."
    assert told[1].startswith("Bob took")
    assert told[2:] == ["Carl played a1.", "You resigned."]
    assert wording.happened(one.at(3), one, 1) == ["Ann resigned."]


def test_roles_are_told_from_the_readers_side() -> None:
    """The reader's own role comes first."""
    assert wording.who_is_what(match(), 0) == []
    assert wording.who_is_what(match(*TAKEN), 0) == ["You and Carl are Pip (black, X).", "Bob is Zip (white, O)."]
    assert wording.who_is_what(match(*TAKEN), 1) == ["You are Zip (white, O).", "Ann and Carl are Pip (black, X)."]


def test_whose_turn_it_is() -> None:
    """Somebody's own turn, that of his partner, that of the other side, or nobody's."""
    one = match(*TAKEN)
    assert wording.whose_turn(one, 2) == "It is your turn."
    assert wording.whose_turn(one, 0) == "It is your side's turn: Carl plays now, you wait."
    assert wording.whose_turn(one, 1) == "It is Carl's turn."
    assert wording.whose_turn(match(Entry(0, "resign"), seats=2), 1) == "The match is over."


def test_the_result_is_told_from_the_readers_side() -> None:
    """Winners are named, the reader first."""
    over = match(*TAKEN, Entry(1, "resign"))
    assert wording.result(match(), 0) == ""
    assert wording.result(over, 2) == "You and Ann won: Zip resigned."
    assert wording.result(over, 1) == wording.result(over) == "Ann and Carl won: Zip resigned."


def test_the_order_of_turns_and_the_options() -> None:
    """Both read like the end of a sentence."""
    assert wording.order_of_turns(match(), 1) == "Turns go round in this order: Ann, you and Carl."
    assert wording.order_of_turns(match(seats=2), 1) == "You and Ann take turns."
    assert wording.options_in_words(match()) == "size 5"
    assert wording.options_in_words(match(size=7, partner_gap=True)) == "size 7, partner_gap yes"


def test_words_are_introduced_for_those_who_may_read_them() -> None:
    """Words to a side are for that side alone."""
    one, hello, psst = match(*TAKEN), Remark(2, 2, "hello"), Remark(2, 2, "psst", to_side=True)
    assert [wording.may_read(one, viewer, hello) for viewer in range(3)] == [True, True, True]
    assert [wording.may_read(one, viewer, psst) for viewer in range(3)] == [True, False, True]
    assert wording.introduction(one, hello, 1) == "Carl wrote:"
    assert wording.introduction(one, hello, 2) == "You wrote to everybody:"
    assert wording.introduction(one, psst, 0) == "Carl wrote to your side alone:"
    assert wording.introduction(one, psst, 2) == "You wrote to Ann alone:"


def test_a_partner_who_has_left_reads_no_more_private_words() -> None:
    """Whoever resigned is no partner any longer, though he wins or loses with his side."""
    one = match(*TAKEN, Entry(0, "resign"))
    assert not wording.may_read(one, 0, Remark(2, 3, "psst", to_side=True))
    assert one.partners(2) == frozenset()
    assert one.position.side(2) == {0, 2}
