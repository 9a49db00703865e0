#!/usr/bin/env python3
"""Runs the commands of the jobs in Documentation/Release.md for every shard, and compares the merged rows with an audit's.

    python3 -B Tests/Audit/shards.py COMMAND

The jobs are as the page has them, but for fewer shards and a folder in the place of /data."""

import os
import pathlib
import plistlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / ".build/judges"))
import yaml  # noqa: E402

SHARDS = 3


def of_kubernetes(text: str) -> list:
    job = yaml.safe_load(text)
    spec = job["spec"]
    assert (job["apiVersion"], job["kind"], spec["completionMode"]) == ("batch/v1", "Job", "Indexed"), job
    assert spec["completions"] == SHARDS and spec["podFailurePolicy"]["rules"][0]["onExitCodes"]["values"] == [4, 64]
    pod = spec["template"]["spec"]
    only, = pod["containers"]
    assert pod["restartPolicy"] == "Never"
    assert {mount["name"] for mount in only["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    return ["carryover", *only["args"]]


def of_batch(text: str) -> list:
    container = yaml.safe_load(text)
    assert {mount["sourceVolume"] for mount in container["mountPoints"]} == {volume["name"] for volume in container["volumes"]}
    return container["command"]


def smaller(text: str, data: pathlib.Path) -> str:
    text = re.sub(r"\b64\b(?!\])", str(SHARDS), re.sub(r"\b63\b", str(SHARDS - 1), text))
    return text.replace("/data/", f"{data}/")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "bin").mkdir()
        (place / "bin/carryover").symlink_to(os.path.abspath(sys.argv[1]))
        environment = dict(os.environ, PATH=f"{place / 'bin'}:{os.environ['PATH']}", HOME=folder)
        data = place / "data"
        for number in range(10):
            preferences = data / f"saved/{number}/Library/Preferences"
            preferences.mkdir(parents=True)
            (preferences / "com.acme.shop.plist").write_bytes(plistlib.dumps({"rl_anonymous_id": f"id-{number}"}))

        def run(*arguments: str, **more: str) -> None:
            subprocess.run(arguments, env=dict(environment, **more), check=True, stdout=subprocess.DEVNULL, timeout=300)

        run("carryover", "audit", str(data / "saved"), "--now", "2026-01-10T08:00:00Z", "-o", str(place / "whole"))
        expected = (place / "whole/rows.ndjson").read_bytes()
        page = (ROOT / "Documentation/Release.md").read_text()
        blocks = re.findall(r"\n<!-- tested: Tests/Audit/shards.py -->\n\n?```\w+\n(.*?)\n```\n", page, re.S)
        kubernetes, parallel, slurm, batch = (smaller(text, data) for text in blocks)
        jobs = {"Kubernetes": of_kubernetes(kubernetes), "Slurm": ["sh", "-c", slurm], "AWS Batch": of_batch(batch), "parallel": []}
        for job, command in jobs.items():
            shutil.rmtree(data / "audit-1", ignore_errors=True)
            for index in range(SHARDS if command else 0):
                words = [word.replace("$(JOB_COMPLETION_INDEX)", str(index)) for word in command]
                run(*words, SLURM_ARRAY_TASK_ID=str(index), AWS_BATCH_JOB_ARRAY_INDEX=str(index))
            # GNU parallel's job ends with the merge, which all have.
            run("bash", "-c", parallel.splitlines()[-1] if command else parallel)
            assert (data / "audit-1/merged/rows.ndjson").read_bytes() == expected, f"{job}: other rows"
        print(f"shards: {len(jobs)} jobs of {SHARDS} shards, the rows of each are those of one audit")


if __name__ == "__main__":
    main()
