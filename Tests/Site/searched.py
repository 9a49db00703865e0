"""The index of the search: whether it has every section of every page, and leads to it."""

from __future__ import annotations

import json

from pages import Read


def problems(files: dict[str, bytes], read: dict[str, Read]) -> list[str]:
    text = files["search-index.js"].decode()
    start, end = "const sections = [\n", "\n];\n"
    if not text.startswith(start) or not text.endswith(end):
        return ["search-index.js is not a list of sections"]
    entries = json.loads(f"[{text[len(start):-len(end)]}]")
    found = [f"search-index.js leads to {place}, which is not there" for place, *_ in entries if not there(place, read)]
    found += [f"search-index.js does not have {path}" for path in read if path != "search.html" and path not in {entry[0] for entry in entries}]
    # A word that one page alone says, in a section below its title.
    found += [f"the search does not lead from “{word}” to {page}" for word, page in {
        "standardDefaultsCopied": "recipes/rudderstack-objc.html", "R201": "guides/lintarecipe.html",
        "identity.user-id-not-string": "findings/identity.user-id-not-string.html",
    }.items() if not any(place.partition("#")[0] == page and any(word in part for part in parts) for place, *parts in entries)]
    return found


def there(place: str, read: dict[str, Read]) -> bool:
    path, _, anchor = place.partition("#")
    return path in read and (not anchor or anchor in read[path].ids)
