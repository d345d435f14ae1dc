"""Keeps lines that only we were to read out of the words for others: email addresses, and commands. Pure."""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import replace

from pbem.commands.catalogue import is_personal, parse_piece
from pbem.commands.decision import MatchSituation
from pbem.commands.families.starting import is_talk
from pbem.log.redaction import without_domains
from pbem.mail.headers import to_address
from pbem.reading.typos import edits, fold

_NAMING = ("address", "addresses", "block", "unblock", "new", "pair", "stand", "standin", "replace", "invite", "sub")
"""The words with which lines begin that may name an address."""

_MOST_BESIDE = 3
"""Words of a line that may be the beginning of such a command, with the address in the next line."""

_FIRST = re.compile(r"[\W_]*(?:\d{1,2}[.)]\s+)?(?:please\W+)?(\w+(?:-\w+)?)", re.IGNORECASE)
_SHORT = 4  # letters: in a word of as many one may be wrong, in a longer one two
_AT = re.compile(r"%40|&#(?:64|x40);?|&commat;?", re.IGNORECASE)
# An address that an email program, or its writer, took apart: “zoe@ z.example”, “zoe@*z.example*”, or one of two lines.
_BROKEN = re.compile(r"(?:^|\w)\W{0,3}@\W{0,3}(?:$|[\w-]+(?:\s?\.[\w-]{2,})+)")
_SIGNED = re.compile(r"\W*(?:(?:my\s)?e?-?mail(?:\saddress)?\W*)?(\S+@\S+)\W*", re.IGNORECASE)


def holds_address(line: str) -> bool:
    """Return whether an email address stands in a line of words, whatever nobody sees stands in it."""
    if not line.isascii():
        line = "".join(sign for sign in unicodedata.normalize("NFKC", line) if unicodedata.category(sign) != "Cf")
    plain = _AT.sub("@", line).strip()
    return "@" in plain and (without_domains(plain) != plain or _BROKEN.search(plain) is not None)


def may_name_address(line: str, above: str = "") -> bool:
    """Return whether a line with an address in it, or the few words ``above``, begin like a command that names one.

    Typos included.
    """
    if not holds_address(line):
        return False
    return _begins_naming(line) or (len(above.split()) <= _MOST_BESIDE and _begins_naming(above))


def is_named_below(line: str, above: str) -> bool:
    """Return whether the line ``above`` is an address, and ``line`` the command that names it, alone."""
    return len(line.split()) <= 2 and len(above.split()) <= 2 and holds_address(above) and _begins_naming(line)


def _begins_naming(line: str) -> bool:
    """Return whether a line begins like a command that names an address."""
    found = _FIRST.match(line)
    if found is None:
        return False
    word = fold(found[1]).replace("-", "")
    return any(edits(word, known) <= (1 if len(known) <= _SHORT else 2) for known in _NAMING)


def is_own_command(situation: MatchSituation, line: str) -> bool:
    """Return whether a line is a whole command about its sender, or about other matches, and can be no talk."""
    command = parse_piece(line)
    return is_personal(command) and not is_talk(situation, command)


def withhold_addresses(situation: MatchSituation) -> MatchSituation:
    """Return the situation without the words that have an address in them, of which its sender is told.

    Nobody is told of a line that is just their own address: it ends many a message.
    """
    named = [line for line in situation.said if holds_address(line)]
    if not named:
        return situation
    for line in named:
        if not _is_signature(line, situation.player.emails if situation.player else ()):
            situation = situation.told("address_withheld", line=line)
    above, words = (tuple(line for line in lines if line not in named) for lines in (situation.above, situation.words))
    beside = situation.beside and situation.words[:1] == words[:1]
    return replace(situation, above=above, words=words, beside=beside)


def _is_signature(line: str, own: Collection[str]) -> bool:
    """Return whether a line is nothing but one of a sender's ``own`` addresses."""
    found = _SIGNED.fullmatch(line)
    return found is not None and to_address(found[1].strip("<>()[],;").rstrip(".").removeprefix("mailto:")) in own
