"""What players and “pbem doctor” tell the operator: kept as questions that nobody answers by email.

Those of players wait until the operator settles them, those of the doctor until it finds nothing wrong any more.
"""

from collections.abc import Mapping

from pbem.asking.limit_table import REPORTED, is_full
from pbem.commands.decision import Decision
from pbem.commands.effects import TellOperator
from pbem.due.schedule import note_need
from pbem.match.match import Match
from pbem.match.question import FOUND_IN, REPORT, Question
from pbem.pipeline.act import Act
from pbem.reading.reason import Reason, because


def check_report(act: Act, match: Match | None, wish: TellOperator) -> Reason | None:
    """Return why the operator is not told; None where they are.

    What proves no seat is counted by itself: whoever writes in a player's name must not use up what they may say.
    """
    if not act.site.operator:
        return because("operator_unknown")
    lately = act.tx.questions.find(REPORT, act.now - REPORTED.within, asker=wish.player.id)
    alike = (one.asked_at for one in lately if (one.match is None) == (match is None))
    return because("operator_told_enough") if is_full(REPORTED, alike, act.now) else None


def keep_report(act: Act, _: Decision, wish: TellOperator) -> None:
    """Keep what a player tells the operator, who is sent it with all else that needs a person."""
    about = {"text": wish.text}
    act.tx.questions.add(
        Question(
            REPORT,
            act.site.operator,
            about,
            asker=wish.player.id,
            match=wish.match,
            seat=wish.seat,
            inbound=act.cause.inbound,
        ),
        act.now,
    )
    note_need(act.tx, act.now)


def keep_findings(act: Act, found: Mapping[str, str]) -> None:
    """Keep what the doctor finds wrong, in sentences by the names of its lines, each once; "" settles a line."""
    known = {one.about.get(FOUND_IN): one.id for one in act.tx.questions.find(REPORT, state="open", asker=None)}
    act.tx.questions.settle([number for line, number in known.items() if not found.get(str(line), "?")], "yes")
    for line, text in found.items():
        if text and line not in known:
            about = {FOUND_IN: line, "text": text}
            act.tx.questions.add(Question(REPORT, act.site.operator, about), act.now)
            note_need(act.tx, act.now)
