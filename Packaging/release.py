"""Whether a folder is a whole release, in which everything that names a version, a day or a commit names the same."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

import dist as made
from manual import written

# What a real release must not have, and where it is set.
PLACEHOLDERS = {
    "example/carryover": "Set HOME in Packaging/project.py, and the repository in Documentation/Audit.md and Install.md.",
    "carryover@example.com": "Set MAINTAINER in Packaging/project.py.",
}


def problems(root: Path, dist: Path, key: Path | None = None, tag: str | None = None) -> list[str]:
    """What disagrees between the sources and what make dist made of them; a sentence each.
    - key: minisign's public key; with it, the checksums must be signed.
    - tag: git's, of a real release: what was built is its commit, signed and without placeholders."""
    found: list[str] = []
    constant = re.search(r'static let text = "([^"]+)"', (root / "Sources/CarryoverCommand/Process/Version.swift").read_text())
    expected = constant.group(1) if constant else ""
    heading = re.search(r"^## (.+)$", (root / "CHANGELOG.md").read_text(), re.MULTILINE)
    dated = re.fullmatch(r"(\S+) - (\d{4}-\d{2}-\d{2})", heading.group(1)) if heading else None
    if not dated:
        found.append("CHANGELOG.md does not begin with a dated version, such as “## 1.0.0 - 2026-01-31”.")
    elif dated.group(1) != expected:
        found.append(f"CHANGELOG.md begins with {dated.group(1)}, the constant in Version.swift is {expected}.")
    found += action(root, expected)
    if not (dist / made.SUMS).exists():
        return [*found, f"{dist} has no {made.SUMS}: run make dist."]
    commands = binaries(dist)
    present = {path.name for path in dist.iterdir()} - {made.SIGNATURE}
    complete = made.names({"version": expected, "target": next((version["target"] for version in commands.values() if version), "linux-x86_64")})
    found += [f"{dist.name} has no {name}." for name in sorted(complete - present)]
    found += [f"{dist.name} has {name}, which is no part of a release." for name in sorted(present - complete)]
    for name, version in commands.items():
        found += archived(dist / name, version, expected, dated.group(2) if dated else None)
    commits = {version["commit"] for version in commands.values() if version}
    if len(commits) != 1:
        found.append(f"The binaries were built from different commits: {', '.join(sorted(map(str, commits)))}.")
    for path in sorted(dist.iterdir()):
        found += beside(path, expected, commits)
    found += checksums(dist)
    if tag:
        found += tagged(root, dist, tag, expected, commits)
        found += [] if key else ["A release must be signed: give MINISIGN_PUBLIC_KEY."]
    return found + (signature(dist, expected, key) if key else [])


def binaries(dist: Path) -> dict[str, dict | None]:
    """What the command in each archive says of itself, by the name of the archive; none if it does not run here."""
    return {path.name: said_by(members(path).get("carryover", b"")) for path in sorted(dist.glob("*.tar.gz")) if not path.name.endswith("-debug.tar.gz")}


def members(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as file:
        return {member.name.split("/", 1)[1]: file.extractfile(member).read() for member in file if member.isfile()}


def archived(path: Path, version: dict | None, expected: str, day: str | None) -> list[str]:
    """What disagrees in an archive."""
    if version is None:
        return [f"The binary in {path.name} does not run here."]
    found = []
    if version["version"] != expected:
        found.append(f"The binary in {path.name} says that it is {version['version']}, the constant in Version.swift is {expected}.")
    if not version["commit"] or "changed" in version["commit"]:
        found.append(f"The binary in {path.name} was not built from a commit without changes.")
    if version["date"] != (day or version["date"]):
        found.append(f"The binary in {path.name} was built from a commit of {version['date']}, CHANGELOG.md says {day}.")
    return found + [f"{path.name}: {problem}" for problem in pages(members(path), expected, day or version["date"])]


def action(root: Path, expected: str) -> list[str]:
    """Whether the action for GitHub installs this version by default."""
    said = re.search(r"^  version:\n(?:    .*\n)*?    default: (\S+)$", (root / "action.yml").read_text(), re.MULTILINE)
    if said and said.group(1) == expected:
        return []
    return [f"action.yml installs {said.group(1) if said else 'no version'} by default, the constant in Version.swift is {expected}."]


def tagged(root: Path, dist: Path, tag: str, expected: str, commits: set[str | None]) -> list[str]:
    """What a real release must be in addition."""
    found = [] if tag == f"v{expected}" else [f"The tag is {tag}, not v{expected}."]
    said = subprocess.run(["git", "-C", root, "rev-parse", "--verify", "--quiet", f"refs/tags/{tag}^{{commit}}"], capture_output=True, text=True)
    if said.returncode:
        found.append(f"This clone has no tag {tag}.")
    elif commits != {said.stdout.strip()}:
        found.append(f"The tag {tag} is the commit {said.stdout.strip()}, the binaries were built from {', '.join(map(str, commits))}.")
    for place in [root / "Packaging/project.py", root / "Documentation/Audit.md", root / "Documentation/Install.md", *dist.glob("*.rb")]:
        found += [f"{place.name} has the placeholder {word}. {remedy}" for word, remedy in PLACEHOLDERS.items() if word in place.read_text()]
    return found


def said_by(binary: bytes) -> dict | None:
    """What a binary says of itself."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "carryover")
        path.write_bytes(binary)
        path.chmod(0o755)
        try:
            said = subprocess.run([path, "version", "--json"], check=True, capture_output=True, text=True, cwd=folder)
            return json.loads(said.stdout)
        except (OSError, subprocess.SubprocessError, ValueError):
            return None


def pages(members: dict[str, bytes], version: str, day: str | None) -> list[str]:
    found = []
    texts = {place: content.decode() for place, content in members.items() if place.startswith("man/")}
    if not texts:
        found.append("there are no manual pages.")
    for place, text in sorted(texts.items()):
        said = re.search(r'^\.\\" Carryover (\S+)$', text, re.MULTILINE)
        if not said or said.group(1) != version:
            found.append(f"{place} is of version {said.group(1) if said else 'unknown'}, not {version}.")
        date = re.search(r"^\.Dd (.+)$", text, re.MULTILINE)
        if not date or day and date.group(1) != written(datetime.date.fromisoformat(day)):
            found.append(f"{place} is of {date.group(1) if date else 'no day'}, not {day}.")
    return found


def beside(path: Path, version: str, commits: set[str | None]) -> list[str]:
    """Whether what is made beside the archives agrees with them."""
    if path.suffix == ".rb":
        return formula(path, version, commits)
    if path.suffix in (".rpm", ".deb"):
        return package(path, version)
    if path.suffix == ".oci":
        return differing(path, image_version(path), version)
    if path.name.endswith(".spdx.json"):
        return differing(path, said(path, "packages", 0, "versionInfo"), version)
    if path.name.endswith(".cdx.json"):
        return differing(path, said(path, "metadata", "component", "version"), version)
    if path.suffix == ".sha256" and path.read_text() not in (path.parent / made.SUMS).read_text():
        return [f"{path.name} and {made.SUMS} disagree."]
    return []


def differing(path: Path, said: str | None, version: str) -> list[str]:
    return [] if said == version else [f"{path.name} is of version {said or 'unknown'}, not {version}."]


def said(path: Path, *members: str | int) -> str | None:
    try:
        value = json.loads(path.read_text())
        for member in members:
            value = value[member]
        return value
    except (ValueError, LookupError, TypeError):
        return None


def formula(path: Path, version: str, commits: set[str | None]) -> list[str]:
    text = path.read_text()
    found = differing(path, next(iter(re.findall(r'^  version "(.*)"$', text, re.MULTILINE)), None), version)
    for url, digest in re.findall(r'url "(\S+)"\n\s+sha256 "(\w+)"', text):
        archive = path.parent / url.rsplit("/", 1)[1]
        if not archive.exists():
            found.append(f"{path.name} names {archive.name}, which is not there.")
        elif made.sha256(archive) != digest:
            found.append(f"{path.name} does not have the checksum of {archive.name}.")
        if f"/v{version}/" not in url:
            found.append(f"{path.name} loads {url}, which is not of version {version}.")
    if set(re.findall(r'tag: "(.*?)", revision: "(.*?)"', text)) != {(f"v{version}", commit) for commit in commits}:
        found.append(f"{path.name} builds another tag or commit than v{version}, {', '.join(map(str, commits))}.")
    return found


def package(path: Path, version: str) -> list[str]:
    """The version inside, where the tool that tells it is installed."""
    ask = ["rpm", "--query", "--package", "--queryformat", "%{VERSION}-%{RELEASE}"] if path.suffix == ".rpm" else ["dpkg-deb", "--show", "--showformat", "${Version}"]
    if not shutil.which(ask[0]):
        return []
    inside = subprocess.run([*ask, path], capture_output=True, text=True)
    return differing(path, inside.stdout.rpartition("-")[0] if inside.returncode == 0 else None, version)


def image_version(path: Path) -> str | None:
    """The version that the image's manifest names."""
    try:
        with tarfile.open(path) as archive:
            index = json.load(archive.extractfile("index.json"))
            manifest = json.load(archive.extractfile("blobs/" + index["manifests"][0]["digest"].replace(":", "/")))
        return manifest["annotations"]["org.opencontainers.image.version"]
    except (tarfile.TarError, KeyError, ValueError, IndexError):
        return None


def checksums(dist: Path) -> list[str]:
    """The files whose checksum is absent or another."""
    lines = [line.partition("  ") for line in (dist / made.SUMS).read_text().splitlines()]
    listed = {path: digest for digest, _, path in lines}
    found = [f"{made.SUMS} has a line without a name: “{digest}”." for digest, _, path in lines if not path]
    for path in sorted(dist.iterdir()):
        if not path.name.startswith(made.SUMS) and path.suffix != ".sha256":
            if listed.pop(path.name, None) != hashlib.sha256(path.read_bytes()).hexdigest():
                found.append(f"{made.SUMS} does not have the checksum of {path.name}.")
    return found + [f"{made.SUMS} names {path}, which is not there." for path in listed]


def signature(dist: Path, version: str, key: Path) -> list[str]:
    """Whether the checksums are signed with the secret half of a key, for this version."""
    if not (dist / made.SIGNATURE).exists():
        return [f"{made.SUMS} is not signed: run make dist with MINISIGN_KEY."]
    verified = subprocess.run(["minisign", "-V", "-Q", "-p", key.resolve(), "-m", made.SUMS], cwd=dist, capture_output=True, text=True)
    if verified.returncode:
        return [f"{made.SIGNATURE} is not the signature of {made.SUMS} with the key {key.name}."]
    if verified.stdout.strip() != made.comment(version):
        return [f"{made.SIGNATURE} is for “{verified.stdout.strip()}”, not for “{made.comment(version)}”."]
    return []
