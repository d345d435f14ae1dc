"""Fetching messages by their UIDs, together, or alone where that fails: each is handed out, gone, or unread."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from pbem.errors import MailboxLost
from pbem.ports import Fetched, Unread
from pbem.sizes import HEAD, LARGEST
from pbem.transport.fetch_answers import Facts, read_contents, read_facts
from pbem.transport.imap_connection import ImapConnection

_MESSAGES = 50  # in one batch; aioimaplib reads an answer by recursion and fails at about a thousand
_BYTES = 20_000_000  # in one batch, all of which lies in memory
_IN_A_ROW = 3  # messages that do not come: then it is the server that is in trouble


class Group(NamedTuple):
    """Messages fetched together: their UIDs, and what came of them; what is in neither is gone from the folder.

    ``facts`` are those of the messages that came.
    """

    uids: Sequence[int]
    messages: tuple[Fetched, ...]
    unread: tuple[Unread, ...]
    facts: Mapping[int, Facts]


class MessageFetcher:
    """Fetches messages of the open folder of ``box``; of those over ``largest`` bytes the head.

    ``trouble`` says why it has ended early: several messages in a row did not come.
    """

    def __init__(self, box: ImapConnection, uidvalidity: int, largest: int) -> None:
        self._box = box
        self._uidvalidity = uidvalidity
        self._largest = largest
        self._failed = 0  # in a row
        self.trouble = ""

    async def groups(self, uids: Sequence[int]) -> AsyncIterator[Group]:
        """Yield the messages, in groups that fit into memory, in their order. Raise what ``examine`` raises."""
        for start in range(0, len(uids), _MESSAGES):
            some = uids[start : start + _MESSAGES]
            facts = await self._fetch_facts(some)
            for group in _group_by_size({uid: self._load(facts.get(uid)) for uid in some}):
                yield await self._fetch_group(group, facts)
                if self.trouble:
                    return

    def _load(self, facts: Facts | None) -> int:
        """Return how many bytes of a message come."""
        return LARGEST if facts is None else HEAD if facts.size > self._largest else facts.size

    async def _fetch_group(self, uids: Sequence[int], facts: Mapping[int, Facts]) -> Group:
        """Fetch messages together; alone those that do not come although the server lists them."""
        found, why = await self._try(uids, facts)
        self._failed = 0 if found else self._failed
        unread: list[Unread] = []
        if missing := [uid for uid in uids if uid not in found]:
            listed = await self._box.search(f"UID {','.join(map(str, missing))}")
            for uid in (uid for uid in missing if uid in listed):
                if tried := self._failed < _IN_A_ROW:
                    alone, reasons = await self._try_alone(uid, facts)
                    found, why = found | alone, why | reasons
                if uid not in found:
                    unread.append(Unread(uid, why[uid], tried))
        if self._failed >= _IN_A_ROW:
            self.trouble = unread[-1].why
        messages = tuple(found[uid] for uid in uids if uid in found)
        return Group(uids, messages, tuple(unread), {uid: facts[uid] for uid in found.keys() & facts.keys()})

    async def _try_alone(self, uid: int, facts: Mapping[int, Facts]) -> tuple[dict[int, Fetched], dict[int, str]]:
        """Fetch one message as ``_try`` does. Where the server goes away at that, it is in trouble.

        What has come so far counts all the same, and the next reading goes on behind it.
        """
        try:
            found, why = await self._try([uid], facts)
        except MailboxLost as error:
            self._failed = _IN_A_ROW
            return {}, {uid: str(error)}
        self._failed = 0 if found else self._failed + 1
        return found, why

    async def _try(self, uids: Sequence[int], facts: Mapping[int, Facts]) -> tuple[dict[int, Fetched], dict[int, str]]:
        """Fetch messages in one command; return them, and for those that have not come why not."""
        try:
            return await self._fetch_contents(uids, facts)
        except MailboxLost as error:
            with suppress(MailboxLost):
                await self._reopen()
                return {}, dict.fromkeys(uids, str(error))
            raise  # the server is away

    async def _fetch_contents(
        self, uids: Sequence[int], facts: Mapping[int, Facts]
    ) -> tuple[dict[int, Fetched], dict[int, str]]:
        """Fetch messages, of the large ones the head. Raise MailboxLost, also where the server refuses it."""
        found: dict[int, Fetched] = {}
        why = dict.fromkeys(uids, "The mail server lists it, and leaves it out of its answers to FETCH.")
        large = {uid for uid in uids if uid in facts and facts[uid].size > self._largest}
        for whole, part in ((True, "[]"), (False, f"[HEADER]<0.{HEAD}>")):
            wanted = [uid for uid in uids if (uid not in large) == whole]
            for uid, raw in read_contents(await self._box.fetch(wanted, f"BODY.PEEK{part}")) if wanted else ():
                said = facts[uid].size if uid in facts else 1  # none at all is too little
                if uid not in wanted:
                    continue
                if raw if not whole else await self._is_whole(uid, raw, said, alone=len(uids) == 1):
                    found[uid] = Fetched(raw, whole)
                else:
                    why[uid] = f"The mail server hands out {len(raw)} of its {said} bytes."
        return found, why

    async def _is_whole(self, uid: int, raw: bytes, said: int, *, alone: bool) -> bool:
        """Return whether a message has come whole.

        Exchange estimates sizes, so that fewer bytes may be all there are: then nothing comes behind them.
        """
        if len(raw) >= said:
            return True
        if not raw or not alone:
            return False
        rest = dict(read_contents(await self._box.fetch([uid], f"BODY.PEEK[]<{len(raw)}.1>")))
        return rest.get(uid) == b""

    async def _fetch_facts(self, uids: Sequence[int]) -> dict[int, Facts]:
        """Return size and arrival of messages, as far as the server tells them."""
        for _ in range(2):  # a connection may have been lost between two batches
            with suppress(MailboxLost):
                return dict(read_facts(await self._box.fetch(uids, "RFC822.SIZE INTERNALDATE")))
            await self._reopen()
        return {}

    async def _reopen(self) -> None:
        """Open the folder again, on a new connection. Raise MailboxLost where that is not possible, or not the same."""
        if (await self._box.examine()).uidvalidity != self._uidvalidity:
            raise MailboxLost(f"The mail server has numbered the messages of {self._box.name} anew meanwhile.")


def _group_by_size(loads: Mapping[int, int]) -> Iterator[list[int]]:
    """Divide UIDs, each with the bytes of its message, into groups that fit into memory."""
    group: list[int] = []
    for uid in loads:
        if group and sum(loads[held] for held in group) + loads[uid] > _BYTES:
            yield group
            group = []
        group.append(uid)
    if group:
        yield group
