"""What the command is made of: the notices that ship with it, and the bill of materials in SPDX 2.3."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
LICENCE = "Apache-2.0"


def components(version: dict) -> list[dict]:
    """Everything that is linked into a binary or that it links to, with the version that it was built with.
    - version: what the binary says of itself with `version --json`."""
    system = version["target"].split("-")[0]
    found = [item for item in json.loads((HERE / "components.json").read_text()) if system in item.get("systems", [system])]
    return [{**item, "version": component_version(item["versionOf"], version)} for item in found]


def component_version(source: str, version: dict) -> str | None:
    if source == "swift":
        match = re.search(r"\d+(\.\d+)+", version.get("compiler") or "")
        return match.group() if match else None
    if source == "package":
        resolved = json.loads((HERE.parent / "Package.resolved").read_text())
        return next(pin["state"]["version"] for pin in resolved["pins"] if pin["identity"] == "swift-argument-parser")
    return version["libraries"][source]


def notices(version: dict) -> str:
    """The text of THIRD-PARTY.txt: everything in the binary, with its licence, then what it needs of the system."""
    parts = [f"Carryover {version['version']} is under the Apache License 2.0: see LICENSE. It contains or uses the software of others."]
    for linked, title in (("static", "In the binary"), ("dynamic", "Libraries of the system"), ("optional", "Libraries of the system, if present")):
        lines = [
            f"{item['name']} {item['version'] or ''}".rstrip() + f"\n  {item['home']}\n  {item['licence']}, {item['supplier']}"
            for item in components(version) if item["linked"] == linked
        ]
        parts.append("\n\n".join([f"{title}\n{'=' * len(title)}", *lines]))
    licences = {item["licence"] for item in components(version) if item["linked"] == "static"}
    for licence in sorted(licences):
        name = {"MIT": "MIT-libyaml", "Apache-2.0 WITH Swift-exception": "Swift-exception"}[licence]
        title = f"{licence}" + (" (for the Apache License itself, see LICENSE)" if licence.startswith("Apache") else "")
        parts.append(f"{title}\n{'=' * len(title)}\n\n{(HERE / f'Licences/{name}.txt').read_text().strip()}")
    return "\n\n".join(parts) + "\n"


def spdx(version: dict, binary: bytes, day: datetime.date) -> str:
    """The bill of materials. It depends on the binary and the day alone."""
    def identifier(name: str) -> str:
        return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name)

    def package(name: str, number: str | None, licence: str, home: str, supplier: str, **more: object) -> dict:
        return {
            "SPDXID": identifier(name), "name": name, "versionInfo": number or "NOASSERTION", "downloadLocation": home,
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
            "supplier": "NOASSERTION" if not supplier else f"Organization: {supplier}", **more,
        }

    digest = hashlib.sha256(binary).hexdigest()
    parts = components(version)
    relations = {"static": "STATIC_LINK", "dynamic": "DYNAMIC_LINK", "optional": "OPTIONAL_DEPENDENCY_OF"}

    def relation(item: dict) -> dict:
        ends = [identifier("carryover"), identifier(item["name"])]
        first, second = reversed(ends) if item["linked"] == "optional" else ends
        return {"spdxElementId": first, "relatedSpdxElement": second, "relationshipType": relations[item["linked"]]}

    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"carryover-{version['version']}-{version['target']}",
        "documentNamespace": f"urn:carryover:spdx:{digest}",
        "creationInfo": {"created": f"{day.isoformat()}T00:00:00Z", "creators": ["Tool: carryover-packaging"]},
        "packages": [
            package(
                "carryover", version["version"], LICENCE, "NOASSERTION", "",
                checksums=[{"algorithm": "SHA256", "checksumValue": digest}], primaryPackagePurpose="APPLICATION"),
            *(package(item["name"], item["version"], item["licence"], item["home"], item["supplier"], summary=item["use"]) for item in parts),
        ],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relatedSpdxElement": identifier("carryover"), "relationshipType": "DESCRIBES"},
            *map(relation, parts),
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
