"""What `make dist` makes of the command and the static one: an archive of each, a Debian package, the checksums, and their
signature. The same binaries and the same day give the same bytes.

A release:
1. Set HOME and MAINTAINER below, and the repository in Documentation/Release.md, Documentation/Install.md and Site/mkdocs.yml, if
   they are still placeholders.
2. Set the version in Version.swift, action.yml and Documentation/Release.md. In CHANGELOG.md, replace Unreleased with the version
   and the day. Commit on that day (UTC).
3. On Debian or a system like it: `git tag v1.0.0`, then `make dist TAG=v1.0.0 MINISIGN_KEY=carryover.key`.
4. `sudo python3 -B Tests/Packaging --dist .build/dist` must pass; it tries the static command and makes all of it again.
5. Push the tag, and upload every file of .build/dist to its release."""

from __future__ import annotations

import datetime
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from contents import COMPLETIONS, DOCUMENTS, files, mode, version, write

ROOT = Path(__file__).resolve().parents[1]
# A release needs its own.
HOME = "https://github.com/example/carryover"
MAINTAINER = "Carryover maintainers <carryover@example.com>"
DESCRIPTION = """\
inspector and migrator for the data of iOS apps
 Carryover opens the data that an iOS app has stored on a device, shows what an
 update to another SDK would lose, and migrates it field by field, with a
 rollback."""
# Of the Debian package of a version; it counts changes of the package alone.
REVISION = 1
SUMS = "SHA256SUMS"


def make(folder: Path, binary: Path, static: Path | None, day: datetime.date, key: Path | None) -> list[Path]:
    """Makes everything in a folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    said = version(binary)
    linux = said["target"].startswith("linux")
    made = [archive(folder, said, "-system-libs" if linux else "", files(binary, day), day)]
    if linux and shutil.which("dpkg-deb"):
        made.append(debian_package(folder, said, files(binary, day), day))
    if static:
        made.append(archive(folder, version(static), "-static", files(static, day, static=True), day))
    (folder / SUMS).write_text("".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made))
    if key:
        # The comment is signed, too: a signature of another version is another one. Minisign may ask for a password.
        subprocess.run(["minisign", "-S", "-s", key.resolve(), "-m", SUMS, "-t", f"carryover {said['version']}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return [*made, folder / SUMS]


def second(day: datetime.date) -> int:
    return int(datetime.datetime.combine(day, datetime.time(), datetime.timezone.utc).timestamp())


def archive(folder: Path, said: dict, kind: str, contents: dict[str, bytes], day: datetime.date) -> Path:
    """A folder with the binary at its top, then pages, completions and notices; its checksum is beside it. ubi and mise
    take the static command, which runs on any Linux, because of its name."""
    name = f"carryover-{said['version']}-{said['target']}{kind}"
    places = {"bin/carryover": "carryover"}
    places |= {place: f"completions/{Path(place).name if shell != 'bash' else 'carryover.bash'}" for shell, place in COMPLETIONS.items()}
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for place, content in sorted(contents.items()):
            inside = places.get(place, place.removeprefix(f"{DOCUMENTS}/").removeprefix("share/"))
            entry = tarfile.TarInfo(f"{name}/{inside}")
            entry.size, entry.mode, entry.mtime = len(content), mode(place), second(day)
            tar.addfile(entry, io.BytesIO(content))
    path = folder / f"{name}.tar.gz"
    path.write_bytes(gzip.compress(buffer.getvalue(), compresslevel=9, mtime=0))
    (folder / f"{path.name}.sha256").write_text(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n")
    return path


def debian_package(folder: Path, said: dict, contents: dict[str, bytes], day: datetime.date) -> Path:
    processor = {"x86_64": "amd64", "arm64": "arm64"}[said["target"].split("-")[1]]
    number = f"{said['version']}-{REVISION}"
    tree = {}
    for place, content in contents.items():
        if place.startswith("share/man/"):
            tree[f"usr/{place}.gz"] = gzip.compress(content, compresslevel=9, mtime=0)
        elif place == COMPLETIONS["zsh"]:
            tree["usr/share/zsh/vendor-completions/_carryover"] = content
        elif place == f"{DOCUMENTS}/THIRD-PARTY.txt":
            tree[f"usr/{DOCUMENTS}/copyright"] = content.replace(b"see LICENSE", b"see /usr/share/common-licenses/Apache-2.0")
        elif place != f"{DOCUMENTS}/LICENSE":
            tree[f"usr/{place}"] = content
    path = folder / f"carryover_{number}_{processor}.deb"
    with tempfile.TemporaryDirectory() as work:
        root = Path(work, "root")
        write(root, tree)
        control = [
            "Package: carryover", f"Version: {number}", f"Architecture: {processor}", f"Maintainer: {MAINTAINER}", f"Homepage: {HOME}",
            f"Installed-Size: {sum(len(content) for content in tree.values()) // 1024}", f"Depends: {dependencies(Path(work), root / 'usr/bin/carryover')}",
            "Recommends: libarchive13", "Section: utils", "Priority: optional", f"Description: {DESCRIPTION}"]
        write(root, {"DEBIAN/control": "\n".join([*control, ""]).encode()})
        for place in [root, *root.rglob("*")]:
            os.utime(place, (second(day), second(day)))
            place.chmod(place.stat().st_mode & 0o755)
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, path], check=True, stdout=subprocess.DEVNULL,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(second(day))})
    return path


def dependencies(folder: Path, binary: Path) -> str:
    (folder / "debian").mkdir()
    (folder / "debian/control").write_text("Source: carryover\n\nPackage: carryover\nArchitecture: any\n")
    said = subprocess.run(["dpkg-shlibdeps", "-O", binary], cwd=folder, check=True, capture_output=True, text=True).stdout
    depends = re.search(r"^shlibs:Depends=(.*)$", said, re.MULTILINE).group(1)
    # Symbols do not tell that packed relocations need a later C library.
    tables = subprocess.run(["readelf", "--dynamic", binary], check=True, capture_output=True, text=True).stdout
    return re.sub(r"libc6 \(>= [\d.]+\)", "libc6 (>= 2.36)", depends) if "(RELR)" in tables else depends


def problems(root: Path, binaries: list[Path], tag: str, signed: bool) -> list[str]:
    """What keeps a release from being the one of a tag: a sentence each."""
    expected = re.search(r'static let text = "([^"]+)"', (root / "Sources/CarryoverCommand/Process/Version.swift").read_text()).group(1)
    heading = re.search(r"^## (\S+) - (\d{4}-\d{2}-\d{2})$|^## ", (root / "CHANGELOG.md").read_text(), re.MULTILINE)
    action = re.search(r"^  version:\n(?:    .*\n)*?    default: (\S+)$", (root / "action.yml").read_text(), re.MULTILINE)
    commit = subprocess.run(["git", "-C", root, "rev-parse", "--verify", "--quiet", f"refs/tags/{tag}^{{commit}}"], capture_output=True, text=True).stdout.strip()
    found = [] if tag == f"v{expected}" else [f"The tag is {tag}, not v{expected}."]
    found += [] if commit else [f"This clone has no tag {tag}."]
    found += [] if signed else ["A release must be signed: give MINISIGN_KEY."]
    if heading.group(1) != expected:
        found.append(f"CHANGELOG.md does not begin with a dated version {expected}, such as “## 1.0.0 - 2026-01-31”.")
    if not action or action.group(1) != expected:
        found.append(f"action.yml does not install {expected} by default.")
    for binary in binaries:
        said = version(binary)
        for what, value, wanted in (("version", said["version"], expected), ("commit", said["commit"], commit), ("day", said["date"], heading.group(2))):
            if value != wanted:
                found.append(f"{binary} has the {what} {value}, not {wanted}.")
    for place in ("Packaging/release.py", "Documentation/Release.md", "Documentation/Install.md", "Site/mkdocs.yml"):
        if re.search(r"com/[e]xample/|//[e]xample\.|@[e]xample\.|uses: [e]xample/", (root / place).read_text()):
            found.append(f"{place} has a placeholder: name the repository, and who maintains it.")
    return found
