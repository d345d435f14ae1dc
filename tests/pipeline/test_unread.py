"""Until when all email was read, where workers read it: never later than what still waits had come in."""

from datetime import timedelta

from pbem.due.outages import Unread
from tests.support.fakes import FakeClock

NOW, MINUTE = FakeClock().now(), timedelta(minutes=1)


def test_what_waits_for_nobody_is_read_at_once() -> None:
    """As it is where no worker works."""
    assert Unread().note(NOW, []) == NOW


def test_what_waits_is_read_when_it_no_longer_waits() -> None:
    """What has come since then does not keep it back, or nothing would be read while email keeps coming."""
    unread = Unread()
    assert unread.note(NOW, [3, 4]) is None
    assert unread.note(NOW + MINUTE, [4, 5]) is None
    assert unread.note(None, [4, 5]) is None
    assert unread.note(NOW + 2 * MINUTE, [5, 6]) == NOW
    assert unread.note(None, [6, 7]) == NOW + MINUTE
    assert unread.note(None, []) == NOW + 2 * MINUTE
    assert unread.note(None, []) is None
