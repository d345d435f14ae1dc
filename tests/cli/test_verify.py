"""Records are exported and verified; forged ones fail, and what is unsigned is called unsigned."""

import os
import pty
import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing, redirect_stdout
from dataclasses import replace

import pytest

from pbem.cli.app import main
from pbem.match.endings import winners_note
from pbem.match.fair_rolls import FairRolls
from pbem.match.signature import public_key, sign_record, signing_key
from rules.game import advance
from rules.games import GAMES
from rules.position import Chance, Entry
from rules.record import Record, read_record, write_record
from tests.support.command_line import ANN, BOB, Pbem, rolled

OTHER = "the secret of another host"
OBEYED = "\x1b[31m\x1b]0;title\x07\u202e\u009b2J"
"""What colours a terminal, names its window, clears it, and turns round what stands behind."""

NOTHING: Mapping[str, str] = {}
UNSIGNED = "it is not signed"
ALONE = "depend on the host's secret alone"


def key_of(pbem: Pbem) -> str:
    """Return the key of the service in the directory, from a record that it exports."""
    key = signing_key(read_record(pbem.done("export", "1").out))
    assert key is not None
    return key


def test_an_exported_record_verifies(over: Pbem) -> None:
    """What ``export`` writes, to a file or standard output, ``verify`` replays."""
    text = over.done("export", "1").out
    over.done("export", "1", "--output", "record.txt")
    assert (over.directory / "record.txt").read_text("utf-8") == text
    told = over.done("verify", "record.txt").out
    assert told.startswith(
        "zipline, 3 players, 3 entries: a win of seats 1 and 3 (Zip resigned). Every move is legal.\n"
    )
    assert over.done("verify", "-", stdin=text.encode()).out == told
    sent = "\ufeff" + text.replace("\n", " \r\n").replace("  2  seat", "\t2  seat")
    assert over.done("verify", "-", stdin=sent.encode()).out == told


@pytest.mark.parametrize(
    ("change", "to", "says"),
    [
        ("seat 1   c3", "seat 1   c9", "at entry 1"),
        ("seat 2   take", "seat 2   c3", "at entry 2"),
        ("2   resign", "2   take", "at entry 3"),
        ("  2  seat 2", "  2  seat 3", "at entry 2"),
        ("  3  seat 2", "  4  seat 2", "Line 22 is numbered 4, but entry 3 comes next"),
        ("  3  seat 2", "  3  chair 2", "Line 22 cannot be read"),
        ("winners: 1 3", "winners: 2", "it announces a win of seat 2, but its moves lead to a win of seats 1 and 3"),
        ("winners: 1 3", "winners:", "it announces “” as winners"),
        ("winners: 1 3", f"winners: {'7' * 5000}", "it announces “7777"),
        ("winners: 1 3\n", "", "it announces no result yet, but its moves lead to a win of seats 1 and 3"),
        ("  3  seat 2   resign\n", "", "it announces a win of seats 1 and 3, but its moves lead to no result yet"),
        ("game: zipline", "game: chess", "is a record of “chess”, a game that isn't known here"),
        ("seats: 3", "seats: 9", "players"),
        ("seats: 3", "seats: many", "Line 3 says “many”, which is no number of players"),
        ("option size: 5", "option size: 50", "from 5 to 19, not “50”"),
        ("option size: 5", f"option size: {'5' * 5000}", "from 5 to 19, not “555"),
        ("option size: 5", "option colour: red", "no option “colour”"),
        ("pbem record 1", "pbem record 2", "Line 1 is not “pbem record 1”"),
        ("winners: 1 3", "winners: 1 3\nwinners: 2", "a second time"),
        ("match: 1", f"match: {'1' * 5000}", "The line “match: …” says “1111"),
        ("  1  seat 1", f"  {'1' * 5000}  seat 1", "Line 20 cannot be read"),
        ("  1  seat 1", f"  1  seat {'1' * 5000}", "Line 20 cannot be read"),
        ("  1  seat 1", "  1  seat 999", "at entry 1"),
        ("  1  seat 1   c3", f"  1  lot  {'1' * 5000}", "at entry 1"),
        ("seats: 3", f"seats: {'3' * 5000}", "which is no number of players"),
        ("key: ", "key: \0", "cannot be read"),
        ("key: ", "key: A", "cannot be read"),
        ("signature: ", "signature: A", "cannot be read"),
    ],
    ids=lambda value: value[:30].strip(),
)
def test_a_record_that_was_tampered_with_does_not_verify(over: Pbem, change: str, to: str, says: str) -> None:
    """A changed move, a changed result or a broken line is found, and the sentence says which."""
    text = over.done("export", "1").out
    assert text.count(change) == 1
    over.refuses("verify", "-", code=65, says=says, stdin=text.replace(change, to).encode())


def test_a_wrong_roll_is_named_by_its_line(rolls: Pbem) -> None:
    """``pbem verify`` recomputes every roll from the record alone, and says which line is wrong."""
    file = rolls.directory / "record.txt"
    record = rolls.done("export", "2").out
    file.write_text(record)
    assert "All 3 rolls follow from the secret" in rolls.done("verify", str(file)).out
    wrong = re.sub(r"(  3  lot      )(\d)", lambda lot: f"{lot[1]}{int(lot[2]) % 6 + 1}", record)
    file.write_text(wrong)
    line = next(number for number, text in enumerate(wrong.splitlines(), 1) if text.startswith("  3  lot"))
    rolls.refuses("verify", str(file), code=65, says=f"Line {line}, entry 3, is wrong: the lot “die” fell on")
    said = []
    for count in range(2, 14):  # the secret is drawn, and one other salt in twenty-four leads to the same three rolls
        file.write_text(record.replace("salt 2: a pinch", f"salt 2: {count} pinches"))
        said.append(rolls("verify", str(file)).err)
    assert any("is wrong: the lot" in line for line in said)
    file.write_text(re.sub(r"secret: .*\n", "", record))
    rolls.refuses("verify", str(file), code=65, says="not the secret")


def invent(record: Record, *moves: tuple[int, str], notes: Mapping[str, str] = NOTHING) -> Record:
    """Return a record with other ``moves`` and ``notes``, whose rolls follow from the true secret of the match."""
    told = {**record.notes, **notes}
    seeds = {seat: told.get(f"salt {seat + 1}", "") for seat in range(record.seats)}
    rolls = FairRolls(int(told["match"]), told["secret"], seeds)
    position = GAMES[record.game].restore(record.seats, record.options)
    entries: list[Entry] = []
    left = list(moves)
    while (awaited := position.to_act) is not None:
        if isinstance(awaited, Chance):
            entries.append(Entry(None, str(rolls.value(len(entries), awaited))))
        elif left[0][1] == "any":
            entries.append(Entry(awaited, str(next(iter(position.legal_moves())))))
            left.pop(0)
        else:
            entries.append(Entry(*left.pop(0)))
        position = advance(position, entries[-1])
    outcome = position.outcome()
    assert outcome is not None
    result = {"winners": winners_note(outcome) or "", "reason": outcome.reason}
    return replace(record, entries=tuple(entries), notes={**told, **result})


FORGERIES: dict[str, Callable[[Record], Record]] = {
    "other names": lambda record: invent(record, (1, "resign"), notes={"player 1": "Mallory"}),
    "names changed over": lambda record: invent(record, (1, "resign"), notes={"player 1": "Bob", "player 2": "Ann"}),
    "another winner": lambda record: invent(record, (0, "resign")),
    "another reason": lambda record: invent(record, (1, "timeout")),
    "other moves": lambda record: invent(record, (0, "any"), (0, "any"), (1, "resign")),
    "another beginning": lambda record: invent(record, (1, "resign"), notes={"opened": "2020-01-01"}),
    "another end": lambda record: invent(record, (1, "resign"), notes={"over": "2030-01-01"}),
    "other seeds": lambda record: invent(record, (1, "resign"), notes={"salt 2": "other words"}),
    "one seed more": lambda record: invent(record, (1, "resign"), notes={"salt 1": "other words"}),
    "another match": lambda record: invent(record, (1, "resign"), notes={"match": "77"}),
    "one line more": lambda record: invent(record, (1, "resign"), notes={"remark": "Bob cheated."}),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
@pytest.mark.always("a core promise")
def test_a_forged_record_fails(rolls: Pbem, forge: Callable[[Record], Record]) -> None:
    """Who knows the published secret can write a record whose rolls are right, but cannot sign it."""
    true = read_record(rolls.done("export", "2").out)
    forged = forge(true)
    assert write_record(forged) != write_record(true)
    kept = write_record(forged).encode()
    rolls.refuses("verify", "-", code=65, says="changed since it was signed", stdin=kept)
    notes = {name: text for name, text in forged.notes.items() if name not in ("key", "signature")}
    unsigned = write_record(replace(forged, notes=notes))
    assert UNSIGNED in rolls.done("verify", "-", stdin=unsigned.encode()).out
    rolls.refuses("verify", "-", "--key", key_of(rolls), code=65, says="it is not signed", stdin=unsigned.encode())
    without = write_record(replace(forged, notes={**notes, "key": true.notes["key"]})).encode()
    assert UNSIGNED in rolls.done("verify", "-", stdin=without).out
    theirs = sign_record(unsigned, OTHER)
    told = rolls.done("verify", "-", stdin=theirs.encode()).out
    assert public_key(OTHER) in told
    assert key_of(rolls) in told  # both are named, and that they differ
    rolls.refuses("verify", "-", "--key", key_of(rolls), code=65, says=public_key(OTHER), stdin=theirs.encode())
    lent = theirs.replace(f"key: {public_key(OTHER)}", f"key: {key_of(rolls)}").encode()
    rolls.refuses("verify", "-", code=65, says="not signed with the key", stdin=lent)


def test_a_signed_record_is_checked_without_the_service(over: Pbem) -> None:
    """A record is checked with it alone and the key, on any machine, and after the settings have changed."""
    text, key = over.done("export", "1").out, key_of(over)
    settings = over.directory / "pbem.toml"
    settings.write_text(
        settings.read_text("utf-8").replace("secret = ", 'secret = "another one, of the same length" #')
    )
    assert public_key("another one, of the same length") in over.done("verify", "-", stdin=text.encode()).out
    assert key in over.done("verify", "-", "--key", f" {key}\n", stdin=text.encode()).out
    for broken in ("secret = [", "colour = 1\n"):
        settings.write_text(broken)
        assert key in over.done("verify", "-", "--key", key, stdin=text.encode()).out
    for file in over.directory.iterdir():
        file.unlink()
    assert key in over.done("verify", "-", stdin=text.encode()).out
    assert key in over.done("verify", "-", "--key", key, stdin=text.encode()).out


def test_a_record_from_before_there_were_signatures_still_verifies(bare: Pbem) -> None:
    """Its moves are checked as ever, and it is told to be unsigned."""
    text = "pbem record 1\ngame: zipline\nseats: 2\noption size: 5\n\n  1  seat 1  c3\n"
    told = bare.done("verify", "-", stdin=text.encode()).out
    assert told.startswith("zipline, 2 players, 1 entry: no result yet. Every move is legal.\n")
    assert UNSIGNED in told
    wrong = text.replace("c3", "c9").encode()
    bare.refuses("verify", "-", code=65, says="at entry 1", stdin=wrong)


def test_what_is_to_be_compared_is_printed(pbem: Pbem) -> None:
    """Match, players, check code, commitment, player seeds and key: each as players get them who ask for them."""
    text = rolled(pbem, "ready", "salt a pinch")
    notes = read_record(text).notes
    told = pbem.done("verify", "-", stdin=text.encode()).out
    fields = dict(re.findall(r"^([a-z0-9 ]+): +(\S.*)$", told, re.MULTILINE))
    assert fields["match"].startswith("2, ")
    assert (fields["seat 1"], fields["seat 2"], fields["salt 2"]) == ("“Ann”", "“Bob”", "“a pinch”")
    assert fields["commitment"].startswith(notes["commitment"])
    assert fields["key"] == notes["key"] == key_of(pbem)
    last = pbem.done("outbound", "list", "--json", "--limit", "1").json[0]["id"]
    pbem.done("receive", stdin=pbem.answer(last, "record\nhelp dice", "<asks@example.org>"))
    dice, record = (pbem.done("outbound", "show", str(last + number)).out for number in (1, 2))
    assert fields["check code"][:6] in record
    assert [fields[name] for name in ("commitment", "secret", "key") if notes[name] not in dice] == []
    assert "“a pinch”" in dice
    assert ALONE not in told


@pytest.mark.parametrize("hours", [0, 24])
def test_rolls_that_rest_on_the_host_alone_are_called_so(pbem: Pbem, hours: int) -> None:
    """Without a player seed the host alone has fixed the rolls, and verify says so."""
    settings = pbem.directory / "pbem.toml"
    settings.write_text(re.sub(r"salt_hours = \d+", f"salt_hours = {hours}", settings.read_text("utf-8")))
    if hours:
        text = rolled(pbem, "ready", "ready")
    else:
        pbem.done("open", "pippip", ANN, BOB)
        text = pbem.done("export", "2").out
    assert ALONE in pbem.done("verify", "-", stdin=text.encode()).out


@pytest.mark.parametrize("key", ["Zfh", "é" * 44, "A" * 44, f"{'A' * 43}=", OBEYED, "A" * 5000])
def test_a_key_that_is_none_or_another_one_fails(over: Pbem, key: str) -> None:
    """What is no key is said to be none, and no other key has signed the record."""
    text = over.done("export", "1").out
    run = over("verify", "-", "--key", key, stdin=text.encode())
    assert run.code == (65 if len(key) == 44 and key.endswith("=") else 64)
    assert run.out == ""
    assert len(run.err) < 300


@pytest.mark.parametrize(
    "content",
    [b"pbem record 1\n" + b"x" * 5_000_000, b"\0" * 6_000_000, b"pbem record 1\n" + b"a: b\n" * 1_000_000],
    ids=["one line", "nothing but NUL", "many lines"],
)
def test_a_huge_file_is_refused_unread(bare: Pbem, content: bytes) -> None:
    """What is longer than any record is not read to its end."""
    bare.refuses("verify", "-", code=65, says="5,000,000 bytes", stdin=content)
    (bare.directory / "huge.txt").write_bytes(content)
    bare.refuses("verify", "huge.txt", code=65, says="huge.txt has more than", stdin=content)


def test_a_device_that_never_ends_is_refused(bare: Pbem) -> None:
    """A file without an end is read as far as the longest record goes."""
    bare.refuses("verify", "/dev/zero", code=65, says="5,000,000 bytes")


@pytest.mark.parametrize(
    "content",
    [
        f"pbem record 1\ngame: {OBEYED}\nseats: 2\n",
        f"pbem record 1\ngame: zipline\nseats: {OBEYED}\n",
        f"pbem record 1\ngame: zipline\nseats: 2\n\n  1  seat 1  {OBEYED}\n",
        f"pbem record 1\ngame: zipline\nseats: 2\noption size: {OBEYED}\n",
        f"pbem record 1\ngame: zipline\nseats: 2\nwinners: {OBEYED}\n",
        f"pbem record 1\ngame: zipline\nseats: 2\nreason: {OBEYED}\nwinners: 1\n\n  1  seat 2  resign\n",
        f"pbem record 1\ngame: zipline\nseats: 2\nmatch: {OBEYED}\n",
        f"pbem record 1\ngame: zipline\nseats: 2\nkey: {OBEYED}\nsignature: {OBEYED}\n",
        f"pbem record 1\n{OBEYED}\n",
        f"{OBEYED}",
        f"pbem record 1\ngame: zipline\nseats: 2\nmatch: 7\nopened: {OBEYED}\nplayer 1: {OBEYED}\nsalt 1: {OBEYED}\n"
        f"commitment: {OBEYED}\n\n  1  seat 1  a1\n",
        "pbem record 1\ngame: zipline\nseats: 2\nplayer 1: \0\ufffe\n",
        "pbem record 1\0",
    ],
)
@pytest.mark.parametrize("name", ["-", f"{OBEYED}.txt", "\udcff\udcfe.txt"], ids=["stdin", "escapes", "not UTF-8"])
def test_nothing_in_a_record_or_its_name_is_obeyed_by_a_terminal(bare: Pbem, content: str, name: str) -> None:
    """Whatever a record or the name of its file holds, only what can be shown is printed, and errors are one line."""
    if name != "-":
        (bare.directory / name).write_text(content, "utf-8")
    run = bare("verify", name, stdin=content.encode())
    assert run.code in (0, 65)
    assert not [char for char in run.out + run.err if not char.isprintable() and char != "\n"]
    assert run.err.count("\n") == (1 if run.code else 0)


def test_a_text_that_is_not_utf_8_is_refused(bare: Pbem) -> None:
    """Surrogates and other bytes that are no UTF-8 are no record; a name that does not exist is shown harmlessly."""
    for content in (b"\xff\xfe", b"pbem record 1\nplayer 1: \xed\xa0\x80\n"):
        bare.refuses("verify", "-", code=65, says="not UTF-8 text", stdin=content)
    run = bare("verify", f"missing{OBEYED}")
    assert run.code == 66
    assert run.err.isprintable() or run.err[:-1].isprintable()


def test_a_wrong_call_prints_nothing_that_a_terminal_obeys(bare: Pbem) -> None:
    """Names of files that look like options, or are too many, are shown harmlessly as well."""
    for arguments in (["verify", f"--{OBEYED}"], ["verify", "a", OBEYED], [OBEYED], ["--config", OBEYED, "matches"]):
        run = bare(*arguments)
        assert run.code in (64, 78)
        assert not {"\x1b", "\x07", "\u009b"} & set(run.out + run.err), arguments


def test_export_and_show_do_no_harm_to_a_terminal(pbem: Pbem) -> None:
    """A person before a screen sees what can be shown of a name; a file or pipe gets it as it is."""
    with closing(sqlite3.connect(pbem.directory / "pbem.db")) as connection, connection:
        connection.execute("UPDATE player SET name = ? WHERE id = 1", [f"Eve {OBEYED}"])
    assert "\x1b" in (text := pbem.done("export", "1").out)
    assert signing_key(read_record(text)) == key_of(pbem)
    ours, theirs = pty.openpty()
    with open(theirs, "w", encoding="utf-8") as terminal, redirect_stdout(terminal):
        for arguments in (["export", "1"], ["show", "1"]):
            with pytest.raises(SystemExit):
                main(arguments)
    seen = os.read(ours, 10_000).decode()
    os.close(ours)
    assert "Eve \ufffd[31m" in seen
    assert not {"\x1b", "\x07", "\u202e", "\u009b"} & set(seen)
