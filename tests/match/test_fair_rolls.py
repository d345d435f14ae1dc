"""Fair rolls: promised, drawn, published, and checked by anybody."""

import hashlib
import hmac
import re
from collections import Counter
from datetime import UTC, datetime

import pytest

from pbem.match.fair_rolls import LONGEST_SEED, FairRolls, clean_seed, commitment, verify_rolls
from pbem.match.match import Match, advance_automatically
from pbem.match.player import Player
from pbem.match.records import record_text
from pbem.running.machine import SecretSource
from rules.errors import InvalidRecord
from rules.games import GAMES
from rules.position import Chance, Entry
from rules.record import read_record
from tests.support.each import each

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
SECRET = "5f1c" * 16
DIE = Chance("die", 6)


def test_a_value_is_what_the_description_says() -> None:
    """Somebody who has only the description of the method finds the same values."""
    text = "17:4:die:0\n1:seven blue elephants\n3:ü"
    number = int.from_bytes(hmac.new(SECRET.encode(), text.encode(), hashlib.sha256).digest(), "big")
    lots = FairRolls(17, SECRET, {0: "seven blue elephants", 1: "", 2: "ü"})
    assert lots.value(4, DIE) == number % 6 + 1
    assert commitment(SECRET) == hashlib.sha256(SECRET.encode()).hexdigest()


def test_numbers_that_would_favour_some_values_are_passed_over() -> None:
    """With so many faces that every other number is too high, the next attempts are taken."""
    faces = 2**255 + 1
    retried = 0
    for ply in range(40):
        attempt = 0
        while True:
            text = f"1:{ply}:layout:{attempt}"
            number = int.from_bytes(hmac.digest(SECRET.encode(), text.encode(), "sha256"), "big")
            if number < faces:
                break
            attempt += 1
        retried += attempt > 0
        assert FairRolls(1, SECRET, {}).value(ply, Chance("layout", faces)) == number + 1
    assert 10 < retried < 30


def test_sixty_thousand_dice_are_uniform() -> None:
    """With a fixed secret every face comes up about as often as every other, alone and in pairs.

    The bounds are those a fair die exceeds once in about a thousand secrets.
    """
    lots = FairRolls(1, SECRET, {0: "fixed"})
    fallen = [lots.value(ply, DIE) for ply in range(60_000)]
    counts, pairs = Counter(fallen), Counter(zip(fallen[::2], fallen[1::2], strict=True))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 20.5  # 5 degrees of freedom
    assert len(pairs) == 36
    assert sum((count - 30_000 / 36) ** 2 / (30_000 / 36) for count in pairs.values()) < 66.6  # 35 degrees


@each(
    "other",
    [
        (FairRolls(2, SECRET, {0: "a"}), 0, DIE),
        (FairRolls(1, "0" + SECRET[1:], {0: "a"}), 0, DIE),
        (FairRolls(1, SECRET, {1: "a"}), 0, DIE),
        (FairRolls(1, SECRET, {0: "a", 1: "b"}), 0, DIE),
        (FairRolls(1, SECRET, {0: "a"}), 7, DIE),
        (FairRolls(1, SECRET, {0: "a"}), 0, Chance("spinner", 6)),
    ],
    ids=["match", "secret", "seat of the words", "words", "ply", "name"],
)
def test_everything_that_is_announced_changes_the_rolls(other: tuple[FairRolls, int, Chance]) -> None:
    """Another match, secret, seed, ply or name gives another row of values."""
    lots, shift, chance = other
    own = [FairRolls(1, SECRET, {0: "a"}).value(ply, DIE) for ply in range(50)]
    assert [lots.value(ply + shift, chance) for ply in range(50)] != own


def test_seed_words_are_one_line_without_an_address() -> None:
    """It is published, and stands on a line of the record."""
    assert clean_seed("  seven\tblue\r\n elephants\0 ") == "seven blue elephants"
    assert "@" not in clean_seed("ann@a.example")
    assert len(clean_seed("x y " * 1000)) <= LONGEST_SEED


def test_secrets_of_the_machine_are_long_and_differ() -> None:
    """64 hexadecimal digits, never the same."""
    made = {SecretSource().secret() for _ in range(100)}
    assert len(made) == 100
    assert all(re.fullmatch(r"[0-9a-f]{64}", secret) for secret in made)


def finished() -> Match:
    """Return a match that is over, in which the second player mixed in a word."""
    game = GAMES["pippip"]
    players = tuple(Player(n, name, f"{name}@a.example", frozenset()) for n, name in enumerate(("Ann", "Bob")))
    match = Match(1, game, game.normalise({}), players, NOW, secret=SECRET, seeds=("", "pepper"))
    match = advance_automatically(match, NOW)
    while isinstance(seat := match.to_act, int):
        match = advance_automatically(match.after(Entry(seat, match.position.prompt().example), NOW), NOW)
    return match


def code_of(text: str) -> str:
    """Return the code of what is wrong with the rolls of a record."""
    with pytest.raises(InvalidRecord) as wrong:
        verify_rolls(read_record(text))
    return wrong.value.code


def test_anybody_can_check_every_roll_from_the_record_alone() -> None:
    """A finished record is right; a seed, the number of the match or the secret altered is found."""
    match = finished()
    text = record_text(match)
    lots = sum(entry.seat is None for entry in match.record)
    assert verify_rolls(read_record(text)) == lots
    assert lots >= 18
    assert code_of(text.replace("salt 2: pepper", "salt 2: papper")) == "wrong_roll"
    assert code_of(text.replace("match: 1\n", "match: 2\n")) == "wrong_roll"
    assert code_of(re.sub(r"secret: .", "secret: e", text)) == "commitment_mismatch"


def flipped(text: str, which: int) -> tuple[str, int]:
    """Return a record with the roll number ``which`` changed, and the number of its line."""
    lines = text.splitlines()
    number = [place for place, line in enumerate(lines) if re.match(r" *\d+  lot ", line)][which]
    value = int(lines[number].split()[-1])
    lines[number] = f"{lines[number][: -len(str(value))]}{value % 2 + 1}"
    return "\n".join(lines) + "\n", number + 1


@pytest.mark.parametrize("which", [0, 1])
def test_a_wrong_roll_is_named_by_its_line(which: int) -> None:
    """Whatever else would still replay: the line of the roll that was altered is told."""
    match = finished()
    two_rolls = match.at(2).after(Entry(0, "resign"), NOW)
    text, line = flipped(record_text(two_rolls), which)
    with pytest.raises(InvalidRecord) as refusal:
        verify_rolls(read_record(text))
    assert refusal.value.line == line
