"""The tables. Entries and messages are only added; a position is never stored, it follows from the entries.

Entries that the operator takes back move to a table of their own.

Times are aware and in UTC. Seats and plies count from 0.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Index, UniqueConstraint, text
from sqlmodel import JSON, Column, Field, SQLModel

from db.packed import PackedBytes

_USELESS = text("status = 'discarded' AND match_id IS NULL")
"""Inbound messages that nobody may ask about: they are of no match, and were not answered."""

_PAUSED = text("paused_until IS NOT NULL")
"""Clocks of matches that were paused once: few."""


class Player(SQLModel, table=True):
    """A player; ``name`` is their name in notices and for the operator.

    ``folded`` is the name in case-folded form. ``display`` is their display of boards, "" for the default; the word
    ``turns`` behind it: they want email only when it is their turn; ``nopage``: and no page in the archive;
    ``merged=3``: they turned out to be player 3, who has their matches and addresses.
    ``quiet``: the player is muted, so they get none until they ask for it again, or move. ``generation`` counts how
    often they have revoked their reply tokens.

    ``zone`` is an IANA time zone, "" for UTC. ``absences`` are those of the last year and those to come, as triples of
    start, end (ISO 8601, UTC) and kind. ``remind`` are the seconds left at which the player is reminded, "" for the
    default, "none" for never; ``quiet_hours`` such as "22-7". ``automatic``: a day of vacation is used at the flag.
    ``away`` are the first and the last day of an absence that an automatic reply told of.
    At ``changed_at`` their calendar feed last changed by anything but a match.
    Until ``renamed_at`` they had their ``former_name``, "" for who never chose another one themselves.
    At ``forgotten_at`` all that said who they are was erased. Their number never comes back: keys of feeds follow from
    it. ``robot`` is the strength of a robot, which has no address, and 0 for a person.
    """

    __table_args__ = {"sqlite_autoincrement": True}

    id: int | None = Field(default=None, primary_key=True)
    name: str
    folded: str = Field(unique=True)
    created_at: datetime
    display: str = ""
    quiet: bool = False
    generation: int = 0
    zone: str = ""
    absences: list[Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    remind: str = ""
    away: str = ""
    quiet_hours: str = ""
    automatic: bool = True
    changed_at: datetime = Field(index=True)
    forgotten_at: datetime | None = None
    former_name: str = ""
    renamed_at: datetime | None = None
    robot: int = 0


class Address(SQLModel, table=True):
    """An address that a player writes from; notices go to the one marked ``is_primary``.

    The bounce counts begin anew with every message of its player; ``bounced_at`` is the latest bounce.
    """

    email: str = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    is_primary: bool = True
    soft_bounces: int = 0
    hard_bounces: int = 0
    bounced_at: datetime | None = Field(default=None, index=True)


class FormerAddress(SQLModel, table=True):
    """An address that was taken from a player, so that nothing of it stays when they are forgotten."""

    __tablename__ = "former_address"

    player_id: int = Field(foreign_key="player.id", primary_key=True)
    email: str = Field(primary_key=True)


class Match(SQLModel, table=True):
    """A match of a game; ``options`` are complete, ``over_at`` is set at its end.

    All rolls follow from ``secret``, which nobody may see before the end, and from the player seeds. ``secret`` is
    empty where nothing is rolled and no robot has played. ``standing`` is what lists show, and follows from the
    entries. ``robots`` are the stints of robots, each as a list of four: seat, strength, and the plies from which and
    before which its moves are theirs, the last None to the end.

    ``ruling`` ends the match whatever its record says: adjudicated, or void. ``rewound`` counts the turns that were
    used up when entries were taken back, or a seat passed to another player, so that no earlier reply token names a
    turn of today. A ``private`` match is in no list, and its page has an address that nobody can guess. The
    reply tokens of the match are signed with its ``nonce``. ``team_told``: whoever got a seat was told by email that
    the page will show words to a partner. The number of a match never comes back. ``agreements`` are what its
    players have offered to everybody: draws, and moves to be taken back. ``rated``: it counts for ratings.
    ``seconded``: somebody is a second in it, or was.
    """

    __table_args__ = {"sqlite_autoincrement": True}

    id: int | None = Field(default=None, primary_key=True)
    game: str
    seats: int
    options: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    opened_at: datetime
    changed_at: datetime = Field(index=True)
    over_at: datetime | None = Field(default=None, index=True)
    secret: str = ""
    standing: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    ruling: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    rewound: int = 0
    private: bool = False
    nonce: str
    agreements: list[Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    robots: list[Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    team_told: bool = False
    rated: bool = False
    seconded: bool = False


class Result(SQLModel, table=True):
    """What a finished match says about one of its players: a row for each seat, where it says anything.

    ``at`` is when the match ended. Those of one ``side`` won, or lost, together; ``score`` is in halves of a win.
    ``rated``: the match counts for ratings, as far as it tells itself; ``timed``: it had a clock. In ``late`` of their
    ``turns`` the player's time was over; ``timed_out``: they left by it; ``gave_away``: or gave a seat away that lost.
    """

    __table_args__ = (
        Index("ix_result_player_id_game_at", "player_id", "game", "at"),
        Index("ix_result_game_at", "game", "at"),
    )

    match_id: int = Field(foreign_key="match.id", primary_key=True)
    seat: int = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id")
    game: str
    at: datetime
    rated: bool
    timed: bool
    side: int
    score: int
    turns: int
    late: int
    timed_out: bool
    gave_away: bool


class Rating(SQLModel, table=True):
    """The rating of a player after a month with matches that counted, once it is closed; it follows from results.

    ``month`` is the year times twelve, and the months before it in that year.
    """

    game: str = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", primary_key=True)
    month: int = Field(primary_key=True)
    points: float
    deviation: float
    volatility: float


class Restoration(SQLModel, table=True):
    """A restored backup, as the service has found it: the database was that of ``state_at``, and not of ``known_at``.

    Matches from ``first_lost`` to ``last_lost`` were opened in between, and are gone; None: none were.
    """

    id: int | None = Field(default=None, primary_key=True)
    state_at: datetime
    known_at: datetime
    found_at: datetime
    first_lost: int | None = None
    last_lost: int | None = None


class Follower(SQLModel, table=True):
    """An address that gets an email at every move of a match, as it has asked for and confirmed."""

    match_id: int = Field(foreign_key="match.id", primary_key=True)
    email: str = Field(primary_key=True, index=True)
    since: datetime


class Invitation(SQLModel, table=True):
    """A match that is to be opened as soon as everybody has agreed; rows are never deleted.

    ``kind`` is named, open or again, ``state`` is open, then agreed and opened, or declined, cancelled, expired or
    failed. ``options`` are as they are typed. ``both``: two matches, with the seats swapped. ``match_id`` is the match
    that is to be played again. ``rated``: it counts for ratings. ``reliable`` is how many percent of reliability an
    open offer asks for, 0 for none.
    """

    id: int | None = Field(default=None, primary_key=True)
    kind: str
    game: str
    options: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    inviter_id: int = Field(foreign_key="player.id", index=True)
    created_at: datetime
    expires_at: datetime
    state: str = Field(index=True)
    both: bool
    private: bool
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)
    rated: bool = False
    reliable: int = 0


class Guest(SQLModel, table=True):
    """A place in a match to be, and who is invited to it.

    ``called`` is how the inviter has named them. ``email`` is the address that was invited, "" for a free place, and
    for a stranger as soon as the invitation has ended. ``state`` is asked, unasked, hidden, free, accepted or declined.
    ``words`` are what they said when they accepted, until the match opens that everybody reads them with.
    """

    invitation_id: int = Field(foreign_key="invitation.id", primary_key=True)
    seat: int = Field(primary_key=True)
    called: str
    email: str = Field(index=True)
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    state: str
    words: str = ""


class RefusedInviter(SQLModel, table=True):
    """Somebody whose invitations do not reach a player; ``mark`` is a player's number, or a hash of a mailbox."""

    __tablename__ = "refused_inviter"

    player_id: int = Field(foreign_key="player.id", primary_key=True)
    mark: str = Field(primary_key=True)


class Approached(SQLModel, table=True):
    """A mailbox of no player that was written to, as a hash that says nobody's address, and what its reader said.

    ``answer`` is empty until they do, then yes or no. ``share`` is that of whoever caused it, of what all may cause.
    """

    mark: str = Field(primary_key=True)
    at: datetime = Field(index=True)
    answer: str = ""
    share: str = ""


class SeatAssignment(SQLModel, table=True):
    """The seat of a player in a match; ``salt`` is their player seed, "" for none, None until they answer.

    ``plan`` is what they will answer to what others may do: the turn that it begins at, and paths of entries.
    """

    __tablename__ = "place"

    match_id: int = Field(foreign_key="match.id", primary_key=True)
    seat: int = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    salt: str | None = None
    plan: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))


class Thought(SQLModel, table=True):
    """A line of moves, or a note, that a player keeps for themselves; after the match it may be ``published``.

    It belongs to the position after ``ply`` entries. Whoever gets the seat after the player does not get it.
    """

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    ply: int
    kind: str
    text: str
    made_at: datetime
    published: bool = False


class SeatOffer(SQLModel, table=True):
    """The ``seat`` of a player, ``owner_id``, that another one, ``player_id``, was offered by the one at ``by_seat``.

    ``player_id`` is None where a stranger was asked, and where nobody was: nothing tells which to who offered it.
    ``email`` is the address that was written to reach somebody, until they have answered or it is too late.
    ``until``: they stand in until then; None: they play on for good. ``state`` is asked, accepted, ready, standing,
    over or declined; ``agreed`` are the seats whose players want that.
    """

    __tablename__ = "seat_offer"
    __table_args__ = (Index("ix_seat_offer_state_asked_at", "state", "asked_at"),)

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    seat: int
    owner_id: int = Field(foreign_key="player.id")
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    by_seat: int
    until: datetime | None = None
    state: str
    agreed: list[int] = Field(sa_column=Column(JSON, nullable=False))
    asked_at: datetime
    email: str | None = Field(default=None, index=True)


class InboundMessage(SQLModel, table=True):
    """An inbound message with its raw bytes; ``identity`` is unique, so that repeated deliveries count once.

    ``status`` is received, then one of accepted, rejected, discarded, failed; ``code`` is the precise reason.
    ``kept``: the bytes are still there; else ``raw`` is empty. ``named`` is the match that its reply token names,
    whoever signed it; None without one. ``words`` is a hash of what it says, for a message with a Message-ID.
    ``share`` is that of its sender, of what all together may cause.
    """

    __tablename__ = "inbound"
    __table_args__ = (
        Index("ix_inbound_sender_received_at", "sender", "received_at"),
        Index("ix_inbound_kept", "settled_at", sqlite_where=text("kept"), postgresql_where=text("kept")),
        Index("ix_inbound_useless", "status", "settled_at", sqlite_where=_USELESS, postgresql_where=_USELESS),
    )

    id: int | None = Field(default=None, primary_key=True)
    identity: str = Field(unique=True)
    raw: bytes = Field(sa_column=Column(PackedBytes, nullable=False))
    whole: bool = True
    received_at: datetime
    status: str = Field(default="received", index=True)
    reason: str = ""
    detail: str = ""
    sender: str | None = None
    subject: str = ""
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)
    seat: int | None = None
    commands: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    settled_at: datetime | None = None
    code: str = ""
    kept: bool = True
    named: int | None = None
    share: str = ""
    words: str | None = None


class MatchEntry(SQLModel, table=True):
    """An entry of a match's record; the uniqueness of (match, ply) is the concurrency control."""

    __table_args__ = (UniqueConstraint("match_id", "ply"),)

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    ply: int
    seat: int | None
    text: str
    made_at: datetime
    inbound_id: int | None = Field(default=None, foreign_key="inbound.id", index=True)


class RetractedEntry(SQLModel, table=True):
    """An entry that was taken back, with the row of the log that tells of it."""

    __tablename__ = "retracted"

    log_id: int = Field(foreign_key="match_log.id", primary_key=True)
    ply: int = Field(primary_key=True)
    seat: int | None
    text: str
    made_at: datetime
    inbound_id: int | None = Field(default=None, foreign_key="inbound.id", index=True)


class Clock(SQLModel, table=True):
    """The clock of a match that has one, as it was when it last changed; all numbers are seconds.

    ``control`` is the time control, ``banks`` is what each seat has left. ``seat`` is whose turn spends its bank, since
    ``turned_at``; the clock runs from ``since``; where that is None, ``halted`` says why it does not. ``reminded`` is
    the least time left that the seat was reminded of in this turn. ``proposal`` is what somebody has
    proposed to all. At ``changed_at`` anything of it last changed that others may see.
    """

    __table_args__ = (Index("ix_clock_paused_until", "paused_until", sqlite_where=_PAUSED, postgresql_where=_PAUSED),)

    match_id: int = Field(foreign_key="match.id", primary_key=True)
    control: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    banks: list[int] = Field(sa_column=Column(JSON, nullable=False))
    seat: int | None = None
    turned_at: datetime | None = None
    since: datetime | None = None
    halted: str = ""
    halted_at: datetime | None = None
    paused_from: datetime | None = None
    paused_until: datetime | None = None
    flagged_at: datetime | None = None
    reminded: int | None = None
    proposal: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    changed_at: datetime = Field(index=True)


class MatchLog(SQLModel, table=True):
    """What happened to a match beside its entries: to its clock, to who plays, or by the operator.

    ``ply`` is the number of entries of the match at that time; ``seat`` is whose act it was, None for the service and
    the operator.
    """

    __tablename__ = "match_log"

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    ply: int
    at: datetime
    kind: str
    seat: int | None = None
    arguments: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    inbound_id: int | None = Field(default=None, foreign_key="inbound.id", index=True)


class Outage(SQLModel, table=True):
    """A time in which the service did not run, or could not send or receive: no clock counts it."""

    id: int | None = Field(default=None, primary_key=True)
    start_at: datetime = Field(unique=True)
    end_at: datetime = Field(index=True)


class Heartbeat(SQLModel, table=True):
    """When the service last did what ``name`` says, and it worked."""

    name: str = Field(primary_key=True)
    at: datetime


class Comment(SQLModel, table=True):
    """A comment of a player; with ``to_side`` only their own side may read it.

    ``ply`` is the number of entries of the match at that time. ``second_id`` is who wrote it, where that was a second.
    """

    __tablename__ = "remark"

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    ply: int
    seat: int
    text: str
    to_side: bool = False
    made_at: datetime
    inbound_id: int | None = Field(default=None, foreign_key="inbound.id", index=True)
    second_id: int | None = Field(default=None, foreign_key="player.id")


class Second(SQLModel, table=True):
    """The player ``player_id`` votes on the moves of a ``seat``, from ``since`` until ``left_at``; None: still."""

    match_id: int = Field(foreign_key="match.id", primary_key=True)
    player_id: int = Field(foreign_key="player.id", primary_key=True, index=True)
    seat: int
    since: datetime
    left_at: datetime | None = None


class Vote(SQLModel, table=True):
    """The vote of a player for what a ``seat`` is to play in a turn: moves, parted by semicolons."""

    match_id: int = Field(foreign_key="match.id", primary_key=True)
    turn: int = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", primary_key=True, index=True)
    seat: int
    moves: str
    cast_at: datetime


class Question(SQLModel, table=True):
    """A question to the reader of ``email``: the player ``player_id``, or, where that is None, whoever that is.

    ``kind`` is that of the email that asks, ``about`` is what its module keeps. ``asker_id`` is the player for whose
    sake it is asked, if any. ``match_id`` and ``seat`` are where it belongs, ``inbound_id`` is the message that waits
    for the answer, or led to it. ``state`` is open, then yes, no or withdrawn.
    """

    __table_args__ = (Index("ix_question_kind_asked_at", "kind", "asked_at"),)

    id: int | None = Field(default=None, primary_key=True)
    kind: str
    about: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    email: str = Field(index=True)
    player_id: int | None = Field(default=None, foreign_key="player.id")
    asker_id: int | None = Field(default=None, foreign_key="player.id")
    match_id: int | None = Field(default=None, foreign_key="match.id")
    seat: int | None = None
    inbound_id: int | None = Field(default=None, foreign_key="inbound.id", index=True)
    state: str
    asked_at: datetime


class OutboundMessage(SQLModel, table=True):
    """An outbound message; bytes and Message-ID are fixed, so that a repeated delivery is recognisable.

    ``status`` is queued, sent, refused or unknown. ``due_at`` is the next attempt; a worker claims the message by
    moving it into the future. ``unknown`` counts the attempts, with that of a claim, of which nobody knows whether the
    server took the message. ``quotable`` holds its words that a reply may quote, in UTF-8. ``notice_key`` names a
    notice that must not be repeated soon, ``question_id`` the question that it asks, or can be answered like.
    ``bounced_at`` and ``bounce_status`` describe its bounce. ``kept``: the bytes stay; else ``raw`` is empty, soon
    after it was sent if
    it is still to be. ``size`` is their number in the email. ``envelope`` is the kind of the envelope sender that it
    was sent with.
    """

    __tablename__ = "outbound"
    __table_args__ = (
        Index("ix_outbound_status_due_at", "status", "due_at"),
        Index("ix_outbound_thread", "match_id", "seat"),
        Index("ix_outbound_recipient", "recipient", "created_at"),
        Index("ix_outbound_kind_created_at", "kind", "created_at"),
        Index("ix_outbound_sent_at", "sent_at"),
        Index("ix_outbound_kept", "sent_at", sqlite_where=text("kept"), postgresql_where=text("kept")),
    )

    id: int | None = Field(default=None, primary_key=True)
    message_id: str = Field(unique=True)
    kind: str
    recipient: str
    subject: str
    raw: bytes = Field(sa_column=Column(PackedBytes, nullable=False))
    status: str = Field(default="queued")
    attempts: int = 0
    unknown: int = 0
    error: str = ""
    created_at: datetime
    due_at: datetime
    sent_at: datetime | None = None
    match_id: int | None = Field(default=None, foreign_key="match.id")
    seat: int | None = None
    inbound_id: int | None = Field(default=None, foreign_key="inbound.id", index=True)
    notice_key: str = ""
    bounced_at: datetime | None = None
    bounce_status: str = ""
    quotable: bytes = Field(sa_column=Column(PackedBytes, nullable=False))
    kept: bool = True
    size: int
    envelope: str = ""
    question_id: int | None = Field(default=None, foreign_key="question.id", index=True)


class Due(SQLModel, table=True):
    """A due thing: a ``kind`` and the number of its subject. After ``due_at`` it is done, unless it is ``done`` before.

    It is the end of a time that counts from ``since`` on, but not while the service stood still; without that, a date.
    Rows stay: when the first rolls of a match were due is shown for ever. ``failed_at`` and ``error`` are those of the
    last try, if it failed, until it is done or scheduled anew.
    """

    __table_args__ = (Index("ix_due_done_due_at", "done", "due_at"),)

    kind: str = Field(primary_key=True)
    subject: int = Field(primary_key=True)
    due_at: datetime
    done: bool = False
    failed_at: datetime | None = None
    error: str = ""
    since: datetime | None = None


class Blocked(SQLModel, table=True):
    """An address that the operator has blocked; ``note`` says why, for the operator alone."""

    email: str = Field(primary_key=True)
    blocked_at: datetime
    note: str = ""


class Worker(SQLModel, table=True):
    """A process that works beside the one that serves: since when, when it last said so, and how much it has done."""

    name: str = Field(primary_key=True)
    started_at: datetime
    seen_at: datetime
    processed: int = 0


class MailboxCursor(SQLModel, table=True):
    """The progress in a mailbox: all messages up to ``last_uid`` are stored, gone, or unread.

    ``mark`` is the UID of one that was stored and when the server says that it arrived, "" for none.
    Both numbers have 32 bits and no sign (RFC 9051, 9), which is more than an integer of a server holds.
    """

    mailbox: str = Field(primary_key=True)
    uidvalidity: int = Field(sa_type=BigInteger)
    last_uid: int = Field(sa_type=BigInteger)
    mark: str = ""


class UnreadMessage(SQLModel, table=True):
    """A message that the server of a mailbox lists and doesn't hand out, and ``why``: nobody knows whose it is.

    It arrived after the moment ``since``. It was noted at ``noted_at``, and asked for by itself last at ``tried_at``.
    """

    __tablename__ = "unread_message"

    mailbox: str = Field(primary_key=True)
    uid: int = Field(sa_type=BigInteger, primary_key=True)
    since: datetime
    noted_at: datetime
    tried_at: datetime | None = None
    why: str


class Webhook(SQLModel, table=True):
    """What has become of the calls of a webhook; ``name`` follows from its URL, of which ``host`` alone is kept.

    It is called about what was done ``since`` then. All that had changed by ``looked_at`` is told. While calls fail,
    ``attempts`` counts them, ``error`` is why the last one did, ``due_at`` is the next one, and ``failing_since`` the
    first one. From ``disabled_at`` on there are none.
    """

    name: str = Field(primary_key=True)
    host: str
    since: datetime
    looked_at: datetime
    attempts: int = 0
    due_at: datetime | None = None
    failing_since: datetime | None = None
    error: str = ""
    succeeded_at: datetime | None = None
    disabled_at: datetime | None = None


class WebhookTold(SQLModel, table=True):
    """How far a webhook was told of a match: the first ``ply`` entries, its end, and how often it was ``reopened``.

    That is all there was at its change of ``seen``; None while more is to be told.
    """

    __tablename__ = "webhook_told"

    webhook: str = Field(foreign_key="webhook.name", primary_key=True)
    match_id: int = Field(foreign_key="match.id", primary_key=True)
    ply: int
    over: bool
    reopened: int
    seen: datetime | None = None


class Contest(SQLModel, table=True):
    """A ladder or a league: ``kind`` says which. Players write its ``name``, which is the key of its game at first.

    ``options`` are those of its matches as they are typed, time control included. How it stands is not stored: it
    follows from its events, and from how its matches stand.
    """

    __table_args__ = (UniqueConstraint("kind", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    kind: str
    game: str
    name: str
    options: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    created_at: datetime


class ContestEvent(SQLModel, table=True):
    """What happened in a contest, but for the results of its matches; rows are only added, and never changed.

    ``player_id`` is who did it, or whom it is about, ``other_id`` a second player. From ``undone_at`` on it counts as
    if it had not happened, since the operator has taken it back.
    """

    __tablename__ = "contest_event"

    id: int | None = Field(default=None, primary_key=True)
    contest_id: int = Field(foreign_key="contest.id", index=True)
    at: datetime
    kind: str
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    other_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    arguments: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    undone_at: datetime | None = None


class ContestMatch(SQLModel, table=True):
    """A match of a contest: the invitation that it begins as, and ``match_id`` once it is opened.

    ``event_id`` is what it follows from: a challenge, or a draw. A league has seasons and divisions, counted from 1; a
    ladder has 0.
    """

    __tablename__ = "contest_match"

    invitation_id: int = Field(foreign_key="invitation.id", primary_key=True)
    contest_id: int = Field(foreign_key="contest.id", index=True)
    event_id: int = Field(foreign_key="contest_event.id", index=True)
    season: int = 0
    division: int = 0
    match_id: int | None = Field(default=None, foreign_key="match.id", unique=True)
