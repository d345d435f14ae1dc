"""Names, addresses and the copy of what is kept: what somebody tries with them who means harm."""

import json
from collections.abc import Mapping
from datetime import timedelta
from email.message import EmailMessage
from io import BytesIO
from zipfile import ZipFile

from pbem.running.service import Arrival
from tests.support.club import ADDRESS, PLAYERS, Club, told
from tests.support.mails import message

NEW = "ann@work.example"


def owner_of(club: Club, email: str) -> str | None:
    """Return whose address it is."""
    with club.service.database.reading() as tx:
        player = tx.players.find(email)
    return player.name if player else None


def answer_newest(club: Club, kind: str, words: str, **headers: str) -> Arrival:
    """Answer the newest email of a kind."""
    return club.answer_kind(kind, -1, words, **headers)


def files_in(mail: EmailMessage) -> Mapping[str, bytes]:
    """Return the files that came with an export."""
    (attached,) = mail.iter_attachments()
    content = attached.get_payload(decode=True)
    assert isinstance(content, bytes)
    with ZipFile(BytesIO(content)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def export(club: Club, seat: int = 0, match: int = 1) -> Mapping[str, bytes]:
    """Let a player ask for what is kept of them; return the files."""
    assert club.reply(seat, "export", match=match).message.commands == ("export",)
    club.service.run_due()
    return files_in(club.mail(club.queued(kind="export")[-1]))


def test_nobody_takes_a_name_that_passes_for_another(club: Club) -> None:
    """Neither as it is nor with look-alikes; nor one that reads as a command, is a robot's, or advertises."""
    club.open()
    like = ("Bob", "B0b", "bob", "Вob", "R0bot 1", "Robot 2 b", "Former player")
    advertising = ("www.casino.example", "Casino．com", "Casino.\N{COMBINING ACUTE ACCENT}com", "Ring 0900-1234567")
    for name in (*like, *advertising, "take", "d4", "resign", "12", "a@b.example"):
        assert club.reply(0, f"name {name}").message.status == "rejected", name
        assert club.match().name(0) == "Ann", name


def test_a_name_just_given_up_is_nobody_elses(club: Club) -> None:
    """Others still know Bob by it; after half a year nobody does."""
    club.open()
    club.reply(1, "name Robert")
    assert club.reply(0, "name Bob").message.status == "rejected"
    club.clock.advance(timedelta(days=181))
    club.reply(0, "name Bob")
    assert [one.name for one in club.match().players] == ["Bob", "Robert"]


def test_names_change_twice_a_month(club: Club) -> None:
    """Others have to know who they play."""
    club.open()
    assert [club.reply(0, f"name Ann {word}").message.status for word in ("One", "Two", "Three")] == [
        "accepted",
        "accepted",
        "rejected",
    ]


def test_an_old_email_changes_no_name_and_gives_no_address_up(club: Club) -> None:
    """Others may have seen it: its player is asked first."""
    club.open()
    old = club.newest(0)
    club.reply(0, "c3")
    for words in ("name Mallory", f"address remove {NEW}"):
        assert club.service.hand_in(club.answer(old, words)).message.status == "rejected"
    assert club.match().name(0) == "Ann"


def test_no_address_is_added_without_a_last_yes_from_the_old_one(club: Club) -> None:
    """A forger with a leaked email names an address of their own, and says yes there: Ann is asked, and says no."""
    club.open()
    club.reply(0, f"address {NEW}")
    answer_newest(club, "confirm_address", "yes")
    assert owner_of(club, NEW) is None
    for words in ("yes", "resign"):
        assert answer_newest(club, "own_address", words, From=NEW).message.status != "accepted"
    answer_newest(club, "own_address", "no")
    answer_newest(club, "confirm_address", "yes")
    assert owner_of(club, NEW) is None
    assert len(club.queued(kind="own_address")) == 1


def test_after_both_have_said_yes_the_address_counts(club: Club) -> None:
    """And what it writes then is the player's."""
    club.open()
    club.reply(0, f"address {NEW}")
    assert told(answer_newest(club, "confirm_address", "yes")) == [("own_address", 0)]
    answer_newest(club, "own_address", "yes")
    assert owner_of(club, NEW) == "Ann"
    club.reply(0, "c3", From=NEW)
    assert club.moves() == ["c3"]


def test_naming_somebody_elses_address_asks_nobody_and_tells_nothing(club: Club) -> None:
    """The answer is word for word the one about an address of nobody, and no email goes there."""
    club.open()
    answers = []
    for email in ("bob@b.example", "nob@b.example"):
        arrival = club.reply(0, f"address {email}")
        answers.append(str(club.mail(arrival.outbound[0]).get_body(("plain",))).replace(email, "…").split("\n\n", 1)[1])
        assert [mail.recipient for mail in arrival.outbound[1:]] == ([] if email.startswith("bob") else [email])
    assert answers[0] == answers[1]


def test_a_stranger_is_asked_once_and_a_no_holds(club: Club) -> None:
    """However often somebody names their address, in any match."""
    club.open()
    club.open()
    club.reply(0, f"address {NEW}")
    club.reply(0, f"address {NEW}", match=2)
    answer_newest(club, "confirm_address", "no")
    club.clock.advance(timedelta(days=30))
    club.reply(1, f"address {NEW}")
    assert len(club.queued(kind="confirm_address")) == 1


def test_a_forged_wish_for_an_export_goes_to_the_player_alone_and_once_a_day(club: Club) -> None:
    """Without a token it is nothing at all; with one, only the main address gets it."""
    club.open()
    untagged = message("export", From="ann@a.example", To=ADDRESS, Subject="hi", Message_ID="<x@e.example>")
    assert club.service.hand_in(untagged).message.status == "rejected"
    club.reply(0, f"address {NEW}")
    answer_newest(club, "confirm_address", "yes")
    answer_newest(club, "own_address", "yes")
    for _ in range(3):
        club.service.hand_in(club.answer(club.newest(0), "export", From=NEW, Reply_To="eve@e.example"))
        club.service.run_due()
    assert [mail.recipient for mail in club.queued(kind="export")] == ["ann@a.example"]


def test_an_export_holds_nothing_of_others(club: Club) -> None:
    """No address, no words for another side, no words for dice that are still to be rolled, no secret."""
    club.service.open("pippip", PLAYERS[:2], {})
    club.reply(1, "salt bobs own words")
    club.open("zipline", PLAYERS, size=5)
    club.reply(1, "say: my pot is hot\n\nteam: sh, my plan", match=2)
    club.reply(0, "say: hello from Ann", match=2)
    files = export(club)
    everything = b"\n".join(files.values())
    for hidden in ("bob@b.example", "carl@c.example", "my plan", "my pot", "bobs own", club.match(1).secret):
        assert hidden.encode() not in everything
    kept = json.loads(files["export.json"])
    assert kept["player"]["addresses"] == [{"address": "ann@a.example", "main": True}]
    assert [one["text"] for one in kept["comments"]] == ["hello from Ann"]
    assert {one["number"]: one["record"] for one in kept["matches"]} == {
        1: "records/match-1.txt",
        2: "records/match-2.txt",
    }


def test_an_export_holds_no_email_that_another_wrote_in_the_players_name(club: Club) -> None:
    """Somebody sends Bob's token in Ann's name: Ann gets neither that nor her own chance at Bob's seat."""
    club.open()
    token = str(club.newest(1)["Reply-To"])
    club.service.hand_in(club.answer(club.newest(1), "c3", From="ann@a.example"))
    assert token.split("+")[1].split("@")[0].encode() not in b"\n".join(export(club).values())


def test_an_export_holds_the_players_own_emails_as_they_came(club: Club) -> None:
    """Those that were carried out at a seat of theirs."""
    club.open()
    club.reply(0, "c3\nGood luck, and greetings from Lisbon.")
    letters = [content for name, content in export(club).items() if name.endswith(".eml")]
    assert any(b"greetings from Lisbon" in letter for letter in letters)
