"""An unencrypted device backup, as Finder and iTunes lay it out.

Its database is written by the SQLite of this machine, whose bytes differ from version to version, so a backup is made
where it is needed and never committed. Apart from that, the same comes out every time.
"""

from __future__ import annotations

import hashlib
import sqlite3
from datetime import datetime
from pathlib import Path
from typing import Any

from . import files as disk
from .basics import BUNDLE_ID, LAST_EVENT, SESSION_ID, Files, binary, text, xml
from .keyed import Instance, keyed_archive
from .people import acme_shop

OTHER_APP = "com.example.recipes"
GROUP = "group.com.acme.shop"
EXTENSION = "com.acme.shop.widget"
DEVICE = "00008110-000A1B2C3D4E5F60"
MADE = datetime(2025, 11, 20, 12, 4, 0)

FILE, FOLDER, LINK = 1, 2, 4  # a row's flags
PHOTOS = 2500

# Domain and path of what the backup lists without having its content.
ABSENT = [
    (f"AppDomain-{BUNDLE_ID}", "Documents/receipts/receipt-4710.pdf"),
    ("HomeDomain", "Library/SMS/sms.db"),
    ("HomeDomain", "Library/AddressBook/AddressBook.sqlitedb"),
]
# Payloads that no row names.
ORPHANS = {
    "0a" + "17" * 19: b"left over from an older backup\n",
    "fe" + "d0" * 19: binary({"orphan": True}),
}


def make_backup(folder: Path | str, containers: dict[str, Files] | None = None, *, photos: int = PHOTOS) -> None:
    """Writes a backup into a folder, which must not be there yet or be empty.

    `containers` holds files by domain, such as `AppDomain-com.acme.shop`; without it, these are `domains()`. Around
    them come `photos` rows of the device's pictures, none of which has its payload, and some payloads without a row.
    """
    root = Path(folder)
    root.mkdir(parents=True, exist_ok=True)
    chosen = domains() if containers is None else containers
    rows: list[tuple[str, str, str, int, bytes]] = []
    payloads: Files = {}
    for domain in sorted(chosen):
        for path in _folders(chosen[domain]):
            rows.append(_row(domain, path, FOLDER, 0))
        for path, content in sorted(chosen[domain].items()):
            rows.append(_row(domain, path, FILE, len(content)))
            payloads[_place(_file_id(domain, path))] = content
    rows += [_row(domain, path, FILE, 48_000) for domain, path in ABSENT]
    rows.append(_row(f"AppDomain-{BUNDLE_ID}", "Documents/latest-order.txt", LINK, 0, target="order-4711.txt"))
    for number in range(photos):
        path = f"Media/DCIM/{100 + number // 1000}APPLE/IMG_{number % 1000:04}.HEIC"
        rows.append(_row("CameraRollDomain", path, FILE, 1_800_000 + number))
    payloads.update({_place(name): content for name, content in ORPHANS.items()})

    _write_manifest(root / "Manifest.db", rows)
    disk.add(root, payloads)
    disk.add(root, _descriptions(sorted(chosen)))


def domains() -> dict[str, Files]:
    """Two apps, the first with the files of `AcmeShop`; an app group and an extension of the first."""
    # A backup leaves out what an app can fetch again.
    kept = {
        path[len("AppData/") :]: content
        for path, content in acme_shop().items()
        if path.startswith("AppData/") and not path.startswith(("AppData/Library/Caches/", "AppData/tmp/"))
    }
    return {
        f"AppDomain-{BUNDLE_ID}": kept,
        f"AppDomain-{OTHER_APP}": {
            f"Library/Preferences/{OTHER_APP}.plist": binary({"units": "metric", "favourites": ["crêpes", "ramen"]}),
            "Documents/recipes.json": text({"crêpes": {"eggs": 3, "milk": 0.5}}),
        },
        f"AppDomainGroup-{GROUP}": {
            f"Library/Preferences/{GROUP}.plist": binary({"basketCount": 2, "lastWidgetUpdate": SESSION_ID}),
            "shared-basket.json": text({"lines": [{"sku": "A-100", "quantity": 2}]}),
        },
        f"AppDomainPlugin-{EXTENSION}": {
            f"Library/Preferences/{EXTENSION}.plist": binary({"family": "small"}),
        },
    }


def _folders(files: Files) -> list[str]:
    """Every folder that the files lie in; the empty path is the domain itself."""
    found = {""}
    for path in files:
        found |= {parent.as_posix() for parent in Path(path).parents if parent.as_posix() != "."}
    return sorted(found)


def _file_id(domain: str, path: str) -> str:
    return hashlib.sha1(f"{domain}-{path}".encode()).hexdigest()


def _place(name: str) -> str:
    """A payload's path in the backup."""
    return f"{name[:2]}/{name}"


def _row(
    domain: str, path: str, flags: int, size: int, target: str | None = None
) -> tuple[str, str, str, int, bytes]:
    return _file_id(domain, path), domain, path, flags, _file_record(path, flags, size, target)


def _file_record(path: str, flags: int, size: int, target: str | None) -> bytes:
    """What the `file` column holds: a keyed archive that describes the file."""
    kind = {FILE: 0o100000, FOLDER: 0o040000, LINK: 0o120000}[flags]
    members: dict[str, Any] = {
        "RelativePath": path,
        "Size": size,
        "Mode": kind | (0o644 if flags == FILE else 0o755),
        "Flags": 0,
        "LastModified": LAST_EVENT,
        "LastStatusChange": LAST_EVENT,
        "Birth": SESSION_ID,
        "UserID": 501,
        "GroupID": 501,
        "InodeNumber": 4711,
        "ProtectionClass": 3 if flags == FILE else 0,
    }
    return keyed_archive(Instance("MBFile", members if target is None else {**members, "Target": target}))


def _write_manifest(path: Path, rows: list[tuple[str, str, str, int, bytes]]) -> None:
    database = sqlite3.connect(path)
    try:
        database.executescript(
            """
            CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB);
            CREATE INDEX FilesDomainIdx ON Files(domain);
            CREATE INDEX FilesRelativePathIdx ON Files(relativePath);
            CREATE INDEX FilesFlagsIdx ON Files(flags);
            CREATE TABLE Properties (key TEXT PRIMARY KEY, value BLOB);
            """
        )
        with database:
            database.executemany("INSERT INTO Files VALUES (?, ?, ?, ?, ?)", rows)
    finally:
        database.close()


def _descriptions(chosen: list[str]) -> Files:
    """The three property lists beside the database."""
    apps = [domain[len("AppDomain-") :] for domain in chosen if domain.startswith("AppDomain-")]
    manifest = {
        "Applications": {
            app: {"CFBundleIdentifier": app, "CFBundleVersion": "420", "ContainerContentClass": "Data/Application"}
            for app in apps
        },
        "Date": MADE,
        "IsEncrypted": False,
        "Lockdown": {"DeviceName": "Ada’s iPhone", "ProductType": "iPhone14,5", "ProductVersion": "18.1"},
        "SystemDomainsVersion": "24.0",
        "Version": "10.0",
        "WasPasscodeSet": True,
    }
    info = {
        "Applications": {app: {} for app in apps},
        "Device Name": "Ada’s iPhone",
        "Display Name": "Ada’s iPhone",
        "Installed Applications": apps,
        "Last Backup Date": MADE,
        "Product Name": "iPhone 13",
        "Product Type": "iPhone14,5",
        "Product Version": "18.1",
        "Target Identifier": DEVICE,
        "Target Type": "Device",
        "Unique Identifier": DEVICE,
    }
    status = {
        "BackupState": "new",
        "Date": MADE,
        "IsFullBackup": False,
        "SnapshotState": "finished",
        "UUID": "6A1F0C52-3B7E-4D89-A0C4-9E2D5B8F7A13",
        "Version": "3.3",
    }
    return {"Manifest.plist": binary(manifest), "Info.plist": xml(info), "Status.plist": binary(status)}
