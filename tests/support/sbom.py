"""Write what a service installs as a bill of materials (CycloneDX 1.6): ``python -m tests.support.sbom``.

Names, versions and hashes are those of ``deploy/requirements.txt``; licences and who needs what are told by the
packages installed here, those for other systems excepted. The same commit has the same bill.
"""

import json
import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pbem.version import of_tree

ROOT = Path(__file__).resolve().parents[2]
_PIN = re.compile(r"^([a-z0-9.-]+)==([^ ]+)[^\\\n]*((?:\\\n +--hash=sha256:[0-9a-f]{64} *)+)", re.MULTILINE)


def bill() -> dict[str, Any]:
    """Return the bill of this commit's service."""
    text = (ROOT / "deploy" / "requirements.txt").read_text("utf-8")
    version = of_tree(str(ROOT))
    refs = {name: f"pkg:pypi/{name}@{pinned}" for name, pinned, _ in _PIN.findall(text)}
    root = {"type": "application", "name": "pbem", "version": version, "bom-ref": f"pkg:pypi/pbem@{version}"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": root | _describe("pbem")},
        "components": [
            {"type": "library", "name": name, "version": pinned, "purl": refs[name], "bom-ref": refs[name]}
            | {"externalReferences": [_files(refs[name], re.findall("[0-9a-f]{64}", hashes))]}
            | _describe(name)
            for name, pinned, hashes in _PIN.findall(text)
        ],
        "dependencies": [
            {"ref": ref, "dependsOn": sorted({refs[one] for one in _needs(name) if one in refs})}
            for name, ref in {"pbem": root["bom-ref"], **refs}.items()
        ],
    }


def _files(purl: str, hashes: list[str]) -> dict[str, Any]:
    """Return what is known of the files that any registry has of a package."""
    return {"type": "distribution", "url": purl, "hashes": [{"alg": "SHA-256", "content": one} for one in hashes]}


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None  # for another system


def _describe(name: str) -> dict[str, Any]:
    """Return a package's licence, where it says so."""
    if (found := _installed(name)) is None:
        return {}
    metadata = found.metadata
    if "License-Expression" in metadata:
        return {"licenses": [{"expression": metadata["License-Expression"]}]}
    named = [one.rpartition(" :: ")[2] for one in metadata.get_all("Classifier", []) if one.startswith("License ::")]
    return {"licenses": [{"license": {"name": one}} for one in named or [metadata["License"]]]}


def _needs(name: str) -> set[str]:
    found = _installed(name)
    required = map(Requirement, found.requires or [] if found else [])
    return {canonicalize_name(one.name) for one in required if one.marker is None or one.marker.evaluate({"extra": ""})}


def main() -> None:
    """Write the bill of this commit into ``dist``."""
    made = bill()
    file = ROOT / "dist" / f"pbem-{made['metadata']['component']['version']}.cdx.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(made, indent=1) + "\n", "utf-8")
    print(f"Wrote {file.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
