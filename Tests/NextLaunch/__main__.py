#!/usr/bin/env python3
"""Compares `plan --next-launch` with RudderStack's Swift SDK, run on generated containers.

    python3 Tests/NextLaunch CLIENT [HELPER] [--count 200] [--seed 1]

CLIENT is built of the SDK, which is no part of this project, beside the Info.plist of the app com.example.shop. It starts
the SDK with the write key KEY on the suite in $HOME/.config, without automatic sessions if AUTO=0, then calls identify with
the trait `added` and the stored user id or another one. It prints a JSON object: anonymousIdRead (absent if there is
none), userId, traits, sessionId as read, liveSession and liveManual once started, events with their names, and
traitsAfterIdentify. `HELPER v1|v2 PREFERENCES FILE TARGET` runs the example migrators; without it they are not compared.
"""
import argparse, json, os, plistlib, random, re, subprocess, sys, tempfile, time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SUITE = "com.example.shop.analytics.KEY.plist"
BINARY = Path(__file__).resolve().parents[2] / ".build/debug/carryover"
IDS = ["3f2504e0-4f89-41d3-9a0c-0305e82c3301", "9B2D1C7E-0B57-4A63-8F0E-6E0E6A2C0C11", "", "not-a-uuid"]
TRAITS = [{"plan": "gold"}, {"plan": "gold", "age": 41, "tags": [1.5, None]}, {"ü": "😀/", "deep": {"userId": 1}}, {}]
ODD_TRAITS = ["", "[]", "null", "{", '{"a":1e400}', '{"a":"\\ud800"}', '{"a":01}', "{'a':1}", '{"a":NaN}', '{"a":"\t"}',
              '{"a":1,"a":2}', ' {"a" : 1.0}\n', "{}", '{"":1}', '{"a":12345678901234567890123}']


def archive(traits):
    """A dictionary of texts as NSKeyedArchiver writes it."""
    uids, count = [plistlib.UID(number) for number in range(40)], 2 + len(traits)
    last = 2 * count - 2
    body = {"NS.keys": uids[2:count], "NS.objects": uids[count:last], "$class": uids[last]}
    objects = ["$null", body, *traits, *traits.values(), {"$classname": "NSDictionary", "$classes": ["NSDictionary"]}]
    top = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": uids[1]}, "$objects": objects}
    return plistlib.dumps(top, fmt=plistlib.FMT_BINARY)


def seconds(now):
    """Fresh, expired, future, zero, uptime. None comes near an edge while the case runs."""
    return [now - 60, now - 61.5, now - 100, now - 900, now - 86400 * 30, now + 7200, 0, -5, 4000]


def legacy(r, beta, now):
    maybe = lambda chance, *values: r.choice(values) if r.random() < chance else None
    user = r.choice(["u-1", "u-1", "42", 42, 4.10, True, None, "", {"a": 1}, "ü ‹x›"])
    times = [int(t) for t in seconds(now)] + [float(now - 90), (now - 80) * 1000, "soon", True]
    values = {"rl_session_id": maybe(.8, *[now - 3000] * 3, 0, -5, 12, 2**63, "1700000000", 1.5, True),
              "rl_last_event_time_stamp": maybe(.8, now - 70, now - 90, *times)}
    version, build = maybe(.8, "4.2.0", "4.2.0", "4.1.0", "", 4, 4.2), maybe(.8, "420", "00420", "4.2.0", 420)
    if beta:
        traits = {"email": "a@b.example", "plan": "gold"} | r.choice([{}, {}, {"userId": "u-9"}])
        return values | {
            "rs_user_id": user if isinstance(user, (str, int)) else None, "rs_application_version_key": version,
            "rs_application_build_key": build, "rs_traits": maybe(.7, archive(traits), b"none", "{}"),
            "rl_session_manual_track_status": maybe(.7, True, False, 1, 0), "rl_session_stopped_status": maybe(.2, True, False)}
    text = json.dumps(r.choice(TRAITS) | {"anonymousId": r.choice(IDS)} | r.choice([{}, {"userId": user}, {"userId": user}]))
    return values | {
        "rl_anonymous_id": maybe(.8, IDS[0], IDS[0], *IDS, 7), "rl_traits": maybe(.9, *[text] * 5, r.choice(ODD_TRAITS)),
        "rl_session_auto_track_status": maybe(.8, True, True, False, 1, 0, "yes"), "rl_application_version_key": version,
        "rl_application_build_key": build, "rl_application_info_key": maybe(.1, "4.0.0"), "rl_opt_status": maybe(.05, True)}


def target(r, now):
    some = lambda good, odd: r.choice(good if r.random() < .7 else odd) if r.random() < .75 else None
    numbers = ["0", "+5", "-1", str(2**64), str(2**64 - 1), " 5", 1700000000, "", b'"1700000003"']
    return {"anonymous_id": some([IDS[0], "other"], ["", 5, b'"data-id"', ["x"]]),
            "user_id": some(["u-1", "u-2"], ["", 42, b'"u-3"', b"x"]),
            "traits": some([json.dumps(traits) for traits in TRAITS], [*ODD_TRAITS, {"a": 1}, b'"{\\"a\\":1}"']),
            "session_id": some([str(now - 3000), "1700000000"], numbers),
            "is_manual_session": some([True, False, False], [1, 0, 2, "1", "true", 1.0, b"true"]),
            "last_activity_time": some([str(int(t * 1000)) for t in seconds(now)], [str(now), now * 1000, *numbers]),
            "rudder.app_version": some(["4.2.0", "4.1.0"], ["", 4.2, b'"4.2.0"']),
            "rudder.app_build": some([420, 419], ["420", 420.0, True, -1]), "is_session_start": some([True, False], [1])}


def write(path, values):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(plistlib.dumps({k: v for k, v in values.items() if v is not None}, fmt=plistlib.FMT_BINARY))


def read(path): return plistlib.loads(path.read_bytes()) if path.exists() else None


def observed(client, suite, automatic):
    """What the SDK reads and sends on a suite."""
    with tempfile.TemporaryDirectory() as home:
        # Apple's UserDefaults gives an NSNumber, which casts to Bool if it is 0 or 1; a number elsewhere does not.
        manual = (suite or {}).get("is_manual_session")
        if suite is not None: write(Path(home, ".config", SUITE), suite | ({"is_manual_session": manual == 1} if manual in (0, 1) else {}))
        environment = os.environ | {"HOME": home, "AUTO": "1" if automatic else "0"}
        return json.loads(subprocess.run([client], env=environment, capture_output=True, text=True, timeout=60).stdout)


def disagreements(play, seen, started):
    """Where a play is not what the client saw."""
    facts = {fact["kind"]: fact for fact in play["facts"]}
    played = {kind: (fact["outcome"], (fact["value"] or {}).get("value")) for kind, fact in facts.items()}
    played["user"] = ("none" if played["user"][0] == "logged-out" else played["user"][0], played["user"][1])
    count = re.match(r"\d+", facts["traits"]["sentence"])
    played["traits"], played["app-event"] = (played["traits"][0], int(count[0]) if count else None), played["app-event"][0]
    id, live, sent = seen.get("anonymousIdRead"), seen.get("liveSession"), [event.get("event") for event in seen["events"]]
    kept = "read" if len(seen["traitsAfterIdentify"]) > 1 else "until-identify"
    if live is None: session = ("none", None)
    elif live == seen.get("sessionId"): session = ("continued-manual" if seen["liveManual"] else "continued-automatic", live)
    else: session = ("new" if int(live) >= started and not seen["liveManual"] else "odd", None)
    real = {"user": ("logged-in", seen["userId"]) if seen["userId"] else ("none", None), "session": session,
            "anonymous-id": ("new", None) if id is None else ("read" if id else "empty", id),
            "traits": (kept, len(seen["traits"])) if seen["traits"] else ("none", None),
            "app-event": "installed" if "Application Installed" in sent else "updated" if "Application Updated" in sent else "none"}
    if played["anonymous-id"][0] == "device" and id: real["anonymous-id"] = played["anonymous-id"]
    return [f"{kind}: played {played[kind]}, seen {real[kind]}" for kind in real if real[kind] != played[kind]]


def case(options, number):
    """Every form of one container: how many launches agree in each, and what does not."""
    r, now = random.Random(options.seed * 100_003 + number), int(time.time())
    beta, counts, wrong = r.random() < .3, Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        box, helped = Path(folder, "Shop"), Path(folder, "helped.plist")
        preferences, file = box / "Library/Preferences/com.example.shop.plist", box / "Library/rsDefaultsPersistence.plist"
        suite, values = preferences.with_name(SUITE), legacy(r, beta, now)
        write(preferences, values if beta or r.random() < .8 else {"other": 1})
        if not beta and r.random() < .7: write(file, values if r.random() < .7 else legacy(r, False, now))
        if r.random() < .4: write(suite, target(r, now))
        common = [box, "--bundle-id", "com.example.shop", "--write-key", "KEY", "--now", str(now), "--allow-opted-out",
                  "--recipe", "rudderstack-swift-v2" if beta else "rudderstack-objc"]
        environment = os.environ | {"HOME": folder, "XDG_STATE_HOME": folder + "/state"}
        carryover = lambda command, *arguments: subprocess.run(
            [BINARY, command, *common, *arguments], env=environment, capture_output=True, text=True)
        typed = {"traits": '{"a":1}', "session_id": "1700000009", "is_manual_session": r.choice(["true", "false"]),
                 "last_activity_time": (now - 50) * 1000, "rudder.app_version": r.choice(["4.2.0", "4.1.0"]), "rudder.app_build": 7}
        decided = ["--on-conflict", r.choice(["keep", "replace"])]
        for field in json.loads(carryover("plan", "--json").stdout)["fields"]:
            choice = r.random()
            if field["status"] not in ("needs-decision", "conflict") and choice > .05: continue
            if field["proposed"] and choice > .4: decided += ["--accept", field["id"]]
            elif choice < .2: decided += ["--skip", field["id"]]
            else: decided += ["--set", f"{field['id']}={typed.get(field['id'], 'typed')}"]
        suites, plays = {"as-is": read(suite)}, {}
        for automatic in (True, False):
            extra = ["--next-launch", "--json", "--app-version", options.version, *["--no-automatic-sessions"][automatic:]]
            forms = json.loads(carryover("plan", *decided, *extra).stdout)["nextLaunch"]["forms"]
            plays |= {(play["form"], automatic): play for play in forms}
        if options.helper:
            if suite.exists(): write(helped, read(suite))
            subprocess.run([options.helper, "v2" if beta else "v1", preferences, file, helped], check=True, capture_output=True)
            suites["after-helper"] = read(helped)
        applied = carryover("apply", *decided, "--yes")
        if applied.returncode: wrong.append(f"case {number}: apply: {applied.stderr} {decided}")
        else: suites["after-plan"] = read(suite)
        for form, automatic in (key for key in plays if key[0] in suites):
            found = disagreements(plays[form, automatic], observed(options.client, suites[form], automatic), now)
            counts[form] += not found
            wrong += [f"case {number}, {form}, automatic {automatic}: {text} | {suites[form]}" for text in found]
    return counts, wrong


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("client", type=os.path.abspath)
    parser.add_argument("helper", type=os.path.abspath, nargs="?")
    for name, default in (("--count", 200), ("--seed", 1)): parser.add_argument(name, type=int, default=default)
    options = parser.parse_args()
    options.version = read(Path(options.client).with_name("Info.plist"))["CFBundleShortVersionString"]
    with ThreadPoolExecutor(2) as pool: results = list(pool.map(lambda number: case(options, number), range(options.count)))
    total, wrong = sum((counts for counts, _ in results), Counter()), [line for _, found in results for line in found]
    print("\n".join(wrong[:40]))
    print(f"{options.count} containers;", ", ".join(f"{form}: {count} launches agree" for form, count in total.items()))
    sys.exit(1 if wrong or not total else 0)
