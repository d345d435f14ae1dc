"""Being forgotten: the player is asked at their own address, wherever the wish came from, and says it once more."""

from pbem.asking.limits import allowance
from pbem.asking.posting import pose, post
from pbem.commands.asking_effects import Settle
from pbem.commands.decision import Situation, Step
from pbem.commands.families.forgetting import ASKING_TO_FORGET, NOT_FORGOTTEN, ForgetMe, confirm_forgetting
from pbem.commands.rejections import UnknownMatch
from pbem.due.gate import is_too_late
from pbem.match.player import FORMER, Player
from pbem.match.question import Question
from pbem.notices.render import plain_notice
from pbem.notices.sentences.status import title_match
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin
from pbem.pipeline.interpret import Reading


def settle_forgetting(act: Act, origin: Origin, question: Question, reading: Reading) -> Situation | None:
    """Return the decision that follows from ``forget me`` in answer to the question; None where it's too late.

    Raise UnknownMatch for an answer that says anything else.
    """
    if origin.player is None or is_too_late(act.tx, question.asked_at, act.now):
        return None
    if ForgetMe() not in reading.commands or reading.answer.means == "no" or reading.answer.is_unclear:
        raise UnknownMatch(NOT_FORGOTTEN)
    forgotten = confirm_forgetting(origin.player)
    return Situation((*forgotten.steps, Step("", (Settle((question.id,), "yes"),))), player=origin.player)


def ask_to_forget(act: Act, player: Player) -> None:
    """Queue the question to a player whether they are to be forgotten, unless they were asked today.

    It has no reply token: others may read the emails of matches.
    """
    if allowance(act, ASKING_TO_FORGET, player.email).suppressed:
        return
    running = [
        title_match(match, match.seat_of(player), act.site.language)
        for match in act.tx.matches.all(player=player.id, running=True)
        if match.seat_of(player) not in match.position.departed()
    ]
    notice = plain_notice(ASKING_TO_FORGET, act.site.language, you=player.name, matches=running, former=FORMER)
    asked = Question(ASKING_TO_FORGET, player.email, player=player.id, inbound=act.cause.inbound)
    post(act, notice, pose(act, asked), player)
