"""Sums over the finished matches of a game."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from pbem.archive.lists.ledger import Ledger
from pbem.archive.lists.tally import Score, Tally, grouped, read_finished
from pbem.match.endings import Ruling
from pbem.match.match import Match
from rules.games import GAMES
from tests.support.each import each
from tests.support.ledgers import played, random_matches, winners_of


def tally() -> Tally:
    """Return the sums of three finished matches."""
    ledger = Ledger()
    ledger.note(played(1, (1, 2), "a1", "take", "b2", "resign"))
    ledger.note(played(2, (1, 2), "a1", "take", "resign"))
    ledger.note(played(3, (1, 2), "b2", "resign"))
    return ledger.tallies["pipline"]


def test_wins_are_counted_by_seat_and_role() -> None:
    """A seat without a role counts as a seat alone."""
    assert tally().seats == {0: Score(3, 2), 1: Score(3, 1)}
    assert tally().roles == {"Pip": Score(2, 1), "Zip": Score(2, 1)}


def test_openings_are_a_tree() -> None:
    """Each beginning of up to three moves has its number of matches, and who won them."""
    found = tally().commonest_board()
    assert found
    assert found[1].following == {(): {"a1": 2, "b2": 1}, ("a1",): {"take": 2}, ("a1", "take"): {"b2": 1}}
    assert found[1].winners["a1",] == {"Pip": 1, "Zip": 1}


def test_stones_and_chains_are_those_of_the_last_position() -> None:
    """Each cell with a piece counts once; the longest chain names the first match that had it."""
    found = tally().commonest_board()
    assert found
    (_, view), sums = found
    names = {
        kind: {view.cells[place].name: count for place, count in stones.items()} for kind, stones in sums.stones.items()
    }
    assert names == {"black": {"a1": 2, "b2": 1}, "white": {"b2": 1}}
    assert tally().longest_chains(2) == [(1, 1), (1, 2)]


def test_auctions_are_counted_by_their_stones() -> None:
    """Whoever took won with one stone once, and lost once; a match that ended in its auction counts apart."""
    assert tally().auctions == {1: Score(2, 1)}
    assert tally().untaken == 1


@each("key", GAMES)
def test_a_running_match_has_no_statistics(key: str) -> None:
    """Of any game."""
    assert read_finished(played(1, range(1, GAMES[key].seats[0] + 1), key=key)) is None


def test_lengths_are_grouped_by_round_numbers() -> None:
    """No more spans than asked for; a span without a match stands there with none."""
    assert grouped(Counter({3: 1, 4: 2, 9: 1}), 4) == [(2, 3, 1), (4, 5, 2), (6, 7, 0), (8, 9, 1)]
    assert len(grouped(Counter({10: 1, 2000: 1}), 12)) <= 12
    assert grouped(Counter(), 12) == []


@each("key", GAMES)
def test_sums_are_those_of_a_plain_count(key: str) -> None:
    """Of random matches, some of which end early, go on after their end, or are called off."""
    matches = random_matches(key, 12)
    ledger = Ledger()
    for number, match in enumerate(matches):
        if number % 3 == 0:
            ledger.note(replace(match, ruling=Ruling("adjudicated", frozenset({0}))))
        if number % 4 == 0:
            ledger.note(replace(match, record=match.record[:3], times=match.times[:3]))
        ledger.note(match)
    over = [match for match in matches if match.outcome and not match.ruling]
    assert 4 <= len(over) < len(matches)
    tally = ledger.tallies[key]
    assert (tally.matches, sum(tally.moves.values())) == (len(over), len(over))
    assert +tally.moves == Counter(match.moves_made for match in over)
    assert tally.seats == {
        seat: Score(len(over), sum(seat in winners_of(match) for match in over)) for seat in range(GAMES[key].seats[-1])
    }
    roles = {role for match in over for role in match.position.roles() if role}
    assert {role: score for role, score in tally.roles.items() if score.played} == plain_roles(sorted(roles), over)
    chains = sorted(((plain_chain(match), -match.id) for match in over), reverse=True)
    assert tally.longest_chains(4) == [(size, -number) for size, number in chains[:4] if size]
    stones, firsts = Counter[tuple[str, str]](), Counter[str]()
    for match in over:
        stones.update(
            (str(cell.piece.name) if key != "pipelines" else "", cell.name)
            for cell in match.position.view().cells
            if cell.piece
        )
        firsts[next(entry.text for entry in match.record if entry.seat is not None)] += 1
    ((_, view), board) = tally.commonest_board() or pytest.fail("there is no board")
    found = {
        (kind, view.cells[place].name): n for kind, counted in board.stones.items() for place, n in counted.items()
    }
    assert +Counter(found) == stones
    assert +board.following[()] == firsts
    taken = [match for match in over if any(entry.text == "take" for entry in match.record)]
    auctions = sum(score.played for score in tally.auctions.values())
    assert (auctions, tally.untaken) == ((len(taken), len(over) - len(taken)) if GAMES[key].auction else (0, 0))
    assert sum(score.won for score in tally.auctions.values()) == sum(map(taker_has_won, taken))


def plain_roles(roles: Iterable[str], over: Sequence[Match]) -> dict[str, Score]:
    """Return how often each role was played, and how often one who played it won."""
    found = {}
    for role in roles:
        having = [match for match in over if role in match.position.roles()]
        won = [match for match in having if any(match.position.roles()[seat] == role for seat in winners_of(match))]
        found[role] = Score(len(having), len(won))
    return found


def taker_has_won(match: Match) -> bool:
    """Return whether whoever ended the auction won."""
    return next(entry.seat for entry in match.record if entry.text == "take") in winners_of(match)


def plain_chain(match: Match) -> int:
    """Return the size of the longest chain: from each piece, all that can be reached step by step."""
    view = match.position.view()
    if view.chains is None:
        return 0
    places = {(cell.column, cell.row): cell.piece.key for cell in view.cells if cell.piece}
    longest = 0
    for key, steps in view.chains.steps:
        for start in (place for place, piece in places.items() if piece == key):
            seen, waiting = {start}, [start]
            while waiting:
                column, row = waiting.pop()
                near = {(column + right, row + up) for right, up in steps} | {
                    (column - right, row - up) for right, up in steps
                }
                fresh = {place for place in near - seen if places.get(place) == key}
                seen |= fresh
                waiting += fresh
            longest = max(longest, len(seen))
    return longest
