"""A loopback S3, a cluster of two workers, and containers of all kinds."""

import logging
import os
import pathlib
import random
import runpy
import subprocess
import sys

import pytest
from distributed import Client, LocalCluster
from loopback import Loopback

FLEET = pathlib.Path(__file__).parents[1]
NOW = "2026-01-10T08:00:00Z"
PLIST = b"<plist><dict><key>rl_anonymous_id</key><string>u</string></dict></plist>"
# More for a thorough run: FLEET_CONTAINERS=2000.
CONTAINERS = int(os.environ.get("FLEET_CONTAINERS", 120))


@pytest.fixture(scope="session")
def s3():
    server = Loopback()
    os.environ |= {
        "AWS_ENDPOINT_URL": server.url, "AWS_DEFAULT_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret", "AWS_EC2_METADATA_DISABLED": "true", "PYTHONPATH": str(FLEET)}
    yield server
    server.shutdown()


@pytest.fixture(autouse=True)
def bucket(s3):
    """The objects of the bucket `fleet`, at first none."""
    s3.forged, s3.fault = None, lambda method, key: None
    s3.buckets["fleet"] = {}
    return s3.buckets["fleet"]


@pytest.fixture(scope="session")
def carryover() -> str:
    return os.path.abspath(os.environ["CARRYOVER_BINARY"])


@pytest.fixture(scope="session")
def client(s3):
    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0",
                      silence_logs=logging.CRITICAL) as cluster:
        with Client(cluster) as client:
            yield client


@pytest.fixture(scope="session")
def saved(tmp_path_factory, carryover) -> tuple[pathlib.Path, bytes]:
    """Containers of all kinds in a folder, many of them damaged, and their rows."""
    place = tmp_path_factory.mktemp("saved")
    root = place / "root"
    root.mkdir()
    runpy.run_path(str(FLEET.parent / "Tests/Audit/__main__.py"))["generate"](root, CONTAINERS, random.Random(7))
    (root / "00").mkdir(exist_ok=True)
    outside = place / "outside"
    outside.mkdir()
    (outside / "secret").write_text("not of this container")
    # Names in every order around a slash, that a terminal would obey, that look like others, and as long as one can be.
    names = ["b", "b-1", "b.1", "b!", "b 2", "b\x1b]52;c;cm0=\x07", "b\ttab", "b\nline", "b\u202eevil", "b\u00a0", "b\u3000",
             "b\u034f", "b\ufe0f", "b\U000e0001", "b\u0378", "b\ue000", "é", "e\u0301", "\ufffd", "\\..\\..", "%2e%2e", "...",
             "-rf", "$(id)", "n" * 250, 'q"uote', "\x7f", "\U0001f600", "Manifest", "package.xcappdata"]
    for number, name in enumerate(names):
        preferences = root / "00" / name / "Library/Preferences"
        preferences.mkdir(parents=True)
        (preferences / f"com.acme.{number}.plist").write_bytes(PLIST)
    (root / "__MACOSX/c/Library").mkdir(parents=True)
    (root / "__MACOSX/c/Library/x").touch()
    (root / "._x.zip").touch()
    # Archives whose members lead outside, to themselves, and to each other.
    inside = place / "inside"
    (inside / "c/Library/Preferences").mkdir(parents=True)
    for name, target in (("etc", "/etc"), ("out", "../../../outside"), ("loop", "loop"), ("up", "..")):
        (inside / "c/Library" / name).symlink_to(target)
    (inside / "c/Library/Preferences/com.acme.shop.plist").symlink_to("/etc/passwd")
    for name, more in (("links.tar", ["cf"]), ("links.tgz", ["czf"]), ("UP.TAR", ["--transform=s,^c,../c,", "-Pcf"])):
        subprocess.run(["tar", *more, root / name, "c"], cwd=inside, check=True)
    return root, rows_of(carryover, root, place / "own")


def rows_of(carryover: str, root: pathlib.Path, out: pathlib.Path, *options: str) -> bytes:
    done = subprocess.run([carryover, "audit", root, "-o", out, "--now", NOW, *options], capture_output=True, text=True, check=False)
    assert (out / "complete.json").exists(), done.stderr
    return (out / "rows.ndjson").read_bytes()


def put(bucket: dict[str, bytes], root: pathlib.Path, prefix: str = "saved/") -> None:
    bucket.update({prefix + str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()})


def fleet(*arguments: object, **more: object) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "carryover_fleet", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, **more)
