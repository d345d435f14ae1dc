"""Words and lines under the moves of matches that are over: who may write them, who is asked first, who is told.

A match's players write what they like. Anybody else who plays here may once all of them have said yes; whether they
were asked, and what they said, shows in nothing but the page. Each of its players can have all of it taken away.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from pbem.asking.limit_table import ANSWERABLE, DAY, REMARKED, REMEMBERED
from pbem.asking.limits import had_enough
from pbem.asking.may_ask import why_unasked
from pbem.asking.posting import enqueue_notices, post
from pbem.asking.words_beside import lead_away
from pbem.commands import variations
from pbem.commands.asking_effects import Ask, Settle
from pbem.commands.decision import Step
from pbem.commands.effects import CloseThoughts, Effect, KeepThought, PublishThoughts, Reply, TakeOffThoughts
from pbem.commands.families.afterthoughts import Afterthought, Allow, TakeOff
from pbem.commands.families.thoughts import MOST_THOUGHTS
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.match.thought import Shown, Thought
from pbem.notices.afterthoughts import afterthoughts_notice, afterthoughts_question
from pbem.pipeline.act import Act, cause_at
from pbem.reading.reason import Reason, because
from pbem.storage.due import AFTERTHOUGHTS_DUE

ASKING = "comment_asked"
"""The kind of the question to a player whether somebody else's words may stand under the moves of a match of theirs."""

TELLING = "commented"
"""The kind of the email that tells a player what others of a match wrote under its moves."""

LONGEST = 600
"""Characters of words under a move."""

GATHERED = DAY
"""So long what players write under moves is gathered, before the others are told."""

_NO_SEAT = -1

Granted: TypeAlias = tuple[Sequence[Effect], Sequence[Reason]]
"""What is done, and what the sender is told."""


class Annotating:
    """What a player asks for about words under moves, while a message of theirs is carried out."""

    def __init__(self, act: Act, player: Player) -> None:
        self._act, self._player = act, player
        self._kept = dict[int, list[Thought]]()
        self._asked = dict[int, tuple[Match, list[Thought]]]()

    def grant(self, wish: Afterthought | TakeOff | Allow) -> Granted:
        """Return what comes of one wish."""
        if wish.match is None:
            return (), (because("after_which", example=str(_numbered(wish))),)
        match = self._act.tx.matches.get(wish.match)
        if match is None or (match.private and not _has_seat(match, self._player)):
            return (), (because("after_nowhere", number=wish.match),)
        if isinstance(wish, Afterthought):
            return self._write(match, wish)
        return self._take_off(match, wish.ply) if isinstance(wish, TakeOff) else self._allow(match)

    def effects(self) -> Sequence[Effect]:
        """Return the questions to the players of matches in which the sender has no seat: one each for a match."""
        return [
            Ask(_question(match, self._player, player, thoughts, self._act.cause.inbound))
            for match, thoughts in self._asked.values()
            for player in people_of(match)
        ]

    def _write(self, match: Match, wish: Afterthought) -> Granted:
        """Let words or a line stand under a move, or ask the players of the match."""
        if why := why_unfit(wish) or self._why_closed(match):
            return (), (why,)
        try:
            thought = Thought(wish.ply, wish.kind, self._read(match, wish), published=True)
        except variations.LineRefused as refused:
            return (), (refused.reason,)
        where = f"{match.id}#{wish.ply}"
        if not _has_seat(match, self._player):
            return (), (self._ask(match, thought),)
        known = (*self._act.tx.thoughts.of_player(match.id, self._player.id), *self._kept.get(match.id, ()))
        page = self._act.site.archive.address(match.page(self._act.site.secret))
        shown = because("after_shown", where=where, page=f"{page}#{wish.ply}")
        if thought in known:
            return (), (shown,)
        if len(known) >= MOST_THOUGHTS:
            return (), (because("tree_full", most=MOST_THOUGHTS),)
        self._kept.setdefault(match.id, []).append(thought)
        return (KeepThought(match.id, self._player, thought),), (shown,)

    def _why_closed(self, match: Match) -> Reason | None:
        """Return why nothing can stand under the moves of a match now; None where something can."""
        if not self._act.site.archive.url:
            return because("no_pages")
        if match.private:
            return because("after_private", number=match.id)
        if match.outcome is None:
            return because("after_later", number=match.id)
        return because("after_closed", number=match.id) if self._act.tx.thoughts.closed_by([match.id]) else None

    def _read(self, match: Match, wish: Afterthought) -> str:
        """Return the text of an afterthought as it's kept. Raise LineRefused for what the rules don't allow there."""
        before = variations.begin_line(match, wish.ply)
        if wish.kind == "note":
            return wish.text
        seat = match.seat_of(self._player) if _has_seat(match, self._player) else _NO_SEAT
        after = variations.play_line(before, variations.read_parts(wish.text) or (), seat, self._act.now)
        return variations.written_entries(before, after)

    def _ask(self, match: Match, thought: Thought) -> Reason:
        """Let the players of a match be asked whether a thought may stand there; return what the sender is told."""
        asked = because("after_asked", number=match.id)
        if not people_of(match):
            return because("after_nobody", number=match.id)
        if match.id not in self._asked and self._has_asked() >= REMARKED.most:
            return because("after_enough", most=REMARKED.most)
        _, thoughts = self._asked.setdefault(match.id, (match, []))
        if thought not in thoughts:
            thoughts.append(thought)
        return asked

    def _has_asked(self) -> int:
        """Return for how many matches the sender had players asked of late, whether or not these were."""
        lately = self._act.tx.questions.find(ASKING, self._act.now - REMARKED.within, asker=self._player.id)
        return len({(one.match, one.inbound) for one in lately}) + len(self._asked)

    def _take_off(self, match: Match, ply: int | None) -> Granted:
        """Take what stands under a move off the page, or all of it, of anybody for a player of the match."""
        player, tx = self._player, self._act.tx
        is_own = _has_seat(match, player)
        shown = tx.thoughts.published([match.id]).get(match.id, [])
        there = [one for one in shown if ply in (None, one.thought.ply) and (is_own or one.player == player.id)]
        waiting = tx.questions.find(ASKING, self._act.now - ANSWERABLE, match=match.id, state="open")
        waiting = [one for one in waiting if (is_own or one.asker == player.id) and ply in (None, *plies_of(one))]
        effects: list[Effect] = [Settle(tuple(one.id for one in waiting), "withdrawn")] if waiting else []
        if ply is None and is_own:
            closed = player.id in tx.thoughts.closed_by([match.id]).get(match.id, ())
            effects.append(TakeOffThoughts(match.id, None, None))
            effects += [] if closed else [CloseThoughts(match.id, player, closed=True)]
            return effects, (because("after_shut", number=match.id),)
        if not there and not waiting:
            return (), (because("after_none", number=match.id),)
        effects.append(TakeOffThoughts(match.id, ply, None if is_own else player))
        return effects, (because("after_off", where=f"{match.id}{'' if ply is None else f'#{ply}'}"),)

    def _allow(self, match: Match) -> Granted:
        """Let words stand under the moves of a match again."""
        if not _has_seat(match, self._player):
            return (), (because("after_unplayed", number=match.id),)
        others = {*self._act.tx.thoughts.closed_by([match.id]).get(match.id, ())} - {self._player.id}
        told = because("after_closed" if others else "after_open", number=match.id)
        return (CloseThoughts(match.id, self._player, closed=False),), (told,)


def why_unfit(wish: object) -> Reason | None:
    """Return why no match can have what somebody wrote under a move, if it is that; nothing of it is passed on then."""
    if not isinstance(wish, Afterthought):
        return None
    if not wish.text:
        return because("after_empty")
    if len(wish.text) > LONGEST:
        return because("after_too_long", most=LONGEST)
    if wish.kind == "line":
        return None if variations.read_parts(wish.text) else because("after_line_unread")
    return because("after_leads_away") if lead_away(wish.text) else None


def check_publishing(act: Act, match: Match, effect: PublishThoughts) -> Step | None:
    """Return the step that says why nothing can be published in a match; None where it can."""
    if not effect.published or not act.tx.thoughts.closed_by([match.id]):
        return None
    return Step("", (Reply("answer", (because("after_closed", number=match.id),)),))


def people_of(match: Match) -> list[Player]:
    """Return the people who play, or played, a match to its end, each once: they say what may stand under its moves."""
    return list({player.id: player for player in match.players if player.has_mail}.values())


def plies_of(question: Question) -> list[int]:
    """Return the plies of the moves under which something is to stand."""
    return [thought.ply for thought in thoughts_of(question)]


def thoughts_of(question: Question) -> list[Thought]:
    """Return what is to stand under moves. Raise DamagedRow for what we never write."""
    found = []
    for text in question.texts("thoughts"):
        kind, _, rest = text.partition(" ")
        ply, _, words = rest.partition(" ")
        if kind not in ("line", "note") or not ply.isdigit():
            raise question.damage
        found.append(Thought(int(ply), "line" if kind == "line" else "note", words, published=True))
    return found


def ask_players(act: Act, question: Question) -> None:
    """Queue the question to a player of a match, if they may be asked; its asker can't tell."""
    player = act.tx.players.get(question.player or 0)
    asker = act.tx.players.get(question.asker or 0)
    assert player is not None  # in this transaction they were read
    assert asker is not None
    declined = act.tx.questions.find(
        *(ASKING, act.now - REMEMBERED), player=player.id, asker=asker.id, match=question.match, state="no"
    )
    if declined or why_unasked(act, question):
        act.tx.questions.settle([question.id], "withdrawn")
        return
    notice = afterthoughts_question(ASKING, player, asker, question.match, thoughts_of(question), act.site.language)
    post(act, notice, question, player)


def tell_afterthoughts(act: Act, number: int) -> None:
    """Queue an email to each player of a match about what the others wrote under its moves since the last one."""
    match = act.tx.matches.get(number)
    shown = act.tx.thoughts.published([number]).get(number, []) if match else []
    if match is None or match.outcome is None or match.private or not shown:
        return
    players = people_of(match)
    act = act.because(cause_at(f"afterthoughts {number}", act.now))
    for player in players:
        others = [one for one in shown if one.player != player.id and one.player in {each.id for each in players}]
        fresh = _list_fresh(act, match, player, others)
        if fresh and had_enough(act.tx, TELLING, player.email, act.now):
            act.tx.due.hasten(AFTERTHOUGHTS_DUE, number, act.now + GATHERED)
        elif fresh:
            seat = match.seat_of(player)
            notice = afterthoughts_notice(TELLING, match, seat, fresh, act.site.archive, act.site.language)
            enqueue_notices(act, match, [(seat, notice)])


def _list_fresh(act: Act, match: Match, player: Player, others: Iterable[Shown]) -> list[Shown]:
    """Return what others wrote that a player was not told of, in the order of the moves."""
    seat = match.seat_of(player)
    return [one for one in others if not act.tx.outbound.has_written_to(match.id, seat, TELLING, one.at)]


def _question(
    match: Match, asker: Player, player: Player, thoughts: Iterable[Thought], inbound: int | None
) -> Question:
    """Return the question to a player of a match whether thoughts of somebody else may stand under its moves."""
    about = {"thoughts": [f"{one.kind} {one.ply} {one.text}" for one in thoughts]}
    return Question(ASKING, player.email, about, player.id, asker.id, match.id, inbound=inbound)


def _has_seat(match: Match, player: Player) -> bool:
    """Return whether a player has a seat of a match."""
    return any(one.id == player.id for one in match.players)


def _numbered(wish: Afterthought | TakeOff | Allow) -> str:
    """Return an example of a wish with the number of a match."""
    match wish:
        case Afterthought(_, ply, "line"):
            return f"line 17#{ply}: d4, e5"
        case Afterthought(_, ply):
            return f"comment 17#{ply}"
        case TakeOff(_, ply):
            return "comment off 17" if ply is None else f"comment off 17#{ply}"
        case Allow():
            return "comment on 17"
