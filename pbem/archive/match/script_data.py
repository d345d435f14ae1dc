"""What scripts are told of a long match: a file beside its page, which is heavy enough with its record."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from pbem.archive.pages import as_json, without_addresses

LONG = 400
"""A match of more entries than that has such a file; of a shorter one the page itself holds what scripts need."""


@dataclass(frozen=True, slots=True)
class Aside:
    """A script that hands over data, and their ``version``: a page takes no other one's."""

    version: str
    script: str


def put_aside(told: Mapping[str, object]) -> Aside:
    """Return the script that hands over ``told``: data by their names, without the addresses that can be in them."""
    data = without_addresses(as_json(told))
    version = sha256(data.encode()).hexdigest()[:8]
    return Aside(version, f'(globalThis.pbemTold ||= {{}})["{version}"] = {data};\n')
