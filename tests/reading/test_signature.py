"""How people sign, in many countries, told from what they say."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.reading.answering.signature import is_contact, split_signature
from tests.support.each import each

NUMBERS = (
    *("Tel. 01/234 567", "Tel.: +43 1 234567-0 | Fax: -99", "Mobile: 0171 1234567", "+49 (0)171 1234567"),
    *("(020) 7946 0958", "T: 020 7946 0958", "M +44 7700 900123", "тел. +7 495 123-45-67", "電話: 03-1234-5678"),
    *("Puh. 040 1234567", "Cell 555 123 4567", "Handy 0171/1234567", "Tél. : 01 23 45 67 89", "Τηλ. 210 1234567"),
)
PLACES = (
    *("5 Main Street, Springfield", "12 Rue de la Paix, 75002 Paris", "Hauptstraße 5", "Hauptstr. 5, 10115 Berlin"),
    *("10115 Berlin", "London SW1A 1AA", "Via Roma 12, 00100 Roma", "Calle Mayor 3, 28013 Madrid", "P.O. Box 123"),
    *("Keizersgracht 100, 1015 AA Amsterdam", "ul. Długa 5, 00-950 Warszawa", "Storgatan 3, 111 22 Stockholm"),
    *(
        "ул. Ленина, д. 5",
        "〒100-0001 東京都千代田区1-1",
        "Av. da Liberdade 10, Lisboa",
        "Hämeenkatu 4 B",
    ),
)
PAGES = (
    *("www.example.org", "https://example.org/berger", "Web: berger-partner.de", "E-Mail: a@a.example | www.a.example"),
    *(
        "<https://a.example>",
        "Website: https://a.example",
        "berger.co.uk",
        "www.a.example/en · A",
        "Internet: a.fr",
    ),
    *("Berger & Partner – www.berger.at", "LinkedIn: www.linkedin.com/in/berger"),
)
COMPANIES = (
    *("Berger & Partner GmbH", "Example Ltd", "株式会社テスト", "ООО Ромашка", "Berger AG | Zürich", "Lamport S.A."),
    *("Rossi S.r.l.", "De Vries B.V.", "Svensson AB", "Nowak Sp. z o.o.", "Virtanen Oy"),
)
LAW = (
    *("Registergericht: Amtsgericht München, HRB 12345", "Geschäftsführer: Max Muster", "SIRET 123 456 789 00012"),
    *("Registered in England and Wales No. 123456", "P.IVA 01234567890", "KvK 12345678", "VAT No. GB 123456789"),
    *(
        "CIF: B12345678",
        "Org.nr: 556123-4567",
        "NIP 123-456-78-90",
        "IČO: 12345678",
        "ИНН 7701234567",
        "Y-tunnus: 123456-7",
    ),
)
SAID = (
    *("meet me at 5 Main Street? my tel. is 0171 1234567", "my tel. is 0171 1234567", "call me on +49 171 1234567"),
    *("Meet me at 5 Main Street.", "we live at Hauptstraße 5, come over", "see www.example.org for the rules"),
    *("look at https://example.org!", "I work at Example Ltd now", "my GmbH is bankrupt", "that costs 100 000 euros"),
    *(
        "24/18 13/11",
        "8/5 6/5 13/11 24/18",
        "d4 e5",
        "thanks, well played",
        "I have a phone",
        "Nice move!",
        "Good luck",
    ),
    *("in 2024 we played 3 times", "my number is 12345678", "1. e4 e5 2. Nf3", "was it 1999 or 2001", "Cheers", "Ann"),
    *("ich wohne in der Hauptstraße 5", "ruf mich an: 0171 1234567", "mon numéro est le 01 23 45 67 89", "c5 by ten"),
)


def nothing(line: str) -> bool:
    """Return whether a line is the one move that there is here, or the one command."""
    return line in ("d4", "Take")


@each("line", [*NUMBERS, *PLACES, *PAGES, *COMPANIES, *LAW])
def test_a_line_of_a_signature_is_known_and_ends_the_message(line: str) -> None:
    """Below a move, with a greeting above it, and the name of its bearer."""
    assert is_contact(line)
    signature = ["Best regards,", "Dr. A. Berger", line]
    assert split_signature(["d4", "", "Nice move!", "", *signature], nothing) == (["d4", "", "Nice move!"], signature)


@each("line", SAID)
def test_what_somebody_says_is_no_signature(line: str) -> None:
    """Not with a number, a street or a company in it, nor a move of digits, nor a greeting or a name alone."""
    assert not is_contact(line)
    said = ["d4", "", line]
    assert split_signature(said, nothing) == (said, [])


@pytest.mark.parametrize(
    ("written", "signature"),
    [
        ("d4||Best regards,||Dr. A. Berger|Tel. 01/234 567", 3),
        ("d4|Nice move!|Bob|Software engineer|Tel. 0171 1234567", 3),
        ("d4||Great Game||Bob|Tel. 0171 1234567", 2),
        ("Hi|Take|Tel. 0171 1234567", 1),
        ("Tel. 0171 1234567", 0),
        ("d4||Bob", 0),
        ("d4||Kind regards|Bob", 0),
        ("d4||fine||Mit freundlichen Grüßen|Ann Berger||Berger GmbH|Hauptstr. 5|10115 Berlin||www.berger.de", 6),
        ("d4||Tel. 0171 1234567|and bring the board", 0),
        ("d4||bob@b.example", 0),
        ("d4||Bob|bob@b.example|Tel. 0171 1234567", 3),
        ("d4||----|Bob|www.b.example", 3),
        ("d4|my address:|5 Main Street|10115 Berlin", 2),
        ("d4||I wait for you at|5 Main Street.", 0),
        ("", 0),
    ],
)
def test_a_signature_begins_where_nothing_is_said_any_more(written: str, signature: int) -> None:
    """The first line is none, nor is a command, or a paragraph above it that does not take leave."""
    lines = written.split("|")
    kept, signed = split_signature(lines, nothing)
    assert signed == [line for line in lines if line][len([line for line in lines if line]) - signature :]
    assert [line for line in (*kept, *signed) if line] == [line for line in lines if line]


@each("link", ["https://games.example.org/matches/1.html#3:d4", "www.example.org/photo.jpg"])
def test_a_page_that_somebody_shows_is_no_signature(link: str) -> None:
    """Unless a name or a greeting stands above it."""
    said = ["d4", "", "I looked at", link]
    assert split_signature(said, nothing) == (said, [])


@each(
    "line",
    [
        *(
            "(212) 555-0123",
            "212-555-0123",
            "212.555.0123",
            "Ann Smith | Senior engineer at ACME | mobile 0664 1234567",
        ),
        *("Ann, Head of Sales at ACME Ltd, +44 20 7946 0000", "Ann Lee · Chief of staff for the north · +43 1 2345678"),
        *("Carl – Our man in the far west – 555 123 4567", "Dr. A. Berger, Professor of what there is, (212) 555-0123"),
    ],
)
def test_a_number_as_in_america_and_a_signature_of_one_line_are_known(line: str) -> None:
    """Whatever its bearer is stands between their name and their number."""
    assert split_signature(["d4", line], nothing) == (["d4"], [line])


@each(
    "line", ["Hi Bob, you reach me as ever on +43 664 1234567", "Well played, Bob, see you at 5", "Bob, 12-3-4 is weak"]
)
def test_a_sentence_with_commas_is_no_signature_of_one_line(line: str) -> None:
    """Nor is a move, and what is said about it."""
    assert split_signature(["d4", line], nothing) == (["d4", line], [])


@pytest.mark.parametrize(
    ("written", "signature"),
    [
        ("d4|say: Visit me at|Hauptstraße 12|10115 Berlin", 0),
        ("d4|say:||Hauptstraße 12|10115 Berlin", 0),
        ("say: call me|Anna Lee|+43 664 1234567", 0),
        ("say: call me||Anna Lee|+43 664 1234567", 2),
        ("say: Visit me at|Hauptstraße 12||Best regards|Anna Lee|+43 664 1234567", 3),
        ("say: fine|d4|Anna Lee|+43 664 1234567", 2),
    ],
)
def test_no_line_of_words_for_somebody_is_a_signature(written: str, signature: int) -> None:
    """It begins below an empty line under such words, or below the command that ends them."""
    lines = written.split("|")
    _, signed = split_signature(lines, nothing, lambda line: line.startswith("say:"))
    assert signed == lines[len(lines) - signature :]


@each("long", ["a " * 45_000, "a@" * 45_000, "a." * 45_000, "Ann, " * 18_000, "-" * 90_000, "Best " * 18_000])
def test_a_long_line_takes_no_time_and_is_no_signature(long: str) -> None:
    """Nor do many lines that are just short enough to be looked at."""
    before = process_time()
    assert split_signature(["d4", "Ann", long, NUMBERS[0]], nothing) == (["d4", "Ann", long], [NUMBERS[0]])
    split_signature(["d4", *[long[:198] + str(number % 9) for number in range(40)], NUMBERS[0]], nothing)
    assert process_time() - before < 1


@given(st.lists(st.sampled_from(["", "d4", "Take", "Bob", *NUMBERS[:2], *SAID[:4], "Best regards,", "Anna Lee"])))
def test_no_line_is_lost(lines: list[str]) -> None:
    """Each is kept, or named; a command and the first line are always kept."""
    kept, signed = split_signature(lines, nothing)
    filled = [line for line in lines if line]
    assert [line for line in (*kept, *signed) if line] == filled
    assert not any(map(nothing, signed))
    assert len(signed) < max(1, len(filled))
