"""One rule finds the one move in a line of words: what plays, what never does, and what becomes of the other words."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.rejections import Rejection
from pbem.match.match import Match
from pbem.reading.resigning import resigns_in
from pbem.reading.sentences import read_sentence, scan_line
from pbem.reading.tokens import read_tokens
from rules.games import GAMES
from rules.position import Entry
from tests.support.each import each
from tests.support.judging import NOW, moves, partners, put, refusal, said, start, withheld

ONE = start("pipline", 2, Entry(0, "take"))
"""A match in which a turn is one stone; seat 1 is to act."""

SIGNS = (
    *("not", "maybe", "if", "unless", "perhaps", "don't", "never", "or", "instead", "wait", "should", "thought", "why"),
    *(
        "nicht",
        "vielleicht",
        "wenn",
        "oder",
        "pas",
        "peut-être",
        "ou",
        "quizás",
        "forse",
        "talvez",
        "misschien",
        "kanske",
    ),
    *("może", "lub", "не", "если", "или", "ikke", "måske", "nem", "belki", "か？", "吗", "ません"),
)
KIND = ("Hi Bob!", "Good luck!", "Cheers.", "Nice weather here.", "Hello!", "See you soon.", "Viel Glück!", "Merci !")
MORE = ("Powodzenia!", "Удачи!", "Lycka till!", "よろしく。", "😀", ":)")
FRIENDLY = st.lists(st.sampled_from((*KIND, *MORE)), max_size=3)


@each(
    "text, words",
    [
        ("d4 - good luck", "good luck"),
        ("d4. Good luck!", "Good luck!"),
        ("d4, your turn", "your turn"),
        ("Hi Ida! d4", "Hi Ida!"),
        ("d4 gg", "d4 gg"),
        ("I'd like d4", ""),
        ("Let me try d4", ""),
        ("home: d4", ""),
        ("4d", ""),
        ("d four", ""),
        ("column d, row 4", ""),
        ("d4, not c2", ""),
        ("nicht c2, sondern d4", ""),
        ("Ich spiele d4, viel Glück", "viel Glück"),
        ("хожу d4, удачи", "удачи"),
        ("d4、よろしくお願いします", ""),
        ("d4 please, and thank you", ""),
    ],
)
def test_one_move_among_friendly_words_is_played_and_the_words_passed_on(text: str, words: str) -> None:
    """Words that say no more than the move reach nobody."""
    decision = put(ONE, 1, text)
    assert moves(decision) == ("d4",)
    assert said(decision) == ([(words, False)] if words else [])


@given(FRIENDLY, FRIENDLY)
def test_friendly_words_never_change_which_move_is_played(before: list[str], after: list[str]) -> None:
    """Whatever sentences stand before and behind it, on its line."""
    assert moves(put(ONE, 1, " ".join([*before, "I play d4.", *after]))) == ("d4",)


WORDS_OF_ONE_CLAUSE = st.lists(st.sampled_from(["I", "play", "d4", "ich", "je", "now", "good", "luck"]), max_size=6)
WORDS_OF_SEVERAL_CLAUSES = st.lists(
    st.sampled_from(["I", "play", "d4", "ich", "je", "now", "good", ",", "-"]), max_size=6
)


@given(st.sampled_from(SIGNS), WORDS_OF_ONE_CLAUSE | WORDS_OF_SEVERAL_CLAUSES, st.integers(0, 6))
def test_a_line_with_a_sign_of_doubt_never_plays(sign: str, words: list[str], place: int) -> None:
    """Wherever it stands in the clause of the move, or in another that speaks of nothing else."""
    line = " ".join([*words[:place], sign, *words[place:], "d4"])
    with pytest.raises(Rejection):
        put(ONE, 1, line)


@given(st.text("d4c2 ,.!?-'\"ninotrplay()", max_size=40))
def test_what_is_found_stands_on_the_line_and_is_legal(line: str) -> None:
    """No move is made up: its cells are named, and it can be played."""
    found = read_sentence(ONE.position, line)
    if found is not None and found[1]:
        names = {token.text for token in read_tokens(line.lower().replace("’", "'"))}
        assert set(found[1].split()) <= names
        ONE.position.play(ONE.position.parse(found[1]))


@each(
    "text",
    [
        "d4?",
        "I think d4",
        "d4, I think",
        "d4 (I think)",
        "d4 or c2",
        "d4. Or c2.",
        "d4. No wait!",
        "d4. Right?",
        "you played d4",
        "Bob says d4",
        "d4 looks good",
        "d4 is tempting",
        "forget d4",
        "explain d4",
        "next to d4",
        "Free points: d4",
        "In the other match: d4",
        "not d4, c2",
        "d4 beats c2",
        "d4, I resign",
        "d4'; DROP TABLE games;--",
        "d4 {{7*7}}",
        "The stone on d4 blinks behind grandmother's green wardrobe nightly",
        "wlazł kotek płotek mruga ładna piosenka długa d4",
    ],
)
def test_what_asks_doubts_or_tells_is_asked_back(text: str) -> None:
    """A wrong move costs a match, a question costs a minute."""
    with pytest.raises(Rejection):
        put(ONE, 1, text)


def test_a_taken_cell_beside_the_move_is_only_mentioned() -> None:
    """Only where it stands in a sentence of its own, with a word of its own, and can be nothing else."""
    match = start("pipline", 2, Entry(0, "take"), Entry(1, "c2"))
    assert moves(put(match, 0, "Ouch, c2. I go d4.")) == ("d4",)
    with pytest.raises(Rejection):
        put(match, 0, "c2. d4.")


def test_the_colour_of_a_take_must_be_the_right_one() -> None:
    """Who says the other colour has not understood what is taken."""
    match = start("zipline", 3, Entry(0, "c3"))
    for text in (
        "I take white",
        "Ich nehme Weiß",
        "je prends les blancs",
        "tomo las blancas",
        "biorę białe",
        "Беру белые",
    ):
        assert moves(put(match, 1, text)) == ("take",)
    with pytest.raises(Rejection):
        put(match, 1, "I take black")


@each("text", ["Take your time", "I'll take a break", "hard to take", "Take that!", "take it easy"])
def test_a_verb_in_another_sense_is_no_move(text: str) -> None:
    """It is one only with the objects that a move has."""
    with pytest.raises(Rejection):
        put(start("zipline", 3, Entry(0, "c3")), 1, text)


def test_steps_of_one_turn_on_lines_of_their_own_are_one_turn() -> None:
    """Where together they are a legal turn, and the first alone would end it; else two moves are asked about."""
    assert moves(put(start(), 0, "d4\ne5")) == ("d4 e5",)
    assert moves(put(start(), 0, "d4\n\nand then e5\n\nGood luck")) == ("d4 e5",)
    assert refusal(ONE, 1, "d4\ne5").kind == "several_moves"
    assert refusal(start(), 0, "d4\nor\ne5").kind in ("several_moves", "no_command")
    assert refusal(start(), 0, "a1\nb1\nc1\nd1").kind == "several_moves"


def test_a_sentence_that_goes_on_from_the_line_above_is_read_with_it() -> None:
    """What it hangs on may say no."""
    with pytest.raises(Rejection):
        put(ONE, 1, "I never would have dared\nto play d4 so early")
    assert moves(put(ONE, 1, "Hi Ann, all is well here and the sun shines,\nI play d4.")) == ("d4",)


def test_a_long_sentence_beside_a_line_that_is_a_move_is_a_remark() -> None:
    """The bare line is meant."""
    assert moves(put(ONE, 1, "My dog has put his green ball and two bones on d4, look.\nc2")) == ("c2",)


@each(
    "line, rest",
    [
        ("I resign. Good game!", "Good game!"),
        ("Well played, I resign.", "Well played"),
        ("Congratulations! I resign.", "Congratulations!"),
        ("Jag ger upp. Bra spelat!", "Bra spelat!"),
        ("I resign if you win", None),
        ("You should resign. Bye", None),
        ("I will never resign. Good game", None),
        ("I resign? Good one", None),
        ("Maybe. I resign", None),
        ("Bob, resign. Good game", None),
    ],
)
def test_giving_up_among_kind_words(line: str, rest: str | None) -> None:
    """It fills a sentence or a clause, and nothing on the line speaks against it."""
    assert resigns_in(line) == rest


def test_a_line_is_read_in_bounded_time() -> None:
    """A long line is not looked through, and one of many cells is none."""
    assert scan_line("d4 " * 500) == ()
    assert scan_line("d4 " * 60) == ()
    assert scan_line("-" * 390 + " d4") == ()


@each(
    "line",
    [
        "Ann, let's go left",
        "let's go left, Ann",
        "This is between us",
        "Don't tell Bob",
        "unter uns: ich gehe nach links",
        "entre nous, je vais à gauche",
        "psst, left",
        "my partner should go left",
        "Ann, sag das bitte nicht Bob",
    ],
)
def test_words_that_may_be_private_are_asked_about_wherever_they_stand(line: str) -> None:
    """On the line of the move as below it, while there is a partner."""
    assert withheld(partners(), 2, f"a5\n{line}") == [line]
    assert refusal(partners(), 2, f"a5. {line}.").code == "unclear_recipient"


def test_who_may_get_a_partner_is_asked_about_secrets_too_and_two_players_are_not() -> None:
    """Before the sides are known everybody may become the partner; where there are two there is nobody to hide from."""
    assert withheld(start(), 0, "d4\nbetween us: left") == ["between us: left"]
    for line in ("Let's go!", "We should meet in Lisbon."):
        assert said(put(start(), 0, f"d4\n{line}")) == [(line, False)]
    assert withheld(start(), 0, "d4\nBob, let's go left") == ["Bob, let's go left"]
    assert said(put(start(), 0, "d4\nGood luck to Bob and Carl")) == [("Good luck to Bob and Carl", False)]
    assert said(put(ONE, 1, "d4\nBetween us, Ann: left")) == [("Between us, Ann: left", False)]


def play(key: str, options: Mapping[str, str | int], *texts: str) -> Match:
    """Return a match of two after these moves."""
    rules = GAMES[key]
    match = replace(ONE, game=rules, options=rules.normalise(options), record=(), times=())
    for text in texts:
        assert isinstance(match.to_act, int)
        record = (*match.record, Entry(match.to_act, text))
        match = replace(match, record=record, times=(NOW,) * len(record))
    return match


ONE_STONE = play("pipline", {"size": 11}, "take", "e6", "f6", "e7")
TWO_STONES = play("zipline", {"size": 9}, "d4 e5", "take")
CAPTURE = play("snipsnip", {"board": "equi-3-5"}, "f7", "a2", "d4", "f4", "e4", "b2", "e6", "c1", "e5")
OFFER = play("pipline", {"size": 11}, "e6 h8")

UNCLEAR = (
    (
        ONE_STONE,
        """
Here comes Bob: d7 | Here's his move: d7 | Here Eve wrote: d7 | This hurts: d7 | This is hopeless: d7
My move last week: d7 | My old game: d7 | Your answer: d7 | Bob: d7 | Eve's choice: d7 | Move of the day: d7
Best reply: d7 | Considering d7 | Thinking of d7 | Looking at d7 | Staring at d7 | Wanting d7 | Wishing for d7
Losing d7 was a blow | Bob is landing on d7 | Watching you take d7 | Missing d7, sorry | Fearing d7
Defending d7 | Conceding d7 | No idea about d7 | No d7 today | No mercy for d7 | Nothing beats d7
Nothing wrong with d7 | d7 - no, nothing | d7. No. | d7, no use | I doubt d7 | I question d7 | I rejected d7
I noticed d7 | I analysed d7 | I was told d7 | I hear d7 is popular | I bet you play d7 | I expect d7 from you
I leave d7 to you | I let you have d7 | I give you d7 | I gave you d7 | I offer you d7 | I'll let you have d7
I'll regret d7 | I'll avoid d7 | I'll never play d7 | I'll play d7 tomorrow | I'll play d7 if I must
I'll skip d7 | I'll wait for you to play d7 | Let me think about d7 | Let me sleep on d7 | Let me know about d7
Let's avoid d7 | Let's forget d7 | Let's discuss d7 | Two problems: d7 and e8
My first stone of the last match was on d7 | My stone on d7 in our other game died | My stone near d7
My stone will land on d7 once you move | My stones avoid d7 | My son played d7 in his match | My teacher: d7
today's puzzle: d7 | This time last year d7 | This turn you go d7 | Heute früh hattest du d7
Heute vielleicht d7 | Diesmal nicht d7 | Diesmal spielst du d7 | Eben hast du d7 gespielt | Sag mir warum d7
Gib mir d7 zurück | Ich gebe dir d7 | Ich überlasse dir d7 | Ich warte auf d7 | Ich rate dir zu d7
Ich schenke dir d7 | Ich verliere d7 | Ich verstehe d7 | Cette fois tu joues d7 | Je t'offre d7
Je te laisse d7 | Je vois d7 | Je crains d7 | J'attends d7 | J'hésite pour d7 | Dis-moi d7
Esta vez tú juegas d7 | Te dejo d7 | Me preocupa d7 | Me gusta d7 | Te regalo d7 | Espero d7 | Ti lascio d7
Mi preoccupa d7 | Mi piace d7 | Aspetto d7 | Ti regalo d7 | Tenho medo de d7 | Prefiro evitar d7 | Ofereço d7
Geef mij d7 terug | Ik laat d7 aan jou | Ik verwacht d7 | Ik twijfel over d7 | Jag väntar på d7 | Jag ger dig d7
Jag saknar d7 | Czekam na d7 | Daję ci d7 | Boję się o d7 | Жду d7 | Отдаю d7 | Дарю тебе d7 | Жаль d7
d7 instead of nothing? | h7 instead of d7 was my plan | Wanted e8 instead of d7 | Not d7 so wait
No e7, so maybe d7 | No e7, then you d7 | d7 or e8 first | first d7 or e8 | first d7 then e8
d7 first, e8 later | d7/e8 | d7 e8 | d7 + e8 | d7 & e8 | d7 -> e8 | After long thinking: not d7
After much thinking, d7 or e8
Avoid d7 | Never d7 again | Skip d7 this time | I dread d7 | I would avoid d7 | I'm avoiding d7 | Avoiding d7
Ignoring d7 for now | Leave d7 to me | Leave me d7 | Spare me d7 | I captured d7 | you captured d7
d7 was better | My brother suggests d7 | My dad lands on d7 | My nightmare: d7 | Weak spot: d7 | Free: d7
Here you played: d7 | Bob lands on d7 | He lands on d7 | Your stone lands on d7 | This time you land on d7
I saw you eyeing d7 | I understand d7 now | I miss d7 | I need d7 | I lost d7 | I admire d7 | I hope for d7
I recommend d7 to you | This is why d7 hurts | In my game with Eve: d7, I think
Playing Eve elsewhere, my stone landed on d7 | "d7," you said | You wrote: d7 | As you put it: d7
If I play d7 you win | As soon as I can, d7 | When it is my turn again: d7 | Once e8 falls, d7
Provided that you agree, d7 | d7 would be suicide | d7, as if! | d7, yeah right, very funny, not
d7 ⏎ scrap that | d7 ⏎ Hold off, I must think again | d7 - scrap that | d7. Think again, me! | d7 ⏎ vergiss das
d7 ⏎ oublie ça | d7 ⏎ olvídalo | d7 ⏎ lascia stare | d7 ⏎ laat maar | d7 ⏎ glöm det | d7 ⏎ zapomnij
d7 ⏎ забудь | d7 - no way | d7, no chance | No d7, so what | No d7, so e8 or d8 | d7 instead of e8 or d8
Instead of d7 | Rather than d7 | Ich meide d7 | Ich vermeide d7 | Ich fürchte d7 | Ich verzichte auf d7
Du nimmst d7 | Dein Stein landet auf d7 | Mein Bruder spielt d7 | Sobald ich kann, d7 | Mein Albtraum: d7
Meide d7 | Lass d7 | Ich brauche d7 | Ich habe d7 übersehen | J'évite d7 | Je redoute d7 | Évite d7 | Laisse d7
Tu poses en d7 | Je renonce à d7 | J'ai raté d7 | Evito d7 | Temo d7 | Odio d7 | Descarto d7 | Juegas d7
Tu piedra cae en d7 | Renuncio a d7 | Rinuncio a d7 | Lascio d7 | Lascia d7 | La tua pedina va in d7
Rifiuto d7 | Evita d7 | Deixo d7 | Deixa d7 | Recuso d7 | Ik vermijd d7 | Vermijd d7 | Jouw steen landt op d7
Ik vrees d7 | Jag undviker d7 | Undvik d7 | Din sten landar på d7 | Jag fruktar d7 | Unikam d7 | Unikaj d7
Twój kamień ląduje na d7 | Boję się d7 | Zagrałem d7 | Избегаю d7 | Избегай d7 | Твой камень падает на d7
Боюсь d7 | Сыграл d7 | Оставь d7 | Jeg undgår d7 | Vyhni se d7 | You should resign, champ | I won't resign
I give up smoking | I give up on d7 | Why should I resign | I resign? Never | I'd rather resign
I resign if you do | Resign yourself, Bob | Gib auf! | Soll ich aufgeben | Nie gebe ich auf
I resign ⏎ just kidding | I resign - scrap that | Before I resign, d7 | The day I resign is far off
""",
    ),
    (
        TWO_STONES,
        """
f4 first, d6 maybe next | first f4, then you d6 | f4, then after your move d6 | f4 now, d6 later
f4 today, d6 tomorrow | f4 for now, d6 next turn | f4 mine, d6 yours | f4 ist besser als d6 | f4 gegen d6
f4 contre d6 | f4 avant d6 | f4 mieux que d6 | f4 zamiast d6 | f4 lepsze niż d6 | f4 вместо d6 | f4 лучше d6
f4 menos d6 | f4 minus d6 | f4 sans d6 | f4 without d6 | f4 ohne d6 | f4 utan d6 | f4 excepting d6 | f4 lest d6
f4 implies d6 | f4 means d6 | f4 answers d6 | f4 ignoring d6 | f4 skipping d6 | I weigh f4 against d6
I swapped f4 and d6 | I hesitate between f4 and d6 | I like f4 and d6 | I fear f4 and d6 | My worries: f4 and d6
Your stones: f4 and d6 | Pick f4 and I pick d6 | Either of f4, d6 | One of f4, d6 | One of f4 and d6
Eines von f4 und d6 | Una de f4 y d6 | f4 then hope for d6 | f4, d6 being taken | f4, forget d6
f4, avoiding d6 | f4, skip d6 | f4, drop d6 | f4, scrap d6
f4 beats d6 | f4 versus d6 | f4 alternatively d6 | f4 near d6 | f4 blocks d6 | f4 threatens d6 | f4 unlike d6
f4 rather d6 | f4 oder d6 | f4 bzw d6 | f4 respectively d6 | f4 wahlweise d6 | f4 sinon d6 | f4 sino d6
f4 altrimenti d6 | f4 senão d6 | f4 anders d6 | f4 annars d6 | f4 ellers d6 | f4 albo d6 | f4 иначе d6
f4 against d6 | f4 statt d6 | f4 before d6 | f4, failing that d6 | f4 perhaps d6 | f4 otherwise d6
Avoid f4 and d6 | Forget f4 plus d6 | Two free cells: f4, d6 | You take f4, I take d6 | f4 for you, d6 for me
f4 is yours and d6 is mine | Compare f4 with d6 | Choose f4 xor d6 | I swap f4 for d6 | I prefer f4 to d6
Ich bevorzuge f4 gegenüber d6 | Je préfère f4 à d6 | f4 loses, d6 wins | f4 looks as good as d6
between f4 and d6 | from f4 to d6 | f4 to d6 | f4 → d6 is a strong link for you
""",
    ),
    (
        CAPTURE,
        """
d5, avoid e5 | d5, ignoring e5 | d5, not e5 | d5, spare e5 | d5 spares e5 | d5, sparing e5 | d5 next to e5
d5 beside your e5 | d5 to the left of e5 | d5 because of e5 | d5, fearing e5 | d5, leaving e5
d5, your e5 is strong | d5, your e5 took mine | d5, your e5 and e4 die | d5 before e5 falls | d5 misses e5
d5, e5 survives | d5, e5 must wait | d5, lass e5 | d5, e5 lebt | d5 verschont e5 | d5 neben e5 | d5 à côté de e5
d5 épargne e5 | d5 junto a e5 | d5 vicino a e5 | d5 obok e5 | d5 рядом с e5 | d5 щадит e5 | d5 laisse e5
d5 deja e5 | d5 lascia e5
d5, e5 stays | d5 leaves e5 alone | d5 beside e5 | d5 threatens e5 | d5 protects e5 | d5, keep e5
d5, you captured e5 | d5 und e5 bleibt | d5 lässt e5 stehen | d5 et e5 reste | d5 sans e5 | d5 y e5 queda
d5 e e5 resta | d5 en e5 blijft | d5 och e5 står kvar | d5 i e5 zostaje | d5, e5 остаётся | d5 or e5 goes
your d5 takes e5 | you take e5 with d5 | d5 could take e5 | d5 took e5 | d5 and one of yours
""",
    ),
    (
        OFFER,
        """
I take the dog out | you take | I'd take if you moved g3 | f4 g3 or j8 | f4, g3, perhaps j8
f4, g3 and somewhere near j8
""",
    ),
)
"""Lines that look like moves, by the match in which they are written: parted by strokes, ⏎ is a line break."""


@each(
    "match, line",
    [(match, line.strip()) for match, lines in UNCLEAR for line in lines.replace("\n", "|").split("|") if line.strip()],
)
def test_what_only_looks_like_a_move_is_never_played(match: Match, line: str) -> None:
    """It avoids, fears, reports, wishes, leaves a choice, takes back, or speaks of somebody else's stone."""
    assert isinstance(match.to_act, int)
    with pytest.raises(Rejection):
        put(match, match.to_act, line.replace(" ⏎ ", "\n"))


CLEAR = (
    (
        ONE_STONE,
        "d7",
        """
My next little stone lands gracefully on d7. | Slamming down a stone on d7
Right then, d7 it shall be | d7, because my coffee is getting cold | Dropping anchor at d7
d7 for me this morning | I shall occupy d7 | Stone on d7. The kids say hi!
d7 - fingers crossed! | d7. Sorry for the delay, work was crazy this week.
d7 ⏎ // Sorry it took me so long, we were travelling. | Ich besetze d7 | Ich lande auf d7
Mein nächster Stein kommt auf d7 | Mein Stein wandert nach d7 | Dann eben d7 | Na dann: d7
d7, und jetzt ab ins Bett | d7 - das Wetter ist herrlich heute | Diesmal d7 | Ich entscheide mich für d7
Je me place en d7 | Je pose ma pierre en d7 | J'opte pour d7 | Ce sera d7, bonne journée | Mon coup : d7
Me decido por d7 | Mi jugada es d7 | Pongo ficha en d7, saludos desde Madrid | Ahí va: d7
Gioco in d7, buona serata a tutti | Questa volta d7 | La mia pedina va in d7 | Vou de d7 | Ik doe d7
Mijn steen gaat naar d7 | Doe mij maar d7 | Jag placerar min sten på d7 | Det blir d7 för mig
Jeg stiller mig på d7 | Mój kamień ląduje na d7 | Tym razem d7 | Мой камень на d7 | Занимаю d7
Я выбираю поле d7 | d7に置きます | 今回は d7 で | 我下在d7 | d7에 놓겠습니다 | d7'ye koyuyorum
d7-re lépek | Pelaan d7:ään
Hraju na d7, hezký den | delta seven | D-7 | D – 7 | row 7, column d | Spalte d, Reihe 7 | d sieben
d7 (dee seven) | d7, d7! | d7, not e8 | d7 rather than e8 | Alright, let me put my stone at d7 then
Good morning! I slept on it and go with d7. | d7, hope you're well! | d7 (finally!)
d7 ⏎ Hope you had a good weekend | My reply is d7, cheers | And now d7 | d7 then. Greetings from rainy Leeds
Moving to d7 | d7 it is, my friend | Hallo Bob, ich nehme d7. Schönen Sonntag! | Also gut, d7
Ich probier's mal mit d7 | Setze d7, liebe Grüße aus Wien | Dann leg ich mal auf d7 | Allez, d7 ! | Je tente d7
Je mets mon pion en d7, bises | Vale, d7 entonces | Me voy a d7 | Va bene, allora d7 | Io vado in d7, ciao!
Fico com d7 | Então d7, abraços | Ok dan, d7 | Ik leg mijn steen op d7, fijne avond | Jag tar d7, ha en bra dag
Okej, d7 då | Jeg legger på d7 | Jeg prøver d7, god weekend | Stawiam na d7, pozdrawiam
Ставлю на d7, хорошего дня | Ну тогда d7 | Иду на d7 | d7 olsun | d7 でお願いします | d7，谢谢 | d7 둘게요 | Otan d7
Beru d7 | Aleg d7 | Παίζω d7 | D seven please | 7d please | Column D row 7
d7 and not e8 | d7 (not e8!) | d7, nicht e8 | pas e8 mais d7
""",
    ),
    (
        TWO_STONES,
        "f4 d6",
        """
f4 together with d6 | f4 as well as d6 | First f4, second d6 | One stone on f4, one on d6 | f4, then d6 please
f4 & d6 | f4 und außerdem d6 | f4 ainsi que d6 | f4 y también d6 | f4 più d6 | f4 e também d6 | f4 en ook d6
f4 oraz d6 | f4 вместе с d6 | f4 と d6 | f4 和 d6 | f4 ve d6 | f4 és d6 | f4 ja d6 | 1. f4 ⏎ 2. d6
f4 ⏎ d6 ⏎ thanks! | My first stone goes to f4, my second one to d6. | f4 d6, both of them
Ich setze auf f4 und auf d6 | Einen Stein nach f4, den anderen nach d6 | Une pierre en f4 et l'autre en d6
Una en f4 y otra en d6 | Una in f4 e l'altra in d6 | Один камень на f4, другой на d6 | Jeden na f4, drugi na d6
En på f4 och en på d6 | My stones: f4 and d6 | I'll take f4 and d6 | f4 - d6
I'm placing stones on f4 and on d6, have fun | Two stones: f4, d6. Enjoy! | f4 first, d6 next
Zuerst f4, danach d6 | Erst f4, dann d6 | D'abord f4, ensuite d6 | Primero f4, después d6 | Prima f4, poi d6
Primeiro f4, depois d6 | Eerst f4, daarna d6 | Först f4, därefter d6 | Najpierw f4, potem d6
Сначала f4, потом d6 | f4 ⏎ and d6 ⏎ Have a nice evening! | first stone f4 ⏎ second stone d6 | My two: f4 d6
""",
    ),
    (
        OFFER,
        "f4 g3 j8",
        """
I offer f4, g3 and j8 | My bid is f4 g3 j8 | Mein Gebot: f4, g3, j8 | f4; g3; j8 | Bid: f4 g3 j8
Ich biete f4, g3 und j8 | J'annonce f4 g3 j8 | f4 and g3 and j8
""",
    ),
    (
        CAPTURE,
        "d5xe5",
        """
d5 and e5 disappears | d5 eats e5 | d5 kills e5 | d5, killing e5 | I place on d5 and remove your stone on e5
d5, taking e5 off the board | d5, bye bye e5 | d5 und dein e5 fliegt raus | d5 frisst e5 | d5 nimmt e5
d5 et ton e5 disparaît | d5 et j'enlève e5 | d5 elimina e5 | d5 e tolgo e5 | d5 e retiro e5 | d5 en e5 gaat eraf
d5 och e5 försvinner | d5 i zdejmuję e5 | d5 снимает e5 | d5, убираю e5 | d5 removing e5 | d5:e5
Place d5, capture e5 | d5 captures your stone on e5 | I go d5 and take e5 | d5 and I remove e5
I'll play d5 and grab e5, sorry! | Ich setze d5 und schlage e5
Ich setze auf d5, dein Stein auf e5 verschwindet | Je joue d5 et je mange e5 | Gioco d5 e mangio e5
Ik speel d5 en sla e5 | Jag spelar d5 och slår e5 | Хожу d5, бью e5 | d5 takes out e5
""",
    ),
)
"""Moves in many words: the match, the move, and the lines."""


@each(
    "match, move, line",
    [
        (match, move, line.strip())
        for match, move, lines in CLEAR
        for line in lines.replace("\n", "|").split("|")
        if line.strip()
    ],
)
def test_a_move_is_found_whatever_words_its_sender_has_for_it(match: Match, move: str, line: str) -> None:
    """Between its cells and around them."""
    assert isinstance(match.to_act, int)
    assert moves(put(match, match.to_act, line.replace(" ⏎ ", "\n"))) == (move,)
