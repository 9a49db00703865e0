"""The action for GitHub: its steps, run as a runner would with the workflow of Documentation/Audit.md, against a server on
this machine that has a release and takes comments."""

from __future__ import annotations

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


class Server(http.server.ThreadingHTTPServer):
    """The folder of releases, and GitHub's comments."""

    def __init__(self, releases: Path):
        self.releases, self.comments, self.refuses = releases, [], False
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *arguments: object) -> None:
        pass

    def answer(self, content: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.startswith("/releases/"):
            file = self.server.releases / path.removeprefix("/releases/")
            return self.answer(file.read_bytes()) if file.exists() else self.answer(b"", 404)
        page = int(re.search(r"&page=(\d+)", self.path).group(1))
        self.answer(json.dumps(self.server.comments[(page - 1) * 100:page * 100]).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
        if self.server.refuses or self.headers["Authorization"] != "Bearer secret":
            return self.answer(b"{}", 403)
        if self.command == "PATCH":
            next(comment for comment in self.server.comments if comment["id"] == int(self.path.rsplit("/", 1)[1]))["body"] = body
        else:
            self.server.comments.append({"id": len(self.server.comments), "user": {"type": "Bot"}, "body": body})
        self.answer(b"{}")

    do_PATCH = do_POST


class Runner:
    """Runs the steps of action.yml that run a script. What it uses of other actions is only named."""

    def __init__(self, action: dict, folder: Path, server: Server):
        self.action, self.folder, self.server, self.count = action, folder, server, 0

    def run(self, inputs: dict[str, str]) -> tuple[list[str], dict[str, str], str]:
        """The steps that ran up to one that failed, the outputs of the audit, and what was printed."""
        self.count += 1
        folder = self.folder / f"run-{self.count}"
        (folder / "temp").mkdir(parents=True)
        shutil.copytree(SAMPLE.parent, folder / "Containers", ignore=lambda place, names: [name for name in names if Path(place) == SAMPLE.parent and name != SAMPLE.name])
        known = {f"inputs.{name}": str(item.get("default", "")) for name, item in self.action["inputs"].items()} | {f"inputs.{name}": value for name, value in inputs.items()}
        known |= {"github.token": "secret", "github.event.pull_request.number": "7", "inputs.token": "secret"}
        files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        ran, printed, outputs = [], "", {}
        for step in self.action["runs"]["steps"]:
            def value(text: str) -> str:
                return re.sub(r"\$\{\{ (.*?) \}\}", lambda match: known.get(match.group(1).split(" || ")[0], ""), text)

            if not all(value(f"${{{{ {part.split(' == ')[0]} }}}}") == (part.split("'")[1] if "'" in part else value(f"${{{{ {part} }}}}")) != ""
                       for part in re.sub(r"\$\{\{ | \}\}", "", step.get("if", "")).split(" && ") if part):
                continue
            ran.append(step["name"])
            if "run" not in step:
                continue
            path = ":".join([*(files["GITHUB_PATH"].read_text().split() if files["GITHUB_PATH"].exists() else []), os.environ["PATH"]])
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=folder, capture_output=True, text=True, env={
                    "PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8", "RUNNER_TEMP": str(folder / "temp"), "GITHUB_ACTION_PATH": str(REPOSITORY),
                    "GITHUB_API_URL": self.server.url, "GITHUB_REPOSITORY": "example/app", **{name: str(file) for name, file in files.items()},
                    **{name: value(str(text)) for name, text in step.get("env", {}).items()}})
            printed += done.stdout + done.stderr
            if files["GITHUB_OUTPUT"].exists():
                outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
                known |= {f"steps.{step_id}.outputs.{name}": text for name, text in outputs.items() for step_id in ["audit"]}
            if done.returncode:
                return ran, {**outputs, "exit": str(done.returncode)}, printed
        return ran, {**outputs, "exit": "0"}, printed


def problems(binary: Path, folder: Path) -> list[str]:
    import yaml
    action = yaml.safe_load((REPOSITORY / "action.yml").read_text())
    version = str(action["inputs"]["version"]["default"])
    archive = release(binary, folder / "releases", version)
    server = Server(folder / "releases")
    runner = Runner(action, folder, server)
    found = shell()
    workflow = yaml.safe_load(re.search(r"^```yaml\n(name: .*?)^```", (REPOSITORY / "Documentation/Audit.md").read_text(), re.MULTILINE | re.DOTALL).group(1))
    step = workflow["jobs"]["audit"]["steps"][-1]
    found += [f"Audit.md gives the action {name}, which it does not take" for name in step["with"].keys() - action["inputs"].keys()]
    if not step["uses"].endswith(f"@v{version}"):
        found.append(f"Audit.md uses {step['uses']}, not version {version}")
    inputs = {name: str(value) for name, value in step["with"].items()} | {"source": f"{server.url}/releases"}

    def expect(title: str, changes: dict[str, str], steps: int, status: str, says: str) -> None:
        ran, outputs, printed = runner.run(inputs | changes)
        if len(ran) != steps or outputs["exit"] != status or says not in printed:
            found.append(f"action, {title}: {ran}, {outputs}, {printed[-1500:]}")

    # A comment with the marker that no program made, and a page of others before the one to update.
    server.comments += [{"id": index, "user": {"type": "User"}, "body": "<!-- carryover audit report -->\nmine"} for index in range(100)]
    expect("as documented", {}, 4, "2", "is installed")
    expect("again", {"fail-on": ""}, 4, "0", "is installed")
    if len(server.comments) != 101 or "# Audit" not in server.comments[-1]["body"] or server.comments[0]["body"] != "<!-- carryover audit report -->\nmine":
        found.append(f"action: there are {len(server.comments)} comments, the last {server.comments[-1]['body'][:100]!r}")
    summary = (runner.folder / "run-1/GITHUB_STEP_SUMMARY").read_text()
    if "# Audit" not in summary:
        found.append("action: the summary is not there")
    server.refuses = True
    expect("a comment that is refused", {"fail-on": ""}, 4, "0", "::warning")
    expect("nothing to audit", {"paths": "\n"}, 2, "64", "is empty")
    expect("an option that a shell would run", {"options": "--write-key=$(touch ran)\n`touch ran`"}, 3, "1", "There is nothing at")
    expect("a version that is a path", {"version": "../../x"}, 1, "1", "not a number")
    expect("a version that is not there", {"version": "9.9.9"}, 1, "1", "could not be downloaded")
    expect("another checksum", {"sha256": "0" * 64}, 1, "1", "Nothing was installed")
    archive.write_bytes(archive.read_bytes() + b"x")
    expect("a changed archive", {}, 1, "1", "Nothing was installed")
    server.shutdown()
    return found + [f"action: an option was run as a command: {path}" for path in folder.rglob("ran")]


def release(binary: Path, folder: Path, version: str) -> Path:
    """A release with the command, in an archive as make dist names it."""
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


def shell() -> list[str]:
    said = subprocess.run(["shellcheck", *sorted((REPOSITORY / "Action").glob("*.sh"))], capture_output=True, text=True)
    return [f"shellcheck: {said.stdout}"] if said.returncode else []
