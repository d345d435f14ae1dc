"""Every kind of question that asks somebody for a yes: how they come to be asked, and what their yes changes."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage

from pbem.running.service import Arrival
from tests.support.clocks import opened
from tests.support.club import PLAYERS, Club
from tests.support.fakes import FakeClock
from tests.support.laid import Laid

ANN, BOB, CARL = "ann@a.example", "bob@b.example", "carl@c.example"
DORA, EVE, NEW, ZOE = "dora@d.example", "eve@e.example", "ann@new.example", "zoe@z.example"
FURTHER = ("confirm_address", "own_address", "invitation", "seat_offered", "second_offered", "seat_question")
"""The kinds of the emails by which a yes may have somebody else asked."""


@dataclass(frozen=True)
class Asked:
    """A kind of question.

    ``ask`` lets the ``reader`` be sent an email of the kind ``email``, in a club where nothing was, by what the
    ``asker`` wrote; ``grants`` tells whether their ``yes`` was carried out. ``seat`` is a match and a seat of the
    reader, None for who has none. After ``days`` a yes is too late; ``withdraw`` takes back what was asked.
    """

    name: str
    email: str
    asker: str
    reader: str
    seat: tuple[int, int] | None
    ask: Callable[[Club], object]
    grants: Callable[[Club], bool]
    yes: str = "yes"
    days: int = 14
    withdraw: Callable[[Club], Arrival] | None = None
    settings: Mapping[str, object] = field(default_factory=dict)

    def begin(self, club: Club) -> EmailMessage:
        """Let somebody be asked; return the email that asks."""
        self.ask(club)
        (*_, mail) = (mail for mail in club.queued(kind=self.email) if mail.recipient == self.reader)
        return club.mail(mail)


@dataclass(frozen=True)
class Posed:
    """A club, the kind of question that somebody was just asked in it, and the email that asks."""

    club: Club
    kind: Asked
    question: EmailMessage

    def answer(self, words: str = "", **headers: str) -> Arrival:
        """Let the reader of the question answer it: with their yes, unless told otherwise."""
        return self.club.service.hand_in(self.club.answer(self.question, words or self.kind.yes, **headers))

    def granted(self) -> bool:
        """Return whether the yes was carried out."""
        return self.kind.grants(self.club)

    def newest_to(self, address: str, match: int | None = None) -> EmailMessage:
        """Return the newest email to an address, but for the question; of a match, if one is given."""
        for mail in reversed(self.club.queued()):
            if mail.recipient == address and match in (None, mail.match):
                found = self.club.mail(mail)
                if found["Message-ID"] != self.question["Message-ID"]:
                    return found
        raise LookupError(f"no other email to {address}")


def owner_of(club: Club, address: str) -> str | None:
    """Return whose address it is."""
    with club.service.database.reading() as tx:
        player = tx.players.find(address)
    return player.name if player else None


def names(club: Club) -> list[str]:
    """Return the names of all players."""
    with club.service.database.reading() as tx:
        return [name for _, name in tx.players.named()]


def world(club: Club) -> object:
    """Return all that a yes can change: matches, players, whose an address is, who follows, who was asked further."""
    with club.service.database.reading() as tx:
        numbers = sorted(tx.matches.numbers(club.clock.now()))
        matches = [found for number in numbers if (found := tx.matches.get(number))]
        return (
            [
                (
                    [(player.name, sorted(player.emails), player.preferences.muted) for player in match.players],
                    [entry.text for entry in match.record],
                    match.outcome is None,
                    match.open_agreement and (match.open_agreement.kind, match.open_agreement.agreed),
                    match.clock and (match.clock.pause, match.clock.proposal),
                    match.robots,
                    [one.player.name for one in match.seconds],
                )
                for match in matches
            ],
            tx.players.named(),
            [tx.followers.of_address(address) for address in (ANN, BOB, EVE, ZOE)],
            sorted(
                (mail.kind, mail.recipient)
                for mail in tx.outbound.latest(status=None, limit=1000)
                if mail.kind in FURTHER
            ),
        )


def settle(club: Club) -> None:
    """Let a minute pass, and what is due happen."""
    club.clock.advance(timedelta(minutes=1))
    club.service.run_due()


# How somebody comes to be asked.


def _begin(club: Club) -> None:
    """Ann plays Bob, and is to act."""
    club.open()


def _forge_address(club: Club) -> None:
    """Ann's email is answered from an address of nobody."""
    _begin(club)
    club.reply(0, "c3", From=NEW)


def _claim_address(club: Club) -> None:
    """Ann says that it was she."""
    _forge_address(club)
    club.answer_kind("was_this_you", -1, "yes")


def _name_address(club: Club) -> None:
    """Ann names another address of hers."""
    _begin(club)
    club.reply(0, f"address {NEW}")


def _own_address(club: Club) -> None:
    """That address says yes, and Ann is asked for the last time."""
    _name_address(club)
    club.answer_kind("confirm_address", -1, "yes")


def _watch(club: Club) -> None:
    """Somebody writes in Zoe's name that she wants to follow the match."""
    _begin(club)
    club.write("watch 1", ZOE)


def _sign_up(club: Club) -> None:
    """Somebody writes in Zoe's name that she wants to play."""
    _begin(club)
    club.write("sign up Zoe", ZOE)


def _wish(club: Club) -> None:
    """Somebody writes in Ann's name, without a reply token, that she invites Zoe."""
    _begin(club)
    club.write(f"new pipline {ZOE} size=5", ANN)


def _invite(who: str) -> Callable[[Club], None]:
    """Ann invites somebody."""

    def ask(club: Club) -> None:
        _begin(club)
        club.reply(0, f"new pipline {who} size=5")

    return ask


def _again(club: Club) -> None:
    """Ann would like to play once more, after the end."""
    _begin(club)
    club.reply(0, "resign")
    club.reply(0, "again")


def _two(club: Club, *moves: str) -> None:
    """Ann plays Bob in a match that has begun, and Dora plays somebody else."""
    opened(club, *(moves or ("c3",)))
    club.open("pipline", (f"Dora <{DORA}>", PLAYERS[2]))
    settle(club)


def _stand_in(who: str) -> Callable[[Club], None]:
    """Ann names a stand-in."""

    def ask(club: Club) -> None:
        _two(club)
        club.reply(0, f"standin {who} until 9 dec")

    return ask


def _stand_in_all(club: Club) -> None:
    """Ann names a stand-in for all her matches."""
    opened(club, "c3")
    _two(club)
    club.reply(0, "standin all Dora until 9 dec")


def _second(who: str) -> Callable[[Club], None]:
    """Ann asks somebody to vote on her moves."""

    def ask(club: Club) -> None:
        _two(club)
        club.reply(0, f"second {who}")

    return ask


def _replace(club: Club) -> None:
    """Ann, who waits for Bob, proposes that Dora play on for him."""
    _two(club)
    club.reply(0, "replace Bob with Dora")


def _replaced(club: Club) -> None:
    """Dora says yes, and Bob is asked."""
    _replace(club)
    club.answer_kind("seat_offered", -1, "yes")
    settle(club)


def _lend_to_robot(club: Club) -> None:
    """Bob calls in a robot."""
    club.open("pipline", PLAYERS[:2], size=9)
    club.reply(0, "c3")
    club.reply(1, "standin robot:1 until 9 dec")
    settle(club)


def _want_seat_back(club: Club) -> None:
    """Dora stands in for Ann, and somebody writes in Ann's name, without a token, that she is back."""
    _stand_in("Dora")(club)
    club.answer_kind("seat_offered", -1, "yes")
    settle(club)
    club.write("standin off 1", ANN)


def _unproven(club: Club) -> None:
    """Somebody writes a move in Ann's name, without a token."""
    _begin(club)
    club.write("c3", ANN, Subject="[pbem 1] Pipline")


def _forget(club: Club) -> None:
    """Somebody writes in Ann's name that she wants to be forgotten."""
    _begin(club)
    club.write("forget me", ANN)


def _resign_below(club: Club) -> None:
    """Bob writes that word below others."""
    opened(club, "c3")
    club.reply(1, "Hello!\nresign")


def _resign_by_old_email(club: Club) -> None:
    """Somebody gives the match up in Ann's name, with an email of an earlier turn."""
    _begin(club)
    old = club.newest(0)
    club.reply(0, "c3")
    club.service.hand_in(club.answer(old, "resign"))


def _near_miss(club: Club) -> None:
    """Ann mistypes her move."""
    _begin(club)
    club.reply(0, "c33")


def _offer(words: str) -> Callable[[Club], None]:
    """Ann offers something to Bob, who is to act."""

    def ask(club: Club) -> None:
        opened(club, "c3", "take", "d4")
        club.reply(0, words)
        asyncio.run(club.service.deliver())

    return ask


def _propose(club: Club) -> None:
    """Ann proposes a move to Carl, her partner, who is to act."""
    club.open("zipline", PLAYERS)
    club.reply(0, "c3")
    club.reply(1, "take")
    club.reply(0, "propose d4")


def _remark(club: Club) -> None:
    """Dora would like to write under a move of Ann and Bob, whose match is over; Ann agrees."""
    _begin(club)
    club.reply(0, "resign")
    club.open("pipline", (f"Dora <{DORA}>", PLAYERS[2]))
    club.reply(0, "comment 1#1 Well opened", match=2)
    club.answer_kind("comment_asked", 0, "yes")


# What a yes changes.


def _stands(club: Club) -> bool:
    """Return whether anything stands under a move of the first match."""
    with club.service.database.reading() as tx:
        return tx.thoughts.published([1]) != {}


def _opens(number: int) -> Callable[[Club], bool]:
    """Return whether the match of this number has been opened."""

    def grants(club: Club) -> bool:
        with club.service.database.reading() as tx:
            return tx.matches.count() >= number

    return grants


def _has_seat(name: str, seat: int = 0) -> Callable[[Club], bool]:
    return lambda club: club.match().players[seat].name == name


def _votes(name: str) -> Callable[[Club], bool]:
    return lambda club: name in [one.name for one in club.match().seconds_of(0)]


def _played(*moves: str) -> Callable[[Club], bool]:
    return lambda club: club.moves()[-len(moves) :] == list(moves)


def _is_player(club: Club) -> bool:
    return owner_of(club, ZOE) is not None


def _follows(club: Club) -> bool:
    with club.service.database.reading() as tx:
        return tx.followers.of_address(ZOE) != []


def _resigned(seat: int) -> Callable[[Club], bool]:
    return lambda club: any((entry.seat, entry.text) == (seat, "resign") for entry in club.match().record)


def _agreed(club: Club) -> bool:
    return any(offer.state == "agreed" for offer in club.match().agreements)


def _pauses(club: Club) -> bool:
    clock = club.match().clock
    return clock is not None and clock.pause is not None


def _asks(kind: str, reader: str) -> Callable[[Club], bool]:
    return lambda club: any(mail.recipient == reader for mail in club.queued(kind=kind))


def _owns(club: Club) -> bool:
    return owner_of(club, NEW) == "Ann"


def _say(words: str, seat: int = 0) -> Callable[[Club], Arrival]:
    """Let somebody answer the newest email to their seat."""
    return lambda club: club.reply(seat, words)


KINDS: tuple[Asked, ...] = (
    Asked("was this you", "was_this_you", NEW, ANN, (1, 0), _forge_address, _asks("confirm_address", NEW)),
    Asked(
        *("whose address is it", "confirm_address", ANN, NEW, None, _claim_address, _owns),
        withdraw=lambda club: club.answer_kind("was_this_you", -1, "no"),
    ),
    Asked("another address of a player", "confirm_address", ANN, NEW, None, _name_address, _asks("own_address", ANN)),
    Asked(
        *("an address that said yes", "own_address", NEW, ANN, (1, 0), _own_address, _owns),
        withdraw=lambda club: club.answer_kind("confirm_address", -1, "no"),
    ),
    Asked("following", "confirm_follow", ZOE, ZOE, None, _watch, _follows),
    Asked(*("signing up", "confirm_start", ZOE, ZOE, None, _sign_up, _is_player), settings={"new_matches": "anybody"}),
    Asked("a wish without a token", "confirm_start", ANN, ANN, (1, 0), _wish, _asks("invitation", ZOE)),
    Asked(
        *("invitation of a stranger", "invitation", ANN, ZOE, None, _invite(ZOE), _opens(2), "yes Zoe"),
        withdraw=_say("cancel 1"),
    ),
    Asked(
        *("invitation of a player", "invitation", ANN, BOB, (1, 1), _invite("Bob"), _opens(2)),
        withdraw=_say("cancel 1"),
    ),
    Asked("rematch", "invitation", ANN, BOB, (1, 1), _again, _opens(2), withdraw=_say("cancel 1")),
    Asked(
        *("stand-in", "seat_offered", ANN, DORA, (2, 0), _stand_in("Dora"), _has_seat("Dora")),
        withdraw=_say("standin off"),
    ),
    Asked(
        *("stand-in who is a stranger", "seat_offered", ANN, ZOE, None, _stand_in(ZOE), _has_seat("Zoe"), "yes Zoe"),
        withdraw=_say("standin off"),
    ),
    Asked(
        *("stand-in everywhere", "seat_offered", ANN, DORA, (3, 0), _stand_in_all, _has_seat("Dora")),
        withdraw=_say("standin off"),
    ),
    Asked(
        *("voting on a seat", "second_offered", ANN, DORA, (2, 0), _second("Dora"), _votes("Dora")),
        withdraw=_say("second off"),
    ),
    Asked(
        *("voting as a stranger", "second_offered", ANN, ZOE, None, _second(ZOE), _votes("Zoe"), "yes Zoe"),
        withdraw=_say("second off"),
    ),
    Asked("playing on for somebody", "seat_offered", ANN, DORA, (2, 0), _replace, _asks("seat_question", BOB)),
    Asked("being replaced", "seat_question", ANN, BOB, (1, 1), _replaced, _has_seat("Dora", 1)),
    Asked(
        *("a robot as a stand-in", "seat_question", BOB, ANN, (1, 0), _lend_to_robot, _has_seat("Robot 1", 1)),
        days=20,
        withdraw=_say("standin off", 1),
    ),
    Asked("having a seat back", "confirm_start", ANN, ANN, None, _want_seat_back, _has_seat("Ann")),
    Asked("a move without a token", "unproven", ANN, ANN, (1, 0), _unproven, _played("c3")),
    Asked(
        "being forgotten", "forget", ANN, ANN, (1, 0), _forget, lambda club: owner_of(club, ANN) is None, "forget me"
    ),
    Asked("resigning below other words", "resigning", BOB, BOB, (1, 1), _resign_below, _resigned(1)),
    Asked("resigning by an old email", "confirm", ANN, ANN, (1, 0), _resign_by_old_email, _resigned(0), "resign"),
    Asked("near miss", "move_rejected", ANN, ANN, (1, 0), _near_miss, _played("c3")),
    Asked(
        *("words under a move", "comment_asked", DORA, BOB, (1, 1), _remark, _stands),
        withdraw=lambda club: club.reply(0, "comment off 1#1", match=2),
        settings={"archive_url": "https://games.example"},
    ),
    Asked("draw", "time_news", ANN, BOB, (1, 1), _offer("draw"), _agreed, withdraw=_say("draw off")),
    Asked("undo", "time_news", ANN, BOB, (1, 1), _offer("undo"), _agreed, withdraw=_say("undo off")),
    Asked("pause", "time_news", ANN, BOB, (1, 1), _offer("pause 10d"), _pauses, withdraw=_say("pause off")),
    Asked("proposal to a partner", "proposal", ANN, CARL, (1, 2), _propose, _played("d4")),
)


BY_NAME: Mapping[str, Asked] = {kind.name: kind for kind in KINDS}


class Clubs:
    """Clubs in which somebody has just been asked."""

    def __init__(self, laid: Laid) -> None:
        self._laid = laid

    def asked(self, kind: Asked) -> Posed:
        """Return a club in which somebody was asked."""
        club, question = self._laid.after(kind.begin, kind.settings)
        assert isinstance(question, EmailMessage)
        return Posed(club, kind, question)

    def restored(self, kind: Asked) -> Posed:
        """Return a club whose backup of before was restored, and in which somebody was asked an hour later."""
        later = FakeClock().now() + timedelta(hours=1)
        club = self._laid.fresh(now=later, dice=2000, written=1000, settings=kind.settings)
        return Posed(club, kind, kind.begin(club))
