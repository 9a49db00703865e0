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
from itertools import islice
from sqlite3 import Connection, connect
from typing import IO

import duckdb

from .audit import ABOUT, COMPLETE
from .store import Place
from .text import FleetError, visible
from .worker import MOST_BYTES, Part, lines_of, reading

TYPES = {"integer": "BIGINT", "boolean": "BOOLEAN", "array": "VARCHAR[]"}
# `carryover audit merge` takes at least two shards.
SHARDS = 2


def merge(output: str, folder: str, *, command: str = "carryover", redact: bool = False, options: Sequence[str] = ()) -> int:
    """Makes a new folder of all rows, like that of `carryover audit --output`, with a file rows.parquet. `options` are others of
    `carryover audit merge`, such as `--fail-on`. Gives its exit status. Throws `FleetError`."""
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
        with (place / "rows").open("w+b") as rows, contextlib.closing(connect(place / "index")) as index:
            index.execute("PRAGMA journal_mode = OFF")
            index.execute("CREATE TABLE inputs(name BLOB, first INTEGER, about TEXT)")
            with (place / "part").open("w+b") as file:
                for part in complete.get("parts", ()):
                    collect(store, Part(*part), about, file, rows, index)
            shards = numbered(rows, index, place, about | {"redacted": redact})
        done = subprocess.run([command, "audit", "merge", *shards, *options, "--output", target], check=False)
        if (target / "complete.json").exists():
            write_parquet(target / "rows.ndjson", place / "rows.parquet")
            os.rename(place / "rows.parquet", target / "rows.parquet")
        return done.returncode


def collect(store: Place, part: Part, options: dict, file: IO[bytes], rows: IO[bytes], index: Connection) -> None:
    """Adds the rows of a part, and its inputs to the index."""
    if store.fetch(store.prefix + part.name, file, MOST_BYTES) is None:
        raise FleetError(f"{part.name} is missing. Start the audit again to continue it.", 5)
    with reading(part.name):
        lines = lines_of(file)
        first = next(lines)
        head, sha256, count = json.loads(first), hashlib.sha256(first), 0
        for number, (name, length) in enumerate(zip(head["names"], head["rows"], strict=True), 1):
            # The command orders folders by their names, so a slash is before any other character.
            order = name.replace("/", "\0").encode(errors="surrogatepass")
            about = json.dumps([number, name, length, head["problems"].get(str(number))])
            index.execute("INSERT INTO inputs VALUES (?, ?, ?)", (order, rows.tell(), about))
            for line in islice(lines, length):
                sha256.update(line)
                rows.write(line)
                count += 1
        if head["options"] != options or next(lines, None) or part != (part.name, number, count, sha256.hexdigest()):
            raise ValueError


def numbered(rows: IO[bytes], index: Connection, place: pathlib.Path, options: dict) -> list[pathlib.Path]:
    """Writes all rows, numbered in the order of `carryover audit`, as the folders of shards."""
    shards = [Shard(place / f"shard-{number}") for number in range(SHARDS)]
    walk, number = hashlib.sha256(), 0
    for number, (order, first, about) in enumerate(index.execute("SELECT * FROM inputs ORDER BY name"), 1):
        walk.update(order + b"\n")
        rows.seek(first)
        n, name, length, problem = json.loads(about)
        for _ in range(length):
            with reading(name):
                row = json.loads(rows.readline())
                if row["n"] != n:
                    raise ValueError
                row["n"] = number
                # Behind the number of the copy is the place of a container in an archive or a backup.
                row["path"] = None if options["redacted"] else name + "".join(row["path"].partition("/")[1:])
                if problem:
                    row["outcome"], row["code"] = problem
            text = visible(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
            shards[(number - 1) % SHARDS].add(text.encode())
    for shard, one in enumerate(shards):
        one.seal(options | {"shard": f"{shard}/{SHARDS}"}, number, walk.hexdigest())
    return [shard.folder for shard in shards]


class Shard:
    """The folder of an audit with `--shard`."""

    def __init__(self, folder: pathlib.Path) -> None:
        folder.mkdir(mode=0o700)
        self.folder, self.file = folder, (folder / "rows.ndjson").open("wb")
        self.rows, self.digest = 0, b""

    def add(self, row: bytes) -> None:
        self.file.write(row + b"\n")
        self.rows += 1
        self.digest = hashlib.sha256(self.digest + row).digest()

    def seal(self, options: dict, inputs: int, walk: str) -> None:
        self.file.close()
        (self.folder / "audit.json").write_text(json.dumps(options))
        (self.folder / "complete.json").write_text(json.dumps({
            "schema": "carryover.audit-seal/1", "inputs": inputs, "walk": walk, "rows": self.rows,
            "digest": self.digest.hex()}))


def columns() -> dict[str, str]:
    """The columns of the rows, by their JSON schema."""
    schema = json.loads(resources.files(__package__).joinpath("audit-row-1.json").read_text())
    kinds = {name: about.get("type", "string") for name, about in schema["properties"].items()}
    return {name: TYPES.get(kind if isinstance(kind, str) else kind[0], "VARCHAR") for name, kind in kinds.items()}


def write_parquet(rows: pathlib.Path, target: pathlib.Path) -> None:
    source, place = (str(path).replace("'", "''") for path in (rows, target))
    settings = {"threads": 2, "memory_limit": "300MB", "temp_directory": str(target.parent)}
    with duckdb.connect(config=settings) as database:
        database.execute(
            f"COPY (FROM read_json('{source}', format = 'newline_delimited', columns = {columns()}, "
            f"maximum_object_size = 16777216)) TO '{place}' (FORMAT parquet, COMPRESSION zstd)")
