"""The command that works beside the service: refused over a file."""

from tests.support.command_line import Pbem


def test_a_worker_over_a_file_is_refused_and_told_why(pbem: Pbem) -> None:
    """One process at a time writes into a file of SQLite; the doctor and whoever serves know of no worker."""
    pbem.refuses("worker", code=78, says="“pbem worker” needs a database on a PostgreSQL server")
    assert all("orker" not in note for one in pbem("doctor", "--json").json for note in one["notes"])
