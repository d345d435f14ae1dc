"""What a call says: an event, with the match as anybody can read it now, or a sentence for a chat. Pure."""

import hmac
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pbem.archive.match.formats import match_json
from pbem.archive.news import tell_course, tell_entry
from pbem.mail.compose import Site
from pbem.match.match import Match, is_move
from pbem.settings.webhooks import Webhook
from pbem.webhooks.events import Event

_HARMLESS = str.maketrans({"<": "‹", ">": "›", "@": "＠", "[": "［", "]": "］"})
"""What chats obey, and write to everybody for, or lead somewhere with; no game needs any of it."""


def name_call(site: Site, webhook: Webhook, match: Match, event: Event) -> str:
    """Return the identity of a call, which is the same however often it is made."""
    place = f"{match.id} {event.kind} {event.ply} {event.epoch} {event.at.isoformat()}"
    return f"msg_{hmac.digest(site.secret.encode(), f'webhook {webhook.name} {place}'.encode(), 'sha256').hex()[:32]}"


def write_body(site: Site, webhook: Webhook, match: Match, event: Event, now: datetime) -> bytes:
    """Return what a call says of an event. Who may be told of the match has been looked at."""
    page = "" if match.private else site.archive.address(match.page(site.secret))
    if webhook.format == "text":
        return write_text(f"{_describe(match, event, now)} {page}".rstrip())
    return _encode(
        {
            "type": f"match.{event.kind}",
            "timestamp": event.at.isoformat(),
            "data": {"turn": event.ply, "page": page or None, "match": json.loads(match_json(match))},
        }
    )


def write_test(site: Site, webhook: Webhook, now: datetime) -> bytes:
    """Return what a call says by which an operator tries a webhook."""
    if webhook.format == "text":
        return write_text(f"{site.name} can write here.")
    return _encode({"type": "test", "timestamp": now.isoformat(), "data": {}})


def write_text(text: str) -> bytes:
    """Return a sentence as chats take it: Slack, Mattermost and Zulip by the one key, Discord by the other."""
    return _encode({"text": text, "content": text})


def _describe(match: Match, event: Event, now: datetime) -> str:
    """Return an event in the words of the news feeds."""
    begun, *over = tell_course(match, now)
    if event.kind == "moved":
        number = sum(map(is_move, match.record[: event.ply]))
        news = tell_entry(match, event.ply - 1, number)
        said = f"{news.summary}, {news.title}"
    elif event.kind == "over":
        said = f"{over[0].title}. {over[0].summary}."
    else:
        said = begun.title if event.kind == "opened" else f"{begun.title} (again: something was taken back)"
    return said.translate(_HARMLESS).replace("://", ":／／")


def _encode(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()
