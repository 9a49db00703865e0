"""What Mixpanel's Objective-C SDK 4 and 5 leaves: one suite, whose keys have no hyphen after the project token."""

from __future__ import annotations

from typing import Any

from .basics import ANONYMOUS_ID, PREFERENCES, STANDARD, Files, binary, container
from .keyed import keyed_archive

TOKEN = "0123456789abcdef0123456789abcdef"
SUITE = f"{PREFERENCES}/Mixpanel.plist"


def mixpanel_container(**changed: Any) -> Files:
    """A container with the values of an identified user, and others."""
    values = {
        "MPDistinctID": "u-1001",
        "MPUserId": "u-1001",
        "MPAnonymousId": ANONYMOUS_ID.upper(),
        "MPHadPersistedDistinctId": True,
        "superProperties": keyed_archive({"plan": "basic"}),
        **changed,
    }
    suite = {f"mixpanel-{TOKEN}{name}": value for name, value in values.items()}
    return container({SUITE: binary(suite), STANDARD: binary({"launchCount": 17})})
