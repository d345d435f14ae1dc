"""Stage 7: queue the notices about what was recorded, or the answer to a rejected message."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from pbem.asking.contests.places import tell_contest
from pbem.asking.kinds.forget import ask_to_forget
from pbem.asking.kinds.lent import tell_of_lent_seats
from pbem.asking.lent_seats import tell_lent
from pbem.asking.limits import allowance
from pbem.asking.posting import answer_unsettled, enqueue, enqueue_notices, post
from pbem.asking.seconds import tell_own_seconds, tell_second_of, tell_seconds
from pbem.commands.decision import Decision, MatchDecision, Situation
from pbem.commands.families.agreement import proposed_by
from pbem.commands.families.forgetting import ASKING_TO_FORGET, NOT_FORGOTTEN
from pbem.commands.families.looking import RECORD
from pbem.commands.families.time import proposed_pause
from pbem.commands.rejections import (
    NotFollowing,
    NotStarted,
    OfferOpen,
    OnlyWatching,
    Rejection,
    Unconfirmed,
    UnknownAddress,
    Unproven,
)
from pbem.due.clubs.ratings import changes_by
from pbem.due.listed_matches import enqueue_listing, link_boards
from pbem.mail.archive_paths import feed_page
from pbem.mail.compose import Attachment, Notice, Recipient, Site
from pbem.mail.feed_key import feed_key
from pbem.match.match import Comment, Match
from pbem.match.player import Player
from pbem.match.records import record_text
from pbem.match.signature import public_key, sign_record
from pbem.notices.audience import (
    SETTINGS,
    STATUS,
    address_question,
    notices_for,
    present_notice,
    reminder_notice,
    restored_notice,
    unproven_notice,
)
from pbem.notices.rejected import rejection_notice
from pbem.notices.render import matches_values, plain_notice, settings_notice, status_notice
from pbem.notices.sentences.reasons import note_rejection, say, say_all
from pbem.pipeline.act import Act
from pbem.pipeline.effects import tell_effects
from pbem.pipeline.followers import answer_follower
from pbem.pipeline.identify import Origin, Place
from pbem.pipeline.interpret import Reading
from pbem.storage.messages.records import Disposition
from pbem.storage.transaction import Transaction
from rules.games import GAMES
from rules.phrase import listed
from rules.position import Seat

_FOR_ALL_MATCHES = frozenset({"resume", "new_address"})
"""The kinds of requested emails that a player gets for each of their running matches."""


_KEYED = frozenset({"help_dice"})
"""The kinds of requested emails that hold the public key of the host."""

_PAUSES = frozenset({"pause_proposed", "pause_end_proposed"})
"""News that propose a pause, or its end."""

_SUMMED_UP = frozenset({"move_made", "passed_on", "partly_done", "waiting", "partner_turn", "time_news"})
"""The kinds of notices that say only what their reader has done themselves, and what one answer can say for all."""

_UNQUOTED = frozenset({"confirm"})
"""The kinds of answers to messages that somebody else may have written: nothing of these is quoted to the player."""


def announce(act: Act, decision: Decision, sender: str, *, silent: bool = False) -> None:
    """Queue the notices about ``decision`` for every player that it concerns.

    A decision outside all matches is answered to ``sender``, whose message caused it. ``silent``: that it was carried
    out the sender is told in one answer for several matches.
    """
    if isinstance(decision, MatchDecision):
        match = decision.addressed
        asked = any(reply.kind in _KEYED for reply in decision.replies)
        key = public_key(act.site.secret) if asked else ""

        def recall(ply: int, after: datetime, seat: Seat) -> Sequence[Comment]:
            return act.tx.matches.comments_since(match.id, ply, after, seat)

        ratings = changes_by(act.tx, match)
        decision = tell_contest(act, decision)
        site = act.site
        notices = notices_for(decision, match, site.archive, key, site.language, recall, act.now, ratings)
        if any(reply.kind == RECORD for reply in decision.replies):
            notices = _attach_record(act.tx, notices, match.id, act.site)
        if silent:
            notices = (one for one in notices if one[0] != decision.seat or one[1].kind not in _SUMMED_UP)
        enqueue_notices(act, match, notices, proposed=_list_proposed(decision))
        for reply in decision.replies:
            if reply.kind in _FOR_ALL_MATCHES and decision.seat is not None:
                _tell_in_other_matches(act, reply.kind, match, decision.seat)
            elif reply.kind == STATUS and decision.seat is not None:
                player = match.players[decision.seat]
                told = () if len(decision.done) > 1 else decision.asides
                asides = tuple(say(one, act.site.language, player.calendar, act.now) for one in told)
                _send_status(act, player, asides)
            elif reply.kind == SETTINGS and decision.seat is not None:
                _send_settings(act, match.players[decision.seat])
            elif reply.kind == ASKING_TO_FORGET and decision.seat is not None:
                ask_to_forget(act, match.players[decision.seat])
        tell_effects(act, decision)
        if match.seconds:
            tell_seconds(act, decision)
        if decision.before.outcome is None and decision.after.outcome is not None:
            tell_of_lent_seats(act, decision.after)
        return
    tell_effects(act, decision)
    for reply in decision.replies:
        if reply.kind == STATUS and isinstance(decision, Situation) and decision.player:
            _send_status(act, decision.player, ())
            continue
        if reply.kind == SETTINGS and isinstance(decision, Situation) and decision.player:
            _send_settings(act, decision.player)
            continue
        if reply.kind == ASKING_TO_FORGET and isinstance(decision, Situation) and decision.player:
            ask_to_forget(act, decision.player)
            continue
        notice = plain_notice(reply.kind, act.site.language, detail=say_all(reply.details, act.site.language, "\n\n"))
        enqueue(act, notice, Recipient("", sender))


def _attach_record(
    tx: Transaction, notices: Iterable[tuple[Seat, Notice]], number: int, site: Site
) -> Iterator[tuple[Seat, Notice]]:
    """Yield ``notices``, that with the record of the match with it as a file, the same that the operator exports."""
    for seat, notice in notices:
        if notice.kind == RECORD:
            match = tx.matches.get(number, checked=True)  # since it is signed
            assert match is not None
            text = sign_record(record_text(match), site.secret)
            notice = replace(
                notice, attached=(Attachment(f"match-{number}.txt", "text/plain; charset=utf-8", text.encode()),)
            )
        yield seat, notice


def _list_proposed(decision: MatchDecision) -> tuple[str, ...]:
    """Return what the notices about a decision propose to their readers: a pause, a draw, moves to be taken back."""
    is_told = any(entry.kind in _PAUSES for entry in decision.log)
    return (*(proposed_pause(decision.after) if is_told else ()), *proposed_by(decision.log))


def answer(act: Act, why: Rejection, origin: Origin, reading: Reading) -> Disposition:
    """Queue the answer to a rejected message, unless a limit suppresses it; return the disposition."""
    if isinstance(why, Unproven):
        _offer_move(act, why)
        return replace(origin.disposed("rejected", why.kind, code=why.code), match=why.match, seat=why.seat)
    if isinstance(why, NotFollowing | OnlyWatching):
        answer_follower(act, why, origin.sender)
        return origin.disposed("rejected", why.kind, code=why.code)
    if isinstance(why, NotStarted):
        answer_unsettled(act, why, origin)
        return origin.disposed("rejected", why.kind, code=why.code)
    if origin.place is None:
        suppressed = _answer_outside(act, why, origin)
    else:
        suppressed = _answer_in_match(act, why, origin.place, origin.sender, reading)
    return origin.disposed("rejected", why.kind, suppressed or _note(why), code=origin.fault or why.code)


def _note(why: Rejection) -> str:
    """Return what is kept for the operator with a rejected message."""
    return why.noted if isinstance(why, UnknownAddress) else note_rejection(why)


def _offer_move(act: Act, why: Unproven) -> None:
    """Queue the question to whoever is to act whether they wrote a move; a yes to it plays that."""
    match = act.tx.matches.get(why.match)
    assert match is not None  # in this transaction it was read
    notice = unproven_notice(match, why.seat, why.move, act.site.archive, act.site.language, now=act.now)
    enqueue_notices(act, match, [(why.seat, notice)])


def announce_restored(act: Act, match: Match, state_at: datetime) -> None:
    """Queue a notice to every player of a match that it is as it was at ``state_at``: a backup was restored."""
    notices = [
        (seat, restored_notice(match, seat, state_at, act.site.archive, act.site.language, now=act.now))
        for seat in range(len(match.players))
    ]
    enqueue_notices(act, match, notices)


def announce_reminder(act: Act, matches: Sequence[Match], player: Player) -> None:
    """Queue one email that reminds a player of their turns in ``matches``, the most urgent first."""
    first = matches[0]
    notice = reminder_notice(matches, first.seat_of(player), act.now, act.site.archive, act.site.language)
    enqueue_notices(act, first, [(first.seat_of(player), notice)])


def _send_status(act: Act, player: Player, asides: tuple[str, ...]) -> None:
    """Queue one email about all running matches of a player, which is answered like a digest."""
    matches = act.tx.matches.all(player=player.id, running=True)
    away = act.tx.put_away.among([match.id for match in matches])
    lent = tuple(say(one, act.site.language, player.calendar, act.now) for one in tell_lent(act.tx, player, act.now))
    seconds = (
        *(one for match in matches for one in tell_own_seconds(match, match.seat_of(player))),
        *tell_second_of(act.tx, player),
    )
    asides = (*asides, *lent, *(say(one, act.site.language) for one in seconds))
    notice = status_notice(
        matches,
        player,
        act.now,
        act.site.archive,
        asides,
        act.site.language,
        away=away,
        links=link_boards(act, player, matches),
    )
    enqueue_listing(act, notice, player, matches)


def _send_settings(act: Act, player: Player) -> None:
    """Queue one email about what a player has set, which is answered like a digest."""
    page = feed_page(feed_key(player.id, player.generation, act.site.secret))
    url, days = act.site.archive.address(page), act.site.vacation_days
    matches = act.tx.matches.all(player=player.id, running=True)
    enqueue_listing(act, settings_notice(player, act.now, days, url, act.site.language), player, matches)


def _answer_in_match(act: Act, why: Rejection, place: Place, sender: str, reading: Reading) -> str:
    """Answer the player at ``place``; return the suppression reason, empty for an answer that was queued."""
    match, seat = place.match, place.seat
    if isinstance(why, UnknownAddress):
        if why.asks:
            notice = address_question(
                match, seat, sender, reading.lines, act.site.archive, act.site.language, now=act.now
            )
            enqueue_notices(act, match, [(seat, notice)])
        return ""
    allowed = allowance(act, why.kind, place.player.email, present=place.is_present)
    if allowed.suppressed:
        return allowed.suppressed
    lines = () if why.kind in _UNQUOTED else reading.lines
    notice = rejection_notice(
        match,
        seat,
        place.ply,
        why,
        lines,
        reading.commands,
        act.site.archive,
        act.site.language,
        last=allowed.last,
        now=act.now,
    )
    if isinstance(why, Unconfirmed):
        notice = replace(notice, offered=(str(why.arguments["command"]),))
    enqueue_notices(act, match, [(seat, notice)], again=why.again if isinstance(why, OfferOpen) else None)
    return ""


def _answer_outside(act: Act, why: Rejection, origin: Origin) -> str:
    """Answer a message that belongs to no match of its sender; return the suppression reason, or an empty text."""
    player = origin.player
    recipient = Recipient(player.name, player.email) if player else Recipient("", origin.sender)
    running = act.tx.matches.all(player=player.id, running=True) if player else []
    if suppressed := allowance(act, why.kind, recipient.email).suppressed:
        return suppressed
    if player is None:
        games = listed(game.title for game in GAMES.values()).said(act.site.language)
        told = {
            "sender": origin.sender,
            "games": games,
            "new_matches": act.site.new_matches,
            "operator": act.site.operator,
        }
        notice = plain_notice(why.kind, act.site.language, **told)
    else:
        notice = _list_matches(act, player, running, why, origin)
    if origin.question and origin.question.player is not None:  # it can be answered like the question
        post(act, notice, origin.question, player)
    elif player and running:
        enqueue_listing(act, notice, player, running)
    else:
        enqueue(act, notice, recipient)
    return ""


def _list_matches(act: Act, player: Player, running: Sequence[Match], why: Rejection, origin: Origin) -> Notice:
    """Return the answer to a player whose message belongs to no match: those that they play, each with its link."""
    away = act.tx.put_away.among([match.id for match in running])
    notice = plain_notice(
        why.kind,
        act.site.language,
        you=player.name,
        **matches_values(
            *(running, player, act.now, act.site.archive, act.site.language),
            away=away,
            links=link_boards(act, player, running),
        ),
        revoked=origin.fault == "revoked_token",
        asked_to_forget=why.code == NOT_FORGOTTEN,
        lost=origin.lost,
    )
    return replace(notice, html="") if player.preferences.display == "plain" else notice


def _tell_in_other_matches(act: Act, kind: str, match: Match, seat: Seat) -> None:
    """Queue a notice of ``kind`` for every other running match of a player."""
    player = match.players[seat]
    for other in act.tx.matches.all(player=player.id, running=True):
        if other.id != match.id:
            notice = present_notice(
                kind, other, other.seat_of(player), act.site.archive, (), act.site.language, now=act.now
            )
            enqueue_notices(act, other, [(other.seat_of(player), notice)])
