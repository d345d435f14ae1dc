"""What a mail server takes: read from a setting, by the name of a provider or by windows."""

from datetime import timedelta

import pytest

from pbem.errors import BadInput
from pbem.settings.budgets import PRESETS, budget_of_host, read_budget
from tests.support.each import each


def test_a_budget_is_a_provider_or_windows() -> None:
    """The shortest window comes first, however they are written."""
    assert read_budget("") == ()
    windows = read_budget(" 500/day  30/minute")
    assert [(window.emails, window.span) for window in windows] == [
        (30, timedelta(minutes=1)),
        (500, timedelta(days=1)),
    ]
    assert [str(window) for window in read_budget("Exchange")] == ["30 a minute", "10,000 a day"]
    assert [str(window) for window in read_budget("ionos")] == ["50 an hour"]
    assert all(read_budget(name) for name in PRESETS)


@each(
    "text",
    ["500", "500/week", "0/day", "-1/day", "1.5/day", "5/day 6/day", "gmail 5/day", "99999999/day", "٥/day", "5/"],
)
def test_anything_else_is_refused(text: str) -> None:
    """With the words, and what would be right."""
    with pytest.raises(BadInput, match="is no budget: name a provider") as refused:
        read_budget(text)
    assert f"“{text}”" in str(refused.value)


def test_a_part_is_kept_for_what_is_urgent_but_never_all() -> None:
    """However small a budget is, other emails go too."""
    assert [read_budget(f"{emails}/day")[0].reserve for emails in (1, 4, 5, 30, 500)] == [0, 0, 1, 6, 100]


def test_servers_whose_limits_are_known() -> None:
    """By the name of the host, and of no other one that only ends like it, or whose accounts differ in their limits."""
    assert budget_of_host("SMTP.gmail.com") == "gmail"
    assert budget_of_host("smtp.ionos.co.uk") == "ionos"
    others = (
        "gmail.com",
        "smtp.gmail.com.example",
        "",
        "smtp.example.org",
        "smtp-mail.outlook.com",
        "smtp.fastmail.com",
    )
    assert {budget_of_host(host) for host in others} == {""}
