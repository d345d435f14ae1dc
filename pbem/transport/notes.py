"""Notes in a folder of the mailbox by IMAP (RFC 3501): the folder is made when the first is added."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from imaplib import Internaldate2tuple
from time import mktime

from pbem.errors import MailboxLost
from pbem.ports import Note
from pbem.transport.fetch_answers import read_contents
from pbem.transport.imap_connection import ImapConnection, quote_answer

_FOLDER = "pbem-owner"
_MOST = 100  # messages in the folder: whoever puts others there, ours is among the first
_LONGEST = 4000  # bytes
_PREFIX = re.compile(rb'\(\("((?:[^"\\]|\\.)*)"')  # of the first personal namespace


class ImapNotes:
    """The notes beside a mailbox, over its connection; nobody may read the mailbox meanwhile."""

    def __init__(self, mailbox: ImapConnection) -> None:
        self._mailbox = mailbox
        self._prefix: str | None = None

    @property
    def name(self) -> str:
        """The name of the mailbox, without the password."""
        return self._mailbox.name

    @property
    def folder(self) -> str:
        """The folder, as the server calls it once it was asked."""
        return f"{self._prefix or ''}{_FOLDER}"

    async def read(self) -> list[Note]:
        """Return the notes, the oldest first; none where there is no such folder. Raise MailboxLost, LoginRefused."""
        if not await self._open(change=False):
            return []
        found = await self._mailbox.request(lambda client: client.uid_search("UNDELETED", charset=None))
        uids = sorted({int(uid) for line in found.lines if re.fullmatch(rb"[\d ]*", line) for uid in line.split()})
        if found.result != "OK":
            raise MailboxLost(f"The mail server of {self.name} doesn't search the folder {self.folder}.")
        if not uids:
            return []
        wanted = ",".join(map(str, uids[:_MOST]))
        parts = f"(UID BODY.PEEK[]<0.{_LONGEST}>)"
        answer = await self._mailbox.request(lambda client: client.uid("FETCH", wanted, parts))
        if answer.result != "OK":
            raise MailboxLost(f"The mail server of {self.name} doesn't read the folder {self.folder}.")
        return sorted((Note(uid, raw) for uid, raw in read_contents(answer.lines)), key=lambda note: note.uid)

    async def add(self, raw: bytes) -> str:
        """Add a note, as one that was read; return why the server takes none. Raise MailboxLost, LoginRefused."""
        if not await self._open(change=False):
            name = await self._quoted_folder()
            made = await self._mailbox.request(lambda client: client.create(name))
            # Two services that start together make it both: one of them is refused, and the folder is there.
            if made.result != "OK" and not await self._open(change=False):
                return quote_answer(made)
        name = await self._quoted_folder()
        added = await self._mailbox.request(lambda client: client.append(raw, name, "(\\Seen)"))
        return "" if added.result == "OK" else quote_answer(added)

    async def newest_at(self) -> datetime | None:
        """Return when the server took the newest note (INTERNALDATE). Raise MailboxLost, LoginRefused."""
        if not await self._open(change=False):
            return None
        answer = await self._mailbox.request(lambda client: client.uid("FETCH", "*", "(UID INTERNALDATE)"))
        found = [Internaldate2tuple(line) for line in answer.lines if b"INTERNALDATE" in line]
        return datetime.fromtimestamp(mktime(found[-1]), UTC) if found and found[-1] else None

    async def remove(self, uids: Sequence[int]) -> None:
        """Remove notes. Raise MailboxLost, LoginRefused."""
        if not uids or not await self._open(change=True):
            return
        chosen = ",".join(map(str, uids))
        await self._mailbox.request(lambda client: client.uid("STORE", chosen, "+FLAGS.SILENT", "(\\Deleted)"))
        await self._mailbox.request(lambda client: client.expunge())

    async def _open(self, *, change: bool) -> bool:
        """Open the folder; return whether there is one."""
        name = await self._quoted_folder()
        return await self._mailbox.open(name, change=change)

    async def _quoted_folder(self) -> str:
        """Return the name of the folder for a command, with the prefix that the server wants (RFC 2342)."""
        if self._prefix is None:
            self._prefix = ""
            if await self._mailbox.can("NAMESPACE"):
                answer = await self._mailbox.request(lambda client: client.namespace())
                found = _PREFIX.match(b"\n".join(answer.lines))
                self._prefix = found[1].decode("ascii", "replace") if found else ""
        return f'"{self.folder}"'
