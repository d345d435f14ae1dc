"""Takes pictures of notices to look at: ``python -m tests.e2e.pictures DIRECTORY [GAME…]``; needs Debian's chromium.

For each game there are its opening, a position half way and its end, at the widths of a telephone and of a screen, by
day and by night, and once without any style sheet.
"""

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from pbem.mail.archive_paths import Archive
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.preferences import Display, Preferences
from pbem.notices.render import kind_for, match_notice
from pbem.notices.scene import NoticeContent
from rules.games import GAMES
from tests.support.browser import FLAGS
from tests.support.walks import Case, walk

NIGHT = "--blink-settings=preferredColorScheme=0"
LOOKS = {"phone": (360, ()), "phone-night": (360, (NIGHT,)), "screen": (1000, ()), "bare": (360, ())}
"""For each look a width in pixels, and what chromium is told besides."""

HEIGHT = 900


def pages(case: Case, display: Display) -> list[str]:
    """Return the notices in HTML about the opening, the middle and the end of a random match, to whoever acts."""
    names = ("Ann", "Bob", "Carl")[: case.seats]
    players = tuple(
        Player(seat, name, f"{name}@a.example", frozenset(), Preferences(display)) for seat, name in enumerate(names)
    )
    now, entries = datetime(2026, 11, 20, 18, 30, tzinfo=UTC), walk(case, 11).entries
    match = Match(17, case.game, case.game.normalise(case.options), players, now, secret="5" * 64)
    wanted, found = [0, len(entries) // 2, len(entries)], list[str]()
    for ply in range(len(entries) + 1):
        if ply:
            match = match.after(entries[ply - 1], now)
        if ply >= wanted[len(found)] and (match.outcome or isinstance(match.to_act, int)):
            viewer = match.to_act if isinstance(match.to_act, int) else 0
            kind = kind_for(match, viewer) or "move_made"
            found.append(match_notice(kind, match, viewer, NoticeContent(match), Archive("https://play.example")).html)
    return found


def take_picture(notices: list[str], look: str, target: Path) -> None:
    """Write a picture of ``notices`` side by side; a window of chromium is never narrow, so each is in a frame."""
    width, flags = LOOKS[look]
    style = f"width:{width}px;height:{HEIGHT}px;border:0;background:{'#111' if NIGHT in flags else '#fff'}"
    frames = []
    for number, notice in enumerate(notices):
        page = target.with_name(f"{target.stem}-{number}.html")
        shown = re.sub("<style>.*?</style>", "", notice, flags=re.DOTALL) if look == "bare" else notice
        page.write_text(shown.replace("<head>", '<head><meta charset="utf-8">'), encoding="utf-8")
        frames.append(f'<iframe src="{page.name}" style="{style}"></iframe>')
    sheet = target.with_suffix(".html")
    sheet.write_text(f'<body style="margin:0;white-space:nowrap;background:#888">{" ".join(frames)}', encoding="utf-8")
    size, shot = f"--window-size={(width + 8) * len(notices)},{HEIGHT}", f"--screenshot={target}"
    command = ["chromium", *FLAGS.split(), *flags, f"--user-data-dir={target.parent / 'profile'}", size, shot]
    subprocess.run([*command, sheet.as_uri()], check=True, capture_output=True, timeout=120)


def main(directory: Path, keys: list[str]) -> None:
    """Take the pictures of games, or of all."""
    directory.mkdir(parents=True, exist_ok=True)
    for key in keys or GAMES:
        case = Case(key, GAMES[key].seats[-1], tuple(GAMES[key].short.items()))
        notices = pages(case, "html")
        for look in LOOKS:
            take_picture(notices, look, (directory / f"{key}-{look}.png").resolve())
        take_picture(pages(case, "large"), "phone", (directory / f"{key}-large.png").resolve())


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
