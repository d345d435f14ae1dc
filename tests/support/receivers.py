"""Receivers of webhooks, who verify each call with the library of Standard Webhooks."""

import base64
from collections import deque
from collections.abc import Mapping
from typing import Any

from standardwebhooks import Webhook as Verifier

from pbem.errors import TransientFailure
from pbem.settings.webhooks import Webhook, read_webhooks

KEY = "whsec_" + base64.b64encode(bytes(range(32))).decode()
URL = "https://chat.example/hooks/T0-k3n"


def webhook(**chosen: Any) -> Webhook:
    """Return a webhook as the settings have it."""
    (found,) = read_webhooks([{"url": URL, "secret": KEY} | chosen])
    return found


class Receiver:
    """Takes calls as the program that is called, after ``answers``: statuses, or None for no answer at all."""

    def __init__(self, *answers: int | None, verifies: bool = True) -> None:
        self.answers = deque(answers)
        self.tried = 0
        self.calls: list[tuple[str, Any]] = []
        self._verifies = verifies

    async def __call__(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Take a call."""
        self.tried += 1
        answer = self.answers.popleft() if self.answers else 204
        if answer is None:
            raise TransientFailure("it does not answer")
        if 200 <= answer < 300:
            verifier = Verifier(KEY)
            if self._verifies:
                self.calls.append((headers["webhook-id"], verifier.verify(body, dict(headers))))
            else:
                self.calls.append((headers["webhook-id"], None))
        return answer

    @property
    def told(self) -> list[tuple[str, int, int]]:
        """What happened where and when: kinds of events, numbers of matches, turns."""
        said = [(one["type"], one["data"]) for _, one in self.calls]
        return [(kind.removeprefix("match."), data["match"]["id"], data["turn"]) for kind, data in said]
