#!/usr/bin/env python3
"""Checks on Linux the types of the Swift code that only Apple's systems compile, in every module and test that has some.

The compiler gets the sources with the conditions of Apple's systems, and the modules in `Scripts/apple` in the place of Apple's:
only the declarations that we use, in our words. Everything else comes from what `swift build` has built here, so it checks neither
what differs in Foundation nor availability, and nothing runs. A second pass plants a wrong line into every such branch of the
modules: each has to be found."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

from conditions import APPLE, only_apple, settled

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILT = ROOT / ".build/debug"
WORK = ROOT / ".build/apple"
SWIFTC = os.environ.get("SWIFTC", "swiftc")
FOLDERS = ["Sources/*", "Tests/*", "Examples/*/Sources/*"]
# Modules that have more to offer on Apple's systems: others are checked against that.
RICHER = ["CarryoverEncryption", "CarryoverUserDefaults"]
FOUND = "cannot convert value of type 'String' to specified type 'Int'"
LANGUAGE = ["-swift-version", "6", "-parse-as-library", "-module-cache-path", str(WORK / "cache"), "-I", str(WORK / "modules")]
for feature in ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"]:
    LANGUAGE += ["-enable-upcoming-feature", feature]


def flags() -> list:
    """What the package's build tells the compiler of the modules here. The package has the name of its folder."""
    name = re.search(r'"-module-name","CarryoverSystem".*?"-package-name","([^"]*)"', (ROOT / ".build/debug.yaml").read_text())
    compiler = pathlib.Path(shutil.which(SWIFTC) or SWIFTC).resolve().parent.parent
    found = [*LANGUAGE, "-I", str(BUILT / "Modules"), "-package-name", name[1], "-D", "DEBUG",
             "-plugin-path", str(compiler / "lib/swift/host/plugins")]
    for include in [*ROOT.glob("Sources/C*/include"), *ROOT.glob(".build/checkouts/swift-crypto/Sources/*/include")]:
        found += ["-Xcc", f"-I{include}"]
    for map in [*BUILT.glob("CCarryover*.build/module.modulemap"), *ROOT.glob("Sources/C*/module.modulemap")]:
        found += ["-Xcc", f"-fmodule-map-file={map}"]
    return found


def planted(text: str) -> tuple:
    """A source with a wrong line at the start of each branch that only Apple's systems compile, and these lines."""
    lines, places, alone = text.splitlines(), [], only_apple(text)
    for number, line in enumerate(lines):
        if alone[number] and not (number > 0 and alone[number - 1]):
            lines[number] = f'let planted{number}: Int = ""; {line}'
            places.append(number + 1)
    return "\n".join(lines), places


def has_code(text: str) -> bool:
    alone = [line for line, is_alone in zip(text.splitlines(), only_apple(text)) if is_alone]
    # Linux's Foundation brings the C library along. Beside Apple's, its names are ambiguous.
    return any(alone) and not ("import Foundation" in text and [line.strip() for line in alone] == ["import Darwin"])


class Sources:
    """The sources of a module as Apple's systems compile them: copies, with the same lines."""

    def __init__(self, folder: pathlib.Path, plants: bool = False):
        self.folder = folder
        self.work = WORK / ("planted" if plants else "sources") / folder.relative_to(ROOT)
        # Those with code for Apple's systems, and the others.
        self.checked, self.others, self.planted = [], [], set()
        for path in sorted(folder.rglob("*.swift")):
            text = path.read_text()
            if "#if" not in text:
                self.others.append(str(path))
                continue
            copy = self.work / path.relative_to(folder)
            (self.checked if has_code(text) else self.others).append(str(copy))
            if plants:
                text, places = planted(text)
                self.planted |= {(str(copy), place) for place in places}
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text("\n".join(settled(line, APPLE) for line in text.splitlines()) + "\n")

    def problems(self, options: list) -> list:
        """The compiler's errors, or the planted ones that it does not find."""
        primary = [part for path in self.checked for part in ("-primary-file", path)]
        code, output = run(["-frontend", "-typecheck", "-module-name", self.folder.name, *options, *primary, *self.others])
        if not self.planted:
            return [output.strip().replace(str(self.work), str(self.folder.relative_to(ROOT)))] if code != 0 else []
        found = re.finditer(rf"^(.+?):(\d+):\d+: error: {FOUND}", output, re.MULTILINE)
        missed = self.planted - {(match[1], int(match[2])) for match in found}
        return [f"a planted error in {path}:{line} was not found" for path, line in sorted(missed)]


def run(arguments: list) -> tuple:
    done = subprocess.run([SWIFTC, *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def make_module(name: str, sources: list, options: list) -> None:
    code, output = run(["-emit-module", "-module-name", name, *options, "-o", str(WORK / f"modules/{name}.swiftmodule"), *sources])
    if code != 0:
        sys.exit(output)


def main() -> int:
    if sys.platform == "darwin":
        print("check-apple: `swift build` checks this here")
        return 0
    shutil.rmtree(WORK / "modules", ignore_errors=True)
    (WORK / "modules").mkdir(parents=True)
    for name in ["DarwinTypes", "Darwin", "Security"]:
        make_module(name, [str(ROOT / f"Scripts/apple/{name}.swift")], LANGUAGE)
    options = flags()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name in RICHER:
            sources = Sources(ROOT / "Sources" / name)
            make_module(name, sources.checked + sources.others, [*options, "-enable-testing"])
        folders = [folder for pattern in FOLDERS for folder in sorted(ROOT.glob(pattern))
                   if any(has_code(path.read_text()) for path in folder.rglob("*.swift"))]
        jobs = [Sources(folder) for folder in folders]
        jobs += [Sources(folder, plants=True) for folder in folders if folder.parent == ROOT / "Sources"]
        wrong = [line for lines in pool.map(lambda job: job.problems([*options, "-warnings-as-errors"]), jobs) for line in lines]
    for line in wrong:
        print(f"apple: {line}", file=sys.stderr)
    count = sum(len(job.planted) for job in jobs)
    print(f"check-apple: {count} branches of {', '.join(folder.name for folder in folders)}: {'wrong' if wrong else 'the types fit'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
