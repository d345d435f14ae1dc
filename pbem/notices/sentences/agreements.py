"""What players offer each other beside their moves, and how that was answered, as each of them reads it. Pure."""

from collections.abc import Iterator
from datetime import datetime

from pbem.commands.families.agreement_words import Agree, Decline
from pbem.match.log import LogEntry
from pbem.match.match import Match
from rules.phrase import Language, Phrase, phrase, phrases
from rules.position import Seat


def tell_draw_offer(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield who offers a draw, or agrees to one, and how the reader answers."""
    if entry.seat is None:
        return
    name, joins = match.name(entry.seat), "by" in entry.arguments
    if entry.seat == viewer and joins:
        yield phrase("You agreed to a draw. It’s one once everyone has.")
    elif entry.seat == viewer:
        yield phrase("You offered a draw.")
        yield from _tell_waiting(match, viewer)
        yield phrase("It ends with the next move. To take it back, reply `draw off`.")
    elif joins:
        yield phrase("{name} agrees to a draw.", name=name)
    else:
        yield phrase("{name} offers a draw.", name=name)
    if entry.seat != viewer:
        yield from _ask(match, viewer)


def tell_undo_request(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield who would like to take their last move back, what goes with it, and how the reader answers."""
    if entry.seat is None:
        return
    given = entry.arguments
    move, others, joins = given.get("move", ""), given.get("moves", 1) - 1, "by" in given
    name = match.name(given["by"] if joins else entry.seat)
    if joins and entry.seat == viewer:
        yield phrase("You agreed that {name} takes {move} back. It’s done once everyone has.", name=name, move=move)
        return
    if joins:
        yield phrase("{name} agrees that {move} is taken back.", name=match.name(entry.seat), move=move)
    elif entry.seat == viewer:
        yield phrase("You asked to take back your move {move}.", move=move)
    else:
        yield phrase("{name} would like to take back the move {move}.", name=name, move=move)
    if others:
        yield phrases(
            "The move made since would be taken back with it.",
            "The {count} moves made since would be taken back with it.",
            others,
        )
    if given.get("rolled"):
        yield phrase("What was rolled since would come out the same, and everyone has seen it.")
    if entry.seat == viewer:
        yield from _tell_waiting(match, viewer)
        yield phrase("The next move ends that. To withdraw it, reply `undo off`.")
    else:
        yield from _ask(match, viewer)


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


def _tell_waiting(match: Match, viewer: Seat) -> Iterator[Phrase]:
    """Yield who has to agree to what the reader has offered."""
    others = sorted(match.present - {viewer})
    if len(others) == 1:
        yield phrase("{name} has to agree.", name=match.name(others[0]))
    else:
        yield phrase("Everyone has to agree.")


def _ask(match: Match, viewer: Seat) -> Iterator[Phrase]:
    """Yield how the reader answers an offer that stands, if they have not agreed to it."""
    if not is_asked_to_agree(match, viewer):
        return
    if match.to_act == viewer:
        yield phrase("If you agree, reply `yes`. If you don’t, just make your move.")
    else:
        yield phrase("If you agree, reply `yes`. If you don’t, reply `no`.")


def tell_declined_draw(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield who has declined a draw."""
    if entry.seat is None:
        return
    if entry.seat == viewer:
        yield phrase("You declined the draw.")
    elif entry.arguments.get("moved"):
        yield phrase("{name} played on, so the draw is declined.", name=match.name(entry.seat))
    else:
        yield phrase("{name} declined the draw.", name=match.name(entry.seat))


def tell_declined_undo(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield who does not want a move to be taken back."""
    if entry.seat is None:
        return
    if entry.seat == viewer:
        yield phrase("You declined, so nothing is taken back.")
    elif entry.arguments.get("moved"):
        yield phrase("{name} played on, so nothing is taken back.", name=match.name(entry.seat))
    else:
        yield phrase("{name} declined, so nothing is taken back.", name=match.name(entry.seat))


def tell_withdrawn_draw(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that a draw is offered no longer."""
    if entry.seat is None:
        return
    if entry.arguments.get("moved"):
        yield phrase("With that the draw is no longer offered.")
    elif entry.seat == viewer:
        yield phrase("You no longer offer a draw.")
    else:
        yield phrase("{name} no longer offers a draw.", name=match.name(entry.seat))


def tell_withdrawn_undo(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that somebody leaves their move as it is."""
    if entry.seat is None:
        return
    if entry.seat == viewer:
        yield phrase("You leave your moves as they are.")
    else:
        yield phrase("{name} leaves their moves as they are.", name=match.name(entry.seat))


def tell_agreed_draw(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that all have agreed on a draw; while the match is over by that, its result says so."""
    if match.ruling is None:
        yield phrase("Everyone had agreed on a draw.")


def tell_undone(entry: LogEntry, match: Match, viewer: Seat) -> Iterator[Phrase]:
    """Yield how many moves were taken back by agreement."""
    if entry.seat is None:
        return
    moves = entry.arguments.get("moves", 1)
    yield phrases(
        "Everyone has agreed: the last move is taken back.",
        "Everyone has agreed: the last {count} moves are taken back.",
        moves,
    )
    if entry.seat == viewer:
        yield phrase("You’re to move again.")
