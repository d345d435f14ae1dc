"""What somebody reads who plays at a terminal: the words of the notices, without those about email. Pure.

Games ask for a reply; whoever sits at a terminal types it.
"""

from pbem.mail.archive_paths import NO_ARCHIVE
from pbem.match.match import Match
from pbem.notices.scene import NoticeContent, Scene
from pbem.notices.scene_values import choose_values
from pbem.notices.templates import load_text
from pbem.notices.wrapping import wrap_safely
from rules.phrase import ENGLISH, Language
from rules.position import Seat


def terminal_text(name: str, match: Match, viewer: Seat, content: NoticeContent, language: Language = ENGLISH) -> str:
    """Return the text that ``templates/play`` has by this ``name``, for ``viewer``; it ends with a line feed."""
    scene = Scene(match, viewer, content, NO_ARCHIVE, language, "")
    template, names = load_text(name, language)
    values = {name: make(scene) for name, make in choose_values(names)}
    if "instruction" in values:
        values["instruction"] = str(values["instruction"]).replace("Reply with", "Type").replace(", or with ", ", or ")
    drawn = dict(scene.renderings.lines) if "board_text" in names else {}
    for sketch in scene.sketches:
        drawn |= sketch.lines
    return wrap_safely(template.render(values), None, drawn)
