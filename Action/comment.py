"""Comments on a pull request with a report, or updates the comment that an earlier run has made: it begins with the same
hidden marker."""

from __future__ import annotations

import itertools
import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path

A_PAGE = 100


def main(report: Path) -> int:
    text = report.read_text()
    marker = text.partition("\n")[0]
    repository = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/issues"
    issue = f"{repository}/{int(os.environ['PULL_REQUEST'])}/comments"
    try:
        comments = []
        for page in itertools.count(1):
            found = asked("GET", f"{issue}?per_page={A_PAGE}&page={page}")
            comments += found
            if len(found) < A_PAGE:
                break
        # Only one that a program made counts: anybody may write the marker.
        mine = (each["id"] for each in comments if each["user"]["type"] == "Bot" and each["body"].splitlines()[:1] == [marker])
        if existing := next(mine, None):
            asked("PATCH", f"{repository}/comments/{existing}", {"body": text})
        else:
            asked("POST", issue, {"body": text})
    except urllib.error.URLError as error:
        # A pull request from a fork may not comment; the summary has the report, and the audit decides the status.
        print(f"::warning title=Carryover::The report is in the summary only, because the comment was refused: {error}")
    return 0


def asked(method: str, url: str, body: dict | None = None) -> list | dict:
    request = urllib.request.Request(url, method=method, data=json.dumps(body).encode() if body else None, headers={
        "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}", "Accept": "application/vnd.github+json", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


sys.exit(main(Path(sys.argv[1])))
