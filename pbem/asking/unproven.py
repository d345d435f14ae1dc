"""Unproven moves: who mails a move from a page, without a reply token, is asked by an email that proposes it."""

from pbem.asking.limit_table import LIMITS
from pbem.asking.limits import allowance
from pbem.commands.rejections import Unproven
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin
from pbem.pipeline.interpret import Reading
from pbem.reading.sentences import legal


def find_unproven(act: Act, origin: Origin, reading: Reading) -> Unproven | None:
    """Return the rejection of a message that names a match, is one legal move in it, and comes from whoever is to act.

    None for any other message, and where the player has been asked just now.
    """
    player = origin.player
    lines = [line for line in reading.lines if line.strip()]
    if player is None or origin.fault or reading.named is None or len(lines) != 1:
        return None
    match = act.tx.matches.get(reading.named)
    if match is None or match.outcome is not None or not isinstance(match.to_act, int):
        return None
    move = legal(match.position, lines[0]) if match.players[match.to_act].id == player.id else ""
    lately = act.now - LIMITS[Unproven.kind].again
    if not move or act.tx.questions.find(Unproven.kind, lately, match=match.id, seat=match.to_act):
        return None
    if allowance(act, Unproven.kind, player.email).suppressed:
        return None
    return Unproven(match.id, match.to_act, move)
