#!/usr/bin/env python3
"""Stands in for `carryover`: speaks the protocol of a worker, and does what the content of an input says."""

import hashlib
import json
import os
import signal
import sys


def row(n: int, shown: str | None, **members: object) -> str:
    own = {"container": None, "path": shown, "outcome": "audited", "code": None}
    text = json.dumps({"schema": "carryover.audit-row/1", "n": n, "row": "container", **own, **members}, separators=(",", ":"))
    return text + "\n"


def answer(n: int, path: str, shown: str | None) -> str:
    try:
        content = open(path, "rb").read()
    except OSError:
        return row(n, shown, outcome="unreadable", code="not-found")
    match content.split()[0]:
        case b"crash":
            os._exit(1)
        case b"hang":
            signal.pause()
        case b"noise":
            return row(n + 1, shown)
        case b"kill":
            os.kill(os.getppid(), signal.SIGKILL)
            os._exit(1)
    return row(n, shown, container=hashlib.sha256(content).hexdigest(), findings=["a.b"])


if sys.argv[1] == "--version":
    print("fake 1")
else:
    print('{"protocol":"carryover.audit-worker/1"}', flush=True)
    for line in sys.stdin:
        given = json.loads(line)
        print(answer(given["n"], given["path"], given["shown"]) + json.dumps({"end": given["n"]}, separators=(",", ":")), flush=True)
