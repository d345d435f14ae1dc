"""The card of a match, which programs show for a link to its page: its board, and beside it what happened."""

from collections.abc import Iterator
from html import escape
from textwrap import wrap

from pbem.archive.standing import clean
from pbem.boards.colours import RIM, TONES
from pbem.match.endings import is_draw
from pbem.match.match import Match
from rules.phrase import Phrase, phrase, phrases
from rules.text import listed

SIZE = (1200, 630)
"""Width and height in pixels, as Open Graph has it for a large card."""

FONT = "DejaVu Sans"
_GROUND, _INK, _FAINT = "#fbf9f4", "#23201a", "#655e50"  # as of the pages
_EDGE = 15  # pixels round the board
_LEFT = SIZE[1] + 25  # where the words begin
_LINE = 17  # letters of the headline
_NAME = 22  # letters of a name below it


def draw_card(match: Match, board: str) -> str:
    """Return the card as SVG; ``board`` is the board as such a picture.

    Below the headline each player has a line, with the piece of their side before the name, and the winner is bold.
    """
    wide, high = SIZE
    side = high - 2 * _EDGE
    place = f'x="{_EDGE}" y="{_EDGE}" width="{side}" height="{side}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        f'font-family="{FONT}">\n<rect width="100%" height="100%" fill="{_GROUND}"/>\n'
        f"{board.replace('<svg ', f'<svg {place} ', 1)}{''.join(_draw_words(match))}</svg>\n"
    )


def tell_story(match: Match) -> Phrase:
    """Return what happened in a match: who beat whom, or who plays."""
    names = [player.name for player in match.players]
    outcome = match.outcome
    if outcome is None or not outcome.winners:
        return phrase("{names}", names=listed(names))
    if is_draw(outcome.winners, outcome.reason, len(names)):
        return phrase("{names} drew", names=listed(names))
    won = [name for seat, name in enumerate(names) if seat in outcome.winners]
    lost = [name for seat, name in enumerate(names) if seat not in outcome.winners]
    if not lost:
        return phrase("{names} share the win", names=listed(won))
    return phrase("{winners} beat {losers}", winners=listed(won), losers=listed(lost))


def _draw_words(match: Match) -> Iterator[str]:
    """Yield what stands beside the board, from the top to the bottom."""
    story = wrap(clean(tell_story(match)), _LINE, max_lines=4, placeholder="…")
    y = 105
    yield _draw_text(_LEFT, y, match.game.title, 34, _FAINT)
    y += 30
    for line in story:
        y += 62
        yield _draw_text(_LEFT, y, line, 50, weight="bold")
    y += 25
    won = match.outcome.winners if match.outcome else frozenset[int]()
    for seat, (player, role) in enumerate(zip(match.players, match.position.roles(), strict=True)):
        y += 52
        if role:
            yield _draw_piece(match, role, y - 12)
        (name,) = wrap(clean(player.name), _NAME, max_lines=1, placeholder="…") or [""]
        yield _draw_text(_LEFT + 45, y, name, 32, weight="bold" if seat in won else "normal")
    told = phrases("{count} move", "{count} moves", match.moves_made) if match.outcome else phrase("Being played")
    yield _draw_text(_LEFT, SIZE[1] - 40, str(told), 30, _FAINT)


def _draw_piece(match: Match, role: str, y: int) -> str:
    """Return the piece of a side, with its middle so far from the top."""
    piece = match.game.roles[role]
    shape = f'<rect x="{_LEFT}" y="{y - 14}" width="28" height="28" rx="{5 if piece.form == "cube" else 14}"'
    return f'{shape} fill="{TONES[piece.tone][0]}" stroke="{RIM}" stroke-width="2"/>\n'


def _draw_text(x: int, y: int, text: str, size: int, fill: str = _INK, *, weight: str = "normal") -> str:
    """Return a line of text on its base line."""
    return f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{fill}">{escape(text)}</text>\n'
