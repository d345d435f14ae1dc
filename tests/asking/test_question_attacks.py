"""Every attack on every kind of question: what somebody tries with an email that asks somebody for a yes.

What a kind is, says ``tests/support/questions.py``; here an attack is a function, and each is tried on all kinds but
those of ``APART``, which says why not. ``FAULTS`` are the cells in which today's code falls to the attack: they are
asserted, so that whoever mends one has to take it out.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage

import pytest

from pbem.commands.ruling import call_off
from pbem.mail.question_token import sign_question_token
from pbem.ports import Fetched
from pbem.running.operator_rulings import find_to_forget, forget_player, forget_stranger, rule, seat_another
from tests.support.club import ADDRESS, SECRET
from tests.support.mails import text_of
from tests.support.questions import (
    ANN,
    BOB,
    CARL,
    EVE,
    KINDS,
    Asked,
    Clubs,
    Posed,
    names,
    owner_of,
    settle,
    world,
)
from tests.support.replies import Kind, read_notice, write_reply

# Half of the kinds meet an attack in `make test`, the others the next one; all of them all attacks in `make slow`.
pytestmark = pytest.mark.sampled(2)

HTML = "text/html; charset=utf-8"
NAMES = {ANN: "Ann", BOB: "Bob", CARL: "Carl"}
ADDRESSES = ("whose address is it", "another address of a player")
STRANGERS = (
    *ADDRESSES,
    "following",
    "signing up",
    "invitation of a stranger",
    "stand-in who is a stranger",
    "voting as a stranger",
)
INVITATIONS = ("invitation of a stranger", "invitation of a player", "rematch")
STANDINS = ("stand-in", "stand-in who is a stranger", "stand-in everywhere")
SECONDS = ("voting on a seat", "voting as a stranger")
OF_A_TURN = (
    *("a move without a token", "resigning below other words", "near miss", "draw", "undo", "proposal to a partner"),
)
OF_A_SEAT = (
    *(*OF_A_TURN, "resigning by an old email", "being replaced", "a robot as a stand-in", "pause", "was this you"),
    "an address that said yes",
)
OF_ONES_OWN = (
    *("following", "signing up", "a wish without a token", "having a seat back", "a move without a token"),
    *("being forgotten", "resigning below other words", "resigning by an old email", "near miss"),
)
"""The kinds in which whoever is asked has asked themselves, or somebody in their name."""

APART: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "another's own email": {
        "the word itself gives the match up, for whoever writes it": ("resigning by an old email",),
    },
    "another stamp": {"its token is that of a seat": OF_A_SEAT},
    "a move": {"its reply token is that of the seat": OF_A_SEAT},
    "another email to its reader": {
        "an address that nobody plays from gets no other email": STRANGERS,
        "the word itself gives the match up, in answer to any present email": ("resigning by an old email",),
    },
    "the status": {"whoever plays in no match is sent none": STRANGERS},
    "a digest": {
        "whoever plays in no match is sent none": STRANGERS,
        "whoever has no turn to take is sent none": (
            *("invitation of a player", "rematch", "a robot as a stand-in", "resigning by an old email"),
            *("having a seat back", "words under a move"),
        ),
    },
    "too late": {
        "it is bound to a turn: the next move ends it": (*OF_A_TURN, "resigning by an old email"),
        "nobody else is sent it, and a stranger is not asked again": ("signing up",),
    },
    "a new address": {
        "whoever has no seat has no reply address to make new": (*STRANGERS, "having a seat back"),
    },
    "withdrawn": {
        "only its reader asked, and takes it back by a no": OF_ONES_OWN,
        "it takes nothing by itself: somebody else is asked after it": ("was this you", "another address of a player"),
        "a proposal that others play on ends by a no of those who are asked": (
            *("playing on for somebody", "being replaced"),
        ),
        "it is talk between partners": ("proposal to a partner",),
    },
    "a match that is over": {
        "it is about no match that goes on": (
            *("was this you", *ADDRESSES, "an address that said yes", "signing up", "a wish without a token"),
            *(*INVITATIONS, "being forgotten", "words under a move"),
        ),
    },
    "a match that has gone on": {
        "it is about no turn": (
            *("was this you", *ADDRESSES, "an address that said yes", "following", "signing up"),
            *("a wish without a token", *INVITATIONS, "being forgotten", "having a seat back", "words under a move"),
        ),
        "a stand-in is wanted for days": STANDINS,
        "votes are wanted to the end of a match": SECONDS,
        "whoever is to be replaced is asked last": ("playing on for somebody",),
        "whoever gives up by a new email does so later, too": ("resigning by an old email",),
    },
    "a seat that its reader has lost": {
        "it goes to no seat": tuple(kind.name for kind in KINDS if kind.name not in OF_A_SEAT),
    },
    "a seat that its asker has lost": {
        "whoever asked is its reader": OF_ONES_OWN,
        "whoever asks has no seat": ("words under a move",),
        "an unknown address has no seat": ("was this you", "an address that said yes"),
        "people are invited by a player, in whatever seat": INVITATIONS,
    },
    "an asker who is forgotten": {
        "whoever asked is its reader": OF_ONES_OWN,
        "it is the reader's own stone, and the board that they saw": ("proposal to a partner",),
    },
    "a reader who is forgotten": {
        "that is what it asks": ("being forgotten",),
        "being forgotten gives the match up": ("resigning below other words", "resigning by an old email"),
    },
    "a no before": {
        "its reader may take a no back: the last answer counts": (
            *("was this you", "an address that said yes", "signing up"),
        ),
        "the no changes nothing and is told to nobody: whoever thinks better of it still has the question": (
            *("being replaced", "a robot as a stand-in", "pause", "a move without a token", "being forgotten"),
            *("resigning below other words", "resigning by an old email", "near miss", "proposal to a partner"),
        ),
    },
}
"""Why an attack is not tried on some kinds."""

FAULTS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "an email that a provider has renamed": {
        "it is found by the Message-ID alone, which nobody but its reader can know": (
            *("was this you", "an address that said yes", "a move without a token"),
            "resigning below other words",
        ),
    },
}
"""The attacks to which the code of today falls, and why."""


def excused(attack: str, kind: Asked) -> bool:
    """Return whether an attack is not tried on a kind."""
    return any(kind.name in kinds for kinds in APART.get(attack, {}).values())


def is_fault(attack: str, kind: Asked) -> bool:
    """Return whether it is known that a kind falls to an attack."""
    return any(kind.name in kinds for kinds in FAULTS.get(attack, {}).values())


ATTACKS: set[str] = set()
"""The names of all attacks."""


def tried(*attacks: str) -> pytest.MarkDecorator:
    """Let a test of these attacks be tried on each kind that one of them is for."""
    ATTACKS.update(attacks)
    kinds = [kind for kind in KINDS if not all(excused(attack, kind) for attack in attacks)]
    return pytest.mark.parametrize("kind", kinds, ids=lambda kind: kind.name)


Attack = Callable[[Posed], object]
"""What somebody tries with a question."""


def try_all(posed: Posed, attacks: Mapping[str, Attack]) -> None:
    """Try one attack after another, none of which changes anything, or ends the question."""
    before = world(posed.club)
    for name, attack in attacks.items():
        if not excused(name, posed.kind):
            attack(posed)
            assert not posed.granted(), name
    settle(posed.club)
    assert not posed.granted()
    assert world(posed.club) == before


def assert_granted(posed: Posed, *, otherwise: str = "") -> None:
    """Assert that the yes is carried out, once what is due is done; ``otherwise``: unless that is known not to hold."""
    settle(posed.club)
    assert posed.granted() != is_fault(otherwise, posed.kind)


def assert_in_vain(posed: Posed, attack: str, words: str = "") -> None:
    """Assert that a yes is not carried out, and makes nobody a player, unless the kind falls to the attack."""
    before = names(posed.club)
    posed.answer(words)
    settle(posed.club)
    assert posed.granted() == is_fault(attack, posed.kind)
    assert posed.granted() or names(posed.club) == before


# Somebody else


def forward(posed: Posed) -> None:
    """Whoever has got the email answers by its reader's name: a stranger with an address like theirs, and players."""
    reader = posed.kind.reader
    name = reader.partition("@")[0].title()
    for sender in (f"{reader}.m.example", *sorted({posed.kind.asker, ANN, BOB} - {reader})):
        posed.answer(From=f"{name} <{sender}>")


def answer_own_email(posed: Posed) -> None:
    """Players say yes with reply addresses of their own, and name the question."""
    asked = str(posed.question["Message-ID"])
    for player in sorted({ANN, BOB} - {posed.kind.reader}):
        mail = posed.newest_to(player, match=1)
        raw = posed.club.answer(mail, posed.kind.yes, In_Reply_To=asked, References=asked)
        posed.club.service.hand_in(raw)


@tried("forwarded", "another's own email")
def test_nobody_says_yes_but_its_reader(clubs: Clubs, kind: Asked) -> None:
    """From no other address, with no other token; then its reader does, above the whole question."""
    posed = clubs.asked(kind)
    try_all(posed, {"forwarded": forward, "another's own email": answer_own_email})
    quote_and_say_yes(posed, "quoted")
    assert_granted(posed)


# Tokens


def forge(posed: Posed) -> None:
    """Somebody writes in the reader's name, without the email, or with an email to another player."""
    title = f"Re: {posed.question['Subject']}"
    posed.club.write(posed.kind.yes, posed.kind.reader, To=ADDRESS, Subject=title)
    other = posed.newest_to(BOB if posed.kind.reader == ANN else ANN, match=1)
    posed.club.service.hand_in(posed.club.answer(other, posed.kind.yes, From=posed.kind.reader))


def token_of(question: EmailMessage) -> str:
    """Return the token in an email of ours; without one what tells its Message-ID from others."""
    found = re.search(r"\+([^@]*)@", str(question["Reply-To"]))
    return found[1] if found else str(question["Message-ID"]).strip("<>").partition("@")[0]


def answer_with(posed: Posed, *tokens: str) -> None:
    """Answer in the reader's name with other tokens; where the question has none, with other Message-IDs."""
    token = token_of(posed.question)
    to, answered = (str(posed.question[name]) for name in ("Reply-To", "Message-ID"))
    thread = " ".join(answered.replace(token, other) for other in tokens)
    forged = {
        "To": ", ".join(to.replace(token, other) for other in tokens),
        "In_Reply_To": thread,
        "References": thread,
    }
    assert token not in "".join(forged.values())
    # A question to a seat is found by its Message-ID, which changes too: that the yes is in vain proves no token wrong.
    assert posed.answer(**forged).message.seat is None


def change_letter(posed: Posed) -> None:
    """Guess the last letter."""
    token = token_of(posed.question)
    answer_with(posed, token[:-1] + ("b" if token[-1] == "a" else "a"))


def change_numbers(posed: Posed) -> None:
    """Name another match, turn or seat, or another message, invitation or offer."""
    *parts, signature = token_of(posed.question).split(".")
    changed = [
        ".".join([*parts[:place], str(number), *parts[place + 1 :], signature])
        for place, part in enumerate(parts)
        if part.isdigit()
        for number in {int(part) + 1, abs(int(part) - 1)}
    ]
    answer_with(posed, *changed)


def change_stamp(posed: Posed) -> None:
    """Answer with tokens of another question, at another time, and of another host."""
    with posed.club.service.database.reading() as tx:
        question = tx.questions.get(int(token_of(posed.question).split(".")[1]))
    assert question
    foreign = sign_question_token(question.id, question.stamp, f"{SECRET} of another host")
    others = (
        replace(question, id=question.id + 1),
        replace(question, asked_at=question.asked_at + timedelta(seconds=1)),
    )
    answer_with(posed, foreign, *(sign_question_token(question.id, other.stamp, SECRET) for other in others))


@tried("forged", "a letter changed", "a number changed", "another stamp")
def test_no_token_is_made_up(clubs: Clubs, kind: Asked) -> None:
    """A yes in HTML alone, with the right one, counts then."""
    posed = clubs.asked(kind)
    made_up: Mapping[str, Attack] = {
        "forged": forge,
        "a letter changed": change_letter,
        "a number changed": change_numbers,
        "another stamp": change_stamp,
    }
    try_all(posed, made_up)
    posed.answer(f"<html><body><div>{kind.yes}</div></body></html>", Content_Type=HTML)
    assert_granted(posed)


# What is no yes


def quote(posed: Posed) -> None:
    """The yes stands in what is quoted, with our own words that ask for it."""
    ours = "\n".join(f"> {line}" for line in text_of(posed.question).splitlines())
    posed.answer(f"On Monday somebody wrote:\n> {posed.kind.yes}\n> yes\n{ours}\n")


def quote_in_html(posed: Posed) -> None:
    """The same in HTML."""
    html = f"<p>Hm.</p><blockquote type=cite><p>{posed.kind.yes}</p></blockquote>"
    posed.answer(html, Content_Type=HTML)


def answer_by_machine(posed: Posed) -> None:
    """An automatic responder says yes."""
    assert posed.answer(Auto_Submitted="auto-replied").message.status == "discarded"


def hesitate(posed: Posed) -> None:
    """Somebody says more than yes, or less, or nothing."""
    for words in (f"{posed.kind.yes}, but not now", "What is this?", "\n"):
        posed.answer(words)


def play(posed: Posed) -> None:
    """Somebody takes it for an email by which one plays."""
    for words in ("resign", "c3"):
        posed.answer(words)


def answer_another_email(posed: Posed) -> None:
    """The yes answers the newest other email to the same reader."""
    posed.club.service.hand_in(posed.club.answer(posed.newest_to(posed.kind.reader), posed.kind.yes))


def answer_status(posed: Posed) -> None:
    """The yes answers what lists all their matches."""
    posed.club.write("status", posed.kind.reader)
    posed.club.answer_kind("status", -1, posed.kind.yes)


@tried(
    *("quoted", "quoted in HTML", "by a machine", "no plain yes", "another email to its reader", "the status"),
    "a move",
)
def test_nothing_but_a_plain_answer_to_the_question_is_a_yes(clubs: Clubs, kind: Asked) -> None:
    """One above the whole question, as a large provider quotes it, is."""
    posed = clubs.asked(kind)
    unclear: Mapping[str, Attack] = {
        "another email to its reader": answer_another_email,
        "the status": answer_status,
        "by a machine": answer_by_machine,
        "quoted": quote,
        "quoted in HTML": quote_in_html,
        "no plain yes": hesitate,
        "a move": play,
    }
    try_all(posed, unclear)
    quote_and_say_yes(posed, "gmail")
    assert_granted(posed)


def quote_and_say_yes(posed: Posed, style: Kind) -> None:
    """Let the reader say yes above the whole question, as an email program quotes it."""
    name = NAMES.get(posed.kind.reader, "")
    answered = read_notice(posed.question.as_bytes())
    posed.club.service.hand_in(write_reply(style, answered, posed.kind.yes, 1, name))


@tried("a digest")
def test_a_yes_to_a_digest_agrees_to_nothing(clubs: Clubs, kind: Asked) -> None:
    """Neither to all of it, nor for the match."""
    posed = clubs.asked(kind)
    club = posed.club
    club.service.hand_in(club.answer(_seated(posed), "digest 07:30"))
    club.clock.advance(timedelta(hours=26))
    asyncio.run(club.service.deliver())
    for words in (kind.yes, f"1 {kind.yes}"):
        club.answer_kind("digest", -1, words)
    settle(club)
    assert not posed.granted()


@tried("a no below")
def test_a_no_below_a_yes_is_no_yes(clubs: Clubs, kind: Asked) -> None:
    """Whoever says both has not agreed."""
    posed = clubs.asked(kind)
    assert_in_vain(posed, "a no below", f"{kind.yes}\nno")


@tried("a no before")
def test_a_yes_after_a_no_comes_too_late(clubs: Clubs, kind: Asked) -> None:
    """What was declined is closed."""
    posed = clubs.asked(kind)
    posed.answer("no")
    assert_in_vain(posed, "a no before")


@tried("twice")
def test_two_yeses_at_the_same_moment_count_once(clubs: Clubs, kind: Asked) -> None:
    """Both came in before either was read."""
    posed = clubs.asked(kind)
    club = posed.club
    numbers = [club.service.receive([Fetched(club.answer(posed.question, kind.yes))])[0][0] for _ in range(2)]
    club.service.processing.process(numbers[0])
    assert_granted(posed)
    once, told = world(club), len(club.queued())
    club.service.processing.process(numbers[1])
    settle(club)
    others = {mail.recipient for mail in club.queued()[told:]} - {kind.reader}
    assert (world(club) != once or others != set()) == is_fault("twice", kind)


# What has happened since


@tried("too late")
def test_a_yes_of_long_after_comes_too_late(clubs: Clubs, kind: Asked) -> None:
    """An old email, found later, does not bind its reader."""
    posed = clubs.asked(kind)
    posed.club.serve(timedelta(days=kind.days, minutes=1))
    settle(posed.club)
    assert_in_vain(posed, "too late")


@tried("a new address")
def test_a_new_address_ends_the_questions_of_before(clubs: Clubs, kind: Asked) -> None:
    """Whoever has found one of those emails says yes in nobody's name."""
    posed = clubs.asked(kind)
    renewed = posed.club.service.hand_in(posed.club.answer(_seated(posed), "new address"))
    if renewed.message.code == "confirm":
        renewed = posed.club.answer_kind("confirm", -1, "new address")
    assert renewed.message.commands == ("new address",)
    assert_in_vain(posed, "a new address")


def _seated(posed: Posed) -> EmailMessage:
    """Return the newest email to the seat of whoever was asked."""
    number, seat = posed.kind.seat or (0, 0)
    return posed.club.newest(seat, number)


@tried("withdrawn")
def test_a_yes_to_what_was_taken_back_comes_too_late(clubs: Clubs, kind: Asked) -> None:
    """Whoever asked has thought better of it."""
    posed = clubs.asked(kind)
    assert kind.withdraw
    assert kind.withdraw(posed.club).message.status == "accepted"
    assert_in_vain(posed, "withdrawn")


@tried("a match that is over")
def test_a_yes_after_the_end_of_the_match_changes_nothing(clubs: Clubs, kind: Asked) -> None:
    """The operator has called it off."""
    posed = clubs.asked(kind)
    rule(posed.club.service, 1, call_off)
    assert_in_vain(posed, "a match that is over")


@tried("a match that has gone on")
def test_a_yes_after_the_next_move_changes_nothing(clubs: Clubs, kind: Asked) -> None:
    """It was about another position."""
    posed = clubs.asked(kind)
    match = posed.club.match()
    assert isinstance(match.to_act, int)
    move = str(next(iter(match.position.legal_moves())))
    assert posed.club.reply(match.to_act, move).message.status == "accepted"
    assert_in_vain(posed, "a match that has gone on")


@tried("a seat that its reader has lost")
def test_whoever_has_lost_the_seat_says_yes_for_nobody(clubs: Clubs, kind: Asked) -> None:
    """The operator has given it to somebody else."""
    posed = clubs.asked(kind)
    seat_another(posed.club.service, 1, NAMES[kind.reader], f"Eve <{EVE}>")
    assert_in_vain(posed, "a seat that its reader has lost")


@tried("a seat that its asker has lost")
def test_nobody_is_bound_by_what_was_asked_before_they_had_the_seat(clubs: Clubs, kind: Asked) -> None:
    """What its former player wanted is no wish of whoever has it now."""
    posed = clubs.asked(kind)
    seat_another(posed.club.service, 1, NAMES[kind.asker], f"Eve <{EVE}>")
    assert_in_vain(posed, "a seat that its asker has lost")


def be_forgotten(posed: Posed, address: str) -> None:
    """Erase who has an address."""
    service = posed.club.service
    if owner_of(posed.club, address):
        forget_player(service, find_to_forget(service, address))
    else:
        forget_stranger(service, address)


@tried("an asker who is forgotten")
def test_what_somebody_forgotten_asked_is_agreed_to_by_nobody(clubs: Clubs, kind: Asked) -> None:
    """Nothing of them comes back."""
    posed = clubs.asked(kind)
    be_forgotten(posed, kind.asker)
    assert_in_vain(posed, "an asker who is forgotten")


@tried("a reader who is forgotten")
def test_somebody_forgotten_says_yes_to_nothing(clubs: Clubs, kind: Asked) -> None:
    """They write as a stranger does."""
    posed = clubs.asked(kind)
    be_forgotten(posed, kind.reader)
    assert_in_vain(posed, "a reader who is forgotten")


@tried("a blocked reader")
def test_somebody_blocked_says_yes_to_nothing(clubs: Clubs, kind: Asked) -> None:
    """The operator did that after they were asked."""
    posed = clubs.asked(kind)
    with posed.club.service.database.transaction() as tx:
        tx.blocked.add(kind.reader, "", posed.club.clock.now())
    assert_in_vain(posed, "a blocked reader")


@tried("a backup that was restored")
def test_a_yes_to_a_question_that_a_backup_lost_answers_no_later_one(clubs: Clubs, kind: Asked) -> None:
    """Which has got its number since."""
    lost, posed = clubs.asked(kind), clubs.restored(kind)
    posed.club.service.hand_in(lost.club.answer(lost.question, kind.yes))
    settle(posed.club)
    assert posed.granted() == is_fault("a backup that was restored", kind)
    posed.answer()
    assert_granted(posed)


# No attack: but what keeps attacks out must not keep out a right answer.


@tried("an email that a provider has renamed")
def test_a_yes_counts_where_a_provider_has_given_our_email_another_message_id(clubs: Clubs, kind: Asked) -> None:
    """Its reply address is the right one."""
    posed = clubs.asked(kind)
    posed.answer(In_Reply_To="<0100018c@email.example>", References="<0100018c@email.example>")
    assert_granted(posed, otherwise="an email that a provider has renamed")


def test_each_cell_of_the_table_holds_or_says_why_not() -> None:
    """No exception names a kind or an attack that there isn't, none is of both sorts, and each attack is for many."""
    names = [kind.name for kind in KINDS]
    assert len(set(names)) == len(names)
    exceptions = [
        (attack, name, reason)
        for table in (APART, FAULTS)
        for attack, reasons in table.items()
        for reason, kinds in reasons.items()
        for name in kinds
    ]
    cells = [(attack, name) for attack, name, _ in exceptions]
    assert len(set(cells)) == len(cells)
    assert {attack for attack, _ in cells} <= ATTACKS
    assert {name for _, name in cells} <= set(names)
    assert all(len(reason.split()) > 3 for _, _, reason in exceptions)
    for attack in ATTACKS:
        assert sum(not excused(attack, kind) for kind in KINDS) >= len(KINDS) // 4, attack
