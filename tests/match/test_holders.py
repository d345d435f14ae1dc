"""Who had a seat when an entry was made: seats pass on, entries are taken back and put back."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from pbem.match.holders import find_held, find_passed
from pbem.match.log import LogEntry
from tests.support.matches import OPENED, pipline

changes = st.lists(st.tuples(st.sampled_from(("move", "replaced", "rewound", "restored")), st.integers(0, 9)))


@given(changes)
def test_each_entry_is_of_who_had_the_seat_when_it_was_made(given_changes: list[tuple[str, int]]) -> None:
    """Whoever plays anew what was taken back has played it; what is put back is of those who had played it."""
    log: list[LogEntry] = []
    made: list[str] = []  # who had the seat at each entry
    taken: list[tuple[int, list[str]]] = []
    holder = "player 0"
    for number, (change, many) in enumerate(given_changes, 1):
        if change == "move":
            made += [holder] * many
        elif change == "replaced":
            log.append(LogEntry("replaced", None, {"seat": 0, "before": holder}, len(made)))
            holder = f"player {number}"
        elif change == "rewound" and many < len(made):
            taken.append((many, made[many:]))
            made = made[:many]
            log.append(LogEntry("rewound", None, {"to": many}, many))
        elif change == "restored" and taken and taken[-1][0] == len(made):
            made += taken.pop()[1]
            log.append(LogEntry("restored", None, {}, len(made)))
    match = replace(pipline(names=(holder, "Bob")), passed=find_passed(log))
    assert [match.name_at(0, ply) for ply in range(len(made))] == made
    assert match.name_at(1, 0) == "Bob"


passings = st.lists(st.tuples(st.sampled_from(("move", "lent", "given", "taken", "back")), st.integers(0, 3)))


@given(passings)
def test_whoever_lets_a_seat_pass_answers_for_it_and_has_their_own_moves_there(course: list[tuple[str, int]]) -> None:
    """However often it is handed on: of whom it was taken nobody asks any more."""
    log, own, holders = (
        list[LogEntry](),
        list[bool](),
        [(0, "")],
    )  # holders: who let it pass on, and how the next got it
    for number, (what, many) in enumerate(course, 1):
        told = {"seat": 0, "before": "Ann"}
        if what == "move":
            own += [len(holders) == 1] * many
        elif what == "taken":
            own, holders = [False] * len(own), [(number, "")]
            log.append(LogEntry("replaced", None, told, len(own)))
        elif what == "back" and len(holders) > 1:
            holders.pop()
            log.append(LogEntry("replaced", None, told | {"back": True}, len(own)))
        elif what in ("lent", "given"):
            until = {"until": "2026-12-01T00:00:00+00:00"} if what == "lent" else {}
            log.append(LogEntry("replaced", None, told | until | {"owner": holders[-1][0]}, len(own)))
            holders.append((number, what))
    held = find_held(find_passed(log), 0)
    assert [held.is_own(ply) for ply in range(len(own))] == own
    assert held.is_given == any(how == "given" for _, how in holders)
    if len(holders) > 1:
        assert held.owner == holders[0][0]


def test_what_happened_between_two_entries_is_of_who_had_the_seat_then() -> None:
    """A seat mostly passes on while it is its turn: its former player's pause, or time that was over, stays theirs."""
    log = [LogEntry("replaced", None, {"seat": 0, "before": "Ann"}, 2, OPENED + timedelta(hours=1))]
    match = replace(pipline(names=("Dora", "Bob")), passed=find_passed(log))
    names = [match.name_then(0, at) for at in (OPENED, OPENED + timedelta(hours=1), OPENED + timedelta(hours=2), None)]
    assert names == ["Ann", "Dora", "Dora", "Dora"]
    assert match.name_then(1, OPENED) == "Bob"
