"""Puts the rows of all shards together: rows.ndjson, rows.parquet and summary.json."""

import gzip
import json
import os
import pathlib
import re
from concurrent.futures import ThreadPoolExecutor

import duckdb
import obstore

from . import stores
from .failures import Failure, Usage
from .manifest import Manifest, Shard, part_path

BEGINNING = re.compile(rb'^\{"schema":"carryover\.audit-row/1","n":(\d+),"row":"(container|field)",.*\}$', re.M)
COLUMNS = {
    "n": "BIGINT", "row": "VARCHAR", "container": "VARCHAR", "path": "VARCHAR", "outcome": "VARCHAR", "code": "VARCHAR",
    "kind": "VARCHAR", "bundleID": "VARCHAR", "recipe": "VARCHAR", "recipeVersion": "INTEGER", "recipeDigest": "VARCHAR",
    "findings": "VARCHAR[]", "errors": "INTEGER", "warnings": "INTEGER", "notes": "INTEGER", "undecided": "INTEGER",
    "blocked": "BOOLEAN", "field": "VARCHAR", "group": "VARCHAR", "source": "VARCHAR", "candidate": "INTEGER",
    "legacyKind": "VARCHAR", "status": "VARCHAR", "decidedBy": "VARCHAR", "verdict": "VARCHAR", "reference": "VARCHAR",
}


def done_shards(store, head: Manifest) -> list[int]:
    """The shards with rows in the store."""
    known = {part_path(shard): shard for shard in range(len(head.shards))}
    return sorted(
        known[found["path"]] for page in obstore.list(store, prefix="parts") for found in page if found["path"] in known)


def merge(store, head: Manifest, options: dict, folder: pathlib.Path) -> dict:
    """Merges a complete audit into a folder, and gives its summary. An audit that is not complete is refused."""
    missing = len(head.shards) - len(done_shards(store, head))
    if missing:
        raise Failure(
            f"The audit is incomplete: {missing:,} of {len(head.shards):,} shards have no rows. carryover-fleet run "
            "continues it.")
    if not head.inputs:
        raise Failure("The audit is incomplete: no input was found.")
    about = folder / "audit.json"
    if folder.exists() and not folder.is_dir():
        raise Usage(f"{folder} is a file: name a new folder.")
    others = [path for path in folder.iterdir() if path.suffix != ".tmp"] if folder.exists() else []
    if others and not (about.exists() and json.loads(about.read_text()) == options):
        raise Usage(f"{folder} is not empty, and has no merge of this audit: name a new folder.")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    rows = folder / "rows.ndjson.tmp"
    with rows.open("wb") as file, ThreadPoolExecutor(4) as pool:
        # In groups, so that not all rows are in memory at once.
        for start in range(0, len(head.shards), 16):
            group = range(start, min(start + 16, len(head.shards)))
            for number, text in zip(group, pool.map(lambda number: part(store, number), group)):
                check(text, number, head.shards[number])
                file.write(text)
    summary = tables(rows, folder / "rows.parquet.tmp", head)
    os.replace(rows, folder / "rows.ndjson")
    os.replace(folder / "rows.parquet.tmp", folder / "rows.parquet")
    write(folder / "summary.json", json.dumps(summary, indent=2) + "\n")
    # Last: it says that the others are whole.
    write(about, json.dumps(options, indent=2) + "\n")
    return summary


def write(path: pathlib.Path, text: str) -> None:
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(text)
    os.replace(temporary, path)


def part(store, shard: int) -> bytes:
    try:
        return gzip.decompress(stores.read(store, part_path(shard)) or b"")
    except (OSError, EOFError) as error:
        raise damaged(shard) from error


def damaged(shard: int) -> Failure:
    return Failure(
        f"The audit is incomplete: {part_path(shard)} is damaged. Remove it; carryover-fleet run then makes it again.")


def check(text: bytes, number: int, shard: Shard) -> None:
    """Checks that a shard has rows of all its inputs, in order, and nothing else."""
    matches = BEGINNING.findall(text)
    inputs = dict.fromkeys(int(n) for n, row in matches if row == b"container")
    expected = range(shard.first, shard.first + shard.inputs)
    if len(matches) != text.count(b"\n") or list(inputs) != list(expected) or not text.endswith(b"}\n"):
        raise damaged(number)


def tables(rows: pathlib.Path, parquet: pathlib.Path, head: Manifest) -> dict:
    """Writes the rows as Parquet, and counts what `carryover audit --json` counts."""
    with duckdb.connect() as database:
        database.execute("SET temp_directory = ''")
        database.execute(
            "CREATE TABLE rows AS SELECT * FROM read_json(?, format = 'newline_delimited', columns = ?, "
            "maximum_object_size = 16777216)", [str(rows), COLUMNS])
        database.execute(f"COPY rows TO '{quoted(parquet)}' (FORMAT parquet, COMPRESSION zstd)")

        def ask(query: str) -> list[tuple]:
            return database.execute(query).fetchall()

        [(containers, inputs)] = ask("SELECT count(*), count(DISTINCT n) FROM rows WHERE row = 'container'")
        outcomes = dict(ask("SELECT outcome, count(*) FROM rows WHERE row = 'container' GROUP BY 1 ORDER BY 1"))
        if inputs != head.inputs or sum(outcomes.values()) != containers or None in outcomes:
            raise Failure(
                f"The audit is incomplete: the manifest has {head.inputs:,} inputs, and {inputs:,} have an outcome.")
        verdicts = ask(
            "SELECT recipe, field, verdict, count(*) FROM rows WHERE row = 'field' GROUP BY ALL ORDER BY ALL")
        findings = ask(
            "SELECT code, count(*) FROM (SELECT unnest(findings) AS code FROM rows WHERE row = 'container') "
            "GROUP BY 1 ORDER BY 2 DESC, 1")
    fields: dict[tuple, dict] = {}
    for recipe, name, verdict, count in verdicts:
        fields.setdefault((recipe, name), {"recipe": recipe, "field": name})[verdict] = count
    return {
        "schema": "carryover.fleet-summary/1", "manifest": head.digest, "inputs": inputs, "containers": containers,
        "outcomes": outcomes, "fields": list(fields.values()),
        "findings": [{"code": code, "containers": count} for code, count in findings],
    }


def quoted(path: pathlib.Path) -> str:
    return str(path).replace("'", "''")
