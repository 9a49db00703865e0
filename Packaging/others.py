"""Whether what is made beside the archives agrees with them: formula, packages, image, bills of materials, signature."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import dist as made
import redhat


def problems(dist: Path, version: str) -> list[str]:
    """A sentence for each that names another version, or another archive."""
    found: list[str] = []
    for path in sorted(dist.iterdir()):
        if path.suffix == ".rb":
            found += formula(path, version)
        elif path.suffix in (".rpm", ".deb"):
            found += package(path, version)
        elif path.name.endswith(".oci.tar"):
            found += differing(path, image_version(path), version)
        elif path.name.endswith(".spdx.json"):
            found += differing(path, said(path, "packages", 0, "versionInfo"), version)
        elif path.name.endswith(".cdx.json"):
            found += differing(path, said(path, "metadata", "component", "version"), version)
    # The formula and the others come with the static command.
    for archive in dist.glob("*-static.tar.gz"):
        beside = [archive.name.replace(".tar.gz", ".oci.tar"), "carryover.rb"]
        found += [f"{dist.name} has no {name}." for name in beside if not (dist / name).exists()]
        if redhat.makes() and not any(dist.glob("*.rpm")):
            found.append(f"{dist.name} has no rpm package.")
    for archive in dist.glob("*.tar.gz.sha256"):
        listed = archive.read_text()
        if listed not in (dist / made.SUMS).read_text():
            found.append(f"{archive.name} and {made.SUMS} disagree.")
    return found


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


def formula(path: Path, version: str) -> list[str]:
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
    return found


def package(path: Path, version: str) -> list[str]:
    """The version inside, where the tool that tells it is installed, else that of the name."""
    ask = ["rpm", "--query", "--package", "--queryformat", "%{VERSION}-%{RELEASE}"] if path.suffix == ".rpm" else ["dpkg-deb", "--show", "--showformat", "${Version}"]
    number = re.match(r"carryover[-_](.*?)[-_]\d+[._]", path.name)
    named = number.group(1) if number else None
    if named != version or not shutil.which(ask[0]):
        return differing(path, named, version)
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
