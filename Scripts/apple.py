#!/usr/bin/env python3
"""Builds and tests everything on a Mac: the tests of the package on macOS, the library for each of Apple's systems, and the
tests of the modules for apps in the simulator, with its keychain. Goes on after a failure, and ends with a list."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / ".build/simulator"
SYSTEMS = ["iOS", "iOS Simulator", "tvOS", "visionOS", "macOS,variant=Mac Catalyst"]
# Together, they need every product that apps embed.
PRODUCTS = ["CarryoverContainers", "CarryoverEncryption", "CarryoverRestore", "CarryoverRouter"]
MANIFESTS = ["CarryoverContainers", "CarryoverSystem", "CarryoverUserDefaults"]


def run(*command: str, **environment: str) -> bool:
    print("$", *command, flush=True)
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}).returncode == 0


def build(system: str) -> bool:
    return all([run("xcodebuild", "build", "-quiet", "-scheme", product, "-destination", f"generic/platform={system}",
                    "-derivedDataPath", str(WORK / "derived")) for product in PRODUCTS])


def manifests() -> bool:
    """Whether the build has put the privacy manifests where Xcode looks for them."""
    found = [path for name in MANIFESTS for path in (ROOT / ".build/debug").glob(f"*_{name}.bundle/**/PrivacyInfo.xcprivacy")]
    print(*found, sep="\n", flush=True)
    return len(found) == len(MANIFESTS)


def device() -> str:
    """The id of an iPhone in the newest simulator; empty if there is none."""
    listed = subprocess.run(["xcrun", "simctl", "list", "devices", "available", "-j"], capture_output=True, text=True)
    systems = json.loads(listed.stdout or "{}").get("devices", {})
    version = lambda name: [int(part) for part in name.rsplit("iOS-", 1)[1].split("-")]
    for name in sorted((name for name in systems if "iOS-" in name), key=version, reverse=True):
        for each in systems[name]:
            if each["name"].startswith("iPhone"):
                return each["udid"]
    return ""


def simulator() -> bool:
    if not (phone := device()):
        print("No iPhone simulator is installed: xcodebuild -downloadPlatform iOS", flush=True)
        return False
    # Swift's name for the package, which tells who may see what is not public, is that of its folder.
    return run("xcodegen", "generate", "--spec", "Tests/Simulator/project.yml", "--project", str(WORK),
               CARRYOVER_PACKAGE=ROOT.name.lower()) and run(
        "xcodebuild", "test", "-project", str(WORK / "Simulator.xcodeproj"), "-scheme", "Host",
        "-destination", f"platform=iOS Simulator,id={phone}", "-derivedDataPath", str(WORK / "derived"))


STEPS = {
    "macOS: make test": lambda: run("make", "test"),
    "macOS: the privacy manifests are in the build": manifests,
    "macOS: make test-all": lambda: run("make", "test-all"),
    "macOS: the sample": lambda: subprocess.run(["make", "run"], cwd=ROOT, stdin=subprocess.DEVNULL).returncode == 0,
    **{f"{system.split('=')[-1]}: the library builds": lambda system=system: build(system) for system in SYSTEMS},
    "iOS Simulator: the tests of the modules for apps, with the keychain": simulator,
}


def main() -> int:
    if not shutil.which("xcodebuild"):
        print("make apple: this needs a Mac with Xcode. On Linux, make check checks the types.", file=sys.stderr)
        return 1
    WORK.mkdir(parents=True, exist_ok=True)
    lines, failed = [], 0
    for name, step in STEPS.items():
        print(f"== {name}", flush=True)
        start = time.monotonic()
        passed = step()
        failed += not passed
        lines.append(f"{'passed' if passed else 'FAILED'}  {time.monotonic() - start:5.0f} s  {name}")
    print("", *lines, sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
