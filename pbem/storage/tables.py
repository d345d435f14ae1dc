"""The tables as SQLAlchemy Core sees them; statements on them are built once, and run without a session."""

from sqlalchemy import Table
from sqlmodel import SQLModel

from db import models


def _table(model: type[SQLModel]) -> Table:
    """Return the table of a model."""
    return SQLModel.metadata.tables[str(model.__tablename__)]


ADDRESS = _table(models.Address)
APPROACHED = _table(models.Approached)
BLOCKED = _table(models.Blocked)
CLOCK = _table(models.Clock)
COMMENT = _table(models.Comment)
CURSOR = _table(models.MailboxCursor)
DUE = _table(models.Due)
ENTRY = _table(models.MatchEntry)
FOLLOWER = _table(models.Follower)
FORMER_ADDRESS = _table(models.FormerAddress)
GUEST = _table(models.Guest)
SEAT_OFFER = _table(models.SeatOffer)
HEARTBEAT = _table(models.Heartbeat)
INBOUND = _table(models.InboundMessage)
INVITATION = _table(models.Invitation)
MATCH = _table(models.Match)
MATCH_LOG = _table(models.MatchLog)
OUTAGE = _table(models.Outage)
OUTBOUND = _table(models.OutboundMessage)
PLAYER = _table(models.Player)
QUESTION = _table(models.Question)
REFUSED_INVITER = _table(models.RefusedInviter)
RESTORATION = _table(models.Restoration)
RETRACTED = _table(models.RetractedEntry)
SEAT = _table(models.SeatAssignment)
UNREAD = _table(models.UnreadMessage)
WORKER = _table(models.Worker)
THOUGHT = _table(models.Thought)
