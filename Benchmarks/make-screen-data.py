#!/usr/bin/env python3
"""Makes what the screens are raced on: a container with many keys, the same as text and CSV, one with as many of the
legacy SDK's own keys in both of its stores, and a git repository.

Always the same bytes. Needs git.
"""

import argparse
import plistlib
import subprocess
from pathlib import Path

SUBJECTS = (
    "Keep the session when the clock was set back", "Name the store in the sentence about damage",
    "Read numbers that do not fit as text", "Show which value wins where two differ",
    "Take the lock before the first byte is written", "Say what to do when the disk is full",
)


# An identified user's keys, as the legacy SDK writes them.
USER = {
    "rl_anonymous_id": "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642", "rl_session_id": 1_763_640_000,
    "rl_session_auto_track_status": True, "rl_last_event_time_stamp": 1_763_640_123,
    "rl_application_version_key": "4.2.0", "rl_application_build_key": "4.2.0-rc1",
    "rl_traits": '{"anonymousId":"9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642","userId":42,"email":"ada@example.test"}',
}


def make_container(folder, name, values, mirror=None):
    """A container with these preferences; `mirror` is what the legacy SDK keeps of them in a file of its own."""
    data = folder / name
    library = data / "AppData" / "Library"
    (library / "Preferences").mkdir(parents=True)
    with (data / "AppDataInfo.plist").open("wb") as file:
        plistlib.dump({"CFBundleIdentifier": "com.example.large"}, file)
    with (library / "Preferences" / "com.example.large.plist").open("wb") as file:
        plistlib.dump(values, file, fmt=plistlib.FMT_BINARY)
    if mirror is not None:
        with (library / "rsDefaultsPersistence.plist").open("wb") as file:
            plistlib.dump(mirror, file)


def make_repository(folder, commits):
    """A history of that many commits by git fast-import, each changing one of fifty files."""
    folder.mkdir()
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", folder], check=True)
    stream = []
    for number in range(1, commits + 1):
        subject = f"{SUBJECTS[number % len(SUBJECTS)]} ({number})\n".encode()
        content = f"The {number}th change.\n".encode()
        moment = 1_600_000_000 + number * 3600
        stream.append(
            b"commit refs/heads/main\ncommitter Ada Example <ada@example.test> %d +0000\ndata %d\n%s"
            b"M 100644 inline part-%02d.txt\ndata %d\n%s\n"
            % (moment, len(subject), subject, number % 50, len(content), content))
    subprocess.run(["git", "-C", folder, "fast-import", "--quiet"], input=b"".join(stream), check=True)
    subprocess.run(["git", "-C", folder, "reset", "--quiet", "--hard", "main"], check=True)


def main():
    parser = argparse.ArgumentParser(description="Makes the data of the race of screens.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keys", type=int, default=100_000)
    parser.add_argument("--commits", type=int, default=5_000)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    values = {f"key{n:06d}": f"value {n * 7919 % 1_000_003} of key {n}" for n in range(asked.keys)}
    make_container(asked.folder, "Large.xcappdata", values)
    own = {**USER, **{f"rl_custom_{key}": value for key, value in values.items()}}
    make_container(asked.folder, "Legacy.xcappdata", own, mirror=own)
    lines = [f"{key},{value}\n" for key, value in values.items()]
    (asked.folder / "large.csv").write_text("key,value\n" + "".join(lines))
    (asked.folder / "large.txt").write_text("".join(line.replace(",", "  ") for line in lines))
    make_repository(asked.folder / "repository", asked.commits)


if __name__ == "__main__":
    main()
