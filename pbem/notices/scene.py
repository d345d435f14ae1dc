"""What templates may name in a notice about a match: each value is made when one names it. Pure."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from markupsafe import Markup

from pbem.clubs.contest import ContestMatch
from pbem.clubs.ratings import Change
from pbem.commands.effects import ProposeMove, Sketch
from pbem.mail.archive_paths import Archive
from pbem.match.log import LogEntry
from pbem.match.match import Comment, Match
from pbem.match.preferences import Display
from pbem.match.thought import Thought
from pbem.notices.board_block import BoardRenderings, RenderedBoard, renderings_of
from pbem.notices.reviewing import DrawnReview, draw_review
from pbem.notices.sentences.match import describe_roles, name_holders
from pbem.notices.sentences.status import MatchRow
from pbem.notices.sentences.story import Passage, lines_on_phone, list_new, tell_story
from pbem.notices.sketches import DrawnSketch, draw_sketches
from pbem.ports import Review
from rules.phrase import Language, Phrase
from rules.position import EXIT_WORDS, Choice, Objective, Seat

BOARD_PLACE = Markup("<!--board-->")
"""Stands for the board in HTML, which is inserted last: it is long and holds nothing that players write."""

_FIRST_TURNS = 3
"""Turns in which a player is reminded of the rules."""

_RECEIPTS = ("move_made", "passed_on", "waiting", "plan", "preview", "earlier", "tree", "record", "help_dice")

STORY_ROOM = 7
"""So many lines of a phone's first screen, and the board begins on it as well."""

_END_ROOM = 3
"""So many of these lines say how a match ended."""

LONGEST_STORY = 6
"""So many entries a notice tells of at most that shows how a match stands."""


@dataclass(frozen=True)
class NoticeContent:
    """What a notice says besides the position: the entries after ``before``, comments, and sentences for the reader.

    ``quoted`` are lines of a message. For a rejected message ``code`` names why, ``meant`` says what to write,
    ``offered`` has the whole answers which that proposes, ``answers`` the legal ones that begin as what was refused,
    and ``undone`` says what did not happen; ``no_move``: its sender meant no move. ``reminding``: the reader is told
    the rules of their turn again, as in their ``first_turns``. ``asking``: a move is no answer to the notice, so the
    board has no links. ``key`` is the public key of the host. ``log`` is what happened to the match beside its entries.
    ``at`` is when the reader is told; None: when the turn began. ``others`` are matches in which the reader is to act
    too. ``sketches`` are other positions that it shows, ``thoughts`` what its reader keeps for themselves.
    ``remembered`` is a comment of earlier. ``proposed`` is a move that a partner proposes, drawn on the board.
    ``review`` is what a robot says of the moves of its reader. ``rating`` is what the match did to their rating.
    ``contest`` is what a new match is in a ladder or league.
    """

    before: Match
    comments: tuple[Comment, ...] = ()
    asides: tuple[str, ...] = ()
    detail: str = ""
    quoted: tuple[str, ...] = ()
    code: str = ""
    meant: str = ""
    answers: tuple[Choice, ...] = ()
    undone: str = ""
    offered: tuple[str, ...] = ()
    asking: bool = False
    reminding: bool = False
    first_turns: int = _FIRST_TURNS
    no_move: bool = False
    key: str = ""
    log: tuple[LogEntry, ...] = ()
    at: datetime | None = None
    others: tuple[MatchRow, ...] = ()
    sketches: tuple[Sketch, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    remembered: Comment | None = None
    proposed: ProposeMove | None = None
    review: Review | None = None
    rating: Change | None = None
    contest: ContestMatch | None = None


@dataclass(frozen=True, eq=False)
class Scene:
    """What templates may name in a notice about ``match`` for ``viewer``: a value is made when one names it."""

    match: Match
    viewer: Seat
    content: NoticeContent
    archive: Archive
    language: Language
    kind: str

    @cached_property
    def board(self) -> RenderedBoard:
        """The board as the reader wants it; where a move is no answer to the notice, it has no links."""
        return self.renderings.render(self.display, acting=self.acting and not self.content.asking)

    @cached_property
    def renderings(self) -> BoardRenderings:
        """The position as it is drawn for all its readers."""
        proposed = self.content.proposed
        new = [self.match.record[ply].text for ply in self.new]
        return renderings_of(self.match.position, self.language, proposed.move if proposed else "", new)

    @cached_property
    def new(self) -> list[int]:
        """The moves that are numbered, on the board and in the story, as the numbers of entries before them."""
        tells = self.content.before.ply < self.match.ply and not self.departed
        return list_new(self.match, self.viewer) if tells else []

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
        """What explains the board in text and in HTML; where players share pieces, also whose they are.

        To a reader who is used to boards of the match it names the signs alone.
        """
        holders = name_holders(self.match, self.viewer, self.language) if self.board.legend_text else {}
        if not self.board.legend_text or not (holders or self.is_used_to):
            return self.board.legend_text, self.board.legend_html
        return self.renderings.explain(self.display, holders, briefly=self.is_used_to)

    @cached_property
    def objective(self) -> Objective:
        """What the reader has to do."""
        return self.match.position.objective(self.viewer)

    @property
    def goal(self) -> str:
        """What the reader has to do, as they are reminded of it."""
        return self.say(self.objective.goal) if self.reminding else ""

    @cached_property
    def roles(self) -> list[str]:
        """Who plays what; the reader's own role is left out where their goal says it."""
        roles = describe_roles(self.match, self.viewer, self.language)
        position = self.match.position
        told = self.reminding and position.roles()[self.viewer] and len(position.side(self.viewer)) == 1
        return roles[1:] if told else roles

    @cached_property
    def story(self) -> tuple[list[Passage], list[Passage]]:
        """What happened, as far as it leaves the board on a phone's first screen, and the rest of it."""
        content = self.content
        beside = (" ".join((*self.roles, self.goal)), " ".join(self.board.standing), *content.asides)
        room = STORY_ROOM - sum(map(lines_on_phone, beside)) - (_END_ROOM if self.match.outcome else 0)
        before, new = content.before, self.new
        if new and new[0] < before.ply < self.match.ply:
            before = self.match.at(new[0])
        comments, language = content.comments, self.language
        return tell_story(before, self.match, self.viewer, comments, language, room=room, numbered=new)

    @property
    def rule(self) -> Phrase | None:
        """What the reader's turns consist of; beside the prompt only what that does not say."""
        return self.objective.reminder if self.acting else self.objective.turn

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
        return [entry.seat for entry in self.match.record].count(self.viewer)

    @cached_property
    def reminding(self) -> bool:
        """Whether the reader is told the rules of their turn: in their first turns, and when they need it.

        The first email of a match leaves them out for whoever has learned them in another one.
        """
        if not self.goes_on or self.content.asking:
            return False
        is_early = self.acting and self.kind != "opened" and self.turns < self.content.first_turns
        return self.content.reminding or self.task_changed or is_early

    @property
    def is_receipt(self) -> bool:
        """Whether the notice only confirms what the reader did, shows what they asked for, or tells of a move."""
        return self.kind in _RECEIPTS or (self.kind == "partner_turn" and self.moved)

    @property
    def is_used_to(self) -> bool:
        """Whether the reader needs no telling what stands in every notice."""
        return self.turns >= _FIRST_TURNS and not self.content.reminding

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


def tells_end(before: Match, match: Match) -> bool:
    """Return whether the last entry after ``before`` is that the one player left who has left ``match``."""
    new = match.record[before.ply :]
    return bool(new) and new[-1].text in EXIT_WORDS and len(match.position.departed()) == 1


def page_of(match: Match, archive: Archive) -> str:
    """Return the address of a match in the archive, if there is one."""
    return archive.address(match.page(archive.secret)) if archive.url else ""
