"""One container for every finding code, in the order of the codes, and an index of them."""

from .basics import (
    ANONYMOUS_ID, LAST_EVENT, OTHER_ANONYMOUS_ID, SESSION_ID, TRAITS_OF_THE_APP, YEAR_2100, Example, Files, example, good_values,
    legacy_container, text, traits,
)
from .findings_sdks import BETA, CONVERT, SDKS
from .findings_stores import CONSENT, DROPPED, LIVE, SOURCE, TARGETS
from .people import person
from .vendors import segment_container

HOUR = 3600
WHOLE = traits("u-1001")


def with_traits(code: str, change: str, text: str) -> Example:
    return example(code, change, rl_traits=text)


IDENTITY = [
    example(
        "identity.anonymous-id-malformed", "The anonymous id is no UUID, in its key and in the traits.", rl_anonymous_id="acme-device-7",
        rl_traits=traits("u-1001", "acme-device-7")),
    example("identity.anonymous-id-not-string", "The key rl_anonymous_id holds the integer 4711.", rl_anonymous_id=4711),
    example(
        "identity.anonymous-id-only-in-traits", "The key rl_anonymous_id is gone; the traits hold the id, as before version 1.0.10.",
        "rl_anonymous_id"),
    Example(
        "identity.older-generation",
        "An app with Segment's Objective-C SDK, whose user has logged out; version 3.1 left a user id in the preferences.",
        segment_container(user=None, preferences={"SEGUserId": "u-1001"})),
    with_traits("identity.placeholder", "The user id is the text (null).", traits("(null)")),
    with_traits(
        "identity.anonymous-ids-differ", "The traits hold another anonymous id than the key.", traits("u-1001", OTHER_ANONYMOUS_ID)),
    with_traits(
        "identity.custom-id-stripped", "The traits hold an id of the app's own, acme-42, beside the user id.",
        traits("u-1001", others='"id":"acme-42",' + TRAITS_OF_THE_APP)),
    with_traits("identity.hidden-characters", "The user id ends with a line feed.", traits("u-1001\\n")),
    with_traits("identity.user-id-empty", "The user id is the empty string.", traits("")),
    with_traits(
        "identity.user-id-missing", "The traits hold the anonymous id and nothing else: nobody was identified.",
        f'{{"anonymousId":"{ANONYMOUS_ID}"}}'),
    with_traits("identity.user-id-missing-with-traits", "The traits hold no userId.", WHOLE.replace('"userId":"u-1001",', "")),
    with_traits("identity.user-id-not-string", "The user id is the number 42.", WHOLE.replace('"u-1001"', "42")),
]

TRAITS = [
    with_traits(
        "traits.duplicate-member", "The member plan stands twice in the traits, as basic and as pro.",
        traits("u-1001", others=TRAITS_OF_THE_APP + ',"plan":"pro"')),
    with_traits(
        "traits.empty-after-strip", "The traits hold the anonymous id and the user id, and nothing else.",
        f'{{"anonymousId":"{ANONYMOUS_ID}","userId":"u-1001"}}'),
    with_traits("traits.invalid-json", "The traits end in the middle of a member.", WHOLE[: WHOLE.index('"Ada"') + 2]),
    with_traits(
        "traits.lossy-reencode", "The traits hold the number 4.10, which a decoder and encoder would write as 4.1.",
        traits("u-1001", others=TRAITS_OF_THE_APP + ',"discount":4.10')),
]

SESSION = [
    example("session.auto-track-absent", "The key rl_session_auto_track_status is gone.", "rl_session_auto_track_status"),
    example(
        "session.auto-track-contradicted", "The time of the last event is gone, which automatic tracking would have written.",
        "rl_last_event_time_stamp"),
    example(
        "session.expired", "The session and its last event are an hour older.", rl_session_id=SESSION_ID - HOUR,
        rl_last_event_time_stamp=LAST_EVENT - HOUR),
    example("session.id-invalid", "The session id is -1.", rl_session_id=-1),
    example(
        "session.manual-will-be-replaced", "The tracking status is false: the app started the session itself.",
        rl_session_auto_track_status=False),
    example(
        "session.timestamp-missing", "The app started the session itself, so the legacy SDK kept no time of the last event.",
        "rl_last_event_time_stamp", rl_session_auto_track_status=False),
    example("session.timestamp-not-past", "The last event is dated 2100-01-01.", rl_last_event_time_stamp=YEAR_2100),
    example(
        "session.timestamp-unit", "The time of the last event is in milliseconds instead of seconds.",
        rl_last_event_time_stamp=LAST_EVENT * 1000),
    Example(
        "session.uptime-sdk", "Nothing is changed; the app ships with version 1.1.0 of the new SDK.", legacy_container(good_values()),
        more_options=("--target-sdk", "1.1.0")),
]

APP = [
    example("app.build-not-integer", "The app's build is 4.2.0-rc1.", rl_application_build_key="4.2.0-rc1"),
    example(
        "app.version-in-old-key", "The app's version stands in the older key rl_application_info_key alone.", "rl_application_version_key",
        rl_application_info_key="4.2.0"),
    example("app.version-not-string", "The app's version is the number 4.2.", rl_application_version_key=4.2),
]


def with_person(code: str, change: str, model: bytes) -> Example:
    return Example(code, change, person(model), write_key=None, more_options=("--recipe", "person"))


# These start from `Person`, not from `Clean`.
MODELS = [
    with_person("model.corrupt", "The person ends in the middle of its JSON.", b'{"name":"John Doe","ag'),
    with_person(
        "model.newer-version", "The person is marked as version 4, which the recipe does not know.",
        b'{"alias":"John Doe","email":"john@acme.example","version":4}'),
    with_person(
        "model.step-failed", "The person of version 1 has an alias already, which the name is to become.",
        b'{"name":"John Doe","age":"23","email":"john@acme.example","alias":"Johnny"}'),
    with_person(
        "model.unknown-version", "The person has neither a name nor an alias.",
        b'{"nickname":"Johnny","age":"23","email":"john@acme.example"}'),
]
EXAMPLES: list[Example] = [
    *IDENTITY, *TRAITS, *SESSION, *APP, *SOURCE, *SDKS, *TARGETS, *CONSENT, *DROPPED, *LIVE, *MODELS, *BETA, *CONVERT,
]


def finding_files() -> Files:
    """All examples, with an index: how each is opened, and what makes it differ from `Clean`."""
    files = {f"{example.container}/{path}": data for example in EXAMPLES for path, data in example.files.items()}
    return {**files, "index.json": text({"examples": [example.entry() for example in EXAMPLES]})}
