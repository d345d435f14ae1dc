"""Whether a reader has yet to answer what players offer each other beside their moves, and with which taps. Pure."""

from pbem.commands.families.agreement import Agree, Decline
from pbem.match.match import Match
from rules.phrase import Language, phrase
from rules.position import Seat


def is_asked_to_agree(match: Match, viewer: Seat) -> bool:
    """Return whether an offer stands that the reader has yet to answer."""
    offer = match.open_agreement
    return offer is not None and viewer not in offer.agreed and viewer in match.present


def list_agreeing(match: Match, viewer: Seat, language: Language) -> list[tuple[str, str]]:
    """Return the answers of the reader to an offer that stands: what a tap writes, and the words of its button."""
    offer = match.open_agreement
    if offer is None or not is_asked_to_agree(match, viewer):
        return []
    yes = phrase("Agree to a draw") if offer.kind == "draw" else phrase("Agree to take it back")
    return [(str(Agree(offer.kind)), yes.said(language)), (str(Decline(offer.kind)), phrase("Decline").said(language))]
