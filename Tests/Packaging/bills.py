"""The bills of materials: whether both and the notices name the same, and what other people's validators say of them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from installed import REPOSITORY

JUDGES = REPOSITORY / ".build/judges-of-bills"
PACKAGES = ["spdx-tools==0.8.5", "cyclonedx-python-lib[json-validation]==11.12.0"]


def problems(base: Path, notices: str) -> list[str]:
    """- base: the path of the bills without what they end in."""
    spdx, cyclonedx = (json.loads(Path(f"{base}.{ending}").read_text()) for ending in ("spdx.json", "cdx.json"))
    packages = {package["name"]: package for package in spdx["packages"] if package["name"] != "carryover"}
    components = {component["name"]: component for component in cyclonedx["components"]}
    noted = set(re.findall(r"^(.+)\n  https?://", notices, re.MULTILINE))
    found = []
    for title, names in (("SPDX", packages), ("CycloneDX", components)):
        listed = {f"{name} {known(item)}".strip() for name, item in names.items()}
        if listed != noted:
            found.append(f"{base.name}: the bill in {title} and THIRD-PARTY.txt differ in {sorted(listed ^ noted)}")
    found += [f"{base.name}: the bills differ in the licence of {name}" for name in packages.keys() & components.keys()
              if packages[name]["licenseDeclared"] != components[name]["licenses"][0]["expression"]]
    related = {relation[end] for relation in spdx["relationships"] for end in ("spdxElementId", "relatedSpdxElement")}
    found += [f"{name} has no relation" for name, package in packages.items() if package["SPDXID"] not in related]
    found += [f"{name} is no dependency" for name, item in components.items() if item["bom-ref"] not in cyclonedx["dependencies"][0]["dependsOn"]]
    if len(packages) < 5 or base.name.endswith("-static") and len(packages) < 12:
        found.append(f"{base.name}: the bill names {len(packages)} components only")
    for text in ("Permission is hereby granted", "Runtime Library Exception", *(["GNU LESSER GENERAL PUBLIC LICENSE"] if base.name.endswith("-static") else [])):
        if text not in notices:
            found.append(f"{base.name}: THIRD-PARTY.txt has no “{text}”")
    return found


def known(item: dict) -> str:
    """The version, if one is known."""
    return {None: "", "NOASSERTION": ""}.get(number := item.get("versionInfo", item.get("version")), number)


def validated(dist: Path) -> list[str]:
    """What the validators say. They come from PyPI, into a folder of their own."""
    python = JUDGES / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", JUDGES], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True)
    found = []
    for path in sorted(dist.glob("*.json")):
        said = subprocess.run([python, "-c", SPDX if path.name.endswith(".spdx.json") else CYCLONEDX, path], capture_output=True, text=True)
        if said.returncode or said.stdout.strip() != "valid":
            found.append(f"{path.name} is not valid: {said.stdout}{said.stderr[-2000:]}")
    return found if list(dist.glob("*.json")) else ["there are no bills of materials"]


SPDX = """
import sys
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
print([str(message) for message in validate_full_spdx_document(parse_file(sys.argv[1]))] or "valid")
"""
CYCLONEDX = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
print(JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read()) or "valid")
"""
