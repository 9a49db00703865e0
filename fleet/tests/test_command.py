"""The command, from the plan to the report."""

import gzip
import importlib.util
import json
import pathlib
import random
import subprocess
import sys
import types

import duckdb
import obstore
import pytest
from conftest import ok

from carryover_fleet import manifest, stores
from carryover_fleet.__main__ import main

NOW = ["--now", "2026-01-10T08:00:00Z"]


def test_another_recipe_is_refused(audit, fake, tmp_path, capsys, monkeypatch):
    audit.put(ok(3))
    assert main(["plan", audit.url, audit.source]) == 0
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text("one")
    run = ["run", audit.url, "--local", "1", "--binary", fake, "--recipe", str(recipe)]
    assert main(run) == 0 and main(run) == 0
    recipe.write_text("two")
    assert main(run) == 64 and "recipeDigest" in capsys.readouterr().err
    recipe.write_text("one")
    assert main([*run, *NOW]) == 64 and main([*run, "--redact"]) == 64 and main([*run, "--write-key", "k"]) == 64
    assert b"write" not in stores.read(stores.open_store(audit.url, "output"), "audit.json").replace(b"writeKey", b"")


def test_limits_refuse_before_anything_is_read(audit, fake, capsys, s3):
    audit.put(ok(30))
    assert main(["plan", audit.url, audit.source, "--max-containers", "29"]) == 64
    assert main(["plan", audit.url, audit.source, "--max-gb", "1e-8"]) == 64
    assert main(["plan", audit.url, audit.source, "--dry-run"]) == 0
    assert main(["run", audit.url, "--binary", fake]) == 64
    assert main(["plan", audit.url, audit.source]) == 0
    assert main(["run", audit.url, "--binary", fake, "--dry-run", "--max-containers", "30"]) == 0
    assert "30 GETs" in capsys.readouterr().out
    assert main(["run", audit.url, "--binary", fake, "--max-containers", "29"]) == 64
    assert not [path for method, path in s3.seen if method == "GET" and "/saved/" in path]


def test_only_a_complete_audit_is_merged(audit, cluster, tmp_path, capsys):
    audit.put(ok(25))
    audit.plan()
    folder = tmp_path / "merged"
    merge = ["merge", audit.url, str(folder)]
    assert main(merge) == 1 and "3 of 3 shards" in capsys.readouterr().err
    assert main(["status", audit.url]) == 5 and "0 of 25 inputs" in capsys.readouterr().out
    audit.drive(cluster).run()
    assert main(["status", audit.url, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["doneInputs"] == 25
    assert main(merge) == 0
    assert (folder / "rows.ndjson").read_bytes() == audit.rows()
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["outcomes"] == {"audited": 25} and summary["findings"] == [{"code": "a.b", "containers": 25}]
    assert duckdb.sql(f"SELECT count(*), min(path) FROM '{folder}/rows.parquet'").fetchall() == [(25, "0/c00000.zip")]
    path = manifest.part_path(1)
    whole = stores.read(audit.store, path)
    lines = gzip.decompress(whole).splitlines(True)
    other = gzip.decompress(stores.read(audit.store, manifest.part_path(0))).splitlines(True)
    for wrong in (
        whole[:-9], b"", gzip.compress(b""), gzip.compress(b"".join(lines[1:])), gzip.compress(b"".join(lines[::-1])),
        gzip.compress(b"".join(lines) + other[0]), gzip.compress(b"".join(lines) + b"{}\n"),
        gzip.compress(lines[0].replace(b'"audited"', b"null") + b"".join(lines[1:])),
    ):
        obstore.put(audit.store, path, wrong)
        assert main(merge) == 1 and "incomplete" in capsys.readouterr().err
    obstore.delete(audit.store, path)
    assert main(merge) == 1 and "1 of 3 shards" in capsys.readouterr().err


def test_other_clusters_are_only_imported_when_asked_for(audit, fake, capsys, monkeypatch):
    from distributed import LocalCluster

    audit.put(ok(2))
    assert main(["plan", audit.url, audit.source]) == 0
    run = ["run", audit.url, "--binary", fake]
    monkeypatch.setitem(sys.modules, "dask_kubernetes.operator", None)
    assert main([*run, "--kubernetes", "2"]) == 64 and "carryover-fleet[kubernetes]" in capsys.readouterr().err

    class Slurm(LocalCluster):
        def __init__(self) -> None:
            super().__init__(n_workers=0, threads_per_worker=1, processes=False, dashboard_address=None)
    monkeypatch.setitem(sys.modules, "dask_jobqueue", types.SimpleNamespace(SLURMCluster=Slurm))
    assert main([*run, "--slurm", "1"]) == 0 and main(["status", audit.url]) == 0


@pytest.mark.parametrize("arguments", [[], ["plan"], ["run", "x", "--local", "0"], ["status", "x", "--wrong"]])
def test_a_wrong_command_line_is_64(arguments):
    assert main(arguments) == 64


def test_the_real_command_gives_the_same_rows(audit, carryover, tmp_path, s3):
    """Hundreds of containers of every kind, in the store and in a folder."""
    path = pathlib.Path(__file__).parents[2] / "Tests/Audit/__main__.py"
    spec = importlib.util.spec_from_file_location("generator", path)
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    root = tmp_path / "saved"
    generator.generate(root, 250, random.Random(5))
    for folder in root.rglob("Library"):
        if not any(folder.iterdir()):
            # A store has no empty folders.
            (folder / "empty").touch()
    rows = []
    for jobs in "12":
        out = tmp_path / jobs
        subprocess.run([carryover, "audit", root, "-o", out, "-j", jobs, *NOW], check=True, stdout=subprocess.DEVNULL)
        rows.append((out / "rows.ndjson").read_bytes())
    audit.put({str(file.relative_to(root)): file.read_bytes() for file in root.rglob("*") if file.is_file()})
    for source, place, name in ((audit.source, audit.url, "first"), (str(root), str(tmp_path / "place"), "second")):
        merged = tmp_path / name
        assert main(["plan", place, source, "--shard-count", "40"]) == 0
        assert main(["run", place, "--local", "2", "--binary", carryover, *NOW]) == 0
        assert main(["merge", place, str(merged)]) == 0
        rows.append((merged / "rows.ndjson").read_bytes())
    (tmp_path / "a.txt").write_text("mine")
    # Neither another audit nor a file is overwritten.
    for taken in (tmp_path / "first", tmp_path / "1", tmp_path / "a.txt"):
        before = (taken / "rows.ndjson").read_bytes() if taken.is_dir() else taken.read_bytes()
        assert main(["merge", str(tmp_path / "place"), str(taken)]) == 64
        assert before == ((taken / "rows.ndjson").read_bytes() if taken.is_dir() else taken.read_bytes())
    assert len(set(rows)) == 1 and rows[0].count(b'"outcome":"audited"') > 150
    html = tmp_path / "report.html"
    assert main(["report", str(merged), "--binary", carryover, "--format", "html", "-o", str(html)]) == 0
    assert "2026-01-10" in html.read_text()
    summary = json.loads((merged / "summary.json").read_text())
    printed = subprocess.run(
        [carryover, "audit", "report", str(merged), "--json"], check=True, capture_output=True, text=True).stdout
    total = json.loads(printed)
    assert {name: count for name, count in total["outcomes"].items() if count} == summary["outcomes"]
    assert {one["field"]: one["carries"] for one in total["fields"]} == {
        one["field"]: one.get("carries", 0) for one in summary["fields"]}
    assert {one["code"]: one["containers"] for one in total["findings"]} == {
        one["code"]: one["containers"] for one in summary["findings"]}
