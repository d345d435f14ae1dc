"""Knows what people write around a move, and above and below it: frames, refusals, corrections. Pure."""

import re
import unicodedata

MARK = "·"
"""In front of a line of ours that would else read as a command."""

_BEFORE = """
    i play | i'll play | i will play | i would play | i'd like to play | i would like to play | i want to play
    i choose | i place | i put | i move | i move to | i am playing | i'm playing | my move | my move is
    my next move | my turn | my reply | my answer | move | play | playing | ok | okay | hi | hello | hey
    ich spiele | ich setze | ich ziehe | mein zug | mein zug ist | zug | hallo | je joue | je pose | je mets
    mon coup | coup | bonjour | gioco | la mia mossa | mossa | metto | ciao | juego | mi jugada | jugada | pongo
    hola | jogo | eu jogo | minha jogada | jogada | olá | ik speel | mijn zet | zet | jag spelar | mitt drag
    drag | jeg spiller | mit træk | mitt trekk | pelaan | siirtoni | gram | mój ruch | ruch | hraju | hrám
    můj tah | tah | lépek | lépésem | joc | mutarea mea | хожу | мой ход | ход | играю | ходжу | мій хід | хід
    παίζω | oynuyorum | hamlem | 我下 | 我走 | 下 | 私の手は
"""
_AFTER = """
    please | pls | thanks | thank you | thx | for me | it is | bitte | danke | merci | s'il te plaît | por favor
    gracias | per favore | grazie | obrigado | obrigada | graag | bedankt | tack | tak | takk | kiitos | proszę
    dzięki | prosím | díky | kérem | köszönöm | пожалуйста | спасибо | будь ласка | дякую | lütfen | teşekkürler
    です | にします | でお願いします | 谢谢 | 謝謝 | 부탁합니다
"""
_CORRECTING = """
    sorry | oops | ups | whoops | hoppla | i mean | i meant | meant | instead | correction | rather | wait
    actually | typo | no | scratch that | korrektur | ich meine | ich meinte | meinte | stattdessen | lieber
    nein | verzeihung | pardon | plutôt | je voulais dire | désolé | désolée | non | perdón | quise decir
    quiero decir | mejor | scusa | volevo dire | anzi | desculpa | quis dizer | ik bedoel | ik bedoelde | liever
    nee | jag menade | nej | förlåt | undskyld | извини | извините | точнее | вернее | нет | я имел в виду
    przepraszam | nie | promiň | ne | bocsánat | nem
"""
_LEADING_ON = """
    not | never | don't | won't | wouldn't | can't | shouldn't | if | when | unless | should | maybe | perhaps
    whether | nicht | nie | kein | keine | wenn | falls | ob | vielleicht | sollte | pas | jamais | si | quand
    peut-être | nunca | quizás | tal vez | talvez | se | mai | forse | não | niet | nooit | als | misschien | inte
    aldrig | om | kanske | ikke | aldri | hvis | måske | ei | jos | ehkä | jeśli | może | ne | pokud | možná | nem
    ha | talán | не | если | может
"""
_SIGNS = " \t\ufe0e\ufe0f*_`´‘’“”„«»\"'()[]{}…•–—→⇒➔➡►▶"
_LONGEST = 120  # characters: a longer line is no move with a few words around it
_SMILEY = re.compile(r"\s+(?:[:=8][-^']?[)(DPpdoO3/|]|\^\^)$")
_ANGLED = re.compile(r"^\s*<([^<>]+)>\s*$")  # one sign alone is a quotation mark
_NUMBERED = re.compile(r"\d{1,3}[.)]\s+(?=[^\W\d_])")
_ARROW = re.compile(r"[-–—=]{1,3}>\s*")


def unframed(text: str) -> str:
    """Return the move in a line that consists of one and of what people write around it; else the line as it stands.

    Never out of a question, nor out of a sentence that says more.
    """
    if len(text) > _LONGEST or not any(map(str.isdigit, text)) or any(sign in text for sign in "?¿？~≠"):
        return text
    bare = _without_signs(_ANGLED.sub(r"\1", _SMILEY.sub("", text)))
    bare = _without_signs(_NUMBERED.sub("", _ARROW.sub("", bare, count=1), count=1))
    for _ in range(3):  # "ok, I play d4", and not much more
        if begun := _BEGUN.match(bare):
            bare = bare[begun.end() :]
        bare = _ENDED.sub("", bare, count=1)
    bare = _without_signs(bare)
    words = bare.split()
    return bare if words and all(len(word) <= 8 and any(map(str.isdigit, word)) for word in words) else text


def leads_on(above: str) -> bool:
    """Tell whether the line ``above`` is a sentence without its end that says not, or only if: a move may end it."""
    bare = above.rstrip(" *_")
    return bool(bare) and bare[-1] not in _ENDS and _LEADING.search(" ".join(bare.split()[-3:])) is not None


def goes_on(above: str) -> bool:
    """Tell whether the line ``above`` may be a sentence without its end, and no greeting."""
    bare = above.rstrip(" *_")
    return bool(bare) and bare[-1] not in _ENDS and not _GREETING.match(bare)


def corrects(line: str) -> bool:
    """Tell whether a short line may take a move back, or change it: ``Sorry, e5 instead``."""
    short = len(line) <= _LONGEST and len(line.split()) <= 8
    return short and any(map(str.isdigit, line)) and _CORRECTION.search(line) is not None


def _without_signs(text: str) -> str:
    """Return ``text`` without brackets, quotation marks, bullets, arrows and pictures at its ends."""
    start, end = 0, len(text)
    while start < end and _is_sign(text[start]):
        start += 1
    while start < end and _is_sign(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_sign(char: str) -> bool:
    """Tell whether ``char`` only decorates: our own mark does not."""
    return char != MARK and (char in _SIGNS or unicodedata.category(char) in ("So", "Sk", "Cf", "Zs"))


def _any_of(phrases: str) -> str:
    """Return a pattern for one of ``phrases``, the longest first."""
    found = {phrase.strip() for phrase in re.split(r"[|\n]", phrases) if phrase.strip()}
    return "|".join(
        re.escape(phrase).replace("'", "['’]") for phrase in sorted(found, key=lambda one: (-len(one), one))
    )


_FAR_EAST = "\u3000-\u9fff\uac00-\ud7af"  # scripts that set no spaces
_BEGUN = re.compile(rf"(?:{_any_of(_BEFORE)})(?:[\s:,.!–—-]{{1,9}}|(?<=[{_FAR_EAST}]))", re.IGNORECASE)
_ENDED = re.compile(
    rf"(?:[\s,.!–—-]{{1,9}}|(?<=\w)(?=[{_FAR_EAST}]))(?:{_any_of(_AFTER)})[\s.!]{{0,9}}$", re.IGNORECASE
)
_CORRECTION = re.compile(rf"(?<!\w)(?:{_any_of(_CORRECTING)})(?!\w)", re.IGNORECASE)
_LEADING = re.compile(rf"(?<!\w)(?:{_any_of(_LEADING_ON)})(?!\w)", re.IGNORECASE)
_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|evening|day)|hallo|lieber?|bonjour|salut|hola|ciao)\b", re.I
)
_ENDS = ".,!?:;…)。！？"
