"""Finds the inputs of an audit in a listing while it is read, by the rules of `carryover audit PATH`. The rules are
those of ContainerWalk and FolderRecognition in Sources/CarryoverContainers. Only names count. A test compares both on
random folders."""

import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from .store import Object

ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst")
PACKAGE = ".xcappdata"
WINDOW = 1_000
BLOCK = 4_096  # what a file takes on a disk beside its bytes


class Input(NamedTuple):
    name: str  # as its rows name it
    ending: str  # that its copy needs, by which the command knows what it is
    base: str  # what all keys begin with
    objects: tuple[Object, ...] | None  # None if there are too many, or too many bytes
    size: int  # the bytes on a disk, 0 without objects


class Listing:
    """A listing with a window that looks ahead, so that memory does not grow with it."""

    def __init__(self, objects: Iterator[Object], first: Callable[[str], str | None]) -> None:
        """`first` asks the store for the first key that begins with a text."""
        self.source, self.first = objects, first
        self.objects, self.at, self.is_ended = [], 0, False

    def peek(self) -> Object | None:
        if len(self.objects) - self.at < WINDOW and not self.is_ended:
            more = list(islice(self.source, WINDOW))
            self.is_ended = len(more) < WINDOW
            self.objects, self.at = self.objects[self.at:] + more, 0
        return self.objects[self.at] if self.at < len(self.objects) else None

    def taken(self, folder: str) -> Iterator[Object]:
        while (one := self.peek()) and one.key.startswith(folder):
            self.at += 1
            yield one

    def found(self, folder: str, name: str) -> str | None:
        """The first key in a folder that begins with a name. Nothing of the folder was taken before."""
        text = folder + name
        if not self.is_ended and self.objects[-1].key.startswith(folder):
            return self.first(text)
        place = bisect_left(self.objects, (text,), self.at)
        key = self.objects[place].key if place < len(self.objects) else ""
        return key if key.startswith(text) else None

    def is_container(self, folder: str) -> bool:
        """Whether a folder is a container or a backup, even one that cannot be opened."""
        def has(name: str) -> bool:
            # The file itself is before all others that begin with its name.
            return name.endswith("/") and self.found(folder, name) is not None or self.found(folder, name) == folder + name

        def is_data(at: str) -> bool:
            # The data of a simulated device has a Library too, beside its apps' containers.
            if has(at + "Library/"):
                return not (has(at + "Containers/Data/Application/") or has(at + "Containers/Shared/AppGroup/"))
            return has(at + ".com.apple.mobile_container_manager.metadata.plist") and not has(at + "Library")

        def has_any(name: str) -> bool:
            return has(name) or has(name + "/")

        return (
            has("AppData/") and (has_any("AppDataInfo.plist") or is_data("AppData/"))
            or is_data("") or has_any("Manifest.mbdb") or has_any("Manifest.db")
            or has_any("Manifest.plist") and (has_any("Info.plist") or has_any("Status.plist")))


def inputs(listing: Listing, prefix: str, name: str, most: int) -> Iterator[Input]:
    """Every input below a prefix, in the order of the listing. `name` is that of the prefix."""

    def made(name: str, ending: str, base: str, objects: Iterator[Object]) -> Input:
        kept, size = [], 0
        for one in objects:
            size += one.size + BLOCK
            if size <= most:
                kept.append(one)
        return Input(name, ending, base, *((tuple(kept), size) if size <= most else (None, 0)))

    def is_input(path: str, name: str) -> bool:
        return name.endswith(PACKAGE) or listing.is_container(path)

    def folder(path: str, name: str) -> Input:
        return made(name, PACKAGE if name.endswith(PACKAGE) else "", path, listing.taken(path))

    if listing.peek() and is_input(prefix, name):
        yield folder(prefix, name)
    parents = [prefix]
    while one := listing.peek():
        while not one.key.startswith(parents[-1]):
            parents.pop()
        name, slash, _ = one.key[len(parents[-1]):].partition("/")
        path = parents[-1] + name + slash
        if not slash:
            listing.at += 1
            ending = next((each for each in ARCHIVES if name.lower().endswith(each)), None)
            if ending and not name.startswith("._"):
                yield made(path[len(prefix):], ending, parents[-1], iter([one]))
        elif name == "__MACOSX":
            for _ in listing.taken(path):
                pass
        elif is_input(path, name):
            yield folder(path, path[len(prefix):-1])
        else:
            parents.append(path)


def slices(found: Iterator[Input], count: int, size: int) -> Iterator[list[Input]]:
    slice: list[Input] = []
    for one in found:
        if slice and (len(slice) == count or sum(other.size for other in slice) + one.size > size):
            yield slice
            slice = []
        slice.append(one)
        # Some cuts depend on a name alone, so that a new object does not move all those behind it.
        if zlib.crc32(one.name.encode(errors="replace")) % count == 0:
            yield slice
            slice = []
    if slice:
        yield slice
