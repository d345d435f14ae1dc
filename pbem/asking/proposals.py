"""What an email of ours proposed, kept with it as its key, and the yes or no that answers it.

What was proposed is never read from a quotation: the email that is answered is found by its Message-ID.
"""

from collections.abc import Sequence

from pbem.commands.catalogue import meant_by_yes
from pbem.commands.decision import Command
from pbem.commands.families.agreement_words import meant_by_no
from pbem.commands.grammar import read_commands
from pbem.commands.rejections import OfferOpen
from pbem.inbound.phrases import answer_in, is_closing
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.pipeline.identify import Place
from pbem.pipeline.interpret import Reading
from pbem.reading.move_phrases import is_doubtful
from pbem.reading.sentences import legal
from pbem.storage.database import Transaction
from rules.phrase import listed

_BEGINNING = "offer"
_BETWEEN = " | "  # stands in no move, and in no word


def offer_key(turn: int, offered: Sequence[str]) -> str:
    """Return the key of an email about a match in that ``turn`` that proposes ``offered``; "" for nothing."""
    return f"{_BEGINNING} {turn} {_BETWEEN.join(offered)}" if offered else ""


def take_up_offer(tx: Transaction, place: Place, reading: Reading) -> tuple[Sequence[Command], int]:
    """Return what a message asks for, and the ply of the email that it answers.

    For a yes to an email that proposed one thing that is this thing, as if it had been written in answer to that email,
    and so it counts only while the match is as it was then. Raise OfferOpen for a no, and for a yes that is not enough.
    """
    answer = _answer_of(reading.lines, place.player)
    key = tx.outbound.key_of(place.match.id, place.seat, reading.answered[0]) if answer and reading.answered else ""
    if not key.startswith(f"{_BEGINNING} "):
        if answer and reading.answered and not _may_be_more(reading.lines, place.match):
            raise OfferOpen("nothing_to_accept" if answer == "yes" else "nothing_to_decline")
        return reading.commands, place.ply
    _, turn, what = key.split(" ", 2)
    offered = tuple(what.split(_BETWEEN))
    seen_ply = min(place.match.ply_of(int(turn)), place.ply)
    if answer == "no" and (declined := meant_by_no(offered)):
        return read_commands([declined]), seen_ply
    if answer == "no":
        raise OfferOpen("not_meant_to_act" if place.match.to_act == place.seat else "not_meant")
    if meant := meant_by_yes(offered):
        return read_commands([meant]), seen_ply
    if seen_ply != place.match.ply or place.match.outcome is not None:
        return reading.commands, place.ply
    if len(offered) == 1:
        raise OfferOpen("write_it", offered=offered, word=offered[0])
    raise OfferOpen("which_one", offered=offered, choices=listed(offered, "or"))


def _may_be_more(lines: Sequence[str], match: Match) -> bool:
    """Return whether a yes or a no is something else in this match: an answer before the first roll, or a move."""
    return match.awaits_seeds or any(legal(match.position, line) for line in lines if line.strip())


def _answer_of(lines: Sequence[str], player: Player) -> str:
    """Return ``yes`` or ``no`` for a message that says that and nothing else, “Cheers, Ann” below it left out."""
    first, *rest = [line for line in lines if line.strip()] or [""]
    name = set(player.name.casefold().split())
    more = [line for line in rest if not is_closing(line)]
    if is_doubtful(first) or any(not set(line.casefold().strip(" .,!–—-").split()) <= name for line in more):
        return ""
    return answer_in(first)
