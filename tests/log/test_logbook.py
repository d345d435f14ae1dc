"""What the lines of the log look like, and what never stands in them."""

import json
import logging
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from pbem.log.logbook import event
from tests.support.club import SECRET, Club
from tests.support.written import ADDRESS, TOKEN, Written

ANN, BOB = "ann@a.example", "bob@b.example"
CORPUS = sorted((Path(__file__).parents[1] / "corpus").rglob("*.eml"))


def test_a_line_names_its_event_and_what_it_is_about(written: Written) -> None:
    """As text before the colon, as JSON by their names; seats count from 1, and what is unknown is left out."""
    logging.getLogger("pbem").info("It's %s.", "done", extra=event("processed", inbound=3, match=17, seat=0, code=""))
    assert re.fullmatch(r"[\d-]+ [\d:,]+ INFO processed inbound=3 match=17 seat=1: It's done\.\n", written.text())
    (told,) = written.objects()
    assert list(told)[:3] == ["ts", "level", "event"]
    del told["ts"]
    assert told == {"level": "info", "event": "processed", "inbound": 3, "match": 17, "seat": 1, "text": "It's done."}


def test_a_library_has_one_event(written: Written) -> None:
    """Its sentence can begin as it likes: it's told by its logger."""
    logging.getLogger("some.library").warning("processed inbound=3: no")
    assert " WARNING library logger=some.library: processed inbound=3: no\n" in written.text()
    assert [(one["event"], one["logger"]) for one in written.objects()] == [("library", "some.library")]


RUDE = '450 no\r\n2026-11-22 ERROR processed inbound=1: x\x0b\x85\u2028{"event": "failed"}\x1b[2J"}\n{"event": "bug"}\n'
"""An answer of a server that looks like records of the log, in both forms."""


def test_nothing_from_outside_forges_a_line(written: Written) -> None:
    """One record is one line, or one object; neither an error nor a fact begins another."""
    log = logging.getLogger("pbem")
    log.warning("deliver: %s", RUDE, extra=event("put_off", task=RUDE))
    try:
        raise OSError(RUDE)
    except OSError:
        log.exception("poll: %s", RUDE, stack_info=True, extra=event("bug", task="poll"))
    heads = [line.split(" ")[2:5] for line in written.text().split("\n") if line and not line.startswith("  ")]
    assert heads == [["WARNING", "put_off", "task=…:"], ["ERROR", "bug", "task=poll:"]]
    assert [one["event"] for one in written.objects()] == ["put_off", "bug"]
    assert not [char for char in written.text() if not char.isprintable() and char != "\n"]


@pytest.mark.parametrize(
    "told",
    [
        f"550 5.1.1 <{ANN}>: user unknown",
        f"Subject: a word to {ANN}",
        f"X-{ANN}: 1",
        f"b'{ANN}'",
        f"mailto:{ANN}?subject=x",
        f'"ann b"@{ANN.partition("@")[2]}',
        f"games+b12.{ANN.replace('@', '=')}@play.example",
        f"imaps://{ANN}:hunter2@imap.example/INBOX",
        f"550-{ANN}\r\n550 {BOB}",
        f"{ANN.upper()} {ANN}",
    ],
)
def test_no_address_stands_in_a_line_whoever_quotes_it(written: Written, told: str) -> None:
    """In a sentence, an error, what caused it, the parameters of the database library, and in place of a number."""
    log = logging.getLogger("pbem")
    log.error("deliver: %s", told, extra=event("attempted", status=told))
    log.error("%d", told, extra=event("put_off"))
    try:
        try:
            raise IntegrityError("INSERT", {"email": told}, ValueError(told))
        except IntegrityError as error:
            raise KeyError(told) from error
    except KeyError:
        log.exception("bug: %r", ValueError(told), extra=event("bug"))
    shown = written.everything()
    for part in (ANN, BOB, ANN.replace("@", "="), "@a.example", "@b.example", "ann b"):
        assert part not in shown.lower()
    assert "hunter2" not in shown


def test_no_odd_email_leaves_an_address_in_the_log(new_club: Callable[..., Club], written: Written) -> None:
    """All emails of the corpus one after the other, hostile ones too."""
    club = new_club()
    club.open()
    for path in CORPUS:
        raw = path.read_bytes()
        club.service.hand_in(raw)
    log = written.everything().lower()
    known = {found.decode().lower() for path in CORPUS for found in ADDRESS.findall(path.read_bytes())}
    assert len(known) > 20
    assert len([one for one in written.objects() if one["event"] == "processed"]) > 100
    assert [one for one in known if one in log] == []
    assert (SECRET in log, TOKEN.findall(log)) == (False, [])


def test_what_was_processed_and_sent_says_where(new_club: Callable[..., Club], written: Written) -> None:
    """Message, match, seat and ply: enough to find the rest."""
    club = new_club()
    club.open()
    club.reply(0, "c3")
    (told,) = [one for one in written.objects() if one["event"] == "processed"]
    assert {key: told[key] for key in ("inbound", "match", "seat", "ply", "status")} == {
        "inbound": 1,
        "match": 1,
        "seat": 1,
        "ply": 0,
        "status": "accepted",
    }


@pytest.mark.slow("starts an interpreter")
def test_the_settings_choose_the_form_of_the_log(tmp_path: Path) -> None:
    """``log_format`` counts from the first line; the passwords of servers are left out of it, as they are sent too."""
    settings = f'secret = "{SECRET}"\nsmtp_url = "smtp://games:hunter%2D22@h"\nlog_format = "json"\n'
    (tmp_path / "pbem.toml").write_text(settings, encoding="utf-8")
    program = (
        "import logging\nfrom pbem.cli.app import main\n"
        "try:\n    main(['init'])\nexcept SystemExit:\n    pass\n"
        "logging.getLogger('aiosmtplib').warning('no hunter-22')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    told = json.loads(done.stderr.splitlines()[-1])
    assert (told["event"], told["level"], told["text"]) == ("library", "warning", "no …")
