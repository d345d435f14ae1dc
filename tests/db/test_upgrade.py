"""An upgrade loses nothing: filled databases of every version go on, and one that cannot be upgraded stays as it is."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.dialects.sqlite import dialect

from db.engine import newest_version
from db.packed import PackedBytes
from pbem.cli import main
from tests.support import mails, old_databases
from tests.support.old_databases import TIMING, VERSIONS, Running, expected_matches, load, old_message, reply_to, rows

OLD = [version for version in VERSIONS if version.removesuffix("-early") != newest_version()]
QUESTIONS = [version for version in VERSIONS if version >= "0003"]
ROLLS = [version for version in VERSIONS if version >= "0002"]
DROPPED = [version for version in VERSIONS if version >= "0007"]
"""Those with bytes dropped, blocked senders, revoked reply tokens, an offer, and players who want email on turns."""

SAID = ("next", "waits", "options", "reason")
"""What is compared by itself, or is a sentence that may be said in other words."""

CHANGED = {"identity"}
"""Columns with another content after an upgrade: messages came to be told apart by sender as well."""

HEADERS = ("To", "Message-ID", "Reply-To", "In-Reply-To", "References")

pytestmark = pytest.mark.sampled(4)  # the oldest version, every fourth after it: `make slow` tries all


def without(row: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return a match, or a row, without some of its parts."""
    return {name: value for name, value in row.items() if name not in names}


def of_the_seat(version: str, match: int, seat: int) -> Any:
    """Return the last message that the player at a seat received before the upgrade."""
    return old_message(version, f"match-{match}-seat-{seat}")


def replies(version: str) -> Iterator[tuple[str, bytes]]:
    """Yield what each player whose turn it is answers to their last message, with the number of the match.

    Where rolls wait for a player seed, whoever has given none says that they are ready.
    """
    for number, match in expected_matches(version).items():
        if match.get("next") and (old_databases.FIXTURES / version / f"match-{number}-seat-0.eml").exists():
            yield str(number), reply_to(of_the_seat(version, number, match["to_act"]), match["next"])
        elif match["winners"] is None and not match["record"] and match["to_act"] is None:
            yield str(number), reply_to(of_the_seat(version, number, 0), "ready")


def match_of(headers: dict[str, Any]) -> int:
    """Return the number of the match that an email is about."""
    return int(headers["Message-ID"].removeprefix("<").partition(".")[0])


def name_of(headers: dict[str, Any]) -> str:
    """Return the name of whoever an email goes to."""
    return str(headers["To"]).partition(" <")[0]


def those_who_left(match: dict[str, Any]) -> list[str]:
    """Return the names of the players who have resigned."""
    return [match["players"][seat] for seat, text in match["record"] if text == "resign"]


@pytest.mark.parametrize("version", QUESTIONS)
def test_bounces_and_the_notice_about_them_are_known_after_an_upgrade(
    version: str, upgraded: Callable[[str], Path]
) -> None:
    """The operator gets no second notice about an address in the same week; a bounce keeps its time."""
    outbound = old_databases.cells(upgraded(version))["outbound"]
    keys = [row["notice_key"] for row in outbound if row["kind"] == "bouncing"]
    assert keys == ["bouncing carl@c.example"]
    bounces = {row["bounce_status"]: row["bounced_at"] for row in outbound if row["bounced_at"]}
    assert bounces == {
        "hard (5.1.1)": "2026-11-21 05:29:00.000000",
        "soft (4.2.2)": "2026-11-21 05:36:00.000000",
    }


@pytest.mark.parametrize("version", ROLLS)
def test_what_was_due_is_known_after_an_upgrade(version: str, upgraded: Callable[[str], Path]) -> None:
    """Rolls that wait for a player seed stay due, those that were made do not come again, and both keep their time."""
    due = old_databases.cells(upgraded(version))["due"]
    assert [tuple(row.values()) for row in due if row["kind"] == "first_rolls"] == [
        ("first_rolls", 6, "2026-11-21 23:31:00.000000", True),
        ("first_rolls", 7, "2026-11-21 23:38:00.000000", False),
        ("first_rolls", 8, "2026-11-21 23:45:00.000000", True),
        ("first_rolls", 10, "2026-11-22 03:58:00.000000", True),
    ]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_tables_become_those_of_a_new_database(
    version: str, upgraded: Callable[[str], Path], blank_database: Path
) -> None:
    """Columns, indexes and references are those of a database made today, and every reference leads to a row."""
    assert old_databases.schema(upgraded(version)) == old_databases.schema(blank_database)
    with closing(sqlite3.connect(upgraded(version))) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("version", VERSIONS)
def test_no_row_is_lost_or_changed(version: str, upgraded: Callable[[str], Path], tmp_path: Path) -> None:
    """Every table has the rows it had, and they say the same in every column that is still there."""
    before, after = old_databases.cells(load(version, tmp_path)), old_databases.cells(upgraded(version))
    del before["alembic_version"]
    assert all(before[table] for table in ("match", "matchentry", "player", "address", "place", "inbound", "outbound"))
    for table, old in before.items():
        if not old:
            assert after[table] == []
            continue
        kept = (old[0].keys() & after[table][0].keys()) - CHANGED
        assert kept
        assert [without(row, *row.keys() - kept) for row in after[table]] == [
            without(row, *row.keys() - kept) for row in old
        ]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_match_replays_to_what_it_was(version: str, start: Callable[[str], Running]) -> None:
    """Records, times, comments, winners and whose turn it is are what the old program said; no option is another."""
    found, expected = start(version).matches(), expected_matches(version)
    assert {number: without(match, *SAID) for number, match in found.items()} == {
        number: without(match, *SAID, *TIMING) for number, match in expected.items()
    }
    assert all(expected[number]["options"].items() <= match["options"].items() for number, match in found.items())


@pytest.mark.parametrize("version", VERSIONS)
def test_replies_to_old_messages_are_played(version: str, start: Callable[[str], Running]) -> None:
    """Each is accepted, its move is recorded, and the emails that follow have the ids, tokens and threads promised."""
    running = start(version)
    running.deliver()
    expected = old_databases.expected_replies(version)
    found: dict[str, Any] = {}
    before = expected_matches(version)
    for number, reply in replies(version):
        assert running.hand_in(reply) == ("accepted", False)
        after = running.matches()[int(number)]
        if move := before[int(number)].get("next"):
            assert [before[int(number)]["to_act"], move] in after["record"][len(before[int(number)]["record"]) :]
        sent = running.deliver()
        found[number] = {
            "record": after["record"],
            "sent": [{name: message[name] and str(message[name]) for name in HEADERS} for message in sent],
        }
    for number, after in expected.items():
        assert found[number]["record"] == after["record"]
        assert [one for one in found[number]["sent"] if one in after["sent"]] == after["sent"]
        # Since then, whoever has left a match hears of it as well, once and in nobody else's place.
        others = [one for one in found[number]["sent"] if one not in after["sent"]]
        assert [(match_of(one), name_of(one)) for one in others] == [
            (int(number), name) for name in those_who_left(before[int(number)]) if others
        ]


@pytest.mark.parametrize("version", VERSIONS)
def test_words_of_old_messages_that_come_back_unmarked_are_no_commands(
    version: str, start: Callable[[str], Running]
) -> None:
    """Whole, or its end in narrow lines: the example and “resign” of a quotation without marks stay words."""
    running = start(version)
    running.deliver()
    for number in ("1", "4"):
        before = running.matches()[int(number)]["record"]
        for seat in (0, 1):
            message = of_the_seat(version, int(number), seat)
            old = str(message.get_body(("plain",)).get_content())
            for count, words in enumerate((old, "\n".join(old.split()[-40:]))):
                reply = reply_to(
                    message, f"What does this mean?\n\n{words}", Message_ID=f"<{number}.{seat}.{count}@a.b>"
                )
                assert running.hand_in(reply) == ("rejected", False)
        assert running.matches()[int(number)]["record"] == before


@pytest.mark.parametrize("version", VERSIONS)
def test_a_reply_finds_the_thread_of_the_message_before(version: str, start: Callable[[str], Running]) -> None:
    """What a player receives next stands in the thread that their old message began."""
    running = start(version)
    running.deliver()
    match = expected_matches(version)[1]
    running.hand_in(reply_to(of_the_seat(version, 1, match["to_act"]), match["next"]))
    sent = {str(message["To"]): message for message in running.deliver(match=1)}
    old = [of_the_seat(version, 1, seat) for seat in (0, 1)]
    for message in old:
        thread = str(sent[str(message["To"])]["References"]).split()
        assert set(thread) & {*str(message["References"] or "").split(), str(message["Message-ID"])}
    assert not {str(message["Message-ID"]) for message in sent.values()} & {str(one["Message-ID"]) for one in old}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_message_that_waited_is_processed(version: str, start: Callable[[str], Running]) -> None:
    """A message that was kept and not yet processed is played with the next one that comes in."""
    running = start(version)
    expected = expected_matches(version)
    running.hand_in(reply_to(of_the_seat(version, 1, 0), "help"))
    waited = [expected[2]["to_act"], expected[2]["waits"]]
    assert running.matches()[2]["record"] == [*expected[2]["record"], waited]


@pytest.mark.parametrize("version", VERSIONS)
def test_messages_that_were_queued_are_sent_and_can_be_answered(version: str, start: Callable[[str], Running]) -> None:
    """A match whose first messages had not gone out begins with them."""
    running = start(version)
    number, match = max(expected_matches(version).items())
    first = match["players"][match["to_act"]]
    sent = running.deliver(match=number)
    assert len(sent) == 2
    (own,) = [message for message in sent if str(message["To"]).startswith(first)]
    assert running.hand_in(reply_to(own, match["next"])) == ("accepted", False)
    assert running.matches()[number]["record"] == [[match["to_act"], match["next"]]]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_message_from_before_is_recognised(version: str, start: Callable[[str], Running], tmp_path: Path) -> None:
    """Whatever had been processed counts as a duplicate when the mailbox is read from its beginning again."""
    running = start(version)
    with closing(sqlite3.connect(tmp_path / "pbem.db")) as connection:
        stored = connection.execute(
            "SELECT raw FROM inbound WHERE status != 'received' AND kept ORDER BY id"
        ).fetchall()
    old = [PackedBytes().process_result_value(raw, dialect()) or b"" for (raw,) in stored]
    assert len(old) > 30
    assert all(old)
    assert all(duplicate for _, duplicate in map(running.hand_in, old))
    expected = expected_matches(version)
    assert all(
        match["record"] == expected[number]["record"] for number, match in running.matches().items() if number > 2
    )


@pytest.mark.parametrize("version", QUESTIONS)
def test_a_held_message_is_played_when_its_sender_says_yes(version: str, start: Callable[[str], Running]) -> None:
    """The question whether an unknown address belongs to a player can still be answered; then the address is asked."""
    running = start(version)
    running.deliver()
    before = running.matches()[9]["record"]
    assert running.hand_in(reply_to(old_message(version, "question"), "yes")) == ("accepted", False)
    assert running.matches()[9]["record"] == before
    (question,) = [message for message in running.deliver() if "adr." in str(message["Reply-To"])]
    assert running.hand_in(reply_to(question, "yes")) == ("accepted", False)
    assert len(running.matches()[9]["record"]) > len(before)


@pytest.mark.parametrize("version", QUESTIONS)
def test_a_player_who_wanted_no_emails_gets_none(version: str, start: Callable[[str], Running]) -> None:
    """Carl has unsubscribed; the others in his match are written to."""
    running = start(version)
    running.deliver()
    match = expected_matches(version)[10]
    assert match["players"] == ["Ann", "Carl", "Dörte"]
    running.hand_in(reply_to(of_the_seat(version, 10, match["to_act"]), match["next"]))
    assert {str(message["To"]).split()[0] for message in running.deliver(match=10)} == {"Ann", "Dörte"}


@pytest.mark.parametrize("version", QUESTIONS)
def test_a_player_who_listens_to_boards_gets_no_drawing(version: str, start: Callable[[str], Running]) -> None:
    """Bob has asked for boards in words, Ann has not."""
    running = start(version)
    running.deliver()
    match = expected_matches(version)[1]
    running.hand_in(reply_to(of_the_seat(version, 1, match["to_act"]), f"{match['next']}\nshow"))
    sent = {str(message["To"]).split()[0]: message for message in running.deliver(match=1)}
    drawn = {name: "a  b  c  d" in str(message.get_body(("plain",))) for name, message in sent.items()}
    assert drawn == {"Ann": True, "Bob": False}


@pytest.mark.parametrize("version", DROPPED)
def test_a_message_whose_bytes_were_dropped_is_recognised(
    version: str, upgraded: Callable[[str], Path], start: Callable[[str], Running], tmp_path: Path
) -> None:
    """The same players sent it under the same Message-ID in 0006, where its bytes are still there."""
    with closing(sqlite3.connect(load("0006", tmp_path))) as connection:
        stored = dict(connection.execute("SELECT id, raw FROM inbound").fetchall())
    inbound = [row for row in old_databases.cells(upgraded(version))["inbound"] if row["id"] in stored]
    dropped = [row for row in inbound if not row["kept"] and not row["raw"]]
    running = start(version)
    before = running.matches()
    assert len(dropped) > 30
    for row in dropped:
        raw = PackedBytes().process_result_value(stored[row["id"]], dialect())
        assert raw
        assert running.hand_in(raw) == (row["status"], True)
    assert running.matches()[1] == before[1]


@pytest.mark.parametrize("version", DROPPED)
def test_who_was_blocked_stays_blocked(version: str, start: Callable[[str], Running]) -> None:
    """An address, whatever stands behind its plus sign, and all of a domain; others are answered."""
    running = start(version)
    for sender, status in (
        ("s@else.example", "discarded"),
        ("s+again@else.example", "discarded"),
        ("anybody@spam.example", "discarded"),
        ("t@else.example", "rejected"),
    ):
        raw = mails.message("May I play?", From=sender, To="games@play.example", Message_ID=f"<later-{sender}>")
        assert running.hand_in(raw) == (status, False)


@pytest.mark.parametrize("version", DROPPED)
def test_reply_tokens_that_were_revoked_stay_revoked(version: str, start: Callable[[str], Running]) -> None:
    """What Dörte received in 0006 has the tokens that she had before she asked for a new address in later ones."""
    running = start(version)
    assert running.hand_in(reply_to(of_the_seat("0006", 4, 2), "say: hello")) == ("rejected", False)
    assert running.hand_in(reply_to(of_the_seat(version, 4, 2), "say: hello")) == ("accepted", False)


@pytest.mark.parametrize("version", DROPPED)
def test_what_an_email_proposed_is_played_at_a_yes(version: str, start: Callable[[str], Running]) -> None:
    """Bob had nearly written a move, and was told which one it would be."""
    running = start(version)
    match = expected_matches(version)[6]
    assert running.hand_in(reply_to(old_message(version, "offer"), "yes")) == ("accepted", False)
    assert [match["to_act"], match["next"]] in running.matches()[6]["record"][len(match["record"]) :]


@pytest.mark.parametrize("version", DROPPED)
def test_a_player_who_wanted_email_on_their_turn_alone_gets_no_other(
    version: str, start: Callable[[str], Running]
) -> None:
    """Bob hears of Ann's move, after which it is his turn, and of none of his own."""
    running = start(version)
    running.deliver()
    told = []
    for number in (1, 6):
        match = expected_matches(version)[number]
        running.hand_in(reply_to(of_the_seat(version, number, match["to_act"]), match["next"]))
        told.append({str(message["To"]).split()[0] for message in running.deliver(match=number)})
    assert told == [{"Ann", "Bob"}, {"Ann"}]


@pytest.mark.parametrize("version", OLD)
def test_a_copy_is_made_first(version: str, tmp_path: Path) -> None:
    """It holds all that was in the database, only its owner can read it, and its name tells the version to come."""
    file = load(version, tmp_path)
    before = rows(file)
    copy = old_databases.upgrade(file)
    assert copy is not None
    assert copy.parent == tmp_path
    assert copy.name.startswith("pbem.db.before-00")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert rows(copy) == before != rows(file)


def test_where_nothing_is_to_be_done_no_copy_is_made(tmp_path: Path) -> None:
    """A new database, and one of the newest version, leave no other file behind."""
    file = tmp_path / "pbem.db"
    assert old_databases.upgrade(file) is None
    assert old_databases.upgrade(file) is None
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("pbem.db.before")] == []


def test_a_second_upgrade_changes_nothing(tmp_path: Path) -> None:
    """However full the database is: no row is written, and no copy made."""
    file = load(VERSIONS[-1], tmp_path)
    old_databases.upgrade(file)
    before, files = rows(file), set(tmp_path.iterdir())
    assert old_databases.upgrade(file) is None
    assert rows(file) == before
    assert set(tmp_path.iterdir()) == files


def test_an_older_copy_is_never_overwritten(tmp_path: Path) -> None:
    """A second copy gets another name, whatever the first one is."""
    file = load("0003", tmp_path)
    first = tmp_path / _only_copy_name(tmp_path)
    first.write_bytes(b"kept")
    copy = old_databases.upgrade(file)
    assert copy == first.with_name(f"{first.name}-2")
    assert first.read_bytes() == b"kept"


def _only_copy_name(tmp_path: Path) -> str:
    """Return the name that a first copy gets, by making one elsewhere."""
    other = tmp_path / "other"
    other.mkdir()
    copy = old_databases.upgrade(load("0003", other))
    assert copy is not None
    return copy.name


def break_reference(connection: sqlite3.Connection) -> str:
    """Let a row refer to a match that is not there: found out when all migrations are done."""
    connection.execute("INSERT INTO place (match_id, seat, player_id) VALUES (99, 0, 1)")
    return "of place refers to a row of match that is not there"


def stand_in_the_way(connection: sqlite3.Connection) -> str:
    """Let an index of the last migration be there already."""
    connection.execute("CREATE INDEX ix_outbound_created_at ON outbound (created_at)")
    return "index ix_outbound_created_at already exists"


def leave_a_table(connection: sqlite3.Connection) -> str:
    """Let a table be there that the first migration makes and drops again."""
    connection.execute("CREATE TABLE _alembic_tmp_match (id INTEGER)")
    return "table _alembic_tmp_match already exists"


@pytest.mark.parametrize("spoil", [break_reference, stand_in_the_way, leave_a_table])
@pytest.mark.parametrize("version", ["0001-early", "0001"])
def test_an_upgrade_that_fails_changes_nothing_and_says_so(
    version: str,
    spoil: Callable[[sqlite3.Connection], str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One sentence quotes what failed, and names the copy; tried again, it makes no second one."""
    file = load(version, tmp_path)
    with closing(sqlite3.connect(file)) as connection:
        says = spoil(connection)
        connection.commit()
    before = rows(file)
    for _ in range(2):
        code, output, errors = upgrade_by_command(file, capsys, monkeypatch)
        assert (code, output) == (78, "")
        assert rows(file) == before
        (copy,) = [path for path in tmp_path.iterdir() if ".before-" in path.name]
        assert rows(copy) == before
        assert errors.startswith("pbem: The database cannot be brought from version 0001 to ")
        assert errors.count("\n") == 1
        assert says in errors
        assert f"it is unchanged, and a copy of it lies in {copy}." in errors


def test_without_room_for_a_copy_nothing_is_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no copy can be written, as its name is too long for one, the database is not touched."""
    file = load("0002", tmp_path).rename(tmp_path / f"{'x' * 243}.db")
    before = rows(file)
    code, output, errors = upgrade_by_command(file, capsys, monkeypatch)
    assert (code, output) == (78, "")
    assert "no copy can be written to" in errors
    assert errors.endswith("it is unchanged.\n")
    assert rows(file) == before


def test_the_command_names_the_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator is told where it lies."""
    file = load("0001", tmp_path)
    file.chmod(0o600)
    code, output, errors = upgrade_by_command(file, capsys, monkeypatch)
    (copy,) = [path for path in tmp_path.iterdir() if ".before-" in path.name]
    assert (code, errors) == (0, "")
    assert output == f"A copy of the old database is in {copy}.\nThe database is up to date.\n"


def test_names_that_differ_only_in_case_are_told_apart(tmp_path: Path) -> None:
    """In the first shape of the tables two players could be called Dörte and DÖRTE."""
    file = load("0001-early", tmp_path)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("INSERT INTO player (name, created_at) SELECT 'DÖRTE', created_at FROM player WHERE id = 1")
        connection.commit()
    old_databases.upgrade(file)
    with closing(sqlite3.connect(file)) as connection:
        found = connection.execute("SELECT name, folded FROM player ORDER BY id").fetchall()
    assert found[-2:] == [("Dörte", "dörte"), ("DÖRTE 2", "dörte 2")]


def upgrade_by_command(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, str, str]:
    """Run ``pbem db upgrade`` on a database; return its exit code, output and errors."""
    monkeypatch.chdir(file.parent)
    monkeypatch.setenv("PBEM_DATABASE_URL", f"sqlite:///{file}")
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main(["db", "upgrade"])
    printed = capsys.readouterr()
    return int(end.value.code or 0), printed.out, printed.err
