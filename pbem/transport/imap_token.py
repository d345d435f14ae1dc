"""Logging in to an IMAP server with an access token (SASL XOAUTH2), which aioimaplib only half knows."""

from base64 import b64encode

from aioimaplib.aioimaplib import AUTH, IMAP4, Command, Response


async def log_in_with_token(client: IMAP4, user: str, token: str) -> Response:
    """Log in with a token; return the server's answer, also when it refuses.

    The library's own command leaves the token in its log, in base64, and never sends the empty line that a server waits
    for before it refuses.
    """
    protocol = client.protocol
    words = b64encode(f"user={user}\1auth=Bearer {token}\1\1".encode()).decode("ascii")
    at_once = "SASL-IR" in protocol.capabilities  # RFC 4959; else the server has to ask for the words
    left = [] if at_once else [words]

    def go_on(line: bytes) -> None:
        answer = left.pop() if left else ""  # to the reasons of a refusal
        protocol.send(answer, scrub=answer)

    usual, protocol._continuation = protocol._continuation, go_on
    try:
        arguments = ("XOAUTH2", words) if at_once else ("XOAUTH2",)
        command = Command("AUTHENTICATE", protocol.new_tag(), *arguments, loop=protocol.loop)
        answer: Response = await protocol.execute(command, scrub=words)
    finally:
        protocol._continuation = usual
    if answer.result == "OK":
        protocol.state = AUTH
    return answer
