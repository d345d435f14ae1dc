"""Stage 3: identify the player who wrote a message, and the match that it answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from pbem.inbound.authentic import judge_sender
from pbem.mail.compose import Site
from pbem.mail.digest_token import find_digest_token
from pbem.mail.headers import organization_of
from pbem.mail.marks import mailbox_mark
from pbem.mail.message import InboundMessage
from pbem.mail.question_token import before_question, find_question_token
from pbem.mail.reply_token import NO_MOVE, ReplyToken, find_token, has_token_shape, matches_named
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.storage.messages.records import PLAYERS, UNPROVEN, Disposition, Status
from pbem.storage.transaction import Transaction
from rules.position import Seat


@dataclass(frozen=True)
class Place:
    """A seat of a match and the ply of the answered notice, as a reply token proves them.

    The ply is -1 for a notice about entries that were taken back since.
    """

    match: Match
    seat: Seat
    ply: int

    @property
    def player(self) -> Player:
        """The player of the seat."""
        return self.match.players[self.seat]

    @property
    def is_present(self) -> bool:
        """Whether the match has not gone on since that notice."""
        return self.ply == self.match.ply

    @property
    def is_ahead(self) -> bool:
        """Whether that notice is of a turn that the match has not come to: the database was restored from a copy."""
        return self.match.ply < self.ply < NO_MOVE

    @property
    def is_of_status(self) -> bool:
        """Whether it was a status, and the match that it names has not gone on since."""
        return self.ply == NO_MOVE + self.match.ply

    def has_expired(self, site: Site, now: datetime) -> bool:
        """Return whether the match went on, or ended, so long ago that replies to that notice no longer count."""
        if self.is_present and self.match.outcome is None:
            return False
        times = self.match.times
        # With a database from a backup, a ply may be yet to come.
        left_at = times[self.ply] if 0 <= self.ply < len(times) else self.match.changed_at
        return now - left_at > timedelta(days=site.token_days)


@dataclass(frozen=True)
class Origin:
    """The origin of a message: the address in From, the player, and the place that it answers.

    A ``place`` without a ``player`` means a valid reply token from an address that its player is not known by.
    ``fault`` says what is wrong with the reply token of a message without a place, if it has any.
    ``lost`` is the number that a match had which is gone: a backup was restored. ``digest`` is the number of the email
    about several matches that their player answers.
    ``question`` is what they answer that they were asked, or told, outside a seat. For a stranger ``called`` is their
    name in From. ``authentic``: our mail server found that it is they who wrote, which is looked at where no token is.
    ``share`` is theirs of what all together may cause.
    """

    sender: str = ""
    player: Player | None = None
    place: Place | None = None
    fault: Literal["", "wrong_token", "revoked_token", "lost_match"] = ""
    lost: int | None = None
    digest: int | None = None
    question: Question | None = None
    called: str = ""
    authentic: bool = False
    share: str = UNPROVEN

    @property
    def is_unsure(self) -> bool:
        """Whether anybody may have written it in the name of its player: it answers no email of theirs."""
        return self.place is None and self.question is None and self.digest is None and not self.authentic

    @property
    def seated(self) -> Place | None:
        """The place, if the message comes from an address of its player."""
        return self.place if self.player else None

    def disposed(
        self, status: Status, reason: str, detail: str = "", *, code: str = "", commands: tuple[str, ...] = ()
    ) -> Disposition:
        """Return the disposition of a message from this origin."""
        match, seat, ply = (self.place.match.id, self.place.seat, self.place.ply) if self.place else (None, None, None)
        return Disposition(status, reason, detail, match, seat, commands, code, ply, self.share)


NOBODY = Origin()
"""The origin of a message that is not identified yet."""


def identify(tx: Transaction, message: InboundMessage, site: Site) -> Origin:
    """Return the origin of ``message``, which has one sender."""
    origin = _find_origin(tx, message, site)
    if origin.seated or origin.digest is not None or origin.question or origin.authentic:
        share = PLAYERS if origin.player else mailbox_mark(organization_of(origin.sender), site.secret)
        return replace(origin, share=share)
    return origin


def _find_origin(tx: Transaction, message: InboundMessage, site: Site) -> Origin:
    """Return the origin of ``message``, with no share yet."""
    sender, places = message.senders[0], message.token_places
    seated = before_question(places)
    token, match = find_proof(tx, seated, site)
    place, revoked = locate(tx, match, token) if token and match else (None, False)
    if place and sender in place.player.emails:
        return Origin(sender, place.player, place)
    player = tx.players.find(sender)
    if place and player is None:
        return Origin(sender, None, place)
    if token:
        return Origin(sender, player, None, "revoked_token" if revoked else "")
    fault: Literal["", "wrong_token"] = ""
    if has_token_shape(seated):
        if lost := tx.restorations.find_lost(matches_named(seated)):
            return Origin(sender, player, None, "lost_match", lost=lost)
        fault = "wrong_token"
    if player and (found := find_digest_token(places, player.id, site.secret)):
        number, generation = found
        if generation == player.generation:
            return Origin(sender, player, None, fault, digest=number)
        return Origin(sender, player, None, "revoked_token")
    question = _find_question(tx, places, sender, player, site)
    if question and question.state == "revoked":
        return Origin(sender, player, None, "revoked_token")
    authentic = bool(site.authserv_id) and judge_sender(message, site.authserv_id) == "authentic"
    if player is not None:
        return Origin(sender, player, None, fault, question=question, authentic=authentic)
    called = message.header("From").partition("<")[0].strip(" \"'")
    name = called if "@" not in called else ""
    return Origin(sender, None, None, fault, question=question, called=name, authentic=authentic)


def _find_question(
    tx: Transaction, places: Sequence[str], sender: str, player: Player | None, site: Site
) -> Question | None:
    """Return the question that is answered: its email went to the sender, or to another address of the player.

    None where its token is not right, or the question was somebody else's.
    """
    found: dict[int, Question] = {}

    def stamp_of(number: int) -> str:
        question = tx.questions.get(number)
        if question is None:
            return ""
        of_player = player is not None and question.player == player.id and question.email in player.emails
        if of_player or (question.player is None and question.email == sender):
            found[number] = question
        return question.stamp if number in found else ""

    number = find_question_token(places, site.secret, stamp_of)
    return None if number is None else found[number]


def find_proof(tx: Transaction, places: Sequence[str], site: Site) -> tuple[ReplyToken | None, Match | None]:
    """Return the reply token in ``places`` that is right, and its match; no match without such a token."""
    looked_at: list[Match | None] = []

    def nonce_of(number: int) -> str | None:
        if looked_at:  # whoever names many matches must not have them all read
            return tx.matches.nonce(number)
        looked_at.append(tx.matches.get(number))
        return looked_at[0].nonce if looked_at[0] else None

    token = find_token(places, site.secret, nonce_of)
    if token is None:
        return None, None
    first = looked_at[0]
    return token, first if first and first.id == token.match else tx.matches.get(token.match)


def locate(tx: Transaction, match: Match, token: ReplyToken) -> tuple[Place | None, bool]:
    """Return the place that a reply token proves, and whether it has been revoked, so that it proves none."""
    if token.seat >= len(match.players):
        return None, False
    player = match.players[token.seat]
    if player.forgotten or token.generation not in _valid_generations(tx, match.id, token, player.generation):
        return None, True
    turn = token.ply
    written = turn - NO_MOVE if turn >= NO_MOVE else turn
    if written < match.rewound:  # of before the operator took entries back, or gave a seat to another player
        log = [entry for entry in tx.clocks.log(match.id) if entry.kind in ("rewound", "replaced")]
        passed = (entry.arguments for entry in log if entry.arguments.get("seat") == token.seat)
        if any(written < arguments.get("turn", 0) for arguments in passed):
            return None, True  # it was that of the player who had the seat
        while log and log[-1].kind == "replaced" and turn < match.rewound:
            turn += log.pop().arguments.get("turns", 0)  # to other players it was still their turn, or not
    return Place(match, token.seat, match.ply_of(turn)), False


def _valid_generations(tx: Transaction, number: int, token: ReplyToken, present: int) -> set[int]:
    """Return the generations of reply tokens that count at a seat; ``present`` is that of its player.

    Where two players turned out to be one, those count too that counted for the other one then.
    """
    valid = {present}
    if token.generation != present:
        log = (entry.arguments for entry in reversed(tx.clocks.log(number)) if entry.kind == "merged")
        for merged in log:
            before, after = merged.get("generations", (None, None))
            if merged.get("seat") == token.seat and after in valid:
                valid.add(before)
    return valid


def place_of(tx: Transaction, player: Player, token: ReplyToken) -> Place | None:
    """Return the place of a player that a token names; None where they have that seat no longer."""
    match = tx.matches.get(token.match)
    place = locate(tx, match, token)[0] if match else None
    return place if place and place.player.id == player.id else None


def newest_place(tx: Transaction, player: Player) -> Place | None:
    """Return the place of somebody in their newest match, which may be over; None for whoever never had one."""
    newest = tx.players.newest_seats().get(player.id)
    if newest is None:
        return None
    return place_of(tx, player, ReplyToken(newest.match, newest.turn, newest.seat, player.generation, newest.nonce))
