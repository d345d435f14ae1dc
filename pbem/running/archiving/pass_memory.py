"""What the passes of a process remember of the archive, kept for the next one: a restart reads what has changed since.

It lies there between two processes alone, and whoever publishes takes it away first. So it's never older than a page:
else lists would keep the names that somebody wrote there meanwhile, of a match that is private by now or of a player
who is forgotten. After a crash there is none.
It is sealed with the key of the host and the program (see ``pbem.archive.made_of``). So whoever gets a copy of the
archive learns nothing of it, and what is unpickled was pickled here. Without the file, or with one of another program,
of other settings or of another database, everything is read: it can be deleted.
"""

import os
import pickle
from collections.abc import Mapping
from contextlib import suppress
from copyreg import dispatch_table
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

from pbem.archive.made_of import Made
from pbem.mail.archive_paths import match_page
from pbem.mail.compose import Site
from pbem.settings.model import Settings
from pbem.storage.database import Database

FILE = ".memory"
"""The path of the file within the archive; nobody but its owner may read it."""

_NONCE, _KEY = 12, 32  # bytes (RFC 8439)


class PassMemory:
    """The memory of the passes over ``database`` for the host ``site``."""

    def __init__(self, settings: Settings, database: Database, site: Site) -> None:
        self._settings = settings
        self._database = database
        self._site = site

    def keep(self, remembered: Mapping[str, Any], made: Made) -> None:
        """Keep what is remembered, unless somebody else has; ``made`` is of the directory. Raises OSError."""
        if (made.directory / FILE).exists():
            return
        pickled = BytesIO()
        pickler = pickle.Pickler(pickled, pickle.HIGHEST_PROTOCOL)
        pickler.dispatch_table = dispatch_table | {Site: lambda site: (_present_site, ())}
        pickler.dump((self._identify(), remembered))
        nonce = os.urandom(_NONCE)
        begun = made.directory / f".{FILE}.{uuid4().hex}"
        with open(os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(nonce + _cipher(made).encrypt(nonce, pickled.getvalue(), None))
        begun.replace(made.directory / FILE)

    def drop(self, directory: Path) -> None:
        """Let nobody remember what is about to be old. Raises OSError."""
        (directory / FILE).unlink(missing_ok=True)

    def recall(self, made: Made) -> dict[str, Any]:
        """Return what an earlier process remembered of this database; nothing where it can't be gone on from."""
        file = made.directory / FILE
        with suppress(Exception):  # unreadable, not sealed by us, or pickled by another Python or library: it's no loss
            sealed = file.read_bytes() if file.is_file() else b""
            of, remembered = _Reader(_cipher(made).decrypt(sealed[:_NONCE], sealed[_NONCE:], None), self._site).load()
            if made.is_known and of == self._identify():
                return dict(remembered)
        return {}

    def find_others(self, known: Mapping[int, datetime], directory: Path) -> set[int]:
        """Return the matches that are not as it is ``known`` when they changed last, or whose pages are gone."""
        with self._database.reading() as tx:
            others = {number for number, _ in tx.matches.listed().items() ^ known.items()}
        pages = {path.name for path in (directory / match_page(1)).parent.glob("*.html")}
        return others | {number for number in known if Path(match_page(number)).name not in pages}

    def _identify(self) -> object:
        """Return what has to be the same for whoever goes on: a restored database is another one."""
        with self._database.reading() as tx:
            return self._database.find_place(), tx.restorations.latest(), repr(self._settings)


class _Reader(pickle.Unpickler):
    """Reads what was pickled here; in the place of the site that was left out there is the present one."""

    def __init__(self, pickled: bytes, site: Site) -> None:
        super().__init__(BytesIO(pickled))
        self._site = site

    def find_class(self, module: str, name: str) -> Any:
        """Return what has a name."""
        return (lambda: self._site) if name == _present_site.__name__ else super().find_class(module, name)


def _present_site() -> Site:
    """Stand for the site of whoever reads."""
    raise NotImplementedError


def _cipher(made: Made) -> Any:
    """Return what seals and opens."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(made.key[:_KEY])
