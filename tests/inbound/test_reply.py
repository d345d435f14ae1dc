"""Which lines of a reply its sender wrote himself."""

from textwrap import wrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbound.reply import quotable_words, read_reply
from tests.support.each import each

ADDRESS = "games@play.example"
TAGGED = "games+1.2.0.abcdefghij@play.example"
NOTICE = """Ann, it is your turn.

Bob wrote to your side alone:
  “Let us block him on the left, before he sees it”

      a  b  c  d  e
  5   .  .  .  .  .   5
  4   .  .  . (O) .   4
      a  b  c  d  e

Just reply with one point, on a line of its own. To play c3, for
instance, write c3 as the first line of your mail.
"""
QUOTED = "".join(f"> {line}\n" for line in NOTICE.splitlines())


def wrote(text: str) -> list[str]:
    """Return what the sender of ``text`` wrote, blank lines left out."""
    return [line for line in read_reply(text, ADDRESS).lines([quotable_words(NOTICE)]) if line]


INTRODUCTIONS = [
    f"On Fri, 20 Nov 2026 at 18:30, pbem <{TAGGED}> wrote:",
    f"On Fri, 20 Nov 2026 at 18:30, pbem\n<{TAGGED}> wrote:",
    f"On Fri, 20 Nov 2026 at 18:30,\npbem <{TAGGED}>\nwrote:",
    "On Friday, November 20, 2026 at 6:30 PM pbem wrote:",
    f"Am 20.11.26 um 18:30 schrieb pbem <{TAGGED}>:",
    f"Am Fr., 20. Nov. 2026 um 18:30 Uhr schrieb pbem <\n{TAGGED}>:",
    f"Le ven. 20 nov. 2026 à 18:30, pbem <{TAGGED}> a\nécrit :",
    f"El vie, 20 nov 2026 a las 18:30, pbem (<{TAGGED}>) escribió:",
    f"Il giorno ven 20 nov 2026 alle ore 18:30 pbem <{TAGGED}> ha scritto:",
    f"Em sex., 20 de nov. de 2026 às 18:30, pbem <\n{TAGGED}> escreveu:",
    f"Op vr 20 nov. 2026 om 18:30 schreef pbem <{TAGGED}>:",
    f"Dne pá 20. 11. 2026 18:30 uživatel pbem\n<{TAGGED}> napsal:",
    f"pt., 20 lis 2026 o 18:30 pbem <{TAGGED}> napisał(a):",
    f"пт, 20 нояб. 2026 г. в 18:30, pbem <{TAGGED}>:",
    f"2026年11月20日(金) 18:30 pbem <{TAGGED}>:",
    "pbem schrieb:",
]


@each("introduction", INTRODUCTIONS)
@each("quoted", [QUOTED, NOTICE], ids=["marked", "unmarked"])
def test_only_the_new_line_is_kept(introduction: str, quoted: str) -> None:
    """The line that introduces a quotation goes with it, in any language, wrapped or not, marked or not."""
    assert wrote(f"d4\n\n{introduction}\n\n{quoted}") == ["d4"]
    assert wrote(f"{introduction}\n{quoted}\nd4\n") == ["d4"]


@each(
    "introduction",
    [
        "On Fri, Nov 20, 2026 at 6:30 PM {} <games@play.example> wrote:",
        "On Fri, Nov 20, 2026 at 6:30 PM {}\n<games+1.0.0.mlfgp5t3gw@play.example> wrote:",
        "Am 20.11.2026 um 18:30 schrieb {}:",
        "El vie, 20 nov 2026 a las 18:30, {}\n(<games@play.example>) escribió:",
        "W dniu 20.11.2026 o 18:30, {} pisze:",
        "{} wrote:",
        "From: {} <games@play.example>\nSent: Friday, November 20, 2026 6:30 PM\nTo: Ann\nSubject: [pbem 1] Zipline",
    ],
)
def test_the_name_of_the_service_introduces_a_quotation(introduction: str) -> None:
    """With the opponents behind it, as From has them, or without; and the name that it had before."""
    for name in ("Zip & Club", "Zip & Club (J. Smith, Zoë & Robot 2)", "pbem", "pbem (Bob)"):
        text = f"c3\n\n{introduction.format(name)}\n\n> Your move, Ann\n> Bob played c2\n"
        assert read_reply(text, "games@play.example", "Zip & Club").lines() == ["c3"], name


def test_answers_between_the_quoted_lines_are_kept() -> None:
    """What stands between quoted lines was written there."""
    first, second = QUOTED[:150], QUOTED[150:]
    text = f"{INTRODUCTIONS[0]}\n{first.rpartition(chr(10))[0]}\nI see.\n>{second}\nd4\n"
    assert wrote(text) == ["I see.", "d4"]


@pytest.mark.parametrize("width", [30, 50, 200])
def test_a_quotation_without_a_mark_is_known_by_its_words(width: int) -> None:
    """Many programs quote without any mark, and break the lines anew."""
    words, lines = NOTICE.split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += f" {word}"
    text = "d4\nnice trap\n\n" + "\n".join(lines)
    assert wrote(text) == ["d4", "nice trap"]
    assert wrote("\n".join(lines) + "\n\nd4") == ["d4"]


def test_the_example_of_a_notice_can_be_sent_back() -> None:
    """What is taken for quoted is long: a move that stood in the notice is still a move."""
    assert wrote("c3") == ["c3"]
    assert wrote(f"c3\n\n{NOTICE}") == ["c3"]
    assert wrote("write c3 as the first") == ["write c3 as the first"]


HEADER = f"From: pbem <{TAGGED}>\nSent: Friday, November 20, 2026 6:30 PM\nTo: Ann\nSubject: [pbem 1] x\n\n"


@pytest.mark.parametrize("above", [HEADER, f"-----Original Message-----\n{HEADER}", f"{'_' * 32}\n{HEADER}"])
def test_an_answer_below_a_quoted_mail_is_found(above: str) -> None:
    """Below our own mail, quoted whole with its header, an answer counts if nothing stands above."""
    assert wrote(f"{above}{NOTICE}\n\nd4\nnice\n") == ["d4", "nice"]
    assert wrote(f"e5\n\n{above}{NOTICE}\n\nd4\n") == ["e5"]


@each(
    "above",
    [
        "From: Carl <carl@c.example>\nSent: Friday\nTo: pbem <games@play.example>\nSubject: RE: [pbem 1] x\n\n",
        "From: Carl <carl@c.example>\nSent: Friday\nTo: Ann\nSubject: an idea\n\n",
        f"---------- Forwarded message ---------\nFrom: Carl <carl@c.example>\nTo: <{TAGGED}>\n\n",
        "Begin forwarded message:\n\nFrom: Carl <carl@c.example>\n\n",
        "------------------ 原始邮件 ------------------\n发件人: Carl <carl@c.example>\n\n",
    ],
)
def test_what_somebody_else_wrote_is_not_the_writers(above: str) -> None:
    """An email of another person that is passed on, with our notice in it or not, holds no move of the sender's."""
    assert wrote(f"{above}d4\n") == []
    assert wrote(f"{above}{NOTICE}\nd4\n") == []


@each(
    "introduction",
    [
        "On Fri, Nov 20, 2026 at 5:00 PM Ann <ann@a.example> wrote:",
        "On Fri, Nov 20, 2026 at 5:00 PM Ann\n<ann@a.example>\nwrote:",
        "пт, 20 нояб. 2026 г. в 17:00, Ann <ann@a.example>:",
        "Ann <ann@a.example> 于2026年11月20日周五 17:00写道：",
        "Am 20.11.26 um 17:00 schrieb Ann:",
        "Ann kirjoitti 20.11.2026 klo 17.00:",
        "Zitat von Ann <ann@a.example>:",
        'Am 20.11.26 um 17:00 schrieb "Ann" <ann@a.example>',
        ">>> Ann <ann@a.example> 20.11.2026 17:00 >>>",
        "From: Ann Lee\nSent: Friday, November 20, 2026 5:00 PM\nTo: games\nSubject: RE: [x]\n",
    ],
)
def test_an_earlier_message_that_is_quoted_without_a_mark_is_not_new(introduction: str) -> None:
    """What the sender sent before, or somebody else, and its introduction, is no part of the message."""
    assert wrote(f"\n\n{introduction}\n\nd4\n") == []
    assert wrote(f"e5\nnice\n\n{introduction}\n\nd4\n") == ["e5", "nice"]
    assert wrote(f"e5\nnice\n\n{introduction}\n> d4\n") == ["e5", "nice"]


def test_a_line_with_a_colon_introduces_no_quotation_by_that_alone() -> None:
    """A time, a year or an address above the move does not make an earlier message of it."""
    for line in ("I am back at 18:30:", "Since 2026 I play:", "Write to ann@b.example next time:", "My move:"):
        assert wrote(f"{line}\n\nd4\n") == [line, "d4"]
    assert wrote("d4\nPlan: win\nRisk: small\nFun: much") == ["d4", "Plan: win", "Risk: small", "Fun: much"]


@each(
    "introduction",
    [
        f"Στις Σάβ 21 Νοε 2026 στις 9:10 π.μ., ο/η\npbem <{TAGGED}> έγραψε:",
        f"في السبت، 21 نوفمبر 2026 في\n9:10 ص تمت كتابة ما يلي بواسطة\npbem\n<{TAGGED}>:",
        f"pbem\n<{TAGGED}>\nezt írta (időpont: 2026. nov.\n21., Szo, 9:10):",
        f"pbem <{TAGGED}>,\n21 Kas 2026 Cmt, 09:10 tarihinde şunu\nyazdı:",
        "Saturday, November 21, 2026, 9:10:11 AM, you wrote:",
    ],
)
def test_an_introduction_may_be_wrapped_anywhere(introduction: str) -> None:
    """However many lines the introduction fills, above and below our address, none of them was written."""
    assert wrote(f"d4\nnice\n\n{introduction}\n\n{QUOTED}") == ["d4", "nice"]


def test_what_may_be_a_piece_of_a_translated_quotation_is_in_doubt() -> None:
    """Words of the notice at a distance below a part of it count as quoted; right below it they were written."""
    known = "\n".join(NOTICE.splitlines()[:4])
    assert wrote(f"{known}\n\nSchreibe\nc3\nals erste Zeile\n") == ["Schreibe", "als erste Zeile"]
    assert wrote(f"{known}\n\nc3\n")[-1] == "c3"


@each("width", range(20, 60, 3))
def test_the_ends_of_broken_quoted_lines_are_not_the_writers(width: int) -> None:
    """Programs that break quoted lines leave the tails without a mark; a move among them is the notice's."""
    broken = [piece for line in QUOTED.splitlines() for piece in wrap(line, width) or [""]]
    assert read_reply("\n".join(broken), ADDRESS).may_quote
    assert wrote("\n".join(broken)) == []
    assert wrote("\n".join(["d4", "", *broken])) == ["d4"]


def test_a_move_that_the_notice_names_counts_beside_a_quotation() -> None:
    """A run of words that both share must be long by itself: the notice's example is played above and below it."""
    move, notice = "b5 a6 a4 a3 c7 d8", NOTICE.replace("write c3 as", "write b5 a6 a4 a3 c7 d8 as")
    for body in (f"{move}\n{notice}", f"{notice}\n{move}"):
        assert [line for line in read_reply(body, ADDRESS).lines([quotable_words(notice)]) if line] == [move]


def test_a_piece_of_a_damaged_quotation_is_in_doubt() -> None:
    """Within a quotation without a mark, a line of the notice's own words is no answer, wherever it comes from."""
    first, second = NOTICE.partition("      a  b")[0], NOTICE.partition("write c3")[2]
    assert wrote(f"{NOTICE}\nc3\n{first}{second}{NOTICE}") == []
    assert wrote(f"{NOTICE}\nd1\n{NOTICE}") == ["d1"]
    assert wrote(f"{NOTICE}\nx; write c3 as the first line of your mail\n{NOTICE}") == []


def test_a_few_words_broken_over_lines_are_the_notices() -> None:
    """A short piece of a quotation is known by the line breaks in it; in one line it is the sender's own sentence."""
    assert wrote("d4\non a line\nof its\nown") == ["d4"]
    assert wrote("d4\non a line of its own") == ["d4", "on a line of its own"]
    moves = NOTICE.replace("play c3,", "play a1 b2 c3 d4 e5,")
    assert read_reply("a1 b2\nc3 d4\ne5", ADDRESS).lines([quotable_words(moves)]) == ["a1 b2", "c3 d4", "e5"]


def test_a_banner_between_introduction_and_quotation_is_left_out() -> None:
    """What a gateway put above our notice comes back with it."""
    assert wrote(f"d4\nfine\n\n{INTRODUCTIONS[0]}\n\n[EXTERNAL] Take care!\n\n{NOTICE}") == ["d4", "fine"]


def test_where_links_lead_is_left_out() -> None:
    """Programs that make text of HTML write addresses behind linked words."""
    linked = NOTICE.replace(" .  ", f" .<mailto:{TAGGED.replace('+', '%2B')}?body=c3>  ")
    assert wrote(f"d4\n\n{linked}") == ["d4"]
    assert wrote("see <https://example.org/a> there") == ["see <https://example.org/a> there"]


@each("link", ["<{}>", "[mailto:{}]", "(mailto:{})"])
@each("query", ["body=a9", "subject=pbem%201&body=a9", "subject=Re:%20%5Bpbem%201%5D&body=a9"])
@each("plus", ["+", "%2B"])
def test_links_that_play_a_cell_are_left_out_however_they_are_written(link: str, query: str, plus: str) -> None:
    """The links on the cells of a board are nobody's words."""
    target = link.format(f"{TAGGED.replace('+', plus)}?{query}")
    assert wrote(f"d4\n\n· {target}\n") == ["d4", "·"]


def test_rulers_are_no_words() -> None:
    """A line of dashes above a quotation, or at the end, was not written to be read."""
    assert wrote(f"d4\n----------\n{NOTICE}") == ["d4"]
    assert wrote("d4\n---\nSent from my iPhone") == ["d4"]


def test_characters_of_html_in_plain_text_are_resolved() -> None:
    """Programs that make text of HTML badly leave entities behind."""
    quoted = "\n".join(f"&gt; {line}" for line in NOTICE.splitlines())
    assert wrote(f"d4\n\n{quoted}\n") == ["d4"]
    assert wrote("d&nbsp;4 &amp; e5") == ["d 4 & e5"]


def test_a_digit_in_a_box_is_a_digit() -> None:
    """Emoji of digits, and the sign that stands for a picture, do not spoil a move."""
    assert wrote("d4\ufe0f\u20e3") == ["d4"]
    assert wrote("\ufffcd4") == ["d4"]


def test_what_is_enclosed_in_the_text_is_left_out() -> None:
    """Encrypted blocks, keys and files written into the text are no words."""
    assert wrote("d4\n-----BEGIN PGP PUBLIC KEY BLOCK-----\ne5\n-----END PGP PUBLIC KEY BLOCK-----\nhi") == ["d4", "hi"]
    assert wrote("-----BEGIN PGP MESSAGE-----\n\ne5\n-----END PGP MESSAGE-----") == []
    assert wrote("d4\nbegin 644 a.txt\n#9#4*\n`\nend\nhi") == ["d4", "hi"]


def test_wide_messages_are_messages() -> None:
    """What a Japanese keyboard writes as wide as a sign counts as it looks; messages that only look alike do not."""
    assert wrote("\u3000ｃ３\nＤ４！") == ["c3", "D4！"]
    assert wrote("с3") == ["с3"]


@each(
    "tail",
    [
        "-- \nAnn Lee\nd5",
        "--\nAnn",
        "________________________________\nFrom: somebody\nd5",
        f"-----Original Message-----\nFrom: pbem <{TAGGED}>\nSent: Friday\nd5",
        f"-----Ursprüngliche Nachricht-----\nVon: pbem <{TAGGED}>\nd5",
        f"From: pbem <{TAGGED}>\nSent: Friday, November 20, 2026 6:30 PM\nTo: Ann\nSubject: [pbem 1] x\n\nd5",
        "From: pbem\nSent: Friday, November 20, 2026 6:30 PM\nTo: Ann\nSubject: [pbem 1] zipline\n\nd5",
        "De : pbem\nEnvoyé : vendredi\nÀ : Ann\nObjet : [pbem 1] zipline\n\nd5",
        f"*Von:* pbem <{TAGGED}>\n*Gesendet:* Freitag\n\nd5",
    ],
)
def test_nothing_below_a_signature_or_an_older_mail_counts(tail: str) -> None:
    """Signatures, and emails that are quoted with their headers, end the message."""
    assert wrote(f"d4\nGood luck\n\n{tail}\n") == ["d4", "Good luck"]


@each(
    "line",
    [
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Gesendet von Mail für Windows",
        "Get Outlook for iOS",
        "Verstuurd vanaf mijn iPhone",
        "Inviato da iPhone",
    ],
)
def test_what_phones_add_is_left_out(line: str) -> None:
    """Above or below the move, what a phone adds was not written."""
    assert wrote(f"d4\n\n{line}\n") == ["d4"]
    assert wrote(f"{line}\n\nd4\n") == ["d4"]


def test_words_that_only_begin_like_that_are_kept() -> None:
    """A sentence of their own is not taken for a phone's."""
    text = ["d4", "Sent you a postcard!", "On Monday I am away", "say: write to games@play.example", "team: a: b"]
    assert wrote("\n".join(text)) == text


def test_a_signed_message_is_read_inside_its_wrapper() -> None:
    """The lines of a PGP signature are not the sender's."""
    begin, end = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n", "\n-----BEGIN PGP SIGNATURE-----\niQ\n"
    assert wrote(f"{begin}d4{end}") == ["d4"]


def test_invisible_characters_do_not_spoil_a_move() -> None:
    """Marks, odd spaces and control characters that cannot be seen are left out."""
    assert wrote("\ufeff\u200ed4\u200b\n") == ["d4"]
    assert wrote("d4\u00a0e5\n\x00\x07\u202ehi\u2069") == ["d4 e5", "hi"]


def test_our_address_with_its_token_is_never_the_writers() -> None:
    """The reply token proves who writes: it goes to nobody else, whatever stands around it."""
    assert wrote(f"d4\nhello {TAGGED} and\nso on") == ["d4", "so on"]


@given(st.text(), st.text())
def test_any_text_has_lines(text: str, sent: str) -> None:
    """Whatever comes, the lines are stripped, printable, and hold no line break."""
    for line in read_reply(text, ADDRESS).lines([quotable_words(sent)]):
        assert line == line.strip()
        assert len(line.splitlines()) <= 1


@given(
    st.lists(st.sampled_from(["d4", "hello there", *NOTICE.splitlines(), "> x", "-- ", *INTRODUCTIONS]), max_size=30)
)
def test_quoting_yields_only_lines_of_the_text(lines: list[str]) -> None:
    """Nothing is made up, and no marked line is kept."""
    for line in wrote("\n".join(lines)):
        assert line in {part.strip() for text in lines for part in text.splitlines()}
        assert not line.startswith(">")


@pytest.mark.parametrize("line", ["team> hold the top", "SAY> hello"])
def test_words_behind_a_sign_of_ours_are_no_quotation(line: str) -> None:
    """Initials before a sign are one; our own words never are."""
    assert wrote(f"d4\n{line}\nBB> a quotation") == ["d4", line]
