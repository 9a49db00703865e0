"""What `make dist` makes: the archive, the Debian package, the checksums and their signature; the static command where there
is nothing else; and everything made again."""

import datetime
import os
import re
import shutil
import stat
import subprocess
import tarfile
import tempfile
from contextlib import suppress
from pathlib import Path

import release
import static
from contents import version
from installed import OPTIONS, REPOSITORY, SAMPLE, at_work, different, packaging
from shells import PATIENCE, Session, Stuck

# Not everybody has it on the path, and the command gets none.
CHROOT = shutil.which("chroot", path="/usr/sbin:/usr/bin:/sbin:/bin") or "chroot"


def problems(binary: Path, folder: Path) -> list[str]:
    """Makes everything twice, on two days of this machine, and unpacks what it has made."""
    folder.mkdir()
    # The names of functions in a debug build would only take time.
    binary = Path(shutil.copy(binary, folder / "carryover"))
    subprocess.run(["strip", binary], check=True)
    secret, public = folder / "carryover.key", folder / "carryover.pub"
    subprocess.run(["minisign", "-G", "-W", "-p", public, "-s", secret], check=True, capture_output=True)
    for name in ("one", "two"):
        packaging("dist", folder / name, "--binary", binary, *(["--key", secret] if name == "one" else []))
    one, said = folder / "one", version(binary)
    signature = one / f"{release.SUMS}.minisig"
    verified = subprocess.run(["minisign", "-V", "-Q", "-p", public, "-m", release.SUMS], cwd=one, capture_output=True, text=True)
    found = [] if verified.stdout.strip() == f"carryover {said['version']}" else [f"minisign: {verified.stdout}{verified.stderr}"]
    signature.unlink()
    found += [f"{name} is another the second time" for name in different(one, folder / "two")]
    for sums in (release.SUMS, *(path.name for path in one.glob("*.sha256"))):
        checked = subprocess.run(["sha256sum", "--check", "--strict", sums], cwd=one, capture_output=True, text=True)
        found += [f"{sums}: {checked.stdout}{checked.stderr}"] if checked.returncode else []
    with tarfile.open(next(one.glob("*.tar.gz"))) as tar:
        tar.extractall(folder / "unpacked")
        owners = {(member.uid, member.gid, member.mtime) for member in tar}
    unpacked = next((folder / "unpacked").iterdir())
    if len(owners) != 1 or not {"carryover", "LICENSE", "THIRD-PARTY.txt", "man", "completions"} <= {path.name for path in unpacked.iterdir()}:
        found.append(f"the archive has {sorted(path.name for path in unpacked.iterdir())}, of {owners}")
    if "libyaml" not in (unpacked / "THIRD-PARTY.txt").read_text():
        found.append("THIRD-PARTY.txt does not name libyaml")
    found += at_work([unpacked / "carryover"], folder / "work", folder / "work")
    package = next(one.glob("*.deb"))
    subprocess.run(["dpkg-deb", "--extract", package, folder / "debian"], check=True)
    field = subprocess.run(["dpkg-deb", "--showformat", "${Version} ${Depends}", "--show", package], check=True, capture_output=True, text=True).stdout
    if not re.match(rf"{re.escape(said['version'])}-\d+ .*libc6 .*libncursesw6", field):
        found.append(f"the Debian package has the fields {field}")
    for place in ("bin/carryover", "share/man/man1/carryover.1.gz", "share/bash-completion/completions/carryover", "share/zsh/vendor-completions/_carryover", "share/doc/carryover/copyright"):
        if not (folder / "debian/usr" / place).is_file():
            found.append(f"the Debian package has no {place}")
    return found


def release_problems(binary: Path, folder: Path) -> list[str]:
    """Whether each thing that disagrees with a tag keeps it from being a release, and nothing else does."""
    said = version(binary)
    number, day = said["version"], str(datetime.date.fromisoformat(said["date"] or "2026-01-31"))
    places = ["Sources/CarryoverCommand/Process/Version.swift", "action.yml", "Packaging/release.py", "Documentation/Release.md", "Documentation/Install.md", "Site/mkdocs.yml"]
    for place in places:
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text((REPOSITORY / place).read_text().replace("example/", "acme/").replace("@example.", "@acme.").replace("//example.", "//acme."))
    (folder / "CHANGELOG.md").write_text(f"# Changelog\n\n## {number} - {day}\n")
    git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for command in (["init", "--quiet"], ["commit", "--quiet", "--allow-empty", "--message", "a"], ["tag", f"v{number}"], ["tag", "v9.9.9"]):
        subprocess.run([*git, *command], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    command = folder / "command"

    def found(commit: str = commit, day: str = day, tag: str = f"v{number}", signed: bool = True) -> list[str]:
        command.write_text(f"#!/bin/sh\necho '{{\"version\": \"{number}\", \"commit\": \"{commit}\", \"date\": \"{day}\"}}'\n")
        command.chmod(0o755)
        return release.problems(folder, [command], tag, signed)

    wrong = [f"a release has the problems {found()}"] if found() else []
    for what, changes in {"another commit": {"commit": "1" * 40}, "another day": {"day": "2001-01-01"}, "another tag": {"tag": "v9.9.9"},
                          "no tag": {"tag": "v8"}, "no signature": {"signed": False}}.items():
        wrong += [] if found(**changes) else [f"{what} does not stop a release"]
    for place, before, after in (
        (places[0], f'text = "{number}"', 'text = "9.9.9"'), ("CHANGELOG.md", "## ", "## Unreleased\n\n## "), ("action.yml", f"default: {number}", "default: 9.9.9"),
        (places[2], "acme/", "example/"), (places[3], "acme/", "example/"), (places[4], "acme/", "example/"), (places[5], "acme/", "example/"),
    ):
        text = (folder / place).read_text()
        (folder / place).write_text(text.replace(before, after))
        wrong += [] if found() else [f"{after} in {place} does not stop a release"]
        (folder / place).write_text(text)
    return wrong


def alone(dist: Path, folder: Path) -> list[str]:
    """The static command in an empty root: applied and rolled back, archives of each form, an audit, every terminal it knows."""
    root = folder / "root"
    with tarfile.open(next(dist.glob("*-static.tar.gz"))) as tar:
        tar.extractall(folder)
    (root / "usr/bin").mkdir(parents=True)
    for place in ("home", "tmp", "dev"):
        (root / place).mkdir()
    shutil.copy(next(folder.glob("*/carryover")), root / "usr/bin/carryover")
    needs = subprocess.run(["readelf", "--program-headers", "--dynamic", root / "usr/bin/carryover"], capture_output=True, text=True).stdout
    found = [f"the static command has {word}" for word in ("INTERP", "NEEDED") if word in needs]
    found += at_work([CHROOT, root, "/usr/bin/carryover"], Path("/home"), root, place="/")
    for form in ("zip", "tar", "gztar", "bztar", "xztar"):
        archive = shutil.make_archive(str(root / form), form, SAMPLE.parent, SAMPLE.name)
        found += failed(root, "plan", f"/{Path(archive).name}", *OPTIONS)
    # Its workers say nothing to /dev/null.
    os.mknod(root / "dev/null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    found += failed(root, "audit", f"/{SAMPLE.name}", *OPTIONS, "-o", "/audit")
    for terminal in [*static.TERMINALS, "unheard-of"]:
        expected = "is not known" if terminal == "unheard-of" else "user_id"
        if expected not in (shown := review(root, terminal)):
            found.append(f"on {terminal}, the review shows {shown[-300:]!r}")
    return found


def failed(root: Path, *arguments: str) -> list[str]:
    ran = subprocess.run([CHROOT, root, "/usr/bin/carryover", *arguments], env={"HOME": "/home"}, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return [f"{' '.join(arguments)} ends with {ran.returncode}: {ran.stdout[-500:]}{ran.stderr[-500:]}"] if ran.returncode else []


def review(root: Path, terminal: str) -> str:
    """What the review sends to a terminal until it has shown the fields or ended."""
    command = [CHROOT, root, "/usr/bin/carryover", "review", f"/{SAMPLE.name}", "--no-config", *OPTIONS]
    environment = {"HOME": "/home", "LC_ALL": None, "XDG_STATE_HOME": None}
    with Session(command, environment=environment, term=terminal, columns=120, rows=40) as session, suppress(Stuck):
        session.wait("the fields", lambda: b"user_id" in session.output or session.status is not None, PATIENCE)
    return session.output.decode(errors="replace")


def again(dist: Path) -> list[str]:
    """Makes everything again from the last commit, in another folder, and compares every byte."""
    if subprocess.run(["git", "diff", "--quiet", "HEAD"], cwd=REPOSITORY).returncode:
        return ["the sources have changes that are not committed"]
    with tempfile.TemporaryDirectory(prefix="carryover-made-again-") as folder:
        subprocess.run(["git", "clone", "--quiet", "--no-local", REPOSITORY, folder], check=True)
        # The versions of the packages are no part of the sources.
        shutil.copy(REPOSITORY / "Package.resolved", folder)
        subprocess.run(["make", "dist"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return [f"{name} differs" for name in different(dist, Path(folder, ".build/dist"))]
