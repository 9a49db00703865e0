"""Makes a folder of an audit: `carryover audit merge` adds up its rows, and DuckDB makes rows.parquet of them."""

import contextlib
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile
from collections.abc import Sequence
from importlib import resources
from itertools import groupby
from operator import itemgetter
from sqlite3 import Connection, connect
from typing import IO

import duckdb

from .audit import ABOUT, COMPLETE, MOST_BYTES, checksum, reading
from .store import FleetError, Place, visible

TYPES = {"integer": "BIGINT", "boolean": "BOOLEAN", "array": "VARCHAR[]"}
SHARDS = 2  # `carryover audit merge` takes at least two
# What every row begins with, and the number of its input behind it.
BEGINNING = '{"schema":"carryover.audit-row/1","n":'


def merge(output: str, folder: str, *, command: str = "carryover", redact: bool = False, options: Sequence[str] = ()) -> int:
    """Makes a new folder of all rows, like that of `carryover audit --output`, with a file rows.parquet. `options` are
    others of `carryover audit merge`, such as `--fail-on`. Gives its exit status. Throws `FleetError`."""
    store = Place.at(output)
    about, complete = store.document(ABOUT), store.document(COMPLETE)
    if about is None:
        raise FleetError(f"There is no audit at {store.url}.", 64)
    if complete is None:
        raise FleetError(f"The audit at {store.url} is not complete. The same command continues it.", 5)
    target = pathlib.Path(folder).absolute()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="carryover-merge-", dir=target.parent) as scratch:
        place = pathlib.Path(scratch)
        with (place / "part").open("w+b") as file, contextlib.closing(connect(place / "rows")) as rows:
            rows.execute("PRAGMA journal_mode = OFF")
            # A part and the number of an input in it, because a file and a folder can have the same name.
            rows.execute("CREATE TABLE rows(name BLOB, part, n, row, text, PRIMARY KEY(name, part, n, row)) WITHOUT ROWID")
            for name, sha256 in complete.items():
                if store.fetch(store.prefix + name, file, MOST_BYTES) is None:
                    raise FleetError(f"{name} is missing. Start the audit again to continue it.", 5)
                collect(name, sha256, file, about, redact, rows)
            shards = numbered(rows, place, about | {"redacted": redact})
        done = subprocess.run([command, "audit", "merge", *shards, *options, "--output", target], check=False)
        if (target / "complete.json").exists():
            write_parquet(target / "rows.ndjson", place / "rows.parquet")
            os.rename(place / "rows.parquet", target / "rows.parquet")
        return done.returncode


def collect(part: str, sha256: str, file: IO[bytes], options: dict, redact: bool, rows: Connection) -> None:
    """Adds the rows of a part, with the names of its inputs, and without their numbers."""
    is_same = checksum(file) == sha256
    with reading(part, file) as lines:
        head = json.loads(next(lines))
        if not is_same or head["options"] != options:
            raise ValueError
        found = groupby(map(json.loads, lines), itemgetter("n"))
        for n, (name, (_, group)) in enumerate(zip(head["names"], found, strict=True), 1):
            # The command orders folders by their names, so a slash is before any other character.
            order = name.replace("/", "\0").encode(errors="surrogatepass")
            for number, row in enumerate(group):
                # Behind the number of the copy is the place of a container in an archive or a backup.
                row["path"] = None if redact else name + "".join(row["path"].partition("/")[1:])
                if problem := head["problems"].get(str(n)):
                    row["outcome"], row["code"] = problem
                start, text = f"{BEGINNING}{n},", visible(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
                if not text.startswith(start):
                    raise ValueError
                rows.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?)", (order, part, n, number, text[len(start):]))


def numbered(rows: Connection, place: pathlib.Path, options: dict) -> list[pathlib.Path]:
    """Writes all rows, numbered in the order of `carryover audit`, as the folders of shards."""
    folders = [place / f"shard-{shard}" for shard in range(SHARDS)]
    for folder in folders:
        folder.mkdir()
    walk, number, counts, digests = hashlib.sha256(), 0, [0] * SHARDS, [b""] * SHARDS
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context((folder / "rows.ndjson").open("wb")) for folder in folders]
        ordered = rows.execute("SELECT * FROM rows ORDER BY name, part, n, row")
        for number, ((name, *_), group) in enumerate(groupby(ordered, itemgetter(0, 1, 2)), 1):
            walk.update(name + b"\n")
            shard = (number - 1) % SHARDS
            for *_, text in group:
                row = f"{BEGINNING}{number},{text}".encode()
                files[shard].write(row + b"\n")
                counts[shard] += 1
                digests[shard] = hashlib.sha256(digests[shard] + row).digest()
    for shard, folder in enumerate(folders):
        seal = {"schema": "carryover.audit-seal/1", "inputs": number, "walk": walk.hexdigest()}
        (folder / "audit.json").write_text(json.dumps(options | {"shard": f"{shard}/{SHARDS}"}))
        (folder / "complete.json").write_text(json.dumps(seal | {"rows": counts[shard], "digest": digests[shard].hex()}))
    return folders


def write_parquet(rows: pathlib.Path, target: pathlib.Path) -> None:
    """Makes a Parquet file of the rows, with the columns of their JSON schema."""
    schema = json.loads(resources.files(__package__).joinpath("audit-row-1.json").read_text())
    kinds = {name: about.get("type", "string") for name, about in schema["properties"].items()}
    columns = {name: TYPES.get(kind if isinstance(kind, str) else kind[0], "VARCHAR") for name, kind in kinds.items()}
    source, place = (str(path).replace("'", "''") for path in (rows, target))
    settings = {"threads": 2, "memory_limit": "300MB", "temp_directory": str(target.parent)}
    with duckdb.connect(config=settings) as database:
        database.execute(
            f"COPY (FROM read_json('{source}', format = 'newline_delimited', columns = {columns}, "
            f"maximum_object_size = 16777216)) TO '{place}' (FORMAT parquet, COMPRESSION zstd)")
