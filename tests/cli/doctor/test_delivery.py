"""The doctor tells by provider and week how welcome our emails are."""

from datetime import UTC, datetime, timedelta

from pbem.cli.doctor.delivery import check_delivery
from pbem.storage.messages.records import Disposition
from tests.support.bounces import addressed, complaint, postfix
from tests.support.club import Club


def found(club: Club) -> tuple[str, tuple[str, ...]]:
    """Return what the doctor finds."""
    with club.service.database.reading() as tx:
        finding = check_delivery(tx, club.clock.now())
    assert finding.faults == ()
    return finding.told, finding.notes


async def test_bounces_complaints_and_unsubscribing_are_told_by_provider_and_week(club: Club) -> None:
    """Each counts once, for the reader's provider; where all is well none is named, nor is any address."""
    assert found(club) == ("in four weeks 0 sent, 0 refused, 0 came back, 0 called unwanted, 0 unsubscribed", ())
    club.open()
    await club.service.deliver()
    assert found(club) == ("in four weeks 2 sent, 0 refused, 0 came back, 0 called unwanted, 0 unsubscribed", ())
    ann, bob = club.queued()
    bounce = addressed(postfix(club.mail(bob)), club.envelope_of(bob))
    club.service.hand_in(bounce)
    club.service.hand_in(bounce.replace(b"Message-Id: <", b"Message-Id: <2."))
    club.service.hand_in(postfix(club.mail(bob)).replace(b"Message-Id: <", b"Message-Id: <3."))
    club.clock.advance(timedelta(days=8))
    club.service.hand_in(complaint(club.mail(ann)))
    club.service.hand_in(complaint(club.mail(ann)).replace(b".feedback@", b".again@"))
    told, notes = found(club)
    assert told == "in four weeks 2 sent, 0 refused, 1 came back, 1 called unwanted, 1 unsubscribed"
    assert notes == (
        "a.example, week by week: 0, 0, 1, 0 sent; 0, 0, 0, 1 called unwanted; 0, 0, 0, 1 unsubscribed.",
        "b.example, week by week: 0, 0, 1, 0 sent; 0, 0, 1, 0 came back.",
    )
    with club.service.database.transaction() as tx:
        tx.outbound.note_attempt(bob.id, "refused", "550 5.1.1 Nobody", club.clock.now())
    assert "b.example, week by week: 0, 0, 1, 0 sent; 0, 0, 0, 1 refused; 0, 0, 1, 0 came back." in found(club)[1]
    club.clock.advance(timedelta(weeks=5))
    assert found(club)[1] == ()


def test_small_providers_are_told_together(club: Club) -> None:
    """So are readers who were forgotten."""
    with club.service.database.transaction() as tx:
        for number in range(8):
            sender = f"x@p{number}.example" if number else None
            letter = tx.inbound.add(f"{number}", b"x", True, sender, "", club.clock.now() - timedelta(days=1))
            end = Disposition("accepted", commands=("unsubscribe",))
            tx.inbound.finish(letter or 0, end, datetime.now(UTC))
    told, notes = found(club)
    assert told.endswith(" 8 unsubscribed")
    assert notes[0] == "p1.example, week by week: 0, 0, 0, 1 unsubscribed."
    assert notes[5:] == ("All others, week by week: 0, 0, 0, 3 unsubscribed.",)
