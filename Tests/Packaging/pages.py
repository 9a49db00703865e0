"""The manual pages: what mandoc says of them, and whether they have every option of every command once."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

from installed import REPOSITORY, SAMPLE

PATIENCE = 60


def problems(binary: Path, folder: Path) -> list[str]:
    """- folder: where the pages are."""
    found = []
    pages = sorted(folder.rglob("carryover*.[15]"))
    # In the folder of the pages, mandoc finds those that they refer to.
    lint = subprocess.run(["mandoc", "-Tlint", *[page.name for page in gathered(pages, folder)]], cwd=folder, capture_output=True, text=True)
    # mandoc wants the system's own name in the footer, for which groff says BSD.
    said = [line for line in lint.stdout.splitlines() if "STYLE: operating system explicitly specified" not in line]
    if said or lint.returncode > 1:
        found.append(f"mandoc: {said}")
    root = json.loads(subprocess.run([binary, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout)["command"]
    commands = [command for command in root["subcommands"] if command["commandName"] != "help"]
    expected = {f"carryover-{command['commandName']}.1" for command in commands} | {"carryover.1", "carryover-recipe.5", "carryover-config.5"}
    if {page.name for page in pages} != expected:
        found.append(f"there are pages for {sorted({page.name for page in pages} ^ expected)}, or none")
    texts = {page.name: rendered(page) for page in pages}
    found += compared("carryover.1", texts["carryover.1"], root)
    for command in commands:
        name = f"carryover-{command['commandName']}.1"
        text = texts.get(name, "")
        inner = [item for item in command.get("subcommands", []) if item["commandName"] != "help"]
        for item in inner:
            title = f"{command['commandName']} {item['commandName']}"
            part = re.search(rf"^   {title}( \(or [^\n]*\))?\n(.*?)(?=^   \S|^\S)", text, re.MULTILINE | re.DOTALL)
            found += compared(f"{name}, {title}", part.group(2) if part else "", item)
        own = re.search(r"^OPTIONS\n(.*?)(?=^\S)", text, re.MULTILINE | re.DOTALL)
        found += compared(name, own.group(1) if own else "", command)
    for name in expected - {"carryover-recipe.5", "carryover-config.5"}:
        if "\nEXIT STATUS\n" not in texts.get(name, ""):
            found.append(f"{name} has no exit statuses")
    return found + ["carryover.1 has no files or no environment"] * (not {"FILES", "ENVIRONMENT", "EXAMPLES"} <= set(texts["carryover.1"].split("\n")))


def examples(binary: Path, folder: Path) -> list[str]:
    """The examples that fail on the sample. A command that opens a screen gets a terminal, and q."""
    sys.path.insert(0, str(REPOSITORY / "Packaging"))
    from examples import EXAMPLES, KEY
    found = []
    for page, lines in EXAMPLES.items():
        work = folder / (page or "main")
        (work / "bin").mkdir(parents=True)
        shutil.copytree(SAMPLE, work / SAMPLE.name)
        shutil.make_archive(str(work / "Case4711"), "zip", SAMPLE.parent, SAMPLE.name)
        (work / "bin/carryover").symlink_to(binary)
        environment = {"PATH": f"{work}/bin:/usr/bin:/bin", "HOME": str(work), "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "XDG_STATE_HOME": str(work / "state")}
        before = [f"carryover apply AcmeShop.xcappdata {KEY} --set user_id=42 --set rudder.app_build=420 --yes"] if page in ("rollback", "cleanup", "history") else []
        for command in before + [command for _, command in lines]:
            status, said = on_screen(command, work, environment) if page in ("", "review", "browse") and " plan" not in command else piped(command, work, environment)
            if status:
                found.append(f"in carryover({page or 1}), {command} ends with {status}: {said[-500:]}")
    return found


def piped(command: str, folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    ran = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return ran.returncode, ran.stdout + ran.stderr


def on_screen(command: str, folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    process, descriptor = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execvpe("sh", ["sh", "-c", command], environment)
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    seen, end = b"", time.monotonic() + PATIENCE
    try:
        while time.monotonic() < end:
            if not select.select([descriptor], [], [], 0.5)[0] and seen:
                os.write(descriptor, b"q")
            else:
                seen += os.read(descriptor, 65536)
    except OSError:
        # It has ended.
        pass
    os.close(descriptor)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), seen.decode(errors="replace")


def day(folder: Path) -> list[str]:
    """Whether sources without a repository have the day of their last version, and none without that."""
    sys.path.insert(0, str(REPOSITORY / "Packaging"))
    import manual
    (folder / "Documentation").mkdir(parents=True)
    own, manual.DOCUMENTATION = manual.DOCUMENTATION, folder / "Documentation"
    days = []
    for text in ("## Unreleased\n\n## 0.2.0 - 2026-01-31\n\n## 0.1.0 - 2025-01-31\n", "## Unreleased\n"):
        (folder / "CHANGELOG.md").write_text(text)
        try:
            days.append(str(manual.release_day({}, {})))
        except SystemExit as error:
            days.append(str(error)[:7])
    manual.DOCUMENTATION = own
    return [] if days == ["2026-01-31", "manual:"] else [f"without a repository, the days are {days}"]


def gathered(pages: list[Path], folder: Path) -> list[Path]:
    return [Path(shutil.copy(page, folder / page.name)) if page.parent != folder else page for page in pages]


def rendered(page: Path) -> str:
    """A page as a terminal shows it, without bold print."""
    text = subprocess.run(["mandoc", "-Tutf8", "-Owidth=200", page], check=True, capture_output=True, text=True).stdout
    return re.sub(".\b", "", text)


def compared(place: str, text: str, command: dict) -> list[str]:
    """The options that a text does not have exactly once as an entry of a list."""
    entries = [name for line in re.findall(r"^     (-.*)$", text, re.MULTILINE) for name in re.findall(r"(?:^|, )(--?[\w-]+)", line.split("  ")[0])]
    names = [
        ("--" if name["kind"] == "long" else "-") + name["name"]
        for argument in command.get("arguments", []) if argument["kind"] != "positional" and argument.get("shouldDisplay", True)
        for name in argument["names"]
    ]
    return [] if sorted(entries) == sorted(names) else [f"{place} has the options {sorted(entries)}, not {sorted(names)}"]
