"""What somebody reads who plays at a terminal: the words of the notices, without those about email. Pure.

Games ask for a reply; whoever sits at a terminal types it.
"""

from collections.abc import Mapping
from textwrap import fill

from pbem.mail.archive_paths import NO_ARCHIVE
from pbem.match.match import Match
from pbem.notices.scene import NoticeContent, Scene
from pbem.notices.scene_values import choose_values
from pbem.notices.templates import load_text
from pbem.notices.wrapping import wrap_safely
from rules.phrase import ENGLISH, Argument, Language, Phrase, mark, phrase, phrases
from rules.position import Seat


def terminal_text(name: str, match: Match, viewer: Seat, content: NoticeContent, language: Language = ENGLISH) -> str:
    """Return the text that ``templates/play`` has by this ``name``, for ``viewer``; it ends with a line feed."""
    scene = Scene(match, viewer, content, NO_ARCHIVE, language, "")
    template, names = load_text(name, language)
    values = {name: make(scene) for name, make in choose_values(names)}
    if "instruction" in values:
        values["instruction"] = str(values["instruction"]).replace(", or with ", ", or ")
    drawn = dict(scene.renderings.lines) if "board_text" in names else {}
    for sketch in scene.sketches:
        drawn |= sketch.lines
    said = template.render(values).replace("Reply with", "Type").replace("reply with", "type")
    return wrap_safely(said, None, drawn)


_WIDTH = 64  # columns, as in emails
_MINUTE = 60
_SENTENCES: Mapping[str, str] = {
    "only_by_email": mark(
        "That’s for matches by email. Here you can type a move, or one of `help`, `show`, `what` and a move, `undo`,"
        " `history`, `record`, `resign` and `quit`."
    ),
    "robots_do_not_read": mark("Robots don’t read what you write to them."),
    "nothing_to_undo": mark("You’ve made no move yet that you could take back."),
    "undone": mark("Taken back: it’s your turn again."),
    "review_later": mark("You can have that when the match is over: now it would tell you how to play."),
    "goodbye": mark("Goodbye! The match ends here."),
    "goodbye_after": mark("Thanks for playing!"),
    "plain": mark(
        "Robots think in plain Python here, {wait} about a first move. With {extra} they would be thirty times as fast."
    ),
    "compiles": mark("I’m compiling what the robots think with in {game}. Until that’s done they may take a while."),
    "compiles_once": mark(
        "I’m compiling what the robots think with in {game}, once on this machine. Until that’s done they may take a"
        " while."
    ),
    "thinking": mark("{name} is thinking …"),
    "reviewing": mark("I’m looking at your moves again …"),
    "after_the_end": mark(
        "Type `review` to hear which of your moves cost most, `show`, `history` or `record`, or `quit` to stop."
    ),
    "saved": mark("The match is in {file}. To look at it and check it, run:"),
    "saved_unfinished": mark("What has been played is in {file}."),
}


def say_seconds(seconds: float) -> Phrase:
    """Return about how long that is."""
    if seconds < _MINUTE:
        return phrases("about a second", "about {count} seconds", max(1, round(seconds)))
    return phrases("about a minute", "about {count} minutes", round(seconds / _MINUTE))


def tell_at_terminal(code: str, language: Language = ENGLISH, **arguments: Argument) -> str:
    """Return the sentence of ``code`` in lines, without the marks around words to type."""
    said = phrase(_SENTENCES[code], **arguments).said(language).replace("`", "")
    return fill(said, _WIDTH, break_long_words=False, break_on_hyphens=False)
