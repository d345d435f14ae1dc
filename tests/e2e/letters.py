"""Letters as players write them, for the tests that send real mail."""

from email.message import EmailMessage


def reply(sender: str, to: str, body: str, *, message_id: str, quoted: str = "", **headers: str) -> bytes:
    """Return a letter in answer to a notice: what is written first, the notice below it, quoted.

    Further ``headers`` are given by name, with underscores for hyphens.
    """
    letter = EmailMessage()
    letter["From"] = sender
    letter["To"] = to
    letter["Subject"] = "Re: your turn"
    letter["Date"] = "Fri, 20 Nov 2020 12:00:00 +0000"
    letter["Message-ID"] = message_id
    for name, value in headers.items():
        letter[name.replace("_", "-")] = value
    quotation = "".join(f"> {line}\n" for line in quoted.splitlines())
    letter.set_content(f"{body}\n\nOn Fri, 20 Nov 2020 at 11:58, pbem wrote:\n{quotation}" if quoted else f"{body}\n")
    return letter.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
