"""The inputs in a listing are those that the command finds in a folder."""

import json
import random
import tracemalloc

import pytest
from conftest import rows_of

from carryover_fleet import FleetError, inputs
from carryover_fleet.store import Object, Place

NAMES = [
    "Library", "AppData", "AppDataInfo.plist", "Containers", "Data", "Application", "Shared", "AppGroup", "Manifest.db",
    "Manifest.plist", "Info.plist", "Status.plist", "Manifest.mbdb", "a.zip", "b.TAR.GZ", "._c.zip", "__MACOSX", "d.xcappdata",
    ".com.apple.mobile_container_manager.metadata.plist", "x", "x-y", "x.y", "é"]


def found(keys: list[str], prefix: str = "", name: str = "root", most: int = 1 << 40) -> list[inputs.Input]:
    keys = sorted(keys)
    listing = inputs.Listing(
        iter([Object(key, 1, "") for key in keys]), lambda text: next((key for key in keys if key.startswith(text)), None))
    return list(inputs.inputs(listing, prefix, name, most))


@pytest.mark.parametrize("window", [1, 1_000])
def test_inputs_are_those_of_the_command(carryover, tmp_path, monkeypatch, window):
    monkeypatch.setattr(inputs, "WINDOW", window)
    rng = random.Random(window)
    root = tmp_path / "root"
    for number in range(300):
        for _ in range(rng.randrange(1, 6)):
            path = root.joinpath(f"{number:03d}", *(rng.choice(NAMES) for _ in range(rng.randrange(1, 5))))
            if not any(parent.is_file() for parent in path.parents) and not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
    rows = map(json.loads, rows_of(carryover, root, tmp_path / "own").splitlines())
    names = {row["n"]: row["path"] for row in reversed(list(rows)) if row["row"] == "container"}
    ours = found([str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()])
    ours = sorted((one.name for one in ours), key=lambda name: name.split("/"))
    assert len(ours) > 150
    # Where an input has several containers, a row's path goes on behind that of the input.
    assert all((names[n] + "/").startswith(name + "/") for n, name in zip(sorted(names), ours, strict=True))


def test_a_source_can_be_a_container():
    one, = found(["c/Library/x", "c/z.zip"], "c/", "c")
    assert (one.name, one.base, len(one.objects)) == ("c", "c/", 2)
    assert [each.name for each in found(["c/z.zip", "c//y.zip", "c/"], "c/", "c")] == ["/y.zip", "z.zip"]


def test_memory_does_not_grow_with_the_listing():
    keys = (f"{number // 10:07d}/Library/{number % 10}" for number in range(300_000))
    tracemalloc.start()
    listing = inputs.Listing((Object(key, 1, "tag") for key in keys), lambda text: None)
    count = sum(len(slice) for slice in inputs.slices(inputs.inputs(listing, "", "root", 1 << 30), 1_000, 1 << 30))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 30_000 and most < 8 << 20, most


def test_a_large_input_is_not_held():
    one, other = found([f"c/Library/{number:05d}" for number in range(9_000)] + ["d.zip"], most=1 << 20)
    assert (one.objects, one.size, len(other.objects)) == (None, 0, 1)


def test_a_new_object_moves_few_slices():
    names = [inputs.Input(f"{number}.zip", ".zip", "", (), 1) for number in range(5_000)]
    before, after = ({tuple(slice) for slice in inputs.slices(iter(every), 100, 1 << 30)} for every in (names, names[1:]))
    assert len(before - after) < 5 and max(map(len, before)) == 100


@pytest.mark.parametrize("keys", [["saved/b", "saved/a"], ["saved/a", "saved/a"], ["other/a"], ["saved/a", "/etc/passwd"]])
def test_a_forged_listing_is_refused(s3, keys):
    s3.forged = [(key, 1, '"tag"') for key in keys]
    with pytest.raises(FleetError, match="does not list"):
        list(Place.at("s3://fleet/saved").listed())
