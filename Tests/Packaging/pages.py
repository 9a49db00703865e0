"""The manual pages: what mandoc says of them, and whether they have every option of every command once."""

import json
import re
import shutil
import subprocess
from pathlib import Path

from examples import EXAMPLES, KEY
from installed import SAMPLE
from manual import inner

# Their screens are tried elsewhere.
ON_SCREEN = re.compile(r"carryover (review |browse |AcmeShop)")


def problems(binary: Path, folder: Path) -> list[str]:
    pages = {path.name: path for path in folder.iterdir()}
    # In the folder of the pages, mandoc finds those that they refer to.
    lint = subprocess.run(["mandoc", "-Tlint", *sorted(pages)], cwd=folder, capture_output=True, text=True)
    # mandoc wants the system's own name in the footer, for which groff says BSD.
    found = [f"mandoc: {line}" for line in lint.stdout.splitlines() if "STYLE: operating system explicitly specified" not in line]
    root = json.loads(subprocess.run([binary, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout)["command"]
    commands = inner(root)
    expected = {f"carryover-{command['commandName']}.1" for command in commands} | {"carryover.1", "carryover-recipe.5", "carryover-config.5"}
    if set(pages) != expected:
        return [*found, f"there are pages for {sorted(set(pages) ^ expected)}, or none"]
    for command in [root, *commands]:
        name = "carryover.1" if command is root else f"carryover-{command['commandName']}.1"
        own = [] if command is root else inner(command)
        names = [("--" if option["kind"] == "long" else "-") + option["name"]
                 for item in [command, *own] for argument in item.get("arguments", [])
                 if argument["kind"] != "positional" and argument.get("shouldDisplay", True) for option in argument["names"]]
        entries = [f"-{option}" for entry in re.findall(r"^\.It (Fl .*)$", pages[name].read_text(), re.MULTILINE) for option in re.findall(r"Fl (\S+)", entry)]
        if sorted(entries) != sorted(names):
            found.append(f"{name} has the options {sorted(entries)}, not {sorted(names)}")
    return found


def examples(binary: Path, folder: Path) -> list[str]:
    found = []
    for page, lines in EXAMPLES.items():
        work = folder / (page or "main")
        (work / "bin").mkdir(parents=True)
        shutil.copytree(SAMPLE, work / SAMPLE.name)
        shutil.make_archive(str(work / "Case4711"), "zip", SAMPLE.parent, SAMPLE.name)
        (work / "bin/carryover").symlink_to(binary)
        environment = {"PATH": f"{work}/bin:/usr/bin:/bin", "HOME": str(work), "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": str(work / "state")}
        before = [f"carryover apply AcmeShop.xcappdata {KEY} --set user_id=42 --set rudder.app_build=420 --yes"] if page in ("rollback", "cleanup", "history") else []
        for command in before + [command for _, command in lines if not ON_SCREEN.match(command)]:
            ran = subprocess.run(["sh", "-c", command], cwd=work, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            if ran.returncode:
                found.append(f"in carryover({page or 1}), {command} ends with {ran.returncode}: {(ran.stdout + ran.stderr)[-500:]}")
    return found
