"""What the SDKs of other makers leave in a container, and what Foundation's `NSKeyedArchiver` makes of an object, as far as the
samples need it."""

from __future__ import annotations

import contextlib
import json
import plistlib
import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .basics import ANONYMOUS_ID, PREFERENCES, STANDARD, SUPPORT, Files, Store, binary, container, xml

TOKEN = "0123456789abcdef0123456789abcdef"


@dataclass
class Instance:
    """An object of a class by its name; its members by theirs."""

    name: str
    members: dict[str, Any]


def keyed_archive(root: Any) -> bytes:
    """The archive of texts, numbers, arrays, dictionaries and instances."""
    objects: list[Any] = ["$null"]
    classes: dict[str, plistlib.UID] = {}

    def add(value: Any) -> plistlib.UID:
        place = plistlib.UID(len(objects))
        objects.append(value)
        return place

    def of_class(name: str) -> plistlib.UID:
        if name not in classes:
            classes[name] = add({"$classname": name, "$classes": [name, "NSObject"]})
        return classes[name]

    def encode(value: Any) -> plistlib.UID:
        if isinstance(value, dict):
            return encode(Instance("NSDictionary", {"NS.keys": list(value), "NS.objects": list(value.values())}))
        if isinstance(value, list):
            return encode(Instance("NSArray", {"NS.objects": value}))
        if not isinstance(value, Instance):
            return add(value)
        record: dict[str, Any] = {}
        place = add(record)
        for key, member in value.members.items():
            if key.startswith("NS."):
                record[key] = [encode(element) for element in member]
            elif isinstance(member, (int, float)):
                record[key] = member
            else:
                record[key] = encode(member)
        record["$class"] = of_class(value.name)
        return place

    top = {"root": encode(root)}
    archive = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": top, "$objects": objects}
    return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY, sort_keys=False)


def mixpanel_container(**changed: Any) -> Files:
    """An identified user of the Objective-C SDK 4 or 5: one suite, whose keys have no hyphen after the project token."""
    values = {
        "MPDistinctID": "u-1001", "MPUserId": "u-1001", "MPAnonymousId": ANONYMOUS_ID.upper(), "MPHadPersistedDistinctId": True,
        "superProperties": keyed_archive({"plan": "basic"}), **changed}
    suite = {f"mixpanel-{TOKEN}{name}": value for name, value in values.items()}
    return container({f"{PREFERENCES}/Mixpanel.plist": binary(suite), STANDARD: binary({"launchCount": 17})})


def database(statements: list[tuple[str, list[tuple]]]) -> bytes:
    """A SQLite database of these statements, each with the rows to run it with; the same bytes from every version of SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.sqlite"
        with contextlib.closing(sqlite3.connect(path)) as made, made:
            for statement, rows in statements:
                made.executemany(statement, rows) if rows else made.execute(statement)
        content = bytearray(path.read_bytes())
    content[96:100] = (3_040_000).to_bytes(4, "big")
    return bytes(content)


def amplitude_database(user: str, device: str) -> bytes:
    """What the Objective-C SDK 8 keeps of its only instance: two tables of keys and values, and a queue."""
    return database([
        ("CREATE TABLE store (key TEXT PRIMARY KEY NOT NULL, value TEXT)", []),
        ("INSERT INTO store VALUES (?, ?)", [("device_id", device), ("user_id", user)]),
        ("CREATE TABLE long_store (key TEXT PRIMARY KEY NOT NULL, value INTEGER)", []),
        ("INSERT INTO long_store VALUES (?, ?)", [("previous_session_id", 1763640000000), ("sequence_number", 311), ("opt_out", 0)]),
        ("CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT)", []),
        ("INSERT INTO events (event) VALUES (?)", [
            (json.dumps({"event_type": name, "time": 1763640000000 + 1000 * number}),)
            for number, name in enumerate(["open", "search", "add to basket"])])])


def segment_container(traits: str = '{"plan":"basic"}', user: str | None = "u-1001", preferences: Store | None = None) -> Files:
    """An identified user of the Objective-C SDK: files with one JSON value each. `traits` is the text of the traits' file. Without
    a `user`, there are neither a user id nor traits."""
    files = {f"{SUPPORT}/segment.anonymousId": json.dumps({"segment.anonymousId": ANONYMOUS_ID}).encode()}
    if user is not None:
        files[f"{SUPPORT}/segmentio.userId"] = json.dumps({"segmentio.userId": user}).encode()
        files[f"{SUPPORT}/segmentio.traits.plist"] = traits.encode()
    return container({**files, STANDARD: binary({"launchCount": 17, **(preferences or {})})})


def snowplow_container() -> Files:
    """What the tracker 2.0 to 2.2.1 leaves in the namespace `shop`: a property list with the user id and the session."""
    session = {
        "userId": "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642", "sessionId": "b8a5d0f2-3c71-4e96-9d48-27f60c1e8a53", "sessionIndex": 12,
        "firstEventId": "0d6e4b91-a2f8-47c3-b15d-e83907f6c2aa"}
    return container({f"{SUPPORT}/snowplow/session_shop.dict": xml(session), STANDARD: binary({"launchCount": 17})})
