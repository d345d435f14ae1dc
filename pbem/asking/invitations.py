"""Emails about invitations, and what becomes of these by themselves: they expire, or end with a player who leaves."""

from dataclasses import replace
from datetime import datetime

from pbem.asking.contests.challenges import tell_challenge
from pbem.asking.contests.standings import find_defended, find_ladder, list_hidden
from pbem.asking.invitees import INVITATION, People
from pbem.asking.limits import had_enough
from pbem.asking.may_ask import marks_of
from pbem.asking.posting import pose, post
from pbem.asking.words_beside import may_reach_strangers
from pbem.clubs.ladder import show_ladder
from pbem.commands.asking_effects import SetInvitation, TellStarting
from pbem.commands.decision import Decision, Step
from pbem.due.clubs.ratings import reliability_of
from pbem.mail.archive_paths import contest_page
from pbem.match.invitation import Guest, Invitation
from pbem.match.player import Player
from pbem.match.question import TOLD, Question
from pbem.notices.ladders import LadderTold, describe_ladder
from pbem.notices.render import plain_notice
from pbem.notices.sentences.reasons import say
from pbem.notices.starting import invitation_notice, offers_notice
from pbem.notices.wrapping import quote_words
from pbem.pipeline.act import Act, Cause, cause_at
from pbem.reading.reason import Reason, because
from pbem.storage.transaction import Transaction
from rules.phrase import Argument

NEWS = "invitation_news"
"""The kind of the email that says what others did with an invitation."""

_MOST_LISTED = 30


def tell_invitation(act: Act, _: Decision, effect: SetInvitation) -> None:
    """Queue an invitation, or what has become of one."""
    if effect.before is not None and effect.after.kind == "challenge":
        tell_challenge(act, effect)
    elif effect.before is not None:
        _tell_news(act, effect)
    elif effect.after.is_open:  # not taken back by the same message
        _invite(act, effect.after)


def leave_invitations(tx: Transaction, player: Player, now: datetime) -> Decision:
    """Return the decision by which a player who is forgotten has no part in any invitation."""
    effects = []
    for invitation in tx.invitations.open_of(player.id):
        seat = invitation.seat_for(player.id, player.emails)
        if invitation.inviter == player.id:
            after = invitation.closed("cancelled")
        elif seat is not None and invitation.kind == "open":
            after = invitation.after(seat, Guest("", "", None, "free"))
        else:
            after = invitation.closed("declined")
        effects.append(SetInvitation(invitation, after, player.id))
    return Decision((Step("", tuple(effects)),))


def expire(tx: Transaction, number: int, now: datetime) -> tuple[Decision, Cause]:
    """Return the decision by which an invitation ends that nobody has accepted in time, and its cause."""
    invitation = tx.invitations.get(number)
    open_one = invitation is not None and invitation.is_open
    effects = (SetInvitation(invitation, invitation.closed("expired")),) if invitation and open_one else ()
    return Decision((Step("", effects),)), cause_at(f"expired {number}", now)


def _question_of(act: Act, invitation: Invitation, player: Player | None, email: str) -> Question:
    """Return the question to whom an invitation is told of, which is made where they have none yet."""
    number = player.id if player else None
    known = act.tx.questions.find(INVITATION, email=email, player=number)
    found = next((one for one in known if one.about.get(INVITATION) == invitation.id), None)
    asker = None if number == invitation.inviter else invitation.inviter
    return found or pose(act, Question(INVITATION, email, {INVITATION: invitation.id}, number, asker))


def _invite(act: Act, invitation: Invitation) -> None:
    """Queue an email to everybody who is invited, and may be."""
    inviter = act.tx.players.get(invitation.inviter)
    assert inviter is not None  # in this transaction it was read
    known = act.tx.invitations.companions(inviter.id)
    defended = find_defended(act.tx, invitation, act.now)
    to_strangers = may_reach_strangers(act.tx, inviter, invitation.words)
    for guest in invitation.guests:
        if guest.state != "asked":
            continue
        player = act.tx.players.get(guest.player) if guest.player is not None else None
        if player and defended and _refuses(act, player, inviter):
            continue  # they leave the challenge unanswered
        notice = invitation_notice(
            INVITATION,
            invitation,
            inviter,
            player,
            act.site.archive,
            act.site.language,
            acquainted=player is not None and player.id in known,
            words=invitation.words if player or to_strangers else "",
            now=act.now,
            defended=defended,
        )
        email = player.email if player else guest.email
        post(act, notice, _question_of(act, invitation, player, email), player)


def _refuses(act: Act, player: Player, inviter: Player) -> bool:
    """Return whether a player wants no email, or none about invitations of another one."""
    return player.preferences.muted or act.tx.invitations.refuses(player.id, marks_of(inviter, act.site.secret))


def _tell_news(act: Act, effect: SetInvitation) -> None:
    """Queue news of an invitation to those who take part: to its inviter, and to others who have accepted.

    Who was asked, and has not answered, hears no more of it.
    """
    before, after = effect.before, effect.after
    assert before is not None
    for number in sorted(number for number in _accepted(before) if number not in (None, effect.player)):
        player = act.tx.players.get(number)
        news = _news_for(before, after, own=number == after.inviter)
        if news is None or player is None or not player.has_mail or player.preferences.muted:
            continue
        if had_enough(act.tx, NEWS, player.email, act.now):
            continue
        detail, game = say(news, act.site.language), after.game.title
        new = (guest for one, guest in _accepted(after).items() if one not in _accepted(before))
        words = next((quote_words(guest.words) for guest in new if guest.words), [])
        notice = plain_notice(NEWS, act.site.language, you=player.name, detail=detail, game=game, words=words)
        notice = replace(notice, part=str(after.id))
        post(act, notice, _question_of(act, after, player, player.email), player)


def _news_for(before: Invitation, after: Invitation, *, own: bool) -> Reason | None:
    """Return what somebody is told who takes part, ``own``: who has invited; only these learn who did what.

    None for what concerns them not, and for a match that opens, of which its own email tells; so does that of a league.
    """
    was, is_now = _accepted(before), _accepted(after)
    joined = [guest for number, guest in is_now.items() if number not in was]
    left = [guest for number, guest in was.items() if number not in is_now]
    declined = [guest for guest in after.guests if guest.state == "declined"]
    told: dict[str, Argument] = {"number": after.id, "game": after.game.title}
    if after.kind == "league" or after.state in ("agreed", "opened") or (after.is_open and not own):
        return None
    if after.state in _ENDED:
        return because(_ENDED[after.state], **told)
    if after.state == "declined" and not own:
        return because("not_agreed", **told)
    code, (guest, *_) = next(
        (code, found)
        for code, found in (
            ("guest_took" if after.kind == "open" else "guest_joined", joined),
            ("guest_left", left),
            ("guest_declined", [*declined, _NOBODY]),
        )
        if found
    )
    if not guest.called:
        return because(f"{code}_unnamed", **told)
    return because(code, who=guest.called, count=len(after.awaited), **told)


_ENDED = {
    "expired": "invitation_expired",
    "failed": "invitation_failed",
    "cancelled": "invitation_withdrawn",
}
_NOBODY = Guest("", "", None, "declined")


def _accepted(invitation: Invitation) -> dict[int | None, Guest]:
    """Return who has accepted, the inviter among them, by their numbers."""
    return {guest.player: guest for guest in invitation.guests if guest.state == "accepted"}


def tell_starting(act: Act, _: Decision, effect: TellStarting) -> None:
    """Queue the email that says what came of what a player asked for, with the offers, if they asked for these."""
    player = effect.player
    offers, own, invited = list[Invitation](), list[Invitation](), list[Invitation]()
    if effect.offers:
        people = People(act, player)
        for one in act.tx.invitations.open():
            seat = one.seat_for(player.id, player.emails)
            if one.inviter == player.id or (seat is not None and one.guests[seat].state == "accepted"):
                own.append(one)
            elif seat is not None and one.guests[seat].state == "asked":
                invited.append(one)
            elif one.kind == "open" and not people.are_apart(one):
                offers.append(one)
    names = {
        one.inviter: inviter.name for one in (*offers, *own, *invited) if (inviter := act.tx.players.get(one.inviter))
    }
    notice = offers_notice(
        TOLD,
        player,
        effect.told,
        [one[:_MOST_LISTED] for one in (invited, offers, own)] if effect.offers else None,
        names,
        {number: reliability_of(act.tx, number, act.now) for number in {one.inviter for one in offers[:_MOST_LISTED]}},
        act.site.language,
        helps=effect.helps,
        games=effect.games,
        seats=effect.seats,
        now=act.now,
        ladders=[told for name in effect.ladders if (told := _describe_ladder(act, name, player))],
    )
    about = Question(TOLD, player.email, player=player.id, inbound=act.cause.inbound, state="yes")
    post(act, notice, pose(act, about), player)


def _describe_ladder(act: Act, name: str, reader: Player) -> LadderTold | None:
    """Return a ladder as an email shows it; None for one that there isn't."""
    known = act.tx.contests.find("ladder", name)
    found = find_ladder(act.tx, known.id, act.now) if known else None
    if found is None:
        return None
    contest, ladder = found
    names = {player.id: player.name for player, _ in act.tx.players.some(sorted(ladder.people))}
    rows = show_ladder(ladder, list_hidden(act.tx, ladder))
    told = describe_ladder(contest, rows, names, reader, act.now, act.site.language)
    return told._replace(page=act.site.archive.address(contest_page(contest.id)) if contest.id else "")
