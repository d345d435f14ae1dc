"""Messages as players write them, for the tests that send real mail."""

from email.message import EmailMessage


def reply(sender: str, to: str, body: str, *, message_id: str, quoted: str = "", **headers: str) -> bytes:
    """Return a message in answer to a notice: what is written first, the notice below it, quoted.

    Further ``headers`` are given by name, with underscores for hyphens.
    """
    message = EmailMessage()
    message["From"] = sender
    message["To"] = to
    message["Subject"] = "Re: your turn"
    message["Date"] = "Fri, 20 Nov 2020 12:00:00 +0000"
    message["Message-ID"] = message_id
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    quotation = "".join(f"> {line}\n" for line in quoted.splitlines())
    message.set_content(f"{body}\n\nOn Fri, 20 Nov 2020 at 11:58, pbem wrote:\n{quotation}" if quoted else f"{body}\n")
    return message.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
