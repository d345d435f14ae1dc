"""The family of telling the operator: words for the person who runs the service, and for nobody else. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.commands.decision import HIDDEN, Command, Family, HelpRow, MatchSituation, Situation, Spelled
from pbem.commands.effects import TellOperator
from pbem.commands.families.play import FreeText
from pbem.reading.move_phrases import BEFORE

LONGEST_REPORT = 4000
"""Characters of what one message tells the operator."""

OPERATOR_WORDS = ("operat", "host", "admin", "moderator", "organi", "report", "complain")
"""What stands in every line that is for the operator."""

_WHO = r"(?:operators?|operater|operatour|host|admin(?:istrator)?s?|moderators?|organi[sz]er)"
_BEFORE = rf"{BEFORE}(?:(?:please|pls|dear|hi|hello|hey|note|message|mail|words?|for|to|the|our|my)[\W_]{{1,4}}){{0,5}}"
_REPORTED = re.compile(
    rf"{_BEFORE}(?:{_WHO}[\s*_\"'“”]{{0,9}}(?:[:：,;!]|\s[-–—])"
    rf"|(?:ask|tell|inform|contact|write)(?:\s(?:this|that|it))?(?:\sto)?\s(?:the|our|your)\s{_WHO}\b[\s:：,–—-]{{0,5}}"
    rf"|(?:report|complaint)(?:\sto\s(?:the\s)?{_WHO})?\b(?P<whom>[^:：]{{0,40}})[:：]"
    r"|(?:i\swant|i[’']d\slike|i\sneed|i\shave|let\sme)(?:\sto)?\s(?:report|complain\sabout)\b)"
    r"(?P<text>.*)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Report(Spelled):
    """Words for the operator alone; what is written below belongs to them."""

    text: str

    says = f"operator: {HIDDEN}"


def read_report(line: str) -> Report | None:
    """Return what ``line`` says to the operator, or None: ``operator: Bob has gone``, ``report Bob: he is rude``."""
    found = _REPORTED.fullmatch(line)
    if found is None:
        return None
    whom, text = (found["whom"] or "").strip(), found["text"].strip(" \t*_")
    return Report(f"{whom}: {text}" if whom else text)


def tells_operator_alone(commands: Iterable[Command]) -> bool:
    """Return whether a message is for the operator, and asks for nothing else."""
    asked = [one for one in commands if not isinstance(one, FreeText)]
    return bool(asked) and all(isinstance(one, Report) for one in asked)


def joined_report(report: Report, line: str) -> Report:
    """Return words for the operator with one more line of them."""
    return replace(report, text=f"{report.text}\n{line}".strip("\n")[: LONGEST_REPORT + 1])


def _apply(situation: Situation, command: Report, now: datetime) -> Situation:
    """Hand the words on; whether they may go is seen by whoever knows what was told today."""
    assert situation.player is not None
    text = command.text.strip()
    if not text:
        return situation.told("operator_told_nothing")
    match = situation.match.id if isinstance(situation, MatchSituation) else None
    seat = situation.seat if isinstance(situation, MatchSituation) else None
    told = TellOperator(situation.player, text[:LONGEST_REPORT], match, seat)
    return situation.answered(str(command), "operator_told", told)


FAMILY = Family(
    name="reporting",
    topic="you",
    types=(Report,),
    parse=read_report,
    apply=_apply,
    help=(HelpRow("operator: hello", basic=True),),
    scope="player",
)
