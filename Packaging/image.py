"""The image for containers, as an archive in the OCI image layout 1.0: one layer with the static command."""

from __future__ import annotations

import datetime
import gzip
import hashlib
import io
import json
import tarfile
from pathlib import Path

import project
from tree import DOCUMENTS, Item

# Nobody in particular; most registries' own images for one command have this number.
USER = 65532
HOME = "home/carryover"
# Without it, the C library knows no letters but ASCII's.
LOCALE = "usr/lib/locale/C.utf8/LC_CTYPE"
MANIFEST, CONFIG = "application/vnd.oci.image.manifest.v1+json", "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"


def tar(files: dict[str, Item], second: int, folders: dict[str, int] | None = None) -> bytes:
    """A tar in which nothing depends on the machine. The folders come first, with their modes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for place, mode in sorted((folders or {}).items()):
            entry = tarfile.TarInfo(place)
            entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, mode, second
            archive.addfile(entry)
        for place, item in sorted(files.items()):
            entry = tarfile.TarInfo(place)
            entry.size, entry.mode, entry.mtime = len(item.content), item.mode, second
            archive.addfile(entry, io.BytesIO(item.content))
    return buffer.getvalue()


def layer(items: dict[str, Item], second: int) -> bytes:
    files = {f"usr/{place}": item for place, item in items.items() if place.startswith((DOCUMENTS, "bin/"))}
    files[LOCALE] = Item(Path("/", LOCALE).read_bytes())
    folders = {str(parent): 0o755 for place in files for parent in Path(place).parents if str(parent) != "."}
    # Whoever the command runs as, it may keep its key in the home folder.
    folders |= {"home": 0o755, HOME: 0o1777, "tmp": 0o1777, "work": 0o755}
    return tar(files, second, folders)


def name(version: dict) -> str:
    return f"carryover-{version['version']}.oci"


def image(version: dict, items: dict[str, Item], day: datetime.date, licence: str) -> bytes:
    """The whole archive, which depends on the command, the day and the system's C.UTF-8 alone."""
    second = project.second(day)
    created = f"{day.isoformat()}T00:00:00Z"
    blobs: dict[str, Item] = {}

    def blob(content: bytes, kind: str, **more: object) -> dict:
        digest = hashlib.sha256(content).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = Item(content)
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content), **more}

    def document(value: dict) -> bytes:
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()

    platform = {"os": "linux", "architecture": project.processor(version)[0]}
    plain = layer(items, second)
    labels = {
        "org.opencontainers.image.title": "carryover", "org.opencontainers.image.version": version["version"],
        "org.opencontainers.image.revision": version["commit"], "org.opencontainers.image.created": created,
        "org.opencontainers.image.licenses": licence, "org.opencontainers.image.source": project.HOME,
        "org.opencontainers.image.description": project.SUMMARY,
    }
    config = blob(document({
        **platform, "created": created, "history": [{"created": created, "created_by": "make dist"}],
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(plain).hexdigest()}"]},
        "config": {
            "User": f"{USER}:{USER}", "Entrypoint": ["/usr/bin/carryover"], "WorkingDir": "/work", "Labels": labels,
            "Env": ["PATH=/usr/bin", f"HOME=/{HOME}", "LANG=C.UTF-8"],
        },
    }), CONFIG)
    layers = [blob(gzip.compress(plain, compresslevel=9, mtime=0), LAYER)]
    manifest = document({"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": layers, "annotations": labels})
    index = {"schemaVersion": 2, "manifests": [blob(manifest, MANIFEST, platform=platform, annotations={"org.opencontainers.image.ref.name": version["version"]})]}
    return tar({**blobs, "index.json": Item(document(index)), "oci-layout": Item(b'{"imageLayoutVersion":"1.0.0"}')}, second)
