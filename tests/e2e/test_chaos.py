"""A short season through servers that are killed, cut off and filled up: nothing is lost, doubled or different."""

import asyncio
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.bench.chaos.calm import play_calmly
from tests.bench.chaos.faults import KILLS, Kind, schedule
from tests.bench.chaos.ledger import audit
from tests.bench.chaos.run import play
from tests.bench.chaos.stage import prepare

SEED, KILLED = 11, 18


@pytest.mark.slow("kills the program and its servers")
def test_a_season_with_faults_ends_as_one_without() -> None:
    """`pbem run`, its mailbox and its SMTP server die eighteen times, and every message is in exactly one place."""
    with prepare(SEED, matches=6, most=8, connections=1) as ground:  # each fault repeats one email at most
        calm = Path(shutil.copy(ground.blank, ground.home / "calm.db"))
        undisturbed = play_calmly(calm, ground.planned, datetime.now(UTC), SEED)
        faults = schedule(KILLED, SEED, disk=ground.disk.is_mounted)
        played = asyncio.run(play(ground, "disturbed", faults, undisturbed, patience=150))
    assert audit(played.books, undisturbed, played.spans, kills=len(faults)) == [], played.log
    assert sum(one.kind in KILLS for one in played.struck) == KILLED
    points = [one.hit for one in played.struck if one.kind is Kind.POINT]
    assert any(points)  # those that do not come there in time, on a busy machine, are killed at any moment
    assert len(played.ended.codes) > KILLED / 2
    assert played.last_code == 0
    assert "Traceback" not in played.log
