"""What people write who want to follow a match, in any spelling."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.families.following import Unwatch, Watch, may_hold_wish, read_wish
from tests.support.each import each

NUMBERS = st.integers(0, 999_999_999)
WISHES = st.one_of(st.builds(Watch, NUMBERS), st.builds(Unwatch, st.none() | NUMBERS))


@given(st.lists(st.text(), max_size=5))
def test_any_text_is_read(lines: list[str]) -> None:
    """Nothing that anybody writes breaks it, and a wish stands only where one may be."""
    wish = read_wish(lines)
    assert wish is None or may_hold_wish("\n".join(lines))


@given(WISHES, st.text(" \t*_!.\"'“”", max_size=5))
def test_a_wish_reads_as_it_is_written(wish: Watch | Unwatch, around: str) -> None:
    """In its canonical form, in capitals, and with marks around it that people and programs add."""
    for line in (str(wish), str(wish).upper(), f"{around}{wish}{around}"):
        assert read_wish(["Hello,", "", line]) == wish


@each(
    "line, wish",
    [
        ("Please follow match #17, thank you!", Watch(17)),
        ("follow game 17", Watch(17)),
        ("watch no. 17 please", Watch(17)),
        ("stop following match 17", Unwatch(17)),
        ("unfollow", Unwatch(None)),
        ("I watch 17", None),
        ("watch 17?", None),
        ("don't watch 17", None),
        ("watch seventeen", None),
        ("watch 1234567890", None),
        ("watch ١٧", None),
    ],
)
def test_spellings(line: str, wish: Watch | Unwatch | None) -> None:
    """Politeness and the word match may stand beside it, and nothing else."""
    assert read_wish([line]) == wish


def test_a_wish_stands_near_the_top() -> None:
    """What stands below other text is quoted, or talk."""
    assert read_wish(["a", "b", "watch 17"]) == Watch(17)
    assert read_wish(["a", "b", "c", "watch 17"]) is None
