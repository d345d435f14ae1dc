"""What our own mail server found out about a sender decides; what others found does not."""

from pbem.inbound.authentic import authserv_ids, judge_sender
from pbem.mail.message import parse
from tests.support.each import each

ANN = "From: ann@a.example"
OURS = "mx.play.example"


def judged(*fields: str, sender: str = ANN) -> str:
    """Return the verdict on a message with these Authentication-Results."""
    head = "\n".join(f"Authentication-Results: {field}" for field in fields)
    return judge_sender(parse(f"{sender}\n{head}\n\nd4\n".encode()), OURS)


@each(
    "header, found",
    [
        ("mx.play.example; spf=pass; dmarc=fail (p=reject) header.from=a.example", True),
        ("MX.play.example 1;\n dkim=none; DMARC = Fail", True),
        ("mx.play.example; dmarc=pass", False),
        ("mx.play.example; dkim=fail; spf=fail", False),
        ("mx.a.example; dmarc=fail", False),
        ("mx.a.example; x=mx.play.example; dmarc=fail", False),
        ("mx.play.example (a comment; dmarc=pass); dmarc=fail", True),
        ("mx.play.example (a comment; dmarc=fail); dmarc=pass", False),
        ('(one (in (an)other) \\) " here) mx.play.example 1 (v); dmarc(x)/(y)1(z)=(a;b)fail(c)', True),
        ("mx.play.example; dmarc/1=fail", True),
        ("mx.play.example; dmarc / 1 = fail;", True),
        ("mx.play.example; dmarc (v1) = fail", True),
        ("mx.play.example;; dkim=pass;\n\tdmarc=FAIL\n header.from=a.example", True),
        ('"mx.play.example"; dmarc=fail', True),
        ('mx.play.example; dkim=fail reason="bad; dmarc=fail"; dmarc=pass', False),
        ('mx.play.example; dkim=fail reason="bad \\"; x"; dmarc=fail', True),
        ('mx.play.example; dmarc=pass reason="; dmarc=fail', True),
        ("mx.play.example; smtp.mailfrom=a(b@a.example; dmarc=fail (p=none)", True),
        ("mx.play.example; smtp.mailfrom==?utf-8?q?=28?=@a.example; dmarc=fail (p=none)", True),
        ("mx.play.example; xdmarc=fail; dmarc=failure; dmarc=none; dmarc.x=fail; arc=fail", False),
        ("mx.play.example.evil.example; dmarc=fail", False),
        ("mx.play.example/1; dmarc=fail", False),
        ("dmarc=fail", False),
        ("", False),
        ("(" * 30_000, False),
        ('mx.play.example; "' + '\\"' * 15_000, False),
    ],
)
def test_only_our_own_server_is_believed_that_a_sender_is_forged(header: str, found: bool) -> None:
    """A failure of DMARC counts where our mail server has found it, and nowhere without its name."""
    message = parse(f"{ANN}\nAuthentication-Results: {header}\n\nd4\n".encode())
    assert (judge_sender(message, "mx.play.example") == "forged") is found
    assert judge_sender(message, "") == "unknown"


def test_our_own_finding_counts_among_those_of_others() -> None:
    """A forger may put findings of their own above and below ours, ours among them."""
    fields = ["mx.a.example; dmarc=pass", "mx.play.example; dmarc=pass", "Mx.Play.Example; spf=none; dmarc=fail"]
    head = "\n".join(f"AUTHENTICATION-RESULTS: {field}" for field in fields)
    assert judge_sender(parse(f"{ANN}\n{head}\n\nd4\n".encode()), "mx.play.example") == "forged"


@each(
    "header",
    [
        f"{OURS}; dmarc=pass header.from=a.example",
        f"{OURS}; dkim=none; spf=softfail; dmarc=pass (p=none)",
        f"{OURS}; dkim=pass (2048-bit key) header.d=a.example header.s=x header.b=abc",
        f"{OURS}; dkim=pass header.i=@a.example",
        f"{OURS}; dkim=fail header.d=list.example; dkim=pass header.d=a.example; dmarc=none",
        f"{OURS}; dkim=pass header.d=mail.a.example; dmarc=temperror",
        f"{OURS}; spf=pass smtp.mailfrom=bounce@mail.a.example; dmarc=permerror",
        f"{OURS}; spf=pass (ip is allowed) smtp.mailfrom=a.example",
        f"{OURS}; auth=pass (login) smtp.auth=ann@a.example",
    ],
)
def test_an_authentic_sender_is_known_by_dmarc_or_an_aligned_pass(header: str) -> None:
    """By DMARC, else by DKIM or SPF for the same domain, or by a login with that very address."""
    assert judged(header) == "authentic"


@each(
    "header",
    [
        f"{OURS}; dkim=pass header.d=evil.example",
        f"{OURS}; dkim=pass header.d=example",
        f"{OURS}; dkim=pass header.d=evil-a.example",
        f"{OURS}; dkim=pass header.d=a.example.evil.example",
        f"{OURS}; dkim=fail header.d=a.example",
        f"{OURS}; dkim=neutral header.d=a.example; spf=none smtp.mailfrom=a.example",
        f"{OURS}; spf=pass smtp.mailfrom=ann@evil.example",
        f"{OURS}; spf=softfail smtp.mailfrom=ann@a.example",
        f"{OURS}; spf=pass smtp.helo=a.example",
        f"{OURS}; auth=pass smtp.auth=mallory@a.example",
        f"{OURS}; auth=pass",
        f"{OURS}; iprev=pass; arc=pass header.d=a.example",
        f"{OURS}; dmarc=none; dmarc=pass",
        f"{OURS}; dmarc=passed",
        f"{OURS}; dmarc=pass header.from=evil.example",
        f"{OURS}; spf=pass smtp.mailfrom=x smtp.mailfrom=a.example @evil.example",
        f"{OURS}; dmarc=bestguesspass",
        f"{OURS}; none",
        "mx.evil.example; dmarc=pass header.from=a.example",
        "dmarc=pass",
    ],
)
def test_what_proves_another_domain_or_nothing_is_no_proof(header: str) -> None:
    """A pass counts only for the domain in From, and only where our server says so in these words."""
    assert judged(header) == "unknown"


def test_a_domain_that_ends_alike_is_no_domain_above() -> None:
    """Whoever has b.example does not speak for ab.example."""
    assert judged(f"{OURS}; dkim=pass header.d=b.example", sender="From: ann@ab.example") == "unknown"
    assert judged(f"{OURS}; dkim=pass header.d=b.example", sender="From: ann@a.b.example") == "authentic"


def test_a_forged_finding_below_ours_is_no_proof() -> None:
    """The sender's own fields stand below those that our server has put on top."""
    assert judged(f"{OURS}; dmarc=none", f"{OURS}; dmarc=pass") == "unknown"
    assert judged(f"{OURS}; dkim=none; spf=none", f"{OURS}; dkim=pass header.d=a.example") == "unknown"
    assert judged(f"{OURS}; spf=none", f"{OURS}; dkim=pass header.d=a.example") == "authentic"  # ours, in two fields


def test_the_servers_with_findings_are_told_by_name() -> None:
    """The operator learns which name to set."""
    head = "\n".join(
        f"Authentication-Results: {field}" for field in ("MX.a.example (x) 1; spf=pass", "b.example; none")
    )
    assert authserv_ids(parse(f"{ANN}\n{head}\n\nd4\n".encode())) == ["mx.a.example", "b.example"]


def test_a_domain_in_other_letters_is_proved_in_either_form() -> None:
    """Servers write what DNS knows, or what From says; a domain that looks alike is another one."""
    sender = "From: ann@b\u00fccher.example"
    for domain in ("b\u00fccher.example", "xn--bcher-kva.example"):
        assert judged(f"{OURS}; dmarc=pass header.from={domain}", sender=sender) == "authentic"
    assert judged(f"{OURS}; dmarc=pass header.from=bucher.example", sender=sender) == "unknown"


def test_a_quoted_envelope_sender_smuggles_no_finding_in() -> None:
    """Whoever sends chooses what stands before the @, and our server copies it."""
    smuggled = '"; dkim=pass header.d=a.example; x"@evil.example'
    assert judged(f"{OURS}; spf=pass smtp.mailfrom={smuggled}") == "unknown"
