"""A match within the pages of others: a small page for their frames, and the JSON (oEmbed) that names it.

https://oembed.com has the form of the JSON: a program that was given the address of a match finds its frame there.
"""

import json
from datetime import datetime
from html import escape
from pathlib import Path

from pbem.archive.pages import template, without_addresses, write_if_changed
from pbem.archive.standing import shown_status
from pbem.mail.archive_paths import INDEX, embed_page, match_page
from pbem.match.match import Match
from pbem.match.summary import summarise

FRAME = (320, 460)
"""Width and height in CSS pixels of the frame that is proposed; others do as well."""


def write_embed(match: Match, title: str, alt: str, directory: Path, site: tuple[str, str], now: datetime) -> int:
    """Write the page of a match for frames, and the JSON that names that page; return how many are new. Raises OSError.

    ``alt`` says what the picture of its board shows, ``site`` are the title and the address of the archive.
    """
    provider, base = site
    page = template("embed.html").render(
        title=title,
        alt=alt,
        status=shown_status(summarise(match), now),
        picture=Path(match_page(match.id, "svg")).name,
        page=Path(match_page(match.id)).name,
    )
    wide, high = FRAME
    address, name = escape(f"{base}/{embed_page(match.id)}"), escape(title)
    told = {
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": provider,
        "provider_url": f"{base}/{INDEX}",
        "html": f'<iframe src="{address}" title="{name}" width="{wide}" height="{high}" style="border:0"></iframe>',
        "width": wide,
        "height": high,
    }
    written = {
        embed_page(match.id): without_addresses(page),
        match_page(match.id, "oembed.json"): json.dumps(told, ensure_ascii=False, indent=1) + "\n",
    }
    return sum(write_if_changed(directory / path, text.encode()) for path, text in written.items())
