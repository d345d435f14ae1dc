"""What players write to start matches: how it is read, and what of their talk is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.families.play import FreeText
from pbem.commands.families.starting import (
    Again,
    AgainIn,
    Answer,
    CallOff,
    HelpGames,
    HelpStarting,
    Invite,
    Join,
    ListOffers,
    RefuseFrom,
    Seek,
    SignUp,
    parse_starting,
    plain_name,
    read_answer,
    read_sign_up,
)
from pbem.commands.grammar import read_commands
from tests.support.each import each

BOB = "bob@b.example"


@each(
    "line, command",
    [
        ("new zipline bob@b.example carl size=9 days=3", Invite("zipline", (BOB, "carl"), {"size": "9", "days": "3"})),
        ("New Zipline with Bob and Carl, please", Invite("zipline", ("Bob", "Carl"), {})),
        ("new pipline Bob Lee <bob@b.example>", Invite("pipline", (BOB,), {})),
        ("new pipline bob@b.example<mailto:bob@b.example>", Invite("pipline", (BOB,), {})),
        ('new pipline "Bob Lee" private', Invite("pipline", ("Bob Lee",), {}, private=True)),
        ("new zipline Bob Lee, Ann Quill", Invite("zipline", ("Bob Lee", "Ann Quill"), {})),
        ("new zipelin bob@b.example", HelpGames("zipelin")),
        ("new zipline", HelpGames("zipline")),
        ("which games are there?", HelpGames()),
        ("* pair pipline bob size = 5", Invite("pipline", ("bob",), {"size": "5"}, both=True)),
        ("pair pipline carl size 5", Invite("pipline", ("carl",), {"size": "5"}, both=True)),
        ("new zipline size: 7 bob carl", Invite("zipline", ("bob", "carl"), {"size": "7"})),
        ("seek zipline size 9 players 3", Seek("zipline", {"size": "9", "players": "3"})),
        ("seek pip•pip", Seek("pippip", {})),
        ("seek zipline players=3", Seek("zipline", {"players": "3"})),
        ("offers, please", ListOffers()),
        ("help matches", HelpStarting()),
        ("join 12", Join(12)),
        ("join offer #12.", Join(12)),
        ("cancel 12", CallOff(12)),
        ("unseek", CallOff(None)),
        ("unseek 3", CallOff(3)),
        ("block BOB@b.example", RefuseFrom(BOB, refused=True)),
        ("unblock Bob Lee", RefuseFrom("Bob Lee", refused=False)),
        ("again", Again()),
        ("Yes, again please!", Again()),
        ("Again, please!", Again()),
        ("rematch", Again()),
        ("again 17", AgainIn(17)),
    ],
)
def test_a_wish_is_read(line: str, command: object) -> None:
    """Signs, politeness and what programs add to addresses do not matter."""
    assert read_commands([line]) == [command]


@each(
    "line",
    [
        "new game?",
        "New pipline match with Bob?",
        "new address: you get one",
        "seek revenge",
        "join us",
        "join me in 12 days",
        "pair of eyes",
        "pair of size 5 shoes",
        "new shoes size 5",
        "cancel that",
        "block that cell, would you?",
        "again?",
        "yes, again and again",
        "again and again you beat me",
        "offers are welcome",
    ],
)
def test_talk_is_no_wish(line: str) -> None:
    """Much of it begins with such a word."""
    (command,) = read_commands([line])
    assert isinstance(command, FreeText)


@each(
    "lines, answer",
    [
        (["accept"], Answer("accept")),
        (["Accept Bob Lee"], Answer("accept", "Bob Lee")),
        (["I accept, thanks!"], Answer("accept")),
        (["yes, my name is Bob"], Answer("accept", "Bob")),
        (["Hi Ann,", "", "accept"], Answer("accept")),
        (["join 12", "accept"], Answer("accept")),
        (["no, sorry"], Answer("decline")),
        (["never!"], Answer("never")),
        (["unsubscribe"], Answer("never")),
        (["block"], Answer("block")),
        (["accept Buy at www.evil.example"], None),
        (["accept?"], None),
        (["No problem, I accept"], Answer("accept")),
        (["yes, but not now"], None),
        (["I can't accept"], None),
        (["Who is this?"], None),
        ([], None),
    ],
)
def test_an_answer_to_an_invitation_is_read(lines: list[str], answer: Answer | None) -> None:
    """What may be meant the other way round is no answer, and a name holds nothing but letters."""
    assert read_answer(lines) == answer


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("sign up Ann", "Ann"),
        ("Please sign me up as Ann Lee!", "Ann Lee"),
        ("sign up", ""),
        ("sign up a@b.c", ""),
    ],
)
def test_signing_up_is_read(line: str, name: str) -> None:
    """A name may stand behind it."""
    assert read_sign_up(["", line]) == SignUp(name)


@pytest.mark.parametrize("line", ["sign here", "I signed up", "sign up sheet? " * 20])
def test_nobody_signs_up_by_the_way(line: str) -> None:
    """Another sentence is none."""
    assert read_sign_up([line]) is None


@given(st.text(max_size=60))
def test_a_name_that_strangers_are_shown_is_letters(text: str) -> None:
    """Neither addresses nor numbers nor signs that steer come through."""
    name = plain_name(text)
    assert len(name) <= 40
    assert all(char.isalpha() or char in " .’'-" for char in name)


@given(st.text(alphabet='newpairsk @.=,"<>bob19\n\t', max_size=420))
def test_whatever_is_written_is_read_or_not(text: str) -> None:
    """Nothing raises, and what is read comes out the same in its canonical form."""
    for word in ("new pipline ", "seek pipline ", "block ", "join ", "cancel "):
        found = parse_starting(word + text)
        if found is not None and "@" not in text and '"' not in text:
            again = parse_starting(str(found))
            assert again is None or type(again) is type(found)


@pytest.mark.parametrize(
    ("lines", "command"),
    [
        (("say: hi", "", "block bob"), RefuseFrom("bob", refused=True)),
        (("Good luck in this one", "block bob"), RefuseFrom("bob", refused=True)),
        (("draw", "Hello all of you", f"block {BOB}"), RefuseFrom(BOB, refused=True)),
        ((f"say: {'a long line of words ' * 3}", f"block {BOB}"), RefuseFrom(BOB, refused=True)),
    ],
)
def test_whom_somebody_blocks_is_not_read_as_the_end_of_their_talk(lines: tuple[str, ...], command: RefuseFrom) -> None:
    """Talk goes to everyone, also to whoever is blocked."""
    assert read_commands(lines)[-1] == command


@pytest.mark.parametrize("above", ["If I were you I would not", "Nobody here would want to " * 3])
def test_the_end_of_a_sentence_blocks_nobody(above: str) -> None:
    """A name, unlike an address, may be the end of one that an email program broke."""
    assert read_commands([above, "block bob"])[-1] == FreeText("block bob", tail=True)
