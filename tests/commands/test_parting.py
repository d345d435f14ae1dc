"""How a reply to an email about several matches is parted: by what each line names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.parting import part_reply
from tests.support.each import each


@each("line", ["11 d5", "11: d5", "#11 d5", "11. d5", "11) d5", "match 11 d5", "Game #11: d5", "- 11 – d5", "[11] d5"])
def test_a_line_is_for_the_match_whose_number_it_begins_with(line: str) -> None:
    """However people set a number off."""
    assert part_reply([line], [1, 11]).by_match == {11: ["d5"]}


@each(
    "line, rest",
    [
        ("in match 11 I play d5.", "I play d5."),
        ("In 11 I play d5", "I play d5"),
        ("match 11 - d5", "d5"),
        ("Match 11, Pipline vs Bob and Carl: d5", "d5"),
        ("11 -> d5", "d5"),
        ("11, d5", "d5"),
        ("for game 11: d5 please", "d5 please"),
        ("for 11: d5", "d5"),
        ("As for match 11, d5", "d5"),
        ("[pbem 11] d5", "d5"),
        ("board 11: d5", "d5"),
        ("no. 11: d5", "d5"),
        ("match no 11: d5", "d5"),
        ("d5 in 11", "d5"),
        ("d5 (11)", "d5"),
        ("d5 @ 11", "d5"),
        ("d5 in match 11, thanks", "d5, thanks"),
        ("d5 (match 11)", "d5"),
        ("d5 for #11", "d5"),
        ("My move in match 11 is d5.", "My move is d5."),
        ("I take in match 11", "I take"),
        ("im Spiel 11 spiele ich d5", "spiele ich d5"),
        ("Partie 11 : d5", "d5"),
        ("pour la partie 11, d5", "d5"),
        ("en la partida 11: d5", "d5"),
        ("resign in match 11", "resign"),
        ("match 11: draw", "draw"),
    ],
)
def test_a_line_is_for_the_match_that_it_names_anywhere(line: str, rest: str) -> None:
    """The rest of it is read as in any other answer."""
    assert part_reply(["1 g4", line], [1, 11]).by_match == {1: ["g4"], 11: [rest]}


@each(
    "heading", ["11", "11:", "#11", "Match 11", "Match 11, Pipline vs Bob", "[pbem 11] Pipline vs Bob", "For game 11:"]
)
def test_what_stands_below_the_name_of_a_match_is_for_it(heading: str) -> None:
    """As people write below a heading that they have copied."""
    assert part_reply(["1 g4", heading, "d5"], [1, 11]).by_match == {1: ["g4"], 11: ["d5"]}


@each(
    "line, parts",
    [
        ("1 g4; 11 d5", {1: ["g4"], 11: ["d5"]}),
        ("g4 in match 1 and d5 in match 11", {1: ["g4"], 11: ["d5"]}),
        ("#1: g4, #11: d5", {1: ["g4"], 11: ["d5"]}),
        ("match 1 g4, e5; match 11 d5", {1: ["g4, e5"], 11: ["d5"]}),
        ("1 c4, 11 n2", {1: ["c4, 11 n2"]}),
        ("1: thanks; d5", {1: ["thanks; d5"]}),
    ],
)
def test_a_line_with_moves_in_several_matches_is_taken_apart(line: str, parts: dict[int, list[str]]) -> None:
    """But a number behind a comma may be that of a die."""
    assert part_reply([line], [1, 11]).by_match == parts


@each(
    "line",
    [
        "d5 in the first one",
        "the last one: d5",
        "second game: d5",
        "d5 against Bob",
        "d5 in the other game",
        "d5 in both matches",
        "in my match with Bob: d5",
        "im anderen Spiel d5",
        "match 1 and match 11: d5",
        "d5 in matches #1, #11",
        "game eleven: d5",
        "two: d5",
        "m11: d5",
    ],
)
def test_a_move_in_a_match_that_is_named_otherwise_is_asked_about(line: str) -> None:
    """Nor is it words for those in the match of the line above."""
    parted = part_reply(["1 g4", line], [1, 11])
    assert (parted.by_match, parted.unclear) == ({1: ["g4"]}, [line])


@each("line", ["99 e5", "99 resign", "in match 99 I play d5", "d5 in match 99", "d5 in 99", "#99: e5"])
def test_a_move_with_the_number_of_another_match_is_for_none(line: str) -> None:
    """Nor is it words for the one above."""
    parted = part_reply(["1 g4", line], [1, 11])
    assert (parted.by_match, parted.unlisted) == ({1: ["g4"]}, [(99, line)])


@each(
    "line",
    [
        "3 more, and I win",
        "I win in 11",
        "We played 11 matches",
        "See you in 11 days",
        "It was as good as match 11",
        "11.5 points for you",
        "It's 11:30 here",
        "I've had 11d of rain",
        "",
    ],
)
def test_other_lines_belong_to_the_one_above(line: str) -> None:
    """As a comment stands below a move; what stands above all of them is for no match."""
    parted = part_reply(["Hi,", "1 g4", line], [1, 11])
    assert (parted.beside, parted.by_match) == (["Hi,"], {1: ["g4", line]})


def test_where_one_match_is_listed_all_that_is_said_is_for_it() -> None:
    """With a number or without; but nobody gives it up so, and what is set is set for all."""
    assert part_reply(["Good morning!", "", "1 g4"], [1]).by_match == {1: ["Good morning!", "", "g4"]}
    assert part_reply(["I play g4 against Bob"], [1]).by_match == {1: ["I play g4 against Bob"]}
    assert part_reply(["resign"], [1]).beside == ["resign"]
    assert part_reply(["tz lisbon", "1 g4"], [1]).by_match == {1: ["g4"]}


@pytest.mark.parametrize("words", ["team: watch out", "note: my plan", "partner: sh"])
def test_attack_no_line_of_private_words_goes_to_another_match(words: str) -> None:
    """Where a partner reads of a move in another match, nobody else may; a number in front begins anew."""
    parted = part_reply(["1 g4", words, "d5 in match 11 is a trap", "11 d4"], [1, 11])
    assert parted.by_match == {1: ["g4", words, "d5 in match 11 is a trap"], 11: ["d4"]}


@given(st.lists(st.text(max_size=40), max_size=12), st.sets(st.integers(1, 30), max_size=4))
def test_nothing_that_was_written_is_lost(lines: list[str], listed: set[int]) -> None:
    """Each line is for one match, for none, or beside them; and none is for a match that was not listed."""
    parted = part_reply(lines, sorted(listed))
    kept = len(parted.beside) + len(parted.unlisted) + len(parted.unclear) + sum(map(len, parted.by_match.values()))
    assert kept >= sum(any(map(str.isalpha, line)) for line in lines)
    assert parted.by_match.keys() <= listed
