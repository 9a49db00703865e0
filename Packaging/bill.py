"""What the command is made of: the notices that ship with it, and the bill of materials in SPDX 2.3 and CycloneDX 1.6."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
import subprocess
import uuid
from pathlib import Path

HERE = Path(__file__).resolve().parent
LICENCE = "Apache-2.0"
# The licences whose texts are in Licences.
OWN_TEXTS = {"MIT": "MIT-libyaml", "Apache-2.0 WITH Swift-exception": "Swift-exception"}


def is_static(target: str) -> bool:
    """Whether a target is that of the command with every library inside."""
    return target.endswith("-static")


def listed(target: str) -> list[dict]:
    """Everything that is linked into a binary or that it links to, by the name of its target."""
    system = target.split("-")[0]
    found = [item for item in json.loads((HERE / "components.json").read_text()) if system in item.get("systems", [system])]
    if is_static(target):
        return [{**item, "linked": "static"} for item in found]
    return [item for item in found if item["linked"] != "inside"]


def components(version: dict) -> list[dict]:
    """The same, with the version that it was built with.
    - version: what the binary says of itself with `version --json`."""
    return [{**item, "version": component_version(item, version)} for item in listed(version["target"])]


def licences(version: dict) -> str:
    """The licences of everything in a binary, as SPDX writes them together."""
    return " AND ".join([LICENCE, *sorted({item["licence"] for item in listed(version["target"]) if item["linked"] == "static"} - {LICENCE})])


def component_version(item: dict, version: dict) -> str | None:
    source = item["versionOf"]
    if source == "swift":
        match = re.search(r"\d+(\.\d+)+", version.get("compiler") or "")
        return match.group() if match else None
    if source == "argument-parser":
        resolved = json.loads((HERE.parent / "Package.resolved").read_text())
        return next(pin["state"]["version"] for pin in resolved["pins"] if pin["identity"] == "swift-argument-parser")
    if source == "package":
        said = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", package(item)], check=True, capture_output=True, text=True).stdout
        # Without what Debian counts.
        return re.fullmatch(r"(?:\d+:)?(.+?)(?:-[^-]+)?", said).group(1)
    return version["libraries"][source]


def package(item: dict) -> str:
    """The package of this system that has the archive which the linker takes. Its name can contain a version."""
    name = item["archives"][0].replace("\\", "")
    said = subprocess.run(["clang", f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()
    path = Path(said).resolve()
    # Packages made before /lib became a link to /usr/lib have the other path.
    for place in (path, Path("/", *path.parts[2:])):
        found = subprocess.run(["dpkg-query", "--search", place], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.partition(":")[0]
    raise SystemExit(f"static: {name} is in no package: {path}")


def notices(version: dict) -> str:
    """The text of THIRD-PARTY.txt: everything in the binary, with its licence, then what it needs of the system."""
    parts = [f"Carryover {version['version']} is under the Apache License 2.0: see LICENSE. It contains or uses the software of others."]
    found = components(version)
    for linked, title in (("static", "In the binary"), ("dynamic", "Libraries of the system"), ("optional", "Libraries of the system, if present")):
        lines = [
            f"{item['name']} {item['version'] or ''}".rstrip() + f"\n  {item['home']}\n  {item['licence']}, {item['supplier']}"
            for item in found if item["linked"] == linked
        ]
        parts.append(titled(title, "\n\n".join(lines)) if lines else "")
    inside = [item for item in found if item["linked"] == "static"]
    for licence in sorted({item["licence"] for item in inside} & set(OWN_TEXTS)):
        title = f"{licence}" + (" (for the Apache License itself, see LICENSE)" if licence.startswith("Apache") else "")
        parts.append(titled(title, (HERE / f"Licences/{OWN_TEXTS[licence]}.txt").read_text().strip()))
    # What comes from a package of Debian comes with the text that the package has.
    for item in inside if is_static(version["target"]) else []:
        if item.get("package"):
            parts.append(titled(f"{item['name']}, from Debian's {package(item)}", Path(f"/usr/share/doc/{package(item)}/copyright").read_text().strip()))
    for name in sorted({name for item in inside for name in item.get("texts", [])}):
        parts.append(titled(name, Path(f"/usr/share/common-licenses/{name}").read_text().strip()))
    return "\n\n".join(filter(None, parts)) + "\n"


def titled(title: str, text: str) -> str:
    return f"{title}\n{'=' * len(title)}\n\n{text}"


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
    if own := sorted({item["licence"] for item in parts if item["licence"].startswith("LicenseRef-")}):
        document["hasExtractedLicensingInfos"] = [
            {"licenseId": licence, "extractedText": "In the public domain: see THIRD-PARTY.txt."} for licence in own]
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def cyclonedx(version: dict, binary: bytes, day: datetime.date) -> str:
    """The same bill in CycloneDX 1.6. Its serial number comes from the binary, too."""
    def component(kind: str, name: str, number: str | None, licence: str, **more: object) -> dict:
        return {
            "type": kind, "bom-ref": re.sub(r"[^A-Za-z0-9.]+", "-", name), "name": name, **({"version": number} if number else {}),
            "licenses": [{"expression": licence}], **more,
        }

    digest = hashlib.sha256(binary).hexdigest()
    parts = [(item, component(
        "library", item["name"], item["version"], item["licence"], supplier={"name": item["supplier"]}, description=item["use"],
        scope="optional" if item["linked"] == "optional" else "required", properties=[{"name": "carryover:linked", "value": item["linked"]}],
        externalReferences=[{"type": "website", "url": item["home"]}],
    )) for item in components(version)]
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'urn:carryover:{digest}')}",
        "metadata": {
            "timestamp": f"{day.isoformat()}T00:00:00Z",
            "tools": {"components": [{"type": "application", "name": "carryover-packaging"}]},
            "component": component("application", "carryover", version["version"], LICENCE, hashes=[{"alg": "SHA-256", "content": digest}]),
        },
        "components": [part for _, part in parts],
        "dependencies": [{"ref": "carryover", "dependsOn": [part["bom-ref"] for _, part in parts]}, *({"ref": part["bom-ref"]} for _, part in parts)],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
