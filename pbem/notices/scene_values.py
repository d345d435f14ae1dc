"""The values that templates may name in a notice about a match, each made of its scene when one names it. Pure."""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from markupsafe import Markup

from pbem.commands.catalogue import help_rows, help_topics, meant_by_yes
from pbem.commands.decision import HelpRow
from pbem.mail.archive_paths import ABOUT_PAGE, contest_page
from pbem.mail.compose import ANSWER_LINK
from pbem.match.fair_rolls import commitment
from pbem.match.records import fingerprint
from pbem.notices.scene import BOARD_PLACE, Scene, page_of, tells_end
from pbem.notices.sentences import match as sentences
from pbem.notices.sentences.agreements import list_agreeing
from pbem.notices.sentences.commands import explain_row, name_topic
from pbem.notices.sentences.log.players import describe_log, describe_renaming, told_kinds
from pbem.notices.sentences.options import explain_options
from pbem.notices.sentences.ratings import describe_change
from pbem.notices.sentences.record import list_record, list_thoughts
from pbem.notices.sentences.story import (
    QuotedComment,
    comments_for,
    describe_events,
    describe_steps,
    recall_comment,
)
from pbem.notices.sentences.time import describe_left, describe_rules, describe_time, list_claims
from pbem.notices.templates import embolden_words, tie_words
from pbem.reading.move_phrases import TIE
from rules.errors import RulesError
from rules.phrase import listed


def _name_commenters(scene: Scene) -> str:
    """Return who said something."""
    names = dict.fromkeys(scene.match.writer(comment) for comment in scene.content.comments)
    return listed(names).said(scene.language)


def _tells_team(scene: Scene) -> bool:
    """Return whether the reader has a partner, or may get one, whose words with them the page will show."""
    match = scene.match
    may_have = bool(match.partners(scene.viewer)) or match.position.roles()[scene.viewer] is None
    return match.team_told and not match.private and len(match.players) > 2 and may_have


def _name_actor(scene: Scene) -> str:
    """Return whose turn it is, if it is anybody's."""
    return scene.match.name(scene.match.to_act) if isinstance(scene.match.to_act, int) else ""


def _name_partners(scene: Scene) -> str:
    """Return who on the reader's side reads what they write: no robot."""
    match, partners = scene.match, scene.match.reading_partners(scene.viewer)
    names = [*map(match.name, sorted(partners)), *match.name_seconds(partners | {scene.viewer})]
    return listed(names).said(scene.language)


def _suggest_proposal(scene: Scene) -> str:
    """Return a move that the reader may propose to a partner whose turn it is; an empty text for whoever can't."""
    reading = scene.match.reading_partners(scene.viewer)
    return scene.renderings.prompt.example if scene.match.to_act in reading else ""


def _name_proposer(scene: Scene) -> str:
    """Return who proposes a move."""
    proposed = scene.content.proposed
    return "" if proposed is None else proposed.by or scene.match.name(proposed.seat)


def _list_agreeing(scene: Scene) -> list[tuple[str, str]]:
    """Return the answers to an offer of which the reader hears now."""
    asks = any(entry.kind in ("draw_offered", "undo_asked") for entry in scene.content.log)
    return list_agreeing(scene.match, scene.viewer, scene.language) if asks else []


def _list_help(scene: Scene, show_words: Callable[[str], str]) -> list[str]:
    """Return what the reader can write, as far as everybody needs it."""
    return _explain(scene, (row for row in help_rows() if row.basic), show_words)


def _list_commands(scene: Scene, show_words: Callable[[str], str]) -> list[tuple[str, list[str]]]:
    """Return all that the reader can write, under a heading for each topic."""
    topics = {topic: _explain(scene, rows, show_words) for topic, rows in help_topics().items()}
    return [(scene.say(name_topic(topic)), rows) for topic, rows in topics.items() if rows]


def _applies(scene: Scene, row: HelpRow) -> bool:
    """Return whether a row of the help is for the reader."""
    return row.applies(scene.match, scene.viewer) and bool(scene.archive.url or not row.archived)


def _explain(scene: Scene, rows: Iterable[HelpRow], show_words: Callable[[str], str]) -> list[str]:
    """Return those rows of the help that are for the reader, each as its sentence."""
    told = (scene.say(explain_row(row, scene.match, scene.viewer)) for row in rows if _applies(scene, row))
    return [show_words(sentence) for sentence in told if sentence]


def _list_rules(scene: Scene) -> list[str]:
    """Return the rules of the game in paragraphs, without what is about other matches of it."""
    match = scene.match
    paragraphs = match.game.help_for(len(match.players), match.options, spoken=scene.display == "speech")
    return [scene.say(paragraph) for paragraph in paragraphs]


def _instruct(scene: Scene) -> str:
    """Return what the reader may reply, with an example, if it is their turn."""
    prompt = scene.renderings.prompt
    return scene.say(prompt.instruction.about(example=prompt.example.replace(" ", TIE)))


def _list_choices(scene: Scene) -> list[tuple[str, str]]:
    """Return whole answers that the reader may give, each with what it would do; none where the example says it all."""
    choices = scene.content.answers or scene.match.position.suggestions()
    if len(choices) == 1 and choices[0].effect is None:
        return []
    return [(choice.move, scene.say(choice.effect)) for choice in choices]


class Decision(NamedTuple):
    """An answer that settles more than a turn, as a button; of the moment unless the email asks for something else."""

    answer: str
    label: str
    is_of_the_moment: bool


def _find_decision(scene: Scene) -> Decision | None:
    """Return what the reader can decide beside a move of their turn; of the moment once there is something to it."""
    choice = scene.renderings.prompt.decision if scene.acting and not scene.content.asking else None
    if choice is None:
        return None
    asked = scene.content.proposed or meant_by_yes(scene.content.offered) or _list_agreeing(scene)
    return Decision(choice.move, scene.say(choice.effect), scene.match.moves_made > 0 and not asked)


def _list_remembered(scene: Scene) -> list[QuotedComment]:
    """Return what somebody wrote earlier, if the reader is reminded of it."""
    remembered = scene.content.remembered
    return [recall_comment(scene.match, remembered, scene.viewer, scene.language)] if remembered else []


def _is_told(scene: Scene) -> bool:
    """Return whether what happened says already how the match was decided: the one player who left has just left."""
    return tells_end(scene.content.before, scene.match)


def _plays_twice(scene: Scene) -> bool:
    """Return whether the reader has two turns in a row, and this is the first of them."""
    if len(scene.match.players) < 3 or scene.moved or scene.content.reminding:
        return False
    position = scene.match.position
    try:
        following = position.play(position.parse(scene.renderings.prompt.example))
    except RulesError:  # never; but for a mere remark no notice is lost
        return False
    return following.to_act == scene.viewer


def _list_news(scene: Scene) -> list[str]:
    """Return what happened to the match beside its entries."""
    match, viewer, at = scene.match, scene.viewer, scene.content.at
    named = describe_renaming(match, viewer, at, scene.language)
    told = (describe_log(entry, match, viewer, at, scene.language) for entry in scene.content.log)
    return [*chain.from_iterable(told), *named]


def _tell_seat(scene: Scene) -> str:
    """Return whether the reader has just got a seat until a day ("lent"), or has it again ("back"); else ""."""
    passed = (entry for entry in scene.content.log if entry.kind == "replaced")
    told = next((entry.arguments for entry in passed if entry.arguments.get("seat") == scene.viewer), {})
    return "back" if told.get("back") else "lent" if told.get("until") else ""


def _tell_time(scene: Scene) -> str:
    """Return the time left, and what happens then, without what the news say already."""
    content = scene.content
    told = told_kinds(content.log, scene.match) if content.log else ()
    return " ".join(describe_time(scene.match, scene.viewer, content.at, scene.language, told, scene.is_receipt))


def _find_standings(scene: Scene) -> str:
    """Return the address of the page of the ladder, or of the season, that a new match is of; "" for none."""
    of = scene.content.contest
    return scene.archive.address(contest_page(of.contest, of.season or None)) if of else ""


_TOLD = ("asides", "code", "detail", "quoted", "meant", "undone", "no_move", "offered", "key", "others")
"""The values that the content of a notice has under the same name."""

_VALUES: dict[str, Callable[[Scene], object]] = {
    **{name: attrgetter(name) for name in ("acting", "departed", "sketches", "review")},
    **{name: attrgetter(f"content.{name}") for name in _TOLD},
    "you": lambda scene: scene.match.name(scene.viewer),
    "match": lambda scene: scene.match,
    "opponents": lambda scene: scene.match.name_opponents(scene.viewer),
    "over": lambda scene: scene.match.outcome is not None,
    "plays_on": lambda scene: not any(player.forgotten for player in scene.match.players),
    "story": lambda scene: scene.story[0],
    "later": lambda scene: scene.story[1],
    "events": lambda scene: describe_events(scene.content.before, scene.match, scene.viewer, scene.language),
    "steps": lambda scene: describe_steps(scene.content.before, scene.match, scene.viewer, scene.language),
    "moved": lambda scene: scene.goes_on_moving,
    "is_receipt": lambda scene: scene.is_receipt,
    "is_used_to": lambda scene: scene.is_used_to,
    "commenters": _name_commenters,
    "comments": lambda scene: comments_for(scene.match, scene.viewer, scene.content.comments, scene.language),
    "actor": _name_actor,
    "roles": lambda scene: scene.roles,
    "turn": lambda scene: sentences.describe_turn(scene.match, scene.viewer, scene.language),
    "goal": lambda scene: scene.goal,
    "rule": lambda scene: scene.say(scene.rule) if scene.reminding else "",
    "decisive": lambda scene: (
        scene.say(scene.objective.decisive) if scene.reminding and (scene.task_changed or not scene.turns) else ""
    ),
    "dice": lambda scene: bool(scene.match.possible_rolls),
    "commitment": lambda scene: commitment(scene.match.secret) if scene.match.possible_rolls else "",
    "secret": lambda scene: scene.match.secret if scene.match.possible_rolls and scene.match.outcome else "",
    "waiting": lambda scene: sentences.describe_wait(scene.match, scene.viewer, scene.language),
    "seed": lambda scene: scene.match.seeds[scene.viewer] if scene.match.seeds else "",
    "rolled": lambda scene: any(entry.seat is None for entry in scene.match.record),
    "seeds": lambda scene: (
        "" if scene.match.awaits_seeds else sentences.describe_seeds(scene.match, scene.viewer, scene.language)
    ),
    "unseeded": lambda scene: scene.match.awaits_seeds and scene.viewer in scene.match.unseeded,
    "order": lambda scene: sentences.describe_order(scene.match, scene.viewer, scene.language),
    "robots": lambda scene: sentences.describe_robots(scene.match, scene.language),
    "options": lambda scene: explain_options(scene.match, scene.language),
    "winners": lambda scene: sentences.describe_winners(scene.match, scene.viewer, scene.language),
    "result": lambda scene: sentences.describe_result(scene.match, scene.viewer, scene.language),
    "length": lambda scene: sentences.describe_length(scene.match, scene.language),
    "remembered": _list_remembered,
    "ending": lambda scene: (
        "" if _is_told(scene) else sentences.describe_result(scene.match, scene.viewer, scene.language)
    ),
    "board_text": lambda scene: scene.board.text,
    "board_html": lambda scene: BOARD_PLACE,
    "board_style": lambda scene: Markup(scene.board.style),
    "board_links": lambda scene: ANSWER_LINK in scene.board.html,
    "cramped": lambda scene: scene.board.cramped and scene.acting,
    "legend_text": lambda scene: scene.legends[0],
    "legend_html": lambda scene: Markup(scene.legends[1]),  # which escapes what it holds
    "standing": lambda scene: scene.board.standing,
    "display": lambda scene: scene.display,
    "displays": lambda scene: sentences.describe_displays(scene.language),
    "rules_text": _list_rules,
    "help_text": lambda scene: _list_help(scene, tie_words),
    "help_html": lambda scene: _list_help(scene, embolden_words),
    "commands_text": lambda scene: _list_commands(scene, tie_words),
    "commands_html": lambda scene: _list_commands(scene, embolden_words),
    "instruction": lambda scene: _instruct(scene) if scene.acting and not scene.content.asking else "",
    "example": lambda scene: scene.renderings.prompt.example if scene.acting else "",
    "decision": _find_decision,
    "choices": lambda scene: _list_choices(scene) if scene.acting and not scene.content.asking else [],
    "twice": lambda scene: scene.acting and _plays_twice(scene),
    "partners": _name_partners,
    "proposable": _suggest_proposal,
    "agreeing": _list_agreeing,
    "fingerprint": lambda scene: fingerprint(scene.match),
    "yes_means": lambda scene: meant_by_yes(scene.content.offered),
    "record_rows": lambda scene: list_record(scene.match, scene.language),
    "archive": lambda scene: page_of(scene.match, scene.archive),
    "about": lambda scene: scene.archive.address(ABOUT_PAGE),
    "standings": _find_standings,
    "is_new": lambda scene: scene.content.reminding,
    "rated": lambda scene: scene.match.rated,
    "rating": lambda scene: describe_change(scene.content.rating, scene.match, scene.language),
    "private": lambda scene: scene.match.private,
    "team_told": _tells_team,
    "time": _tell_time,
    "left": lambda scene: describe_left(scene.match, scene.content.at, scene.language),
    "news": _list_news,
    "seat_is": _tell_seat,
    "time_rules": lambda scene: describe_rules(scene.match, scene.language),
    "claims": lambda scene: list_claims(scene.match, scene.viewer, scene.language),
    "proposed": lambda scene: scene.content.proposed.move if scene.content.proposed else "",
    "proposer": _name_proposer,
    "votes": lambda scene: bool(scene.match.seconds_of(scene.viewer)),
    "thoughts": lambda scene: list_thoughts(scene.content.thoughts, scene.match, scene.language),
    "sketch_style": lambda scene: Markup(
        "".join(dict.fromkeys(one.style for one in scene.sketches)) + (scene.review.board.style if scene.review else "")
    ),
    "review_board": lambda scene: Markup(scene.review.board.html) if scene.review else "",
}
"""The values that templates about a match name."""


_OF_BOARDS = frozenset({"board_style", "board_links", "cramped"})
"""Values that the layout would have for a notice without a board, which is not drawn for them."""


@cache  # there are as many as kinds
def choose_values(names: frozenset[str]) -> tuple[tuple[str, Callable[[Scene], object]], ...]:
    """Return what makes those values that templates ask for by ``names``."""
    left_out = frozenset[str]() if "board_html" in names else _OF_BOARDS
    return tuple((name, make) for name, make in _VALUES.items() if name in names and name not in left_out)
