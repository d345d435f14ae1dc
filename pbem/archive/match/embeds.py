"""A match within the pages of others: a small page for their frames, and the JSON (oEmbed) that names it.

https://oembed.com has the form of the JSON: a program that was given the address of a match finds its frame there.
"""

import json
from html import escape
from pathlib import Path

from markupsafe import Markup

from pbem.archive.match.rows import describe_entry
from pbem.archive.pages import Provider, deadline_scripts, template, without_addresses, write_if_changed
from pbem.archive.standing import title_of
from pbem.mail.archive_paths import INDEX, embed_page, match_page
from pbem.match.match import Match, left_along

FRAME = (320, 540)
"""Width and height in CSS pixels of the frame that is proposed; others do as well."""


def write_embed(
    match: Match, status: str, picture: Markup, data: Markup, version: str, directory: Path, provider: Provider
) -> int:
    """Write the page of a match for frames, and the JSON that names that page; return how many are new. Raises OSError.

    Its board is the ``picture`` of the page of the match, stepped through with the same ``data``, or where that is
    empty with the file of this ``version`` beside that page.
    """
    title = title_of(match)
    page = template("embed.html").render(
        alone=True,
        match=match,
        title=title,
        status=status,
        picture=picture,
        page=match.id,
        moves="\n".join(_tell_moves(match)),
        data=data,
        version=version,
        scripts=[*deadline_scripts(status), "replay.js"],
    )
    wide, high = FRAME
    address, name = escape(f"{provider.address}/{embed_page(match.id)}"), escape(title)
    told = {
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": provider.title,
        "provider_url": f"{provider.address}/{INDEX}",
        "html": f'<iframe src="{address}" title="{name}" width="{wide}" height="{high}" style="border:0"></iframe>',
        "width": wide,
        "height": high,
    }
    written = {
        embed_page(match.id): without_addresses(page),
        match_page(match.id, "oembed.json"): json.dumps(told, ensure_ascii=False, indent=1) + "\n",
    }
    return sum(write_if_changed(directory / path, text.encode()) for path, text in written.items())


def _tell_moves(match: Match) -> list[str]:
    """Return the entries as the script reads them in a record, in words."""
    return [
        f"{ply}  lot  {entry.text}"
        if entry.seat is None
        else f"{ply}  seat {entry.seat + 1}  {describe_entry(entry, along=left_along(match, ply - 1))}"
        for ply, entry in enumerate(match.record, 1)
    ]
