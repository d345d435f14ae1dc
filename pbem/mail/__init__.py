"""Email as bytes, both ways: parsed as it comes in, composed as it goes out; knows no game."""

from pbem.mail.body import OpaqueKind, Unreadable, contained, has_parts
from pbem.mail.compose import ANSWER_LINK, Notice, OutboundMessage, Recipient, Site, compose
from pbem.mail.headers import add_plus, domain_of, is_address, normal_address, split_named, strip_comments
from pbem.mail.message import InboundMessage, parse
from pbem.mail.reply_token import (
    MOST_GENERATIONS,
    ReplyToken,
    find_token,
    has_token_shape,
    sign_token,
    without_tokens,
)
from pbem.mail.structure import Mime

__all__ = [
    "ANSWER_LINK",
    "MOST_GENERATIONS",
    "InboundMessage",
    "Mime",
    "Notice",
    "OpaqueKind",
    "OutboundMessage",
    "Recipient",
    "ReplyToken",
    "Site",
    "Unreadable",
    "add_plus",
    "compose",
    "contained",
    "domain_of",
    "find_token",
    "has_parts",
    "has_token_shape",
    "is_address",
    "normal_address",
    "parse",
    "sign_token",
    "split_named",
    "strip_comments",
    "without_tokens",
]
