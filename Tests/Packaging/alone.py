"""The static command where there is nothing else: in an empty root, in the root of the rpm package, in the image's layer."""

from __future__ import annotations

import datetime
import gzip
import io
import json
import os
import pty
import shutil
import stat
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from installed import REPOSITORY, SAMPLE, different
from keys import OPTIONS, PATIENCE, reviewed

sys.path.insert(0, str(REPOSITORY / "Packaging"))

import redhat  # noqa: E402
import static  # noqa: E402
import tree  # noqa: E402

# Everything is in the one static command; the release signs the checksums of all files; licences are as SPDX names them.
# rpmlint 2.4 takes the section of a page for its name, and wants the tag Group, which no distribution uses any more.
ALLOWED = ["no-group-tag", "statically-linked-binary", "no-signature", "invalid-license", "no-manual-page-for-binary"]
# Not everybody has it on the path, and the command gets none.
CHROOT = shutil.which("chroot", path="/usr/sbin:/usr/bin:/sbin:/bin") or "chroot"


def problems(dist: Path, folder: Path) -> list[str]:
    """- dist: what make dist has made."""
    found = []
    archive = one(dist, "*-static.tar.gz")
    root = folder / "archive"
    with tarfile.open(archive) as file:
        file.extractall(folder / "unpacked")
    (root / "usr/bin").mkdir(parents=True)
    command = next((folder / "unpacked").glob("*/carryover"))
    shutil.copy(command, root / "usr/bin/carryover")
    needs = subprocess.run(["readelf", "--program-headers", "--dynamic", command], capture_output=True, text=True).stdout
    found += [f"the static command has {word}" for word in ("INTERP", "NEEDED") if word in needs]
    found += at_work(root, "the static command")
    return found + rpm(one(dist, "*.rpm"), folder / "rpm") + container(one(dist, "*.oci"), folder / "image") + debug(dist, folder)


def one(dist: Path, pattern: str) -> Path:
    found = list(dist.glob(pattern))
    if len(found) != 1:
        raise SystemExit(f"packaging: make dist has made {len(found)} files {pattern}")
    return found[0]


def at_work(root: Path, title: str, environment: dict[str, str] | None = None) -> list[str]:
    """Plans, applies, rolls back, opens an archive of each form and the review, without anything of a system."""
    found: list[str] = []
    environment = environment or {"HOME": "/home"}
    (root / "home").mkdir(exist_ok=True)
    shutil.copytree(SAMPLE, root / "AcmeShop.xcappdata")

    def run(*arguments: str, status: int = 0) -> str:
        ran = subprocess.run([CHROOT, root, "/usr/bin/carryover", *arguments], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if ran.returncode != status:
            found.append(f"{title}: {' '.join(arguments)} ends with {ran.returncode}: {ran.stdout[-500:]}{ran.stderr[-500:]}")
        return ran.stdout

    plan = run("plan", "/AcmeShop.xcappdata", *OPTIONS, "--json")
    run("apply", "/AcmeShop.xcappdata", *OPTIONS, "--set", "user_id=42", "--set", "rudder.app_build=420", "--yes")
    run("rollback", "/AcmeShop.xcappdata", "--yes")
    found += [f"{title}: after the rollback, {name} differs" for name in different(SAMPLE, root / "AcmeShop.xcappdata") if not name.startswith(".carryover")]
    for again in (reviewed, None):
        shutil.rmtree(root / "AcmeShop.xcappdata")
        shutil.copytree(SAMPLE, root / "AcmeShop.xcappdata")
        found += again(root, title, environment) if again else []
    # Its workers say nothing to /dev/null, and need nothing else.
    (root / "dev").mkdir(exist_ok=True)
    os.mknod(root / "dev/null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    run("audit", "/AcmeShop.xcappdata", *OPTIONS, "-o", "/audit")
    for form in ("zip", "tar", "gztar", "bztar", "xztar"):
        made = shutil.make_archive(str(root / f"archive-{form}"), form, SAMPLE.parent, SAMPLE.name)
        opened = run("plan", f"/{Path(made).name}", *OPTIONS, "--json")
        if opened and plan and len(json.loads(opened)["fields"]) != len(json.loads(plan)["fields"]):
            found.append(f"{title}: the plan of the {form} has other fields")
    for terminal in static.TERMINALS:
        shown = review(root, environment, terminal)
        # What cannot move the cursor up and clear the screen cannot show one.
        if "user_id" not in shown:
            found.append(f"{title}: on {terminal}, the review shows {shown[-300:]!r}")
    if "is not known" not in (said := review(root, environment, "unheard-of")):
        found.append(f"{title}: on an unknown terminal, it says {said[-300:]!r}")
    return found


def review(root: Path, environment: dict[str, str], terminal: str) -> str:
    """What the review sends to a terminal until it has shown the fields or ended; `q` leaves it."""
    process, descriptor = pty.fork()
    if process == 0:
        os.chroot(root)
        os.chdir("/")
        os.execve("/usr/bin/carryover", ["carryover", "review", "/AcmeShop.xcappdata", "--no-config", *OPTIONS], environment | {"TERM": terminal})
    import fcntl
    import termios
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    seen, end = b"", time.monotonic() + PATIENCE
    try:
        while time.monotonic() < end:
            seen += os.read(descriptor, 65536)
            if b"user_id" in seen:
                break
    except OSError:
        pass
    os.kill(process, 9)
    os.waitpid(process, 0)
    os.close(descriptor)
    return seen.decode(errors="replace")


def rpm(package: Path, folder: Path) -> list[str]:
    """Installs the package into a root of its own, uses it, and removes it again."""
    root = folder / "root"
    root.mkdir(parents=True)
    settings = folder / "rpmlintrc.toml"
    settings.write_text(f'Filters = {json.dumps(ALLOWED)}\nCompressExtension = "gz"\n')
    lint = subprocess.run(["rpmlint", "--config", settings, package], capture_output=True, text=True)
    found = [f"rpmlint: {line}" for line in lint.stdout.splitlines() if " E: " in line or " W: " in line]
    if "0 errors" not in lint.stdout:
        found.append(f"rpmlint: {lint.stdout[-500:]}{lint.stderr[-500:]}")

    def run(*options: str) -> str:
        ran = subprocess.run(["rpm", "--root", root, "--dbpath", "/var/lib/rpm", *options], capture_output=True, text=True)
        if ran.returncode:
            found.append(f"rpm {' '.join(options)} ends with {ran.returncode}: {ran.stderr}")
        return ran.stdout

    run("--install", str(package))
    version = run("--query", "--queryformat", "%{VERSION}", "carryover")
    run("--upgrade", str(newer(root, version, folder / "newer.rpm")))
    if (now := run("--query", "--queryformat", "%{VERSION}", "carryover")) != f"{version}.1":
        found.append(f"rpm --upgrade leaves version {now}")
    if verified := run("--verify", "carryover"):
        found.append(f"rpm --verify: {verified}")
    found += at_work(root, "the rpm package")
    run("--erase", "carryover")
    left = [str(path) for path in root.rglob("*") if "carryover" in path.name and not path.is_relative_to(root / "home")]
    return found + ([f"after rpm --erase, there are {left}"] if left else [])


def newer(root: Path, version: str, path: Path) -> Path:
    """A package of a later version with the files that an earlier one has installed."""
    items = {}
    for file in filter(Path.is_file, (root / "usr").rglob("*")):
        place, content = str(file.relative_to(root / "usr")), file.read_bytes()
        page = place.startswith("share/man/")
        items[place.removesuffix(".gz") if page else place] = tree.Item(gzip.decompress(content) if page else content, file.stat().st_mode & 0o777)
    del items[redhat.CHANGES.removeprefix("usr/")]
    redhat.package({"version": f"{version}.1", "target": "linux-x86_64-static"}, items, "Apache-2.0", datetime.date(2026, 1, 31), path)
    return path


def container(path: Path, folder: Path) -> list[str]:
    """What skopeo reads in the image, and the command in the files of its layer."""
    said = subprocess.run(["skopeo", "inspect", "--config", f"oci-archive:{path}"], capture_output=True, text=True)
    if said.returncode:
        return [f"skopeo: {said.stderr}"]
    config = json.loads(said.stdout)["config"]
    found = []
    folder.mkdir()
    if config["User"] in ("", "0", "root") or config["Entrypoint"] != ["/usr/bin/carryover"] or not config["Labels"].get("org.opencontainers.image.revision"):
        found.append(f"the image's configuration is {config}")
    # As a registry would get it: skopeo compares every digest.
    copied = subprocess.run(["skopeo", "--insecure-policy", "copy", "--quiet", f"oci-archive:{path}", f"dir:{folder}/copied"], capture_output=True, text=True)
    if copied.returncode:
        return [*found, f"skopeo copy: {copied.stderr}"]
    layer = json.loads((folder / "copied/manifest.json").read_text())["layers"][0]["digest"].partition(":")[2]
    root = folder / "root"
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress((folder / "copied" / layer).read_bytes()))) as file:
        file.extractall(root)
    environment = dict(entry.split("=", 1) for entry in config["Env"])
    # Before the superuser has made folders that nobody else may open.
    nobody = subprocess.run(
        [CHROOT, f"--userspec={config['User']}", root, "/usr/bin/carryover", "doctor"], env=environment, capture_output=True, text=True)
    if nobody.returncode:
        found.append(f"as {config['User']}, doctor says {nobody.stdout}{nobody.stderr}")
    found += at_work(root, "the image", environment)
    if "✗" not in review(root, environment, "xterm-256color") and "▲" not in review(root, environment, "xterm-256color"):
        found.append("the image shows ASCII only")
    return found


def debug(dist: Path, folder: Path) -> list[str]:
    """Whether the debug file of each command has its build id, and names its functions."""
    found = []
    for path in sorted(dist.glob("*-debug.tar.gz")):
        kind = path.name.removesuffix("-debug.tar.gz").split("-", 2)[2]
        for archive in (path, one(dist, f"*-{kind}.tar.gz")):
            with tarfile.open(archive) as file:
                file.extractall(folder / "debug" / path.name)
        binary, names = (next((folder / "debug" / path.name).glob(f"*/{name}")) for name in ("carryover", "carryover.debug"))
        ids = {subprocess.run(["readelf", "--notes", file], capture_output=True, text=True).stdout.partition("Build ID: ")[2].split("\n")[0] for file in (binary, names)}
        if len(ids) != 1 or ids == {""}:
            found.append(f"{path.name} and its command have the build ids {ids}")
        address = subprocess.run(["nm", names], capture_output=True, text=True).stdout.partition(" T carryover_main\n")[0].split()[-1:]
        said = subprocess.run(["addr2line", "--functions", "--exe", names, *address], capture_output=True, text=True).stdout
        if not said.startswith("carryover_main"):
            found.append(f"{path.name} does not name the function at {address}: {said}")
    return found if list(dist.glob("*-debug.tar.gz")) else ["there are no debug files"]
