"""Audits on two workers, of hostile containers and names, with everything that goes wrong."""

import gzip
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import duckdb
import psutil
import pytest
from conftest import FLEET, NOW, PLIST, fleet, put, rows_of

import carryover_fleet
from carryover_fleet import FleetError, merge
from carryover_fleet.__main__ import main
from carryover_fleet.audit import check_workers

SAVED, AUDIT = "s3://fleet/saved", "s3://fleet/audit"
# Only a bound for what hangs: a busy machine is slow.
LONG = 900


def audit(client, carryover: str, **options: object) -> carryover_fleet.Progress:
    return carryover_fleet.audit(client, SAVED, AUDIT, **{"command": carryover, "now": NOW, "slice_count": 40} | options)


def merged(carryover: str, folder: pathlib.Path, **options: object) -> bytes:
    assert merge(AUDIT, str(folder), command=carryover, **options) in (0, 1, 4)
    return (folder / "rows.ndjson").read_bytes()


def container(*names: str) -> dict[str, bytes]:
    return {f"saved/{name}/Library/Preferences/com.acme.shop.plist": PLIST for name in names}


def outcomes(rows: bytes) -> dict[str, tuple]:
    found = [row for row in map(json.loads, rows.splitlines()) if row["row"] == "container"]
    return {row["path"]: (row["outcome"], row["code"]) for row in found}


def test_rows_are_those_of_the_command(client, carryover, saved, bucket, tmp_path):
    root, expected = saved
    put(bucket, root)
    progress = audit(client, carryover)
    assert merged(carryover, tmp_path / "merged") == expected
    assert merged(carryover, tmp_path / "redacted", redact=True) == rows_of(carryover, root, tmp_path / "own", "--redact")
    # The command accepts the folder as a complete audit.
    report = [carryover, "audit", "report", tmp_path / "merged", "--format", "json"]
    assert json.loads(subprocess.run(report, capture_output=True, check=True).stdout)["inputs"] == progress.audited
    table = duckdb.read_parquet(str(tmp_path / "merged/rows.parquet"))
    rows = list(map(json.loads, expected.splitlines()))
    assert set(table.columns) == {name for row in rows for name in row} and len(table) == len(rows)
    assert table.select("path").fetchall() == [(row["path"],) for row in rows]
    # The same call does nothing twice.
    before = dict(bucket)
    audit(client, carryover)
    assert bucket == before


def test_names_that_no_file_can_have_are_rows(client, carryover, bucket, tmp_path, capfd):
    names = ["../../etc", "v/..", "w/.", "/abs", "a//b", "x\x1b]0;t\x07", "l" * 900, "nul\0"]
    bucket |= container(*names)
    inside = ["../x", "/x", "./x", "d/../../../x", "l" * 300, "nul\0x", "Preferences/com.acme.shop.plist/x"]
    for number, name in enumerate(inside):
        bucket |= container(f"inside-{number}") | {f"saved/inside-{number}/Library/{name}": b"x"}
    bucket |= {"saved/empty/Library/": b"", "saved/\x1b.zip": b"x"}
    before = {path: path.stat().st_mtime_ns for path in (pathlib.Path("/etc"), pathlib.Path("/"), FLEET)}
    audit(client, carryover)
    found = outcomes(merged(carryover, tmp_path / "merged"))
    assert {found[name][0] for name in names} == {"audited"} and len(found) == 17
    assert {found[f"inside-{number}"] for number in range(7)} == {("unreadable", "file-system")}
    assert before == {path: path.stat().st_mtime_ns for path in before}
    assert "\x1b" not in (tmp_path / "merged/rows.ndjson").read_text() + "".join(capfd.readouterr())


def test_what_is_not_as_listed_is_a_row(client, carryover, s3, bucket, tmp_path):
    bucket |= container("good", "gone", "secret", "changed") | {"saved/large.zip": bytes(3_000_000)}

    def fault(method: str, key: str) -> int | None:
        # The container is listed first.
        if "/changed/" in key:
            bucket[key] = b"other"
        return 404 if "/gone/" in key and bucket.pop(key, None) else 403 if "/secret/" in key else None
    s3.fault = fault
    audit(client, carryover, slice_mb=2)
    assert outcomes(merged(carryover, tmp_path / "merged")) == {
        "good": ("audited", None), "gone": ("unreadable", "not-found"), "secret": ("unreadable", "permission-denied"),
        "changed": ("changed", None), "large.zip": ("unreadable", "too-large")}


def test_errors_of_the_store_and_cut_answers_change_nothing(client, carryover, s3, bucket, tmp_path):
    bucket |= container(*map(str, range(30)))
    seen, guard = set(), threading.Lock()

    def fault(method: str, key: str) -> int | str | None:
        with guard:
            is_first = key.startswith(("saved/", "audit/parts/")) and (method, key) not in seen
            seen.add((method, key))
        return None if not is_first else 503 if method == "PUT" or len(seen) % 2 else "cut"
    s3.fault = fault
    audit(client, carryover)
    assert set(outcomes(merged(carryover, tmp_path / "merged")).values()) == {("audited", None)} and len(seen) > 30


def test_a_store_that_stays_out_of_order_leaves_an_audit_that_can_go_on(client, carryover, s3, bucket, tmp_path):
    bucket |= container("a", "b")
    s3.fault = lambda method, key: 400 if key.startswith("saved/a") else None
    with pytest.raises(FleetError, match="^1 slice failed: "):
        audit(client, carryover)
    with pytest.raises(FleetError, match="is not complete"):
        merge(AUDIT, str(tmp_path / "merged"))
    s3.fault = lambda method, key: None
    assert audit(client, carryover).audited == 2


def test_killed_workers_and_drivers_lose_nothing(carryover, saved, s3, bucket, tmp_path, monkeypatch):
    root, expected = saved
    put(bucket, root)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    # What a user has is nobody's to remove.
    names = ["carryover-fleet-x", "carryover-merge-x", "slice-x", "dask-scratch-space/slice-x", "dask-scratch-space/x"]
    mine = [tmp_path / "temporary" / name for name in names]
    for path in mine:
        path.mkdir(parents=True)
        (path / "report").touch()
    kills = iter(["worker", "driver", "both", "worker"])
    puts = 0
    for attempt in range(5):
        driver = fleet("audit", SAVED, AUDIT, "--local", "2", "--command", carryover, "--now", NOW, "--slice-count", 20)
        family = psutil.Process(driver.pid)

        def fault(method: str, key: str) -> None:
            nonlocal puts
            puts += method == "PUT" and "/parts/" in key
            if method == "PUT" and "/parts/" in key and puts % 2 == 0 and (kind := next(kills, None)):
                workers = [one for one in family.children(recursive=True) if "carryover" not in one.name()]
                for one in ([family] if kind == "driver" else workers[-1:] + ([family] if kind == "both" else [])):
                    one.kill()
        s3.fault = fault
        error = driver.communicate(timeout=LONG)[1]
        assert driver.returncode in (0, -signal.SIGKILL), error
        if driver.returncode == 0:
            break
    assert next(kills, "none") == "none" or len(expected) < 1_000
    s3.fault = lambda method, key: None
    assert merged(carryover, tmp_path / "merged") == expected
    assert all((path / "report").exists() for path in mine)
    left = [path for path in (tmp_path / "temporary").rglob("slice-*") if path not in mine]
    assert not left, left


def test_two_audits_at_once_are_harmless(client, carryover, saved, bucket, tmp_path):
    root, expected = saved
    put(bucket, root)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: audit(client, carryover), range(2), timeout=LONG))
    assert merged(carryover, tmp_path / "merged") == expected


def test_forged_parts_are_refused(client, carryover, bucket, tmp_path):
    bucket |= container("a", "b") | {"saved/c.zip": b""}
    audit(client, carryover)
    name, = (key for key in bucket if "/parts/" in key)
    true, complete = bucket[name], bucket["audit/complete.json"]
    head, *rows = gzip.decompress(true).splitlines(keepends=True)

    def forged(head: bytes, *rows: bytes) -> bytes:
        return gzip.compress(head + b"".join(rows))
    less = json.loads(head)
    less["names"][0] = "\x1b../../etc"
    fewer = [row.replace(b'"audited"', b'"nothing-to-migrate"') for row in rows]
    for data in (
        b"", b"x", true[:-9], forged(b""), forged(b"[]\n"), forged(b'{"names":' + b"[" * 9_000 + b"\n"),
        forged(head, *fewer), forged(head, *rows[1:]), forged(head, *rows, rows[0]), forged(json.dumps(less).encode() + b"\n", *rows),
    ):
        bucket[name] = data
        with pytest.raises(FleetError, match="is not what the audit wrote"):
            merge(AUDIT, str(tmp_path / "merged"), command=carryover)
        # What was complete once is not sealed in another form.
        with pytest.raises(FleetError, match="is not what the audit wrote|is not the one in"):
            audit(client, carryover)
        assert bucket["audit/complete.json"] == complete and not (tmp_path / "merged").exists()
    # Before the audit is complete, a part must at least be of the same inputs and options.
    del bucket["audit/complete.json"]
    bucket[name] = forged(json.dumps(less).encode() + b"\n", *rows)
    with pytest.raises(FleetError, match="is not what the audit wrote"):
        audit(client, carryover)
    # And rows that the command would not write do not come through the merge.
    bucket[name] = forged(head, *(row.replace(b'"n":2', b'"n":1') for row in rows))
    audit(client, carryover)
    with pytest.raises(FleetError, match="is not what the audit wrote"):
        merge(AUDIT, str(tmp_path / "merged"), command=carryover)
    del bucket[name], bucket["audit/complete.json"]
    audit(client, carryover)
    assert len(outcomes(merged(carryover, tmp_path / "merged"))) == 3


def test_workers_that_cannot_audit_are_named(client, carryover, bucket, tmp_path, monkeypatch):
    with pytest.raises(FleetError, match="2 workers cannot audit; tcp://.*: .*No such file or directory: '/none/carryover'"):
        check_workers(client, "/none/carryover", "1")
    with pytest.raises(FleetError, match="carryover 0.* Give every worker carryover-fleet 0.1.0 and carryover 9"):
        check_workers(client, carryover, "9")
    # A worker that has only Dask.
    options = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(tmp_path / "scheduler.json")]
    other = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    processes = [
        subprocess.Popen([sys.executable, "-m", "dask", kind, *options], env=other, cwd=tmp_path, stderr=subprocess.DEVNULL)
        for kind in ("scheduler", "worker")]
    try:
        with carryover_fleet.__main__.Client(scheduler_file=str(tmp_path / "scheduler.json"), timeout=LONG) as bare:
            with pytest.raises(FleetError, match="1 worker cannot audit; tcp://.*: No module named 'carryover_fleet'"):
                check_workers(bare, carryover, "0.1.0")
    finally:
        for one in reversed(processes):
            one.kill()
            one.wait()


def test_an_audit_has_one_set_of_options(client, carryover, bucket):
    bucket |= container("a")
    with pytest.raises(FleetError, match="recipe") as error:
        audit(client, carryover, recipe="none")
    assert error.value.status == 64 and not any(key.startswith("audit/") for key in bucket)
    audit(client, carryover)
    for options, word in (({"write_key": "k"}, "write key"), ({"now": "2026-01-11T08:00:00Z"}, "--now"),
                          ({"allow_opted_out": True}, "--allow-opted-out")):
        with pytest.raises(FleetError, match=f"another {word}") as error:
            audit(client, carryover, **options)
        assert error.value.status == 64
    # Without --now, it goes on with its own.
    assert audit(client, carryover, now=None).audited == 1
    with pytest.raises(FleetError, match="--max-gb"):
        audit(client, carryover, max_gb=1e-9)


@pytest.mark.parametrize("arguments, said", [
    (["--max-gb", "nan"], "invalid"), (["--max-gb", "-1"], "invalid"), (["--max-gb", "inf"], "invalid"),
    (["--local", "0"], "invalid"), (["--other"], "unknown: --other"),
    (["--scheduler", "\x1bx://y"], "Dask cannot use \\u001bx://y")])
def test_what_cannot_work_is_one_sentence(arguments, said, capsys):
    assert main(["audit", SAVED, AUDIT, *arguments]) == 64
    error = capsys.readouterr().err
    assert said in error.splitlines()[-1] and "Traceback" not in error and "\x1b" not in error


def test_the_command_says_what_is_wrong(carryover, bucket, s3, capsys, monkeypatch, tmp_path):
    run = ["audit", SAVED, AUDIT, "--local", "1", "--command", carryover]
    assert main(["audit", "s3://user:password@host/x", AUDIT]) == 64 and "password" not in capsys.readouterr().err
    assert main(["merge", AUDIT, str(tmp_path / "merged")]) == 64
    assert main(run) == 1 and "There is no container" in capsys.readouterr().err
    assert main(["merge", AUDIT, str(tmp_path / "merged")]) == 5 and "is not complete" in capsys.readouterr().err
    bucket |= container("a")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setattr(carryover_fleet.store, "client", carryover_fleet.store.client.__wrapped__)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    assert main(run) == 1 and capsys.readouterr().err.splitlines() == ["carryover-fleet: Unable to locate credentials"]
    # As aws finds them.
    (tmp_path / "credentials").write_text("[fleet]\naws_access_key_id = keyofprofile\naws_secret_access_key = s\n")
    monkeypatch.setenv("AWS_PROFILE", "fleet")
    s3.keys.clear()
    assert main(run) == 0 and s3.keys == {"keyofprofile"}
    assert capsys.readouterr().out.startswith("1 input audited. Next: ")
    assert main(["merge", AUDIT, str(tmp_path / "merged"), "--command", carryover, "--fail-on", "error>-1"]) == 64
    for key in [key for key in bucket if key.startswith("audit/")]:
        del bucket[key]
    s3.fault = lambda method, key: 400 if key.startswith("saved/") else None
    failed = fleet(*run)
    said = failed.communicate(timeout=LONG)[1].splitlines()
    assert failed.returncode == 1 and len(said) == 1 and "1 slice failed: An error occurred" in said[0], said


def test_a_merge_takes_little_memory(carryover, bucket, client, tmp_path):
    # FLEET_ROWS=2000000 for a thorough run.
    most = int(os.environ.get("FLEET_ROWS", 60_000))
    bucket |= container(*(f"{number:03d}" for number in range(20)))
    audit(client, carryover, slice_count=1_000_000)
    name, = (key for key in bucket if "/parts/" in key)
    head, *rows = gzip.decompress(bucket[name]).splitlines(keepends=True)
    head, parts = json.loads(head), {}
    rows = [json.loads(row) for row in rows]
    text = b"".join(json.dumps(row | {"n": row["n"] + 20 * place}, separators=(",", ":")).encode() + b"\n"
                    for place in range(50) for row in rows)
    for part in range(most // (50 * len(rows)) + 1):
        names = [f"{part:06d}/{place:02d}/{one}" for place in range(50) for one in head["names"]]
        key = f"parts/{part}.ndjson.gz"
        bucket["audit/" + key] = gzip.compress(json.dumps(head | {"names": names}).encode() + b"\n" + text, 1)
        parts[key] = hashlib.sha256(bucket["audit/" + key]).hexdigest()
    bucket["audit/complete.json"] = json.dumps(parts).encode()
    program = ("import resource, sys; from carryover_fleet.__main__ import main; "
               "status = main(sys.argv[1:]); sizes = [resource.getrusage(who).ru_maxrss // 1024 for who in (0, -1)]; "
               "print(status, *sizes, file=sys.stderr)")
    began = os.times().elapsed
    done = subprocess.run([sys.executable, "-c", program, "merge", AUDIT, tmp_path / "merged", "--command", carryover],
                          capture_output=True, text=True, check=True)
    status, size, child = map(int, done.stderr.split())
    count = 50 * len(rows) * len(parts)
    print(f"{count:,} rows: {size} MB, carryover audit merge {child} MB, {os.times().elapsed - began:.0f} s")
    assert status == 0 and size < 500 and child < 500, done.stderr
    assert len(duckdb.read_parquet(str(tmp_path / "merged/rows.parquet"))) == count >= most
