"""A loopback S3 behind a proxy that can fail, a fake worker, and a cluster of two workers."""

import gzip
import itertools
import json
import logging
import os
import pathlib
import sys
from types import SimpleNamespace

import obstore
import psutil
import pytest
from moto.server import ThreadedMotoServer

from carryover_fleet import manifest, shard, stores
from carryover_fleet.clusters import opened
from carryover_fleet.drive import Drive
from proxy import Proxy

HERE = pathlib.Path(__file__).parent
BUCKETS = (f"audits-{number}" for number in itertools.count())


@pytest.fixture(scope="session")
def s3():
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    proxy = Proxy(server.get_host_and_port()[1])
    os.environ |= {
        "AWS_ENDPOINT_URL": proxy.url, "AWS_ALLOW_HTTP": "true", "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret", "PYTHONPATH": f"{HERE.parent}{os.pathsep}{HERE}"}
    yield proxy
    server.stop()


@pytest.fixture(autouse=True)
def faultless(s3):
    s3.fault = lambda method, path: None
    s3.seen.clear()


@pytest.fixture(scope="session")
def fake(tmp_path_factory) -> str:
    """The fake worker, started without what slows Python's start."""
    path = tmp_path_factory.mktemp("fake") / "carryover"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S {HERE}/fake_worker.py "$@"\n')
    path.chmod(0o700)
    return str(path)


@pytest.fixture(scope="session")
def carryover() -> str:
    return os.path.abspath(os.environ["CARRYOVER_BINARY"])


@pytest.fixture(scope="session")
def cluster(s3):
    with opened(2, None, None, None) as client:
        yield client


@pytest.fixture
def audit(s3, fake, tmp_path):
    """Makes audits of inputs in a new bucket."""
    import boto3

    bucket = next(BUCKETS)
    boto3.client("s3", endpoint_url=f"http://127.0.0.1:{s3.port}").create_bucket(Bucket=bucket)

    class Audit(SimpleNamespace):
        url = f"s3://{bucket}/audit"
        source = f"s3://{bucket}/saved"

        def put(self, inputs: dict[str, bytes]) -> None:
            store = stores.open_store(self.source, "source")
            for path, data in inputs.items():
                obstore.put(store, path, data)

        def plan(self, count: int = 10, size: int = 1 << 30) -> None:
            self.store = stores.open_store(self.url, "output")
            source = stores.open_store(self.source, "source")
            self.head, texts = manifest.make(self.source, manifest.listed(source), size, count)
            manifest.write(self.store, self.head, texts)
            self.shards = dict(enumerate(self.head.shards))

        def job(self, **changes) -> shard.Job:
            folder = tmp_path / "temporary"
            folder.mkdir(exist_ok=True)
            return shard.Job(**{
                "source": self.source, "digest": self.head.digest, "output": self.url, "binary": fake, "version": "fake 1",
                "arguments": (), "limit": 20, "folder": str(folder)} | changes)

        def drive(self, client, patience: float = 60, **changes) -> Drive:
            return Drive(client, self.job(**changes), self.store, self.shards, patience=patience)

        def rows(self) -> bytes:
            parts = [stores.read(self.store, manifest.part_path(number)) for number in self.shards]
            return b"".join(gzip.decompress(part) for part in parts)

        def outcomes(self) -> dict[str, str]:
            return {row["path"]: row["outcome"] for row in map(json.loads, self.rows().splitlines())}

    return Audit()


def ok(count: int) -> dict[str, bytes]:
    return {f"{number % 7}/c{number:05d}.zip": b"ok %d" % number for number in range(count)}


def wait_gone(processes: list[psutil.Process], seconds: float = 120) -> None:
    """Waits for the end of processes that need not be children."""
    gone, alive = psutil.wait_procs(processes, timeout=seconds)
    assert not alive, alive
