"""What programs, phones and gateways add, told from what people write."""

import pytest

from pbem.inbound.boilerplate import begins_disclaimer, begins_forwarded, is_added, is_link, own_subject
from tests.support.each import each


@each(
    "line",
    [
        "Sent from my iPhone",
        "Sent with Proton Mail secure email.",
        "Get Outlook for Android",
        "Von meinem Samsung Galaxy Smartphone gesendet.",
        "Diese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.",
        "Diese E-Mail wurde von Avast Antivirus-Software auf Viren geprüft.",
        "Envoyé depuis mon appareil Galaxy",
        "Télécharger Outlook pour Android",
        "Obtener Outlook para iOS",
        "Enviado do meu iPhone",
        "Inviato da Libero Mail",
        "Verstuurd vanaf mijn iPhone",
        "Skickat från min iPhone",
        "Sendt fra min iPhone",
        "Lähetetty iPhonesta",
        "Wysłane z iPhone'a",
        "Odesláno z iPhonu",
        "Trimis de pe iPhone-ul meu",
        "Отправлено с iPhone",
        "Отправлено из мобильной Почты Mail.ru",
        "Надіслано з iPhone",
        "Στάλθηκε από το iPhone μου",
        "iPhone'umdan gönderildi",
        "发自我的iPhone",
        "iPhoneから送信",
        "나의 iPhone에서 보냄",
        "تم الإرسال من الـ iPhone",
        "נשלח מה-iPhone שלי",
        "Virus-free.www.avast.example",
        "Gửi từ iPhone của tôi",
        "ส่งจาก iPhone ของฉัน",
        "Dikirim dari iPhone saya",
        "Az iPhone-omról küldve",
        "Sicher versendet mit Tuta.",
    ],
)
def test_what_programs_add_is_known(line: str) -> None:
    """In the languages of the players."""
    assert is_added(line)


@each("line", ["c3", "Sent you a postcard", "I sent it from home", "virus", "發", "get c3", ""])
def test_what_people_write_is_not_taken_for_it(line: str) -> None:
    """A line that only resembles it is kept."""
    assert not is_added(line)


def test_links_are_known() -> None:
    """With and without brackets; a move is none."""
    assert is_link("www.avast.example")
    assert is_link("<https://outlook.example/o0ukef>")
    assert not is_link("c3")


@each(
    "text",
    [
        "This e-mail and any attachments are confidential\nand meant for the addressee.",
        "CONFIDENTIALITY NOTICE: do not read this",
        "Diese E-Mail enthält vertrauliche\nInformationen.",
        "Ce message est\nconfidentiel.",
        "Este correo electrónico es\nconfidencial.",
        "Questo messaggio è\nriservato.",
        "Dit bericht is\nvertrouwelijk.",
        "Esta mensagem é\nconfidencial.",
        "Detta e-postmeddelande är\nkonfidentiellt.",
        "Denne e-mail er\nfortrolig.",
        "Tämä viesti on\nluottamuksellinen.",
        "Ta wiadomość jest\npoufna.",
        "Tato zpráva je\ndůvěrná.",
        "Это сообщение\nконфиденциально.",
    ],
)
def test_a_disclaimer_is_known_by_its_beginning(text: str) -> None:
    """Also where its first line alone does not tell."""
    line, _, below = text.partition("\n")
    assert begins_disclaimer(line, below)


@pytest.mark.parametrize("line", ["This move is confidential", "This mail is late, sorry", "The message was fun", "c3"])
def test_words_of_a_player_are_no_disclaimer(line: str) -> None:
    """Nor is what he says about his mail."""
    assert not begins_disclaimer(line, "c3")


@each(
    "line",
    [
        "-----Original Message-----",
        "-----Original-Nachricht-----",
        "-------- Message d'origine --------",
        "---------- Forwarded message ---------",
        "------------------ 原始邮件 ------------------",
        "________________________________",
        "Anfang der weitergeleiteten Nachricht:",
        "Début du message réexpédié :",
    ],
)
def test_the_line_above_another_mail_is_known(line: str) -> None:
    """As the programs of several languages draw it."""
    assert begins_forwarded(line)


@each("line", ["-- c3 --", "---", "c3", "--- my move ---", "----------", "_____"])
def test_a_line_for_show_is_not(line: str) -> None:
    """People draw lines too."""
    assert not begins_forwarded(line)


@each(
    "subject, own",
    [
        ("d4", "d4"),
        ("Re: d4", "d4"),
        ("RE: AW: Re[2]: d4", "d4"),
        ("[EXTERNAL] Antw: d4", "d4"),
        ("回复：d4", "d4"),
        ("Ответ: d4", "d4"),
        ("Re: say: hello", "say: hello"),
        ("Re: team: left", "team: left"),
        ("Re: [pbem 17] zipline – your turn, move 10", ""),
        ("Re: [pbem 17] d4", ""),
        ("Fwd: d4", ""),
        ("AW: WG: d4", ""),
        ("Re:", ""),
        ("", ""),
        ("Re: " * 11 + "d4", "Re: d4"),
    ],
)
def test_the_writers_own_subject(subject: str, own: str) -> None:
    """What programs put before it is left out; a subject of ours, and a forwarded one, is not his."""
    assert own_subject(subject) == own
