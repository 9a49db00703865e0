"""What make dist makes, and what release-check says of planted mistakes."""

from __future__ import annotations

import datetime
import json
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import bills
from installed import REPOSITORY, at_work

sys.path.insert(0, str(REPOSITORY / "Packaging"))

import archive  # noqa: E402
import bill  # noqa: E402
import dist  # noqa: E402
import image  # noqa: E402
import project  # noqa: E402
import redhat  # noqa: E402
import release as check  # noqa: E402
import tree  # noqa: E402
from manual import Manual  # noqa: E402

DAY = datetime.date(2026, 1, 31)
HOME = "https://github.com/acme/carryover"


def problems(binary: Path, folder: Path) -> list[str]:
    """Packs a binary as if it were built from a commit of a day, in two folders, then checks every file and every plant."""
    said = json.loads(subprocess.run([binary, "version", "--json"], check=True, capture_output=True, text=True).stdout)
    version = {**said, "commit": committed(folder / "repository"), "date": DAY.isoformat()}
    release = Dist(binary, version, folder)
    first = release.make(folder / "dist")
    again = {path.name: path.read_bytes() for path in release.make(folder / "again")}
    found = [f"{path.name} is not the same twice" for path in first if path.read_bytes() != again[path.name]]
    name = f"carryover-{version['version']}-{version['target']}"
    bases = (f"{name}-system-libs", f"{name}-static")
    expected = {f"{base}.{ending}" for base in bases for ending in ("tar.gz", "spdx.json", "cdx.json")}
    expected |= {f"carryover-{version['version']}-{kind}-debug.tar.gz" for kind in ("system-libs", "static")}
    expected |= {f"carryover-{version['version']}.oci", "carryover.rb", redhat.name(version), archive.debian_name(version)}
    if {path.name for path in first} != expected:
        found.append(f"unexpected names: {sorted({path.name for path in first} ^ expected)}")
    found += taken([path.name for path in (folder / "dist").iterdir()], f"{name}-static.tar.gz")
    for base in bases:
        if (folder / f"dist/{base}.tar.gz.sha256").read_text() not in (folder / "dist/SHA256SUMS").read_text():
            found.append(f"the checksum beside {base}.tar.gz is another one")
        with tarfile.open(folder / f"dist/{base}.tar.gz") as file:
            file.extractall(folder / "unpacked")
        top = sorted(path.name for path in (folder / "unpacked" / base).iterdir())
        if top != ["LICENSE", "THIRD-PARTY.txt", "carryover", "completions", "man"]:
            found.append(f"the archive has {top}")
        found += bills.problems(folder / "dist" / base, (folder / "unpacked" / base / "THIRD-PARTY.txt").read_text())
    found += at_work(folder / "unpacked" / bases[0] / "carryover", folder / "work")
    found += formula(folder / "dist/carryover.rb")
    return found + planted(release, folder / "dist", folder / "plants")


def committed(folder: Path) -> str:
    """The first of two commits in a new repository."""
    def git(*arguments: str) -> str:
        return subprocess.run(["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments], check=True, capture_output=True, text=True).stdout

    folder.mkdir(parents=True)
    git("init", "--quiet")
    for message in ("first", "second"):
        git("commit", "--quiet", "--allow-empty", "--message", message)
    return git("rev-parse", "HEAD~").strip()


def key(folder: Path) -> tuple[Path, Path]:
    """A pair of keys to throw away, without a password: the secret one and the public one."""
    pair = folder / "test.key", folder / "test.pub"
    subprocess.run(["minisign", "-G", "-W", "-f", "-s", pair[0], "-p", pair[1]], check=True, stdout=subprocess.DEVNULL)
    return pair


def taken(names: list[str], right: str) -> list[str]:
    """What ubi and mise would take for the command, if that is not the right archive.

    As their sources said in 2026, for Linux with glibc and for systems that have no command of ours."""
    found = []
    systems = {"linux": r"(?:\b|_)(?:linux|ubuntu|debian)(?:\b|_|32|64)", "macos": r"(?:\b|_)(?:darwin|mac(?:osx?)?|osx)(?:\b|_)"}
    processors = {"x86_64": r"(?:\b|_)(?:x86[_-]64|x64|amd64)(?:\b|_)", "arm64": r"(?:\b|_)(?:aarch_?64|arm_?64)(?:\b|_)"}
    archives = (".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tgz", ".tbz", ".txz", ".zip", ".7z", ".tar")

    def matches(patterns: dict[str, str], name: str) -> set[str]:
        return {key for key, pattern in patterns.items() if re.search(pattern, name, re.IGNORECASE)}

    for system, processor in (("linux", "x86_64"), ("linux", "arm64"), ("macos", "arm64")):
        # ubi: an ending that it unpacks or runs, then system, then processor, or none if no name has the right one; then the first in order.
        fit = [name for name in names if name.endswith((*archives, ".gz", ".xz", ".bz2", ".exe", ".sh", ".py")) or "." not in name]
        fit = [name for name in fit if system in matches(systems, name)]
        fit = [name for name in fit if processor in matches(processors, name)] or [name for name in fit if not matches(processors, name)]
        ubi = min(fit, default=None)

        # mise: points; the most, then the shortest name. No package, no other processor, nothing without points.
        def points(name: str) -> int:
            named, made_for = matches(systems, name), matches(processors, name)
            return ((100 if system in named else -50) if named else 0) + ((50 if processor in made_for else -25) if made_for else 0) + (
                25 if system == "linux" and re.search(r"(?:\b|_)(?:gnu|glibc)(?:\b|_)", name) else 0) + (
                10 if name.endswith(archives) else 0) - (20 if "debug" in name or "test" in name else 0)

        fit = [name for name in names if points(name) > 0 and not name.endswith((".deb", ".rpm")) and not matches(processors, name) - {processor}]
        mise = min(fit, key=lambda name: (-points(name), len(name), name), default=None)
        expected = right if (system, processor) == ("linux", "x86_64") else None
        found += [f"on {system} {processor}, {tool} takes {name}, not {expected}" for tool, name in (("ubi", ubi), ("mise", mise)) if name != expected]
    return found


class Dist:
    """The files of a version, from a script that stands for the binary."""

    def __init__(self, binary: Path, version: dict, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        self.version, self.folder = version, folder
        self.binary = folder / "carryover"
        document = json.dumps(version)
        # The binary itself, which says what one that is built from a commit says.
        self.binary.write_text(f"#!/bin/sh\n[ \"$*\" = 'version --json' ] && exec echo '{document}'\nexec '{binary.resolve()}' \"$@\"\n")
        self.binary.chmod(0o755)
        self.pages = Manual.of(self.binary, DAY).pages()
        # The scripts for completion, which take long to make.
        self.items = tree.items(self.binary, self.binary.read_bytes(), {}, "")
        self.secret, self.public = key(folder)

    def make(self, folder: Path, pages: dict[str, str] | None = None) -> list[Path]:
        def build(ending: str) -> dist.Build:
            version = {**self.version, "target": self.version["target"] + ending}
            notices = bill.notices(version)
            return dist.Build(version, self.tree(pages or self.pages, notices), notices, b"debug")

        # A release has a home of its own, and a script needs no libraries.
        project.HOME = HOME
        archive.dependencies = lambda *_: "libc6"
        return dist.make(folder, [build("-system-libs"), build("-static")], DAY, self.secret)

    def tree(self, pages: dict[str, str], notices: str) -> dict:
        placed = {f"share/man/man{name[-1]}/{name}": tree.Item(text.encode()) for name, text in pages.items()}
        return self.items | placed | {f"{tree.DOCUMENTS}/THIRD-PARTY.txt": tree.Item(notices.encode())}


def formula(path: Path) -> list[str]:
    said = subprocess.run(["ruby", "-c", path], capture_output=True, text=True)
    return [] if said.stdout.strip() == "Syntax OK" else [f"ruby: {said.stdout}{said.stderr}"]


def planted(release: Dist, made: Path, folder: Path) -> list[str]:
    """The plants that release-check does not see, and what it says without one."""
    version, base = release.version["version"], f"{archive.name(release.version)}-system-libs"
    archive_name = f"{base}.tar.gz"

    def edited(place: str, old: str, new: str) -> Callable[[Path], None]:
        def edit(root: Path) -> None:
            text = (root / place).read_text()
            assert old in text, f"{place} has no {old}"
            (root / place).write_text(text.replace(old, new))
        return edit

    def page(old: str, new: str) -> Callable[[Path], None]:
        pages = {**release.pages, "carryover-plan.1": release.pages["carryover-plan.1"].replace(old, new)}
        return lambda root: None if release.make(root / "dist", pages) else None

    def resigned(name: str, edit: Callable[[Path], None]) -> Callable[[Path], None]:
        """A disagreement that the checksums do not show."""
        def plant(root: Path) -> None:
            path = root / "dist" / name
            before = f"{dist.sha256(path)}  {name}"
            edit(root)
            edited("dist/SHA256SUMS", before, f"{dist.sha256(path)}  {name}")(root)
            dist.sign(root / "dist", release.secret, version)
        return plant

    def absent(name: str) -> Callable[[Path], None]:
        """A file that the checksums do not name either."""
        def plant(root: Path) -> None:
            (root / "dist" / name).unlink()
            lines = (root / "dist" / dist.SUMS).read_text().splitlines(keepends=True)
            (root / "dist" / dist.SUMS).write_text("".join(line for line in lines if not line.endswith(f"  {name}\n")))
            dist.sign(root / "dist", release.secret, version)
        return plant

    def mixed(root: Path) -> None:
        other = Dist(release.binary, {**release.version, "commit": "1" * 40}, root / "own")
        other.make(root / "other")
        for ending in ("tar.gz", "tar.gz.sha256"):
            shutil.copy(root / f"other/{base}.{ending}", root / f"dist/{base}.{ending}")
        sums = dist.sha256(made / archive_name), dist.sha256(root / "dist" / archive_name)
        edited(f"dist/{dist.SUMS}", *sums)(root)
        dist.sign(root / "dist", release.secret, version)

    def retagged(commit: str) -> Callable[[Path], None]:
        return lambda root: subprocess.run(["git", "-C", root, "tag", "--force", f"v{version}", commit], check=True, capture_output=True) and None

    def replaced(name: str, make: Callable[[dist.Build], bytes]) -> Callable[[Path], None]:
        """A file of another version, under the right name."""
        other = {**release.version, "version": "9.9.9", "target": release.version["target"] + "-static"}
        items = release.tree(release.pages, "")
        return resigned(name, lambda root: (root / "dist" / name).write_bytes(make(dist.Build(other, items, ""))) and None)

    def rpm(build: dist.Build) -> bytes:
        path = folder / "other.rpm"
        redhat.package(build.version, build.items, bill.licences(build.version), DAY, path)
        return path.read_bytes()

    def other_key(root: Path) -> None:
        (root / "own").mkdir()
        dist.sign(root / "dist", key(root / "own")[0], version)

    static = f"{archive.name(release.version)}-static"
    constant = "Sources/CarryoverCommand/Process/Version.swift"
    heading = f"## {version} - {DAY}"
    plants: dict[str, Callable[[Path], None]] = {
        "another constant": edited(constant, f'text = "{version}"', 'text = "9.9.9"'),
        "another version in the changelog": edited("CHANGELOG.md", heading, f"## 9.9.9 - {DAY}"),
        "another day in the changelog": edited("CHANGELOG.md", heading, f"## {version} - 2026-02-01"),
        "unreleased changes": edited("CHANGELOG.md", heading, f"## Unreleased\n\n{heading}"),
        "a page of another day": page(".Dd January 31, 2026", ".Dd February 1, 2026"),
        "a page of another version": page(f"Carryover {version}", "Carryover 9.9.9"),
        "another name of the archive": lambda root: shutil.move(root / "dist" / archive_name, root / f"dist/{archive_name.replace(version, '9.9.9')}"),
        "a file with another checksum": lambda root: (root / f"dist/{static}.spdx.json").write_text("{}"),
        "an archive that is not there": lambda root: (root / "dist" / archive_name).unlink(),
        "a binary of changed sources": lambda root: Dist(release.binary, {**release.version, "commit": release.version["commit"] + "-changed"}, root / "own").make(root / "dist") and None,
        "an action that installs another version": edited("action.yml", f"default: {version}", "default: 9.9.9"),
        "a formula of another version": resigned("carryover.rb", edited("dist/carryover.rb", f'version "{version}"', 'version "9.9.9"')),
        "a formula with another checksum": resigned("carryover.rb", edited("dist/carryover.rb", 'sha256 "', 'sha256 "0')),
        "a formula that loads another release": resigned("carryover.rb", edited("dist/carryover.rb", f"/v{version}/", "/v9.9.9/")),
        "a package of another version": replaced(redhat.name(release.version), rpm),
        "an image of another version": replaced(image.name(release.version), lambda build: image.image(build.version, build.items, DAY, bill.licences(build.version))),
        "an SPDX bill of another version": replaced(f"{static}.spdx.json", lambda build: bill.spdx(build.version, b"", DAY).encode()),
        "a CycloneDX bill of another version": replaced(f"{static}.cdx.json", lambda build: bill.cyclonedx(build.version, b"", DAY).encode()),
        **{f"no {name}": absent(name) for name in sorted(dist.names(release.version) - {dist.SUMS})},
        "no checksums": lambda root: (root / "dist" / dist.SUMS).unlink(),
        "a file that is no part of a release": lambda root: (root / "dist/carryover-old.deb").touch(),
        "commands of two commits": mixed,
        "a formula of another commit": resigned("carryover.rb", edited("dist/carryover.rb", release.version["commit"], "1" * 40)),
        "a formula of another tag": resigned("carryover.rb", edited("dist/carryover.rb", f'tag: "v{version}"', 'tag: "v9.9.9"')),
        "another checksum beside an archive": edited(f"dist/{static}.tar.gz.sha256", "  ", "0  "),
        "no signature": lambda root: (root / "dist/SHA256SUMS.minisig").unlink(),
        "checksums changed after signing": lambda root: (root / "dist/SHA256SUMS").write_text("\n".join(sorted((root / "dist/SHA256SUMS").read_text().split("\n"))[1:]) + "\n") and None,
        "a line of the checksums without a name": edited("dist/SHA256SUMS", f"  {static}.tar.gz\n", f"  {static}.tar.gz\n\n"),
        "another key": other_key,
        "a signature for another version": lambda root: dist.sign(root / "dist", release.secret, "9.9.9"),
    }
    tag = f"v{version}"
    # What a real release must be in addition: the plant, the tag and the key.
    real: dict[str, tuple[Callable[[Path], None], str, Path | None]] = {
        "nothing in a release": (retagged("HEAD~"), tag, release.public),
        "a tag of another version": (lambda root: subprocess.run(["git", "-C", root, "tag", "v9.9.9", "HEAD~"], check=True) and None, "v9.9.9", release.public),
        "a tag of another commit": (retagged("HEAD"), tag, release.public),
        "a tag that is not there": (lambda root: None, tag, release.public),
        "no key to a release": (retagged("HEAD~"), tag, None),
    }
    for place, word in (("Packaging/project.py", "example/carryover"), ("Packaging/project.py", "carryover@example.com"), ("Documentation/Install.md", "example/carryover")):
        def placeholder(root: Path, place: str = place, word: str = word) -> None:
            retagged("HEAD~")(root)
            (root / place).write_text((root / place).read_text() + word)
        real[f"{word} in {place}"] = placeholder, tag, release.public

    def old_formula(root: Path) -> None:
        retagged("HEAD~")(root)
        resigned("carryover.rb", edited("dist/carryover.rb", f'homepage "{HOME}"', 'homepage "https://github.com/example/carryover"'))(root)
    real["a placeholder in the formula"] = old_formula, tag, release.public
    found = []
    cases = [(name, plant, None, release.public) for name, plant in [("nothing", lambda root: None), *plants.items()]]
    for name, plant, tag, public in cases + [(name, *case) for name, case in real.items()]:
        root = folder / re.sub("[ /]", "-", name)
        (root / constant).parent.mkdir(parents=True)
        shutil.copy(REPOSITORY / constant, root / constant)
        (root / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n")
        shutil.copy(REPOSITORY / "action.yml", root / "action.yml")
        for place in ("Packaging/project.py", "Documentation/Audit.md", "Documentation/Install.md"):
            (root / place).parent.mkdir(exist_ok=True)
            (root / place).write_text((REPOSITORY / place).read_text().replace("example/carryover", "acme/carryover").replace("example.com", "acme.test"))
        shutil.copytree(release.folder / "repository/.git", root / ".git")
        shutil.copytree(made, root / "dist")
        plant(root)
        said = check.problems(root, root / "dist", public, tag)
        if bool(said) == name.startswith("nothing"):
            found.append(f"release-check, with {name}, says {said}")
    return found
