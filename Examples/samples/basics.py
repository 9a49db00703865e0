"""What every sample is made of: the app, the moments, the layout of a container, and what the legacy SDK writes. Every moment lies
shortly before 2025-11-20T12:05:00Z (1763640300), the time to review the samples at."""

from __future__ import annotations

import json
import plistlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict

BUNDLE_ID = "com.acme.shop"
WRITE_KEY = "1xAcmeWriteKey"
NOW = "2025-11-20T12:05:00Z"

# Where things lie inside a container.
LEGACY = "AppData/Library/rsDefaultsPersistence.plist"
PREFERENCES = "AppData/Library/Preferences"
SUPPORT = "AppData/Library/Application Support"
STANDARD = f"{PREFERENCES}/{BUNDLE_ID}.plist"
TARGET = f"{PREFERENCES}/{BUNDLE_ID}.analytics.{WRITE_KEY}.plist"

ANONYMOUS_ID = "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642"
OTHER_ANONYMOUS_ID = "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"
SESSION_ID = 1763640000  # 2025-11-20T12:00:00Z, which is also when the session began
LAST_EVENT = 1763640123  # 2025-11-20T12:02:03Z
YEAR_2100 = 4102444800  # 2100-01-01T00:00:00Z

Store = Dict[str, Any]  # one property list's top-level dictionary
Files = Dict[str, bytes]  # path inside the container, with "/", and content


def xml(store: Store) -> bytes:
    """Keys sorted, as Foundation writes its XML property lists."""
    return plistlib.dumps(store, fmt=plistlib.FMT_XML, sort_keys=True)


def binary(store: Store) -> bytes:
    """Keys in the order given: a preferences file has no order of its own."""
    return plistlib.dumps(store, fmt=plistlib.FMT_BINARY, sort_keys=False)


def text(value: Any) -> bytes:
    """A JSON document of the app's own, readable in a diff."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def container(files: Files, build: str = "420") -> Files:
    """The given files, with the description Xcode puts beside the data it downloads."""
    info = {
        "CFBundleDisplayName": "Acme Shop", "CFBundleIdentifier": BUNDLE_ID, "CFBundleShortVersionString": "4.2.0",
        "CFBundleVersion": build}
    return {"AppDataInfo.plist": xml(info), **files}


def write(root: Path, files: Files) -> Path:
    for name, content in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return root


def legacy_container(legacy: Store, standard: Store | None = None) -> Files:
    """A container whose two legacy stores hold the same, unless `standard` is given. The SDK notes in its own file that it has
    copied the preferences there."""
    return container({
        LEGACY: xml({**legacy, "standardDefaultsCopied": True}),
        STANDARD: binary({"launchCount": 17, **(legacy if standard is None else standard)})})


TRAITS_OF_THE_APP = '"email":"ada@acme.example","name":"Ada","plan":"basic"'


def traits(user_id: str, anonymous_id: str = ANONYMOUS_ID, others: str = TRAITS_OF_THE_APP) -> str:
    """Traits of an identified user, compact as the SDK stores them."""
    return f'{{"anonymousId":"{anonymous_id}","userId":"{user_id}",{others}}}'


def good_values() -> Store:
    """Everything that carries over, with nothing to flag. Each sample spoils only what it is about."""
    return {
        "rl_anonymous_id": ANONYMOUS_ID, "rl_traits": traits("u-1001"), "rl_session_id": SESSION_ID, "rl_session_auto_track_status": True,
        "rl_last_event_time_stamp": LAST_EVENT, "rl_application_version_key": "4.2.0", "rl_application_build_key": "420"}


def values(*without: str, **changed: Any) -> Store:
    """The same without some keys and with other values for some."""
    return {key: value for key, value in {**good_values(), **changed}.items() if key not in without}


@dataclass
class Example:
    """The container of `Clean` with the one change that a finding is about."""

    code: str
    change: str  # in one sentence
    files: Files
    write_key: str | None = WRITE_KEY
    more_options: tuple[str, ...] = ()
    folder: str = ""  # where the container lies in the example's folder; nothing where it is that folder
    planned_for: str | None = None  # the container that a plan was saved for

    @property
    def container(self) -> str:
        return f"{self.code}/{self.folder}" if self.folder else f"{self.code}.xcappdata"

    def entry(self) -> dict[str, Any]:
        key = [] if self.write_key is None else ["--write-key", self.write_key]
        options = [*key, "--now", NOW, *self.more_options]
        entry = {"code": self.code, "container": self.container, "options": options, "change": self.change}
        return entry if self.planned_for is None else {**entry, "plannedFor": self.planned_for}


def example(code: str, change: str, *without: str, **changed: Any) -> Example:
    """A change of values, which both legacy stores hold alike."""
    return Example(code, change, legacy_container(values(*without, **changed)))


def with_files(code: str, change: str, more: Files, **options: Any) -> Example:
    """Files added to the container, or put in the place of some."""
    return Example(code, change, {**legacy_container(good_values()), **more}, **options)
