"""What an email of ours proposed, kept with it as its key, and the yes or no that answers it.

What was proposed is never read from a quotation: the email that is answered is found by its Message-ID, or, where a
provider has given it another one, by the turn that its reply token names.
"""

from collections.abc import Sequence
from itertools import takewhile

from pbem.commands.catalogue import meant_by_yes
from pbem.commands.decision import Command
from pbem.commands.families.agreement_words import meant_by_no
from pbem.commands.families.play import FreeText
from pbem.commands.families.talk import Say
from pbem.commands.grammar import read_commands
from pbem.commands.rejections import OfferOpen, Resigning, Unproven
from pbem.match.match import Match
from pbem.pipeline.identify import Place
from pbem.pipeline.interpret import Reading
from pbem.reading.answers import read_answer
from pbem.reading.sentences import legal
from pbem.storage.database import Transaction
from rules.phrase import listed

_BEGINNING = "offer"
_BETWEEN = " | "  # stands in no move, and in no word
_ASKING = ("was_this_you", "own_address", "seat_question")
"""Kinds of emails to players that are to be answered by yes or no."""

_BY_ID_ALONE = (Unproven.kind, Resigning.kind)


def offer_key(turn: int, offered: Sequence[str]) -> str:
    """Return the key of an email about a match in that ``turn`` that proposes ``offered``; "" for nothing."""
    return f"{_BEGINNING} {turn} {_BETWEEN.join(offered)}" if offered else ""


def take_up_offer(tx: Transaction, place: Place, reading: Reading) -> tuple[Sequence[Command], int]:
    """Return what a message asks for, and the ply of the email that it answers.

    For a yes to an email that proposed one thing that is this thing, as if it had been written in answer to that email,
    and so it counts only while the match is as it was then. Raise OfferOpen for a no, and for a yes that is not enough.
    """
    lines, words = _part_words(reading)
    said = read_answer(lines, [player.name for player in place.match.players])
    answer = said.means
    is_talk = all(isinstance(one, FreeText | Say) for one in reading.commands)
    if not answer or not reading.answered or not is_talk:
        return reading.commands, place.ply
    kind, key = tx.outbound.kind_of(place.match.id, place.seat, reading.answered[0])
    key = key if kind else _find_newest(tx, place)
    if not key.startswith(f"{_BEGINNING} "):
        if kind and said.is_bare and not _may_be_more(reading.lines, place.match):
            raise OfferOpen("nothing_to_accept" if answer == "yes" else "nothing_to_decline")
        return reading.commands, place.ply
    _, turn, what = key.split(" ", 2)
    offered = tuple(what.split(_BETWEEN))
    seen_ply = min(place.match.ply_of(int(turn)), place.ply)
    if answer == "no" and (declined := meant_by_no(offered)):
        return (*read_commands([declined]), *words), seen_ply
    if answer == "no":
        raise OfferOpen("not_meant_to_act" if place.match.to_act == place.seat else "not_meant")
    if offered == Resigning.offered and not said.is_bare:  # “OK, thanks” ends no match
        raise OfferOpen("unclear", offered=offered)
    if meant := meant_by_yes(offered):
        return (*read_commands([meant]), *words), seen_ply
    if len(offered) == 1:
        raise OfferOpen("write_it", offered=offered, word=offered[0])
    if seen_ply != place.match.ply or place.match.outcome is not None:
        return reading.commands, place.ply
    raise OfferOpen("which_one", offered=offered, choices=listed(offered, "or"))


def find_unclear(tx: Transaction, place: Place, reading: Reading) -> OfferOpen | None:
    """Return what is said to whoever answers an email that asks for a yes or a no, and says neither; else None.

    What was proposed is proposed once more. Only the email that asks whose an address is can be answered itself.
    """
    if not reading.answered or not any(line.strip() for line in reading.lines):
        return None
    kind, key = tx.outbound.kind_of(place.match.id, place.seat, reading.answered[0])
    if kind in _ASKING:
        return OfferOpen("unclear_there")
    if reading.answer.is_unclear and key.startswith(f"{_BEGINNING} {place.match.turn} "):
        return OfferOpen("unclear", offered=tuple(key.split(" ", 2)[2].split(_BETWEEN)))
    return None


def _find_newest(tx: Transaction, place: Place) -> str:
    """Return the key of the newest email of the turn, if that proposed something: its Message-ID is another by now.

    Some email providers give our emails other Message-IDs; that the turn is meant, the reply token says. Where another
    email came after the proposal, that may be the one that is answered. What others can cause, or what ends the match,
    needs the Message-ID.
    """
    kind, key = tx.outbound.newest_to(place.match.id, place.seat) if place.is_present else ("", "")
    return "" if kind in _BY_ID_ALONE or not key.startswith(f"{_BEGINNING} {place.match.turn} ") else key


def _part_words(reading: Reading) -> tuple[Sequence[str], Sequence[Command]]:
    """Return the lines of a message above words to others, and the commands that are these words."""
    first = next((place for place, one in enumerate(reading.commands) if isinstance(one, Say)), None)
    if first is None:
        return reading.lines, ()
    above = takewhile(lambda line: not any(isinstance(one, Say) for one in read_commands([line])), reading.lines)
    return list(above), reading.commands[first:]


def _may_be_more(lines: Sequence[str], match: Match) -> bool:
    """Return whether a yes or a no is something else in this match: an answer before the first roll, or a move."""
    return match.awaits_seeds or any(legal(match.position, line) for line in lines if line.strip())
