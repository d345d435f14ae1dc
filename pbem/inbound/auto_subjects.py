"""Knows the subjects that nobody wrote: of automatic answers, of mail that came back, and of receipts.

All are in the languages of the players. A person's reply begins with "Re:" or its like, or with our own subject, and
none of these does.
"""

import re
import unicodedata

# What stands before the subject, or instead of it, when nobody is there, in the languages of the players: some of
# these emails are known by nothing else. A reply begins with "Re:" or its like instead, and none of these is that.
_AWAY = """
    auto reply | auto-reply | autoreply | auto response | auto-response | autoresponse | automatic reply
    automatic response | automated reply | automated response | out of office | out of the office
    out-of-office | away from the office | away from my office | away from my mail | away from my desk
    report domain: | complaint about message from | autoresponder | yahoo! auto response
    vacation reply | vacation response | vacation notice | vacation message
    on vacation: | i am out of the office | away until | out until
    automatische antwort | autoantwort | auto-antwort | abwesenheitsnotiz | abwesenheitsbenachrichtigung
    abwesenheitsmeldung | abwesenheitsassistent | abwesend: | abwesend bis | abwesend vom | nicht im büro
    réponse automatique | absence du bureau | absent du bureau | absente du bureau | message d'absence
    absent jusqu'au | absente jusqu'au | ausente hasta | ausente até | assente fino al | afwezig tot | frånvarande till
    respuesta automática | fuera de la oficina | fuera de oficina
    resposta automática | fora do escritório | estou fora do escritório | ausência temporária
    resposta automàtica | fora de l'oficina
    risposta automatica | fuori sede | fuori ufficio
    automatisch antwoord | automatische beantwoording | afwezig: | afwezigheidsbericht | niet aanwezig:
    automatiskt svar | autosvar | frånvaromeddelande | frånvarande: | ej på kontoret
    automatisk svar | fraværsbesked | ikke til stede: | fraværsmelding | fraværende: | ikke på kontoret
    automaattinen vastaus | poissaoloviesti | poissaoloilmoitus | poissa: | sjálfvirkt svar
    autoodpowiedź | automatyczna odpowiedź | odpowiedź automatyczna | nieobecność w biurze | poza biurem
    automatická odpověď | mimo kancelář | automatická odpoveď | mimo kancelárie
    automatikus válasz | házon kívül | irodán kívül | răspuns automat | absent de la birou
    автоматический ответ | автоответ | отсутствие на рабочем месте | нет на рабочем месте | вне офиса
    автоматична відповідь | автовідповідь | поза офісом | автоматичен отговор | извън офиса
    automatski odgovor | аутоматски одговор | izvan ureda | van kancelarije | samodejni odgovor | zunaj pisarne
    automaatvastus | automaatne vastus | kontorist väljas | automātiska atbilde | automātiskā atbilde | ārpus biroja
    automatinis atsakymas | automatinis atsakas | ne biure:
    αυτόματη απάντηση | εκτός γραφείου | otomatik yanıt | otomatik cevap | ofis dışında
    پاسخ خودکار | स्वचालित उत्तर | स्वतः उत्तर | erantzun automatikoa
    رد تلقائي | الرد التلقائي | خارج المكتب | תשובה אוטומטית | מענה אוטומטי | מחוץ למשרד
    trả lời tự động | thư trả lời tự động | vắng mặt: | balasan otomatis | balasan automatik | di luar kantor
    自動応答 | 自動返信 | 不在通知 | 不在: | 自动回复 | 自动答复 | 自動回覆 | 自動答覆 | 不在办公室
    자동 회신 | 자동 응답 | 부재 중: | 부재중: | 부재중 자동
    ตอบกลับอัตโนมัติ | การตอบกลับอัตโนมัติ
"""
# Of these words people make subjects too; but nobody sets them before ours, as an automatic answer does.
_ABSENT = """
    away | ooo | oof | out | i'm away | i am away | away from office | vacation | on vacation | i'm on vacation
    i am on vacation | holiday | on holiday | on holidays | annual leave | on annual leave | on leave | sick leave
    maternity leave | parental leave | travelling | traveling | return receipt | return receipt (displayed)
    abwesenheit | urlaub | im urlaub | ich bin im urlaub | ausser haus | ferien | elternzeit
    absence | absent | absente | en congé | en congés | congés | en vacances | vacances | je suis absent
    ausencia | ausente | vacaciones | de vacaciones | ausente de la oficina
    férias | de férias | em férias | ausência | ausente do escritório | ferie | in ferie | assente | assenza
    afwezig | afwezigheid | vakantie | op vakantie | met vakantie | met verlof
    frånvaro | frånvarande | semester | på semester | fraværende | fravær | på ferie | poissa | lomalla | loma
    poissa toimistolta | fjarverandi | í orlofi | í fríi
    nieobecność | urlop | na urlopie | dovolená | na dovolené | na dovolenke | szabadság | szabadságon | concediu
    în concediu | plecat din birou | godišnji odmor | na godišnjem | dopust | na dopustu | puhkusel | atvaļinājumā
    atostogose | отпуск | в отпуске | нет на месте | отсутствие | відпустка | у відпустці | отпуска | в отпуск | одмор
    σε άδεια | διακοπές | απουσία | izin | izindeyim | izinliyim | tatilde | tatildeyim
    إجازة | في إجازة | חופשה | בחופשה | مرخصی | छुट्टी | दफ़्तर से बाहर | कार्यालय से बाहर
    休暇 | 休暇中 | 外出 | 外出中 | 出張 | 出張中 | 不在 | 休假 | 休假中 | 出差 | 出差中
    휴가 | 휴가 중 | 출장 중 | 부재 중
    ไม่อยู่ที่สำนักงาน | ลาพักร้อน | nghỉ phép | đi vắng | cuti | sedang cuti
"""
# And of these, all by themselves.
_RECEIVED = """
    thank you for your email | thank you for your e-mail | thank you for your message | thank you for contacting us
    thank you for your inquiry | thank you for your enquiry | thanks for contacting us | we have received your request
    we have received your message | we have received your email | we received your message | your request was received
    your request has been received | i'm on vacation | i am on vacation | i am on annual leave | on annual leave
    maternity leave | vielen dank für ihre nachricht | vielen dank für ihre e-mail | vielen dank für ihre mail
    vielen dank für ihre anfrage | danke für ihre nachricht | ich bin im urlaub | ihre anfrage ist eingegangen
    merci pour votre message | merci de votre message | merci pour votre courriel | je suis absent | je suis en congés
    je suis en vacances | gracias por su mensaje | gracias por su correo | gracias por contactarnos
    estoy de vacaciones | obrigado pela sua mensagem | obrigado pelo seu contato | obrigado pelo seu contacto
    estou de férias | grazie per il tuo messaggio | grazie per averci contattato | grazie per il suo messaggio
    sono in ferie | bedankt voor uw bericht | bedankt voor uw e-mail | ik ben op vakantie | tack för ditt meddelande
    tack för ditt mejl | jag är på semester | tak for din henvendelse | takk for din henvendelse | jeg er på ferie
    kiitos viestistäsi | kiitos yhteydenotostasi | olen lomalla | dziękujemy za wiadomość | dziękuję za wiadomość
    jestem na urlopie | děkujeme za váš e-mail | jsem na dovolené | köszönjük megkeresését | szabadságon vagyok
    спасибо за ваше письмо | спасибо за обращение | ваше обращение принято | я в отпуске
    return receipt
    お問い合わせありがとうございます | 문의해 주셔서 감사합니다 | 感谢您的来信 | 感謝您的來信
"""
# What servers write there when an email cannot be delivered, or not yet.
_RETURNED = """
    undeliverable | undelivered | returned mail | returned to sender | failure notice | delivery status notification
    delivery failure | delivery failed | delivery has failed | delivery notification: | delivery delayed
    delivery report | mail delivery failed | mail delivery failure | mail delivery problem | mail system error
    mail could not be delivered | message delivery failed | message delivery failure | message undeliverable
    message not delivered | message delivery delayed | delayed mail | non-delivery | nondeliverable
    warning: could not send message | rejected mail
    unzustellbar | unzustellbare nachricht | nicht zustellbar | zustellung fehlgeschlagen | zustellung verzögert
    fehler bei der zustellung | mail konnte nicht zugestellt werden
    non remis | non distribuable | échec de la remise | échec de remise | notification d'échec | message non distribué
    courrier non distribué | remise différée | remise retardée
    no se puede entregar | mensaje no entregado | correo devuelto | error de entrega | entrega retrasada
    não é possível entregar | não entregue | não pode ser entregue | mensagem não entregue | falha na entrega
    entrega atrasada | no es pot lliurar | no lliurat
    non recapitabile | mancato recapito | messaggio non recapitato | recapito ritardato | consegna non riuscita
    onbestelbaar | niet bezorgd | bezorging mislukt | aflevering mislukt | bezorging vertraagd
    kan inte levereras | olevererbart | ej levererat | det går inte att leverera | leverans fördröjd
    kan ikke leveres | ikke leveret | ikke levert | kunne ikke leveres | levering mislykkedes
    ei toimitettavissa | toimitus epäonnistui | perille toimittamaton | toimittaminen epäonnistui
    niedostarczalne | nie można dostarczyć | nie dostarczono | niedostarczona wiadomość
    nedoručitelné | nedoručeno | nelze doručit | nedoručiteľné | nedoručené
    kézbesíthetetlen | a kézbesítés sikertelen | sikertelen kézbesítés | nelivrabil | imposibil de livrat | nelivrat
    недоставлено | недоставленное сообщение | не удается доставить | не доставлено | сообщение не доставлено
    не вдалося доставити | неможливо доставити | не може да бъде доставено
    neisporučivo | nije isporučeno | nije moguće isporučiti | nedostavljivo | ni mogoče dostaviti
    kohaletoimetamatu | ei saa edastada | nav piegādājams | nepiegādājams | nevar piegādāt | nepristatyta
    nepavyko pristatyti | δεν παραδόθηκε | μη παραδόσιμο | αποτυχία παράδοσης
    teslim edilemedi | teslim edilemez | iletilemedi | غير قابل للتسليم | تعذر التسليم | לא ניתן למסירה | לא ניתן למסור
    không thể gửi | không gửi được | tidak terkirim | tidak dapat dikirim
    配信不能 | 配信できません | メール配信エラー | 无法送达 | 无法传递 | 未送达 | 退信 | 系统退信 | 無法傳遞 | 無法送達
    배달되지 않음 | 배달할 수 없음 | 전송 실패 | ไม่สามารถส่ง
"""
# Receipts for having read an email of ours: one short word, so that the subject must go on with ours.
_READ = """
    read | not read | delivered | relayed | expanded | displayed | gelesen | ungelesen | zugestellt | remis | entregado
    entregue | consegnato | lu | non lu | leído | lida | llegit | letto | gelezen | läst | læst | lest
    luettu | przeczytane | přečteno | prečítané | olvasva | citit | прочитано | прочетено | pročitano | prebrano
    loetud | izlasīts | perskaityta | διαβάστηκε | okundu | مقروءة | נקרא | đã đọc | 開封済み | 已读 | 已讀 | 읽음
"""
# What gateways put before a subject; our own mark is not one of them.
_MARKS = r"(?:(?:\[(?!pbem)[^\[\]]{1,30}\]|ext(?:ern(?:al|e)?)?\s?:|spam\s?:|\*{2,6}[^*]{1,20}\*{2,6})\s?){0,3}"


def is_away(subject: str) -> bool:
    """Return whether ``subject`` is one of an automatic answer: nobody is there, or a desk says that it got the email."""
    folded = _folded(subject)
    patterns = (_AWAY_SUBJECT, _ABSENT_SUBJECT, _RECEIVED_SUBJECT, _NAMED_SUBJECT)
    return any(pattern.match(folded) for pattern in patterns) or _AWAY_BEHIND.search(folded) is not None


def is_returned(subject: str) -> bool:
    """Return whether a server writes ``subject`` when an email cannot be delivered, or not yet."""
    return _RETURNED_SUBJECT.match(_folded(subject)) is not None


def is_receipt(subject: str) -> bool:
    """Return whether ``subject`` says that an email of ours was read, or has arrived."""
    return _READ_SUBJECT.match(_folded(subject)) is not None


def _folded(text: str) -> str:
    """Return ``text`` in one form, whatever its letter case, accents and spaces: people's programs differ in them."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(char for char in plain if unicodedata.category(char) not in ("Mn", "Cf"))
    return " ".join(plain.translate(_ALONE).split())


# Messages with a stroke or without their dot, which are no accents; and the apostrophes.
_ALONE = str.maketrans("łøđı’‘´", "lodi'''")


def _subjects(phrases: str, ending: str = "") -> re.Pattern[str]:
    """Return what finds one of ``phrases`` at the beginning of a folded subject, behind marks such as [EXTERNAL].

    A phrase is a word of its own, unless its language sets no spaces; one that ends in a colon needs it, or no
    more text.
    """
    found = []
    for listed in re.split(r"[|\n]", phrases):
        if words := _folded(listed):
            phrase = re.escape(words.rstrip(":")).replace(r"\ ", " ?" if words[0] >= _SPACELESS else " ")
            bound = r"(?=\s?[:\-–—]|$)" if words.endswith(":") else "" if words[-1] >= _SPACELESS else r"(?!\w)"
            found.append(phrase + bound)
    return re.compile(rf"{_MARKS}\W{{0,3}}(?:{'|'.join(found)}){ending}")


_SPACELESS = "\u0e00"  # Thai, and all that comes behind it: the scripts of the Far East
_AWAY_SUBJECT, _RETURNED_SUBJECT = _subjects(_AWAY), _subjects(_RETURNED)
# Lotus Notes says first who is away; a colon before that would be that of a reply.
_NAMED_SUBJECT = re.compile(
    r"auto ?:|[^:]{1,60} (is out of the office|ist ausser haus|ist nicht im buro|est absent(\(?e\)?)? du bureau|"
    r"esta fuera de la oficina|esta fora do escritorio|e fuori (sede|ufficio)|is niet op kantoor)(?!\w)"
)
_READ_SUBJECT = _subjects(_READ, r"\s?:\s?(?:\w{1,5}\s?:\s?)?\[pbem")
_ABSENT_SUBJECT = _subjects(_ABSENT, r"[\s:;,.!()–—-]{0,5}(?:was\s?:\s?)?(?:\w{1,5}\s?:\s?){0,2}\[pbem")
_RECEIVED_SUBJECT = _subjects(_RECEIVED, r"\W{0,5}(?:$|(?:\w{1,5}\s?:\s?){0,2}\[pbem)")
_AWAY_BEHIND = re.compile(
    r"[(\[–-] ?(?:\w{1,20} )?(?:out of (?:the )?office|auto(?:mat(?:ic|ed))?[ -]?(?:reply|response))[)\]]?$"
)
