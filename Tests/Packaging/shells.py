"""The completion scripts in real shells on a pseudo-terminal, with names that a careless script would run."""

import shutil
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "Terminals"))

from session import Session, Stuck  # noqa: E402

# Each would make the file ran, here or in the home folder, if a shell took it for more than a name.
HOSTILE = ["$(touch ran)", "`touch ran`", "a;touch ran", "a b&touch ran", "'$(touch ran)'", '"$(touch ran)"', "x\\$(touch ran)", "${x:=$(touch ran)}", "[$(touch ran)]",
           "$(touch ran).xcappdata/", "!!", "!touch", "=ls", "~root", "-touch", "a\ttouch", "a\ntouch"]
PROMPT = "ready> "
PATIENCE = 60


def unoffered(shell: str, name: str) -> bool:
    """Whether a shell cannot offer a name: fish takes what follows a tab for a description, bash reads a name from a line."""
    return {"fish": "\t", "bash": "\n"}.get(shell, "\0") in name


class Shell(Session):
    """A shell that has a completion script, and in which carryover writes its arguments to a file."""

    def __init__(self, name: str, script: Path, home: Path, folder: Path):
        self.arguments = home / "arguments"
        (home / "bin").mkdir()
        command = home / "bin/carryover"
        command.write_text(f"""#!/bin/sh
printf '%s\\0' "$@" >'{self.arguments}.new'
mv '{self.arguments}.new' '{self.arguments}'
""")
        command.chmod(0o755)
        environment = {
            "HOME": str(home), "PATH": f"{home}/bin:/usr/bin:/bin", "TERM": "dumb" if name == "bash" else "xterm", "LC_ALL": "C.UTF-8",
            "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home), "fish_greeting": "",
        }
        super().__init__(["/usr/bin/env", *self.start(name, script, home)], environment=environment, columns=400, rows=24, directory=folder)
        self.shows = self.answer
        self.read_until(PROMPT)

    @staticmethod
    def start(name: str, script: Path, home: Path) -> list[str]:
        if name == "bash":
            (home / "rc").write_text(f"PS1='{PROMPT}'\nbind 'set enable-bracketed-paste off'\nbind 'set bell-style none'\n. '{script}'\n")
            return ["bash", "--noprofile", "--rcfile", str(home / "rc"), "-i"]
        if name == "zsh":
            shutil.copy(script, home / "_carryover")
            (home / ".zshrc").write_text(f"PS1='{PROMPT}'\nunsetopt beep prompt_cr prompt_sp zle_bracketed_paste\nfpath=({home} $fpath)\nautoload -Uz compinit\ncompinit -u -D\n")
            return ["zsh", "-i"]
        (home / "fish/completions").mkdir(parents=True)
        shutil.copy(script, home / "fish/completions/carryover.fish")
        (home / "fish/config.fish").write_text(f"function fish_prompt; echo -n '{PROMPT}'; end\nset -g fish_autosuggestion_enabled 0\n")
        return ["fish", "-i"]

    def answer(self, shown: bytes) -> None:
        if b"\x1b[c" in shown or b"\x1b[0c" in shown:
            self.type("\x1b[?62c")
        if b"\x1b[6n" in shown:
            self.type("\x1b[1;1R")

    def read_until(self, text: str) -> None:
        self.wait(repr(text), lambda: text.encode() in self.output, PATIENCE)
        self.output.clear()

    def enter(self, line: str) -> None:
        self.type(line + "\r")
        self.read_until(PROMPT)

    def completed(self, typed: str) -> list[str]:
        """Types a line, completes it, and enters it: the arguments that the command receives."""
        self.arguments.unlink(missing_ok=True)
        self.type(typed + "\t")
        self.type("\r")
        self.wait(f"the command after {typed}⇥", self.arguments.exists, PATIENCE)
        self.output.clear()
        # zsh takes the slash behind a folder away again.
        return [word.rstrip("/") for word in self.arguments.read_text().split("\0")[:-1]]


def problems(name: str, script: Path, folder: Path) -> list[str]:
    """What goes wrong in a shell: subcommands, options, choices and names of files, also those that are commands."""
    found: list[str] = []
    files, home = folder / f"{name}-files", folder / f"{name}-home"
    files.mkdir(parents=True)
    home.mkdir()
    for number, hostile in enumerate(HOSTILE):
        (files / str(number)).mkdir()
        path = files / str(number) / hostile
        path.mkdir() if hostile.endswith("/") else path.touch()
    app, quoted = "My App.xcappdata", "My\\ App.xcappdata"
    (files / app).mkdir()
    shell = None
    try:
        shell = Shell(name, script, home, files)
        for typed, expected in [
            ("carryover dia", ["diagnose"]), ("carryover plan X --write-k", ["plan", "X", "--write-key"]),
            ("carryover plan X --on-conflict rep", ["plan", "X", "--on-conflict", "replace"]),
            ("carryover explain app.build-not-i", ["explain", "app.build-not-integer"]),
            (f"carryover plan {quoted} --accept source.dis", ["plan", app, "--accept", "source.disagree"]),
            ("carryover plan X --recipe pers", ["plan", "X", "--recipe", "person"]),
            (f"carryover {quoted} --write-k", [app, "--write-key"]),
            ("carryover My", [app]),
            ("carryover audit My", ["audit", app]),
            ("carryover audit X --fail", ["audit", "X", "--fail-on"]),
            ("carryover plan X --recipe My", ["plan", "X", "--recipe", app]),
        ]:
            received = shell.completed(typed)
            if received != expected:
                found.append(f"{name}: {typed}⇥ gives {received}")
        # What !touch stands for, if a shell asks its history.
        shell.enter("touch harmless")
        for number, hostile in enumerate(HOSTILE):
            received = shell.completed(f"carryover plan {number}/")
            if received != ["plan", f"{number}/{hostile}".rstrip("/")] and not unoffered(name, hostile):
                found.append(f"{name}: the name {hostile!r} is completed as {received}")
        # At the start of a word, = and ~ mean something. A word that begins with - is an option.
        for number, hostile in enumerate(HOSTILE):
            if hostile.startswith("-") or unoffered(name, hostile):
                continue
            shell.enter(f"cd '{files}/{number}'")
            received = shell.completed("carryover plan ")
            if received != ["plan", hostile.rstrip("/")]:
                found.append(f"{name}: the name {hostile!r} as a word is completed as {received}")
        # What is typed already is still no command.
        shell.type(f"cd '{files}'\r")
        shell.completed("carryover plan '$(touch ran)' --write-k")
    except Stuck as error:
        found.append(f"{name}: {error}")
    finally:
        if shell:
            shell.close()
    return found + [f"{name}: a name was run as a command: {path} was made" for path in folder.rglob("ran")]
