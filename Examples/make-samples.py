#!/usr/bin/env python3
"""Makes the sample containers beside this script.

    Examples/make-samples.py            write every sample
    Examples/make-samples.py --check    write nothing; status 1 if a committed file differs

The bytes come from CPython's plistlib, so that Carryover is tried on files another writer made. Only the
standard library is used, and nothing depends on clock, locale or machine: the same bytes come out every time.

Sample             What it holds
-----------------  ---------------------------------------------------------------------------------------
AcmeShop           what a user's device really holds: a numeric user id, a build that is no integer,
                   left-behind keys with secrets, an app's own keys, other SDKs' suites
Clean              every value as the new SDK wants it; no target yet
OptedOut           the user opted out of tracking
CorruptTraits      rl_traits ends in the middle of its JSON
FutureTimestamp    the last event is dated 2100-01-01
ManualSession      a session the app started itself; the legacy SDK keeps no event time for those
Disagree           the two legacy stores differ in two keys, and each holds a key the other lacks
HalfFilled         the target suite exists: one value equal, one different, one of the wrong type, and
                   an app's keys of every property list type
NothingToMigrate   an app that never had the SDK

All belong to the app com.acme.shop. Every moment lies shortly before 2025-11-20T12:05:00Z (1763640300), the
time to review them at. The write key is 1xAcmeWriteKey.
"""

from __future__ import annotations

import argparse
import json
import plistlib
import shutil
import sys
from datetime import datetime
from pathlib import Path
from typing import Any, Callable, Dict

HERE = Path(__file__).resolve().parent

BUNDLE_ID = "com.acme.shop"
WRITE_KEY = "1xAcmeWriteKey"

# Where things lie inside a container.
LEGACY = "AppData/Library/rsDefaultsPersistence.plist"
PREFERENCES = "AppData/Library/Preferences"
STANDARD = f"{PREFERENCES}/{BUNDLE_ID}.plist"
TARGET = f"{PREFERENCES}/{BUNDLE_ID}.analytics.{WRITE_KEY}.plist"

ANONYMOUS_ID = "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642"
OTHER_ANONYMOUS_ID = "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"
SESSION_ID = 1763640000  # 2025-11-20T12:00:00Z, which is also when the session began
LAST_EVENT = 1763640123  # 2025-11-20T12:02:03Z
YEAR_2100 = 4102444800  # 2100-01-01T00:00:00Z

Store = Dict[str, Any]  # one property list's top-level dictionary
Files = Dict[str, bytes]  # path inside the container, with "/", and content


# ---- Property lists and layout ----


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
        "CFBundleDisplayName": "Acme Shop",
        "CFBundleIdentifier": BUNDLE_ID,
        "CFBundleShortVersionString": "4.2.0",
        "CFBundleVersion": build,
    }
    return {"AppDataInfo.plist": xml(info), **files}


def legacy_container(legacy: Store, standard: Store | None = None) -> Files:
    """A container whose two legacy stores hold the same, unless `standard` is given."""
    return container(
        {
            LEGACY: xml(legacy),
            STANDARD: binary({"launchCount": 17, **(legacy if standard is None else standard)}),
        }
    )


# ---- What the legacy SDK leaves ----


def traits(user_id: str) -> str:
    """Traits of an identified user, compact as the SDK stores them."""
    return (
        f'{{"anonymousId":"{ANONYMOUS_ID}","userId":"{user_id}",'
        '"email":"ada@acme.example","name":"Ada","plan":"basic"}'
    )


def good_values() -> Store:
    """Everything that carries over, with nothing to flag. Each sample spoils only what it is about."""
    return {
        "rl_anonymous_id": ANONYMOUS_ID,
        "rl_traits": traits("u-1001"),
        "rl_session_id": SESSION_ID,
        "rl_session_auto_track_status": True,
        "rl_last_event_time_stamp": LAST_EVENT,
        "rl_application_version_key": "4.2.0",
        "rl_application_build_key": "420",
    }


# Written out by hand, because its exact text is the point: a rewrite of 4.10, 1E5, an escaped slash or an
# unescaped one would show.
ACME_TRAITS = (
    f'{{"anonymousId":"{ANONYMOUS_ID}","userId":42,"id":42,'
    '"email":"ada@acme.example","name":"Zoë Müller-日本","plan":"pro/annual",'
    '"address":{"street":"Königsallee 1","city":"Düsseldorf","country":"DE","id":"home"},'
    '"avatar":"https:\\/\\/acme.example\\/u\\/42.png",'
    '"discount":4.10,"lifetimeValue":1E5,"newsletter":true,"tags":["vip","beta 🧪"]}'
)

ACME_SERVER_CONFIG = (
    '{"isHosted":true,"source":{"id":"2AcmeSourceId","name":"Acme iOS","enabled":true,'
    '"config":{"statsCollection":{"errors":{"enabled":false},"metrics":{"enabled":false}}},"destinations":[]}}'
)


# ---- What the app and other SDKs leave in AcmeShop ----


def app_settings() -> Store:
    """An app's own preferences, with every type UserDefaults can hold."""
    return {
        "launchCount": 173,
        "firstLaunch": datetime(2024, 3, 9, 8, 30, 15),
        "onboardingDone": True,
        "prefersDarkMode": False,
        "lastTab": "basket",
        "storeName": "Düsseldorf – Königsallee",
        "cartTotal": 129.95,
        "priceAlertThreshold": -0.5,
        "timeZoneOffset": -3600,
        "largestOrder": 9007199254740993,  # 2^53 + 1: a double cannot hold it
        "pushToken": bytes(range(0, 256, 8)),
        "emptyNote": "",
        "noFavourites": [],
        "recentSearches": ["socks", "crêpe pan", "コーヒー"],
        "basket": [
            {"sku": "A-100", "quantity": 2, "price": 19.99, "gift": False},
            {"sku": "B-205", "quantity": 1, "price": 89.97, "gift": True, "options": ["XL", ["red", "blue"]]},
        ],
        "filters": {
            "categories": ["kitchen", "outdoor"],
            "price": {"minimum": 0, "maximum": 250.0},
            "since": datetime(2025, 11, 1),
        },
        "draftOrder": '{"version":2,"lines":[{"sku":"A-100","quantity":2}],"note":"ring twice"}',
        "windowState": binary({"scroll": 240.5, "expanded": ["filters"], "selected": 3}),
    }


def third_party_suites() -> Files:
    """Preference files that other SDKs keep beside the app's own."""
    return {
        f"{PREFERENCES}/com.firebase.FIRInstallations.plist": binary(
            {
                "com.firebase.FIRInstallations.lastFetch": datetime(2025, 11, 20, 9, 12, 44),
                "com.firebase.FIRInstallations.registered": True,
            }
        ),
        f"{PREFERENCES}/com.google.gmp.measurement.plist": binary(
            {
                "/google/measurement/app_instance_id": "5C0FFEE0ACE5EED0ACE5EED000000042",
                "/google/measurement/last_upload_time": 1763631164.25,
                "/google/measurement/upload_count": 86,
            }
        ),
        f"{PREFERENCES}/com.apple.EmojiPreferences.plist": binary(
            {"EMFDefaultsKey": {"recents": ["🎉", "🧦", "👍"], "skinTones": {}}}
        ),
    }


# ---- The samples ----


def acme_shop() -> Files:
    carried = {
        **good_values(),
        "rl_traits": ACME_TRAITS,
        "rl_application_build_key": "4.2.0-rc1",
    }
    left_behind = {
        "rl_external_id": '[{"type":"loyaltyId","id":"acme-42"}]',
        "rl_opt_status": False,
        "rl_server_config": ACME_SERVER_CONFIG,
        "rl_server_last_updated": 1763639994,
        "rl_auth_token": "example-token-not-a-real-secret",
    }
    legacy = {**carried, **left_behind}
    return container(
        {
            LEGACY: xml(legacy),
            STANDARD: binary({**app_settings(), **legacy}),
            **third_party_suites(),
            "AppData/Library/Application Support/com.acme.shop/favourites.json": text(
                {"version": 3, "items": [{"sku": "A-100", "since": "2025-10-02"}, {"sku": "C-7", "since": None}]}
            ),
            "AppData/Library/Caches/com.acme.shop/catalogue-etag.txt": b'W/"5f2c-18c3"\n',
            "AppData/Documents/order-4711.txt": "Order 4711: 2 × socks, 1 × crêpe pan\n".encode(),
            "AppData/tmp/upload.part": b"left over from an interrupted upload\n",
        },
        build="4.2.0-rc1",
    )


def clean() -> Files:
    return legacy_container(good_values())


def opted_out() -> Files:
    return legacy_container({**good_values(), "rl_opt_status": True, "rl_opt_out_time": 1763639000})


def corrupt_traits() -> Files:
    whole = traits("u-1001")
    cut = whole[: whole.index('"name"') + len('"name":"A')]
    return legacy_container({**good_values(), "rl_traits": cut})


def future_timestamp() -> Files:
    return legacy_container({**good_values(), "rl_last_event_time_stamp": YEAR_2100})


def manual_session() -> Files:
    values = {**good_values(), "rl_session_auto_track_status": False}
    del values["rl_last_event_time_stamp"]
    return legacy_container(values)


def disagree() -> Files:
    """Traits name the anonymous id of the standard store, which is the one the legacy SDK reads first."""
    standard = good_values()
    del standard["rl_session_id"]
    legacy = {
        **good_values(),
        "rl_anonymous_id": OTHER_ANONYMOUS_ID,
        "rl_application_version_key": "4.1.0",
    }
    del legacy["rl_application_build_key"]
    return legacy_container(legacy, standard)


def half_filled() -> Files:
    of_the_sdk = {
        "anonymous_id": ANONYMOUS_ID,
        "user_id": "u-2002",
        "session_id": SESSION_ID,  # an integer; the new SDK reads only a string
    }
    of_the_app = {
        "app.string": "Größe ✓",
        "app.integer": 7,
        "app.integer.negative": -9223372036854775808,
        "app.integer.unsigned": 18446744073709551615,
        "app.real": 0.1,
        "app.boolean.true": True,
        "app.boolean.false": False,
        "app.date": datetime(2001, 2, 3, 4, 5, 6, 789000),
        "app.data": b"\x00\x01\xfe\xff not text",
        "app.array": ["one", 2, 3.5, False, [b"\x04"]],
        "app.dictionary": {"inner": {"deeper": datetime(2025, 11, 20)}, "list": []},
        "app.uid": plistlib.UID(11),
    }
    return {**legacy_container(good_values()), TARGET: binary({**of_the_app, **of_the_sdk})}


def nothing_to_migrate() -> Files:
    return container({STANDARD: binary({"launchCount": 3, "firstLaunch": datetime(2025, 11, 19, 18, 0, 0)})})


SAMPLES: dict[str, Callable[[], Files]] = {
    "AcmeShop": acme_shop,
    "Clean": clean,
    "OptedOut": opted_out,
    "CorruptTraits": corrupt_traits,
    "FutureTimestamp": future_timestamp,
    "ManualSession": manual_session,
    "Disagree": disagree,
    "HalfFilled": half_filled,
    "NothingToMigrate": nothing_to_migrate,
}


# ---- Writing and checking ----


def folder(name: str) -> Path:
    return HERE / f"{name}.xcappdata"


def write(name: str, files: Files) -> None:
    shutil.rmtree(folder(name), ignore_errors=True)
    for path, content in files.items():
        file = folder(name) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def differences(name: str, files: Files) -> list[str]:
    """What is wrong with the sample on disk, one line each."""
    root = folder(name)
    on_disk = {str(file.relative_to(root)): file for file in root.rglob("*") if not file.is_dir()}
    found = []
    for path in sorted(files.keys() | on_disk.keys()):
        if path not in on_disk:
            found.append(f"{root.name}/{path}: missing")
        elif path not in files:
            found.append(f"{root.name}/{path}: not part of the sample")
        elif on_disk[path].read_bytes() != files[path]:
            found.append(f"{root.name}/{path}: differs")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes the sample containers beside this script.")
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if a committed file differs")
    check = parser.parse_args().check

    found: list[str] = []
    for name, make in SAMPLES.items():
        if check:
            found += differences(name, make())
        else:
            write(name, make())
    unknown = {path.name for path in HERE.glob("*.xcappdata")} - {folder(name).name for name in SAMPLES}
    found += [f"{name}: no sample of this name is made here" for name in sorted(unknown)]

    for line in found:
        print(line, file=sys.stderr)
    if found and check:
        print("Run Examples/make-samples.py to make the samples again.", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
