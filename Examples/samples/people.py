"""The samples that show what a user's device can hold: README.md says what each holds."""

import json
import plistlib
from datetime import datetime

from .basics import (
    ANONYMOUS_ID, LEGACY, OTHER_ANONYMOUS_ID, PREFERENCES, SESSION_ID, STANDARD, SUPPORT, TARGET, YEAR_2100, Files, Store, binary, container,
    good_values, legacy_container, text, traits, values, xml,
)
from .vendors import amplitude_database, database, keyed_archive, mixpanel_container, segment_container, snowplow_container

# Written out by hand, because its exact text is the point: a rewrite of 4.10, 1E5, an escaped slash or an unescaped one would show.
ACME_TRAITS = (
    f'{{"anonymousId":"{ANONYMOUS_ID}","userId":42,"id":42,'
    '"email":"ada@acme.example","name":"Zoë Müller-日本","plan":"pro/annual",'
    '"address":{"street":"Königsallee 1","city":"Düsseldorf","country":"DE","id":"home"},'
    '"avatar":"https:\\/\\/acme.example\\/u\\/42.png",'
    '"discount":4.10,"lifetimeValue":1E5,"newsletter":true,"tags":["vip","beta 🧪"]}'
)

ACME_SERVER_CONFIG = (
    '{"isHosted":true,"source":{"config":{"statsCollection":{"errors":{"enabled":false},"metrics":{"enabled":false}}},'
    '"liveEventsConfig":{},"id":"2AcmeSourceId","name":"Acme iOS","writeKey":"1xAcmeWriteKey","enabled":true,'
    '"sourceDefinitionId":"1AcmeDefinition","workspaceId":"2AcmeWorkspace","deleted":false,"transient":false,'
    '"secretVersion":null,"createdAt":"2024-03-01T09:30:52.830Z","updatedAt":"2025-06-18T11:54:00.449Z",'
    '"connections":[],"destinations":[],"sourceDefinition":{"options":null,"config":null,"id":"1AcmeDefinition",'
    '"name":"iOS","displayName":"iOS","category":null}}}'
)


def app_settings() -> Store:
    """An app's own preferences, with every type UserDefaults can hold."""
    return {
        "launchCount": 173, "firstLaunch": datetime(2024, 3, 9, 8, 30, 15), "onboardingDone": True, "prefersDarkMode": False,
        "lastTab": "basket", "storeName": "Düsseldorf – Königsallee", "cartTotal": 129.95, "priceAlertThreshold": -0.5,
        "timeZoneOffset": -3600,
        "largestOrder": 9007199254740993,  # 2^53 + 1: a double cannot hold it
        "pushToken": bytes(range(0, 256, 8)), "emptyNote": "", "noFavourites": [], "recentSearches": ["socks", "crêpe pan", "コーヒー"],
        "basket": [
            {"sku": "A-100", "quantity": 2, "price": 19.99, "gift": False},
            {"sku": "B-205", "quantity": 1, "price": 89.97, "gift": True, "options": ["XL", ["red", "blue"]]}],
        "filters": {"categories": ["kitchen", "outdoor"], "price": {"minimum": 0, "maximum": 250.0}, "since": datetime(2025, 11, 1)},
        "draftOrder": '{"version":2,"lines":[{"sku":"A-100","quantity":2}],"note":"ring twice"}',
        "windowState": binary({"scroll": 240.5, "expanded": ["filters"], "selected": 3})}


def third_party_suites() -> Files:
    return {
        f"{PREFERENCES}/com.firebase.FIRInstallations.plist": binary({
            "com.firebase.FIRInstallations.lastFetch": datetime(2025, 11, 20, 9, 12, 44), "com.firebase.FIRInstallations.registered": True}),
        f"{PREFERENCES}/com.google.gmp.measurement.plist": binary({
            "/google/measurement/app_instance_id": "5C0FFEE0ACE5EED0ACE5EED000000042",
            "/google/measurement/last_upload_time": 1763631164.25, "/google/measurement/upload_count": 86}),
        f"{PREFERENCES}/com.apple.EmojiPreferences.plist": binary({"EMFDefaultsKey": {"recents": ["🎉", "🧦", "👍"], "skinTones": {}}})}


def acme_shop() -> Files:
    carried = {**good_values(), "rl_traits": ACME_TRAITS, "rl_application_build_key": "4.2.0-rc1"}
    left_behind = {
        "rl_external_id": '[{"type":"loyaltyId","id":"acme-42"}]', "rl_opt_status": False, "rl_server_config": ACME_SERVER_CONFIG,
        "rl_server_last_updated": 1763639994, "rl_auth_token": "example-token-not-a-real-secret"}
    legacy = {**carried, **left_behind}
    return container(
        {
            LEGACY: xml({**legacy, "standardDefaultsCopied": True}), STANDARD: binary({**app_settings(), **legacy}), **third_party_suites(),
            f"{SUPPORT}/com.acme.shop/favourites.json": text(
                {"version": 3, "items": [{"sku": "A-100", "since": "2025-10-02"}, {"sku": "C-7", "since": None}]}),
            "AppData/Library/Caches/com.acme.shop/catalogue-etag.txt": b'W/"5f2c-18c3"\n',
            "AppData/Documents/order-4711.txt": "Order 4711: 2 × socks, 1 × crêpe pan\n".encode(),
            "AppData/tmp/upload.part": b"left over from an interrupted upload\n"},
        build="4.2.0-rc1")


def half_filled() -> Files:
    of_the_sdk = {
        "anonymous_id": ANONYMOUS_ID, "user_id": "u-2002",
        "session_id": SESSION_ID,  # an integer; the new SDK reads only a string
    }
    of_the_app = {
        "app.string": "Größe ✓", "app.integer": 7, "app.integer.negative": -9223372036854775808,
        "app.integer.unsigned": 18446744073709551615, "app.real": 0.1, "app.boolean.true": True, "app.boolean.false": False,
        "app.date": datetime(2001, 2, 3, 4, 5, 6, 789000), "app.data": b"\x00\x01\xfe\xff not text",
        "app.array": ["one", 2, 3.5, False, [b"\x04"]], "app.dictionary": {"inner": {"deeper": datetime(2025, 11, 20)}, "list": []},
        "app.uid": plistlib.UID(11)}
    return {**legacy_container(good_values()), TARGET: binary({**of_the_app, **of_the_sdk})}


def debug() -> Files:
    """An app with five SDKs, and values packed in one another: what people who debug stores want to find, change and compare."""
    state = {
        "flags": {"newCheckout": False, "freeShipping": {"enabled": True, "from": 49.5}}, "seen": ["welcome", "basket"],
        "experiment.group": "B", "session": json.dumps({"step": 3, "history": ["home", "search"]})}
    profile = keyed_archive({"name": "Ada", "visits": 17, "badges": ["early", "loyal"]})
    mixpanel = next(content for name, content in mixpanel_container().items() if name.endswith("/Mixpanel.plist"))
    segment = {name: content for name, content in segment_container().items() if "/Application Support/" in name}
    orders = database([
        ("CREATE TABLE orders (id INTEGER PRIMARY KEY, placed REAL, total REAL, state TEXT, note)", []),
        ("INSERT INTO orders VALUES (?, ?, ?, ?, ?)", [
            (4710, 1763553600.0, 89.97, "delivered", None), (4711, 1763640000.5, 129.95, "packed", json.dumps({"gift": True}))]),
        ("CREATE TABLE settings (area TEXT, name TEXT, value, PRIMARY KEY (area, name)) WITHOUT ROWID", []),
        ("INSERT INTO settings VALUES (?, ?, ?)", [
            ("checkout", "express", 1), ("checkout", "coupon", "SOCKS10"), ("search", "last", binary({"text": "socks"}))]),
        ("CREATE TABLE log (what TEXT)", []),
        ("INSERT INTO log VALUES (?)", [(f"line {number}",) for number in range(1, 1201)]),
        ("CREATE VIEW open_orders AS SELECT * FROM orders WHERE state <> 'delivered'", [])])
    return container({
        STANDARD: binary({
            "launchCount": 17, "theme": "dark", "remoteConfig": json.dumps(state, separators=(",", ":")), "profile": profile,
            "lastSeen": datetime(2025, 11, 20, 12, 2, 3), "volume": 0.5, "prefersDarkMode": True,
            "recentSearches": ["socks", "crêpe pan"], "apiToken": "example-token-not-a-real-secret", "AppleLocale": "de_DE",
            **values()}),
        LEGACY: xml({**values(), "standardDefaultsCopied": True}), f"{PREFERENCES}/Mixpanel.plist": mixpanel, **segment, **third_party_suites(),
        "AppData/Library/com.amplitude.database": amplitude_database("u-1001", ANONYMOUS_ID.upper()),
        "AppData/Documents/shop.sqlite": orders,
        f"{SUPPORT}/com.acme.shop/basket.json": text({"version": 3, "lines": [{"sku": "A-100", "quantity": 2}, {"sku": "C-7", "quantity": 1}]}),
        "AppData/Library/Caches/thumbnail.jpg": b"\xff\xd8\xff\xe0 not a picture"})


def person(model: bytes = b'{"name":"John Doe","age":"23"}') -> Files:
    """A model that an app of another maker keeps as JSON under the key `person`: as data, as `JSONEncoder` makes it."""
    return container({STANDARD: binary({"launchCount": 12, "person": model, "theme": "dark"})})


# The traits of `Disagree` name the anonymous id of the standard store, which is the one the legacy SDK reads first.
PEOPLE: dict[str, Files] = {
    "AcmeShop": acme_shop(),
    "Clean": legacy_container(good_values()),
    "OptedOut": legacy_container(values(rl_opt_status=True, rl_opt_out_time=1763639000)),
    "CorruptTraits": legacy_container(values(rl_traits=traits("u-1001").partition('da"')[0])),
    "FutureTimestamp": legacy_container(values(rl_last_event_time_stamp=YEAR_2100)),
    "ManualSession": legacy_container(values("rl_last_event_time_stamp", rl_session_auto_track_status=False)),
    "Disagree": legacy_container(
        values("rl_application_build_key", rl_anonymous_id=OTHER_ANONYMOUS_ID, rl_application_version_key="4.1.0"),
        values("rl_session_id")),
    "HalfFilled": half_filled(),
    "NothingToMigrate": container({STANDARD: binary({"launchCount": 3, "firstLaunch": datetime(2025, 11, 19, 18, 0, 0)})}),
    "Person": person(),
    "Debug": debug(),
    "Snowplow": snowplow_container(),
}
