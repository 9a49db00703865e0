"""What the command is measured on: always the same bytes."""

import json
import plistlib
import random
from pathlib import Path

# An identified user's keys, as the legacy SDK writes them.
USER = {
    "rl_anonymous_id": "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642", "rl_session_id": 1_763_640_000,
    "rl_session_auto_track_status": True, "rl_last_event_time_stamp": 1_763_640_123,
    "rl_application_version_key": "4.2.0", "rl_application_build_key": "4.2.0-rc1",
    "rl_traits": '{"anonymousId":"9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642","userId":42,"email":"ada@example.test"}',
}


def write(path: Path, values: dict) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        plistlib.dump(values, file, fmt=plistlib.FMT_BINARY)
    return path


def container(path: Path, values: dict, mirror: dict | None = None) -> Path:
    """A container with these preferences.
    - mirror: what the legacy SDK keeps of them in a file of its own."""
    library = path / "AppData/Library"
    write(path / "AppDataInfo.plist", {"CFBundleIdentifier": "com.example.large"})
    write(library / "Preferences/com.example.large.plist", values)
    if mirror:
        write(library / "rsDefaultsPersistence.plist", mirror)
    return path


def many_keys(path: Path, count: int) -> Path:
    return container(path, {f"key{number:06d}": f"value {number}" for number in range(count)})


def many_legacy_keys(path: Path, count: int) -> Path:
    """A container with as many of the legacy SDK's own keys, in both of its stores."""
    values = USER | {f"rl_key{number:06d}": f"value {number}" for number in range(count)}
    return container(path, values, mirror=values)


def large_list(path: Path, count: int) -> Path:
    """A property list with names that differ, and values of which many are equal, as in an app's preferences."""
    return write(path, {f"com.acme.{number:07d}": f"v{number % 1000}" for number in range(count)})


def make_containers(folder: Path, count: int, settings: int = 40) -> None:
    """Containers with some settings of the app and six keys of the SDK: most ids are text, some a number."""
    chance = random.Random(1)
    for number in range(count):
        values = {f"com.acme.setting{key}": f"value {key}" for key in range(settings + chance.randrange(3))}
        user = f"user-{number}" if chance.random() < 0.8 else number
        write(folder / f"{number:06d}/Library/Preferences/com.acme.shop.plist", values | {
            "rl_anonymous_id": f"anonymous-{number}", "rl_session_id": 1_700_000_000 + number, "rl_last_event_timestamp": 1_700_000_100 + number,
            "rl_traits": json.dumps({"userId": user, "email": f"{number}@example.com"}), "rl_application_version_key": "4.2.0",
            "rl_application_build_key": "420" if chance.random() < 0.9 else "4.2.0-rc1"})
