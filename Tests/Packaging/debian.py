"""The Debian package: lintian, then installed, at work and purged in a new Debian."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from installed import SAMPLE, different, files
from keys import Terminal, reviewed

SUITE = "bookworm"
# What dpkg itself writes down.
RECORDS = re.compile(r"var/(lib/dpkg|log|cache/debconf|cache/man|lib/systemd)(/|$)")
# The package is not Debian's own.
ALLOWED = {"initial-upload-closes-no-bugs"}


def problems(dist: Path, folder: Path) -> list[str]:
    """- dist: what make dist has made."""
    packages = list(dist.glob("*.deb"))
    if len(packages) != 1:
        return [f"make dist has made {len(packages)} Debian packages"]
    found = lint(packages[0])
    root = folder / "root"
    depends = subprocess.run(["dpkg-deb", "--field", packages[0], "Depends"], check=True, capture_output=True, text=True).stdout
    names = ",".join([*re.findall(r"(?:^|, )([a-z0-9.+-]+)", depends), "bash-completion", "man-db"])
    made = subprocess.run(["debootstrap", "--variant=minbase", f"--include={names}", SUITE, root], capture_output=True, text=True)
    if made.returncode:
        return [*found, f"debootstrap: {made.stdout[-2000:]}"]
    before = listing(root)
    shutil.copy(packages[0], root / "carryover.deb")
    shutil.copytree(SAMPLE, root / "AcmeShop.xcappdata")

    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/home", "LC_ALL": "C.UTF-8"}

    def run(*command: str) -> str:
        ran = subprocess.run(["chroot", root, *command], capture_output=True, text=True, stdin=subprocess.DEVNULL, env=environment)
        if ran.returncode:
            found.append(f"{' '.join(command)} ends with {ran.returncode}: {ran.stdout}{ran.stderr}")
        return ran.stdout

    run("dpkg", "--install", "/carryover.deb")
    for place in ("usr/share/man/man1/carryover.1.gz", "usr/share/bash-completion/completions/carryover", "usr/share/zsh/vendor-completions/_carryover"):
        if not (root / place).is_file():
            found.append(f"the package has no {place}")
    version = run("carryover", "--version").strip()
    if f"_{version}-" not in packages[0].name:
        found.append(f"{packages[0].name} has version {version}")
    options = ["/AcmeShop.xcappdata", "--write-key", "1xAcmeWriteKey", "--now", "2025-11-20T12:05:00Z"]
    run("carryover", "plan", *options)
    run("carryover", "apply", *options, "--set", "user_id=42", "--set", "rudder.app_build=420", "--yes")
    run("carryover", "rollback", "/AcmeShop.xcappdata", "--yes")
    found += [f"after the rollback, {name} differs" for name in different(SAMPLE, root / "AcmeShop.xcappdata") if not name.startswith(".carryover")]
    shutil.rmtree(root / "AcmeShop.xcappdata")
    shutil.copytree(SAMPLE, root / "AcmeShop.xcappdata")
    found += reviewed(root, "the Debian package", environment) + completed(root, environment)
    if not re.search("carryover . shows what", page := run("man", "carryover")):
        found.append(f"man carryover shows {page[:500]}")
    installed = listing(root)
    newer(packages[0], root / "newer.deb", folder / "newer")
    run("dpkg", "--install", "/newer.deb")
    if not (now := run("dpkg-query", "--show", "--showformat=${Version}", "carryover")).endswith(".1"):
        found.append(f"the upgrade leaves version {now}")
    (root / "newer.deb").unlink()
    if changes := installed ^ listing(root):
        found.append(f"after the upgrade, these differ: {sorted(changes)}")
    run("dpkg", "--purge", "carryover")
    for name in ("carryover.deb", "AcmeShop.xcappdata", "home/.local"):
        shutil.rmtree(root / name) if (root / name).is_dir() else (root / name).unlink(missing_ok=True)
    changes = before ^ listing(root)
    return found + ([f"after the purge, these differ: {sorted(changes)}"] if changes else [])


def completed(root: Path, environment: dict[str, str]) -> list[str]:
    """Whether bash loads the completion from where the package has put it, at the first Tab."""
    # bash reads what a completion says from /dev/fd.
    subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
    terminal = Terminal(root, ["bash", "--norc", "-i"], environment | {"PS1": "ready> "})
    try:
        terminal.press("", "ready>")
        terminal.press(". /usr/share/bash-completion/bash_completion; echo lo''aded\r", "loaded")
        terminal.press("carryover dia\t", "carryover diagnose")
        terminal.press("AcmeShop.xcappdata --write-k\t", "--write-key")
    except AssertionError as error:
        return [f"completion in the new Debian: {error}"]
    finally:
        terminal.close()
        subprocess.run(["umount", root / "proc"], check=True)
    return []


def newer(package: Path, path: Path, folder: Path) -> None:
    """A package of a later version with the same files."""
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
    control = folder / "DEBIAN/control"
    control.write_text(re.sub(r"^(Version: .*)$", r"\1.1", control.read_text(), flags=re.MULTILINE))
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", folder, path], check=True, stdout=subprocess.DEVNULL)


def listing(root: Path) -> set[str]:
    return {name for name in files(root) if not RECORDS.match(name) and not name.startswith(("proc/", "sys/", "dev/"))}


def lint(package: Path) -> list[str]:
    said = subprocess.run(["lintian", "--tag-display-limit", "0", "--allow-root", package], capture_output=True, text=True)
    lines = [line for line in said.stdout.splitlines() if line[:2] in ("E:", "W:")]
    return [f"lintian: {line}" for line in lines if line.split()[2] not in ALLOWED]
