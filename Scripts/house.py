"""Fails where folders of a module need each other in a circle, or where a module without vendors names an SDK.

A folder needs another one of its module if it names a type or a function that only that one declares, or a member that only an
extension there adds to a type from elsewhere. This reads the text, so a name that several folders declare counts for none of them.
"""

import re
import sys
from collections import Counter, defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "Sources"
WITH_VENDORS = {"CarryoverVendors", "CarryoverRestore", "CarryoverCommand"}
# What only an SDK's own names have in them. Words of everyday English are here with what makes them a vendor's.
VENDORS = re.compile(
    r"\b(rl|rn|rs)_|\badj_|AdjustIo|com\.adjust|convert-ios|ConvertStores|com\.convert|convertexperiments|segmentio|"
    r"com\.segment|Segment's|analytics-swift|io\.branch|heapanalytics|com\.google|customer\.?io|split\.io|"
    r"adapty|adbmobile|adobe|airship|amplitude|apphud|appsflyer|apptentive|apptimize|appboy|braze|bugsnag|clevertap|"
    r"configcat|countly|crashlytics|datadog|facebook|fbsdk|firebase|flagsmith|flurry|fullstory|growthbook|instabug|"
    r"intercom|kissmetrics|kochava|launchdarkly|leanplum|localytics|matomo|mixpanel|moengage|mparticle|onesignal|"
    r"optimizely|pendo|piwik|posthog|purchasely|qonversion|revenuecat|rudder|\bsentry\b|snowplow|statsig|superwall|"
    r"taplytics|tealium|umeng|uxcam|webengage|wizrocket", re.I)
COMMENT = re.compile(r"//[^\n]*")
STRING = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"')
WORDS = r"(?:@\w+(?:\([^)\n]*\))?\s+|\b[a-z]+\s+)*?"
TYPE = r"(?:struct|enum|class|actor|protocol|typealias)\s+([A-Z]\w*)"
OUTER = re.compile(rf"^{WORDS}(?:{TYPE}|func\s+(\w+))", re.M)
NESTED = re.compile(rf"^ +{WORDS}{TYPE}", re.M)
EXTENSION = re.compile(r"^(?:public |package |fileprivate )?extension\s+([\w.]+)[^{]*\{\n(.*?)^\}", re.M | re.S)
SPLIT = re.compile(r'(?:split\(separator|Index\(of): "/"')
MEMBER = re.compile(rf"^  {WORDS}(?:func|var|let)\s+(\w+)", re.M)
DECLARED = re.compile(r"\b(?:func|var|let|case)\s+(\w+)")


def needs(files: dict) -> dict:
    """For each folder of a module the folders it needs. A file beside the folders belongs to none."""
    folders = defaultdict(str)
    for path, text in files.items():
        folders[path.split("/")[0] if "/" in path else ""] += STRING.sub('""', COMMENT.sub("", text)) + "\n"
    declared = Counter(name for text in folders.values() for name in DECLARED.findall(text))
    names, members = defaultdict(set), defaultdict(set)
    for folder, text in folders.items():
        for type_name, function in OUTER.findall(text):
            if type_name or declared[function] == 1:
                names[type_name or function].add(folder)
    for folder, text in folders.items():
        for extended, body in EXTENSION.findall(text):
            if folder not in names[extended.split(".")[0]]:
                for name in MEMBER.findall(body):
                    members[name].add(folder)
    graph = {}
    for folder, text in folders.items():
        used = set(re.findall(r"\b\w+", text)) - set(NESTED.findall(text))
        found = {next(iter(names[name])) for name in used if len(names.get(name, ())) == 1}
        found |= {next(iter(members[name])) for name in set(re.findall(r"\.(\w+)", text))
                  if len(members.get(name, ())) == 1 and declared[name] == 1}
        graph[folder] = found - {folder, ""}
    graph.pop("", None)
    return graph


def problems(module: str, files: dict) -> list:
    wrong = [f"{module}/{path}:{number}: “{found[0]}” is a vendor's" for path, text in files.items()
             for number, line in enumerate(text.splitlines(), 1)
             if module not in WITH_VENDORS and (found := VENDORS.search(COMMENT.sub("", line)))]
    wrong += [f"{module}/{path}: a combining mark hides the slash before it; FilePath splits by bytes" for path, text in files.items()
              if SPLIT.search(text)]
    try:
        TopologicalSorter(needs(files)).prepare()
    except CycleError as circle:
        wrong.append(f"{module}: the folders {' → '.join(circle.args[1])} need each other in a circle")
    return wrong


if __name__ == "__main__":
    planted = {"One/A.swift": "struct One { var other: Other }",
               "Other/B.swift": 'struct Other { var one: One }\nlet suite = "com.amplitude".split(separator: "/")'}
    found = [] if len(problems("Planted", planted)) == 3 else ["a planted circle, word or split is not found"]
    for module in sorted(path for path in SOURCES.iterdir() if path.is_dir()):
        found += problems(module.name, {str(path.relative_to(module)): path.read_text() for path in sorted(module.rglob("*.swift"))})
    sys.exit("\n".join(f"house: {line}" for line in found) or None)
