#!/usr/bin/env python3
"""Runs the commands of the jobs in Documentation/Fleet.md for every shard, and compares the merged rows with an audit's.

    python3 -B Tests/Audit/shards.py COMMAND

The jobs are as the page has them, but for fewer shards and a folder in the place of /data."""

import json
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


def jobs() -> dict:
    """The blocks of code under "Shards as jobs": their texts by the word that tells them apart."""
    page = (ROOT / "Documentation/Fleet.md").read_text().split("\n## Shards as jobs\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"\n```\w+\n(.*?)\n```\n", page, re.S)
    words = ["| parallel", "SLURM", "JOB_COMPLETION_INDEX", "AWS_BATCH"]
    found = {word: [block for block in blocks if word in block] for word in words}
    assert len(blocks) == len(words) and all(len(texts) == 1 for texts in found.values()), found
    return {word: texts[0] for word, texts in found.items()}


def task(word: str, text: str, index: int) -> list:
    """The command of one task of a job."""
    if word == "SLURM":
        return ["sh", "-c", text]
    if word == "JOB_COMPLETION_INDEX":
        job = yaml.safe_load(text)
        spec = job["spec"]
        assert (job["apiVersion"], job["kind"], spec["completionMode"]) == ("batch/v1", "Job", "Indexed"), job
        assert spec["completions"] == SHARDS and spec["podFailurePolicy"]["rules"][0]["onExitCodes"]["values"] == [4, 64]
        pod = spec["template"]["spec"]
        assert pod["restartPolicy"] == "Never"
        only, = pod["containers"]
        assert {mount["name"] for mount in only["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
        return ["carryover"] + [argument.replace("$(JOB_COMPLETION_INDEX)", str(index)) for argument in only["args"]]
    container = json.loads(text)
    assert {mount["sourceVolume"] for mount in container["mountPoints"]} == {v["name"] for v in container["volumes"]}
    return container["command"]


def main() -> None:
    command = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "bin").mkdir()
        (place / "bin/carryover").symlink_to(command)
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
        texts = jobs()
        merge = texts["| parallel"].splitlines()[-1]
        for word, text in texts.items():
            shutil.rmtree(data / "audit-1", ignore_errors=True)

            def smaller(text: str) -> str:
                text = re.sub(r"\b64\b(?!\])", str(SHARDS), re.sub(r"\b63\b", str(SHARDS - 1), text))
                return text.replace("/data/", f"{data}/")

            if word == "| parallel":
                run("bash", "-c", smaller(text))
            else:
                for index in range(SHARDS):
                    run(*task(word, smaller(text), index), **{"SLURM_ARRAY_TASK_ID": str(index), "AWS_BATCH_JOB_ARRAY_INDEX": str(index)})
                run("bash", "-c", smaller(merge))
            assert (data / "audit-1/merged/rows.ndjson").read_bytes() == expected, f"{word}: other rows"
        print(f"shards: {len(texts)} jobs of {SHARDS} shards, the rows of each are those of one audit")


if __name__ == "__main__":
    main()
