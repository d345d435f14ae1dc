"""An authority that vouches for servers, made for one run of the tests."""

import subprocess
from pathlib import Path

from tests.e2e.real.place import program

_NEW = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "3650")


class Authority:
    """Signs certificates; ``file`` is what those who trust it need."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.file = directory / "authority.pem"
        self._key = directory / "authority.key"
        _openssl(*_NEW, "-subj", "/CN=An authority", "-keyout", self._key, "-out", self.file)

    def certificate(self, name: str) -> Path:
        """Return a file with the certificate and the key of a server called ``name``, a host or an address."""
        kind = "IP" if name.replace(".", "").isdigit() else "DNS"
        signed, key = self._directory / f"{name}.crt", self._directory / f"{name}.key"
        names = ("-subj", f"/CN={name}", "-addext", f"subjectAltName={kind}:{name}")
        use = ("-addext", "basicConstraints=critical,CA:FALSE")
        _openssl(*_NEW, *names, *use, "-CA", self.file, "-CAkey", self._key, "-keyout", key, "-out", signed)
        both = self._directory / f"{name}.pem"
        both.write_text(key.read_text() + signed.read_text())
        return both


def _openssl(*arguments: str | Path) -> None:
    subprocess.run([program("openssl"), *arguments], check=True, capture_output=True)
