"""What Snowplow's tracker 2.0 to 2.2.1 leaves: a property list with the user id and the session."""

from __future__ import annotations

from .basics import STANDARD, Files, binary, container, xml


def snowplow_container() -> Files:
    """A container of an app whose tracker has the namespace `shop`."""
    session = {
        "userId": "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642",
        "sessionId": "b8a5d0f2-3c71-4e96-9d48-27f60c1e8a53",
        "sessionIndex": 12,
        "firstEventId": "0d6e4b91-a2f8-47c3-b15d-e83907f6c2aa",
    }
    return container(
        {
            "AppData/Library/Application Support/snowplow/session_shop.dict": xml(session),
            STANDARD: binary({"launchCount": 17}),
        }
    )
