"""Archives: `AcmeShop` as people send it, and hostile ones, which no reader may believe.

Compressed bytes differ from one zlib to another, so archives are made where they are needed and never committed.
"""

from __future__ import annotations

import functools
import gzip
import io
import struct
import tarfile
import warnings
import zipfile
import zlib
from pathlib import Path
from typing import Callable

from .basics import LEGACY, SESSION_ID, Files, good_values, xml
from .people import acme_shop, clean

NAME = "AcmeShop.xcappdata"
BOMB_MEBIBYTES = 2048

OUTSIDE = b"written outside the folder that was to be filled\n"
MARK = "carryover-was-here.txt"  # the name of what a careless reader would leave outside


def make_archives(folder: Path | str) -> None:
    """Writes every archive into a folder: the honest ones, and the others in `hostile/`."""
    root = Path(folder)
    (root / "hostile").mkdir(parents=True, exist_ok=True)
    files = _under(NAME, acme_shop())
    (root / "AcmeShop.zip").write_bytes(zip_of(list(files.items())))
    (root / "AcmeShop.tar.gz").write_bytes(tar_of([_file(path, content) for path, content in files.items()]))
    for name, make in HOSTILE.items():
        (root / "hostile" / name).write_bytes(make())


def zip_of(entries: list[tuple[str, bytes]], links: dict[str, str] | None = None) -> bytes:
    """A .zip of files in the order given, and of symbolic links by name and target."""
    output = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(output, "w") as archive:
        warnings.simplefilter("ignore")  # of a name that comes twice, where that is the point
        for name, target in (links or {}).items():
            archive.writestr(_zip_entry(name, 0o120777), target)
        for name, content in entries:
            archive.writestr(_zip_entry(name, 0o100644), content, zipfile.ZIP_DEFLATED)
    return output.getvalue()


def tar_of(entries: list[tuple[tarfile.TarInfo, bytes]]) -> bytes:
    """A .tar.gz of entries in the order given."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for entry, content in entries:
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(plain.getvalue(), mtime=0)


def _under(folder: str, files: Files) -> Files:
    return {f"{folder}/{path}": content for path, content in files.items()}


def _zip_entry(name: str, mode: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, (2025, 11, 20, 12, 5, 0))
    entry.create_system = 3  # Unix, so that the mode counts
    entry.external_attr = mode << 16
    return entry


def _file(name: str, content: bytes = b"") -> tuple[tarfile.TarInfo, bytes]:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    entry.mtime = SESSION_ID
    return entry, content


def _special(name: str, kind: bytes, target: str = "") -> tuple[tarfile.TarInfo, bytes]:
    entry, content = _file(name)
    entry.type, entry.linkname = kind, target
    return entry, content


# ---- Hostile archives ----


def _honest() -> list[tuple[str, bytes]]:
    """What surrounds the one bad entry: a container that would open."""
    return list(_under("Clean.xcappdata", clean()).items())


def _zip_with(*bad: tuple[str, bytes], links: dict[str, str] | None = None) -> Callable[[], bytes]:
    return lambda: zip_of([*_honest(), *bad], links)


def _tar_with(*bad: tuple[tarfile.TarInfo, bytes]) -> Callable[[], bytes]:
    return lambda: tar_of([*(_file(*entry) for entry in _honest()), *bad])


def _first_half(content: bytes) -> bytes:
    return content[: len(content) // 2]


@functools.lru_cache(maxsize=1)
def _zeros(mebibytes: int) -> tuple[bytes, int]:
    """Deflated zeros and their check sum; each mebibyte is the same block, so that it is compressed but once."""
    block = bytes(1 << 20)
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = compressor.compress(block) + compressor.flush(zlib.Z_FULL_FLUSH)
    check = 0
    for _ in range(mebibytes):
        check = zlib.crc32(block, check)
    return packed * mebibytes + zlib.compressobj(9, zlib.DEFLATED, -15).flush(), check


def _zip_bomb(mebibytes: int = BOMB_MEBIBYTES) -> bytes:
    """A property list of nothing but zeros. Written by hand, because Python's writer would compress all of them."""
    name = f"Clean.xcappdata/{LEGACY}".encode()
    packed, check = _zeros(mebibytes)
    moment = (12 << 11 | 5 << 5, (2025 - 1980) << 9 | 11 << 5 | 20)
    sizes = (check, len(packed), mebibytes << 20, len(name), 0)
    common = struct.pack("<HHHHHIIIHH", 20, 0, zipfile.ZIP_DEFLATED, *moment, *sizes)
    local = b"PK\x03\x04" + common + name + packed
    central = b"PK\x01\x02" + struct.pack("<H", 3 << 8 | 20) + common
    central += struct.pack("<HHHII", 0, 0, 0, 0o100644 << 16, 0) + name
    return local + central + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)


def _tar_bomb(mebibytes: int = BOMB_MEBIBYTES) -> bytes:
    """The same in a .tar.gz: its header is one gzip member, the zeros another."""
    entry, _ = _file(f"Clean.xcappdata/{LEGACY}")
    entry.size = mebibytes << 20
    packed, check = _zeros(mebibytes)
    member = b"\x1f\x8b\x08" + bytes(6) + b"\xff" + packed + struct.pack("<II", check, mebibytes << 20)
    return gzip.compress(entry.tobuf(), mtime=0) + member


_STANDING_IN = xml({**good_values(), "rl_anonymous_id": "00000000-0000-0000-0000-00000000dead"})

HOSTILE: dict[str, Callable[[], bytes]] = {
    # Paths that lead out of the folder.
    "parent.zip": _zip_with((f"Clean.xcappdata/../../{MARK}", OUTSIDE)),
    "parent.tar.gz": _tar_with(_file(f"Clean.xcappdata/../../{MARK}", OUTSIDE)),
    "parent-windows.zip": _zip_with((f"Clean.xcappdata\\..\\..\\{MARK}", OUTSIDE)),
    "absolute.zip": _zip_with((f"/tmp/{MARK}", OUTSIDE)),
    "absolute.tar.gz": _tar_with(_file(f"/tmp/{MARK}", OUTSIDE)),
    # Links that lead out, and a file that would be written through one.
    "link-out.zip": _zip_with(
        ("Clean.xcappdata/AppData/Documents/out/" + MARK, OUTSIDE),
        links={"Clean.xcappdata/AppData/Documents/out": "../../../.."},
    ),
    "link-out.tar.gz": _tar_with(
        _special("Clean.xcappdata/AppData/Documents/out", tarfile.SYMTYPE, "/tmp"),
        _file("Clean.xcappdata/AppData/Documents/out/" + MARK, OUTSIDE),
    ),
    "hard-link-out.tar.gz": _tar_with(
        _special("Clean.xcappdata/AppData/Documents/passwd", tarfile.LNKTYPE, "../../../../../../etc/passwd")
    ),
    # What is no file at all.
    "device.tar.gz": _tar_with(_special("Clean.xcappdata/AppData/Documents/null", tarfile.CHRTYPE)),
    # One path, two contents.
    "duplicate.zip": _zip_with((f"Clean.xcappdata/{LEGACY}", _STANDING_IN)),
    "duplicate.tar.gz": _tar_with(_file(f"Clean.xcappdata/{LEGACY}", _STANDING_IN)),
    # Two gibibytes of zeros in a file of two mebibytes.
    "bomb.zip": _zip_bomb,
    "bomb.tar.gz": _tar_bomb,
    # The second half is missing.
    "cut.zip": lambda: _first_half(zip_of(_honest())),
    "cut.tar.gz": lambda: _first_half(_tar_with()()),
}
