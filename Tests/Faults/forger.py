"""State folders of runs that never happened, right in every sum that needs no key."""

from __future__ import annotations

import hashlib
import json
import os
import plistlib
from dataclasses import dataclass
from pathlib import Path

import seals
from stranger import PRECIOUS, World

RUN = "20250101T000000Z-1"
EVIL = b"ssh-ed25519 AAAA stranger\n"
EVIL_VALUES = {"anonymous_id": "stranger", "user_id": "stranger"}


@dataclass
class Change:
    """What a forged run says it does, or did, to one file. Without bytes the file is absent."""

    path: str
    before: bytes | None
    after: bytes | None
    mode: int = 0o644
    folders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Intent:
    """What a stranger is after."""

    name: str
    state: str = "done"  # what the run's record says
    journal: bool = True  # whether a journal says that the run is to be finished
    legitimate: bool = False  # whether a recipe could have written the file
    readable: bool = True  # whether its paths are such that a journal and a record can be read
    kind: str = "apply"


INTENTS = {
    intent.name: intent for intent in (
        Intent("create", "applying"), Intent("replace", "applying"), Intent("delete", "applying"),
        Intent("mode", "applying"), Intent("subfolder", "applying"), Intent("several", "applying"),
        Intent("target", "applying", legitimate=True), Intent("new-target", "applying", legitimate=True),
        Intent("legacy", "applying", legitimate=True, kind="cleanup"),
        Intent("above", "applying", readable=False), Intent("hidden", "applying"),
        Intent("finished-journal", "done"),
        Intent("temporaries", "applying", journal=False), Intent("folders", "applying", journal=False),
        Intent("in-place", "applying", journal=False),
        Intent("rollback-create", journal=False), Intent("rollback-replace", journal=False),
        Intent("rollback-delete", journal=False), Intent("rollback-target", journal=False, legitimate=True),
    )
}


def changes(intent: Intent, made: World) -> list[Change]:
    """The files of a run with that intent."""

    def at(path: str) -> str:
        return path if made.form == "bare" else made.inside("AppData/Documents") + "/" + path

    def held(path: str) -> bytes | None:
        place = made.root / path
        return place.read_bytes() if place.is_file() else None

    def precious(path: str, after: bytes | None, **more) -> Change:
        return Change(at(path), PRECIOUS.get(path), after, **more)

    forged = made_of(EVIL_VALUES)
    other = made.target.replace("1xAcmeWriteKey", "other")
    return {
        "create": lambda: [precious(".ssh/authorized_keys", EVIL)],
        "replace": lambda: [precious(".profile", EVIL)],
        "delete": lambda: [precious("taxes.ods", None)],
        "mode": lambda: [precious(".local/bin/tool", b"#!/bin/sh\nevil\n", mode=0o777)],
        "subfolder": lambda: [precious(".config/autostart/x.desktop", EVIL, folders=(at(".config/autostart"),))],
        "several": lambda: [
            precious(".ssh/authorized_keys", EVIL), precious(".profile", EVIL), precious("taxes.ods", None),
            Change(made.target, held(made.target), forged),
        ],
        "target": lambda: [Change(made.target, held(made.target), forged)],
        "new-target": lambda: [Change(other, None, forged)],
        "legacy": lambda: [Change(made.legacy, held(made.legacy), None)],
        "above": lambda: [Change("../above.plist", None, forged)],
        "hidden": lambda: [Change(str(Path(made.target).with_name(".hidden.plist")), None, forged)],
        "finished-journal": lambda: [precious(".ssh/authorized_keys", EVIL)],
        "temporaries": lambda: [precious("notes.txt", EVIL), Change(made.target, held(made.target), forged)],
        "folders": lambda: [precious(".config/empty/x/y", EVIL, folders=(at(".config/empty"), at(".config/empty/x")))],
        "in-place": lambda: [Change(at("notes.txt"), b"other", PRECIOUS["notes.txt"])],
        "rollback-create": lambda: [Change(at(".ssh/authorized_keys"), EVIL, None)],
        "rollback-replace": lambda: [Change(at(".profile"), EVIL, PRECIOUS[".profile"], mode=0o777)],
        "rollback-delete": lambda: [Change(at("taxes.ods"), None, PRECIOUS["taxes.ods"])],
        "rollback-target": lambda: [Change(made.target, forged, held(made.target))],
    }[intent.name]()


def made_of(values: dict) -> bytes:
    return plistlib.dumps(values, fmt=plistlib.FMT_BINARY)


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


def forge(made: World, intent: Intent, run: str = RUN, key: bytes | None = None) -> list[Change]:
    """Puts a state folder with such a run into the container; sealed, where the key is known."""
    files = changes(intent, made)
    folder = made.state / "runs" / run
    for path in (made.state, made.state / "runs", folder, folder / "before", folder / "after"):
        path.mkdir(mode=0o700, exist_ok=True)
    recorded = []
    for number, change in enumerate(files, 1):
        name = f"{number}-{Path(change.path).name}"
        for side, content in (("before", change.before), ("after", change.after)):
            if content is not None:
                private(folder / side / name, content)
        recorded.append({
            "path": change.path, "before": state_of(change.before, name, change.mode),
            "after": state_of(change.after, name, change.mode), "folders": list(change.folders),
        })
    record = {
        "schema": "carryover.run/1", "id": run, "kind": intent.kind, "state": intent.state,
        "moment": "2025-01-01T00:00:00Z", "milliseconds": "1735689600000", "tool": "1.0.0",
        "recipe": {"id": "rudderstack-objc", "version": 2, "title": "RudderStack Obj-C → Swift"}, "container": container_of(made),
        "files": recorded, "fields": fields(),
    }
    save(made, folder / "record.json", record, key)
    if intent.journal:
        operations = [{**file, "temporary": f".carryover-{run}-{number}.tmp"} for number, file in enumerate(recorded, 1)]
        journal = {"schema": "carryover.journal/1", "run": run, "container": container_of(made), "operations": operations}
        save(made, made.state / "journal.json", journal, key)
    private(made.state / "lock", b"")
    return files


def fields() -> list[dict]:
    """One field that the run says it has settled."""
    value = {"type": "string", "value": "stranger"}
    return [{
        "id": "user_id", "decision": "migrate", "legacy": value, "proposed": value, "before": None, "after": value,
        "outcome": "migrated", "findings": [],
    }]


def save(made: World, path: Path, document: dict, key: bytes | None) -> None:
    if key is not None:
        document = {**document, "seal": seals.seal(document, made.root, key)}
    private(path, (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode())


def private(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o600)
