"""The signature of a record: what it survives, and what it does not."""

import re
from base64 import b64decode, b64encode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.match.records import fingerprint, fingerprint_of, record_text
from pbem.match.signature import normal_key, public_key, sign_record, signing_key
from rules.errors import InvalidRecord
from rules.position import Entry
from rules.record import read_record, write_record
from tests.support.club import KEY, SECRET
from tests.support.each import each
from tests.support.matches import AUCTION, pipline

UNSIGNED = record_text(pipline(*AUCTION, Entry(1, "resign"), names=("Ann", "Bób Müller")))
SIGNED = sign_record(UNSIGNED, SECRET)
SIGNED_THEN = """pbem record 1
game: pipline
seats: 2
option size: 5
match: 17
player 1: Ann
key: Zfh/MFUmjybT4fgHFi3FX19VA+7kew4sXogFoEPYevY=
signature: %s

  1  seat 1   a1
"""


def test_the_key_and_the_signature_of_a_host_stay_what_they_were() -> None:
    """Signed records of years ago are still those of this host: the same secret gives the same key and signature."""
    assert public_key(SECRET) == KEY
    assert public_key(f"{SECRET}.") != KEY
    then = "d1KErMDZlbgRsi68TmZpi3Uq2gxBOqETCclcNETxspeMfNzR26f7kdkHpsHQ3xeQ70ZB9hJGCpQewanZz3QfBg=="
    assert signing_key(read_record(SIGNED_THEN % then)) == KEY
    assert sign_record(re.sub("(key|signature): .*\n", "", SIGNED_THEN), SECRET) == SIGNED_THEN % then


def test_nobody_signs_without_a_secret() -> None:
    """The key of an empty secret would be everybody's."""
    with pytest.raises(ValueError, match="without a secret"):
        sign_record(UNSIGNED, "")


def test_a_signed_record_is_the_record_and_two_lines() -> None:
    """Whoever reads records without knowing of signatures reads the same match."""
    signed, unsigned = read_record(SIGNED), read_record(UNSIGNED)
    assert (signed.entries, signed.options) == (unsigned.entries, unsigned.options)
    assert list(signed.notes) == [*unsigned.notes, "key", "signature"]
    assert write_record(signed) == SIGNED
    assert signing_key(signed) == KEY
    assert signing_key(unsigned) is None


@each(
    "changed",
    [
        SIGNED.replace("\n", "\r\n"),
        SIGNED.replace("\n", "\r"),
        "\ufeff" + SIGNED,
        SIGNED.replace("\n", " \t\n "),
        SIGNED.replace("\n", "\n\n"),
        SIGNED.rstrip("\n"),
        SIGNED.replace(": ", ":   "),
    ],
)
def test_a_signature_survives_what_happens_to_texts_on_their_way(changed: str) -> None:
    """Line ends, outer spaces and empty lines may be others: then the record is the same."""
    assert changed != SIGNED
    assert signing_key(read_record(changed.replace(" pbem record", "pbem record", 1))) == KEY


def _changes() -> st.SearchStrategy[str]:
    """Return the signed record with one of its printed characters replaced by another one."""
    places = [place for place, char in enumerate(SIGNED) if not char.isspace()]
    return st.tuples(st.sampled_from(places), st.sampled_from("ab19+/=-.: é\n")).map(
        lambda change: SIGNED[: change[0]] + change[1] + SIGNED[change[0] + 1 :]
    )


@given(changed=_changes())
def test_no_changed_character_goes_unnoticed(changed: str) -> None:
    """Whatever is replaced: the record cannot be read, is unsigned or wrongly signed, or is still the same."""
    try:
        record = read_record(changed)
        key = signing_key(record)
    except InvalidRecord:
        return
    assert key is None or write_record(record) == SIGNED or _differ_in_unused_bits(record.notes["signature"])


def _differ_in_unused_bits(signature: str) -> bool:
    """Return whether a signature is the true one, in another of the ways to write its last bits in Base64."""
    return b64decode(signature) == b64decode(read_record(SIGNED).notes["signature"])


@pytest.mark.parametrize("note", ["key", "signature"])
def test_a_line_of_a_signature_that_was_taken_from_elsewhere_is_noticed(note: str) -> None:
    """Neither the key nor the signature of another host or record fits this one."""
    theirs = read_record(sign_record(UNSIGNED, "the secret of another host"))
    ours = read_record(SIGNED)
    with pytest.raises(InvalidRecord) as refused:
        signing_key(replace(ours, notes={**ours.notes, note: theirs.notes[note]}))
    assert refused.value.code == "signature_wrong"


@each("key", ["", "A", "A" * 43, "=" * 44, f"{'A' * 42}é=", b64encode(bytes(31)).decode()])
def test_a_key_that_cannot_be_read_is_no_key(key: str) -> None:
    """A signature without a readable key is refused, and asks nobody for another one."""
    with pytest.raises(ValueError):  # noqa: PT011 - which kind depends on the library
        normal_key(key)
    ours = read_record(SIGNED)
    with pytest.raises(InvalidRecord) as refused:
        signing_key(replace(ours, notes={**ours.notes, "key": key}))
    assert refused.value.code == "signature_unreadable"


@pytest.mark.parametrize("key", [bytes(32), b"\x01" + bytes(31), b"\xff" * 32])
def test_a_degenerate_key_is_never_the_hosts(key: bytes) -> None:
    """Points of the curve under which a signature fits many texts, or none: at most another host is named."""
    written = b64encode(key).decode()
    notes = {**read_record(UNSIGNED).notes, "key": written, "signature": b64encode(key + bytes(32)).decode()}
    try:
        found = signing_key(replace(read_record(UNSIGNED), notes=notes))
    except InvalidRecord:
        found = None
    assert found in (None, written)


def test_the_check_code_of_a_record_is_that_of_its_match() -> None:
    """A reader of the record finds the code that stands in the emails and in the archive."""
    one = pipline(*AUCTION)
    assert fingerprint_of(read_record(record_text(one))) == fingerprint(one)
    for number in ("", "x", "1" * 19, "1" * 5000, "-1", "١"):
        with pytest.raises(InvalidRecord):
            fingerprint_of(replace(read_record(SIGNED), notes={"match": number}))
