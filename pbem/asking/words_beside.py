"""Words beside wishes about matches: who reads them, and what becomes of the rest.

Somebody who plays here reads them as they were written. A stranger reads only few, of somebody who has played, and none
by which they could be led anywhere: nobody can advertise by an invitation.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from pbem.commands.decision import SIGNED, Command
from pbem.commands.families.play import FreeText
from pbem.commands.families.talk import LONGEST_COMMENT, Say, UnclearRecipient, join_comment, without_name
from pbem.commands.grammar import begins_words, reads_as_command
from pbem.commands.private_lines import holds_address
from pbem.match.player import Player
from pbem.pipeline.interpret import Reading
from pbem.reading.answering.signature import split_signature
from pbem.reading.answers import read_answer
from pbem.reading.beside import is_courtesy
from pbem.reading.reason import Reason, because, name_lines
from pbem.storage.transaction import Transaction
from rules.errors import quote

_LONGEST_TO_STRANGERS = 280
_LONGEST_ANSWER, _MOST_ABOVE = 8, 3  # words, and lines with the answer among them
_DIGIT = r"(?:\d|(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b)"
_LEADS_AWAY = re.compile(
    r"@|//|\bwww\b|[^\W_](?:\s{1,3}[.·。．•܁]|[.·。．•܁,])\w*[^\W\d_]{2}|\bdot\b\W{0,3}\w{2}"
    r"|\b(?:at|punkt|point|punto)\b\W{0,3}\b(?:com|net|org|info|io|de)\b"
    rf"|[\[({{]\s*(?:at|dot|[.•])\s*[\])}}]|\b{_DIGIT}(?:[\s()/._–+-]{{0,3}}{_DIGIT}){{4}}",
    re.IGNORECASE,
)
"""Web and email addresses, also spelled out, and telephone numbers: better too many."""


def find_words(reading: Reading, name: str) -> tuple[str, tuple[Reason, ...]]:
    """Return what a message says beside what it asks for, and what its sender is told of lines that are left out.

    ``name`` is how its sender is called. A short answer is no part of it, nor are a signature, and words for one side.
    """
    own, signature = split_signature(
        list(_own_lines(reading.commands)), lambda line: reads_as_command(line, None), begins_words
    )
    lines = _without_answer(own)
    withheld = [line for line in lines if holds_address(line)]
    kept = without_name([line for line in lines if line not in withheld], name)
    told = [because("address_withheld", line=line) for line in withheld[:1]]
    told += [because(SIGNED, lines=quote(signature[0]))] if signature else []
    told += [because("words_kept", lines=name_lines(aside))] if (aside := _for_one_side(reading.commands)) else []
    return join_comment(kept)[:LONGEST_COMMENT], tuple(told)


def may_reach_strangers(tx: Transaction, player: Player, words: str) -> bool:
    """Return whether people who don't play here may read the words of a player, who is proven, in an invitation."""
    return is_for_strangers(words) and tx.invitations.has_moved(player.id)


def is_for_strangers(words: str) -> bool:
    """Return whether words are few, and lead whoever reads them nowhere."""
    return len(words) <= _LONGEST_TO_STRANGERS and not lead_away(words)


def lead_away(words: str) -> bool:
    """Return whether words may lead whoever reads them elsewhere: to a page, an address, a telephone."""
    signs = unicodedata.normalize("NFKC", words)
    plain = "".join(sign for sign in signs if unicodedata.category(sign) not in ("Cf", "Mn"))  # unseen, or on a letter
    return _LEADS_AWAY.search(plain) is not None


def _own_lines(commands: Sequence[Command]) -> Iterable[str]:
    """Yield the lines that ask for nothing."""
    for one in commands:
        if isinstance(one, FreeText):
            yield one.said
        elif isinstance(one, Say) and not one.to_side:
            yield one.text


def _for_one_side(commands: Sequence[Command]) -> list[str]:
    """Return the words that are for one side, or may be, which there is none of here."""
    own = (one.text for one in commands if isinstance(one, UnclearRecipient) or (isinstance(one, Say) and one.to_side))
    return [text for text in own if text]


def _without_answer(lines: Sequence[str]) -> Sequence[str]:
    """Return lines without a short answer, ``accept Robin`` or ``Yes, gladly!``, and the greeting above it."""
    filled = [place for place, line in enumerate(lines) if line][:_MOST_ABOVE]
    place = next((place for place in filled if _is_answer(lines[place])), None)
    if place is None:
        return lines
    above = [line for line in lines[:place] if not (is_courtesy(line) or line.endswith((",", "!")))]
    return [*above, *lines[place + 1 :]]


def _is_answer(line: str) -> bool:
    """Return whether a line is an answer, and says little besides."""
    begins = line.split()[0].lower().strip(" .!*_,") in ("accept", "decline")
    return len(line.split()) <= _LONGEST_ANSWER and (begins or read_answer([line]).means != "")
