"""What Segment's Objective-C SDK leaves: files with one JSON value each."""

from __future__ import annotations

import json

from .basics import ANONYMOUS_ID, STANDARD, Files, Store, binary, container

SUPPORT = "AppData/Library/Application Support"


def segment_container(
    traits: str = '{"plan":"basic"}', user: str | None = "u-1001", preferences: Store | None = None
) -> Files:
    """A container with the values of an identified user.

    `traits` is the text of the traits' file. Without a `user`, there are neither a user id nor traits.
    """
    files = {f"{SUPPORT}/segment.anonymousId": json.dumps({"segment.anonymousId": ANONYMOUS_ID}).encode()}
    if user is not None:
        files[f"{SUPPORT}/segmentio.userId"] = json.dumps({"segmentio.userId": user}).encode()
        files[f"{SUPPORT}/segmentio.traits.plist"] = traits.encode()
    return container({**files, STANDARD: binary({"launchCount": 17, **(preferences or {})})})
