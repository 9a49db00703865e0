"""Runs on two workers, with everything that goes wrong."""

import errno
import json
import os
import signal
import stat
import subprocess
import sys
import threading

import psutil
import pytest
from conftest import ok, wait_gone

from carryover_fleet import manifest, shard, stores
from carryover_fleet.__main__ import main
from carryover_fleet.failures import Failure, Unfinished
from carryover_fleet.prefetch import PREFIX, Prefetch, PrivateFolder

# Only a bound for what hangs: a busy machine is slow.
LONG = 300


def expected(inputs: dict[str, bytes], **outcomes: str) -> dict[str, str]:
    return {path: "audited" for path in inputs} | outcomes


def first_time():
    """Whether a thing is asked for the first time."""
    seen, guard = set(), threading.Lock()

    def check(thing: object) -> bool:
        with guard:
            return not (thing in seen or seen.add(thing))
    return check


def test_rows_do_not_depend_on_shards_or_redone_work(audit, cluster):
    audit.put(ok(60) | {"same.zip": b"ok 1"})
    audit.plan(count=1_000)
    audit.drive(cluster).run()
    alone = audit.rows()
    audit.url += "-2"
    audit.plan(count=7)
    audit.drive(cluster).run()
    assert audit.rows() == alone and len(alone.splitlines()) == 61
    # What is done is not done again, and not replaced.
    tags = {path: stores.obstore.head(audit.store, path)["e_tag"] for path in map(manifest.part_path, audit.shards)}
    audit.drive(cluster).run()
    assert tags == {path: stores.obstore.head(audit.store, path)["e_tag"] for path in tags}


def test_equal_content_is_two_containers(audit, cluster):
    audit.put({"a.zip": b"ok", "b.zip": b"ok"})
    audit.plan()
    audit.drive(cluster).run()
    one, other = map(json.loads, audit.rows().splitlines())
    assert one["container"] == other["container"] and (one["n"], other["n"]) == (1, 2)


def test_errors_of_the_store_and_cut_bodies_change_nothing(audit, cluster, s3):
    inputs = ok(40) | {"large.zip": b"ok " + bytes(3 << 20)}
    audit.put(inputs)
    audit.plan()
    is_first, faults = first_time(), []

    def fault(method: str, path: str):
        if ("/saved/" in path or "/parts/" in path) and is_first((method, path)):
            faults.append(503 if len(faults) % 2 or method != "GET" else "cut")
            return faults[-1]
        return None
    s3.fault = fault
    report = audit.drive(cluster).run()
    assert not report.failed and audit.outcomes() == expected(inputs)
    assert faults.count(503) > 20 and faults.count("cut") > 15


def test_a_store_out_of_order_leaves_a_run_that_can_go_on(audit, cluster, s3):
    audit.put(ok(10))
    audit.plan()
    s3.fault = lambda method, path: 400 if "/saved/1/" in path else None
    report = audit.drive(cluster).run()
    assert list(report.failed) == [0] and "400" in report.failed[0]
    s3.fault = lambda method, path: None
    assert not audit.drive(cluster).run().failed and audit.outcomes() == expected(ok(10))


def test_what_is_not_as_listed_is_a_row(audit, cluster, s3, tmp_path):
    audit.put(ok(4) | {"gone.zip": b"ok", "changed.zip": b"ok", "secret.zip": b"ok", "big.zip": bytes(2_000)})
    audit.plan()
    stores.obstore.delete(stores.open_store(audit.source, "source"), "gone.zip")
    audit.put({"changed.zip": b"crash"})
    s3.fault = lambda method, path: 403 if "secret" in path else None
    audit.drive(cluster, folder_bytes=1_000).run()
    rows = [row for row in map(json.loads, audit.rows().splitlines()) if row["outcome"] != "audited"]
    assert {row["path"]: (row["outcome"], row["code"]) for row in rows} == {
        "gone.zip": ("unreadable", "not-found"), "changed.zip": ("changed", None),
        "secret.zip": ("unreadable", "permission-denied"), "big.zip": ("unreadable", "too-large")}
    assert main(["merge", audit.url, str(tmp_path / "merged")]) == 4 and (tmp_path / "merged/rows.ndjson").exists()


@pytest.mark.parametrize("content, outcome", [("crash", "crashed"), ("noise", "crashed"), ("hang", "timeout")])
def test_a_poison_container_is_one_row(audit, cluster, content, outcome):
    inputs = ok(20) | {"bad.zip": content.encode()}
    audit.put(inputs)
    audit.plan(count=1_000)
    report = audit.drive(cluster, limit=1.0).run()
    assert audit.outcomes() == expected(inputs, **{"bad.zip": outcome}) and not report.split


def test_a_container_that_ends_the_workers_is_isolated(audit, cluster):
    inputs = ok(3) | {"bad.zip": b"kill"}
    audit.put(inputs)
    audit.plan(count=1_000)
    report = audit.drive(cluster).run()
    assert audit.outcomes() == expected(inputs, **{"bad.zip": "crashed"}) and report.split


def test_a_binary_that_cannot_work_ends_the_run(audit, cluster):
    audit.put(ok(1))
    audit.plan()
    with pytest.raises(Failure, match="version"):
        audit.drive(cluster, version="other").run()
    with pytest.raises(Failure, match="as soon as they start"):
        audit.drive(cluster, binary="/bin/echo", version=shard.binary_version("/bin/echo")).run()


def test_a_straggler_is_split(audit, cluster, s3):
    inputs = ok(40)
    audit.put(inputs)
    audit.plan()
    release, is_first = threading.Event(), first_time()

    def fault(method: str, path: str) -> None:
        if method == "GET" and path.endswith("/c00007.zip") and is_first(path):
            assert release.wait(LONG)
    s3.fault = fault
    try:
        report = audit.drive(cluster, patience=0.5).run()
        assert report.split == 1 and audit.outcomes() == expected(inputs)
    finally:
        release.set()


def test_two_runs_at_once_are_harmless(audit, cluster):
    inputs = ok(100)
    audit.put(inputs)
    audit.plan()
    reports = []
    drives = [audit.drive(cluster) for _ in range(2)]
    threads = [threading.Thread(target=lambda drive=drive: reports.append(drive.run())) for drive in drives]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert [report.done for report in reports] == [10, 10] and audit.outcomes() == expected(inputs)


def test_an_interrupted_run_goes_on(audit, cluster):
    audit.put(ok(50))
    audit.plan(count=1)
    drive = audit.drive(cluster)
    drive.show = lambda done: drive.interrupt() if done == 5 else None
    with pytest.raises(Unfinished):
        drive.run()
    audit.drive(cluster).run()
    assert audit.outcomes() == expected(ok(50))


def test_a_killed_worker_loses_nothing(audit, cluster, s3):
    inputs = ok(200)
    audit.put(inputs)
    audit.plan(count=20)
    is_first = first_time()

    def fault(method: str, path: str) -> None:
        if method == "PUT" and "/parts/" in path and is_first("kill"):
            os.kill(next(iter(cluster.run(os.getpid).values())), signal.SIGKILL)
    s3.fault = fault
    assert not audit.drive(cluster).run().failed
    assert not is_first("kill") and audit.outcomes() == expected(inputs)


def test_a_killed_nanny_loses_nothing(audit, s3, tmp_path):
    from distributed import Client

    audit.put(ok(100))
    audit.plan()
    file = tmp_path / "scheduler.json"
    options = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
    start = [[sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", *options]]
    start += [[sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", *options]] * 2
    processes = [subprocess.Popen(one, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for one in start]
    try:
        with Client(scheduler_file=str(file), timeout=LONG) as client:
            client.wait_for_workers(2, timeout=LONG)
            is_first = first_time()

            def fault(method: str, path: str) -> None:
                if method == "PUT" and "/parts/" in path and is_first("kill"):
                    processes[1].kill()
            s3.fault = fault
            assert not audit.drive(client).run().failed
        assert processes[1].wait(LONG) == -signal.SIGKILL and audit.outcomes() == expected(ok(100))
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait(LONG)


def test_a_killed_run_goes_on_and_leaves_no_process(audit, cluster, s3, fake):
    inputs = ok(200)
    audit.put(inputs)
    audit.plan(count=10)
    half = threading.Event()
    parts = []

    def fault(method: str, path: str) -> None:
        if method == "PUT" and "/parts/" in path:
            parts.append(path)
            if len(parts) == 5:
                half.set()
    s3.fault = fault
    run = psutil.Popen(
        [sys.executable, "-m", "carryover_fleet", "run", audit.url, "--local", "2", "--binary", fake],
        stdout=subprocess.DEVNULL)
    assert half.wait(LONG)
    family = [run, *run.children(recursive=True)]
    run.kill()
    wait_gone(family)
    assert len({path for path in parts}) < len(audit.shards)
    audit.drive(cluster).run()
    assert audit.outcomes() == expected(inputs)


class SmallDisk(Prefetch):
    """A temporary folder on a disk with room for a number of bytes."""

    def __init__(self, *arguments, room: int) -> None:
        super().__init__(*arguments)
        self.room = room
        self.most = 0
        self.guard = threading.Lock()

    def copy(self, key, size, etag, output) -> None:
        super().copy(key, size, etag, output)
        with self.guard:
            used = sum(
                os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(self.folder) for name in names)
            self.most = max(self.most, used)
            if used > self.room:
                raise OSError(errno.ENOSPC, "No space left on device")


def prefetched(audit, tmp_path, limit: int, room: int) -> tuple[list[str], SmallDisk]:
    folder = PrivateFolder(str(tmp_path))
    fetch = SmallDisk(stores.open_store(audit.source, "source"), folder.path, limit, room=room)
    found = []
    try:
        for one in fetch.all(manifest.read_units(audit.store, audit.head.digest, 0, audit.head.shards[0])):
            assert open(one.path, "rb").read().startswith(b"ok") and one.code is None
            for place, folders, names in os.walk(folder.path):
                modes = {stat.S_IMODE(os.stat(os.path.join(place, name)).st_mode) for name in names}
                assert modes <= {0o600} and stat.S_IMODE(os.stat(folder.path).st_mode) == 0o700
            found.append(one.unit.path)
        assert os.listdir(folder.path) == []
    finally:
        fetch.close()
        folder.remove()
    return found, fetch


def test_copies_are_bounded_private_and_removed(audit, tmp_path):
    audit.put({f"{number:02d}.zip": b"ok" + bytes(998) for number in range(50)})
    audit.plan(count=100)
    found, fetch = prefetched(audit, tmp_path, limit=5_000, room=1 << 30)
    assert found == sorted(found) and len(found) == 50 and fetch.most <= 5_000


def test_a_full_disk_is_waited_for_or_named(audit, tmp_path):
    audit.put({f"{number:02d}.zip": b"ok" + bytes(998) for number in range(50)})
    audit.plan(count=100)
    assert len(prefetched(audit, tmp_path, limit=1 << 30, room=2_500)[0]) == 50
    with pytest.raises(Failure, match="full"):
        prefetched(audit, tmp_path, limit=1 << 30, room=500)


def test_what_killed_processes_left_is_removed(tmp_path):
    left, other = tmp_path / (PREFIX + "left"), tmp_path / "other"
    left.mkdir()
    other.mkdir()
    (left / "file").touch()
    used = PrivateFolder(str(tmp_path))
    folder = PrivateFolder(str(tmp_path))
    assert not left.exists() and other.exists() and os.path.exists(used.path)
    used.remove()
    folder.remove()
