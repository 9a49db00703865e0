"""Starts the embedded app in its three versions; and three processes that write one suite of defaults, or Convert's files, at once.
Tests/Faults kills an app of the library's at every call that changes the disk.

usage: python3 -B Tests/Embedded .build/debug/EmbeddedApp, with LibraryProbe beside it"""

import os
import pathlib
import plistlib
import subprocess
import sys
import tempfile

TRAITS = '{"anonymousId":"9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b","userId":42,"email":"jo@acme.example"}'
LEGACY = {
    "rl_anonymous_id": "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b", "rl_traits": TRAITS, "rl_session_id": 1763640000,
    "rl_session_auto_track_status": True, "rl_last_event_time_stamp": 1763640123, "rl_application_version_key": "1.0.0",
    "rl_application_build_key": "100",
}
RESTORED = {
    "anonymous_id": "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b", "user_id": "42", "traits": '{"email":"jo@acme.example"}',
    "session_id": "1763640000", "is_manual_session": False, "last_activity_time": "1763640123000", "rudder.app_version": "1.0.0",
    "rudder.app_build": 100,
}
PERSON = {2: b'{"name":"Jo Doe","age":"23","email":"---","version":1}', 3: b'{"alias":"Jo Doe","email":"---","version":3}'}


class App:
    def __init__(self, binary, home):
        self.binary, self.home = binary, home

    def start(self, version):
        done = subprocess.run([self.binary, "--version", str(version), "--home", str(self.home)], text=True, timeout=120,
                              env={"HOME": str(self.home), "PATH": os.environ.get("PATH", "")},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise AssertionError(f"version {version} ended with {done.returncode}:\n{done.stdout}")
        return done.stdout

    def suite(self, name):
        path = self.home / ".config" / f"{name}.plist"
        try:
            return plistlib.loads(path.read_bytes()) if path.exists() else {}
        except plistlib.InvalidFileException:
            raise AssertionError(f"{path.name} is no property list: {path.read_bytes()[:40]!r}") from None

    def check(self, version):
        """Everything is where this version wants it, nothing is lost, and nothing was taken twice."""
        target = self.suite("com.acme.shop.analytics.1xAcmeWriteKey")
        mark = target.pop("carryover.restored", None)
        expect("the new SDK's values", target, RESTORED)
        expect("the mark", sorted(mark["fields"]) if mark else None, sorted(RESTORED))
        own = self.suite("EmbeddedApp")
        expect("the legacy values", {key: own.get(key) for key in LEGACY}, LEGACY)
        expect("the person", own.get("person"), PERSON[version])
        expect("the token's old place", own.get("auth_token"), None)
        sealed = (self.home / "Library/Secrets/token.data").read_bytes()
        expect("the token's encryption", (sealed[:4], b"secret" in sealed), (b"COEB", False))
        expect("leftover files", [p.name for p in (self.home / "Library").rglob("*") if p.is_file() and p.suffix != ".data"], [])
        return own


def expect(what, found, wanted):
    if found != wanted:
        raise AssertionError(f"{what}: {found!r}, expected {wanted!r}")


def plain(binary, place):
    """Every way through the versions; the second start of each does nothing."""
    for way in ([1, 2, 3], [1, 3]):
        app = App(binary, place / "-".join(map(str, way)))
        app.home.mkdir()
        for version in way:
            first, second = app.start(version), app.start(version)
            if version == 1:
                continue
            own = app.check(version)
            for line in ("persistence: restored before; nothing to do", "person: current", "token: nothingToMigrate", "token: there"):
                expect(f"the second start says “{line}”", line in second, True)
            expect("the token is migrated once", "token: migrated" in first, version == way[1])
        backups = sorted(key.split("-")[1] for key in own if key.startswith("person.backup-"))
        expect("the old persons", backups, ["v0", "v1"] if 2 in way else ["v0"])
        older = subprocess.run([binary, "--version", "2", "--home", str(app.home)], stdout=subprocess.PIPE, text=True)
        expect("version 2 over 3", older.returncode, 1)
        app.check(3)


def shared(binary, place, job):
    """Three processes write the same files at once, as an app and its extensions may."""
    home = place / job
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.environ.get("PATH", "")}

    def start(verb):
        command = [str(pathlib.Path(binary).parent / "LibraryProbe"), verb, job, str(home)]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    for verb, count in (("prepare", 1), ("run", 3), ("check", 1)):
        processes = [start(verb) for _ in range(count)]
        said = [process.communicate(timeout=120)[0] for process in processes]
        ends = [(process.returncode, text if process.returncode else "") for process, text in zip(processes, said)]
        expect(f"{verb} {job}", ends, [(0, "")] * count)


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="carryover-embedded-") as folder:
        place = pathlib.Path(folder).resolve()
        try:
            if sys.platform != "linux":
                # There the defaults go through a daemon, which asks for no home of a process's own.
                print("embedded app: tried on Linux only")
                return 0
            plain(binary, place)
            for job in ("share", "convert"):
                shared(binary, place, job)
        except AssertionError as wrong:
            print(f"embedded app: {wrong}", file=sys.stderr)
            return 1
    print("embedded app: upgraded over every version: nothing lost, nothing migrated twice; and no process wrote over "
          "another's defaults or Convert files")
    return 0


sys.exit(main())
