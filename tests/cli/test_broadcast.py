"""An email to all on the command line: it is shown first, and sent when it is meant."""

from tests.support.command_line import ANN, BOB, CARL, Pbem
from tests.support.each import each

SUBJECT = ("--subject", "No emails on Sunday")


def write(pbem: Pbem, content: bytes) -> str:
    """Write the text into a file."""
    (pbem.directory / "news.txt").write_bytes(content)
    return "news.txt"


def test_it_is_shown_before_it_is_sent(pbem: Pbem) -> None:
    """Where nobody can be asked, it has to be said; the second time there is nobody left to send it to."""
    news = write(pbem, "Hello,\r\n\r\nno emails on Sunday – sorry.\r\n".encode())
    before = len(pbem.done("outbound", "list", "--json").json)
    run = pbem("broadcast", news, *SUBJECT)
    assert run.code == 64
    assert "Subject: [pbem] No emails on Sunday\n\nHello,\n\nno emails on Sunday – sorry.\n" in run.out
    assert "3 emails, to Ann, Bob, Carl." in run.out
    assert len(pbem.done("outbound", "list", "--json").json) == before
    done = pbem.done("broadcast", news, *SUBJECT, "--yes", "--json").json
    assert (done["emails"], done["to"], done["without"]) == (3, [ANN, BOB, CARL], {})
    pbem.refuses("broadcast", news, *SUBJECT, "--yes", code=64, says="Nobody would get it: 3 had the same within a day")
    assert "3 emails queued" in pbem.done("broadcast", news, *SUBJECT, "--yes", "--again").out


def test_it_comes_from_standard_input(pbem: Pbem) -> None:
    """In the encoding of a simple program, too."""
    pbem.done("block", CARL)
    run = pbem.done("broadcast", "-", *SUBJECT, "--match", "1", "--yes", stdin="Grüße".encode("cp1252"))
    assert "No email to: 1 blocked." in run.out
    newest = pbem.done("outbound", "list", "--json", "--limit", "1").json[0]["id"]
    assert "Grüße" in pbem.done("outbound", "show", str(newest)).out


@each(
    "arguments, text, code, says",
    [
        ((), b"x", 64, "Say with --subject"),
        (("--subject", "[pbem 1] your move"), b"x", 64, "looks like the subject of a match"),
        (("--subject", "x" * 121), b"x", 64, "too long a subject"),
        (SUBJECT, b" \n\n", 64, "is empty"),
        (SUBJECT, b"\0\1", 65, "is no text"),
        (SUBJECT, b"x" * 30_000, 64, "20,000 are the most"),
        ((*SUBJECT, "--match", "7"), b"x", 64, "There is no match 7"),
        ((*SUBJECT, "--match", "1", "--everybody"), b"x", 64, "either --everybody or --match"),
    ],
)
def test_what_cannot_be_sent_is_told(pbem: Pbem, arguments: tuple[str, ...], text: bytes, code: int, says: str) -> None:
    """One sentence, and nothing is queued."""
    pbem.refuses("broadcast", write(pbem, text), *arguments, "--yes", code=code, says=says)


def test_a_file_that_is_not_there_is_told(pbem: Pbem) -> None:
    """With its name."""
    pbem.refuses("broadcast", "nowhere.txt", *SUBJECT, "--yes", code=66, says="nowhere.txt cannot be read")
