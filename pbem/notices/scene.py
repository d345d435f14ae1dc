"""What templates may name in a notice about a match: each value is made when one names it. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from itertools import chain

from markupsafe import Markup

from pbem.commands.catalogue import help_rows, help_topics, meant_by_yes
from pbem.commands.decision import HelpRow
from pbem.commands.effects import ProposeMove, Sketch
from pbem.mail.archive_paths import Archive
from pbem.mail.compose import ANSWER_LINK
from pbem.match.fair_rolls import commitment
from pbem.match.log import LogEntry
from pbem.match.match import Comment, Match
from pbem.match.preferences import Display
from pbem.match.records import fingerprint
from pbem.match.thought import Thought
from pbem.notices.board_block import BoardRenderings, RenderedBoard, renderings_of
from pbem.notices.reviewing import DrawnReview, draw_review
from pbem.notices.sentences.agreements import list_agreeing
from pbem.notices.sentences.commands import explain_row, name_topic
from pbem.notices.sentences.log import describe_log, describe_renaming, told_kinds
from pbem.notices.sentences.match import (
    comments_for,
    describe_displays,
    describe_events,
    describe_options,
    describe_order,
    describe_result,
    describe_robots,
    describe_roles,
    describe_seeds,
    describe_turn,
    describe_wait,
    describe_winners,
    name_holders,
)
from pbem.notices.sentences.record import list_record
from pbem.notices.sentences.status import MatchRow
from pbem.notices.sentences.thoughts import list_thoughts
from pbem.notices.sentences.time import describe_left, describe_rules, describe_time, list_claims
from pbem.notices.sketches import DrawnSketch, draw_sketches
from pbem.notices.templates import embolden_words, tie_words
from pbem.ports import Review
from pbem.reading.move_phrases import MARK, TIE
from rules.errors import RulesError
from rules.phrase import Language, Phrase, listed
from rules.position import EXIT_WORDS, Choice, Objective, Seat

BOARD_PLACE = Markup("<!--board-->")
"""Stands for the board in HTML, which is inserted last: it is long and holds nothing that players write."""

_FIRST_TURNS = 3
"""Turns in which a player is reminded of the rules."""


@dataclass(frozen=True)
class NoticeContent:
    """What a notice says besides the position: the entries after ``before``, comments, and sentences for the reader.

    ``quoted`` are lines of a message. For a rejected message ``meant`` says what to write, ``offered`` has the whole
    answers which that proposes, ``answers`` the legal ones that begin as what was refused, and ``undone`` says what did
    not happen; ``no_move``: its sender meant no move. ``reminding``: the reader is told the rules of their turn again.
    ``asking``: a move is no answer to the notice, so the board has no links. ``key`` is the public key of the host.
    ``log`` is what happened to the match beside its entries. ``at`` is when the reader is told; None: when the turn
    began. ``others`` are matches in which the reader is to act too. ``sketches`` are other positions that it shows,
    ``thoughts`` what its reader keeps for themselves. ``proposed`` is a move that a partner proposes, drawn on the
    board. ``review`` is what a robot says of the moves of its reader.
    """

    before: Match
    comments: tuple[Comment, ...] = ()
    asides: tuple[str, ...] = ()
    detail: str = ""
    quoted: tuple[str, ...] = ()
    meant: str = ""
    answers: tuple[Choice, ...] = ()
    undone: str = ""
    offered: tuple[str, ...] = ()
    asking: bool = False
    reminding: bool = False
    no_move: bool = False
    key: str = ""
    log: tuple[LogEntry, ...] = ()
    at: datetime | None = None
    others: tuple[MatchRow, ...] = ()
    sketches: tuple[Sketch, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    proposed: ProposeMove | None = None
    review: Review | None = None


@dataclass(frozen=True, eq=False)
class Scene:
    """What templates may name in a notice about ``match`` for ``viewer``: a value is made when one names it."""

    match: Match
    viewer: Seat
    content: NoticeContent
    archive: Archive
    language: Language

    @cached_property
    def board(self) -> RenderedBoard:
        """The board as the reader wants it; where a move is no answer to the notice, it has no links."""
        return self.renderings.render(self.display, acting=self.acting and not self.content.asking)

    @cached_property
    def renderings(self) -> BoardRenderings:
        """The position as it is drawn for all its readers."""
        proposed = self.content.proposed
        return renderings_of(self.match.position, self.language, proposed.move if proposed else "")

    @cached_property
    def sketches(self) -> list[DrawnSketch]:
        """The other positions that the notice shows, as the reader wants boards."""
        return draw_sketches(self.content.sketches, self.viewer, self.display, self.language)

    @cached_property
    def review(self) -> DrawnReview | None:
        """What a robot says of the reader's moves."""
        found = self.content.review
        return draw_review(found, self.match, self.display, self.language) if found else None

    @cached_property
    def legends(self) -> tuple[str, str]:
        """What explains the board in text and in HTML; where players share pieces, also whose they are."""
        holders = name_holders(self.match, self.viewer, self.language) if self.board.legend_text else {}
        if not holders:
            return self.board.legend_text, self.board.legend_html
        return self.renderings.explain(self.display, holders)

    @cached_property
    def objective(self) -> Objective:
        """What the reader has to do."""
        return self.match.position.objective(self.viewer)

    @property
    def rule(self) -> Phrase | None:
        """What the reader's turns consist of; beside the prompt only what that does not say."""
        return (self.objective.reminder if self.acting else None) or self.objective.turn

    @property
    def goes_on(self) -> bool:
        """Whether the reader still plays."""
        return self.match.outcome is None and not self.departed

    @property
    def departed(self) -> bool:
        """Whether the reader has left the match, and watches it."""
        return self.viewer in self.match.position.departed()

    @cached_property
    def task_changed(self) -> bool:
        """Whether the reader's goal, or anybody's role, is another one than before."""
        position, before = self.match.position, self.content.before.position
        return (
            self.goes_on
            and position is not before
            and (position.roles() != before.roles() or self.objective != before.objective(self.viewer))
        )

    @cached_property
    def turns(self) -> int:
        """How many entries the reader has made."""
        return sum(entry.seat == self.viewer for entry in self.match.record)

    @cached_property
    def reminding(self) -> bool:
        """Whether the reader is told the rules of their turn: in their first turns, and when they need it."""
        if not self.goes_on or self.content.asking:
            return False
        return self.content.reminding or self.task_changed or (self.acting and self.turns < _FIRST_TURNS)

    @property
    def moved(self) -> bool:
        """Whether the reader has just made a move."""
        new_entries = self.match.record[self.content.before.ply :]
        return any(entry.seat == self.viewer and entry.text not in EXIT_WORDS for entry in new_entries)

    @property
    def goes_on_moving(self) -> bool:
        """Whether the reader has just made a move, and nobody else has played since: it is their turn still."""
        new_entries = self.match.record[self.content.before.ply :]
        return self.moved and all(entry.seat in (None, self.viewer) for entry in new_entries)

    @property
    def acting(self) -> bool:
        """Whether it is the reader's turn."""
        return self.match.to_act == self.viewer

    @property
    def display(self) -> Display:
        """How the reader wants boards drawn."""
        return self.match.players[self.viewer].preferences.display

    def say(self, phrase: Phrase | None) -> str:
        """Return a phrase in the reader's language; nothing for none."""
        return phrase.said(self.language) if phrase else ""


def _list_opponents(match: Match, viewer: Seat) -> str:
    """Return all other players, as the subject names them; it never changes, so that programs keep one thread."""
    *most, last = (match.name(seat) for seat in range(len(match.players)) if seat != viewer)
    return f"{', '.join(most)} & {last}" if most else last


def _name_commenters(scene: Scene) -> str:
    """Return who said something."""
    names = dict.fromkeys(scene.match.writer(comment) for comment in scene.content.comments)
    return listed(names).said(scene.language)


def _tells_team(scene: Scene) -> bool:
    """Return whether the reader has a partner, or may get one, whose words with them the page will show."""
    match = scene.match
    may_have = bool(match.partners(scene.viewer)) or match.position.roles()[scene.viewer] is None
    return not match.private and len(match.players) > 2 and may_have


def _name_actor(scene: Scene) -> str:
    """Return whose turn it is, if it is anybody's."""
    return scene.match.name(scene.match.to_act) if isinstance(scene.match.to_act, int) else ""


def _name_partners(scene: Scene) -> str:
    """Return who on the reader's side reads what they write: no robot."""
    partners = sorted(scene.match.reading_partners(scene.viewer))
    return listed(scene.match.name(seat) for seat in partners).said(scene.language)


def _suggest_proposal(scene: Scene) -> str:
    """Return a move that the reader may propose to a partner whose turn it is; an empty text for whoever can't."""
    reading = scene.match.reading_partners(scene.viewer)
    return scene.renderings.prompt.example if scene.match.to_act in reading else ""


def _list_agreeing(scene: Scene) -> list[tuple[str, str]]:
    """Return the answers to an offer of which the reader hears now."""
    asks = any(entry.kind in ("draw_offered", "undo_asked") for entry in scene.content.log)
    return list_agreeing(scene.match, scene.viewer, scene.language) if asks else []


def _list_help(scene: Scene, show_words: Callable[[str], str]) -> list[str]:
    """Return what the reader can write, as far as everybody needs it."""
    return [_explain(scene, row, show_words) for row in help_rows() if row.basic and _applies(scene, row)]


def _list_commands(scene: Scene, show_words: Callable[[str], str]) -> list[tuple[str, list[str]]]:
    """Return all that the reader can write, under a heading for each topic."""
    topics = {
        topic: [_explain(scene, row, show_words) for row in rows if _applies(scene, row)]
        for topic, rows in help_topics().items()
    }
    return [(scene.say(name_topic(topic)), rows) for topic, rows in topics.items() if rows]


def _applies(scene: Scene, row: HelpRow) -> bool:
    """Return whether a row of the help is for the reader."""
    return row.applies(scene.match, scene.viewer) and bool(scene.archive.url or not row.archived)


def _explain(scene: Scene, row: HelpRow, show_words: Callable[[str], str]) -> str:
    """Return a row of the help as its sentence."""
    return show_words(scene.say(explain_row(row, scene.match, scene.viewer)))


def _list_roles(scene: Scene) -> list[str]:
    """Return who plays what; the reader's own role is left out where their goal says it."""
    roles = describe_roles(scene.match, scene.viewer, scene.language)
    position = scene.match.position
    told = scene.reminding and position.roles()[scene.viewer] and len(position.side(scene.viewer)) == 1
    return roles[1:] if told else roles


def _list_rules(scene: Scene) -> list[str]:
    """Return the rules of the game in paragraphs, without what is about other matches of it."""
    match = scene.match
    paragraphs = match.game.help_for(len(match.players), match.options, spoken=scene.display == "speech")
    return [scene.say(paragraph) for paragraph in paragraphs]


def _locate_page(scene: Scene) -> str:
    """Return the address of the match in the archive, if there is one."""
    return page_of(scene.match, scene.archive)


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


def tells_end(before: Match, match: Match) -> bool:
    """Return whether the last entry after ``before`` is that the one player left who has left ``match``."""
    new = match.record[before.ply :]
    return bool(new) and new[-1].text in EXIT_WORDS and len(match.position.departed()) == 1


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
    return " ".join(describe_time(scene.match, scene.viewer, content.at, scene.language, told))


_VALUES: dict[str, Callable[[Scene], object]] = {
    "you": lambda scene: scene.match.name(scene.viewer),
    "match": lambda scene: scene.match,
    "opponents": lambda scene: _list_opponents(scene.match, scene.viewer),
    "acting": lambda scene: scene.acting,
    "over": lambda scene: scene.match.outcome is not None,
    "departed": lambda scene: scene.departed,
    "plays_on": lambda scene: not any(player.forgotten for player in scene.match.players),
    "events": lambda scene: describe_events(scene.content.before, scene.match, scene.viewer, scene.language),
    "moved": lambda scene: scene.goes_on_moving,
    "commenters": _name_commenters,
    "comments": lambda scene: comments_for(scene.match, scene.viewer, scene.content.comments, scene.language),
    "actor": _name_actor,
    "roles": _list_roles,
    "turn": lambda scene: describe_turn(scene.match, scene.viewer, scene.language),
    "goal": lambda scene: scene.say(scene.objective.goal) if scene.reminding else "",
    "rule": lambda scene: scene.say(scene.rule) if scene.reminding else "",
    "decisive": lambda scene: (
        scene.say(scene.objective.decisive) if scene.reminding and (scene.task_changed or not scene.turns) else ""
    ),
    "dice": lambda scene: bool(scene.match.possible_rolls),
    "commitment": lambda scene: commitment(scene.match.secret) if scene.match.possible_rolls else "",
    "secret": lambda scene: scene.match.secret if scene.match.possible_rolls and scene.match.outcome else "",
    "waiting": lambda scene: describe_wait(scene.match, scene.viewer, scene.language),
    "seed": lambda scene: scene.match.seeds[scene.viewer] if scene.match.seeds else "",
    "rolled": lambda scene: any(entry.seat is None for entry in scene.match.record),
    "seeds": lambda scene: (
        "" if scene.match.awaits_seeds else describe_seeds(scene.match, scene.viewer, scene.language)
    ),
    "unseeded": lambda scene: scene.match.awaits_seeds and scene.viewer in scene.match.unseeded,
    "order": lambda scene: describe_order(scene.match, scene.viewer, scene.language),
    "robots": lambda scene: describe_robots(scene.match, scene.language),
    "options": lambda scene: describe_options(scene.match),
    "winners": lambda scene: describe_winners(scene.match, scene.viewer, scene.language),
    "result": lambda scene: describe_result(scene.match, scene.viewer, scene.language),
    "ending": lambda scene: "" if _is_told(scene) else describe_result(scene.match, scene.viewer, scene.language),
    "board_text": lambda scene: scene.board.text,
    "board_html": lambda scene: BOARD_PLACE,
    "board_style": lambda scene: Markup(scene.board.style),
    "board_links": lambda scene: ANSWER_LINK in scene.board.html,
    "cramped": lambda scene: scene.board.cramped and ANSWER_LINK in scene.board.html,
    "legend_text": lambda scene: scene.legends[0],
    "legend_html": lambda scene: Markup(scene.legends[1]),  # which escapes what it holds
    "standing": lambda scene: scene.board.standing,
    "display": lambda scene: scene.display,
    "displays": lambda scene: describe_displays(scene.language),
    "rules_text": _list_rules,
    "help_text": lambda scene: _list_help(scene, tie_words),
    "help_html": lambda scene: _list_help(scene, embolden_words),
    "commands_text": lambda scene: _list_commands(scene, tie_words),
    "commands_html": lambda scene: _list_commands(scene, embolden_words),
    "instruction": lambda scene: _instruct(scene) if scene.acting and not scene.content.asking else "",
    "example": lambda scene: scene.renderings.prompt.example if scene.acting else "",
    "choices": lambda scene: _list_choices(scene) if scene.acting and not scene.content.asking else [],
    "twice": lambda scene: scene.acting and _plays_twice(scene),
    "partners": _name_partners,
    "proposable": _suggest_proposal,
    "agreeing": _list_agreeing,
    "fingerprint": lambda scene: fingerprint(scene.match),
    "asides": lambda scene: scene.content.asides,
    "detail": lambda scene: scene.content.detail,
    "quoted": lambda scene: scene.content.quoted,
    "meant": lambda scene: scene.content.meant,
    "undone": lambda scene: scene.content.undone,
    "no_move": lambda scene: scene.content.no_move,
    "yes_means": lambda scene: meant_by_yes(scene.content.offered),
    "offered": lambda scene: scene.content.offered,
    "record_rows": lambda scene: list_record(scene.match, scene.language),
    "key": lambda scene: scene.content.key,
    "archive": _locate_page,
    "private": lambda scene: scene.match.private,
    "team_told": _tells_team,
    "answer_link": lambda scene: Markup(ANSWER_LINK),
    "mark": lambda scene: MARK,
    "time": _tell_time,
    "left": lambda scene: describe_left(scene.match, scene.content.at, scene.language),
    "news": _list_news,
    "seat_is": _tell_seat,
    "time_rules": lambda scene: describe_rules(scene.match, scene.language),
    "claims": lambda scene: list_claims(scene.match, scene.viewer, scene.language),
    "proposed": lambda scene: scene.content.proposed.move if scene.content.proposed else "",
    "proposer": lambda scene: scene.match.name(scene.content.proposed.seat) if scene.content.proposed else "",
    "others": lambda scene: scene.content.others,
    "thoughts": lambda scene: list_thoughts(scene.content.thoughts, scene.match, scene.language),
    "sketches": lambda scene: scene.sketches,
    "sketch_style": lambda scene: Markup(
        "".join(dict.fromkeys(one.style for one in scene.sketches)) + (scene.review.board.style if scene.review else "")
    ),
    "review": lambda scene: scene.review,
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


def page_of(match: Match, archive: Archive) -> str:
    """Return the address of a match in the archive, if there is one."""
    return archive.address(match.page(archive.secret)) if archive.url else ""
