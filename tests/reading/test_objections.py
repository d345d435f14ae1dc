"""What speaks against a move, one example of each kind in several languages: it is asked about, never played."""

from dataclasses import replace

from tests.support.each import each
from tests.support.judging import moves, put, refusal, start

AUCTION = replace(start("zipline", 2), options=start("zipline", 2).game.normalise({"size": 9}))


@each(
    "text",
    [
        "meet me at hall d4",
        "we live at d4, third floor",
        "I'm at gate d4",
        "Ik zit op stoel d4",
        "Ich stehe auf der A3 im Stau",
        "I'll pass on d4 today",
        "I'll pass up d4",
        "In my match with Carl: d4",
        "Für die Partie gegen Carl: d4",
        "Aux échecs je joue d4",
        "I play d4 every time we meet",
        "Ich spiele seit Jahren d4",
        "Toi, d4",
        "d4, or e5 if that's allowed",
        "d4 but which way does it turn",
        "d4 aber ich schau heute Abend nochmal drauf",
        "d4 но вечером ещё раз проверю",
        "d4 e5, rest to follow",
        "d4 e5 und den dritten sag ich später",
        "I'm drawn to d4",
        "d4 v pondělí",
        "d4はどう思う",
        "The next one after this: d4",
        "d4 any good",
    ],
)
def test_a_cell_that_is_spoken_of_otherwise_is_not_played(text: str) -> None:
    """A place, another match, a habit, somebody else, a part that is put off, a later day."""
    assert refusal(AUCTION, 0, text)


@each(
    "line",
    [
        "Bitte noch nicht ausführen.",
        "Nog niet spelen aub",
        "Non giocarla ancora.",
        "(draft)",
        "not final",
        "I'm not sure though. Give me a day?",
        "Mistake! Sorry!",
        "Statt d4 bitte f3.",
        "Hold d4 back.",
        "Should read g5.",
        "jag menar g5",
    ],
)
def test_a_line_below_that_leaves_a_move_open_or_replaces_it_is_asked_about(line: str) -> None:
    """In whatever words."""
    assert refusal(AUCTION, 0, f"d4\n\n{line}")


@each(
    "text",
    [
        "I take d4, see you at hall 7",
        "d4. I always enjoy this",
        "d4\n\nMore tonight, I have to run",
        "d4\n\nThat was a good idea of yours",
        "d4\n\nThanks for the game with you",
        "d4, but that's only fair",
    ],
)
def test_what_speaks_of_something_else_speaks_against_nothing(text: str) -> None:
    """The same words in another sentence, or about another thing."""
    assert moves(put(AUCTION, 0, text)) == ("d4",)
