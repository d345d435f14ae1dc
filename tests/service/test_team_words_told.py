"""The page shows words to a partner where everybody who wrote or read them was told so before, and nowhere else."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pbem.running.operator_rulings import seat_another, set_private
from pbem.settings.model import Settings
from tests.support.chosen import changed
from tests.support.club import PLAYERS, Club, make_club, settings_in
from tests.support.mails import text_of

DORA = "Dora <dora@d.example>"
TOLD = "Words to a partner appear there as well"
WORDS = "meet me at c3"


@dataclass
class Host:
    """A host who restarts the service with the archive's address, or without it; match 1 is of three players."""

    settings: Settings
    made: list[Club] = field(default_factory=list)

    @property
    def club(self) -> Club:
        """The club as it runs now."""
        return self.made[-1]

    def serve(self, published: bool) -> None:
        """Start the service (anew), with or without the address of the archive."""
        chosen = changed(self.settings, archive_url="https://p.example" if published else "")
        before = self.made[-1] if self.made else None
        self.made.append(make_club(chosen, clock=before.clock if before else None))
        self.club.written = before.written if before else 0

    def open(self, *, private: bool = False) -> None:
        """Open the match, and play its auction: Ann and Carl are partners."""
        self.club.service.open("zipline", PLAYERS, {"size": 5}, private=private)
        self.club.reply(0, "c3")
        self.club.reply(1, "take")

    def says(self, seat: int) -> bool:
        """Return whether the latest email by which a player got this seat tells them of the page."""
        (*_, mail) = (one for one in self.club.queued(kind="opened") if one.seat == seat)
        return TOLD in " ".join(text_of(self.club.mail(mail)).split())

    def shown(self) -> bool:
        """Let the partners talk, and the match end; return whether its page shows what they said."""
        self.club.reply(2, f"team: {WORDS}")
        self.club.reply(1, "resign")
        assert self.club.match().outcome
        self.club.service.write_archive()
        directory = Path(self.club.service.settings.archive_dir)
        return any(WORDS in page.read_text() for page in (directory / "matches").rglob("*.html"))


@pytest.fixture
def host(tmp_path: Path, blank_database: Path) -> Iterator[Host]:
    """A host whose service has an archive, without an address as yet."""
    found = Host(changed(settings_in(tmp_path, blank_database), archive_dir=str(tmp_path / "archive")))
    yield found
    for club in found.made:
        club.service.database.close()


def lend(host: Host) -> None:
    """Let Dora stand in for Carl."""
    host.club.open("pipline", (DORA, "Eve <eve@e.example>"))
    host.club.reply(2, "standin Dora until 1 dec")
    host.club.answer_kind("seat_offered", -1, "yes")
    host.club.service.run_due()
    assert host.club.match().players[2].name == "Dora"


def take_back(host: Host) -> None:
    """Let Carl have his seat back."""
    host.club.reply(2, "standin off")
    host.club.service.run_due()


def replace_carl(host: Host) -> None:
    """Let the operator seat Dora for Carl."""
    seat_another(host.club.service, 1, "carl", DORA)


def open_without(host: Host) -> None:
    """Open the match while the archive has no address."""
    host.serve(False)
    host.open()


def open_with(host: Host) -> None:
    """Open it while it has one."""
    host.serve(True)
    host.open()


def open_private(host: Host) -> None:
    """Open it as a private one."""
    host.serve(True)
    host.open(private=True)


STORIES: dict[str, tuple[bool, tuple[Callable[[Host], object], ...]]] = {
    "told": (True, (open_with,)),
    "not told": (False, (open_without, lambda host: host.serve(True))),
    "told, and restarted": (True, (open_with, lambda host: host.serve(True))),
    "told, and without an address for a while": (True, (open_with, lambda h: h.serve(False), lambda h: h.serve(True))),
    "private": (False, (open_private,)),
    "private, and published later": (False, (open_private, lambda host: set_private(host.club.service, 1, False))),
    "made private, and published again": (
        True,
        (open_with, lambda h: set_private(h.club.service, 1, True), lambda h: set_private(h.club.service, 1, False)),
    ),
    "made private": (False, (open_with, lambda host: set_private(host.club.service, 1, True))),
    "a newcomer who was told": (True, (open_with, replace_carl)),
    "a newcomer who was not": (False, (open_with, lambda h: h.serve(False), replace_carl, lambda h: h.serve(True))),
    "a newcomer after somebody who was not": (False, (open_without, lambda host: host.serve(True), replace_carl)),
    "a stand-in who was told": (True, (open_with, lend)),
    "a stand-in who was not": (False, (open_with, lambda h: h.serve(False), lend, lambda h: h.serve(True))),
    "a stand-in for somebody who was not": (False, (open_without, lambda host: host.serve(True), lend)),
    "back from a stand-in": (True, (open_with, lend, take_back)),
}


@pytest.mark.parametrize("story", STORIES)
def test_words_to_a_partner_are_shown_where_all_were_told(host: Host, story: str) -> None:
    """Whoever has a seat, or had it, wrote under what their own email said."""
    shown, steps = STORIES[story]
    for step in steps:
        step(host)
    assert host.shown() == shown


@pytest.mark.parametrize("join", [replace_carl, lend])
def test_the_email_to_a_newcomer_says_it_where_it_is_so(host: Host, join: Callable[[Host], None]) -> None:
    """Also to a stand-in; where it is not so, nobody is told that it is."""
    open_with(host)
    assert host.says(2)
    join(host)
    assert host.says(2)


def test_nobody_is_told_it_of_a_match_where_it_is_not_so(host: Host) -> None:
    """Its page has an address by now, but never shows these words."""
    open_without(host)
    assert not host.says(2)
    host.serve(True)
    replace_carl(host)
    assert not host.says(2)
