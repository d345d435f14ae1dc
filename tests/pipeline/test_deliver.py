"""The outbox: what the operator hears of while emails wait."""

import logging
from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.errors import ServerFailure, TransientFailure
from pbem.pipeline.deliver import OUR_SERVER
from tests.support.club import Club
from tests.support.fakes import FakeCourier

BLOCKED = ServerFailure("The SMTP server takes no mail from games@play.example: 550 5.7.1 Blocked.")

FULL = TransientFailure("The SMTP server does not take the email now: 452 4.2.2 Mailbox full.")


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what the operator has been warned of since the last call."""
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    caplog.clear()
    return warnings


async def test_the_operator_is_warned_when_a_pass_is_given_up(
    new_club: Callable[..., Club], caplog: pytest.LogCaptureFixture
) -> None:
    """Three emails in a row that do not get through are a warning with the last reason; two are not yet."""
    club = new_club(courier=FakeCourier(BLOCKED, BLOCKED))
    club.open()
    await club.service.deliver()
    assert told(caplog) == []
    club.open()
    club.clock.advance(timedelta(minutes=1))
    club.courier.fail([BLOCKED] * 3)
    await club.service.deliver()
    assert told(caplog) == [f"deliver: {OUR_SERVER}{BLOCKED} What else is due waits for the next pass."]


async def test_the_operator_is_warned_of_a_mail_that_waits_for_long(
    new_club: Callable[..., Club], caplog: pytest.LogCaptureFixture
) -> None:
    """An email put off is nothing to speak of for a quarter of an hour; after that every attempt is a warning."""
    club = new_club(courier=FakeCourier(*[FULL] * 12))
    club.open()
    opened_at = club.clock.now()
    heard = []
    while {mail.status for mail in club.queued()} != {"sent"}:
        await club.service.deliver()
        heard += [(club.clock.now() - opened_at, warning) for warning in told(caplog)]
        club.clock.advance(timedelta(minutes=1))
    assert {(at / timedelta(minutes=1), warning) for at, warning in heard} == {
        (minutes, f"outbound message {mail.id} {mail.kind} queued {FULL}")
        for minutes in (15, 31)
        for mail in club.queued()
    }


async def test_the_operator_is_warned_when_our_own_server_fails_for_long(
    new_club: Callable[..., Club], caplog: pytest.LogCaptureFixture
) -> None:
    """After a quarter of an hour every attempt is a warning, whichever email it is for."""
    club = new_club(courier=FakeCourier(*[BLOCKED] * 14))
    club.open()
    opened_at = club.clock.now()
    heard = []
    while {mail.status for mail in club.queued()} != {"sent"}:
        await club.service.deliver()
        heard += [((club.clock.now() - opened_at) // timedelta(minutes=1), warning) for warning in told(caplog)]
        club.clock.advance(timedelta(minutes=1))
    assert {(at, warning) for at, warning in heard if "queued" in warning} == {
        (minutes, f"outbound message {mail.id} {mail.kind} queued {OUR_SERVER}{BLOCKED}")
        for minutes in (16, 31)
        for mail in club.queued()
    }
