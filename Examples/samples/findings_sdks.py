"""Examples of findings about the vendor's other SDKs: the beta SDK 2, React Native, tvOS."""

from typing import Any

from .basics import (
    LAST_EVENT, LEGACY, SESSION_ID, STANDARD, Files, Store, binary, container, good_values, legacy_container, values,
)
from .finding import Example
from .keyed import Instance, keyed_archive

CACHED = LEGACY.replace("Library/", "Library/Caches/")
TRAITS: dict[str, Any] = {"email": "ada@acme.example", "name": "Ada", "plan": "basic"}


def beta_values(**changed: Any) -> Store:
    """Everything that the beta SDK 2 keeps of an identified user; its anonymous id is none of it."""
    return {
        "rs_user_id": "u-1001", "rs_traits": keyed_archive(TRAITS), "rl_session_id": SESSION_ID, "rl_session_manual_track_status": False,
        "rl_session_stopped_status": False, "rl_last_event_time_stamp": LAST_EVENT, "rs_application_version_key": "4.2.0",
        "rs_application_build_key": "420", **changed}


def beta_container(**changed: Any) -> Files:
    """A container of an app with the beta SDK 2, which uses the standard preferences alone."""
    return container({STANDARD: binary({"launchCount": 17, **beta_values(**changed)})})


def purgeable() -> Files:
    files = legacy_container(good_values())
    return {CACHED if path == LEGACY else path: content for path, content in files.items()}


def react_native() -> Files:
    """The native SDK starts no sessions by itself there; React Native's does, and keeps its own account of them."""
    native = values("rl_last_event_time_stamp", rl_session_auto_track_status=False)
    of_react_native = {
        "rn_last_event_time_stamp": LAST_EVENT, "rn_session_auto_track_status": True, "rn_session_manual_track_status": False,
        "rn_application_version_key": "4.2.0", "rn_application_build_key": "420"}
    return legacy_container(native, {**native, **of_react_native})


SDKS = [
    Example("source.purgeable", "The file rsDefaultsPersistence.plist lies in Library/Caches, as on tvOS.", purgeable()),
    Example(
        "source.react-native", "React Native's SDK keeps the sessions, under its own keys in the standard preferences.", react_native()),
    Example(
        "source.v1-and-v2", "The app shipped with the beta SDK 2 after the Objective-C SDK, and both left their keys.",
        legacy_container(good_values(), {**good_values(), **beta_values()})),
]

BETA = [
    Example("v2.anonymous-id-not-stored", "The app shipped with the beta SDK 2, whose anonymous id stands nowhere.", beta_container()),
    Example(
        "v2.session-stopped", "The app shipped with the beta SDK 2 and has ended the session.",
        beta_container(rl_session_stopped_status=True)),
    Example(
        "v2.traits-archive", "The app shipped with the beta SDK 2; its archive of traits holds an object of the app's own class.",
        beta_container(rs_traits=keyed_archive({**TRAITS, "membership": Instance("AcmeMembership", {"level": 3, "name": "gold"})}))),
]
