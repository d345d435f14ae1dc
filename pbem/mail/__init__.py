"""Email as bytes, both ways: parsed as it comes in, composed as it goes out; knows no game."""

from pbem.mail.address_token import (
    AddressPurpose,
    find_address_token,
    find_stamped_token,
    mailbox_mark,
    sign_address_token,
    without_address_tokens,
)
from pbem.mail.body import OpaqueKind, Unreadable, contained, has_parts
from pbem.mail.compose import (
    ANSWER_LINK,
    Attachment,
    NewMatches,
    Notice,
    OutboundMessage,
    Recipient,
    Site,
    compose,
    readdress,
)
from pbem.mail.digest_token import find_digest_token, sign_digest_token
from pbem.mail.envelope import EnvelopeToken, envelope_sender, find_envelope_tokens
from pbem.mail.feed_key import feed_key, without_feed_keys
from pbem.mail.headers import (
    LONGEST_NAME,
    add_plus,
    domain_of,
    is_address,
    mailbox_of,
    normal_address,
    split_named,
    strip_comments,
)
from pbem.mail.message import InboundMessage, parse
from pbem.mail.names import clean_name, skeleton_of
from pbem.mail.reply_token import (
    MOST_GENERATIONS,
    NO_MOVE,
    ReplyToken,
    find_token,
    has_token_shape,
    matches_named,
    sign_token,
    without_tokens,
)
from pbem.mail.structure import Mime

__all__ = [
    "ANSWER_LINK",
    "LONGEST_NAME",
    "MOST_GENERATIONS",
    "NO_MOVE",
    "AddressPurpose",
    "Attachment",
    "EnvelopeToken",
    "InboundMessage",
    "Mime",
    "NewMatches",
    "Notice",
    "OpaqueKind",
    "OutboundMessage",
    "Recipient",
    "ReplyToken",
    "Site",
    "Unreadable",
    "add_plus",
    "clean_name",
    "compose",
    "contained",
    "domain_of",
    "envelope_sender",
    "feed_key",
    "find_address_token",
    "find_digest_token",
    "find_envelope_tokens",
    "find_stamped_token",
    "find_token",
    "has_parts",
    "has_token_shape",
    "is_address",
    "mailbox_mark",
    "mailbox_of",
    "matches_named",
    "normal_address",
    "parse",
    "readdress",
    "sign_address_token",
    "sign_digest_token",
    "sign_token",
    "skeleton_of",
    "split_named",
    "strip_comments",
    "without_address_tokens",
    "without_feed_keys",
    "without_tokens",
]
