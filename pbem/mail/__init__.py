"""Email as bytes, both ways: parsed as it comes in, composed as it goes out; knows no game."""

from pbem.mail.body import OpaqueKind, Unreadable, contained, has_parts
from pbem.mail.compose import ANSWER_LINK, Notice, OutboundMessage, Recipient, Site, compose
from pbem.mail.headers import add_plus, is_address, normal_address, split_named, strip_comments
from pbem.mail.message import InboundMessage, parse
from pbem.mail.reply_token import ReplyToken, find_token, sign_token, without_tokens
from pbem.mail.structure import Mime

__all__ = [
    "ANSWER_LINK",
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
    "find_token",
    "has_parts",
    "is_address",
    "normal_address",
    "parse",
    "sign_token",
    "split_named",
    "strip_comments",
    "without_tokens",
]
