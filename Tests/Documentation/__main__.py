#!/usr/bin/env python3
"""Runs what the pages of Documentation and the README show.

    python3 Tests/Documentation [PAGE …]              every command, and every output that a page shows
    python3 Tests/Documentation --record [PAGE …]     writes the outputs into the pages

A page has a folder of its own with samples (see `world`), in which its blocks run in order:

* `sh`: every line that begins with carryover, and what prepares it (cp, mkdir, …). It must end with 0, or with the status in
  the comment before the block, `<!-- status: 3 -->`. What other tools do is tried elsewhere: `ELSEWHERE` says where.
* `console`: lines that begin with `$ ` run; the lines below them are what they print. `<!-- lines: 1-4 9 -->` before the block
  shows only these, with … for the others; `<!-- parts: 1-3 -->` counts what blank lines separate.
* a block after `<!-- file: policy.yaml -->` becomes that file, for the commands after it.
* `yaml` without it is a recipe or a part of one, which must be without errors: the other members are those of `RECIPE`.
  `<!-- tested: Tests/Packaging/action.py -->` says that another test reads it.

Questions are answered with yes, screens open line by line and end, what watches ends after a second, and the time is that of the samples. Status 1 if anything
is wrong.
"""

import argparse
import difflib
import os
import plistlib
import re
import shlex
import shutil
import sqlite3
import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
NOW = "2025-11-20T12:05:00Z"
BLOCK = re.compile(r"((?:^<!-- (?:status|lines|parts|file|tested|snippet|recipe): .*? -->\n)*)^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN = re.compile(r"\b\d{8}T\d{6}Z-(\d+)\b")
BATCH = re.compile(r"\bb\d{8}T\d{6}Z-[0-9a-f]{6}\b")
NOTE = re.compile(r"<!-- (\w+): (.*?) -->")
# Their commands are tried by Tests/Packaging, Tests/Audit and the tests of fleet.
ELSEWHERE = ("sudo", "cd carryover", "apt", "make", "tar", "install", "sha256sum", "minisign", "man", "pip", "python", "carryover-fleet", "git", "seq",
             "swift", "#!", "#SBATCH", "exec", "xcrun", "brew")
TAKES_NOW = ("plan", "apply", "diagnose", "report", "audit", "cleanup")
ASKS = ("delete", "apply", "rollback", "cleanup", "recover", "history prune", "recipe trust", "set")
SCREENS = ("review", "browse")
RECIPE = {
    "carryover": "recipe/1", "id": "acme", "version": "1", "title": "Acme 1 → 2", "about": "The SDK of Acme.",
    "read": '[{suite: "${bundle-id}"}]', "write": '{suite: "${bundle-id}.acme"}', "detect": "[acme_user]",
    "fields": "[{key: user, form: string, from: [{key: acme_user, steps: [text]}]}]",
}
WRAPPER = """#!/usr/bin/env python3
import os, signal, subprocess, sys, time
words = sys.argv[1:]
names = {names!r}
first = words[0] if words else ""
command = first + " " + words[1] if first in ("history", "recipe", "audit") and len(words) > 1 else first
if words and (not first.startswith("-") or first == "--accessible") and first not in names or first in {screens!r}:
    words += ["--accessible"] * ("--accessible" not in words)
plans = first in {now!r} and command not in ("audit report", "audit merge") or "--accessible" in words and first != "browse"
saved = first == "apply" and any(word.endswith(".json") for word in words)
if plans and "--now" not in words and not saved and not any(word.startswith("-h") for word in words):
    words += ["--now", "{moment}"]
if (first in {asks!r} or command in {asks!r}) and not {{"--yes", "--dry-run", "--rehearse", "--discard"}} & set(words) and command != "recover":
    words.append("--yes")
if first == "watch" or "--watch" in words:
    running = subprocess.Popen([{binary!r}, *words])
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    sys.exit(0 if running.wait(10) in (0, 130, -2) else 1)
sys.exit(subprocess.run([{binary!r}, *words]).returncode)
"""


def sample(name: str) -> Path:
    return REPOSITORY / f"Examples/{name}.xcappdata"


def world(folder: Path, binary: Path) -> dict[str, str]:
    """The samples under the names that pages use, and the environment."""
    copies = {
        "AcmeShop": "AcmeShop", "Updated": "Findings/target.fresh-identity", "OptedOut": "OptedOut", "Saved/Anna": "Clean", "Saved/Ben": "AcmeShop",
        "Saved/Carla": "Findings/target.fresh-identity", "Saved/Dilan": "OptedOut", "Saved/Emma": "NothingToMigrate",
        "Case4711/Anna": "Clean", "Case4711/Ben": "AcmeShop", "Person": "Person", "Snowplow": "Snowplow",
    }
    for name, original in copies.items():
        shutil.copytree(sample(original), folder / f"{name}.xcappdata", symlinks=True)
    two, tracker = folder / "TwoSDKs.xcappdata/AppData/Library", sample("Snowplow") / "AppData/Library"
    shutil.copytree(sample("AcmeShop"), two.parent.parent)
    preferences = [plistlib.loads((library / "Preferences/com.acme.shop.plist").read_bytes()) for library in (two, tracker)]
    (two / "Preferences/com.acme.shop.plist").write_bytes(plistlib.dumps(preferences[0] | preferences[1], fmt=plistlib.FMT_BINARY))
    shutil.copytree(tracker / "Application Support/snowplow", two / "Application Support/snowplow")
    for path in folder.rglob("*"):
        os.utime(path, (1_763_640_180, 1_763_640_180))
    shutil.make_archive(str(folder / "Case4711"), "zip", folder, "AcmeShop.xcappdata")
    backup(folder / "Backup", sample("AcmeShop") / "AppData")
    (folder / "bin").mkdir()
    said = subprocess.run([binary, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    names = re.findall(r'"commandName"\s*:\s*"([^"]+)"', said)
    wrapper = folder / "bin/carryover"
    wrapper.write_text(WRAPPER.format(names=names, screens=SCREENS, now=TAKES_NOW, asks=ASKS, moment=NOW, binary=str(binary)))
    wrapper.chmod(0o755)
    (folder / "Examples").symlink_to(REPOSITORY / "Examples")
    return {"PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder), "XDG_STATE_HOME": str(folder / ".state"), "LC_ALL": "C.UTF-8",
            "COLUMNS": "88", "TERM": "dumb", "EDITOR": "true", "TMPDIR": os.environ.get("TMPDIR", "/tmp")}


def backup(folder: Path, data: Path) -> None:
    """An unencrypted backup with one app."""
    folder.mkdir()
    (folder / "Manifest.plist").write_bytes(plistlib.dumps({"IsEncrypted": False, "Lockdown": {"ProductVersion": "17.0"}, "Applications": {"com.acme.shop": {}}}))
    database = sqlite3.connect(folder / "Manifest.db")
    database.execute("CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB)")
    for path in sorted(data.rglob("*")):
        name = path.relative_to(data).as_posix()
        number = hashlib.sha1(f"AppDomain-com.acme.shop-{name}".encode()).hexdigest()
        database.execute("INSERT INTO Files VALUES (?, 'AppDomain-com.acme.shop', ?, ?, NULL)", (number, name, 2 if path.is_dir() else 1))
        if path.is_file():
            (folder / number[:2]).mkdir(exist_ok=True)
            shutil.copyfile(path, folder / number[:2] / number)
    database.commit()
    database.close()


def commands(code: str) -> list[str]:
    """The lines of a shell, without their comments, those that go on as one."""
    lines = code.replace("\\\n", " ").splitlines()
    return [line for line in (re.sub(r"(^|\s)#(?![!S]).*$", "", line).strip() for line in lines) if line]


def shown(text: str, ranges: str, between: str) -> str:
    """The lines, or the parts between blank lines, that a page shows of an output, with … for the others."""
    pieces, result, last = text.rstrip("\n").split(between), [], 0
    for part in ranges.split():
        first, dash, end = part.partition("-")
        start, stop = int(first), int(end) if end else len(pieces) if dash else int(first)
        result += ["…"] * (start > last + 1) + pieces[start - 1:stop]
        last = stop
    return between.join(result + ["…"] * (last < len(pieces))) + "\n"


class Pages:
    def __init__(self, binary: Path, records: bool):
        self.binary, self.records = binary, records
        self.found: list[str] = []
        self.count = 0
        # The ids of runs by their numbers, and the last batch, as this machine has them: a page shows others.
        self.runs: dict[str, str] = {}
        self.batch = ""

    def run(self, page: Path) -> None:
        text = page.read_text()
        with tempfile.TemporaryDirectory() as name:
            self.folder, self.page = Path(name).resolve(), page.name
            self.runs, self.batch = {}, ""
            self.environment = world(self.folder, self.binary)
            result, end = [], 0
            for match in BLOCK.finditer(text):
                notes, language, code = dict(NOTE.findall(match[1])), match[2], match[3]
                result.append(text[end:match.start(3)])
                result.append(self.block(notes, language, code))
                end = match.end(3)
            written = "".join(result) + text[end:]
        if self.records and written != text:
            page.write_text(written)

    def block(self, notes: dict[str, str], language: str, code: str) -> str:
        if "file" in notes:
            (self.folder / notes["file"]).write_text(code)
        if "recipe" in notes:
            (self.folder / f"{notes['recipe']}.recipe.yaml").write_text(code)
        if "file" in notes or "tested" in notes:
            return code
        if language == "sh":
            for command in commands(code):
                if not command.startswith(ELSEWHERE):
                    self.ended(command, int(notes.get("status", 0)) if command == commands(code)[-1] else 0)
        elif language == "console":
            return self.session(notes, code)
        elif language == "yaml":
            self.recipe(code)
        return code

    def ended(self, command: str, status: int = 0) -> subprocess.CompletedProcess:
        self.count += 1
        command = RUN.sub(lambda match: self.runs.get(match[1], match[0]), command)
        command = BATCH.sub(self.batch, command) if self.batch else command
        ran = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        for match in RUN.finditer(ran.stdout + ran.stderr):
            self.runs[match[1]] = match[0]
        for match in BATCH.finditer(ran.stdout + ran.stderr):
            self.batch = match[0]
        if ran.returncode != status:
            self.found.append(f"{self.page}: {command}\n  ends with {ran.returncode}, not {status}: {(ran.stdout + ran.stderr)[-700:]}")
        return ran

    def session(self, notes: dict[str, str], code: str) -> str:
        parts = re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]
        result = ""
        for index, part in enumerate(parts):
            command = re.match(r"(?:.*\\\n)*.*\n", part)[0]
            ran = self.ended(commands(command)[0], int(notes.get("status", 0)) if index == len(parts) - 1 else 0)
            printed = (ran.stdout + ran.stderr).replace(str(self.folder) + "/", "").replace(str(self.folder), "~")
            printed = "\n".join(line.rstrip() for line in printed.rstrip("\n").split("\n")) + "\n" if printed.strip() else ""
            printed = printed if "--now" in command else printed.replace(f" --now {NOW}", "")
            for unit, between in (("lines", "\n"), ("parts", "\n\n")):
                printed = shown(printed, notes[unit], between) if unit in notes else printed
            result += "$ " + command + steady(printed)
        if result != code and not self.records:
            difference = "".join(difflib.unified_diff(code.splitlines(True), result.splitlines(True), "the page", "what is printed"))
            self.found.append(f"{self.page}: another output (make record writes it):\n{difference}")
        return result

    def recipe(self, code: str) -> None:
        """Lints a recipe, or a part of one with the rest of `RECIPE`."""
        if code.startswith("carryover: policy"):
            (self.folder / "policy.yaml").write_text(code)
            return
        part = "fields:\n" + code if code.startswith("- ") else code
        given = set(re.findall(r"^([\w-]+):", part, re.MULTILINE))
        rest = "" if "carryover" in given else "".join(f"{key}: {value}\n" for key, value in RECIPE.items() if key not in given)
        (self.folder / "part.recipe.yaml").write_text(rest + part)
        if self.ended("carryover recipe lint part.recipe.yaml").returncode:
            self.found[-1] += f"\n{code}"


def steady(printed: str) -> str:
    """What is another each time, as the same each time: the ids of runs and batches, and times of this machine."""
    printed = RUN.sub(r"20251120T120500Z-\1", printed)
    printed = BATCH.sub("b20251120T120500Z-3f9a1c", printed)
    return re.sub(r"\b20(?:2[6-9]|[3-9]\d)-\d\d-\d\d([T ])\d\d:\d\d:\d\d", r"2025-11-20\g<1>12:05:00", printed)


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/Documentation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=REPOSITORY / ".build/debug/carryover")
    parser.add_argument("--record", action="store_true", help="write the outputs into the pages")
    parser.add_argument("pages", nargs="*", type=Path)
    arguments = parser.parse_args()
    pages = Pages(arguments.binary.resolve(), arguments.record)
    for page in arguments.pages or [REPOSITORY / "README.md", *sorted((REPOSITORY / "Documentation").glob("*.md"))]:
        pages.run(page)
    print("\n\n".join(pages.found), end="\n" if pages.found else "")
    print(f"documentation: {pages.count} commands, {len(pages.found)} problems")
    return 1 if pages.found else 0


if __name__ == "__main__":
    sys.exit(main())
