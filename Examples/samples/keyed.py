"""What Foundation's `NSKeyedArchiver` makes of an object, as far as the samples need it."""

import plistlib
from dataclasses import dataclass
from typing import Any


@dataclass
class Instance:
    """An object of a class by its name; its members by theirs."""

    name: str
    members: dict[str, Any]


def keyed_archive(root: Any) -> bytes:
    """The archive of texts, numbers, arrays, dictionaries and instances."""
    objects: list[Any] = ["$null"]
    classes: dict[str, plistlib.UID] = {}

    def add(value: Any) -> plistlib.UID:
        place = plistlib.UID(len(objects))
        objects.append(value)
        return place

    def of_class(name: str) -> plistlib.UID:
        if name not in classes:
            classes[name] = add({"$classname": name, "$classes": [name, "NSObject"]})
        return classes[name]

    def encode(value: Any) -> plistlib.UID:
        if isinstance(value, dict):
            return encode(Instance("NSDictionary", {"NS.keys": list(value), "NS.objects": list(value.values())}))
        if isinstance(value, list):
            return encode(Instance("NSArray", {"NS.objects": value}))
        if not isinstance(value, Instance):
            return add(value)
        record: dict[str, Any] = {}
        place = add(record)
        for key, member in value.members.items():
            if key.startswith("NS."):
                record[key] = [encode(element) for element in member]
            elif isinstance(member, (int, float)):
                record[key] = member
            else:
                record[key] = encode(member)
        record["$class"] = of_class(value.name)
        return place

    top = {"root": encode(root)}
    archive = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": top, "$objects": objects}
    return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY, sort_keys=False)
