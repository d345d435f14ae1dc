"""Grants or refuses what a player asks for about starting matches: this stage looks, and writes nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pbem.asking.afterthoughts import Annotating
from pbem.asking.contests.ladders import grant_ladder
from pbem.asking.invitees import People, count_invited, robot_guest
from pbem.asking.lent_seats import take_back
from pbem.asking.limit_table import INVITED
from pbem.asking.seat_wishes import offer_all
from pbem.asking.words_beside import may_reach_strangers
from pbem.clubs.reliability import read_percent
from pbem.commands.asking_effects import SetInvitation, TellStarting
from pbem.commands.effects import Effect
from pbem.commands.families import starting as wishing
from pbem.commands.families.afterthoughts import Afterthought, Allow, TakeOff
from pbem.commands.families.contests.ladders import ChallengeRival, EnterLadder, LadderWish, LeaveLadder, ShowLadders
from pbem.commands.families.contests.leagues import EnterLeague, LeaveLeague, ShowLeagues
from pbem.commands.families.seats import StandInAll, StandInOff
from pbem.due.league.wishes import grant_league
from pbem.mail.headers import mailbox_of
from pbem.mail.marks import mailbox_mark
from pbem.match.game_names import find_game
from pbem.match.invitation import LIFETIMES, Guest, Invitation, InvitationKind, play_again, read_opening, why_unrated
from pbem.match.player import Player
from pbem.match.stints import read_robot, write_robot
from pbem.pipeline.act import Act
from pbem.reading.beside import is_courtesy
from pbem.reading.reason import Reason, because, name_lines
from rules.errors import InvalidOption
from rules.game import Game
from rules.games import GAMES
from rules.phrase import listed

RELIABLE = "reliable"
"""The option of an offer that says how reliable whoever comes has to be."""

MOST_WISHES = 5
"""What one message may ask for of this."""

MOST_OPEN, MOST_MATCHES = 10, 50
"""Open invitations and offers of a player, and running matches."""


def grant(
    act: Act, player: Player, wishes: Iterable[object], told: Sequence[Reason] = (), words: str = ""
) -> tuple[Effect, ...]:
    """Return the effects of what a player asks for, and of telling them so; ``told`` stands before that.

    ``words`` stand beside it: whoever is invited reads them, or who plays when the match opens; else they are named.
    """
    granting = _Granting(act, player, words)
    granting.told.extend(told)
    for number, wish in enumerate(wishes):
        if number == MOST_WISHES:
            granting.tell("too_many_wishes", most=MOST_WISHES)
            break
        granting.grant(wish)
    lines = [line for line in words.split("\n") if not is_courtesy(line)]
    if lines and not granting.said:
        granting.tell("words_beside", lines=name_lines(lines))
    return granting.effects()


class _Granting:
    """The wishes of a message while they are granted: what has changed so far, and what its sender is told."""

    def __init__(self, act: Act, player: Player, words: str) -> None:
        self.act, self.player, self.words = act, player, words
        self.said = False
        self.told: list[Reason] = []
        self._changed: dict[int, SetInvitation] = {}
        self._others: list[Effect] = []
        self._asked = dict[str, bool]()
        self._of_seats: list[bool] = []
        self._ladders: list[str] = []
        self._people = People(act, player)
        self._annotating = Annotating(act, player)
        self._next = act.tx.invitations.next_number()

    def effects(self) -> tuple[Effect, ...]:
        """Return everything that is to be done; whoever takes the last place is told by the match that opens."""
        telling: tuple[Effect, ...] = ()
        self._others += self._annotating.effects()
        if self.told or self._asked or self._ladders:
            of_seats = any(self._of_seats) and all(self._of_seats)
            told, ladders = tuple(dict.fromkeys(self.told)), tuple(dict.fromkeys(self._ladders))
            telling = (TellStarting(self.player, told, seats=of_seats, ladders=ladders, **self._asked),)
        return (*self._changed.values(), *self._others, *telling)

    def tell(self, code: str, **arguments: str | int) -> None:
        """Tell the sender something."""
        self.told.append(because(code, **arguments))

    def grant(self, wish: object) -> None:
        """Grant one wish, or tell why not."""
        of_what_they_have = StandInOff | StandInAll | Afterthought | TakeOff | Allow | LadderWish
        self._of_seats.append(isinstance(wish, of_what_they_have))
        match wish:
            case wishing.ListOffers():
                self._asked["offers"] = True
            case wishing.HelpStarting():
                self._asked["helps"] = True
            case wishing.HelpGames(tried):
                self._asked["games"] = True
                if tried and (game := self._find_game(tried)):
                    self.tell("nobody_invited", example=f"new {game.key} bob@example.org")
            case wishing.HelpRobots() if self.act.site.robots:
                self.tell("robots_help", most=self.act.site.robots, matches=self.act.site.robot_matches)
            case wishing.HelpRobots():
                self.tell("robots_off")
            case wishing.CallOff(number):
                self._withdraw(number)
            case wishing.RefuseFrom(who, refused):
                self._do(*self._people.refuse(who, refused))
            case wishing.Invite():
                self._invite(wish)
            case wishing.Seek():
                self._seek(wish)
            case wishing.Join(number):
                self._join(number)
            case wishing.AgainIn(number):
                self._again(number)
            case EnterLeague() | LeaveLeague() | ShowLeagues():
                self._do(*grant_league(self.act, self.player, wish))
            case StandInOff(number):
                self._do(*take_back(self.act.tx, self.player, number, self.act.now))
            case Afterthought() | TakeOff() | Allow():
                self._do(*self._annotating.grant(wish))
            case StandInAll():
                self._do(*offer_all(self.act, self.player, wish))
            case EnterLadder() | LeaveLadder() | ShowLadders() | ChallengeRival():
                self._grant_ladder(wish)

    def _grant_ladder(self, wish: LadderWish) -> None:
        """Grant a wish about ladders; a challenge is a new invitation, too."""
        running = self._count_matches() if isinstance(wish, ChallengeRival) else 0
        found = grant_ladder(self.act, self.player, wish, self._next, self._others, running, MOST_MATCHES)
        self._do(found.effects, found.told)
        self._ladders += found.shown
        self._next += sum(isinstance(one, SetInvitation) and one.before is None for one in found.effects)

    def _do(self, effects: Sequence[Effect], told: Sequence[Reason]) -> None:
        """Do something that was granted elsewhere, and tell the sender of it."""
        self._others += effects
        self.told += told

    def _invite(self, wish: wishing.Invite) -> None:
        """Invite the people who are named."""
        game = self._find_game(wish.game)
        if game is None:
            return
        guests = [self._find_guest(text) for text in wish.people]
        if not wish.people:
            self.tell("nobody_invited", example=f"new {game.key} bob@example.org")
            return
        if wish.both and len(wish.people) != 1:
            self.tell("pair_is_for_two")
            return
        if RELIABLE in wish.options:
            self.tell("reliable_is_for_offers", line=str(wish))
            return
        known = [guest for guest in guests if guest is not None]
        people = [guest for guest in known if read_robot(guest.email) is None]
        keys = [guest.player if guest.player is not None else mailbox_of(guest.email) for guest in people]
        if len(known) == len(guests) and (self.player.id in keys or len(keys) > len(set(keys))):
            self.tell("invited_twice")
            return
        if len(known) < len(guests) or not self._may_open(game, len(guests) + 1, wish.options):
            return
        robots = [strength for guest in known if (strength := read_robot(guest.email)) is not None]
        if wish.both and robots and (why := self._people.why_no_robot(max(robots), self._count_robots() + 1)):
            self.told.append(why)
            return
        invited_today = count_invited(self.act.tx, self.player, self.act.now)
        invited_today += sum(len(one.after.guests) - 1 for one in self._changed.values() if one.before is None)
        if invited_today + len(people) > INVITED.most:
            self.tell("invited_enough", most=INVITED.most)
            return
        host = Guest("", "", self.player.id, "accepted")
        invitation = self._new("named", game, wish.options, [host, *known])
        invitation = replace(invitation, both=wish.both, private=wish.private, rated=wish.rated)
        if invitation.rated and (code := why_unrated(invitation)):
            self.tell(code)
            return
        self._set(None, self._saying(invitation))
        by_address = self.words and any("@" in text for text in wish.people)
        if by_address and not may_reach_strangers(self.act.tx, self.player, self.words):
            self.tell("words_to_players", lines=name_lines(self.words.split("\n")))
        told = [guest.called for guest in people if guest.state != "unasked"]
        if told:
            self._tell_number("invited_both" if wish.both else "invited", invitation, told)
        if unasked := [guest.called for guest in known if guest.state == "unasked"]:
            self._tell_number("may_not_ask", invitation, unasked, address=self.act.site.address)

    def _seek(self, wish: wishing.Seek) -> None:
        """Offer a match to whoever comes first."""
        game = self._find_game(wish.game)
        if game is None:
            return
        options = dict(wish.options)
        asked = options.pop(RELIABLE, "")
        least = read_percent(asked) if asked else 0
        if least is None:
            self.tell("not_so_reliable", value=asked)
            return
        typed = options.pop("players", options.pop("seats", str(game.seats[0])))
        seats = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 3 else 0
        robots = [self._find_guest(write_robot(strength)) for strength in wish.robots]
        known = [guest for guest in robots if guest is not None]
        seats = max(seats, 1 + len(robots)) if seats else 0
        if len(known) < len(robots) or not self._may_open(game, seats, options):
            return
        host, free = Guest("", "", self.player.id, "accepted"), Guest("", "", None, "free")
        invitation = self._new("open", game, options, [host, *known, *[free] * (seats - 1 - len(known))])
        invitation = replace(invitation, rated=wish.rated, reliable=least)
        if invitation.rated and (code := why_unrated(invitation)):
            self.tell(code)
            return
        self._set(None, invitation)
        if invitation.is_open:
            self._tell_number("offered", invitation, [])

    def _join(self, number: int) -> None:
        """Let the sender take their place in a match to be."""
        invitation = self._get(number)
        seat = self._seat_in(invitation) if invitation else None
        if invitation is None or seat is None or not invitation.is_open:
            self.tell("no_offer", number=number)
        elif invitation.guests[seat].state == "accepted":
            self.tell("joined_already", number=number)
        elif self._count_matches() >= MOST_MATCHES:
            self.tell("matches_enough", most=MOST_MATCHES)
        elif why := self._why_no_robots(invitation) or self._people.why_unreliable(invitation):
            self.told.append(why)
        else:
            guest = invitation.guests[seat]
            called = guest.called or self.player.name
            after = invitation.after(seat, Guest(called, "", self.player.id, "accepted", self.words))
            self.said = True
            self._set(invitation, after)
            if after.is_open:
                self.tell("joined", number=number, count=len(after.awaited))

    def _seat_in(self, invitation: Invitation) -> int | None:
        """Return the place in a match to be that the sender may take: their own, or one that is free."""
        own = invitation.seat_for(self.player.id, self.player.emails)
        if own is not None or invitation.kind != "open":
            return own
        free = [seat for seat, guest in enumerate(invitation.guests) if guest.state == "free"]
        return None if not free or self._people.are_apart(invitation) else free[0]

    def _why_no_robots(self, invitation: Invitation) -> Reason | None:
        """Return why the sender can't be in another match with robots, if there are any in it."""
        if not invitation.robots or invitation.inviter == self.player.id:
            return None
        return self._people.why_no_robot(max(invitation.robots), self._count_robots())

    def _count_robots(self) -> int:
        """Return how many matches with robots the wishes so far have led to."""
        return sum(1 + one.after.both for one in self._changed.values() if one.after.robots)

    def _withdraw(self, number: int | None) -> None:
        """Take back an invitation or offer, or all offers; or leave that of somebody else."""
        if number is None:
            mine = [one for one in self.act.tx.invitations.open_of(self.player.id) if one.inviter == self.player.id]
            offers = [one for one in mine if one.kind == "open"]
            for one in offers:
                self._set(one, one.closed("cancelled"))
            self.tell("unsought" if offers else "no_own_offer", count=len(offers))
            return
        invitation = self._get(number)
        if invitation is None or not invitation.is_open:
            self.tell("no_offer", number=number)
        elif invitation.inviter == self.player.id:
            self._set(invitation, invitation.closed("cancelled"))
            self.tell("withdrawn", number=number)
        elif (seat := invitation.seat_for(self.player.id, self.player.emails)) is None:
            self.tell("no_offer", number=number)
        elif invitation.kind == "open":
            self._set(invitation, invitation.after(seat, Guest("", "", None, "free")))
            self.tell("left_offer", number=number)
        else:
            guest = replace(invitation.guests[seat], state="declined")
            self._set(invitation, invitation.after(seat, guest).closed("declined"))
            inviter = self.act.tx.players.get(invitation.inviter)
            code = "challenge_refused" if invitation.kind == "challenge" else "declined"
            self.tell(code, number=number, who=inviter.name if inviter else "")

    def _again(self, number: int) -> None:
        """Propose to play a match again, or agree to that."""
        match = self.act.tx.matches.get(number)
        if match is None or self.player.id not in [player.id for player in match.players]:
            self.tell("no_match_again", number=number)
            return
        if match.outcome is None:
            self.tell("again_too_early", number=number)
            return
        known = self.act.tx.invitations.of_match(number)
        known = self._get(known.id) if known else None
        if known and known.is_open:
            self._join(known.id)
            return
        if known and known.state == "declined":
            self.tell("again_declined", number=number)
            return
        if known and known.state in ("agreed", "opened"):
            self.tell("again_begun", number=number)
            return
        if any(player.forgotten for player in match.players):
            self.tell("again_former", number=number)
            return
        invitation = play_again(match, self.player, self._next, self.act.now)
        for strength in invitation.robots:
            if why := self._people.why_no_robot(strength, self._count_robots()):
                self.told.append(why)
                return
        if not self._may_open(invitation.game, len(invitation.guests), invitation.options):
            return
        guests = tuple(
            guest if guest.state == "accepted" else replace(guest, state=self._people.state_of(guest.player))
            for guest in invitation.guests
        )
        self._set(None, self._saying(replace(invitation, guests=guests)).settled())
        others = [guest.called for guest in guests if guest.state in ("asked", "hidden")]
        if others:
            self._tell_number("again_proposed", invitation, others)
        if unasked := [guest.called for guest in guests if guest.state == "unasked"]:
            self._tell_number("may_not_ask", invitation, unasked, address=self.act.site.address)

    def _find_game(self, name: str) -> Game | None:
        """Return the game of that name; None, and tell which there are, for another name."""
        game = find_game(name)
        if game is None:
            self.tell("no_game", game=name, games=", ".join(GAMES))
        return game

    def _find_guest(self, text: str) -> Guest | None:
        """Return whom a text names as a guest; None, and tell why, where that is nobody whom the sender may invite."""
        if (strength := read_robot(text)) is not None:
            found = self._people.why_no_robot(strength, self._count_robots()) or robot_guest(strength)
        else:
            found = self._people.find_guest(text, sum(len(one.marks) for one in self._changed.values()))
        if isinstance(found, Guest):
            return found
        self.told.append(found)
        return None

    def _may_open(self, game: Game, seats: int, options: Mapping[str, str]) -> bool:
        """Return whether the sender may propose such a match; tell why not."""
        try:
            read_opening(game, seats, options)
        except InvalidOption as error:
            self.told.append(because("not_such_a_match", why=error.sentence))
            return False
        own = [one for one in self.act.tx.invitations.open_of(self.player.id) if one.inviter == self.player.id]
        if len(own) + sum(one.before is None for one in self._changed.values()) >= MOST_OPEN:
            self.tell("open_enough", most=MOST_OPEN)
            return False
        if self._count_matches() >= MOST_MATCHES:
            self.tell("matches_enough", most=MOST_MATCHES)
            return False
        return True

    def _count_matches(self) -> int:
        """Return how many matches the sender plays, or is about to."""
        return self.act.tx.invitations.count_matches(self.player.id)

    def _saying(self, invitation: Invitation) -> Invitation:
        """Return a new invitation with the words beside it."""
        self.said = True
        return invitation.saying(self.words)

    def _get(self, number: int) -> Invitation | None:
        """Return an invitation as the wishes so far have left it."""
        changed = self._changed.get(number)
        return changed.after if changed else self.act.tx.invitations.get(number)

    def _new(self, kind: InvitationKind, game: Game, options: Mapping[str, str], guests: Sequence[Guest]) -> Invitation:
        """Return a new invitation."""
        until = self.act.now + LIFETIMES[kind]
        made = Invitation(self._next, kind, game, options, self.player.id, tuple(guests), self.act.now, until)
        return made.settled()

    def _set(self, before: Invitation | None, after: Invitation) -> None:
        """Change an invitation; what it was before the message stays known."""
        known = self._changed.get(after.id)
        asked = [guest.email for guest in after.guests if before is None and guest.state == "asked" and guest.email]
        marks = tuple(mailbox_mark(mailbox_of(email), self.act.site.secret) for email in asked)
        first, marks = (known.before, known.marks) if known else (before, marks)
        written = marks if after.state in ("open", "agreed") else ()  # to nobody, where it is taken back at once
        self._changed[after.id] = SetInvitation(first, after, self.player.id, written)
        self._next += before is None

    def _tell_number(self, code: str, invitation: Invitation, people: Sequence[str], **more: str) -> None:
        """Tell the sender of an invitation, by its number, who is meant and what is to be played."""
        who = listed(people)
        self.told.append(because(code, number=invitation.id, game=invitation.game.title, who=who, **more))
