"""What Segment's Objective-C SDK leaves: files with one JSON value each."""

from __future__ import annotations

import json

from .basics import ANONYMOUS_ID, STANDARD, Files, binary, container

SUPPORT = "AppData/Library/Application Support"


def segment_container(traits: str = '{"plan":"basic"}') -> Files:
    """A container with the values of an identified user.

    `traits` is the text of the traits' file.
    """
    return container(
        {
            f"{SUPPORT}/segment.anonymousId": json.dumps({"segment.anonymousId": ANONYMOUS_ID}).encode(),
            f"{SUPPORT}/segmentio.userId": json.dumps({"segmentio.userId": "u-1001"}).encode(),
            f"{SUPPORT}/segmentio.traits.plist": traits.encode(),
            STANDARD: binary({"launchCount": 17}),
        }
    )
