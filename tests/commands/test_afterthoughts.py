"""Words and lines under the moves of a match that is over: how they are read."""

from pbem.commands.families.afterthoughts import Afterthought, Allow, TakeOff
from pbem.commands.families.play import FreeText
from pbem.commands.families.talk import Say
from pbem.commands.grammar import read_commands
from tests.support.each import each


@each(
    "text, read",
    [
        ("comment 17#12 I saw e5 too late", Afterthought(17, 12, "note", "I saw e5 too late")),
        ("Comment #12: well played; say: no", Afterthought(None, 12, "note", "well played; say: no")),
        ("  * comments on match 17 #12 - yes", Afterthought(17, 12, "note", "yes")),
        ("comment 17#12", Afterthought(17, 12, "note", "")),
        ("comment 0#1 x", Afterthought(None, 1, "note", "x")),
        ("comment #12\nIt was me", Afterthought(None, 12, "note", "It was me")),
        (f"comment #1 {'word ' * 12}\nand more", Afterthought(None, 1, "note", f"{'word ' * 12}and more")),
        ("line 17#12: d4, e5", Afterthought(17, 12, "line", "d4, e5")),
        ("line #3 d4,\ne5", Afterthought(None, 3, "line", "d4, e5")),
        (f"line #3: {'d4, e5, ' * 7}d6\ne7", Afterthought(None, 3, "line", f"{'d4, e5, ' * 7}d6 e7")),
        ("comment off 17#12", TakeOff(17, 12)),
        ("comment off #12", TakeOff(None, 12)),
        ("comment off 17.", TakeOff(17, None)),
        ("comments off match 17", TakeOff(17, None)),
        ("comment off", TakeOff()),
        ("comment on 17", Allow(17)),
        ("Comment on, please", Allow()),
    ],
)
def test_it_is_read_as_one_thing(text: str, read: object) -> None:
    """With the lines that an email program has parted; what it is reads as itself once more."""
    assert read_commands(text.splitlines()) == [read]
    assert read_commands([str(read)]) == [read]


@each(
    "line",
    ["comment: nice move", "comment on the game: well played", "line up", "the line #12 is long", "No comment #12",
     "comment 17 please", "comment off the record", "line 3"],
)  # fmt: skip
def test_talk_that_begins_so_is_none(line: str) -> None:
    """The number sign tells them apart."""
    assert [type(one) for one in read_commands([line])] == [FreeText]


@each("above", ["say: Thanks,", "note: he is weak,", "team: Thanks for"])
def test_it_is_no_part_of_words_above_it(above: str) -> None:
    """What is for a page stands in no email, and the other way round."""
    *_, last = read_commands([above, "comment 17#12 Well played"])
    assert last == Afterthought(17, 12, "note", "Well played")


def test_a_long_line_above_it_takes_nothing_of_it() -> None:
    """An email program may have broken that line: still nobody ends a sentence so."""
    lines = [f"comment #3 {'word ' * 12}".strip(), "line #3: d4, e5", "comment #0 First"]
    assert [str(one) for one in read_commands(lines)] == lines
    assert read_commands(["I wrote more than fits into a line of an email, and so it", "comment #3 Well"])[1:] == [
        Afterthought(None, 3, "note", "Well")
    ]


def test_neither_a_move_nor_words_for_others_below_it_are_part_of_it() -> None:
    """A move is never taken for words, nor are words to others published."""
    assert read_commands(["comment 17#12 Good match,", "d4"])[1:] == [FreeText("d4")]
    assert read_commands(["comment 17#12 Good match,", "team: look at d4"])[1:] == [Say("look at d4", to_side=True)]
