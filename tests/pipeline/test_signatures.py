"""A signature goes to nobody and onto no page, and its sender reads that; what somebody says is passed on."""

from pathlib import Path

import pytest

from pbem.settings.model import Settings
from tests.support.chosen import changed
from tests.support.club import PLAYERS, Club, settings_in
from tests.support.mails import text_of

SIGNATURE = (
    "Best regards,\n\nDr. A. Berger\nBerger & Partner GmbH\nHauptstr. 5, 10115 Berlin\nTel. 01/234 567\nwww.berger.de"
)
PARTS = ("Berger", "Hauptstr", "234 567")


@pytest.fixture
def settings(blank_database: Path, tmp_path: Path) -> Settings:
    """Settings with an archive, which has an address."""
    published = {"archive_dir": str(tmp_path / "archive"), "archive_url": "https://p.example"}
    return changed(settings_in(tmp_path, blank_database), **published)


def told(club: Club, seat: int) -> str:
    """Return what the newest email to a seat says."""
    return " ".join(text_of(club.newest(seat)).split())


def names_signature(text: str) -> bool:
    """Return whether a text names where the signature begins and ends."""
    return "“Best regards,” … “www.berger.de”" in text


@pytest.mark.parametrize(
    "words", ["c3", "c3\n\nWhat a day!", "c3\nsay: What a day!", "say: What a day!", "c3\n\nWhat a day!\nHow are you?"]
)
def test_a_signature_is_named_to_its_sender_and_to_nobody_else(club: Club, words: str) -> None:
    """Below a move, below words, and below words without a move; the words go on, and all of them."""
    club.open()
    arrival = club.reply(0, f"{words}\n\n{SIGNATURE}")
    assert arrival.message.status == "accepted"
    assert club.moves() == (["c3"] if "c3" in words else [])
    said = words.removeprefix("c3").strip().removeprefix("say: ")
    assert [comment.text for comment in club.match().comments] == ([said] if said else [])
    assert names_signature(told(club, 0))
    assert not any(part in told(club, 1) for part in PARTS)
    club.service.write_archive()
    pages = [page.read_text() for page in Path(club.service.settings.archive_dir).rglob("*.html")]
    assert pages
    assert not any(part in page for part in PARTS for page in pages)


@pytest.mark.parametrize(
    "notice", ["This e-mail is confidential.", "Diese E-Mail ist vertraulich.", "Ce message est confidentiel."]
)
def test_a_legal_notice_is_named_too(club: Club, notice: str) -> None:
    """What stands below it as well: it may have been written by a person who speaks like a lawyer."""
    club.open()
    club.reply(0, f"c3\n\nWhat a day!\n\n{notice}\nIf you are not the addressee, tell us.")
    assert [comment.text for comment in club.match().comments] == ["What a day!"]
    assert f"passed it on: “{notice}”." in told(club, 0)


def test_in_a_team_nobody_is_asked_whom_a_signature_is_for(club: Club) -> None:
    """It is for nobody, so that the move counts at once, and words to a partner go to them alone."""
    club.open("zipline", PLAYERS)
    club.reply(0, "c3")
    club.reply(1, "take")
    club.reply(2, f"b2\nteam: left, then down\n\n{SIGNATURE}")
    assert club.moves()[-1] == "b2"
    assert [(comment.text, comment.to_side) for comment in club.match().comments] == [("left, then down", True)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Meet me at 5 Main Street? My tel. is 0171 1234567.",
        "we live at Hauptstraße 5, come over",
        "my number is 0171 1234567",
        "see www.example.org for the rules of the other one",
    ],
)
def test_a_sentence_with_a_number_or_a_street_is_passed_on(club: Club, sentence: str) -> None:
    """Whoever says it means it."""
    club.open()
    club.reply(0, f"c3\n\n{sentence}")
    assert [comment.text for comment in club.match().comments] == [sentence]


def test_whoever_wants_email_only_on_their_turn_gets_none_for_their_signature(club: Club) -> None:
    """It would come with each of their moves."""
    club.open()
    club.reply(0, "mails turns")
    before = len(club.queued())
    club.reply(0, f"c3\n\n{SIGNATURE}")
    assert [mail.recipient for mail in club.queued()[before:]] == ["bob@b.example"]


def test_a_move_is_no_part_of_a_signature(club: Club) -> None:
    """Not in the midst of what would be one; a street that holds a cell is left to whoever reads the move."""
    club.open()
    assert club.reply(0, "Hi Bob,\nBerger GmbH\nc3\nTel. 01/234 567").message.commands == ("c3",)


@pytest.mark.parametrize(
    ("words", "telephone"),
    [
        ("c3\nsay: Visit me at\nHauptstraße 12\n12345 Berlin", ""),
        ("operator: Bob threatens me, call me\n+43 664 1234567", "1234567"),
        ("operator: my number is:\nAnn Smith\n+43 664 1234567\n\nc3", "1234567"),
        ("operator: he is rude\n(212) 555-0123", "555-0123"),
    ],
)
def test_a_number_or_a_street_that_is_said_reaches_whom_it_is_for(club: Club, words: str, telephone: str) -> None:
    """The others, or the operator and nobody else."""
    club.open()
    club.reply(0, words)
    said = "\n".join(comment.text for comment in club.match().comments)
    with club.service.database.reading() as tx:
        reports = [str(report.about) for report in tx.questions.find("report")]
    assert ("Hauptstraße 12" in said and "12345 Berlin" in said) if not telephone else telephone in reports[0]
    assert not telephone or telephone not in said
