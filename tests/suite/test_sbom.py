"""The bill of materials tells all that a service installs."""

import re

from pbem.version import of_tree
from tests.support.sbom import ROOT, bill


def test_the_bill_names_every_pin_with_its_hashes() -> None:
    """Each line of deploy/requirements.txt is a component with a package URL; whatever runs here tells its licence."""
    made = bill()
    pins = (ROOT / "deploy" / "requirements.txt").read_text("utf-8")
    components = {component["bom-ref"]: component for component in made["components"]}
    assert len(components) == len(re.findall(r"^\S+==", pins, re.MULTILINE))
    hashes = [one["content"] for part in components.values() for one in part["externalReferences"][0]["hashes"]]
    assert len(hashes) == pins.count("--hash=sha256:")
    for ref, component in components.items():
        assert f"\n{component['name']}=={component['version']} " in f"\n{pins}"
        assert ref == component["purl"] == f"pkg:pypi/{component['name']}@{component['version']}"
    assert [one["name"] for one in components.values() if "licenses" not in one] == ["colorama"]  # for Windows


def test_the_bill_says_who_needs_what() -> None:
    """The service is at the top, with its version and licence; whatever is named is reached from there, or Windows'."""
    made = bill()
    service = made["metadata"]["component"]
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.6")
    assert (service["version"], service["licenses"]) == (of_tree(str(ROOT)), [{"expression": "GPL-3.0-or-later"}])
    needs = {one["ref"]: one["dependsOn"] for one in made["dependencies"]}
    reached, waiting = set(), [service["bom-ref"]]
    while waiting:
        reached.add(ref := waiting.pop())
        waiting += set(needs[ref]) - reached
    assert {ref.partition("@")[0] for ref in needs.keys() - reached} == {"pkg:pypi/colorama"}
