"""The manifest: every input of an audit in order, in shards. Its digest fixes what is audited."""

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

import obstore
from obstore.exceptions import InvalidPathError

from . import stores
from .failures import Failure, Usage
from .inputs import Object, Tree

PATH = "manifest.json"
SCHEMA = "carryover.fleet-manifest/1"


@dataclass(frozen=True)
class Unit:
    """An input: its number from 1, the path that its rows name, and its objects as (key, bytes, etag).

    `root` is the name of the source if that is the input itself, and else empty.
    """

    n: int
    path: str
    root: str
    objects: list[tuple[str, int, str | None]]

    @property
    def bytes(self) -> int:
        return sum(size for _, size, _ in self.objects)


@dataclass(frozen=True)
class Shard:
    """A part of the manifest that a worker audits at once."""

    first: int
    inputs: int
    objects: int
    bytes: int


@dataclass(frozen=True)
class Manifest:
    """The head of a manifest."""

    source: str
    digest: str
    inputs: int
    objects: int
    bytes: int
    ignored: int
    shards: list[Shard]

    @classmethod
    def load(cls, store) -> "Manifest":
        text = stores.read(store, PATH)
        if text is None:
            raise Usage("There is no audit here: make one with carryover-fleet plan.")
        members = json.loads(text)
        if members.pop("schema", None) != SCHEMA:
            raise Usage("The audit was made by another version of carryover-fleet: make a new one.")
        return cls(**members | {"shards": [Shard(**shard) for shard in members["shards"]]})


def read_units(store, digest: str, number: int, shard: Shard) -> list[Unit]:
    """The inputs of a shard."""
    path = shard_path(digest, number)
    data = stores.read(store, path)
    if data is None:
        raise Failure(f"{path} is missing: plan the audit again, in another place.")
    found = [Unit(**json.loads(line)) for line in gzip.decompress(data).splitlines()]
    if [unit.n for unit in found] != list(range(shard.first, shard.first + shard.inputs)):
        raise Failure(f"{path} is damaged: plan the audit again, in another place.")
    return found


def shard_path(digest: str, shard: int) -> str:
    return f"manifest/{digest[:16]}/{shard:06d}.ndjson.gz"


def part_path(shard: int) -> str:
    """Where the rows of a shard are. An object there means that the shard is done."""
    return f"parts/{shard:06d}.ndjson.gz"


def listed(store) -> Iterator[Object]:
    """Every object of a store, read in pages."""
    try:
        for page in obstore.list(store, chunk_size=1000):
            for found in page:
                yield Object(tuple(found["path"].split("/")), found["size"], found["e_tag"])
    except InvalidPathError as error:
        # A file cannot have this name. To leave the object out would make the audit look complete.
        raise Failure(
            f"{stores.first_line(error)}. Rename or remove that object, or name a prefix without it.") from error


def make(source: str, objects: Iterable[Object], shard_bytes: int, shard_count: int) -> tuple[Manifest, list[bytes]]:
    """Sorts and numbers the inputs, and cuts them into shards by bytes and number."""
    tree = Tree(objects)
    digest = hashlib.sha256()
    shards: list[Shard] = []
    texts: list[bytes] = []
    units: list[Unit] = []

    def cut() -> None:
        text = "".join(json.dumps(asdict(unit), ensure_ascii=False, separators=(",", ":")) + "\n" for unit in units)
        digest.update(text.encode())
        texts.append(gzip.compress(text.encode(), mtime=0))
        shards.append(
            Shard(units[0].n, len(units), sum(len(unit.objects) for unit in units), sum(unit.bytes for unit in units)))
        units.clear()

    size = 0
    name = stores.name_of(source)
    for number, (path, members) in enumerate(tree.inputs(name), 1):
        unit = Unit(number, path or name, "" if path else name, [("/".join(one.parts), one.size, one.etag) for one in members])
        if units and (len(units) == shard_count or size + unit.bytes > shard_bytes):
            cut()
            size = 0
        units.append(unit)
        size += unit.bytes
    if units:
        cut()
    used = sum(shard.objects for shard in shards)
    head = Manifest(
        source, digest.hexdigest(), sum(shard.inputs for shard in shards), used, sum(shard.bytes for shard in shards),
        len(tree.objects) - used, shards)
    return head, texts


def write(store, head: Manifest, texts: list[bytes]) -> bool:
    """Writes a manifest, its head last. Gives False if the same one is there already."""
    text = json.dumps({"schema": SCHEMA, **asdict(head)}, indent=1).encode()
    if stores.read(store, PATH) is None:
        for number, shard in enumerate(texts):
            obstore.put(store, shard_path(head.digest, number), shard)
        if stores.put_once(store, PATH, text):
            return True
    if stores.read(store, PATH) != text:
        raise Usage("There is another audit in this place: plan in a new one.")
    return False
