"""Challenges: what becomes of a ladder when one is answered with no, or not at all, and who is told of it."""

from datetime import datetime

from pbem.asking.contests.standings import CHALLENGED, find_ladder, read_ladder
from pbem.asking.limits import had_enough
from pbem.asking.posting import pose, post
from pbem.clubs.contest import Contest, ContestEvent, ContestMatch
from pbem.clubs.ladder import QUIET
from pbem.commands.asking_effects import NoteContest, SetInvitation
from pbem.errors import DamagedRow
from pbem.match.invitation import Invitation
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.match.time.calendar import reach
from pbem.notices.ladders import title_of
from pbem.notices.render import plain_notice
from pbem.notices.sentences.reasons import say
from pbem.pipeline.act import Act, cause_at
from pbem.reading.reason import Reason, because
from pbem.storage.due import LADDER_DUE
from pbem.storage.transaction import Transaction

NEWS = "contest_news"
"""The kind of the email about what has happened to somebody in a ladder."""


def write_contest(act: Act, effect: NoteContest) -> None:
    """Store what has happened in a contest, which may begin by that, and the match that follows from it."""
    contest = effect.contest
    if not contest.id:
        known = act.tx.contests.find(contest.kind, contest.name)
        contest = known or act.tx.contests.open(contest.kind, contest.game, contest.name, contest.options, act.now)
    number = act.tx.contests.add(contest.id, effect.event)
    if effect.invitation:
        act.tx.contests.add_match(ContestMatch(contest.id, effect.invitation, number))
    if contest.kind == "ladder" and find_ladder(act.tx, contest.id, act.now):
        schedule_sinking(act.tx, contest, act.now)


def note_challenge(act: Act, before: Invitation | None, after: Invitation) -> None:
    """Store in its ladder that a challenge was turned down, or not answered in time; or that nothing came of it."""
    place = act.tx.contests.of_invitation(after.id) if after.kind == "challenge" and before is not None else None
    if place is None or after.state not in ("declined", "expired", "cancelled", "failed"):
        return
    act.tx.contests.lock(place.contest)
    taken = after.state in ("declined", "expired")
    arguments = {"challenge": place.event, "why": after.state}
    event = ContestEvent(
        act.now, "taken" if taken else "ended", after.inviter, after.guests[CHALLENGED].player, arguments
    )
    act.tx.contests.add(place.contest, event)


def answer_by(tx: Transaction, invitation: Invitation) -> datetime:
    """Return when the time to answer a challenge is over, by what is known now: absences and outages don't count."""
    number = invitation.guests[CHALLENGED].player
    player = tx.players.get(number) if number is not None else None
    outages = tx.heartbeats.outages_since(invitation.created_at)
    seconds = int((invitation.expires_at - invitation.created_at).total_seconds())
    if player is None:
        return invitation.expires_at
    return reach(invitation.created_at, seconds, player.calendar, weekends_free=False, lost=outages)


def tell_challenge(act: Act, effect: SetInvitation) -> None:
    """Queue what has become of a challenge to both, but for whoever has caused it."""
    after = effect.after
    place = act.tx.contests.of_invitation(after.id)
    found = find_ladder(act.tx, place.contest, act.now) if place else None
    if place is None or found is None or after.state not in _TOLD:
        return
    contest, ladder = found
    events = [one for one in act.tx.contests.events(contest.id) if one.arguments.get("challenge") == place.event]
    taken = any(one.kind == "taken" for one in events)
    people = [act.tx.players.get(guest.player) if guest.player is not None else None for guest in after.guests]
    for seat, player in enumerate(people):
        rival = people[1 - seat]
        if player is None or player.id == effect.player or rival is None:
            continue
        code = f"{_TOLD[after.state]}_{'lost' if seat == CHALLENGED else 'won'}" if taken else "challenge_over"
        own = ladder.place_of(player.id)
        if own is not None:
            told = because(code, who=rival.name, title=title_of(contest), place=own)
            tell_news(act, contest, player, told)


_TOLD = {"declined": "challenge_declined", "expired": "challenge_unanswered", "cancelled": "", "failed": ""}


def tell_news(act: Act, contest: Contest, player: Player, told: Reason) -> None:
    """Queue what has happened to a player in a contest, if they want any email, and haven't had too much today."""
    if not player.has_mail or player.preferences.muted or had_enough(act.tx, NEWS, player.email, act.now):
        return
    notice = plain_notice(
        NEWS,
        act.site.language,
        you=player.name,
        title=title_of(contest),
        ladder=contest.kind == "ladder",
        detail=say(told, act.site.language),
    )
    question = pose(act, Question(NEWS, player.email, {"contest": contest.id}, player.id, state="yes"))
    post(act, notice, question, player)


def sink_idle(act: Act, number: int) -> None:
    """Let whoever has played none of the matches of a ladder for longest, and long enough, sink to its end."""
    contest = act.tx.contests.get(number)
    if contest is None:
        raise DamagedRow(f"somebody is to sink in ladder {number}, and it is not there")
    act.tx.contests.lock(number)
    act = act.because(cause_at(f"sinking {number}", act.now))
    idle = _list_idle(act.tx, contest, act.now)
    first = min((at for at, _ in idle), default=act.now)
    for at, player in idle:
        if at == first <= act.now:
            act.tx.contests.add(number, ContestEvent(act.now, "sank", player.id))
            tell_news(act, contest, player, because("ladder_sank", title=title_of(contest)))
    schedule_sinking(act.tx, contest, act.now)


def find_sinking(tx: Transaction, number: int, now: datetime) -> datetime | None:
    """Return since when somebody is to sink in a ladder; None while nobody is."""
    contest = tx.contests.get(number)
    due = min((at for at, _ in _list_idle(tx, contest, now)), default=None) if contest else None
    return due if due and due <= now else None


def schedule_sinking(tx: Transaction, contest: Contest, now: datetime) -> None:
    """Schedule the earliest moment at which somebody may sink; a match meanwhile puts it off when it is looked at."""
    if due := min((at for at, _ in _list_idle(tx, contest, now, playing=True)), default=None):
        tx.due.schedule(LADDER_DUE, contest.id, max(due, now))
    else:
        tx.due.cancel(LADDER_DUE, contest.id)


def _list_idle(
    tx: Transaction, contest: Contest, now: datetime, *, playing: bool = False
) -> list[tuple[datetime, Player]]:
    """Return when people of a ladder sink who are not playing in it; the time for which they are away doesn't count.

    ``playing``: with those who are, if they had no more than begun just now.
    """
    ladder, found = read_ladder(tx, contest, now), list[tuple[datetime, Player]]()
    if ladder.is_paused:
        return found
    for player, _ in tx.players.some(sorted(ladder.people)):
        if since := ladder.idle_since(player.id) or (now if playing else None):
            lost = tx.heartbeats.outages_since(since)
            at = reach(since, int(QUIET.total_seconds()), player.calendar, weekends_free=False, lost=lost)
            found.append((at, player))
    return found
