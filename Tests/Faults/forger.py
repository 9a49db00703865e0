"""State folders of runs that never happened, right in every sum that needs no key."""

import hashlib
import json
import os
import plistlib
from dataclasses import dataclass
from pathlib import Path

import seals
from stranger import World

RUN = "20250101T000000Z-1"
EVIL = b"ssh-ed25519 AAAA stranger\n"


@dataclass
class Change:
    """What a forged run says it does, or did, to one file. Without bytes the file is absent; ... is what it contains."""

    path: str
    before: bytes | None
    after: bytes | None
    mode: int = 0o644
    folders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Intent:
    name: str
    changes: tuple[Change, ...]  # paths in the user's documents, or one of `placed`'s names
    state: str = "applying"  # what the run's record says
    journal: bool = True  # whether a journal says that the run is to be finished
    legitimate: bool = False  # whether a recipe could have written the file
    readable: bool = True  # whether its paths are such that a journal and a record can be read
    kind: str = "apply"


FORGED = plistlib.dumps({"anonymous_id": "stranger", "user_id": "stranger"}, fmt=plistlib.FMT_BINARY)
CREATE = Change(".ssh/authorized_keys", ..., EVIL)
REPLACE = Change(".profile", ..., EVIL)
DELETE = Change("taxes.ods", ..., None)
TARGET = Change("TARGET", ..., FORGED)
EMPTY = (".config/empty", ".config/empty/x")
INTENTS = {
    intent.name: intent for intent in (
        Intent("create", (CREATE,)),
        Intent("replace", (REPLACE,)),
        Intent("delete", (DELETE,)),
        Intent("mode", (Change(".local/bin/tool", ..., b"#!/bin/sh\nevil\n", 0o777),)),
        Intent("subfolder", (Change(".config/autostart/x.desktop", ..., EVIL, folders=(".config/autostart",)),)),
        Intent("several", (CREATE, REPLACE, DELETE, TARGET)),
        Intent("target", (TARGET,), legitimate=True),
        Intent("new-target", (Change("OTHER", ..., FORGED),), legitimate=True),
        Intent("legacy", (Change("LEGACY", ..., None),), legitimate=True, kind="cleanup"),
        Intent("above", (Change("ABOVE", ..., FORGED),), readable=False),
        Intent("hidden", (Change("HIDDEN", ..., FORGED),)),
        Intent("finished-journal", (CREATE,), "done"),
        Intent("temporaries", (Change("notes.txt", ..., EVIL), TARGET), journal=False),
        Intent("folders", (Change(".config/empty/x/y", ..., EVIL, folders=EMPTY),), journal=False),
        Intent("in-place", (Change("notes.txt", b"other", ...),), journal=False),
        Intent("rollback-create", (Change(".ssh/authorized_keys", EVIL, None),), "done", False),
        Intent("rollback-replace", (Change(".profile", EVIL, ..., 0o777),), "done", False),
        Intent("rollback-delete", (Change("taxes.ods", None, ...),), "done", False),
        Intent("rollback-target", (Change("TARGET", FORGED, ...),), "done", False, legitimate=True),
    )
}


def placed(made: World, path: str) -> str:
    target = Path(made.target)
    named = {
        "TARGET": made.target, "LEGACY": made.legacy, "OTHER": made.target.replace("1xAcmeWriteKey", "other"),
        "ABOVE": "../above.plist", "HIDDEN": str(target.with_name(".hidden.plist")),
    }
    return named.get(path) or (path if made.form == "bare" else made.inside("AppData/Documents") + "/" + path)


def changes(intent: Intent, made: World) -> list[Change]:
    found = []
    for change in intent.changes:
        path = placed(made, change.path)
        there = (made.root / path).read_bytes() if (made.root / path).is_file() else None
        before, after = (there if content is ... else content for content in (change.before, change.after))
        found.append(Change(path, before, after, change.mode, tuple(placed(made, folder) for folder in change.folders)))
    return found


def state_of(content: bytes | None, name: str, mode: int) -> object:
    if content is None:
        return "absent"
    return {
        "name": name, "mode": f"{mode:o}", "user": os.geteuid(), "group": os.getegid(), "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def container_of(made: World) -> dict:
    found = {"kind": made.kind, "bundleID": "com.acme.shop"}
    return {**found, "name": made.path.name} if made.form == "bare" else found


def forge(made: World, intent: Intent, key: bytes | None = None) -> None:
    """Puts a state folder with such a run into the container; sealed, where the key is known."""
    folder = made.state / "runs" / RUN
    for path in (made.state, made.state / "runs", folder, folder / "before", folder / "after"):
        path.mkdir(mode=0o700, exist_ok=True)
    recorded = []
    for number, change in enumerate(changes(intent, made), 1):
        name = f"{number}-{Path(change.path).name}"
        for side, content in (("before", change.before), ("after", change.after)):
            if content is not None:
                private(folder / side / name, content)
        recorded.append({
            "path": change.path, "before": state_of(change.before, name, change.mode),
            "after": state_of(change.after, name, change.mode), "folders": list(change.folders),
        })
    value = {"type": "string", "value": "stranger"}
    field = {
        "id": "user_id", "decision": "migrate", "legacy": value, "proposed": value, "before": None, "after": value,
        "outcome": "migrated", "findings": [],
    }
    record = {
        "schema": "carryover.run/1", "id": RUN, "kind": intent.kind, "state": intent.state,
        "moment": "2025-01-01T00:00:00Z", "milliseconds": "1735689600000", "tool": "1.0.0",
        "recipe": {"id": "rudderstack-objc", "version": 2, "title": "RudderStack Obj-C → Swift"}, "container": container_of(made),
        "files": recorded, "fields": [field],
    }
    save(made, folder / "record.json", record, key)
    if intent.journal:
        operations = [{**file, "temporary": f".carryover-{RUN}-{number}.tmp"} for number, file in enumerate(recorded, 1)]
        journal = {"schema": "carryover.journal/1", "run": RUN, "container": container_of(made), "operations": operations}
        save(made, made.state / "journal.json", journal, key)
    private(made.state / "lock", b"")


def save(made: World, path: Path, document: dict, key: bytes | None) -> None:
    if key is not None:
        document = {**document, "seal": seals.seal(document, made.root, key)}
    private(path, (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode())


def private(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o600)
