"""The days on which automatic replies say that their senders are away."""

import sys
from datetime import date, timedelta
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbound.absence_dates import LONGEST_ABSENCE, absence_in
from pbem.reading.when.days import DateSpan
from tests.support.each import each

TODAY = date(2026, 8, 1)  # a Saturday


@each(
    "text, first, last",
    [
        ("I am out of the office from 3 to 17 August.", "08-03", "08-17"),
        ("I'm out of office until 17 August.", "08-01", "08-17"),
        ("I am away until 17 August 2026 and will reply when I return.", "08-01", "08-17"),
        (
            "Thank you for your email. I am on leave from Monday 3 August to Friday 14 August. Back on Monday 17.8.",
            "08-03",
            "08-14",
        ),
        ("I will be back on 18 August.", "08-01", "08-17"),
        ("I'm on vacation and will be back in the office on Tuesday, August 18, 2026.", "08-01", "08-17"),
        ("I will be out of the office August 3-17 with limited access to email.", "08-03", "08-17"),
        ("I am on holiday between 3 and 17 August.", "08-03", "08-17"),
        ("I won't be back until 18 August.", "08-01", "08-17"),
        ("I am currently out of office, returning on August 18th.", "08-01", "08-17"),
        ("I'm away from 3 August and will return on 18 August.", "08-03", "08-17"),
        ("Out of office: 2026-08-03 to 2026-08-17", "08-03", "08-17"),
        ("Out of Office 03.08.2026 - 17.08.2026", "08-03", "08-17"),
        ("I'm on leave up to and including 17 August. For urgent matters call +49 30 123456.", "08-01", "08-17"),
        ("I'm on leave. I will get back to you after 17 August.", "08-01", "08-17"),
        ("Absent until: 17 Aug 2026", "08-01", "08-17"),
        ("I am on vacation through August 17th.", "08-01", "08-17"),
        ("I am not available until 17.8.", "08-01", "08-17"),
        ("Starting 3 August I am travelling; I am back on 18 August.", "08-03", "08-17"),
        ("Vielen Dank für Ihre Nachricht. Ich bin vom 3. bis 17. August nicht im Büro.", "08-03", "08-17"),
        ("Ich bin vom 03.08. bis einschließlich 17.08.2026 im Urlaub.", "08-03", "08-17"),
        ("Ich bin bis (einschließlich) 17.8. im Urlaub und habe keinen Zugriff auf meine E-Mails.", "08-01", "08-17"),
        ("Ich bin bis zum 17. August abwesend.", "08-01", "08-17"),
        ("Ich bin ab dem 18.8. wieder erreichbar.", "08-01", "08-17"),
        ("Ab dem 18. August 2026 bin ich wieder im Büro.", "08-01", "08-17"),
        ("Ich bin am 18.08. zurück.", "08-01", "08-17"),
        ("Ich bin im Urlaub, zurück am 18.8.", "08-01", "08-17"),
        ("Ich bin ab dem 3. August im Urlaub und am 18. August wieder da.", "08-03", "08-17"),
        (
            "Guten Tag, ich befinde mich vom 3.8.-17.8. im Urlaub. Ab dem 18.8. bin ich gerne wieder für Sie da.",
            "08-03",
            "08-17",
        ),
        ("Urlaub bis 17.08.26", "08-01", "08-17"),
        ("Ich bin zwischen dem 3. und 17. August nicht erreichbar.", "08-03", "08-17"),
        ("Bonjour, je suis absent du bureau du 3 au 17 août.", "08-03", "08-17"),
        ("Je suis en congé jusqu'au 17 août inclus.", "08-01", "08-17"),
        ("Je suis absente jusqu'au lundi 17 août 2026. Je vous répondrai dès mon retour.", "08-01", "08-17"),
        ("Je serai de retour le 18 août.", "08-01", "08-17"),
        ("Actuellement en vacances, je serai de retour au bureau le mardi 18 août.", "08-01", "08-17"),
        ("Je serai en congés du 3 août au 17 août et de retour le 18 août.", "08-03", "08-17"),
        ("Estaré fuera de la oficina del 3 al 17 de agosto.", "08-03", "08-17"),
        ("Estoy de vacaciones hasta el 17 de agosto de 2026.", "08-01", "08-17"),
        ("Estaré de vuelta el 18 de agosto.", "08-01", "08-17"),
        ("Me encuentro ausente desde el 3 de agosto hasta el 17 de agosto.", "08-03", "08-17"),
        ("Me reincorporaré el 18 de agosto.", "08-01", "08-17"),
        ("Sono in ferie dal 3 al 17 agosto.", "08-03", "08-17"),
        ("Sarò assente fino al 17 agosto.", "08-01", "08-17"),
        ("Sarò di ritorno il 18 agosto.", "08-01", "08-17"),
        ("Sono fuori ufficio dall'11 al 17 agosto 2026.", "08-11", "08-17"),
        ("Rientrerò il 18 agosto 2026.", "08-01", "08-17"),
        ("Ik ben afwezig van 3 tot en met 17 augustus.", "08-03", "08-17"),
        ("Ik ben met vakantie t/m 17 augustus.", "08-01", "08-17"),
        ("Ik ben op vakantie van 3 t/m 17 augustus.", "08-03", "08-17"),
        ("Ik ben afwezig tot 17 augustus.", "08-01", "08-17"),
        ("Vanaf 18 augustus ben ik weer bereikbaar.", "08-01", "08-17"),
        ("Ik ben terug op dinsdag 18 augustus.", "08-01", "08-17"),
        ("I am on parental leave from 28 July to 17 August.", "08-01", "08-17"),
        ("I'm out of the office until Monday, 17 August. Our hotline is available 24/7.", "08-01", "08-17"),
        ("OOO 3 Aug - 17 Aug", "08-03", "08-17"),
        ("I'm away until 13/08/2026.", "08-01", "08-13"),
        ("I am away from 3/8 to 17/8.", "08-03", "08-17"),
        ("Ich bin bis\nzum 17. August im Urlaub.", "08-01", "08-17"),
        ("I will be out of the office starting 03.08.2026 and will not return until 18.08.2026.", "08-03", "08-17"),
        ("Ich werde ab 03.08.2026 nicht im Büro sein. Ich kehre zurück am 18.08.2026.", "08-03", "08-17"),
        ("Je serai absent(e) à partir du 03/08/2026 et de retour le 18/08/2026.", "08-03", "08-17"),
        ("Abwesend bis 17.8.\n\nIch bin bis Montag, 17. August 2026, im Urlaub.", "08-01", "08-17"),
        ("Ich bin bis 17. August im Urlaub.\n\nI am on vacation until Monday, August 17.", "08-01", "08-17"),
    ],
)
def test_an_absence_is_read_in_six_languages(text: str, first: str, last: str) -> None:
    """From today on; who comes back on a day is away until the day before."""
    assert absence_in(text, TODAY) == DateSpan(date.fromisoformat(f"2026-{first}"), date.fromisoformat(f"2026-{last}"))


@each(
    "text",
    [
        "",
        "I am on vacation from December",
        "I am away until 03/08.",
        "I am out of office until 03/08/2026.",
        "I am out until 17 or 18 August.",
        "I will be back on 17 August or 18 August.",
        "Ich bin am 17. oder 18. August zurück.",
        "I am away from 3 to 10 August and from 20 to 27 August.",
        "I am on vacation from 3 to 10 August. My colleague is on vacation from 10 to 20 August.",
        "Thank you for your email of 28 July. I am on vacation.",
        "I am on vacation. Our summer party is on 14 August.",
        "Our sale runs from 3 to 17 August.",
        "The offer is valid until 17 August.",
        "We have received your request of 3 August and will answer soon.",
        "I was away from 3 to 17 July.",
        "I was away from 3 to 17 July 2026.",
        "I am on sabbatical from 3 August 2026 to 3 August 2027.",
        "I am away until 17 August 2028.",
        "I am on leave until 1 December.",
        "I am on vacation until 31 September.",
        "I am away until the 17th.",
        "I am away next week.",
        "I am on holiday from 3 August.",
        "I am away until Tuesday 17 August.",
        "I am away until 17 August and until 20 August.",
        "I am away from 17 to 3 August.",
        "I am out of the office in August.",
        "I will be back on 1 August.",
        "Back soon!",
        "Office closed 24-12 and 31-12.",
        "I left the company on 1 August. Please write to Bob, who is back on 18 August.",
        "I am on vacation from 3 to 10 August, back on 18 August.",
        "Please contact us before 17 August. I am away.",
        "Je suis absent le 14 ou le 17 août.",
        "Sono in ferie dal 3 al 10 agosto o dal 17 al 20 agosto.",
        "I am away. Best regards, Bob. On 17 July 2026 you wrote:",
        "I'm away until Aug 3, back Aug 18.",
        "Ich bin vom 3. bis 10. August und vom 20. bis 24. August im Urlaub.",
    ],
)
def test_what_may_mean_something_else_is_not_understood(text: str) -> None:
    """No days, other dates, two spans, an "or", a day or a month first, a span that is over or far too long."""
    assert absence_in(text, TODAY) is None


def test_an_absence_over_new_year_is_read() -> None:
    """The year is that of the next such day."""
    found = absence_in("Ich bin vom 23.12. bis 6.1. im Urlaub.", date(2026, 12, 27))
    assert found == DateSpan(date(2026, 12, 27), date(2027, 1, 6))


def test_an_old_text_that_was_left_switched_on_is_not_believed() -> None:
    """Without a year its days would be those of the next one."""
    assert absence_in("I am away from 3 to 17 August.", date(2026, 8, 17)) == DateSpan(*2 * [date(2026, 8, 17)])
    assert absence_in("I am away from 3 to 17 August.", date(2026, 8, 18)) is None


def test_only_the_beginning_of_a_long_text_is_looked_at() -> None:
    """The work for one email has a limit."""
    assert absence_in("word " * 1000 + "I am away until 17 August.", TODAY) is None


def calls_for(text: str) -> int:
    """Return how many functions are called to read ``text``."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        absence_in(text, TODAY)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    "piece", ["17 august ", "1.1. ", "3-", "the ", "mon ", "back to ", "until 17 ", "between 3 and ", "t/m ", "' "]
)
def test_the_work_grows_no_faster_than_the_text(piece: str) -> None:
    """Four times the text is about four times the work: far from sixteen."""
    short, long = (calls_for(("away " + piece * length)[:length]) for length in (1000, 4000))
    assert long <= 5 * short


WORDS = (
    "I am away absent out of office from until back on in the and or 3 17 18 31 August Aug. may mar 3.8. 17.08.2026 3/8"
    " 2026-08-17 - to between bis zum wieder ab du au jusqu'au \n\n . , ( ) t/m 24/7 monday so"
)


@given(
    st.lists(st.one_of(st.sampled_from(WORDS.split(" ")), st.text(max_size=5)), max_size=40).map(" ".join),
    st.dates(date(2020, 1, 1), date(9999, 12, 31)),
)
def test_no_text_breaks_the_reader(text: str, today: date) -> None:
    """It answers with at most a hundred days from today on, or with none."""
    found = absence_in(text, today)
    assert found is None or (today <= found.first <= found.last and found.days <= LONGEST_ABSENCE)


@given(st.text(max_size=5000))
def test_no_long_text_breaks_the_reader(text: str) -> None:
    """Whatever its characters are."""
    assert absence_in(text, TODAY) is None


@given(st.dates(TODAY, TODAY + timedelta(days=60)), st.integers(1, 99))
def test_until_a_day_and_back_on_the_next_mean_the_same(first: date, days: int) -> None:
    """Both are ways of saying the last day."""
    last = first + timedelta(days=days)
    until = absence_in(f"I am away from {first:%d %B %Y} until {last:%d %B %Y}.", TODAY)
    back = absence_in(f"Away from {first:%d %B %Y}, back on {last + timedelta(days=1):%d %B %Y}.", TODAY)
    assert until == back == DateSpan(first, last)
