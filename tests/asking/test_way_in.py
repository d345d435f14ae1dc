"""From one email of a stranger to a match: at once where our mail server proves them, after one yes anywhere else."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.asking.limit_table import STRANGERS
from pbem.asking.limits import part_of
from pbem.mail.headers import organization_of
from pbem.mail.marks import mailbox_mark
from pbem.settings.model import Settings
from tests.support.chosen import changed
from tests.support.club import SECRET, Club, make_club
from tests.support.mails import text_of

ZOE = "Zoe <zoe@z.example>"
PROOF = {"Authentication_Results": "mx.play.example; dmarc=pass header.from=z.example"}
ROBOT = "new pipline robot:1 size=5"
Clubs = Callable[..., Club]


@pytest.fixture
def club_with(settings: Settings) -> Iterator[Clubs]:
    """Return what makes a club with other settings, which lets anybody in unless told otherwise."""
    made: list[Club] = []

    def make(**chosen: str) -> Club:
        made.append(make_club(changed(settings, **({"new_matches": "anybody"} | chosen))))
        return made[-1]

    yield make
    for club in made:
        club.service.database.close()


def caused(club: Club, text: str, sender: str = ZOE, **headers: str) -> list[str]:
    """Return the kinds of the emails that a new message leads to, the first ones of a match included."""
    before = len(club.queued())
    club.write(text, sender, **headers)
    asyncio.run(club.service.deliver())
    return [mail.kind for mail in club.queued()[before:]]


def test_whoever_is_found_authentic_plays_at_once(club_with: Clubs) -> None:
    """One email leads to one, with the board; whatever others have written in their name before."""
    club = club_with(authserv_id="mx.play.example")
    assert caused(club, "sign up Zoe") == ["confirm_start"]
    assert caused(club, ROBOT, **PROOF) == ["opened"]
    assert [player.name for player in club.match().players] == ["Zoe", "Robot 1"]
    assert caused(club, ROBOT, **PROOF) == ["confirm_start"]  # a player is asked


def test_signing_up_is_no_word_to_others(club_with: Clubs) -> None:
    """Whoever signs up isn't told that they weren't heard; whatever else they wrote is named."""
    club = club_with(authserv_id="mx.play.example")
    said = []
    for text, sender in (("Sign up Zoe", ZOE), ("sign up Yan\n\nHello, who is there?", "Yan <yan@z.example>")):
        assert caused(club, text, sender, **PROOF) == ["starting"]
        said.append(text_of(club.mail(club.queued()[-1])))
    assert ["“" in one for one in said] == [False, True]
    assert "“Hello, who is there?”" in said[1]


def test_a_stranger_whom_nothing_proves_plays_after_one_yes(club_with: Clubs) -> None:
    """The question says what comes of it; the yes leads to the board."""
    club = club_with()
    assert caused(club, ROBOT) == ["confirm_start"]
    club.answer_kind("confirm_start", -1, "yes")
    asyncio.run(club.service.deliver())
    assert [mail.recipient for mail in club.queued(kind="opened")] == ["zoe@z.example"]


def test_one_email_takes_the_last_place_of_an_offer(club_with: Clubs) -> None:
    """So two people begin who have never met."""
    club = club_with(authserv_id="mx.play.example")
    club.open()
    club.reply(0, "seek pipline size=5")
    assert caused(club, "join 1", **PROOF) == ["opened", "opened"]
    assert caused(club, "join 1", "Yan <yan@z.example>", **PROOF) == ["starting"]  # too late: what else there is


def test_who_gives_no_name_hears_what_they_are_called(club_with: Clubs) -> None:
    """And how to change it, in an email beside the board."""
    club = club_with(authserv_id="mx.play.example")
    assert caused(club, ROBOT, "zoe@z.example", **PROOF) == ["starting", "opened"]


@pytest.mark.parametrize(
    ("chosen", "headers", "kinds"),
    [
        pytest.param({}, {}, ["confirm_start"], id="without proof"),
        pytest.param(
            {},
            {"Authentication_Results": "mx.play.example; dmarc=pass header.from=evil.example"},
            ["confirm_start"],
            id="proof of another domain",
        ),
        pytest.param(
            {},
            {"Authentication_Results": "mx.evil.example; dmarc=pass header.from=z.example"},
            ["confirm_start"],
            id="proof of another server",
        ),
        pytest.param({"new_matches": "invited"}, PROOF, ["unknown_sender"], id="only who is invited"),
        pytest.param({"new_matches": "members"}, PROOF, ["unknown_sender"], id="only members"),
        pytest.param({"robots": "off"}, PROOF, ["starting"], id="no robots"),
    ],
)
def test_nobody_begins_a_match_in_a_strangers_name(
    chosen: dict[str, str], headers: dict[str, str], kinds: list[str], club_with: Clubs
) -> None:
    """Nor one that the host does not want."""
    club = club_with(authserv_id="mx.play.example", **chosen)
    assert caused(club, ROBOT, **headers) == kinds


def test_one_domain_has_robots_think_for_few_of_its_addresses(club_with: Clubs) -> None:
    """Whoever has a domain proves as many addresses as they like: so many strangers of one begin a day."""
    club = club_with(authserv_id="mx.play.example")
    share = mailbox_mark(organization_of("zoe@z.example"), SECRET)
    with club.service.database.transaction() as tx:
        for number in range(part_of(STRANGERS, "domain") - 1):
            tx.invitations.note_approach(f"v{number}", "yes", club.clock.now(), share=share)
    assert caused(club, ROBOT, **PROOF) == ["opened"]
    assert caused(club, ROBOT, "Yan <yan@z.example>", **PROOF) == ["come_back"]


def test_the_first_page_follows_the_offers(club_with: Clubs, tmp_path: Path) -> None:
    """An offer stands there while it is open; of one that is taken, only the match is left."""
    club = club_with(archive_dir=str(tmp_path), authserv_id="mx.play.example")
    club.open()
    club.service.write_archive()
    first = tmp_path / "index.html"
    assert "join%201" not in first.read_text("utf-8")
    club.reply(0, "seek pipline size=5")
    club.service.write_archive()
    assert "join%201" in first.read_text("utf-8")
    caused(club, "join 1", **PROOF)
    club.service.write_archive()
    assert "join%201" not in first.read_text("utf-8")


@pytest.mark.parametrize("new_matches", ["members", "invited"])
def test_no_page_has_a_way_in_where_nobody_is_let_in(new_matches: str, club_with: Clubs, tmp_path: Path) -> None:
    """Whoever passes by learns no address to write to, and reads no offer."""
    club = club_with(archive_dir=str(tmp_path), new_matches=new_matches)
    club.open()
    club.reply(0, "seek pipline size=5")
    club.service.write_archive()
    pages = [path.read_text("utf-8") for path in tmp_path.rglob("*.html")]
    assert [page for page in pages if "new%20" in page or "join%20" in page or "seek%20" in page] == []
