"""How a message can end other than accepted, as exceptions; ``pipeline.process`` catches them.

    Declined
    ├── Discard            kept, never answered: automatic email, or nothing to answer
    └── Rejection          answered with the template of its ``kind``; nothing is carried out
        ├── UnknownSender      nobody we know
        ├── UnknownMatch       no reply token of ours, or that of another player
        ├── UnknownAddress     a right reply token, but an address that is not confirmed yet
        ├── StaleTurn          the match has gone on since the notice that is answered
        ├── SetBack            the notice that is answered shows a later position: a backup was restored
        ├── NotYourTurn        a move by a seat that is not to act
        ├── AlreadyOver        a move or a resignation in a match that has ended
        ├── NoCommand          nothing in it that can be carried out
        ├── MoveRejected       the rules say no
        ├── SeveralMoves       two different moves where one is due
        ├── PlanRefused        a plan that the rules, or the match, do not allow
        ├── Opaque             encrypted, or an attachment alone: nothing that we can open
        ├── TooLarge           more than we read
        ├── Unread             readable by itself, but more than anybody types, or too slow to read
        ├── OldMail            an answer to an email so old that its reply token has expired
        ├── OfferOpen          a yes or a no to what we proposed, by which it is not settled
        ├── Unconfirmed        a resignation, or a new reply address, asked for in answer to an older email
        ├── Resigning          a resignation below other words, which may be part of them
        ├── Held               a move that its player can take back for some minutes; then it is carried out
        ├── Unproven           a move in the name of whoever is to act, without a reply token
        ├── NotStarted         an answer to a question outside a seat by which it is not settled
        │   └── VoteRefused        that of a second, which is neither a vote nor words to their side
        ├── NotFollowing       what was asked about following a match cannot be done
        ├── OnlyWatching       a follower's answer to an email about a match that they follow, as if they played
        ├── NotAuthentic       nothing proves that it comes from its sender, and the host requires that
        ├── Flooding           one of many messages that led to nothing within an hour
        ├── TooMuch            more lines, or more commands, than one message may have
        └── TooOften           more email in a day than one player may cause, or may get

Every Rejection has a ``code``, which is its kind unless there is a closer word, and the code's ``arguments``.
A bug is none of these: it ends the message as failed.
"""

from datetime import datetime
from typing import ClassVar

from pbem.reading.reason import Reason, because
from rules.errors import RulesError
from rules.phrase import Argument, Arguments
from rules.position import Seat


class Declined(Exception):
    """A message that is not carried out; ``reason`` is the word kept with it, ``code`` says more closely why."""

    reason: str
    code: str


class Discard(Declined):
    """The message is kept and not answered; ``detail`` is a clause for the operator, or empty.

    ``match`` and ``seat`` say what it is about, where that is not the match that it answers.
    """

    def __init__(self, reason: str, detail: str = "", *, match: int | None = None, seat: Seat | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = reason.replace(" ", "_")
        self.detail = detail
        self.match = match
        self.seat = seat


class Rejection(Declined):
    """The message is answered with the template ``kind``; notices have a sentence for its ``code``, or none.

    ``private``: the operator does not see what the arguments quote.
    """

    kind: ClassVar[str]

    def __init__(self, code: str = "", *, private: bool = False, **arguments: Argument) -> None:
        super().__init__(code or self.kind)
        self.reason = self.kind
        self.code = code or self.kind
        self.arguments: Arguments = arguments
        self.private = private


class UnknownSender(Rejection):
    """The address is nobody's."""

    kind = "unknown_sender"


class UnknownMatch(Rejection):
    """A known player, but no reply token of theirs says which match is meant."""

    kind = "unknown_match"


class UnknownAddress(Rejection):
    """The reply token is right, but the address is not known to be its player's; ``asks``: they are asked about it.

    ``noted`` is a clause for the operator.
    """

    kind = "unknown_address"

    def __init__(self, noted: str, *, asks: bool) -> None:
        super().__init__()
        self.noted = noted
        self.asks = asks


class StaleTurn(Rejection):
    """The match has gone on since the notice that is answered."""

    kind = "stale_turn"


class SetBack(Rejection):
    """The notice that is answered shows a later position: the database was restored from a copy since."""

    kind = "set_back"


class NotYourTurn(Rejection):
    """A move by a seat that is not to act."""

    kind = "not_your_turn"


class AlreadyOver(Rejection):
    """The match has ended."""

    kind = "already_over"


class NoCommand(Rejection):
    """Nothing in the message can be carried out; ``asides`` say so of some of its lines."""

    kind = "no_command"

    def __init__(
        self, code: str = "", *, private: bool = False, asides: tuple[Reason, ...] = (), **arguments: Argument
    ) -> None:
        super().__init__(code, private=private, **arguments)
        self.asides = asides


class PlanRefused(Rejection):
    """A plan cannot be kept; ``why`` says so. The operator does not read it."""

    kind = "plan_refused"

    def __init__(self, why: Reason) -> None:
        super().__init__(why.code, private=True)
        self.why = why


class MoveRejected(Rejection):
    """The rules say no to the line ``text``, in the position after the moves ``above`` it, which are not made either.

    The code and its arguments are those of ``error``, which has the sentence.
    """

    kind = "move_rejected"

    def __init__(self, error: RulesError, text: str, above: tuple[str, ...] = ()) -> None:
        super().__init__(error.code)
        self.arguments = error.arguments
        self.error = error
        self.text = text
        self.above = above


class SeveralMoves(Rejection):
    """Two different moves where one is due."""

    kind = "several_moves"


class Opaque(Rejection):
    """The content lies in something that we cannot open; ``code`` says in what."""

    kind = "sealed"


class TooLarge(Rejection):
    """The message is larger than what we read."""

    kind = "too_large"


class Unread(Rejection):
    """The text is longer than anybody types, or takes too long to read; ``code`` says which of them."""

    kind = "unread"


class OldMail(Rejection):
    """The reply token has expired: the match went on long ago."""

    kind = "old_mail"


class OfferOpen(Rejection):
    """A yes or a no to an email that proposed something, which settles nothing; ``offered`` is offered once more.

    ``code`` says why: the email proposed several things, or a word that each player has to write, or they said no, or
    neither clearly. ``again`` is the number of the question that can be answered then, if it is the same one.
    """

    kind = "offer_open"

    def __init__(
        self,
        code: str,
        *,
        offered: tuple[str, ...] = (),
        again: int | None = None,
        private: bool = False,
        **arguments: Argument,
    ) -> None:
        super().__init__(code, private=private, **arguments)
        self.offered = offered
        self.again = again


class Unconfirmed(Rejection):
    """What cannot be taken back was asked for in answer to an older email; ``command`` is the word that asks for it.

    Older emails lie in many places, so the player is asked by a new one.
    """

    kind = "confirm"


class Held(Rejection):
    """The message has a ``move`` that can be taken back ``until`` then; it is carried out after that.

    Without a move: another one waits already, and this message is not carried out.
    """

    kind = "unsent"

    def __init__(self, move: str, until: datetime) -> None:
        super().__init__("" if move else "another_held")
        self.move, self.until = move, until
        self.told = because("held" if move else self.code, move=move, until=until.isoformat())


class Resigning(Rejection):
    """The match was given up below other words, where it may be part of them: the player is asked, and a yes does it.

    ``offered`` is what the yes says: the email that asks is answered by its reader alone.
    """

    kind = "resigning"
    offered = ("i resign",)


class Unproven(Rejection):
    """A legal ``move`` in a match, in the name of the player at ``seat``, whose turn it is, without a reply token.

    Anybody can write a name, so the player is asked by an email that proposes the move.
    """

    kind = "unproven"

    def __init__(self, match: int, seat: Seat, move: str) -> None:
        super().__init__()
        self.match = match
        self.seat = seat
        self.move = move


class NotFollowing(Rejection):
    """What the sender asked about following a match, None for any, cannot be done; its template knows the ``code``."""

    kind = "following"

    def __init__(self, code: str, match: int | None) -> None:
        super().__init__(code)
        self.match = match


class OnlyWatching(Rejection):
    """An answer to an email about a ``match`` that its reader follows; only players can move or talk there."""

    kind = "watching"

    def __init__(self, match: int) -> None:
        super().__init__()
        self.match = match


class NotStarted(Rejection):
    """An answer to a question outside a seat that settles nothing; its template knows the ``code``."""

    kind = "not_started"


class VoteRefused(NotStarted):
    """An answer of a second that is neither a vote nor words to their side; its ``code`` has a sentence."""


class NotAuthentic(Rejection):
    """Our mail server did not find the sender authentic, and the host requires it; nothing of it is quoted."""

    kind = "not_authentic"


class Flooding(Rejection):
    """The sender wrote so many messages within an hour that led to nothing that this one is not read."""

    kind = "flooding"


class TooMuch(Rejection):
    """More lines, or more commands, than one message may have."""

    kind = "too_much"


class TooOften(Rejection):
    """The message would cause more email in a day than people do, and holds no move."""

    kind = "too_often"
