"""An address is found however it is written, in whatever bytes, and nothing makes the search fail or slow."""

from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.address_traces import AddressTraces
from pbem.mail.headers import normal_address
from tests.support.each import each

GREEK = "ann@\u03c0\u03b1\u03c1\u03ac\u03b4\u03b5\u03b9\u03b3\u03bc\u03b1.example"


@each(
    "address, written",
    [
        ("ann@a.example", '"ann"@a.example'),
        ("ann@a.example", '"Ann+w"@a.example'),
        ("ann@a.example", "ann\uff20a.example"),
        ("ann@a.example", "\uff41\uff4e\uff4e@a.example"),
        ("ann@a.example", "ann+x@a.example"),
        ('"a b"@a.example', '"A b+w"@a.example'),
        ("ann@müller.example", "ann@müller.example"),
        ("ann@müller.example", "ANN@MÜLLER.example"),
        ("ann@müller.example", "ann@mu\u0308ller.example"),
        ("ann@müller.example", "ann@xn--mller-kva.example"),
        ("ann@müller.example", "ann%40m%C3%BCller.example"),
        (GREEK, GREEK.upper()),
    ],
)
def test_every_form_of_an_address_is_struck(address: str, written: str) -> None:
    """In its own letters or in ASCII, in quotation marks, wide, in capitals, and in any encoding of an email."""
    traces = AddressTraces([normal_address(address)])
    assert traces.strike(f"ask {written}, or me") == "ask …, or me"
    assert traces.are_in(f"<p>ask {written}</p>".encode())


@each("written, charset", [("ann@müller.example", "latin-1"), ("ann@müller.example", "utf-16-le")])
def test_an_address_in_another_charset_is_found(written: str, charset: str) -> None:
    """As far as it is one of those that emails without a word about it have."""
    assert AddressTraces([normal_address(written)]).are_in(written.encode(charset))


@each("written", ["\u00aann@a.example", "ann@\u00aa.example", "\u24d0nn@a.example", "a\U0001d427n@a.example"])
def test_an_address_in_letters_that_only_look_like_its_own_is_found(written: str) -> None:
    """Also in bytes that are no UTF-8, and among signs that stand in most emails."""
    traces = AddressTraces(["ann@a.example"])
    assert traces.are_in(f"“… {written}”".encode())
    latin = f"=A0 {written} \xe9".encode("latin-1", "replace")
    assert traces.are_in(latin) == (b"?" not in latin)


@each(
    "written",
    ["ann&#64;a.example", "ann&#x40;a.example", f"&#{'0' * 9000}97;nn@a.example", "a&#110;n@a&period;example"],
)
def test_an_address_in_html_is_found(written: str) -> None:
    """With as many zeros as anybody likes."""
    assert AddressTraces(["ann@a.example"]).are_in(f"{written} ann a".encode())


@each("digits", ["1" * 5000, "0" * 5000, f"x{'f' * 5000}", "9" * 7, "x110000", "xd800"])
def test_no_character_of_many_digits_stops_the_search(digits: str) -> None:
    """What is no character stays as it is, and the rest is searched."""
    traces = AddressTraces(["ann@a.example"])
    assert not traces.are_in(f"ann a.example &#{digits};".encode())
    assert traces.are_in(f"&#{digits}; ann&#64;a.example".encode())


@each("part", ["ann+!", "ann____ ", "ann" + " " * 30, "&#", "&#0", "<", '"ann', "=?a?q?", "ann+ann@"])
def test_no_text_makes_the_search_slow(part: str) -> None:
    """Ninety kilobytes of what an address begins with."""
    traces = AddressTraces(["ann@a.example"])
    text = "a.example ann " + part * (90_000 // len(part))
    before = process_time()
    traces.are_in(text.encode())
    traces.are_in_words(text.encode())
    assert process_time() - before < 1


@given(st.binary(max_size=80), st.sampled_from([b"&#", b"=?utf-8?b?", b"base64\n", b"=\xff", b"\xff\xfe"]))
def test_no_bytes_stop_the_search(noise: bytes, begin: bytes) -> None:
    """Whatever stands before an address, between line ends, it is found."""
    assert AddressTraces(["ann@a.example"]).are_in(begin + noise + b"\n\n ann@a.example ")
