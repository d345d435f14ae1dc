"""Reading a mailbox by IMAP (RFC 3501): new messages come out raw, and nothing in the mailbox is changed."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from datetime import date

from aioimaplib.aioimaplib import IMAP4, quoted

from pbem.errors import MailboxLost
from pbem.ports import Batch, Cursor
from pbem.sizes import LARGEST
from pbem.transport.fetch_answers import add_marks, differs, find_number, marked_uids, read_contents, read_facts
from pbem.transport.imap_connection import Folder, ImapConnection, quote_answer
from pbem.transport.message_fetcher import MessageFetcher

_SLICE = 120  # seconds after which IDLE is renewed, to find out whether the server is still there
_LISTED = 100  # UIDs that are named in a search one by one
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class ImapMailbox(ImapConnection):
    """A mailbox over a connection; of messages over ``largest`` bytes only the head is fetched.

    Raises ConfigError for a url that will not do.
    """

    def __init__(self, url: str, *, token: str = "", timeout: float = 30, largest: int = LARGEST) -> None:
        super().__init__(url, token=token, timeout=timeout)
        self._largest = largest
        self._seen: tuple[int, int] | None = None
        self._compared: tuple[IMAP4 | None, int] | None = None

    async def batches(self, cursor: Cursor | None, since: date | None) -> AsyncIterator[Batch]:
        """Yield the messages after ``cursor``, oldest first, at most 50 at a time, then those that were unread.

        When ``cursor`` is None, or what it says holds no longer, at least one batch comes, if only to bring the cursor
        for the next call. When all is yielded, whatever the server lists was handed out, or is noted as unread.
        Raises MailboxLost, LoginRefused, ConfigError when there is no such folder.
        """
        folder = await self.examine()
        end = await self._find_end(folder)
        renumbered = await self._compare(folder, end, cursor) if cursor else ""
        if cursor is None or renumbered:
            named: Mapping[int, bool] = {}
            uids = await self.search(_since(since)) if since else []
            if cursor and renumbered == "gone":  # what is behind it has come in any case, whatever its date
                behind = await self.search(f"UID {cursor.last_uid + 1}:*")
                uids = sorted({*uids, *(uid for uid in behind if uid > cursor.last_uid)})
            place, gone = Cursor(folder.uidvalidity, end), frozenset[int]()
        else:
            named, end, place = cursor.unread, 0, cursor
            found = await self.search(_list_uids(named, cursor.last_uid + 1))
            # For a range that begins behind the last message, a server answers with the last message.
            uids = [uid for uid in found if uid > cursor.last_uid]
            gone = frozenset(named.keys() - found) if named else frozenset()
        if gone or (not uids and place is not cursor):
            yield Batch((), place, settled=gone, renumbered=renumbered)
        fetcher = MessageFetcher(self, folder.uidvalidity, self._largest)
        async for group in fetcher.groups(uids):
            # At first contact messages copied in lately, with an older date, are passed over too.
            last = group.uids[-1] if group.uids[-1] < uids[-1] else max(group.uids[-1], end)
            place = Cursor(folder.uidvalidity, last, add_marks(place.mark, group.facts, group.facts))
            yield Batch(group.messages, place, group.unread, renumbered=renumbered)
            renumbered = ""
        if fetcher.trouble:
            raise MailboxLost(fetcher.trouble)
        fetcher = MessageFetcher(self, folder.uidvalidity, self._largest)
        async for group in fetcher.groups([uid for uid, is_due in named.items() if is_due and uid not in gone]):
            settled = frozenset(group.uids).difference(one.uid for one in group.unread)
            yield Batch(group.messages, place, group.unread, settled=settled)

    async def compare(self, cursor: Cursor) -> str:
        """Return why UIDs are no longer those of ``cursor``, in a word; empty where they are. Raises as ``batches``."""
        folder = await self.examine()
        return await self._compare(folder, await self._find_end(folder), cursor)

    async def _find_end(self, folder: Folder) -> int:
        """Return the highest UID that was given."""
        return folder.uidnext - 1 if folder.uidnext else max(await self.search("ALL"), default=0)

    async def _compare(self, folder: Folder, end: int, cursor: Cursor) -> str:
        """Return what tells that the UIDs of ``cursor`` are no longer those of the folder; empty where nothing does.

        What was restored and has grown again is known, on each connection and whenever something has come, by a few
        messages that were read: the time of their arrival never changes. Where none of them is left, nothing tells, and
        it counts as another one.
        """
        if folder.uidvalidity != cursor.uidvalidity:
            return "uidvalidity"
        if end < cursor.last_uid:
            return "uidnext"
        if not cursor.mark or self._compared == (self._client, end):
            return ""
        why = ""
        try:
            facts = dict(read_facts(await self.fetch(marked_uids(cursor.mark), "RFC822.SIZE INTERNALDATE")))
            why = differs(cursor.mark, facts)
        except MailboxLost:  # nothing else may wait for it
            await self.examine()
        self._compared = self._client, end
        return why

    async def wait(self, seconds: float) -> bool:
        """Wait, at most ``seconds``, until messages have come since the last call; return whether any have.

        Messages that were there at the first call do not count; a first call with 0 seconds sets that mark. A server
        without IDLE (RFC 2177) announces nothing: then all the time is waited. Raises what ``batches`` raises.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        span = 1.0
        while True:
            folder = await self.examine()
            # The next UID counts messages whose announcement got lost between EXAMINE and IDLE.
            before, self._seen = self._seen, (folder.uidvalidity, folder.uidnext or folder.exists)
            if before not in (None, self._seen):
                return True
            left = deadline - loop.time()
            if left <= 0:
                return False
            if not await self._idle(min(left, span), folder.exists):
                await asyncio.sleep(left)
                return False
            span = min(2 * span, _SLICE)

    async def find(self, message_id: str) -> bytes | None:
        """Return the message with this Message-ID, which has angle brackets; None where there is none.

        It does not matter to ``batches`` and their cursors. Raises what ``batches`` raises.
        """
        await self.examine()
        uids = await self.search(f"HEADER Message-ID {quoted(message_id)}")
        found = dict(read_contents(await self.fetch(uids[-1:], "BODY.PEEK[]"))) if uids else {}
        return found.get(uids[-1]) if uids else None

    async def _idle(self, seconds: float, exists: int) -> bool:
        """Wait until the server announces messages, at most ``seconds``; return False when it cannot."""
        async with self._lock:
            client = self._current_client()
            if "IDLE" not in client.protocol.capabilities:
                return False
            await self._ask(self._await_announcement(client, seconds, exists))
            return True

    async def _await_announcement(self, client: IMAP4, seconds: float, exists: int) -> None:
        """Idle until the server announces a change, at most ``seconds``."""
        protocol = client.protocol
        protocol.idle_queue = asyncio.Queue()  # leftovers of an earlier IDLE are outdated
        idling = asyncio.ensure_future(protocol.idle())
        agreed = asyncio.ensure_future(protocol.wait_for_idle_response())
        try:
            await asyncio.wait({idling, agreed}, timeout=self._timeout, return_when=asyncio.FIRST_COMPLETED)
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds if agreed.done() else 0):
                    while exists >= 0:
                        exists = _count_after(await protocol.idle_queue.get(), exists)
            if protocol.has_pending_idle_command():  # else DONE would be a command nobody knows
                protocol.idle_done()
            answer = await asyncio.wait_for(idling, self._timeout)
            if answer.result != "OK":
                raise ConnectionError(f"it does not idle: {quote_answer(answer)}")
        finally:
            idling.cancel()
            agreed.cancel()


def _count_after(lines: Sequence[bytes], exists: int) -> int:
    """Return the number of messages after announcements; -1 when they announce another number than was known.

    Some servers announce again and again the messages that are already there: that must not wake us.
    """
    for line in lines:
        if re.fullmatch(rb"\d+ EXPUNGE", line):
            exists -= 1
        elif (announced := find_number(rb"^(\d+) EXISTS", line)) is not None and announced != exists:
            return -1
    return exists


def _since(day: date) -> str:
    """Return what finds all that came in, or was written, since a day: a mailbox that was moved may say other days."""
    said = f"{day.day}-{_MONTHS[day.month - 1]}-{day.year}"
    return f"OR SINCE {said} SENTSINCE {said}"


def _list_uids(named: Mapping[int, bool], first: int) -> str:
    """Return the criteria of a search for messages by their UIDs: those ``named``, and all from ``first`` on."""
    if len(named) > _LISTED:
        return f"UID {min(named)}:*"
    return f"UID {','.join([*map(str, sorted(named)), f'{first}:*'])}"
