"""Examples of findings about other SDKs: the vendor's beta SDK 2, React Native, tvOS, and Convert's."""

from __future__ import annotations

import json
from typing import Any

from .basics import (
    LAST_EVENT, LEGACY, SESSION_ID, STANDARD, SUPPORT, Example, Files, Store, binary, container, good_values, legacy_container, values,
)
from .vendors import Instance, keyed_archive

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


def react_native() -> Files:
    """The native SDK starts no sessions by itself there; React Native's does, and keeps its own account of them."""
    native = values("rl_last_event_time_stamp", rl_session_auto_track_status=False)
    of_react_native = {
        "rn_last_event_time_stamp": LAST_EVENT, "rn_session_auto_track_status": True, "rn_session_manual_track_status": False,
        "rn_application_version_key": "4.2.0", "rn_application_build_key": "420"}
    return legacy_container(native, {**native, **of_react_native})


SDKS = [
    Example(
        "source.purgeable", "The file rsDefaultsPersistence.plist lies in Library/Caches, as on tvOS.",
        {CACHED if path == LEGACY else path: content for path, content in legacy_container(good_values()).items()}),
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

FOLDER = f"{SUPPORT}/com.convertexperiments.sdk"
DECISIONS = f"{SUPPORT}/convert-decision-store.json"
QUEUE = f"{FOLDER}/event-queue.json"
MIRROR = "com.convert.sdk.visitorIdMirror"

VISITOR = "550E8400-E29B-41D4-A716-446655440000"
OTHER_VISITOR = "0C7B2E51-9D34-4A8F-B6E0-71F5A2C3D984"


def compact(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def decisions(visitor: str) -> bytes:
    entry = {"bucketing": {"100218245": "100299457"}, "goalTriggered": {"100215960": True}, "segments": {"country": "GB"}, "locations": {}}
    key = f"10022898-10025986-{visitor}"
    return compact({"store": {key: entry}, "order": [key]})


def queue(visitor: str) -> bytes:
    event = {"eventType": "bucketing", "data": {"experienceId": "100218245", "variationId": "100299457"}}
    visitors = [{"visitorId": visitor, "segments": {"country": "GB"}, "events": [event]}]
    batch = {"accountId": "10022898", "projectId": "10025986", "enrichData": True, "source": "ios-sdk"}
    return compact([{**batch, "visitors": visitors}])


def convert(more: Files | None = None, mirror: str = VISITOR) -> Files:
    """What the SDK leaves in good order, and files added to it or put in the place of some."""
    files = {
        STANDARD: binary({"launchCount": 17, MIRROR: mirror}), DECISIONS: decisions(VISITOR),
        QUEUE: queue(VISITOR), f"{FOLDER}/config-acme-shop-live.json": compact({"account_id": "10022898", "project": {"id": "10025986"}})}
    return container({**files, **(more or {})})


def of_convert(code: str, change: str, files: Files) -> Example:
    return Example(code, "The app uses Convert's SDK; " + change, files, write_key=None)


CONVERT = [
    of_convert(
        "convert.config-corrupt", "the cached configuration ends within a word.",
        convert({f"{FOLDER}/config-acme-shop-live.json": b'{"account_id":"10022898","proj'})),
    of_convert(
        "convert.config-key-collision", "the name of the cached configuration stands for the keys 10022898/10025986 and 10022898_10025986.",
        convert({f"{FOLDER}/config-10022898_10025986.json": compact({"account_id": "10022898"})})),
    of_convert(
        "convert.decisions-corrupt", "the file of decisions ends after its first half.",
        convert({DECISIONS: decisions(VISITOR)[: len(decisions(VISITOR)) // 2]})),
    of_convert(
        "convert.decisions-elsewhere", "another visitor's decisions are where only its documentation puts them.",
        convert({f"{FOLDER}/convert-decision-store.json": decisions(OTHER_VISITOR)})),
    of_convert(
        "convert.id-elsewhere", "the mirror and the file of decisions are gone; an id is where only its documentation puts decisions.",
        container({STANDARD: binary({"launchCount": 17}), f"{FOLDER}/convert-decision-store.json": decisions(VISITOR)})),
    of_convert("convert.ids-differ", "the mirror holds another id than decisions and events stand under.", convert(mirror=OTHER_VISITOR)),
    of_convert(
        "convert.queue-corrupt", "the queue of events ends after its first half.",
        convert({QUEUE: queue(VISITOR)[: len(queue(VISITOR)) // 2]})),
    of_convert(
        "convert.uploading", "the queue was being sent when the container was made.", convert({f"{FOLDER}/event-queue.uploading": b"\x01"})),
]
