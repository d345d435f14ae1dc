"""The figures that Prometheus fetches, and the alarms that rest on them."""

import json
import logging
import re
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pbem.errors import ConfigError
from pbem.running.metrics import serve_metrics
from tests.support.club import SECRET, Club
from tests.support.fakes import FakeCourier

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
RULES, BOARD = DEPLOY / "prometheus" / "pbem.rules.yml", DEPLOY / "grafana" / "pbem.json"


@pytest.fixture
def club(new_club: Callable[..., Club], caplog: pytest.LogCaptureFixture) -> Club:
    """Return a club that serves its figures at any free port, and logs as ``pbem run`` does."""
    caplog.set_level(logging.INFO, "pbem")
    club = new_club(courier=FakeCourier())
    club.service.settings.metrics_listen = "127.0.0.1:0"
    return club


def fetch(url: str) -> str:
    """Return what the service answers to Prometheus."""
    with urlopen(url, timeout=5) as answer:
        return str(answer.read().decode())


def figures(url: str) -> dict[str, float]:
    """Return each figure by its name and labels."""
    samples = (one for family in text_string_to_metric_families(fetch(url)) for one in family.samples)
    return {one.name + "".join(f" {value}" for value in one.labels.values()): one.value for one in samples}


async def test_what_happens_is_counted_and_what_waits_is_measured(club: Club) -> None:
    """Messages by how they ended, attempts by kind and end; queues; no address, name or secret."""
    with serve_metrics(club.service) as url:
        club.open()
        club.reply(0, "c3")
        club.reply(0, "c4")
        await club.service.deliver()
        club.reply(1, "d4")
        told, text = figures(url), fetch(url)
    ended = {name: told[f"pbem_inbound_messages_total {name}"] for name in ("accepted", "rejected", "failed")}
    assert ended == {"accepted": 2, "rejected": 1, "failed": 0}
    assert told["pbem_events_total processed info"] == 3
    assert sum(value for name, value in told.items() if name.startswith("pbem_attempts_total ")) == len(
        club.queued(status="sent")
    )
    assert (told["pbem_inbound_waiting"], told["pbem_database_readable"]) == (0, 1)
    assert told["pbem_outbound_queued"] == len(club.queued(status="queued")) > 0
    assert told["pbem_disk_free_bytes"] > told["pbem_database_bytes"] > 0
    assert not re.search(rf"@|\\bAnn\\b|\\bBob\\b|{SECRET}", text)


async def test_what_waits_for_a_budget_is_measured(club: Club, new_club: Callable[..., Club]) -> None:
    """What may still be sent, and what was put off; without a budget nothing ever is."""
    with serve_metrics(club.service) as url:
        told = figures(url)
    assert told["pbem_outbound_put_off"] == 0
    assert "pbem_budget_left" not in told
    club.service.settings.smtp_budget = "5/day"
    short = new_club(courier=FakeCourier())
    for _ in range(3):
        short.open()
    await short.service.deliver()
    with serve_metrics(short.service) as url:
        told = figures(url)
    assert (told["pbem_budget_left"], told["pbem_outbound_put_off"]) == (0, 1)


def test_asking_often_is_no_load(club: Club) -> None:
    """What is measured is kept for some seconds."""
    with serve_metrics(club.service) as url:
        before = figures(url)["pbem_outbound_queued"]
        club.open()
        assert figures(url)["pbem_outbound_queued"] == before == 0


def test_nothing_can_be_sent_to_it(club: Club) -> None:
    """It only answers; afterwards nobody listens."""
    with serve_metrics(club.service) as url, pytest.raises(HTTPError) as refused:
        urlopen(Request(url, data=b"x", method="POST"), timeout=5)
    assert refused.value.code == 405
    refused.value.close()
    with pytest.raises(OSError, match="refused"):
        fetch(url)


def test_a_port_in_use_is_told_in_a_sentence(club: Club) -> None:
    """With the setting that names it."""
    with serve_metrics(club.service) as url:
        club.service.settings.metrics_listen = url.split("/")[2]
        with pytest.raises(ConfigError, match=r"^Nothing can listen at 127\.0\.0\.1:\d+, as metrics_listen says: "):
            serve_metrics(club.service).__enter__()


def test_without_the_library_a_sentence_says_what_is_missing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """An extra that wasn't installed must not show as a traceback."""
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(ConfigError, match="needs the package prometheus-client"):
        serve_metrics(club.service).__enter__()


def test_without_the_setting_nobody_listens(club: Club) -> None:
    """The library is not even looked for."""
    club.service.settings.metrics_listen = ""
    with serve_metrics(club.service) as url:
        assert url == ""


async def test_alarms_and_board_name_figures_that_there_are(club: Club) -> None:
    """A rule about a name that nobody gives would never sound; each says what to do."""
    text = RULES.read_text(encoding="utf-8")
    rules = re.findall(r"- alert: (\w+)\n +expr: (.+)\n(?: +for: .+\n)? +annotations:\n +summary: \"(.+)\"", text)
    with serve_metrics(club.service) as url:
        club.open()
        await club.service.poll()
        await club.service.deliver()
        known = {name.split(" ")[0] for name in figures(url)} | {"pbem_behind_seconds"}
    named = {name for _, expression, _ in rules for name in re.findall(r"pbem_\w+", expression)}
    assert len(rules) == text.count("- alert:") >= 8
    assert named - known == set()
    shown = [target["expr"] for panel in json.loads(BOARD.read_text("utf-8"))["panels"] for target in panel["targets"]]
    assert len(shown) > 8
    assert {name for one in shown for name in re.findall(r"pbem_\w+", one)} - known == set()
