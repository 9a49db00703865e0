"""What is installed, by its path below the prefix: the command, its manual, its completions and the licences."""

import datetime
import json
import re
import subprocess
from pathlib import Path

import manual

HERE = Path(__file__).resolve().parent
COMPLETIONS = {
    "bash": "share/bash-completion/completions/carryover",
    "zsh": "share/zsh/site-functions/_carryover",
    "fish": "share/fish/vendor_completions.d/carryover.fish",
}
DOCUMENTS = "share/doc/carryover"
# The licences whose texts are in Licences.
OWN_TEXTS = {"MIT": "MIT-libyaml", "Apache-2.0 WITH Swift-exception": "Swift-exception"}


def version(binary: Path) -> dict:
    return json.loads(subprocess.run([binary, "version", "--json"], check=True, capture_output=True, text=True).stdout)


def files(binary: Path, day: datetime.date, static: bool = False) -> dict[str, bytes]:
    said = version(binary)
    result = {"bin/carryover": binary.read_bytes()}
    for name, text in manual.pages(binary, said["version"], day).items():
        result[f"share/man/man{name[-1]}/{name}"] = text.encode()
    for shell, place in COMPLETIONS.items():
        script = subprocess.run([binary, "--generate-completion-script", shell], check=True, capture_output=True).stdout
        # A shell reads the script; nothing runs it.
        result[place] = script.removeprefix(b"#!/bin/bash\n").lstrip()
    result[f"{DOCUMENTS}/LICENSE"] = (HERE.parent / "LICENSE").read_bytes()
    result[f"{DOCUMENTS}/THIRD-PARTY.txt"] = notices(said, static).encode()
    return result


def write(root: Path, contents: dict[str, bytes]) -> None:
    """Each file is replaced in one step, so that a running command keeps its own."""
    for place, content in contents.items():
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(path.name + ".new")
        beside.write_bytes(content)
        beside.chmod(mode(place))
        beside.replace(path)


def mode(place: str) -> int:
    return 0o755 if place.endswith("bin/carryover") else 0o644


def components(static: bool, system: str) -> list[dict]:
    """Everything that a binary contains or links to. The static one contains all of it."""
    found = [item for item in json.loads((HERE / "components.json").read_text()) if system in item.get("systems", [system])]
    if static:
        return [{**item, "linked": "static"} for item in found]
    return [item for item in found if item["linked"] != "inside"]


def component_version(item: dict, said: dict) -> str:
    source = item["versionOf"]
    if source == "swift":
        return re.search(r"\d+(\.\d+)+|$", said.get("compiler") or "").group()
    if source == "argument-parser":
        pins = json.loads((HERE.parent / "Package.resolved").read_text())["pins"]
        return next(pin["state"]["version"] for pin in pins if pin["identity"] == "swift-argument-parser")
    if source == "package":
        number = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", package(item)], check=True, capture_output=True, text=True).stdout
        # Without what Debian counts.
        return re.fullmatch(r"(?:\d+:)?(.+?)(?:-[^-]+)?", number).group(1)
    return said["libraries"][source] or ""


def package(item: dict) -> str:
    """The package of this system that has the archive which the linker takes. Its name can contain a version."""
    name = item["archives"][0].replace("\\", "")
    path = Path(subprocess.run(["clang", f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()).resolve()
    # Packages made before /lib became a link to /usr/lib have the other path.
    for place in (path, Path("/", *path.parts[2:])):
        found = subprocess.run(["dpkg-query", "--search", place], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.partition(":")[0]
    raise SystemExit(f"static: {name} is in no package: {path}")


def notices(said: dict, static: bool) -> str:
    """The text of THIRD-PARTY.txt: everything in the binary, with its licence, then what it needs of the system."""
    found = components(static, said["target"].split("-")[0])
    parts = [f"Carryover {said['version']} is under the Apache License 2.0: see LICENSE. It contains or uses the software of others."]
    for linked, title in (("static", "In the binary"), ("dynamic", "Libraries of the system"), ("optional", "Libraries of the system, if present")):
        lines = [f"{item['name']} {component_version(item, said)}".rstrip() + f"\n  {item['home']}\n  {item['licence']}"
                 for item in found if item["linked"] == linked]
        parts += [titled(title, "\n\n".join(lines))] if lines else []
    inside = [item for item in found if item["linked"] == "static"]
    for licence in sorted({item["licence"] for item in inside} & set(OWN_TEXTS)):
        parts.append(titled(licence, (HERE / f"Licences/{OWN_TEXTS[licence]}.txt").read_text().strip()))
    # What comes from a package of Debian comes with the text that the package has.
    for item in inside if static else []:
        if item.get("package"):
            parts.append(titled(f"{item['name']}, from Debian's {package(item)}", Path(f"/usr/share/doc/{package(item)}/copyright").read_text().strip()))
    for name in sorted({name for item in inside for name in item.get("texts", [])}):
        parts.append(titled(name, Path(f"/usr/share/common-licenses/{name}").read_text().strip()))
    return "\n\n".join(parts) + "\n"


def titled(title: str, text: str) -> str:
    return f"{title}\n{'=' * len(title)}\n\n{text}"
