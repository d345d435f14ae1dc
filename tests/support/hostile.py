"""Emails that are made to cost time: each is read, or refused, at once."""


def nested(depth: int) -> bytes:
    """Return an email of so many parts, each within another."""
    return b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))


HOSTILE = {
    "boundaries and lines": b"From: a@b.example\nContent-Type: multipart/mixed; boundary=b0\n\n"
    + b"".join(b"--b%d\nContent-Type: multipart/mixed; boundary=b%d\n\n" % (n, n + 1) for n in range(90))
    + b"x\n" * 500_000,
    "blocks of a report": b"From: a@b.example\nContent-Type: multipart/report; boundary=b\n\n--b\n"
    b"Content-Type: message/delivery-status\n\n" + b"Action: failed\n\n" * 90_000,
    "semicolons": b'From: a@b.example\nContent-Type: text/plain; charset="' + b";" * 100_000 + b"\n\nd4\n",
    "empty lines": b"From: a@b.example\n\n" + b"\n" * 5_000_000,
    "header lines": b"From: a@b.example\n" + b"X: y\n" * 500_000 + b"\nd4\n",
    "a long number": b"From: a@b.example\nContent-Type: text/html\n\n<p>d4</p>&#" + b"9" * 5000 + b";\n",
    "nested": nested(1000),
    "attached in attached": b"Content-Type: message/rfc822\n\n" * 3000,
    "parts": b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 20_000,
    "parts with CR": b"Content-Type: multipart/mixed; boundary=b\r\r" + b"--b\r\rx\r" * 20_000,
    "parts below the limit": b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 1900,
    "headers": b"".join(b"X-%d: y\n" % n for n in range(50_000)),
    "references": b"References: " + b"<a@b> " * 50_000,
    "references that do not end": b"References: " + b"<" * 100_000,
    "encoded words": b"Subject: " + b"=?utf-8?q?a?= " * 30_000,
    "parameters": b"Content-Type: text/plain; " + b"".join(b"a*%d=b; " % n for n in range(20_000)),
    "comments": b"To: " + b"(" * 20_000,
    "quotation marks": b"To: " + b'"\\' * 20_000,
    "NUL": b"Subject: \0\0\0",
    "NULs": b"\0" * 100_000,
    "punycode": b"Content-Type: text/plain; charset=punycode\n\n\xff" + b"a9" * 1_000_000,
    "lines": b"\n" + b"a\n" * 100_000,
    "quoted lines": b"\n" + b"x" * 90_000 + b"\n" + b">\n" * 50_000,
    "a line": b"\n" + b"d4 " * 100_000,
    "base64": b"Content-Transfer-Encoding: base64\n\n" + b"=A" * 100_000,
}
