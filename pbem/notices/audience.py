"""The audience of a decision: which players get a notice, and of which kind. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from pbem.advice.advice import quote_lines
from pbem.clubs.ratings import Change
from pbem.commands.asking_effects import AskForWhom
from pbem.commands.decision import MatchDecision
from pbem.commands.effects import Reply, SeatPlayer
from pbem.commands.families.forgetting import ASKING_TO_FORGET
from pbem.commands.for_partners import list_recipients
from pbem.mail.archive_paths import Archive
from pbem.mail.compose import Notice
from pbem.match.match import Comment, Match
from pbem.match.preferences import DISPLAYS
from pbem.match.privacy import may_read
from pbem.match.time.digest_times import WEEKDAYS
from pbem.match.voting import begin_voting
from pbem.notices.render import kind_for, match_notice
from pbem.notices.scene import LONGEST_STORY, NoticeContent
from pbem.notices.sentences.agreements import is_asked_to_agree
from pbem.notices.sentences.log.players import is_told
from pbem.notices.sentences.match import describe_own_proposal
from pbem.notices.sentences.moments import say_moment
from pbem.notices.sentences.reasons import say, say_all
from pbem.notices.sentences.status import list_match
from pbem.notices.sentences.story import last_words
from pbem.ports import Review
from pbem.reading.reason import because
from rules.phrase import ENGLISH, Language
from rules.position import Seat

LONGEST_QUESTION = 40
"""Lines of a message that the question about it may show; a part between two ``;`` counts as one."""

_LONGEST_MEANWHILE = 20  # entries between two turns of a player

_MOST_SAID = 12_000
"""Bytes (UTF-8) of comments that one notice tells of afterwards: nobody can make another's next notice huge."""

_TURNS_ONLY = frozenset({"opened", "your_turn", "match_over"})
"""What a player gets of all that others do who wants email only on their turn."""

_OF_OTHERS = frozenset({"partner_turn", "move_made", "remark", "time_news"})
"""What such a player does without, unless it says more than that."""

_ANSWERED = frozenset({"absent", "back", "unsubscribed"})
"""What a player has said of themselves, and had answered: they need no notice of it in their matches."""

WHOSE_WORDS = "whose_words"
"""The kind of the question to a player who may read what they wrote."""

STATUS, SETTINGS = "status", "settings"
"""The kinds of the emails about all matches of a player, and about what they have set."""

_PARAGRAPHS = {"answer": "\n\n"}  # what stands between the sentences of a kind that has nothing else
_SETTINGS = frozenset(
    {
        *("mails_all", "mails_turns", "still_unsubscribed", "page_off", "page_on"),
        *("page_off_nowhere", "page_on_nowhere"),
        *("name_set", "address_removed", "digest_daily", "digest_off", "digest_utc"),
        *(f"digest_{day}" for day in WEEKDAYS),
        *("zone_set", "remind_set", "remind_off", "remind_default", "quiet_set", "quiet_off", "auto_on", "auto_off"),
        *("vacation_set", "emergency_set", "back_done", "letter_on", "letter_off"),
    }
)
_SETTING = "answer/setting"
"""The templates for whoever has changed a setting."""

_TOLD_TO_ALL = frozenset(
    {
        *("time_control", "extended", "paused", "pause_ended", "reinstated", "rewound", "restored"),
        *("replaced", "stayed", "put_away"),
    }
)
"""What the operator does, of which such a player is told, too."""

_ASKING = frozenset({"draw_offered", "undo_asked"})
"""What such a player is asked to answer."""

_NEW_TURN = frozenset({"reinstated", "rewound", "restored"})
"""After these everybody is told anew whose turn it is."""

_STANDING_IN = "opened/standing_in"
"""The templates for whoever has got the seat of somebody else."""

_RECEIPT = "move_made/receipt"
"""The templates for whoever has made a move and now waits: three lines, since they know the board."""

_NOTES = {"time_news": "time_news/note", "time_up": "time_up/note"}
"""The templates for those who are told about time and wait: without a board."""


class Recall(Protocol):
    """Returns the comments, oldest first, made after that many entries of the match, or after that time.

    Words for one side that were said before the player got the seat are left out.
    """

    def __call__(self, ply: int, after: datetime, seat: Seat) -> Sequence[Comment]:
        """Return them."""


def recall_nothing(ply: int, after: datetime, seat: Seat) -> Sequence[Comment]:
    """Return no comments: a match in which nothing was said."""
    return ()


def notices_for(
    decision: MatchDecision,
    match: Match,
    archive: Archive,
    key: str = "",
    language: Language = ENGLISH,
    recall: Recall = recall_nothing,
    now: datetime | None = None,
    ratings: Sequence[Change] = (),
) -> Iterator[tuple[Seat, Notice]]:
    """Yield a notice for every seat that ``decision`` concerns.

    ``match`` is the match after the decision, with the current preferences of its players; ``key`` is the
    public key of the host, for those who ask how rolls are checked. ``recall`` finds earlier comments of the match:
    those who want email only on their turn read what was said since the last. ``now`` is when they are
    told, None: when the present turn began. ``ratings`` are what a match that is over did to those of all seats.
    """
    for seat in range(len(match.players)):
        is_sender = seat == decision.seat
        calendar = match.players[seat].calendar
        asides = tuple(say(aside, language, calendar, now) for aside in decision.asides) if is_sender else ()
        told = tuple(filter(None, [say_all(decision.told_to(seat), language, " ", calendar, now)]))
        kind = _choose_kind(decision, match, seat)
        tells_all = any(entry.kind in _TOLD_TO_ALL for entry in decision.log)
        asks = any(entry.kind in _ASKING for entry in decision.log)
        of_their_turn = kind == "time_news" and match.to_act == seat
        told_anyway = (asides and decision.left_undone) or told or tells_all or asks or of_their_turn
        preferences = match.players[seat].preferences
        turns_only = preferences.mails == "turns" or (preferences.digest != "" and not is_sender)
        if kind in _OF_OTHERS and turns_only and not told_anyway:
            kind = None
        if kind == "your_turn" and preferences.digest and not (is_sender or told or tells_all or _awaits_email(match)):
            kind = None
        if kind:
            stands_in = kind == "opened" and not decision.opening
            before = match if stands_in or decision.before.ply > match.ply else decision.before
            is_new = kind == "opened" and seat not in decision.introduced
            content = NoticeContent(before, decision.comments, asides, reminding=is_new, log=decision.log, at=now)
            content = replace(content, contest=decision.contest)
            if kind == "match_over" and not content.comments:
                content = replace(content, remembered=last_words(recall(0, match.opened_at, seat), seat))
            if proposal := decision.proposed:
                others = tuple(one for one in decision.comments if one.text != f"propose {proposal.move}")
                content = replace(content, comments=others)
            if proposal and seat == proposal.seat and not proposal.by:
                own = describe_own_proposal(match, seat, proposal.move, language)
                content = replace(content, asides=(own, *content.asides))
            if proposal and decision.proposed_to(seat):
                says = proposal.move if match.to_act == seat else f"team: yes to {proposal.move}"
                content = replace(content, proposed=proposal, offered=(says,))
            if kind in _TURNS_ONLY and turns_only and not is_sender and not tells_all:
                since = since_last_turn(match, seat, recall, language)
                content = replace(since, log=decision.log, at=now, proposed=content.proposed, offered=content.offered)
            if kind == "match_over" and ratings:
                content = replace(content, rating=ratings[seat])
            content = replace(content, asides=(*told, *content.asides)) if told else content
            if kind in _TURNS_ONLY and (voting := begin_voting(match, seat, decision.before.turn)):
                content = replace(content, asides=(*content.asides, say(voting, language, calendar, now)))
            is_receipt = is_sender and kind in _OF_OTHERS and _alone_has_entered(decision.before, match, seat)
            tells_more = any(isinstance(effect, AskForWhom) for effect in decision.effects)
            has_news = kind != "passed_on" or decision.comments
            if not asides and ((is_receipt and decision.receipted) or (tells_more and (is_receipt or not has_news))):
                kind = None
        if kind:
            decides = match.to_act == seat or (asks and is_asked_to_agree(match, seat))
            templates = _RECEIPT if is_receipt else kind if decides else _NOTES.get(kind, kind)
            templates = _STANDING_IN if stands_in else templates
            yield seat, match_notice(kind, match, seat, content, archive, language, templates)
        for reply in _join_settings(decision.replies) if is_sender else ():
            for notice in _render_reply(reply, match, seat, () if kind else asides, archive, key, language, now):
                yield seat, notice


def _awaits_email(match: Match) -> bool:
    """Return whether the clock of a match waits for the email of the turn: then it is not left to a digest."""
    return match.clock is not None and match.clock.halted == "unsent"


def _join_settings(replies: Sequence[Reply]) -> list[Reply]:
    """Return ``replies`` with one email for all settings that have changed: that with the board says the others too."""
    by_kind = {reply.kind: reply for reply in replies}
    board, other = by_kind.get("board"), by_kind.get("answer")
    if board and other and _tells_settings(other):
        by_kind["board"] = replace(board, details=(*board.details, *other.details))
        del by_kind["answer"]
    return list(by_kind.values())


def _tells_settings(reply: Reply) -> bool:
    """Return whether an answer says nothing but what its sender has set."""
    return {reason.code for reason in reply.details} <= _SETTINGS


def since_last_turn(match: Match, seat: Seat, recall: Recall, language: Language) -> NoticeContent:
    """Return what others did after the last entry of ``seat``, and said after the email that asked for that entry.

    Of very many words only the latest are told, and only the latest entries to those who have left: they did not
    follow the match.
    """
    since = max((ply for ply, entry in enumerate(match.record, 1) if entry.seat == seat), default=0)
    asked = max((ply for ply in range(1, since) if match.record[ply - 1].seat not in (seat, None)), default=0)
    told_at = match.times[asked - 1] if asked else match.opened_at
    said = [
        comment
        for comment in recall(since, told_at, seat)
        if (comment.seat != seat or comment.by) and may_read(match, seat, comment)
    ]
    left, latest = _MOST_SAID, list[Comment]()
    for comment in reversed(said):
        left -= len(comment.text.encode())
        if left < 0:
            break
        latest.insert(0, comment)
    asides = (say(because("earlier_words_left_out"), language),) if len(latest) < len(said) else ()
    longest = LONGEST_STORY if seat in match.position.departed() else _LONGEST_MEANWHILE
    before = match.at(max(since, match.ply - longest))
    return NoticeContent(before, tuple(latest), asides, reminding=not match.record)


def _render_reply(
    reply: Reply,
    match: Match,
    seat: Seat,
    asides: tuple[str, ...],
    archive: Archive,
    key: str,
    language: Language,
    now: datetime | None,
) -> Iterator[Notice]:
    """Yield the notices that ``seat`` has requested."""
    if reply.kind in (STATUS, SETTINGS, ASKING_TO_FORGET):
        return  # it is about all matches of its reader
    if reply.kind == "display":
        yield from _render_displays(match, seat, archive, language, now)
    elif reply.kind in ("resume", "new_address"):
        yield present_notice(reply.kind, match, seat, archive, asides, language, now=now)
    else:
        between, calendar = _PARAGRAPHS.get(reply.kind, " "), match.players[seat].calendar
        detail, helps = say_all(reply.details, language, between, calendar, now), reply.kind == "help"
        content = NoticeContent(
            match,
            asides=asides,
            detail=detail,
            reminding=helps,
            key=key,
            at=now,
            sketches=reply.sketches,
            thoughts=reply.thoughts,
        )
        named = _SETTING if reply.kind == "answer" and _tells_settings(reply) else ""
        yield match_notice(reply.kind, match, seat, content, archive, language, named)


def present_notice(
    kind: str,
    match: Match,
    seat: Seat,
    archive: Archive,
    asides: tuple[str, ...] = (),
    language: Language = ENGLISH,
    *,
    now: datetime | None = None,
) -> Notice:
    """Return the notice of ``kind`` for a player who needs the position and the latest entries anew."""
    content = NoticeContent(match.at(max(0, match.ply - LONGEST_STORY)), asides=asides, at=now)
    return match_notice(kind, match, seat, content, archive, language)


def restored_notice(
    match: Match, seat: Seat, state_at: datetime, archive: Archive, language: Language = ENGLISH, *, now: datetime
) -> Notice:
    """Return the notice that the database, and so the match, is again as it was at ``state_at``."""
    moment = say_moment(state_at, match.players[seat].calendar, now).said(language)
    content = NoticeContent(match.at(max(0, match.ply - LONGEST_STORY)), detail=moment, at=now)
    return match_notice("backup_restored", match, seat, content, archive, language)


def review_notice(
    match: Match,
    seat: Seat,
    review: Review,
    archive: Archive,
    language: Language = ENGLISH,
    *,
    now: datetime | None = None,
) -> Notice:
    """Return the notice with what a robot says of the moves of ``seat``."""
    return match_notice("review", match, seat, NoticeContent(match, at=now, review=review), archive, language)


def reminder_notice(
    matches: Sequence[Match], seat: Seat, now: datetime, archive: Archive, language: Language = ENGLISH
) -> Notice:
    """Return the notice that reminds ``seat`` of the first of ``matches``, and its player of the others too."""
    first, player = matches[0], matches[0].players[seat]
    others = tuple(list_match(match, match.seat_of(player), now, language) for match in matches[1:])
    moved = max((ply for ply, entry in enumerate(first.record, 1) if entry.seat == seat), default=0)
    before = first.at(max(moved, first.ply - LONGEST_STORY))
    return match_notice("reminder", first, seat, NoticeContent(before, at=now, others=others), archive, language)


def _render_displays(
    match: Match, seat: Seat, archive: Archive, language: Language, now: datetime | None
) -> Iterator[Notice]:
    """Yield one notice for every display, each with its board drawn in that display."""
    for display in DISPLAYS:
        player = match.players[seat]
        preferring = match.with_player(player.preferring(player.preferences.changed("display", display)))
        notice = match_notice("display", preferring, seat, NoticeContent(preferring, at=now), archive, language)
        yield replace(notice, part=display)


def address_question(
    match: Match,
    seat: Seat,
    sender: str,
    lines: Sequence[str],
    archive: Archive,
    language: Language = ENGLISH,
    *,
    now: datetime | None = None,
) -> Notice:
    """Return the question to ``seat`` whether they wrote a message; its ``sender`` is an unknown address."""
    content = NoticeContent(match, detail=sender, quoted=quote_lines(lines, LONGEST_QUESTION), asking=True, at=now)
    return match_notice("was_this_you", match, seat, content, archive, language)


def words_question(
    match: Match,
    seat: Seat,
    asking: AskForWhom,
    done: str,
    archive: Archive,
    language: Language = ENGLISH,
    *,
    now: datetime | None = None,
) -> Notice:
    """Return the question to ``seat`` for whom the lines are that they wrote beside the entries ``done``."""
    choices = list_recipients(match, seat, operator=asking.operator)
    content = NoticeContent(
        match, detail=done, quoted=quote_lines(asking.lines, LONGEST_QUESTION), offered=choices, at=now
    )
    return match_notice(WHOSE_WORDS, match, seat, content, archive, language)


def unproven_notice(
    match: Match,
    seat: Seat,
    move: str,
    archive: Archive,
    language: Language = ENGLISH,
    *,
    now: datetime | None = None,
) -> Notice:
    """Return the question to ``seat`` whether they wrote ``move``, which came without their reply address."""
    content = NoticeContent(match, detail=move, offered=(move,), at=now)
    return match_notice("unproven", match, seat, content, archive, language)


def _choose_kind(decision: MatchDecision, match: Match, seat: Seat) -> str | None:
    """Return the kind of notice that tells ``seat`` about ``decision``; None for a seat that gets none."""
    before = decision.before
    if decision.opening or any(isinstance(one, SeatPlayer) and one.seat == seat for one in decision.effects):
        return "opened"
    if match.ply > before.ply or decision.ends_match or any(entry.kind in _NEW_TURN for entry in decision.log):
        return kind_for(match, seat)
    news = [
        entry.kind
        for entry in decision.log
        if is_told(entry, match, seat) and not (entry.seat == seat and entry.kind in _ANSWERED)
    ]
    if news and not (seat == decision.seat and decision.replies):
        return "time_up" if "flagged" in news else "time_news"
    if decision.proposed_to(seat):
        return "proposal"
    if seat != decision.seat:
        return "remark" if any(may_read(match, seat, comment) for comment in decision.comments) else None
    if decision.seeded:
        return "waiting"
    if decision.replies or decision.noted:
        return None  # the requested notice is answer enough
    return "partly_done" if decision.left_undone else "passed_on"


def _alone_has_entered(before: Match, match: Match, seat: Seat) -> bool:
    """Return whether ``seat`` has made entries after ``before``, and nobody else: so its player knows the board."""
    return {entry.seat for entry in match.record[before.ply :]} - {None} == {seat}
