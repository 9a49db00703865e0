"""Examples of findings about what Convert's iOS SDK keeps."""

from __future__ import annotations

import json
from typing import Any

from .basics import STANDARD, SUPPORT, Files, binary, container
from .finding import Example

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
