"""Finds the inputs of an audit in a list of objects, in the order and by the rules of `carryover audit PATH`.

The rules are those of ContainerWalk and FolderRecognition in Sources/CarryoverContainers. Only names count, so nothing is
read. A test compares both on random trees.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst")


class Object(NamedTuple):
    """An object of the store; `parts` is its path, split at slashes, relative to the source."""

    parts: tuple[str, ...]
    size: int
    etag: str | None


class Node(NamedTuple):
    """A file or folder: a range of the sorted objects."""

    first: int
    end: int
    depth: int
    is_folder: bool


class Tree:
    """Sorted objects as folders."""

    def __init__(self, objects: Iterable[Object]) -> None:
        # Code points have the order of their UTF-8 bytes, and a folder's content follows it directly.
        self.objects = sorted(objects)

    def children(self, folder: Node) -> list[tuple[str, Node]]:
        """The names in a folder, in order."""
        found = []
        place, depth = folder.first, folder.depth
        while place < folder.end:
            name, start = self.objects[place].parts[depth], place
            while place < folder.end and self.objects[place].parts[depth] == name:
                place += 1
            is_file = len(self.objects[start].parts) == depth + 1
            # Some tools write an empty object for a folder.
            if is_file and (place == start + 1 or self.objects[start].size):
                found.append((name, Node(start, start + 1, depth + 1, False)))
            if place > start + is_file:
                found.append((name, Node(start + is_file, place, depth + 1, True)))
        return found

    def inputs(self, root_name: str) -> Iterator[tuple[str, list[Object]]]:
        """Every input: its path, empty for the root itself, and its objects."""
        if not self.objects:
            return
        root = Node(0, len(self.objects), 0, True)
        names = self.children(root)
        if self.is_container(dict(names)) or root_name.endswith(".xcappdata"):
            yield "", self.objects
            return
        waiting = names[::-1]
        while waiting:
            name, node = waiting.pop()
            if not node.is_folder:
                if is_archive(name):
                    yield self.path(node), self.objects[node.first:node.end]
            elif name != "__MACOSX":
                names = self.children(node)
                if self.is_container(dict(names)) or name.endswith(".xcappdata"):
                    yield self.path(node), self.objects[node.first:node.end]
                else:
                    waiting += names[::-1]

    def path(self, node: Node) -> str:
        return "/".join(self.objects[node.first].parts[:node.depth])

    def is_container(self, names: dict[str, Node]) -> bool:
        """Whether a folder with these names is a container or a backup, even one that cannot be opened."""
        data = names.get("AppData")
        if data and data.is_folder and ("AppDataInfo.plist" in names or self.is_data(dict(self.children(data)))):
            return True
        if self.is_data(names) or "Manifest.mbdb" in names or "Manifest.db" in names:
            return True
        return "Manifest.plist" in names and ("Info.plist" in names or "Status.plist" in names)

    def is_data(self, names: dict[str, Node]) -> bool:
        """Whether a folder is an app's data, not that of a simulated device."""
        library = names.get("Library")
        if library is None:
            description = names.get(".com.apple.mobile_container_manager.metadata.plist")
            return description is not None and not description.is_folder
        if not library.is_folder:
            return False
        return not any(
            self.has_folder(names, path) for path in (("Data", "Application"), ("Shared", "AppGroup")))

    def has_folder(self, names: dict[str, Node], path: tuple[str, ...]) -> bool:
        node = names.get("Containers")
        for name in path:
            if node is None or not node.is_folder:
                return False
            node = dict(self.children(node)).get(name)
        return node is not None and node.is_folder


def is_archive(name: str) -> bool:
    return not name.startswith("._") and name.lower().endswith(ARCHIVES)
