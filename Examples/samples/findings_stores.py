"""Examples of findings about whole files: sources, target, consent, what is left behind, apps at work."""

import contextlib
import sqlite3
import tempfile
from pathlib import Path

from .basics import (
    ANONYMOUS_ID, BUNDLE_ID, LEGACY, OTHER_ANONYMOUS_ID, PREFERENCES, SESSION_ID, STANDARD, TARGET, Example, Files, binary, container,
    example, good_values, legacy_container, traits, values, with_files, xml,
)
from .vendors import TOKEN, keyed_archive, mixpanel_container, segment_container

RESTORED = ["anonymous_id", "user_id"]
SECOND_SUITE = f"{PREFERENCES}/{BUNDLE_ID}.analytics.2yAcmeOtherKey.plist"
# A simulator's folders, as in ~/Library/Developer.
SIMULATOR = (
    "CoreSimulator/Devices/5E0D6E3A-1B7C-4F52-9A68-0C3D2E4F5A6B"
    "/data/Containers/Data/Application/A7C91E04-83D2-4B6F-8E15-6D2F0B9C7E31"
)


def queue(events: list[tuple[str, int]]) -> bytes:
    """The legacy SDK's database of events that were not sent, as the SQLite of this machine writes it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rl_persistence.sqlite"
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            database.execute("CREATE TABLE events(id INTEGER PRIMARY KEY, message TEXT, updated INTEGER)")
            database.executemany("INSERT INTO events(message, updated) VALUES(?, ?)", events)
        return path.read_bytes()


def with_target(code: str, change: str, **target: object) -> Example:
    return with_files(code, change, {TARGET: binary(target)})


def in_simulator() -> Files:
    """The container as a simulator keeps it, with the note that says whose it is."""
    files = {path[len("AppData/") :]: content for path, content in legacy_container(good_values()).items() if path.startswith("AppData/")}
    note = {"MCMMetadataContentClass": 2, "MCMMetadataIdentifier": BUNDLE_ID}
    return {".com.apple.mobile_container_manager.metadata.plist": binary(note), **files}


SOURCE = [
    Example(
        "source.disagree", "The two legacy stores hold another anonymous id each.",
        legacy_container(values(rl_anonymous_id=OTHER_ANONYMOUS_ID), good_values())),
    Example(
        "source.doubtful", "An app with Mixpanel's Objective-C SDK before 3.4, which has a single id.",
        container({
            f"AppData/Library/mixpanel-{TOKEN}-properties.plist": keyed_archive({"distinctId": OTHER_ANONYMOUS_ID}),
            STANDARD: binary({"launchCount": 17})}),
        more_options=("--recipe", "mixpanel-to-rudderstack")),
    Example(
        "source.elsewhere", "An app with a second instance of Amplitude's SDK, and no data of the default one.",
        container({"AppData/Library/com.amplitude.database_second": b"SQLite format 3\0", STANDARD: binary({"launchCount": 17})}),
        more_options=("--recipe", "amplitude-objc")),
    with_files(
        "source.hidden", "The standard preferences end after their first half.",
        {STANDARD: binary({"launchCount": 17, **good_values()})[:200]}),
    example("source.not-as-required", "Nothing: the requirement is one of a recipe file that --recipe names."),
    Example(
        "source.not-converted", "An app with Segment's Objective-C SDK, whose file of traits contains a list.",
        segment_container(traits="[41]")),
    Example(
        "source.not-found", "Neither legacy store holds a value of the SDK; the preferences have the app's own alone.",
        container({STANDARD: binary({"launchCount": 17})})),
    Example(
        "source.partial", "The file rsDefaultsPersistence.plist lacks the session id.",
        legacy_container(values("rl_session_id"), good_values())),
    with_files(
        "source.refused-by-apple", "The preferences have a byte between the offset table and the trailer.",
        {STANDARD: binary(good_values())[:-32] + b"\0" + binary(good_values())[-32:]}),
    Example(
        "source.stale", "The standard preferences lack the session id, which rsDefaultsPersistence.plist still holds.",
        legacy_container(good_values(), values("rl_session_id"))),
    with_files(
        "source.unreadable", "The file rsDefaultsPersistence.plist ends after its first half.",
        {LEGACY: xml(good_values())[: len(xml(good_values())) // 2]}),
    example("source.wrong-type", "The tracking status is the text YES instead of a boolean.", rl_session_auto_track_status="YES"),
]

TARGETS = [
    with_target("target.conflict", "The target is there and holds another user id.", user_id="u-2002"),
    with_target("target.exists", "The target is there and holds the same anonymous id.", anonymous_id=ANONYMOUS_ID),
    with_target(
        "target.fresh-identity", "The target is there and holds nothing but another anonymous id.", anonymous_id=OTHER_ANONYMOUS_ID),
    example(
        "target.legacy-write-key", "The legacy SDK's configuration has another write key.",
        rl_server_config='{"isHosted":true,"source":{"id":"2AcmeSourceId","name":"Acme iOS","writeKey":"2yAcmeOtherKey","enabled":true}}'),
    with_files(
        "target.many-write-keys", "There are suites of two write keys, and both hold the same anonymous id.",
        {TARGET: binary({"anonymous_id": ANONYMOUS_ID}), SECOND_SUITE: binary({"anonymous_id": ANONYMOUS_ID})}),
    Example(
        "target.no-bundle-id", "Neither AppDataInfo.plist nor the name of a preferences file says which app this is.",
        {"AppDataInfo.plist": xml({"CFBundleDisplayName": "Acme Shop"}), LEGACY: xml(good_values())}),
    Example(
        "target.no-write-key", "Nothing is changed; no write key is given, and neither a suite nor a configuration in the container names one.",
        legacy_container(good_values()), write_key=None),
    with_target(
        "target.removed-since", "An earlier start of the app restored the user; then the user logged out, and the new SDK made another id.",
        **{
            "anonymous_id": OTHER_ANONYMOUS_ID,
            "carryover.restored": {"version": 1, "at": SESSION_ID, "fields": RESTORED, "restored": RESTORED}}),
    with_target("target.other-user", "The target is there and holds another user id, and no traits.", user_id="u-3003"),
    example("target.rolled-back", "Nothing: apply the migration, then roll back one field."),
    with_files(
        "target.other-write-key", "There is a suite of another write key, and none of the one that is given.",
        {SECOND_SUITE: binary({"anonymous_id": ANONYMOUS_ID})}),
    with_files(
        "target.unreadable", "The target is there and ends after its first bytes.", {TARGET: binary({"anonymous_id": ANONYMOUS_ID})[:24]}),
    with_target("target.wrong-type", "The target is there and holds the session id as an integer.", session_id=SESSION_ID),
]

CONSENT = [
    example("consent.opted-out", "The user has opted out of tracking.", rl_opt_status=True, rl_opt_out_time=1763639000),
    Example(
        "consent.migrated", "An app with Mixpanel's Objective-C SDK, whose user has opted out of tracking.",
        mixpanel_container(OptOutStatus=True), write_key=None),
    example("recipe.untrusted", "Nothing: the finding is about a recipe file that --recipe names."),
]

DROPPED = [
    example(
        "dropped.external-ids", "The legacy SDK attached a loyalty id to every event.",
        rl_external_id='[{"type":"loyaltyId","id":"acme-42"}]'),
    example("dropped.secrets", "The legacy SDK holds an authentication token.", rl_auth_token="example-token-not-a-real-secret"),
    example("dropped.unknown-key", "There is a key rl_acme_experiment.", rl_acme_experiment="basket-b"),
    with_files(
        "dropped.unsent-events", "Two events were not sent yet.",
        {
            "AppData/Library/rl_persistence.sqlite": queue([
                ('{"type":"track","event":"Basket Opened"}', SESSION_ID + 30), ('{"type":"track","event":"Order Placed"}', SESSION_ID + 90)])}),
]

LIVE = [
    Example("live.running-store", "The container lies where a simulator keeps it.", in_simulator(), folder=SIMULATOR),
    Example(
        "live.store-changed", "Another user has logged in since a plan was saved for Clean.xcappdata.",
        legacy_container(values(rl_traits=traits("u-2002"))), planned_for="../Clean.xcappdata"),
]
