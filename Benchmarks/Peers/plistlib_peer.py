"""CPython's plistlib as a peer: `read LIST` or `write LIST [FOLDER]`, as Sources/Racing describes it."""

import plistlib
import sys
from pathlib import Path
from time import process_time


def read(path):
    with open(path, "rb") as file:
        return plistlib.load(file)


def format_of(path):
    with open(path, "rb") as file:
        return plistlib.FMT_BINARY if file.read(6) == b"bplist" else plistlib.FMT_XML


def tally(trees):
    values = text_bytes = data_bytes = 0
    waiting = list(trees)
    while waiting:
        value = waiting.pop()
        values += 1
        if isinstance(value, str):
            text_bytes += len(value.encode())
        elif isinstance(value, dict):
            text_bytes += sum(len(key.encode()) for key in value)
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, bytes):
            data_bytes += len(value)
    return values, text_bytes, data_bytes


def time_reading(paths):
    start = process_time()
    trees = [read(path) for path in paths]
    seconds = process_time() - start
    print(seconds, *tally(trees))


def time_writing(paths, folder):
    work = [(read(path), format_of(path)) for path in paths]
    start = process_time()
    # Unsorted, like the other peers: sorting would be extra work.
    outputs = [plistlib.dumps(tree, fmt=form, sort_keys=False) for tree, form in work]
    seconds = process_time() - start
    if folder:
        for number, output in enumerate(outputs):
            Path(folder, str(number)).write_bytes(output)
    print(seconds, sum(map(len, outputs)))


task, listing, *rest = sys.argv[1:]
listed = Path(listing).read_text().split("\n")
if task == "read":
    time_reading([path for path in listed if path])
else:
    time_writing([path for path in listed if path], rest[0] if rest else None)
