"""Words that may be for one side alone wait until their sender has said, by a word, who may read them."""

from dataclasses import replace

from pbem.asking.posting import enqueue_notices
from pbem.commands.asking_effects import AskForWhom
from pbem.commands.decision import MatchDecision
from pbem.notices.audience import words_question
from pbem.pipeline.act import Act


def ask_for_whom(act: Act, decision: MatchDecision, effect: AskForWhom) -> None:
    """Ask the sender of a message for whom words in it are; what else it did is told there, too."""
    assert decision.seat is not None  # somebody wrote them
    match, seat = decision.addressed, decision.seat
    done = " ".join(one.entry.text for one in decision.appended if one.entry.seat == seat)
    asking = replace(effect, operator=effect.operator and bool(act.site.operator))
    notice = words_question(match, seat, asking, done, act.site.archive, act.site.language, now=act.now)
    enqueue_notices(act, match, [(seat, notice)], about={"words": list(effect.lines), "operator": asking.operator})
