"""The manual pages: what mandoc says of them, and whether they have every option of every command once."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from installed import REPOSITORY


def problems(binary: Path, folder: Path) -> list[str]:
    """- folder: where the pages are."""
    found = []
    pages = sorted(folder.rglob("carryover*.[15]"))
    # In the folder of the pages, mandoc finds those that they refer to.
    lint = subprocess.run(["mandoc", "-Tlint", *[page.name for page in gathered(pages, folder)]], cwd=folder, capture_output=True, text=True)
    if lint.stdout or lint.returncode:
        found.append(f"mandoc: {lint.stdout}")
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
