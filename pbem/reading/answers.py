"""Yes or no: what a person answers to a question, in whatever words. Pure.

The answer is read clause by clause. A clause says yes or no by how it begins; courtesies, names and reasons around it
change nothing. What cannot be known to be harmless beside a yes makes it no answer that anybody may act on; a no, which
does no harm, only needs that nothing around it hesitates, asks, or says the opposite.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from pbem.reading.answering.ending import without_ending
from pbem.reading.answering.phrases import LISTS, WISHES, Hedge, Meaning, is_harmless_phrase
from pbem.reading.answering.saying import CELL, Said, begins_with_but, is_bare, judge
from pbem.reading.answering.text import SPACELESS, plain_words, split

_WRITTEN_OUT = frozenset(
    ("yes", "ja", "oui", "sí", "si", "sì", "sim", "jo", "kyllä", "tak", "ano", "áno", "igen", "da", "да", "так")
)
_FEW = 3  # words
_MOST_LINES = 40  # a longer text is no answer
_LONGEST, _MOST_READ = 2000, 20_000  # characters, without and with what stands at the end of a message
_MOST_WORDS = 60  # a clause of more is no answer
_LONGEST_ECHO, _LONGEST_EXCLAMATION = 3, 2  # words
_SHORT = 3  # letters: a hedge of so few is a word of some other language as well


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered: ``means`` is empty where it is not sure that anything was, or what.

    ``is_unclear``: it holds a yes or a no, and something else that keeps it from being one.
    ``called`` is what the writer wants to be called, if they say so. ``is_bare``: it is a word that can be nothing
    else, and courtesies around it.
    """

    means: Meaning = ""
    called: str = ""
    is_bare: bool = False
    is_unclear: bool = False


def written_out(answer: Answer, lines: Iterable[str]) -> Answer:
    """Return what ``lines`` answer where a machine may have written them: few words are a yes only as we ask for it."""
    words = [word for line in lines for word in plain_words(line)]
    is_doubtful = answer.means == "yes" and len(words) <= _FEW and _WRITTEN_OUT.isdisjoint(words)
    return Answer(is_unclear=True) if is_doubtful else answer


def read_answer(lines: Iterable[str], names: Collection[str] = ()) -> Answer:
    """Return what a message answers to a question that can be answered by yes or no.

    ``lines`` are its own lines, without what it quotes; ``names`` are those of the people whom it may address.
    """
    lines = list(lines)
    if (lines and _is_move(lines[0])) or sum(map(len, lines)) > _MOST_READ:
        return Answer()
    known = frozenset(word for name in names for word in plain_words(name))
    text = without_ending(lines, known)
    if len(text) > _MOST_LINES or sum(map(len, text)) > _LONGEST:
        return Answer()
    clauses = list(split(text))
    if any(len(clause.words) > _MOST_WORDS for clause in clauses):
        return Answer()
    said, languages = list[Said](), frozenset[str]()
    for clause in clauses:
        said.append(judge(clause, known, languages))
        languages = (languages & said[-1].languages) or said[-1].languages or languages
    said = _without_wishes(said)
    meant = {one.means for one in said} - {""}
    unclear = Answer(is_unclear=bool(meant))
    if (
        len(meant) != 1
        or any(one.is_unsure for one in said)
        or _leads_in(said, known)
        or any(map(_is_ironic, pairwise(said)))
    ):
        return unclear
    (means,) = meant
    if any(_asks(said, place) for place in range(len(said))):
        return unclear
    if means == "yes" and not (all(map(_supports, said)) and (_is_explicit(said) or not any(map(_strays, said)))):
        return unclear
    if means == "no" and _is_doubtful(said, languages):
        return unclear
    called = next((one.named for one in said if one.named), "") if means == "yes" else ""
    return Answer(means, called, all(map(is_bare, said)) and any(one.answered for one in said))  # a sign may slip in


def _is_move(line: str) -> bool:
    """Return whether a line is a move and nothing else: what stands below it is said beside that."""
    words = plain_words(line)
    return bool(words) and all(map(CELL.fullmatch, words))


def _without_wishes(said: list[Said]) -> list[Said]:
    """Return what clauses say, less the yes that is only wished: ``I would love to, but I have no time``."""
    place = next((place for place, one in enumerate(said) if one.means == "no" and begins_with_but(one.clause)), 0)
    return [
        replace(one, means="") if one.means == "yes" and " ".join(one.clause.words[: one.answered]) in WISHES else one
        for one in said[:place]
    ] + said[place:]


def _is_doubtful(said: Sequence[Said], languages: frozenset[str]) -> bool:
    """Return whether something beside a no hesitates, or turns it around: ``No, I do not mind``."""
    answers = {one.clause.sentence for one in said if one.means}
    return any(
        _hedges(one, LISTS.hedges, languages, within=one.clause.sentence in answers)
        or _hedges(one, LISTS.contrary, languages)
        for one in said
    )


def _supports(said: Said) -> bool:
    """Return whether a clause may stand beside an explicit yes."""
    return said.is_harmless or said.praises


def _strays(said: Said) -> bool:
    """Return whether a clause may be all that somebody says who writes ``yes`` or ``OK`` in front of it."""
    goes_on = said.answered > 0 or not said.clause.begins
    return goes_on and (said.praises or not said.is_about_it)


def _is_explicit(said: Iterable[Said]) -> bool:
    """Return whether a yes says to what: ``Draw accepted``, not ``OK``."""
    return any(one.means == "yes" and one.is_explicit for one in said)


def _leads_in(said: Sequence[Said], known: Collection[str]) -> bool:
    """Return whether a clause above the first answer says what that is an answer to: ``For this week, yes``."""
    answers = {one.clause.sentence for one in said if one.means}
    return any(
        one.clause.sentence in answers
        and not one.is_small
        and not one.clause.asks
        and len(one.clause.words) > _LONGEST_EXCLAMATION
        and not is_harmless_phrase(one.clause, known)
        for one in takewhile(lambda one: not one.means, said)
    )


def _is_ironic(pair: tuple[Said, Said]) -> bool:
    """Return whether two clauses are together what makes an answer none: ``Yeah, right!``"""
    return " ".join(word for one in pair for word in one.clause.words) in LISTS.hedges


def _asks(said: Sequence[Said], place: int) -> bool:
    """Return whether a clause asks, and does not only repeat what was asked: ``A draw? Sure.``"""
    one, follows = said[place], said[place + 1 : place + 2]
    if not one.clause.asks or " ".join(one.clause.words) in LISTS.may_be_asked:
        return False
    is_echo = one.means == "" or (one.is_explicit and follows[:1] and follows[0].means == one.means)
    return not is_echo or not follows or not follows[0].means or len(one.clause.words) > _LONGEST_ECHO


def _hedges(said: Said, hedges: Mapping[str, Hedge], languages: frozenset[str], *, within: bool = True) -> bool:
    """Return whether a clause holds a phrase that makes an answer none, and is not part of one.

    Only what its sentence begins with counts, unless ``within``. A word may mean something else in another language.
    """
    words = said.clause.words
    for start, word in enumerate(words):
        if word[:1] >= SPACELESS:
            if any(hedge in word for hedge in hedges if hedge[0] >= SPACELESS):
                return True
            continue
        for end in range(start + 1, min(len(words), start + LISTS.longest) + 1):
            found = hedges.get(" ".join(words[start:end])) if end > said.answered else None
            if found is None or (not start and not within and not said.clause.begins) or (start and found.asks):
                continue
            is_word = end - start == 1 and (bool(languages) or len(word) <= _SHORT)
            if (within or not start) and (not is_word or "English" in found.languages or found.languages & languages):
                return True
    return False
