"""What one look finds harmless in a line is read as no move, word by word."""

import re
from random import Random

import pytest

from pbem.reading.no_move import TELLING, holds_no_move
from pbem.reading.sentences import scan_line
from pbem.reading.tokens import (
    _ALONE_MOVES,
    _FOR_ME,
    _LETTERS,
    _LOOSE,
    _NUMERALS,
    WORDS,
    may_hold_move,
    read_tokens,
)
from pbem.reading.wording import _uses, split_pieces
from tests.support.each import each

_WHO = ("You", "Bob", "Zoë van Dyk", "Jan", "Will", "Po", "Na", "Statt", "Statt Ann", "Instead of", "No", "Not", "I")
_WHAT = (
    "placed {cells}.",
    "placed white stones on {cells}. It’s Bob’s turn.",
    "played {cells}. You are Zip (white). Ann is Pip (black).",
    "played {cell} and removed {cells}.",
    "took the glass on {cells}. You rolled a 2. You",
    "chose to roll. Ann rolled a 4.",
    "built 3 cubes, took the glass on {cells} and attacked Red’s glass on {cell}. Carl rolled a",
    "built 1 cube and attacked Red’s glass on {cell}.",
    "placed a 4 from your store on {cell} and took over {cells}. Bob rolled a 6. It’s",
    "lost the cubes on {cells} and the glass on {cell}.",
)
_OTHERS = (
    "Reply with up to 6 cells, such as {cells}, or with pass.",
    "Reply with two points, such as {cells}.",
    "such as {cells}, or with “take”.",
    "such as use 5 {cells}, or with",
    "Reply with a free cell, such as {cell}x{cell}. Where you capture, add an x and the stone to remove.",
    "Battle for {cell}: the spinner shows 6, Yellow rolls a 1 and Blue a 4. Yellow",
    "Battle for {cell}: the spinner shows 3, Red rolls a 6 and Blue a 2. Blue is nearer and wins the round.",
    "Glass: Red 1, Blue 3 and Yellow 0; 23 free.",
    "Dark’s die is a 2; its sides run 1 3 6 4 clockwise. Score: Light 7, Dark 1.",
    "clockwise: 2 3 5 4 around a 6 and 1 2 6 5 around a 4.",
    "2. You are Blue. Ann is Red. Carl is Yellow.",
    "a 5. It’s Carl’s turn.",
    "Carl passed. Ann rolled a 6. You are Blue.",
    "You have 7 days, until Thursday, 26 November, 18:30 (UTC).",
    "Bob has 2 days and 5 hours, until Sunday, 1 March, 09:00 (Lisbon).",
    "November has 1 day and 1 hour, until Friday, 12 June, 23:59 (Golf).",
    "After that your side has 12 hours, until Monday, 4 May, 00:00 (UTC).",
)


def _with_cells(random: Random, text: str) -> str:
    """Return ``text`` with some cells in it, each way of joining them."""

    def cell() -> str:
        return f"{random.choice('abcdefghijklmnopqrstuvwxyz')}{random.randint(1, 19)}"

    cells = [cell() for _ in range(random.randint(1, 6))]
    joined = random.choice(
        (" ".join(cells), ", ".join(cells), " and ".join((", ".join(cells[1:]) or cell(), cells[0])))
    )
    return re.sub(r"\{cell\}", lambda _: cell(), text.replace("{cells}", joined))


@each("text", [*(f"{who} {what}" for who in _WHO for what in _WHAT), *_OTHERS])
def test_what_one_look_finds_harmless_is_read_as_no_move_wherever_it_is_broken(text: str) -> None:
    """Reading it word by word finds no move, whoever it is about, whole or a part of it."""
    random = Random(text)
    for _ in range(4):
        words = _with_cells(random, text).split(" ")
        count = len(words)
        for start, end in ((0, count), (0, random.randint(1, count)), (random.randrange(count), count)):
            line = " ".join(words[start:end])
            assert not (holds_no_move(line) and scan_line(line)), line


@each("text", [*(f"Bob {what}" for what in _WHAT), *_OTHERS])
def test_one_look_is_enough_for_the_usual_sentences_of_our_emails(text: str) -> None:
    """They need no reading, whatever cells they name."""
    assert holds_no_move(text.replace("{cells}", "d4 f5").replace("{cell}", "e5"))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("verb", TELLING)
def test_no_listed_word_as_a_name_makes_a_move_of_what_its_player_did(verb: str) -> None:
    """Words that mean something to the reader are names, too."""
    for name in sorted(phrase for phrase in _uses() if len(phrase.split()) <= 2):
        for line in (f"{name} {verb} d4 and f5.", f"I {name} {verb} d4."):
            assert not (holds_no_move(line) and scan_line(line)), line


@each("verb", TELLING)
def test_a_verb_that_tells_keeps_its_meaning_beside_every_word(verb: str) -> None:
    """No phrase takes it away but those known here."""
    phrases = {phrase for phrase in _uses() if verb in phrase.split() and phrase != verb}
    assert phrases <= {"well played", "nicely played", "took back"}
    (piece,) = split_pieces(read_tokens(verb))
    assert piece is not None
    assert piece.kinds & {"telling", "others"}
    assert verb not in WORDS


_CELLS = (
    "{0}{1}",
    "{0}-{1}",
    "{0} - {1}",
    "{0}:{1}",
    "{0}. {1}",
    "({0}, {1})",
    "{1}{0}",
    "{1}-{0}",
    "{1} {0}",
    "{0} {2}",
)
_NAMED = (
    "{3} {1}",
    "{3}-{2}",
    "{3}{1}",
    "column {0}, row {2}",
    "row {1} column {0}",
    "{0} as in golf, {1}",
    "x{0}{1}xa1",
)
_BESIDE = ("", " ", ", ", ".", "→", "“", "é", "x", "4", "'s ", " the ", ":-) ")


@each("shape", [*_CELLS, *_NAMED, "{4}"])
def test_no_cell_and_no_move_is_overlooked(shape: str) -> None:
    """Where the tokens of a line are a cell or another move, one look says that there may be one."""
    random = Random(shape)
    for word in sorted({*WORDS, *_LOOSE, *_FOR_ME, *_ALONE_MOVES}):
        letter, number = random.choice("abcdefghijklmnopqrstuvwxyz"), random.randint(1, 19)
        names = random.choice(sorted(_NUMERALS)), random.choice(sorted(_LETTERS)), word
        before, behind = random.choices((*_BESIDE, "_", "走") if shape == "{4}" else _BESIDE, k=2)
        line = f"{before}{shape.format(letter, number, *names)}{behind}"
        assert may_hold_move(line) or not any(token.kind in ("cell", "move") for token in read_tokens(line)), line


@each(
    "text", ["built 3 cubes", "on Friday, 26 November, 18:30", "has 7 days", "rolled a 5.", "passed", "clockwise: 2 3"]
)
def test_a_number_behind_a_word_is_no_cell(text: str) -> None:
    """Nor is a longer word that begins like a move."""
    assert not may_hold_move(text.lower())


@each("line", ["d4", "I play d4", "such as d4 f5 please", "Bob placed d4. e5", "Well played d4", "pass"])
def test_what_may_be_a_move_needs_a_closer_look(line: str) -> None:
    """One look does not decide it."""
    assert not holds_no_move(line)
