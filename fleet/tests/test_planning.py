"""Lists, manifests, and the store."""

import json
import random
import subprocess
import threading

import pytest
from conftest import ok

from carryover_fleet import manifest, stores
from carryover_fleet.failures import Failure, Usage
from carryover_fleet.inputs import Object, Tree

NAMES = [
    "a", "a-b", "a.zip", "é.TAR.GZ", "._b.zip", "AppData", "AppDataInfo.plist", "Library", "Containers", "Data", "Shared",
    "Application", "AppGroup", "Manifest.db", "Manifest.mbdb", "Manifest.plist", "Info.plist", "Status.plist", "__MACOSX",
    "x.xcappdata", ".com.apple.mobile_container_manager.metadata.plist"]


def test_all_pages_of_a_list_are_read(audit, s3):
    audit.put(ok(1_500))
    s3.seen.clear()
    audit.plan(count=400)
    assert sum("list-type=2" in path for _, path in s3.seen) >= 2
    assert audit.head.inputs == 1_500 and [one.inputs for one in audit.head.shards] == [400, 400, 400, 300]


def test_an_object_that_no_file_can_be_refuses_the_plan(audit, s3):
    import boto3

    client = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{s3.port}")
    client.put_object(Bucket=audit.source.split("/")[2], Key="saved/a/../b.zip", Body=b"")
    with pytest.raises(Failure, match=r"a/\.\./b\.zip"):
        audit.plan()


def test_a_manifest_depends_on_the_objects_only():
    objects = [Object((f"{number % 3}", f"{number}.zip"), number, None) for number in range(50)]
    first, texts = manifest.make("s3://b/p", objects, 300, 10)
    random.Random(1).shuffle(objects)
    assert manifest.make("s3://b/p", objects, 300, 10) == (first, texts)
    assert all(one.inputs <= 10 and (one.bytes <= 300 or one.inputs == 1) for one in first.shards)
    assert [one.first for one in first.shards][1:] == [one.first + one.inputs for one in first.shards][:-1]
    assert manifest.make("s3://b/p", objects[1:], 300, 10)[0].digest != first.digest


def test_a_place_takes_one_manifest(audit):
    audit.put(ok(5))
    audit.plan()
    audit.plan()
    audit.put({"new.zip": b"ok"})
    with pytest.raises(Usage):
        audit.plan()


def test_an_empty_object_for_a_folder_is_no_file():
    tree = Tree([Object(("c",), 0, None), Object(("c", "Library", "x"), 1, None), Object(("c", "Library"), 0, None)])
    assert [path for path, _ in tree.inputs("p")] == ["c"]


def test_of_many_writers_one_wins(audit):
    audit.put({})
    store = stores.open_store(audit.url, "output")
    barrier, won = threading.Barrier(16), []

    def write(number: int) -> None:
        barrier.wait()
        if stores.put_once(store, "one", b"%d" % number):
            won.append(number)
    threads = [threading.Thread(target=write, args=[number]) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1 and stores.read(store, "one") == b"%d" % won[0]


def test_a_role_has_its_own_credentials(audit, monkeypatch):
    monkeypatch.setenv("CARRYOVER_SOURCE_AWS_ACCESS_KEY_ID", "reader")
    assert stores.open_store(audit.source, "source").config["access_key_id"] == "reader"
    assert stores.open_store(audit.source, "output").config.get("access_key_id") != "reader"


def test_inputs_are_those_of_the_command(carryover, tmp_path):
    rng = random.Random(3)
    root = tmp_path / "root"
    for number in range(400):
        for _ in range(rng.randrange(1, 6)):
            path = root.joinpath(f"{number:03d}", *(rng.choice(NAMES) for _ in range(rng.randrange(1, 5))))
            if not any(parent.is_file() for parent in path.parents) and not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
    found = [Object(path.relative_to(root).parts, 1, None) for path in root.rglob("*") if path.is_file()]
    done = subprocess.run(
        [carryover, "audit", root, "-o", tmp_path / "out", "--now", "2026-01-10T08:00:00Z"], capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    rows = map(json.loads, (tmp_path / "out/rows.ndjson").read_text().splitlines())
    inputs = [path for path, _ in Tree(found).inputs("root")]
    assert len(inputs) > 200
    names = {row["n"]: row["path"] for row in reversed(list(rows)) if row["row"] == "container"}
    # Where an input has several containers, a row's path goes on behind that of the input.
    assert all((names[n] + "/").startswith(path + "/") for n, path in zip(sorted(names), inputs, strict=True))
