"""Grants or refuses what a player asks for about ladders: this looks, and writes nothing."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from pbem.asking.contests.standings import find_ladder, list_absent, read_ladder
from pbem.asking.invitees import robot_guest, why_no_robot
from pbem.clubs.contest import Contest, ContestEvent
from pbem.clubs.ladder import Ladder, Rung, list_reachable, why_no_challenge
from pbem.commands.asking_effects import NoteContest, SetInvitation
from pbem.commands.effects import Effect
from pbem.commands.families.contests.ladders import ChallengeRival, EnterLadder, LadderWish, LeaveLadder, ShowLadders
from pbem.errors import DamagedRow
from pbem.match.game_names import find_game
from pbem.match.invitation import Guest, Invitation, read_opening
from pbem.match.player import Player
from pbem.match.stints import read_robot, robot_name
from pbem.notices.ladders import title_of
from pbem.pipeline.act import Act
from pbem.reading.reason import Reason, because
from pbem.reading.when.lengths import DAY
from rules.game import Game
from rules.games import GAMES
from rules.phrase import Argument, listed

OPTIONS = {"days": "5", "flag": "forfeit"}
"""The options of the matches of a ladder that nobody has opened on purpose: nobody has to be asked to claim a win."""

LONGEST_TO_ANSWER = 14 * DAY
"""Seconds within which a challenge is answered, however much time there is for the first move."""

_AGAIN = timedelta(days=1)
_ABOUT_RIVAL = ("challenge_absent", "challenge_too_high", "challenge_taken", "challenge_waits")
"""Why somebody can't be challenged, but others perhaps can."""

_PLAYERS = 2


@dataclass
class Granted:
    """What comes of wishes about ladders: effects, what the sender is told, and the ladders that they are shown."""

    effects: list[Effect] = field(default_factory=list)
    told: list[Reason] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)

    def tell(self, code: str, **arguments: Argument) -> None:
        """Tell the sender something."""
        self.told.append(because(code, **arguments))


def grant_ladder(
    act: Act, player: Player, wish: LadderWish, number: int, before: Sequence[Effect], running: int, most: int
) -> Granted:
    """Return what comes of a wish, after what others of the same message have led to.

    ``number`` is that of the next invitation. The player has so many matches ``running``, and can have ``most``.
    """
    granting = _Granting(act, player, before)
    match wish:
        case EnterLadder(name):
            granting.enter(name)
        case LeaveLadder(name):
            granting.leave(name)
        case ShowLadders():
            granting.show()
        case ChallengeRival() if running >= most:
            granting.granted.tell("matches_enough", most=most)
        case ChallengeRival():
            granting.challenge(wish, number)
    return granting.granted


def begin_ladder(act: Act) -> ContestEvent:
    """Return the event by which a ladder begins: with robots of all strengths that may be, the strongest first."""
    return ContestEvent(act.now, "opened", arguments={"robots": list(range(act.site.robots, 0, -1))})


def leave_ladders(act: Act, player: Player) -> list[Effect]:
    """Return the effects by which a player is in no ladder any more."""
    granting = _Granting(act, player, ())
    for contest in act.tx.contests.of_player(player.id, "ladder"):
        if find_ladder(act.tx, contest.id, act.now) is None:
            left = ContestEvent(act.now, "left", player.id)  # however it stands
            granting.granted.effects.append(NoteContest(contest, left))
    for contest in granting.list_own():
        granting.withdraw(contest)
    return granting.granted.effects


def remove_from(act: Act, player: Player, contest: Contest) -> list[Effect]:
    """Return the effects by which the operator takes a player out of a ladder."""
    granting = _Granting(act, player, ())
    granting.withdraw(contest, "removed")
    return granting.granted.effects


class _Granting:
    """A wish while it is granted."""

    def __init__(self, act: Act, player: Player, before: Iterable[Effect]) -> None:
        self.act, self.player, self.granted = act, player, Granted()
        self._before = [effect for effect in before if isinstance(effect, NoteContest)]

    def enter(self, name: str) -> None:
        """Let the sender stand last in a ladder, which begins with whoever enters first."""
        contest = self._find(name)
        if contest is None:
            return
        ladder = self._read(contest)
        left = ladder.left.get(self.player.id)
        if self.player.id in ladder.removed:
            self.granted.tell("ladder_closed", title=title_of(contest))
            return
        if left and left > self.act.now - _AGAIN:
            self.granted.tell("ladder_just_left", title=title_of(contest))
            return
        self.granted.shown.append(contest.name)
        if place := ladder.place_of(self.player.id):
            self.granted.tell("ladder_already", title=title_of(contest), place=place)
        else:
            if not contest.id and not self._pending(contest):
                self._note(contest, begin_ladder(self.act))
            self._note(contest, ContestEvent(self.act.now, "entered", self.player.id))
            self.granted.tell("ladder_entered", name=contest.name, title=title_of(contest))

    def leave(self, name: str) -> None:
        """Let the sender be in a ladder no longer."""
        own = [one for one in self.list_own() if name in ("", one.name)]
        if len(own) == 1:
            self.withdraw(own[0])
            self.granted.tell("ladder_left", title=title_of(own[0]))
        elif own:
            self.granted.tell("ladder_which", names=listed(one.name for one in own), name=own[0].name)
        else:
            self.granted.tell("ladder_not_in_any" if not name else "ladder_not_in", name=name)

    def show(self) -> None:
        """Show the sender their ladders; tell them of others."""
        own = [one.name for one in self.list_own()]
        self.granted.shown += own
        others = [one.name for one in self.act.tx.contests.all("ladder") if one.name not in own]
        if others:
            self.granted.tell("ladder_others", names=listed(others), name=others[0])
        elif not own:
            self.granted.tell("ladder_none_yet")

    def challenge(self, wish: ChallengeRival, number: int) -> None:
        """Let the sender challenge somebody who stands above them."""
        own = [one for one in self.list_own() if wish.name in ("", one.name)]
        if not own:
            self.granted.tell("ladder_not_in" if wish.name else "ladder_not_in_any", name=wish.name)
            return
        if wish.who.casefold() == self.player.name.casefold():
            self.granted.tell("yourself")
            return
        ladders = [(one, self._read(one)) for one in own]
        found = [(one, ladder, rung) for one, ladder in ladders for rung in self._find_rungs(ladder, wish.who)]
        if len(found) != 1:
            several = "ladder_which_rival" if len({one.id for one, *_ in found}) > 1 else "ladder_rivals"
            code = several if found else "ladder_nobody"
            names = listed(one.name for one, *_ in found)
            robot = read_robot(wish.who)
            who = wish.who if robot is None else robot_name(robot)
            self.granted.tell(code, who=who, name=own[0].name, title=title_of(own[0]), names=names)
            return
        contest, ladder, rung = found[0]
        absent = list_absent(self.act, ladder, self.player)
        why = why_no_challenge(ladder, self.player.id, rung, absent, self.act.now)
        if why is None and rung.robot:
            why = why_no_robot(self.act.tx, self.player, rung.robot, self.act.site)
        if why:
            self.granted.told.append(because(why.code, **dict(why.arguments) | {"who": self._name(rung)}))
            near = [one for one in list_reachable(ladder, self.player.id, absent) if one != rung]
            if near and why.code in _ABOUT_RIVAL:
                self.granted.tell("challenge_near", near=listed(map(self._name, near), "or"))
            return
        self._challenge(contest, ladder, rung, number)

    def _challenge(self, contest: Contest, ladder: Ladder, rung: Rung, number: int) -> None:
        """Invite somebody to a match for their place; a robot has accepted already."""
        now = self.act.now
        control, _ = read_opening(contest.game, _PLAYERS, contest.options)
        until = now + timedelta(seconds=min(control.start if control else LONGEST_TO_ANSWER, LONGEST_TO_ANSWER))
        host = Guest("", "", self.player.id, "accepted")
        rival = robot_guest(rung.robot) if rung.robot else Guest(self._name(rung), "", rung.player, "asked")
        invitation = Invitation(
            number,
            "challenge",
            contest.game,
            contest.options,
            self.player.id,
            (host, rival),
            now,
            until,
            rated=not rung.robot,
        ).settled()
        self.granted.effects.append(SetInvitation(None, invitation, self.player.id))
        arguments = {"robot": rung.robot} if rung.robot else {}
        self._note(contest, ContestEvent(now, "challenged", self.player.id, rung.player, arguments), number)
        place = ladder.shown.index(rung) + 1
        code = "challenged_robot" if rung.robot else "challenged"
        told: dict[str, Argument] = {"who": self._name(rung), "place": place, "number": number}
        told["title"] = title_of(contest)
        self.granted.tell(code, **told, until=until.isoformat())

    def withdraw(self, contest: Contest, kind: str = "left") -> None:
        """Let the sender leave a ladder, or be ``removed``; challenges by them, and to them, are called off."""
        asked = [one for one in self._read(contest).challenges.values() if one.is_open and one.match is None]
        events = {one.event for one in asked if self.player.id in (one.player, one.rung.player)}
        self._note(contest, ContestEvent(self.act.now, kind, self.player.id))
        for one in self.act.tx.contests.matches(contest.id) if events else ():
            invitation = self.act.tx.invitations.get(one.invitation) if one.event in events else None
            if invitation and invitation.is_open:
                self.granted.effects.append(SetInvitation(invitation, invitation.closed("cancelled"), self.player.id))

    def list_own(self) -> list[Contest]:
        """Return the ladders that the sender is in; a damaged one is left out."""
        known = {one.name: one for one in self.act.tx.contests.of_player(self.player.id, "ladder")}
        begun = {one.contest.name: one.contest for one in self._before}
        return [one for one in (begun | known).values() if self._stands_in(one)]

    def _stands_in(self, contest: Contest) -> bool:
        """Return whether the sender is in a ladder; not in a damaged one, as far as anybody knows."""
        with suppress(DamagedRow):
            return self.player.id in self._read(contest).people
        return False

    def _find(self, name: str) -> Contest | None:
        """Return the ladder of that name, which may yet have to begin; None, and tell why, where there is none."""
        if known := self.act.tx.contests.find("ladder", name):
            return known
        game = find_game(name)
        if game is None or _PLAYERS not in game.seats:
            names = listed(one.key for one in _list_games())
            self.granted.tell("no_ladder" if game is None else "ladder_not_for_two", name=name, names=names)
            return None
        return Contest(0, "ladder", game, game.key, OPTIONS, self.act.now)

    def _find_rungs(self, ladder: Ladder, who: str) -> list[Rung]:
        """Return who is called so in a ladder; a first name is enough where there is no whole one."""
        if (robot := read_robot(who)) is not None:
            return [rung for rung in ladder.shown if rung.robot == robot]
        wanted = who.casefold()
        names = {rung: self._name(rung).casefold() for rung in ladder.shown if rung.player != self.player.id}
        exact = [rung for rung, name in names.items() if name == wanted]
        return exact or [rung for rung, name in names.items() if name.partition(" ")[0] == wanted]

    def _name(self, rung: Rung) -> str:
        """Return the name of whoever stands at a place."""
        player = self.act.tx.players.get(rung.player) if rung.player is not None else None
        return player.name if player else robot_name(rung.robot)

    def _read(self, contest: Contest) -> Ladder:
        """Return how a ladder stands after what this message has led to."""
        if contest.id:
            self.act.tx.contests.lock(contest.id)
        return read_ladder(self.act.tx, contest, self.act.now, self._pending(contest))

    def _pending(self, contest: Contest) -> list[ContestEvent]:
        """Return what this message has led to in a ladder."""
        now = [effect for effect in self.granted.effects if isinstance(effect, NoteContest)]
        return [one.event for one in (*self._before, *now) if one.contest.name == contest.name]

    def _note(self, contest: Contest, event: ContestEvent, invitation: int = 0) -> None:
        """Let something happen in a ladder."""
        self.granted.effects.append(NoteContest(contest, event, invitation))


def _list_games() -> list[Game]:
    """Return the games that there can be a ladder of."""
    return [game for game in GAMES.values() if _PLAYERS in game.seats]
