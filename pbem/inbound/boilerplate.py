"""Knows the lines that email programs, phones and gateways add to what people write, in the languages of the players."""

import re

_LONGEST = 200

_SENT_FROM = re.compile(
    r"(?:(?:sent|send) (?:from|via|with|using)|envoyé (?:de|depuis|à partir|avec|par)|provenance :|"
    r"gesendet (?:von|mit|über)|von mein\w+|von \w+ gesendet|diese nachricht wurde von|"
    r"enviado (?:desde|do|de|da|a partir|com|con)|enviada? (?:do|da|desde)|inviato (?:da|dal|dalla|con)|"
    r"verstuurd (?:vanaf|vanuit|met|via)|verzonden (?:vanaf|vanuit|met|via)|skickat (?:från|med)|"
    r"sendt (?:fra|med)|hentet fra|lähetetty|wysłan[eoy] (?:z|za)|odesláno|odoslané|küldve|elküldve|"
    r"trimis (?:de|din)|enviat des|saadetud|dikirim dari|gửi từ|ส่งจาก|poslano (?:s|z|iz)|"
    r"изпратено|отправлено (?:с|из|от|через)|надіслано|відправлено|"
    r"στάλθηκε από|secured (?:with|by)|sicher versendet mit|powered by|"
    r"get (?:outlook|bluemail|typeapp)|outlook (?:für|voor|for|per)|"
    r"(?:télécharge[rz]|obtenir|obtener|obter o|ottieni|scarica|hämta|hent|hanki|pobierz(?: aplikację)?|"
    r"download|скачать|загрузить|получить|λήψη του) outlook|yahoo mail|virus-free|virenfrei|sans virus|libre de virus|"
    r"senza virus|(?:diese|this|cet|este|questa|deze) e-?mail (?:wurde von|has been (?:checked|scanned)|a été vérifié|"
    r"fue|è stata (?:controllata|esaminata)|is gecontroleerd)|scanned by|checked by)\b.{0,120}"
    r"|(?:发自|發自|傳送自|从我的|來自我的|获取 ?outlook|تم الإرسال من|أرسلت من|أُرسلت من|נשלח מ).{0,60}",
    re.IGNORECASE,
)
# Languages that say so at the end.
_SENT_FROM_BEHIND = re.compile(
    r"から送信(?:され(?:ました|た))?\W{0,3}$|에서 (?:보냄|전송됨)\W{0,3}$|"
    r"\bküldve\W{0,3}$|gönderildi\W{0,3}$|を入手\W{0,3}$"
)
_LINK_ALONE = re.compile(r"<?(?:https?://|www\.)\S{1,500}>?")

# The first words of what law departments and gateways put below every email, and what it is then about.
_DISCLAIMER = re.compile(
    r"\W{0,5}(?:\w{3,15}(?: \w{3,15})?\s?[:!–—-]{1,2}\s{0,3})?(?:"
    r"(?:this|the) (?:e-?mail|message|communication|transmission|information|contents?|electronic)|"
    r"diese (?:e-?mail|mail|nachricht)|der inhalt dieser|ce (?:message|courriel|courrier|mail)|cet e-?mail|"
    r"est[ea] (?:mensaje|correo|e-?mail|mensagem|comunicación)|el contenido de este|"
    r"quest[oa] (?:messaggio|e-?mail|mail)|il presente messaggio|le informazioni|"
    r"dit (?:bericht|e-?mail\w*)|deze (?:e-?mail|mail)|de informatie|"
    r"de(?:tta|tte|nne) (?:e-?post\w*|e-?mail\w*|meddelande\w*|mail\w*|melding\w*)|tämä (?:viesti|sähköposti)|"
    r"(?:ta|niniejsza) wiadomość|tato zpráva|(?:это|данное|настоящее) (?:сообщение|письмо))\b"
    r"(?=.{0,250}(?:confiden[tcz]|vertraulich|riservat|vertrouwelijk|konfidenti|fortrolig|luottamuks|poufn|důvěrn|"
    r"конфиденциал|privileged|legally|intended (?:solely|only)|addressee|destina[tz]))"
    r"|\W{0,5}(?:confidentiality notice|confidentiality:|disclaimer\b|haftungsausschluss|vertraulichkeitshinweis|"
    r"avis de confidentialité|aviso (?:legal|de confidencialidad)|aviso de confidencialidade|avvertenza)",
    re.IGNORECASE | re.DOTALL,
)
_FORWARDED = re.compile(
    r"-{4,60}\s{0,5}\w(?:.{0,120}\w)?\W{0,5}-{3,60}|_{10,200}|"
    r"\W{0,9}(?:original message|(?:ursprüngliche|original-?) ?nachricht|message d['’]origine|mensaje original|"
    r"mensagem original|messaggio originale|oorspronkelijk bericht|ursprungligt meddelande|oprindelig meddelelse|"
    r"opprinnelig melding|alkuperäinen viesti|oryginalna wiadomość|wiadomość oryginalna|původní zpráva|"
    r"исходное сообщение)\W{0,9}|"
    r"(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)|"
    r"début du message (?:transféré|réexpédié)|inizio messaggio inoltrato|"
    r"inicio del mensaje reenviado|início da mensagem (?:reencaminhada|encaminhada)|"
    r"begin doorgestuurd bericht|vidarebefordrat brev|start på videresendt besked|videresendt melding|"
    r"välitetty viesti alkaa|początek przekazywanej wiadomości|начало переадресованного сообщения|"
    r"転送されたメッセージ|下面是被转发的邮件|전달된 메시지 시작)\s?[:：]",
    re.IGNORECASE,
)
# What stands before the subject of an answer, and what gateways put there.
_BEFORE_SUBJECT = re.compile(
    r"\s{0,9}(?:(?:re|aw|sv|vs|antw|odp|ref|réf|rif|ri|res|ynt|na|bls|atb|vá|απ|σχετ|ответ|отв|на|отг|від|"
    r"回复|答复|回覆|返信|回信|답장|회신|reply|antwort|réponse|svar|r)"
    r"\s?(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})?\s?[:：]"
    r"|\[(?:ext|extern|external|externe|extern(?:al)? e-?mail|spam|suspected spam|outside|sent by external)\]"
    r"|(?:ext|extern|external)\s?:)\s{0,9}",
    re.IGNORECASE,
)
_FORWARDING = re.compile(
    r"\s{0,9}(?:fwd?|wg|tr|rv|enc|doorst|vl|vb|vid|ilt|i̇lt|pd|i|пер|转发|轉寄|転送|전달)\s?[:：]", re.IGNORECASE
)


def is_added(line: str) -> bool:
    """Return whether a phone, an email program or a scanner added ``line``: ``Sent from my iPhone``."""
    if len(line) > _LONGEST:
        return False
    return _SENT_FROM.fullmatch(line) is not None or (not line.isascii() and bool(_SENT_FROM_BEHIND.search(line)))


def is_link(line: str) -> bool:
    """Return whether ``line`` is nothing but a link, as one belongs to an added line."""
    return _LINK_ALONE.fullmatch(line) is not None


def begins_disclaimer(line: str, next_line: str) -> bool:
    """Return whether ``line`` begins what a company puts below all of its emails; ``next_line`` is the one below."""
    return _DISCLAIMER.match(f"{line[:300]} {next_line[:300]}") is not None


def begins_forwarded(line: str) -> bool:
    """Return whether ``line`` says that another email begins: ``-----Original Message-----``."""
    return len(line) <= _LONGEST and _FORWARDED.fullmatch(line) is not None


def own_subject(subject: str) -> str:
    """Return what a sender put into the subject himself, without ``Re:`` and its like; else an empty text."""
    if "pbem" in subject.lower():
        return ""
    for _ in range(10):
        if not (found := _BEFORE_SUBJECT.match(subject)):
            break
        subject = subject[found.end() :]
    return "" if _FORWARDING.match(subject) else subject.strip()
