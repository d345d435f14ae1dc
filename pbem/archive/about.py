"""The page about the host: who runs it, how people play here, what is kept about them; and the page of its key."""

from collections.abc import Iterator
from pathlib import Path

from markupsafe import Markup

from pbem.archive.pages import template, write_if_changed
from pbem.mail.archive_paths import ABOUT_PAGE, KEY_PAGE
from pbem.match.signature import public_key
from pbem.settings.model import Settings
from rules.phrase import Phrase, phrase


def write_about(directory: Path, settings: Settings) -> int:
    """Write both pages; return how many are new. Raises OSError.

    What the host has written about themselves is left out where it can't be read, as ``pbem doctor`` tells.
    """
    try:
        written = settings.read_about()
    except OSError:
        written = ""
    about = template("about.html").render(
        written=Markup(_read_markdown(written)) if written else "",
        titled=written.startswith("# "),
        has_operator=bool(settings.operator),
        kept=[*map(str, list_kept(settings))],
    )
    key = template("key.html").render(key=public_key(settings.secret))
    pages = {ABOUT_PAGE: about, KEY_PAGE: key}
    return sum(write_if_changed(directory / path, text.encode()) for path, text in pages.items())


def list_kept(settings: Settings) -> Iterator[Phrase]:
    """Yield in sentences what a service with these settings keeps about people, and how long."""
    yield phrase(
        "Your name and earlier names, your addresses, your settings, your moves and comments, and the lines, notes and"
        " plans you keep: until you write `forget me`. Then your moves alone stay, under the name “Former player”."
    )
    yield phrase(
        "Your emails as they came in: {inbound} days after they were dealt with. Emails to you: {outbound} days after"
        " they were sent. When they came and what became of them: as long as you play here.",
        inbound=settings.keep_inbound_days,
        outbound=settings.keep_outbound_days,
    )
    yield phrase(
        "Pages show your name, your moves and what you say to everyone; after a match what you said to your partner, if"
        " its first email said so. They never show an address. `page off` takes your own page away."
    )
    yield phrase(
        "The address of somebody who was invited: while they can answer, for two weeks at most. After that only a hash"
        " of it stays, so that nobody can invite them again."
    )
    yield phrase(
        "A reply to an older email of a match counts for {days} days. To make such replies stop working, write"
        " `new address`.",
        days=settings.token_days,
    )
    yield phrase(
        "Copies of all of this that the host makes in case a disk fails: as long as the host keeps them. The log has no"
        " address in full, and nothing that you wrote."
    )
    yield phrase("These pages set no cookies, and load nothing from anywhere else. Emails contain no tracking pixels.")
    yield phrase("`export`, in reply to any email, sends you everything that is kept about you.")


def _read_markdown(text: str) -> str:
    """Return Markdown (CommonMark) as HTML: tags in it are text, and pictures are left out."""
    from markdown_it import MarkdownIt  # which takes its time, and is needed once

    return str(MarkdownIt("commonmark", {"html": False}).disable("image").render(text))
