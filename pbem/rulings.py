"""How a letter can end other than accepted, as exceptions; whoever settles the letter catches them.

    Ruling
    ├── Discard            kept, never answered: automatic mail, or nothing to answer
    └── Rejection          answered with the template of its ``kind``; nothing is carried out
        ├── UnknownSender      nobody we know
        ├── UnknownMatch       no tag of ours, or that of another player
        ├── StaleTurn          the match has gone on since the notice that is answered
        ├── NotYourTurn        a move by a seat that is not to act
        ├── AlreadyOver        a move or a resignation in a match that has ended
        ├── NoCommand          nothing in it that can be carried out
        ├── MoveRejected       the rules say no
        ├── SeveralMoves       two different moves where one is due
        ├── Sealed             encrypted, or an attachment alone: nothing that we can open
        ├── TooLarge           more than we read
        └── TooOften           more mail in a day than one player may cause

A bug is no ruling: it ends the letter as failed.
"""

from typing import ClassVar


class Ruling(Exception):
    """A letter that is not carried out; ``reason`` is the word kept with it."""

    reason: str


class Discard(Ruling):
    """The letter is kept and not answered; ``reason`` says what it is."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Rejection(Ruling):
    """The letter is answered with the template ``kind``; ``detail`` is a sentence for its writer, or empty.

    ``noted`` is what is kept with the letter for the operator: the same, unless that would tell him private words.
    """

    kind: ClassVar[str]

    def __init__(self, detail: str = "", noted: str | None = None) -> None:
        super().__init__(detail or self.kind)
        self.reason = self.kind
        self.detail = detail
        self.noted = detail if noted is None else noted


class UnknownSender(Rejection):
    """The address is nobody's."""

    kind = "unknown_sender"


class UnknownMatch(Rejection):
    """A known player, but no tag of his says which match is meant."""

    kind = "unknown_match"


class StaleTurn(Rejection):
    """The match has gone on since the notice that is answered."""

    kind = "stale_turn"


class NotYourTurn(Rejection):
    """A move by a seat that is not to act."""

    kind = "not_your_turn"


class AlreadyOver(Rejection):
    """The match has ended."""

    kind = "already_over"


class NoCommand(Rejection):
    """Nothing in the letter can be carried out."""

    kind = "no_command"


class MoveRejected(Rejection):
    """The rules say no; ``detail`` is their sentence.

    They say it of the line ``text``, in the position after the moves ``above`` it, which are not made either.
    """

    kind = "move_rejected"

    def __init__(self, detail: str = "", text: str = "", above: tuple[str, ...] = ()) -> None:
        super().__init__(detail)
        self.text = text
        self.above = above


class SeveralMoves(Rejection):
    """Two different moves where one is due; ``detail`` lists them."""

    kind = "several_moves"


class Sealed(Rejection):
    """The content lies in something that we cannot open; ``detail`` says in what."""

    kind = "sealed"


class TooLarge(Rejection):
    """The letter is larger than what we read."""

    kind = "too_large"


class TooOften(Rejection):
    """The writer has caused more mail in a day than people do, and this letter holds no move."""

    kind = "too_often"
