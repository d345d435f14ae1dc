"""Fair rolls: promised, drawn, published, and checked by anybody."""

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.match.fair_rolls import LONGEST_SEED, FairRolls, clean_seed, commitment, verify_rolls
from pbem.match.match import record_text
from pbem.service import Service
from pbem.settings import Settings
from pbem.system import SecretSource
from rules import Chance, InvalidRecord, read_record
from tests.support.club import Club, told
from tests.support.fakes import FakeClock, FakeCourier, FakeDice
from tests.support.mails import html_of, text_of

SECRET = "5f1c" * 16
DIE = Chance("die", 6)


@pytest.fixture
def waiting(club: Club) -> Club:
    """A club with a match whose first rolls wait for both players."""
    club.service.open("pippip", ("Ann <ann@a.example>", "Bob <bob@b.example>"), {})
    return club


def play_out(club: Club) -> None:
    """Let whoever is to act send the example of his notice, until the match is over."""
    while isinstance(seat := club.match().to_act, int):
        prompt = club.match().position.prompt()
        assert club.reply(seat, prompt.example).message.status == "accepted"


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


@pytest.mark.parametrize(
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
    """Another match, secret, salt, ply or lot gives another row of values."""
    lots, shift, chance = other
    own = [FairRolls(1, SECRET, {0: "a"}).value(ply, DIE) for ply in range(50)]
    assert [lots.value(ply + shift, chance) for ply in range(50)] != own


def test_salt_is_one_line_without_an_address() -> None:
    """It is published, and stands on a line of the record."""
    assert clean_seed("  seven\tblue\r\n elephants\0 ") == "seven blue elephants"
    assert "@" not in clean_seed("ann@a.example")
    assert len(clean_seed("x y " * 1000)) <= LONGEST_SEED


def test_secrets_of_the_machine_are_long_and_differ() -> None:
    """64 hexadecimal digits, never the same."""
    made = {SecretSource().secret() for _ in range(100)}
    assert len(made) == 100
    assert all(re.fullmatch(r"[0-9a-f]{64}", secret) for secret in made)


def test_the_first_notice_holds_the_seal_before_any_roll_is_drawn(waiting: Club) -> None:
    """Text and HTML show the SHA-256 of the secret, and what one can answer."""
    match = waiting.match()
    assert match.record == ()
    for seat in (0, 1):
        mail = waiting.newest(seat)
        for content in (text_of(mail), html_of(mail)):
            assert commitment(match.secret) in content
            assert "ready" in content
            assert "salt" in content
    assert commitment(match.secret) in [line.strip() for line in text_of(waiting.newest(0)).splitlines()]


def test_rolls_fall_when_all_have_answered(waiting: Club) -> None:
    """The first gets a receipt, with the last answer everybody gets the next notice."""
    first = waiting.reply(1, "salt seven blue elephants\n\nLooking forward!")
    assert first.message.commands == ("salt seven blue elephants",)
    assert told(first) == [("remark", 0), ("waiting", 1)]
    assert "“seven blue elephants”" in text_of(waiting.newest(1))
    second = waiting.reply(0, "Ready!")
    assert second.message.commands == ("ready",)
    assert sorted(kind for kind, _ in told(second)) == ["move_made", "your_turn"]
    assert waiting.match().seeds == ("", "seven blue elephants")
    assert isinstance(waiting.match().to_act, int)


async def test_rolls_fall_when_their_time_has_come(waiting: Club) -> None:
    """Whoever does not answer keeps nobody waiting; everybody is told once."""
    waiting.reply(0, "ready")
    waiting.clock.advance(timedelta(hours=23, minutes=59))
    await waiting.service.deliver()
    assert waiting.match().record == ()
    waiting.clock.advance(timedelta(minutes=1))
    await waiting.service.deliver()
    assert isinstance(waiting.match().to_act, int)
    sent = len(waiting.queued())
    assert {mail.kind for mail in waiting.queued()[-2:]} == {"move_made", "your_turn"}
    await waiting.service.deliver()
    assert len(waiting.queued()) == sent


def test_rolls_fall_at_once_where_the_host_wants_no_waiting(club: Club, settings: Settings) -> None:
    """With the setting at 0 the first notice already says who begins; the seal stands in it all the same."""
    hasty = settings.model_copy(update={"salt_hours": 0})
    service = Service(hasty, club.service.database, clock=FakeClock(), dice=FakeDice(), courier=FakeCourier())
    match = service.open("pippip", ("Ann <ann@a.example>", "Bob <bob@b.example>"), {})
    assert isinstance(match.to_act, int)
    assert commitment(match.secret) in text_of(club.newest(0))
    assert "word ready" not in text_of(club.newest(0))


def test_the_secret_is_out_only_when_the_match_is_over(waiting: Club, tmp_path: Path) -> None:
    """No mail, page or record holds it before; the last notice, the page and the record do then."""
    waiting.service.settings.archive_dir = str(tmp_path / "archive")
    secret = waiting.match().secret.encode()

    def published() -> bytes:
        with waiting.service.database.reading() as tx:
            mails = b"".join(tx.outbound.raw(mail.id) for mail in waiting.queued()).replace(b"=\r\n", b"")
        waiting.service.write_archive()
        pages = b"".join(path.read_bytes() for path in sorted((tmp_path / "archive").rglob("*.*")))
        return mails + pages + record_text(waiting.match()).encode()

    assert commitment(waiting.match().secret).encode() in published()
    waiting.reply(0, "ready")
    waiting.reply(1, "salt pepper")
    waiting.reply(waiting.match().to_act, "help\nshow")  # type: ignore[arg-type]  # a seat, now that rolls have fallen
    assert secret not in published()
    play_out(waiting)
    assert waiting.match().outcome
    assert secret in published()
    for seat in (0, 1):
        assert waiting.match().secret in text_of(waiting.newest(seat))
        assert waiting.match().secret in html_of(waiting.newest(seat))


def test_anybody_can_check_every_roll_from_the_record_alone(waiting: Club) -> None:
    """A finished record is right; a roll, the salt, the number of the match or the seal altered is found."""
    waiting.reply(0, "ready")
    waiting.reply(1, "salt pepper")
    play_out(waiting)
    text = record_text(waiting.match())
    lots = sum(entry.seat is None for entry in waiting.match().record)
    assert verify_rolls(read_record(text)) == lots
    assert lots >= 18
    with pytest.raises(InvalidRecord, match=r"Line \d+, entry \d+, is wrong: the lot “"):
        verify_rolls(read_record(text.replace("salt 2: pepper", "salt 2: papper")))
    with pytest.raises(InvalidRecord, match=r"is wrong: the lot “"):
        verify_rolls(read_record(text.replace("match: 1\n", "match: 2\n")))
    with pytest.raises(InvalidRecord, match="SHA-256"):
        verify_rolls(read_record(re.sub(r"secret: .", "secret: e", text)))


def flipped(text: str, which: int) -> tuple[str, int]:
    """Return a record with the roll number ``which`` changed, and the number of its line."""
    lines = text.splitlines()
    number = [place for place, line in enumerate(lines) if re.match(r" *\d+  lot ", line)][which]
    value = int(lines[number].split()[-1])
    lines[number] = f"{lines[number][: -len(str(value))]}{value % 2 + 1}"
    return "\n".join(lines) + "\n", number + 1


@pytest.mark.parametrize("which", [0, 1])
def test_a_wrong_roll_is_named_by_its_line(waiting: Club, which: int) -> None:
    """Whatever else would still replay: the line of the roll that was altered is told."""
    waiting.reply(0, "ready")
    waiting.reply(1, "ready")
    waiting.reply(0, "resign")
    text, line = flipped(record_text(waiting.match()), which)
    with pytest.raises(InvalidRecord, match=f"Line {line}, entry {which + 1}, is wrong") as refusal:
        verify_rolls(read_record(text))
    assert refusal.value.line == line


def test_a_service_that_starts_anew_draws_the_same_rolls(new_club: Callable[..., Club]) -> None:
    """The secret lies in the database: whoever goes on with the match, the rolls are the same."""
    first = new_club()
    first.service.open("pippip", ("Ann <ann@a.example>", "Bob <bob@b.example>"), {})
    first.reply(0, "ready")
    second = new_club(dice=FakeDice(77))
    second.written = 50
    second.reply(1, "ready")
    match = second.match()
    assert match.record[0].text == str(match.fair_rolls.value(0, Chance("colours", 2)))
    assert match.secret == f"{1:064x}"
