"""The email and the page that the README shows: pictures of them, and the email's text in docs/playing.md.

    python -m tests.support.pictures

draws the pictures in docs/pictures/ with Debian's chromium, and writes the text; `make pictures` runs it.
"""

import re
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.archive.match.page import write_match
from pbem.archive.pages import write_shared
from pbem.mail.compose import Notice
from pbem.match.match import Comment, Match
from pbem.match.player import Player
from pbem.notices.render import match_notice
from pbem.notices.scene import NoticeContent
from rules.games import GAMES
from rules.position import Entry
from tests.support.browser import open_browser
from tests.support.club import SECRET

DOCS = Path(__file__).resolve().parents[2] / "docs"
PICTURES = DOCS / "pictures"
SHOWN_IN = DOCS / "playing.md"
EMAIL, PAGE = PICTURES / "email.png", PICTURES / "match.png"

_ASKED = "0 d8 d6; 1 b4 g6; 2 take; 0 c7; 1 c6; 2 e3; 0 c5; 1 c4; 2 e7"
_REST = "0 c8; 1 c3; 2 c9; 0 b8; 1 c2; 2 c1; 0 b9; 1 b2; 2 b1; 0 a2; 1 a1"
"""The record to the email that asks Ann for a move, and from there to the end."""

_COMMENTS = (
    Comment(1, 1, "Who dares to take it?"),
    Comment(2, 2, "I do. Two against one, come on!"),
    Comment(2, 9, "Now it gets tight on the left."),
    Comment(0, 10, "They will not get through here."),
    Comment(2, 20, "Well played, both of you!"),
)
_OPENED = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
_BLOCK = re.compile(r"(?<=<!-- notice -->\n\n).*?(?=\n\n<!-- /notice -->)", re.DOTALL)


def match() -> Match:
    """Return a match of Zipline that is over: Ann and Bob are partners against Carl."""
    addresses = {name: f"{name.lower()}@example.org" for name in ("Ann", "Bob", "Carl")}
    players = tuple(
        Player(number, name, email, frozenset({email})) for number, (name, email) in enumerate(addresses.items(), 1)
    )
    entries = tuple(Entry(int(line[0]), line[2:]) for line in f"{_ASKED}; {_REST}".split("; "))
    times = tuple(_OPENED + timedelta(hours=7 * number) for number in range(1, len(entries) + 1))
    game = GAMES["zipline"]
    return Match(17, game, game.normalise({"size": 9}), players, _OPENED, entries, times, _COMMENTS)


def notice() -> Notice:
    """Return the email that Ann gets when it is her turn."""
    now = match().at(len(_ASKED.split("; ")))
    told = NoticeContent(now.at(now.ply - 1), tuple(comment for comment in _COMMENTS if comment.ply == now.ply))
    return match_notice("your_turn", now, 0, told)


def text_of_notice() -> str:
    """Return that email as text, below its subject."""
    made = notice()
    return f"Subject: {made.subject}\n\n{made.text}"


def text_shown() -> str:
    """Return the email that docs/playing.md shows, without its indentation. Raise ValueError where it has none."""
    if (found := _BLOCK.search(SHOWN_IN.read_text(encoding="utf-8"))) is None:
        raise ValueError(f"{SHOWN_IN} has no place for the email")
    return "\n".join(line.removeprefix("    ") for line in found[0].splitlines()) + "\n"


def main() -> int:
    """Write the pictures and the text; return 0."""
    indented = "\n".join(f"    {line}".rstrip() for line in text_of_notice().rstrip("\n").splitlines())
    page = SHOWN_IN.read_text(encoding="utf-8")
    SHOWN_IN.write_text(_BLOCK.sub(lambda found: indented, page), encoding="utf-8")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        place = Path(name)
        (place / "email.html").write_text(notice().html, encoding="utf-8")
        write_shared(place)
        write_match(match(), place, SECRET, match().changed_at)
        with open_browser(place / "profile") as browser:
            browser.show(place / "email.html", width=360, height=640, scale=2)
            EMAIL.write_bytes(browser.picture())
            browser.show(place / "matches" / "17.html", width=1000, height=889)
            PAGE.write_bytes(browser.picture())
    return 0


if __name__ == "__main__":
    sys.exit(main())
