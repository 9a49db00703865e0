"""The action for GitHub: its scripts, as its steps run them, with the workflow of Documentation/Release.md, a release in a
folder, and a server on this machine that takes comments."""

import hashlib
import http.server
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading
from pathlib import Path

from installed import REPOSITORY, SAMPLE

sys.path.insert(0, str(REPOSITORY / ".build/judges"))
MARKER = "<!-- carryover audit report -->\n"


class Comments(http.server.BaseHTTPRequestHandler):
    """GitHub's comments on a pull request: those of people, of which a page is full, then those of programs."""

    comments = [{"id": index, "user": {"type": "User"}, "body": f"{MARKER}mine"} for index in range(100)]
    refuses = False

    def log_message(self, *arguments: object) -> None:
        pass

    def answer(self, status: int, value: object) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self) -> None:
        page = int(re.search(r"&page=(\d+)", self.path).group(1))
        self.answer(200, self.comments[(page - 1) * 100:page * 100])

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
        if self.refuses or self.headers["Authorization"] != "Bearer secret":
            return self.answer(403, {})
        if self.command == "PATCH":
            self.comments[int(self.path.rsplit("/", 1)[1])]["body"] = body
        else:
            self.comments.append({"id": len(self.comments), "user": {"type": "Bot"}, "body": body})
        self.answer(200, {})

    do_PATCH = do_POST


def problems(binary: Path, folder: Path) -> list[str]:
    import yaml
    action = yaml.safe_load((REPOSITORY / "action.yml").read_text())
    version = str(action["inputs"]["version"]["default"])
    workflow = yaml.safe_load(re.search(r"^```yaml\n(name: .*?)^```", (REPOSITORY / "Documentation/Release.md").read_text(), re.MULTILINE | re.DOTALL).group(1))
    step = workflow["jobs"]["audit"]["steps"][-1]
    found = [f"Release.md gives the action {name}, which it does not take" for name in step["with"].keys() - action["inputs"].keys()]
    if not step["uses"].endswith(f"@v{version}"):
        found.append(f"Release.md uses {step['uses']}, not version {version}")
    lint = subprocess.run(["shellcheck", *sorted((REPOSITORY / "Action").glob("*.sh"))], capture_output=True, text=True)
    found += [f"shellcheck: {lint.stdout}"] if lint.returncode else []
    archive = release(binary, folder / "releases", version)
    (folder / "bin").mkdir()
    (folder / "bin/carryover").symlink_to(binary)
    (folder / "Containers").mkdir()
    shutil.copytree(SAMPLE, folder / "Containers" / SAMPLE.name)
    files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Comments)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    inputs = {
        "PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8", "RUNNER_TEMP": str(folder), **{name: str(path) for name, path in files.items()},
        "CARRYOVER_VERSION": version, "CARRYOVER_SHA256": "", "CARRYOVER_SOURCE": f"file://{folder}/releases",
        "AUDIT_PATHS": step["with"]["paths"], "AUDIT_OPTIONS": step["with"].get("options", ""), "AUDIT_LIMITS": step["with"]["fail-on"],
        "GITHUB_API_URL": f"http://127.0.0.1:{server.server_address[1]}", "GITHUB_REPOSITORY": "example/app", "GITHUB_TOKEN": "secret", "PULL_REQUEST": "7"}

    def expect(title: str, command: list[str], status: int, says: str, **changes: str) -> None:
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=inputs | changes)
        if ran.returncode != status or says not in ran.stdout + ran.stderr:
            found.append(f"action, {title}: {ran.returncode}, {ran.stdout[-500:]}{ran.stderr[-500:]}")

    install, audit = ["bash", REPOSITORY / "Action/install.sh"], ["bash", REPOSITORY / "Action/audit.sh"]
    expect("a release", install, 0, "is installed")
    expect("a version that is a path", install, 1, "not a number", CARRYOVER_VERSION="../../x")
    expect("a version that is not there", install, 1, "could not be downloaded", CARRYOVER_VERSION="9.9.9")
    expect("another checksum", install, 1, "Nothing was installed", CARRYOVER_SHA256="0" * 64)
    archive.write_bytes(archive.read_bytes() + b"x")
    expect("a changed archive", install, 1, "Nothing was installed")
    expect("an audit", audit, 0, "")
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    if outputs["status"] != "2" or outputs["reports"] != "true" or "# 1 of 1 user would be logged out" not in files["GITHUB_STEP_SUMMARY"].read_text():
        found.append(f"action: the outputs are {outputs}")
    expect("nothing to audit", audit, 64, "is empty", AUDIT_PATHS="\n")
    expect("an option that a shell would run", audit, 0, "There is nothing at", AUDIT_OPTIONS="--write-key=$(touch ran)\n`touch ran`")
    comment = [sys.executable, "-B", REPOSITORY / "Action/comment.py", f"{outputs['folder']}/audit.md"]
    expect("a comment", comment, 0, "")
    expect("the same comment", comment, 0, "")
    bodies = [each["body"] for each in Comments.comments]
    if len(bodies) != 101 or "# 1 of 1 user would be logged out" not in bodies[-1] or bodies[0] != f"{MARKER}mine":
        found.append(f"action: there are {len(bodies)} comments, the last {bodies[-1][:100]!r}")
    Comments.refuses = True
    expect("a comment that is refused", comment, 0, "::warning")
    server.shutdown()
    return found + [f"action: an option was run as a command: {path}" for path in folder.rglob("ran")]


def release(binary: Path, folder: Path, version: str) -> Path:
    name = f"carryover-{version}-linux-x86_64-static"
    archive = folder / f"v{version}/{name}.tar.gz"
    archive.parent.mkdir(parents=True)
    start = f"#!/bin/sh\nexec '{binary}' \"$@\"\n".encode()
    with tarfile.open(archive, "w:gz") as file:
        entry = tarfile.TarInfo(f"{name}/carryover")
        entry.size, entry.mode = len(start), 0o755
        file.addfile(entry, io.BytesIO(start))
    archive.with_name(archive.name + ".sha256").write_text(f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}\n")
    return archive
