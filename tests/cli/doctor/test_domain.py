"""What the doctor finds in DNS about the domain of the service, asked of records that the tests write."""

import socket
from collections.abc import Iterator
from threading import Thread

import pytest
from dns import flags, message, rdatatype, resolver, rrset

from pbem.cli.doctor.domain import check_domain, look_up
from pbem.errors import BadInput
from tests.support.each import each

SOUND = {
    "play.example.org TXT": ["v=spf1 ip4:192.0.2.25 -all", "another text"],
    "_dmarc.example.org TXT": ["v=DMARC1; p=reject; rua=mailto:postmaster@example.org"],
    "play.example.org MX": ["mail.example.org."],
}


def found(**changes: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return faults and notes with these records of play.example.org changed: ``spf``, ``dmarc``, ``mx``."""
    names = {"spf": "play.example.org TXT", "dmarc": "_dmarc.example.org TXT", "mx": "play.example.org MX"}
    records = SOUND | {names[name]: texts for name, texts in changes.items()}
    finding = check_domain("games@play.example.org", lambda name, kind: records.get(f"{name} {kind}", []))
    return finding.faults, finding.notes


def test_records_as_the_guide_shows_them_are_well() -> None:
    """The DMARC record of the domain above counts for one without its own (RFC 7489, 6.6.3)."""
    assert found() == ((), ())


@each(
    "changes, words",
    [
        ({"spf": ["v=spf10 no"]}, "has no SPF record"),
        ({"spf": ["v=spf1 -all", "v=spf1 mx -all"]}, "has 2 SPF records, so none counts"),
        ({"spf": ["v=spf1 +all"]}, "lets everybody send"),
        ({"dmarc": ["p=reject"]}, "has no DMARC record: add one at _dmarc.play.example.org"),
        ({"dmarc": ["v=DMARC1; p=none", "v=DMARC1; p=reject"]}, "has 2 DMARC records"),
        ({"mx": []}, "has no MX record"),
    ],
)
def test_what_is_missing_or_contradicts_itself_is_a_fault(changes: dict[str, list[str]], words: str) -> None:
    """Each is told in one sentence, which says what to do."""
    (fault,), _ = found(**changes)
    assert words in fault


def test_a_policy_that_asks_for_nothing_is_a_note() -> None:
    """It is where everybody begins."""
    faults, (note,) = found(dmarc=["v=DMARC1;p=None"])
    assert faults == ()
    assert "p=none" in note


def test_a_resolver_that_does_not_answer_is_told() -> None:
    """Nothing is taken for missing then."""

    def fail(name: str, kind: str) -> list[str]:
        raise OSError("nobody answers")

    with pytest.raises(BadInput, match=r"play\.example\.org can't be looked up: nobody answers"):
        check_domain("games@play.example.org", fail)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A name server on loopback that knows two records of example.org, and that the resolver asks."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listening.bind(("127.0.0.1", 0))
    known = {"TXT": '"v=spf1 " "-all"', "MX": "10 mail.example.org."}

    def serve() -> None:
        while True:
            wire, asker = listening.recvfrom(512)
            if not wire:
                return
            asked = message.from_wire(wire)
            answer = message.make_response(asked)
            answer.flags |= flags.RA
            (question,) = asked.question
            kind = rdatatype.to_text(question.rdtype)
            if question.name.to_text() == "example.org.":
                answer.answer.append(rrset.from_text(question.name, 60, "IN", kind, known[kind]))
            listening.sendto(answer.to_wire(), asker)

    thread = Thread(target=serve)
    thread.start()
    asking = resolver.Resolver(configure=False)
    asking.nameservers, asking.port = ["127.0.0.1"], listening.getsockname()[1]
    monkeypatch.setattr(resolver, "default_resolver", asking)
    yield listening
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ending:
        ending.sendto(b"", listening.getsockname())
    thread.join()
    listening.close()


@pytest.mark.usefixtures("server")
def test_the_resolver_of_the_machine_is_asked() -> None:
    """Parts of a text are joined, and a name without such a record has none."""
    assert look_up("example.org", "TXT") == ["v=spf1 -all"]
    assert look_up("example.org", "MX") == ["mail.example.org."]
    assert look_up("_dmarc.example.org", "TXT") == []
